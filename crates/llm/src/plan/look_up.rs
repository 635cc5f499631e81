//! The text of look-ups: which of the items that a call finds is the one that is meant.

use std::fmt::Write;

use fit::Choice;
use fit::lookup::{Found, Lookup};
use serde_json::{Map, Value};

use super::arguments;
use super::write::{call, quoted, steps};

/// Calls that find the argument of the last one: of each look-up the item with most of the wanted words.
pub(crate) fn looked_up(
    choice: &Choice<'_>,
    mut arguments: Map<String, Value>,
    lookups: &[Lookup<'_>],
) -> String {
    let mut text = String::new();
    let told_by = match lookups {
        [Lookup { is_exact: true, .. }] => ToldBy::AllWords,
        [Lookup { found: Found::Told(it), year: None, .. }] if it.is_array => ToldBy::Answer,
        [Lookup { year: None, .. }, _, ..] => ToldBy::NextLookUp,
        _ => ToldBy::Words,
    };
    let mut given: Option<(&str, String)> = None;
    for (place, lookup) in lookups.iter().enumerate() {
        let suffix = if place == 0 { String::new() } else { format!("_{}", place + 1) };
        let mut told = arguments::of_look_up(&lookup.choice.binding);
        if let Some((argument, _)) = &given {
            told.remove(*argument);
        }
        let _ = writeln!(text, "let found{suffix} = {};", call(&lookup.choice, &told, given.as_slice()));
        let value = match &lookup.found {
            Found::Told(it) if it.is_array => {
                let items = format!("found{suffix}{}", steps(&it.items));
                text.push_str(&chosen_item(lookup, &suffix, &items, told_by));
                format!("chosen{suffix}{}", steps(&it.value))
            }
            Found::Told(it) => format!("found{suffix}{}", steps(&it.value)),
            Found::Untold(keys) => {
                text.push_str(&chosen_item(lookup, &suffix, &format!("rows(found{suffix})"), ToldBy::Words));
                let key = |key: &String| format!("chosen{suffix}.get({})", quoted(key));
                let keys = keys.iter().map(key).collect::<Vec<_>>().join(" ?? ");
                let _ = write!(
                    text,
                    "let identifier{suffix} = {keys};\n\
                     if identifier{suffix} == () {{\n    throw \"what the look-up found has no identifier\";\n}}\n"
                );
                format!("identifier{suffix}")
            }
        };
        given = Some((&lookup.argument, value));
    }
    if let Some((argument, _)) = &given {
        arguments.remove(*argument);
    }
    let asked = call(choice, &arguments, given.as_slice());
    let _ = if told_by == ToldBy::Answer {
        let thrown = thrown("most == 0 && !wanted.all(|word| says(to_lower(to_json(told)), word))", "");
        writeln!(text, "let told = {asked};\n{thrown}told")
    } else {
        writeln!(text, "{asked}")
    };
    text
}

/// The item that is meant, of those that the first look-up finds or a later one.
fn chosen_item(lookup: &Lookup<'_>, suffix: &str, items: &str, told_by: ToldBy) -> String {
    if suffix.is_empty() { first_item(lookup, items, told_by) } else { later_item(suffix, items) }
}

/// What tells whether an item is the one that is meant where it has not all of the wanted words, or none: a match has its teams
/// within it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ToldBy {
    /// Nothing: an item that lacks any is another one.
    AllWords,
    /// Nothing: one that has none is another one.
    Words,
    /// What is asked of it, where it is the only one.
    Answer,
    /// The look-up behind this one, which has to find all of the other words in it.
    NextLookUp,
}

