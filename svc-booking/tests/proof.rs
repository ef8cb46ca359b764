//! Runs a short proof of the booking on both databases, and checks that a broken system is detected. The long proof is
//! `cargo xtask prove booking`.

use std::{path::Path, time::Duration};

use booking_proof::{
    check::{Finding, Rule, check},
    history::Operation,
    plan::Plan,
    sabotage::Sabotage,
    service::Server,
    shrink::shrink,
    trial::{Evidence, RACERS, Trial},
};
use test_kit::database::postgres_server;

const PROGRAM: &str = env!("CARGO_BIN_EXE_svc-booking");
const CLIENTS: usize = 8;
const STEPS: usize = 400;
const TIME_MAX: Duration = Duration::from_secs(9);
/// Environment variable with a fixed seed; unset means a new one per run.
const SEED: &str = "PROOF_SEED";

fn sqlite() -> Server {
    Server::Sqlite(env!("CARGO_TARGET_TMPDIR").into())
}

fn postgres() -> Server {
    Server::Postgres(postgres_server())
}

fn seed() -> u64 {
    let given = std::env::var(SEED).ok().and_then(|text| text.parse().ok());
    // A new seed each time: a fixed one would find nothing new.
    given.unwrap_or_else(|| u64::from(std::process::id()))
}

async fn run(server: &Server, plan: &Plan, sabotage: Option<Sabotage>, races: usize) -> Evidence {
    let trial = Trial {
        program: Path::new(PROGRAM),
        server,
        plan,
        time_max: TIME_MAX,
        races,
        sabotage,
    };
    trial.run().await.expect("the trial runs")
}

/// Checks that there are no findings; shrinks the plan before it reports any.
async fn nothing_is_found(server: Server) {
    let seed = seed();
    println!("{SEED}={seed}");
    let plan = Plan::new(seed, CLIENTS, STEPS);
    let evidence = run(&server, &plan, None, 2).await;
    let findings = check(&evidence);
    println!(
        "{} calls, {} looks at the tables, {} kills, races {:?}",
        evidence.history.calls.len(),
        evidence.history.sights.len(),
        evidence.kills,
        evidence.races
    );
    assert!(
        evidence.history.calls.len() > 2 * RACERS + 100,
        "clients did something"
    );
    let calls = evidence.history.calls.iter();
    let proofs = calls.filter(|call| {
        matches!(call.operation, Operation::Prove { .. }) && call.outcome.appointment().is_some()
    });
    let proofs = proofs.count();
    println!("{proofs} links of mails opened");
    // Holds on a mostly idle machine; on a slow one, the mails arrive after the clients have ended.
    let is_slow = evidence.history.calls.len() < 2 * RACERS + 600;
    assert!(proofs > 0 || is_slow, "clients opened their mail");
    if findings.is_empty() {
        return;
    }
    let rules: Vec<Rule> = findings.iter().map(|finding| finding.rule).collect();
    let small = shrink(plan, 6, async |plan: &Plan| {
        let found = check(&run(&server, plan, None, 2).await);
        found.iter().any(|finding| rules.contains(&finding.rule))
    })
    .await;
    panic!("{SEED}={seed}: {}\n{small:?}", listed(&findings));
}

fn listed(findings: &[Finding]) -> String {
    let lines: Vec<_> = findings.iter().take(30).map(ToString::to_string).collect();
    lines.join("\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_has_no_findings() {
    nothing_is_found(sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_has_no_findings() {
    nothing_is_found(postgres()).await;
}

/// Repeats until the checker reports one of the rules; fails if it never does.
async fn is_noticed(server: Server, sabotage: Sabotage, rules: &[Rule]) {
    let mut found = Vec::new();
    for number in 0..8 {
        let plan = Plan::new(seed() + number, CLIENTS, STEPS / 4);
        found = check(&run(&server, &plan, Some(sabotage), 3).await);
        if found.iter().any(|finding| rules.contains(&finding.rule)) {
            return;
        }
    }
    panic!("{sabotage:?} was not noticed: {}", listed(&found));
}

/// One of the two guards of a seat is enough. Limits without a unique key, such as those of a person, depend on the
/// locks alone.
async fn seats_stay_guarded(server: Server, sabotage: Sabotage) {
    let plan = Plan::new(seed(), CLIENTS, STEPS / 4);
    let mut found = check(&run(&server, &plan, Some(sabotage), 3).await);
    found.retain(|finding| matches!(finding.rule, Rule::SoldOnce | Rule::OneSeat));
    assert!(found.is_empty(), "{}", listed(&found));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seats_without_guards_are_noticed() {
    is_noticed(sqlite(), Sabotage::SeatsUnguarded, &[Rule::SoldOnce]).await;
    is_noticed(postgres(), Sabotage::SeatsUnguarded, &[Rule::SoldOnce]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn either_guard_of_a_seat_is_enough() {
    seats_stay_guarded(sqlite(), Sabotage::KeyDropped).await;
    seats_stay_guarded(postgres(), Sabotage::KeyDropped).await;
    seats_stay_guarded(postgres(), Sabotage::LocksGone).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_in_two_steps_is_noticed() {
    is_noticed(sqlite(), Sabotage::MoveInTwoSteps, &[Rule::KeptWhileMoving]).await;
    is_noticed(
        postgres(),
        Sabotage::MoveInTwoSteps,
        &[Rule::KeptWhileMoving],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_without_expiry_is_noticed() {
    // Detected by refusals, and in the tables.
    for rule in [Rule::FreeIsFree, Rule::HoldsEnd] {
        is_noticed(sqlite(), Sabotage::HoldsForever, &[rule]).await;
        is_noticed(postgres(), Sabotage::HoldsForever, &[rule]).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_proof_is_noticed() {
    is_noticed(sqlite(), Sabotage::ProofForged, &[Rule::ProvenByMail]).await;
    is_noticed(postgres(), Sabotage::ProofForged, &[Rule::ProvenByMail]).await;
}
