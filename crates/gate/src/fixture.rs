//! Briefs made by hand, so that what is tested does not hang on learned weights.

use std::collections::BTreeMap;

use domain::{ClarificationPolicy, LatencyClass, ListingId, MethodName, MethodRef, Usd};
use policy::{Gate, Policy};
use probe::{Cardinality, Effect, Granularity, Open, Profile, Scope};
use reading::bind::Role;
use serde_json::Value;

use crate::brief::{Asked, Brief, BriefOption};
use crate::opinion::{Opinion, OptionId, Verdict};

pub(crate) fn gate() -> Gate {
    Policy::shipped().unwrap().gate
}

pub(crate) fn brief(question: &str, options: Vec<BriefOption>) -> Brief {
    Brief {
        original: question.to_owned(),
        question: question.to_owned(),
        clauses: vec![question.to_owned()],
        asked: Asked::Open,
        wants_choice: false,
        names_target: true,
        candidate_count: options.len(),
        options,
        unavailable: None,
        clarification: ClarificationPolicy::Return,
        summaries: Vec::new(),
        policy: gate(),
    }
}

/// A method of the listing "Alpha" for one named thing.
pub(crate) fn option(name: &str, grounding: f64) -> BriefOption {
    from("Alpha", name, grounding)
}

pub(crate) fn from(listing: &str, name: &str, grounding: f64) -> BriefOption {
    let method = MethodRef { listing: ListingId::of_name(listing), method: MethodName::new(name) };
    BriefOption {
        id: OptionId::of(&method),
        title: name.replace('_', " "),
        description: format!("What {name} gives."),
        listing_name: listing.to_owned(),
        grounding,
        points: grounding * 100.0,
        open: Vec::new(),
        open_values: Vec::new(),
        effect: Effect {
            method,
            arguments: BTreeMap::new(),
            contract: name.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(byte)),
            profile: Profile {
                scope: Scope::SingleTarget,
                granularity: Granularity::Market,
                requires_named_entity: true,
                cardinality: Cardinality::Single,
                confidence: 0.95,
            },
            price: None,
            latency: LatencyClass::Fast,
        },
        slot: None,
        said: vec![("market".to_owned(), "BTC".to_owned())],
        placed: 1,
        is_named: false,
        knows_clauses: Vec::new(),
    }
}

impl BriefOption {
    pub(crate) fn whole(mut self) -> Self {
        self.effect.profile.scope = Scope::EventWide;
        self.effect.profile.granularity = Granularity::Event;
        self.effect.profile.cardinality = Cardinality::Multiple;
        self
    }

    pub(crate) fn lacking(mut self, argument: &str, is_the_callers: f64) -> Self {
        self.open.push(Open {
            name: argument.to_owned(),
            description: String::new(),
            role: Role::Name,
            why: "the question does not say it".to_owned(),
            refused: None,
            is_the_callers,
        });
        self
    }

    pub(crate) fn slot(mut self, slot: &str) -> Self {
        self.id = self.id.with_slot(slot);
        self.slot = Some(slot.to_owned());
        self.effect.arguments = BTreeMap::from([(slot.to_owned(), Value::from("Paris"))]);
        self.said = vec![(slot.to_owned(), "Paris".to_owned())];
        self
    }

    pub(crate) fn at(mut self, price: &str, latency: LatencyClass) -> Self {
        self.effect.price = Usd::parse(price);
        self.effect.latency = latency;
        self
    }

    pub(crate) fn clauses(mut self, shares: &[f64]) -> Self {
        self.knows_clauses = shares.to_vec();
        self
    }
}

pub(crate) fn opinion(verdict: Verdict, options: &[&BriefOption]) -> Opinion {
    Opinion {
        verdict,
        options: options.iter().map(|option| option.id.clone()).collect(),
        recommended: options.first().map(|option| option.id.clone()),
        confidence: 0.9,
        reason: "so".to_owned(),
    }
}
