//! Dates, windows, grains and zones, in the form that the schema wants.

use std::ops::Range;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Unit};
use serde_json::Value;

use super::instant::{self, CLOCKS, MONTHS, epoch, instant_text, written};
use super::number::number;
use super::parameter::{Bounds, Choice, Parameter, Told};
use super::proximity::{direction, nearness};
use super::role::Role;
use super::{Candidate, Family, Source, days};
use crate::Question;
use crate::time::{Direction, Length, Moment, Sense, Window, weekday_of};
use crate::words;

/// Whether values of this role come from the question's moments only.
pub(super) fn is_temporal(role: Role) -> bool {
    matches!(
        role,
        Role::Start
            | Role::End
            | Role::Date
            | Role::Year
            | Role::Month
            | Role::Clock
            | Role::Window
            | Role::Grain
    )
}

/// Whether a parameter that takes the past is told of the future.
fn is_elsewhen(question: &Question, parameter: &Parameter, moment: &Moment) -> bool {
    let is_future = moment.window().is_some_and(|window| window.start > question.now);
    is_future
        && words::words(&parameter.notes)
            .iter()
            .any(|word| matches!(word.lower.as_str(), "past" | "historical"))
}

/// Texts: dates, instants, lengths, times of day.
pub(super) fn texts(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let mut found = instant::of_clocks(question, parameter);
    let starts_there = matches!(parameter.role, Role::Start | Role::Window);
    let ends_there = |moment: &Moment| starts_there && only_ends(question, &moment.range);
    let is_meant = |moment: &Moment| !ends_there(moment) && !is_elsewhen(question, parameter, moment);
    for said in &question.moments {
        let gone_by = gone_by(question, parameter, said);
        let moment = gone_by.as_ref().unwrap_or(said);
        if !is_meant(moment) {
            continue;
        }
        let near = nearness(question, parameter, &moment.range);
        let value = match (&moment.sense, parameter.role) {
            (Sense::Window(window), Role::Start) => {
                starts(window).then(|| instant_text(parameter, window.start, window.first_day()))
            }
            (Sense::Window(window), Role::End) => {
                let is_end = ends(window) && !only_starts(question, window, &moment.range);
                let (end, last_day) = end_of(question, parameter, window);
                is_end.then(|| instant_text(parameter, end, last_day))
            }
            (Sense::Window(window), Role::Date) => {
                days::meant(window).map(|(instant, day)| instant_text(parameter, instant, day))
            }
            (Sense::Window(window), Role::Year) => year_of(parameter, window).map(|year| year.to_string()),
            (Sense::Window(window), Role::Month) => {
                let day = window.first_day();
                Some(written(parameter, |pattern| day.strftime(pattern).to_string(), &MONTHS))
            }
            (Sense::Window(window), Role::Window) if ends(window) && days::tell(parameter) => {
                Some(days::span(parameter, window))
            }
            (Sense::Window(window), Role::Window) => {
                length_text(parameter, length_from_now(question, parameter, window))
            }
            (Sense::Grain(length), Role::Grain) => length_text(parameter, Some(*length)),
            (Sense::Clock(time), Role::Clock) => {
                Some(written(parameter, |pattern| time.strftime(pattern).to_string(), &CLOCKS))
            }
            _ => None,
        };
        if let Some(value) = value {
            // A stretch has both ends, whatever stands before it.
            let is_stretch =
                matches!(&moment.sense, Sense::Window(window) if window.first_day() != window.last_day());
            let towards = direction(question, parameter, &moment.range);
            let towards = if is_stretch { towards.max(0.0) } else { towards };
            let score = base(&moment.sense) + 0.25 * near + towards - unsaid(parameter, near);
            let note = gone_by.as_ref().and_then(Moment::window).map(taken_as);
            let mut candidate = dated(Value::from(value), score, &moment.range, note);
            candidate.claim = own_day(question, &moment.sense).then(|| moment.range.clone());
            found.push(candidate);
        }
    }
    found
}

