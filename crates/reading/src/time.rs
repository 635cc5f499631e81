//! Dates, windows and times of day that a question names, as instants relative to when it was asked. All in UTC.

use std::ops::Range;

use jiff::civil;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Unit};

use crate::words::Word;

mod clock;
mod date;
mod holiday;
mod length;
mod phrase;
mod weekday;
mod zone;

pub use date::{MONTHS, year_of};
pub use length::{Length, is_unit, length_of};
pub(crate) use length::{lengths, named_unit};
pub(crate) use phrase::looks_back;
pub(crate) use weekday::weekday_of;
pub(crate) use zone::local;
pub use zone::{is_city_of_a_zone, is_zone, zone_of};

/// Whether a stem of a method's words says that it tells of what comes. A future, or a perpetual one, is a contract.
#[must_use]
pub fn is_of_future(stem: &str) -> bool {
    matches!(stem, "forecast" | "predict" | "upcom")
}

/// Whether a stem of a method's name says that it tells how something went, point by point.
#[must_use]
pub fn is_of_course(stem: &str) -> bool {
    matches!(stem, "histori" | "histor" | "trend" | "timeseri" | "candl" | "candlestick" | "klin" | "chart")
}

/// Something that a question says about time.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Where it says so, in bytes.
    pub range: Range<usize>,
    /// What it says.
    pub sense: Sense,
}

impl Moment {
    /// Whether a word is part of it.
    pub(crate) fn holds(&self, word: &Word) -> bool {
        self.range.contains(&word.range.start)
    }

    /// Whether it is a day or another stretch of the calendar.
    pub(crate) fn is_of_calendar(&self) -> bool {
        self.window().is_some_and(|window| window.direction == Direction::Calendar)
    }

    /// The window, where this is one.
    #[must_use]
    pub fn window(&self) -> Option<&Window> {
        match &self.sense {
            Sense::Window(window) => Some(window),
            Sense::Clock(_) | Sense::Grain(_) => None,
        }
    }
}

/// What a moment says.
#[derive(Clone, Debug, PartialEq)]
pub enum Sense {
    /// A stretch of time, or an instant.
    Window(Window),
    /// A time of day.
    Clock(civil::Time),
    /// How finely a series is cut: "hourly", "5-minute candles".
    Grain(Length),
}

/// A stretch of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// How the question says it.
    pub text: String,
    /// Its first instant.
    pub start: Timestamp,
    /// Its end; the same as `start` for an instant.
    pub end: Timestamp,
    /// How it stands to the moment of asking.
    pub direction: Direction,
    /// How long it is, as said: "24 hours", "a week".
    pub length: Option<Length>,
    /// The finest part that it names.
    pub grain: Unit,
}

impl Window {
    /// Whether it was over by the moment of asking: a day or a stretch that ended before today, or an instant before today.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        let is_instant = self.start == self.end && self.direction == Direction::Past;
        let is_named = self.direction == Direction::Calendar || is_instant;
        is_named && self.last_day() < now.to_zoned(TimeZone::UTC).date()
    }

    /// The first day.
    #[must_use]
    pub fn first_day(&self) -> civil::Date {
        self.start.to_zoned(TimeZone::UTC).date()
    }

    /// The last day; the end itself is not part of a window.
    #[must_use]
    pub fn last_day(&self) -> civil::Date {
        if self.end == self.start {
            return self.first_day();
        }
        self.end.checked_sub(1.second()).unwrap_or(self.end).to_zoned(TimeZone::UTC).date()
    }
}

/// How a window stands to the moment of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It ends when the question is asked.
    Past,
    /// It is the moment of asking.
    Present,
    /// It starts when the question is asked.
    Future,
    /// It is a named day, month, year or range.
    Calendar,
}

/// "Today is Tuesday, 2026-03-10": where a text tells the day that it is asked on, and that moment of it.
pub(crate) fn told_today(text: &str, words: &[Word], now: Timestamp) -> Option<(Range<usize>, Timestamp)> {
    let scan = Scan { text, words, now, today: now.to_zoned(TimeZone::UTC).date() };
    (0..words.len()).find_map(|at| {
        let next = match (scan.word(at), scan.word(at + 1)) {
            ("today", _) => scan.past(scan.past(at + 1, &["s"]), &["date"]),
            ("current", "date") => at + 2,
            _ => return None,
        };
        let is_told = scan.word(next) == "is" || scan.gap_before(next).starts_with(':');
        let next = scan.past(scan.past(next, &["is"]), &["the"]);
        let next = next + usize::from(weekday_of(scan.word(next)).is_some());
        let (next, sense) = (is_told && next < words.len()).then(|| date::at(&scan, next))??;
        let Sense::Window(window) = sense else { return None };
        let day = window.first_day();
        let is_day = window.grain == Unit::Day || window.grain == Unit::Second;
        let now = day.to_datetime(now.to_zoned(TimeZone::UTC).time()).to_zoned(TimeZone::UTC).ok()?;
        is_day.then(|| (words[at].range.start..scan.end_of(next), now.timestamp()))
    })
}

