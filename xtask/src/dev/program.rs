//! A service's program. It is built when its sources are saved, and only its own process is restarted.

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

/// Name of the build process.
pub(super) const CARGO: &str = "cargo build";
/// Maximum number of lines shown of a failed build's output.
const LINES_MAX: usize = 200;

#[derive(Debug)]
pub(super) struct Program<'a> {
    project: &'a Project,
    service: &'a Service,
    profile: Profile,
    port: u16,
    operators_port: u16,
    log: PathBuf,
    /// Command that starts the service, if another command runs the site.
    taken_over: Option<Command>,
    /// Modification time of the running binary.
    written: Option<SystemTime>,
    /// Start time of the running build; `None` if no build is running.
    saved: Option<Instant>,
    /// Whether a source was saved while the build ran.
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

    /// Starts a build, or queues one if a build is running.
    pub(super) fn build(&mut self, supervisor: &mut Supervisor) -> Result<()> {
        if self.saved.is_some() {
            self.again = true;
            return Ok(());
        }
        self.saved = Some(Instant::now());
        let arguments = ["build", "--profile", self.profile.name(), "-p"];
        let mut cargo = shell::command(&self.project.root, "cargo", arguments);
        cargo.arg(&self.service.name).arg("--bins");
        // Cargo sees a file and would drop colours, but the output is printed to this run's stderr.
        if io::stderr().is_terminal() {
            cargo.env("CARGO_TERM_COLOR", "always");
        }
        supervisor.start(CARGO, &mut cargo, &self.log)
    }

    /// Handles the end of a build. If the build failed, its output is printed and the running process is left alone.
    pub(super) fn built(
        &mut self,
        status: ExitStatus,
        supervisor: &mut Supervisor,
        site: Option<&Site<'_>>,
    ) {
        let saved = self.saved.take().unwrap_or_else(Instant::now);
        let name = &self.service.name;
        if !status.success() {
            eprintln!("{}\n{name} still runs the previous build", self.output());
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

    /// Stops the service's process in another command's site, and returns the command that started it.
    fn take_over(&self) -> Result<Command> {
        let name = self.service.name.as_str();
        let listener = site::listener_of(self.port).with_context(|| {
            format!(
                "no process listens on port {}; start the site again",
                self.port
            )
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
        println!("this run now manages {name}");
        running::stop(&listener, self.port)?;
        Ok(command)
    }

    /// Warns that another command's site will lack the service that this run has taken over.
    pub(super) fn say_what_stops(&self, supervisor: &Supervisor, is_own_site: bool) {
        let name = &self.service.name;
        if !is_own_site && supervisor.is_running(name) {
            println!("the site runs without {name}; start it again with `cargo xtask up`");
        }
    }

    fn binary_time(&self) -> Option<SystemTime> {
        let binary = self.project.binary(self.profile, &self.service.name);
        fs::metadata(binary).and_then(|file| file.modified()).ok()
    }

    /// Returns cargo's output, at most its last [`LINES_MAX`] lines.
    fn output(&self) -> String {
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<_> = text.lines().collect();
        lines[lines.len().saturating_sub(LINES_MAX)..].join("\n")
    }
}
