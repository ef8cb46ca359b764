//! `test`: runs every test of the project in one command, and prints the totals in one line.

mod alert_tools;
mod benches;
mod binaries;
mod browser;
mod changes;
pub(crate) mod deploy;
mod new_team;
mod observatory;
mod outcome;
mod plan;
pub(crate) mod postgres;
mod previous_suite;
mod released;
mod skew;
mod steps;
mod times;
mod totals;

use std::{
    fmt::Write as _,
    process::ExitCode,
    time::{Duration, Instant},
};

use anyhow::Result;

use crate::{project::Project, shell};
use changes::Changes;
use steps::{Run, Scope};
use totals::Totals;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Run only the steps whose names start with one of these, for example `tidy` or `e2e`, and the steps that they
    /// need.
    #[arg(long = "only", value_name = "STEP", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    only: Vec<String>,
    /// Test only what a change concerns: the packages with files that differ from this revision, and those that depend
    /// on them. Without a value: the uncommitted changes. Leaves out the tests of the whole system.
    #[arg(long, value_name = "REVISION", num_args = 0..=1, default_missing_value = "HEAD", conflicts_with = "only")]
    changed: Option<String>,
    /// Run the long forms: the last release's programs beside this tree's in every combination, all checks of a new
    /// team. Without it, these steps run in a short form.
    #[arg(long, conflicts_with = "changed")]
    full: bool,
    /// Run this step only, on the existing results of the steps that it needs.
    #[arg(long, value_name = "STEP", conflicts_with = "only", hide = true)]
    alone: Option<String>,
}

/// Runs the selected steps. The exit code is 0 if all passed. A run without any test has not passed.
pub(crate) fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let started = Instant::now();
    let scope = match &options.changed {
        Some(base) => Scope::Changed(Changes::since(project, base)?),
        None if options.full => Scope::Full,
        None => Scope::Short,
    };
    if let Some(name) = &options.alone {
        let step = plan::named(name)?;
        let run = Run::new(project, &[step], scope);
        run.alone(step);
        return Ok(ExitCode::from(u8::from(run.totals().failed > 0)));
    }
    let steps = match &scope {
        Scope::Changed(changes) => plan::exactly(&changes.steps())?,
        Scope::Short | Scope::Full => plan::wanted(&options.only)?,
    };
    let run = Run::new(project, &steps, scope);
    run.all(&steps);
    let totals = run.totals();
    println!("\n{}", table(&run, started.elapsed()));
    let file = times::write(&run, started.elapsed())?;
    println!("written: {}", file.display());
    if !totals.has_passed() && totals.failed == 0 {
        eprintln!("error: no test ran");
    }
    println!("{totals}");
    Ok(ExitCode::from(u8::from(!totals.has_passed())))
}

fn table(run: &Run<'_>, elapsed: Duration) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let mut row = |cells: [&str; 5], note: &str| {
        let [name, time, passed, failed, skipped] = cells;
        let _ = writeln!(
            text,
            "{name:<14} {time:>9} {passed:>7} {failed:>7} {skipped:>8}  {note}"
        );
    };
    row(["step", "time", "passed", "failed", "skipped"], "");
    for step in run.report() {
        let Totals {
            passed,
            failed,
            skipped,
        } = step.outcome.totals;
        let [passed, failed, skipped] = [passed, failed, skipped].map(|count| count.to_string());
        let time = shell::seconds(step.elapsed);
        row(
            [step.name, &time, &passed, &failed, &skipped],
            &step.outcome.note,
        );
    }
    row(["all", &shell::seconds(elapsed), "", "", ""], "");
    let _ = writeln!(text, "\nslowest tests");
    for (name, time) in times::slowest(run) {
        let _ = writeln!(text, "{:>9}  {name}", shell::seconds(time));
    }
    text
}
