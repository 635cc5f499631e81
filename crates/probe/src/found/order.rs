//! The order of the evidence: by how well each method fits, and then what a question tells of which one it is for.

use domain::Turn;
use policy::{Policy, Settle};
use reading::Question;
use reading::form::FormKind;
use reading::time::Direction;

use crate::evidence::Evidence;
use crate::signals::tense;
use crate::situation;

/// The likeliest first, for a question behind what was said before it.
pub(super) fn ordered(
    evidence: Vec<Evidence>,
    question: &Question,
    history: &[Turn],
    policy: &Policy,
) -> Vec<Evidence> {
    let pools = &policy.probe.pools;
    let rank = |it: Evidence| (situation::rank(it.grounding, &it.signals, pools.fit_weight), it);
    let mut by_rank: Vec<(f64, Evidence)> = evidence.into_iter().map(rank).collect();
    by_rank.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut ranked: Vec<Evidence> = by_rank.into_iter().map(|(_, it)| it).collect();
    let settle = &policy.probe.settle;
    put_first(&mut ranked, Evidence::knows_topic_before);
    put_first(&mut ranked, Evidence::is_called_before);
    put_first(&mut ranked, Evidence::is_nearly_called_before);
    put_first(&mut ranked, |it, best| it.is_about_before(best, settle));
    put_first(&mut ranked, Evidence::leaves_nothing_before);
    put_first(&mut ranked, Evidence::is_worded_before);
    put_first(&mut ranked, Evidence::tells_before);
    put_first(&mut ranked, Evidence::is_spoken_of_before);
    put_first(&mut ranked, |it, best| is_callable_before(it, best, settle.near_fit_min));
    put_first(&mut ranked, |it, best| is_timely_before(it, best, question, settle));
    put_first(&mut ranked, |it, best| ranks_before(it, best, question, settle.rows_lead_min));
    put_first(&mut ranked, |it, best| is_on_offer_before(it, best, question, settle.rows_lead_min));
    // Of several, one that is for the time of the question.
    put_first(&mut ranked, |it, best| it.is_timely() && it.tells_each_before(best, question));
    put_first(&mut ranked, |it, best| it.tells_each_before(best, question));
    put_first(&mut ranked, |it, best| it.breaks_down_before(best, question));
    put_first(&mut ranked, |it, best| it.holds_limit_before(best, question));
    put_first(&mut ranked, |it, best| it.tells_named_before(best, question));
    // Of a conversation, what is said last counts first, and then the values that were said before it.
    let is_told_first = |it: &Evidence, best: &Evidence| it.fit.coverage >= best.fit.coverage;
    put_first(&mut ranked, |it, best| {
        (history.is_empty() || is_told_first(it, best))
            && it.takes_values_before(best, settle.known_share_min)
    });
    put_first(&mut ranked, Evidence::tells_at_once_before);
    put_first(&mut ranked, Evidence::finds_rest_before);
    put_first(&mut ranked, Evidence::is_of_its_kind_before);
    put_first(&mut ranked, Evidence::is_found_by);
    put_first(&mut ranked, |it, best| it.tells_course_of(best, question));
    put_first(&mut ranked, |it, best| it.ranks_what_is_found_by(best, &question.form));
    put_first(&mut ranked, |it, best| it.tells_by_what_before(best, &question.form));
    put_first(&mut ranked, |it, best| it.finds_them_before(best, question));
    put_first(&mut ranked, |it, best| question.form.asks_if_any && it.finds_before(best));
    put_first(&mut ranked, |it, best| it.finds_those_about(best, question));
    put_first(&mut ranked, |it, best| it.tells_changes_before(best, question));
    let open_min = policy.gate.open_argument_min;
    let is_of_one = question.form.kind == FormKind::Single || points_at_one(question);
    let names_none = is_of_one && question.form.entities.is_empty();
    put_first(&mut ranked, |it, best| names_none && it.is_of_the_one_before(best, open_min, settle));
    put_first(&mut ranked, Evidence::lists_what_is_found_by);
    put_first(&mut ranked, Evidence::follows_before);
    put_first(&mut ranked, |it, best| it.is_addressed_before(best, question));
    put_first(&mut ranked, |it, best| it.is_shaped_before(best, question, settle));
    ranked
}

/// A method that goes before the best one takes its place.
fn put_first(ranked: &mut [Evidence], goes_before: impl Fn(&Evidence, &Evidence) -> bool) {
    let Some((best, others)) = ranked.split_first() else { return };
    if let Some(place) = others.iter().position(|it| goes_before(it, best)) {
        ranked[..=place + 1].rotate_right(1);
    }
}

/// A method that the question names, that fits about as well and lacks nothing, goes before one that lacks an argument.
fn is_callable_before(it: &Evidence, best: &Evidence, near_fit_min: f64) -> bool {
    !best.open.is_empty()
        && it.is_named()
        && it.fit.score() >= best.fit.score() * near_fit_min
        && !best.explains_more_than(it)
}

/// A method that takes the time that the question names goes before one that has no place for it. Where the question names none but
/// now, a method for the time of its verb goes before one for another time; where it names another, one that is not for now does.
fn is_timely_before(it: &Evidence, best: &Evidence, question: &Question, rules: &Settle) -> bool {
    let names_none = question.window().is_none_or(|window| window.direction == Direction::Present);
    let may_have_it = names_none || best.is_for_another_time() || !tense::is_of_now(&it.known);
    it.takes_time_of(best)
        || it.tells_course_before(best)
        || it.takes_day_before(best, question)
        || it.takes_hours_before(best, question)
        || may_have_it && it.has_tense_of(best, rules)
}

/// Where a question ranks and says what, or asks for something by each of a kind, a method whose rows fit that goes before one
/// that tells of the whole.
fn ranks_before(it: &Evidence, best: &Evidence, question: &Question, lead_min: f64) -> bool {
    let asks_where =
        || question.words.first().is_some_and(|word| matches!(word.lower.as_str(), "where" | "who"));
    let ranks = matches!(question.form.kind, FormKind::Ranking | FormKind::Which);
    (ranks && (question.form.dimension.is_some() || asks_where()) || question.form.is_breakdown)
        && it.fit.form - best.fit.form >= lead_min
        && it.is_as_good_as(best)
}

/// Where a question asks which of a kind there are, or which has the most of what their rows measure, or more than so much, the
/// method of a listing that lists what it has goes before one that would have to be told one: "for which cities do you know the
/// rent".
fn is_on_offer_before(it: &Evidence, best: &Evidence, question: &Question, lead_min: f64) -> bool {
    let form = &question.form;
    let ranks = matches!(form.kind, FormKind::Ranking | FormKind::Which);
    let is_bounded = it.holds_limit(question) || it.ranks(form);
    let is_of_them = form.kind == FormKind::List && form.dimension.is_some()
        || ranks && it.known.outline.measures_any(&form.measures)
        || is_bounded;
    let form_lead = it.fit.form - best.fit.form;
    is_of_them
        && form.entities.is_empty()
        && !best.open.is_empty()
        && it.lists_for(best)
        && (form_lead >= lead_min || is_bounded && form_lead >= 0.0)
}

/// Whether a question asks of the one thing that it points at: "the holders of that outcome".
fn points_at_one(question: &Question) -> bool {
    question.words.windows(3).any(|words| {
        matches!(words[0].lower.as_str(), "of" | "for" | "in" | "on" | "about")
            && words[1].lower == "that"
            && !words[2].is_stop
            && !question.is_when(&words[2])
    })
}
