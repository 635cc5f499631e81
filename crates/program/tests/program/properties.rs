//! What must hold for every program: no panic, no dependence on order, no second payment.

use std::collections::BTreeSet;
use std::sync::mpsc;

use domain::Call;
use policy::Sandbox;
use program::{Cancellation, Cause, Journal, Order, Origin, Program, Step, run_order};
use proptest::prelude::*;
use serde_json::Value;

use crate::harness::{Waves, answer, budget, drive, limits, parse, signatures};

/// Texts that fail, that are alike, that differ.
fn symbol() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["A", "BB", "BAD", "CCC"])
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0..9_i64).prop_map(|number| number.to_string()),
        symbol().prop_map(|text| format!("\"{text}\"")),
        (0..4_usize).prop_map(|variable| format!("v{variable}")),
        (0..4_usize).prop_map(|variable| format!("v{variable}.price")),
        symbol().prop_map(|text| format!("call_tool(\"market.price\", #{{symbol: \"{text}\"}})")),
        symbol().prop_map(|text| format!("call_tool(\"market.price\", #{{symbol: \"{text}\"}}).price")),
        symbol().prop_map(|text| format!("call_tool(\"text.read\", #{{path: \"{text}\"}})")),
        Just("call_tool(\"text.read\", #{path: \"count\"})".to_owned()),
        Just("call_tool(\"market.list\")".to_owned()),
        Just("call_tool(\"flows.inflows\", #{asset: \"BTC\"}).rows".to_owned()),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("{left} + {right}")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left} == {right})")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("[{left}, {right}]")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left} ?? {right})")),
            inner.clone().prop_map(|one| format!("#{{a: {one}}}")),
            inner.clone().prop_map(|one| format!("`${{{one}}}`")),
            inner.clone().prop_map(|one| format!("settle({one})")),
            inner.clone().prop_map(|one| format!("call_tool(\"text.read\", #{{path: {one}}})")),
            inner.prop_map(|one| format!("take({one}, 2)")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    let variable = 0..4_usize;
    prop_oneof![
        (variable.clone(), expression()).prop_map(|(variable, value)| format!("v{variable} = {value};")),
        (variable.clone(), expression()).prop_map(|(variable, value)| {
            format!("try {{ v{variable} = {value}; }} catch (error) {{ v{variable} = error.message; }}")
        }),
        (variable.clone(), symbol(), symbol()).prop_map(|(variable, one, other)| format!(
            "v{variable} = []; for s in [\"{one}\", \"{other}\"] {{ \
             v{variable}.push(call_tool(\"market.price\", #{{symbol: s}})); }}"
        )),
        (variable, expression(), expression()).prop_map(|(variable, test, value)| format!(
            "if {test} == 3 {{ v{variable} = {value}; }} else {{ v{variable} = settle_all([{value}]); }}"
        )),
    ]
}

fn text() -> impl Strategy<Value = String> {
    (prop::collection::vec(statement(), 0..5), expression()).prop_map(|(statements, last)| {
        format!("let v0 = 0; let v1 = 1; let v2 = 2; let v3 = 3;\n{}\n{last}", statements.join("\n"))
    })
}

/// All that a program's end says, but for what it used.
type End = Result<(Value, Vec<Origin>), Cause>;

fn end(program: &Program, journal: Journal) -> (End, Journal, Waves) {
    match drive(program, journal, answer) {
        (Step::Done(finished), waves) => (Ok((finished.value, finished.origins)), finished.journal, waves),
        (Step::Failed(fault), waves) => (Err(fault.cause), fault.journal, waves),
        (Step::Calls(_), _) => unreachable!("a driven program waits for nothing"),
    }
}

