//! `bench`: measurements, always of programs built as deployed (profile `dist`).
//! Results are printed and kept under target/bench; nothing here passes or fails a test.

mod gateway;
mod quiet;
mod start_up;

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};

use crate::{
    debian,
    project::{Profile, Project},
    shell,
    site::{GATEWAY, Ports, Site},
    supervise::Supervisor,
    test::postgres::{Durability, Server, URL_VARIABLE},
    up, web,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[arg(value_enum, default_value = "all")]
    what: What,
    /// Measure although other programs use the machine. The share that they use is printed
    #[arg(long)]
    busy: bool,
    /// Booking or gateway: another build of `svc-booking` or `gateway`, measured in the same rounds
    #[arg(long, value_name = "PROGRAM")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    gateway: gateway::Comparison,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Paint times, bytes, hydration, Lighthouse and CPU per document, for pages with a budget (e2e/bench/budgets.mjs).
    Pages,
    /// Bookings per second on both databases, empty and with a million appointments, directly and through the gateway.
    /// Also contention for one seat, and the cost of reading free times.
    Booking,
    /// Cached responses, uncached reads and creates through the gateway, compared with Envoy, nginx and direct calls to
    /// the service. Measures CPU time per request, latency and memory.
    Gateway,
    /// Search and lists with 10,000 posts: latency, depth, memory.
    Search,
    /// Start-up time and memory of each process, and a warm `up`.
    Start,
    All,
}

/// Different from the documented ports, to avoid conflicts with a running site.
const PORTS: Ports = Ports {
    site: 18080,
    services: Some(15051),
    operators: Some(19090),
    traces: 18686,
    otlp_grpc: 14317,
    otlp_http: 14318,
    issuer: 19400,
};

pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let wants = |what| options.what == what || options.what == What::All;
    fs::create_dir_all(results(project))?;
    if wants(What::Pages) || wants(What::Start) {
        web::check_tools(project)?;
        up::prepare(project, Profile::Dist)?;
    }
    if wants(What::Start) {
        quiet::check(options.busy)?;
        start_up::run(project)?;
    }
    if wants(What::Pages) {
        quiet::check(options.busy)?;
        pages(project)?;
    }
    if wants(What::Booking) {
        let gateway = [
            "build",
            "--package",
            "gateway",
            "--profile",
            Profile::Dist.name(),
        ];
        shell::run(&mut shell::command(&project.root, "cargo", gateway))?;
        cargo_bench(project, "svc-booking", "booking", options)?;
    }
    if wants(What::Gateway) {
        gateway::run(project, options)?;
    }
    if wants(What::Search) {
        cargo_bench(project, "svc-content", "search", options)?;
    }
    println!("results are in {}", results(project).display());
    Ok(())
}

fn results(project: &Project) -> PathBuf {
    project.target.join("bench")
}

/// Returns a site for measurements, with fresh data. Traces are off, because most visitors are not sampled in
/// production.
fn site(project: &Project) -> Result<Site<'_>> {
    let data = results(project).join("data");
    if data.exists() {
        fs::remove_dir_all(&data)?;
    }
    Ok(Site {
        project,
        profile: Profile::Dist,
        ports: PORTS,
        data,
        with_traces: false,
        with_staff: false,
        unlimited: true,
        hospital: None,
    })
}

fn pages(project: &Project) -> Result<()> {
    debian::ensure(&debian::CHROMIUM)?;
    let site = site(project)?;
    let mut supervisor = Supervisor::new()?;
    let address = up::start(&mut supervisor, &site)?;
    up::first_page(&address)?;
    let gateway = supervisor
        .pids()
        .into_iter()
        .find(|(name, _)| *name == GATEWAY);
    let (_, pid) = gateway.context("the gateway runs")?;
    let mut node = shell::command(&project.root.join("e2e"), "node", ["bench/pages.mjs"]);
    node.args(["--base", &format!("http://{address}")])
        .args(["--pid", &pid.as_raw_nonzero().to_string()])
        .arg("--json")
        .arg(results(project).join("pages.json"));
    let measured = shell::run(&mut node);
    supervisor.stop();
    measured
}

/// Runs a crate's benches, which print a table and write their numbers to `BENCH_JSON`.
fn cargo_bench(project: &Project, package: &str, name: &str, options: &Options) -> Result<()> {
    debian::ensure(&debian::POSTGRESQL)?;
    let profile = Profile::Dist.name();
    let line = format!("bench --package {package} --bench * --profile {profile}");
    let bench = || shell::command(&project.root, "cargo", line.split(' '));
    shell::run(bench().arg("--no-run"))?;
    let server = Server::start(project, Durability::Full)?;
    quiet::check(options.busy)?;
    let mut command = bench();
    command
        .env(URL_VARIABLE, server.url())
        .env("BENCH_GATEWAY", project.binary(Profile::Dist, GATEWAY))
        .env("BENCH_ROUNDS", options.gateway.rounds.to_string())
        .env("BENCH_JSON", results(project).join(format!("{name}.json")));
    if let Some(baseline) = &options.baseline {
        command.env("BENCH_BASELINE", fs::canonicalize(baseline)?);
    }
    shell::run(&mut command)
}
