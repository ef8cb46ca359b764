//! The processes of the whole site, and the flags that each is started with.

use std::{
    fmt, fs,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::Command,
};

use service_list::{SERVICES_MAX, Service};

use crate::{
    hospital::{self, Hospital},
    keys,
    project::{Profile, Project},
    staff, token,
};

pub(crate) const GATEWAY: &str = "gateway";
pub(crate) const TRACES: &str = "ops-traces";
/// Documented default, like the ports of the services.
const GATEWAY_OPERATORS_PORT: u16 = 9090;

/// Loopback ports of a run. The defaults are documented.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Ports {
    /// Port of the website and its API.
    #[arg(long = "port", default_value_t = 8080)]
    pub(crate) site: u16,
    /// Port of the first service; the others use the ports after it. Default: the ports listed in the root manifest.
    #[arg(long = "services-port", value_parser = first_port())]
    pub(crate) services: Option<u16>,
    /// Port of the gateway's probes and metrics; the services use the ports after it. Default: 9090 for the gateway,
    /// and the listed ports for the services.
    #[arg(long = "operators-port", value_parser = first_port())]
    pub(crate) operators: Option<u16>,
    /// Port of the traces UI.
    #[arg(long = "traces-port", default_value_t = 16686)]
    pub(crate) traces: u16,
    /// Port for OTLP over gRPC.
    #[arg(long, default_value_t = 4317)]
    pub(crate) otlp_grpc: u16,
    /// Port for OTLP over HTTP.
    #[arg(long, default_value_t = 4318)]
    pub(crate) otlp_http: u16,
    /// Port of the issuer at which staff sign in.
    #[arg(long = "issuer-port", default_value_t = 9400)]
    pub(crate) issuer: u16,
}

/// Parses the first of consecutive ports, leaving room for the others.
fn first_port() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=i64::from(u16::MAX - SERVICES_MAX))
}

/// A service of the list with its ports in this run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) service: &'a Service,
    pub(crate) port: u16,
    pub(crate) operators_port: u16,
}

impl Ports {
    /// Returns the port of the gateway's probes and metrics.
    pub(crate) fn gateway_operators(&self) -> u16 {
        self.operators.unwrap_or(GATEWAY_OPERATORS_PORT)
    }

    /// Returns the services in the order of the list, each with its ports.
    pub(crate) fn place<'a>(&self, services: &'a [Service]) -> Vec<Placed<'a>> {
        let after = |first: Option<u16>, offset: u16, listed: u16| {
            first.map_or(listed, |first| first.saturating_add(offset))
        };
        services
            .iter()
            .zip(0..)
            .map(|(service, offset)| Placed {
                service,
                port: after(self.services, offset, service.port),
                operators_port: after(self.operators, offset + 1, service.operators_port),
            })
            .collect()
    }

    /// Returns the ports on which the site and the issuer listen (without traces), each with the process's name.
    pub(crate) fn of_site(&self, services: &[Service]) -> Vec<(String, u16)> {
        let operators = format!("{GATEWAY} (operators)");
        let mut ports = vec![
            (GATEWAY.to_owned(), self.site),
            (operators, self.gateway_operators()),
            (staff::ISSUER.to_owned(), self.issuer),
        ];
        for placed in self.place(services) {
            let name = &placed.service.name;
            ports.push((name.clone(), placed.port));
            ports.push((format!("{name} (operators)"), placed.operators_port));
        }
        ports
    }

    pub(crate) fn of_traces(&self) -> [(String, u16); 3] {
        [
            ("UI", self.traces),
            ("OTLP gRPC", self.otlp_grpc),
            ("OTLP HTTP", self.otlp_http),
        ]
        .map(|(what, port)| (format!("{TRACES} ({what})"), port))
    }
}

/// A run of the whole site.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    pub(crate) project: &'a Project,
    pub(crate) profile: Profile,
    pub(crate) ports: Ports,
    /// Folder of SQLite files and logs.
    pub(crate) data: PathBuf,
    /// Whether a collector runs. Without one, no process exports spans.
    pub(crate) with_traces: bool,
    /// Whether staff can sign in. Otherwise there is no issuer and no staff area.
    pub(crate) with_staff: bool,
    /// Whether the limits per visitor are raised, to let one machine simulate many visitors. For measurements only.
    pub(crate) unlimited: bool,
    /// Another hospital than the one that is built in.
    pub(crate) hospital: Option<Hospital>,
}

