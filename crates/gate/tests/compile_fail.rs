//! What may not compile: the order of the stages, held by the types.

#[test]
fn compile_fail_cases_stay_so() {
    trybuild::TestCases::new().compile_fail("tests/fail/*.rs");
}
