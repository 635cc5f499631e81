//! Rows held against the time that a question names and no call was told: "prediction markets closing this month".

use domain::Gap;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use reading::time::{Direction, Window};
use reading::{Reading, words};

use super::bounded::{keep_within, none_within};
use super::rows::Cell;

/// Keeps the rows of the time that the question names, where some are of it, and says where none is that has to be.
pub(super) fn keep(rows: &mut Vec<Vec<Cell>>, question: &str, reading: &Reading) -> Vec<Gap> {
    let Some(window) = &reading.window else { return Vec::new() };
    let lead = lead(question, window);
    match &reading.dated {
        Some(key) if rows.iter().flatten().any(|cell| cell.key == *key) => {
            of_column(rows, key, &Stretch::of(window, &lead)).into_iter().collect()
        }
        Some(_) | None => {
            let is_only_compared = window.start == window.end
                && matches!(lead.as_str(), "than" | "with" | "versus" | "vs" | "vs.");
            if is_only_compared { Vec::new() } else { of_time(rows, window).into_iter().collect() }
        }
    }
}

/// The word before a time that a question names.
fn lead(question: &str, window: &Window) -> String {
    let before = question.split_once(window.text.as_str()).map_or("", |(before, _)| before);
    before.split_whitespace().next_back().unwrap_or_default().to_lowercase()
}

/// From when on, and until before when; open where nothing is said of it.
struct Stretch {
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    /// How the question says it.
    text: String,
}

impl Stretch {
    fn of(window: &Window, lead: &str) -> Self {
        let &Window { start, end, .. } = window;
        let (from, to) = match lead {
            "before" => (None, Some(start)),
            "by" | "until" | "till" => (None, Some(end)),
            "after" => (Some(end), None),
            "since" => (Some(start), None),
            _ => (Some(start), Some(end)),
        };
        let is_led = from.is_none() || to.is_none();
        let text = if is_led { format!("{lead} {}", window.text) } else { window.text.clone() };
        Self { from, to, text }
    }

    /// Whether a moment, or a day, is within.
    fn holds(&self, text: &str) -> bool {
        let day = || text.get(..10)?.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok();
        let Some(at) = text.parse().ok().or_else(|| day().map(|day| day.timestamp())) else { return false };
        self.from.is_none_or(|from| from <= at) && self.to.is_none_or(|to| at < to)
    }
}

/// Keeps the rows that a column puts within a time, where there are some, and says where there are none.
fn of_column(rows: &mut Vec<Vec<Cell>>, key: &str, stretch: &Stretch) -> Option<Gap> {
    let is_within = |row: &Vec<Cell>| {
        let time = row.iter().find(|cell| cell.key == key).and_then(|cell| cell.value.as_str());
        time.is_some_and(|time| stretch.holds(time))
    };
    keep_within(rows, (key, &stretch.text), is_within)
}

/// Keeps the rows of the time that the question names, where some are of it: of its days, or of a length up to now those of a
/// course. What was only listed or opened before may well be of it; what was published at another time is not, which is said.
fn of_time(rows: &mut Vec<Vec<Cell>>, window: &Window) -> Option<Gap> {
    if !matches!(window.direction, Direction::Calendar | Direction::Past) {
        return None;
    }
    let is_length = window.direction == Direction::Past && window.start < window.end;
    let is_of_time = |cell: &Cell| {
        let text = cell.value.as_str()?;
        if is_length && !is_point(&cell.key) {
            return None;
        }
        if let (true, Ok(at)) = (is_length, text.parse::<Timestamp>()) {
            return Some(window.start <= at);
        }
        let day = text.get(..10)?.parse::<Date>().ok()?;
        Some(window.first_day() <= day && day <= window.last_day())
    };
    let is_within = |row: &[Cell]| row.iter().any(|cell| is_of_time(cell) == Some(true));
    if rows.iter().any(|row| is_within(row)) {
        rows.retain(|row| is_within(row));
        return None;
    }
    let tells_when = |cell: &&Cell| is_publication(&cell.key) && is_of_time(cell) == Some(false);
    let column = &rows.iter().flatten().find(tells_when)?.key;
    Some(none_within(rows.len(), (column, &window.text)))
}

/// Whether a column tells when its row was published.
fn is_publication(key: &str) -> bool {
    words::identifier_terms(key).first().is_some_and(|first| first == "publish")
}

/// Whether a column tells of which time its row is, and nothing else of it.
fn is_point(key: &str) -> bool {
    let terms = words::identifier_terms(key);
    matches!(terms.as_slice(), [only] if matches!(only.as_str(), "timestamp" | "time" | "date" | "day" | "hour"))
}

#[cfg(test)]
mod tests {
    use reading::Question;

    use super::*;

    fn stretch(question: &str) -> Stretch {
        let read = Question::read(question, "2026-11-26T14:30:00Z".parse().unwrap());
        let window = read.window().unwrap();
        Stretch::of(window, &lead(question, window))
    }

    #[test]
    fn the_next_month_is_that_of_the_calendar() {
        let next = stretch("ships arriving next month");
        assert!(next.holds("2026-12-01T00:00:00Z") && next.holds("2026-12-31"));
        assert!(!next.holds("2026-11-30T23:59:59Z") && !next.holds("2027-01-01") && !next.holds("soon"));
        assert!(stretch("ships arriving in the next 30 days").holds("2026-11-27"));
    }

    #[test]
    fn a_day_is_before_of_or_after_another_one() {
        let days = || (1..=28).map(|day| Date::new(2031, 3, day).unwrap());
        for day in days() {
            for other in days() {
                let held =
                    |lead: &str| stretch(&format!("ships arriving {lead} {day}")).holds(&other.to_string());
                assert_eq!(held("on"), other == day);
                assert_eq!(held("before"), other < day);
                assert_eq!(held("after"), other > day);
                assert_eq!(held("by"), other <= day);
                assert_eq!(held("since"), other >= day);
            }
        }
    }
}
