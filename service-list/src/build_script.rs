//! Build script output for Cargo, so that a program's defaults come from the service list.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::{ListError, Service, read};

/// Sets `SERVICE_LISTEN`, `SERVICE_OPERATORS_LISTEN` and `SERVICE_DATABASE_URL` for `env!`, from the entry with the
/// package's name. For a service's build script. Fails when there is no such entry.
pub fn service_defaults() -> Result<(), ListError> {
    let manifest = root_manifest()?;
    let name = cargo_variable("CARGO_PKG_NAME")?;
    let services = read(&manifest)?;
    match services.iter().find(|service| service.name == name) {
        Some(service) => say(&manifest, &of_service(service)),
        None => {
            return Err(ListError::Unlisted {
                path: manifest,
                name,
            });
        }
    }
    Ok(())
}

/// Sets `UPSTREAMS_DEFAULT` for `env!`, every service as `package=http://address`, and `OFFERS_DEFAULT`, every service
/// as `package=words`; both comma separated. For the gateway's build script.
pub fn upstream_defaults() -> Result<(), ListError> {
    let manifest = root_manifest()?;
    let services = read(&manifest)?;
    let defaults = [
        ("UPSTREAMS_DEFAULT", upstreams(&services)),
        ("OFFERS_DEFAULT", offers(&services)),
    ];
    say(&manifest, &defaults);
    Ok(())
}

fn of_service(service: &Service) -> [(&'static str, String); 3] {
    [
        ("SERVICE_LISTEN", service.address().to_string()),
        (
            "SERVICE_OPERATORS_LISTEN",
            service.operators_address().to_string(),
        ),
        ("SERVICE_DATABASE_URL", service.database_url.clone()),
    ]
}

fn upstreams(services: &[Service]) -> String {
    let addresses: Vec<_> = services
        .iter()
        .map(|service| format!("{}=http://{}", service.package, service.address()))
        .collect();
    addresses.join(",")
}

fn offers(services: &[Service]) -> String {
    let offers: Vec<_> = services
        .iter()
        .map(|service| format!("{}={}", service.package, service.offers))
        .collect();
    offers.join(",")
}

fn say(manifest: &Path, variables: &[(&str, String)]) {
    println!("cargo::rerun-if-changed={}", manifest.display());
    for (name, value) in variables {
        println!("cargo::rustc-env={name}={value}");
    }
}

/// Returns the path of the root manifest, which is in a folder above every calling package.
fn root_manifest() -> Result<PathBuf, ListError> {
    let package = PathBuf::from(cargo_variable("CARGO_MANIFEST_DIR")?);
    let mut manifests = package.ancestors().skip(1).map(|at| at.join("Cargo.toml"));
    let is_root = |path: &PathBuf| {
        fs::read_to_string(path).is_ok_and(|text| text.contains("[workspace.metadata]"))
    };
    Ok(manifests
        .find(is_root)
        .unwrap_or_else(|| package.join("../Cargo.toml")))
}

fn cargo_variable(name: &'static str) -> Result<String, ListError> {
    env::var(name).map_err(|_| ListError::NotABuild(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(name: &str, port: u16) -> Service {
        Service {
            name: format!("svc-{name}"),
            package: format!("{name}.v1"),
            port,
            operators_port: port + 1,
            database_url: format!("sqlite:data/{name}.db"),
            offers: format!("All of {name}"),
        }
    }

    #[test]
    fn a_service_gets_its_own_entry() {
        assert_eq!(
            of_service(&service("a", 10)).map(|(_, value)| value),
            ["127.0.0.1:10", "127.0.0.1:11", "sqlite:data/a.db"]
        );
    }

    #[test]
    fn the_gateway_gets_all_of_them() {
        let services = [service("a", 10), service("b", 20)];
        assert_eq!(
            upstreams(&services),
            "a.v1=http://127.0.0.1:10,b.v1=http://127.0.0.1:20"
        );
        assert_eq!(offers(&services), "a.v1=All of a,b.v1=All of b");
    }
}