/// The moments that a text names, in order, none within another.
#[must_use]
pub fn moments(text: &str, words: &[Word], now: Timestamp) -> Vec<Moment> {
    let scan = Scan { text, words, now, today: now.to_zoned(TimeZone::UTC).date() };
    let mut moments: Vec<Moment> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match date::at(&scan, at).or_else(|| phrase::at(&scan, at)) {
            Some((next, sense)) if next > at => {
                let range = words[at].range.start..scan.end_of(next);
                moments.push(Moment { range, sense });
                at = next;
            }
            _ => at += 1,
        }
    }
    phrase::join_ranges(&scan, moments)
}

/// What the scanners look at.
pub(crate) struct Scan<'a> {
    text: &'a str,
    words: &'a [Word],
    now: Timestamp,
    today: civil::Date,
}

impl Scan<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.lower.as_str())
    }

    /// The word so many words before another one.
    fn back(&self, at: usize, words: usize) -> &str {
        at.checked_sub(words).map_or("", |at| self.word(at))
    }

    /// The next word where the one at a place is one of these, else that place.
    fn past(&self, at: usize, skipped: &[&str]) -> usize {
        at + usize::from(skipped.contains(&self.word(at)))
    }

    /// The text between a word and the one before it.
    fn gap_before(&self, at: usize) -> &str {
        if at == 0 || at >= self.words.len() {
            return "";
        }
        &self.text[self.words[at - 1].range.end..self.words[at].range.start]
    }

    /// Where the text ends that was read up to the word `next`.
    fn end_of(&self, next: usize) -> usize {
        self.words[next - 1].range.end
    }

    fn said(&self, from: usize, next: usize) -> String {
        self.text[self.words[from].range.start..self.end_of(next)].to_owned()
    }

    /// A whole day, and the word after what names it.
    fn day(&self, from: usize, next: usize, day: civil::Date) -> Option<(usize, Sense)> {
        Some((next, self.calendar(from, next, day, day.tomorrow().ok()?)?))
    }

    /// The calendar window from a date to before another one.
    fn calendar(&self, from: usize, next: usize, first: civil::Date, after: civil::Date) -> Option<Sense> {
        let grain = match (after - first).get_days() {
            0 | 1 => Unit::Day,
            2..=7 => Unit::Week,
            8..=31 => Unit::Month,
            _ => Unit::Year,
        };
        Some(Sense::Window(Window {
            text: self.said(from, next),
            start: start_of(first)?,
            end: start_of(after)?,
            direction: Direction::Calendar,
            length: None,
            grain,
        }))
    }
}

