//! `trace`: finds the traces of a reference that a patient reads out, and the references in a trace.

use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::{project::Project, shell};

#[derive(Debug, clap::Args)]
#[group(id = "TraceOptions")]
pub(crate) struct Options {
    /// Reference of an appointment (`SH-…`) or of a waitlist entry (`WL-…`), or the id of a trace.
    name: String,
    /// Address of Jaeger's query API (v1), with its path if there is one: ops-traces, Jaeger or Tempo's query
    /// component.
    #[arg(long, env = "TRACES_URL", default_value = "http://127.0.0.1:16686")]
    traces_url: String,
    /// Number of days to search back for a reference. Older traces may have been deleted from the store.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=90))]
    days: u32,
}

/// Prints the traces of a reference, newest last, or a trace and its references. If nothing is found, prints one line
/// on standard error.
pub(crate) fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let days = options.days.to_string();
    let mut ask = shell::command(&project.root, "node", ["xtask/src/trace/ask.mjs"]);
    // After `--`, because the name is arbitrary user input.
    ask.args(["--", &options.name, &options.traces_url, &days]);
    let status = ask.status().context("node cannot be run")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
