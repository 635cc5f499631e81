//! The parts of Markdown links whose brackets are no markers.

/// Whether something stands at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It does, with so many bytes.
    Whole(usize),
    /// It does not.
    No,
    /// That depends on what follows.
    Open,
}

/// A destination with its parentheses, as in `[text](destination "title")`, at the start of `text`.
pub(super) fn destination(text: &str, bytes_max: usize, is_whole: bool) -> Found {
    let mut state = Target { part: Part::Before, depth: 1 };
    for (at, character) in text.char_indices().skip(1) {
        if at >= bytes_max {
            return Found::No;
        }
        match state.take(character) {
            Some(true) => return Found::Whole(at + character.len_utf8()),
            Some(false) => return Found::No,
            None => {}
        }
    }
    if is_whole { Found::No } else { Found::Open }
}

struct Target {
    part: Part,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Part {
    Before,
    Bare { is_escaped: bool },
    Angled,
    After,
    Title { end: char, is_escaped: bool },
    End,
}

impl Target {
    /// Whether the destination ends well, or badly, with this character.
    fn take(&mut self, character: char) -> Option<bool> {
        let is_blank = matches!(character, ' ' | '\t');
        if character == '\n' {
            return Some(false);
        }
        self.part = match self.part {
            Part::Before if is_blank => Part::Before,
            Part::Before if character == '<' => Part::Angled,
            Part::Before if character == ')' => return Some(true),
            Part::Before | Part::Bare { .. } => return self.bare(character),
            Part::Angled if character == '>' => Part::After,
            Part::Angled if character == '<' => return Some(false),
            Part::Angled => Part::Angled,
            Part::After | Part::End if is_blank => self.part,
            Part::After | Part::End if character == ')' => return Some(true),
            Part::After => match character {
                '"' | '\'' => Part::Title { end: character, is_escaped: false },
                '(' => Part::Title { end: ')', is_escaped: false },
                _ => return Some(false),
            },
            Part::End => return Some(false),
            Part::Title { end, is_escaped: true } => Part::Title { end, is_escaped: false },
            Part::Title { end, .. } if character == end => Part::End,
            Part::Title { end, .. } => Part::Title { end, is_escaped: character == '\\' },
        };
        None
    }

    fn bare(&mut self, character: char) -> Option<bool> {
        let was_escaped = matches!(self.part, Part::Bare { is_escaped: true });
        self.part = Part::Bare { is_escaped: character == '\\' && !was_escaped };
        match character {
            _ if was_escaped => {}
            '(' => self.depth += 1,
            ')' => {
                self.depth -= 1;
                if self.depth == 0 {
                    return Some(true);
                }
            }
            ' ' | '\t' if self.depth > 1 => return Some(false),
            ' ' | '\t' => self.part = Part::After,
            _ if character.is_control() => return Some(false),
            _ => {}
        }
        None
    }
}

/// A label with its brackets, as in `[text][label]`, at the start of `text`.
pub(super) fn label(text: &str, bytes_max: usize, is_whole: bool) -> Found {
    let mut has_content = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if at >= bytes_max => return Found::No,
            ']' if has_content => return Found::Whole(at + 1),
            ']' | '[' | '\n' | '`' | '\\' => return Found::No,
            '^' if at == 1 => return Found::No,
            _ => has_content |= !character.is_whitespace(),
        }
    }
    if is_whole { Found::No } else { Found::Open }
}

/// The rest of a definition after its label, as in `[label]: destination "title"`, up to the end of its line.
pub(super) fn definition(text: &str, bytes_max: usize, is_whole: bool) -> Found {
    if !text.starts_with(':') {
        return Found::No;
    }
    let Some(end) = text.find('\n').or(is_whole.then_some(text.len())) else {
        return if text.len() > bytes_max { Found::No } else { Found::Open };
    };
    let rest = text[1..end].trim();
    let (address, title) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
    let title = title.trim();
    let is_title = title.is_empty()
        || [('"', '"'), ('\'', '\''), ('(', ')')].into_iter().any(|(open, close)| {
            title.len() > 2 && title.starts_with(open) && title[1..].find(close) == Some(title.len() - 2)
        });
    let bare = address.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(address);
    let is_address = bare.contains(['/', '#', '.', '@']) && !bare.contains(['<', '>', '[']);
    if end <= bytes_max && is_address && is_title { Found::Whole(end) } else { Found::No }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_are_read() {
        for text in [
            "(a)",
            "()",
            "(a(b)c)",
            "(<a b>)",
            "(a \"b c\")",
            "( a 'b' )",
            "(http://x/[2]?y)",
            "(a\\)b)",
            "(a (t))",
        ] {
            assert_eq!(destination(text, 64, true), Found::Whole(text.len()), "{text}");
        }
        for text in ["(a b)", "(a", "(a\nb)", "(a \"b\" c)", "(see [9] there)", "(a(b c))"] {
            assert_eq!(destination(text, 64, true), Found::No, "{text}");
        }
        assert_eq!(destination("(a", 64, false), Found::Open);
        assert_eq!(destination(&format!("({}", "a".repeat(64)), 64, false), Found::No);
    }

    #[test]
    fn labels_and_definitions_are_read() {
        assert_eq!(label("[a b] c", 64, true), Found::Whole(5));
        assert_eq!(label("[^1]", 64, true), Found::No);
        assert_eq!(label("[a", 64, false), Found::Open);
        assert_eq!(definition(": https://x", 64, true), Found::Whole(11));
        assert_eq!(definition(": /x \"y z\"\n", 64, false), Found::Whole(10));
        assert_eq!(definition(": ht", 64, false), Found::Open);
        for text in [": The title", ": https://x and more", " https://x", ": title"] {
            assert_eq!(definition(text, 64, true), Found::No, "{text}");
        }
    }
}
