//! Days of the week: "on Friday", "the upcoming Friday", "Tuesday next week", "from Friday to Sunday", "since Monday".

use jiff::civil::{Date, Weekday};
use jiff::{ToSpan, Unit};

use super::phrase::{foresees, monday_of, window};
use super::{Direction, Scan, Sense, date};

/// The day or days that the words at `at` name by days of the week, and the word after them.
pub(super) fn at(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    if is_dated(scan, at) || is_dated(scan, at + 1) {
        return None;
    }
    since(scan, at)
        .or_else(|| of_a_week(scan, at))
        .or_else(|| from_to(scan, at))
        .or_else(|| led(scan, at))
        .or_else(|| bare(scan, at))
}

/// "Friday, 2024-12-06": a day of the week that a date stands behind is that date.
fn is_dated(scan: &Scan<'_>, at: usize) -> bool {
    let is_day =
        |(_, sense): (usize, Sense)| matches!(sense, Sense::Window(window) if window.grain == Unit::Day);
    let next = scan.past(at + 1, &["the"]);
    weekday_of(scan.word(at)).is_some() && next < scan.words.len() && date::at(scan, next).is_some_and(is_day)
}

fn since(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let day = match (scan.word(at), scan.word(at + 1)) {
        ("since", "yesterday") => scan.today.yesterday().ok()?,
        ("since", word) => before(scan.today, weekday_of(word)?)?,
        _ => return None,
    };
    let start = super::start_of(day)?;
    Some((at + 2, window(scan, (at, at + 2), (start, scan.now), Direction::Past, None)))
}

/// "Tuesday of next week", "next week on Tuesday".
fn of_a_week(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let weeks = |at: usize| match (scan.word(at), scan.word(at + 1)) {
        ("this", "week") => Some(0),
        ("next" | "following", "week") => Some(1),
        ("last" | "previous", "week") => Some(-1),
        _ => None,
    };
    let (next, weeks, weekday) = if let Some(weekday) = weekday_of(scan.word(at)) {
        let week = scan.past(at + 1, &["of"]);
        (week + 2, weeks(week)?, weekday)
    } else {
        let day = scan.past(at + 2, &["on"]);
        (day + 1, weeks(at)?, weekday_of(scan.word(day))?)
    };
    let days = 7 * weeks + i64::from(weekday.to_monday_zero_offset());
    scan.day(at, next, monday_of(scan.today)?.checked_add(days.days()).ok()?)
}

/// "from Friday to Sunday": the next ones, or the last of what was. Without "from" it may be said of every week, but of the weather.
fn from_to(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let first = weekday_of(scan.word(at))?;
    let is_joined = match (scan.back(at, 1), scan.word(at + 1)) {
        ("between", "and") => true,
        (lead, "to" | "until" | "till" | "through") => lead == "from" || foresees(scan),
        _ => false,
    };
    let last = weekday_of(scan.word(at + 2)).filter(|_| is_joined)?;
    let (first, last) = if tells_of_what_was(scan, at) {
        let last = before(scan.today, last)?;
        (before(last, first)?, last)
    } else {
        let first = after(scan.today, first)?;
        (first, after(first, last)?)
    };
    Some((at + 3, scan.calendar(at, at + 3, first, last.tomorrow().ok()?)?))
}

/// "on Friday", "next Friday", "last Friday", "the upcoming Friday".
fn led(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let weekday = weekday_of(scan.word(at + 1))?;
    let day = match scan.word(at) {
        "last" | "past" | "previous" => before(scan.today, weekday),
        "this" | "next" | "coming" | "upcoming" | "following" => after(scan.today, weekday),
        "on" if of_a_week(scan, at + 1).is_none() => return named(scan, (at, at + 2), weekday),
        _ => None,
    };
    scan.day(at, at + 2, day?)
}

/// The day of the week behind which the words `said` end, "Friday", "Saturday just gone".
fn named(scan: &Scan<'_>, (from, next): (usize, usize), weekday: Weekday) -> Option<(usize, Sense)> {
    let is_gone = (scan.word(next), scan.word(next + 1)) == ("just", "gone");
    let day = if is_gone { before(scan.today, weekday) } else { meant(scan, from, weekday) };
    scan.day(from, next + 2 * usize::from(is_gone), day?)
}

/// "Will it rain Friday?", "on Monday and Tuesday", but no name ("Black Friday", "Friday Night Lights") and not every week's.
fn bare(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let weekday = weekday_of(scan.word(at))?;
    let is_capital = |at: usize| {
        let word = scan.words.get(at);
        word.is_some_and(|word| scan.text[word.range.clone()].starts_with(char::is_uppercase))
    };
    let names = matches!(
        scan.back(at, 1),
        "black"
            | "good"
            | "cyber"
            | "ash"
            | "palm"
            | "easter"
            | "holy"
            | "super"
            | "song"
            | "movie"
            | "film"
            | "titled"
            | "called"
            | "named"
    );
    let is_named = names || is_capital(at + 1) && scan.gap_before(at + 1) == " " || scan.word(at + 1) == "by";
    let is_quoted = scan.gap_before(at).ends_with(['"', '\'', '“', '‘']);
    let recurs = (at.saturating_sub(EVERY_WITHIN)..at).any(|at| matches!(scan.word(at), "every" | "each"));
    let joins = |word: &str| matches!(word, "to" | "through" | "until" | "till");
    let opens_row = joins(scan.word(at + 1)) && weekday_of(scan.word(at + 2)).is_some();
    let ends_row = joins(scan.back(at, 1)) && weekday_of(scan.back(at, 2)).is_some();
    let before = weekday_of(scan.back(at, 2)).filter(|_| scan.back(at, 1) == "and");
    // Who writes nothing in capitals but codes does not write a day so.
    let is_small = || !scan.words[1..].iter().any(|word| is_title(&scan.text[word.range.clone()]));
    let is_said = is_capital(at) || before.is_some() || foresees(scan) || is_small();
    let is_day = is_said && !(is_named || is_quoted || recurs || opens_row || ends_row);
    if !is_day {
        return None;
    }
    let Some(before) = before else { return named(scan, (at, at + 1), weekday) };
    scan.day(at, at + 1, after(meant(scan, at - 2, before)?, weekday)?)
}

/// Whether a word is written as a name is: "Paris", and not "EUR".
fn is_title(word: &str) -> bool {
    let mut signs = word.chars();
    signs.next().is_some_and(char::is_uppercase) && signs.any(char::is_lowercase)
}

/// How far before a day "every" may stand that is said of it, in words.
const EVERY_WITHIN: usize = 6;

/// The day that is meant where nothing says which: the last one of a question that tells of what was, else the next.
fn meant(scan: &Scan<'_>, at: usize, weekday: Weekday) -> Option<Date> {
    if tells_of_what_was(scan, at) { before(scan.today, weekday) } else { after(scan.today, weekday) }
}

fn tells_of_what_was(scan: &Scan<'_>, at: usize) -> bool {
    (0..at).any(|at| matches!(scan.word(at), "was" | "were" | "did" | "had"))
}

fn before(today: Date, weekday: Weekday) -> Option<Date> {
    today.nth_weekday(-1, weekday).ok()
}

fn after(today: Date, weekday: Weekday) -> Option<Date> {
    today.nth_weekday(1, weekday).ok()
}

pub(crate) fn weekday_of(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        _ => return None,
    })
}
