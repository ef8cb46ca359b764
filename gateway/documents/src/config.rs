//! Operator settings for documents.

use std::{num::NonZeroUsize, path::PathBuf, str::FromStr};

use axum::http::Uri;
use chrono::FixedOffset;

/// The hospital's emergency number, used when none is configured. Pages have it built in as well, and a test compares
/// the two.
const EMERGENCY_PHONE: &str = "+91 80 0000 0108";

/// The hospital's UTC offset, used when none is configured.
const UTC_OFFSET: &str = "+05:30";

/// The purpose of each service, from the list of services in the root manifest.
const OFFERS_DEFAULT: &str = env!("OFFERS_DEFAULT");

/// Bytes of a mebibyte.
pub(crate) const MIB: u64 = 1024 * 1024;

const WORDS_CHARACTERS_MAX: usize = 80;

/// Purpose of a service, configured as `package=words`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Offer {
    /// Package of the contract, for example `hospital.booking.v1`.
    pub package: String,
    /// Visitors' name for it, 1 to 80 characters.
    pub words: String,
}

impl FromStr for Offer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (package, words) = text.split_once('=').ok_or("expected package=text")?;
        let (package, words) = (package.trim(), words.trim());
        let is_short = (1..=WORDS_CHARACTERS_MAX).contains(&words.chars().count());
        if package.is_empty() || !is_short || words.chars().any(char::is_control) {
            return Err(format!(
                "expected a package and 1 to {WORDS_CHARACTERS_MAX} characters after the equals sign"
            ));
        }
        Ok(Self {
            package: package.to_owned(),
            words: words.to_owned(),
        })
    }
}

/// Source of page modules and resource limits of their documents.
#[derive(Clone, Debug, clap::Args)]
pub struct PagesConfig {
    /// Folder with remotes.json and the published page modules, one folder per name and version
    #[arg(long, env = "REMOTES_DIR", default_value = "remotes")]
    pub remotes_dir: PathBuf,
    /// Address from which page modules are fetched into that folder: an S3-compatible store or any https origin with
    /// the same files. Not set: the folder is filled by other means
    #[arg(long, env = "REMOTES_URL")]
    pub remotes_url: Option<Uri>,
    /// File with the versions that this gateway rolled back and the start of each trial, to keep both across restarts.
    /// Each gateway needs its own; default `.gateway-state.json` in the folder of page modules. A failed write is
    /// logged once
    #[arg(long, env = "REMOTES_STATE")]
    pub remotes_state: Option<PathBuf>,
    /// JSON file, team (or `shell`) → list of Ed25519 public keys (32 bytes in base64), re-read while the gateway runs.
    /// If set, versions and pointers in remotes.json must be signed by their team, and a pointer must not be older than
    /// the last one followed
    #[arg(long, env = "REMOTES_KEYS")]
    pub remotes_keys: Option<PathBuf>,
    /// Number of failed renders within a minute that triggers a version's rollback (1 to 1000000), if they are at least
    /// 10 % of its renders
    #[arg(long, env = "ROLLBACK_RENDER_FAILURES_MIN", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub rollback_render_failures_min: u64,
    /// Number of networks (IPv4 /24, IPv6 /48) reporting failures of a version within a minute that triggers its
    /// rollback (1 to 1000). They must also be at least 5 % of the documents sent. A report counts only with the token
    /// of a document that was sent to its network
    #[arg(long, env = "ROLLBACK_REPORTING_NETWORKS_MIN", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    pub rollback_reporting_networks_min: u64,
    /// Processor time of one render in ms (1 to 1000); beyond it, the module is stopped and a fallback is shown
    #[arg(long, env = "RENDER_TIME_MS_MAX", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub render_time_ms_max: u64,
    /// Memory of one bundle on one thread in MiB (8 to 1024)
    #[arg(long, env = "RENDER_MEMORY_MIB_MAX", default_value_t = 64, value_parser = clap::value_parser!(u64).range(8..=1024))]
    pub render_memory_mib_max: u64,
    /// Render threads (1 to 16); default: one per core
    #[arg(long, env = "RENDER_THREADS")]
    pub render_threads: Option<NonZeroUsize>,
    /// Maximum queued renders for page reads (1 to 10000); beyond it, a fallback is shown
    #[arg(long, env = "RENDER_QUEUE_MAX", default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub render_queue_max: u64,
    /// Maximum queued renders for native forms (1 to 10000). Their queue is separate and has priority over page reads
    #[arg(long, env = "FORM_RENDER_QUEUE_MAX", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub form_render_queue_max: u64,
    /// Time limit for fetching all data of a document in ms (100 to 10000)
    #[arg(long, env = "PAGE_DATA_TIME_MS_MAX", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(100..=10_000))]
    pub page_data_time_ms_max: u64,
    /// Maximum finished documents in memory (16 to 1000000)
    #[arg(long, env = "DOCUMENT_CACHE_ENTRIES_MAX", default_value_t = 4_096, value_parser = clap::value_parser!(u64).range(16..=1_000_000))]
    pub document_cache_entries_max: u64,
    /// Memory for finished documents in MiB, including all content codings (1 to 4096)
    #[arg(long, env = "DOCUMENT_CACHE_MIB_MAX", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub document_cache_mib_max: u64,
    /// Seconds for which a stale document is served while it is being refreshed (0 to 86400)
    #[arg(long, env = "DOCUMENT_STALE_S_MAX", default_value_t = 300, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub document_stale_s_max: u64,
    /// Seconds for which a stale document is served while it cannot be refreshed (0 to 604800)
    #[arg(long, env = "DOCUMENT_STALE_ON_ERROR_S_MAX", default_value_t = 86_400, value_parser = clap::value_parser!(u64).range(0..=604_800))]
    pub document_stale_on_error_s_max: u64,
    /// File with 32 to 4096 bytes: the key from which idempotency keys are derived for native forms and for creates
    /// without one. Gateways of the same site must share it. Not set: a random key for this process
    #[arg(long, env = "FORM_KEY_FILE")]
    pub form_key_file: Option<PathBuf>,
    /// Folder of another hospital: look.toml (short name, mark and colours), content/site.toml and root/ (icons and
    /// share image), read at start. Not set: the hospital that is built into the page modules
    #[arg(long, env = "SITE_DIR")]
    pub site_dir: Option<PathBuf>,
    /// Telephone number on the built-in page, which is shown when nothing else can be. With SITE_DIR, that of its site.toml
    #[arg(long, env = "EMERGENCY_PHONE", default_value = EMERGENCY_PHONE)]
    pub emergency_phone: String,
    /// `off` replaces `/sw.js` by a worker that deletes its pages and removes itself from visitors' browsers, at their
    /// next visit (on or off)
    #[arg(long, env = "SERVICE_WORKER", default_value = "on", value_parser = on_or_off, action = clap::ArgAction::Set)]
    pub service_worker: bool,
    /// What visitors call the purpose of a package's service, as package=words, for the page /status. Repeatable or
    /// comma separated
    #[arg(long = "offer", env = "OFFERS", value_delimiter = ',', default_value = OFFERS_DEFAULT)]
    pub offers: Vec<Offer>,
    /// UTC offset of the hospital's clock, for the page /status and for previews
    #[arg(long, env = "UTC_OFFSET", allow_hyphen_values = true, default_value = UTC_OFFSET)]
    pub utc_offset: FixedOffset,
}

