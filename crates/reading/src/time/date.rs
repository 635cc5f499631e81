//! Calendar dates: `2026-03-05`, "March 5, 2026", "in 2024".

use jiff::civil::{self, Date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Unit};

use super::{Direction, Scan, Sense, Window, clock, holiday, looks_back};

/// The date or time of day that starts at the word `at`, and the word after it.
pub(super) fn at(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    machine_date(scan, at)
        .or_else(|| clock::at(scan, at))
        .or_else(|| slashed_date(scan, at))
        .or_else(|| year_first(scan, at))
        .or_else(|| days_of_month(scan, at))
        .or_else(|| week_of_month(scan, at))
        .or_else(|| month_first(scan, at))
        .or_else(|| day_first(scan, at))
        .or_else(|| day_of_month(scan, at))
        .or_else(|| holiday::at(scan, at))
        .or_else(|| year(scan, at))
}

/// `2026-03-05`, `2026-03-05T10:00:00Z`, `20260305`, `2026.3.5`.
fn machine_date(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let rest = &scan.text[scan.words[at].range.start..];
    if scan.gap_before(at).ends_with(['-', '.', '/', '_', '#', '$'])
        || !rest.starts_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let length = rest
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | ':' | 'T' | 'Z' | '+' | '.')))
        .unwrap_or(rest.len());
    let token = rest[..length].trim_end_matches(['.', ':', '-', '+']);
    let next = next_after(scan, at, scan.words[at].range.start + token.len());
    if let Ok(instant) = token.parse::<Timestamp>() {
        return Some((next, instant_window(scan, (at, next), instant)));
    }
    if token.contains('T') {
        let moment: civil::DateTime = token.parse().ok()?;
        let instant = moment.to_zoned(TimeZone::UTC).ok()?.timestamp();
        return Some((next, instant_window(scan, (at, next), instant)));
    }
    if token.len() == 10 && token.contains('-') {
        return scan.day(at, next, token.parse().ok()?);
    }
    if let [year, month, day] = token.split('.').collect::<Vec<_>>()[..]
        && year.len() == 4
    {
        let date = date_of(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)?;
        return scan.day(at, next, date);
    }
    if token.len() == 7 && token.as_bytes()[4] == b'-' {
        let first = Date::new(token[..4].parse().ok()?, token[5..].parse().ok()?, 1).ok()?;
        return Some((next, scan.calendar(at, next, first, first.checked_add(1.month()).ok()?)?));
    }
    if token.len() == 8 && token.bytes().all(|byte| byte.is_ascii_digit()) && token.starts_with(['1', '2']) {
        let date =
            Date::new(token[..4].parse().ok()?, token[4..6].parse().ok()?, token[6..].parse().ok()?).ok()?;
        return (1900..=2100).contains(&date.year()).then(|| scan.day(at, next, date)).flatten();
    }
    None
}

/// `12/31/2026` and `31/12/2026`; the month comes first where both readings are dates.
fn slashed_date(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    if scan.gap_before(at + 1) != "/" || scan.gap_before(at + 2) != "/" {
        return None;
    }
    let parts = [scan.word(at), scan.word(at + 1), scan.word(at + 2)];
    let numbers: Vec<i16> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let &[first, second, third] = numbers.as_slice() else { return None };
    let date = match (parts[0].len(), parts[2].len()) {
        (4, _) => date_of(first, second, third),
        (_, 4) => date_of(third, first, second).or_else(|| date_of(third, second, first)),
        _ => None,
    }?;
    scan.day(at, at + 3, date)
}

/// "1 to 15 March 2026", "March 1-15", "between the 1st and 15th of March", "March 5 and 6".
fn days_of_month(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let is_month_first = month_of(scan, at).is_some();
    let first_at = at + usize::from(is_month_first);
    let first = day_of(scan.word(first_at))?;
    let (joined, last_at) = match scan.word(first_at + 1) {
        word @ ("to" | "until" | "till" | "through" | "and") => {
            let is_article = scan.word(first_at + 2) == "the";
            (word, first_at + 2 + usize::from(is_article))
        }
        _ => (scan.gap_before(first_at + 1).trim(), first_at + 1),
    };
    let is_between =
        scan.back(at, 1) == "between" || scan.back(at, 1) == "the" && scan.back(at, 2) == "between";
    let last = day_of(scan.word(last_at)).filter(|last| first < *last)?;
    let is_range = matches!(joined, "to" | "until" | "till" | "through" | "-" | "–");
    if !is_range && !(joined == "and" && (is_between || last == first + 1)) {
        return None;
    }
    let month_at = if scan.word(last_at + 1) == "of" { last_at + 2 } else { last_at + 1 };
    // "March 5 to 10:30" ends at a time of day, "March 5 to 10 April" on another day.
    let (month, next) = if is_month_first {
        let is_day = month_of(scan, month_at).is_none() && !scan.gap_before(last_at + 1).starts_with(':');
        (month_of(scan, at).filter(|_| is_day)?, last_at + 1)
    } else {
        (month_of(scan, month_at)?, month_at + 1)
    };
    let (next, year) = year_after(scan, next);
    let after = date_of(year, month, last)?.tomorrow().ok()?;
    Some((next, scan.calendar(at, next, date_of(year, month, first)?, after)?))
}

