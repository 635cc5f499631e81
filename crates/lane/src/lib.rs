//! Fast or deep: the lane that a query takes, and why.

use domain::{Candidate, Depth, Selected};
use policy::{AutoLane, LaneFlags, Lanes};
use reading::bind::{Parameters, bind};
use reading::{Question, words};

/// The lane of a query.
#[derive(Debug)]
pub enum Lane {
    /// Straight to planning.
    Fast(Fast),
    /// Probed, judged and ruled on first.
    Deep(Deep),
}

/// A query in the fast lane: straight to planning, by way of [the gate's waiver].
///
/// [the gate's waiver]: ../gate/fn.waive.html
#[derive(Debug)]
pub struct Fast(Taken);

/// A query in the deep lane: to be probed, judged and ruled on before planning.
#[derive(Debug)]
pub struct Deep(Taken);

#[derive(Debug)]
struct Taken {
    selected: Selected,
    flags: LaneFlags,
    reason: Reason,
}

/// Why a query takes its lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The caller asked for it.
    ExplicitOverride,
    /// It asks for everything that there is.
    FullDataIntent,
    /// It asks for much, or for several things.
    ComplexIntent,
    /// The methods say too little of themselves to be taken at their word, or to be told apart.
    MetadataQualityDeep,
    /// The best method needs so much, or what is not said, or does not take the time that is named: its schema has to guide.
    SchemaGuidedDeep,
    /// It asks for one thing, of methods that are well described.
    SimpleLookup,
}

impl Reason {
    /// The word for traces.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ExplicitOverride => "explicit_override",
            Self::FullDataIntent => "full_data_intent",
            Self::ComplexIntent => "complex_intent",
            Self::MetadataQualityDeep => "metadata_quality_deep",
            Self::SchemaGuidedDeep => "schema_guided_deep",
            Self::SimpleLookup => "simple_lookup",
        }
    }
}

/// Chooses the lane: the caller's, or, where the caller leaves it open, by the question and by how well the selected
/// methods describe themselves.
#[must_use]
pub fn choose(selected: Selected, lanes: &Lanes) -> Lane {
    let (is_deep, reason) = match selected.query.depth {
        Depth::Fast => (false, Reason::ExplicitOverride),
        Depth::Deep => (true, Reason::ExplicitOverride),
        Depth::Auto => match reason_to_look(&selected, &lanes.auto) {
            Some(reason) => (true, reason),
            None => (false, Reason::SimpleLookup),
        },
    };
    if is_deep {
        Lane::Deep(Deep(Taken { selected, flags: lanes.deep.clone(), reason }))
    } else {
        Lane::Fast(Fast(Taken { selected, flags: lanes.fast.clone(), reason }))
    }
}

fn reason_to_look(selected: &Selected, auto: &AutoLane) -> Option<Reason> {
    let words = words::words(&selected.query.text);
    let asks_all = words.iter().any(|word| is_listed(&auto.full_data_words, &word.lower));
    let content_words = words.iter().filter(|word| !word.is_stop).count();
    let text = &selected.query.text;
    let asks_several = reading::clauses(text).len() >= auto.clauses_min || !reading::cuts(text).is_empty();
    let best = selected.candidates.first();
    let best_requires = best.map_or(0, required_arguments);
    let reasons = [
        (asks_all, Reason::FullDataIntent),
        (content_words >= auto.content_words_min || asks_several, Reason::ComplexIntent),
        (described_share(&selected.candidates) < auto.described_share_min, Reason::MetadataQualityDeep),
        (is_even(&selected.candidates, auto.near_share_min), Reason::MetadataQualityDeep),
        (best_requires >= auto.required_arguments_min, Reason::SchemaGuidedDeep),
    ];
    let told = reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason);
    // Reading the question costs more than all of these.
    let needs_schema = || best.is_some_and(|best| needs_schema(best, selected));
    told.or_else(|| needs_schema().then_some(Reason::SchemaGuidedDeep))
}

fn is_listed(lines: &[String], word: &str) -> bool {
    lines.iter().any(|line| line.split_whitespace().any(|listed| listed == word))
}

fn required_arguments(candidate: &Candidate) -> usize {
    candidate.method.input_schema["required"].as_array().map_or(0, Vec::len)
}

/// Whether the question ranks, and so needs rows that tell what it ranks, or leaves open what the method needs, or names a time that
/// it does not take.
fn needs_schema(candidate: &Candidate, selected: &Selected) -> bool {
    let question = Question::read(&selected.query.text, selected.asked_at);
    if question.form.order.is_some() {
        return true;
    }
    let question = question.asked_of(&candidate.listing);
    let binding = bind(&question, &Parameters::of(&candidate.method));
    binding.missing().next().is_some() || binding.unplaced_times(&question).next().is_some()
}

/// The share of the methods that say what they do and what they give; 0 where there are none.
fn described_share(candidates: &[Candidate]) -> f64 {
    let tells = |candidate: &&Candidate| {
        !candidate.method.description.trim().is_empty() && candidate.method.output_schema.is_some()
    };
    let described = candidates.iter().filter(tells).count();
    #[expect(clippy::cast_precision_loss, reason = "counts of methods")]
    let share = described as f64 / candidates.len().max(1) as f64;
    share
}

/// Whether the two best methods fit about as well as each other.
fn is_even(candidates: &[Candidate], near_share_min: f64) -> bool {
    let mut scores: Vec<f64> = candidates.iter().map(|candidate| candidate.score).collect();
    scores.sort_by(|one, other| other.total_cmp(one));
    matches!(scores.as_slice(), [best, next, ..] if *next > 0.0 && *next >= near_share_min * best)
}

