//! Scopes of the issuer's groups, and the people who are doctors of the roster.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
};

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
/// Maximum number of people in `[doctors]`.
const DOCTORS_MAX: usize = 500;
/// Maximum length of a person's subject and of a doctor's id, in bytes.
const SUBJECT_BYTES_MAX: usize = 255;
const DOCTOR_BYTES_MAX: usize = 64;
/// Length of a group's mark in a session, in characters of base64url: 72 bits of a hash.
const MARK_CHARS: usize = 12;

/// Contents of STAFF_ROLES.
///
/// A session holds marks, not scopes or names: 64 of them always fit a cookie, and a changed file applies at once.
pub(crate) struct Roles {
    /// Scopes of each group, by the group's mark.
    scopes: HashMap<String, BTreeSet<String>>,
    /// Doctor ids of the roster, by the person's subject at the issuer (claim `sub`). No other claim is used: people
    /// can change their user name or e-mail address at some issuers.
    doctors: HashMap<String, String>,
}

/// Hides the people.
impl fmt::Debug for Roles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Roles")
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    roles: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    doctors: BTreeMap<String, String>,
}

impl Roles {
    /// Parses the file.
    pub(crate) fn parse(file: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(file).map_err(|_| "is not text".to_owned())?;
        let file: File = toml::from_str(text).map_err(|error| {
            format!(
                "does not fit the tables [roles] and [doctors]: {}",
                error.message()
            )
        })?;
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
        check_doctors(&file.doctors)?;
        Ok(Self {
            scopes: roles,
            doctors: file.doctors.into_iter().collect(),
        })
    }

    /// Returns the id of the doctor whom the roster knows the person as.
    pub(crate) fn doctor(&self, subject: &str) -> Option<String> {
        self.doctors.get(subject).cloned()
    }

    /// Returns the marks of the known groups; the others give no scope.
    pub(crate) fn marks<'a>(&self, groups: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let marks = groups.into_iter().map(mark);
        let known: BTreeSet<_> = marks
            .filter(|mark| self.scopes.contains_key(mark))
            .collect();
        known.into_iter().collect()
    }

    /// Returns the scopes of the groups with these marks, sorted, each once.
    pub(crate) fn scopes(&self, marks: &[String]) -> Vec<String> {
        let granted = marks.iter().filter_map(|mark| self.scopes.get(mark));
        let scopes: BTreeSet<_> = granted.flatten().collect();
        scopes.into_iter().cloned().collect()
    }
}

/// Refuses a table `[doctors]` with too many people, or with a subject or an id that cannot be one. The message repeats
/// ids, but no subject: it is a person's.
fn check_doctors(doctors: &BTreeMap<String, String>) -> Result<(), String> {
    if doctors.len() > DOCTORS_MAX {
        let found = doctors.len();
        return Err(format!(
            "[doctors] has {found} people, at most {DOCTORS_MAX} are allowed"
        ));
    }
    for (subject, id) in doctors {
        let is_subject = (1..=SUBJECT_BYTES_MAX).contains(&subject.len())
            && !subject.chars().any(char::is_control);
        if !is_subject {
            return Err(format!(
                "[doctors] has a subject that has not 1 to {SUBJECT_BYTES_MAX} bytes without control characters"
            ));
        }
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if !(1..=DOCTOR_BYTES_MAX).contains(&id.len()) || !id.bytes().all(is_letter) {
            return Err(format!(
                "[doctors] has the id {id:?}: expected 1 to {DOCTOR_BYTES_MAX} letters, digits, hyphens or underscores"
            ));
        }
    }
    Ok(())
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
    fn a_doctor_is_known_by_the_exact_subject() {
        let file = "[roles]\n[doctors]\n\"auth0|9f\" = \"doc-06\"\nasha = \"doc-06\"\n";
        let known = roles(file);
        assert_eq!(known.doctor("auth0|9f").as_deref(), Some("doc-06"));
        assert_eq!(known.doctor("asha").as_deref(), Some("doc-06"));
        for other in ["", "Asha", "asha ", "doc-06", "auth0"] {
            assert_eq!(known.doctor(other), None, "{other:?}");
        }
        assert_eq!(roles("[roles]").doctor("asha"), None);
        assert!(!format!("{known:?}").contains("asha"));
    }

    #[test]
    fn unusable_doctors_are_refused_without_naming_a_person() {
        let people = |count: usize| -> String {
            let lines: Vec<_> = (0..count).map(|n| format!("p{n} = \"doc\"\n")).collect();
            format!("[roles]\n[doctors]\n{}", lines.concat())
        };
        assert!(Roles::parse(people(500).as_bytes()).is_ok());
        let long = "a".repeat(65);
        for (text, problem) in [
            (people(501), "[doctors] has 501 people, at most 500"),
            (
                "[roles]\n[doctors]\n\"\" = \"doc-06\"".to_owned(),
                "[doctors] has a subject that has not 1 to 255 bytes",
            ),
            (
                "[roles]\n[doctors]\n\"as\\nha\" = \"doc-06\"".to_owned(),
                "[doctors] has a subject that has not 1 to 255 bytes",
            ),
            (
                "[roles]\n[doctors]\nasha = \"\"".to_owned(),
                "[doctors] has the id \"\": expected 1 to 64 letters",
            ),
            (
                "[roles]\n[doctors]\nasha = \"doctor:doc-06\"".to_owned(),
                "[doctors] has the id \"doctor:doc-06\"",
            ),
            (
                format!("[roles]\n[doctors]\nasha = \"{long}\""),
                "[doctors] has the id",
            ),
            (
                "[roles]\n[doctors]\nasha = [\"doc-06\"]".to_owned(),
                "does not fit the tables [roles] and [doctors]",
            ),
        ] {
            let error = Roles::parse(text.as_bytes()).expect_err("refused");
            assert!(error.starts_with(problem), "{error}");
            assert!(!error.contains("asha"), "{error}");
        }
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
                "does not fit the tables [roles] and [doctors]: missing field `roles`",
            ),
            (
                "roles = 1".to_owned(),
                "does not fit the tables [roles] and [doctors]",
            ),
            (
                "[roles]\n[other]".to_owned(),
                "does not fit the tables [roles] and [doctors]: unknown field",
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
