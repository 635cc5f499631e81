//! `reason`: an answer in the wire's words.

use cite::{Conflict, ConflictKind, Sources, Style};
use contract::library::{
    Citation, ConflictDetail, ConflictSide, MarkerStyle, QuoteBody, ReasonMeta, ReasonRequest, Reasoned,
    SentenceBody, SentenceCitation, Strength,
};
use domain::{Speaker, Turn, Usd};
use library::{
    Draft, Ending, Extractive, Gathered, Question, Quote, Rarities, ReasonGap, ReasonGapKind, ReasonLimits,
    Source, SourceConflict, Written,
};
use llm::{StageReport, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use trace::{Event, LookReport};

use super::sitting::{Asked, Sitting};
use super::writer::Writer;
use super::{DeskFault, Reader, show};
use crate::outside::Outside;

/// What the seed system says where nothing has to do with a question; its callers know the sentence.
const NO_EVIDENCE: &str = "Your repository has no content matching this question.";

impl Reader<'_> {
    /// Answers a question from the caller's documents. Nothing is kept of it but its recording.
    pub(crate) async fn reason(&self, request: &ReasonRequest) -> Result<Reasoned, DeskFault> {
        let sitting = Sitting::begin(self, Asked::alone(request), CancellationToken::new());
        // Nobody but the caller's own going away gives it up.
        Box::pin(self.reason_at(request, true, &sitting)).await.unwrap_or(Err(DeskFault::GivenUp))
    }

    /// The same in the sources' own sentences, within a request that is recorded itself: no model is asked.
    pub(crate) async fn reason_by_rules(&self, request: &ReasonRequest) -> Result<Reasoned, DeskFault> {
        let sitting = Sitting::within(self, Asked::alone(request));
        Box::pin(self.reasoned(request, false, &sitting)).await
    }

    /// The same at a sitting; none where it is given up.
    pub(super) async fn reason_at(
        &self,
        request: &ReasonRequest,
        asks_models: bool,
        sitting: &Sitting<'_>,
    ) -> Option<Result<Reasoned, DeskFault>> {
        let reply = sitting.attend(Box::pin(self.reasoned(request, asks_models, sitting))).await?;
        let outcome = match &reply {
            Ok(reasoned) if reasoned.answer.is_empty() => "capability_miss",
            Ok(_) => "answer",
            Err(_) => "failed",
        };
        sitting.replied(outcome, || match &reply {
            Ok(data) => json!({ "data": data }).to_string(),
            Err(fault) => refused(fault),
        });
        Some(reply)
    }

    async fn reasoned(
        &self,
        request: &ReasonRequest,
        asks_models: bool,
        sitting: &Sitting<'_>,
    ) -> Result<Reasoned, DeskFault> {
        let since = sitting.now();
        let gathered = self.gathered(request, sitting).await?;
        let exchanges = sitting.exchanges();
        let session = asks_models.then(|| self.desk.portfolio.session_over(None, &exchanges));
        let previous = request.previous.iter().map(|text| Turn::said(Speaker::User, text).told());
        let rules = Extractive::from(&self.policy().reason);
        let writer = Writer { session, rules, history: previous.collect(), aloud: None };
        let draft = library::draft(self.policy(), &request.query, gathered, &writer);
        let draft = sitting.writing(draft).await;
        let reports = sitting.hear(writer.session.as_ref());
        let reasoned = match draft {
            Draft::Written { gathered, written } => self.checked(gathered, written, sitting).await?,
            Draft::Ended(Ending::Answer(reasoned)) => *reasoned,
            Draft::Ended(Ending::Unwritten { sources, fault }) => {
                let evidence = sources.iter().enumerate();
                return Err(DeskFault::Unwritten {
                    reason: fault.to_string(),
                    evidence: evidence.map(|(at, source)| gathered_source(at + 1, source)).collect(),
                });
            }
        };
        let mut told = told(&reasoned, &reports);
        told.meta.latency_ms = sitting.elapsed_ms(since);
        if request.markers == MarkerStyle::Ids {
            told.answer = with_ids(&told, self.policy().markers.hold_bytes_max);
        }
        Ok(told)
    }

    async fn gathered(&self, request: &ReasonRequest, sitting: &Sitting<'_>) -> Result<Gathered, DeskFault> {
        let since = sitting.now();
        let given = json!({
            "question": request.query, "previous": request.previous, "limit": request.limit,
            "tokens_max": request.tokens_max,
        });
        let live = async {
            let scope = self.scope(request.collection_id.as_deref(), request.document_id.as_deref());
            let question = Question { text: &request.query, previous: request.previous.as_deref() };
            let limits = ReasonLimits { chunks: request.limit, tokens: request.tokens_max };
            let library = &self.desk.library;
            let revision = library.revision().await?;
            let gathered = library.gather(&scope, question, limits).await?;
            Ok::<_, DeskFault>(Found { revision, found: gathered })
        };
        let found: Found<Gathered> = sitting.outside().look("documents", given, live).await?;
        let gathered = found.found;
        let count = gathered.sources.len();
        sitting.note(Event::DocumentsLooked(LookReport {
            tool: "deep_search",
            told: request.query.clone(),
            found: count,
            fresh: count,
            duration_ms: sitting.elapsed_ms(since),
        }));
        Ok(gathered)
    }

    /// Holds what was written against what was gathered.
    pub(super) async fn checked(
        &self,
        gathered: Gathered,
        written: Written,
        sitting: &Sitting<'_>,
    ) -> Result<library::Reasoned, DeskFault> {
        if let Outside::Live = sitting.outside() {
            return Ok(self.desk.library.check(gathered, written).await?.0);
        }
        // All that hangs on the library is how rare terms are; the rest is done again.
        let live = async {
            let (_, rarities) = self.desk.library.check(gathered.clone(), written.clone()).await?;
            Ok::<Rarities, DeskFault>(rarities)
        };
        let rarities = sitting.outside().look("rarities", Value::Null, live).await?;
        Ok(library::check_by(&rarities, gathered, &written, self.policy()))
    }
}

/// What was found, and how often the documents had been changed by then.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Found<T> {
    pub(super) revision: i64,
    pub(super) found: T,
}

/// A refusal, as a recording has it.
pub(super) fn refused(fault: &DeskFault) -> String {
    let evidence = if let DeskFault::Unwritten { evidence, .. } = fault { evidence.as_slice() } else { &[] };
    json!({ "error": fault.to_string(), "evidence": evidence }).to_string()
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
            ..gathered_source(citation.number, source)
        })
    };
    reasoned.citations.iter().filter_map(of).collect()
}

/// A source that was gathered, with its beginning for a quote.
pub(super) fn gathered_source(ordinal: usize, source: &Source) -> Citation {
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
