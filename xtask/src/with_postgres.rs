//! `postgres`: one command with a PostgreSQL server of its own, so that the tests of one package run whole.

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
    /// The command, for example `cargo test -p svc-booking`; TEST_POSTGRES_URL names the server to it.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    command: Vec<String>,
}

/// Starts the server, runs the command in the caller's folder on this terminal, and ends as the command did.
pub(crate) fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let (program, arguments) = options
        .command
        .split_first()
        .context("a command is given")?;
    debian::ensure(&debian::POSTGRESQL)?;
    // Ctrl-C ends the command and not us: the server is still to be stopped and its data removed.
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::default())?;
    let server = Server::start(project, Durability::None)?;
    let mut command = shell::command(&std::env::current_dir()?, program, arguments);
    let status = command
        .env(URL_VARIABLE, server.url())
        .status()
        .with_context(|| format!("cannot start `{}`", shell::line(&command)))?;
    // Ended by a signal: as a shell reports it, without its number.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(u8::MAX)))
}
