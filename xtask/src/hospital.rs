//! Another hospital: a folder of content files, and the settings that derive from it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use toml::Value;

const SITE_FILE: &str = "content/site.toml";
const RESOURCES_FILE: &str = "resources.toml";
const MAILBOXES_FILE: &str = "mailboxes.toml";
/// The gateway's file of short name, mark and colours, without which the folder is none of a hospital.
const LOOK_FILE: &str = "look.toml";

/// Variables that describe a hospital. A stray one in the caller's environment must not change a local run.
pub(crate) const VARIABLES: [&str; 14] = [
    "FHIR_NAMING",
    "REFERENCE_PREFIX",
    "CALENDAR_DOMAIN",
    "SITE_DIR",
    "CONTENT_DIR",
    "RESOURCES",
    "MAILBOXES",
    "SITE_NAME",
    "SITE_ADDRESS",
    "SITE_EMAIL",
    "SITE_PHONE",
    "SITE_EMERGENCY_PHONE",
    "MAIL_FROM",
    "EMERGENCY_PHONE",
];

/// A folder like examples/second-hospital.
#[derive(Debug)]
pub(crate) struct Hospital {
    folder: PathBuf,
    site: Value,
}

impl Hospital {
    /// Reads the profile, and checks that the folder has the files that the services are given. The programs check what
    /// is in them.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let folder = fs::canonicalize(folder)
            .with_context(|| format!("--site: {} is not a folder", folder.display()))?;
        for file in [LOOK_FILE, SITE_FILE, RESOURCES_FILE, MAILBOXES_FILE] {
            let path = folder.join(file);
            ensure!(path.is_file(), "--site: {} is missing", path.display());
        }
        let path = folder.join(SITE_FILE);
        let text = fs::read_to_string(&path)?;
        let site = toml::from_str(&text).with_context(|| format!("--site: {}", path.display()))?;
        let hospital = Self { folder, site };
        hospital
            .settings()
            .with_context(|| format!("--site: {}", path.display()))?;
        Ok(hospital)
    }

    /// Returns the variables of the gateway.
    pub(crate) fn of_gateway(&self) -> Vec<(&'static str, String)> {
        vec![("SITE_DIR", self.path(""))]
    }

    /// Returns the variables of a service.
    pub(crate) fn of_service(&self, name: &str) -> Vec<(&'static str, String)> {
        // The settings were complete when the folder was read.
        let settings = self.settings().unwrap_or_default();
        let wanted: &[&str] = match name {
            "svc-booking" => &[
                "SITE_NAME",
                "SITE_ADDRESS",
                "VISITS_EMAIL",
                "CALENDAR_DOMAIN",
                "REFERENCE_PREFIX",
                "FHIR_NAMING",
            ],
            "svc-messaging" => &[
                "SITE_NAME",
                "SITE_ADDRESS",
                "SITE_EMAIL",
                "SITE_PHONE",
                "SITE_EMERGENCY_PHONE",
                "MAIL_FROM",
            ],
            _ => &[],
        };
        let file = match name {
            "svc-booking" => Some(("RESOURCES", self.path(RESOURCES_FILE))),
            "svc-content" => Some(("CONTENT_DIR", self.path("content"))),
            "svc-messaging" => Some(("MAILBOXES", self.path(MAILBOXES_FILE))),
            _ => None,
        };
        let settings = settings
            .into_iter()
            .filter(|(variable, _)| wanted.contains(variable))
            .map(|(variable, value)| match variable {
                "VISITS_EMAIL" => ("SITE_EMAIL", value),
                variable => (variable, value),
            });
        settings.chain(file).collect()
    }

    fn path(&self, file: &str) -> String {
        self.folder.join(file).display().to_string()
    }

    /// Derives settings from the profile. `VISITS_EMAIL` is svc-booking's `SITE_EMAIL`.
    fn settings(&self) -> Result<Vec<(&'static str, String)>> {
        let name = text(&self.site, "name")?;
        let address = self.site.get("address").context("address is missing")?;
        let city = [text(address, "city")?, text(address, "postal_code")?].join(" ");
        let line = [text(address, "street")?, text(address, "locality")?, city];
        let email = self.of_purpose("email", "general", "address")?;
        let visits = self.of_purpose("email", "appointments", "address")?;
        let domain = visits.rsplit('@').next().unwrap_or_default();
        let mut settings = vec![
            ("MAIL_FROM", format!("{name} <{email}>")),
            ("SITE_NAME", name.clone()),
            ("SITE_ADDRESS", line.join(", ")),
            ("SITE_EMAIL", email),
            ("CALENDAR_DOMAIN", format!("appointments.{domain}")),
            ("FHIR_NAMING", format!("https://{domain}/naming")),
            ("VISITS_EMAIL", visits),
            (
                "SITE_PHONE",
                self.of_purpose("phone", "reception", "display")?,
            ),
            (
                "SITE_EMERGENCY_PHONE",
                self.of_purpose("phone", "emergency", "display")?,
            ),
        ];
        settings.extend(reference_prefix(&name).map(|prefix| ("REFERENCE_PREFIX", prefix)));
        Ok(settings)
    }

    /// Returns a field of the entry of `list` with this purpose.
    fn of_purpose(&self, list: &str, purpose: &str, field: &str) -> Result<String> {
        let entries = self.site.get(list).and_then(Value::as_array);
        let mut entries = entries.into_iter().flatten();
        let entry = entries
            .find(|entry| entry.get("purpose").and_then(Value::as_str) == Some(purpose))
            .with_context(|| format!("{list}: nothing has the purpose `{purpose}`"))?;
        text(entry, field).with_context(|| format!("{list} `{purpose}`"))
    }
}

