//! The short forms of the benches, with the programs of the tests.

use anyhow::{Context, Result};

use super::{outcome::Outcome, steps::Run, totals::Reader};
use crate::{project::Profile, site::GATEWAY};

/// Runs the short forms of the benches; each fails when it makes no successful call.
pub(super) fn run(run: &Run<'_>) -> Result<Outcome> {
    let programs = run.project.binary(Profile::Dev, GATEWAY);
    let programs = programs.parent().context("programs are in a folder")?;
    let rounds = ["--rounds", "1", "--seconds", "1", "--only"];
    let cases = "gateway,cached-page,small,create";
    let mut outcome = Outcome::passed();
    for (package, bench) in [
        ("svc-booking", "booking"),
        ("svc-content", "search"),
        ("gateway-peers", "peers"),
    ] {
        let line = format!("test --package {package} --bench {bench} --quiet");
        let mut command = run.cargo(&line.split(' ').collect::<Vec<_>>())?;
        command
            .env("BENCH_SHORT", "true")
            .env("BENCH_GATEWAY", run.project.binary(Profile::Dev, GATEWAY));
        if package == "gateway-peers" {
            command.arg("--").arg("--programs").arg(programs);
            command.args(rounds).arg(cases);
        }
        outcome = run.run(&mut command, Reader::ExitCode)?;
        if outcome.totals.failed > 0 {
            break;
        }
    }
    Ok(outcome)
}
