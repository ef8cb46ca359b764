//! File formats of a published page module folder.
//!
//! Unknown fields are ignored on purpose: a team may publish with a newer build than this gateway.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// `module.json` of a team or of the shell.
#[derive(Debug, Deserialize)]
pub(crate) struct ModuleFile {
    pub name: String,
    pub version: String,
    pub contract: u32,
    #[serde(default)]
    pub requires: Requires,
    #[serde(default)]
    pub modules: BTreeMap<String, ModuleEntry>,
    #[serde(default)]
    pub pages: Vec<PageEntry>,
    #[serde(default)]
    pub fragments: Vec<FragmentEntry>,
    /// Former or short address → target, both on this site.
    #[serde(default)]
    pub redirects: BTreeMap<String, String>,
    /// Shell only: small scripts included in every document.
    #[serde(default)]
    pub scripts: Vec<String>,
    /// Shell only: name of the Trusted Types policy that its document script creates.
    #[serde(default, rename = "trustedTypes")]
    pub(crate) trusted_types: Option<String>,
    /// Shell only: client startup script, loaded only where something hydrates.
    pub script: Option<String>,
    /// Shell only: script that measures the load of pages without the startup script.
    pub measure: Option<String>,
    /// Shell only: styles of every page.
    #[serde(default)]
    pub styles: Vec<String>,
    /// Shell only: on bare pages, in place of `styles`.
    #[serde(default, rename = "bareStyles")]
    pub(crate) bare_styles: Vec<String>,
    /// Shell only: API path whose response is passed to every document.
    pub site: Option<String>,
    /// Shell only: path on the site → file.
    #[serde(default)]
    pub root: BTreeMap<String, String>,
    /// Shell only: pages made of several teams' fragments.
    #[serde(default)]
    pub(crate) compositions: Vec<CompositionEntry>,
    /// Shell only: modules for failures, by `404`, `500` and `fragment`.
    #[serde(default)]
    pub errors: BTreeMap<String, String>,
}

/// Requirements of a version on other live components.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Requires {
    /// Minimum contract version of the shell.
    #[serde(default)]
    pub shell: u32,
    /// API paths that must be served, in the notation of `data`.
    #[serde(default)]
    pub api: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct ModuleEntry {
    #[serde(default)]
    pub styles: Vec<String>,
    /// Short inline scripts (menu, carousel) included in the document; their hash goes into the policy.
    #[serde(default)]
    pub scripts: Vec<String>,
}

/// When a fragment hydrates. All modes except `none` and `interaction` cost every visitor the shell's script.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Hydrate {
    #[default]
    None,
    /// The shell's script is fetched on the visitor's first interaction, not with the document.
    Interaction,
    Visible,
    Idle,
    Load,
}

impl Hydrate {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Interaction => "interaction",
            Self::Visible => "visible",
            Self::Idle => "idle",
            Self::Load => "load",
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are written by hand in module.config.json, each by itself"
)]
pub(crate) struct PageEntry {
    pub route: String,
    pub module: String,
    #[serde(default)]
    pub hydrate: Hydrate,
    #[serde(default)]
    pub query: Vec<String>,
    #[serde(default)]
    pub data: BTreeMap<String, String>,
    /// Whether the page's own module accepts native form posts.
    #[serde(default)]
    pub action: bool,
    pub cache_seconds: Option<u64>,
    /// Fragments placed after the page's own module: `id` for this team's, or `team:id`.
    #[serde(default)]
    pub fragments: Vec<FragmentReference>,
    /// Slot of the page's own module → fragment.
    #[serde(default)]
    pub slots: Slots,
    /// Whether other pages let the browser prefetch its scripts when idle.
    #[serde(default)]
    pub ahead: bool,
    /// Placeholder that other pages show while navigation to this page is slow.
    pub skeleton: Option<Skeleton>,
    pub(crate) site_map: Option<SiteMap>,
    pub search: Option<Search>,
    /// Media type of a page other than HTML. Its module writes the whole body, without a surrounding document.
    pub content_type: Option<String>,
    /// Rendered when page modules are loaded and kept in memory while they are live. Served even when services are down
    /// or load is shed.
    #[serde(default)]
    pub resident: bool,
    /// Its document has no script element and uses the shell's small frame, if the shell has one.
    #[serde(default)]
    pub bare: bool,
}

/// Placeholder shapes for a page that has not loaded yet.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Skeleton {
    /// A shape that the shell supports, such as `card`.
    pub shape: String,
    pub count: u8,
    /// Announced to screen readers.
    pub label: String,
}

/// Slot name → fragment in it.
pub(crate) type Slots = BTreeMap<String, String>;

/// A fragment and the contents of its slots.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum FragmentReference {
    Name(String),
    WithSlots { fragment: String, slots: Slots },
}

impl FragmentReference {
    pub(crate) fn parts(&self) -> (&str, Option<&Slots>) {
        match self {
            Self::Name(name) => (name, None),
            Self::WithSlots { fragment, slots } => (fragment, Some(slots)),
        }
    }
}

/// Whether a page is in the site map for search engines.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum SiteMap {
    Listed(bool),
    /// A page with parameters: one entry per item of a list.
    Items(SiteMapItems),
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SiteMapItems {
    /// API path of the list.
    pub data: String,
    /// Key of the list in the response.
    pub list: String,
    /// Field of an item with the time of its last change.
    pub changed: Option<String>,
}

/// Entry of a page in the site's own search.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Search {
    /// `false`: no entry.
    Nothing(bool),
    Entry(SearchEntry),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct SearchEntry {
    pub title: String,
    pub summary: String,
    pub words: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FragmentEntry {
    pub id: String,
    pub module: String,
    #[serde(default)]
    pub hydrate: Hydrate,
    /// Query parameters that it reads, in addition to the page's.
    #[serde(default)]
    pub query: Vec<String>,
    #[serde(default)]
    pub data: BTreeMap<String, String>,
    /// Whether it accepts native form posts.
    #[serde(default)]
    pub action: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompositionEntry {
    pub route: String,
    pub module: String,
    pub fragments: Vec<FragmentReference>,
    /// Slot of the composition's own module → fragment.
    #[serde(default)]
    pub slots: Slots,
    pub(crate) site_map: Option<SiteMap>,
    pub search: Option<Search>,
    #[serde(default)]
    pub query: Vec<String>,
    #[serde(default)]
    pub data: BTreeMap<String, String>,
    /// Whether the composition's own module accepts native form posts.
    #[serde(default)]
    pub action: bool,
    pub skeleton: Option<Skeleton>,
    pub cache_seconds: Option<u64>,
}

/// The part of `mf-manifest.json` needed for preload hints.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FederationManifest {
    pub(crate) meta_data: FederationMetaData,
    #[serde(default)]
    pub(crate) exposes: Vec<FederationExpose>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FederationMetaData {
    pub(crate) remote_entry: FederationEntry,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FederationEntry {
    pub name: String,
    #[serde(default)]
    pub path: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FederationExpose {
    /// `./appointment`
    pub path: String,
    pub(crate) assets: FederationAssets,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FederationAssets {
    pub js: FederationChunks,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FederationChunks {
    #[serde(default)]
    pub sync: Vec<String>,
}
