//! Something that a question names and that is none of the values of the one argument that it belongs to.

use policy::Gate;
use probe::Interpretation;
use reading::Question;
use reading::bind::{Role, standard_codes};
use reading::form::Entity;

use super::{Unavailable, foreign, naming};

/// The name that no reading has a place for, while the best one lacks just the argument that takes such names, and lists
/// which: a coin that is not covered, an exchange that is not watched.
pub(super) fn unlisted(question: &Question, pool: &[Interpretation], policy: &Gate) -> Option<Unavailable> {
    let evidence = &pool.first()?.evidence;
    let parameters = &evidence.known.parameters;
    let open = evidence.open.iter().find(|open| parameters.has_choices(&open.name))?;
    let argument = evidence.binding.argument(&open.name)?;
    let listed: Vec<String> = parameters.choices(&open.name).iter().map(naming::text).collect();
    let is_ticker = argument.role == Role::Symbol && listed.iter().all(|value| is_code(value));
    let is_venue = !is_ticker && foreign::names_venues(evidence, &open.name);
    let belongs = |entity: &Entity| {
        is_ticker && is_code(&entity.text) || is_venue && entity.text.starts_with(char::is_uppercase)
    };
    let is_listed = |code: &str| listed.iter().any(|value| value.eq_ignore_ascii_case(code));
    let mut codes = standard_codes(question, argument.role).into_iter();
    let code = codes.find(|(code, _)| !is_listed(code)).map(|(_, range)| &question.text[range]);
    let near = foreign::near(pool, policy);
    let is_unlisted = |entity: &&Entity| {
        belongs(entity)
            && !foreign::is_time(question, entity)
            && near.iter().all(|reading| foreign::is_foreign(question, entity, reading))
    };
    let entity = || question.form.entities.iter().find(is_unlisted).map(|entity| entity.text.as_str());
    let named = code.or_else(entity)?.to_owned();
    Some(Unavailable::Value { named, argument: open.name.clone(), listed })
}

/// Whether it is written as codes are: `BTC`, `1INCH`.
fn is_code(text: &str) -> bool {
    text.len() > 1
        && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        && text.contains(|c: char| c.is_ascii_uppercase())
}