impl Site<'_> {
    pub(crate) fn traces(&self) -> Command {
        let mut command = self.program(TRACES);
        command
            .args(["--listen", &loopback(self.ports.traces)])
            .args(["--otlp-grpc-listen", &loopback(self.ports.otlp_grpc)])
            .args(["--otlp-http-listen", &loopback(self.ports.otlp_http)]);
        let gateway = (GATEWAY, self.ports.gateway_operators());
        let placed = self.placed();
        let services = placed
            .iter()
            .map(|placed| (placed.service.name.as_str(), placed.operators_port));
        for (name, port) in std::iter::once(gateway).chain(services) {
            let url = format!("{name}=http://{}/metrics", loopback(port));
            command.args(["--metrics-url", &url]);
        }
        command
    }

    /// Returns the services with their ports in this run.
    pub(crate) fn placed(&self) -> Vec<Placed<'_>> {
        self.ports.place(&self.project.services)
    }

    /// Returns each service's name and start command.
    pub(crate) fn services(&self) -> Vec<(&str, Command)> {
        self.placed()
            .into_iter()
            .map(|placed| (placed.service.name.as_str(), self.service(placed)))
            .collect()
    }

    fn service(&self, placed: Placed<'_>) -> Command {
        let name = &placed.service.name;
        let mut command = self.program(name);
        command
            .args(["--listen", &loopback(placed.port)])
            .args(["--database-url", &self.database_url(placed.service)])
            .env("OPERATORS_LISTEN", loopback(placed.operators_port))
            // Canonical addresses must contain this run's port.
            .env("SITE_ORIGIN", self.origin())
            .env("DEVELOPMENT", "true")
            .env("SEAL_KEYS_FILE", keys::of_service(&self.data, name))
            .env("MESSAGING_TOKEN_FILE", keys::of_notices(&self.data))
            .env("NOTICE_TOKEN_FILE", keys::of_notices(&self.data))
            .env("MAIL_DIR", self.data.join("mail"))
            .env("DAY_LIST_DIR", self.data.join("day-list"));
        if self.with_staff {
            staff::for_service(self, &mut command);
        }
        if self.unlimited {
            command.env("NETWORK_APPOINTMENTS_MAX", "1000000");
        }
        if let Some(hospital) = &self.hospital {
            command.envs(hospital.of_service(name));
        }
        // Addresses of the other services, for services that call them.
        for other in self.placed() {
            if other.service.name != *name {
                let url = format!("http://{}", loopback(other.port));
                command.env(url_variable(&other.service.name), url);
            }
        }
        command
    }

    pub(crate) fn gateway(&self) -> Command {
        let mut command = self.program(GATEWAY);
        command
            .args(["--listen", &loopback(self.ports.site)])
            .arg("--remotes-dir")
            .arg(self.project.root.join("remotes"))
            .env("OPERATORS_LISTEN", loopback(self.ports.gateway_operators()))
            // A local run has no load balancer that needs time to notice the shutdown.
            .env("LAME_DUCK_MS", "0")
            .env("FORM_KEY_FILE", keys::of_forms(&self.data))
            .env("REMOTES_STATE", self.data.join("gateway-state.json"));
        if self.with_staff {
            staff::for_gateway(self, &mut command);
        }
        if let Some(hospital) = &self.hospital {
            command.envs(hospital.of_gateway());
        }
        if self.unlimited {
            for limit in [
                "VISITOR_CALLS_MAX",
                "ADDRESS_CALLS_MAX",
                "ADDRESS_WRITES_MAX",
                "ADDRESS_DOCUMENTS_MAX",
                "STAFF_CALLS_MAX",
                "STAFF_ADDRESS_CALLS_MAX",
                "CREATES_IPV4_32_MAX",
                "CREATES_IPV4_24_MAX",
                "CREATES_IPV6_64_MAX",
                "CREATES_IPV6_56_MAX",
                "CREATES_IPV6_48_MAX",
                "ADDRESS_CONNECTIONS_MAX",
            ] {
                command.env(limit, "1000000");
            }
        }
        for placed in self.placed() {
            let address = loopback(placed.port);
            let upstream = format!("{}=http://{address}", placed.service.package);
            command.args(["--upstream", &upstream]);
        }
        command
    }

    /// Returns the site's origin as used by browsers on this machine, without a trailing slash.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", loopback(self.ports.site))
    }

    pub(crate) fn log(&self, name: &str) -> PathBuf {
        self.data.join("logs").join(format!("{name}.log"))
    }

    /// Returns a service's database URL. Listed SQLite files are placed in this run's data folder.
    fn database_url(&self, service: &Service) -> String {
        let file = service.database_url.strip_prefix("sqlite:");
        match file.and_then(|file| Path::new(file).file_name()) {
            Some(file) => format!("sqlite:{}", self.data.join(file).display()),
            None => service.database_url.clone(),
        }
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.project.binary(self.profile, name));
        command.current_dir(&self.project.root);
        // A stray variable in the caller's environment must not change a local run.
        for variable in [
            "LISTEN",
            "OPERATORS_LISTEN",
            "DATABASE_URL",
            "SEAL_KEYS_FILE",
            "FORM_KEY_FILE",
            "UPSTREAMS",
            "REMOTES_DIR",
            "API_HOST",
            "TLS_CERTIFICATE",
            "TLS_KEY",
            "REDIRECT_LISTEN",
            "REDIRECT_TO",
            "PROXY_PROTOCOL_FROM",
            "SMTP_URL",
            "METRICS_URLS",
            "SITE_ORIGINS",
            "JWKS_URL",
        ]
        .iter()
        .chain(&staff::VARIABLES)
        .chain(&hospital::VARIABLES)
        {
            command.env_remove(variable);
        }
        let key_set = token::key_set(&self.data);
        if key_set.exists() {
            command.env("JWKS_FILE", key_set);
            command.env("JWT_ISSUER", token::ISSUER);
            command.env("JWT_AUDIENCE", token::AUDIENCE);
        }
        if self.with_traces && name != TRACES {
            let endpoint = format!("http://{}", loopback(self.ports.otlp_grpc));
            command.args(["--otlp-endpoint", &endpoint]);
        }
        command
    }
}