/// "the first week of March": its first seven days.
fn week_of_month(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    if (scan.word(at + 1), scan.word(at + 2)) != ("week", "of") {
        return None;
    }
    let month = month_of(scan, at + 3)?;
    let (next, year) = year_after(scan, at + 4);
    let of_month = date_of(year, month, 1)?;
    let first = match scan.word(at) {
        "first" => of_month,
        "second" => of_month.checked_add(1.week()).ok()?,
        "third" => of_month.checked_add(2.weeks()).ok()?,
        "fourth" => of_month.checked_add(3.weeks()).ok()?,
        "last" => of_month.last_of_month().checked_sub(6.days()).ok()?,
        _ => return None,
    };
    Some((next, scan.calendar(at, next, first, first.checked_add(1.week()).ok()?)?))
}

/// "March 5th, 2026", "March 2026", "March".
fn month_first(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let month = month_of(scan, at)?;
    if let Some(day) = day_of(scan.word(at + 1)) {
        let (next, year) = year_after(scan, at + 2);
        return scan.day(at, next, date_of(year, month, day)?);
    }
    let (next, year) = year_after(scan, at + 1);
    let lead = scan.back(at, 1);
    let is_end = is_end(lead);
    let is_led = is_end
        || matches!(
            lead,
            "in" | "during" | "since" | "for" | "of" | "last" | "next" | "to" | "from" | "after"
        );
    if !is_led && next == at + 1 {
        return None;
    }
    let is_told = next > at + 1 || only_year(scan).is_some();
    let this = i16::from(scan.today.month());
    // What is to end before a month of which this year's is over ends before the next one.
    let years_on = match lead {
        _ if is_told => 0,
        "last" => -i16::from(month >= this),
        "next" => i16::from(month <= this),
        _ => i16::from(is_end && month < this && !looks_back(scan.words)),
    };
    let first = date_of(year + years_on, month, 1)?;
    Some((next, scan.calendar(at, next, first, first.checked_add(1.month()).ok()?)?))
}

/// "5 March 2026", "5th of March".
fn day_first(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let day = day_of(scan.word(at))?;
    let month_at = if scan.word(at + 1) == "of" { at + 2 } else { at + 1 };
    let month = month_of(scan, month_at)?;
    let (next, year) = year_after(scan, month_at + 1);
    scan.day(at, next, date_of(year, month, day)?)
}

/// "the 3rd of last month"; "on the 3rd" is of this one.
fn day_of_month(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let word = scan.word(at);
    let day = ordinal(word)?;
    let months = match (scan.word(at + 1), scan.word(at + 2), scan.word(at + 3)) {
        ("of", "this" | "the", "month") => Some(0),
        ("of", "last" | "previous", "month") => Some(-1),
        ("of", "next" | "coming", "month") => Some(1),
        _ => None,
    };
    let next = if months.is_some() { at + 4 } else { at + 1 };
    // "On the 1st floor" tells a floor.
    let ends = scan.words.get(next).is_none_or(|word| word.is_stop) || scan.gap_before(next) != " ";
    let lead = scan.back(at, 2);
    let is_end = is_end(lead);
    let is_alone = scan.back(at, 1) == "the" && (is_end || matches!(lead, "on" | "since" | "from")) && ends;
    // What is to end on a day that is over ends on the next one of that number, and what began on one to come on the last.
    let today = i16::from(scan.today.day());
    let turned = i64::from(is_end && day < today) - i64::from(lead == "since" && day > today);
    let months = months.or_else(|| is_alone.then_some(turned))?;
    let month = scan.today.first_of_month().checked_add(months.months()).ok()?;
    scan.day(at, next, date_of(month.year(), i16::from(month.month()), day)?)
}

/// Whether the word before a time says that it ends something.
fn is_end(lead: &str) -> bool {
    matches!(lead, "until" | "till" | "by" | "before" | "through")
}

/// "2023 April 4th".
fn year_first(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let year = year_of(scan.word(at))?;
    let month = month_of(scan, at + 1)?;
    let day = day_of(scan.word(at + 2))?;
    scan.day(at, at + 3, date_of(year, month, day)?)
}

