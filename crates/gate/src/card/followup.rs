//! How a missing value is asked for, in the words of its argument.

use probe::Open;
use reading::bind::Role;
use reading::words;

use super::label::spaced;
use super::plain::plain;

/// The question for an open argument, with its allowed values where they are few.
pub(super) fn of(open: &Open, values: &[String]) -> String {
    let noun = noun(open);
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

/// What values of a role are called; others are just values.
const KINDS: [(Role, &str); 10] = [
    (Role::Currency, "currency"),
    (Role::Country, "country"),
    (Role::CountryCode, "country"),
    (Role::Language, "language"),
    (Role::Place, "place"),
    (Role::Zone, "time zone"),
    (Role::Start, "date"),
    (Role::End, "date"),
    (Role::Date, "date"),
    (Role::Clock, "time"),
];

/// `city_id` is a city; the `to` of two currencies is the currency "to".
pub(super) fn noun(open: &Open) -> String {
    let said = spaced(&open.name);
    let bare = said.strip_suffix(" id").or_else(|| said.strip_suffix(" name")).unwrap_or(&said);
    let noun = plain(bare, NOUN_CHARS_MAX);
    let kind = KINDS.iter().find(|(role, _)| *role == open.role).map_or("value", |(_, kind)| *kind);
    if noun.is_empty() {
        kind.to_owned()
    } else if words::words(&noun).iter().all(|word| word.is_stop) {
        format!("{kind} \"{noun}\"")
    } else {
        noun
    }
}

/// What the schema says of the argument, where that is more than its name.
fn described(open: &Open, noun: &str) -> String {
    let said = plain(&open.description, DESCRIPTION_CHARS_MAX);
    let said = said.trim_end_matches('.');
    if said.is_empty() || said.eq_ignore_ascii_case(noun) { String::new() } else { format!(" ({said})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_asked_for_by_a_noun() {
        let noun = |name: &str, role| {
            noun(&Open {
                name: name.to_owned(),
                description: String::new(),
                role,
                why: String::new(),
                refused: None,
                is_the_callers: 1.0,
            })
        };
        assert_eq!(noun("city_id", Role::Id), "city");
        assert_eq!(noun("to", Role::Currency), "currency \"to\"");
        assert_eq!(noun("", Role::Name), "value");
    }
}