/// Returns the initials of the first two words, unless svc-booking refuses them as letters of references.
fn reference_prefix(name: &str) -> Option<String> {
    let initials: String = name
        .split_whitespace()
        .filter_map(|word| word.chars().next())
        .take(2)
        .map(|letter| letter.to_ascii_uppercase())
        .collect();
    let is_plain = initials.len() == 2 && initials.bytes().all(|byte| byte.is_ascii_uppercase());
    (is_plain && !["WL", "VC"].contains(&initials.as_str())).then_some(initials)
}

fn text(table: &Value, field: &str) -> Result<String> {
    let value = table.get(field).and_then(Value::as_str);
    Ok(value
        .with_context(|| format!("{field} is missing"))?
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Project;

    fn example() -> PathBuf {
        let root = Project::find().unwrap().root;
        root.join("examples/second-hospital")
    }

    fn value(variables: &[(&str, String)], name: &str) -> Option<String> {
        let found = variables.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, value)| value.clone())
    }

    #[test]
    fn derives_the_settings_of_each_program() {
        let hospital = Hospital::read(&example()).unwrap();
        let messaging = hospital.of_service("svc-messaging");
        let from = value(&messaging, "MAIL_FROM").unwrap();
        assert_eq!(from, "Belaku Eye Hospital <namaste@belaku.example>");
        let address = value(&messaging, "SITE_ADDRESS").unwrap();
        assert_eq!(address, "9, Lake View Road, Yadavagiri, Mysuru 570020");
        let phone = value(&messaging, "SITE_EMERGENCY_PHONE").unwrap();
        assert_eq!(phone, "+91 821 000 0310");
        let booking = hospital.of_service("svc-booking");
        let email = value(&booking, "SITE_EMAIL").unwrap();
        assert_eq!(email, "visits@belaku.example");
        let letters = value(&booking, "REFERENCE_PREFIX").unwrap();
        let naming = value(&booking, "FHIR_NAMING").unwrap();
        assert_eq!(
            (letters.as_str(), naming.as_str()),
            ("BE", "https://belaku.example/naming")
        );
        for name in ["Aravind", "ಬೆಳಕು ಕಣ್ಣಿನ", "Vision Care", "24 Hours"] {
            assert_eq!(reference_prefix(name), None, "{name}");
        }
        assert!(hospital.of_service("svc-assessment").is_empty());
        let given = [
            messaging,
            booking,
            hospital.of_service("svc-content"),
            hospital.of_gateway(),
        ];
        for (variable, _) in given.iter().flatten() {
            assert!(VARIABLES.contains(variable), "{variable}");
        }
    }

    #[test]
    fn names_the_missing_or_wrong_file() {
        let error = |folder: &Path| format!("{:#}", Hospital::read(folder).unwrap_err());
        assert!(error(Path::new("/nowhere")).contains("/nowhere is not a folder"));
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path();
        assert!(error(copy).contains("look.toml is missing"));
        fs::create_dir(copy.join("content")).unwrap();
        for file in [LOOK_FILE, SITE_FILE, RESOURCES_FILE, MAILBOXES_FILE] {
            fs::copy(example().join(file), copy.join(file)).unwrap();
        }
        let site = fs::read_to_string(copy.join(SITE_FILE)).unwrap();
        for (wrong, problem) in [
            (
                site.replace("\"reception\"", "\"desk\""),
                "phone: nothing has the purpose `reception`",
            ),
            (site.replace("name =", "title ="), "name is missing"),
            ("name = ".to_owned(), "site.toml"),
        ] {
            fs::write(copy.join(SITE_FILE), wrong).unwrap();
            let error = error(copy);
            assert!(
                error.contains(problem) && error.contains(SITE_FILE),
                "{error}"
            );
        }
    }
}