pub(crate) fn loopback(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

/// Returns a message for each port in use, with the listening process if the kernel reports it.
pub(crate) fn busy(ports: &[(String, u16)]) -> Vec<String> {
    ports
        .iter()
        .filter(|(_, port)| {
            TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, *port))).is_err()
        })
        .map(|(name, port)| {
            let who = listener_of(*port).map(|listener| listener.to_string());
            let who = who.unwrap_or_else(|| "an unknown process".to_owned());
            format!("port {port} of {name} is taken by {who}")
        })
        .collect()
}

/// A process that listens on a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listener {
    pub(crate) name: String,
    pub(crate) pid: u32,
}

impl fmt::Display for Listener {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "{} (pid {})", self.name, self.pid)
    }
}

/// Finds the process that listens on a TCP port in /proc. Without root, only the user's own processes are found.
pub(crate) fn listener_of(port: u16) -> Option<Listener> {
    let inode = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .filter_map(|table| fs::read_to_string(table).ok())
        .find_map(|table| inode_in(&table, port))?;
    let wanted = format!("socket:[{inode}]");
    for process in fs::read_dir("/proc").ok()?.flatten() {
        // Skips entries that are not processes, and duplicates such as `/proc/self`.
        let Ok(pid) = process.file_name().to_string_lossy().parse() else {
            continue;
        };
        let descriptors = fs::read_dir(process.path().join("fd"))
            .into_iter()
            .flatten()
            .flatten();
        let holds = descriptors
            .filter_map(|descriptor| fs::read_link(descriptor.path()).ok())
            .any(|target| target == Path::new(&wanted));
        if holds {
            let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            return Some(Listener {
                name: name.trim().to_owned(),
                pid,
            });
        }
    }
    None
}

/// Returns the inode of a port's listening socket from a table in the format of /proc/net/tcp.
fn inode_in(table: &str, port: u16) -> Option<String> {
    const LISTENING: &str = "0A";
    let suffix = format!(":{port:04X}");
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<_> = line.split_whitespace().collect();
        let matches = fields.get(1)?.ends_with(&suffix) && *fields.get(3)? == LISTENING;
        matches.then(|| fields.get(9).map(|inode| (*inode).to_owned()))?
    })
}

/// Returns the variable that holds a service's address for the others: `MESSAGING_URL` for `svc-messaging`.
fn url_variable(service: &str) -> String {
    let name = service.strip_prefix("svc-").unwrap_or(service);
    format!("{}_URL", name.replace('-', "_").to_ascii_uppercase())
}

#[cfg(test)]
mod tests;
