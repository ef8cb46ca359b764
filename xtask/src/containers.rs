//! `containers`: builds the images as a machine without an image registry can, and runs deploy/compose from them.

mod images;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};

use crate::{
    debian,
    page_packages::PagePackage,
    project::{Profile, Project},
    readiness,
    release::Release,
    shell, site,
    test::deploy::TOOLS,
    web,
};

/// Name of the Compose project: prefix of its containers, volumes and networks.
const NAME: &str = "hospital-local";
/// Settings of the engine that work without systemd and on hybrid control groups.
const ENGINE_SETTINGS: &str = r#"[containers]
default_ulimits = ["nofile=16384:16384", "nproc=4096:4096"]
[engine]
runtime = "runc"
events_logger = "file"
[network]
network_backend = "netavark"
"#;
/// Maximum time until PostgreSQL accepts connections on an empty volume, in seconds.
const DATABASE_S_MAX: u64 = 120;
/// Maximum time until the home page is served after its modules are published, in seconds.
const FIRST_PAGE_S_MAX: u64 = 60;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Walk through the site, print what was seen, and remove the containers and their data.
    #[arg(long)]
    test: bool,
    /// Replace the last release by this tree and back, two of each program, while 100 visitors browse and book; then
    /// break one part after the other. Prints what visitors saw, and removes the containers and their data.
    #[arg(long, conflicts_with = "test")]
    upgrade: bool,
    /// Remove the containers and their data of an earlier run, and do nothing else. Images and caches stay.
    #[arg(long, conflicts_with_all = ["test", "upgrade"])]
    down: bool,
    /// Build profile of the programs. `dist` is the deployed one: much slower to build.
    #[arg(long, value_enum, default_value = "dev")]
    profile: Profile,
    /// Loopback port of the site.
    #[arg(long, default_value_t = 8480)]
    port: u16,
}

pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    ensure!(
        rustix::process::geteuid().is_root(),
        "the containers' secrets belong to the users of the containers: run it as root"
    );
    for package in &debian::ENGINE {
        debian::ensure(package)?;
    }
    TOOLS.install(project)?;
    // The issuer and the walk run from the tree.
    web::install(project)?;
    let site = Containers::new(project, options)?;
    site.remove()?;
    if options.down {
        return Ok(());
    }
    let taken = site::busy(&[("the site".to_owned(), options.port)]);
    ensure!(
        taken.is_empty(),
        "{}\nchoose another --port",
        taken.join("\n")
    );
    let built = images::build(&site)?;
    let started = Instant::now();
    site.start()?;
    println!("started in {}", shell::seconds(started.elapsed()));
    for line in built {
        println!("{line}");
    }
    println!("website  http://127.0.0.1:{}/", options.port);
    let walk = match (options.test, options.upgrade) {
        (true, _) => "deploy/compose/containers.walk.mjs",
        (_, true) => "deploy/compose/upgrade.walk.mjs",
        _ => {
            println!("it runs until `cargo xtask containers --down`");
            return Ok(());
        }
    };
    let walked = site.walk(walk);
    site.remove()?;
    walked
}

/// The site of one run.
#[derive(Debug)]
struct Containers<'a> {
    project: &'a Project,
    /// Folder of the copy of deploy/, with the secrets, and of the engine's settings.
    folder: PathBuf,
    pages: Vec<PagePackage>,
    profile: Profile,
    port: u16,
    is_test: bool,
    /// The last release, which runs first with `--upgrade`.
    release: Option<Release>,
}

