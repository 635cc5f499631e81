//! What a question says: words, spans, dates and windows, its form, and the arguments they fill.
//!
//! Pure: a question, a moment and a schema in; values and their reasons out. Nothing here is guessed: an argument that
//! nothing in the question, the schema's default or a published standard fills stays unfilled, with the reason.

pub mod words;

mod clause;
mod follow_up;
mod place;
mod question;
pub mod spans;
pub mod standards;
pub mod time;

pub mod bind;
pub mod form;

pub use clause::{asks, clauses, cuts, goes_on, points_at_it, points_at_one_of, pronoun, things};
pub use follow_up::{
    Given, asks_for_more, asks_if_much, compared, completed, counted, counted_next, counts_off, is_led,
    points_back, told_by,
};
pub use place::Place;
pub use question::{Part, Question, Reading};
