//! `reason`: an answer in the wire's words.

use cite::{Conflict, ConflictKind, Sources, Style};
use contract::library::{
    Citation, ConflictDetail, ConflictSide, MarkerStyle, QuoteBody, ReasonMeta, ReasonRequest, Reasoned,
    SentenceBody, SentenceCitation, Strength,
};
use domain::{Speaker, Turn, Usd};
use library::{
    Ending, Extractive, Question, Quote, ReasonGap, ReasonGapKind, ReasonLimits, Source, SourceConflict,
};
use llm::{Model, Session, StageReport, Usage};

use super::writer::Writer;
use super::{DeskFault, Reader, show};

/// What the seed system says where nothing has to do with a question; its callers know the sentence.
const NO_EVIDENCE: &str = "Your repository has no content matching this question.";

impl Reader<'_> {
    /// Answers a question from the caller's documents. Nothing is kept of it.
    pub(crate) async fn reason(&self, request: &ReasonRequest) -> Result<Reasoned, DeskFault> {
        self.reasoned(request, Some(self.desk.portfolio.session(None))).await
    }

    /// The same in the sources' own sentences: no model is asked.
    pub(crate) async fn reason_by_rules(&self, request: &ReasonRequest) -> Result<Reasoned, DeskFault> {
        self.reasoned(request, None).await
    }

    async fn reasoned(
        &self,
        request: &ReasonRequest,
        session: Option<Session<'_>>,
    ) -> Result<Reasoned, DeskFault> {
        let since = self.desk.clock.now();
        let scope = self.scope(request.collection_id.as_deref(), request.document_id.as_deref());
        let question = Question { text: &request.query, previous: request.previous.as_deref() };
        let limits = ReasonLimits { chunks: request.limit, tokens: request.tokens_max };
        let previous = request.previous.iter().map(|text| Turn::said(Speaker::User, text).told());
        let rules = Extractive::from(&self.policy().reason);
        let writer = Writer { session, rules, history: previous.collect(), aloud: None };
        let ending = self.desk.library.reason(&scope, question, limits, &writer).await?;
        let reports = writer.session.as_ref().map(Session::take_reports).unwrap_or_default();
        match ending {
            Ending::Unwritten { sources, fault } => Err(DeskFault::Unwritten {
                reason: fault.to_string(),
                evidence: sources.iter().enumerate().map(|(at, source)| gathered(at + 1, source)).collect(),
            }),
            Ending::Answer(reasoned) => {
                let mut told = told(&reasoned, &reports);
                told.meta.latency_ms = self.elapsed_ms(since);
                if request.markers == MarkerStyle::Ids {
                    told.answer = with_ids(&told, self.policy().markers.hold_bytes_max);
                }
                Ok(told)
            }
        }
    }
}

pub(super) fn told(reasoned: &library::Reasoned, reports: &[StageReport]) -> Reasoned {
    Reasoned {
        answer: reasoned.answer.clone(),
        citations: citations(reasoned),
        gaps: reasoned.gaps.iter().map(gap).collect(),
        conflicts: reasoned.conflicts.iter().map(|one| conflict(one, &reasoned.sources)).collect(),
        conflict_details: reasoned.conflicts.iter().map(|one| detail(one, &reasoned.sources)).collect(),
        sentences: sentences(reasoned),
        meta: meta(reasoned, reports),
    }
}

fn meta(reasoned: &library::Reasoned, reports: &[StageReport]) -> ReasonMeta {
    let report = &reasoned.report;
    let spent: Usage = reports.iter().map(StageReport::usage).sum();
    let model = reports.last().map_or("extractive", |report| report.answered_by.as_str());
    let abstained = reasoned.gaps.iter().find_map(|gap| match gap.kind {
        ReasonGapKind::NoEvidence => Some("no_evidence"),
        ReasonGapKind::LowCoverage => Some("low_coverage"),
        ReasonGapKind::Insufficient
        | ReasonGapKind::UncitedAnswer
        | ReasonGapKind::Missing
        | ReasonGapKind::EvidenceTruncated => None,
    });
    ReasonMeta {
        chunks_gathered: report.chunks_gathered,
        citations_dropped: report.citations_dropped,
        latency_ms: 0,
        abstained: abstained.map(str::to_owned),
        retrieval: show::retrieval(report.retrieval),
        coverage: report.coverage,
        confidence: report.confidence,
        evidence_tokens: report.evidence_tokens,
        evidence_truncated: report.evidence_truncated,
        markers_stripped: report.markers_stripped,
        weak_citations: report.weak_citations,
        model: report.was_synthesized.then(|| model.to_owned()),
        tokens_in: spent.input_tokens,
        tokens_out: spent.output_tokens,
        cost_usd: if spent.cost == Usd::ZERO { "0".to_owned() } else { spent.cost.to_string() },
    }
}