/// The first item with most of the wanted words, and of the year that is said with them; where none has any, the first one that may
/// have what is meant within it.
fn first_item(lookup: &Lookup<'_>, items: &str, told_by: ToldBy) -> String {
    let list =
        |words: &[String]| words.iter().map(|word| quoted(singular(word))).collect::<Vec<_>>().join(", ");
    let mut text = format!("let wanted = [{}];\n", list(&lookup.wanted));
    // What has hardly a word of the name is something else, whatever it has of the words beside it, unless it has all that was
    // searched for.
    let mut weighed = String::new();
    if told_by != ToldBy::NextLookUp {
        let mut unless = "";
        if !lookup.phrase.is_empty() {
            let _ = writeln!(text, "let phrase = [{}];", list(&lookup.phrase));
            unless = " && !phrase.all(|word| says(text, word))";
        }
        let _ = write!(weighed, "if hits * 2 < wanted.len(){unless} {{ continue; }}\n    ");
    }
    if !lookup.searched.is_empty() {
        let _ = writeln!(text, "let searched = [{}];", list(&lookup.searched));
        weighed.push_str("for word in searched {\n        if says(text, word) { hits += 1; }\n    }\n    ");
    }
    let Some(year) = lookup.year else {
        text += &most_hit("", items, (&weighed, "", ""));
        let may_be = match told_by {
            ToldBy::AllWords => return text + &thrown("most < wanted.len()", ""),
            ToldBy::Words => return text + &thrown("most == 0", ""),
            ToldBy::Answer => format!("{items}.len() == 1"),
            ToldBy::NextLookUp => format!("{items}.len() > 0"),
        };
        let _ = writeln!(text, "if most == 0 && {may_be} {{\n    chosen = {items}[0];\n}}");
        return text + &thrown("chosen == ()", "");
    };
    text.push_str("let is_of_another = false;\n");
    weighed.push_str(&of_year(year));
    let kept = "        is_of_another = tells_another;\n";
    let of_year = format!(" and is of {year}");
    text + &most_hit("", items, (&weighed, kept, "")) + &thrown("most == 0 || is_of_another", &of_year)
}

/// A word without the ending of its plural: items say the beginning of a word, so that "rate" finds both.
fn singular(word: &str) -> &str {
    let is_plural = word.len() > 4 && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    word.strip_suffix('s').filter(|_| is_plural).unwrap_or(word)
}

/// The one item with all of the wanted words that the item before did not have.
fn later_item(suffix: &str, items: &str) -> String {
    let wanted = format!(
        "let known = to_lower(to_json(chosen));\n\
         let wanted{suffix} = wanted.filter(|word| !says(known, word));\n\
         let tied = false;\n"
    );
    let tied = format!(" else if hits == most{suffix} {{\n        tied = true;\n    }}");
    let fails = format!("most{suffix} == 0 || tied || most{suffix} < wanted{suffix}.len()");
    wanted + &most_hit(suffix, items, ("", "        tied = false;\n", &tied)) + &thrown(&fails, "")
}

/// The item with most of the wanted words: what else is weighed of each, what is kept with the best, and what becomes of
/// another.
fn most_hit(suffix: &str, items: &str, (weighed, kept, otherwise): (&str, &str, &str)) -> String {
    format!(
        "let chosen{suffix} = ();\n\
         let most{suffix} = 0;\n\
         for item in {items} {{\n    \
             let text = to_lower(to_json(item));\n    \
             let hits = 0;\n    \
             for word in wanted{suffix} {{\n        if says(text, word) {{ hits += 1; }}\n    }}\n    \
             {weighed}if hits > most{suffix} {{\n        most{suffix} = hits;\n        chosen{suffix} = item;\n{kept}    }}{otherwise}\n}}\n",
    )
}

/// Gives up where no item is the one that is meant.
fn thrown(fails: &str, of_year: &str) -> String {
    format!(
        "if {fails} {{\n    throw \"nothing that the look-up found has the words of the question{of_year}\";\n}}\n"
    )
}

/// Of items with as many of the words goes first one whose texts do not tell years near this one alone.
fn of_year(year: i16) -> String {
    format!(
        "let tells_another = false;\n    \
         for year in {}..{} {{\n        if text.contains(\" \" + year) {{ tells_another = true; }}\n    }}\n    \
         if text.contains(\"{year}\") {{ tells_another = false; }}\n    \
         hits = hits * 2;\n    \
         if !tells_another {{ hits += 1; }}\n    ",
        year - YEARS_NEAR,
        year + YEARS_NEAR + 1,
    )
}

/// How far from the year that is asked for an item's year is looked for, before it and behind it.
const YEARS_NEAR: i16 = 12;
