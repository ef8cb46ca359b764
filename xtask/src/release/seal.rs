//! What proves a folder of artifacts: the statement of provenance, the checksums of all files, and their signature.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context as _, Result, bail};
use chrono::SecondsFormat;
use serde_json::{Value, json};

use super::{Release, artifacts::Wanted, command};
use crate::{page_packages::read_json, project::Project, publish::signing, shell};

/// Checksums of all other files except the signature, in the format of `sha256sum`.
const SUMS: &str = "SHA256SUMS";
/// Signature of the checksums, in base64.
const SIGNATURE: &str = "SHA256SUMS.sig";
/// Statement in the format of in-toto and SLSA.
const PROVENANCE: &str = "provenance.json";
/// Context line, signed in front of the checksums so that a signature is not valid for another purpose.
const CONTEXT: &str = "hospital release, checksums 1\n";
const STATEMENT: &str = "https://in-toto.io/Statement/v1";
const PREDICATE: &str = "https://slsa.dev/provenance/v1";
const BUILD_TYPE: &str = "urn:hospital:cargo-xtask-release:1";
const LOCKS: [&str; 2] = ["Cargo.lock", "package-lock.json"];

/// Folder of the page packages, and name of their list of components.
pub(super) const PAGES: &str = "pages";

/// Returns the path of an artifact's list of components.
pub(super) fn sbom_of(name: &str) -> String {
    format!("sbom/{name}.cdx.json")
}

/// Writes the statement, the checksums and the signature.
pub(super) fn seal(
    folder: &Path,
    release: &Release,
    wanted: &Wanted<'_>,
    key: &Path,
) -> Result<()> {
    let statement = statement(folder, release, wanted)?;
    let text = format!("{}\n", serde_json::to_string_pretty(&statement)?);
    fs::write(folder.join(PROVENANCE), text)?;
    let sums = sums(folder)?;
    let lines = sums.iter().map(|(path, sum)| {
        format!(
            "{sum}  {path}
"
        )
    });
    let lines = lines.collect::<Vec<_>>().concat();
    fs::write(folder.join(SUMS), &lines)?;
    let signature = sign(key, lines.into_bytes())?;
    Ok(fs::write(folder.join(SIGNATURE), signature)?)
}

/// Signs checksums. Fails if the file is not an Ed25519 key.
pub(super) fn sign(key: &Path, sums: Vec<u8>) -> Result<String> {
    signing::sign(key, CONTEXT, sums)
}

fn statement(folder: &Path, release: &Release, wanted: &Wanted<'_>) -> Result<Value> {
    let subjects = sums(folder)?;
    let subjects = subjects
        .iter()
        .map(|(path, sum)| json!({"name": path, "digest": {"sha256": sum}}));
    let mut materials = vec![json!({
        "uri": format!("git+refs/tags/v{}", release.version),
        "digest": {"gitCommit": release.commit},
    })];
    for lock in LOCKS {
        let text = fs::read(release.source().join(lock)).with_context(|| lock.to_owned())?;
        materials.push(json!({"uri": lock, "digest": {"sha256": sum_of(text)?}}));
    }
    let version = |program: &str| {
        let stated = shell::capture(&mut shell::command(folder, program, ["--version"]))?;
        Ok::<_, anyhow::Error>(stated.trim().to_owned())
    };
    let time =
        |time: chrono::DateTime<chrono::Utc>| time.to_rfc3339_opts(SecondsFormat::Secs, true);
    Ok(json!({
        "_type": STATEMENT,
        "subject": subjects.collect::<Vec<_>>(),
        "predicateType": PREDICATE,
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {"version": release.version, "profile": wanted.profile.name()},
                "resolvedDependencies": materials,
            },
            "runDetails": {
                // A person's machine, not a hosted builder: SLSA build level 1.
                "builder": {
                    "id": BUILD_TYPE,
                    "version": {"rustc": version("rustc")?, "node": version("node")?},
                },
                "metadata": {"startedOn": time(wanted.started), "finishedOn": time(command::now())},
            },
        },
    }))
}

/// Result of a verification.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) problems: Vec<String>,
    /// Facts, and what could not be checked in this clone.
    pub(super) notes: Vec<String>,
}

/// Checks the signature, every file, the statement and the lists of components.
///
/// # Errors
/// When the folder cannot be read. Wrong contents are in the report.
pub(super) fn verify(project: &Project, folder: &Path, public_key: &str) -> Result<Report> {
    let mut report = Report::default();
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let (stated, signature) = (read(SUMS)?, read(SIGNATURE)?);
    let signed = stated.clone().into_bytes();
    if let Err(problem) = signing::verify(public_key, CONTEXT, &signature, signed) {
        report.problems.push(format!("{SIGNATURE}: {problem}"));
    }
    let lines = stated.lines().filter_map(|line| line.split_once("  "));
    let stated: BTreeMap<_, _> = lines
        .map(|(sum, path)| (path.to_owned(), sum.to_owned()))
        .collect();
    let found = sums(folder)?;
    compare(&stated, &found, SUMS, &mut report.problems);
    match read_json(&folder.join(PROVENANCE)) {
        Ok(statement) => check_statement(project, &statement, &found, &mut report)?,
        Err(problem) => report.problems.push(format!("{PROVENANCE}: {problem:#}")),
    }
    for path in found.keys() {
        let Some((kind @ ("programs" | PAGES), name)) = path.split_once('/') else {
            continue;
        };
        let list = sbom_of(if kind == PAGES { PAGES } else { name });
        if !found.contains_key(&list) {
            report.problems.push(format!("{path}: {list} is missing"));
        }
    }
    Ok(report)
}

