//! `publish`: builds and verifies one package, copies it to an immutable folder, and only then moves the pointer.

pub(crate) mod pointer;
pub(crate) mod remotes;
pub(crate) mod signing;
mod store;
mod verification;

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

pub(crate) use self::{pointer::Move, verification::current_gateway};
use self::{
    store::{Place, PlaceOptions},
    verification::Check,
};
use crate::{
    page_contract::Contract,
    page_packages::{PagePackage, read_json},
    project::Project,
    shell,
};

/// File name of a published folder's integrity manifest.
const INTEGRITY: &str = "integrity.json";
const SIGNATURE: &str = "integrity.sig";

#[derive(Debug, clap::Args)]
#[group(id = "PublishOptions")]
pub(crate) struct Options {
    /// `shell`, or the team's name, for example `booking`.
    name: String,
    /// Point to this already published version instead of building.
    #[arg(long)]
    version: Option<String>,
    /// Publish this folder, built elsewhere by `hospital-build`, instead of building.
    #[arg(long, value_name = "FOLDER", conflicts_with = "version")]
    built: Option<PathBuf>,
    /// Serve the new version for this percentage of documents only, 1 to 99. The rest stay on the live version.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=99))]
    canary: Option<u8>,
    /// The team's private key, Ed25519 as PKCS#8 in PEM. Signs the published version and the pointer to it. Without a
    /// key the pointer is unsigned, and gateways with `REMOTES_KEYS` do not follow it.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceOptions,
}

#[derive(Debug, clap::Args)]
#[group(id = "RollbackOptions")]
pub(crate) struct Rollback {
    /// `shell`, or the team's name.
    name: String,
    /// Private key that signs the pointer: any key in the team's list, such as its own or the on-call engineer's.
    /// Gateways with `REMOTES_KEYS` follow no other pointer.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceOptions,
}

pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let place = Place::open(project, &options.place)?;
    let project = place.project();
    let package = PagePackage::named(project, &options.name)?;
    let name = &package.name;
    let key = options.key.as_deref().map(absolute).transpose()?;
    let key = key.as_deref();
    let version = if let Some(version) = &options.version {
        check_version(version).context("--version")?;
        place.fetch(name, version)?;
        let folder = published(project, name, version);
        ensure!(
            folder.join("module.json").exists(),
            "{name} {version} was never published here"
        );
        version.clone()
    } else {
        let dist = match &options.built {
            Some(built) => built
                .canonicalize()
                .with_context(|| format!("cannot read {}", built.display()))?,
            None => build(project, &package)?,
        };
        let check = Check {
            gateway: current_gateway(project)?,
            has_budget: true,
        };
        let version = add_folder(project, &package, &dist, &check, key)?;
        place.upload(name, &version)?;
        version
    };
    let to = match options.canary {
        Some(percent) => Move::Canary(&version, percent),
        None => Move::Stable(&version),
    };
    place.moving(|| point(project, name, to, key))?;
    match options.canary {
        Some(percent) => println!("{name} {version} makes {percent} % of the documents"),
        None => println!("{name} is {version}"),
    }
    for old in place.remove_old(name)? {
        println!("{name} {old} was last named 30 days ago and is removed");
    }
    Ok(())
}

/// Builds a package of this tree and returns the folder.
fn build(project: &Project, package: &PagePackage) -> Result<PathBuf> {
    let folder = package.folder.to_string_lossy().into_owned();
    let arguments = ["run", "--silent", "build", "-w", folder.as_str()];
    shell::run(&mut shell::command(&project.root, "npm", arguments))?;
    Ok(package.dist())
}

/// Ends the canary, or returns to the previous version. Nothing is built.
pub(crate) fn roll_back(project: &Project, options: &Rollback) -> Result<()> {
    let place = Place::open(project, &options.place)?;
    let name = &options.name;
    let key = options.key.as_deref().map(absolute).transpose()?;
    let back = || pointer::move_to(place.project(), name, Move::Back, None, key.as_deref());
    let version = place.moving(back)?;
    println!("{name} is {version} again");
    Ok(())
}

/// Makes a key's path absolute, because commands may run in other folders.
fn absolute(key: &Path) -> Result<PathBuf> {
    key.canonicalize()
        .with_context(|| format!("cannot read {}", key.display()))
}

/// Publishes the package's `dist/` and returns the version. Idempotent.
pub(crate) fn publish_built(
    project: &Project,
    package: &PagePackage,
    gateway: &Path,
) -> Result<String> {
    let check = Check {
        gateway: gateway.to_owned(),
        has_budget: true,
    };
    let version = add_folder(project, package, &package.dist(), &check, None)?;
    if pointer::stable(project, &package.name).as_ref() != Some(&version) {
        point(project, &package.name, Move::Stable(&version), None)?;
    }
    Ok(version)
}

/// Publishes a built folder of work in progress and returns the version.
pub(crate) fn publish_work(
    project: &Project,
    package: &PagePackage,
    dist: &Path,
) -> Result<String> {
    // Quick compression makes its sizes meaningless.
    let check = Check {
        gateway: verification::gateway(project)?,
        has_budget: false,
    };
    let version = add_folder(project, package, dist, &check, None)?;
    point(project, &package.name, Move::Work(&version), None)?;
    Ok(version)
}

