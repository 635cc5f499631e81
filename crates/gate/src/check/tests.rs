//! Each check both ways.

use super::*;
use crate::brief::{Asked, BriefOption};
use crate::fixture::{brief, opinion, option};
use crate::opinion::{OptionId, Verdict};

/// What a check says of an opinion on a brief.
fn said(check: Check, opinion: &Opinion, brief: &Brief) -> Option<Note> {
    check(opinion, &Case { brief, standing: Standing::of(brief) })
}

fn one() -> Brief {
    brief("price of BTC", vec![option("price", 0.95), option("volume", 0.6)])
}

fn two() -> Brief {
    brief("price of BTC", vec![option("price", 0.95), option("volume", 0.93)])
}

fn answer(option: &BriefOption) -> Opinion {
    opinion(Verdict::Answer, &[option])
}

#[test]
fn unknown_options_are_named() {
    let brief = one();
    let mut wrong = answer(&brief.options[0]);
    assert_eq!(said(known_options, &wrong, &brief), None);
    wrong.options.push(OptionId("made:up".to_owned()));
    let note = said(known_options, &wrong, &brief).unwrap();
    assert_eq!(note.to_string(), "judge named unknown option ids: made:up");
}

#[test]
fn the_unsure_are_not_heard() {
    let brief = one();
    let mut unsure = answer(&brief.options[0]);
    assert_eq!(said(sure_enough, &unsure, &brief), None);
    for confidence in [0.1, f64::NAN] {
        unsure.confidence = confidence;
        assert!(matches!(said(sure_enough, &unsure, &brief), Some(Note::LowConfidence { .. })));
    }
}

#[test]
fn an_answer_has_a_recommendation() {
    let brief = one();
    let mut bare = answer(&brief.options[0]);
    assert_eq!(said(valid_recommendation, &bare, &brief), None);
    bare.recommended = None;
    assert_eq!(said(valid_recommendation, &bare, &brief), Some(Note::NoRecommendation));
    let asks = opinion(Verdict::Miss, &[]);
    assert_eq!(said(valid_recommendation, &asks, &brief), None);
}

#[test]
fn an_answer_is_grounded() {
    let brief = brief("price", vec![option("price", 0.3)]);
    assert!(matches!(
        said(recommends_grounded, &answer(&brief.options[0]), &brief),
        Some(Note::UngroundedAnswer(_))
    ));
    let brief = one();
    assert_eq!(said(recommends_grounded, &answer(&brief.options[1]), &brief), None);
}

#[test]
fn a_target_is_named() {
    let mut aimless = option("price", 0.95).lacking("market", 0.2);
    aimless.said.clear();
    let mut brief = brief("price", vec![aimless]);
    assert_eq!(said(targets_named, &answer(&brief.options[0]), &brief), None);
    brief.names_target = false;
    let note = said(targets_named, &answer(&brief.options[0]), &brief).unwrap();
    assert!(
        note.to_string()
            .starts_with("judge selected a named-target method although the query names no target")
    );
}

#[test]
fn an_open_scope_is_no_answer() {
    let options = || vec![option("event_odds", 0.9).whole(), option("outcome_odds", 0.8)];
    let mut brief = brief("odds of the World Cup", options());
    assert!(matches!(
        said(one_scope, &answer(&brief.options[0]), &brief),
        Some(Note::UnresolvedScope { .. })
    ));
    assert_eq!(said(one_scope, &opinion(Verdict::Miss, &[]), &brief), None);
    brief.asked = Asked::Whole;
    assert_eq!(said(one_scope, &answer(&brief.options[0]), &brief), None);
}

#[test]
fn several_viable_are_no_answer() {
    let (one, two) = (one(), two());
    assert_eq!(said(nothing_left_open, &answer(&one.options[0]), &one), None);
    let note = said(nothing_left_open, &answer(&two.options[0]), &two).unwrap();
    assert!(matches!(note, Note::SeveralViable(ids) if ids.len() == 2));
}

#[test]
fn an_answer_follows_the_question() {
    let mut meant = option("outcome", 0.9);
    meant.placed = 2;
    let brief = brief("odds of Brazil in the World Cup", vec![option("event", 0.92), meant]);
    assert!(matches!(
        said(follows_the_question, &answer(&brief.options[0]), &brief),
        Some(Note::RuledOut { .. })
    ));
    assert_eq!(said(follows_the_question, &answer(&brief.options[1]), &brief), None);
}

