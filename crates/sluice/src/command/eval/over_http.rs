//! Cases asked of a running server, over the wire and as a client would.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use contract::error::ErrorBody;
use contract::events::ErrorEvent;
use contract::result::QueryResult;
use contract::tools::SearchReply;
use contract::trace::DeveloperTrace;
use domain::ListingId;
use evals::suite::SuiteCase;
use evals::{Observed, Reply};
use policy::Policy;
use reqwest::{Client, RequestBuilder, Response, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::command::Fault;
use crate::command::eval::now_us;

/// What stands before the payload of an event; clients know no other form.
const DATA: &str = "data: ";

/// A running server.
pub(super) struct OverHttp {
    client: Client,
    url: String,
    key: String,
    stream: bool,
    /// The identifiers of its listings, by name.
    listings: BTreeMap<String, String>,
}

impl OverHttp {
    /// Finds the server and its listings.
    pub(super) async fn reach(url: &str, key: &str, stream: bool, policy: &Policy) -> Result<Self, Fault> {
        let parsed = Url::parse(url).map_err(|error| Fault::Usage(format!("--url {url}: {error}")))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(Fault::Usage(format!("--url {url}: neither http nor https")));
        }
        // Whoever came first installed the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // No answer takes longer than its deadline; the reserve is for the way there and back.
        let patience = policy.budgets.deadline_ms_max + policy.budgets.answer_reserve_ms;
        let client = Client::builder()
            .timeout(Duration::from_millis(patience))
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| Fault::Usage(told(error)))?;
        let mut server = Self {
            client,
            url: url.trim_end_matches('/').to_owned(),
            key: key.to_owned(),
            stream,
            listings: BTreeMap::new(),
        };
        let limit = policy.server.search_results_max;
        let listed = server.client.get(format!("{}/api/v1/tools/search?limit={limit}", server.url));
        let found = server.send(listed).await.map_err(|message| Fault::Usage(format!("{url}: {message}")))?;
        let reply: SearchReply =
            read(found).await.map_err(|message| Fault::Usage(format!("{url}: {message}")))?;
        server.listings = reply.tools.into_iter().map(|tool| (tool.name, tool.id)).collect();
        Ok(server)
    }

    /// What is asked, in words. A server does not say which policies it runs.
    pub(super) fn words(&self) -> String {
        let form = if self.stream { "event streams" } else { "JSON" };
        format!("asked {} for {form}; the server's policies may differ from this command's", self.url)
    }

    /// Asks one case.
    pub(super) async fn ask(&self, case: &SuiteCase) -> Reply {
        if let Some(stage) = case.rollout {
            let stage = stage.word();
            return Reply::Skipped(format!("wants the gate's stage {stage}, which is the server's to set"));
        }
        self.asked(case).await.unwrap_or_else(Reply::Failed)
    }

    async fn asked(&self, case: &SuiteCase) -> Result<Reply, String> {
        let named = |name: &String| {
            self.listings.get(name).cloned().unwrap_or_else(|| ListingId::of_name(name).to_string())
        };
        let body = case.request(case.pin.iter().map(named).collect(), self.stream);
        let started_us = now_us();
        let response = self.send(self.client.post(format!("{}/api/v1/query", self.url)).json(&body)).await?;
        if !self.stream {
            let result: QueryResult = read(response).await?;
            let duration_us = now_us().saturating_sub(started_us);
            return Ok(Reply::Seen(Box::new(Observed::of(&result, duration_us))));
        }
        let text = response.text().await.map_err(told)?;
        streamed(&text, now_us().saturating_sub(started_us)).map(|observed| Reply::Seen(Box::new(observed)))
    }

    /// Sends a request; a refusal is told in the server's own words.
    async fn send(&self, request: RequestBuilder) -> Result<Response, String> {
        let response = request.bearer_auth(&self.key).send().await.map_err(told)?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let said = response.json::<ErrorBody>().await.map(|body| body.error).unwrap_or_default();
        Err(format!("HTTP {status}: {said}"))
    }
}

async fn read<T: DeserializeOwned>(response: Response) -> Result<T, String> {
    let bytes = response.bytes().await.map_err(told)?;
    serde_json::from_slice(&bytes).map_err(|error| format!("the reply is not of the wire: {error}"))
}

/// The ending of a stream, read as clients read it: what they skip is skipped, and `done` wins over `error`.
fn streamed(text: &str, duration_us: u64) -> Result<Observed, String> {
    let (mut trace, mut error, mut result) = (None, None, None);
    for payload in text.lines().filter_map(|line| line.strip_prefix(DATA)) {
        let Ok(mut event) = serde_json::from_str::<Value>(payload) else { continue };
        match event["type"].as_str() {
            Some("developer-trace") => trace = Some(part::<DeveloperTrace>(event["trace"].take())?),
            Some("done") => result = Some(part::<QueryResult>(event["result"].take())?),
            Some("error") => error = Some(part::<ErrorEvent>(event)?),
            Some(_) | None => {}
        }
    }
    if let Some(mut result) = result {
        result.developer_trace = result.developer_trace.or(trace.map(Box::new));
        return Ok(Observed::of(&result, duration_us));
    }
    let error: ErrorEvent = error.ok_or_else(|| "the stream ended before its result".to_owned())?;
    Observed::of_error(&error, trace.as_ref(), duration_us).ok_or(error.error)
}

fn part<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("an event is not of the wire: {error}"))
}

/// An error with its causes, on one line.
fn told(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        words.push_str(": ");
        words.push_str(&next.to_string());
        cause = next.source();
    }
    words
}

#[cfg(test)]
mod tests {
    use evals::corpus::Outcome;
    use serde_json::json;

    use super::*;

    fn result(outcome: &str) -> Value {
        json!({
            "success": true, "response": "", "toolsUsed": [], "durationMs": 1, "outcomeType": outcome,
            "cost": {"modelCostUsd": "0", "toolCostUsd": "0", "totalCostUsd": "0"},
        })
    }

    fn stream(events: &[Value]) -> String {
        let framed = events.iter().map(|event| format!("{DATA}{event}\n\n"));
        format!(": keep-alive\n\n{}{DATA}[DONE]\n\n", framed.collect::<String>())
    }

    #[test]
    fn the_result_wins_and_gets_the_trace() {
        let history = json!([{"toolId": "t", "toolName": "get_rain", "args": {}, "result": {}}]);
        let events = [
            json!({"type": "error", "error": "late"}),
            json!({"type": "text-delta", "delta": "x"}),
            json!({"type": "developer-trace", "trace": {"toolCallHistory": history}}),
            json!({"type": "done", "result": result("answer")}),
        ];
        let observed = streamed(&stream(&events), 7).unwrap();
        assert_eq!((observed.outcome, observed.duration_us), (Outcome::Answer, 7));
        assert!(observed.methods.contains("get_rain"));
    }

    #[test]
    fn an_error_may_be_an_ending_or_a_failure() {
        let asked = json!({"type": "error", "error": "unclear", "outcomeType": "clarification_required"});
        assert_eq!(streamed(&stream(&[asked]), 0).unwrap().outcome, Outcome::ClarificationRequired);
        let broken = json!({"type": "error", "error": "broken"});
        assert_eq!(streamed(&stream(&[broken]), 0).unwrap_err(), "broken");
        assert_eq!(streamed("", 0).unwrap_err(), "the stream ended before its result");
        let odd = json!({"type": "done", "result": result("perhaps")});
        assert!(streamed(&stream(&[odd]), 0).unwrap_err().contains("not of the wire"));
    }
}