/// Moves a pointer to an existing folder. With a key the pointer is signed.
pub(crate) fn point(project: &Project, name: &str, to: Move<'_>, key: Option<&Path>) -> Result<()> {
    let manifest = to
        .version()
        .map(|version| published(project, name, version).join(INTEGRITY));
    // Folders published by older tools have no manifest.
    let manifest = manifest.filter(|file| file.exists());
    let digest = manifest.map(|file| verification::digest(&file));
    pointer::move_to(project, name, to, digest.transpose()?.as_deref(), key).map(drop)
}

/// Verifies a built folder, publishes it and returns the version. A version that is already published and signed by
/// this key is not touched.
fn add_folder(
    project: &Project,
    package: &PagePackage,
    dist: &Path,
    check: &Check,
    key: Option<&Path>,
) -> Result<String> {
    let name = &package.name;
    let version = check_declaration(dist, name, &Contract::of(project)?)?;
    let folder = published(project, name, &version);
    if folder.join("module.json").exists() && verification::is_sealed(&folder, key)? {
        return Ok(version);
    }
    verification::verify(project, dist, check)
        .with_context(|| format!("{name} {version} is not published"))?;
    put(project, name, &version, dist, key)?;
    Ok(version)
}

/// Publishes a built folder. If the same version is already published, only its signature is replaced, because gateways
/// may be reading the other files.
///
/// # Errors
/// When the version is already published with other bytes.
fn put(
    project: &Project,
    name: &str,
    version: &str,
    dist: &Path,
    key: Option<&Path>,
) -> Result<()> {
    let folder = published(project, name, version);
    // No version may start with a dot, so a partial copy is never taken for a version.
    let unfinished = published(project, name, &format!(".unfinished-{version}"));
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished)?;
    }
    copy(dist, &unfinished)?;
    verification::seal(&unfinished, key)?;
    for written in [INTEGRITY, SIGNATURE] {
        let written = unfinished.join(written);
        if written.exists() {
            File::open(written)?.sync_all()?;
        }
    }
    let known = folder.join(INTEGRITY);
    if known.exists() {
        ensure!(
            fs::read(known)? == fs::read(unfinished.join(INTEGRITY))?,
            "{name} {version} was published before with other bytes: a new build needs a new version"
        );
        if key.is_some() {
            fs::rename(unfinished.join(SIGNATURE), folder.join(SIGNATURE))?;
        }
        return Ok(fs::remove_dir_all(&unfinished)?);
    }
    // A partial copy, or a folder of older tools, which wrote no manifest.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    Ok(fs::rename(&unfinished, &folder)?)
}

/// Returns the published folder of a package's version.
pub(crate) fn published(project: &Project, name: &str, version: &str) -> PathBuf {
    project.remotes.join(name).join(version)
}

/// Checks name, contract and version in `module.json`, and returns the version.
fn check_declaration(dist: &Path, name: &str, contract: &Contract) -> Result<String> {
    let declaration = read_json(&dist.join("module.json"))?;
    ensure!(
        declaration["name"] == name,
        "module.json has the name {}, its folder {name}",
        declaration["name"]
    );
    ensure!(
        contract.supports(&declaration["contract"]),
        "module.json states contract {}, which the gateway of this tree does not serve",
        declaration["contract"]
    );
    let version = declaration["version"].as_str().unwrap_or_default();
    check_version(version).context("module.json")?;
    Ok(version.to_owned())
}

