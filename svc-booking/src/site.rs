//! What the hospital says of itself in files that leave the site, such as calendar files.
//!
//! The profile of record is another team's (`svc-content/content/site.toml`): the defaults repeat it, and a test of the whole system
//! compares them.

use service_kit::clap_values;

/// Who sees the patients, and where.
#[derive(Clone, Debug, Eq, PartialEq, clap::Args)]
pub struct Site {
    /// Name of the hospital, at most 120 characters.
    #[arg(long = "site-name", env = "SITE_NAME", default_value = Site::NAME, value_parser = clap_values::line::<120>)]
    pub name: String,

    /// Postal address on one line, at most 300 characters.
    #[arg(long = "site-address", env = "SITE_ADDRESS", default_value = Site::ADDRESS, value_parser = clap_values::line::<300>)]
    pub address: String,

    /// Where visitors reach the site: http:// or https://, a host and optionally a port, without a trailing slash.
    #[arg(long = "site-origin", env = "SITE_ORIGIN", default_value = Site::ORIGIN, value_parser = clap_values::origin)]
    pub origin: String,

    /// E-mail address of those who keep the diary.
    #[arg(long = "site-email", env = "SITE_EMAIL", default_value = Site::EMAIL, value_parser = clap_values::email)]
    pub email: String,
}

impl Site {
    const NAME: &str = "Sampige Hospital";
    const ADDRESS: &str = "214, 9th Main Road, 4th T Block, Jayanagar, Bengaluru 560041";
    const ORIGIN: &str = "http://127.0.0.1:8080";
    const EMAIL: &str = "appointments@sampige.example";
}

impl Default for Site {
    fn default() -> Self {
        Self {
            name: Self::NAME.to_owned(),
            address: Self::ADDRESS.to_owned(),
            origin: Self::ORIGIN.to_owned(),
            email: Self::EMAIL.to_owned(),
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
    fn the_defaults_are_what_is_configured_without_a_word() {
        assert_eq!(parse(&[]).expect("the defaults"), Site::default());
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
