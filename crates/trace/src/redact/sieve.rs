//! Tells from the bytes of a JSON text whether a secret could stand in it. Most texts have none, and are read no further.

use policy::Recording;

use super::{folded, is_of_word};

/// What a policy says of secrets, as tables.
#[derive(Debug)]
pub(crate) struct Sieve {
    suspects: Vec<Suspect>,
    /// Of each byte, the suspects (a bit each) that may have it as their first, their second and their third.
    rows: [[u32; 256]; 3],
    /// The bits of the names.
    names: u32,
    chars_min: usize,
    /// Whether a field or a prefix has anything in it that JSON writes in another way.
    is_escaped: bool,
}

/// What may show that there is a secret.
#[derive(Debug)]
struct Suspect {
    bit: u32,
    text: String,
    /// The name of a secret, without the marks between its words; what secrets begin with, else.
    is_name: bool,
}

impl Sieve {
    /// The tables of a policy.
    pub(crate) fn new(policy: &Recording) -> Self {
        let names = policy.redacted_fields.iter().map(|field| (folded(field).collect(), true));
        let prefixes = policy.redacted_prefixes.iter().map(|prefix| (prefix.clone(), false));
        let suspects: Vec<Suspect> = names
            .chain(prefixes)
            .enumerate()
            // Where there are many, some share a bit, and are looked at together.
            .map(|(place, (text, is_name))| Suspect { bit: 1 << (place % 32), text, is_name })
            .collect();
        let mut rows = [[0; 256]; 3];
        for suspect in &suspects {
            suspect.enter(&mut rows);
        }
        Self {
            names: suspects.iter().filter(|it| it.is_name).fold(0, |names, it| names | it.bit),
            is_escaped: suspects.iter().any(|it| it.text.is_empty() || is_written_otherwise(&it.text)),
            chars_min: policy.redacted_chars_min,
            suspects,
            rows,
        }
    }

    /// Whether a JSON text has anything in it that could be a secret or the name of one: says yes too often, and never no
    /// where there is one.
    pub(crate) fn may_hold_secrets(&self, text: &[u8]) -> bool {
        if self.is_escaped {
            return true;
        }
        let [first, second, third] = &self.rows;
        // The suspects whose first byte was the last one, and whose first two were the last two.
        let (mut begun, mut met) = (0, 0);
        text.iter().chain(&[0, 0]).enumerate().any(|(at, byte)| {
            let byte = usize::from(*byte);
            let found = met & third[byte];
            met = begun & second[byte];
            begun = first[byte];
            found != 0 && self.is_any_at(found, &text[at - 2..])
        })
    }

    /// Whether a field's text is never written.
    pub(crate) fn names_secret(&self, name: &str) -> bool {
        let bits = match name.bytes().find(|it| !matches!(it, b'-' | b'_')) {
            Some(first) if !self.is_escaped => self.rows[1][usize::from(first)] & self.names,
            _ => u32::MAX,
        };
        bits != 0
            && self
                .suspects
                .iter()
                .any(|it| it.is_name && it.bit & bits != 0 && folded(name).eq(it.text.chars()))
    }

    /// Whether something that secrets begin with may begin with this byte.
    pub(crate) fn may_begin(&self, byte: u8) -> bool {
        self.rows[0][usize::from(byte)] != 0
    }

    fn is_any_at(&self, bits: u32, text: &[u8]) -> bool {
        self.suspects.iter().any(|it| it.bit & bits != 0 && it.is_at(text, self.chars_min))
    }
}

impl Suspect {
    fn enter(&self, rows: &mut [[u32; 256]; 3]) {
        let Self { bit, text, is_name } = self;
        let [first, second, third] = rows;
        let mut bytes = text.bytes();
        if !is_name {
            for row in [first, second, third] {
                match bytes.next() {
                    Some(byte) => row[usize::from(byte)] |= bit,
                    None => row.iter_mut().for_each(|it| *it |= bit),
                }
            }
            return;
        }
        first[usize::from(b'"')] |= bit;
        let mut may_be_second = cases(bytes.next()).to_vec();
        may_be_second.extend([b'-', b'_']);
        may_be_second.extend(0x80..=0xff);
        for byte in &may_be_second {
            second[usize::from(*byte)] |= bit;
        }
        // After a mark, what comes second comes third.
        for byte in may_be_second.into_iter().chain(cases(bytes.next())) {
            third[usize::from(byte)] |= bit;
        }
    }

    /// Whether a text begins with this: the name of a secret, with the quote before it, or a secret itself.
    fn is_at(&self, text: &[u8], chars_min: usize) -> bool {
        if !self.is_name {
            let word = text.iter().take(chars_min).take_while(|it| is_of_word(char::from(**it)));
            return text.starts_with(self.text.as_bytes()) && word.count() == chars_min;
        }
        let mut name = text.iter().skip(1).filter(|it| !matches!(it, b'-' | b'_'));
        for wanted in self.text.bytes() {
            match name.next() {
                // In lower case it could be anything.
                Some(byte) if !byte.is_ascii() => return true,
                Some(byte) if byte.to_ascii_lowercase() == wanted => {}
                Some(_) | None => return false,
            }
        }
        true
    }
}

/// Whether JSON writes a text in another way than it stands, or its case is no matter of one byte.
pub(crate) fn is_written_otherwise(text: &str) -> bool {
    text.bytes().any(|it| it.is_ascii_control() || matches!(it, b'"' | b'\\') || !it.is_ascii())
}

fn cases(byte: Option<u8>) -> [u8; 2] {
    // A name of one letter ends with a quote.
    byte.map_or([b'"'; 2], |byte| [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()])
}
