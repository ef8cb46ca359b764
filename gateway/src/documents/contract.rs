//! Versions of the contract between page modules and this gateway. Modules of all supported versions are served side by side.

use std::sync::LazyLock;

use serde::Deserialize;

/// The one place where the version stands; shell, build and this gateway read it.
const FILE: &str = include_str!("../../../web-kit/page/contract.json");

/// From here on forms keep several values of a name, and actions may use every method and some headers.
pub(super) const SECOND: u32 = 2;

#[derive(Debug, Default, Deserialize)]
struct Contract {
    supported: Vec<u32>,
}

/// A file that is no JSON supports nothing: the build's tests fail, and no module is served by a wrong contract.
static CONTRACT: LazyLock<Contract> =
    LazyLock::new(|| serde_json::from_str(FILE).unwrap_or_default());

/// The error says what `found` is and what this gateway speaks.
pub(super) fn check(found: u32) -> Result<(), String> {
    if CONTRACT.supported.contains(&found) {
        return Ok(());
    }
    let supported: Vec<String> = CONTRACT.supported.iter().map(u32::to_string).collect();
    Err(format!(
        "is {found}, this gateway speaks {}",
        supported.join(" and ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_are_served() {
        assert!(check(1).is_ok() && check(SECOND).is_ok());
        let error = check(3).expect_err("a version of the future");
        assert_eq!(error, "is 3, this gateway speaks 1 and 2");
    }
}
