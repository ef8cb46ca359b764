//! The developer's commands: `cargo xtask up` runs the whole site, `cargo xtask test` runs every test.

mod bench;
mod configuration;
mod containers;
mod debian;
mod dev;
mod fuzz_api;
mod gen_client;
mod hospital;
mod keys;
mod new_team;
mod page_contract;
mod page_packages;
mod project;
mod prove;
mod publish;
mod readiness;
mod release;
mod shell;
mod site;
mod staff;
mod supervise;
mod test;
mod tidy;
mod token;
mod trace;
mod up;
mod venv;
mod web;
mod with_postgres;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Commands for working on the hospital's website.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Set up everything and run the whole site until Ctrl-C.
    Up(up::Options),
    /// Run the site, or use a running one, and make one team's changes live on each save, until Ctrl-C.
    Dev(dev::Options),
    /// Set up everything and run every test.
    Test(test::Options),
    /// Run a command with a temporary PostgreSQL server: `cargo xtask postgres -- cargo test -p svc-booking`.
    Postgres(with_postgres::Options),
    /// Build and verify one team's page package, and make it live.
    Publish(publish::Options),
    /// End one team's canary, or return to its previous version.
    Rollback(publish::Rollback),
    /// Show which versions of page modules each gateway serves, which it refuses, and why.
    Remotes(publish::remotes::Options),
    /// Generate the files of a new team, from its contract to its page, and register the team.
    NewTeam(new_team::Options),
    /// Check the house rules: dependency table, contract headers, forbidden words.
    Tidy,
    /// Measure pages, booking, gateway, search and start-up; results go to target/bench.
    Bench(bench::Options),
    /// Try to break appointment booking in its real program; writes a page for non-programmers to target/proof.
    Prove(prove::Options),
    /// Check API responses against the OpenAPI document: many calls, allowed and forbidden ones, on both databases.
    FuzzApi(fuzz_api::Options),
    /// Build the images without an image registry, and run deploy/compose from them with podman. Needs root.
    Containers(containers::Options),
    /// Cut a version on main, build and sign its artifacts, or verify a folder of them. Pushes nothing.
    Release(release::command::Options),
    /// Print a bearer token for calls that are not public, valid for runs on this machine.
    Token(token::Options),
    /// Show the traces of an appointment's reference, or a trace with its references.
    Trace(trace::Options),
    /// Regenerate checked-in files: the TypeScript client from the contracts, and the reference of settings from
    /// `--help`.
    Gen,
}

fn main() -> ExitCode {
    match run(Arguments::parse().command, std::time::Instant::now()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(action: Action, started: std::time::Instant) -> anyhow::Result<ExitCode> {
    let project = project::Project::find()?;
    match action {
        Action::Up(options) => up::run(&project, &options, started),
        Action::Dev(options) => dev::run(&project, &options, started),
        Action::Test(options) => return test::run(&project, &options),
        Action::Postgres(options) => return with_postgres::run(&project, &options),
        Action::Publish(options) => publish::run(&project, &options),
        Action::Rollback(options) => publish::roll_back(&project, &options),
        Action::Remotes(options) => return Ok(publish::remotes::run(&options)),
        Action::Prove(options) => return prove::run(&project, &options),
        Action::Trace(options) => return trace::run(&project, &options),
        Action::FuzzApi(options) => return fuzz_api::run(&project, &options),
        Action::NewTeam(options) => new_team::run(&project, &options),
        Action::Tidy => tidy::run(&project),
        Action::Bench(options) => bench::run(&project, &options),
        Action::Containers(options) => containers::run(&project, &options),
        Action::Release(options) => release::command::run(&project, &options),
        Action::Token(options) => token::run(&project, &options),
        Action::Gen => gen_client::run(&project).and_then(|()| configuration::run(&project)),
    }
    .map(|()| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn parses_every_command() {
        Arguments::command().debug_assert();
    }
}