/// The last day of the week of that name, for how something went: "the rate on Monday". None of one that is said to come.
fn gone_by(question: &Question, parameter: &Parameter, moment: &Moment) -> Option<Moment> {
    let is_to_come = |window: &&Window| parameter.told == Told::Course && window.start > question.now;
    let window = moment.window().filter(is_to_come)?;
    let mut said = question.words_in(&moment.range).map(|word| word.lower.as_str());
    let is_weekday = match (said.next()?, said.next()) {
        (day, None) | ("on", Some(day)) => weekday_of(day).is_some() && said.next().is_none(),
        (_, Some(_)) => false,
    };
    let before = |at: Timestamp| at.checked_sub(WEEK).ok();
    let passed = Window { start: before(window.start)?, end: before(window.end)?, ..window.clone() };
    is_weekday.then(|| Moment { range: moment.range.clone(), sense: Sense::Window(passed) })
}

const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// What says which day a day of the week is taken as.
fn taken_as(window: &Window) -> String {
    format!("\"{}\" is taken as {}", window.text, window.first_day())
}

/// Where a window ends, and its last day; now, for how something went in one that goes on: "this month".
fn end_of(question: &Question, parameter: &Parameter, window: &Window) -> (Timestamp, Date) {
    let goes_on = window.start <= question.now && question.now < window.end;
    if goes_on && parameter.told == Told::Course {
        return (question.now, question.now.to_zoned(TimeZone::UTC).date());
    }
    (window.end, window.last_day())
}

/// Whether a day is only where something starts: "available starting on May 3".
fn only_starts(question: &Question, window: &Window, range: &Range<usize>) -> bool {
    let mut before = question.words_before(range).iter().rev();
    let mut lead = before.next();
    if lead.is_some_and(|word| matches!(word.lower.as_str(), "on" | "at")) {
        lead = before.next();
    }
    window.first_day() == window.last_day()
        && lead.is_some_and(|word| matches!(word.lower.as_str(), "starting" | "beginning"))
}

/// Whether a time is only that before which something is: "news before yesterday".
pub(super) fn only_ends(question: &Question, range: &Range<usize>) -> bool {
    question.words_before(range).last().is_some_and(|word| word.lower == "before")
}

/// Where a question names several days, each is one argument's; a single day may be a range's start and its end.
fn own_day(question: &Question, sense: &Sense) -> bool {
    let is_day = |sense: &Sense| match sense {
        Sense::Window(window) => {
            window.direction == Direction::Calendar && window.first_day() == window.last_day()
        }
        Sense::Clock(_) => true,
        Sense::Grain(_) => false,
    };
    is_day(sense) && question.moments.iter().filter(|moment| is_day(&moment.sense)).count() > 1
}

/// Numbers: epochs, years, counts of units.
pub(super) fn numbers(question: &Question, parameter: &Parameter, bounds: Bounds) -> Vec<Candidate> {
    let mut found = instant::of_clocks(question, parameter);
    for moment in &question.moments {
        let value = match (&moment.sense, parameter.role) {
            (Sense::Window(window), Role::Start) => starts(window).then(|| epoch(parameter, window.start)),
            (Sense::Window(window), Role::End) => {
                ends(window).then(|| epoch(parameter, end_of(question, parameter, window).0))
            }
            (Sense::Window(window), Role::Date) => Some(epoch(parameter, window.start)),
            (Sense::Window(window), Role::Year) => year_of(parameter, window),
            (Sense::Window(window), Role::Month) => {
                matches!(window.grain, Unit::Month | Unit::Day).then(|| i64::from(window.first_day().month()))
            }
            (Sense::Window(window), Role::Length(unit)) => {
                let is_over = parameter.told == Told::ToCome
                    && window.start < question.now
                    && window.end <= question.now;
                if is_over { None } else { reach(question, parameter, (window, &moment.range), unit) }
            }
            // "Daily" says how the days are cut, and not how many there are.
            (Sense::Grain(length), Role::Length(unit)) => {
                Some(length.in_units(unit)).filter(|_| length.seconds() > Length { count: 1, unit }.seconds())
            }
            (Sense::Window(window), Role::Window) => length_from_now(question, parameter, window)
                .map(|length| length.in_units(unit_in(&parameter.notes))),
            (Sense::Grain(length), Role::Grain) => Some(length.in_units(unit_in(&parameter.notes))),
            _ => None,
        };
        #[allow(
            clippy::cast_precision_loss,
            reason = "instants and lengths are far below the exact integers"
        )]
        let in_bounds =
            value.map(|value| value as f64).filter(|value| (bounds.least..=bounds.most).contains(value));
        if let Some(value) = in_bounds.and_then(number) {
            let near = nearness(question, parameter, &moment.range);
            let score = base(&moment.sense) + 0.25 * near - unsaid(parameter, near);
            found.push(dated(value, score, &moment.range, None));
        }
    }
    found
}

