//! `fuzz-api`: sends calls that the OpenAPI document allows, and calls that it forbids, to the real gateway and
//! services. Each response is checked against the document. schemathesis generates the calls; it is installed into its
//! own folder below `target`.

use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::{
    debian,
    project::Project,
    shell,
    test::postgres::{Durability, Server, URL_VARIABLE},
    venv,
};

const SCHEMATHESIS: venv::Set = venv::Set {
    requirements: "e2e/fuzz/requirements.txt",
    folder: "schemathesis",
    program: "schemathesis",
};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Maximum number of generated calls per operation, besides those that cover every parameter's limits.
    #[arg(long, default_value_t = 1000)]
    examples: u32,
    /// Run on this database only, instead of both.
    #[arg(long, value_enum)]
    database: Option<Database>,
    /// Test only this operation, by its operationId. Repeatable.
    #[arg(long = "operation", value_name = "ID")]
    operations: Vec<String>,
    /// Seed of an earlier run, to repeat its calls.
    #[arg(long)]
    seed: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

impl Database {
    fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// Returns a failing exit code if a response was not as documented.
pub(crate) fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    install(project)?;
    debian::ensure(&debian::PROTOC)?;
    let build = ["build", "--workspace", "--bins", "--exclude", "xtask"];
    shell::run(&mut shell::command(&project.root, "cargo", build))?;
    let databases = match options.database {
        Some(one) => vec![one],
        None => vec![Database::Sqlite, Database::Postgres],
    };
    let mut is_clean = true;
    for database in databases {
        let server = match database {
            Database::Sqlite => None,
            Database::Postgres => {
                debian::ensure(&debian::POSTGRESQL)?;
                Some(Server::start(project, Durability::None)?)
            }
        };
        let line = line(database, options.examples);
        let mut command = shell::command(&project.root, &line[0], &line[1..]);
        for id in &options.operations {
            command.args(["--operation", id]);
        }
        if let Some(seed) = &options.seed {
            command.args(["--seed", seed]);
        }
        if let Some(server) = &server {
            command.env(URL_VARIABLE, server.url());
        }
        let status = command
            .status()
            .with_context(|| format!("cannot start `{}`", shell::line(&command)))?;
        is_clean &= status.success();
    }
    Ok(if is_clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns the command that tests one database.
pub(crate) fn line(database: Database, examples: u32) -> Vec<String> {
    let examples = examples.to_string();
    let words = [
        "node",
        "e2e/fuzz-api.mjs",
        "--database",
        database.name(),
        "--examples",
        &examples,
    ];
    words.map(str::to_owned).to_vec()
}

/// Installs schemathesis unless the required versions are already installed.
pub(crate) fn install(project: &Project) -> Result<()> {
    SCHEMATHESIS.install(project)
}