fn citations(reasoned: &library::Reasoned) -> Vec<Citation> {
    let of = |citation: &library::Citation| {
        let source = reasoned.sources.get(citation.ordinal.checked_sub(1)?)?;
        Some(Citation {
            quote: quote(&citation.quote),
            support: citation.support.map(|support| strength(support.strength)),
            support_score: citation.support.map(|support| support.score),
            ..gathered(citation.number, source)
        })
    };
    reasoned.citations.iter().filter_map(of).collect()
}

/// A source that was gathered, with its beginning for a quote.
pub(super) fn gathered(ordinal: usize, source: &Source) -> Citation {
    Citation {
        chunk_id: source.chunk_id.clone(),
        document_id: source.document_id.clone(),
        document_title: source.document_title.clone(),
        score: source.score,
        ordinal,
        section_path: show::section_path(&source.path),
        quote: quote(&Quote {
            document_id: source.document_id.clone(),
            document_version: source.document_version,
            range: source.range.clone(),
            text: source.content.clone(),
            sha256: source.sha256.clone(),
        }),
        support: None,
        support_score: None,
        url: source.document_url.clone(),
        document_version: source.document_version,
    }
}

pub(super) fn quote(quote: &Quote) -> QuoteBody {
    let (start, end) = (quote.range.start, quote.range.end);
    let check_url =
        format!("/v1/documents/{}/quote?start={start}&end={end}&sha256={}", quote.document_id, quote.sha256);
    QuoteBody { text: quote.text.clone(), start, end, sha256: quote.sha256.clone(), check_url }
}

fn strength(strength: cite::Strength) -> Strength {
    match strength {
        cite::Strength::Weak => Strength::Weak,
        cite::Strength::Strong => Strength::Strong,
    }
}

fn sentences(reasoned: &library::Reasoned) -> Vec<SentenceBody> {
    let citation = |one: &cite::CitedSupport| SentenceCitation {
        ordinal: one.number,
        score: one.support.score,
        support: strength(one.support.strength),
    };
    let sentence = |one: &cite::SentenceSupport| SentenceBody {
        start: one.range.start,
        end: one.range.end,
        citations: one.citations.iter().map(citation).collect(),
    };
    reasoned.support.iter().map(sentence).collect()
}

fn gap(gap: &ReasonGap) -> String {
    if let Some(detail) = &gap.detail {
        return detail.clone();
    }
    match gap.kind {
        ReasonGapKind::NoEvidence => NO_EVIDENCE,
        ReasonGapKind::LowCoverage => {
            "What the documents have in common with this question is too little to answer it."
        }
        ReasonGapKind::Insufficient | ReasonGapKind::Missing => {
            "The documents that were found do not answer all of this question."
        }
        ReasonGapKind::UncitedAnswer => "No answer could be given that rests on the documents.",
        ReasonGapKind::EvidenceTruncated => "Some of what was found was left out for its size.",
    }
    .to_owned()
}

fn conflict(conflict: &SourceConflict, sources: &[Source]) -> String {
    let named = |ordinal: usize| {
        let source = ordinal.checked_sub(1).and_then(|at| sources.get(at));
        source.map_or_else(String::new, |source| format!("{} ({})", source.document_title, source.chunk_id))
    };
    match conflict {
        SourceConflict::Found(Conflict { subject, sides, .. }) => {
            let said = |side: &cite::Side| format!("{} says {}", named(side.source), side.value);
            format!("On {subject}: {}, {}", said(&sides[0]), said(&sides[1]))
        }
        SourceConflict::Told { text, sources } => {
            let named: Vec<String> = sources.iter().map(|ordinal| named(*ordinal)).collect();
            format!("{text} ({})", named.join(", "))
        }
    }
}

fn detail(conflict: &SourceConflict, sources: &[Source]) -> ConflictDetail {
    let side = |ordinal: usize, value: Option<String>| {
        let source = sources.get(ordinal.checked_sub(1)?)?;
        Some(ConflictSide {
            chunk_id: source.chunk_id.clone(),
            document_id: source.document_id.clone(),
            document_title: source.document_title.clone(),
            value,
        })
    };
    match conflict {
        SourceConflict::Found(found) => ConflictDetail {
            kind: kind(found.kind).to_owned(),
            subject: found.subject.clone(),
            sides: found.sides.iter().filter_map(|one| side(one.source, Some(one.value.clone()))).collect(),
        },
        SourceConflict::Told { text, sources: ordinals } => ConflictDetail {
            kind: "told".to_owned(),
            subject: text.clone(),
            sides: ordinals.iter().filter_map(|ordinal| side(*ordinal, None)).collect(),
        },
    }
}

fn kind(kind: ConflictKind) -> &'static str {
    match kind {
        ConflictKind::Number => "number",
        ConflictKind::Date => "date",
        ConflictKind::Version => "version",
        ConflictKind::Negation => "negation",
    }
}

/// The answer with `[[chunkId]]` in place of numbers.
fn with_ids(told: &Reasoned, hold_bytes_max: usize) -> String {
    let sources: Sources = told.citations.iter().map(|citation| citation.chunk_id.as_str()).collect();
    cite::cite(&told.answer, &sources, Style::Ids, hold_bytes_max).text
}
