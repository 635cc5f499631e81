//! Relative time: "last 24 hours", "yesterday", "next week", "hourly", and ranges of dates.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, Unit};

use super::length::{grain_word, length_of, named_unit, spelled};
use super::{Direction, Length, Moment, Scan, Sense, Window, date, is_of_future, weekday};
use crate::words::Word;

/// The phrase that starts at the word `at`, and the word after it.
pub(super) fn at(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    present(scan, at)
        .or_else(|| weekday::at(scan, at))
        .or_else(|| quarter(scan, at))
        .or_else(|| period(scan, at))
        .or_else(|| rolling(scan, at))
        .or_else(|| ago(scan, at))
        .or_else(|| near_day(scan, at))
        .or_else(|| named_day(scan, at))
        .or_else(|| weekend(scan, at))
        .or_else(|| grain(scan, at))
        .or_else(|| day_ahead(scan, at))
        .or_else(|| bare_length(scan, at))
}

fn present(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let next = match (scan.word(at), scan.word(at + 1), scan.word(at + 2)) {
        ("at", "the", "moment") => at + 3,
        ("right", "now", _) | ("at", "present", _) | ("these", "days", _) => at + 2,
        ("now" | "nowadays" | "currently" | "current" | "presently", ..) => at + 1,
        _ => return None,
    };
    Some((next, window(scan, (at, next), (scan.now, scan.now), Direction::Present, None)))
}

/// "last 24 hours", "past week", "next three days", "coming month", "over the week".
fn rolling(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let direction = match scan.word(at) {
        "last" | "past" | "previous" | "trailing" | "recent" => Direction::Past,
        "the" if scan.back(at, 1) == "over" && !looks_ahead(scan) => Direction::Past,
        "whole" | "entire" if matches!(scan.back(at, 1), "the" | "a" | "an") && !looks_ahead(scan) => {
            Direction::Past
        }
        "next" | "coming" | "following" | "upcoming" => Direction::Future,
        _ => return None,
    };
    let (next, length) = said_length(scan, at + 1)
        .or_else(|| named_unit(scan.word(at + 1)).map(|unit| (at + 2, Length { count: 1, unit })))?;
    rolled(scan, (at, next), length, direction)
}

/// "this quarter", "next quarter", "Q3 2025": three months of the calendar.
fn quarter(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let month = |quarter: i8| 3 * (quarter - 1) + 1;
    let this = Date::new(scan.today.year(), month((scan.today.month() + 2) / 3), 1).ok()?;
    let (next, first) = match (scan.word(at), scan.word(at + 1)) {
        ("this" | "current", "quarter") => (at + 2, this),
        ("last" | "previous", "quarter") => (at + 2, this.checked_sub(3.months()).ok()?),
        ("next" | "coming", "quarter") => (at + 2, this.checked_add(3.months()).ok()?),
        (word @ ("q1" | "q2" | "q3" | "q4"), _) => {
            let (next, year) = date::year_after(scan, at + 1);
            (next, Date::new(year, month(word[1..].parse().ok()?), 1).ok()?)
        }
        _ => return None,
    };
    Some((next, scan.calendar(at, next, first, first.checked_add(3.months()).ok()?)?))
}

/// "two hours ago", "3 days from now", "three weeks from today".
fn ago(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let (next, length) = said_length(scan, at)?;
    let days_on = match (scan.word(next), scan.word(next + 1)) {
        ("from", "today") => Some(0),
        ("from", "tomorrow") => Some(1),
        _ => None,
    };
    if let Some(days) = days_on {
        let day = scan.today.checked_add((length.in_units(Unit::Day) + days).days()).ok()?;
        return scan.day(at, next + 2, day);
    }
    let (next, instant, direction) = match (scan.word(next), scan.word(next + 1)) {
        ("ago", _) => (next + 1, length.before(scan.now)?, Direction::Past),
        ("from", "now") => (next + 2, length.after(scan.now)?, Direction::Future),
        _ => return None,
    };
    Some((next, window(scan, (at, next), (instant, instant), direction, Some(length))))
}

/// "the day after tomorrow", "this evening", "last night": a day that two or three words name.
fn near_day(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let today = scan.today;
    let (next, day) = match (scan.word(at), scan.word(at + 1), scan.word(at + 2)) {
        ("day", "after", "tomorrow") => (at + 3, today.checked_add(2.days()).ok()?),
        ("day", "before", "yesterday") => (at + 3, today.checked_sub(2.days()).ok()?),
        ("this", "morning" | "afternoon" | "evening", _) => (at + 2, today),
        ("last", "night", _) => (at + 2, today.yesterday().ok()?),
        _ => return None,
    };
    scan.day(at, next, day)
}

