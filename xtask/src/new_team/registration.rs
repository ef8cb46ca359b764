//! The two lines of the root manifest that register a team.

use anyhow::{Context, Result, ensure};
use service_list::{SERVICES_MAX, Service};

use super::name::TeamName;

/// Prefixes of a workspace member and of an entry in the list of services; a new line goes below the last of its kind.
const MEMBER: &str = "    \"svc-";
const ENTRY: &str = "    { name = \"svc-";

/// Returns the root manifest with a new service, and that service. Comments and all other text are unchanged. Fails if
/// the list is full or the manifest does not have the expected form.
pub(super) fn register(
    manifest: &str,
    services: &[Service],
    team: &TeamName,
) -> Result<(String, Service)> {
    let service = next_service(services, team)?;
    let Service {
        name,
        package,
        port,
        operators_port,
        database_url,
        offers,
    } = &service;
    let member = format!("    \"{name}\",");
    let entry = format!(
        "    {{ name = \"{name}\", package = \"{package}\", port = {port}, operators_port = {operators_port}, \
         database_url = \"{database_url}\", offers = \"{offers}\" }},"
    );
    let with_member = below_the_last(manifest, MEMBER, &member)?;
    let with_both = below_the_last(&with_member, ENTRY, &entry)?;
    Ok((with_both, service))
}

fn next_service(services: &[Service], team: &TeamName) -> Result<Service> {
    ensure!(
        services.len() < usize::from(SERVICES_MAX),
        "there are {} services, and {SERVICES_MAX} is the limit",
        services.len()
    );
    let port = next(services.iter().map(|service| service.port))?;
    let operators_port = next(services.iter().map(|service| service.operators_port))?;
    ensure!(
        services
            .iter()
            .all(|service| service.port != operators_port && service.operators_port != port),
        "the ports {port} and {operators_port} are not free"
    );
    let name = team.as_str();
    Ok(Service {
        name: format!("svc-{name}"),
        package: format!("hospital.{name}.v1"),
        port,
        operators_port,
        database_url: format!("sqlite:data/svc-{name}.db"),
        offers: team.fill("@Team@"),
    })
}

/// Returns the port above the highest one.
fn next(ports: impl Iterator<Item = u16>) -> Result<u16> {
    let highest = ports.max().context("there is a service")?;
    highest.checked_add(1).context("there is no higher port")
}

fn below_the_last(text: &str, start: &str, line: &str) -> Result<String> {
    let lines: Vec<_> = text.lines().collect();
    let last = lines.iter().rposition(|line| line.starts_with(start));
    let last = last.with_context(|| format!("no line of Cargo.toml begins with `{start}`"))?;
    let (before, after) = lines.split_at(last + 1);
    let all = before.iter().chain([&line]).chain(after);
    Ok(all.fold(String::new(), |text, line| text + line + "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Project;

    fn pharmacy() -> TeamName {
        "pharmacy".parse().unwrap()
    }

    #[test]
    fn the_manifest_of_this_tree_gets_two_lines_and_reads_as_one_more_service() {
        let project = Project::find().unwrap();
        let old = std::fs::read_to_string(project.root.join("Cargo.toml")).unwrap();
        let (new, registered) = register(&old, &project.services, &pharmacy()).unwrap();
        assert_eq!(new.lines().count(), old.lines().count() + 2);
        assert!(new.contains("\n    \"svc-pharmacy\",\n"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Cargo.toml");
        std::fs::write(&file, &new).unwrap();
        let services = service_list::read(&file).unwrap();
        let (added, before) = services.split_last().unwrap();
        assert_eq!(before, project.services);
        assert_eq!(added, &registered);
        assert_eq!(added.name, "svc-pharmacy");
        assert_eq!(added.offers, "Pharmacy");
    }

    #[test]
    fn a_full_list_and_a_manifest_of_another_shape_are_refused() {
        let service = |number: u16| Service {
            name: format!("svc-{number}"),
            package: format!("p{number}"),
            port: number,
            operators_port: 1000 + number,
            database_url: "sqlite:a.db".to_owned(),
            offers: "Everything".to_owned(),
        };
        let all: Vec<_> = (1..=SERVICES_MAX).map(service).collect();
        let full = register("", &all, &pharmacy()).unwrap_err().to_string();
        assert!(full.contains("32 is the limit"), "{full}");
        let shape = register("[workspace]\n", &all[..1], &pharmacy()).unwrap_err();
        assert!(shape.to_string().contains("no line of Cargo.toml"));
    }
}