fn start_of(date: civil::Date) -> Option<Timestamp> {
    date.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;
    use proptest::prelude::*;

    fn now() -> Timestamp {
        "2026-03-18T14:30:00Z".parse().unwrap() // a Wednesday
    }

    fn read(text: &str) -> Vec<String> {
        moments(text, &words(text), now())
            .into_iter()
            .map(|moment| {
                let said = &text[moment.range];
                match moment.sense {
                    Sense::Window(window) => {
                        format!("{said} = {}..{} {:?}", window.start, window.end, window.direction)
                    }
                    Sense::Clock(time) => format!("{said} = {time}"),
                    Sense::Grain(length) => format!("{said} = every {length}"),
                }
            })
            .collect()
    }

    #[test]
    fn rolling_windows() {
        assert_eq!(
            read("inflows in the last 24 hours"),
            ["last 24 hours = 2026-03-17T14:30:00Z..2026-03-18T14:30:00Z Past"]
        );
        assert_eq!(
            read("over the past week"),
            ["past week = 2026-03-11T14:30:00Z..2026-03-18T14:30:00Z Past"]
        );
        assert_eq!(read("the 7d change"), ["7d = 2026-03-11T14:30:00Z..2026-03-18T14:30:00Z Past"]);
        for text in ["a week of prices", "show me 7 days of it", "and for the whole week"] {
            assert!(read(text)[0].ends_with("2026-03-11T14:30:00Z..2026-03-18T14:30:00Z Past"), "{text}");
        }
        assert_eq!(read("book 7 days of parking"), [""; 0]);
        assert_eq!(
            read("next three days"),
            ["next three days = 2026-03-18T14:30:00Z..2026-03-21T14:30:00Z Future"]
        );
        assert_eq!(
            read("two hours ago"),
            ["two hours ago = 2026-03-18T12:30:00Z..2026-03-18T12:30:00Z Past"]
        );
    }

    #[test]
    fn holidays_quarters_and_days_from_today() {
        for text in ["Christmas Day 2025", "weather on Christmas, 2025"] {
            assert_eq!(
                read(text),
                [format!(
                    "{} = 2025-12-25T00:00:00Z..2025-12-26T00:00:00Z Calendar",
                    text.trim_start_matches("weather on ")
                )]
            );
        }
        let christmas = |year| format!("Christmas = {year}-12-25T00:00:00Z..{year}-12-26T00:00:00Z Calendar");
        assert_eq!(read("weather next Christmas"), [christmas(2026)]);
        assert_eq!(read("weather last Christmas"), [christmas(2025)]);
        assert_eq!(read("a Christmas film and a Halloween costume"), Vec::<String>::new());
        assert_eq!(
            read("three weeks from today"),
            ["three weeks from today = 2026-04-08T00:00:00Z..2026-04-09T00:00:00Z Calendar"]
        );
        assert_eq!(read("rain in a week"), ["a week = 2026-03-25T00:00:00Z..2026-03-26T00:00:00Z Calendar"]);
        for text in ["was there rain in two days", "volume in two days"] {
            assert!(read(text)[0].ends_with("Past"), "{text}");
        }
        assert_eq!(
            read("at the end of next quarter"),
            ["next quarter = 2026-04-01T00:00:00Z..2026-07-01T00:00:00Z Calendar"]
        );
        assert_eq!(read("Q4 2025"), ["Q4 2025 = 2025-10-01T00:00:00Z..2026-01-01T00:00:00Z Calendar"]);
    }

    #[test]
    fn what_ends_before_a_month_that_is_over_ends_before_the_next_one() {
        let february = |year| format!("February = {year}-02-01T00:00:00Z..{year}-03-01T00:00:00Z Calendar");
        for text in ["it closes before February", "until February", "done by February"] {
            assert_eq!(read(text), [february(2027)], "{text}");
        }
        for text in [
            "inflows in February",
            "what was known before February",
            "since January 2026, not until February",
        ] {
            assert!(read(text).contains(&february(2026)), "{text}: {:?}", read(text));
        }
        assert!(read("before February 2025")[0].contains("2025-02-01"));
    }

    #[test]
    fn years_and_days_told_by_where_they_stand_to_today() {
        let day = |day: &str, said: &str| {
            assert!(read(said)[0].contains(&format!("= {day}T00:00:00Z")), "{said}: {:?}", read(said));
        };
        for (date, said) in [
            ("2026-08-15", "on 15th august this year"),
            ("2027-06-21", "on 21 June next year"),
            ("2025-05-03", "3 May of last year"),
            ("2025-05-01", "published in may last year"),
            ("2025-07-04", "from July 4 to July 6 last year"),
            ("2025-12-01", "last December"),
            ("2026-02-01", "last February"),
            ("2027-01-01", "next January"),
            ("2026-03-17", "yesterdays rain"),
            ("2026-03-14", "the high on saturday just gone"),
        ] {
            day(date, said);
        }
    }

    #[test]
    fn calendar_windows() {
        assert_eq!(read("today"), ["today = 2026-03-18T00:00:00Z..2026-03-19T00:00:00Z Calendar"]);
        assert_eq!(
            read("in March 2025"),
            ["March 2025 = 2025-03-01T00:00:00Z..2025-04-01T00:00:00Z Calendar"]
        );
        assert_eq!(
            read("on 5 March 2026"),
            ["5 March 2026 = 2026-03-05T00:00:00Z..2026-03-06T00:00:00Z Calendar"]
        );
        for text in [
            "1 to 15 March 2026",
            "March 1-15",
            "March 1 to 15, 2026",
            "between the 1st and the 15th of March",
            "from March 1 to March 15",
        ] {
            let [window] = &read(text)[..] else { panic!("{text}: {:?}", read(text)) };
            assert!(window.ends_with("= 2026-03-01T00:00:00Z..2026-03-16T00:00:00Z Calendar"), "{window}");
        }
        assert_eq!(
            read("rent on 3 march")[0],
            "3 march = 2026-03-03T00:00:00Z..2026-03-04T00:00:00Z Calendar"
        );
        assert!(
            read("rent from march 3 to march 9")
                .iter()
                .any(|it| it.contains("2026-03-03T00:00:00Z..2026-03-10"))
        );
        assert!(read("they march 5 miles and may 3 of them rest").is_empty());
        for (text, days) in [
            ("first week of March", "2026-03-01T00:00:00Z..2026-03-08"),
            ("last week of February 2026", "2026-02-22T00:00:00Z..2026-03-01"),
        ] {
            assert!(read(text)[0].contains(days), "{text}: {:?}", read(text));
        }
        for text in ["March 5 to 10:30", "chapters 5 to 10", "5 and 10 March"] {
            assert!(!read(text).iter().any(|it| it.contains("2026-03-05T00:00:00Z..2026-03-11")), "{text}");
        }
        assert_eq!(
            read("the 3rd of this month"),
            ["3rd of this month = 2026-03-03T00:00:00Z..2026-03-04T00:00:00Z Calendar"]
        );
        assert_eq!(
            read("on the 28th of last month"),
            ["28th of last month = 2026-02-28T00:00:00Z..2026-03-01T00:00:00Z Calendar"]
        );
        assert_eq!(
            read("how was it on the 3rd in Rome?"),
            ["3rd = 2026-03-03T00:00:00Z..2026-03-04T00:00:00Z Calendar"]
        );
        assert_eq!(read("on the 1st floor, the 3rd of them"), [""; 0]);
        assert_eq!(read("on 2026.3.5"), ["2026.3.5 = 2026-03-05T00:00:00Z..2026-03-06T00:00:00Z Calendar"]);
        assert_eq!(read("April 1st"), ["April 1st = 2026-04-01T00:00:00Z..2026-04-02T00:00:00Z Calendar"]);
        assert_eq!(
            read("from 2026-01-01 to 2026-02-01"),
            ["2026-01-01 to 2026-02-01 = 2026-01-01T00:00:00Z..2026-02-02T00:00:00Z Calendar"]
        );
        assert_eq!(read("since Monday"), ["since Monday = 2026-03-16T00:00:00Z..2026-03-18T14:30:00Z Past"]);
        assert_eq!(
            read("will it rain this weekend"),
            ["this weekend = 2026-03-21T00:00:00Z..2026-03-23T00:00:00Z Calendar"]
        );
        assert_eq!(
            read("last night and the day after tomorrow"),
            [
                "last night = 2026-03-17T00:00:00Z..2026-03-18T00:00:00Z Calendar",
                "day after tomorrow = 2026-03-20T00:00:00Z..2026-03-21T00:00:00Z Calendar"
            ]
        );
        assert_eq!(read("in 2024"), ["2024 = 2024-01-01T00:00:00Z..2025-01-01T00:00:00Z Calendar"]);
    }

    #[test]
    fn days_share_the_one_year_that_is_told() {
        for text in [
            "from July 15 to August 10, 2022",
            "arriving July 15th 2022 at 10am and leaving on August 10th",
            "2022 July 15th to August 10th",
        ] {
            let said = read(text).join(" ");
            assert!(said.contains("2022-07-15") && !said.contains("2026-"), "{text}: {said}");
            assert!(said.contains("2022-08-1"), "{text}: {said}");
        }
        let apart = read("March 5 against May 1 2024 and May 1 2025").join(" ");
        assert!(apart.contains("2026-03-05"), "{apart}");
        assert!(read("on the 12th of march 2023")[0].contains("= 2023-03-12"));
        assert_eq!(read("they march on"), [""; 0]);
        for text in
            ["on Friday 2024-12-06", "this Friday, the 6th of December 2024", "Friday, December 6, 2024"]
        {
            let [day] = &read(text)[..] else { panic!("{text}: {:?}", read(text)) };
            assert!(day.contains("= 2024-12-06"), "{text}: {day}");
        }
    }

    #[test]
    fn days_of_the_week() {
        let day = |text: &str| read(text).pop().unwrap_or_default();
        for (text, date) in [
            ("will it rain on Friday?", "on Friday = 2026-03-20"),
            ("for the upcoming Friday", "upcoming Friday = 2026-03-20"),
            ("this coming Friday", "coming Friday = 2026-03-20"),
            ("Will it rain Friday?", "Friday = 2026-03-20"),
            ("GBP/USD rate friday", "friday = 2026-03-20"),
            ("a table for Friday, 2 people", "Friday = 2026-03-20"),
            ("did it rain on Monday?", "on Monday = 2026-03-16"),
            ("last Monday", "last Monday = 2026-03-16"),
            ("Tuesday next week", "Tuesday next week = 2026-03-24"),
            ("on Tuesday of last week", "Tuesday of last week = 2026-03-10"),
            ("next week on Thursday", "next week on Thursday = 2026-03-26"),
        ] {
            assert!(day(text).starts_with(&format!("{date}T00:00:00Z..")), "{text}: {}", day(text));
        }
        assert_eq!(
            day("a hotel from Friday to Sunday"),
            "Friday to Sunday = 2026-03-20T00:00:00Z..2026-03-23T00:00:00Z Calendar"
        );
        assert_eq!(
            day("from Sunday to Tuesday"),
            "Sunday to Tuesday = 2026-03-22T00:00:00Z..2026-03-25T00:00:00Z Calendar"
        );
        assert_eq!(
            day("was it wet from Thursday to Sunday"),
            "Thursday to Sunday = 2026-03-12T00:00:00Z..2026-03-16T00:00:00Z Calendar"
        );
        let days = "2026-03-23T00:00:00Z..2026-03-25T00:00:00Z Calendar";
        assert_eq!(day("rain on monday and tuesday"), format!("on monday and tuesday = {days}"));
        assert_eq!(day("rain monday to tuesday"), format!("monday to tuesday = {days}"));
        assert_eq!(read("rain on friday and monday").len(), 2);
        for text in [
            "Black Friday sales",
            "open Monday to Saturday",
            "every Monday and Friday",
            "Friday Night Lights",
            "Play Blue friday",
        ] {
            assert_eq!(read(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_next_week_is_from_now_on_and_next_week_is_that_of_the_calendar() {
        let read = |text| read(text).pop().unwrap();
        assert_eq!(read("in the next week"), "next week = 2026-03-18T14:30:00Z..2026-03-25T14:30:00Z Future");
        assert_eq!(read("next week"), "next week = 2026-03-23T00:00:00Z..2026-03-30T00:00:00Z Calendar");
        assert_eq!(read("next month"), "next month = 2026-04-01T00:00:00Z..2026-05-01T00:00:00Z Calendar");
        assert_eq!(read("next 4 hours"), "next 4 hours = 2026-03-18T14:30:00Z..2026-03-18T18:30:00Z Future");
    }

    #[test]
    fn times_of_day_and_grains() {
        assert_eq!(read("at 15:00 in Tokyo"), ["15:00 = 15:00:00"]);
        assert_eq!(read("3:30 pm"), ["3:30 pm = 15:30:00"]);
        assert_eq!(read("9am"), ["9am = 09:00:00"]);
        assert_eq!(read("hourly candles"), ["hourly = every 1h"]);
        assert_eq!(read("5-minute candles"), ["5-minute candles = every 5m"]);
        assert_eq!(read("these days").len(), 1);
        assert_eq!(read("right now"), ["right now = 2026-03-18T14:30:00Z..2026-03-18T14:30:00Z Present"]);
    }

    #[test]
    fn the_days_of_a_forecast_are_to_come() {
        let ahead = "2026-03-18T14:30:00Z..2026-03-23T14:30:00Z Future";
        assert_eq!(read("the 5-day forecast"), [format!("5-day = {ahead}")]);
        assert_eq!(read("5d rain forecast"), [format!("5d = {ahead}")]);
        assert_eq!(read("the 5-day average"), ["5-day = 2026-03-13T14:30:00Z..2026-03-18T14:30:00Z Past"]);
    }

    #[test]
    fn what_only_looks_like_time_is_left_alone() {
        assert_eq!(read("may I have 5 apples for a second"), Vec::<String>::new());
        assert_eq!(read("order 2024500 and room 12"), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn moments_stand_on_character_boundaries(text in "\\PC*") {
            for moment in moments(&text, &words(&text), now()) {
                prop_assert!(text.get(moment.range).is_some());
            }
        }

        #[test]
        fn any_mixture_of_time_words_is_read_without_a_fault(
            picks in prop::collection::vec(prop::sample::select(vec![
                "last", "next", "99999999999", "24", "hours", "years", "from", "to", "2026-01-01", "9999-12-31",
                "March", "31", "february", "since", "ago", "12:61", "25:00", "-9999", "week", "today", "12/31/9999",
            ]), 0..12)
        ) {
            let text = picks.join(" ");
            let _ = moments(&text, &words(&text), now());
        }
    }
}
