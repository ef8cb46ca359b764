//! `new-team`: generates the files of a new team, from its contract to its page, and registers the team.
//!
//! Outside its own folders, a team is a workspace member and an entry in the list of services, both in the root
//! manifest. The lock files are updated to match. Below `deploy/`, a team has a line or a block in each file that
//! describes the whole site: upstreams, monitoring targets, alert routes. Everything else is discovered by its folder.

mod deployment;
mod name;
mod registration;
mod templates;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

use crate::{page_packages::read_json, project::Project, shell};
use name::TeamName;
use templates::TEMPLATES;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Team name: 2 to 20 lower-case letters and digits, beginning with a letter, for example `pharmacy`.
    name: TeamName,
}

impl Options {
    /// Builds the options for callers other than the command line.
    pub(crate) fn of(name: &str) -> Result<Self> {
        let name = name.parse()?;
        Ok(Self { name })
    }
}

pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let name = options.name.as_str();
    let plan = write(project, &options.name)?;
    for (what, files) in [("wrote", &plan.own), ("changed", &plan.changed)] {
        println!("{what} {} files:", files.len());
        for (file, _) in files {
            println!("  {}", file.display());
        }
    }
    complete(project, name, &plan.own)?;
    println!("{}", next_steps(name));
    Ok(())
}

fn next_steps(name: &str) -> String {
    format!(
        "
Next steps:
- `npm install` links svc-{name}/web.
- `cargo xtask gen` generates the client of its API.
- `cargo xtask postgres -- cargo test -p svc-{name}` runs its tests on both databases.
- `npx vitest run svc-{name}` runs the tests of its page.
- Add `\"{name}:read\"` to roles in deploy/staff-roles.toml: these people see /staff/{name}.
- `cargo xtask up` shows it at http://127.0.0.1:8080/{name}.
- `cargo xtask test --only deploy --only observability` checks its deployment and monitoring.
Then adapt proto/hospital/{name}/v1/{name}.proto and svc-{name}/src/domain.rs.
docs/how-to/new-team.md describes the rest, up to the first deployment."
    )
}

/// Files to write, by path from the root.
#[derive(Debug)]
struct Plan {
    own: Vec<(PathBuf, String)>,
    /// Existing files, with the new team added.
    changed: Vec<(PathBuf, String)>,
}

/// Plans all files without writing any. Fails if a file, folder or page to be created exists.
fn plan(project: &Project, name: &TeamName) -> Result<Plan> {
    refuse_what_is_taken(project, name)?;
    let manifest = fs::read_to_string(project.root.join("Cargo.toml"))?;
    let (registered, service) = registration::register(&manifest, &project.services, name)?;
    let react = versions(project)?;
    let fill = |text: &str| {
        let text = name.fill(text).replace("@react@", &react);
        text.replace("@version@", env!("CARGO_PKG_VERSION"))
    };
    let templates = TEMPLATES.map(|(path, text)| (PathBuf::from(fill(path)), fill(text)));
    let mut services = project.services.clone();
    services.push(service);
    let deployment = deployment::of(&project.root, &services, name)?;
    let mut own = templates.to_vec();
    own.extend(deployment.own);
    for (path, _) in &own {
        ensure!(
            !project.root.join(path).exists(),
            "{} exists, and nothing is overwritten",
            path.display()
        );
    }
    let mut changed = deployment.of_all;
    changed.push((PathBuf::from("Cargo.toml"), registered));
    Ok(Plan { own, changed })
}

/// Writes the team's files and registers the team. Writes nothing if planning fails.
fn write(project: &Project, name: &TeamName) -> Result<Plan> {
    let plan = plan(project, name)?;
    for (path, text) in plan.own.iter().chain(&plan.changed) {
        let target = project.root.join(path);
        let folder = target.parent().context("a file has a folder")?;
        fs::create_dir_all(folder)?;
        fs::write(&target, text).with_context(|| format!("cannot write {}", target.display()))?;
    }
    Ok(plan)
}

fn refuse_what_is_taken(project: &Project, name: &TeamName) -> Result<()> {
    let name = name.as_str();
    for folder in [format!("svc-{name}"), format!("proto/hospital/{name}")] {
        ensure!(
            !project.root.join(&folder).exists(),
            "{folder} exists, and nothing is overwritten"
        );
    }
    let route = format!("\"route\": \"/{name}\"");
    for entry in fs::read_dir(&project.root)? {
        let folder = entry?.path();
        for configuration in ["module.config.json", "web/module.config.json"] {
            let file = folder.join(configuration);
            let is_taken = fs::read_to_string(&file).is_ok_and(|text| text.contains(&route));
            ensure!(
                !is_taken,
                "the page /{name} is declared by {}",
                file.display()
            );
        }
    }
    Ok(())
}

/// Returns the version of React that all page packages share.
fn versions(project: &Project) -> Result<String> {
    let manifest = read_json(&project.root.join("package.json"))?;
    let version = manifest["devDependencies"]["react"].as_str();
    Ok(version
        .context("package.json names the version of react")?
        .to_owned())
}

/// Formats the files, as line breaks and import order depend on the name, and updates the lock files. Needs no network.
fn complete(project: &Project, name: &str, files: &[(PathBuf, String)]) -> Result<()> {
    let root = &project.root;
    let paths = files.iter().map(|(path, _)| path);
    let rust = paths.filter(|file| ends_with(file, "rs"));
    let mut rustfmt = shell::command(root, "rustfmt", ["--edition", "2024"]);
    shell::capture(rustfmt.args(rust))?;
    let lock = ["update", "--workspace", "--offline", "--quiet"];
    shell::capture(&mut shell::command(root, "cargo", lock))?;
    let lock = [
        "install",
        "--package-lock-only",
        "--ignore-scripts",
        "--offline",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ];
    shell::capture(&mut shell::command(root, "npm", lock))?;
    if root.join("node_modules/.bin/prettier").exists() {
        let folder = format!("svc-{name}/web");
        let line = ["--no-install", "prettier", "--log-level=warn", "--write"];
        shell::capture(shell::command(root, "npx", line).arg(folder))?;
    } else {
        println!("node_modules is missing: run `npm ci`, then `npm run format`");
    }
    Ok(())
}

fn ends_with(file: &Path, ending: &str) -> bool {
    file.extension().is_some_and(|found| found == ending)
}

#[cfg(test)]
mod tests;
