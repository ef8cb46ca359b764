//! Where a gateway's processor time goes, by Linux' `perf`: the symbols that took most of it themselves, and the stacks for a flame
//! graph. Programs need symbols and frame pointers; `cargo xtask bench gateway --profile` builds them so.

use std::{fmt::Write as _, fs, path::Path, process::Stdio, sync::Arc, time::Duration};

use anyhow::{Context, Result, ensure};
use tokio::process::Command;

use crate::{Arguments, case::Case, connection, kind::Kind, load, peer::Peer, traffic::Traffic};

/// No whole number of times a second that a timer of the program may have.
const FREQUENCY: &str = "997";
const SYMBOLS: usize = 25;
/// Names of crates whose functions are shown with all that they call.
const OWN: [&str; 3] = ["gateway::", "gateway_", "service_kit::"];
/// Before `perf` begins, and after it has ended.
const AROUND: Duration = Duration::from_secs(1);

pub(crate) async fn run(
    arguments: &Arguments,
    results: &Path,
    peers: &[Peer],
    traffic: &Arc<Traffic>,
) -> Result<()> {
    fs::create_dir_all(results)?;
    for case in arguments.cases() {
        for peer in peers.iter().filter(|peer| peer.kind == Kind::Gateway) {
            one(arguments, results, peer, case, traffic).await?;
        }
    }
    Ok(())
}

async fn one(
    arguments: &Arguments,
    results: &Path,
    peer: &Peer,
    case: Case,
    traffic: &Arc<Traffic>,
) -> Result<()> {
    let program = peer.program.as_ref().context("a gateway is a program")?;
    let name = format!("profile-{}-{}", case.name(), peer.name);
    let data = results.join(format!("{name}.data"));
    let mut connections = connection::open(
        arguments.connections,
        peer.kind,
        peer.address,
        case,
        traffic,
    )
    .await?;
    load::drive(&mut connections, AROUND).await?;
    let mut record = Command::new("perf");
    record
        .args([
            "record",
            "--quiet",
            "--event",
            "cpu-clock",
            "--call-graph",
            "fp",
        ])
        .args(["--freq", FREQUENCY, "--pid", &program.pid()?.to_string()])
        .arg("--output")
        .arg(&data)
        .args(["--", "sleep", &arguments.seconds.to_string()])
        .stdout(Stdio::null())
        .kill_on_drop(true);
    let time = Duration::from_secs(arguments.seconds) + AROUND;
    let before = program.cpu()?;
    let (recorded, found) = tokio::join!(record.status(), load::drive(&mut connections, time));
    let used = program.cpu()?.saturating_sub(before);
    let recorded = recorded.context("perf (Debian package linux-perf)")?;
    ensure!(recorded.success(), "perf record: {recorded}");
    let found = found?;
    found.check()?;
    let each = used.as_secs_f64() * 1e6 / found.answers();
    let mut text = String::new();
    writeln!(
        text,
        "{} of {}: {each:.1} µs per request\n\nin itself",
        case.name(),
        peer.name
    )?;
    for line in symbols(&["--no-children"], &data).await?.take(SYMBOLS) {
        writeln!(text, "{line}")?;
    }
    writeln!(text, "\nwith what it calls, of this workspace")?;
    let own = symbols(&["--children"], &data).await?;
    let own = own.filter(|line| OWN.iter().any(|name| line.contains(name)));
    for line in own.take(SYMBOLS) {
        writeln!(text, "{line}")?;
    }
    print!("{text}");
    fs::write(results.join(format!("{name}.txt")), text)?;
    // For `stackcollapse-perf` of any flame graph program.
    let stacks = perf(&["script"], &data).await?;
    fs::write(results.join(format!("{name}.stacks")), stacks)?;
    Ok(())
}

/// Lines of share and symbol, the largest first.
async fn symbols(way: &[&str], data: &Path) -> Result<impl Iterator<Item = String>> {
    let fixed = [
        "report",
        "--stdio",
        "--call-graph",
        "caller,100",
        "--sort",
        "symbol",
    ];
    let text = perf(&[&fixed, way].concat(), data).await?;
    let lines: Vec<_> = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        // Columns of what this event does not count are dashes.
        .map(|line| line.trim_end_matches([' ', '-']).to_owned())
        .collect();
    Ok(lines.into_iter())
}

async fn perf(arguments: &[&str], data: &Path) -> Result<String> {
    let output = Command::new("perf")
        .args(arguments)
        .arg("--input")
        .arg(data)
        .kill_on_drop(true)
        .output()
        .await?;
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "perf {arguments:?}: {log}");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
