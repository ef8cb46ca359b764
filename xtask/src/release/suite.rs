//! The release's store suites, run on the schemas of this tree: the release must still work on a database that this
//! tree has migrated.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use super::{Release, programs};
use crate::project::Project;

const MIGRATIONS: &str = "migrations";
/// Package whose migrations every service runs before its own.
const STORE_KIT: &str = "store-kit";
/// Test programs that use databases; a service may lack some of them. Test programs for mail and load are left out,
/// because they do not depend on a schema.
const SUITES: [&str; 3] = ["conformance", "integration", "records"];

/// Texts of migrations, by path below their folder.
type Schema = BTreeMap<PathBuf, String>;

impl Release {
    /// Returns the services whose schema differs from the release's.
    pub(crate) fn changed_schemas(&self, project: &Project) -> Result<Vec<String>> {
        let is_changed = |package: &str| -> Result<bool> {
            Ok(schema(&project.root, package)? != schema(&self.source(), package)?)
        };
        let is_kit_changed = is_changed(STORE_KIT)?;
        let mut changed = Vec::new();
        for service in &project.services {
            // A service that the release lacks stores nothing that the release reads.
            let is_known = self.source().join(&service.name).exists();
            if is_known && (is_kit_changed || is_changed(&service.name)?) {
                changed.push(service.name.clone());
            }
        }
        Ok(changed)
    }

    /// Prepares and returns the command that runs the release's test programs of these services with the migrations of
    /// this tree. It uses a separate folder: other steps must not run programs built with these migrations.
    pub(crate) fn suites(&self, project: &Project, services: &[String]) -> Result<Vec<String>> {
        let beside = Self {
            version: self.version.clone(),
            commit: self.commit.clone(),
            folder: self
                .folder
                .with_file_name(format!("suite-{}", self.version)),
        };
        beside.check_out(project)?;
        for package in services.iter().map(String::as_str).chain([STORE_KIT]) {
            replace(&project.root, &beside.source(), package)?;
        }
        programs::seed(&beside, project)?;
        let manifest = beside.source().join("Cargo.toml");
        let mut line = ["cargo", "test", "--quiet", "--locked"]
            .map(str::to_owned)
            .to_vec();
        // These sources never change.
        line.extend(["--config", "build.incremental=false"].map(str::to_owned));
        line.push(format!("--manifest-path={}", manifest.display()));
        line.push(format!("--target-dir={}", beside.target().display()));
        line.extend(
            services
                .iter()
                .map(|service| format!("--package={service}")),
        );
        for suite in SUITES {
            let main = format!("tests/{suite}/main.rs");
            let has = |service: &String| beside.source().join(service).join(&main).exists();
            if services.iter().any(has) {
                line.push(format!("--test={suite}"));
            }
        }
        Ok(line)
    }
}

/// Replaces the migrations of a package with those of this tree. Migrations that only the release has are removed, too:
/// keeping them would hide that this tree has withdrawn them.
fn replace(from: &Path, to: &Path, package: &str) -> Result<()> {
    let folder = to.join(package).join(MIGRATIONS);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for (path, text) in schema(from, package)? {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().context("a migration is in a folder")?)?;
        fs::write(file, text)?;
    }
    Ok(())
}

fn schema(root: &Path, package: &str) -> Result<Schema> {
    let folder = root.join(package).join(MIGRATIONS);
    let mut found = Schema::new();
    for database in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let database = database?;
        for file in fs::read_dir(database.path())? {
            let file = file?;
            let path = Path::new(&database.file_name()).join(file.file_name());
            found.insert(path, fs::read_to_string(file.path())?);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let file = root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Returns a tree and a release with equal schemas.
    fn pair(folder: &Path) -> (Project, Release) {
        let project = Project {
            root: folder.join("tree"),
            ..Project::find().unwrap()
        };
        let release = Release {
            version: "1".to_owned(),
            commit: String::new(),
            folder: folder.join("release"),
        };
        let services = project.services.iter().map(|service| service.name.as_str());
        for package in services.chain([STORE_KIT]) {
            let path = format!("{package}/migrations/sqlite/0001_first.sql");
            write(&project.root, &path, "CREATE TABLE a (b)");
            write(&release.source(), &path, "CREATE TABLE a (b)");
        }
        (project, release)
    }

    #[test]
    fn a_changed_schema_selects_its_service_and_the_kits_selects_all() {
        let folder = tempfile::tempdir().unwrap();
        let (project, release) = pair(folder.path());
        let changed = || release.changed_schemas(&project).unwrap();
        assert!(changed().is_empty());
        let more = "svc-booking/migrations/sqlite/0002_more.sql";
        write(&project.root, more, "CREATE TABLE c (d)");
        assert_eq!(changed(), ["svc-booking"]);
        let kit = "store-kit/migrations/sqlite/0001_first.sql";
        write(&project.root, kit, "CREATE TABLE a (c)");
        assert_eq!(changed().len(), project.services.len());
    }

    #[test]
    fn skips_services_that_the_release_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let (project, release) = pair(folder.path());
        fs::remove_dir_all(release.source().join("svc-content")).unwrap();
        assert!(release.changed_schemas(&project).unwrap().is_empty());
    }

    #[test]
    fn replaces_migrations_with_those_of_this_tree() {
        let folder = tempfile::tempdir().unwrap();
        let (project, release) = pair(folder.path());
        write(
            &project.root,
            "svc-booking/migrations/postgres/0002_more.sql",
            "SELECT 1",
        );
        write(
            &release.source(),
            "svc-booking/migrations/sqlite/0002_gone.sql",
            "SELECT 2",
        );
        replace(&project.root, &release.source(), "svc-booking").unwrap();
        assert_eq!(
            schema(&release.source(), "svc-booking").unwrap(),
            schema(&project.root, "svc-booking").unwrap()
        );
    }
}
