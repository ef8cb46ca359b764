//! Details of the hospital in files that leave the site, such as calendar files.
//!
//! Another team owns the profile of record (`svc-content/content/site.toml`). The defaults repeat it, and a test of the
//! whole system compares them.

use service_kit::{clap_values, input::OwnMailboxes};

/// Name, address, origin and mailbox of the hospital.
#[derive(Clone, Debug, Eq, PartialEq, clap::Args)]
pub struct Site {
    /// Name of the hospital, at most 120 characters.
    #[arg(long = "site-name", env = "SITE_NAME", default_value = Site::NAME, value_parser = clap_values::line::<120>)]
    pub name: String,

    /// Postal address on one line, at most 300 characters.
    #[arg(long = "site-address", env = "SITE_ADDRESS", default_value = Site::ADDRESS, value_parser = clap_values::line::<300>)]
    pub address: String,

    /// Origin of the public site: http:// or https://, a host and optionally a port, without a trailing slash. Links in
    /// mails lead there. Required except with --development.
    #[arg(long = "site-origin", env = "SITE_ORIGIN", default_value = "", hide_default_value = true, value_parser = origin_or_none)]
    pub origin: String,

    /// E-mail address of the appointments desk, the organizer of calendar entries.
    #[arg(long = "site-email", env = "SITE_EMAIL", default_value = Site::EMAIL, value_parser = clap_values::email)]
    pub email: String,

    /// Domain in the UIDs of calendar entries. Calendars find the entry to replace by its UID, so this must not change
    /// once a patient has an entry.
    #[arg(long = "calendar-domain", env = "CALENDAR_DOMAIN", default_value = Site::CALENDAR_DOMAIN, value_parser = domain)]
    pub calendar_domain: String,

    /// Letters in front of new appointments' references: 2 of A to Z, other than WL (waiting list) and VC (consultations
    /// by video). References issued earlier keep their letters and stay valid.
    #[arg(long = "reference-prefix", env = "REFERENCE_PREFIX", default_value = Site::REFERENCE_PREFIX, value_parser = prefix)]
    pub reference_prefix: String,

    /// Base URL, without a trailing slash, of the systems that name appointments, doctors and departments in FHIR
    /// resources. Other programs store these names, so this must not change once one reads them.
    #[arg(long = "fhir-naming", env = "FHIR_NAMING", default_value = Site::FHIR_NAMING, value_parser = naming)]
    pub fhir_naming: String,
}

/// Accepts the letters of a reference.
fn prefix(text: &str) -> Result<String, &'static str> {
    let is_free = !["WL", "VC"].contains(&text);
    if text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase()) && is_free {
        Ok(text.to_owned())
    } else {
        Err("is not two letters A to Z other than WL and VC")
    }
}

/// Accepts an absolute URL of http or https, of at most 200 characters.
fn naming(text: &str) -> Result<String, &'static str> {
    let is_base = url::Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.query().is_none()
            && url.fragment().is_none()
    });
    if is_base && text.len() <= 200 && !text.ends_with('/') && !text.contains(char::is_whitespace) {
        Ok(text.to_owned())
    } else {
        Err("is not a URL of at most 200 characters, without query, fragment and trailing slash")
    }
}

/// Accepts a host name: 1 to 253 lower-case letters, digits, dots and hyphens.
fn domain(text: &str) -> Result<String, &'static str> {
    let is_part =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte);
    if (1..=253).contains(&text.len()) && text.bytes().all(is_part) {
        Ok(text.to_owned())
    } else {
        Err("is not a domain of 1 to 253 lower-case letters, digits, dots and hyphens")
    }
}

impl Site {
    const NAME: &str = "Sampige Hospital";
    const ADDRESS: &str = "214, 9th Main Road, 4th T Block, Jayanagar, Bengaluru 560041";
    const ORIGIN: &str = "http://127.0.0.1:8080";
    const EMAIL: &str = "appointments@sampige.example";
    const CALENDAR_DOMAIN: &str = "appointments.sampige.example";
    const REFERENCE_PREFIX: &str = "SH";
    const FHIR_NAMING: &str = "https://sampige.example/naming";
}

fn origin_or_none(text: &str) -> Result<String, &'static str> {
    if text.is_empty() {
        Ok(String::new())
    } else {
        clap_values::origin(text)
    }
}

impl Site {
    /// Fills in the local origin in development if none is configured.
    ///
    /// # Errors
    /// Fails in production if no origin is configured.
    pub fn complete(self, is_development: bool) -> Result<Self, &'static str> {
        match (self.origin.as_str(), is_development) {
            ("", false) => Err(
                "SITE_ORIGIN (--site-origin) must be set: links in mails lead there (or start with --development)",
            ),
            ("", true) => Ok(Self {
                origin: Self::ORIGIN.to_owned(),
                ..self
            }),
            _ => Ok(self),
        }
    }
}

impl Site {
    /// Returns the hospital's own mailboxes, which no patient may use.
    pub fn own_mailboxes(&self) -> OwnMailboxes {
        OwnMailboxes::new(&self.origin, [self.email.as_str()])
    }
}

impl Default for Site {
    fn default() -> Self {
        Self {
            name: Self::NAME.to_owned(),
            address: Self::ADDRESS.to_owned(),
            origin: Self::ORIGIN.to_owned(),
            email: Self::EMAIL.to_owned(),
            calendar_domain: Self::CALENDAR_DOMAIN.to_owned(),
            reference_prefix: Self::REFERENCE_PREFIX.to_owned(),
            fhir_naming: Self::FHIR_NAMING.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        site: Site,
    }

    fn parse(arguments: &[&str]) -> Result<Site, clap::Error> {
        let program: Result<Program, _> =
            clap::Parser::try_parse_from([&["program"], arguments].concat());
        program.map(|program| program.site)
    }

    #[test]
    fn defaults_match_an_empty_configuration() {
        let site = parse(&[]).expect("the defaults");
        // M7: production never links to this machine by default.
        assert!(site.clone().complete(false).is_err());
        assert_eq!(site.complete(true), Ok(Site::default()));
        let origin = ["--site-origin", "https://www.hospital.example"];
        let named = parse(&origin).expect("an origin").complete(false);
        assert_eq!(named.expect("complete").origin, origin[1]);
        let named = parse(&["--site-name", "City; Hospital, \"East\""]).expect("any line");
        assert_eq!(named.name, "City; Hospital, \"East\"");
        for flag in [
            "--site-name",
            "--site-address",
            "--site-email",
            "--site-origin",
            "--calendar-domain",
            "--reference-prefix",
            "--fhir-naming",
        ] {
            assert!(parse(&[flag, "two\nlines"]).is_err(), "{flag}");
        }
        for prefix in ["", "B", "BEL", "be", "B1", "WL", "VC", "ÄÖ"] {
            assert!(parse(&["--reference-prefix", prefix]).is_err(), "{prefix}");
        }
        for base in [
            "",
            "naming",
            "urn:x",
            "https://b.example/",
            "https://b.example/n?a",
            "https://b.example/#n",
        ] {
            assert!(parse(&["--fhir-naming", base]).is_err(), "{base}");
        }
        let other = [
            "--reference-prefix",
            "BE",
            "--fhir-naming",
            "https://belaku.example/naming",
        ];
        let other = parse(&other).expect("another hospital");
        assert_eq!(
            (other.reference_prefix.as_str(), other.fhir_naming.as_str()),
            ("BE", "https://belaku.example/naming")
        );
    }
}
