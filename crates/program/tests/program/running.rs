//! Lazy calls, waves, faults, repair, origins.

use domain::{FaultKind, Position};
use program::{Cancellation, Cause, Journal, Origin, Step};
use serde_json::json;

use crate::harness::{answer, delivered, drive, fail, fault, finish, parse};

fn origin(path: &str, position: &str, pointer: &str) -> Origin {
    Origin { path: path.to_owned(), position: Position::new(position), pointer: pointer.to_owned() }
}

#[test]
fn independent_calls_share_a_wave_and_dependent_ones_follow() {
    let (finished, waves) = finish(
        r#"
        let btc = call_tool("flows.inflows", #{asset: "BTC"});
        let eth = call_tool("flows.inflows", #{asset: "ETH"});
        let sol = call_tool("flows.inflows", #{asset: "SOL"});
        let leader = top(btc.rows, "usd", 1)[0].venue;
        let a = call_tool("text.read", #{path: leader});
        let b = call_tool("text.read", #{path: eth.rows[0].venue});
        #{leader: leader, notes: [a, b], total: btc.total + eth.total + sol.total}
        "#,
    );
    assert_eq!(waves.iter().map(Vec::len).collect::<Vec<_>>(), [3, 2]);
    assert_eq!(finished.value["leader"], "Binance");
    assert_eq!(finished.value["notes"][1], "text of \"Kraken\"");
    assert_eq!(finished.usage.passes, 3);
    assert!(finished.usage.operations > 0);
}

#[test]
fn a_fan_out_in_a_loop_is_one_wave() {
    let (finished, waves) = finish(
        r#"
        let found = [];
        for asset in ["BTC", "ETH", "SOL"] {
            let result = call_tool("flows.inflows", #{asset: asset});
            found.push(#{asset: asset, result: result});
        }
        sort_by_desc(found.map(|one| #{asset: one.asset, total: one.result.total}), "total")
        "#,
    );
    let positions: Vec<_> = waves[0].iter().map(|call| call.position.to_string()).collect();
    assert_eq!(positions, ["4:26", "4:26#2", "4:26#3"]);
    assert_eq!(waves.len(), 1);
    assert_eq!(finished.value[0]["asset"], "SOL");
}

#[test]
fn whole_results_and_their_parts_are_traced() {
    let (finished, _) = finish(
        r#"
        let flows = call_tool("flows.inflows", #{asset: "BTC"});
        let list = call_tool("market.list");
        let text = call_tool("text.read", #{path: "a"});
        [flows, #{rows: flows.rows, best: top(flows.rows, "usd", 2)}, list, text]
        "#,
    );
    assert_eq!(
        finished.origins,
        [
            origin("$[0]", "2:21", ""),
            origin("$[1].best[0]", "2:21", "/rows/1"),
            origin("$[1].best[1]", "2:21", "/rows/2"),
            origin("$[1].rows", "2:21", "/rows"),
            origin("$[2]", "3:20", ""),
            origin("$[3]", "4:20", ""),
        ]
    );
    for one in &finished.origins[..5] {
        let entry = finished.journal.entry(&one.position).unwrap();
        let part = entry.reply().as_ref().unwrap().value.pointer(&one.pointer).unwrap();
        let place = one.path.trim_start_matches('$').replace(['.', '['], "/").replace(']', "");
        assert_eq!(finished.value.pointer(&place).unwrap(), part);
    }
}

#[test]
fn a_pending_value_may_be_the_programs_value() {
    let (finished, waves) = finish(r#"[call_tool("market.price", #{symbol: "BTC"}), 1]"#);
    assert_eq!(finished.value, json!([{"symbol": "BTC", "price": 3}, 1]));
    assert_eq!(waves.len(), 1);
}

#[test]
fn scalars_suspend_wherever_they_are_used() {
    for (text, value) in [
        (r#"call_tool("text.read", #{path: "count"}) + 1"#, json!(42)),
        (r#"let n = 1; n += call_tool("text.read", #{path: "count"}); n"#, json!(42)),
        (r#"-call_tool("text.read", #{path: "count"})"#, json!(-41)),
        (r#"call_tool("text.read", #{path: "count"}) > 40"#, json!(true)),
        (r#"40 < call_tool("text.read", #{path: "count"})"#, json!(true)),
        (r#"call_tool("text.read", #{path: "count"}) == 41"#, json!(true)),
        (r#"if call_tool("text.read", #{path: "flag"}) { 1 } else { 2 }"#, json!(1)),
        (r#"!call_tool("text.read", #{path: "flag"})"#, json!(false)),
        (r#"call_tool("text.read", #{path: "flag"}) && true"#, json!(true)),
        (r#"call_tool("text.read", #{path: "null"}) ?? 7"#, json!(7)),
        (r#"let m = `n ${call_tool("text.read", #{path: "count"})}`; m"#, json!("n 41")),
        (r#""n " + call_tool("text.read", #{path: "count"})"#, json!("n 41")),
        (r#"[1, 2, 3].contains(call_tool("text.read", #{path: "count"}))"#, json!(false)),
        (r#"call_tool("text.read", #{path: "count"}) in [41]"#, json!(true)),
        (r#"[10, 20][call_tool("text.read", #{path: "count"}) - 41]"#, json!(10)),
        (r#"let t = 0; for c in [call_tool("text.read", #{path: "count"})] { t += c; } t"#, json!(41)),
        (r#"call_tool("text.read", #{path: "a"}).to_upper()"#, json!(r#"TEXT OF "A""#)),
        (r#"let t = call_tool("text.read", #{path: "a"}); t.len()"#, json!(11)),
        (r#"max(1, call_tool("text.read", #{path: "count"}))"#, json!(41)),
        (r#"[call_tool("text.read", #{path: "count"})].map(|n| n + 1)"#, json!([42])),
    ] {
        let (finished, waves) = finish(text);
        assert_eq!((&finished.value, waves.len()), (&value, 1), "{text}");
    }
}

#[test]
fn a_suspension_passes_every_catch() {
    let (finished, waves) = finish(
        r#"
        let tried = "";
        try { tried = "price " + call_tool("market.price", #{symbol: "BTC"}).price; }
        catch (error) { tried = "caught " + call_tool("text.read", #{path: "never"}); }
        tried
        "#,
    );
    assert_eq!(finished.value, "price 3");
    assert_eq!(waves.len(), 1);
    assert_eq!(finished.journal.entries().len(), 1);
}

#[test]
fn a_failed_call_is_an_error_where_it_is_used_and_never_data() {
    let used = fail(r#"let p = call_tool("market.price", #{symbol: "BAD"}); #{price: p.price}"#);
    let Cause::CallFailed { method, position, fault } = used.cause else { panic!("{used:?}") };
    assert_eq!((method.method.as_str(), position.to_string().as_str()), ("price", "1:9"));
    assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::MethodError, "no such symbol"));
    for text in [
        r#"call_tool("market.price", #{symbol: "BAD"})"#,
        r#"[1, #{a: call_tool("market.price", #{symbol: "BAD"})}]"#,
        r#""text " + call_tool("market.price", #{symbol: "BAD"})"#,
        r#"`text ${call_tool("market.price", #{symbol: "BAD"})}`"#,
        r#"`text ${[call_tool("market.price", #{symbol: "BAD"})]}`"#,
        r#"call_tool("market.price", #{symbol: "BAD"}) == 1"#,
        r#"call_tool("market.price", #{symbol: "BAD"}).len()"#,
        r#"sum([1, call_tool("text.read", #{path: "count"})]) + sum(call_tool("market.price", #{symbol: "BAD"}))"#,
        r#"let t = []; for row in call_tool("market.price", #{symbol: "BAD"}) { t.push(row); } t"#,
        r#"call_tool("text.read", #{path: call_tool("market.price", #{symbol: "BAD"})})"#,
        r#"to_json(#{a: call_tool("market.price", #{symbol: "BAD"})})"#,
        r#"let n = 1; n += call_tool("market.price", #{symbol: "BAD"}); n"#,
        r#"[call_tool("market.price", #{symbol: "BAD"})] == [1]"#,
        r#"call_tool("market.price", #{symbol: "BAD"}) ?? 3"#,
    ] {
        let cause = fail(text).cause;
        assert!(matches!(cause, Cause::CallFailed { .. }), "{text}: {cause:?}");
    }
}

#[test]
fn a_program_may_catch_a_failed_call() {
    let (finished, _) = finish(
        r#"
        let price = ();
        try { price = call_tool("market.price", #{symbol: "BAD"}).price; }
        catch (error) { price = [error.kind, error.message, error.method]; }
        price
        "#,
    );
    assert_eq!(finished.value, json!(["method_error", "no such symbol", "price"]));
    let thrown_on =
        fail(r#"try { call_tool("market.price", #{symbol: "BAD"}).price } catch (error) { throw error; }"#);
    assert!(matches!(thrown_on.cause, Cause::CallFailed { .. }));
}

#[test]
fn a_program_may_give_up_in_its_own_words() {
    let price = r#"call_tool("market.price", #{symbol: "BTC"}).price"#;
    for text in [
        format!(r#"if {price} > 0 {{ throw "no price is that low"; }}"#),
        format!(r#"fn low(price) {{ if price > 0 {{ throw "no price is that low"; }} }} low({price})"#),
    ] {
        let fault = fail(&text);
        assert_eq!(fault.cause, Cause::GaveUp { message: "no price is that low".to_owned() }, "{text}");
        assert_eq!(fault.journal.entries().len(), 1);
    }
}

#[test]
fn one_failure_of_a_fan_out_does_not_lose_the_others() {
    let (finished, waves) = finish(
        r#"
        let calls = [];
        for symbol in ["BTC", "BAD", "SOLANA"] { calls.push(call_tool("market.price", #{symbol: symbol})); }
        settle_all(calls)
        "#,
    );
    assert_eq!(waves.len(), 1);
    assert_eq!(finished.value[0], json!({"ok": true, "value": {"symbol": "BTC", "price": 3}}));
    assert_eq!(finished.value[1]["ok"], false);
    assert_eq!(finished.value[1]["fault"]["kind"], "method_error");
    assert_eq!(finished.value[2]["value"]["price"], 6);
    assert_eq!(finished.origins, [origin("$[0].value", "3:61", ""), origin("$[2].value", "3:61#3", "")]);
}

#[test]
fn call_all_is_one_wave_of_literal_calls() {
    let (finished, waves) = finish(
        r#"
        let found = call_all([
            #{tool: "flows.inflows", args: #{asset: "BTC"}},
            #{tool: "market.price", args: #{symbol: "BAD"}},
            #{tool: "market.list"},
        ]);
        let settled = settle_all(found);
        [found[0].total, settled[1].ok, settled[2].value.len()]
        "#,
    );
    assert_eq!(
        waves[0].iter().map(|call| call.position.to_string()).collect::<Vec<_>>(),
        ["2:21[0]", "2:21[1]", "2:21[2]"]
    );
    assert_eq!(finished.value, json!([414.0, false, 4]));
}

#[test]
fn the_same_call_is_made_once() {
    let (finished, waves) = finish(
        r#"
        let a = call_tool("market.price", #{symbol: "BTC"});
        let b = call_tool("market.price", #{symbol: "BTC"});
        a.price + b.price
        "#,
    );
    assert_eq!((waves.len(), waves[0].len(), finished.value), (1, 1, json!(6)));
}

#[test]
fn a_repaired_program_pays_only_for_what_is_new() {
    let broken = parse(
        r#"
        let a = call_tool("market.price", #{symbol: "BTC"});
        let b = call_tool("text.read", #{path: "x"});
        a.price + b.missing()
        "#
        .replace(".missing()", ".to_int_or_so")
        .as_str(),
    )
    .unwrap();
    let (Step::Failed(failed), _) = drive(&broken, Journal::default(), answer) else {
        panic!("it should fail")
    };
    let repaired = parse(
        r#"
        // moved and extended
        let b = call_tool("text.read", #{path: "x"});
        let c = call_tool("market.price", #{symbol: "ETHER"});
        let a = call_tool("market.price", #{symbol: "BTC"});
        `${a.price} ${c.price} ${b}`
        "#,
    )
    .unwrap();
    let (Step::Done(finished), waves) = drive(&repaired, failed.journal, answer) else {
        panic!("it should end")
    };
    assert_eq!(finished.value, r#"3 5 text of "x""#);
    assert_eq!(waves.iter().flatten().count(), 1);
    assert_eq!(waves[0][0].arguments["symbol"], "ETHER");
    assert_eq!(finished.journal.entries().len(), 3);
}

#[test]
fn an_earlier_programs_places_are_not_taken_for_its_own() {
    let first = parse(r#"call_tool("market.price", #{symbol: "BTC"}).price"#).unwrap();
    let (Step::Done(first), _) = drive(&first, Journal::default(), answer) else { panic!("it should end") };
    let second = parse(r#"call_tool("market.price", #{symbol: "ETHER"})"#).unwrap();
    let (Step::Done(second), waves) = drive(&second, first.journal, answer) else { panic!("it should end") };
    assert_eq!(waves[0][0].position.to_string(), "1:1~2");
    assert_eq!(second.origins, [origin("$", "1:1~2", "")]);
    assert_eq!(second.value["price"], 5);
}

#[test]
fn a_journal_without_its_faults_asks_again() {
    let program = parse(r#"call_tool("market.price", #{symbol: "BTC"}).price"#).unwrap();
    let down = |_: &domain::Call| fault(FaultKind::Timeout, "no answer");
    let (Step::Failed(failed), _) = drive(&program, Journal::default(), down) else {
        panic!("it should fail")
    };
    let (Step::Failed(_), waves) = drive(&program, failed.journal.clone(), answer) else {
        panic!("it should fail")
    };
    assert_eq!(waves.len(), 0);
    let (Step::Done(done), waves) = drive(&program, failed.journal.without_faults(), answer) else {
        panic!("no end")
    };
    assert_eq!((done.value, waves.len()), (json!(3), 1));
}

#[test]
fn results_are_read_only_and_their_copies_are_not() {
    let (finished, _) = finish(
        r#"
        let flows = call_tool("flows.inflows", #{asset: "BTC"});
        let rows = copy(flows.rows);
        rows.sort(|a, b| if a.usd < b.usd { -1 } else { 1 });
        rows.push(#{venue: "none", usd: 0.0});
        let big = flows.rows.filter(|row| row.usd > 70.0).map(|row| row.venue);
        let named = flows.get("note");
        let letters = flows.asset.split("T").len();
        [pluck(rows, "venue"), big, named, letters, flows.rows[-1].venue, flows.keys(), "total" in flows, flows.rows.len]
        "#,
    );
    let names = json!(["Kraken", "Coinbase", "Binance", "none"]);
    let expected =
        json!([names, ["Binance", "Coinbase"], null, 2, "Coinbase", ["asset", "rows", "total"], true, 3]);
    assert_eq!(finished.value, expected);
    for text in [
        r#"let f = call_tool("flows.inflows", #{asset: "BTC"}); f.rows.push(1); f"#,
        r#"let f = call_tool("flows.inflows", #{asset: "BTC"}); f.total = 1.0; f"#,
        r#"let f = call_tool("flows.inflows", #{asset: "BTC"}); f.rows[0].usd = 1.0; f"#,
        r#"let f = call_tool("flows.inflows", #{asset: "BTC"}); f.rows = f.rows[0]; f"#,
        r#"let f = call_tool("flows.inflows", #{asset: "BTC"}); f.asset.make_lower(); f"#,
        r#"let f = call_tool("flows.inflows", #{asset: "BTC"}); f.rows.sort(|a, b| 0); f"#,
    ] {
        let Cause::Script { message, .. } = fail(text).cause else { panic!("{text}") };
        assert!(message.contains("read-only"), "{message}");
    }
}

#[test]
fn rows_are_found_wherever_they_stand() {
    let rows = |path: &str| finish(&format!(r#"rows(call_tool("text.read", #{{path: "{path}"}}))"#)).0.value;
    assert_eq!(rows("nested"), json!([{"id": 7, "parts": [{"id": 70}]}, {"id": 8}]));
    for nothing in ["count", "null", "a text"] {
        assert_eq!(rows(nothing), json!([]), "{nothing}");
    }
    let alone = finish(r#"rows(rows(call_tool("text.read", #{path: "nested"}))[1])"#).0;
    assert_eq!(alone.value, json!([{"id": 8}]));
    let fault = fail(r#"rows(call_tool("text.read", #{path: "wide"}))"#);
    assert_eq!(fault.cause, Cause::Limit { limit: "array_items_max" });
}

#[test]
fn an_absent_property_is_an_error_that_names_what_is_there() {
    let fault = fail(r#"call_tool("market.list").first"#);
    assert!(matches!(fault.cause, Cause::Script { .. }));
    let fault = fail(r#"call_tool("flows.inflows", #{asset: "BTC"}).rows[0].note"#);
    let Cause::Script { message, line, .. } = fault.cause else { panic!("it is the program's mistake") };
    assert!(message.contains("`usd`") && message.contains(".get(\"note\")"), "{message}");
    assert_eq!(line, Some(1));
}

#[test]
fn a_wide_result_is_read_without_being_copied() {
    let (finished, _) = finish(
        r#"
        let wide = call_tool("text.read", #{path: "wide"});
        let seen = 0;
        for row in wide.rows { if row.n % 1000 == 0 { seen += 1; } }
        [wide.rows.len(), wide.rows[4999].n, seen]
        "#,
    );
    assert_eq!(finished.value, json!([5000, 4999, 5]));
}

#[test]
fn the_library_does_what_planners_need() {
    for (text, value) in [
        ("sum([1, 2, 3])", json!(6)),
        ("sum([1, 2.5])", json!(3.5)),
        (r#"mean([#{a: 1}, #{a: 2}], "a")"#, json!(1.5)),
        ("round(2.345, 1)", json!(2.3)),
        ("round(7, 2)", json!(7)),
        (r#"parse_number(" 1,234.5 ")"#, json!(1234.5)),
        (
            r#"["us", "pre", "cup", "", "대선"].map(|word| says("us presidential cups 미국대선", word))"#,
            json!([true, true, true, false, true]),
        ),
        (
            r#"["us", "dent", "usd 1"].map(|word| says("125,000 usd, president", word))"#,
            json!([false, false, false]),
        ),
        (r#"top([#{a: 1}, #{a: 3}, #{a: 2}], "a", 2)"#, json!([{"a": 3}, {"a": 2}])),
        (r#"sort_by([#{a: "b"}, #{a: ()}, #{a: "a"}], "a")"#, json!([{"a": "a"}, {"a": "b"}, {"a": null}])),
        ("take([1, 2, 3], 2)", json!([1, 2])),
        ("to_json(#{b: [1, ()]})", json!(r#"{"b":[1,null]}"#)),
        ("[3, 1, 2].order()", json!([1, 2, 3])),
        ("let limit = 1; [1, 2, 3].filter(|x| x > limit)", json!([2, 3])),
        ("[1, 2, 3].reduce(|total, x| (if total == () { 0 } else { total }) + x)", json!(6)),
        ("fn twice(x) { x * 2 } twice(4)", json!(8)),
        (r#"let words = "a,b".split(","); words.len()"#, json!(2)),
        ("let m = #{a: 1}; m.b = 2; m.keys()", json!(["a", "b"])),
        ("let seen = []; for i in 0..3 { let square = i * i; seen.push(square); } seen", json!([0, 1, 4])),
    ] {
        assert_eq!(finish(text).0.value, value, "{text}");
    }
    for text in [r#"sum(["a"])"#, "mean([])", r#"top([#{a: 1}, #{b: 1}], "a", 1)"#, r#"parse_number("ten")"#]
    {
        assert!(matches!(fail(text).cause, Cause::Script { .. }), "{text}");
    }
}

#[test]
fn what_json_cannot_hold_is_refused() {
    for text in ["0.0 / 0.0", "[1..3]", "#{a: 1.0 / 0.0}"] {
        assert!(matches!(fail(text).cause, Cause::NoJson { .. }), "{text}");
    }
}

#[test]
fn a_cancelled_program_stops() {
    let program = parse("let n = 0; loop { n += 1; }").unwrap();
    let cancellation = Cancellation::default();
    cancellation.cancel();
    let Step::Failed(fault) = program.start(Journal::default(), &cancellation) else {
        panic!("it should stop")
    };
    assert_eq!(fault.cause, Cause::Cancelled);
}

#[test]
fn a_result_nested_too_deeply_is_a_fault() {
    let program = parse(r#"call_tool("text.read", #{path: "x"}).a"#).unwrap();
    let deep = |_: &domain::Call| delivered((0..100).fold(json!(1), |value, _| json!({"a": value})));
    let (Step::Failed(fault), _) = drive(&program, Journal::default(), deep) else {
        panic!("it should fail")
    };
    let Cause::CallFailed { fault, .. } = fault.cause else { panic!("{fault:?}") };
    assert_eq!(fault.kind, FaultKind::TooLarge);
}

#[test]
fn a_missing_reply_is_a_cancelled_call() {
    let program = parse(r#"call_tool("market.list")"#).unwrap();
    let Step::Calls(pending) = program.start(Journal::default(), &Cancellation::default()) else {
        panic!("no calls")
    };
    let Step::Failed(fault) = pending.resume(Vec::new()) else { panic!("it should fail") };
    assert!(matches!(fault.cause, Cause::CallFailed { fault, .. } if fault.kind == FaultKind::Cancelled));
}

#[test]
fn passes_and_operations_are_bounded_over_the_whole_program() {
    let mut limits = crate::harness::limits();
    limits.passes_max = 2;
    let chained = r#"
        let a = call_tool("market.price", #{symbol: "A"});
        let b = call_tool("market.price", #{symbol: `${a.price}`});
        b.price
        "#;
    let signatures = crate::harness::signatures();
    let program = program::Program::parse(chained, &signatures, &limits, crate::harness::budget()).unwrap();
    let (Step::Failed(fault), _) = drive(&program, Journal::default(), answer) else {
        panic!("it should fail")
    };
    assert_eq!((fault.cause, fault.journal.entries().len()), (Cause::Limit { limit: "passes_max" }, 2));

    limits.passes_max = 9;
    let program = program::Program::parse(chained, &signatures, &limits, crate::harness::budget()).unwrap();
    let (Step::Done(finished), _) = drive(&program, Journal::default(), answer) else {
        panic!("it should end")
    };
    assert_eq!(finished.usage.passes, 3);

    limits.operations_max = finished.usage.operations - 1;
    let program = program::Program::parse(chained, &signatures, &limits, crate::harness::budget()).unwrap();
    let (Step::Failed(fault), _) = drive(&program, Journal::default(), answer) else {
        panic!("it should fail")
    };
    assert_eq!(fault.cause, Cause::Limit { limit: "operations_max" });
    assert_eq!((fault.usage.passes, fault.journal.entries().len()), (3, 2));
}

#[test]
fn a_waiting_program_may_move_between_threads() {
    fn moves<T: Send + Sync + 'static>() {}
    moves::<program::Program>();
    moves::<program::Pending>();
    moves::<program::Finished>();
    moves::<program::Fault>();
}
