//! Who is measured, and how each is started.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use tokio::time::Instant;

use crate::{
    Arguments,
    case::Case,
    collector::Collector,
    connection::{self, Answer},
    envoy,
    kind::Kind,
    nginx,
    program::{Core, Program, free_port},
    services::Services,
    traffic::Traffic,
};

/// This gateway with its limiter in process, without a collector of spans: the one that the aims are about.
pub(crate) const GATEWAY: &str = "gateway";
pub(crate) const BASELINE: &str = "baseline";
pub(crate) const ENVOY: &str = "envoy";
pub(crate) const NGINX: &str = "nginx";
pub(crate) const NGINX_HEADERS: &str = "nginx-headers";
const REDIS: &str = "gateway-redis";
const GRPC: &str = "grpc";
/// With a collector: no read is traced, one of a hundred, every one. Writes always are.
const TRACED: [(&str, &str); 3] = [
    ("gateway-traced-0", "0"),
    ("gateway-traced-1", "0.01"),
    ("gateway-traced-100", "1"),
];

/// In the order of the report.
pub(crate) const NAMES: [&str; 10] = [
    GATEWAY,
    BASELINE,
    REDIS,
    TRACED[0].0,
    TRACED[1].0,
    TRACED[2].0,
    ENVOY,
    NGINX,
    NGINX_HEADERS,
    GRPC,
];

/// One of the gateways, in whatever way it is run.
pub(crate) fn is_gateway(name: &str) -> bool {
    name == BASELINE || name.starts_with(GATEWAY)
}

/// A page is compressed in the background once it is asked for.
const SETTLED_AFTER: Duration = Duration::from_secs(3);
const SETTLED_TIMEOUT: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) address: SocketAddr,
    /// Not of bare gRPC, where there is nothing between.
    pub(crate) program: Option<Program>,
}

impl Peer {
    /// Processor time of the peer, none where there is none.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        self.program
            .as_ref()
            .map_or(Ok(Duration::ZERO), Program::cpu)
    }
}

/// All that can be started here.
#[derive(Debug)]
pub(crate) struct Peers {
    pub(crate) all: Vec<Peer>,
    pub(crate) skipped: Vec<String>,
    collector: Option<Collector>,
    /// Kept alive for those who need them.
    beside: Vec<Program>,
}

/// What peers are made from.
#[derive(Debug, Clone, Copy)]
struct Scene<'a> {
    arguments: &'a Arguments,
    folder: &'a Path,
    services: &'a Services,
    traffic: &'a Arc<Traffic>,
}

