//! Playbooks: what a question about flows has to be answered from, and the calls that gather it. Which words ask for what,
//! and which fields make which evidence, is the policy's; which methods give it is read from their schemas.

use std::collections::BTreeMap;
use std::fmt::Write;

use domain::{Candidate, Snapshot, ToolScope};
use jiff::{SignedDuration, Timestamp};
use llm::PlannedText;
use llm::program_text::{key, literal, quoted};
use policy::{Market, MarketKind};
use probe::Index;
use reading::time::{Length, length_of};
use reading::{Question, Reading, words};
use serde_json::{Map, Value};

mod schema;

pub(crate) use schema::assets_offered;
use schema::{keys_of, required};

/// What a question about flows asks for.
#[derive(Clone, Debug)]
pub(crate) struct Playbook {
    /// The kinds of evidence, in the policy's order.
    pub(crate) kinds: Vec<MarketKind>,
    /// The assets, as methods name them.
    pub(crate) assets: Vec<String>,
    /// How far back the flow is looked at.
    pub(crate) window: String,
    /// How far back what is usual reaches.
    baseline: Option<Length>,
    assumptions: Vec<String>,
    /// How many times as old as usual its evidence may be.
    patience: i64,
    question: String,
    asked_at: Timestamp,
}

impl Playbook {
    /// The playbook of a question; none where it is not about flows, or asks for nothing beyond a plain call.
    pub(crate) fn of(text: &str, asked_at: Timestamp, market: &Market) -> Option<Self> {
        let lower = text.to_lowercase();
        let said: Vec<String> = words::words(text).into_iter().map(|word| word.lower).collect();
        let has = |words: &Vec<String>| said.iter().any(|word| words.contains(word));
        if !market.about.values().all(has) {
            return None;
        }
        let mut kinds = vec![MarketKind::VenueFlow];
        let mut is_asked = false;
        for record in &market.records {
            if record.phrases.iter().any(|phrase| lower.contains(phrase.as_str())) {
                is_asked = true;
                kinds.push(record.kind);
                kinds.extend(record.also.iter().copied());
            }
        }
        if !is_asked {
            return None;
        }
        kinds.sort_unstable();
        kinds.dedup();
        let mut playbook = Self {
            kinds,
            assets: Vec::new(),
            window: market.default_window.clone(),
            baseline: None,
            assumptions: Vec::new(),
            patience: if market.slow_phrases.iter().any(|phrase| lower.contains(phrase.as_str())) {
                market.slow_factor
            } else {
                1
            },
            question: text.to_owned(),
            asked_at,
        };
        playbook.read_assets(&said, market);
        playbook.read_windows(&lower, &said, market);
        Some(playbook)
    }

    fn read_assets(&mut self, said: &[String], market: &Market) {
        let known: Vec<&String> =
            market.default_assets.iter().chain(market.groups.values().flatten()).collect();
        for word in said {
            let one =
                known.iter().filter(|asset| asset.to_lowercase() == *word).map(|asset| (*asset).clone());
            let many = market.groups.get(word).into_iter().flatten().cloned();
            for asset in one.chain(many) {
                if !self.assets.contains(&asset) {
                    self.assets.push(asset);
                }
            }
        }
        // What is written like a ticker is one, where a method knows it.
        let is_ticker = |word: &&str| {
            (2..=6).contains(&word.len()) && word.bytes().all(|letter| letter.is_ascii_uppercase())
        };
        let question = self.question.clone();
        let apart = question.split(|sign: char| !sign.is_alphanumeric());
        for ticker in apart.filter(is_ticker) {
            if !self.assets.iter().any(|asset| asset == ticker) {
                self.assets.push(ticker.to_owned());
            }
        }
        // Where single ones are named, the word for their group only says what they are.
        let singles: Vec<String> =
            self.assets.iter().filter(|asset| said.contains(&asset.to_lowercase())).cloned().collect();
        let names_all = said.iter().any(|word| word == "or" || word == "and") && singles.len() > 2;
        let group_is_apart = said.iter().any(|word| market.groups.contains_key(word))
            && singles.iter().any(|asset| !market.groups.values().flatten().any(|member| member == asset));
        if !singles.is_empty() && !group_is_apart && !names_all {
            self.assets = singles;
        }
        if self.assets.is_empty() {
            self.assets.clone_from(&market.default_assets);
            self.assumptions.push(format!("No asset is named, so {} were looked at", self.assets.join(", ")));
        }
    }