/// Names each file whose checksum is not the stated one.
fn compare(
    stated: &BTreeMap<String, String>,
    found: &BTreeMap<String, String>,
    source: &str,
    problems: &mut Vec<String>,
) {
    let paths: BTreeSet<_> = stated.keys().chain(found.keys()).collect();
    for path in paths {
        match (stated.get(path), found.get(path)) {
            (Some(one), Some(other)) if one == other => {}
            (Some(_), Some(_)) => problems.push(format!("{path}: changed ({source})")),
            (_, None) => problems.push(format!("{path}: missing ({source})")),
            (None, _) => problems.push(format!("{path}: not part of the release ({source})")),
        }
    }
}

/// Checks that the statement is about these files, and compares its commit with this clone's tag.
fn check_statement(
    project: &Project,
    statement: &Value,
    found: &BTreeMap<String, String>,
    report: &mut Report,
) -> Result<()> {
    if statement["_type"] != STATEMENT || statement["predicateType"] != PREDICATE {
        report
            .problems
            .push(format!("{PROVENANCE}: no statement of SLSA provenance 1"));
    }
    let subjects = statement["subject"].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let subjects = subjects.map(|one| (text(&one["name"]), text(&one["digest"]["sha256"])));
    let mut others = found.clone();
    others.remove(PROVENANCE);
    compare(
        &subjects.collect(),
        &others,
        PROVENANCE,
        &mut report.problems,
    );

    let build = &statement["predicate"]["buildDefinition"];
    let parameters = &build["externalParameters"];
    let version = text(&parameters["version"]);
    let materials = &build["resolvedDependencies"];
    let commit = text(&materials[0]["digest"]["gitCommit"]);
    let profile = text(&parameters["profile"]);
    report
        .notes
        .push(format!("{version} of {commit}, profile {profile}"));
    let tag = format!("refs/tags/v{version}^{{commit}}");
    let mut find = shell::command(&project.root, "git", ["rev-parse", "--verify", &tag]);
    let Ok(tagged) = shell::capture(&mut find) else {
        let note = format!("not checked: this clone has no tag v{version} (`git fetch --tags`)");
        report.notes.push(note);
        return Ok(());
    };
    if tagged.trim() != commit {
        let problem = format!(
            "{PROVENANCE}: built from {commit}, but the tag v{version} is {}",
            tagged.trim()
        );
        report.problems.push(problem);
        return Ok(());
    }
    for material in materials.as_array().into_iter().flatten().skip(1) {
        let lock = text(&material["uri"]);
        let file = format!("{commit}:{lock}");
        let stored = shell::capture(&mut shell::command(&project.root, "git", ["show", &file]))?;
        if material["digest"]["sha256"] != sum_of(stored.into_bytes())? {
            report
                .problems
                .push(format!("{PROVENANCE}: {lock} is not the tag's"));
        }
    }
    Ok(())
}

/// Returns the checksum of each file, except of the checksums and their signature.
fn sums(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut paths = Vec::new();
    files(folder, "", &mut paths)?;
    paths.retain(|path| path != SUMS && path != SIGNATURE);
    if paths.is_empty() {
        return Ok(BTreeMap::new());
    }
    let printed = shell::capture(shell::command(folder, "sha256sum", ["--"]).args(&paths))?;
    let lines = printed.lines().filter_map(|line| line.split_once("  "));
    Ok(lines
        .map(|(sum, path)| (path.to_owned(), sum.to_owned()))
        .collect())
}

fn sum_of(bytes: Vec<u8>) -> Result<String> {
    let mut command = shell::command(Path::new("."), "sha256sum", ["-"]);
    let printed = String::from_utf8(shell::feed(&mut command, bytes)?)?;
    let sum = printed
        .split_once(' ')
        .context("sha256sum prints no sum")?
        .0;
    Ok(sum.to_owned())
}