impl Peers {
    pub(crate) async fn start(
        arguments: &Arguments,
        folder: &Path,
        services: &Services,
        traffic: &Arc<Traffic>,
    ) -> Result<Self> {
        let scene = Scene {
            arguments,
            folder,
            services,
            traffic,
        };
        let mut peers = Self {
            all: Vec::new(),
            skipped: arguments.skipped.clone(),
            collector: None,
            beside: Vec::new(),
        };
        let wanted = |name: &str| {
            // Of a profile one wants to know what was changed; the others on demand.
            let asked = arguments.profile.is_none()
                || [GATEWAY, BASELINE].contains(&name)
                || arguments.only.iter().any(|only| only == name);
            asked && arguments.keeps(name, NAMES.into_iter())
        };
        if wanted(GATEWAY) {
            let program = arguments.programs.join("gateway");
            peers.all.push(scene.gateway(GATEWAY, &program, &[]).await?);
        }
        // Whoever names a program wants to see it, whatever else is kept.
        if let Some(program) = arguments.baseline.as_deref() {
            peers.all.push(scene.gateway(BASELINE, program, &[]).await?);
        }
        if wanted(REDIS) {
            peers.redis(scene).await?;
        }
        if TRACED.iter().any(|(name, _)| wanted(name)) {
            let collector = Collector::start()?;
            for (name, ratio) in TRACED.into_iter().filter(|(name, _)| wanted(name)) {
                let more = [
                    ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url()),
                    ("TRACE_READ_RATIO", ratio.to_owned()),
                ];
                let program = arguments.programs.join("gateway");
                peers.all.push(scene.gateway(name, &program, &more).await?);
            }
            peers.collector = Some(collector);
        }
        if wanted(ENVOY) {
            match &arguments.envoy {
                Some(program) => peers.all.push(scene.envoy(program).await?),
                None => peers.skip(ENVOY, "--envoy names no program"),
            }
        }
        for name in [NGINX, NGINX_HEADERS].into_iter().filter(|n| wanted(n)) {
            match &arguments.nginx {
                Some(program) => peers.all.push(scene.nginx(name, program).await?),
                None => peers.skip(name, "--nginx names no program"),
            }
        }
        if wanted(GRPC) {
            peers.all.push(Peer {
                name: GRPC,
                kind: Kind::Grpc,
                address: services.booking.address,
                program: None,
            });
        }
        Ok(peers)
    }

    /// Who was named as missing by the caller is not named again.
    fn skip(&mut self, name: &str, reason: &str) {
        let begins = format!("{name}:");
        if !self.skipped.iter().any(|known| known.starts_with(&begins)) {
            self.skipped.push(format!("{begins} {reason}"));
        }
    }

    async fn redis(&mut self, scene: Scene<'_>) -> Result<()> {
        let gateway = scene.arguments.programs.join("gateway");
        let Some(program) = &scene.arguments.redis else {
            self.skip(REDIS, "--redis names no program");
            return Ok(());
        };
        let help = Command::new(&gateway).arg("--help").output()?;
        if !String::from_utf8_lossy(&help.stdout).contains("REDIS_URL") {
            self.skip(REDIS, "this gateway does not support REDIS_URL");
            return Ok(());
        }
        let address = free_port().await?;
        let port = address.port().to_string();
        let flags = [
            "--bind",
            "127.0.0.1",
            "--port",
            &port,
            "--save",
            "",
            "--appendonly",
            "no",
        ];
        let started = Program::start("redis", Core::Others, program, flags, &[], scene.folder);
        let mut redis = started?;
        redis.listens(address).await?;
        let more = [("REDIS_URL", format!("redis://{address}"))];
        self.all.push(scene.gateway(REDIS, &gateway, &more).await?);
        self.beside.push(redis);
        Ok(())
    }

    /// Spans that reached the collector.
    pub(crate) fn spans(&self) -> Option<u64> {
        self.collector.as_ref().map(Collector::spans)
    }
}

/// A gateway for a run of its own.
pub(crate) async fn gateway(
    arguments: &Arguments,
    folder: &Path,
    services: &Services,
    traffic: &Arc<Traffic>,
) -> Result<Peer> {
    let scene = Scene {
        arguments,
        folder,
        services,
        traffic,
    };
    let program = arguments.programs.join("gateway");
    scene.gateway(GATEWAY, &program, &[]).await
}