    fn read_windows(&mut self, lower: &str, said: &[String], market: &Market) {
        let question = Question::read(&self.question, self.asked_at);
        let mut is_said = false;
        for moment in &question.moments {
            let Some(length) = moment.window().and_then(|window| window.length) else { continue };
            let after = lower.get(moment.range.end..).unwrap_or_default().trim_start_matches([' ', '-']);
            if after.starts_with("baseline") {
                self.baseline = Some(length);
            } else {
                is_said = true;
                self.window = length.to_string();
            }
        }
        if self.baseline.is_none() {
            self.baseline = baseline_length(lower);
        }
        if is_said {
            return;
        }
        let rolling = market.rolling_words.iter().find(|word| {
            if word.contains(' ') { lower.contains(word.as_str()) } else { said.contains(word) }
        });
        self.assumptions.push(match rolling {
            Some(word) => format!("\"{word}\" is read as the rolling {}", self.window),
            None => format!("No window is named, so the rolling {} was looked at", self.window),
        });
    }

    /// How old a record of a kind may be, in minutes.
    pub(crate) fn minutes(&self, kind: MarketKind, market: &Market) -> i64 {
        self.patience * market.record(kind).map_or(0, |record| record.fresh_minutes)
    }

    /// The kinds that these do not have.
    pub(crate) fn missing(&self, given: &[MarketKind]) -> Vec<MarketKind> {
        self.kinds.iter().filter(|kind| !given.contains(kind)).copied().collect()
    }
}

/// "7-day baseline": a length right before the word.
fn baseline_length(lower: &str) -> Option<Length> {
    let before = lower[..lower.find("baseline")?].trim_end();
    let last = before.rsplit(' ').next()?.replace('-', " ");
    length_of(&last)
}

/// The methods of the catalog that give a kind of evidence each, by the fields of their results.
pub(crate) fn methods(
    playbook: &Playbook,
    (snapshot, index): (&Snapshot, &Index),
    scope: &ToolScope,
    market: &Market,
) -> BTreeMap<MarketKind, Candidate> {
    let is_admitted = |listing: &domain::Listing| match scope {
        ToolScope::Discover => true,
        ToolScope::Pinned(ids) => ids.contains(&listing.id),
    };
    let mut found: BTreeMap<MarketKind, (usize, Candidate)> = BTreeMap::new();
    for (listing, method) in index.query_safe() {
        let listing = &snapshot.listings[listing];
        let method = &listing.methods[method];
        if !is_admitted(listing) || matches!(listing.health, domain::Health::Unhealthy { .. }) {
            continue;
        }
        let Some(schema) = &method.output_schema else { continue };
        let mut keys = Vec::new();
        keys_of(schema, &mut keys);
        let taken = method.input_schema.get("properties").and_then(Value::as_object);
        for kind in &playbook.kinds {
            let Some(record) = market.record(*kind) else { continue };
            let gives = |field: &String| {
                let known = record.fields.get(field).into_iter().flatten();
                known.into_iter().any(|name| {
                    keys.contains(&name.as_str()) || taken.is_some_and(|taken| taken.contains_key(name))
                })
            };
            let lacks = record.lacks.iter().any(|name| keys.contains(&name.as_str()));
            if !record.needs.iter().all(gives) || lacks {
                continue;
            }
            // Of several the one that says least beside it, and takes least, is about it; what searches, searches for it.
            let is_search =
                market.arguments.query.iter().any(|name| required(method).contains(&name.as_str()));
            let asks = if is_search { 0 } else { required(method).len() + 1 };
            let beside = keys.len() + 4 * asks;
            let is_better = found.get(kind).is_none_or(|(other, _)| beside < *other);
            if is_better && arguments(method, playbook, market).is_some() {
                let candidate = Candidate {
                    listing: std::sync::Arc::clone(listing),
                    method: std::sync::Arc::clone(method),
                    score: 0.0,
                };
                found.insert(*kind, (beside, candidate));
            }
        }
    }
    found.into_iter().map(|(kind, (_, candidate))| (kind, candidate)).collect()
}

