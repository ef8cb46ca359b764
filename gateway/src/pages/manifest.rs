//! The files that a published page module folder consists of, as they are on disk.
//!
//! Unknown fields are ignored on purpose: a team may publish with a newer build than this gateway.

use std::collections::BTreeMap;

use serde::Deserialize;

/// `remotes.json`: which version of whom is live.
#[derive(Debug, Deserialize)]
pub(super) struct RemotesFile {
    pub(super) contract: u32,
    pub(super) shell: Pointer,
    #[serde(default)]
    pub(super) teams: BTreeMap<String, Pointer>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Pointer {
    pub(super) stable: String,
}

/// `module.json` of a team or of the shell.
#[derive(Debug, Deserialize)]
pub(super) struct ModuleFile {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) contract: u32,
    #[serde(default)]
    pub(super) modules: BTreeMap<String, ModuleEntry>,
    #[serde(default)]
    pub(super) pages: Vec<PageEntry>,
    #[serde(default)]
    pub(super) fragments: Vec<FragmentEntry>,
    /// Former or short address → where it leads, both on this site.
    #[serde(default)]
    pub(super) redirects: BTreeMap<String, String>,
    /// Shell only: client start-up, loaded only where something hydrates.
    pub(super) script: Option<String>,
    /// Shell only: on every page.
    #[serde(default)]
    pub(super) styles: Vec<String>,
    /// Shell only: API path whose answer every document gets.
    pub(super) site: Option<String>,
    /// Shell only: path on the site → file.
    #[serde(default)]
    pub(super) root: BTreeMap<String, String>,
    /// Shell only: pages made of several teams' fragments.
    #[serde(default)]
    pub(super) compositions: Vec<CompositionEntry>,
    /// Shell only: modules for failures, by `404`, `500` and `fragment`.
    #[serde(default)]
    pub(super) errors: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ModuleEntry {
    #[serde(default)]
    pub(super) styles: Vec<String>,
    /// A few inline lines (menu, carousel) that the document carries; their hash goes into the policy.
    #[serde(default)]
    pub(super) scripts: Vec<String>,
}

/// When a fragment hydrates. Everything but `none` costs the visitor the shell's script.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Hydrate {
    #[default]
    None,
    Visible,
    Idle,
    Load,
}

impl Hydrate {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Visible => "visible",
            Self::Idle => "idle",
            Self::Load => "load",
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageEntry {
    pub(super) route: String,
    pub(super) module: String,
    #[serde(default)]
    pub(super) hydrate: Hydrate,
    #[serde(default)]
    pub(super) query: Vec<String>,
    #[serde(default)]
    pub(super) data: BTreeMap<String, String>,
    /// The page's own module takes native form posts.
    #[serde(default)]
    pub(super) action: bool,
    pub(super) cache_seconds: Option<u64>,
    /// Laid out after the page's own module: `id` of this team's fragments, or `team:id`.
    #[serde(default)]
    pub(super) fragments: Vec<String>,
    /// What the page is if it is no HTML: then its module writes all of it, and no document is laid around.
    pub(super) content_type: Option<String>,
    /// Rendered when page modules are loaded, resident for as long as they are live, and sent even when services are down or
    /// load is shed.
    #[serde(default)]
    pub(super) resident: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct FragmentEntry {
    pub(super) id: String,
    pub(super) module: String,
    #[serde(default)]
    pub(super) hydrate: Hydrate,
    #[serde(default)]
    pub(super) data: BTreeMap<String, String>,
    /// It takes native form posts.
    #[serde(default)]
    pub(super) action: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompositionEntry {
    pub(super) route: String,
    pub(super) module: String,
    pub(super) fragments: Vec<String>,
    #[serde(default)]
    pub(super) query: Vec<String>,
    #[serde(default)]
    pub(super) data: BTreeMap<String, String>,
    /// The composition's own module takes native form posts.
    #[serde(default)]
    pub(super) action: bool,
    pub(super) cache_seconds: Option<u64>,
}

/// The part of `mf-manifest.json` that preload hints need.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FederationManifest {
    pub(super) meta_data: FederationMetaData,
    #[serde(default)]
    pub(super) exposes: Vec<FederationExpose>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FederationMetaData {
    pub(super) remote_entry: FederationEntry,
}

#[derive(Debug, Deserialize)]
pub(super) struct FederationEntry {
    pub(super) name: String,
    #[serde(default)]
    pub(super) path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct FederationExpose {
    /// `./appointment`
    pub(super) path: String,
    pub(super) assets: FederationAssets,
}

#[derive(Debug, Deserialize)]
pub(super) struct FederationAssets {
    pub(super) js: FederationChunks,
}

#[derive(Debug, Deserialize)]
pub(super) struct FederationChunks {
    #[serde(default)]
    pub(super) sync: Vec<String>,
}