impl Scene<'_> {
    /// With the limits that it has when nothing is said, but for the proxy in front: visitors are told apart by what it says.
    async fn gateway(
        self,
        name: &'static str,
        program: &Path,
        more: &[(&str, String)],
    ) -> Result<Peer> {
        let upstream = |package: &str, address: SocketAddr| {
            format!("--upstream=hospital.{package}.v1=http://{address}")
        };
        let remotes = self.arguments.remotes.clone().unwrap_or_else(|| {
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/remotes")
        });
        let flags = [
            "--listen=127.0.0.1:0".to_owned(),
            "--log-filter=warn".to_owned(),
            "--trusted-hops=1".to_owned(),
            format!("--remotes-dir={}", remotes.display()),
            // Not beside the modules, which may be those of the tests.
            format!(
                "--remotes-state={}",
                self.folder.join(format!("{name}.state.json")).display()
            ),
            upstream("booking", self.services.booking.address),
            upstream("content", self.services.content.address),
        ];
        let mut environment = vec![
            ("OPERATORS_LISTEN", "127.0.0.1:0".to_owned()),
            ("TRACE_READ_RATIO", "0".to_owned()),
        ];
        for (variable, value) in more {
            environment.retain(|(set, _)| set != variable);
            environment.push((variable, value.clone()));
        }
        let started = Program::start(name, Core::Peer, program, flags, &environment, self.folder);
        let mut program = started?;
        let [address] = program.announced(["listening on "]).await?;
        let peer = Peer {
            name,
            kind: Kind::Gateway,
            address,
            program: Some(program),
        };
        self.settled(&peer, Case::CachedPage, "br").await?;
        Ok(peer)
    }

    /// Asks until the answer is compressed as it will be from then on: a gateway compresses quickly first and well in the background, so
    /// the smallest that comes within some time is the one. Without a coding: the first answer.
    async fn settled(self, peer: &Peer, case: Case, coding: &str) -> Result<Answer> {
        let end = Instant::now() + SETTLED_TIMEOUT;
        let mut connections =
            connection::open(1, peer.kind, peer.address, case, self.traffic).await?;
        let connection = connections.first_mut().context("a connection")?;
        let mut best: Option<(Instant, Answer)> = None;
        loop {
            match connection.once().await {
                Ok(None) => bail!("nothing to request"),
                Ok(Some(answer)) if coding.is_empty() => return Ok(answer),
                Ok(Some(answer)) if answer.coding() == coding => {
                    let since = best.as_ref().map_or_else(Instant::now, |(since, _)| *since);
                    let smaller = |(_, known): &(_, Answer)| answer.bytes < known.bytes;
                    if best.as_ref().is_none_or(smaller) {
                        best = Some((since, answer));
                    }
                }
                Ok(Some(_)) if Instant::now() < end => {}
                // A service that has just started may not be reached yet.
                Err(_) if Instant::now() < end => connection.renew().await?,
                Ok(Some(answer)) => bail!("{}: {:?}, not {coding}", peer.name, answer.coding()),
                Err(error) => return Err(error.context(peer.name)),
            }
            match best {
                Some((since, answer)) if since.elapsed() >= SETTLED_AFTER => return Ok(answer),
                still => best = still,
            }
            tokio::time::sleep(POLL).await;
        }
    }

    async fn envoy(self, program: &Path) -> Result<Peer> {
        let address = free_port().await?;
        let configuration = envoy::configure(self.folder, address, self.services.booking.address)?;
        let flags = [
            "--config-path".as_ref(),
            configuration.as_os_str(),
            "--concurrency".as_ref(),
            "1".as_ref(),
            "--disable-hot-restart".as_ref(),
            "--log-level".as_ref(),
            "warn".as_ref(),
        ];
        let mut program = Program::start(ENVOY, Core::Peer, program, flags, &[], self.folder)?;
        program.listens(address).await?;
        let peer = Peer {
            name: ENVOY,
            kind: Kind::Envoy,
            address,
            program: Some(program),
        };
        self.settled(&peer, Case::Small, "").await?;
        let compressed = self.settled(&peer, Case::AvailabilityGzip, "").await?;
        ensure!(compressed.coding() == "gzip", "Envoy does not compress");
        Ok(peer)
    }

    /// From files of what this gateway answers; with `nginx-headers` also with its header fields.
    async fn nginx(self, name: &'static str, program: &Path) -> Result<Peer> {
        let source = self.arguments.programs.join("gateway");
        let source = self.gateway("source", &source, &[]).await?;
        let json = self.settled(&source, Case::CachedJson, "").await?;
        let page = self.settled(&source, Case::CachedPage, "br").await?;
        ensure!(!page.body.is_empty(), "a page has bytes");
        let address = free_port().await?;
        let folder = self.folder.join(name);
        fs::create_dir(&folder)?;
        let files = [("/api/departments", &json), (self.traffic.page, &page)];
        let configuration = nginx::configure(&folder, address, files, name == NGINX_HEADERS)?;
        let flags = [
            "-p".as_ref(),
            folder.as_os_str(),
            "-c".as_ref(),
            configuration.as_os_str(),
        ];
        let mut program = Program::start(name, Core::Peer, program, flags, &[], self.folder)?;
        program.listens(address).await?;
        let peer = Peer {
            name,
            kind: Kind::Nginx,
            address,
            program: Some(program),
        };
        for (case, expected) in [(Case::CachedJson, &json), (Case::CachedPage, &page)] {
            let answer = self.settled(&peer, case, "").await?;
            ensure!(answer.coding() == expected.coding(), "{name}: the coding");
            ensure!(answer.body == expected.body, "{name} sends other bytes");
        }
        Ok(peer)
    }
}
