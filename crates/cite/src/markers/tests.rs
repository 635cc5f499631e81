//! Markers, case by case and by property.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::*;

const HOLD: usize = 256;

fn sources() -> Sources {
    Sources::from_iter(["c_a1", "c_b2", "c_c3", "c_d4"])
}

fn check(text: &str, expected: &str) {
    let cited = cite(text, &sources(), Style::Numbers, HOLD);
    assert_eq!(cited.text, expected, "{text:?}");
    assert_eq!(in_pieces(text, 1), cited, "{text:?} byte by byte");
    for placed in &cited.placed {
        assert_eq!(cited.text[placed.range.clone()], format!("[{}]", placed.number));
        assert_eq!(cited.numbering[placed.number - 1], placed.ordinal);
    }
}

fn in_pieces(text: &str, characters: usize) -> Cited {
    let mut markers = Markers::new(sources(), Style::Numbers, HOLD);
    let mut cited = Cited::default();
    let all: Vec<char> = text.chars().collect();
    for piece in all.chunks(characters) {
        let delta = markers.push(&piece.iter().collect::<String>());
        cited.text.push_str(&delta.text);
        cited.placed.extend(delta.placed);
    }
    let (delta, numbering, dropped) = markers.finish();
    cited.text.push_str(&delta.text);
    cited.placed.extend(delta.placed);
    Cited { numbering, dropped, ..cited }
}

#[test]
fn numbers_follow_first_appearance() {
    check("One [3]. Two [1]. Three [3][4].", "One [1]. Two [2]. Three [1][3].");
    check("A [2, 4] b [4;2].", "A [1][2] b [2][1].");
    check("A [[2]] b [[c_d4, c_b2]].", "A [1] b [2][1].");
    check("甲【２】乙［３、１］。", "甲[1]乙[2][3]。");
    check("As said【4†L1-L3】.", "As said[1].");
    check("All [2-4].", "All [1][2][3].");
}

#[test]
fn what_points_to_nothing_goes_with_its_space() {
    check("One [9]. Two [0] three.", "One. Two three.");
    check("One [9][1]. Two [1][9].", "One [1]. Two [1].");
    check("[9] One.\n[8]  Two [[c_none]]\nThree [7]", "One.\nTwo\nThree");
    check("One (see [9]), [99999999999999999999] two.", "One (see), two.");
    check("word[9]next word [9]next", "wordnext word next");
    check("- [9] item", "- item");
    check("A [1, 9, 2] b", "A [1][2] b");
    check("A [1] [1] b [1][1].", "A [1] b [1].");
    let cited = cite("A [9, 8] b [1][1].", &sources(), Style::Numbers, HOLD);
    assert_eq!(cited.dropped, Dropped { unknown: 2, repeated: 1 });
}

#[test]
fn code_is_left_alone() {
    for text in [
        "`a[1]` and `` b`[9] ``.",
        "```rust\nlet a = b[1]; // [9]\n```\n",
        "> ~~~\n> [9]\n> ~~~\n",
        "- item\n\n  ```\n  [9]\n  ```\n",
        "```\n[9]",
        "Text:\n\n    a[9]\n\n    b[1]\n",
        "`two\nlines [9]`",
        "\\[9\\] and \\`",
    ] {
        check(text, text);
    }
    check("```\n[9]\n```\nA [3].", "```\n[9]\n```\nA [1].");
    check("A `b[9]` c [9] `[3]` d[3].", "A `b[9]` c `[3]` d[1].");
    check("- ```\n  [9]\n[9] out", "- ```\n  [9]\nout");
}

#[test]
fn a_backtick_that_opens_nothing_hides_nothing() {
    check("`` quoted '' [3], it`s [9].", "`` quoted '' [1], it`s.");
    check("A ` b [3]\n\nc ` d [9]", "A ` b [1]\n\nc ` d");
    check("`` a ` b [9] c ` d [3]", "`` a ` b [9] c ` d [1]");
}

