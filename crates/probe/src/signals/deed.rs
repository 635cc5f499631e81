//! What a method does, and whether it is what the question asks to be done.

use fit::Known;

use crate::lexicon::Lexicon;
use crate::subject::Subject;

/// What a method does: the first action of its name, else of its description, and those behind "to" where that begins. To
/// make a payment is to pay.
pub(super) fn actions(known: &Known, lexicon: &Lexicon) -> Vec<usize> {
    let mut in_name = known.name.iter().filter_map(|stem| lexicon.action(stem, stem));
    let made = known.name.windows(2).filter(|pair| pair[0] == "make").filter_map(|pair| {
        let verb = pair[1].strip_suffix("ment").unwrap_or(&pair[1]);
        lexicon.action(verb, verb)
    });
    let told = |(lower, stem): &(String, String)| lexicon.action(lower, stem);
    let mut actions = Vec::from_iter(in_name.next().or_else(|| known.opening.iter().find_map(told)));
    let behind_to =
        known.opening.windows(2).filter(|pair| pair[0].0 == "to").filter_map(|pair| told(&pair[1]));
    actions.extend(known.opening.first().and_then(told));
    actions.extend(behind_to);
    actions.extend(made);
    actions
}

/// Whether a question only asks to be told what there is, and a method of these actions has an effect and tells nothing.
pub(super) fn acts_instead(actions: &[usize], subject: &Subject, lexicon: &Lexicon) -> bool {
    subject.only_finds && !actions.is_empty() && actions.iter().all(|action| lexicon.has_effect(*action))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::tests::shipped;
    use crate::subject::tests::subject;

    fn acts(does: &str, text: &str) -> bool {
        let lexicon = shipped();
        acts_instead(&Vec::from_iter(lexicon.action(does, does)), &subject(text), &lexicon)
    }

    #[test]
    fn nothing_is_done_where_it_is_only_asked_what_there_is() {
        assert!(acts("book", "Find a table in Rome"));
        assert!(acts("play", "Can you search for songs by Acme?"));
        assert!(!acts("get", "Find a table in Rome"));
        assert!(!acts("book", "Find a table in Rome and book it"));
        assert!(!acts("book", "Can you get two tickets for tonight?"));
        assert!(!acts("book", "A table in Rome"));
    }
}
