//! Versions of the contract between page modules and this gateway. Modules of all supported versions are served side by
//! side.

use std::sync::LazyLock;

use serde::Deserialize;

/// Single source of the version; the shell, the build and this gateway all read it.
const FILE: &str = include_str!("../../../../web-kit/page/contract.json");

/// Version from which forms keep several values per name, and actions may use every method and some headers.
pub(crate) const SECOND: u32 = 2;

#[derive(Debug, Default, Deserialize)]
struct Contract {
    supported: Vec<u32>,
}

/// A malformed file supports no version. The tests then fail, and no module is served under a wrong contract.
static CONTRACT: LazyLock<Contract> =
    LazyLock::new(|| serde_json::from_str(FILE).unwrap_or_default());

/// Checks that a contract version is supported.
///
/// # Errors
/// The found and the supported versions, for people.
pub(crate) fn check(found: u32) -> Result<(), String> {
    if CONTRACT.supported.contains(&found) {
        return Ok(());
    }
    let supported: Vec<String> = CONTRACT.supported.iter().map(u32::to_string).collect();
    let supported = match supported.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "none".to_owned(),
    };
    Err(format!("is {found}, this gateway supports {supported}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_each_supported_contract_version() {
        for version in [1, SECOND, 3] {
            assert_eq!(check(version), Ok(()));
        }
        let error = check(4).expect_err("a version of the future");
        assert_eq!(error, "is 4, this gateway supports 1, 2 and 3");
    }
}
