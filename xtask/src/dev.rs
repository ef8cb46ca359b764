//! `dev`: runs the site and watches one team's sources. Each save is built and made live; a failed build changes
//! nothing.

mod pages;
mod program;
mod running;
mod sources;

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use service_list::Service;

use crate::{
    page_packages::PagePackage,
    project::Project,
    shell,
    site::{self, GATEWAY, Site},
    supervise::{Event, Supervisor},
    up, web,
};
use pages::Pages;
use program::Program;

/// Batching window: editors write several files at once, which belong in one build.
const GATHER: Duration = Duration::from_millis(100);

// clap names groups after their types, and `up` has a group named `Options`, too.
#[derive(Debug, clap::Args)]
#[group(id = "DevOptions")]
pub(crate) struct Options {
    /// Team whose sources are watched, for example `content`; or `shell`.
    team: String,
    /// A site of this working copy that already runs on the port is used unchanged.
    #[command(flatten)]
    site: up::Options,
}

pub(crate) fn run(project: &Project, options: &Options, started: Instant) -> Result<()> {
    let team = Team::named(project, &options.team)?;
    let ports = options.site.ports;
    let mut session = if let Some(gateway) = site::listener_of(ports.site) {
        ensure!(
            gateway.name == GATEWAY && running::is_of(project, gateway.pid),
            "port {} is taken by {gateway}, which is no site of this working copy",
            ports.site
        );
        web::check_tools(project)?;
        println!("using the site that runs on port {}", ports.site);
        Session::new(Supervisor::new()?, None)
    } else {
        let (supervisor, site) = up::launch(project, &options.site, started)?;
        Session::new(supervisor, Some(site))
    };
    let operators = site::loopback(ports.gateway_operators());
    let mut watcher = None;
    if let Some(service) = team.service {
        session.program = Some(Program::new(project, service, &options.site));
        watcher = Some(sources::watch(
            &sources::of_service(project, service)?,
            session.supervisor.sender(),
        )?);
    }
    if let Some(package) = team.package {
        let pages = Pages::start(project, package, operators, &mut session.supervisor)?;
        session.pages = Some(pages);
    }
    println!("watching {}; Ctrl-C ends it", options.team);
    let result = session.follow();
    drop(watcher);
    session.end();
    result
}

/// What a team has: a service, pages, or both.
#[derive(Debug)]
struct Team<'a> {
    service: Option<&'a Service>,
    package: Option<PagePackage>,
}

impl<'a> Team<'a> {
    fn named(project: &'a Project, name: &str) -> Result<Self> {
        let program = format!("svc-{name}");
        let mut services = project.services.iter();
        let service = services.find(|service| service.name == program);
        let packages = PagePackage::all(project)?;
        let package = packages.into_iter().find(|package| package.name == name);
        if service.is_none() && package.is_none() {
            let teams = project.services.iter();
            let teams = teams.filter_map(|service| service.name.strip_prefix("svc-"));
            bail!(
                "no team is called {name}; there are: shell, {}",
                teams.collect::<Vec<_>>().join(", ")
            );
        }
        Ok(Self { service, package })
    }
}

/// Processes of this run, and the builders that handle saves.
struct Session<'a> {
    supervisor: Supervisor,
    /// The site, if this run started it.
    site: Option<Site<'a>>,
    pages: Option<Pages<'a>>,
    program: Option<Program<'a>>,
    /// Time at which pending saves are built.
    due: Option<Instant>,
}

impl<'a> Session<'a> {
    fn new(supervisor: Supervisor, site: Option<Site<'a>>) -> Self {
        Self {
            supervisor,
            site,
            pages: None,
            program: None,
            due: None,
        }
    }

    /// Handles events until a signal arrives. Fails if the page builder or the gateway exits.
    fn follow(&mut self) -> Result<()> {
        loop {
            let event = match self.due {
                Some(due) => self.supervisor.next_before(due),
                None => Some(self.supervisor.next().context("no events any more")?),
            };
            match event {
                None => self.build()?,
                Some(Event::Signal) => return Ok(()),
                Some(Event::Saved) => {
                    self.due.get_or_insert_with(|| Instant::now() + GATHER);
                }
                Some(Event::Line { name, text }) if name == pages::BUILDER => {
                    if let Some(pages) = &mut self.pages {
                        pages.take(&text, &self.supervisor);
                    }
                }
                Some(Event::Exited { name, status }) if name == program::CARGO => {
                    if let Some(program) = &mut self.program {
                        program.built(status, &mut self.supervisor, self.site.as_ref());
                    }
                }
                Some(Event::Exited { name, status }) if name == pages::BUILDER => {
                    bail!(
                        "{name} ended with {status}\n{}",
                        self.supervisor.last_lines(&name)
                    );
                }
                Some(Event::Exited { name, status }) => {
                    up::exited(&self.supervisor, &name, status)?;
                }
                Some(Event::Ready { .. } | Event::Line { .. }) => {}
            }
        }
    }

    fn build(&mut self) -> Result<()> {
        self.due = None;
        match &mut self.program {
            Some(program) => program.build(&mut self.supervisor),
            None => Ok(()),
        }
    }

    fn end(&mut self) {
        println!("stopping");
        // Builders stop first: nothing may be published after this point.
        for name in [pages::BUILDER, program::CARGO] {
            self.supervisor.stop_one(name);
        }
        if let Some(pages) = &mut self.pages
            && let Err(error) = pages.restore()
        {
            eprintln!("{error:#}");
        }
        if let Some(program) = &self.program {
            program.say_what_stops(&self.supervisor, self.site.is_some());
        }
        self.supervisor.stop();
    }
}

/// Prints that a build is live, and how long that took from the save.
fn say_live(what: &str, saved: &str, after: Duration) {
    println!("{what} is live, {} after {saved}", shell::seconds(after));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_has_a_service_or_pages_or_both() {
        let project = Project::find().unwrap();
        let shell = Team::named(&project, "shell").unwrap();
        assert!(shell.service.is_none() && shell.package.is_some());
        let content = Team::named(&project, "content").unwrap();
        assert_eq!(content.service.unwrap().name, "svc-content");
        assert!(content.package.is_some());
        for service in &project.services {
            let team = service.name.strip_prefix("svc-").unwrap();
            assert!(Team::named(&project, team).unwrap().service.is_some());
        }
        let unknown = Team::named(&project, "nobody").unwrap_err().to_string();
        assert!(
            unknown.contains("shell") && unknown.contains("booking"),
            "{unknown}"
        );
    }
}
