//! Usage: what each request cost, recorded once.

use domain::{ListingId, MethodName, MethodRef, RequestId, Usd};
use jiff::Timestamp;
use serde_json::Value;

use crate::instant::{from_ms, to_ms};
use crate::{Error, Store};

/// What one request cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// Who pays: a name for the key, never the key.
    pub caller: String,
    /// The request; unique among its caller's.
    pub request_id: RequestId,
    /// How it ended.
    pub outcome: String,
    /// The lane that served it.
    pub lane: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// For models.
    pub model_cost: Usd,
    /// Its calls, in order.
    pub charges: Vec<Charge>,
    /// When it was settled.
    pub created_at: Timestamp,
}

impl Settlement {
    /// For calls: the sum of the charges.
    #[must_use]
    pub fn tool_cost(&self) -> Usd {
        self.charges.iter().map(|charge| charge.price).sum()
    }

    /// For models and calls.
    #[must_use]
    pub fn total_cost(&self) -> Usd {
        self.model_cost + self.tool_cost()
    }
}

/// What one call cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// What was called.
    pub method: MethodRef,
    /// What is charged for it; nothing where the call failed.
    pub price: Usd,
    /// How it went.
    pub outcome: String,
}

impl Store {
    /// Records what a request cost, with all its calls or not at all. False where that is on record already: the first
    /// record stands.
    pub async fn record_settlement(&self, settlement: &Settlement) -> Result<bool, Error> {
        let made = sqlx::query(SETTLE)
            .bind(&settlement.caller)
            .bind(settlement.request_id.as_str())
            .bind(&settlement.outcome)
            .bind(&settlement.lane)
            .bind(i64::try_from(settlement.duration_ms).unwrap_or(i64::MAX))
            .bind(settlement.model_cost.amount().to_string())
            .bind(settlement.tool_cost().amount().to_string())
            .bind(to_ms(settlement.created_at))
            .bind(calls(&settlement.charges))
            .execute(&self.writer)
            .await?;
        Ok(made.rows_affected() > 0)
    }

    /// What this request of this caller cost.
    pub async fn settlement(
        &self,
        caller: &str,
        request_id: &RequestId,
    ) -> Result<Option<Settlement>, Error> {
        let row: Option<(String, String, i64, String, i64)> = sqlx::query_as(
            "SELECT outcome, lane, duration_ms, model_cost, created_at
             FROM settlements WHERE caller = ?1 AND request_id = ?2",
        )
        .bind(caller)
        .bind(request_id.as_str())
        .fetch_optional(&self.readers)
        .await?;
        let Some((outcome, lane, duration_ms, model_cost, created_at)) = row else { return Ok(None) };
        Ok(Some(Settlement {
            caller: caller.to_owned(),
            request_id: request_id.clone(),
            outcome,
            lane,
            duration_ms: u64::try_from(duration_ms).map_err(|_| Error::Unreadable("a duration"))?,
            model_cost: usd(&model_cost)?,
            charges: self.charges(caller, request_id).await?,
            created_at: from_ms(created_at)?,
        }))
    }

    async fn charges(&self, caller: &str, request_id: &RequestId) -> Result<Vec<Charge>, Error> {
        let rows: Vec<(String, String, String, String)> = sqlx::query_as(
            "SELECT listing, method, price, outcome FROM charges
             WHERE caller = ?1 AND request_id = ?2 ORDER BY position",
        )
        .bind(caller)
        .bind(request_id.as_str())
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter()
            .map(|(listing, method, price, outcome)| {
                let listing: ListingId = listing.parse().map_err(|_| Error::Unreadable("a listing"))?;
                let method = MethodRef { listing, method: MethodName::new(method) };
                Ok(Charge { method, price: usd(&price)?, outcome })
            })
            .collect()
    }
}

fn usd(text: &str) -> Result<Usd, Error> {
    Usd::parse(text).ok_or(Error::Unreadable("an amount"))
}

/// One statement, which is a transaction of its own: more would each be a way to the writer's thread and back.
const SETTLE: &str = "INSERT INTO settlements
    (caller, request_id, outcome, lane, duration_ms, model_cost, tool_cost, created_at, calls)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING";

/// The calls as JSON: of each its listing, method, price and outcome.
fn calls(charges: &[Charge]) -> String {
    let fields = |charge: &Charge| {
        Value::from(vec![
            charge.method.listing.to_string(),
            charge.method.method.as_str().to_owned(),
            charge.price.amount().to_string(),
            charge.outcome.clone(),
        ])
    };
    charges.iter().map(fields).collect::<Value>().to_string()
}
