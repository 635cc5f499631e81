//! The limits: of a request, a program, an upstream, the server.

use domain::Usd;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::range::{OutOfRange, at_least_one, within};
use crate::workers::{SandboxMode, Workers};

/// `budgets.toml`: what one request may spend.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budgets {
    /// Characters of the question.
    pub query_chars_max: usize,
    /// Listings that a caller may pin.
    pub pinned_tools_max: usize,
    /// Wall time, in milliseconds.
    pub deadline_ms_max: u64,
    /// Of that, kept back from calls so that what was found can still be told, in milliseconds.
    pub answer_reserve_ms: u64,
    /// Calls of MCP methods.
    pub calls_max: usize,
    /// Calls under way at once.
    pub calls_in_flight_max: usize,
    /// Bytes of all results together.
    pub result_bytes_max: usize,
    spend_usd_max: Decimal,
    /// Facts of one evidence package.
    pub facts_max: usize,
    /// Rows of one view.
    pub rows_max: usize,
    /// Rows that one call is asked for, where they are ranked or held against a bound behind it.
    pub asked_rows_max: usize,
    /// Bytes of inline data.
    pub inline_data_bytes_max: usize,
}

impl Budgets {
    /// Dollars for calls and models together.
    #[must_use]
    pub fn spend_max(&self) -> Usd {
        Usd::from(self.spend_usd_max)
    }

    /// Allows no more than this many dollars.
    pub(crate) fn narrow_spend(&mut self, usd_max: Decimal) {
        self.spend_usd_max = self.spend_usd_max.min(usd_max);
    }

    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        at_least_one("query_chars_max", self.query_chars_max)?;
        at_least_one("pinned_tools_max", self.pinned_tools_max)?;
        at_least_one("deadline_ms_max", self.deadline_ms_max)?;
        at_least_one("calls_max", self.calls_max)?;
        at_least_one("calls_in_flight_max", self.calls_in_flight_max)?;
        at_least_one("result_bytes_max", self.result_bytes_max)?;
        at_least_one("facts_max", self.facts_max)?;
        at_least_one("rows_max", self.rows_max)?;
        at_least_one("asked_rows_max", self.asked_rows_max)?;
        at_least_one("answer_reserve_ms", self.answer_reserve_ms)?;
        within(
            "answer_reserve_ms",
            self.answer_reserve_ms < self.deadline_ms_max,
            "must be less than `deadline_ms_max`",
        )?;
        within("spend_usd_max", !self.spend_usd_max.is_sign_negative(), "must not be negative")
    }
}

/// `sandbox.toml`: what one program may use, and where it runs.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sandbox {
    /// Where programs run.
    pub mode: SandboxMode,
    /// Bytes of program text.
    pub source_bytes_max: usize,
    /// Interpreter operations over all passes.
    pub operations_max: u64,
    /// Runs from the journal.
    pub passes_max: usize,
    /// Nesting of calls.
    pub call_depth_max: usize,
    /// Nesting of expressions outside functions.
    pub expression_depth_max: usize,
    /// Nesting of expressions inside functions.
    pub function_expression_depth_max: usize,
    /// Functions of one program.
    pub functions_max: usize,
    /// Variables in scope.
    pub variables_max: usize,
    /// Items of an array.
    pub array_items_max: usize,
    /// Properties of a map.
    pub map_items_max: usize,
    /// Bytes of a string.
    pub string_bytes_max: usize,
    /// Nesting of a value.
    pub value_depth_max: usize,
    /// Bytes that a program's values may hold.
    pub memory_bytes_max: usize,
    /// Bytes of the interpreter thread's stack.
    pub stack_bytes: usize,
    /// Wall time of the interpreter, in milliseconds.
    pub wall_ms_max: u64,
    /// Calls that the verifier can count.
    pub static_calls_max: usize,
    /// The processes that programs run in.
    pub workers: Workers,
}

