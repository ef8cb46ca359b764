//! Scopes of the issuer's groups.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;

use super::secrets::Mark;

/// Maximum number of groups, and of scopes per group.
const GROUPS_MAX: usize = 64;
const GROUP_SCOPES_MAX: usize = 64;
/// Maximum number of different scopes in a file: a token with all of them must fit the 8 KiB that a service accepts.
const SCOPES_MAX: usize = 64;
/// Maximum length of a group's name and of a scope, in bytes.
const GROUP_BYTES_MAX: usize = 255;
const SCOPE_BYTES_MAX: usize = 64;
/// Length of a group's mark in a session, in characters of base64url: 72 bits of a hash.
const MARK_CHARS: usize = 12;

/// The scopes of each group, by the group's mark.
///
/// A session holds marks, not scopes or names: 64 of them always fit a cookie, and a changed file applies at once.
#[derive(Debug)]
pub(crate) struct Roles(HashMap<String, BTreeSet<String>>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    roles: BTreeMap<String, Vec<String>>,
}

impl Roles {
    /// Parses the file.
    pub(crate) fn parse(file: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(file).map_err(|_| "is not text".to_owned())?;
        let file: File = toml::from_str(text)
            .map_err(|error| format!("is not a table [roles]: {}", error.message()))?;
        if file.roles.len() > GROUPS_MAX {
            let found = file.roles.len();
            return Err(format!(
                "[roles] has {found} groups, at most {GROUPS_MAX} are allowed"
            ));
        }
        let mut roles = HashMap::new();
        let mut all = BTreeSet::new();
        for (group, scopes) in file.roles {
            if group.is_empty() || group.len() > GROUP_BYTES_MAX {
                return Err(format!(
                    "[roles] has a group whose name has not 1 to {GROUP_BYTES_MAX} bytes"
                ));
            }
            if scopes.len() > GROUP_SCOPES_MAX {
                let found = scopes.len();
                return Err(format!(
                    "roles.{group:?} has {found} scopes, at most {GROUP_SCOPES_MAX} are allowed"
                ));
            }
            if let Some(bad) = scopes.iter().find(|scope| !is_scope(scope)) {
                return Err(format!(
                    "roles.{group:?} has the scope {bad:?}: expected a form such as appointments:read, of at most \
                     {SCOPE_BYTES_MAX} bytes"
                ));
            }
            all.extend(scopes.iter().cloned());
            roles.insert(mark(&group), scopes.into_iter().collect());
        }
        if all.len() > SCOPES_MAX {
            let found = all.len();
            return Err(format!(
                "[roles] has {found} different scopes, at most {SCOPES_MAX} are allowed"
            ));
        }
        Ok(Self(roles))
    }

    /// Returns the marks of the known groups; the others give no scope.
    pub(crate) fn marks<'a>(&self, groups: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let marks = groups.into_iter().map(mark);
        let known: BTreeSet<_> = marks.filter(|mark| self.0.contains_key(mark)).collect();
        known.into_iter().collect()
    }

    /// Returns the scopes of the groups with these marks, sorted, each once.
    pub(crate) fn scopes(&self, marks: &[String]) -> Vec<String> {
        let granted = marks.iter().filter_map(|mark| self.0.get(mark));
        let scopes: BTreeSet<_> = granted.flatten().collect();
        scopes.into_iter().cloned().collect()
    }
}

fn mark(group: &str) -> String {
    let mut mark = Mark::of("group", group.as_bytes()).to_text();
    mark.truncate(MARK_CHARS);
    mark
}

/// Whether a scope has the form `things:action`, with letters, digits and hyphens.
fn is_scope(scope: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let parts = scope.split_once(':');
    scope.len() <= SCOPE_BYTES_MAX
        && parts.is_some_and(|(things, action)| is_word(things) && is_word(action))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(text: &str) -> Roles {
        Roles::parse(text.as_bytes()).expect("roles")
    }

    /// Returns a file with this number of groups.
    fn many_groups(count: usize) -> String {
        let lines: Vec<_> = (0..count).map(|n| format!("group{n} = []\n")).collect();
        format!("[roles]\n{}", lines.concat())
    }

    #[test]
    fn known_groups_get_their_scopes_and_others_get_none() {
        let roles = roles(
            "[roles]\nfrontdesk = [\"appointments:write\", \"appointments:read\"]\n\
             \"/staff/manager\" = [\"audit:read\", \"appointments:read\"]\nguest = []\n",
        );
        let scopes = |groups: &[&str]| roles.scopes(&roles.marks(groups.iter().copied()));
        assert_eq!(
            scopes(&["frontdesk"]),
            ["appointments:read", "appointments:write"]
        );
        assert_eq!(
            scopes(&["frontdesk", "/staff/manager", "frontdesk", "guest", "other"]),
            ["appointments:read", "appointments:write", "audit:read"]
        );
        for groups in [
            &[][..],
            &["guest"],
            &["other"],
            &["Frontdesk"],
            &["frontdesk "],
        ] {
            assert!(scopes(groups).is_empty(), "{groups:?}");
        }
        assert!(roles.marks(["other"]).is_empty());
    }

    #[test]
    fn marks_of_all_groups_fit_a_cookie() {
        let roles = roles(&many_groups(64));
        let names: Vec<_> = (0..100).map(|n| format!("group{n}")).collect();
        let marks = roles.marks(names.iter().map(String::as_str));
        assert_eq!(marks.len(), 64);
        assert!(marks.iter().all(|mark| mark.len() == MARK_CHARS));
    }

    #[test]
    fn an_unusable_file_is_refused_with_key_and_limit() {
        let many = |count: usize| -> String {
            let scopes: Vec<_> = (0..count).map(|n| format!("\"things{n}:read\"")).collect();
            scopes.join(",")
        };
        let long = "a".repeat(64);
        for (text, problem) in [
            (
                String::new(),
                "is not a table [roles]: missing field `roles`",
            ),
            ("roles = 1".to_owned(), "is not a table [roles]"),
            (
                "[roles]\n[other]".to_owned(),
                "is not a table [roles]: unknown field",
            ),
            (many_groups(65), "[roles] has 65 groups, at most 64"),
            (
                "[roles]\n\"\" = []".to_owned(),
                "[roles] has a group whose name has not 1 to 255 bytes",
            ),
            (
                format!("[roles]\na = [{}]", many(65)),
                "roles.\"a\" has 65 scopes, at most 64",
            ),
            (
                format!("[roles]\na = [{}]\nb = [\"x:y\"]", many(64)),
                "[roles] has 65 different scopes, at most 64",
            ),
            (
                "[roles]\na = [\"read\"]".to_owned(),
                "roles.\"a\" has the scope \"read\": expected a form such as",
            ),
            (
                "[roles]\na = [\"a:b c:d\"]".to_owned(),
                "roles.\"a\" has the scope \"a:b c:d\"",
            ),
            (
                "[roles]\na = [\"A:read\"]".to_owned(),
                "roles.\"a\" has the scope \"A:read\"",
            ),
            (
                format!("[roles]\na = [\"a:{long}\"]"),
                "roles.\"a\" has the scope",
            ),
        ] {
            let error = Roles::parse(text.as_bytes()).expect_err("refused");
            assert!(error.starts_with(problem), "{error}");
        }
    }
}
