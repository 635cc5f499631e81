//! Each slip with what becomes of it, and programs without slips.

use proptest::prelude::{prop_assert_eq, proptest};

use super::*;

const CASES: &[(Slip, &str, &str)] = &[
    (Slip::CodeFence, "```rhai\nlet a = 1;\na\n```", "let a = 1;\na\n"),
    (Slip::Comment, "# flows first\nlet a = 1;\n#{b: a}", "// flows first\nlet a = 1;\n#{b: a}"),
    (Slip::Quotes, "let a = 'it''s'; let b = 'a \"b\"';", "let a = \"it\"\"s\"; let b = \"a \\\"b\\\"\";"),
    (Slip::Operator, "a === 1 && b !== 2", "a == 1 && b != 2"),
    (Slip::Operator, "if a and not b { i++; }", "if a && ! b { i += 1; }"),
    (Slip::Literal, "x == null || y == undefined", "x == () || y == ()"),
    (Slip::Literal, "#{ok: True}", "#{ok: true}"),
    (Slip::Declaration, "var a = 1; const b = a;", "let a = 1; let b = a;"),
    (Slip::Await, "let a = await call_tool(\"a.b\", #{});", "let a = call_tool(\"a.b\", #{});"),
    (Slip::Function, "rows.length + names.length()", "rows.len() + names.len()"),
    (Slip::Function, "`${rows.length}`", "`${rows.len()}`"),
    (Slip::Function, "JSON.stringify(a.b)", "to_json(a.b)"),
    (Slip::Function, "a.toLowerCase().includes(\"x\")", "a.to_lower().contains(\"x\")"),
    (Slip::Function, "Math.max(Number(a), 2)", "max(parse_number(a), 2)"),
    (Slip::Print, "let a = 1;\nconsole.log(\"a\", f(a));\na", "let a = 1;\n\na"),
    (
        Slip::Map,
        "call_tool(\"a.b\", {asset: \"BTC\", \"by-day\": {deep: 1}})",
        "call_tool(\"a.b\", #{asset: \"BTC\", \"by-day\": #{deep: 1}})",
    ),
    (Slip::Map, "call_tool(\"a.b\", {})", "call_tool(\"a.b\", #{})"),
    (
        Slip::Map,
        "rows.push({symbol, result: reply.value});",
        "rows.push(#{symbol: symbol, result: reply.value});",
    ),
    (Slip::Map, "let a = 1;\n{ flows: a }", "let a = 1;\n#{ flows: a }"),
    (Slip::Spread, "let all = [...a, ...b, 1];", "let all = (a + b + [1]);"),
    (Slip::Spread, "#{...a, b: 1}", "(a + #{b: 1})"),
    (Slip::Destructuring, "let {a, b: c} = d.e;\na", "let whole = d.e; let a = whole.a; let c = whole.b;\na"),
    (
        Slip::Destructuring,
        "const [a, b] = call_all([x, y])\na",
        "let whole = call_all([x, y]); let a = whole[0]; let b = whole[1];\na",
    ),
    (Slip::Closure, "rows.filter(row => row.a > 1)", "rows.filter(|row| row.a > 1)"),
    (Slip::Closure, "rows.reduce((sum, row) => sum + row.a, 0)", "rows.reduce(|sum, row| sum + row.a, 0)"),
    (Slip::Closure, "rows.map(r => ({id: r.id}))", "rows.map(|r| (#{id: r.id}))"),
    (Slip::Closure, "rows.map(function (r) { return r.a; })", "rows.map(|r| { return r.a; })"),
    (Slip::Closure, "async function best(a) { a }", "fn best(a) { a }"),
    (Slip::Loop, "for (const row of rows) { a(row); }", "for row in rows { a(row); }"),
    (Slip::Loop, "for row of rows { a(row); }", "for row in rows { a(row); }"),
    (
        Slip::Loop,
        "for (const [i, row] of rows.entries()) { a(i, row); }",
        "for (row, i) in rows { a(i, row); }",
    ),
    (Slip::Loop, "for (let i = 0; i < rows.length; i++) { a(i); }", "for i in 0..rows.len() { a(i); }"),
    (Slip::Loop, "for (let i = 1; i <= 5; i += 1) { a(i); }", "for i in 1..=5 { a(i); }"),
    (Slip::Conditional, "let a = b > 1 ? \"x\" : \"y\";", "let a = if b > 1 { \"x\" } else { \"y\" };"),
    (Slip::Conditional, "f(a ? b : c ? d : e, 1)", "f(if a { b } else { if c { d } else { e } }, 1)"),
    (Slip::Conditional, "#{a: b == null ? 0 : b.c}", "#{a: if b == () { 0 } else { b.c }}"),
    (
        Slip::Semicolon,
        "let a = call_tool(\"a.b\", #{x: 1})\nlet b = a.c\nb",
        "let a = call_tool(\"a.b\", #{x: 1});\nlet b = a.c;\nb",
    ),
    (
        Slip::Semicolon,
        "let a = [\n  1,\n  2\n]\nfor b in a {\n  f(b)\n}\na",
        "let a = [\n  1,\n  2\n];\nfor b in a {\n  f(b)\n}\na",
    ),
    (Slip::Semicolon, "let m = #{\n  a: 1\n}\nm", "let m = #{\n  a: 1\n};\nm"),
];

