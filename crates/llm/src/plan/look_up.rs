//! The text of look-ups: which of the items that a call finds is the one that is meant.

use std::fmt::Write;

use fit::Choice;
use fit::lookup::{Found, Lookup};

use super::write::{call, quoted, steps};

/// Calls that find the argument of the last one: of each look-up the item with most of the wanted words.
pub(crate) fn looked_up(choice: &Choice<'_>, lookups: &[Lookup<'_>]) -> String {
    let mut text = String::new();
    let mut given: Option<(&str, String)> = None;
    for (place, lookup) in lookups.iter().enumerate() {
        let suffix = if place == 0 { String::new() } else { format!("_{}", place + 1) };
        let mut arguments = lookup.choice.binding.values();
        if let Some((argument, _)) = &given {
            arguments.remove(*argument);
        }
        let given_here = given.as_ref().map(|(argument, value)| (*argument, value.as_str()));
        let _ = writeln!(text, "let found{suffix} = {};", call(&lookup.choice, &arguments, given_here));
        let value = match &lookup.found {
            Found::Told(told) if told.is_array => {
                let items = format!("found{suffix}{}", steps(&told.items));
                text.push_str(&chosen_item(lookup, &suffix, &items));
                format!("chosen{suffix}{}", steps(&told.value))
            }
            Found::Told(told) => format!("found{suffix}{}", steps(&told.value)),
            Found::Untold(keys) => {
                text.push_str(&chosen_item(lookup, &suffix, &format!("rows(found{suffix})")));
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
    let mut arguments = choice.binding.values();
    if let Some((argument, _)) = &given {
        arguments.remove(*argument);
    }
    let given = given.as_ref().map(|(argument, value)| (*argument, value.as_str()));
    let _ = writeln!(text, "{}", call(choice, &arguments, given));
    text
}

/// The first item with most of the wanted words. A later look-up wants the words that the item before did not have, all
/// of them, in one item alone.
fn chosen_item(lookup: &Lookup<'_>, suffix: &str, items: &str) -> String {
    let mut text = String::new();
    let is_first = suffix.is_empty();
    if is_first {
        let wanted: Vec<String> = lookup.wanted.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(text, "let wanted = [{}];", wanted.join(", "));
    } else {
        let _ = write!(
            text,
            "let known = to_lower(to_json(chosen));\n\
             let wanted{suffix} = wanted.filter(|word| !says(known, word));\n\
             let tied = false;\n"
        );
    }
    let is_searched = is_first && !lookup.searched.is_empty();
    if is_searched {
        let searched: Vec<String> = lookup.searched.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(text, "let searched = [{}];", searched.join(", "));
    }
    // What has hardly a word of the name is something else, whatever it has of the words beside it.
    let is_it = if is_first { "if hits * 2 < wanted.len() { continue; }\n    " } else { "" };
    let year = lookup.year.filter(|_| is_first);
    let of_its_year = year.map_or_else(String::new, of_year);
    let beside = if is_searched {
        "for word in searched {\n        if says(text, word) { hits += 1; }\n    }\n    "
    } else {
        ""
    };
    let kept = match year {
        Some(_) => "        is_of_another = tells_another;\n",
        None if is_first => "",
        None => "        tied = false;\n",
    };
    let tied = if is_first {
        String::new()
    } else {
        format!(" else if hits == most{suffix} {{\n        tied = true;\n    }}")
    };
    if year.is_some() {
        text.push_str("let is_of_another = false;\n");
    }
    let _ = write!(
        text,
        "let chosen{suffix} = ();\n\
         let most{suffix} = 0;\n\
         for item in {items} {{\n    \
             let text = to_lower(to_json(item));\n    \
             let hits = 0;\n    \
             for word in wanted{suffix} {{\n        if says(text, word) {{ hits += 1; }}\n    }}\n    \
             {is_it}{beside}{of_its_year}if hits > most{suffix} {{\n        most{suffix} = hits;\n        chosen{suffix} = item;\n{kept}    }}{tied}\n}}\n",
    );
    let fails = match year {
        Some(_) => "most == 0 || is_of_another".to_owned(),
        None if is_first => "most == 0".to_owned(),
        None => format!("most{suffix} == 0 || tied || most{suffix} < wanted{suffix}.len()"),
    };
    let and_year = year.map_or_else(String::new, |year| format!(" and is of {year}"));
    let _ = write!(
        text,
        "if {fails} {{\n    throw \"nothing that the look-up found has the words of the question{and_year}\";\n}}\n"
    );
    text
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
