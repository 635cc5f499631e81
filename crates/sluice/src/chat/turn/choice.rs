//! Whether a message answers the clarification that its thread waits on: by ids, by a number, by a label, or in own words.

use domain::SaidChoice;
use jiff::Timestamp;
use policy::Guardrails;
use reading::{Place, words};

use super::{Pending, Refusal, Turn};

/// Makes an answer the question that it answers, with the option that it means.
pub(super) fn resolve(mut turn: Turn, rules: &Guardrails) -> Result<Turn, Refusal> {
    let pending = turn.thread.pending.take().filter(|_| turn.body.message.is_some());
    let anew = asked_anew(&turn.asked.text).filter(|_| turn.body.clarification.is_none());
    if let Some(anew) = anew.map(str::to_owned) {
        turn.asked.text = anew;
        return Ok(turn);
    }
    let Some(pending) = pending else {
        return if turn.body.clarification.is_some() { Err(Refusal::NotPending) } else { Ok(turn) };
    };
    let place = match &turn.body.clarification {
        Some(chosen) if chosen.clarification_id != pending.card.clarification_id => {
            return Err(Refusal::NotPending);
        }
        Some(chosen) => {
            let place = pending.card.options.iter().position(|option| option.id == chosen.option_id);
            Some(place.ok_or_else(|| Refusal::Wrong {
                field: "clarification.optionId",
                message: "is none of the clarification's options".to_owned(),
            })?)
        }
        // Whoever asks anew after a long while does not mean the number of an option.
        None if has_expired(&pending, turn.thread.now) => return Ok(turn),
        None => named(&pending, &turn.asked.text),
    };
    if let Some(place) = place {
        let option = &pending.card.options[place];
        let token = pending.tokens.get(place).cloned().unwrap_or_default();
        turn.asked.choice = Some(SaidChoice { option: option.id.clone(), token, selection: None });
        turn.asked.answers = Some((pending.card.clarification_id, Some(option.id.clone())));
        turn.asked.text.clone_from(&pending.card.original_query);
        leave_out_the_question_back(&mut turn);
    } else if pending.card.allow_freeform && is_a_value(&turn.asked.text, rules) {
        turn.asked.text = replied(&pending.card.original_query, &turn.asked.text);
        turn.asked.answers = Some((pending.card.clarification_id, None));
        leave_out_the_question_back(&mut turn);
    }
    Ok(turn)
}

/// What is asked by whoever lets go of what was asked before: "never mind, what time is it".
pub(super) fn asked_anew(text: &str) -> Option<&str> {
    const LETS_GO: [&str; 5] = ["never mind", "nevermind", "forget it", "forget that", "scratch that"];
    let text = text.trim();
    let rest = LETS_GO.iter().find_map(|opening| words::behind_opening(text, opening))?;
    let rest = rest.strip_prefix([' ', ',', '.', ';', ':', '!', '-'])?;
    let rest = rest.trim_start_matches(|sign: char| !sign.is_alphanumeric());
    (!rest.is_empty()).then_some(rest)
}

fn has_expired(pending: &Pending, now: Timestamp) -> bool {
    pending.card.expires_at.parse::<Timestamp>().is_ok_and(|expires_at| expires_at <= now)
}

/// The place of the option that a text names by number, by its place among them or by label.
fn named(pending: &Pending, text: &str) -> Option<usize> {
    let options = &pending.card.options;
    if let Some(place) = place_said(text, options.len()) {
        return (place < options.len()).then_some(place);
    }
    let text = text.trim().trim_end_matches(['.', ')', '!']);
    let plain = |label: &str| label.trim().trim_end_matches('.').to_lowercase();
    let wanted = plain(text);
    let mut meant = (0..options.len()).filter(|place| plain(&options[*place].label) == wanted);
    let place = meant.next()?;
    meant.next().is_none().then_some(place)
}

/// The place that a text says among so many, from 0 on, where it says nothing else: "2", "#2", "the second one", "the last, please".
fn place_said(text: &str, of: usize) -> Option<usize> {
    const BESIDE: [&str; 7] = ["the", "one", "option", "number", "no", "please", "choice"];
    // "$2" and "-2" are values.
    let is_beside =
        |sign: char| sign.is_whitespace() || matches!(sign, '.' | ',' | '#' | '(' | ')' | '!' | ':');
    if !text.chars().all(|sign| sign.is_alphanumeric() || is_beside(sign)) {
        return None;
    }
    let lower = text.to_lowercase();
    let words = lower.split(is_beside).filter(|word| !word.is_empty());
    let mut telling = words.filter(|word| !BESIDE.contains(word));
    let (word, None) = (telling.next()?, telling.next()) else { return None };
    match word.parse::<usize>() {
        Ok(number) => number.checked_sub(1),
        Err(_) => match Place::spelled_out(word)? {
            Place::At(place) => Some(place),
            Place::Last => of.checked_sub(1),
        },
    }
}

/// A question with what was replied when it was asked back.
pub(super) fn replied(question: &str, value: &str) -> String {
    if reading::is_led(value) {
        format!("{} {value}", words::unended(question))
    } else {
        format!("{question} ({value})")
    }
}

/// Whether a text is what was asked for and no question of its own.
fn is_a_value(text: &str, rules: &Guardrails) -> bool {
    !text.contains('?')
        && text.split_whitespace().count() <= rules.input.value_words_max
        && !reading::form::opens_a_question(text)
}

