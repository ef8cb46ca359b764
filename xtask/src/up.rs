//! `up`: the whole site from a fresh clone, running until Ctrl-C.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};

use crate::{
    debian,
    project::{Profile, Project},
    shell,
    site::{self, GATEWAY, Ports, SERVICES, Site, TRACES},
    supervise::{Event, Supervisor},
    token, web,
};

/// How long the first page may take after every process listens.
const FIRST_PAGE_S_MAX: u64 = 30;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Start from nothing: removes the data folder first.
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    ports: Ports,
    /// Folder of databases and logs, from the project's root.
    #[arg(long, default_value = "data")]
    data: PathBuf,
    /// `dist` is what is deployed: slower to build, faster to run.
    #[arg(long, value_enum, default_value = "dev")]
    profile: Profile,
}

pub(crate) fn run(project: &Project, options: &Options, started: Instant) -> Result<()> {
    web::check_tools(project)?;
    let taken = site::busy(&options.ports.of_site());
    ensure!(
        taken.is_empty(),
        "{}\nstop it, or choose others (--port, --services-port)",
        taken.join("\n")
    );
    let traces_built = prepare(project, options.profile)?;
    let data = project.root.join(&options.data);
    if options.fresh && data.exists() {
        fs::remove_dir_all(&data).with_context(|| format!("cannot remove {}", data.display()))?;
    }
    fs::create_dir_all(&data)?;
    token::ensure_keys(project, &data)?;

    let mut site = Site {
        project,
        profile: options.profile,
        ports: options.ports,
        data,
        with_traces: false,
        unlimited: false,
    };
    let mut supervisor = Supervisor::new()?;
    let traces = traces_built && start_traces(&mut supervisor, &mut site);
    let address = start(&mut supervisor, &site)?;
    first_page(&address)?;
    println!("website  http://{address}/");
    println!("API      http://{address}/api/  (http://{address}/api/openapi.json)");
    if traces {
        println!("traces   http://{}/", site::loopback(options.ports.traces));
    } else {
        println!("traces   not running; the site works without");
    }
    println!(
        "first page answered after {}; logs in {}; Ctrl-C stops everything",
        shell::seconds(started.elapsed()),
        site.data.join("logs").display()
    );
    watch(&mut supervisor)
}

/// Builds programs and web packages side by side; says whether there is an ops-traces to run.
pub(crate) fn prepare(project: &Project, profile: Profile) -> Result<bool> {
    let protoc = debian::ensure(&debian::PROTOC);
    if let Err(error) = &protoc {
        eprintln!("no traces UI: {error:#}");
    }
    println!("building programs and pages; the first time takes some minutes");
    thread::scope(|scope| {
        let web = scope.spawn(|| {
            web::install(project)?;
            web::build_and_publish(project)
        });
        let programs = build(project, profile, protoc.is_ok());
        match web.join() {
            Ok(result) => result.context("the web packages cannot be built")?,
            Err(_) => bail!("the thread that builds the web packages panicked"),
        };
        programs
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
    // xtask is what is running; Cargo has built it a moment ago.
    if with_traces {
        match build(&["xtask"]) {
            Ok(()) => return Ok(true),
            Err(error) => eprintln!("{error:#}; trying without {TRACES}"),
        }
    }
    build(&["xtask", TRACES])?;
    Ok(false)
}

/// The traces UI is a convenience: whatever is wrong with it is said and not an error.
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

/// Starts services and gateway and waits for all; gives the gateway's address.
pub(crate) fn start(supervisor: &mut Supervisor, site: &Site) -> Result<String> {
    for (name, mut command) in site.services() {
        supervisor.start(name, &mut command, &site.log(name))?;
    }
    supervisor.start(GATEWAY, &mut site.gateway(), &site.log(GATEWAY))?;
    let mut names: Vec<_> = SERVICES.iter().map(|(name, _)| *name).collect();
    names.push(GATEWAY);
    supervisor
        .wait_ready(&names)?
        .pop()
        .context("the gateway is the last of the names")
}

/// Asks for the home page until it is served with 200.
pub(crate) fn first_page(address: &str) -> Result<()> {
    let limit = Duration::from_secs(FIRST_PAGE_S_MAX);
    let mut last = String::from("no answer");
    let found = shell::poll(limit, || match status_line(address) {
        Ok(line) if line.split(' ').nth(1) == Some("200") => Some(()),
        Ok(line) => {
            last = line;
            None
        }
        Err(error) => {
            last = error.to_string();
            None
        }
    });
    found.with_context(|| format!("http://{address}/ does not answer with a page: {last}"))
}

fn status_line(address: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(
        stream,
        "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let text = String::from_utf8_lossy(&answer);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Runs until somebody asks to stop, or the gateway ends. Without a service the rest of the site goes on.
fn watch(supervisor: &mut Supervisor) -> Result<()> {
    while let Some(event) = supervisor.next() {
        match event {
            Event::Signal => break,
            Event::Ready { .. } => {}
            Event::Exited { name, status } => {
                eprintln!(
                    "{name} ended with {status}\n{}",
                    supervisor.last_lines(name)
                );
                if name == GATEWAY {
                    bail!("without the gateway there is no site");
                }
                eprintln!(
                    "the rest of the site goes on without {name}; start again with `cargo xtask up`"
                );
            }
        }
    }
    println!("stopping");
    supervisor.stop();
    Ok(())
}