#[test]
fn links_are_left_alone() {
    for text in [
        "[1](https://x.org/[9])",
        "[text](https://x.org/a[9]b \"t [9]\")",
        "![1](a.png)",
        "[9][label]",
        "[text][label] [text]",
        "[[1]](a)",
        "[9]: https://x.org/9 \"Nine\"\n[8]: <https://x.org>",
        "[^1] [ ] [x] [a] []",
    ] {
        check(text, text);
    }
    check("[1](not a link [9])", "[1](not a link)");
    check("[3] (aside)", "[1] (aside)");
    check("See [text [3] more](a).", "See [text [1] more](a).");
    check("[3]: The title of it", "[1]: The title of it");
    check("text\n[9]: https://x.org", "text\n…: https://x.org");
}

#[test]
fn leaving_out_makes_no_marker() {
    for text in
        ["[[9]1]", "[1[9]]", "[1 [9], 2]", "[[c_[9]a1]]", "[3[9]](x)", "[a][9](b)", "[a][9][b]", "[[9][9]1]"]
    {
        let once = cite(text, &sources(), Style::Numbers, HOLD);
        let twice = cite(&once.text, &sources(), Style::Numbers, HOLD);
        assert_eq!(once.placed.len(), twice.placed.len(), "{text:?} {once:?}");
    }
    check("[see also [9]]", "[see also]");
    check("[[2][[c_b2]]][1]", "[[1] ][2]");
    check(" [9]```\n[1, 2]", " …```\n[1][2]");
    check("[2]```\n> [[c_9]] ```\n[2]```\n", "[1]```\n> … ```\n[2]```\n");
    check("[[1-9] [8]][1]", "[[1-9] …][1]");
    check(" [9]> ```\n[2]```\n[1]", " …> ```\n[2]```\n[1]");
    check("- [9] **A** [1]", "- **A** [1]");
    check("- [9] ~~~\n[1]", "- … ~~~\n[1]");
    check("[9]    [1]", "[1]");
    check("[9]-     [1]", "…-     [1]");
    check("- [9]. ~~~\n[1]", "- …. ~~~\n[1]");
    check("A [9] `b` [1]", "A `b` [1]");
    check("[2]```\n[9][1]: u", "[1]```\n[2]: u");
    check(" [1][1]: u. ", " [1]…: u. ");
}

#[test]
fn identifiers_are_written_for_those_who_read_them() {
    let cited = cite("A [2] b [[c_b2]] c [[none]].", &sources(), Style::Ids, HOLD);
    assert_eq!(cited.text, "A [[c_b2]] b [[c_b2]] c.");
    assert_eq!(cited.numbering, [2]);
}

#[test]
fn little_is_held_back() {
    let mut markers = Markers::new(sources(), Style::Numbers, HOLD);
    let mut held = |text: &str| markers.push(text).text;
    assert_eq!(held("Plain text goes at once"), "Plain text goes at once");
    assert_eq!(held(", `code too"), ", `code too");
    assert_eq!(held("` [an aside"), "` [an aside");
    assert_eq!(held("] [1"), "]");
    assert_eq!(held("]"), "");
    assert_eq!(held("."), " [1].");
}

#[test]
fn hostile_texts_take_no_longer_than_others() {
    for piece in
        ["[", "[[", "[1,", "[1](a", "`[", "[1][", "\n> - ", "【", "`", "``[`", "(", "[1", "~~~\n[9]\n"]
    {
        let text = piece.repeat(20_000);
        let cited = cite(&text, &sources(), Style::Numbers, HOLD);
        assert!(cited.text.len() <= text.len() + 3);
    }
}