/// The question is asked again as it was: that it was asked, and asked back, is no history of it.
fn leave_out_the_question_back(turn: &mut Turn) {
    let last = turn.thread.messages.iter().rposition(|message| message.role == "user");
    turn.thread.messages.truncate(last.unwrap_or(0));
}

#[cfg(test)]
mod tests {
    use contract::chat::{CardOption, CardState, ClarificationCard, UiMessage};
    use serde_json::{Value, json};

    use super::super::Known;
    use super::super::fixture::{self, rules};
    use super::*;

    fn pending(allow_freeform: bool) -> Pending {
        let option = |number: u64, label: &str| CardOption {
            id: format!("tool:method{number}"),
            number,
            label: label.to_owned(),
            description: String::new(),
            recommended: number == 1,
            tool_name: "Tool".to_owned(),
            method_name: format!("method{number}"),
            resolution_mode: None,
            followup_prompt: None,
        };
        Pending {
            card: ClarificationCard {
                clarification_id: "c1".to_owned(),
                question: "Which?".to_owned(),
                options: vec![option(1, "The event as a whole"), option(2, "One of its outcomes")],
                recommended_option_id: "tool:method1".to_owned(),
                allow_freeform,
                original_query: "What is the price?".to_owned(),
                expires_at: "2026-01-01T00:30:00.000Z".to_owned(),
                state: CardState::Pending,
            },
            tokens: vec!["token1".to_owned(), "token2".to_owned()],
        }
    }

    fn answered(text: &str, more: &Value, allow_freeform: bool, now: &str) -> Result<Turn, Refusal> {
        let message = json!({"id": "m", "role": "user", "parts": [{"type": "text", "text": text}]});
        let mut body = json!({"id": "t", "message": message});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let messages = vec![
            UiMessage::said("m0".to_owned(), "What is the price?"),
            UiMessage { role: "assistant".to_owned(), ..UiMessage::said("a0".to_owned(), "Which?") },
        ];
        let now = now.parse().unwrap();
        let known = Known { messages, pending: Some(pending(allow_freeform)), now, ..Known::default() };
        resolve(fixture::turn(&body).in_thread(known).unwrap(), &rules())
    }

    const SOON: &str = "2026-01-01T00:10:00Z";
    const LATE: &str = "2026-01-01T00:31:00Z";

    #[test]
    fn an_option_is_named_in_many_ways() {
        let by_ids = json!({"clarification": {"clarificationId": "c1", "optionId": "tool:method2"}});
        for (text, more) in [
            ("the second", by_ids),
            ("2", json!({})),
            (" 2. ", json!({})),
            ("#2", json!({})),
            ("(2)", json!({})),
            ("the second one", json!({})),
            ("Second, please!", json!({})),
            ("option 2", json!({})),
            ("the last", json!({})),
            ("one of its OUTCOMES", json!({})),
            ("One of its outcomes.", json!({})),
        ] {
            let turn = answered(text, &more, false, SOON).unwrap();
            let choice = turn.asked.choice.unwrap_or_else(|| panic!("{text}"));
            assert_eq!((choice.option.as_str(), choice.token.as_str()), ("tool:method2", "token2"));
            assert_eq!(turn.asked.answers, Some(("c1".to_owned(), Some("tool:method2".to_owned()))));
            assert_eq!(turn.asked.text, "What is the price?");
            assert!(turn.thread.messages.is_empty());
        }
    }

    #[test]
    fn another_question_is_another_question() {
        for text in ["3", "0", "$2", "-2", "What is the weather?", "outcomes", "2 days ago"] {
            let turn = answered(text, &json!({}), false, SOON).unwrap();
            assert_eq!((turn.asked.choice, turn.asked.text.as_str()), (None, text));
        }
        let late = answered("2", &json!({}), false, LATE).unwrap();
        assert_eq!(late.asked.choice, None);
    }

    #[test]
    fn who_lets_go_asks_anew() {
        for text in ["never mind. Convert 20 euros to yen", "Forget it, Convert 20 euros to yen"] {
            let turn = answered(text, &json!({}), true, SOON).unwrap();
            assert_eq!((turn.asked.answers, turn.asked.text.as_str()), (None, "Convert 20 euros to yen"));
        }
        assert_eq!(answered("never mind", &json!({}), false, SOON).unwrap().asked.text, "never mind");
    }

    #[test]
    fn a_value_in_own_words_completes_the_question() {
        let turn = answered("Lisbon", &json!({}), true, SOON).unwrap();
        assert_eq!(turn.asked.text, "What is the price? (Lisbon)");
        assert_eq!(turn.asked.answers, Some(("c1".to_owned(), None)));
        assert!(turn.thread.messages.is_empty());
        assert_eq!(
            answered("And what of Porto?", &json!({}), true, SOON).unwrap().asked.text,
            "And what of Porto?"
        );
    }

    #[test]
    fn what_does_not_wait_is_not_answered() {
        let ids = |clarification: &str, option: &str| json!({"clarification": {"clarificationId": clarification, "optionId": option}});
        assert_eq!(answered("x", &ids("c2", "tool:method2"), false, SOON).unwrap_err(), Refusal::NotPending);
        let wrong = answered("x", &ids("c1", "tool:method3"), false, SOON).unwrap_err();
        assert!(matches!(wrong, Refusal::Wrong { field: "clarification.optionId", .. }));
        let mut body = json!({"id": "t", "message": {"id": "m", "role": "user", "parts": [{"type": "text", "text": "x"}]}});
        body["clarification"] = ids("c1", "o")["clarification"].clone();
        assert_eq!(resolve(fixture::turn(&body), &rules()).unwrap_err(), Refusal::NotPending);
    }
}
