//! How a missing value is asked for, in the words of its argument.

use probe::Open;
use reading::bind::Role;

use super::label::spaced;
use super::plain::plain;

/// The question for an open argument, with its allowed values where they are few.
pub(super) fn of(open: &Open, values: &[String]) -> String {
    let noun = noun(&open.name);
    let asked = match open.role {
        Role::Start => format!("From when on ({noun})?"),
        Role::End => format!("Until when ({noun})?"),
        Role::Date | Role::Clock => format!("For when ({noun})?"),
        Role::Limit | Role::Length(_) => format!("How many ({noun})?"),
        Role::Text | Role::Search | Role::Formal | Role::Secret => format!("What is the {noun}?"),
        Role::Zone
        | Role::Year
        | Role::Month
        | Role::Window
        | Role::Grain
        | Role::Page
        | Role::Path
        | Role::Url
        | Role::Email
        | Role::Currency
        | Role::Country
        | Role::CountryCode
        | Role::Language
        | Role::Symbol
        | Role::Place
        | Role::Id
        | Role::Name => format!("Which {noun} do you mean?"),
    };
    let told = if values.is_empty() {
        described(open, &noun)
    } else {
        let values: Vec<String> = values.iter().map(|value| plain(value, VALUE_CHARS_MAX)).collect();
        format!(" One of: {}.", values.join(", "))
    };
    asked + &told
}

const VALUE_CHARS_MAX: usize = 30;
const NOUN_CHARS_MAX: usize = 40;
const DESCRIPTION_CHARS_MAX: usize = 100;

/// `city_id` is a city.
pub(super) fn noun(name: &str) -> String {
    let words = spaced(name);
    let bare = words.strip_suffix(" id").or_else(|| words.strip_suffix(" name")).unwrap_or(&words);
    let noun = plain(bare, NOUN_CHARS_MAX);
    if noun.is_empty() { "value".to_owned() } else { noun }
}

/// What the schema says of the argument, where that is more than its name.
fn described(open: &Open, noun: &str) -> String {
    let said = plain(&open.description, DESCRIPTION_CHARS_MAX);
    let said = said.trim_end_matches('.');
    if said.is_empty() || said.eq_ignore_ascii_case(noun) { String::new() } else { format!(" ({said})") }
}
