//! Times that are told from the one before: "the day after", "the week before that".

use jiff::civil::Date;
use jiff::{Span, ToSpan};

use crate::Question;
use crate::time::Window;
use crate::words;

/// A time that is told from the one that a question names, or from today, as one of its own: "on 2026-03-20".
pub(super) fn shifted(earlier: &Question, said: &str) -> Option<String> {
    let spelled = words::spelled(said);
    let said: Vec<&str> = spelled.iter().map(|(_, word)| word.as_str()).collect();
    let said = said.strip_prefix(&["on"]).or_else(|| said.strip_prefix(&["for"])).unwrap_or(&said);
    let said = said.strip_suffix(&["that"]).unwrap_or(said);
    let (unit, is_later) = match said {
        ["the", unit, "after"] | ["a" | "one", unit, "later"] | ["the", "next" | "following", unit] => {
            (*unit, true)
        }
        ["the", unit, "before"]
        | ["a" | "one", unit, "earlier"]
        | ["the", "previous" | "preceding", unit] => (*unit, false),
        _ => return None,
    };
    let span = match unit {
        "day" => 1.day(),
        "week" => 1.week(),
        "month" => 1.month(),
        "year" => 1.year(),
        _ => return None,
    };
    let Some(window) = earlier.moments.iter().rev().find_map(|moment| moment.window()) else {
        let today = earlier.now.to_zoned(jiff::tz::TimeZone::UTC).date();
        return if unit == "day" {
            Some(format!("on {}", moved(today, span, is_later)?))
        } else {
            Some(format!("{} {unit}", if is_later { "next" } else { "last" }))
        };
    };
    told(window, span, is_later)
}

/// A window, moved by this much.
fn told(window: &Window, span: Span, is_later: bool) -> Option<String> {
    let (first, last) =
        (moved(window.first_day(), span, is_later)?, moved(window.last_day(), span, is_later)?);
    Some(if first == last { format!("on {first}") } else { format!("from {first} to {last}") })
}

fn moved(day: Date, span: Span, is_later: bool) -> Option<Date> {
    if is_later { day.checked_add(span).ok() } else { day.checked_sub(span).ok() }
}
