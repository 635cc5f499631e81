//! Programs that try to break out: each file of `tests/breaking` says in its first line how it must end.

use std::fs;
use std::path::Path;

use policy::Sandbox;
use program::{Cause, CountingAllocator, Journal, NoteKind, Program, Step};

use crate::harness::{answer, budget, drive, limits, parse, signatures};

/// How a program ended, in the words of the files.
fn ending(text: &str) -> (String, String) {
    let limits = Sandbox { wall_ms_max: 2_000, ..limits() };
    let program = match Program::parse(text, &signatures(), &limits, budget()) {
        Ok(program) => program,
        Err(rejection) => return ("rejection".to_owned(), rejection.notes[0].kind.word().to_owned()),
    };
    match drive(&program, Journal::default(), answer).0 {
        Step::Done(_) => ("ends".to_owned(), String::new()),
        Step::Failed(fault) => match fault.cause {
            Cause::Limit { limit } => ("limit".to_owned(), limit.to_owned()),
            Cause::Script { message, .. } => ("script".to_owned(), message),
            cause @ (Cause::CallFailed { .. }
            | Cause::NoJson { .. }
            | Cause::Cancelled
            | Cause::Interpreter { .. }) => ("other".to_owned(), cause.to_string()),
        },
        Step::Calls(_) => unreachable!("a driven program waits for nothing"),
    }
}

/// Whether an ending is one of those that the first line allows: `// limit: a | b`, `// rejection: word`, `// ends`.
fn allowed(expected: &str, (kind, detail): &(String, String)) -> bool {
    let mut current = "";
    expected.split('|').map(str::trim).any(|one| {
        let (named, wanted) = match one.split_once(':') {
            Some((named, wanted)) => (named.trim(), wanted.trim()),
            None if ["ends", "script"].contains(&one) => (one, ""),
            None => (current, one),
        };
        current = named;
        // On a slow machine the clock may come first.
        let wanted = if kind == "limit" && detail == "wall_ms_max" { "" } else { wanted };
        named == kind
            && if kind == "script" { detail.contains(wanted) } else { wanted.is_empty() || wanted == detail }
    })
}

#[test]
fn every_way_of_breaking_out_ends_as_it_must() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/breaking");
    let mut names: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert!(names.len() > 60);
    let mut wrong = Vec::new();
    for path in names {
        let text = fs::read_to_string(&path).unwrap();
        let expected = text.lines().next().unwrap().trim_start_matches("//").trim().to_owned();
        let ending = ending(&text);
        if !allowed(&expected, &ending) {
            wrong.push(format!("{}: {ending:?}, not {expected}", path.file_stem().unwrap().display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

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
