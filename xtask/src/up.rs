//! `up`: builds the whole site, even from a fresh clone, and runs it until Ctrl-C.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitStatus,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};

use crate::{
    debian,
    hospital::Hospital,
    keys,
    project::{Profile, Project},
    readiness, shell,
    site::{self, GATEWAY, Ports, Site, TRACES},
    staff,
    supervise::{Event, Supervisor},
    token, web,
};

/// Maximum time for the first page after all processes listen, in seconds.
const FIRST_PAGE_S_MAX: u64 = 30;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Start with empty data: removes the data folder first.
    #[arg(long)]
    fresh: bool,
    /// Run the site of another hospital: a folder like examples/second-hospital. Each folder needs data of its own
    /// (--data), or --fresh.
    #[arg(long = "site", value_name = "DIR")]
    hospital: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ports: Ports,
    /// Folder of databases and logs, relative to the project's root.
    #[arg(long, default_value = "data")]
    pub(crate) data: PathBuf,
    /// Build profile. `dist` is the deployed one: slower to build, faster to run.
    #[arg(long, value_enum, default_value = "dev")]
    pub(crate) profile: Profile,
}

pub(crate) fn run(project: &Project, options: &Options, started: Instant) -> Result<()> {
    let (mut supervisor, _site) = launch(project, options, started)?;
    watch(&mut supervisor)
}

/// Builds and starts everything, and prints the addresses.
pub(crate) fn launch<'a>(
    project: &'a Project,
    options: &Options,
    started: Instant,
) -> Result<(Supervisor, Site<'a>)> {
    web::check_tools(project)?;
    let hospital = options
        .hospital
        .as_deref()
        .map(Hospital::read)
        .transpose()?;
    let taken = site::busy(&options.ports.of_site(&project.services));
    ensure!(
        taken.is_empty(),
        "{}\nstop it, or choose others (--port, --services-port, --operators-port, --issuer-port)",
        taken.join("\n")
    );
    let traces_built = prepare(project, options.profile)?;
    let data = project.root.join(&options.data);
    if options.fresh {
        remove(&data)?;
    }
    fs::create_dir_all(&data)?;
    token::ensure_keys(project, &data)?;

    let mut site = Site {
        project,
        profile: options.profile,
        ports: options.ports,
        data,
        with_traces: false,
        with_staff: true,
        unlimited: false,
        hospital,
    };
    let mut supervisor = Supervisor::new()?;
    let traces = traces_built && start_traces(&mut supervisor, &mut site);
    let address = start(&mut supervisor, &site)?;
    first_page(&address)?;
    println!("website  http://{address}/");
    println!("API      http://{address}/api/  (http://{address}/api/openapi.json)");
    println!(
        "staff    sign in at http://{address}/staff as {} (password = name)",
        staff::ACCOUNTS
    );
    if traces {
        let traces = site::loopback(options.ports.traces);
        println!("traces   http://{traces}/  (the site now: http://{traces}/site)");
    } else {
        println!("traces   not running; the site works without");
    }
    let operators = site::loopback(options.ports.gateway_operators());
    println!("metrics  http://{operators}/metrics");
    println!("mail     {} (a Maildir)", site.data.join("mail").display());
    println!(
        "first page answered after {}; logs in {}; Ctrl-C stops everything",
        shell::seconds(started.elapsed()),
        site.data.join("logs").display()
    );
    Ok((supervisor, site))
}

/// Renames the data folder before deleting its files: the data folder never holds databases without the keys of their
/// sealed rows.
fn remove(data: &Path) -> Result<()> {
    // Leftovers of an interrupted removal go first.
    let removed = data.with_extension("removed");
    if removed.exists() {
        fs::remove_dir_all(&removed)?;
    }
    if data.exists() {
        fs::rename(data, &removed).with_context(|| format!("cannot remove {}", data.display()))?;
        fs::remove_dir_all(&removed)?;
    }
    Ok(())
}

/// Builds programs and web packages in parallel, and publishes the packages. Returns whether ops-traces was built.
pub(crate) fn prepare(project: &Project, profile: Profile) -> Result<bool> {
    let protoc = debian::ensure(&debian::PROTOC);
    if let Err(error) = &protoc {
        eprintln!("no traces UI: {error:#}");
    }
    println!("building programs and pages; the first time takes some minutes");
    thread::scope(|scope| {
        let web = scope.spawn(|| {
            web::install(project)?;
            web::build(project)
        });
        let programs = build(project, profile, protoc.is_ok());
        match web.join() {
            Ok(result) => result.context("the web packages cannot be built")?,
            Err(_) => bail!("the thread that builds the web packages panicked"),
        };
        let programs = programs?;
        // The gateway that will serve the pages verifies them first.
        web::publish_all(project, &project.binary(profile, GATEWAY))?;
        Ok(programs)
    })
}