impl Fast {
    /// Why this lane.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.0.reason
    }

    /// What the lane may do.
    #[must_use]
    pub fn flags(&self) -> &LaneFlags {
        &self.0.flags
    }

    /// What the lane was chosen for.
    #[must_use]
    pub fn selected(&self) -> &Selected {
        &self.0.selected
    }

    /// What the lane was chosen for, spent.
    #[must_use]
    pub fn into_selected(self) -> Selected {
        self.0.selected
    }
}

impl Deep {
    /// Why this lane.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.0.reason
    }

    /// What the lane may do.
    #[must_use]
    pub fn flags(&self) -> &LaneFlags {
        &self.0.flags
    }

    /// What the lane was chosen for.
    #[must_use]
    pub fn selected(&self) -> &Selected {
        &self.0.selected
    }

    /// What the lane was chosen for, spent.
    #[must_use]
    pub fn into_selected(self) -> Selected {
        self.0.selected
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{ClarificationPolicy, Include, Listing, Method, Query, ResponseShape, ToolScope};
    use jiff::Timestamp;
    use policy::Policy;
    use serde_json::json;

    use super::*;

    fn method(required: &[&str], is_described: bool) -> Method {
        let output = is_described.then(|| json!({"type": "object"}));
        let text = |name: &&str| ((*name).to_owned(), json!({"type": "string"}));
        let properties: serde_json::Map<String, serde_json::Value> = required.iter().map(text).collect();
        let schema = json!({"type": "object", "required": required, "properties": properties});
        let method = Method::new("get_price", schema, output);
        Method { description: if is_described { "The price.".to_owned() } else { String::new() }, ..method }
    }

    fn selected(text: &str, depth: Depth, methods: Vec<Method>) -> Selected {
        let listing = Arc::new(Listing::new("Prices", Vec::new()));
        let query = Query {
            text: text.to_owned(),
            tools: ToolScope::Discover,
            depth,
            clarification: ClarificationPolicy::Return,
            shape: ResponseShape::Answer,
            answer_model: None,
            include: Include { data: false, data_url: false, developer_trace: false },
            lineage: None,
            history: Vec::new(),
            choice: None,
        };
        let candidate =
            |method| Candidate { listing: Arc::clone(&listing), method: Arc::new(method), score: 1.0 };
        Selected {
            query,
            asked_at: Timestamp::UNIX_EPOCH,
            candidates: methods.into_iter().map(candidate).collect(),
            helpers: Vec::new(),
            things: Vec::new(),
            left_out: Vec::new(),
            considered: 1,
        }
    }

    fn lane(text: &str, depth: Depth, methods: Vec<Method>) -> (&'static str, Reason) {
        match choose(selected(text, depth, methods), &Policy::shipped().unwrap().lanes) {
            Lane::Fast(fast) => ("fast", fast.reason()),
            Lane::Deep(deep) => ("deep", deep.reason()),
        }
    }

    #[test]
    fn the_callers_word_holds() {
        let question = "everything about every price there is";
        assert_eq!(lane(question, Depth::Fast, Vec::new()), ("fast", Reason::ExplicitOverride));
        let plain = vec![method(&[], true)];
        assert_eq!(lane("price of gold", Depth::Deep, plain), ("deep", Reason::ExplicitOverride));
    }

    #[test]
    fn auto_looks_deeper_where_there_is_a_reason_to() {
        let auto = |text, methods| lane(text, Depth::Auto, methods);
        let plain = || vec![method(&["asset"], true)];
        assert_eq!(auto("What is the price of BTC?", plain()), ("fast", Reason::SimpleLookup));
        assert_eq!(auto("What is the price?", plain()), ("deep", Reason::SchemaGuidedDeep));
        let then = "What was the price of BTC yesterday?";
        assert_eq!(auto(then, plain()), ("deep", Reason::SchemaGuidedDeep));
        assert_eq!(auto("Give me all prices of BTC", plain()), ("deep", Reason::FullDataIntent));
        assert_eq!(auto("What is the highest price of BTC?", plain()), ("deep", Reason::SchemaGuidedDeep));
        let several = "What is the price of BTC, and what is the weather in Rome?";
        assert_eq!(auto(several, plain()), ("deep", Reason::ComplexIntent));
        let undescribed = vec![method(&[], false)];
        assert_eq!(auto("What is the price of BTC?", undescribed), ("deep", Reason::MetadataQualityDeep));
        assert_eq!(auto("What is the price of BTC?", Vec::new()), ("deep", Reason::MetadataQualityDeep));
        let even = vec![method(&["asset"], true), method(&["asset"], true)];
        assert_eq!(auto("What is the price of BTC?", even), ("deep", Reason::MetadataQualityDeep));
        let needy = vec![method(&["asset", "venue", "window"], true)];
        assert_eq!(auto("What is the price of BTC?", needy), ("deep", Reason::SchemaGuidedDeep));
    }

    #[test]
    fn a_lane_carries_the_flags_of_its_policy() {
        let lanes = Policy::shipped().unwrap().lanes;
        let Lane::Deep(deep) = choose(selected("gold", Depth::Deep, Vec::new()), &lanes) else {
            panic!("deep was asked for")
        };
        assert!(deep.flags().method_reasoning_enabled && deep.flags().ambiguity_judge_enabled);
        assert!(!deep.flags().external_probe_enabled && !deep.flags().preserve_fast_one_shot);
        let Lane::Fast(fast) = choose(selected("gold", Depth::Fast, Vec::new()), &lanes) else {
            panic!("fast was asked for")
        };
        assert!(fast.flags().preserve_fast_one_shot && !fast.flags().ambiguity_judge_enabled);
    }
}
