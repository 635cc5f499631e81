//! The terms of a text, for the index: those that questions are read with as well.

use reading::words;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Reads texts as [`words::terms`] does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words;

impl Words {
    pub(super) const NAME: &'static str = "words";
}

/// The terms of one text.
pub(super) struct Terms {
    left: std::vec::IntoIter<String>,
    token: Token,
}

impl Tokenizer for Words {
    type TokenStream<'a> = Terms;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Terms {
        Terms { left: words::terms(text).into_iter(), token: Token::default() }
    }
}

impl TokenStream for Terms {
    fn advance(&mut self) -> bool {
        let Some(term) = self.left.next() else { return false };
        self.token.text = term;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
