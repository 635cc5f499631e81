//! Looking up an argument that another method of the same listing returns: search first, then the call.

use domain::Candidate;
use reading::bind::{Argument, only_requests};
use reading::words::Word;
use reading::{Question, form, time, words};

use crate::choice::{self, Choice};
use crate::known::Desk;
use crate::only;

mod apart;
mod found;
mod listed;
mod named_before;
mod searched;

pub use apart::names_whole;
pub use found::{Found, Told};
pub use named_before::NamedBefore;

use listed::Apart;

/// A first call that gives the missing argument of a second.
#[derive(Debug)]
pub struct Lookup<'a> {
    /// The first call.
    pub choice: Choice<'a>,
    /// The argument that it fills.
    pub argument: String,
    /// Where in its result the argument's value stands.
    pub found: Found,
    /// Words that the right item has, in lower case.
    pub wanted: Vec<String>,
    /// Words that it was searched for, in lower case, and are not among those.
    pub searched: Vec<String>,
    /// All the words that it was searched for, in lower case, where they are several and some wanted word is not among them: an item
    /// that has all of these is the one, whatever it has of the others.
    pub phrase: Vec<String>,
    /// Whether an item that has not all of the wanted words is another one.
    pub is_exact: bool,
    /// The year that those words are said with; an item of other years is another one.
    pub year: Option<i16>,
    /// What is taken for granted, in words for the caller.
    pub assumption: String,
}

/// The look-ups for the one argument that a question leaves open; nothing where it leaves none open, or several.
#[must_use]
pub fn of_the_only_open<'a>(
    desk: &Desk<'a>,
    question: &Question,
    choice: &Choice<'_>,
) -> Option<Vec<Lookup<'a>>> {
    find(desk, question, choice, &only(choice.binding.missing())?.name)
}

/// The look-ups for one open argument, in the order of their calls: one, or one that gives what a second one needs.
pub fn find<'a>(
    desk: &Desk<'a>,
    question: &Question,
    choice: &Choice<'_>,
    argument: &str,
) -> Option<Vec<Lookup<'a>>> {
    if desk.offer.calls_max < 2 || choice.known.parameters.has_choices(argument) {
        return None;
    }
    let wanted = wanted_words(question, choice);
    if wanted.is_empty() || points_at_nothing(desk, question, (choice, argument)) {
        return None;
    }
    if let Some(lookup) = best(desk, question, (choice, argument), &wanted) {
        return Some(vec![lookup]);
    }
    if desk.offer.calls_max < 3 {
        return None;
    }
    // A chain matches its items by what the question names, be it in small letters, and by nothing less.
    let several = apart::words_of_several(question, choice);
    if question.form.entities.is_empty() && several.is_none() {
        return None;
    }
    let wanted = several.unwrap_or(wanted);
    helpers(desk, choice).find_map(|helper| {
        let (_, second) = by(desk, helper, question, (choice, argument), (&wanted, true))?;
        let open = second.choice.binding.missing().next()?.name.clone();
        let first = best(desk, question, (&second.choice, &open), &wanted)?;
        let is_apart = first.choice.candidate.method.name != choice.candidate.method.name;
        is_apart.then(|| vec![first, second])
    })
}

/// Whether a question speaks of one thing that it does not name, "when does it end", and nothing was told before that it could be.
fn points_at_nothing(desk: &Desk<'_>, question: &Question, (choice, argument): (&Choice<'_>, &str)) -> bool {
    if !question.form.entities.is_empty() || domain::answered(desk.offer.before).next().is_some() {
        return false;
    }
    let (argument, leaves) = (choice.known.parameters.stems(argument), &choice.known.outline.leaves);
    let is_called =
        |stem: &String| argument.contains(stem) || leaves.iter().any(|leaf| leaf.stems.contains(stem));
    // The fed of "chance of the fed raising rates at its meeting" is what it points at.
    let is_left = |word: &Word| choice.binding.coverage.left.contains(&word.stem);
    let is_unnamed = |pronoun: &Word| {
        let mut words = telling_words(question, choice);
        words.find(|word| is_left(word)).is_none_or(|named| named.range.start > pronoun.range.start)
    };
    reading::points_at_one_of(question, is_called) || reading::pronoun(question).is_some_and(is_unnamed)
}

fn helpers<'a>(desk: &Desk<'a>, choice: &Choice<'_>) -> impl Iterator<Item = &'a Candidate> {
    let (listing, method) = (choice.candidate.listing.id, choice.candidate.method.name.clone());
    let offer = desk.offer;
    offer.candidates.iter().chain(offer.helpers).filter(move |helper| {
        helper.listing.id == listing && helper.method.name != method && !choice::is_avoided(&offer, helper)
    })
}

