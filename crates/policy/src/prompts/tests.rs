//! The shipped prompts, and what is said of a bad one.

use super::*;
use crate::{Policy, PolicyError};

fn with(path: &str, text: &str) -> String {
    Policy::with_file(path, text).unwrap_err().to_string()
}

#[test]
fn the_shipped_prompts_are_sound() {
    let prompts = Policy::shipped().unwrap().prompts;
    let judge = prompts.of(ModelStage::Judge);
    assert!(judge.reply_schema.is_some() && judge.refused.is_none());
    let plan = prompts.of(ModelStage::Plan);
    assert!(plan.refused.is_some() && plan.fell_short.is_some());
    assert!(prompts.of(ModelStage::Synthesize).reply_schema.is_none());
    assert!(prompts.of(ModelStage::Plan).system.slots().next().is_none(), "the dialect card is in its place");
}

#[test]
fn a_bad_slot_is_named_with_its_file() {
    assert_eq!(
        with("prompts/judge/again.md", "That was wrong."),
        "prompts/judge/again.md: the slot `fault` is missing"
    );
    assert_eq!(
        with("prompts/judge/again.md", "{{fault}}\n{{answer}}"),
        "prompts/judge/again.md: line 2: there is no slot `answer` here; there are `fault`"
    );
}

#[test]
fn a_bad_reply_schema_is_named() {
    let path = "prompts/judge/reply.schema.json";
    assert!(with(path, "{").starts_with("prompts/judge/reply.schema.json: "));
    assert!(with(path, "{\"type\": \"array\"}").ends_with("must be the schema of an object"));
    let open = r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": []}"#;
    assert!(with(path, open).ends_with("#: `a` must be among `required`"));
}

#[test]
fn prompts_are_part_of_the_hash() {
    let changed = Policy::with_file("prompts/judge/again.md", "Once more: {{fault}}").unwrap();
    assert_ne!(changed.hash, Policy::shipped().unwrap().hash);
}

#[test]
fn a_directory_overrides_single_prompts() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("prompts/judge");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("again.md"), "Once more: {{fault}}").unwrap();
    let policy = Policy::load(directory.path()).unwrap();
    let again = policy.prompts.of(ModelStage::Judge).again.as_ref().unwrap();
    assert_eq!(again.fill(|_| "x".to_owned()), "Once more: x");
    std::fs::write(folder.join("agian.md"), "").unwrap();
    let error = Policy::load(directory.path()).unwrap_err();
    assert!(
        matches!(&error, PolicyError::Unknown { file, .. } if file == "prompts/judge/agian.md"),
        "{error}"
    );
}
