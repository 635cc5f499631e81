//! Documents cut into chunks, case by case and by property.

use proptest::prelude::*;

use super::*;

const SIZES: ChunkSizes = ChunkSizes { words_min: 9, words_max: 22 };

fn markdown(text: &str) -> Extracted {
    Extracted { text: text.to_owned(), is_markdown: true, headings: Vec::new() }
}

fn tree(text: &str) -> Tree {
    cut("d_1", &markdown(text), None, SIZES)
}

fn paragraphs<'a>(tree: &'a Tree, text: &'a str) -> Vec<(String, &'a str)> {
    let own = tree.chunks.iter().filter(|chunk| chunk.level == ChunkLevel::Paragraph);
    own.map(|chunk| (chunk.path.join(" > "), chunk.content.as_deref().unwrap_or(&text[chunk.range.clone()])))
        .collect()
}

fn told(text: &str) -> Vec<(String, String)> {
    let tree = tree(text);
    paragraphs(&tree, text).into_iter().map(|(path, said)| (path, said.to_owned())).collect()
}

fn check(text: &str, expected: &[(&str, &str)]) {
    let told = told(text);
    let told: Vec<(&str, &str)> = told.iter().map(|(path, said)| (path.as_str(), said.as_str())).collect();
    assert_eq!(told, expected);
}

#[test]
fn sections_have_the_path_of_their_headings() {
    check(
        "---\ntitle: Guide\n---\n\nIntro.\n\n# Guide\n\nOne.\n\n## Use `it`\n\nTwo.\n\n### Deep\n\nThree.\n\n## Last\n\nFour.\n",
        &[
            ("Guide", "Intro."),
            ("Guide", "One."),
            ("Guide > Use it", "Two."),
            ("Guide > Use it > Deep", "Three."),
            ("Guide > Last", "Four."),
        ],
    );
}

#[test]
fn paragraphs_are_put_together_and_split_between_sentences() {
    check(
        "One two three.\n\nFour five six seven.\n\nEight nine ten eleven.\n\nTwelve.\n",
        &[("", "One two three.\n\nFour five six seven.\n\nEight nine ten eleven.\n\nTwelve.")],
    );
    let long = "a b c d e f g h i j. ".repeat(5);
    let told = told(&long);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told.iter().all(|(_, said)| said.ends_with('.')), "{told:?}");
}

#[test]
fn code_stays_with_its_sentence() {
    let text = "One two three four five six seven eight. Now run this:\n\n```sh\nls -l a b c d e f g h i j k l m n\n\ncat\n```\n\nThen more.\n";
    let told = told(text);
    let code = told.iter().find(|(_, said)| said.contains("```sh")).unwrap();
    assert!(code.1.starts_with("Now run this:"), "{told:?}");
    assert!(code.1.contains("cat\n```"), "{told:?}");
}

#[test]
fn tables_keep_their_header() {
    let rows = (0..8).map(|row| format!("| k{row} | v{row} w{row} |\n")).collect::<Vec<_>>().concat();
    let text = format!("Before.\n\n| Key | Value |\n|---|---|\n{rows}\nAfter.\n");
    let told = told(&text);
    assert!(told.len() > 3, "{told:?}");
    assert_eq!(told[0].1, "Before.");
    for (_, part) in &told[1..told.len() - 1] {
        assert!(part.starts_with("| Key | Value |\n|---|---|\n| k"), "{part}");
    }
    assert_eq!(told.iter().map(|(_, said)| said.matches("| k").count()).sum::<usize>(), 8, "{told:?}");
}

#[test]
fn comments_are_no_text_and_quotes_are() {
    check(
        "<!-- hidden # not -->\n\n> # Not a heading\n> Quoted words.\n\n<div>Shown</div>\n",
        &[("Not a heading", "Quoted words.\n\n<div>Shown</div>")],
    );
}

#[test]
fn plain_text_is_parted_by_blank_lines() {
    let extracted = Extracted {
        text: "First page one.\n\nMore.\n\nSecond page.\n".to_owned(),
        is_markdown: false,
        headings: vec![(0, "Page 1".to_owned()), (24, "Page 2".to_owned())],
    };
    let tree = cut("d_1", &extracted, Some("Paper"), SIZES);
    assert_eq!(
        paragraphs(&tree, &extracted.text),
        [
            ("Paper > Page 1".to_owned(), "First page one.\n\nMore."),
            ("Paper > Page 2".to_owned(), "Second page."),
        ]
    );
}

#[test]
fn what_did_not_change_keeps_its_identifier() {
    let ids = |text: &str| -> Vec<(String, String)> {
        let tree = tree(text);
        tree.chunks.iter().map(|chunk| (chunk.chunk_id.clone(), chunk.path.join(">"))).collect()
    };
    let before = ids("# A\n\n## B\n\nOne.\n\n## C\n\nTwo.\n");
    let after = ids("# A\n\nNew words here.\n\n## B\n\nOne, changed.\n\n## C\n\nTwo.\n");
    for kept in before.iter().filter(|(_, path)| path.ends_with('C') || *path == "A") {
        assert!(after.contains(kept), "{kept:?} in {after:?}");
    }
    assert_eq!(ids("Same.\n\n# X\n\nSame.\n\n# X\n\nSame.\n").len(), 7);
}

proptest! {
    #[test]
    fn chunks_are_ranges_with_identifiers_of_their_own(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "# H\n\n", "## Two\n\n", "One sentence. Another one here. ", "word ", "\n\n", "```\ncode\n\nmore\n```\n\n", "- item one\n- item two\n",
            "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n", "> quote\n\n", "<!-- c -->\n\n", "Δ。漢字。", "    indented\n", "---\n",
        ]), 0..40),
    ) {
        let text = pieces.concat();
        let tree = tree(&text);
        let mut ids: Vec<&str> = tree.chunks.iter().map(|chunk| chunk.chunk_id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), tree.chunks.len());
        let mut end = 0;
        for chunk in &tree.chunks {
            let said = text.get(chunk.range.clone());
            prop_assert!(said.is_some());
            if chunk.level == ChunkLevel::Paragraph {
                prop_assert!(chunk.range.start >= end, "{:?}", tree.chunks);
                prop_assert!(!said.unwrap_or_default().trim().is_empty());
                end = chunk.range.end;
            }
        }
    }
}
