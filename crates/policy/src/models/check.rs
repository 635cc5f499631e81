//! What `models.toml` has to hold: every name leads somewhere, every chain ends, every limit is in its range.

use super::{Dialect, EMBEDDED, Embeddings, Endpoint, HostedModel, ModelStage, Models};

/// A key and what it must be.
type Breach = (String, &'static str);

impl Models {
    pub(crate) fn check(&self) -> Result<(), Breach> {
        for (name, endpoint) in &self.endpoints {
            endpoint.check(&format!("endpoints.{name}"))?;
        }
        for (name, model) in &self.models {
            within(|| format!("models.{name}"), name != EMBEDDED, "must not be called \"embedded\"")?;
            model.check(&format!("models.{name}"), self)?;
        }
        for stage in ModelStage::ALL {
            self.check_stage(stage)?;
        }
        self.check_limits()?;
        self.check_lint()?;
        if let Some(embeddings) = &self.embeddings {
            embeddings.check(self)?;
        }
        self.check_answer()
    }

    fn check_stage(&self, stage: ModelStage) -> Result<(), Breach> {
        let settings = self.stage(stage);
        let key = |key: &str| format!("stages.{stage}.{key}");
        within(|| key("models"), self.is_chain(&settings.models), CHAIN)?;
        within(|| key("timeout_ms"), settings.timeout_ms >= 1, POSITIVE)?;
        within(
            || key("attempt_timeout_ms"),
            (1..=settings.timeout_ms).contains(&settings.attempt_timeout_ms),
            "must be from 1 to `timeout_ms`",
        )?;
        within(|| key("retries_max"), settings.retries_max <= 5, "must be at most 5")?;
        within(|| key("reasks_max"), settings.reasks_max <= 2, "must be at most 2")?;
        within(|| key("output_tokens_max"), settings.output_tokens_max >= 1, POSITIVE)?;
        within(|| key("output_chars_max"), settings.output_chars_max >= 1, POSITIVE)?;
        within(|| key("hedge_ms"), settings.hedge_ms.is_none_or(|after| after >= 1), POSITIVE)
    }

    /// Every model is there, none twice, and the last is the embedded portfolio.
    fn is_chain(&self, models: &[String]) -> bool {
        let Some((last, hosted)) = models.split_last() else { return false };
        let is_once = |(place, model): (usize, &String)| !hosted[..place].contains(model);
        last == EMBEDDED
            && hosted.iter().all(|model| self.models.contains_key(model))
            && hosted.iter().enumerate().all(is_once)
    }

    fn check_limits(&self) -> Result<(), Breach> {
        let at_least_one = [
            ("retries.first_ms", self.retries.first_ms >= 1),
            ("http.connect_timeout_ms", self.http.connect_timeout_ms >= 1),
            ("http.reply_bytes_max", self.http.reply_bytes_max >= 1),
            ("prompt.item_chars_max", self.prompt.item_chars_max >= 1),
        ];
        for (key, holds) in at_least_one {
            within(|| key.to_owned(), holds, POSITIVE)?;
        }
        within(
            || "retries.last_ms".to_owned(),
            self.retries.last_ms >= self.retries.first_ms,
            "must be at least `retries.first_ms`",
        )?;
        within(
            || "prompt.data_chars_max".to_owned(),
            self.prompt.data_chars_max >= self.prompt.item_chars_max,
            "must be at least `prompt.item_chars_max`",
        )
    }

    fn check_lint(&self) -> Result<(), Breach> {
        let is_plain = |text: &String| !text.trim().is_empty() && *text == text.to_lowercase();
        let lists = [
            ("lint.instruction_phrases", &self.lint.instruction_phrases),
            ("lint.tool_verbs", &self.lint.tool_verbs),
        ];
        for (key, texts) in lists {
            within(|| key.to_owned(), texts.iter().all(is_plain), "must be in lower case and not empty")?;
        }
        Ok(())
    }

    fn check_answer(&self) -> Result<(), Breach> {
        let answer = &self.answer;
        let is_known = |model: &String| model == EMBEDDED || self.models.contains_key(model);
        within(
            || "answer.models".to_owned(),
            answer.models.iter().all(is_known),
            "must name models of `[models]` or \"embedded\"",
        )?;
        within(
            || "answer.default".to_owned(),
            answer.models.contains(&answer.default),
            "must be one of `answer.models`",
        )
    }
}

const CHAIN: &str = "must name models of `[models]`, each once, and end in \"embedded\"";
const POSITIVE: &str = "must be at least 1";

impl Endpoint {
    fn check(&self, key: &str) -> Result<(), Breach> {
        let has_scheme = ["http://", "https://"].iter().any(|scheme| self.base_url.starts_with(scheme));
        within(|| format!("{key}.base_url"), has_scheme, "must be an http or https address")?;
        within(|| format!("{key}.breaker.failures_max"), self.breaker.failures_max >= 1, POSITIVE)?;
        within(|| format!("{key}.breaker.open_ms"), self.breaker.open_ms >= 1, POSITIVE)
    }
}

impl HostedModel {
    fn check(&self, key: &str, models: &Models) -> Result<(), Breach> {
        within(
            || format!("{key}.endpoint"),
            models.endpoints.contains_key(&self.endpoint),
            "must name an endpoint of `[endpoints]`",
        )?;
        within(|| format!("{key}.name"), !self.name.trim().is_empty(), "must not be empty")?;
        within(
            || format!("{key}.input_usd_per_million"),
            !self.input_usd_per_million.is_sign_negative(),
            NOT_NEGATIVE,
        )?;
        within(
            || format!("{key}.output_usd_per_million"),
            !self.output_usd_per_million.is_sign_negative(),
            NOT_NEGATIVE,
        )?;
        within(|| format!("{key}.output_tokens_max"), self.output_tokens_max >= 1, POSITIVE)?;
        within(
            || format!("{key}.temperature"),
            self.temperature.is_none_or(|temperature| (0.0..=2.0).contains(&temperature)),
            "must be from 0 to 2",
        )
    }
}

impl Embeddings {
    fn check(&self, models: &Models) -> Result<(), Breach> {
        let key = |key: &str| format!("embeddings.{key}");
        let dialect = models.endpoints.get(&self.endpoint).map(|endpoint| endpoint.dialect);
        within(
            || key("endpoint"),
            dialect == Some(Dialect::OpenAi),
            "must name an endpoint of `[endpoints]` whose dialect is \"openai\"",
        )?;
        within(|| key("name"), !self.name.trim().is_empty(), "must not be empty")?;
        let at_least_one = [
            ("dimensions", self.dimensions >= 1),
            ("question_timeout_ms", self.question_timeout_ms >= 1),
            ("request_timeout_ms", self.request_timeout_ms >= 1),
            ("texts_max", self.texts_max >= 1),
            ("text_chars_max", self.text_chars_max >= 1),
            ("retry_ms", self.retry_ms >= 1),
        ];
        for (name, holds) in at_least_one {
            within(|| key(name), holds, POSITIVE)?;
        }
        Ok(())
    }
}

const NOT_NEGATIVE: &str = "must not be negative";

fn within(key: impl Fn() -> String, holds: bool, requirement: &'static str) -> Result<(), Breach> {
    if holds { Ok(()) } else { Err((key(), requirement)) }
}