/// The days among the values of a schema that a question names; without a year, the only one of its month and day.
pub(super) fn chosen_days(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let day_of = |choice: &Choice| choice.value.as_str()?.parse::<Date>().ok();
    let days: Vec<(&Choice, Date)> =
        parameter.choices.iter().filter_map(|choice| Some((choice, day_of(choice)?))).collect();
    let chosen = |moment: &Moment| {
        let window = moment.window().filter(|window| window.first_day() == window.last_day())?;
        let (said, day) = (&question.text[moment.range.clone()], window.first_day());
        if let Some((same, _)) = days.iter().find(|(_, other)| *other == day) {
            return Some(dated(same.value.clone(), 0.9, &moment.range, None));
        }
        let is_alike = |other: &Date| (other.month(), other.day()) == (day.month(), day.day());
        let names_year = said.split(|sign: char| !sign.is_ascii_digit()).any(|digits| digits.len() == 4);
        let mut alike = days.iter().filter(|(_, other)| is_alike(other));
        let (only, _) = alike.next().filter(|_| alike.next().is_none() && !names_year)?;
        let note = format!("\"{said}\" is taken as {}", shown(only));
        Some(dated(only.value.clone(), 0.65, &moment.range, Some(note)))
    };
    question.moments.iter().filter_map(chosen).collect()
}

pub(super) fn shown(choice: &Choice) -> String {
    choice.value.as_str().map_or_else(|| choice.value.to_string(), str::to_owned)
}

pub(super) fn dated(value: Value, score: f64, range: &Range<usize>, note: Option<String>) -> Candidate {
    let source = Source::Window { range: range.clone(), note };
    Candidate { value, score, source, claim: None, family: Family::Time }
}

/// What stands for a named time: more sure than "now", which is often only a manner of speaking.
fn base(sense: &Sense) -> f64 {
    match sense {
        Sense::Window(window) if window.direction == Direction::Present => 0.4,
        Sense::Window(_) | Sense::Clock(_) | Sense::Grain(_) => 0.65,
    }
}

/// Of several parameters that could be meant, one that nothing near the time names.
fn unsaid(parameter: &Parameter, near: f64) -> f64 {
    const EDGES: [&str; 14] = [
        "start",
        "end",
        "from",
        "to",
        "sinc",
        "until",
        "min",
        "max",
        "time",
        "date",
        "ts",
        "timestamp",
        "day",
        "begin",
    ];
    let is_plain = parameter.own.iter().all(|stem| EDGES.contains(&stem.as_str()));
    if parameter.is_one_of_many && !is_plain && near < 0.5 { 0.25 } else { 0.0 }
}

fn starts(window: &Window) -> bool {
    window.direction != Direction::Present
}

fn ends(window: &Window) -> bool {
    window.direction != Direction::Present && window.start != window.end
}

/// The first year of a window, or its last one for a parameter that ends a range.
fn year_of(parameter: &Parameter, window: &Window) -> Option<i64> {
    let is_end =
        parameter.own.iter().any(|stem| matches!(stem.as_str(), "to" | "end" | "until" | "max" | "last"));
    let day = if is_end { window.last_day() } else { window.first_day() };
    (window.direction != Direction::Present).then(|| i64::from(day.year()))
}

/// How many units a length argument needs for a window: its length, and for days to come that are named how far ahead the end
/// of the last one is. No length of time from now holds a day that is past, but for a course of points that reaches back to it.
fn reach(
    question: &Question,
    parameter: &Parameter,
    (window, said): (&Window, &Range<usize>),
    unit: Unit,
) -> Option<i64> {
    if is_in_course(question, parameter, window) {
        return length_back(question, window).map(|length| length.in_units(unit));
    }
    let is_named = window.direction == Direction::Calendar;
    let is_day = is_named && window.grain == Unit::Day && window.first_day() == window.last_day();
    if is_day && window.end <= question.now {
        return None;
    }
    let length = if is_named && window.start > question.now {
        days_to(question, window.last_day())
    } else if parameter.told == Told::ToCome && is_day_ahead(question, window, said) {
        days_to(question, window.end.to_zoned(TimeZone::UTC).date())
    } else {
        window_length(window)
    };
    length.map(|length| length.in_units(unit))
}

