//! Facts about the hospital used in mails.
//!
//! The authoritative profile belongs to the content service, and mails follow it while it can be read. The settings are
//! used until the first read. Their defaults repeat `svc-content/content/site.toml`, and an end-to-end test compares them.

use std::{collections::BTreeMap, sync::Arc};

use arc_swap::ArcSwap;
use hospital_proto::content::v1 as content;
use service_kit::{
    clap_values,
    language::{ByLanguage, Language},
};

/// The hospital's name and contact details in mails, in one language.
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

    /// Names of departments, doctors and events in the language, by the English name. Empty for English.
    #[arg(skip)]
    pub names: Arc<BTreeMap<String, String>>,
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

/// What the content service has in another language.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Translated {
    /// Empty if unknown.
    pub name: String,
    /// Empty if unknown.
    pub address: String,
    /// See [`Site::names`].
    pub names: Arc<BTreeMap<String, String>>,
}

impl Translated {
    /// Takes name and address of a translated site. Values that the settings would refuse are left out.
    pub fn new(read: &content::Site, names: BTreeMap<String, String>) -> Self {
        Self {
            name: clap_values::line::<120>(&read.name).unwrap_or_default(),
            address: address(read).unwrap_or_default(),
            names: Arc::new(names),
        }
    }
}

/// The facts in use: those last read from the content service, or the settings.
#[derive(Debug)]
pub struct CurrentSite {
    english: ArcSwap<Site>,
    translated: ByLanguage<ArcSwap<Translated>>,
}

impl CurrentSite {
    /// Starts with the settings.
    pub fn new(settings: Site) -> Self {
        Self {
            english: ArcSwap::from_pointee(settings),
            translated: ByLanguage::default(),
        }
    }

    /// Returns the facts in English.
    pub fn get(&self) -> Arc<Site> {
        self.english.load_full()
    }

    /// Returns the facts in a language. What has no translation is English.
    pub fn of(&self, language: Option<Language>) -> Arc<Site> {
        let english = self.get();
        let Some(language) = language else {
            return english;
        };
        let translated = self.translated.of(language).load();
        let known = |translation: &str, english: &str| {
            let text = [translation, english]
                .into_iter()
                .find(|text| !text.is_empty());
            text.unwrap_or_default().to_owned()
        };
        Arc::new(Site {
            name: known(&translated.name, &english.name),
            address: known(&translated.address, &english.address),
            names: Arc::clone(&translated.names),
            ..(*english).clone()
        })
    }

    /// Takes what the content service has in a language.
    pub fn translate(&self, language: Language, translated: Translated) {
        self.translated.of(language).store(Arc::new(translated));
    }

    /// Takes name, address and phone numbers; returns whether any changed. Values that the settings would refuse are
    /// left as they are. Origin and e-mail address stay those of the settings, because mail servers are set up for them.
    pub fn follow(&self, read: &content::Site) -> bool {
        let current = self.get();
        let phone = |purpose: &str| {
            let mut phones = read.phones.iter();
            let phone = phones.find(|phone| phone.purpose == purpose)?;
            clap_values::phone(&phone.display).ok()
        };
        let next = Site {
            name: clap_values::line::<120>(&read.name).unwrap_or_else(|_| current.name.clone()),
            address: address(read).unwrap_or_else(|| current.address.clone()),
            phone: phone("reception").unwrap_or_else(|| current.phone.clone()),
            emergency_phone: phone("emergency").unwrap_or_else(|| current.emergency_phone.clone()),
            origin: current.origin.clone(),
            email: current.email.clone(),
            names: Arc::default(),
        };
        let is_changed = next != *current;
        if is_changed {
            self.english.store(Arc::new(next));
        }
        is_changed
    }
}

/// Returns the address on one line; `None` if there is none that the settings would accept.
fn address(read: &content::Site) -> Option<String> {
    let address = read.address.as_ref()?;
    let city = format!("{} {}", address.city, address.postal_code);
    let parts = [address.street.as_str(), &address.locality, city.trim()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    clap_values::line::<300>(&parts.join(", ")).ok()
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
            names: Arc::default(),
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
    fn follows_sound_facts_and_keeps_the_others() {
        let site = CurrentSite::new(Site::default());
        let phone = |purpose: &str, display: &str| content::PhoneNumber {
            purpose: purpose.to_owned(),
            display: display.to_owned(),
            ..content::PhoneNumber::default()
        };
        let read = content::Site {
            name: "City Hospital".to_owned(),
            phones: vec![
                phone("emergency", "+91 80 0000 0999"),
                phone("reception", "call us"),
            ],
            ..content::Site::default()
        };
        assert!(site.follow(&read));
        let followed = site.get();
        assert_eq!(followed.name, "City Hospital");
        assert_eq!(followed.emergency_phone, "+91 80 0000 0999");
        let kept = [&followed.phone, &followed.address, &followed.email];
        assert_eq!(kept, [Site::PHONE, Site::ADDRESS, Site::EMAIL]);
        assert!(!site.follow(&read));
        assert!(!site.follow(&content::Site::default()), "an empty answer");
    }

    #[test]
    fn facts_without_a_translation_are_english() {
        let site = CurrentSite::new(Site::default());
        let kannada = Some(Language::Kannada);
        assert_eq!(*site.of(kannada), Site::default());
        let read = content::Site {
            name: "ಸಂಪಿಗೆ ಆಸ್ಪತ್ರೆ".to_owned(),
            ..content::Site::default()
        };
        let names = [("Cardiology".to_owned(), "ಹೃದ್ರೋಗ".to_owned())];
        site.translate(Language::Kannada, Translated::new(&read, names.into()));
        let translated = site.of(kannada);
        assert_eq!(translated.name, "ಸಂಪಿಗೆ ಆಸ್ಪತ್ರೆ");
        assert_eq!(translated.address, Site::ADDRESS);
        let name = translated.names.get("Cardiology").map(String::as_str);
        assert_eq!(name, Some("ಹೃದ್ರೋಗ"));
        assert!(site.get().names.is_empty());
        assert_eq!(*site.of(Some(Language::Hindi)), Site::default());
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
