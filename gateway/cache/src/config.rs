//! Settings of the API response cache.

use clap::Args;
use service_kit::clap_values::count;

/// Bounds of the API response cache.
#[derive(Clone, Debug, Args)]
pub struct StoreConfig {
    /// Maximum number of cached API responses (1 to 1000000).
    #[arg(long, env = "CACHE_ENTRIES_MAX", default_value = "10000", value_parser = count)]
    pub cache_entries_max: usize,
    /// Maximum size of the API response cache in MiB, with keys and all codings (1 to 4096).
    #[arg(long, env = "CACHE_MIB_MAX", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub cache_mib_max: u32,
    /// Seconds that an expired API response may be sent while its service cannot provide a new one (0 to 86400).
    #[arg(long, env = "CACHE_STALE_ON_ERROR_S_MAX", default_value_t = 600, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub cache_stale_on_error_s_max: u64,
}