/// Whether a day is told by how many days it is ahead: "three days from now", "in three days".
fn is_day_ahead(question: &Question, window: &Window, said: &Range<usize>) -> bool {
    let is_led = || question.words_before(said).last().is_some_and(|word| word.lower == "in");
    window.direction == Direction::Future
        && window.grain == Unit::Day
        && (window.start == window.end || is_led())
}

/// The days from today on up to this one, both among them.
fn days_to(question: &Question, day: Date) -> Option<Length> {
    let today = question.now.to_zoned(TimeZone::UTC).date();
    let count = today.until((Unit::Day, day)).ok()?.get_days();
    Some(Length { count: i64::from(count) + 1, unit: Unit::Day })
}

/// How long a window is, as said or as the calendar has it; none for an instant.
fn window_length(window: &Window) -> Option<Length> {
    if window.start == window.end {
        return None;
    }
    window.length.or_else(|| {
        let seconds = window.end.as_second() - window.start.as_second();
        let is_whole = seconds % 86_400 == 0;
        let (unit, each) = if is_whole { (Unit::Day, 86_400) } else { (Unit::Hour, 3_600) };
        Some(Length { count: (seconds + each - 1) / each, unit })
    })
}

/// Whether a time that is over is one of the points that a method gives, which counts back from now.
pub(super) fn is_in_course(question: &Question, parameter: &Parameter, window: &Window) -> bool {
    parameter.told == Told::Course && window.is_over(question.now)
}

/// How many days it is from now back to the start of a window.
fn length_back(question: &Question, window: &Window) -> Option<Length> {
    let seconds = question.now.as_second() - window.start.as_second();
    (seconds > 0).then(|| Length { count: (seconds + 86_399) / 86_400, unit: Unit::Day })
}

/// How long a window is, for an argument that counts from now: back to before today it tells of no time that was over by
/// then, and of what comes only where its method does.
pub(super) fn length_from_now(question: &Question, parameter: &Parameter, window: &Window) -> Option<Length> {
    if is_in_course(question, parameter, window) {
        return length_back(question, window);
    }
    let today = question.now.to_zoned(TimeZone::UTC).date();
    let is_over = window.direction == Direction::Calendar && window.last_day() < today.yesterday().ok()?;
    let is_to_come = window.start > question.now || window.direction == Direction::Future;
    if is_over || is_to_come && parameter.told != Told::ToCome { None } else { window_length(window) }
}

/// A length in the shape of the schema's examples; `24h` where there is none.
fn length_text(parameter: &Parameter, length: Option<Length>) -> Option<String> {
    let length = length?;
    let examples = || parameter.choices.iter().filter_map(|choice| Some((choice, choice.length?)));
    if let Some((choice, _)) = examples().find(|(_, example)| example.seconds() == length.seconds()) {
        return Some(shown(choice));
    }
    if examples().any(|(choice, _)| choice.text.starts_with('p')) {
        let clock = matches!(length.unit, Unit::Hour | Unit::Minute | Unit::Second);
        let letter = length.to_string().trim_start_matches(|c: char| c.is_ascii_digit()).to_uppercase();
        return Some(format!(
            "P{}{}{}",
            if clock { "T" } else { "" },
            length.count,
            letter.replace("MO", "M")
        ));
    }
    Some(length.to_string())
}

/// The unit that a numeric length is counted in, by the schema's words; hours where they do not say.
pub(super) fn unit_in(notes: &str) -> Unit {
    let units = [
        ("minute", Unit::Minute),
        ("1min", Unit::Minute),
        ("second", Unit::Second),
        ("hour", Unit::Hour),
        ("day", Unit::Day),
        ("week", Unit::Week),
        ("month", Unit::Month),
        ("year", Unit::Year),
    ];
    units.iter().find(|(word, _)| notes.contains(word)).map_or(Unit::Hour, |(_, unit)| *unit)
}
