//! Who writes answers from documents: the models that the policy names, or the sources' own sentences.

use library::{Evidence, Extractive, SynthesisFault, Synthesizer, Written};
use llm::{ReasonBrief, ReasonReply, ReasonSource, Session, Spoken};

use super::explore::Aloud;

/// The models of one request, and the sources' own sentences where the policy names none.
pub(super) struct Writer<'a> {
    pub(super) session: Option<Session<'a>>,
    pub(super) rules: Extractive,
    /// What was said before the question, as a prompt tells it.
    pub(super) history: Vec<String>,
    /// Hears the answer as it is written; none where it counts as a whole.
    pub(super) aloud: Option<Aloud<'a>>,
}

impl Synthesizer for Writer<'_> {
    async fn write(&self, evidence: &Evidence<'_>) -> Result<Written, SynthesisFault> {
        let sources: Vec<ReasonSource<'_>> = evidence
            .sources
            .iter()
            .map(|source| ReasonSource {
                title: &source.document_title,
                path: &source.path,
                text: &source.content,
            })
            .collect();
        let brief = ReasonBrief {
            question: evidence.question,
            history: &self.history,
            sources: &sources,
            coverage: evidence.coverage,
        };
        let hear = |spoken: Spoken<'_>| {
            self.aloud.iter().for_each(|aloud| aloud.hear(spoken, evidence.sources));
        };
        let asked = match &self.session {
            Some(session) => session.reason(&brief, self.aloud.as_ref().map(|_| &hear as _)).await,
            None => None,
        };
        match asked {
            Some(reply) => reply.map(written).map_err(|fault| SynthesisFault(fault.to_string())),
            None => self.rules.write(evidence).await,
        }
    }
}

/// Numbers that cannot be ordinals become one that is never given, so that they are counted as dropped.
fn written(reply: ReasonReply) -> Written {
    let ordinals = |numbers: Vec<i64>| -> Vec<usize> {
        numbers.into_iter().map(|number| usize::try_from(number).unwrap_or(0)).collect()
    };
    Written {
        answer: reply.answer,
        cited: ordinals(reply.citations),
        gaps: reply.gaps,
        conflicts: reply.conflicts.into_iter().map(|told| (told.text, ordinals(told.ordinals))).collect(),
        is_sufficient: reply.sufficient,
    }
}
