//! What went wrong with a server, as a fault kind and in words that may be shown to a caller.
//!
//! The words never hold an address, a header, a command or a body: only what the server said as an error, shortened.

use std::error::Error;

use domain::{CallFault, FaultKind};
use rmcp::ServiceError;
use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::ClientInitializeError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

/// The code of an answer that was dropped for its size before it was read.
pub(crate) const TOO_LARGE: ErrorCode = ErrorCode(-32_901);
/// The code of an answer that is no JSON-RPC.
pub(crate) const GARBLED: ErrorCode = ErrorCode(-32_902);
/// The MCP standard's code for a method that wants its user to visit an address first.
const URL_ELICITATION: ErrorCode = ErrorCode(-32_042);

/// A fault of this kind.
pub(crate) fn fault(kind: FaultKind, message: impl Into<String>) -> CallFault {
    CallFault { kind, message: message.into() }
}

/// The first `chars_max` characters of a stranger's text, in one line, without control characters.
pub(crate) fn shortened(text: &str, chars_max: usize) -> String {
    let printable = |character: char| if character.is_control() { ' ' } else { character };
    let mut short: String = text.trim().chars().take(chars_max).map(printable).collect();
    if text.trim().chars().nth(chars_max).is_some() {
        short.push('…');
    }
    short
}

/// Why a request got no result.
#[expect(clippy::wildcard_enum_match_arm, reason = "the SDK's enum may grow")]
pub(crate) fn of_request(error: &ServiceError, chars_max: usize) -> CallFault {
    match error {
        ServiceError::McpError(data) => of_answer(data, chars_max),
        ServiceError::TransportSend(error) => of_transport(error.error.as_ref()),
        ServiceError::UnexpectedResponse => {
            fault(FaultKind::Protocol, "the server answered with something else than a result")
        }
        ServiceError::Cancelled { .. } => fault(FaultKind::Cancelled, "the call was cancelled"),
        ServiceError::Timeout { .. } => fault(FaultKind::Timeout, "no answer in time"),
        _ => fault(FaultKind::Unreachable, "the server went away"),
    }
}

/// Why a session could not be opened.
#[expect(clippy::wildcard_enum_match_arm, reason = "the SDK's enum may grow")]
pub(crate) fn of_opening(error: &ClientInitializeError, chars_max: usize) -> String {
    match error {
        ClientInitializeError::TransportError { error, .. } => of_transport(error.error.as_ref()).message,
        ClientInitializeError::JsonRpcError(data) => {
            format!("the server refused to start: {}", shortened(&data.message, chars_max))
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => of_opening(fallback, chars_max),
        ClientInitializeError::ConnectionClosed(_) => {
            "the server closed the connection while starting".to_owned()
        }
        ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
            "no protocol version in common".to_owned()
        }
        ClientInitializeError::Cancelled => "stopped".to_owned(),
        _ => "the server broke the protocol while starting".to_owned(),
    }
}

fn of_answer(data: &ErrorData, chars_max: usize) -> CallFault {
    if data.code == TOO_LARGE {
        return fault(FaultKind::TooLarge, data.message.to_string());
    }
    if data.code == GARBLED {
        return fault(FaultKind::Protocol, data.message.to_string());
    }
    if data.code == URL_ELICITATION || data.code == ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY {
        return fault(FaultKind::NeedsAction, "the method wants input from its user");
    }
    let words = shortened(&data.message, chars_max);
    fault(FaultKind::MethodError, format!("the server answered error {}: {words}", data.code.0))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the SDK's enum may grow")]
fn of_transport(error: &(dyn Error + Send + Sync + 'static)) -> CallFault {
    let Some(error) = error.downcast_ref::<StreamableHttpError<reqwest::Error>>() else {
        return fault(FaultKind::Unreachable, "the connection is closed");
    };
    match error {
        StreamableHttpError::ResponseBodyTooLarge { max_size } => {
            fault(FaultKind::TooLarge, format!("the answer has more than {max_size} bytes"))
        }
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_) => {
            fault(FaultKind::NeedsAction, "the server wants a login")
        }
        StreamableHttpError::HttpStatus(status) => {
            fault(FaultKind::Unreachable, format!("the server answered HTTP {}", status.status))
        }
        StreamableHttpError::Client(error) if error.is_timeout() => {
            fault(FaultKind::Timeout, "no connection in time")
        }
        StreamableHttpError::Client(error) if error.is_connect() => {
            fault(FaultKind::Unreachable, "no connection to the server")
        }
        StreamableHttpError::SessionExpired
        | StreamableHttpError::SessionRecoveryTimeout
        | StreamableHttpError::ReinitializationFailed(_) => {
            fault(FaultKind::Unreachable, "the server ended the session")
        }
        StreamableHttpError::UnexpectedServerResponse(_)
        | StreamableHttpError::UnexpectedContentType(_)
        | StreamableHttpError::Deserialize(_) => {
            fault(FaultKind::Protocol, "the server's answer is no JSON-RPC")
        }
        _ => fault(FaultKind::Unreachable, "the connection broke"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, proptest};

    use super::*;

    fn kind_of(code: i32) -> FaultKind {
        of_request(&ServiceError::McpError(ErrorData::new(ErrorCode(code), "no", None)), 10).kind
    }

    #[test]
    fn answers_have_their_kinds() {
        assert_eq!(kind_of(TOO_LARGE.0), FaultKind::TooLarge);
        assert_eq!(kind_of(GARBLED.0), FaultKind::Protocol);
        assert_eq!(kind_of(-32_042), FaultKind::NeedsAction);
        assert_eq!(kind_of(-32_021), FaultKind::NeedsAction);
        assert_eq!(kind_of(-32_602), FaultKind::MethodError);
        assert_eq!(of_request(&ServiceError::TransportClosed, 10).kind, FaultKind::Unreachable);
        assert_eq!(of_request(&ServiceError::UnexpectedResponse, 10).kind, FaultKind::Protocol);
    }

    proptest! {
        #[test]
        fn a_strangers_text_is_short_and_in_one_line(text in "(?s).{0,60}", most in 1_usize..40) {
            let short = shortened(&text, most);
            prop_assert!(short.chars().count() <= most + 1);
            prop_assert!(!short.chars().any(char::is_control));
        }
    }
}
