//! `prove`: tries to break a service's real program, and writes a page about the results for non-programmers.

use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::{Context as _, Result, ensure};

use crate::{
    debian,
    project::{Profile, Project},
    shell,
    test::postgres::{Durability, Server},
};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[arg(value_enum)]
    what: What,
    /// Duration of the run over all databases together, 10 to 86,400 seconds.
    #[arg(long, default_value_t = 120)]
    seconds: u64,
    /// Run on this database only: `sqlite`, or the URL of a PostgreSQL server on which databases may be created.
    /// Default: both, with a temporary PostgreSQL server.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Seed of an earlier run, to repeat its attempts.
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Seats, holds, moves, offers and limits while the process is killed repeatedly.
    Booking,
}

/// Returns a failing exit code if a violation was found.
pub(crate) fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let What::Booking = options.what;
    let build = [
        "build",
        "--package",
        "svc-booking",
        "--package",
        "booking-proof",
    ];
    shell::run(&mut shell::command(&project.root, "cargo", build))?;
    let out = project.target.join("proof");
    let data = out.join("data");
    fs::create_dir_all(&data)?;
    let (sqlite, url, own) = databases(project, options.database.as_deref())?;
    let mut command = shell::command(
        &project.root,
        project.binary(Profile::Dev, "booking-proof"),
        ["--seconds", &options.seconds.to_string()],
    );
    command
        .arg("--program")
        .arg(project.binary(Profile::Dev, "svc-booking"))
        .arg("--out")
        .arg(&out)
        .args(["--version-of-program", &version(project)]);
    if sqlite {
        command.arg("--sqlite").arg(&data);
    }
    if let Some(url) = &url {
        command.args(["--postgres", url]);
    }
    if let Some(seed) = options.seed {
        command.args(["--seed", &seed.to_string()]);
    }
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", shell::line(&command)))?;
    drop(own);
    fs::remove_dir_all(&data)?;
    let page: PathBuf = out.join("booking.html");
    ensure!(status.code() != Some(2), "the proof could not run");
    println!("the page is {}", page.display());
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns whether SQLite is tested, the URL of the PostgreSQL server to test, and that server if it was started here.
fn databases(
    project: &Project,
    named: Option<&str>,
) -> Result<(bool, Option<String>, Option<Server>)> {
    match named {
        Some("sqlite") => Ok((true, None, None)),
        Some(url) => {
            ensure!(
                url.starts_with("postgres:") || url.starts_with("postgresql:"),
                "--database is `sqlite` or the URL of a PostgreSQL server"
            );
            Ok((false, Some(url.to_owned()), None))
        }
        None => {
            debian::ensure(&debian::POSTGRESQL)?;
            let server = Server::start(project, Durability::Full)?;
            Ok((true, Some(server.url()), Some(server)))
        }
    }
}

/// Returns the version in the manifest, followed by the commit if there is one.
fn version(project: &Project) -> String {
    let mut git = shell::command(&project.root, "git", ["describe", "--always", "--dirty"]);
    let commit = shell::capture(&mut git).unwrap_or_default();
    format!("{} {}", env!("CARGO_PKG_VERSION"), commit.trim())
        .trim()
        .to_owned()
}
