//! An answer on its way to the reader: sentence by sentence, its markers read, its numbers held against the sources.

use cite::{Cited, Delta, Markers, Passage, Sources, Strength, Style};
use domain::Evidence;
use llm::Spoken;
use policy::{NumberRules, Policy};
use trace::{AnswerReport, Event};

use super::numbers::Known;
use crate::run::Run;

/// An answer that is being written.
pub(super) struct Speech<'a> {
    run: &'a Run,
    evidence: &'a Evidence,
    sources: Sources,
    hold_bytes_max: usize,
    rules: NumberRules,
    known: Option<Known>,
    markers: Markers,
    /// The sentence that is not over yet.
    held: String,
    cited: Cited,
    report: AnswerReport,
    /// Sources that were cited by what has left.
    numbered: usize,
    has_left: bool,
    begins_anew: bool,
}

impl<'a> Speech<'a> {
    pub(super) fn new(run: &'a Run, evidence: &'a Evidence, known: Option<Known>, policy: &Policy) -> Self {
        let sources: Sources = evidence.sources.iter().map(|source| source.id.as_str()).collect();
        let hold_bytes_max = policy.library.markers.hold_bytes_max;
        Self {
            run,
            evidence,
            markers: Markers::new(sources.clone(), Style::Numbers, hold_bytes_max),
            sources,
            hold_bytes_max,
            rules: policy.evidence.numbers,
            known,
            held: String::new(),
            cited: Cited::default(),
            report: AnswerReport::default(),
            numbered: 0,
            has_left: false,
            begins_anew: false,
        }
    }

    /// Takes the next piece in, and lets go of every sentence that is over.
    pub(super) fn hear(&mut self, spoken: Spoken<'_>) {
        match spoken {
            Spoken::Text(text) => {
                self.held.push_str(text);
                while let Some(end) = sentence_end(&self.held) {
                    let rest = self.held.split_off(end);
                    let sentence = std::mem::replace(&mut self.held, rest);
                    self.sentence(&sentence);
                }
            }
            Spoken::Restart => {
                self.markers = Markers::new(self.sources.clone(), Style::Numbers, self.hold_bytes_max);
                self.held.clear();
                self.cited = Cited::default();
                self.report = AnswerReport::default();
                self.numbered = 0;
                self.begins_anew = self.has_left;
            }
        }
    }

    /// The whole answer, and what was found on the way.
    pub(super) fn finish(mut self) -> (Cited, AnswerReport) {
        let rest = std::mem::take(&mut self.held);
        self.sentence(&rest);
        let markers = std::mem::replace(&mut self.markers, Markers::new(Sources::new(), Style::Numbers, 0));
        let (delta, numbering, dropped) = markers.finish();
        self.leave(delta);
        self.cited.numbering = numbering;
        self.cited.dropped = dropped;
        self.report.cited = self.cited.placed.len();
        self.report.dropped = dropped.unknown;
        (self.cited, self.report)
    }

    fn sentence(&mut self, sentence: &str) {
        if let Some(known) = &mut self.known {
            let check = known.check(sentence, &self.rules);
            if check.is_withheld {
                self.report.withheld += 1;
                let end = sentence.trim_end().len();
                let delta = self.markers.push(sentence[end..].trim_start_matches(' '));
                self.leave(delta);
                return;
            }
            self.report.unsupported.extend(check.unsupported);
        }
        let delta = self.markers.push(sentence);
        self.leave(delta);
    }

    fn leave(&mut self, delta: Delta) {
        let mut cites = Vec::new();
        for placed in &delta.placed {
            if placed.number <= self.numbered {
                continue;
            }
            self.numbered = placed.number;
            let id = self.sources.id(placed.ordinal);
            cites.extend(self.evidence.sources.iter().find(|source| Some(source.id.as_str()) == id).cloned());
        }
        self.cited.placed.extend(delta.placed);
        if delta.text.is_empty() {
            return;
        }
        self.cited.text.push_str(&delta.text);
        self.has_left = true;
        let begins_anew = std::mem::take(&mut self.begins_anew);
        self.run.tell(Event::AnswerSpoken { text: delta.text, cites, begins_anew });
    }
}

/// Where the first sentence or line of a text ends, with the space after it; none where it may go on.
fn sentence_end(text: &str) -> Option<usize> {
    let mut before = ' ';
    for (at, sign) in text.char_indices() {
        let ends = sign == '\n' || (sign.is_whitespace() && matches!(before, '.' | '!' | '?'));
        if ends {
            return Some(at + sign.len_utf8());
        }
        before = sign;
    }
    None
}

/// Scores how far each sentence is carried by what it cites; weak ones are flagged and stay.
pub(super) fn score(cited: &Cited, evidence: &Evidence, policy: &Policy, report: &mut AnswerReport) {
    let passages: Vec<Passage> =
        evidence.sources.iter().map(|source| Passage::of(&passage(evidence, &source.id))).collect();
    let find = |ordinal: usize| passages.get(ordinal.checked_sub(1)?);
    for sentence in cite::supports(cited, find, |_| 1.0, &policy.library.support) {
        if sentence.citations.is_empty() {
            continue;
        }
        let is_weak = sentence.citations.iter().all(|it| it.support.strength == Strength::Weak);
        if is_weak {
            report.weak.push(cited.text[sentence.range.clone()].trim().to_owned());
        } else {
            report.strong += 1;
        }
    }
}

/// What a source says, as far as the evidence holds it.
fn passage(evidence: &Evidence, id: &str) -> String {
    let mut text = String::new();
    let mut add = |part: &str| {
        text.push_str(part);
        text.push(' ');
    };
    for source in evidence.sources.iter().filter(|source| source.id == id) {
        add(&source.provider);
        add(&source.dataset);
        source.note.iter().for_each(|note| add(note));
    }
    for fact in evidence.facts.iter().filter(|fact| fact.source.as_deref() == Some(id)) {
        add(&fact.label);
        add(&fact.value.to_string());
    }
    let view = &evidence.view;
    for row in view.rows.iter().filter(|row| row.sources.iter().any(|source| source == id)) {
        view.columns.iter().chain(&row.cells).for_each(|cell| add(cell));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::sentence_end;

    #[test]
    fn a_sentence_ends_with_the_space_after_it() {
        assert_eq!(sentence_end("It is 3.5 now. And"), Some(15));
        assert_eq!(sentence_end("| a |\n| b |"), Some(6));
        assert_eq!(sentence_end("It goes on"), None);
        assert_eq!(sentence_end("At its end."), None);
    }
}
