//! The version of the contract between gateway, shell and page modules.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::{page_packages::read_json, project::Project};

/// Contents of `web-kit/page/contract.json`, the only definition of these versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Contract {
    /// Version that the tools of this tree build.
    pub(crate) version: u64,
    /// Versions that the gateway of this tree serves.
    supported: Vec<u64>,
}

impl Contract {
    pub(crate) fn of(project: &Project) -> Result<Self> {
        let file = project.root.join("web-kit/page/contract.json");
        Self::parse(&read_json(&file)?)
            .with_context(|| format!("{} is not a contract", file.display()))
    }

    fn parse(file: &Value) -> Result<Self> {
        let version = file["version"].as_u64().context("`version` is a number")?;
        let supported = file["supported"]
            .as_array()
            .context("`supported` is a list")?;
        let supported = supported.iter().map(Value::as_u64).collect::<Option<_>>();
        let supported: Vec<u64> = supported.context("`supported` is a list of numbers")?;
        ensure!(
            supported.contains(&version),
            "`version` is one of `supported`"
        );
        Ok(Self { version, supported })
    }

    /// Returns whether the gateway serves modules that state this version.
    pub(crate) fn supports(&self, stated: &Value) -> bool {
        stated
            .as_u64()
            .is_some_and(|version| self.supported.contains(&version))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parses_the_contract_of_this_tree() {
        let contract = Contract::of(&Project::find().unwrap()).unwrap();
        assert!(contract.supports(&json!(contract.version)));
        assert!(!contract.supports(&json!(contract.version + 1)));
        assert!(!contract.supports(&json!(contract.version.to_string())));
        assert!(!contract.supports(&Value::Null));
    }

    #[test]
    fn refuses_a_version_that_nothing_serves() {
        for wrong in [
            json!({"version": 3, "supported": [1, 2]}),
            json!({"version": 2, "supported": ["2"]}),
            json!({"supported": [1]}),
            json!({"version": 1}),
        ] {
            assert!(Contract::parse(&wrong).is_err(), "{wrong}");
        }
    }
}
