//! `postgres`: runs one command with a temporary PostgreSQL server, which lets all tests of a package run.

use std::{process::ExitCode, sync::Arc};

use anyhow::{Context as _, Result};

use crate::{
    debian,
    project::Project,
    shell,
    test::postgres::{Durability, Server, URL_VARIABLE},
};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Command to run, for example `cargo test -p svc-booking`. TEST_POSTGRES_URL gives it the server's address.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    command: Vec<String>,
}

/// Starts the server and runs the command in the caller's folder on this terminal. Returns the command's exit code.
pub(crate) fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let (program, arguments) = options
        .command
        .split_first()
        .context("a command is given")?;
    debian::ensure(&debian::POSTGRESQL)?;
    // Ctrl-C ends the command but not xtask, which must still stop the server and remove its data.
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::default())?;
    let server = Server::start(project, Durability::None)?;
    let mut command = shell::command(&std::env::current_dir()?, program, arguments);
    let status = command
        .env(URL_VARIABLE, server.url())
        .status()
        .with_context(|| format!("cannot start `{}`", shell::line(&command)))?;
    // A command killed by a signal has no exit code: 255 is returned, without the signal's number.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(u8::MAX)))
}
