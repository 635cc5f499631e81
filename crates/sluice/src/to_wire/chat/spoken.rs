//! The text of an answer as a conversation tells it: piece by piece as it is written, each source just before the words that
//! cite it first. Whatever was told, the last text of a message is the settled answer.

use contract::chat::{AppMetadata, Chunk, Citation, Conflict, ConflictSide, SourceMetadata};
use domain::SourceRef;
use trace::{Event, Stamped};

use crate::to_wire::pieces::pieces;
use crate::to_wire::{count, time};

/// What was told of an answer so far.
#[derive(Debug)]
pub(crate) struct Spoken {
    piece_chars_max: usize,
    /// Which text of the message is told, from 1.
    text: usize,
    told: String,
    /// Sources that were told, of every text.
    sources: usize,
    citations: Vec<Citation>,
    /// Citations that led nowhere and were left out.
    pub(crate) dropped: u64,
    /// Where sources contradict each other.
    pub(crate) conflicts: Vec<Conflict>,
}

impl Spoken {
    /// Nothing told yet; a piece has this many characters at the most.
    pub(crate) fn new(piece_chars_max: usize) -> Self {
        Self {
            piece_chars_max,
            text: 1,
            told: String::new(),
            sources: 0,
            citations: Vec::new(),
            dropped: 0,
            conflicts: Vec::new(),
        }
    }

    /// What an event says of the answer; most say nothing.
    pub(crate) fn hear(&mut self, stamped: &Stamped) -> Vec<Chunk> {
        if let Event::AnswerChecked(report) = &stamped.event {
            self.dropped = count(report.dropped);
            self.conflicts = report.conflicts.iter().map(conflict).collect();
        }
        let Event::AnswerSpoken { text, cites, begins_anew } = &stamped.event else { return Vec::new() };
        if *begins_anew {
            self.begin_anew();
        }
        self.say(text, cites.iter().map(source))
    }

    /// More of the text, and what it cites for the first time, each by its title.
    pub(crate) fn say(
        &mut self,
        text: &str,
        cites: impl IntoIterator<Item = (String, SourceMetadata)>,
    ) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        for (title, source) in cites {
            self.sources += 1;
            let source_id = format!("c_{}", self.sources);
            let source = SourceMetadata { ordinal: count(self.citations.len()) + 1, ..source };
            chunks.push(document(&source_id, &title, &source));
            self.citations.push(Citation { source_id, title, source });
        }
        self.told.push_str(text);
        let id = self.id();
        let pieces = pieces(text, self.piece_chars_max).into_iter();
        chunks.extend(pieces.map(|delta| Chunk::TextDelta { id: id.clone(), delta }));
        chunks
    }

    /// From where the settled text is still to be told, in bytes, and how many of its sources were. Where something else was
    /// told, all of it is, as a text of its own.
    pub(crate) fn go_on(&mut self, settled: &str) -> (usize, usize) {
        if !settled.starts_with(self.told.as_str()) {
            self.begin_anew();
        }
        (self.told.len(), self.citations.len())
    }

    /// The rest of the settled text, and its end.
    pub(crate) fn finish(&mut self, settled: &str) -> Vec<Chunk> {
        let (from, _) = self.go_on(settled);
        let rest = &settled[from..];
        let mut chunks = Vec::new();
        if settled.is_empty() && self.text > 1 {
            // Nothing takes the place of what was told: that is said as well.
            chunks.push(Chunk::TextStart { id: self.id() });
        }
        chunks.extend(self.say(rest, []));
        chunks.push(Chunk::TextEnd { id: self.id() });
        chunks
    }

    /// Takes what is known of the cited sources in the end, in the order of their numbers.
    pub(crate) fn recite(&mut self, known: impl IntoIterator<Item = SourceMetadata>) {
        for (citation, source) in self.citations.iter_mut().zip(known) {
            citation.source = SourceMetadata { ordinal: citation.source.ordinal, ..source };
        }
    }

    /// The sources that the settled text cites, by number.
    pub(crate) fn take_citations(&mut self) -> Vec<Citation> {
        std::mem::take(&mut self.citations)
    }

    /// What was told cannot be called back: another text begins, and the one before it is no part of the answer.
    pub(crate) fn begin_anew(&mut self) {
        self.text += 1;
        self.told.clear();
        self.citations.clear();
    }

    fn id(&self) -> String {
        format!("text-{}", self.text)
    }
}