/// Where a pass runs: as it is, or as bytes that another process could be sent.
fn drive_carried(program: &Program) -> Step {
    let mut ready = program.ready(Journal::default(), &Cancellation::default());
    loop {
        let order = ready.into_order(1 << 20).unwrap();
        let report = reported(&order);
        match order.conclude(&report).unwrap() {
            Step::Calls(pending) => {
                let replies = pending.calls().iter().map(answer).collect();
                ready = pending.ready(replies);
            }
            step @ (Step::Done(_) | Step::Failed(_)) => return step,
        }
    }
}

fn reported(order: &Order) -> Vec<u8> {
    let (told, report) = mpsc::channel();
    run_order(order.bytes(), 1 << 20, move |report| told.send(report).unwrap());
    report.recv().unwrap()
}

fn identities(calls: impl Iterator<Item = Call>) -> Vec<String> {
    calls.map(|call| format!("{} {}", call.method, Value::Object(call.arguments))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_completion_never_changes_the_end(
        text in text(),
        order in prop::collection::vec(any::<u32>(), 40),
        kept in prop::collection::vec(any::<bool>(), 40),
    ) {
        let program = parse(&text).map_err(|rejection| TestCaseError::reject(rejection.to_string()))?;
        let (first, journal, _) = end(&program, Journal::default());
        let mut entries: Vec<_> = journal.entries().iter().zip(order).collect();
        entries.sort_by_key(|(_, order)| *order);
        let rebuilt = |keep: &dyn Fn(usize) -> bool| {
            let mut journal = Journal::default();
            for (place, (entry, _)) in entries.iter().enumerate() {
                if keep(place) {
                    journal.record(entry.call().clone(), entry.reply().clone());
                }
            }
            journal
        };
        let (replayed, _, waves) = end(&program, rebuilt(&|_| true));
        prop_assert_eq!(&replayed, &first, "{}", text);
        prop_assert!(waves.is_empty());
        let (resumed, _, waves) = end(&program, rebuilt(&|place| kept[place]));
        prop_assert_eq!(&resumed, &first, "{}", text);
        let missing = (0..entries.len()).filter(|place| !kept[*place]).count();
        // A program that fails may do so before it asks again for what else it had asked for, or, with some replies at
        // hand sooner, after it has asked for more.
        let asked = waves.iter().flatten().count();
        let again = identities(waves.into_iter().flatten());
        let had = identities(entries.iter().enumerate().filter(|(place, _)| kept[*place]).map(|(_, (entry, _))| entry.call().clone()));
        prop_assert!(again.iter().all(|call| !had.contains(call)), "{}", text);
        prop_assert!(asked == missing || first.is_err(), "{}", text);
    }

    #[test]
    fn a_pass_elsewhere_is_a_pass_here(text in text()) {
        let program = parse(&text).map_err(|rejection| TestCaseError::reject(rejection.to_string()))?;
        let (here, journal, waves) = end(&program, Journal::default());
        let (there, other, operations) = match drive_carried(&program) {
            Step::Done(finished) => (Ok((finished.value, finished.origins)), finished.journal, finished.usage.operations),
            Step::Failed(fault) => (Err(fault.cause), fault.journal, fault.usage.operations),
            Step::Calls(_) => unreachable!("a driven program waits for nothing"),
        };
        prop_assert_eq!(there, here, "{}", text);
        let entries = |journal: &Journal| -> Vec<_> {
            journal.entries().iter().map(|entry| (entry.call().clone(), entry.reply().clone())).collect()
        };
        prop_assert_eq!(entries(&other), entries(&journal));
        prop_assert_eq!(waves.iter().flatten().count(), journal.entries().len());
        prop_assert!(operations > 0);
    }

    #[test]
    fn a_report_is_taken_or_refused(
        text in text(),
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        place in any::<prop::sample::Index>(),
        whole in any::<bool>(),
    ) {
        let program = parse(&text).map_err(|rejection| TestCaseError::reject(rejection.to_string()))?;
        let order = program.ready(Journal::default(), &Cancellation::default()).into_order(1 << 20).unwrap();
        let mut report = reported(&order);
        if whole {
            report = bytes;
        } else {
            let place = place.index(report.len());
            report.splice(place..(place + 1).min(report.len()), bytes);
        }
        match order.conclude(&report) {
            Ok(Step::Calls(pending)) => {
                let calls = pending.calls();
                prop_assert!(calls.len() <= program.calls_max());
                let is_verified = |call: &Call| {
                    program.sites().iter().any(|site| site.method.ends_with(call.method.method.as_str()))
                };
                prop_assert!(calls.iter().all(is_verified));
            }
            Ok(Step::Done(_) | Step::Failed(_)) | Err(_) => {}
        }
    }

    #[test]
    fn no_call_is_ever_made_twice(first in text(), second in text()) {
        let (Ok(first), Ok(second)) = (parse(&first), parse(&second)) else { return Err(TestCaseError::reject("")) };
        let (_, journal, waves) = end(&first, Journal::default());
        let mut asked = identities(waves.into_iter().flatten());
        let (_, journal, waves) = end(&second, journal);
        asked.extend(identities(waves.into_iter().flatten()));
        let distinct: BTreeSet<_> = asked.iter().collect();
        prop_assert_eq!(distinct.len(), asked.len());
        prop_assert_eq!(journal.entries().len(), asked.len());
        let positions: BTreeSet<_> = journal.entries().iter().map(|entry| entry.call().position.clone()).collect();
        prop_assert_eq!(positions.len(), asked.len());
    }

    #[test]
    fn origins_point_at_what_stands_there(text in text()) {
        let program = parse(&text).map_err(|rejection| TestCaseError::reject(rejection.to_string()))?;
        if let (Ok((value, origins)), journal, _) = end(&program, Journal::default()) {
            for origin in origins {
                let entry = journal.entry(&origin.position).unwrap();
                let part = entry.reply().as_ref().unwrap().value.pointer(&origin.pointer).unwrap();
                let pointer = origin.path.trim_start_matches('$').replace(['.', '['], "/").replace(']', "");
                prop_assert_eq!(value.pointer(&pointer), Some(part), "{}", text);
            }
        }
    }

    #[test]
    fn a_program_makes_no_more_calls_than_were_counted(text in text()) {
        let program = parse(&text).map_err(|rejection| TestCaseError::reject(rejection.to_string()))?;
        let (end, _, waves) = end(&program, Journal::default());
        prop_assert!(waves.iter().flatten().count() <= program.calls_max());
        prop_assert_ne!(end, Err(Cause::Limit { limit: "static_calls_max" }), "{}", text);
    }

    #[test]
    fn any_text_is_refused_or_run(text in "\\PC{0,200}") {
        run_whatever(&text);
    }

    #[test]
    fn any_words_are_refused_or_run(words in prop::collection::vec(word(), 0..40)) {
        run_whatever(&words.join(" "));
    }
}

fn word() -> impl Strategy<Value = &'static str> {
    let words = r#"
        let x y = 1 0 -1 9223372036854775807 1.5 "a" `${x}` [ ] ( ) { } #{ a: , ; . .. ..= + - * / % ** << == < && ! |x| ||
        if else for in while loop break continue fn f return throw try catch (e) ?? ?. push pop len() map filter sort pad
        split sum top call_tool "market.list" call_tool("market.list") settle true () const // /* */ call_all tool: args:
    "#;
    prop::sample::select(words.split_whitespace().collect::<Vec<_>>())
}

fn run_whatever(text: &str) {
    let limits = Sandbox { operations_max: 3_000, ..limits() };
    if let Ok(program) = Program::parse(text, &signatures(), &limits, budget()) {
        let (step, _) = drive(&program, Journal::default(), answer);
        if let Step::Failed(fault) = step {
            assert!(!matches!(fault.cause, Cause::Interpreter { .. }), "{text}: {}", fault.cause);
        }
    }
}
