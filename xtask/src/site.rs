//! Which processes make the whole site, and with which flags each is started.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    project::{Profile, Project},
    token,
};

/// The services, with the proto package that the gateway finds each under, in the order of their ports.
pub(crate) const SERVICES: [(&str, &str); 4] = [
    ("svc-content", "hospital.content.v1"),
    ("svc-booking", "hospital.booking.v1"),
    ("svc-assessment", "hospital.assessment.v1"),
    ("svc-messaging", "hospital.messaging.v1"),
];
pub(crate) const GATEWAY: &str = "gateway";
pub(crate) const TRACES: &str = "ops-traces";

/// Loopback ports of a run. The defaults are documented names of the project.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Ports {
    /// Port of the website and its API.
    #[arg(long = "port", default_value_t = 8080)]
    pub(crate) site: u16,
    /// Port of the first of the four services; the others follow it.
    #[arg(long = "services-port", default_value_t = 50051)]
    pub(crate) services: u16,
    /// Port of the traces UI.
    #[arg(long = "traces-port", default_value_t = 16686)]
    pub(crate) traces: u16,
    /// Port that takes OTLP over gRPC.
    #[arg(long, default_value_t = 4317)]
    pub(crate) otlp_grpc: u16,
    /// Port that takes OTLP over HTTP.
    #[arg(long, default_value_t = 4318)]
    pub(crate) otlp_http: u16,
}

impl Ports {
    /// The ports that the processes of the site (without traces) listen on.
    pub(crate) fn of_site(&self) -> Vec<(&'static str, u16)> {
        let mut ports = vec![(GATEWAY, self.site)];
        ports.extend(
            SERVICES
                .iter()
                .zip(self.services..)
                .map(|((name, _), port)| (*name, port)),
        );
        ports
    }

    pub(crate) fn of_traces(&self) -> [(&'static str, u16); 3] {
        [
            ("ops-traces (UI)", self.traces),
            ("ops-traces (OTLP gRPC)", self.otlp_grpc),
            ("ops-traces (OTLP HTTP)", self.otlp_http),
        ]
    }
}

/// A run of the whole site.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    pub(crate) project: &'a Project,
    pub(crate) profile: Profile,
    pub(crate) ports: Ports,
    /// Where SQLite files and logs go.
    pub(crate) data: PathBuf,
    /// False: nobody takes the spans, so nobody is told to send any.
    pub(crate) with_traces: bool,
    /// Raises the limits per visitor, so that one machine can play many. For measurements only.
    pub(crate) unlimited: bool,
}

impl Site<'_> {
    pub(crate) fn traces(&self) -> Command {
        let mut command = self.program(TRACES);
        command
            .args(["--listen", &loopback(self.ports.traces)])
            .args(["--otlp-grpc-listen", &loopback(self.ports.otlp_grpc)])
            .args(["--otlp-http-listen", &loopback(self.ports.otlp_http)]);
        command
    }

    pub(crate) fn services(&self) -> Vec<(&'static str, Command)> {
        SERVICES
            .iter()
            .zip(self.ports.services..)
            .map(|((name, _), port)| {
                let mut command = self.program(name);
                command.args(["--listen", &loopback(port)]).args([
                    "--database-url",
                    &format!("sqlite:{}", self.database(name).display()),
                ]);
                (*name, command)
            })
            .collect()
    }

    pub(crate) fn gateway(&self) -> Command {
        let mut command = self.program(GATEWAY);
        command
            .args(["--listen", &loopback(self.ports.site)])
            .arg("--remotes-dir")
            .arg(self.project.root.join("remotes"));
        if self.unlimited {
            for limit in [
                "VISITOR_CALLS_MAX",
                "ADDRESS_CALLS_MAX",
                "ADDRESS_DOCUMENTS_MAX",
            ] {
                command.env(limit, "1000000");
            }
        }
        for ((_, package), port) in SERVICES.iter().zip(self.ports.services..) {
            command.args([
                "--upstream",
                &format!("{package}=http://{}", loopback(port)),
            ]);
        }
        command
    }

    pub(crate) fn log(&self, name: &str) -> PathBuf {
        self.data.join("logs").join(format!("{name}.log"))
    }

    fn database(&self, name: &str) -> PathBuf {
        self.data.join(format!("{name}.db"))
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.project.binary(self.profile, name));
        command.current_dir(&self.project.root);
        // A stray variable of the caller must not turn a local run into something else.
        for variable in [
            "LISTEN",
            "DATABASE_URL",
            "UPSTREAMS",
            "REMOTES_DIR",
            "API_HOST",
        ] {
            command.env_remove(variable);
        }
        let key_set = token::key_set(&self.data);
        if key_set.exists() {
            command.env("JWKS_FILE", key_set);
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

/// Those of the ports that somebody else listens on, with who it is when the kernel tells.
pub(crate) fn busy(ports: &[(&'static str, u16)]) -> Vec<String> {
    ports
        .iter()
        .filter(|(_, port)| {
            TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, *port))).is_err()
        })
        .map(|(name, port)| {
            let who = listener_of(*port).unwrap_or_else(|| "an unknown process".to_owned());
            format!("port {port} of {name} is taken by {who}")
        })
        .collect()
}

/// Name and pid of the process that listens on a TCP port, from /proc (only own processes unless root).
fn listener_of(port: u16) -> Option<String> {
    let inode = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .filter_map(|table| fs::read_to_string(table).ok())
        .find_map(|table| inode_in(&table, port))?;
    let wanted = format!("socket:[{inode}]");
    for process in fs::read_dir("/proc").ok()?.flatten() {
        // `/proc/self` and its like are the same processes once more.
        if process
            .file_name()
            .to_string_lossy()
            .parse::<u32>()
            .is_err()
        {
            continue;
        }
        let descriptors = fs::read_dir(process.path().join("fd"))
            .into_iter()
            .flatten()
            .flatten();
        let holds = descriptors
            .filter_map(|descriptor| fs::read_link(descriptor.path()).ok())
            .any(|target| target == Path::new(&wanted));
        if holds {
            let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            return Some(format!(
                "{} (pid {})",
                name.trim(),
                process.file_name().to_string_lossy()
            ));
        }
    }
    None
}

/// The inode of the listening socket of a port in the format of /proc/net/tcp.
fn inode_in(table: &str, port: u16) -> Option<String> {
    const LISTENING: &str = "0A";
    let suffix = format!(":{port:04X}");
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<_> = line.split_whitespace().collect();
        let matches = fields.get(1)?.ends_with(&suffix) && *fields.get(3)? == LISTENING;
        matches.then(|| fields.get(9).map(|inode| (*inode).to_owned()))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_named_with_its_owner() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let found = busy(&[("gateway", port)]);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].contains(&format!("port {port} of gateway")),
            "{found:?}"
        );
        assert!(
            found[0].contains(&format!("pid {}", std::process::id())),
            "{found:?}"
        );
    }

    #[test]
    fn a_free_port_is_not_busy() {
        let port = {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port()
        };
        assert!(busy(&[("gateway", port)]).is_empty());
    }

    #[test]
    fn only_listening_sockets_are_read() {
        let table = "  sl  local_address rem_address   st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode\n\
             0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000 0 0 111 1\n\
             1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 222 1\n";
        assert_eq!(inode_in(table, 8080).as_deref(), Some("222"));
    }
}