/// "this weekend", "over the weekend", "next weekend": its Saturday and Sunday; on one of them, "this" is the one under way.
fn weekend(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let weeks = match (scan.word(at), scan.word(at + 1)) {
        ("this" | "the" | "coming", "weekend") => 0,
        ("next", "weekend") => 1,
        ("last", "weekend") => -1,
        _ => return None,
    };
    let saturday = monday_of(scan.today)?.checked_add((5 + 7 * weeks).days()).ok()?;
    Some((at + 2, scan.calendar(at, at + 2, saturday, saturday.checked_add(2.days()).ok()?)?))
}

fn named_day(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let today = scan.today;
    let day = match scan.word(at) {
        "today" | "todays" | "tonight" => today,
        "yesterday" | "yesterdays" => today.yesterday().ok()?,
        "tomorrow" | "tomorrows" => today.tomorrow().ok()?,
        _ => return None,
    };
    scan.day(at, at + 1, day)
}

/// "this week", "next month", "year to date"; "the next month" is as long from now on.
fn period(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let (next, unit, is_next) = match (scan.word(at), scan.word(at + 1), scan.word(at + 2)) {
        ("ytd", _, _) => (at + 1, Unit::Year, false),
        ("year", "to", "date") => (at + 3, Unit::Year, false),
        ("this", word, _) => (at + 2, named_unit(word)?, false),
        ("next", word, _) if scan.back(at, 1) != "the" => (at + 2, named_unit(word)?, true),
        _ => return None,
    };
    let (first, after) = period_of(scan.today, unit)?;
    let (first, after) = if is_next { period_of(after, unit)? } else { (first, after) };
    Some((next, scan.calendar(at, next, first, after)?))
}

/// The first day of the week, the month or the year of a day, and the day after its last.
fn period_of(day: Date, unit: Unit) -> Option<(Date, Date)> {
    let (first, length) = if unit == Unit::Year {
        (day.first_of_year(), 1.year())
    } else if unit == Unit::Month {
        (day.first_of_month(), 1.month())
    } else if unit == Unit::Week {
        (monday_of(day)?, 7.days())
    } else {
        return None;
    };
    Some((first, first.checked_add(length).ok()?))
}

/// The Monday of a day's week.
pub(super) fn monday_of(day: Date) -> Option<Date> {
    day.checked_sub(i64::from(day.weekday().to_monday_zero_offset()).days()).ok()
}

/// "hourly", "5-minute candles", "every 5 minutes".
fn grain(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    if let Some(unit) = grain_word(scan.word(at)) {
        return Some((at + 1, Sense::Grain(Length { count: 1, unit })));
    }
    let every = usize::from(matches!(scan.word(at), "every" | "per"));
    if every == 1
        && let Some(unit) = named_unit(scan.word(at + 1))
    {
        return Some((at + 2, Sense::Grain(Length { count: 1, unit })));
    }
    let (next, length) = said_length(scan, at + every)?;
    let is_cut = matches!(
        scan.word(next),
        "candle"
            | "candles"
            | "candlestick"
            | "candlesticks"
            | "kline"
            | "klines"
            | "bar"
            | "bars"
            | "interval"
            | "intervals"
            | "chart"
            | "resolution"
            | "granularity"
            | "ohlc"
            | "ohlcv"
            | "timeframe"
    );
    (is_cut || every == 1).then(|| (next + usize::from(is_cut), Sense::Grain(length)))
}

/// "24h", "30-day" and "a week of prices" alone mean the window that ends now; a "5-day forecast" is for the one that begins.
fn bare_length(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let direction = |is_ahead| if is_ahead { Direction::Future } else { Direction::Past };
    let word = scan.word(at);
    if word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(|c: char| c.is_ascii_alphabetic()) {
        let length =
            length_of(word).filter(|length| !matches!(length.unit, Unit::Second) && word.len() <= 5)?;
        if word.ends_with('m') {
            return None;
        }
        return rolled(scan, (at, at + 1), length, direction(is_of_forecast(scan, at + 1)));
    }
    let (next, length) = said_length(scan, at)?;
    let lead = scan.back(at, 1);
    let is_ahead = matches!(lead, "within" | "in") && looks_ahead(scan) || is_of_forecast(scan, next);
    // "A week of prices", "show me 30 days of it".
    let is_of_course = scan.word(next) == "of"
        && matches!(lead, "" | "me" | "us" | "show" | "get" | "give" | "pull" | "see");
    (is_of_course || scan.gap_before(at + 1) == "-" || matches!(lead, "over" | "within" | "in"))
        .then(|| rolled(scan, (at, next), length, direction(is_ahead)))
        .flatten()
}

/// Whether a length is that of a forecast: it follows, or the word after the next one is it.
fn is_of_forecast(scan: &Scan<'_>, next: usize) -> bool {
    (next..next + 2).any(|at| scan.words.get(at).is_some_and(|word| is_of_future(&word.stem)))
}

