//! What is refused before any call is made, and what the refusal says.

use domain::Usd;
use program::{Budget, NoteKind, Program};

use crate::harness::{limits, parse, signatures};

#[track_caller]
fn refused(text: &str, kind: NoteKind, says: &str) {
    let rejection = parse(text).expect_err(text);
    let note = rejection.notes.iter().find(|note| note.kind == kind);
    let note = note.unwrap_or_else(|| panic!("{text}\n{:?}", rejection.notes));
    assert!(note.message.contains(says), "{text}\n{}", note.message);
}

#[track_caller]
fn accepted(text: &str, calls_max: usize) {
    let program = parse(text).unwrap_or_else(|rejection| panic!("{text}\n{rejection}"));
    assert_eq!(program.calls_max(), calls_max, "{text}");
}

#[test]
fn methods_must_be_known_literals() {
    refused(r#"call_tool("flows.inflow", #{asset: "BTC"})"#, NoteKind::UnknownMethod, "`flows.inflows`");
    refused(r#"let m = "market.list"; call_tool(m)"#, NoteKind::MethodNotLiteral, "literal");
    refused(r#"call_tool("market." + "list")"#, NoteKind::MethodNotLiteral, "literal");
    refused(r#"call_all([#{tool: "market.lists"}])"#, NoteKind::UnknownMethod, "`market.list`");
    refused(r#"let c = [#{tool: "market.list"}]; call_all(c)"#, NoteKind::Misused, "literal");
    refused(r#"call_all([#{tool: "market.list", arguments: #{}}])"#, NoteKind::Misused, "args");
    refused("call_tool()", NoteKind::Misused, "call_tool");
    refused(r#""market.list".call_tool()"#, NoteKind::Misused, "call_tool");
}

#[test]
fn arguments_must_fit_the_input_schema() {
    refused(r#"call_tool("flows.inflows")"#, NoteKind::MissingArgument, "`asset`");
    refused(r#"call_tool("flows.inflows", #{})"#, NoteKind::MissingArgument, "`asset`");
    refused(r#"call_tool("flows.inflows", #{asset: "BTC", hour: 3})"#, NoteKind::UnknownArgument, "`hours`");
    refused(r#"call_tool("market.list", #{page: 1})"#, NoteKind::UnknownArgument, "no arguments");
    refused(r#"call_tool("flows.inflows", #{asset: 3})"#, NoteKind::WrongValue, "string");
    refused(r#"call_tool("flows.inflows", #{asset: "DOGE"})"#, NoteKind::WrongValue, "\"ETH\"");
    refused(r#"call_tool("flows.inflows", #{asset: "BTC", hours: "24"})"#, NoteKind::WrongValue, "integer");
    refused(r#"call_tool("flows.inflows", #{asset: "BTC", hours: 1.5})"#, NoteKind::WrongValue, "fraction");
    refused(
        r#"call_tool("flows.inflows", #{asset: "BTC", hours: -1})"#,
        NoteKind::WrongValue,
        "the least is 1",
    );
    refused(
        r#"call_tool("flows.inflows", #{asset: "BTC", hours: 999})"#,
        NoteKind::WrongValue,
        "the most is 168",
    );
    refused(
        r#"call_tool("flows.inflows", #{asset: "BTC", venues: ["a", 2]})"#,
        NoteKind::WrongValue,
        "string",
    );
    refused(r#"call_tool("flows.inflows", #{asset: "BTC", venues: "a"})"#, NoteKind::WrongValue, "array");
    refused(r#"call_tool("market.list", "all")"#, NoteKind::Misused, "call_tool");
    accepted(r#"let a = "BTC"; call_tool("flows.inflows", #{asset: a, hours: 12 * 2, venues: ["x"]})"#, 1);
    accepted(r#"call_tool("text.read", #{anything: 1})"#, 1);
}

#[test]
fn properties_must_be_in_the_output_schema() {
    refused(r#"call_tool("market.price", #{symbol: "A"}).pirce"#, NoteKind::UnknownProperty, "`price`");
    refused(
        r#"let r = call_tool("market.price", #{symbol: "A"}); r.pirce"#,
        NoteKind::UnknownProperty,
        "`price`",
    );
    refused(
        r#"let r = call_tool("market.price", #{symbol: "A"}); r["pirce"]"#,
        NoteKind::UnknownProperty,
        "`price`",
    );
    let flows = r#"let f = call_tool("flows.inflows", #{asset: "BTC"});"#;
    for (wrong, right) in [
        ("f.rows[0].usdt", "`usd`"),
        ("f.rows[0].usd.value", "no properties"),
        ("f.rows.length", "no properties"),
        ("for row in f.rows { row.venues }", "`venue`"),
        ("f.rows.filter(|row| row.usdt > 1)", "`usd`"),
        ("let least = 1; f.rows.filter(|row| row.usdt > least)", "`usd`"),
        ("f.rows.filter(|row| row.usd > 1).map(|row| row.name)", "`venue`"),
        ("top(f.rows, \"usdt\", 3)", "`usd`"),
        ("f.rows.sort_by(\"usdt\")", "`usd`"),
        ("top(f.rows, \"usd\", 3)[0].usdt", "`usd`"),
        ("let all = #{flows: f}; all.flows.totals", "`total`"),
        ("let pair = [f, 1]; pair[0].totals", "`total`"),
        ("settle(f).value.totals", "`total`"),
        ("settle_all([f])[0].value.totals", "`total`"),
        ("`${f.totals}`", "`total`"),
        ("if f.totals > 1 { 2 } else { 3 }", "`total`"),
    ] {
        refused(&format!("{flows} {wrong}"), NoteKind::UnknownProperty, right);
    }
    for right in [
        "f.rows.len()",
        "f.rows.len",
        "f.rows[0].note",
        "f.get(\"typo\")",
        "f = 1; f.typo",
        "f.rows.map(|r| r.usd)",
    ] {
        accepted(&format!("{flows} {right}"), 1);
    }
    accepted(r#"let r = call_tool("text.read"); r.anything.goes[3].here"#, 1);
    refused(
        r#"let all = call_all([#{tool: "market.price", args: #{symbol: "A"}}, #{tool: "market.list"}]); all[0].pirce"#,
        NoteKind::UnknownProperty,
        "`price`",
    );
}

#[test]
fn calls_in_loops_need_a_bound() {
    let call = r#"call_tool("market.price", #{symbol: "A"})"#;
    accepted(&format!("for s in [1, 2, 3] {{ {call}; }}"), 3);
    accepted(&format!("for s in 0..4 {{ {call}; }}"), 4);
    accepted(&format!("for s in 1..=4 {{ {call}; }}"), 4);
    accepted(&format!("let names = [1, 2]; for s in names {{ for t in 0..3 {{ {call}; }} }}"), 6);
    accepted(&format!("[1, 2].map(|s| {call})"), 2);
    accepted(&format!("let l = call_tool(\"market.list\"); for s in take(l, 3) {{ {call}; }}"), 4);
    accepted(&format!("let l = call_tool(\"text.read\"); for s in top(l.rows, \"n\", 5) {{ {call}; }}"), 6);
    accepted(&format!("fn price(s) {{ {call} }} price(1); for s in [1, 2] {{ price(s); }}"), 3);
    accepted(&format!("if true {{ {call}; {call}; }} else {{ {call}; }}"), 2);
    accepted(&format!("try {{ {call} }} catch {{ {call} }}"), 2);
    for unbounded in [
        format!("while true {{ {call}; }}"),
        format!("loop {{ {call}; }}"),
        format!("do {{ {call}; }} while true;"),
        format!("let l = call_tool(\"market.list\"); for s in l {{ {call}; }}"),
        format!("let n = [1]; n.push(2); for s in n {{ {call}; }}"),
        format!("let n = [1]; n += 2; for s in n {{ {call}; }}"),
        format!("let l = call_tool(\"market.list\"); l.map(|s| {call})"),
        format!("fn price(s) {{ {call} }} while true {{ price(1); }}"),
        format!("[3, 1, 2].sort(|a, b| {{ {call}; 0 }})"),
    ] {
        refused(&unbounded, NoteKind::UnboundedCall, "market.price".split('.').next_back().unwrap());
    }
    refused(&format!("fn again(n) {{ {call}; again(n) }} again(1)"), NoteKind::Recursion, "`again`");
    refused(&format!("for s in 0..41 {{ {call}; }}"), NoteKind::TooManyCalls, "41");
    refused(&format!("for s in 0..9999999999 {{ {call}; }}"), NoteKind::TooManyCalls, "40");
}

#[test]
fn the_cost_of_all_calls_stays_within_the_budget() {
    let text = r#"for s in 0..4 { call_tool("market.price", #{symbol: "A"}); }"#;
    let budget = |cents: &str| Budget { calls_max: 9, spend_max: Usd::parse(cents).unwrap() };
    let program = Program::parse(text, &signatures(), &limits(), budget("0.04")).unwrap();
    assert_eq!(program.spend_max(), Usd::parse("0.04").unwrap());
    assert_eq!(program.sites().len(), 1);
    let rejection = Program::parse(text, &signatures(), &limits(), budget("0.03")).unwrap_err();
    assert_eq!(rejection.notes[0].kind, NoteKind::TooCostly);
}

#[test]
fn functions_must_be_known() {
    refused("sumn([1])", NoteKind::UnknownFunction, "`sum`");
    refused("[1].lenght()", NoteKind::UnknownFunction, "`len`");
    refused("fn twice(x) { x * 2 } twise(2)", NoteKind::UnknownFunction, "`twice`");
    refused("sleep(1)", NoteKind::UnknownFunction, "`sleep`");
    refused("exit()", NoteKind::UnknownFunction, "`exit`");
    refused("let f = |x| x; f", NoteKind::Misused, "closure");
    refused("fn sum(x) { x } sum([1])", NoteKind::Misused, "another name");
    refused("fn call_tool(x) { x } 1", NoteKind::Misused, "another name");
    refused("fn one(a) { a } fn one(a, b) { a } one(1)", NoteKind::Misused, "its own");
    refused("[1].map(|x| x + nope)", NoteKind::Syntax, "nope");
    refused("fn twice(x) { x * 2 } [1].map(twice)", NoteKind::UnknownVariable, "closure");
    refused("fn outer(rows) { rows.map(|row| inner(row)) } outer([1])", NoteKind::UnknownFunction, "`inner`");
    refused("[|x| x]", NoteKind::Misused, "closure");
    refused("let a = []; a.push(|| 1); a", NoteKind::Misused, "closure");
}

#[test]
fn notes_say_where() {
    let rejection = parse("let x = 1;\n  call_tool(\"market.lost\")").unwrap_err();
    let note = &rejection.notes[0];
    assert_eq!((note.line, note.column, note.name.as_deref()), (Some(2), Some(13), Some("market.lost")));
    assert_eq!(rejection.notes.len(), 1);
    assert!(rejection.to_string().contains("line 2, column 13"));
}

#[test]
fn slips_of_the_dialect_do_not_parse() {
    for slip in [
        "let m = {a: 1}; m",
        "let x = null; x",
        "true ? 1 : 2",
        "let f = x => x; f",
        "1 === 1",
        "for x of [1] { x }",
        "var x = 1; x",
        "let x = 1 let y = 2",
        "[...[1]]",
        "let [a, b] = [1, 2]; a",
        "await call_tool(\"market.list\")",
        "match 1 { 1 => 2 }",
        "switch 1 { 1 => 2 }",
        "import \"x\" as x; 1",
    ] {
        let rejection = parse(slip).expect_err(slip);
        assert_eq!(rejection.notes[0].kind, NoteKind::Syntax, "{slip}: {rejection}");
    }
}