/// The arguments of every call that gathers what a method gives; none where a required one cannot be filled.
fn arguments(
    method: &domain::Method,
    playbook: &Playbook,
    market: &Market,
) -> Option<Vec<Map<String, Value>>> {
    let properties = method.input_schema.get("properties")?.as_object()?;
    let choices = |name: &String| {
        let listed = properties.get(name)?.get("enum")?.as_array()?;
        Some(listed.iter().filter_map(Value::as_str).collect::<Vec<_>>())
    };
    let named = |names: &[String]| names.iter().find(|name| properties.contains_key(*name)).cloned();
    let roles = &market.arguments;
    let mut sets = vec![Map::new()];
    let mut filled: Vec<String> = Vec::new();
    let fan = |sets: &mut Vec<Map<String, Value>>, name: &str, values: Vec<Value>| {
        *sets = sets
            .iter()
            .flat_map(|set| {
                values.iter().map(|value| {
                    let mut set = set.clone();
                    set.insert(name.to_owned(), value.clone());
                    set
                })
            })
            .collect();
    };
    if let Some(name) = named(&roles.asset) {
        let values: Vec<Value> =
            assets_offered(method, playbook, market).into_iter().map(Value::from).collect();
        if values.is_empty() {
            return None;
        }
        fan(&mut sets, &name, values);
        filled.push(name);
    }
    if let Some(name) = named(&roles.venue)
        && required(method).contains(&name.as_str())
    {
        let all = choices(&name)?;
        let values = venues(playbook, all);
        fan(&mut sets, &name, values.into_iter().map(Value::from).collect());
        filled.push(name);
    }
    let windowed =
        named(&roles.window).and_then(|name| Some((window(playbook, choices(&name).as_deref())?, name)));
    if let Some((window, name)) = windowed {
        fan(&mut sets, &name, vec![Value::from(window)]);
        filled.push(name);
    }
    if let Some(name) = named(&roles.query) {
        fan(&mut sets, &name, vec![Value::from(search_words(playbook))]);
        filled.push(name);
    }
    if let (Some(name), Some(baseline)) = (named(&roles.samples), playbook.baseline) {
        let each = length_of(&playbook.window)?.seconds().max(1);
        fan(&mut sets, &name, vec![Value::from((baseline.seconds() / each).max(2))]);
        filled.push(name);
    }
    let is_whole = required(method).iter().all(|name| filled.iter().any(|other| other == name));
    is_whole.then_some(sets)
}

/// The venues that a question names, else all.
fn venues<'v>(playbook: &Playbook, all: Vec<&'v str>) -> Vec<&'v str> {
    let lower = playbook.question.to_lowercase();
    let said: Vec<&str> = all.iter().filter(|venue| lower.contains(&venue.to_lowercase())).copied().collect();
    if said.is_empty() { all } else { said }
}

/// The window as a method takes it; none where it takes no such one.
fn window(playbook: &Playbook, offered: Option<&[&str]>) -> Option<String> {
    let own = length_of(&playbook.window)?.seconds();
    let Some(offered) = offered else { return Some(playbook.window.clone()) };
    let fits = |text: &&&str| length_of(text).map(Length::seconds) == Some(own);
    offered.iter().find(fits).map(|text| (*text).to_owned())
}

/// What to search reports for: the assets, and what happens to them.
fn search_words(playbook: &Playbook) -> String {
    format!("{} exchange flows", playbook.assets.join(" "))
}

