//! Texts that try to break the parser; the programs of `tests/breaking` are run by the crate `worker`, in both its modes.

use program::{CountingAllocator, Journal, NoteKind, Program, Step};

use crate::harness::{answer, budget, drive, limits, parse, signatures};

#[test]
fn deep_text_is_refused_and_not_followed() {
    let depth = 4000;
    for (open, core, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("#{a: ", "1", "}"),
        ("-", "1", ""),
        ("!", "true", ""),
        ("{", "1", "}"),
        ("if true {", "1", "}"),
        ("if true { 1 } else ", "{ 1 }", ""),
        ("while true {", "break;", "}"),
        ("[1].map(|x| ", "x", ")"),
        ("1 + (", "1", ")"),
        ("`${", "1", "}`"),
        ("/*", "", "*/"),
        ("a.", "b", ""),
        ("a[", "0", "]"),
        ("true && ", "true", ""),
        ("1 ** ", "1", ""),
        ("return ", "1", ""),
        ("fn f() {", "1", "}"),
        ("try {", "1", "} catch {}"),
    ] {
        let text = format!("{}{core}{}", open.repeat(depth), close.repeat(depth));
        let mut limits = limits();
        limits.source_bytes_max = text.len();
        // Parsing uses the caller's stack: a small one, to leave room in a server's.
        let parse = move || Program::parse(&text, &signatures(), &limits, budget()).map(|_| ());
        let parsed = std::thread::Builder::new().stack_size(1 << 20).spawn(parse).unwrap().join().unwrap();
        let kind = parsed.map_err(|rejection| rejection.notes[0].kind);
        let right = matches!(kind, Err(NoteKind::Limit | NoteKind::Syntax)) || open == "/*";
        assert!(right, "{open}: {kind:?}");
    }
}

#[test]
fn the_deepest_text_that_parses_fits_a_small_stack() {
    for (open, core, close) in [
        ("[", "1", "]"),
        ("(", "1", ")"),
        ("#{a: ", "1", "}"),
        ("if true { ", "1", " }"),
        ("for i in 0..1 { ", "1", " }"),
        ("[1].map(|x| ", "1", ")"),
        ("try { ", "1", " } catch { }"),
    ] {
        let deepest = move || {
            let nested = |depth: usize| format!("{}{core}{}", open.repeat(depth), close.repeat(depth));
            (1..40).take_while(|depth| parse(&nested(*depth)).is_ok()).last()
        };
        let deepest = std::thread::Builder::new().stack_size(1 << 20).spawn(deepest).unwrap().join().unwrap();
        assert!((3..39).contains(&deepest.unwrap()), "{open}: {deepest:?}");
    }
}

#[test]
fn too_much_text_is_refused() {
    let text = "1;".repeat(limits().source_bytes_max);
    assert_eq!(parse(&text).unwrap_err().notes[0].kind, NoteKind::Limit);
    let names = (0..9).map(|n| format!("fn f{n}() {{ {n} }} ")).collect::<Vec<_>>().join(" ");
    assert_eq!(parse(&names).unwrap_err().notes[0].kind, NoteKind::Limit);
    let literal = format!("\"{}\"", "x".repeat(200));
    let mut small = limits();
    small.string_bytes_max = 100;
    let rejection = Program::parse(&literal, &signatures(), &small, budget()).unwrap_err();
    assert_eq!(rejection.notes[0].kind, NoteKind::Limit);
}

#[test]
fn the_allocator_counts_here_and_what_a_program_held_is_seen() {
    assert!(CountingAllocator::is_installed());
    let program = parse(r#"let s = "x"; s.pad(200000, "y"); s.len()"#).unwrap();
    let (Step::Done(finished), _) = drive(&program, Journal::default(), answer) else {
        panic!("it should end")
    };
    assert!(finished.usage.memory_bytes_peak > 200_000, "{:?}", finished.usage);
}