/// The code spans and blocks, and the link targets, that a Markdown parser finds.
#[expect(clippy::wildcard_enum_match_arm, reason = "the events of another crate")]
fn seen(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut code, mut targets) = (Vec::new(), Vec::new());
    let mut in_block = false;
    for event in Parser::new_ext(text, Options::empty()) {
        match event {
            Event::Code(span) => code.push(span.to_string()),
            Event::Start(Tag::CodeBlock(_)) => {
                in_block = true;
                code.push(String::new());
            }
            Event::End(TagEnd::CodeBlock) => in_block = false,
            Event::Text(text) if in_block => code.last_mut().unwrap().push_str(&text),
            Event::Start(Tag::Link { dest_url: target, .. } | Tag::Image { dest_url: target, .. }) => {
                targets.push(target.to_string());
            }
            _ => {}
        }
    }
    (code, targets)
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "[1]", "[2]", "[3, 1]", "[9]", "[[c_b2]]", "[[c_none]]", "【2】", "[1-3]", "[2][9]", "[0]", "[ 4 ]", "[1, 77]",
        ]),
        4 => prop::sample::select(vec!["One two", " ", ". ", ", ", "word", "\n", "\n\n", "Δ", "- ", "1. "]),
        1 => prop::sample::select(vec![
            "`a[1]`", "`` x ` [9] ``", "\n\n```rust\nlet a = b[9];\n```\n", "[text](https://x.org/[9])", "[2](u)", "[t][r]",
            "\n\n~~~\n[1]\n~~~\n",
        ]),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "[", "]", "[[", "]]", "1", "9", ",", " ", "`", "``", "```", "\n", "(", ")", "\\", "c_a1", "【", "】",
        "~~~", "> ", "- ", ":", "a", "#", "!", "*", "-", "［", "］", "^", "<", "\t", "   ",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn structure_holds(cited: &Cited) -> Result<(), TestCaseError> {
    let mut next = 1;
    for placed in &cited.placed {
        prop_assert!(placed.number <= next, "{cited:?}");
        next = next.max(placed.number + 1);
        prop_assert_eq!(cited.numbering[placed.number - 1], placed.ordinal);
        prop_assert!(sources().id(placed.ordinal).is_some());
        prop_assert_eq!(&cited.text[placed.range.clone()], format!("[{}]", placed.number));
    }
    prop_assert_eq!(cited.numbering.len(), next - 1);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_500))]

    #[test]
    fn any_split_gives_the_same(text in prop_oneof![pieces(), hostile()], characters in 1_usize..9) {
        let whole = cite(&text, &sources(), Style::Numbers, HOLD);
        prop_assert_eq!(&in_pieces(&text, characters), &whole);
        structure_holds(&whole)?;
    }

    #[test]
    fn code_and_links_stay_as_they_are(text in pieces()) {
        let cited = cite(&text, &sources(), Style::Numbers, HOLD);
        let (before, after) = (seen(&text), seen(&cited.text));
        prop_assert_eq!(before.0, after.0, "{:?} {:?}", text, cited.text);
        prop_assert_eq!(before.1, after.1, "{:?} {:?}", text, cited.text);
    }
}

/// More brackets than a marker needs go with it: what is left would read as one again.
#[test]
fn brackets_around_a_marker_are_its_own() {
    for (text, wanted) in [("a [[[1]]] b", "a [1] b"), ("[[[[[[1]]]", "[[[[1]"), ("[[[【1】]", "[[[1]")] {
        assert_eq!(cite(text, &sources(), Style::Numbers, HOLD).text, wanted, "{text}");
    }
}

/// A backslash means nothing in code and takes a mark's meaning in text: which of them it is shows at the end of the paragraph.
#[test]
fn backslashes_behind_an_open_backtick() {
    for (text, wanted) in [
        ("a ` b \\[1] c", "a ` b \\[1] c"),
        ("a ` b \\[1] c `", "a ` b \\[1] c `"),
        ("a ` b \\\\[1] c", "a ` b \\\\ [1] c"),
        ("``a \\` [1]", "``a \\` [1]"),
    ] {
        assert_eq!(cite(text, &sources(), Style::Numbers, HOLD).text, wanted, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// What leaves has no marker that was not placed: read again, by the same rules, it gives the same markers.
    #[test]
    fn nothing_points_to_nothing(text in prop_oneof![hostile(), pieces()]) {
        let once = cite(&text, &sources(), Style::Numbers, HOLD);
        structure_holds(&once)?;
        let known: Sources = (0..once.numbering.len()).map(|number| format!("s{number}")).collect();
        let again = cite(&once.text, &known, Style::Numbers, HOLD);
        prop_assert_eq!(&again.text, &once.text, "from {:?}", text);
        prop_assert_eq!(again.dropped, Dropped::default(), "from {:?}", text);
        prop_assert_eq!(again.placed.len(), once.placed.len(), "from {:?}", text);
    }
}
