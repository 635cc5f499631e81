//! Times of day: "3:30 pm", "noon", the 9 of "from 9 to 17:00".

use jiff::civil;

use super::{Scan, Sense};

/// `15:00`, `3:30 pm`, `9am`, "noon".
pub(super) fn at(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let word = scan.word(at);
    if let Some(hour) =
        [("midnight", 0), ("noon", 12)].iter().find_map(|(name, hour)| (word == *name).then_some(*hour))
    {
        return Some((at + 1, Sense::Clock(civil::Time::constant(hour, 0, 0, 0))));
    }
    let half = |text: &str| match text {
        "am" => Some(0),
        "pm" => Some(12),
        _ => None,
    };
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 || digits > 2 || matches!(scan.gap_before(at), ":" | "." | "-" | "/") {
        return None;
    }
    let hour: i8 = word[..digits].parse().ok()?;
    let (mut next, minute, after_noon) = if scan.gap_before(at + 1) == ":" && digits == word.len() {
        let minutes = scan.word(at + 1);
        let split = minutes.len() - minutes.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if split != 2 {
            return None;
        }
        (at + 2, minutes[..2].parse::<i8>().ok()?, half(&minutes[2..]))
    } else {
        (at + 1, 0, half(&word[digits..]))
    };
    let after_noon = after_noon.or_else(|| {
        let found = half(scan.word(next));
        next += usize::from(found.is_some());
        found
    });
    if scan.word(next) == "o" && scan.word(next + 1) == "clock" {
        next += 2;
    }
    let after_noon = after_noon.or_else(|| {
        let (words, noon) = part_of_day(scan, next)?;
        next += words;
        Some(noon)
    });
    if next == at + 1 && after_noon.is_none() && !opens_a_stretch(scan, at) {
        return None;
    }
    let hour = after_noon.map_or(hour, |noon| hour % 12 + noon);
    civil::Time::new(hour, minute, 0, 0).ok().map(|time| (next, Sense::Clock(time)))
}

/// "from 9 to 17:00", "between 9 and 11 am": an hour, where the one behind it is a time of day.
fn opens_a_stretch(scan: &Scan<'_>, at: usize) -> bool {
    let is_joined = matches!(
        (scan.back(at, 1), scan.word(at + 1)),
        ("from", "to" | "until" | "till") | ("between", "and")
    );
    let digits = scan.word(at + 2).bytes().take_while(u8::is_ascii_digit).count();
    is_joined && (1..=2).contains(&digits) && self::at(scan, at + 2).is_some()
}

/// "in the morning", "at night": its words, and the hours before its noon or midnight.
fn part_of_day(scan: &Scan<'_>, at: usize) -> Option<(usize, i8)> {
    match (scan.word(at), scan.word(at + 1), scan.word(at + 2)) {
        ("in", "the", "morning") => Some((3, 0)),
        ("in", "the", "afternoon" | "evening") => Some((3, 12)),
        ("at", "night", _) => Some((2, 12)),
        _ => None,
    }
}
