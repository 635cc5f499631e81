//! What a client sends: read as both request forms have it, with the field that is at fault named.

use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::replies::VoteKind;
use crate::error::{BodyFault, ErrorCode};
use crate::object::{Object, parsed, wrong_type};
use crate::query::ClarificationPolicy;

/// The body of `POST /api/chat`. Unknown keys are ignored.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ChatBody {
    /// The thread.
    pub id: String,
    /// What is said: sent as `message`, or as the last one of `messages`. The rest of `messages` is not read; the
    /// thread's history is the server's own.
    pub message: Option<ChatMessage>,
    /// What is to be done.
    #[schema(inline)]
    pub trigger: Trigger,
    /// The message that the trigger is about.
    pub message_id: Option<String>,
    /// The model that writes the answer.
    pub selected_chat_model: Option<String>,
    /// What to do with an ambiguous question; `return` where nothing is said.
    pub clarification_policy: Option<ClarificationPolicy>,
    /// The toggle of a page: true for `auto`, false for `return`; `clarificationPolicy` wins.
    pub auto_select: Option<bool>,
    /// The option of the pending clarification that is meant; also in the message's metadata.
    pub clarification: Option<ChosenOption>,
    /// Whether to tell the developer trace.
    pub include_developer_trace: bool,
    /// The listings that may serve the thread, fixed when it is begun.
    pub tools: Option<Vec<String>>,
    /// The documents that serve the thread instead of listings, fixed when it is begun: `true` for all of the caller's.
    pub documents: Option<DocumentScope>,
    /// What shows that the caller is no program.
    pub proof: Option<Proof>,
}

/// Which documents serve a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct DocumentScope {
    /// Only those of this collection.
    pub collection_id: Option<String>,
    /// Only this one.
    pub document_id: Option<String>,
}

/// What is said.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema)]
pub struct ChatMessage {
    /// Its id.
    pub id: String,
    /// Its text parts, joined by line ends.
    pub text: String,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "kebab-case")]
pub enum Trigger {
    /// Answer a message.
    SubmitMessage,
    /// Answer the last question again.
    RegenerateMessage,
}

/// An option of a clarification.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ChosenOption {
    /// The clarification.
    pub clarification_id: String,
    /// The option's id.
    pub option_id: String,
}

/// What shows that a caller is no program.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "camelCase")]
pub enum Proof {
    /// Work done on a challenge.
    Work {
        /// The challenge.
        challenge: String,
        /// What makes its hash begin with zeros.
        nonce: String,
    },
    /// A service's token.
    Token(String),
}

/// The body of `POST /api/chat/{id}/stop`.
#[derive(Clone, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct StopBody {
    /// The run to stop: a newer one is left alone. Whatever runs, where it is not said.
    pub run_id: Option<String>,
}

/// The body of `PATCH /api/vote`.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct VoteBody {
    /// The thread.
    pub chat_id: String,
    /// The message.
    pub message_id: String,
    /// What is thought of it.
    #[schema(rename = "type")]
    pub kind: VoteKind,
}

/// Characters of an id.
const ID_CHARS_MAX: usize = 64;

const CLARIFICATION_POLICIES: &[(&str, ClarificationPolicy)] = &[
    ("return", ClarificationPolicy::Return),
    ("auto", ClarificationPolicy::Auto),
    ("error", ClarificationPolicy::Error),
];

const TRIGGERS: &[(&str, Trigger)] =
    &[("submit-message", Trigger::SubmitMessage), ("regenerate-message", Trigger::RegenerateMessage)];

const VOTES: &[(&str, VoteKind)] = &[("up", VoteKind::Up), ("down", VoteKind::Down)];

impl ChatBody {
    /// Reads a body in either form; at most `parts_max` parts of the message. Lengths of text are not checked.
    pub fn parse(bytes: &[u8], parts_max: usize) -> Result<Self, BodyFault> {
        let members = parsed(bytes)?;
        let object = Object { members: &members, path: "" };
        let trigger = object.word("trigger", TRIGGERS)?.unwrap_or(Trigger::SubmitMessage);
        let message = message(&object)?;
        if message.is_none() && trigger == Trigger::SubmitMessage {
            return Err(BodyFault::missing("message"));
        }
        let chosen = chosen(&object, "clarification")?;
        let in_metadata = match message {
            Some((message, _)) => metadata_choice(message)?,
            None => None,
        };
        let message = match message {
            Some((members, field)) if trigger == Trigger::SubmitMessage => {
                Some(said(members, field, parts_max)?)
            }
            Some(_) | None => None,
        };
        Ok(Self {
            id: checked_id("id", object.required_text("id")?)?,
            message,
            trigger,
            message_id: object.text("messageId")?.map(|id| checked_id("messageId", id)).transpose()?,
            selected_chat_model: object.text("selectedChatModel")?.filter(|name| !name.trim().is_empty()),
            clarification_policy: object.word("clarificationPolicy", CLARIFICATION_POLICIES)?,
            auto_select: object.flag("autoSelect")?,
            clarification: chosen.or(in_metadata),
            include_developer_trace: object.flag("includeDeveloperTrace")?.unwrap_or(false),
            tools: tools(&object)?,
            documents: documents(&object)?,
            proof: proof(&object)?,
        })
    }
}

impl StopBody {
    /// Reads a body; an empty one names no run.
    pub fn parse(bytes: &[u8]) -> Result<Self, BodyFault> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Self::default());
        }
        let members = parsed(bytes)?;
        let object = Object { members: &members, path: "" };
        Ok(Self { run_id: object.text("runId")?.map(|id| checked_id("runId", id)).transpose()? })
    }
}

