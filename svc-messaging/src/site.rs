//! Facts about the hospital used in mails.
//!
//! The authoritative profile belongs to another team (`svc-content/content/site.toml`). The defaults repeat it, and an
//! end-to-end test compares them.

use service_kit::clap_values;

/// The hospital's name and contact details in mails.
#[derive(Clone, Debug, Eq, PartialEq, clap::Args)]
pub struct Site {
    /// Name of the hospital, at most 120 characters.
    #[arg(long = "site-name", env = "SITE_NAME", default_value = Site::NAME, value_parser = clap_values::line::<120>)]
    pub name: String,

    /// Postal address on one line, at most 300 characters.
    #[arg(long = "site-address", env = "SITE_ADDRESS", default_value = Site::ADDRESS, value_parser = clap_values::line::<300>)]
    pub address: String,

    /// Public address of the site, used for links in mails: http:// or https://, a host and optionally a port, without
    /// a trailing slash. Required, except with --development.
    #[arg(long = "site-origin", env = "SITE_ORIGIN", default_value = "", hide_default_value = true, value_parser = origin_or_none)]
    pub origin: String,

    /// E-mail address for replies.
    #[arg(long = "site-email", env = "SITE_EMAIL", default_value = Site::EMAIL, value_parser = clap_values::email)]
    pub email: String,

    /// Phone number of reception.
    #[arg(long = "site-phone", env = "SITE_PHONE", default_value = Site::PHONE, value_parser = clap_values::phone)]
    pub phone: String,

    /// Phone number for emergencies, day and night.
    #[arg(long = "site-emergency-phone", env = "SITE_EMERGENCY_PHONE", default_value = Site::EMERGENCY_PHONE, value_parser = clap_values::phone)]
    pub emergency_phone: String,
}

impl Site {
    const NAME: &str = "Sampige Hospital";
    const ADDRESS: &str = "214, 9th Main Road, 4th T Block, Jayanagar, Bengaluru 560041";
    const ORIGIN: &str = "http://127.0.0.1:8080";
    const EMAIL: &str = "hello@sampige.example";
    const PHONE: &str = "+91 80 0000 0100";
    const EMERGENCY_PHONE: &str = "+91 80 0000 0108";
}

fn origin_or_none(text: &str) -> Result<String, &'static str> {
    if text.is_empty() {
        Ok(String::new())
    } else {
        clap_values::origin(text)
    }
}

impl Site {
    /// Fills in the local development address if no origin is configured.
    ///
    /// # Errors
    /// When none is configured in production.
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

impl Default for Site {
    fn default() -> Self {
        Self {
            name: Self::NAME.to_owned(),
            address: Self::ADDRESS.to_owned(),
            origin: Self::ORIGIN.to_owned(),
            email: Self::EMAIL.to_owned(),
            phone: Self::PHONE.to_owned(),
            emergency_phone: Self::EMERGENCY_PHONE.to_owned(),
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
    fn default_flags_equal_the_default_site() {
        let site = parse(&[]).expect("the defaults");
        // M7: the default never links to this machine.
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
        ] {
            assert!(parse(&[flag, "two\nlines"]).is_err(), "{flag}");
        }
    }
}