/// "Rain in 3 days" is about that day alone.
fn day_ahead(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let (next, length) = said_length(scan, at)?;
    if scan.back(at, 1) != "in" || !matches!(length.unit, Unit::Day | Unit::Week) || !foresees(scan) {
        return None;
    }
    scan.day(at, next, scan.today.checked_add(length.in_units(Unit::Day).days()).ok()?)
}

/// Whether the question is about the weather, and not as it has been.
pub(super) fn foresees(scan: &Scan<'_>) -> bool {
    const WEATHER: [&str; 15] = [
        "cloudy",
        "cold",
        "forecast",
        "hot",
        "rain",
        "raining",
        "rainy",
        "snow",
        "snowing",
        "storm",
        "sunny",
        "temperature",
        "warm",
        "weather",
        "windy",
    ];
    let says = |listed: &[&str]| scan.words.iter().any(|word| listed.contains(&word.lower.as_str()));
    says(&WEATHER) && !looks_back(scan.words) && !says(&["fell"])
}

/// Whether words ask of what has been: "how far did it fall".
pub(crate) fn looks_back(words: &[Word]) -> bool {
    let is_past =
        |word: &Word| matches!(word.lower.as_str(), "did" | "has" | "have" | "had" | "was" | "were");
    words.iter().any(is_past)
}

/// Whether the question is about what may come: "how likely is it within a year".
fn looks_ahead(scan: &Scan<'_>) -> bool {
    const AHEAD: [&str; 9] =
        ["chance", "chances", "forecast", "likely", "odds", "probability", "probable", "weather", "will"];
    scan.words.iter().any(|word| AHEAD.contains(&word.lower.as_str()))
}

/// "24 hours", "7d", "a week", "30-day": the length at a word, and the word after it.
fn said_length(scan: &Scan<'_>, at: usize) -> Option<(usize, Length)> {
    let word = scan.word(at);
    if word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(|c: char| c.is_ascii_alphabetic()) {
        return length_of(&scan.text[scan.words[at].range.clone()]).map(|length| (at + 1, length));
    }
    spelled(word, scan.gap_before(at + 1), scan.word(at + 1)).map(|length| (at + 2, length))
}

/// Joins "2026-01-01 to 2026-02-01" into one window, and "Monday and Tuesday", and gives "since May" and "until Friday" their open end.
pub(super) fn join_ranges(scan: &Scan<'_>, moments: Vec<Moment>) -> Vec<Moment> {
    let mut joined: Vec<Moment> = Vec::with_capacity(moments.len());
    for mut moment in moments {
        open_end(scan, &mut moment);
        if let (Some(last), Sense::Window(later)) = (joined.last_mut(), &moment.sense) {
            let between = scan.text[last.range.end..moment.range.start].trim().to_lowercase();
            if let Sense::Window(earlier) = &mut last.sense
                && matches!(between.as_str(), "to" | "and" | "-" | "–" | "until" | "till" | "through")
                && earlier.direction == Direction::Calendar
                && earlier.start <= later.start
                && (between != "and"
                    || earlier.end == later.start
                    || before_text(scan.text, last.range.start).ends_with("between"))
            {
                earlier.end = later.end;
                scan.text[last.range.start..moment.range.end].clone_into(&mut earlier.text);
                last.range.end = moment.range.end;
                continue;
            }
        }
        joined.push(moment);
    }
    joined
}

fn open_end(scan: &Scan<'_>, moment: &mut Moment) {
    let Sense::Window(window) = &mut moment.sense else { return };
    if window.direction != Direction::Calendar
        || !before_text(scan.text, moment.range.start).ends_with("since")
    {
        return;
    }
    if window.start < scan.now {
        window.end = scan.now;
        window.direction = Direction::Past;
    }
}

fn before_text(text: &str, end: usize) -> String {
    text[..end].trim_end().to_lowercase()
}

fn rolled(
    scan: &Scan<'_>,
    said: (usize, usize),
    length: Length,
    direction: Direction,
) -> Option<(usize, Sense)> {
    let stretch = match direction {
        Direction::Future => (scan.now, length.after(scan.now)?),
        Direction::Past | Direction::Present | Direction::Calendar => (length.before(scan.now)?, scan.now),
    };
    Some((said.1, window(scan, said, stretch, direction, Some(length))))
}

pub(super) fn window(
    scan: &Scan<'_>,
    (from, next): (usize, usize),
    (start, end): (Timestamp, Timestamp),
    direction: Direction,
    length: Option<Length>,
) -> Sense {
    let grain = length.map_or(Unit::Second, |length| length.unit);
    Sense::Window(Window { text: scan.said(from, next), start, end, direction, length, grain })
}
