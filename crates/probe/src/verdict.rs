//! The evidence in the light of the whole: what each method is worth once it is known what else there is, and how the
//! question is built.
//!
//! A method is first weighed by itself, and so is each of its required arguments. Whether the best one serves, whether a
//! value is missing and whether a near second makes a difference can only be said of all of them together: the three-way
//! model says it, and moves the evidence to where it says.

use domain::ToolScope;
use fit::choice::{LOOKED_UP, PLACES_NOTHING};
use policy::{LeftOver, OffTopic, Policy, Settle, Shaped};
use reading::bind::{self, Argument, Role};
use reading::time::Moment;
use reading::{Question, words};

use crate::evidence::{Evidence, Open, open_argument};
use crate::required::Required;
use crate::safety::{Change, reads_by_name, writes_by_name};
use crate::signals::{KIN, answers_anything};
use crate::situation::{SAYS_ALL_MIN, value_of};
use crate::subject::LIGHT;

mod addressed;
mod beside;
mod course;
mod found_by;
mod lacking;
mod limits;
mod reply;

use beside::whole_of;
use reply::Reply;

/// Moves the evidence of methods, the likeliest first, to what the model says of the case. The first stays the first, but that
/// the whole goes before a part that the question does not name; the others come in the order of what they are worth now.
pub(crate) fn settle(
    ranked: &mut [Evidence],
    signals: &[(&'static str, f64)],
    (question, tools): (&Question, &ToolScope),
    policy: &Policy,
) {
    let change = Change::asked_by(&question.text);
    let rules = &policy.probe.settle;
    let [answer, ask, miss] = policy.learned.verdict.shares(signals);
    let miss = miss * if *tools == ToolScope::Discover { rules.discovered_miss } else { 1.0 };
    let is_undoable = is_undoable(change, question, ranked, signals);
    let Some((best, others)) = ranked.split_first_mut() else { return };
    let before = best.grounding.max(f64::MIN_POSITIVE);
    let is_bare = is_bare(best, others, signals, question);
    let lead = best.fit.score() - others.first().map_or(0.0, |other| other.fit.score());
    let is_clear = best.is_direct() && lead >= rules.direct.lead_min;
    let reply = Reply::to(best);
    let asks = (ask / (ask + answer)).min(if is_clear { rules.direct.asks_max } else { 1.0 });
    let asks = reply.map_or(asks, |reply| reply.asks(asks, &rules.reply));
    let serves = answer.max(ask);
    let is_addressed = change.is_none() && best.is_asked_by_name(question, &rules.shaped);
    let is_no_miss = is_bare || is_addressed || best.is_no_miss(question, &rules.shaped, change);
    let least = least_grounding((is_clear, is_no_miss, reply.is_some()), rules);
    best.grounding = (serves / (serves + miss)).max(least);
    let is_identified = change.is_none() && best.takes_identifier();
    let is_off_topic = || best.is_off_topic(signals, &rules.off_topic) || best.cannot_rank(question);
    if is_undoable || !is_bare && !is_identified && !is_addressed && is_off_topic() {
        best.grounding = best.grounding.min(rules.off_topic.grounding_max);
    }
    let is_even = others.first().is_some_and(|other| best.is_even_with(other, is_addressed, &rules.direct));
    let is_unclear = asks >= 0.5 || is_even || is_bare;
    let asks_value = best.settle_arguments(asks, rules.doubt_min);
    let apart = if asks < rules.surely_clear_max || is_unclear && !asks_value {
        rules.apart_sure
    } else {
        rules.apart
    };
    let whole = whole_of(best, others);
    let (lacks, is_on_topic) = (!best.open.is_empty(), best.is_on_topic());
    let mut can_ask = asks_value || is_bare;
    for (place, other) in others.iter_mut().enumerate() {
        let share = (other.grounding / before).min(1.0);
        let own = share * best.grounding;
        let is_tied = is_unclear
            && !asks_value
            && (is_bare || !best.outdoes(other) && !best.goes_on_before(other))
            && !best.is_apter(other, question, rules)
            && (other.is_on_topic() || !is_on_topic)
            && (lacks || !other.lacks_value(policy.gate.open_argument_min))
            && (is_bare && (other.finds_all() || other.takes_only_listed(question)) && other.open.is_empty()
                || asks >= rules.surely_unclear_min
                || share >= rules.runner_up_share_min && !best.outfits(other, rules))
            && place < rules.runners_up;
        can_ask |= (is_tied || whole == Some(place)) && !other.leaves_topic(signals, &rules.left_over);
        other.grounding = if whole == Some(place) {
            best.grounding
        } else if is_tied {
            own.max(best.grounding - rules.near)
        } else {
            own.min((best.grounding - apart).max(0.0))
        };
    }
    let asks_nothing = asks >= rules.left_over.asks_min && !can_ask;
    if !is_addressed && best.leaves_topic(signals, &rules.left_over) && (asks_nothing || !best.fit.is_about) {
        // Nothing that could be asked would make it clear: what the question is about is not to be had here.
        best.grounding = best.grounding.min(rules.off_topic.grounding_max);
        for other in others.iter_mut() {
            other.grounding = other.grounding.min(best.grounding);
        }
    }
    if let Some(place) = whole {
        // The part cannot be had without a second name, the whole can: it is what is taken where nobody can be asked.
        best.grounding = (best.grounding - rules.part_behind).max(0.0);
        ranked[..=place + 1].rotate_right(1);
    }
    if let Some((_, others)) = ranked.split_first_mut() {
        others.sort_by(|one, other| other.grounding.total_cmp(&one.grounding));
    }
}

/// How sure the best method is at the least that is just what the question says, serves whatever the model says, or is replied
/// to.
fn least_grounding((is_clear, is_no_miss, is_reply): (bool, bool, bool), rules: &Settle) -> f64 {
    if is_clear {
        rules.direct.grounding_min
    } else if is_no_miss {
        rules.shaped.grounding_min
    } else if is_reply {
        rules.reply.grounding_min
    } else {
        0.0
    }
}

/// Whether no method does what the question asks to be done, or tells it as finely as it asks or what it counts. What it orders
/// outright is not done by one that only reads.
fn is_undoable(
    change: Option<Change>,
    question: &Question,
    ranked: &[Evidence],
    signals: &[(&'static str, f64)],
) -> bool {
    let Some(change) = change else {
        let is_beyond = |best: &Evidence| best.is_coarser(question) || best.cannot_count(question);
        return ranked.first().is_some_and(is_beyond);
    };
    let reads = |it: &Evidence| reads_by_name(&it.candidate.method);
    let does = |it: &Evidence| value_of(&it.signals, "agrees") > 0.0;
    match change {
        Change::Message => !ranked.iter().any(|it| writes_by_name(&it.candidate.method)),
        Change::Outright if ranked.first().is_some_and(reads) => {
            !ranked.iter().any(|it| does(it) && !reads(it))
        }
        Change::Outright | Change::Perhaps => {
            value_of(signals, "conflicts") > 0.0 && !ranked.iter().any(does)
        }
    }
}

/// Whether a question names something, and says neither what is asked about it nor what is to be done with it.
fn names_and_no_more(signals: &[(&'static str, f64)]) -> bool {
    let says = |name| value_of(signals, name) > 0.0;
    let says_no_more = says("topic_none") && !says("acts") || says("generally");
    says("values_now") && says_no_more && !says("has_history") && !says("generalist")
}

/// Whether a question only names something that several methods take: in capitals, or in small letters and by values that they
/// list, "acme eur". A pair of currencies alone asks for its rate.
fn is_bare(
    best: &Evidence,
    others: &[Evidence],
    signals: &[(&'static str, f64)],
    question: &Question,
) -> bool {
    let is_alone = value_of(signals, "has_history") <= 0.0;
    question.implied.is_empty()
        && (best.finds_all()
            && others.iter().any(Evidence::finds_all)
            && (names_and_no_more(signals) || is_alone && question.names_only_a_place())
            || is_alone
                && best.takes_only_listed(question)
                && others.iter().any(|other| other.takes_only_listed(question)))
}

impl Evidence {
    /// Whether the question says values that its arguments list, and nothing else.
    fn takes_only_listed(&self, question: &Question) -> bool {
        bind::says_only_listed(question, &self.known.parameters, &self.binding.arguments)
    }

    /// Whether the question says all of its name, leaves no word over and no argument open.
    fn is_direct(&self) -> bool {
        self.fit.coverage >= SAYS_ALL_MIN && self.fit.name >= SAYS_ALL_MIN && self.open.is_empty()
    }

    /// Whether the question says all of its name, everything that it names has a place, and no argument is open.
    pub(crate) fn is_named(&self) -> bool {
        self.fit.name >= SAYS_ALL_MIN && self.takes_named()
    }

    /// Whether it knows each word of what the question is about, if only by one that means nearly the same, is for the time that
    /// it names and takes all that it says: "will it snow in Berlin on Thursday?" is for a forecast.
    fn takes_all(&self) -> bool {
        let own = |name| value_of(&self.signals, name);
        own("topic_any") >= KIN && own("value_left") <= 0.0 && own("tense") > 0.0 && self.takes_named()
    }

    /// Whether what the question is about is of its field, and it takes all that is named: "do I need a coat in Berlin" is for a
    /// forecast.
    fn is_of_field(&self, rule: &Shaped) -> bool {
        let own = |name| value_of(&self.signals, name);
        own("related") >= rule.field_min && own("value_left") <= 0.0 && self.takes_named()
    }

    /// Whether it knows all that the question is about, by its name or nearly, or in what it tells, and is given one value after the
    /// other: the current weather, or the temperature, in Paris and Berlin.
    fn is_named_of_several(&self) -> bool {
        let own = |name| value_of(&self.signals, name);
        (self.fit.name >= SAYS_ALL_MIN || own("best_name") >= KIN || own("topic_own") >= KIN)
            && own("topic_left") <= LIGHT.ln_1p()
            && self.is_fanned
            && self.open.is_empty()
    }

    /// Whether it serves, whatever the model says.
    fn is_no_miss(&self, question: &Question, rule: &Shaped, change: Option<Change>) -> bool {
        let tells = self.is_shaped(rule)
            || self.is_named()
            || self.takes_all()
            || self.is_of_field(rule)
            || self.is_named_of_several()
            || self.is_found_out(question, rule)
            || self.lacks_a_value_at_most()
            || self.is_asked_of_things()
            || self.tells_what_is_left()
            || self.lists_within(question);
        tells || change.is_none() && (self.takes_identifier() || self.answers_anything())
    }

    /// Whether the question says an identifier of what it tells of, as `evt-1001` is one, and all else that it needs.
    pub(super) fn takes_identifier(&self) -> bool {
        let is_identifier = |it: &Argument| {
            let value = it.bound().and_then(|bound| bound.value.as_str());
            it.role == Role::Id && it.is_required && it.is_said() && value.is_some_and(words::is_numbered)
        };
        self.takes_named() && self.binding.arguments.iter().any(is_identifier)
    }

    /// Whether the question says a word of its name, or nearly one and nothing else that is left over, no time that is over and that
    /// it cannot be asked for, and another method finds the thing that it is asked of: whether there is such a thing is found out by
    /// looking.
    fn is_found_out(&self, question: &Question, rule: &Shaped) -> bool {
        let own = |name| value_of(&self.signals, name);
        let is_named = self.fit.name > 0.0 || own("best_name") >= KIN && own("topic_left") <= 0.0;
        let is_over = |moment: &Moment| moment.window().is_some_and(|window| window.is_over(question.now));
        self.is_looked_up()
            && is_named
            && self.fit.coverage >= rule.coverage_min
            && !self.binding.unplaced_times(question).any(is_over)
    }

    /// Whether it answers whatever is asked, where something is to be told and not changed.
    fn answers_anything(&self) -> bool {
        self.open.is_empty() && answers_anything(&self.known)
    }

    /// Whether it would have an effect where the question only asks to be told what there is.
    fn acts_instead(&self) -> bool {
        value_of(&self.signals, "acts_instead") > 0.0
    }

    /// Whether it tells what the question asks to be told, of which it knows, where the other one would do something.
    pub(crate) fn tells_before(&self, other: &Self) -> bool {
        other.acts_instead() && value_of(&self.signals, "agrees") > 0.0 && self.knows_topic()
    }

    /// Whether everything that the question names has a place.
    fn places_all(&self) -> bool {
        self.fit.placed >= SAYS_ALL_MIN
    }

    /// Whether everything that the question names has a place, or another method finds what goes there.
    fn finds_all(&self) -> bool {
        self.fit.placed >= LOOKED_UP
    }

    /// Whether another method finds what the question names, and nothing else is open.
    #[must_use]
    pub fn is_looked_up(&self) -> bool {
        self.fit.open > 0.0 && self.open.is_empty() && self.finds_all()
    }

    /// Whether everything that the question names has a place, and no argument is open.
    pub(crate) fn takes_named(&self) -> bool {
        self.places_all() && self.open.is_empty()
    }

    /// Whether it knows a word of what the question is about, other than those that say how people ask.
    pub(super) fn knows_topic(&self) -> bool {
        value_of(&self.signals, "topic_best") > LIGHT
    }

    /// Whether it knows a word of what the question is about, where the question says any.
    pub(super) fn is_on_topic(&self) -> bool {
        self.knows_topic() || value_of(&self.signals, "topic_none") > 0.0
    }

    /// Whether it leaves over words of what the question is about, and knows none of the others or takes nothing of what the
    /// question says, so that it would tell the same whatever was asked.
    fn leaves_topic(&self, signals: &[(&'static str, f64)], rule: &LeftOver) -> bool {
        let own = |name| value_of(&self.signals, name);
        let knows_nothing = !self.knows_topic() && own("related") <= 0.0;
        let takes_nothing = self.open.is_empty()
            && self.fit.placed <= PLACES_NOTHING
            && !self.binding.arguments.iter().any(Argument::is_said);
        let listing = words::terms(&self.candidate.listing.name);
        own("topic_left") > LIGHT.ln_1p()
            && own("name_said") < rule.name_said_min
            && (knows_nothing && self.fit.is_about || takes_nothing && own("related") < rule.related_min)
            && value_of(signals, "generalist") <= 0.0
            && !self.binding.coverage.left.iter().any(|stem| listing.contains(stem))
    }

    /// Whether it knows nothing of what is asked, of which there is much, or no word of a question that asks something, or not
    /// the thing whose property is asked, or does what is not asked.
    fn is_off_topic(&self, signals: &[(&'static str, f64)], rule: &OffTopic) -> bool {
        let says = |name| value_of(signals, name) > 0.0;
        let ties = ["name_said", "related", "agrees", "generalist"];
        let has_no_tie = self.fit.coverage <= rule.coverage_max
            && (!ties.into_iter().any(says) || self.knows_only_asking());
        let is_foreign = self.is_foreign && (!says("topic_none") || says("conflicts"));
        // What is looked up by its words need not be known.
        let misses_bearer = self.misses_bearer && !self.is_looked_up();
        let is_other =
            is_foreign || misses_bearer || self.acts_instead() || has_no_tie && !self.is_on_topic();
        is_other && !says("has_history") && !says("unspaced")
    }

    /// Whether it knows only words that say how people ask, which are not all of its name: the "biggest" of "biggest scandals".
    fn knows_only_asking(&self) -> bool {
        let own = |name| value_of(&self.signals, name);
        let best = own("topic_best").max(own("related_best"));
        best > 0.0 && best <= LIGHT && self.fit.name < SAYS_ALL_MIN && own("agrees") <= 0.0
    }

    /// Whether it knows of what is asked, and its result, by its schema, has the shape of it.
    fn is_shaped(&self, rule: &Shaped) -> bool {
        self.is_on_topic()
            && self.fit.form >= rule.form_min
            && self.fit.coverage >= rule.coverage_min
            && self.open.is_empty()
            && !self.known.outline.leaves.is_empty()
    }

    /// Whether a value is asked for. Where the question is unclear, the likeliest argument is what it lacks, even one that
    /// seemed to be filled; where it is clear, none is.
    fn settle_arguments(&mut self, asks: f64, doubt_min: f64) -> bool {
        let is_unclear = asks >= 0.5;
        if !is_unclear {
            // One of its parts is found, and taken.
            let is_found =
                |open: &Open| self.required.iter().any(|it| it.names_whole && it.name == open.name);
            self.open.retain(|open| !is_found(open));
            for open in &mut self.open {
                open.is_the_callers = open.is_the_callers.min(asks);
            }
            return false;
        }
        let (binding, parameters) = (&self.binding, &self.known.parameters);
        let is_said = |name: &str| binding.argument(name).is_some_and(Argument::is_said);
        let is_doubtful = |required: &&Required| {
            let is_bound =
                binding.argument(&required.name).is_some_and(|argument| argument.bound().is_some());
            // One of the values that it lists is no guess, nor is a time just as the question says it.
            let is_sure = is_said(&required.name) && parameters.has_choices(&required.name)
                || binding.argument(&required.name).is_some_and(Argument::is_exact_time);
            let is_bound = is_bound && !is_sure;
            !required.is_filled || is_bound && required.is_the_callers >= doubt_min
        };
        let likeliest = self.required.iter().filter(is_doubtful).max_by(|one, other| {
            (!one.is_filled, one.is_the_callers)
                .partial_cmp(&(!other.is_filled, other.is_the_callers))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        let Some(likeliest) = likeliest.cloned() else { return false };
        if !self.open.iter().any(|open| open.name == likeliest.name) {
            self.open.extend(
                self.binding.argument(&likeliest.name).map(|argument| open_argument(argument, &likeliest)),
            );
        }
        for open in self.open.iter_mut().filter(|open| open.name == likeliest.name) {
            open.is_the_callers = open.is_the_callers.max(asks);
        }
        true
    }
}