impl VoteBody {
    /// Reads a body.
    pub fn parse(bytes: &[u8]) -> Result<Self, BodyFault> {
        let members = parsed(bytes)?;
        let object = Object { members: &members, path: "" };
        let kind = object.word("type", VOTES)?.ok_or_else(|| BodyFault::missing("type"))?;
        Ok(Self {
            chat_id: checked_id("chatId", object.required_text("chatId")?)?,
            message_id: checked_id("messageId", object.required_text("messageId")?)?,
            kind,
        })
    }
}

/// An id as a client may make one: it can stand in an address, and is never a path of its own.
pub fn checked_id(field: &str, id: String) -> Result<String, BodyFault> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if (1..=ID_CHARS_MAX).contains(&id.len()) && id.bytes().all(is_plain) {
        return Ok(id);
    }
    let message = format!("must be 1 to {ID_CHARS_MAX} letters, digits, `-` or `_`");
    Err(BodyFault::new(ErrorCode::InvalidValue, field, message))
}

type Members<'a> = (&'a Map<String, Value>, &'static str);

/// The message that is meant, where there is one.
fn message<'a>(object: &Object<'a>) -> Result<Option<Members<'a>>, BodyFault> {
    if let Some(message) = object.object("message")? {
        return Ok(Some((message.members, "message")));
    }
    let Some(value) = object.get("messages") else { return Ok(None) };
    let Value::Array(messages) = value else {
        return Err(wrong_type("messages".to_owned(), "an array of messages", value));
    };
    for (place, message) in messages.iter().enumerate() {
        // A history with words of the system in it is forged: nothing that this server sends has them.
        if !matches!(message["role"].as_str(), Some("user" | "assistant")) {
            let field = format!("messages[{place}].role");
            return Err(BodyFault::new(ErrorCode::InvalidValue, field, "must be `user` or `assistant`"));
        }
    }
    match messages.last() {
        Some(Value::Object(members)) => Ok(Some((members, "messages"))),
        Some(_) | None => Ok(None),
    }
}

fn said(
    members: &Map<String, Value>,
    field: &'static str,
    parts_max: usize,
) -> Result<ChatMessage, BodyFault> {
    let object = Object { members, path: field };
    if object.required_text("role")? != "user" {
        return Err(BodyFault::new(ErrorCode::InvalidValue, object.field("role"), "must be `user`"));
    }
    let id = checked_id(&object.field("id"), object.required_text("id")?)?;
    let field = object.field("parts");
    let Some(parts) = object.get("parts") else { return Err(BodyFault::missing(field)) };
    let Value::Array(parts) = parts else { return Err(wrong_type(field, "an array of parts", parts)) };
    if parts.len() > parts_max {
        let message =
            format!("has {} parts; at most {parts_max} are allowed (`message_parts_max`)", parts.len());
        return Err(BodyFault::new(ErrorCode::LimitExceeded, field, message));
    }
    let mut texts = Vec::new();
    for part in parts {
        match (part["type"].as_str(), part["text"].as_str()) {
            (Some("text"), Some(text)) => texts.push(text),
            (Some("text"), None) => {
                return Err(BodyFault::new(ErrorCode::InvalidType, field, "a text part has no text"));
            }
            (Some(kind), _) if kind.starts_with("data-") => {}
            _ => {
                return Err(BodyFault::new(ErrorCode::InvalidValue, field, "only text parts are understood"));
            }
        }
    }
    let text = texts.join("\n").trim().to_owned();
    if text.is_empty() {
        return Err(BodyFault::new(ErrorCode::InvalidValue, field, "must have text"));
    }
    Ok(ChatMessage { id, text })
}

fn metadata_choice(message: &Map<String, Value>) -> Result<Option<ChosenOption>, BodyFault> {
    match message.get("metadata") {
        Some(Value::Object(members)) => chosen(&Object { members, path: "metadata" }, "clarification"),
        Some(_) | None => Ok(None),
    }
}

fn chosen(object: &Object<'_>, key: &'static str) -> Result<Option<ChosenOption>, BodyFault> {
    let Some(choice) = object.object(key)? else { return Ok(None) };
    Ok(Some(ChosenOption {
        clarification_id: choice.required_text("clarificationId")?,
        option_id: choice.required_text("optionId")?,
    }))
}

fn tools(object: &Object<'_>) -> Result<Option<Vec<String>>, BodyFault> {
    let Some(value) = object.get("tools") else { return Ok(None) };
    let ids = value.as_array().and_then(|ids| ids.iter().map(|id| id.as_str().map(str::to_owned)).collect());
    ids.map(Some).ok_or_else(|| wrong_type("tools".to_owned(), "an array of tool ids", value))
}

fn documents(object: &Object<'_>) -> Result<Option<DocumentScope>, BodyFault> {
    if let Some(Value::Bool(are_meant)) = object.get("documents") {
        return Ok(are_meant.then(DocumentScope::default));
    }
    let Some(scope) = object.object("documents")? else { return Ok(None) };
    let id = |key: &'static str| scope.text(key)?.map(|id| checked_id(&scope.field(key), id)).transpose();
    Ok(Some(DocumentScope { collection_id: id("collectionId")?, document_id: id("documentId")? }))
}

fn proof(object: &Object<'_>) -> Result<Option<Proof>, BodyFault> {
    let Some(proof) = object.object("proof")? else { return Ok(None) };
    if let Some(token) = proof.text("token")? {
        return Ok(Some(Proof::Token(token)));
    }
    let challenge = proof.required_text("challenge")?;
    Ok(Some(Proof::Work { challenge, nonce: proof.required_text("nonce")? }))
}

#[cfg(test)]
mod tests;