impl Sandbox {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        at_least_one("source_bytes_max", self.source_bytes_max)?;
        at_least_one("operations_max", self.operations_max)?;
        at_least_one("passes_max", self.passes_max)?;
        at_least_one("call_depth_max", self.call_depth_max)?;
        at_least_one("expression_depth_max", self.expression_depth_max)?;
        at_least_one("function_expression_depth_max", self.function_expression_depth_max)?;
        at_least_one("variables_max", self.variables_max)?;
        at_least_one("array_items_max", self.array_items_max)?;
        at_least_one("map_items_max", self.map_items_max)?;
        at_least_one("string_bytes_max", self.string_bytes_max)?;
        at_least_one("wall_ms_max", self.wall_ms_max)?;
        at_least_one("static_calls_max", self.static_calls_max)?;
        // Deeper values cannot be read from JSON, and a worker is sent JSON.
        within("value_depth_max", (1..=100).contains(&self.value_depth_max), "must be from 1 to 100")?;
        within("memory_bytes_max", self.memory_bytes_max >= 1 << 20, "must be at least one mebibyte")?;
        within("stack_bytes", self.stack_bytes >= 8 << 20, "must be at least eight mebibytes")?;
        self.workers.check(self.stack_bytes.saturating_add(self.memory_bytes_max))
    }
}

/// `upstreams.toml`: how MCP servers are reached.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upstreams {
    /// One connect and listing, in milliseconds.
    pub connect_timeout_ms: u64,
    /// One call, in milliseconds.
    pub call_timeout_ms: u64,
    /// How long a starting process waits for its listings, in milliseconds.
    pub settle_timeout_ms: u64,
    /// Bytes of one result.
    pub result_bytes_max: usize,
    /// Bytes of one `tools/list`.
    pub listing_bytes_max: usize,
    /// Bytes of one event of a stream.
    pub event_bytes_max: usize,
    /// Methods of one listing.
    pub methods_max: usize,
    /// Pages of one `tools/list`.
    pub pages_max: usize,
    /// Characters of a server's own error text that are passed on.
    pub error_chars_max: usize,
    /// Characters of a server's own instructions that are passed on.
    pub instructions_chars_max: usize,
    /// Calls at once to one listing.
    pub listing_concurrency_max: usize,
    /// Waiting before the first new try, in milliseconds.
    pub reconnect_first_ms: u64,
    /// Waiting between tries at the most, in milliseconds.
    pub reconnect_last_ms: u64,
    /// How long a call to a lost server waits for a new try, in milliseconds.
    pub revive_wait_ms: u64,
    /// Refreshes a minute for changed lists.
    pub refreshes_per_minute_max: u32,
    /// How long a child process has to leave, in milliseconds.
    pub child_exit_ms: u64,
    /// Same-origin redirects of one HTTP request.
    pub redirects_max: usize,
    /// Bytes of a child's error output that are kept for the log.
    pub stderr_bytes_max: usize,
    /// Bytes in flight to an embedded server.
    pub embedded_buffer_bytes: usize,
}

impl Upstreams {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        at_least_one("connect_timeout_ms", self.connect_timeout_ms)?;
        at_least_one("call_timeout_ms", self.call_timeout_ms)?;
        at_least_one("result_bytes_max", self.result_bytes_max)?;
        at_least_one("listing_bytes_max", self.listing_bytes_max)?;
        at_least_one("event_bytes_max", self.event_bytes_max)?;
        at_least_one("methods_max", self.methods_max)?;
        at_least_one("pages_max", self.pages_max)?;
        at_least_one("error_chars_max", self.error_chars_max)?;
        at_least_one("instructions_chars_max", self.instructions_chars_max)?;
        at_least_one("embedded_buffer_bytes", self.embedded_buffer_bytes)?;
        at_least_one("listing_concurrency_max", self.listing_concurrency_max)?;
        at_least_one("reconnect_first_ms", self.reconnect_first_ms)?;
        at_least_one("refreshes_per_minute_max", self.refreshes_per_minute_max)?;
        within(
            "reconnect_last_ms",
            self.reconnect_last_ms >= self.reconnect_first_ms,
            "must not be less than `reconnect_first_ms`",
        )
    }
}