fn check_version(version: &str) -> Result<()> {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-._+".contains(letter);
    ensure!(
        !version.is_empty() && !version.starts_with('.') && version.chars().all(allowed),
        "no version that can name a folder: {version:?}"
    );
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
            File::open(&target)?.sync_all()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Returns the contract of this tree.
    fn contract() -> Contract {
        Contract::of(&Project::find().unwrap()).unwrap()
    }

    #[test]
    fn refuses_modules_of_unknown_contracts_or_with_a_path_as_version() {
        let dist = tempfile::tempdir().unwrap();
        let check = |declaration: Value| {
            fs::write(dist.path().join("module.json"), declaration.to_string()).unwrap();
            check_declaration(dist.path(), "booking", &contract())
        };
        for stated in [1, contract().version] {
            let good = check(json!({"name": "booking", "contract": stated, "version": "1-a"}));
            assert_eq!(good.unwrap(), "1-a");
        }
        let next = contract().version + 1;
        assert!(check(json!({"name": "booking", "contract": next, "version": "1"})).is_err());
        assert!(check(json!({"name": "content", "contract": 1, "version": "1"})).is_err());
        assert!(check(json!({"name": "booking", "contract": 1, "version": "../1"})).is_err());
        assert!(check(json!({"name": "booking", "contract": 1})).is_err());
    }

    /// Verifies a package with one page, which renders what the script `body` returns for the props. `page` extends the
    /// page's declaration.
    fn verified(body: &str, page: &Value) -> Result<()> {
        let dist = tempfile::tempdir().unwrap();
        let server = format!(
            "globalThis.hospitalRender = (json) => {{ const input = JSON.parse(json); \
             return JSON.stringify(((input, props) => {{ {body} }})(input, input.props ?? {{}})); }};"
        );
        fs::write(dist.path().join("server.js"), server).unwrap();
        let mut declared =
            json!({"route": "/rooms/{floor}", "module": "./rooms", "hydrate": "none"});
        for (key, value) in page.as_object().unwrap() {
            declared[key] = value.clone();
        }
        let declaration = json!({
            "name": "rooms", "version": "1", "contract": contract().version,
            "modules": {"./rooms": {}, "./beds": {}},
            "pages": [declared],
            "fragments": [{"id": "beds", "module": "./beds", "hydrate": "none"}],
        });
        fs::write(dist.path().join("module.json"), declaration.to_string()).unwrap();
        verification::in_node(&Project::find().unwrap(), dist.path(), true).map(drop)
    }

    fn refused(body: &str, page: &Value) -> String {
        verified(body, page).unwrap_err().to_string()
    }

    #[test]
    fn a_page_is_rendered_at_each_address_of_its_walk() {
        let body = "if (props.params.floor === '3') throw new Error('no third floor'); return {html: props.path};";
        verified(body, &json!({"walk": ["/rooms/1", "/rooms/2"]})).unwrap();
        let problem = refused(body, &json!({"walk": ["/rooms/1", "/rooms/3"]}));
        assert!(problem.contains("/rooms/3"), "{problem}");
        assert!(problem.contains("no third floor"), "{problem}");
        let problem = refused(body, &json!({"walk": ["/beds/1"]}));
        assert!(
            problem.contains("is not an address of /rooms/{floor}"),
            "{problem}"
        );
    }

    #[test]
    fn sample_data_follows_the_api_description() {
        let data = json!({"data": {"doctors": "/doctors?specialty={query.x}", "one": "/doctors/{params.floor}"}});
        let body = "const { doctors, one } = props.data; if (!doctors?.ok) return {html: ''}; \
                    return {html: doctors.body.doctors[1].id.trim() + one.body.id.trim()};";
        verified(body, &data).unwrap();
        let careless = "return {html: props.data.doctors?.body.doctors[0].nothing.more ?? ''};";
        let problem = refused(careless, &data);
        for means in [
            "page /rooms/{floor}, module ./rooms at /rooms/example, without data",
            "with sample data",
        ] {
            assert!(problem.contains(means), "{problem}");
        }
        let problem = refused("return {html: ''};", &json!({"data": {"x": "/nothing"}}));
        assert!(
            problem.contains("data /nothing: the API does not offer it"),
            "{problem}"
        );
    }

    #[test]
    fn files_for_browsers_have_a_budget() {
        let project = Project::find().unwrap();
        let dist = tempfile::tempdir().unwrap();
        let declaration = json!({"name": "rooms", "version": "1", "contract": contract().version,
            "modules": {"./rooms": {}}, "pages": [{"route": "/rooms", "module": "./rooms", "hydrate": "none"}]});
        fs::write(dist.path().join("module.json"), declaration.to_string()).unwrap();
        let server = "globalThis.hospitalRender = () => JSON.stringify({html: ''});";
        fs::write(dist.path().join("server.js"), server).unwrap();
        // Numbers without repetition, which compress badly.
        let style: String = (0..20_000_u32)
            .map(|n| n.wrapping_mul(2_654_435_761).to_string())
            .collect();
        fs::write(dist.path().join("rooms.css"), style).unwrap();
        let problem = verification::in_node(&project, dist.path(), true).unwrap_err();
        assert!(
            problem.to_string().contains("styleBytesMax of rooms"),
            "{problem}"
        );
        verification::in_node(&project, dist.path(), false).unwrap();
    }

    #[test]
    fn a_slot_has_a_marker_and_a_fragment() {
        let slots = json!({"slots": {"beds": "rooms:beds"}});
        let marked = r#"return {html: '<div data-slot="beds"></div>'};"#;
        verified(marked, &slots).unwrap();
        let problem = refused("return {html: ''};", &slots);
        assert!(
            problem.contains("does not render the slot beds"),
            "{problem}"
        );
        let problem = refused(marked, &json!({"slots": {"beds": "rooms:chairs"}}));
        assert!(
            problem.contains("rooms:chairs is not declared"),
            "{problem}"
        );
        let hydrating = json!({"slots": {"beds": "rooms:beds"}, "hydrate": "idle"});
        let problem = refused(marked, &hydrating);
        assert!(problem.contains("never hydrates"), "{problem}");
    }

    #[test]
    fn modules_with_a_form_answer_an_empty_form() {
        let action = json!({"action": true});
        let body = "if (input.kind === 'action') return {request: {method: 'POST', path: '/x', body: input.form}}; return {html: ''};";
        verified(body, &action).unwrap();
        let problem = refused("return {html: ''};", &action);
        assert!(problem.contains("action of ./rooms"), "{problem}");
    }
}
