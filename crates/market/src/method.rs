//! One method: a typed function from arguments to a result, and what the marketplace is told about it.

use std::time::Duration;

use jiff::Timestamp;
use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::moment::Moment;
use crate::refusal::Refusal;
use crate::schema;

/// How a method goes from arguments to a result.
type Handler = Box<dyn Fn(&Moment, JsonObject) -> Result<Value, Refusal> + Send + Sync>;

/// One method of a listing. Its schemas are those of its handler's types.
pub(crate) struct Method {
    tool: Tool,
    meta: Meta,
    delay: Option<Duration>,
    handler: Handler,
}

impl Method {
    /// A method that changes nothing, open to queries and to direct execution; `instant`, unless said
    /// otherwise.
    pub(crate) fn read<A, R>(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        handler: impl Fn(&Moment, &A) -> Result<R, Refusal> + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        R: Serialize + JsonSchema,
    {
        let annotations =
            ToolAnnotations::with_title(title).read_only(true).idempotent(true).open_world(false);
        let bare = Self::bare(name, description, handler);
        let tool = bare
            .tool
            .with_title(title)
            .with_annotations(annotations)
            .with_raw_output_schema(schema::of_result::<Dated<R>>().into());
        Self { tool, ..bare }.describe(|_| ())
    }

    /// A method that changes something: for direct execution only.
    pub(crate) fn write<A, R>(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        handler: impl Fn(&Moment, &A) -> Result<R, Refusal> + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        R: Serialize + JsonSchema,
    {
        let annotations = ToolAnnotations::with_title(title)
            .read_only(false)
            .destructive(true)
            .idempotent(false)
            .open_world(false);
        let read = Self::read(name, title, description, handler);
        Self { tool: read.tool.with_annotations(annotations), ..read }.describe(|meta| {
            meta.surface = Surface::Execute;
            meta.query_eligible = false;
        })
    }

    /// A method that the marketplace is told nothing about but its name, its arguments and a few words.
    pub(crate) fn bare<A, R>(
        name: &'static str,
        description: &'static str,
        handler: impl Fn(&Moment, &A) -> Result<R, Refusal> + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        R: Serialize,
    {
        let arguments = schema::of_arguments::<A>();
        let summary = schema::summary(&arguments);
        let handler = move |moment: &Moment, given: JsonObject| {
            let arguments = parse(given, &summary)?;
            let body = handler(moment, &arguments)?;
            Ok(serde_json::to_value(Dated { body, observed_at: moment.at(), sample_data: true })?)
        };
        Self {
            tool: Tool::new(name, description, arguments),
            meta: Meta::default(),
            delay: None,
            handler: Box::new(handler),
        }
    }

    /// It says that it takes a moment.
    pub(crate) fn fast(self) -> Self {
        self.describe(|meta| meta.latency_class = LatencyClass::Fast)
    }

    /// It takes `delay`, and says so.
    pub(crate) fn slow(self, delay: Duration) -> Self {
        Self { delay: Some(delay), ..self }.describe(|meta| meta.latency_class = LatencyClass::Slow)
    }

    /// It says that it never ends: not for queries.
    pub(crate) fn streaming(self) -> Self {
        self.describe(|meta| {
            meta.latency_class = LatencyClass::Streaming;
            meta.query_eligible = false;
        })
    }

    /// What one call costs, in US dollars.
    pub(crate) fn priced(self, execute_usd: &'static str) -> Self {
        self.describe(|meta| meta.pricing = Pricing { execute_usd })
    }

    /// How many calls a minute and at once it wants at most.
    pub(crate) fn paced(self, requests_per_minute: u32, concurrency: u32) -> Self {
        self.describe(|meta| {
            meta.rate_limit.max_requests_per_minute = Some(requests_per_minute);
            meta.rate_limit.max_concurrency = concurrency;
        })
    }

    /// One call of `batch` serves what many calls of it would.
    pub(crate) fn batched_by(self, batch: &'static str) -> Self {
        self.describe(|meta| meta.rate_limit.recommended_batch_tools = vec![batch])
    }

    /// One call of it serves many items.
    pub(crate) fn bulk(self) -> Self {
        self.describe(|meta| meta.rate_limit.supports_bulk = true)
    }

    /// It claims to be a harmless answer and gives no hints to check that by, as careless listings do.
    pub(crate) fn mislabelled(mut self) -> Self {
        self.tool.annotations = None;
        self.describe(|meta| {
            meta.surface = Surface::Answer;
            meta.query_eligible = true;
        })
    }

    /// What `tools/list` says about it.
    pub(crate) fn tool(&self) -> &Tool {
        &self.tool
    }

    /// How long a call takes; none for at once.
    pub(crate) fn delay(&self) -> Option<Duration> {
        self.delay
    }

    /// The structured result of a call.
    pub(crate) fn answer(&self, moment: &Moment, arguments: JsonObject) -> Result<Value, Refusal> {
        (self.handler)(moment, arguments)
    }

    fn describe(mut self, change: impl FnOnce(&mut Meta)) -> Self {
        change(&mut self.meta);
        if let Ok(Value::Object(object)) = serde_json::to_value(&self.meta) {
            self.tool.meta = Some(MetaObject(object));
        }
        self
    }
}

fn parse<A: DeserializeOwned>(given: JsonObject, summary: &str) -> Result<A, Refusal> {
    serde_path_to_error::deserialize(Value::Object(given)).map_err(|error| Refusal::Arguments {
        path: error.path().to_string(),
        accepted: summary.to_owned(),
        inner: error.into_inner(),
    })
}

/// A result with what every result of a sample carries.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Dated<R> {
    #[serde(flatten)]
    body: R,
    /// When the values were true, RFC 3339 in UTC.
    observed_at: Timestamp,
    /// Always true: the values are generated sample data, not real observations.
    #[schemars(extend("const" = true))]
    sample_data: bool,
}

/// The marketplace's `_meta` of a method.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    surface: Surface,
    query_eligible: bool,
    latency_class: LatencyClass,
    pricing: Pricing,
    rate_limit: RateLimit,
}

impl Default for Meta {
    fn default() -> Self {
        Self {
            surface: Surface::Both,
            query_eligible: true,
            latency_class: LatencyClass::Instant,
            pricing: Pricing { execute_usd: "0.0010" },
            rate_limit: RateLimit {
                max_requests_per_minute: None,
                max_concurrency: 16,
                supports_bulk: false,
                recommended_batch_tools: Vec::new(),
            },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Surface {
    Answer,
    Execute,
    Both,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum LatencyClass {
    Instant,
    Fast,
    Slow,
    Streaming,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pricing {
    execute_usd: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RateLimit {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_requests_per_minute: Option<u32>,
    max_concurrency: u32,
    supports_bulk: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recommended_batch_tools: Vec<&'static str>,
}