fn best<'a>(
    desk: &Desk<'a>,
    question: &Question,
    target: (&Choice<'_>, &str),
    wanted: &[String],
) -> Option<Lookup<'a>> {
    let mut best: Option<(i32, Lookup<'a>)> = None;
    for helper in helpers(desk, target.0) {
        let Some((fit, lookup)) = by(desk, helper, question, target, (wanted, false)) else { continue };
        if best.as_ref().is_none_or(|(most, _)| fit > *most) {
            best = Some((fit, lookup));
        }
    }
    best.map(|(_, lookup)| lookup)
}

/// How much of the question a method accounts for together with the search that finds its argument, and by what is named, by
/// which the right one of what is found is known.
pub(crate) fn coverage(desk: &Desk<'_>, question: &Question, choice: &Choice<'_>) -> f64 {
    let own = &choice.binding.coverage;
    let named: Vec<&str> = question.named_words().map(|word| word.stem.as_str()).collect();
    let searches = helpers(desk, choice).filter(|helper| is_named_search(helper));
    let together = searches.map(|helper| {
        let (_, search) = desk.read(helper, question);
        own.share_leaving(|stem| search.coverage.left.contains(stem) && !named.contains(&stem.as_str()))
    });
    together.fold(own.share, f64::max)
}

/// Whether words that the question has beside those of the method are searched for, and what is found gives the argument.
pub(crate) fn is_searched(desk: &Desk<'_>, question: &Question, choice: &Choice<'_>, argument: &str) -> bool {
    let lookups = find(desk, question, choice, argument).unwrap_or_default();
    lookups.first().is_some_and(|lookup| lookup.choice.binding.searches())
}

fn is_named_search(helper: &Candidate) -> bool {
    helper.method.name.as_str().to_lowercase().contains("search")
}

/// A method without arguments of its own whose items hold the values of an argument: the cities of `list_cities`.
pub fn lister<'a>(
    desk: &Desk<'a>,
    question: &Question,
    choice: &Choice<'_>,
    argument: &str,
) -> Option<(Choice<'a>, Told)> {
    let needs_nothing =
        |helper: &&Candidate| helper.method.input_schema["required"].as_array().is_none_or(Vec::is_empty);
    let found = helpers(desk, choice).filter(needs_nothing).filter_map(|helper| {
        let (fit, lookup) = by(desk, helper, question, (choice, argument), (&[], false))?;
        match lookup.found {
            Found::Told(told) if told.is_array => Some((fit, (lookup.choice, told))),
            Found::Told(_) | Found::Untold(_) => None,
        }
    });
    found.max_by_key(|(fit, _)| *fit).map(|(_, found)| found)
}

/// `is_second` where another look-up gives the one argument that the helper lacks.
fn by<'a>(
    desk: &Desk<'_>,
    helper: &'a Candidate,
    question: &Question,
    (choice, argument): (&Choice<'_>, &str),
    (wanted, is_second): (&[String], bool),
) -> Option<(i32, Lookup<'a>)> {
    let known = desk.known(helper);
    let stems = choice.known.parameters.stems(argument);
    let told = found::leaf(&known, stems, helper);
    let asked = question.asked_of(&helper.listing);
    let mut read = choice::read(desk, helper, &asked);
    desk.carry(&mut read.binding, Some(&choice.binding), &asked, (helper, &known));
    // What it lists is of the one thing that another look-up finds, or that the answer before was about.
    let is_carried = read.binding.arguments.iter().any(Argument::is_carried);
    let is_of_one = is_second || is_carried;
    let told_apart = is_carried.then(|| untold_before(wanted, desk));
    let wanted = told_apart.as_deref().unwrap_or(wanted);
    let is_list_of_it = told.is_some_and(|(_, leaf)| found::lists(&known, leaf, stems, is_of_one));
    if is_second && !is_list_of_it {
        return None;
    }
    let (fit, found) = match told {
        Some((fit, leaf)) => (fit, Found::Told(found::split(leaf)?)),
        None if wanted.is_empty() || question.form.entities.is_empty() => return None,
        None => (0, Found::Untold(found::keys(helper, &known, (choice, argument))?)),
    };
    let searches = read.binding.searches();
    let is_search = searches || is_named_search(helper);
    let apart = match told {
        Some((_, leaf)) if is_list_of_it && !wanted.is_empty() => listed::apart(question, &read, leaf),
        Some(_) | None => Apart::ByWords,
    };
    // What is not named is not known by its words in a list of everything.
    let is_named = wanted.is_empty() || !question.form.entities.is_empty() || is_search || is_of_one;
    let listed = match apart {
        Apart::ByListed(values) => Some(values),
        Apart::ByWords if is_named => None,
        Apart::ByWords | Apart::Untold => return None,
    };
    let is_exact = listed.is_some();
    let wanted = listed.as_deref().unwrap_or(wanted);
    if read.binding.missing().count() != usize::from(is_second) || !(searches && !is_second || is_list_of_it)
    {
        return None;
    }
    let assumption = format!("`{argument}` is looked up with `{}`", helper.method.name);
    let fit = fit + if is_search { 3 } else { 0 };
    searched::search_rest(&mut read, question, choice);
    let mut other_words = searched::words_of(&read);
    let is_phrase = other_words.len() > 1 && wanted.iter().any(|word| !other_words.contains(word));
    let phrase = if is_phrase { other_words.clone() } else { Vec::new() };
    // Where the look-up itself is told what is named, only the rest tells its items apart; else what it tells of them does, too:
    // the "quarterly" of a list that has the kind of each.
    let is_told_all = wanted.iter().all(|word| takes_word(&read, word));
    let tells = |word: &&Word| is_told_all || known.vocabulary.results.has(&word.stem);
    other_words.extend(telling_words(question, choice).filter(tells).map(|word| word.lower.clone()));
    // What has all of the wanted words needs no others.
    other_words.retain(|word| !is_exact && !wanted.contains(word));
    Some((
        fit,
        Lookup {
            choice: read,
            argument: argument.to_owned(),
            found,
            year: year_beside(question, choice, |word| wanted.contains(word) || other_words.contains(word)),
            wanted: wanted.to_vec(),
            searched: other_words,
            phrase,
            is_exact,
            assumption,
        },
    ))
}