/// The program that gathers these kinds, behind what another program gives, and what it takes for granted.
pub(crate) fn program(
    playbook: &Playbook,
    methods: &BTreeMap<MarketKind, Candidate>,
    kinds: &[MarketKind],
    market: &Market,
    given: Option<&str>,
) -> Option<String> {
    let mut source = String::new();
    let mut pairs = Vec::new();
    if let Some(given) = given {
        let _ = writeln!(source, "let given = {{\n{given}\n}};");
        pairs.push("given: given".to_owned());
    }
    let mut calls_left = market.calls_max;
    for kind in kinds {
        let Some(candidate) = methods.get(kind) else { continue };
        let sets = arguments(&candidate.method, playbook, market)?;
        if sets.len() > calls_left {
            continue;
        }
        calls_left -= sets.len();
        let calls: Vec<String> = sets.iter().map(|set| format!("    {}", called(candidate, set))).collect();
        let word = kind.word();
        let _ = writeln!(source, "let {word} = [\n{}\n];", calls.join(",\n"));
        pairs.push(format!("{word}: settle_all({word}).filter(|it| it.ok).map(|it| it.value)"));
    }
    (pairs.len() > usize::from(given.is_some())).then(|| {
        let _ = writeln!(source, "#{{\n    {}\n}}", pairs.join(",\n    "));
        source
    })
}

fn called(candidate: &Candidate, arguments: &Map<String, Value>) -> String {
    let pairs: Vec<String> =
        arguments.iter().map(|(name, value)| format!("{}: {}", key(name), literal(value))).collect();
    format!("call_tool({}, #{{{}}})", quoted(&candidate.call_name()), pairs.join(", "))
}

/// The whole plan of a playbook; none where the catalog does not give what a flow is made of.
pub(crate) fn plan(
    playbook: &Playbook,
    methods: &BTreeMap<MarketKind, Candidate>,
    market: &Market,
) -> Option<PlannedText> {
    let primary = methods.get(&MarketKind::VenueFlow)?.method_ref();
    let source = program(playbook, methods, &playbook.kinds, market, None)?;
    let question = Question::read(&playbook.question, playbook.asked_at);
    let form = question.form.clone();
    let open = playbook.missing(&methods.keys().copied().collect::<Vec<_>>());
    let reading = Reading {
        order: None,
        limit: None,
        measures: Vec::new(),
        dimensions: Vec::new(),
        entities: playbook.assets.clone(),
        window: None,
        dated: None,
        turned: None,
        form: Box::new(form),
        open: open
            .iter()
            .map(|kind| format!("No method at hand gives {}.", kind.word().replace('_', " ")))
            .collect(),
        parts: Vec::new(),
    };
    let mut assumptions = playbook.assumptions.clone();
    assumptions.push(venues_assumed(playbook, methods, market));
    assumptions.retain(|text| !text.is_empty());
    Some(PlannedText { source, primary, reading, assumptions })
}

/// What to disclose where no venue is named.
fn venues_assumed(playbook: &Playbook, methods: &BTreeMap<MarketKind, Candidate>, market: &Market) -> String {
    let Some(candidate) = methods.get(&MarketKind::VenueFlow) else { return String::new() };
    let lower = playbook.question.to_lowercase();
    let names = &market.arguments.venue;
    let properties = candidate.method.input_schema.get("properties");
    let listed = names.iter().find_map(|name| properties?.get(name)?.get("enum")?.as_array());
    let venues: Vec<&str> = listed.into_iter().flatten().filter_map(Value::as_str).collect();
    if venues.is_empty() || venues.iter().any(|venue| lower.contains(&venue.to_lowercase())) {
        return String::new();
    }
    format!(
        "No venue is named, so the {} that {} covers were looked at",
        venues.len(),
        candidate.listing.name
    )
}

/// Whether something observed then is too old now.
pub(crate) fn is_stale(observed_at: Timestamp, asked_at: Timestamp, fresh_minutes: i64) -> bool {
    asked_at.duration_since(observed_at) > SignedDuration::from_mins(fresh_minutes)
}