#[test]
fn slips_are_mended() {
    for (slip, source, expected) in CASES {
        let mended = mended(source);
        assert_eq!(mended.source, *expected, "{source}");
        assert!(mended.slips.contains(slip), "{source}: {:?}", mended.slips);
    }
}

#[test]
fn what_was_mended_parses_and_stays() {
    let engine = rhai::Engine::new_raw();
    for (_, source, _) in CASES {
        let once = mended(source).source;
        assert!(engine.compile(&once).is_ok(), "{once}: {:?}", engine.compile(&once).err());
        assert_eq!(mended(&once).source, once);
    }
}

#[test]
fn a_whole_program_of_another_language_becomes_one_of_ours() {
    let source = "```javascript\n\
        // All exchanges at once.\n\
        const names = ['Alpha', 'Beta']\n\
        const calls = names.map(exchange => call_tool('flows.get', { exchange, hours: 24 }))\n\
        const replies = await settle_all(calls)\n\
        var rows = []\n\
        for (let i = 0; i < names.length; i++) {\n\
            if (replies[i].ok === true && replies[i].value !== null) {\n\
                rows.push({ exchange: names[i], result: replies[i].value })\n\
            }\n\
        }\n\
        return rows.length > 0 ? rows : null\n\
        ```";
    let mended = mended(source);
    let engine = rhai::Engine::new_raw();
    assert!(
        engine.compile(&mended.source).is_ok(),
        "{}\n{:?}",
        mended.source,
        engine.compile(&mended.source).err()
    );
    assert!(
        mended.source.contains("call_tool(\"flows.get\", #{ exchange: exchange, hours: 24 })"),
        "{}",
        mended.source
    );
}

#[test]
fn programs_without_slips_stay_as_they_are() {
    let card = include_str!("../../../../policies/prompts/plan/dialect.md");
    let blocks: Vec<&str> = card.split("```\n").skip(1).step_by(2).collect();
    assert!(blocks.len() > 2);
    let more = [
        "let x = \"a ? b : c === null\"; // for (const a of b) {...}\nx",
        "let a = if b { 1 } else { 2 };\nlet c = `${a} ? ${#{d: 1}.d}`;\nwhile a < 3 { a += 1; }\n#{null_count: a, \"or\": c}",
        "fn f(a, b) {\n    a + b\n}\nlet g = [1, 2]\n    .map(|x| x + 1)\n    .filter(|x| x > 1);\nf(1, 2)\n    + 3",
        "try { call_tool(\"a.b\") } catch (e) { () }",
        "let part_1 = {\ncall_tool(\"a.b\", #{})\n};\n#{part_1: part_1}",
        "for (x, at) in rows { if at > 0 && x != () { break; } }",
        "loop { if a { continue; } break; }",
        "do { a += 1; } while a < 3;\na",
        "a?.b ?? 1",
        "x.or == x.and",
    ];
    for source in blocks.into_iter().chain(more) {
        let mended = mended(source);
        assert_eq!((mended.source.as_str(), mended.slips.len()), (source, 0));
    }
}

#[test]
fn templates_within_templates_are_read_once() {
    for open in ["`${", "`${} ", "`a${`b${c}`}`; "] {
        let source = open.repeat(4_000);
        assert_eq!(token::text(&token::tokens(&source)), source);
        let _ = mended(&source);
    }
}

proptest! {
    #[test]
    fn any_text_is_taken(source in "(?s).{0,120}") {
        let _ = mended(&source);
    }

    #[test]
    fn any_signs_are_taken(
        source in "([a-c]|\\{|\\}|\\(|\\)|\\[|\\]|\\?|:|;|,|=|=>|\\.\\.\\.|for |let |of |in |\n|'|`|\\$\\{|#|\"|null|await |1){0,30}"
    ) {
        let once = mended(&source).source;
        prop_assert_eq!(token::text(&token::tokens(&once)), once);
    }
}