fn build(project: &Project, profile: Profile, with_traces: bool) -> Result<bool> {
    let build = |excluded: &[&str]| {
        let mut cargo = shell::command(
            &project.root,
            "cargo",
            [
                "build",
                "--workspace",
                "--bins",
                "--profile",
                profile.name(),
            ],
        );
        for name in excluded {
            cargo.args(["--exclude", name]);
        }
        shell::run(&mut cargo)
    };
    // xtask is the running program; Cargo has just built it.
    if with_traces {
        match build(&["xtask"]) {
            Ok(()) => return Ok(true),
            Err(error) => eprintln!("{error:#}; trying without {TRACES}"),
        }
    }
    build(&["xtask", TRACES])?;
    Ok(false)
}

/// Starts the traces UI. It is optional, so a failure is only printed. Returns whether it runs.
fn start_traces(supervisor: &mut Supervisor, site: &mut Site) -> bool {
    let taken = site::busy(&site.ports.of_traces());
    let result = if taken.is_empty() {
        supervisor
            .start(TRACES, &mut site.traces(), &site.log(TRACES))
            .and_then(|()| supervisor.wait_ready(&[TRACES]))
    } else {
        Err(anyhow::anyhow!("{}", taken.join("\n")))
    };
    if let Err(error) = &result {
        eprintln!("no traces UI: {error:#}");
    }
    site.with_traces = result.is_ok();
    site.with_traces
}

/// Starts services, issuer and gateway, and waits until all listen and the services are ready. Returns the gateway's
/// address.
pub(crate) fn start(supervisor: &mut Supervisor, site: &Site) -> Result<String> {
    keys::ensure(site.project, &site.data)?;
    let services = site.services();
    let mut names: Vec<_> = services.iter().map(|(name, _)| *name).collect();
    for (name, mut command) in services {
        supervisor.start(name, &mut command, &site.log(name))?;
    }
    if site.with_staff {
        names.push(staff::ISSUER);
        let mut issuer = staff::issuer(site);
        supervisor.start(staff::ISSUER, &mut issuer, &site.log(staff::ISSUER))?;
    }
    names.push(GATEWAY);
    supervisor.start(GATEWAY, &mut site.gateway(), &site.log(GATEWAY))?;
    let address = supervisor.wait_ready(&names)?.pop();
    for placed in site.placed() {
        let operators = site::loopback(placed.operators_port);
        readiness::wait_ready(&placed.service.name, &operators)?;
    }
    address.context("the gateway is the last of the names")
}

/// Requests the home page until it is served with 200.
pub(crate) fn first_page(address: &str) -> Result<()> {
    readiness::wait_for_ok(address, "/", Duration::from_secs(FIRST_PAGE_S_MAX))
}

/// Waits until a signal arrives or the gateway exits. If a service exits, the rest of the site keeps running.
fn watch(supervisor: &mut Supervisor) -> Result<()> {
    while let Some(event) = supervisor.next() {
        match event {
            Event::Signal => break,
            Event::Ready { .. } | Event::Line { .. } | Event::Saved => {}
            Event::Exited { name, status } => exited(supervisor, &name, status)?,
        }
    }
    println!("stopping");
    supervisor.stop();
    Ok(())
}

/// Prints why a process ended. Fails for the gateway, because the site cannot run without it.
pub(crate) fn exited(supervisor: &Supervisor, name: &str, status: ExitStatus) -> Result<()> {
    eprintln!(
        "{name} ended with {status}\n{}",
        supervisor.last_lines(name)
    );
    if name == GATEWAY {
        bail!("without the gateway there is no site");
    }
    eprintln!("the rest of the site runs without {name}; start again with `cargo xtask up`");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_start_leaves_neither_databases_nor_keys() {
        let parent = tempfile::tempdir().unwrap();
        let data = parent.path().join("data");
        for left in ["data", "data.removed"] {
            let keys = parent.path().join(left).join("keys");
            fs::create_dir_all(&keys).unwrap();
            fs::write(keys.join("svc-x.toml"), "").unwrap();
        }
        remove(&data).unwrap();
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
        remove(&data).unwrap();
    }
}
