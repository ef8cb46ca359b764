//! A service's program: built when its sources are saved, and its process, and no other, started anew.

use std::{
    fs,
    io::{self, IsTerminal as _},
    path::PathBuf,
    process::{Command, ExitStatus},
    time::{Instant, SystemTime},
};

use anyhow::{Context as _, Result, ensure};
use service_list::Service;

use super::{running, say_live};
use crate::{
    project::{Profile, Project},
    readiness, shell,
    site::{self, Site},
    supervise::Supervisor,
    up,
};

/// Name of the process that builds.
pub(super) const CARGO: &str = "cargo build";
/// How much is shown of a build that failed.
const LINES_MAX: usize = 200;

#[derive(Debug)]
pub(super) struct Program<'a> {
    project: &'a Project,
    service: &'a Service,
    profile: Profile,
    port: u16,
    operators_port: u16,
    log: PathBuf,
    /// How it is started, where the site is another command's.
    taken_over: Option<Command>,
    /// When the binary was written that runs.
    written: Option<SystemTime>,
    /// When the build that runs was asked for.
    saved: Option<Instant>,
    /// Something was saved while it ran.
    again: bool,
}

impl<'a> Program<'a> {
    pub(super) fn new(project: &'a Project, service: &'a Service, options: &up::Options) -> Self {
        let placed = options.ports.place(&project.services);
        let placed = placed
            .iter()
            .find(|placed| placed.service.name == service.name);
        let (port, operators_port) = placed
            .map_or((service.port, service.operators_port), |placed| {
                (placed.port, placed.operators_port)
            });
        let mut program = Self {
            project,
            service,
            profile: options.profile,
            port,
            operators_port,
            log: project.target.join("dev/cargo.log"),
            taken_over: None,
            written: None,
            saved: None,
            again: false,
        };
        program.written = program.binary_time();
        program
    }

    /// Starts a build, or another one after that which runs.
    pub(super) fn build(&mut self, supervisor: &mut Supervisor) -> Result<()> {
        if self.saved.is_some() {
            self.again = true;
            return Ok(());
        }
        self.saved = Some(Instant::now());
        let arguments = ["build", "--profile", self.profile.name(), "-p"];
        let mut cargo = shell::command(&self.project.root, "cargo", arguments);
        cargo.arg(&self.service.name).arg("--bins");
        // Its output goes to a file, which is shown where this run writes.
        if io::stderr().is_terminal() {
            cargo.env("CARGO_TERM_COLOR", "always");
        }
        supervisor.start(CARGO, &mut cargo, &self.log)
    }

    /// Takes the end of a build. What went wrong is shown, and what runs goes on.
    pub(super) fn built(
        &mut self,
        status: ExitStatus,
        supervisor: &mut Supervisor,
        site: Option<&Site<'_>>,
    ) {
        let saved = self.saved.take().unwrap_or_else(Instant::now);
        let name = &self.service.name;
        if !status.success() {
            eprintln!("{}\n{name} goes on as it was", self.output());
        } else if self.binary_time() != self.written {
            match self.restart(supervisor, site) {
                Ok(()) => {
                    self.written = self.binary_time();
                    say_live(name, "the save", saved.elapsed());
                }
                Err(error) => eprintln!("{name} does not run: {error:#}"),
            }
        }
        if std::mem::take(&mut self.again)
            && let Err(error) = self.build(supervisor)
        {
            eprintln!("{error:#}");
        }
    }

    fn restart(&mut self, supervisor: &mut Supervisor, site: Option<&Site<'_>>) -> Result<()> {
        let name = self.service.name.as_str();
        if let Some(site) = site {
            supervisor.stop_one(name);
            let mut services = site.services().into_iter();
            let found = services.find(|(service, _)| *service == name);
            let (_, mut command) = found.context("the service is in the list")?;
            supervisor.start(name, &mut command, &site.log(name))?;
        } else {
            let mut command = match self.taken_over.take() {
                Some(command) => command,
                None => self.take_over()?,
            };
            supervisor.stop_one(name);
            let log = self.project.target.join("dev").join(format!("{name}.log"));
            let started = supervisor.start(name, &mut command, &log);
            self.taken_over = Some(command);
            started?;
        }
        supervisor.wait_ready(&[name])?;
        readiness::wait_ready(name, &site::loopback(self.operators_port))
    }

    /// Stops the process of another command's site; gives how it was started.
    fn take_over(&self) -> Result<Command> {
        let name = self.service.name.as_str();
        let listener = site::listener_of(self.port).with_context(|| {
            format!("nobody listens on port {}; start the site again", self.port)
        })?;
        ensure!(
            listener.name == name && running::is_of(self.project, listener.pid),
            "port {} is taken by {listener}",
            self.port
        );
        let command = running::command_of(self.project, listener.pid)?;
        let binary = self.project.binary(self.profile, name);
        ensure!(
            command.get_program() == binary,
            "{} runs, and {} was built: see --profile",
            command.get_program().display(),
            binary.display()
        );
        println!("{name} is from now on a process of this run");
        running::stop(&listener, self.port)?;
        Ok(command)
    }

    /// A site that goes on lacks the service that this run has taken over.
    pub(super) fn say_what_stops(&self, supervisor: &Supervisor, is_own_site: bool) {
        let name = &self.service.name;
        if !is_own_site && supervisor.is_running(name) {
            println!("the site goes on without {name}; start it again with `cargo xtask up`");
        }
    }

    fn binary_time(&self) -> Option<SystemTime> {
        let binary = self.project.binary(self.profile, &self.service.name);
        fs::metadata(binary).and_then(|file| file.modified()).ok()
    }

    /// What cargo wrote, its end if it is long.
    fn output(&self) -> String {
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<_> = text.lines().collect();
        lines[lines.len().saturating_sub(LINES_MAX)..].join("\n")
    }
}
