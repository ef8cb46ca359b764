//! `trace`: from the reference that a patient reads out to the traces of what happened to it, and from a trace to its references.

use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::{project::Project, shell};

#[derive(Debug, clap::Args)]
#[group(id = "TraceOptions")]
pub(crate) struct Options {
    /// Reference of an appointment (`SH-…`) or of a place on the waitlist (`WL-…`), or the id of a trace.
    name: String,
    /// Address of Jaeger's query API (v1): ops-traces, Jaeger or Tempo's query component. With a path where there is one.
    #[arg(long, env = "TRACES_URL", default_value = "http://127.0.0.1:16686")]
    traces_url: String,
    /// Days back in which a reference is looked for. Older traces may be gone wherever they were kept.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=90))]
    days: u32,
}

/// Prints the traces of a reference, newest last, or a trace and its references. What cannot be found is one line on standard error.
pub(crate) fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let days = options.days.to_string();
    let mut ask = shell::command(&project.root, "node", ["xtask/src/trace/ask.mjs"]);
    // After `--`, as a name is somebody's words.
    ask.args(["--", &options.name, &options.traces_url, &days]);
    let status = ask.status().context("node cannot be run")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
