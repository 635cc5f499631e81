//! Numbers in Hangul and in Han characters, and what they count: 8천원, 만오천원, 두 판, 三万円.

use crate::spans::{Amount, Kind, Span};
use crate::standards;

/// Names of currencies, the longest first; their codes are those of the standard.
const CURRENCIES: [&str; 8] = ["파운드", "달러", "유로", "위안", "원", "엔", "円", "元"];

/// What is counted right behind a number, the longest first.
const COUNTERS: &[&str] = &[
    "킬로미터",
    "퍼센트",
    "킬로",
    "인분",
    "켤레",
    "송이",
    "그릇",
    "상자",
    "박스",
    "마리",
    "시간",
    "개월",
    "미터",
    "개",
    "장",
    "명",
    "판",
    "잔",
    "병",
    "권",
    "회",
    "층",
    "살",
    "세",
    "박",
    "매",
    "통",
    "분",
    "초",
    "일",
    "월",
    "년",
    "시",
    "주",
    "건",
    "편",
    "곡",
    "번",
    "대",
    "평",
    "個",
    "个",
    "枚",
    "人",
    "件",
    "台",
    "张",
    "本",
];

/// Those of them that tell when or which one, and not how many.
const ORDERS: [&str; 10] = ["일", "월", "년", "시", "분", "초", "층", "번", "주", "회"];

/// Whether a number in these characters says how many there are of something; none where it does not say of what.
pub(crate) fn counts(said: &str) -> Option<bool> {
    let counter = COUNTERS.iter().find(|counter| said.ends_with(**counter))?;
    Some(!ORDERS.contains(counter))
}

/// The Korean numbers that stand before what they count.
const NATIVE: [(&str, f64); 13] = [
    ("다섯", 5.0),
    ("여섯", 6.0),
    ("일곱", 7.0),
    ("여덟", 8.0),
    ("아홉", 9.0),
    ("스무", 20.0),
    ("열", 10.0),
    ("한", 1.0),
    ("두", 2.0),
    ("세", 3.0),
    ("네", 4.0),
    ("석", 3.0),
    ("넉", 4.0),
];

/// The number that begins at a place of a text, where one is written in these characters.
pub(super) fn at(text: &str, start: usize) -> Option<Span> {
    let rest = &text[start..];
    let (length, mut amount) = [written, native, alone].into_iter().find_map(|read| read(rest))?;
    if !amount.value.is_finite() {
        return None;
    }
    amount.is_percent |= rest[..length].ends_with("퍼센트");
    Some(Span { range: start..start + length, text: rest[..length].to_owned(), kind: Kind::Number(amount) })
}

/// Digits and numerals with what they count: 8천원, 3만 5천 원, 만오천원, 4장.
fn written(text: &str) -> Option<(usize, Amount)> {
    let number = Numeral::read(text)?;
    let behind = &text[number.length..];
    let gap = usize::from(behind.starts_with(' '));
    // 100 엔 are yen, 100 엔진 are engines.
    let ends = |name: &str| gap == 0 || ends_word(&behind[gap + name.len()..]);
    let currency = CURRENCIES.into_iter().find(|name| behind[gap..].starts_with(name) && ends(name));
    let counter = COUNTERS.iter().copied().find(|name| behind.starts_with(name));
    let amount = |currency: Option<&str>| Amount {
        value: number.value,
        is_percent: false,
        currency: currency.and_then(standards::currency),
    };
    // A single numeral is a syllable of many words: 사원 is an employee, 사장 the head of a firm, 천장 a ceiling.
    let is_sum = number.has_digits || number.has_scale;
    let is_sure = number.has_digits || number.has_scale && text.starts_with(|first| numeral(first).is_some());
    match (currency, counter) {
        (Some(name), _) if is_sum || name.chars().count() > 1 => {
            Some((number.length + gap + name.len(), amount(Some(name))))
        }
        (None, Some(name)) if is_sure => Some((number.length + name.len(), amount(None))),
        (None, None) if number.has_digits && number.has_scale => Some((number.length, amount(None))),
        _ => None,
    }
}

/// Whether a word ends here, but for a particle.
fn ends_word(rest: &str) -> bool {
    let rest =
        rest.strip_prefix(['을', '를', '이', '가', '은', '는', '의', '만', '도', '에']).unwrap_or(rest);
    rest.starts_with("으로") || !rest.starts_with(char::is_alphanumeric)
}

/// What a Korean number may be glued to; with other counters it begins other words: 두통 is a headache, 한번 means once.
const GLUED: [&str; 15] = [
    "시간", "개월", "인분", "켤레", "송이", "그릇", "상자", "박스", "마리", "개", "장", "명", "판", "잔",
    "권",
];

/// A Korean number with what it counts: 두장, 세 판.
fn native(text: &str) -> Option<(usize, Amount)> {
    let (name, value) = NATIVE.into_iter().find(|(name, _)| text.starts_with(name))?;
    let behind = &text[name.len()..];
    let gap = usize::from(behind.starts_with(' '));
    let counter = COUNTERS.iter().copied().find(|counter| behind[gap..].starts_with(counter))?;
    let is_sure = gap == 1 || GLUED.contains(&counter);
    let amount = Amount { value, is_percent: false, currency: None };
    is_sure.then_some((name.len() + gap + counter.len(), amount))
}

