//! The wire: the bodies and events of every HTTP surface, in every form that a released client sends or accepts.
//!
//! Names in camel case and names of older client versions live here and nowhere else. The types hold what a client
//! checks: amounts of money are decimal strings, counts and times are integers, lists are never null, and words that
//! some client version refuses are marked where they are defined.

pub mod query;

pub mod result;

pub mod evidence;

pub mod session;

pub mod intelligence;

pub mod computed;

pub mod trace;

pub mod events;

pub mod job;

pub mod chat;

pub mod library;

pub mod recording;

pub mod tools;

pub mod error;

mod object;
