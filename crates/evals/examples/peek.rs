//! x
use std::path::Path;
use evals::{DecisionInput, corpus, production::Decider, universe};
fn main() {
    let policy = policy::Policy::shipped().unwrap();
    let decider = Decider::new(&policy);
    let want = std::env::args().nth(2).unwrap();
    let n: usize = std::env::args().nth(3).unwrap().parse().unwrap();
    let mut k = 0;
    for case in corpus::cases(Path::new(&std::env::args().nth(1).unwrap())).unwrap() {
        let case = case.unwrap();
        let snapshot = universe(&case.tools);
        let input = DecisionInput { question: &case.query, history: &case.history, now: None, tools: &case.tools, snapshot: &snapshot };
        let d = decider.decide(&input);
        let kind = format!("{}>{}", &case.expected.outcome.word()[..4], &d.outcome.word()[..4]);
        if kind != want { continue; }
        k += 1;
        if k > n { break; }
        println!("-- {kind} {} gold {:?} | {} | H{} {:?}", case.id, case.expected.methods, case.query.chars().take(260).collect::<String>(), case.history.len(), d.fallback_reason);
        if let Some(p) = decider.probe(&input) {
            for e in p.ranked().iter().take(2) {
                println!("    {:.2} {} | {}", e.grounding, e.candidate.method.name, e.candidate.method.description.chars().take(140).collect::<String>());
                let show = ["topic_any","topic_own","topic_left","topic_unknown","name_said","description_said","rare","all_served","confidence","value_left","retrieved","leads"];
                println!("       {}", e.signals.iter().filter(|s| show.contains(&s.0)).map(|s| format!("{} {:.2}", s.0, s.1)).collect::<Vec<_>>().join(", "));
                for r in &e.required { println!("       - {} filled {} {:.2}", r.name, r.is_filled, r.is_the_callers); }
            }
        }
    }
}
