//! The list of services in the root manifest must name every existing service, and no other.

use std::collections::BTreeSet;

use service_list::Service;

use super::SourceFile;

pub(super) fn check(files: &[SourceFile], services: &[Service]) -> Vec<String> {
    let packages: BTreeSet<_> = files
        .iter()
        .filter_map(|file| file.path.strip_suffix("/Cargo.toml"))
        // Packages inside a service's folder are tools of its team.
        .filter(|folder| folder.starts_with("svc-") && !folder.contains('/'))
        .collect();
    let listed: BTreeSet<_> = services
        .iter()
        .map(|service| service.name.as_str())
        .collect();
    let unlisted = packages
        .difference(&listed)
        .map(|name| format!("Cargo.toml: {name} is missing in workspace.metadata.services"));
    let absent = listed.difference(&packages).map(|name| {
        format!("Cargo.toml: workspace.metadata.services names {name}, which is not a package")
    });
    let without_contract = services.iter().filter_map(|service| {
        let folder = format!("proto/{}/", service.package.replace('.', "/"));
        let there = files.iter().any(|file| file.path.starts_with(&folder));
        (!there).then(|| format!("Cargo.toml: {} has no contract in {folder}", service.name))
    });
    unlisted.chain(absent).chain(without_contract).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(paths: &[&str]) -> Vec<String> {
        let file = |path: &&str| SourceFile::new(path, "");
        let booking = Service {
            name: "svc-booking".to_owned(),
            package: "hospital.booking.v1".to_owned(),
            port: 1,
            operators_port: 2,
            database_url: "sqlite:b.db".to_owned(),
            offers: "Booking".to_owned(),
        };
        check(&paths.iter().map(file).collect::<Vec<_>>(), &[booking])
    }

    #[test]
    fn list_packages_and_contracts_agree() {
        let package = "svc-booking/Cargo.toml";
        let contract = "proto/hospital/booking/v1/booking.proto";
        assert_eq!(problems(&[package, contract]), Vec::<String>::new());
        assert_eq!(problems(&[package]).len(), 1);
        assert_eq!(problems(&[contract]).len(), 1);
        assert_eq!(
            problems(&[package, contract, "svc-new/Cargo.toml"]).len(),
            1
        );
    }
}
