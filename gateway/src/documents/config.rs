//! What an operator can set about documents.

use std::{num::NonZeroUsize, path::PathBuf};

use axum::http::Uri;
use chrono::FixedOffset;

use super::Offer;

/// The hospital's number, for whoever runs the gateway without a word about it. Pages have it built in, too: a test
/// compares them.
const EMERGENCY_PHONE: &str = "+91 80 0000 0108";

/// The hospital's clock, for whoever runs the gateway without a word about it.
const UTC_OFFSET: &str = "+05:30";

/// What each service is for, from the list of services in the root manifest.
const OFFERS_DEFAULT: &str = env!("OFFERS_DEFAULT");

/// Where page modules come from and what their documents may cost.
#[derive(Clone, Debug, clap::Args)]
pub struct PagesConfig {
    /// Folder with remotes.json and the published page modules, one folder per name and version
    #[arg(long, env = "REMOTES_DIR", default_value = "remotes")]
    pub remotes_dir: PathBuf,
    /// Where page modules are fetched from into that folder (an S3-compatible store or any https origin that has the same files);
    /// not set: somebody else fills it
    #[arg(long, env = "REMOTES_URL")]
    pub remotes_url: Option<Uri>,
    /// File in which this gateway keeps what it took back, and since when each version is on trial, so that a restart changes neither. Each
    /// gateway has its own; default `.gateway-state.json` in the folder of page modules. A file that cannot be written is logged once
    #[arg(long, env = "REMOTES_STATE")]
    pub remotes_state: Option<PathBuf>,
    /// JSON file, team (or `shell`) → list of Ed25519 public keys (32 bytes in base64). With it, only what a team has signed is
    /// shown: versions, and pointers in remotes.json, which must not be older than those followed before; read at start
    #[arg(long, env = "REMOTES_KEYS")]
    pub remotes_keys: Option<PathBuf>,
    /// Failed renders within a minute for which a version is rolled back (1 to 1000000), if they are 10 % of its renders
    #[arg(long, env = "ROLLBACK_RENDER_FAILURES_MIN", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub rollback_render_failures_min: u64,
    /// Networks (IPv4 /24, IPv6 /48) whose browsers report failures of a version within a minute for which it is rolled back (1 to 1000),
    /// if they are 5 % of the documents sent. A report counts only with the token of a document that was sent to its network
    #[arg(long, env = "ROLLBACK_REPORTING_NETWORKS_MIN", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    pub rollback_reporting_networks_min: u64,
    /// Processor time of one render in ms (1 to 1000); beyond, the module is stopped and a fallback stands in
    #[arg(long, env = "RENDER_TIME_MS_MAX", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub render_time_ms_max: u64,
    /// Memory of one bundle on one thread in MiB (8 to 1024)
    #[arg(long, env = "RENDER_MEMORY_MIB_MAX", default_value_t = 64, value_parser = clap::value_parser!(u64).range(8..=1024))]
    pub render_memory_mib_max: u64,
    /// Threads that render (1 to 16); by default one per core
    #[arg(long, env = "RENDER_THREADS")]
    pub render_threads: Option<NonZeroUsize>,
    /// Renders of pages that are read that may wait for a thread (1 to 10000); beyond, a fallback stands in
    #[arg(long, env = "RENDER_QUEUE_MAX", default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub render_queue_max: u64,
    /// Renders for native forms that may wait for a thread (1 to 10000). They have a queue of their own, which is taken first
    #[arg(long, env = "FORM_RENDER_QUEUE_MAX", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub form_render_queue_max: u64,
    /// Time for all data of a document in ms (100 to 10000)
    #[arg(long, env = "PAGE_DATA_TIME_MS_MAX", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(100..=10_000))]
    pub page_data_time_ms_max: u64,
    /// Finished documents in memory (16 to 1000000)
    #[arg(long, env = "DOCUMENT_CACHE_ENTRIES_MAX", default_value_t = 4_096, value_parser = clap::value_parser!(u64).range(16..=1_000_000))]
    pub document_cache_entries_max: u64,
    /// Memory of finished documents in MiB, all codings together (1 to 4096)
    #[arg(long, env = "DOCUMENT_CACHE_MIB_MAX", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub document_cache_mib_max: u64,
    /// Seconds for which an aged document is sent while a new one is made (0 to 86400)
    #[arg(long, env = "DOCUMENT_STALE_S_MAX", default_value_t = 300, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub document_stale_s_max: u64,
    /// Seconds for which an aged document is sent while a new one cannot be made (0 to 604800)
    #[arg(long, env = "DOCUMENT_STALE_ON_ERROR_S_MAX", default_value_t = 86_400, value_parser = clap::value_parser!(u64).range(0..=604_800))]
    pub document_stale_on_error_s_max: u64,
    /// File with 32 to 4096 bytes, the key of the idempotency keys of native forms; several gateways need the same. Not set: a
    /// random one for this process
    #[arg(long, env = "FORM_KEY_FILE")]
    pub form_key_file: Option<PathBuf>,
    /// Telephone number on the page that is left when nothing else can be shown
    #[arg(long, env = "EMERGENCY_PHONE", default_value = EMERGENCY_PHONE)]
    pub emergency_phone: String,
    /// What visitors call what a package's service is for, as package=words, for the page /status. Repeatable or comma separated
    #[arg(long = "offer", env = "OFFERS", value_delimiter = ',', default_value = OFFERS_DEFAULT)]
    pub offers: Vec<Offer>,
    /// How far the hospital's clock is ahead of UTC, for the page /status
    #[arg(long, env = "UTC_OFFSET", allow_hyphen_values = true, default_value = UTC_OFFSET)]
    pub utc_offset: FixedOffset,
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    fn read(path: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        fs::read_to_string(root.join(path)).unwrap()
    }

    /// The value after `key` behind the first emergency purpose of a file.
    fn emergency(text: &str, purpose: &str, key: &str, quote: char) -> String {
        let (_, entry) = text.split_once(purpose).unwrap();
        let (_, value) = entry.split_once(&format!("{key}{quote}")).unwrap();
        value.split_once(quote).unwrap().0.to_owned()
    }

    #[test]
    fn there_is_one_emergency_number() {
        let page = read("web-kit/ui/src/site.ts");
        let content = read("svc-content/content/site.toml");
        let in_pages = emergency(&page, "purpose: 'emergency'", "display: ", '\'');
        let in_content = emergency(&content, "purpose = \"emergency\"", "display = ", '"');
        assert_eq!([&*in_pages, &*in_content], [EMERGENCY_PHONE; 2]);
    }
}
