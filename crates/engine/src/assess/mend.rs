//! Mending: the next program, made from the one that has run and from what it was given. It runs from the same journal, so
//! nothing that was delivered is asked for again.

use domain::Candidate;
use llm::program_text::{key, literal, quoted, steps};
use policy::Pages;
use reading::Reading;
use reading::time::length_of;
use reading::words;
use serde_json::{Map, Value};

use super::gaps;
use crate::execute::{CallRecord, Executed};
use crate::plan::{Mend, Planned};

/// The program with the further pages of its one collection, put together as one.
pub(super) fn read_on<'c>(
    planned: &Planned,
    executed: &Executed,
    mut candidates: impl Iterator<Item = &'c Candidate>,
    pages: &Pages,
) -> Option<Mend> {
    let (record, pointer) = executed.whole()?;
    let candidate = candidates.find(|candidate| candidate.method_ref() == record.call().method)?;
    let object = record.reply().as_ref().ok()?.value.as_object()?;
    let list = list_key(object, pointer)?;
    let on = On::of(record, candidate, pages)?;
    let items = steps(std::slice::from_ref(&list));
    let call = |more: Option<&str>| called(candidate, &record.call().arguments, (&on.argument, more));
    let (first, next) = (call(None), call(Some("more")));
    let (start, step) = match &on.cursor {
        Some(key) => (format!("page.get({})", quoted(key)), format!("more = next.get({});", quoted(key))),
        None => ("2".to_owned(), format!("more = if {} {{ more + 1 }} else {{ () }};", on.says_more)),
    };
    let given = if pointer.is_empty() {
        format!("let given = {{\n{}\n}};\n", planned.program().source())
    } else {
        String::new()
    };
    let value = if pointer.is_empty() { stitched(object, &list, &on) } else { "items".to_owned() };
    let source = format!(
        "{given}let page = {first};\n\
         let items = [];\n\
         for item in page{items} {{ items.push(item); }}\n\
         let more = {start};\n\
         for turn in 1..{} {{\n    \
             if more == () || more == \"\" {{ break; }}\n    \
             let next = {next};\n    \
             for item in next{items} {{ items.push(item); }}\n    \
             {step}\n}}\n\
         {value}\n",
        pages.pages_max,
    );
    let why =
        format!("`{}` has more pages, and the question is about all of them", record.call().method.method);
    Some(Mend { source, why, assumption: None, respelled: None })
}

/// How a collection goes on.
struct On {
    /// The argument that asks for more.
    argument: String,
    /// The key that holds what to give it; none where it is the number of a page.
    cursor: Option<String>,
    /// The expression that says whether there is yet another page.
    says_more: String,
}

impl On {
    fn of(record: &CallRecord, candidate: &Candidate, pages: &Pages) -> Option<Self> {
        let value = &record.reply().as_ref().ok()?.value;
        let taken = candidate.method.input_schema.get("properties")?.as_object()?;
        let argument = |names: &[String]| names.iter().find(|name| taken.contains_key(*name)).cloned();
        if let Some((cursor, _)) = gaps::cursor(value, pages) {
            let argument = argument(&pages.cursor_arguments)?;
            return Some(Self { argument, cursor: Some(cursor), says_more: String::new() });
        }
        let flag = pages.flags.iter().find(|flag| value.get(*flag).and_then(Value::as_bool) == Some(true))?;
        let argument = argument(&pages.number_arguments)?;
        // A call that asked for another page than the first is somewhere in the middle already.
        let is_first = record.call().arguments.get(&argument).is_none_or(|number| number == 1);
        is_first.then(|| Self {
            argument,
            cursor: None,
            says_more: format!("next.get({}) == true", quoted(flag)),
        })
    }
}

/// The key of the list: the one that the program's value is, else the only one there is.
fn list_key(object: &Map<String, Value>, pointer: &str) -> Option<String> {
    if let Some(key) = pointer.strip_prefix('/') {
        return object.get(key).filter(|value| value.is_array()).map(|_| key.to_owned());
    }
    let mut lists = object.iter().filter(|(_, value)| value.is_array());
    match (lists.next(), lists.next()) {
        (Some((key, _)), None) => Some(key.clone()),
        _ => None,
    }
}

/// The first page with all items in the place of its own, and without the place of the next page.
fn stitched(object: &Map<String, Value>, list: &str, on: &On) -> String {
    let pairs = object.keys().filter(|name| on.cursor.as_ref() != Some(name)).map(|name| {
        let value = if name == list {
            "items".to_owned()
        } else {
            format!("given{}", steps(std::slice::from_ref(name)))
        };
        format!("{}: {value}", key(name))
    });
    format!("#{{{}}}", pairs.collect::<Vec<_>>().join(", "))
}

fn called(
    candidate: &Candidate,
    arguments: &Map<String, Value>,
    (argument, more): (&str, Option<&str>),
) -> String {
    let own = arguments.iter().filter(|(name, _)| more.is_none() || name.as_str() != argument);
    let mut pairs: Vec<String> =
        own.map(|(name, value)| format!("{}: {}", key(name), literal(value))).collect();
    pairs.extend(more.map(|more| format!("{}: {more}", key(argument))));
    format!("call_tool({}, #{{{}}})", quoted(&candidate.call_name()), pairs.join(", "))
}

