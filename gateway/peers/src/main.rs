//! The gateway beside its peers in one run: Envoy 1.40 transcoding, nginx sending the same bytes from a file, bare gRPC.
//!
//! Every peer answers the same calls, in front of the same services, from the same load. The peer is alone on core 0; services,
//! Redis, the collector of spans and the load share core 1. Peers take turns in short rounds, so that a machine that drifts hits
//! all alike; what is given are medians of the rounds, and medians of the ratios within a round. Measured are the processor time
//! that the peer's process used per request (user and system), and p50 and p99 at 32 connections.
//!
//! `cargo xtask bench gateway` builds and finds what is needed and starts this; `--help` tells what can be chosen.

mod aims;
mod calls;
mod case;
mod collector;
mod connection;
mod envoy;
mod kind;
mod load;
mod measurement;
mod nginx;
mod peer;
mod profile;
mod program;
mod report;
mod services;
mod soak;
mod traffic;

use std::{path::PathBuf, sync::Arc, time::Duration};

use anyhow::{Result, bail, ensure};
use clap::Parser;

use crate::{
    case::Case,
    kind::Kind,
    measurement::{Row, number},
    peer::{Peer, Peers},
    program::{pin_this_process, sum_of_load},
    report::Report,
    services::Services,
    traffic::Traffic,
};

/// Before each measurement; a peer that was idle has to find its feet.
const WARM_UP: Duration = Duration::from_millis(300);

/// Measures the gateway beside its peers.
#[derive(Debug, Parser)]
struct Arguments {
    /// Folder with the programs `gateway`, `svc-booking` and `svc-content`
    #[arg(long)]
    programs: PathBuf,
    /// Another gateway that is measured in the same rounds
    #[arg(long)]
    baseline: Option<PathBuf>,
    #[arg(long)]
    envoy: Option<PathBuf>,
    #[arg(long)]
    nginx: Option<PathBuf>,
    #[arg(long)]
    redis: Option<PathBuf>,
    /// Folder with published page modules. Not set: the modules of the tests
    #[arg(long)]
    remotes: Option<PathBuf>,
    /// Turns of each peer in each case
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Seconds of one turn
    #[arg(long, default_value_t = 4)]
    seconds: u64,
    /// Connections that ask each peer at once; 1 shows what one call takes when nobody else is there
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// Minutes of full load on the gateway afterwards, to see whether its memory stays
    #[arg(long, default_value_t = 0)]
    minutes: u64,
    /// Cases and peers to keep, by name. Repeatable or comma separated
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Instead of measuring: where the gateway's time goes in the chosen cases, into this folder (perf)
    #[arg(long)]
    profile: Option<PathBuf>,
    /// Peers that are not there, as `name: reason`. Repeatable
    #[arg(long)]
    skipped: Vec<String>,
    /// File for the numbers
    #[arg(long)]
    json: Option<PathBuf>,
    /// Cargo says so to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

impl Arguments {
    /// What is kept by `--only`; names of cases alone keep every peer, and the other way round.
    fn keeps<'a>(&self, name: &str, all: impl Iterator<Item = &'a str>) -> bool {
        let mut named = all
            .filter(|known| self.only.iter().any(|only| only == known))
            .peekable();
        named.peek().is_none() || named.any(|only| only == name)
    }

    fn cases(&self) -> Vec<Case> {
        let names = || Case::ALL.iter().map(|case| case.name());
        let kept = |case: &Case| self.keeps(case.name(), names());
        Case::ALL.into_iter().filter(kept).collect()
    }

    /// A name that nobody has is a typing error, not an empty run.
    fn check(&self) -> Result<()> {
        ensure!(self.seconds > 0, "--seconds must be at least 1");
        for only in &self.only {
            let known = Case::ALL.iter().any(|case| case.name() == only)
                || peer::NAMES.contains(&only.as_str());
            if !known {
                let cases = Case::ALL.map(Case::name).join(", ");
                bail!(
                    "--only {only}: the cases are {cases}; the peers are {}",
                    peer::NAMES.join(", ")
                );
            }
        }
        Ok(())
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    arguments.check()?;
    // Before there is a second thread: threads inherit the core.
    pin_this_process()?;
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(run(&arguments))
}

async fn run(arguments: &Arguments) -> Result<()> {
    // Below the target folder: one for temporary files may be memory, where an `fsync` costs nothing.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let services = Services::start(&arguments.programs, folder.path()).await?;
    let page = arguments.remotes.as_ref().map_or("/long", |_| "/doctors");
    let traffic = Arc::new(Traffic::prepare(services.booking.address, page).await?);
    let peers = Peers::start(arguments, folder.path(), &services, &traffic).await?;
    println!("{}", program::PINNED);
    println!("load average {}", sum_of_load()?);
    for skipped in &peers.skipped {
        println!("skipped: {skipped}");
    }
    if let Some(results) = &arguments.profile {
        return profile::run(arguments, results, &peers.all, &traffic).await;
    }
    let mut report = Report::new(arguments, page)?;
    for round in 0..arguments.rounds {
        for case in arguments.cases() {
            for peer in peers.all.iter().filter(|peer| peer.kind.answers(case)) {
                // One that fails must not cost the numbers of the others.
                match measure(arguments, case, peer, &services, &traffic).await {
                    Ok(row) => report.add(round, row),
                    Err(error) => report.failed(round, case, peer.name, &error),
                }
            }
        }
    }
    report.spans = peers.spans();
    report.skipped.clone_from(&peers.skipped);
    drop(peers);
    if arguments.minutes > 0 {
        let soak = soak::run(arguments, folder.path(), &services, &traffic).await?;
        report.soak = Some(soak);
    }
    report.load_average.push(sum_of_load()?);
    report.print();
    report.keep(arguments.json.as_deref())?;
    ensure!(report.failures.is_empty(), "some measurements failed");
    Ok(())
}

/// One turn of one peer.
async fn measure(
    arguments: &Arguments,
    case: Case,
    peer: &Peer,
    services: &Services,
    traffic: &Arc<Traffic>,
) -> Result<Row> {
    let mut connections = connection::open(
        arguments.connections,
        peer.kind,
        peer.address,
        case,
        traffic,
    )
    .await?;
    load::drive(&mut connections, WARM_UP).await?;
    let calls_before = services.booking.calls().await?;
    let (service_before, peer_before) = (services.booking.program.cpu()?, peer.cpu()?);
    let found = load::drive(&mut connections, Duration::from_secs(arguments.seconds)).await?;
    let (service_after, peer_after) = (services.booking.program.cpu()?, peer.cpu()?);
    let calls_after = services.booking.calls().await?;
    found.check()?;
    let each = |time: Duration| time.as_secs_f64() * 1e6 / found.answers();
    let used = |after: Duration, before: Duration| each(after.saturating_sub(before));
    let own = peer.kind != Kind::Grpc;
    Ok(Row {
        case,
        peer: peer.name,
        cpu_us: own.then(|| used(peer_after, peer_before)),
        service_cpu_us: used(service_after, service_before),
        service_calls: number(calls_after - calls_before) / found.answers(),
        per_second: found.per_second(),
        p50_ms: found.quantile_ms(0.5),
        p99_ms: found.quantile_ms(0.99),
        failures: found.failures,
        bytes: found.last.bytes,
        coding: found.last.coding().to_owned(),
    })
}
