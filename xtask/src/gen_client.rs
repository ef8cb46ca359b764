//! `gen`: regenerates the checked-in TypeScript client from the OpenAPI document that the gateway derives from the
//! contracts.

use anyhow::Result;

use crate::{project::Project, shell};

pub(crate) fn run(project: &Project) -> Result<()> {
    let cargo = ["run", "--quiet", "--package", "gateway", "--", "openapi"];
    let document = shell::capture(&mut shell::command(&project.root, "cargo", cargo))?;
    let file = project.target.join("openapi.json");
    std::fs::write(&file, document)?;
    let mut npm = shell::command(
        &project.root,
        "npm",
        ["run", "--silent", "generate:api", "--"],
    );
    shell::run(npm.arg(&file))
}
