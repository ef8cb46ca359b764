//! `booking-proof`: the long proof, run by `cargo xtask prove booking`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

use booking_proof::{
    ProofError,
    check::{Finding, Rule, check},
    plan::Plan,
    report::{Broken, Report, Sums},
    sabotage::Sabotage,
    service::Server,
    shrink::shrink,
    trial::{Evidence, Trial},
};
use clap::Parser;
use service_kit::source::{Clock as _, SystemClock};

const CLIENTS: usize = 12;
const STEPS: usize = 400;
const RACES: usize = 5;
const TRIAL_TIME_MAX: Duration = Duration::from_secs(15);
/// Maximum trials until a sabotage must be detected.
const SABOTAGE_TRIALS: usize = 8;
const SHRINKS: usize = 12;

/// Tries to break the booking on the real program, and reports its findings.
#[derive(Debug, Parser)]
struct Arguments {
    /// Path of the program `svc-booking`.
    #[arg(long)]
    program: PathBuf,
    /// Folder for SQLite files, on a real disk. Without it, SQLite is skipped.
    #[arg(long)]
    sqlite: Option<PathBuf>,
    /// URL of a PostgreSQL server that allows new databases. Without it, PostgreSQL is skipped.
    #[arg(long)]
    postgres: Option<String>,
    /// Duration on all databases together, in seconds, 10 to 86,400.
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(10..=86_400))]
    seconds: u64,
    /// Seed of the plans. Default: the start time.
    #[arg(long)]
    seed: Option<u64>,
    /// Output folder of `booking.html` and `booking.md`.
    #[arg(long)]
    out: PathBuf,
    /// Version of the program, shown in the report.
    #[arg(long, default_value = "unknown")]
    version_of_program: String,
}

#[tokio::main]
async fn main() -> ExitCode {
    match prove(&Arguments::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("booking-proof: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the proof. Returns whether it passed.
async fn prove(arguments: &Arguments) -> Result<bool, ProofError> {
    let began = SystemClock.now();
    let started = Instant::now();
    let seed = arguments
        .seed
        .unwrap_or_else(|| began.timestamp().unsigned_abs());
    println!("seed {seed}");
    let sqlite = arguments.sqlite.clone().map(Server::Sqlite);
    let postgres = arguments.postgres.clone().map(Server::Postgres);
    let servers: Vec<Server> = [sqlite, postgres].into_iter().flatten().collect();
    if servers.is_empty() {
        return Err(ProofError::Other("set --sqlite or --postgres".into()));
    }
    let mut sums: BTreeMap<&'static str, Sums> = BTreeMap::new();
    let mut round = 0;
    while round == 0 || started.elapsed() < Duration::from_secs(arguments.seconds) {
        for server in &servers {
            let plan = Plan::new(seed.wrapping_add(round), CLIENTS, STEPS);
            let evidence = run(&arguments.program, server, &plan, None).await?;
            let findings = check(&evidence);
            println!(
                "{:<10} round {:>3}: {:>5} requests, {:>2} kills, {} findings",
                server.name(),
                round + 1,
                evidence.history.calls.len(),
                evidence.kills,
                findings.len()
            );
            let is_first = sums
                .get(server.name())
                .is_none_or(|sums| sums.findings.is_empty());
            if !findings.is_empty() && is_first {
                smaller(&arguments.program, server, plan, &findings).await;
            }
            sums.entry(server.name())
                .or_default()
                .add(&evidence, findings);
        }
        round += 1;
    }
    let mut broken = Vec::new();
    for server in &servers {
        for (sabotage, rules) in SABOTAGES {
            broken.push(noticed(&arguments.program, server, seed, sabotage, rules).await?);
        }
    }
    let report = Report {
        version: arguments.version_of_program.clone(),
        seed,
        began,
        lasted: started.elapsed(),
        sums,
        broken,
    };
    std::fs::create_dir_all(&arguments.out)?;
    std::fs::write(arguments.out.join("booking.html"), report.html())?;
    std::fs::write(arguments.out.join("booking.md"), report.markdown())?;
    println!("{}", report.markdown());
    Ok(report.is_good())
}

/// Injected faults, and the rules of which at least one must detect each.
const SABOTAGES: [(Sabotage, &[Rule]); 4] = [
    (Sabotage::SeatsUnguarded, &[Rule::SoldOnce]),
    (Sabotage::MoveInTwoSteps, &[Rule::KeptWhileMoving]),
    (Sabotage::HoldsForever, &[Rule::FreeIsFree]),
    (Sabotage::ProofForged, &[Rule::ProvenByMail]),
];

async fn run(
    program: &Path,
    server: &Server,
    plan: &Plan,
    sabotage: Option<Sabotage>,
) -> Result<Evidence, ProofError> {
    let trial = Trial {
        program,
        server,
        plan,
        time_max: TRIAL_TIME_MAX,
        races: RACES,
        sabotage,
    };
    trial.run().await
}

/// Prints the smallest plan found that still shows one of the findings.
async fn smaller(program: &Path, server: &Server, plan: Plan, findings: &[Finding]) {
    for finding in findings {
        println!("  {finding}");
    }
    let rules: Vec<Rule> = findings.iter().map(|finding| finding.rule).collect();
    let small = shrink(plan, SHRINKS, async |plan: &Plan| {
        let Ok(evidence) = run(program, server, plan, None).await else {
            return false;
        };
        let found = check(&evidence);
        found.iter().any(|finding| rules.contains(&finding.rule))
    })
    .await;
    println!("  smallest plan with a finding: {small:?}");
}

async fn noticed(
    program: &Path,
    server: &Server,
    seed: u64,
    sabotage: Sabotage,
    rules: &[Rule],
) -> Result<Broken, ProofError> {
    let mut is_noticed = false;
    for number in 0..SABOTAGE_TRIALS {
        let number = u64::try_from(number).unwrap_or_default();
        let plan = Plan::new(seed.wrapping_add(1_000 + number), CLIENTS, STEPS / 4);
        let evidence = run(program, server, &plan, Some(sabotage)).await?;
        let found = check(&evidence);
        is_noticed = found.iter().any(|finding| rules.contains(&finding.rule));
        if is_noticed {
            break;
        }
    }
    println!("{:<10} {sabotage:?}: noticed {is_noticed}", server.name());
    Ok(Broken {
        database: server.name(),
        sabotage,
        is_noticed,
    })
}
