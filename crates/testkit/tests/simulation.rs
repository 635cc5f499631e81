//! Thousands of seeds: every request ends once, in one of the documented ways; it pays for what it got; it keeps to its
//! budgets; and it can be replayed. `SLUICE_SEED` runs one seed alone.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use domain::MethodRef;
use engine::{Failure, Outcome};
use store::{Settings, Store};
use testkit::{Simulated, World};
use trace::Event;

/// Seeds of one test; there are four.
const SEEDS: u64 = 520;

/// A deadline is told a little after it has passed: time moves in steps.
const LATE: Duration = Duration::from_millis(600);

/// Orders in which parallel calls come back.
const ORDERS: u64 = 1_000;

fn on_virtual_time(work: impl AsyncFnOnce(&World, &Store)) {
    let world = World::build();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let settings = Settings {
            readers_max: 1,
            acquire_timeout: Duration::from_secs(1_000_000),
            busy_timeout: Duration::from_secs(30),
            blob_bytes_max: 1 << 20,
        };
        let store = Store::in_memory(settings).await.expect("a store");
        tokio::time::pause();
        work(&world, &store).await;
    });
    world.end();
}

fn explore(part: u64) {
    on_virtual_time(async |world, store| {
        let mut endings: BTreeMap<&str, usize> = BTreeMap::new();
        for seed in seeds(part) {
            let simulated = Box::pin(world.simulate(store, seed)).await;
            let mut complaints = check(&simulated, world);
            match Box::pin(world.replay(store, &simulated)).await {
                Ok((ending, decisions)) => {
                    if ending != simulated.ending {
                        complaints.push(format!("the replay ends otherwise: {ending}\n{}", simulated.ending));
                    }
                    if let Some(parting) = trace::parting(&simulated.decisions, &decisions) {
                        complaints.push(format!("the replay decides otherwise: {parting:#?}"));
                    }
                }
                Err(mismatch) => complaints.push(format!("the replay parts: {mismatch}")),
            }
            assert!(complaints.is_empty(), "seed {seed} (SLUICE_SEED={seed}):\n{}", complaints.join("\n"));
            *endings.entry(word(&simulated)).or_default() += 1;
        }
        assert!(seeds(part).len() == 1 || endings.len() > 3, "all ended alike: {endings:?}");
    });
}

#[test]
fn simulation_of_a_thousand_orders_decides_the_same() {
    on_virtual_time(async |world, store| {
        let mut orders = BTreeSet::new();
        let (mut decided, mut endings) = (BTreeSet::new(), BTreeSet::new());
        for seed in 0..ORDERS {
            let simulated = Box::pin(world.shuffle(store, seed)).await;
            let again = Box::pin(world.replay(store, &simulated)).await;
            let (ending, decisions) = again.unwrap_or_else(|mismatch| panic!("order {seed}: {mismatch}"));
            assert_eq!(ending, simulated.ending, "order {seed}");
            assert_eq!(trace::parting(&simulated.decisions, &decisions), None, "order {seed}");
            let order = simulated.settled.events.iter().filter_map(|it| {
                let Event::CallEnded { arguments, .. } = &it.event else { return None };
                Some(format!("{arguments:?}"))
            });
            orders.insert(order.collect::<Vec<_>>());
            decided.insert(trace::hash(&simulated.decisions));
            endings.insert(simulated.ending);
        }
        assert!(orders.len() > 100, "only {} orders: {endings:?}", orders.len());
        assert_eq!((decided.len(), endings.len()), (1, 1), "the order decided something");
    });
}

#[expect(clippy::disallowed_methods, reason = "whoever looks into a seed names it in the environment")]
fn seeds(part: u64) -> Vec<u64> {
    match std::env::var("SLUICE_SEED") {
        Ok(seed) => vec![seed.parse().expect("a number")],
        Err(_) => (part * SEEDS..(part + 1) * SEEDS).collect(),
    }
}

fn word(simulated: &Simulated) -> &'static str {
    match &simulated.settled.ending {
        Ok(outcome) => outcome.word(),
        Err(Failure::DeadlinePassed) => "deadline",
        Err(Failure::Cancelled) => "cancelled",
        Err(Failure::UnknownTool(_)) => "unknown tool",
        Err(Failure::ProgramLost(_)) => "program lost",
    }
}

fn check(simulated: &Simulated, world: &World) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut expect = |holds: bool, complaint: String| {
        if !holds {
            complaints.push(complaint);
        }
    };
    let (run, budgets) = (&simulated.settled, simulated.budgets(world));
    let ends = run.events.iter().filter(|it| matches!(it.event, Event::QueryEnded { .. })).count();
    expect(ends == 1, format!("it ended {ends} times"));
    let ended_with = word(simulated);
    expect(ended_with != "unknown tool", format!("it ended with {ended_with}"));
    if let Ok(Outcome::Clarify(card)) = &run.ending {
        expect(
            !card.options.is_empty() || card.allows_freeform,
            "a question that cannot be answered".to_owned(),
        );
    }

    let settlement = simulated.settlement.as_ref();
    expect(settlement.is_some(), "the ledger has no row".to_owned());
    let mut charged: BTreeMap<MethodRef, usize> = BTreeMap::new();
    for call in run.spent.calls.iter().filter(|call| call.delivered) {
        *charged.entry(call.method.clone()).or_default() += 1;
    }
    // What nobody waited for any more may have been delivered and not be charged; never the other way round.
    for (method, times) in &charged {
        let delivered = simulated.delivered.get(method).copied().unwrap_or(0);
        expect(*times <= delivered, format!("{method} was charged {times} times and delivered {delivered}"));
    }
    expect(run.spent.tool_cost() <= simulated.owed, "more was charged than was delivered".to_owned());
    if let Some(row) = settlement {
        let paid = row.charges.iter().map(|charge| charge.price).sum::<domain::Usd>();
        expect(paid == run.spent.tool_cost(), "the ledger says another price".to_owned());
    }

    expect(simulated.executed <= budgets.calls_max, format!("{} calls (`calls_max`)", simulated.executed));
    expect(run.spent.tool_cost() <= budgets.spend_max(), format!("${}", run.spent.tool_cost()));
    let deadline = Duration::from_millis(budgets.deadline_ms_max) + LATE;
    expect(simulated.took <= deadline, format!("it took {:?}", simulated.took));
    complaints
}

#[test]
fn simulation_of_the_first_seeds_holds() {
    explore(0);
}

#[test]
fn simulation_of_the_second_seeds_holds() {
    explore(1);
}

#[test]
fn simulation_of_the_third_seeds_holds() {
    explore(2);
}

#[test]
fn simulation_of_the_fourth_seeds_holds() {
    explore(3);
}