fn document(source_id: &str, title: &str, source: &SourceMetadata) -> Chunk {
    let is_of_a_document = source.document_id.is_some();
    Chunk::SourceDocument {
        source_id: source_id.to_owned(),
        media_type: if is_of_a_document { "text/plain" } else { "application/json" }.to_owned(),
        title: title.to_owned(),
        provider_metadata: AppMetadata { app: source.clone() },
    }
}

fn source(source: &SourceRef) -> (String, SourceMetadata) {
    let known = SourceMetadata {
        source_ref_id: source.id.clone(),
        provider: Some(source.provider.clone()),
        dataset: Some(source.dataset.clone()),
        observed_at: Some(time(source.observed_at)),
        published_at: source.published_at.map(time),
        url: source.url.clone(),
        note: source.note.clone(),
        ..SourceMetadata::default()
    };
    (format!("{}: {}", source.provider, source.dataset), known)
}

fn conflict(conflict: &domain::Conflict) -> Conflict {
    let side = |(source, value): &(String, String)| ConflictSide {
        source_ref_id: source.clone(),
        value: value.clone(),
    };
    Conflict {
        kind: "number".to_owned(),
        detail: conflict.detail.clone(),
        sides: conflict.sides.iter().map(side).collect(),
    }
}

#[cfg(test)]
mod tests {
    use contract::chat::{StartMetadata, UiMessage, Writer};
    use jiff::Timestamp;
    use proptest::prelude::{any, proptest};

    use super::*;

    fn stamped(event: Event) -> Stamped {
        Stamped { at: Timestamp::UNIX_EPOCH, event }
    }

    fn spoken(text: &str, cites: &[&str], begins_anew: bool) -> Stamped {
        let source = |id: &&str| SourceRef {
            id: (*id).to_owned(),
            provider: "Harbour".to_owned(),
            dataset: "tides".to_owned(),
            observed_at: Timestamp::UNIX_EPOCH,
            published_at: None,
            artifact: None,
            url: None,
            note: None,
        };
        stamped(Event::AnswerSpoken {
            text: text.to_owned(),
            cites: cites.iter().map(source).collect(),
            begins_anew,
        })
    }

    /// The message that a client keeps of it.
    fn kept(chunks: Vec<Chunk>) -> UiMessage {
        let metadata = StartMetadata { run_id: "r".to_owned(), thread_id: "t".to_owned() };
        let (mut writer, first) = Writer::begin("m".to_owned(), metadata);
        let mut message = UiMessage::empty(String::new());
        let rest = chunks.into_iter().flat_map(|chunk| writer.push(chunk));
        for chunk in first.into_iter().chain(rest) {
            message.take(&chunk);
        }
        message
    }

    #[test]
    fn a_source_stands_before_the_words_that_cite_it_first() {
        let mut answer = Spoken::new(80);
        let first = answer.hear(&spoken("High [1].", &["source-2"], false));
        assert!(matches!(&first[0], Chunk::SourceDocument { source_id, .. } if source_id == "c_1"));
        assert!(matches!(&first[1], Chunk::TextDelta { delta, .. } if delta == "High [1]."));
        assert_eq!(answer.finish("High [1]. And more.").len(), 2);
        let citations = answer.take_citations();
        assert_eq!((citations.len(), citations[0].source.source_ref_id.as_str()), (1, "source-2"));
    }

    #[test]
    fn what_begins_anew_is_the_answer() {
        let mut answer = Spoken::new(80);
        let mut chunks = answer.hear(&spoken("Low [1].", &["source-1"], false));
        chunks.extend(answer.hear(&spoken("High [1].", &["source-2"], true)));
        chunks.extend(answer.finish("High [1]."));
        assert_eq!(kept(chunks).text(), "High [1].");
        let citations = answer.take_citations();
        assert_eq!((citations[0].source_id.as_str(), citations[0].source.ordinal), ("c_2", 1));
    }

    proptest! {
        #[test]
        fn the_last_text_is_the_settled_answer(
            said in proptest::collection::vec(("[a-z .\n]{0,40}", any::<bool>()), 0..8),
            rest in "[a-z ]{0,20}", is_other in any::<bool>(), piece_chars_max in 1_usize..30,
        ) {
            let mut answer = Spoken::new(piece_chars_max);
            let (mut chunks, mut whole) = (Vec::new(), String::new());
            for (text, begins_anew) in &said {
                if *begins_anew {
                    whole.clear();
                }
                whole.push_str(text);
                chunks.extend(answer.hear(&spoken(text, &[], *begins_anew)));
            }
            let settled = if is_other { format!("X{rest}") } else { whole + &rest };
            chunks.extend(answer.finish(&settled));
            assert_eq!(kept(chunks).text(), settled);
        }
    }
}
