//! A query, as it is recorded.

use std::collections::BTreeMap;

use domain::{
    ClarificationPolicy, Depth, EarlierCall, Include, KeptSelection, Lineage, LineageKind, ListingId,
    MethodName, MethodRef, Query, ResponseShape, SaidChoice, Speaker, ToolScope, Turn,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What was asked, and what stood around it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// The question.
    pub(crate) query: AskedQuery,
    /// What else the reply hangs on, by name: where the run stands among its session's attempts.
    #[serde(default)]
    pub(crate) around: BTreeMap<String, String>,
}

/// What was asked of documents, and what stood around it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AskedOfDocuments {
    /// The question with its scope and its limits.
    pub(crate) question: Value,
    /// What else the reply hangs on, by name.
    #[serde(default)]
    pub(crate) around: BTreeMap<String, String>,
}

/// A query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AskedQuery {
    text: String,
    tools: Vec<String>,
    depth: String,
    clarification: String,
    shape: String,
    answer_model: Option<String>,
    data: bool,
    data_url: bool,
    developer_trace: bool,
    lineage: Option<AskedLineage>,
    history: Vec<AskedTurn>,
    choice: Option<AskedChoice>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct AskedLineage {
    is_fork: bool,
    session: String,
    attempt: String,
}

/// A turn before a question, as a recording has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskedTurn {
    is_user: bool,
    #[serde(default, skip_serializing_if = "is_not")]
    is_recap: bool,
    text: String,
    calls: Vec<(String, Map<String, Value>)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct AskedChoice {
    option: String,
    token: String,
    candidates: Option<Vec<(String, f64)>>,
    helpers: Vec<String>,
}

const SHAPES: [(ResponseShape, &str); 3] = [
    (ResponseShape::Answer, "answer"),
    (ResponseShape::AnswerWithEvidence, "answer_with_evidence"),
    (ResponseShape::EvidenceOnly, "evidence_only"),
];

impl AskedQuery {
    /// A query as it is written.
    pub(crate) fn of(query: &Query) -> Self {
        let Query {
            text,
            tools,
            depth,
            clarification,
            shape,
            answer_model,
            include,
            lineage,
            history,
            choice,
        } = query;
        Self {
            text: text.clone(),
            tools: match tools {
                ToolScope::Pinned(ids) => ids.iter().map(ToString::to_string).collect(),
                ToolScope::Discover => Vec::new(),
            },
            depth: depth.word().to_owned(),
            clarification: clarification.word().to_owned(),
            shape: SHAPES.iter().find(|(it, _)| it == shape).map_or("", |(_, word)| word).to_owned(),
            answer_model: answer_model.clone(),
            data: include.data,
            data_url: include.data_url,
            developer_trace: include.developer_trace,
            lineage: lineage.as_ref().map(|lineage| AskedLineage {
                is_fork: lineage.kind == LineageKind::Fork,
                session: lineage.session.clone(),
                attempt: lineage.attempt.clone(),
            }),
            history: history.iter().map(AskedTurn::from).collect(),
            choice: choice.as_ref().map(self::choice),
        }
    }

    /// The query; none where something in it is not known.
    pub(crate) fn read(&self) -> Option<Query> {
        let pinned: Vec<ListingId> =
            self.tools.iter().map(|id| id.parse().ok()).collect::<Option<Vec<_>>>()?;
        let depths = [Depth::Fast, Depth::Auto, Depth::Deep];
        let policies = [ClarificationPolicy::Return, ClarificationPolicy::Auto, ClarificationPolicy::Error];
        Some(Query {
            text: self.text.clone(),
            tools: if pinned.is_empty() { ToolScope::Discover } else { ToolScope::Pinned(pinned) },
            depth: depths.into_iter().find(|it| it.word() == self.depth)?,
            clarification: policies.into_iter().find(|it| it.word() == self.clarification)?,
            shape: SHAPES.iter().find(|(_, word)| *word == self.shape)?.0,
            answer_model: self.answer_model.clone(),
            include: Include {
                data: self.data,
                data_url: self.data_url,
                developer_trace: self.developer_trace,
            },
            lineage: self.lineage.as_ref().map(|lineage| Lineage {
                kind: if lineage.is_fork { LineageKind::Fork } else { LineageKind::Resume },
                session: lineage.session.clone(),
                attempt: lineage.attempt.clone(),
            }),
            history: self.history.iter().map(Turn::from).collect(),
            choice: match &self.choice {
                Some(choice) => Some(read_choice(choice)?),
                None => None,
            },
        })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde wants it")]
fn is_not(word: &bool) -> bool {
    !word
}

impl From<&Turn> for AskedTurn {
    fn from(turn: &Turn) -> Self {
        Self {
            is_user: turn.speaker == Speaker::User,
            is_recap: turn.speaker == Speaker::Recap,
            text: turn.text.clone(),
            calls: turn.calls.iter().map(|call| (call.method.clone(), call.arguments.clone())).collect(),
        }
    }
}

impl From<&AskedTurn> for Turn {
    fn from(turn: &AskedTurn) -> Self {
        let call = |(method, arguments): &(String, Map<String, Value>)| EarlierCall {
            method: method.clone(),
            arguments: arguments.clone(),
        };
        Self {
            speaker: match (turn.is_user, turn.is_recap) {
                (true, _) => Speaker::User,
                (false, true) => Speaker::Recap,
                (false, false) => Speaker::Assistant,
            },
            text: turn.text.clone(),
            calls: turn.calls.iter().map(call).collect(),
        }
    }
}

fn choice(choice: &SaidChoice) -> AskedChoice {
    let selection = choice.selection.as_ref();
    let scored = |(method, score): &(MethodRef, f64)| (method.to_string(), *score);
    AskedChoice {
        option: choice.option.clone(),
        token: choice.token.clone(),
        candidates: selection.map(|kept| kept.candidates.iter().map(scored).collect()),
        helpers: selection.iter().flat_map(|kept| kept.helpers.iter().map(ToString::to_string)).collect(),
    }
}

fn read_choice(choice: &AskedChoice) -> Option<SaidChoice> {
    let selection = match &choice.candidates {
        Some(candidates) => {
            let scored = |(method, score): &(String, f64)| Some((method_ref(method)?, *score));
            Some(KeptSelection {
                candidates: candidates.iter().map(scored).collect::<Option<_>>()?,
                helpers: choice.helpers.iter().map(|it| method_ref(it)).collect::<Option<_>>()?,
            })
        }
        None => None,
    };
    Some(SaidChoice { option: choice.option.clone(), token: choice.token.clone(), selection })
}

/// A method from its text form, `<listing id>:<method name>`.
fn method_ref(text: &str) -> Option<MethodRef> {
    let (listing, method) = text.split_once(':')?;
    Some(MethodRef { listing: listing.parse().ok()?, method: MethodName::new(method) })
}