#[test]
fn an_answer_lacks_no_value_of_the_callers() {
    let brief = brief("weather", vec![option("weather", 0.9).lacking("city", 0.9), option("other", 0.9)]);
    assert!(matches!(
        said(no_value_missing, &answer(&brief.options[0]), &brief),
        Some(Note::MissingValue { .. })
    ));
    assert_eq!(said(no_value_missing, &answer(&brief.options[1]), &brief), None);
}

#[test]
fn a_choice_has_two_or_three_or_a_value_to_ask_for() {
    let brief = brief(
        "x",
        vec![
            option("a", 0.9),
            option("b", 0.9),
            option("c", 0.9),
            option("d", 0.9).lacking("city", 0.9),
            option("e", 0.1),
        ],
    );
    let [first, second, third, lacking, ungrounded] = brief.options.as_slice() else { panic!("five") };
    let holds = |options: &[&BriefOption]| {
        said(options_of_a_choice, &opinion(Verdict::Clarify, options), &brief).is_none()
    };
    assert!(holds(&[first, second]) && holds(&[first, second, third]) && holds(&[lacking]));
    assert!(!holds(&[]) && !holds(&[first]) && !holds(&[first, ungrounded]));
    assert!(!holds(&[first, second, third, lacking]));
    let mut apart = opinion(Verdict::Clarify, &[first, second]);
    apart.recommended = Some(third.id.clone());
    assert!(matches!(said(options_of_a_choice, &apart, &brief), Some(Note::NoChoice { given: 2, most: 3 })));
    assert_eq!(said(options_of_a_choice, &answer(first), &brief), None);
}

#[test]
fn options_of_a_choice_differ() {
    let brief = brief("x", vec![option("a", 0.9), option("b", 0.9), crate::fixture::from("Beta", "a", 0.9)]);
    let [a, b, copy] = brief.options.as_slice() else { panic!("three") };
    assert_eq!(said(options_differ, &opinion(Verdict::Clarify, &[a, b]), &brief), None);
    for same in [[a, copy], [a, a]] {
        let note = said(options_differ, &opinion(Verdict::Clarify, &same), &brief).unwrap();
        assert!(note.to_string().starts_with("judge clarification options are not materially distinct"));
    }
}

#[test]
fn a_composite_is_heard() {
    let mut brief =
        brief("compare odds", vec![option("outcome_odds", 0.9), option("event_odds", 0.88).whole()]);
    let asks = |brief: &Brief| opinion(Verdict::Clarify, &[&brief.options[0], &brief.options[1]]);
    assert_eq!(said(composite_is_heard, &asks(&brief), &brief), None);
    brief.asked = Asked::Whole;
    assert!(matches!(said(composite_is_heard, &asks(&brief), &brief), Some(Note::IgnoredComposite(_))));
}

#[test]
fn complementary_clauses_are_no_choice() {
    let parts = |second: &[f64]| {
        vec![option("weather", 0.9).clauses(&[1.0, 0.0]), option("price", 0.88).clauses(second)]
    };
    let both = brief("weather and price", parts(&[0.0, 1.0]));
    let asks = |brief: &Brief| opinion(Verdict::Clarify, &[&brief.options[0], &brief.options[1]]);
    assert_eq!(said(clauses_are_no_choice, &asks(&both), &both), Some(Note::ComplementaryClauses));
    let rivals = brief("weather and price", parts(&[1.0, 0.0]));
    assert_eq!(said(clauses_are_no_choice, &asks(&rivals), &rivals), None);
}

#[test]
fn what_is_surely_grounded_is_no_miss() {
    let sure = one();
    let miss = opinion(Verdict::Miss, &[]);
    assert!(matches!(said(nothing_surely_grounded, &miss, &sure), Some(Note::SurelyGrounded(_))));
    let unsure = brief("price", vec![option("price", 0.6)]);
    assert_eq!(said(nothing_surely_grounded, &miss, &unsure), None);
    let lacking = brief("price", vec![option("price", 0.95).lacking("market", 0.2)]);
    assert_eq!(said(nothing_surely_grounded, &miss, &lacking), None);
}
