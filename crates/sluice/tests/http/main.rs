//! The HTTP surface, driven from outside: the real binary, a real socket, and an MCP server that waits when told to.

#![allow(clippy::unwrap_used, clippy::panic, reason = "what the tests share may fail as the tests do")]
#![allow(clippy::disallowed_methods, reason = "the tasks of a test end with it")]

mod acceptance;
mod anchors;
mod auth;
mod bad_input;
mod browser;
mod chat;
mod chat_documents;
mod chat_guard;
mod chat_limits;
mod chat_recap;
mod clients;
mod conversations;
mod dashboard;
mod documents;
mod gate;
mod hostile;
mod idempotency;
mod jobs;
mod leaks;
mod library;
mod library_contract;
mod life;
mod mcp;
mod models;
mod query;
mod recordings;
mod repairs;
mod scenarios;
mod scripted;
mod server;
mod stream;
mod telemetry;
mod tools;
mod upstream;
mod workers;