/// The one call with a value as its method spells it, where the method's error lists one that differs by a slip: "`Sydny` is not
/// covered; covered are London, Sydney".
pub(super) fn respelled<'c>(
    executed: &Executed,
    candidates: impl Iterator<Item = &'c Candidate>,
) -> Option<Mend> {
    let (record, candidate) = only_call(executed, candidates)?;
    let fault = record.reply().as_ref().err().filter(|fault| fault.kind.is_of_the_call())?;
    let (argument, said, meant) = record.call().arguments.iter().find_map(|(name, value)| {
        let said = value.as_str()?;
        let meant = spelled(&fault.message, said).or_else(|| spelled_out(&fault.message, said))?;
        Some((name, said, meant))
    })?;
    let method = &record.call().method.method;
    Some(Mend {
        source: called_with(candidate, record, (argument, &meant)),
        why: format!("`{argument}` is spelled otherwise there"),
        assumption: Some(format!("\"{said}\" is read as {meant}, which `{method}` knows")),
        respelled: Some((said.to_owned(), meant)),
    })
}

/// The one call that was made, and its method.
fn only_call<'e, 'c>(
    executed: &'e Executed,
    mut candidates: impl Iterator<Item = &'c Candidate>,
) -> Option<(&'e CallRecord, &'c Candidate)> {
    let [record] = executed.calls.as_slice() else { return None };
    Some((record, candidates.find(|candidate| candidate.method_ref() == record.call().method)?))
}

/// A program of the same call with another value for one argument.
fn called_with(candidate: &Candidate, record: &CallRecord, (argument, value): (&str, &str)) -> String {
    let mut arguments = record.call().arguments.clone();
    arguments.insert(argument.to_owned(), Value::from(value));
    format!("{}\n", called(candidate, &arguments, ("", None)))
}

/// The only words of an error, as many as were said, that are what was said but for a slip.
fn spelled(error: &str, said: &str) -> Option<String> {
    let (count, lower) = (said.split_whitespace().count().max(1), said.to_lowercase());
    let runs = parts(error).flat_map(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        words.windows(count).map(|run| run.join(" ")).collect::<Vec<_>>()
    });
    only(runs.filter(|run| words::is_slip(&run.to_lowercase(), &lower)))
}

/// The only name of an error that is what was said for short: New York for "NY" or "NYC".
fn spelled_out(error: &str, said: &str) -> Option<String> {
    let initials: Vec<char> = said.to_uppercase().chars().collect();
    let names_city = initials.len() == 3 && initials.ends_with(&['C']);
    let is_meant = |name: &&str| {
        let begins: Vec<char> = name.split_whitespace().filter_map(|word| word.chars().next()).collect();
        let is_short = begins.len() > 1 && begins.iter().all(|first| first.is_uppercase());
        is_short && (begins == initials || names_city && begins == initials[..2])
    };
    only(parts(error).map(str::trim).filter(is_meant)).map(str::to_owned)
}

/// What stands between the punctuation of an error.
fn parts(error: &str) -> impl Iterator<Item = &str> {
    error.split(|sign: char| sign.is_ascii_punctuation() && !matches!(sign, '-' | '_'))
}

/// The one thing that all of these are.
fn only<T: PartialEq>(mut these: impl Iterator<Item = T>) -> Option<T> {
    let first = these.next()?;
    these.all(|other| other == first).then_some(first)
}

/// The one call with the next wider window, where the question names none and the method takes one.
pub(super) fn widened<'c>(
    executed: &Executed,
    reading: &Reading,
    candidates: impl Iterator<Item = &'c Candidate>,
) -> Option<Mend> {
    if reading.window.is_some() || !reading.parts.is_empty() {
        return None;
    }
    let (record, candidate) = only_call(executed, candidates)?;
    let taken = candidate.method.input_schema.get("properties")?.as_object()?;
    let (argument, now, wider) = taken.iter().find_map(|(name, schema)| {
        let now = record.call().arguments.get(name).or_else(|| schema.get("default"))?.as_str()?;
        Some((name, now, next_wider(schema, now)?))
    })?;
    let why = format!("nothing was found within `{argument}` {now}");
    Some(Mend {
        source: called_with(candidate, record, (argument, wider)),
        respelled: None,
        assumption: Some(format!(
            "`{argument}` was widened from {now} to {wider}, because nothing was found in it"
        )),
        why,
    })
}

/// The shortest of the lengths that an argument may be that is longer than the one it is.
fn next_wider<'s>(schema: &'s Value, now: &str) -> Option<&'s str> {
    let seconds = |text: &str| length_of(text).map(reading::time::Length::seconds);
    let now = seconds(now)?;
    let lengths = schema.get("enum")?.as_array()?.iter().filter_map(Value::as_str);
    let wider = lengths.filter_map(|text| Some((seconds(text)?, text))).filter(|(length, _)| *length > now);
    wider.min_by_key(|(length, _)| *length).map(|(_, text)| text)
}