fn files(root: &Path, below: &str, found: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().context("a file name is not UTF-8")?;
        let path = if below.is_empty() {
            name.to_owned()
        } else {
            format!("{below}/{name}")
        };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            files(root, &path, found)?;
        } else if kind.is_file() {
            found.push(path);
        } else {
            bail!("{path} is neither a file nor a folder");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{path::PathBuf, process::Command};

    use super::*;
    use crate::project::Profile;

    /// A sealed folder of artifacts, in a repository whose tag it is built from.
    struct Sealed {
        scratch: tempfile::TempDir,
        project: Project,
        public_key: String,
    }

    impl Sealed {
        fn new() -> Self {
            let scratch = tempfile::tempdir().unwrap();
            let project = Project {
                root: scratch.path().join("source"),
                target: scratch.path().join("target"),
                ..Project::find().unwrap()
            };
            fs::create_dir(&project.root).unwrap();
            for lock in LOCKS {
                fs::write(project.root.join(lock), lock).unwrap();
            }
            let script = "git init --quiet && git add . \
                && git -c user.name=A -c user.email=a@b.example -c commit.gpgSign=false commit --quiet -m a \
                && git -c tag.gpgSign=false tag v1.1.0 && git rev-parse HEAD";
            let commit = shell::capture(&mut shell::command(&project.root, "sh", ["-c", script]));
            let release = Release {
                version: "1.1.0".to_owned(),
                commit: commit.unwrap().trim().to_owned(),
                folder: scratch.path().to_path_buf(),
            };
            let wanted = Wanted {
                version: "1.1.0",
                profile: Profile::Dev,
                has_images: false,
                started: command::now(),
            };
            for path in [
                "artifacts/programs/gateway",
                "artifacts/pages/booking-1.1.0-ab.tar.gz",
                "artifacts/sbom/gateway.cdx.json",
                "artifacts/sbom/pages.cdx.json",
            ] {
                let path = scratch.path().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, path.to_str().unwrap()).unwrap();
            }
            let (key, public_key) = new_key(scratch.path());
            let sealed = Self {
                scratch,
                project,
                public_key,
            };
            seal(&sealed.folder(), &release, &wanted, &key).unwrap();
            sealed
        }

        fn folder(&self) -> PathBuf {
            self.scratch.path().join("artifacts")
        }

        fn problems(&self) -> Vec<String> {
            verify(&self.project, &self.folder(), &self.public_key)
                .unwrap()
                .problems
        }
    }

    /// Creates a key as the guide does. Returns its file and the public key.
    fn new_key(folder: &Path) -> (PathBuf, String) {
        let script = "openssl genpkey -algorithm ed25519 -out release.pem \
                    && openssl pkey -in release.pem -pubout -outform DER | tail -c 32 | base64";
        let made = Command::new("sh")
            .args(["-c", script])
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        let public_key = String::from_utf8(made.stdout).unwrap().trim().to_owned();
        (folder.join("release.pem"), public_key)
    }

    #[test]
    fn a_sealed_folder_is_as_released_until_a_file_changes() {
        let sealed = Sealed::new();
        assert_eq!(sealed.problems(), [""; 0]);
        let folder = sealed.folder();
        fs::write(folder.join("programs/gateway"), "other").unwrap();
        fs::remove_file(folder.join("sbom/pages.cdx.json")).unwrap();
        fs::write(folder.join("pages/more"), "").unwrap();
        let problems = sealed.problems().join("\n");
        for expected in [
            "programs/gateway: changed (SHA256SUMS)",
            "programs/gateway: changed (provenance.json)",
            "sbom/pages.cdx.json: missing (SHA256SUMS)",
            "pages/more: not part of the release (SHA256SUMS)",
            "booking-1.1.0-ab.tar.gz: sbom/pages.cdx.json is missing",
        ] {
            assert!(problems.contains(expected), "{expected}: {problems}");
        }
    }

    #[test]
    fn new_checksums_need_the_key() {
        let mut sealed = Sealed::new();
        let sums_file = sealed.folder().join(SUMS);
        let text = fs::read_to_string(&sums_file).unwrap();
        fs::write(&sums_file, format!("{text}\n")).unwrap();
        let problems = sealed.problems();
        assert_eq!(problems.len(), 1);
        assert!(
            problems[0].starts_with("SHA256SUMS.sig: the signature is not"),
            "{problems:?}"
        );
        fs::write(&sums_file, text).unwrap();
        sealed.public_key = new_key(sealed.scratch.path()).1;
        assert!(sealed.problems()[0].starts_with("SHA256SUMS.sig: the signature is not"));
    }

    #[test]
    fn the_commit_is_compared_with_the_tag() {
        let sealed = Sealed::new();
        let root = &sealed.project.root;
        let tag = |script| shell::capture(&mut shell::command(root, "sh", ["-c", script])).unwrap();
        tag("git tag --delete v1.1.0");
        let report = verify(&sealed.project, &sealed.folder(), &sealed.public_key).unwrap();
        assert!(
            report.problems.is_empty() && report.notes[1].contains("no tag v1.1.0"),
            "{report:?}"
        );
        tag(
            "git -c user.name=A -c user.email=a@b.example -c commit.gpgSign=false commit --quiet --allow-empty -m b \
             && git -c tag.gpgSign=false tag v1.1.0",
        );
        let problems = sealed.problems();
        assert!(
            problems[0].contains("but the tag v1.1.0 is"),
            "{problems:?}"
        );
    }
}
