//! Words that mean together what none of them says: "gone up" is a rise, "the latest on" is news.

use std::ops::Range;

use super::{Word, stem};

/// The words of an idiom, each with its spellings, and the word that it stands for.
type Idiom = (&'static [&'static [&'static str]], &'static str);

const GONE: &[&str] = &["go", "goes", "going", "gone", "went", "come", "comes", "coming", "came"];
const MOVED: &[&str] =
    &["went", "goes", "gone", "going", "came", "comes", "coming", "moved", "moving", "poured", "pouring"];

const UP_DOWN: &[&str] = &["up", "down"];

const SOMETHING: &[&str] = &["something", "anything", "much"];

const HANDS: &[&str] = &["change", "changes", "changed", "changing"];

const IDIOMS: [Idiom; 44] = [
    (&[&["sun"], &["set", "sets", "setting"]], "sunset"),
    (&[&["sun"], &["rise", "rises", "rising"]], "sunrise"),
    (&[&["sun"], GONE, &["down"]], "sunset"),
    (&[&["sun"], GONE, &["up"]], "sunrise"),
    (&[GONE, UP_DOWN, &["or"], UP_DOWN], "rise"),
    (&[UP_DOWN, &["or"], UP_DOWN], "rise"),
    (&[GONE, &["up"]], "rise"),
    (&[GONE, &["down"]], "fall"),
    (&[MOVED, &["into", "onto"]], "inflow"),
    (&[&["went", "moved", "poured"], &["to"]], "inflow"),
    (&[MOVED, &["out"], &["of"]], "outflow"),
    (&[MOVED, &["in"], &["and"], &["out"]], "flow"),
    (&[&["come", "comes", "coming", "came"], &["out"]], "release"),
    (&[&["latest"], &["on", "about"]], "news"),
    (&[&["reported", "reporting"], &["on", "about"]], "news"),
    (&[&["written", "writing"], &["on", "about", "abt"]], "news"),
    (&[&["written", "reported"], SOMETHING, &["on", "about"]], "news"),
    (&[&["going"], &["on"], &["in"]], "news"),
    (&[&["happening"], &["in"]], "news"),
    (&[&["s", "is"], &["new"], &["about", "from", "in", "on", "with"]], "news"),
    (&[&["sit", "sits", "sitting"], &["on"]], "hold"),
    (&[&["what"], &["happened"], &["with", "to", "in"]], "news"),
    (&[&["wiped", "wiping"], &["out"]], "liquidated"),
    (&[&["sun"], &["out", "shining"]], "sunny"),
    (&[&["need", "take", "bring"], &["a", "an", "my", "the"], &["umbrella", "raincoat"]], "rain"),
    (&[&["like"], &["outside"]], "weather"),
    (&[&["it"], &["outside"]], "weather"),
    (&[&["who"], &["hold", "holds", "own", "owns"]], "holders"),
    (&[&["what"], &["day"], &["is"], &["it"]], "weekday"),
    (&[MOVED, &["in"], &["and"], MOVED, &["out"]], "flow"),
    (&[&["in"], &["its", "their"], &["wallets", "vaults", "coffers"]], "hold"),
    (&[HANDS, &["hands"]], "traded"),
    (&[&["force", "forced", "forcibly"], &["closed", "closing", "out"]], "liquidated"),
    (&[&["got", "get", "gets"], &["rekt"]], "liquidated"),
    (&[&["out"], &["of"], &["the"], &["ordinary", "normal", "usual"]], "unusual"),
    (&[&["abnormal", "abnormally", "weird"]], "unusual"),
    (&[&["run"], &["of"], &["the"], &["mill"]], "typical"),
    (&[&["s", "is", "are", "whats"], &["priced"], &["in"]], "odds"),
    (&[&["fine", "small"], &["print"]], "rules"),
    (&[&["be", "is", "gets"], &["settled"]], "rules"),
    (&[&["free"], &["money"]], "arbitrage"),
    (&[&["went", "gone", "goes"], &["through", "thru"]], "traded"),
    (&[&["hour"], &["by"], &["hour"]], "history"),
    (&[&["day"], &["by"], &["day"]], "history"),
];

/// The idioms among some words: where each begins, how many words it has, and what it stands for. None begins within another.
fn found(words: &[Word]) -> impl Iterator<Item = (usize, usize, &'static str)> {
    let begins = |at: usize, idiom: &Idiom| {
        let said = words.get(at..at + idiom.0.len());
        said.is_some_and(|said| {
            said.iter().zip(idiom.0).all(|(word, way)| way.contains(&word.lower.as_str()))
        })
    };
    let mut free_from = 0;
    (0..words.len()).filter_map(move |at| {
        let idiom = IDIOMS.iter().filter(|_| free_from <= at).find(|idiom| begins(at, idiom))?;
        free_from = at + idiom.0.len();
        Some((at, idiom.0.len(), idiom.1))
    })
}

/// Stems of what the idioms of a text stand for.
pub fn meanings(text: &str) -> impl Iterator<Item = String> {
    put(&mut super::words(text)).into_iter().map(|(_, stem)| stem)
}

/// Puts what an idiom stands for in the place of its first word; its others say nothing of their own. Gives where they stand,
/// in bytes, with the stem of what they stand for.
pub(crate) fn put(words: &mut [Word]) -> Vec<(Range<usize>, String)> {
    let found: Vec<_> = found(words).collect();
    let mut put = Vec::with_capacity(found.len());
    for (at, length, meaning) in found {
        let idiom = &mut words[at..at + length];
        for word in idiom.iter_mut() {
            word.is_stop = true;
        }
        let first = &mut idiom[0];
        (first.lower, first.stem, first.is_stop) = (meaning.to_owned(), stem(meaning).into_owned(), false);
        put.push((idiom[0].range.start..idiom[length - 1].range.end, idiom[0].stem.clone()));
    }
    put
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let mut words = words(text);
        put(&mut words);
        words.into_iter().filter(|word| !word.is_stop).map(|word| word.lower).collect()
    }

    #[test]
    fn an_idiom_is_what_it_stands_for() {
        assert_eq!(said("Has the pound gone up?"), ["pound", "rise"]);
        assert_eq!(said("did the pound go up or down, up or down?"), ["pound", "rise", "rise"]);
        assert_eq!(said("how much went thru Rome"), ["much", "traded", "rome"]);
        assert_eq!(said("What's the latest on Rome?"), ["news", "rome"]);
        assert_eq!(said("what has been written about Rome"), ["news", "rome"]);
        assert_eq!(said("Has anybody written something about Rome"), ["anybody", "news", "rome"]);
        assert_eq!(said("what's going on in Rome"), ["news", "rome"]);
        assert_eq!(said("what's new in Rome"), ["news", "rome"]);
        assert_eq!(said("the gold that Rome sits on"), ["gold", "rome", "hold"]);
        assert_eq!(said("What was it like outside in Rome?"), ["weather", "rome"]);
        assert_eq!(said("How many longs got wiped out?"), ["many", "longs", "got", "liquidated"]);
        assert_eq!(said("How much gold went out of Rome"), ["much", "gold", "outflow", "rome"]);
        assert_eq!(said("How much gold is coming into Rome"), ["much", "gold", "inflow", "rome"]);
        assert_eq!(said("How much gold went to Rome"), ["much", "gold", "inflow", "rome"]);
        assert_eq!(said("How much gold came out of Rome"), ["much", "gold", "outflow", "rome"]);
        assert_eq!(said("gold going in and out of Rome"), ["gold", "flow", "rome"]);
        assert_eq!(said("When does the sun go down in Rome"), ["sunset", "rome"]);
        assert_eq!(said("What data comes out tomorrow?"), ["data", "release", "tomorrow"]);
        assert_eq!(said("who holds the gold in Rome"), ["holders", "gold", "rome"]);
        assert_eq!(said("do I need an umbrella in Rome"), ["rain", "rome"]);
        assert_eq!(said("how much cash changed hands in Rome"), ["much", "cash", "traded", "rome"]);
        assert_eq!(said("the gold in its vaults, day by day"), ["gold", "hold", "history"]);
        assert_eq!(said("What's priced in for Rome?"), ["odds", "rome"]);
        assert_eq!(said("the latest forecast, on Friday"), ["latest", "forecast", "friday"]);
        assert_eq!(put(&mut words("is the sun out")), [(7..14, "sunni".to_owned())]);
        assert!(put(&mut []).is_empty());
    }
}
