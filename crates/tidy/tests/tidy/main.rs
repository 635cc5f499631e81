//! The repository's rules. A test a rule; a failing one names every file and line that breaks it.

mod graph;
mod links;
mod manifests;
mod map;
mod prompts;
mod sizes;
mod stages;
mod tree;
mod violations;
mod words;