fn on_or_off(text: &str) -> Result<bool, &'static str> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("is neither `on` nor `off`"),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    fn read(path: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        fs::read_to_string(root.join(path)).unwrap()
    }

    /// Returns the value after `key` that follows the first emergency purpose in a file.
    fn emergency(text: &str, purpose: &str, key: &str, quote: char) -> String {
        let (_, entry) = text.split_once(purpose).unwrap();
        let (_, value) = entry.split_once(&format!("{key}{quote}")).unwrap();
        value.split_once(quote).unwrap().0.to_owned()
    }

    #[test]
    fn uses_one_emergency_number_everywhere() {
        let page = read("web-kit/ui/src/site.ts");
        let content = read("svc-content/content/site.toml");
        let in_pages = emergency(&page, "purpose: 'emergency'", "display: ", '\'');
        let in_content = emergency(&content, "purpose = \"emergency\"", "display = ", '"');
        assert_eq!([&*in_pages, &*in_content], [EMERGENCY_PHONE; 2]);
    }

    #[test]
    fn a_switch_is_on_or_off() {
        assert_eq!(["on", "off"].map(on_or_off), [Ok(true), Ok(false)]);
        assert!(
            ["", "On", "true", "1"]
                .iter()
                .all(|text| on_or_off(text).is_err())
        );
    }

    #[test]
    fn parses_and_refuses_offers() {
        let offer: Offer = " a.v1 = Doctors and articles ".parse().unwrap();
        assert_eq!(
            (&*offer.package, &*offer.words),
            ("a.v1", "Doctors and articles")
        );
        let long = format!("a={}", "x".repeat(WORDS_CHARACTERS_MAX + 1));
        for wrong in ["", "a", "a=", "=x", "a=x\ny", &long] {
            assert!(wrong.parse::<Offer>().is_err(), "{wrong}");
        }
    }
}
