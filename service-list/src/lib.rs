//! The services of the workspace. The root manifest lists them once, under `[workspace.metadata]`. Build scripts turn
//! the list into default flags, and developer commands start the listed services. No program links this crate at run
//! time.

mod build_script;

use std::{
    collections::BTreeSet,
    fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
};

use serde::Deserialize;

pub use build_script::{service_defaults, upstream_defaults};

/// Maximum number of services: each takes two ports of a laptop, and one channel per worker of the gateway.
pub const SERVICES_MAX: u16 = 32;

/// One service, and its address on a laptop.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// Name of the package, program and folder.
    pub name: String,
    /// Proto package by which the gateway finds the service.
    pub package: String,
    /// RPC port, not 0.
    pub port: u16,
    /// Port of probes and metrics, not 0.
    pub operators_port: u16,
    /// Database on a laptop: `sqlite:` and a path relative to the root, or a `postgres:` URL.
    pub database_url: String,
    /// The service's purpose in visitors' words, shown on the site's page `/status`: a few words without comma or
    /// equals sign.
    pub offers: String,
}

impl Service {
    /// Returns the loopback address of the RPC port.
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// Returns the loopback address of probes and metrics.
    pub fn operators_address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.operators_port).into()
    }
}

/// Why the list cannot be read. Each error names the manifest and what it must contain.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: {message}", path.display())]
    Malformed { path: PathBuf, message: String },
    #[error("workspace.metadata.services of {}: {message}", path.display())]
    Impossible { path: PathBuf, message: String },
    #[error("workspace.metadata.services of {} has no service `{name}`", path.display())]
    Unlisted { path: PathBuf, name: String },
    #[error("{0} is not set: this is for a build script that Cargo runs")]
    NotABuild(&'static str),
}

#[derive(Deserialize)]
struct Manifest {
    workspace: Workspace,
}

#[derive(Deserialize)]
struct Workspace {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    services: Vec<Service>,
}

/// Reads the services in the order of the manifest: 1 to 32, without duplicate names, proto packages or ports.
pub fn read(manifest: &Path) -> Result<Vec<Service>, ListError> {
    let path = manifest.to_path_buf();
    let text = match fs::read_to_string(manifest) {
        Ok(text) => text,
        Err(source) => return Err(ListError::Unreadable { path, source }),
    };
    let services = match toml::from_str::<Manifest>(&text) {
        Ok(manifest) => manifest.workspace.metadata.services,
        Err(error) => {
            let message = error.to_string();
            return Err(ListError::Malformed { path, message });
        }
    };
    match impossible(&services) {
        None => Ok(services),
        Some(message) => Err(ListError::Impossible { path, message }),
    }
}

fn impossible(services: &[Service]) -> Option<String> {
    if services.is_empty() || services.len() > usize::from(SERVICES_MAX) {
        return Some(format!(
            "{} services, expected 1 to {SERVICES_MAX}",
            services.len()
        ));
    }
    let mut seen = BTreeSet::new();
    let mut ports = BTreeSet::new();
    for service in services {
        for text in [&service.name, &service.package] {
            if text.is_empty() || !seen.insert(text) {
                return Some(format!("`{text}` is empty or stands there twice"));
            }
        }
        for port in [service.port, service.operators_port] {
            if port == 0 || !ports.insert(port) {
                return Some(format!(
                    "{}: port {port} is 0 or stands there twice",
                    service.name
                ));
            }
        }
        if service.offers.is_empty() || service.offers.contains([',', '=']) {
            return Some(format!(
                "{}: offers `{}` is empty or has a comma or an equals sign",
                service.name, service.offers
            ));
        }
        let database = &service.database_url;
        if !database.starts_with("sqlite:") && !database.starts_with("postgres:") {
            return Some(format!(
                "{}: database_url `{database}` begins with neither `sqlite:` nor `postgres:`",
                service.name
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOKING: &str = "name = 'svc-booking', package = 'hospital.booking.v1', port = 50052";

    fn parsed(entries: &[&str]) -> Result<Vec<Service>, String> {
        let folder = tempfile::tempdir().unwrap();
        let manifest = folder.path().join("Cargo.toml");
        let list = entries.join(" }, { ");
        let text = format!("[workspace.metadata]\nservices = [{{ {list} }}]\n");
        fs::write(&manifest, text).unwrap();
        read(&manifest).map_err(|error| error.to_string())
    }

    #[test]
    fn keeps_the_order_and_derives_addresses() {
        let services = parsed(&[
            &format!("{BOOKING}, operators_port = 9092, database_url = 'sqlite:b.db', offers = 'Booking'"),
            "name = 'a', package = 'a.v1', port = 1, operators_port = 2, database_url = 'postgres://x/y', offers = 'Y'",
        ])
        .unwrap();
        assert_eq!(services[0].address().to_string(), "127.0.0.1:50052");
        assert_eq!(
            services[0].operators_address().to_string(),
            "127.0.0.1:9092"
        );
        assert_eq!(services[1].name, "a");
    }

    #[test]
    fn refuses_an_invalid_list_with_its_reason() {
        let rest = "operators_port = 9092, database_url = 'sqlite:b.db', offers = 'Booking'";
        let booking = format!("{BOOKING}, {rest}");
        for (entries, reason) in [
            (vec![BOOKING.to_owned()], "operators_port"),
            (vec![format!("{booking}, prot = 1")], "prot"),
            (vec![booking.replace("50052", "0")], "port 0"),
            (vec![booking.replace("50052", "9092")], "port 9092"),
            (vec![booking.replace("'Booking'", "'A, b'")], "`A, b`"),
            (vec![booking.replace("sqlite:", "mysql:")], "mysql:b.db"),
            (vec![booking.clone(), booking.clone()], "`svc-booking`"),
        ] {
            let entries: Vec<_> = entries.iter().map(String::as_str).collect();
            let error = parsed(&entries).unwrap_err();
            assert!(error.contains(reason), "{reason}: {error}");
        }
    }

    #[test]
    fn the_workspaces_list_is_valid() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
        assert!(read(&manifest).unwrap().len() >= 4);
    }
}