/// A Korean number that is a word of its own: 하나.
fn alone(text: &str) -> Option<(usize, Amount)> {
    const ALONE: [(&str, f64); 4] = [("하나", 1.0), ("둘", 2.0), ("셋", 3.0), ("넷", 4.0)];
    let (name, value) = ALONE.into_iter().find(|(name, _)| text.starts_with(name))?;
    let ends = text[name.len()..].trim_start_matches(['만', '를', '을', '요']);
    let amount = Amount { value, is_percent: false, currency: None };
    (!ends.starts_with(char::is_alphanumeric)).then_some((name.len(), amount))
}

/// A number of digits and numerals, as far as it goes.
struct Numeral {
    length: usize,
    value: f64,
    has_digits: bool,
    has_scale: bool,
}

impl Numeral {
    fn read(text: &str) -> Option<Self> {
        let mut number = Self { length: 0, value: 0.0, has_digits: false, has_scale: false };
        let (mut section, mut own): (f64, Option<f64>) = (0.0, None);
        loop {
            let rest = &text[number.length..];
            // 3만 5천: a space may stand before what goes on in digits.
            let gap = usize::from(number.has_scale && number.has_digits && rest.starts_with(' '));
            let rest = &rest[gap..];
            let Some(first) = rest.chars().next() else { break };
            if first.is_ascii_digit() && own.is_none() {
                let digits =
                    rest.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.').unwrap_or(rest.len());
                let digits = rest[..digits].trim_end_matches([',', '.']);
                own = Some(digits.replace(',', "").parse().ok()?);
                number.has_digits = true;
                number.length += gap + digits.len();
                continue;
            }
            if gap > 0 {
                break;
            }
            if let Some(digit) = numeral(first).filter(|_| own.is_none()) {
                own = Some(digit);
            } else if let Some(scale) = scale(first) {
                if scale < MYRIAD {
                    section += own.take().unwrap_or(1.0) * scale;
                } else {
                    let many = section + own.take().unwrap_or(0.0);
                    number.value += if many > 0.0 { many } else { 1.0 } * scale;
                    section = 0.0;
                }
                number.has_scale = true;
            } else {
                break;
            }
            number.length += first.len_utf8();
        }
        number.value += section + own.unwrap_or(0.0);
        (number.length > 0).then_some(number)
    }
}

const MYRIAD: f64 = 1e4;

fn numeral(character: char) -> Option<f64> {
    let digit = "일이삼사오육칠팔구".chars().position(|known| known == character);
    let digit = digit.or_else(|| "一二三四五六七八九".chars().position(|known| known == character))?;
    u32::try_from(digit + 1).ok().map(f64::from)
}

fn scale(character: char) -> Option<f64> {
    Some(match character {
        '십' | '十' => 1e1,
        '백' | '百' => 1e2,
        '천' | '千' => 1e3,
        '만' | '万' | '萬' => MYRIAD,
        '억' | '億' | '亿' => 1e8,
        '조' | '兆' => 1e12,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(&str, f64, Option<&'static str>)> {
        let span = at(text, 0)?;
        let Kind::Number(amount) = span.kind else { return None };
        Some((&text[span.range], amount.value, amount.currency))
    }

    #[test]
    fn sums_are_read() {
        assert_eq!(read("8천원 보내줘"), Some(("8천원", 8_000.0, Some("KRW"))));
        assert_eq!(read("만오천원을"), Some(("만오천원", 15_000.0, Some("KRW"))));
        assert_eq!(read("3만 5천 원"), Some(("3만 5천 원", 35_000.0, Some("KRW"))));
        assert_eq!(read("1억2천만원"), Some(("1억2천만원", 120_000_000.0, Some("KRW"))));
        assert_eq!(read("30000원을"), Some(("30000원", 30_000.0, Some("KRW"))));
        assert_eq!(read("1,500달러"), Some(("1,500달러", 1_500.0, Some("USD"))));
        assert_eq!(read("三万円"), Some(("三万円", 30_000.0, Some("JPY"))));
    }

    #[test]
    fn what_is_counted_is_read() {
        assert_eq!(read("4장을"), Some(("4장", 4.0, None)));
        assert_eq!(read("두 판 주문"), Some(("두 판", 2.0, None)));
        assert_eq!(read("세장 예매"), Some(("세장", 3.0, None)));
        assert_eq!(read("하나 주문"), Some(("하나", 1.0, None)));
        assert_eq!(read("30퍼센트"), Some(("30퍼센트", 30.0, None)));
    }

    #[test]
    fn syllables_of_other_words_are_no_numbers() {
        for text in [
            "하나은행",
            "사원",
            "사장",
            "이번",
            "일본",
            "한국",
            "한번",
            "세대",
            "공원",
            "천천히",
            "만나",
            "이 책",
            "두통",
            "열매",
            "천장",
            "백분율",
            "만일",
            "100 엔진",
            "42 apples",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