/// "in 2024", "year 2024", "for 2024".
fn year(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let year = year_of(scan.word(at))?;
    if !matches!(
        scan.back(at, 1),
        "in" | "year"
            | "since"
            | "during"
            | "from"
            | "to"
            | "until"
            | "before"
            | "after"
            | "and"
            | "of"
            | "for"
    ) || !matches!(scan.gap_before(at), " " | ": ")
    {
        return None;
    }
    let first = date_of(year, 1, 1)?;
    Some((at + 1, scan.calendar(at, at + 1, first, first.checked_add(1.year()).ok()?)?))
}

fn instant_window(scan: &Scan<'_>, (from, next): (usize, usize), instant: Timestamp) -> Sense {
    Sense::Window(Window {
        text: scan.said(from, next),
        start: instant,
        end: instant,
        direction: Direction::Calendar,
        length: None,
        grain: Unit::Second,
    })
}

/// The first word that starts at or after a byte.
fn next_after(scan: &Scan<'_>, at: usize, end: usize) -> usize {
    (at + 1..scan.words.len()).find(|&next| scan.words[next].range.start >= end).unwrap_or(scan.words.len())
}

pub(super) fn date_of(year: i16, month: i16, day: i16) -> Option<Date> {
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

fn day_of(word: &str) -> Option<i16> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if !matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th") {
        return None;
    }
    digits.parse().ok().filter(|day| (1..=31).contains(day) && digits.len() <= 2)
}

/// The day of the month that a word numbers: "3rd".
fn ordinal(word: &str) -> Option<i16> {
    day_of(word).filter(|_| word.ends_with(|sign: char| sign.is_ascii_alphabetic()))
}

/// Whether the word so far before a month leads to a day of it: the "on" of "on 3 march", the "to" of "from march 3 to march 9".
fn leads_day(scan: &Scan<'_>, month: usize, back: usize) -> bool {
    let is_again = || scan.back(month, 3) == scan.word(month);
    match scan.back(month, back) {
        "after" | "before" | "from" | "on" | "since" | "until" => true,
        "and" | "through" | "to" => is_again(),
        _ => false,
    }
}

/// The year that a word is, from 1900 to 2100.
#[must_use]
pub fn year_of(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| word.len() == 4 && (1900..=2100).contains(year))
}

pub(super) fn year_after(scan: &Scan<'_>, at: usize) -> (usize, i16) {
    told_year(scan, at).unwrap_or_else(|| (at, only_year(scan).unwrap_or(scan.today.year())))
}

/// The year that stands at a word, "2026", "of last year", and the word after it.
fn told_year(scan: &Scan<'_>, at: usize) -> Option<(usize, i16)> {
    let at = scan.past(at, &["of", "in"]);
    let years_on = match (scan.word(at), scan.word(at + 1)) {
        ("this", "year") => 0,
        ("last" | "previous", "year") => -1,
        ("next" | "coming" | "following", "year") => 1,
        (word, _) => return year_of(word).map(|year| (at + 1, year)),
    };
    Some((at + 2, scan.today.year() + years_on))
}

/// The one year that a text tells with a month: of "from July 15 to August 10, 2022" it is the year of both days.
fn only_year(scan: &Scan<'_>) -> Option<i16> {
    let year_at = |at: usize| {
        month_of(scan, at)?;
        let behind = at + 1 + usize::from(day_of(scan.word(at + 1)).is_some());
        told_year(scan, behind).map(|(_, year)| year).or_else(|| year_of(scan.back(at, 1)))
    };
    let mut years = (0..scan.words.len()).filter_map(year_at);
    let first = years.next()?;
    years.all(|year| year == first).then_some(first)
}

/// The months in lower case, in order.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

fn month_of(scan: &Scan<'_>, at: usize) -> Option<i16> {
    let word = scan.word(at);
    let is_capital = scan.text[scan.words.get(at)?.range.clone()].starts_with(|c: char| c.is_uppercase());
    let found = MONTHS.iter().position(|month| {
        word == *month
            || (word.len() == 3 && month.starts_with(word) && is_capital)
            || (word == "sept" && *month == "september")
    })?;
    // "may" and "march" are verbs, too.
    let is_dated = || {
        let day = if scan.back(at, 1) == "of" { scan.back(at, 2) } else { scan.back(at, 1) };
        let next = scan.word(at + 1);
        ordinal(day).or_else(|| ordinal(next)).is_some()
            || told_year(scan, at + 1).is_some()
            || day_of(day).is_some() && leads_day(scan, at, 2)
            || day_of(next).is_some() && leads_day(scan, at, 1)
    };
    if matches!(word, "may" | "march") && !is_capital && !is_dated() {
        return None;
    }
    i16::try_from(found + 1).ok()
}
