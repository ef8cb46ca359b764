//! `publish`: one package, built, verified, copied to an immutable folder, and only then pointed to.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::{
    page_contract::Contract,
    page_packages::{PagePackage, read_json},
    project::Project,
    shell,
};

/// Renders every module that a package declares, in Node, without any data.
const VERIFY: &str = include_str!("publish/verify.mjs");

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// `shell`, or the team's name, for example `booking`.
    name: String,
    /// Point to this already published version instead of building (roll back).
    #[arg(long)]
    version: Option<String>,
}

pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let package = PagePackage::named(project, &options.name)?;
    if let Some(version) = &options.version {
        let folder = published(project, &package.name, version);
        ensure!(
            folder.join("module.json").exists(),
            "{} {version} was never published here",
            package.name
        );
        point_to(project, &package.name, version)?;
        println!("{} is {version} again", package.name);
        return Ok(());
    }
    let folder = package.folder.to_string_lossy().into_owned();
    let arguments = ["run", "--silent", "build", "-w", folder.as_str()];
    shell::run(&mut shell::command(&project.root, "npm", arguments))?;
    let version = publish_built(project, &package)?;
    println!("{} is {version}", package.name);
    Ok(())
}

/// Publishes what stands in the package's `dist/`; gives the version.
pub(crate) fn publish_built(project: &Project, package: &PagePackage) -> Result<String> {
    publish_folder(project, package, &package.dist())
}

/// Publishes a built folder of the package; gives the version. Doing it twice changes nothing.
pub(crate) fn publish_folder(
    project: &Project,
    package: &PagePackage,
    dist: &Path,
) -> Result<String> {
    let version = check_declaration(dist, &package.name, &Contract::of(project)?)?;
    let folder = published(project, &package.name, &version);
    if !folder.join("module.json").exists() {
        verify(dist).with_context(|| format!("{} {version} is not published", package.name))?;
        let unfinished = folder.with_extension("unfinished");
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished)?;
        }
        copy(dist, &unfinished)?;
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::rename(&unfinished, &folder)?;
    }
    point_to(project, &package.name, &version)?;
    Ok(version)
}

/// Where a version of a package is.
pub(crate) fn published(project: &Project, name: &str, version: &str) -> PathBuf {
    project.root.join("remotes").join(name).join(version)
}

/// Checks what `module.json` says of itself; gives the version.
fn check_declaration(dist: &Path, name: &str, contract: &Contract) -> Result<String> {
    let declaration = read_json(&dist.join("module.json"))?;
    ensure!(
        declaration["name"] == name,
        "module.json says its name is {}, its folder says {name}",
        declaration["name"]
    );
    ensure!(
        contract.supports(&declaration["contract"]),
        "module.json states contract {}, which the gateway of this tree does not serve",
        declaration["contract"]
    );
    let version = declaration["version"].as_str().unwrap_or_default();
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-._+".contains(letter);
    ensure!(
        !version.is_empty() && !version.starts_with('.') && version.chars().all(allowed),
        "module.json has no version that can name a folder: {version:?}"
    );
    Ok(version.to_owned())
}

/// A package that cannot render its modules, even with every service down, is not published.
fn verify(dist: &Path) -> Result<()> {
    let mut node = shell::command(dist, "node", ["--input-type=module", "-"]);
    let mut child = node
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("node does not run")?;
    child
        .stdin
        .take()
        .context("node's input is piped")?
        .write_all(VERIFY.as_bytes())?;
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
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
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The version that the pointer names.
pub(crate) fn stable(project: &Project, name: &str) -> Option<String> {
    let registry = read_json(&project.root.join("remotes/remotes.json")).ok()?;
    let entry = match name {
        "shell" => &registry["shell"],
        team => &registry["teams"][team],
    };
    entry["stable"].as_str().map(str::to_owned)
}

/// Moves the pointer in one step: readers see the old file or the new one, never half of it.
pub(crate) fn point_to(project: &Project, name: &str, version: &str) -> Result<()> {
    let file = project.root.join("remotes/remotes.json");
    let old = if file.exists() {
        read_json(&file)?
    } else {
        Value::Null
    };
    let new = with_pointer(old.clone(), name, version, &Contract::of(project)?);
    if new == old {
        return Ok(());
    }
    let unfinished = file.with_extension("json.unfinished");
    fs::write(&unfinished, format!("{new:#}\n"))?;
    Ok(fs::rename(unfinished, file)?)
}

/// The registry with the stable version of one package set; whatever else stands in it is kept, its own contract too.
fn with_pointer(mut registry: Value, name: &str, version: &str, contract: &Contract) -> Value {
    if !contract.supports(&registry["contract"]) {
        registry = json!({ "contract": contract.version, "shell": {}, "teams": {} });
    }
    let entry = if name == "shell" {
        &mut registry["shell"]
    } else {
        &mut registry["teams"][name]
    };
    entry["stable"] = json!(version);
    registry
}

#[cfg(test)]
mod tests {
    use super::*;

    /// That of this tree.
    fn contract() -> Contract {
        Contract::of(&Project::find().unwrap()).unwrap()
    }

    #[test]
    fn moving_one_pointer_keeps_the_others_and_the_contract_of_the_file() {
        let registry = json!({
            "contract": 1,
            "shell": {"stable": "1"},
            "teams": {"booking": {"stable": "1", "canary": "2"}},
        });
        let registry = with_pointer(registry, "booking", "3", &contract());
        let registry = with_pointer(registry, "content", "4", &contract());
        assert_eq!(
            registry,
            json!({
                "contract": 1,
                "shell": {"stable": "1"},
                "teams": {"booking": {"stable": "3", "canary": "2"}, "content": {"stable": "4"}},
            })
        );
    }

    #[test]
    fn a_registry_that_is_empty_or_of_an_unknown_contract_gets_its_shape() {
        let version = contract().version;
        for old in [
            Value::Null,
            json!({"contract": version + 1, "teams": {"a": {}}}),
        ] {
            assert_eq!(
                with_pointer(old, "shell", "1", &contract()),
                json!({"contract": version, "shell": {"stable": "1"}, "teams": {}})
            );
        }
    }

    #[test]
    fn a_module_of_an_unknown_contract_or_with_a_path_as_version_is_refused() {
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

    /// A package whose one page renders what the script `body` returns for the props, with this addition to its declaration.
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
        verify(dist.path())
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
    fn what_takes_a_form_answers_an_empty_one() {
        let action = json!({"action": true});
        let body = "if (input.kind === 'action') return {request: {method: 'POST', path: '/x', body: input.form}}; return {html: ''};";
        verified(body, &action).unwrap();
        let problem = refused("return {html: ''};", &action);
        assert!(problem.contains("action of ./rooms"), "{problem}");
    }
}