/// `store.toml`: how durable state is kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Store {
    /// Connections that read.
    pub readers_max: u32,
    /// Waiting for a connection, in milliseconds.
    pub acquire_timeout_ms: u64,
    /// Waiting for a lock that something outside the process holds, in milliseconds.
    pub busy_timeout_ms: u64,
    /// Decisions of the gate that are kept with all that they were made from.
    pub gate_records_kept_max: u32,
    /// Bytes of one of them; a larger one is not kept.
    pub gate_record_bytes_max: usize,
    /// Bytes of one stored result.
    pub blob_bytes_max: usize,
}

impl Store {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        at_least_one("readers_max", self.readers_max)?;
        at_least_one("acquire_timeout_ms", self.acquire_timeout_ms)?;
        at_least_one("blob_bytes_max", self.blob_bytes_max)
    }
}

/// `server.toml`: the HTTP surface's limits.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Bytes of a request body.
    pub body_bytes_max: usize,
    /// How long a request body may take to arrive, in milliseconds.
    pub body_ms_max: u64,
    /// Requests served at once.
    pub requests_in_flight_max: usize,
    /// When a refused caller may come back, in seconds.
    pub retry_after_seconds: u32,
    /// Jobs that run at once.
    pub jobs_in_flight_max: usize,
    /// Jobs that run or wait.
    pub jobs_open_max: usize,
    /// Between two comment lines on a silent stream, in milliseconds.
    pub heartbeat_ms: u64,
    /// Progress events that a slow reader may fall behind.
    pub events_buffered_max: usize,
    /// Characters of one piece of a streamed answer.
    pub delta_chars_max: usize,
    /// How long a stopping server waits for its runs, in milliseconds.
    pub drain_ms: u64,
    /// How long cancelled runs and their connections have to end, in milliseconds.
    pub close_ms: u64,
    /// How long jobs are kept, in hours.
    pub jobs_kept_hours: u32,
    /// How long idempotency keys are kept, in hours.
    pub idempotency_kept_hours: u32,
    /// How long stored data is kept, in hours.
    pub blobs_kept_hours: u32,
    /// Between two looks at what is no longer kept, in minutes.
    pub purge_minutes: u32,
    /// Characters of an idempotency key.
    pub idempotency_key_chars_max: usize,
    /// Results of a search that names no number.
    pub search_results_default: usize,
    /// Results of one search at the most.
    pub search_results_max: usize,
}

impl Server {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        at_least_one("body_bytes_max", self.body_bytes_max)?;
        at_least_one("body_ms_max", self.body_ms_max)?;
        at_least_one("requests_in_flight_max", self.requests_in_flight_max)?;
        at_least_one("jobs_in_flight_max", self.jobs_in_flight_max)?;
        at_least_one("jobs_open_max", self.jobs_open_max)?;
        at_least_one("heartbeat_ms", self.heartbeat_ms)?;
        at_least_one("events_buffered_max", self.events_buffered_max)?;
        at_least_one("delta_chars_max", self.delta_chars_max)?;
        at_least_one("purge_minutes", self.purge_minutes)?;
        at_least_one("jobs_kept_hours", self.jobs_kept_hours)?;
        at_least_one("idempotency_kept_hours", self.idempotency_kept_hours)?;
        at_least_one("blobs_kept_hours", self.blobs_kept_hours)?;
        at_least_one("idempotency_key_chars_max", self.idempotency_key_chars_max)?;
        at_least_one("search_results_default", self.search_results_default)?;
        within(
            "search_results_max",
            self.search_results_max >= self.search_results_default,
            "must not be less than `search_results_default`",
        )
    }
}