impl<'a> Containers<'a> {
    fn new(project: &'a Project, options: &Options) -> Result<Self> {
        let folder = project.target.join("containers");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("containers.conf"), ENGINE_SETTINGS)?;
        let release = options.upgrade.then(|| Release::of(project)).transpose()?;
        if let Some(obstacle) = release.as_ref().and_then(|of| of.obstacle(project)) {
            bail!("{obstacle}");
        }
        Ok(Self {
            project,
            folder,
            pages: PagePackage::all(project)?,
            profile: options.profile,
            port: options.port,
            is_test: options.test,
            release,
        })
    }

    /// Creates the secrets, publishes the pages, and starts the database and then everything else.
    fn start(&self) -> Result<()> {
        let compose = self.compose_folder();
        fs::create_dir_all(&self.folder)?;
        shell::run(&mut shell::command(
            &self.project.root,
            "cp",
            ["-r", "deploy", &self.folder.to_string_lossy()],
        ))?;
        shell::run(&mut shell::command(&compose, "sh", ["secrets.sh"]))?;
        // The issuer refuses the placeholder, because it is short.
        let fill = "head -c 24 /dev/urandom | base64 -w 0 >secrets/staff-client.secret";
        shell::run(&mut shell::command(&compose, "sh", ["-c", fill]))?;

        let script = "deploy/compose/local-monitoring.mjs";
        let observability = text(&self.folder.join("deploy/observability"));
        let replicas = if self.release.is_some() { "2" } else { "1" };
        let arguments = [script, NAME, &observability, replicas, self.alert_factor()];
        shell::run(&mut shell::command(&self.project.root, "node", arguments))?;

        // The gateway starts only with published pages.
        for package in &self.pages {
            let job = format!("pages-{}", package.name);
            shell::run(self.compose().args([
                "--profile",
                "pages",
                "run",
                "--rm",
                "--no-deps",
                &job,
            ]))?;
        }
        // The stages of `depends_on`, one by one: without systemd, podman runs no health checks by itself, and podman 4
        // cannot start a container whose dependency has dependencies.
        self.up(&["postgres"])?;
        if self.release.is_some() {
            self.up(&["disk"])?;
        }
        let database = format!("{NAME}_postgres_1");
        let healthy = || {
            let mut check = self.podman(["healthcheck", "run", &database]);
            shell::capture(&mut check).ok()
        };
        shell::poll(Duration::from_secs(DATABASE_S_MAX), healthy)
            .with_context(|| format!("PostgreSQL is not healthy after {DATABASE_S_MAX} s"))?;
        let services: Vec<_> = self
            .project
            .services
            .iter()
            .map(|service| &*service.name)
            .collect();
        for service in &services {
            let job = service.replacen("svc-", "migrate-", 1);
            shell::run(self.compose().args(["run", "--rm", "--no-deps", &job]))?;
        }
        self.up(&["mail", "redis"])?;
        self.up(&services)?;
        self.up(&[site::GATEWAY])?;
        self.up(&["archive", "prometheus", "alertmanager"])?;
        self.up(&[if self.release.is_some() {
            "balancer"
        } else {
            "issuer"
        }])?;
        let address = format!("127.0.0.1:{}", self.port);
        readiness::wait_for_ok(&address, "/", Duration::from_secs(FIRST_PAGE_S_MAX))
    }

    fn up(&self, services: &[&str]) -> Result<()> {
        let up = ["up", "--detach", "--no-deps", "--no-recreate"];
        shell::run(self.compose().args(up).args(services))
    }

    /// Runs a walk, which kills and restarts containers.
    fn walk(&self, file: &str) -> Result<()> {
        let test = ["--test", "--test-reporter=spec", file];
        let mut walk = shell::command(&self.project.root, "node", test);
        self.set_variables(&mut walk);
        walk.env("COMPOSE", self.compose_line().join(" "))
            .env("COMPOSE_FOLDER", self.compose_folder())
            .env("NEW_VERSION", images::VERSION)
            .env("ALERT_FACTOR", self.alert_factor());
        shell::run(&mut walk)
    }

    /// Removes containers, networks and volumes, also those of a run that was killed or had other Compose files.
    fn remove(&self) -> Result<()> {
        let pod = format!("pod_{NAME}");
        let label = format!("label=io.podman.compose.project={NAME}");
        shell::capture(&mut self.podman(["pod", "rm", "--force", "--ignore", "--time=5", &pod]))?;
        for kind in ["network", "volume"] {
            shell::capture(&mut self.podman([kind, "prune", "--force", "--filter", &label]))?;
        }
        let deploy = self.folder.join("deploy");
        if deploy.exists() {
            fs::remove_dir_all(deploy)?;
        }
        Ok(())
    }

    fn compose_folder(&self) -> PathBuf {
        self.folder.join("deploy/compose")
    }

    fn compose_line(&self) -> Vec<String> {
        let program = self
            .project
            .target
            .join(TOOLS.folder)
            .join("bin/podman-compose");
        let program = program.to_string_lossy().into_owned();
        let mut files = vec!["compose.yaml", "compose.signed.yaml", "compose.local.yaml"];
        if self.release.is_some() {
            files.push("compose.upgrade.yaml");
        }
        let files = files.into_iter().flat_map(|file| ["--file", file]);
        [program]
            .into_iter()
            .chain(files.map(str::to_owned))
            .collect()
    }

    fn compose(&self) -> Command {
        let line = self.compose_line();
        let mut command = shell::command(&self.compose_folder(), &line[0], &line[1..]);
        self.set_variables(&mut command);
        command
    }

    fn podman<const N: usize>(&self, arguments: [&str; N]) -> Command {
        let mut command = shell::command(&self.project.root, "podman", arguments);
        command.env("CONTAINERS_CONF", self.folder.join("containers.conf"));
        command
    }

    /// Sets the variables of the engine and of the Compose files.
    fn set_variables(&self, command: &mut Command) {
        command
            .env("CONTAINERS_CONF", self.folder.join("containers.conf"))
            .env("COMPOSE_PROJECT_NAME", NAME)
            .env("REGISTRY", images::REGISTRY)
            .env("VERSION", self.first_version())
            .env("BASE_IMAGE", images::base(self.project))
            .env("SOURCE", &self.project.root)
            .env("SITE_PORT", self.port.to_string())
            .env("SITE_ORIGIN", format!("http://127.0.0.1:{}", self.port))
            .env("STAFF_ISSUER", "http://127.0.0.1:9400")
            // A volume of compose.local.yaml.
            .env("ARCHIVE_DIR", "archive");
    }

    /// Returns by what the time that an alert must hold is divided: tests break parts for a minute only.
    fn alert_factor(&self) -> &'static str {
        if self.is_test || self.release.is_some() {
            "20"
        } else {
            "1"
        }
    }

    /// Returns the tag of the programs that are started first.
    fn first_version(&self) -> String {
        let release = self.release.as_ref();
        release.map_or_else(|| images::VERSION.to_owned(), images::released)
    }
}

/// Returns a path as an argument.
fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