/// The words that tell one thing in what the answer before was about from another: not those by which that itself was found, unless
/// it was by all of them.
fn untold_before(wanted: &[String], desk: &Desk<'_>) -> Vec<String> {
    let calls = domain::answered(desk.offer.before).flat_map(|it| &it.answer.calls);
    let given = calls.flat_map(|call| call.arguments.values()).filter_map(serde_json::Value::as_str);
    let found_by: Vec<String> = given.flat_map(words::words).map(|word| word.lower).collect();
    let untold: Vec<String> = wanted.iter().filter(|word| !found_by.contains(word)).cloned().collect();
    if untold.is_empty() { wanted.to_vec() } else { untold }
}

/// The words by which the right item is known: what is named, else what the method and its arguments leave over.
fn wanted_words(question: &Question, choice: &Choice<'_>) -> Vec<String> {
    let mut wanted: Vec<String> = Vec::new();
    for entity in &question.form.entities {
        // The "Best" that begins a question says which, and the one of "Best Picture" is of a name.
        let is_one = !entity.text.contains(' ');
        let is_order = |lower: &str| is_one && form::is_superlative(lower);
        let telling =
            |word: &Word| !word.is_stop && time::year_of(&word.lower).is_none() && !is_order(&word.lower);
        wanted.extend(words::words(&entity.text).into_iter().filter(telling).map(|word| word.lower));
    }
    if wanted.is_empty() {
        let left = &choice.binding.coverage.left;
        let telling = telling_words(question, choice).filter(|word| left.contains(&word.stem));
        wanted.extend(telling.map(|word| word.lower.clone()));
    }
    wanted.dedup();
    wanted
}

/// The words that may tell one thing from others: what only says where it is to be looked up tells of no item there.
fn telling_words<'q>(question: &'q Question, choice: &Choice<'_>) -> impl Iterator<Item = &'q Word> {
    let place = words::terms(&choice.candidate.listing.name);
    let is_telling = |lower: &str| {
        lower.chars().count() > 2
            && !lower.starts_with(|c: char| c.is_ascii_digit())
            && !form::is_superlative(lower)
    };
    question.words.iter().filter(move |word| {
        let asks = word.is_stop || only_requests(question, word);
        !asks && !place.contains(&word.stem) && is_telling(&word.lower) && !question.is_when(word)
    })
}

/// Whether an argument of a look-up is given this word, in lower case.
fn takes_word(search: &Choice<'_>, word: &str) -> bool {
    let values = search.binding.arguments.iter().filter_map(|argument| argument.bound()?.value.as_str());
    values.into_iter().any(|value| value.to_lowercase() == word)
}

/// The year that a telling word is said with, where the call itself takes no year: the 2030 of "the 2030 World Cup" and of
/// "the World Cup in 2030".
fn year_beside(
    question: &Question,
    choice: &Choice<'_>,
    is_telling: impl Fn(&String) -> bool,
) -> Option<i16> {
    let words = &question.words;
    let tells =
        |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|word| is_telling(&word.lower));
    words.iter().enumerate().find_map(|(at, word)| {
        let year = time::year_of(&word.lower)?;
        let joins = |before: &usize| matches!(words[*before].lower.as_str(), "in" | "of");
        let before = at.checked_sub(1).filter(|before| !joins(before)).or(at.checked_sub(2));
        let is_told = tells(before) || tells(Some(at + 1));
        (is_told && !choice.binding.uses(&word.range)).then_some(year)
    })
}
