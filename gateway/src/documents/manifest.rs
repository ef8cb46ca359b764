//! File formats of a published page module folder.
//!
//! Unknown fields are ignored on purpose: a team may publish with a newer build than this gateway.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// `module.json` of a team or of the shell.
#[derive(Debug, Deserialize)]
pub(super) struct ModuleFile {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) contract: u32,
    #[serde(default)]
    pub(super) requires: Requires,
    #[serde(default)]
    pub(super) modules: BTreeMap<String, ModuleEntry>,
    #[serde(default)]
    pub(super) pages: Vec<PageEntry>,
    #[serde(default)]
    pub(super) fragments: Vec<FragmentEntry>,
    /// Former or short address → target, both on this site.
    #[serde(default)]
    pub(super) redirects: BTreeMap<String, String>,
    /// Shell only: small scripts included in every document.
    #[serde(default)]
    pub(super) scripts: Vec<String>,
    /// Shell only: name of the Trusted Types policy that its document script creates.
    #[serde(default, rename = "trustedTypes")]
    pub(super) trusted_types: Option<String>,
    /// Shell only: client startup script, loaded only where something hydrates.
    pub(super) script: Option<String>,
    /// Shell only: script that measures the load of pages without the startup script.
    pub(super) measure: Option<String>,
    /// Shell only: styles of every page.
    #[serde(default)]
    pub(super) styles: Vec<String>,
    /// Shell only: on bare pages, in place of `styles`.
    #[serde(default, rename = "bareStyles")]
    pub(super) bare_styles: Vec<String>,
    /// Shell only: API path whose response is passed to every document.
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

/// Requirements of a version on other live components.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Requires {
    /// Minimum contract version of the shell.
    #[serde(default)]
    pub(super) shell: u32,
    /// API paths that must be served, in the notation of `data`.
    #[serde(default)]
    pub(super) api: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ModuleEntry {
    #[serde(default)]
    pub(super) styles: Vec<String>,
    /// Short inline scripts (menu, carousel) included in the document; their hash goes into the policy.
    #[serde(default)]
    pub(super) scripts: Vec<String>,
}

/// When a fragment hydrates. All modes except `none` and `interaction` cost every visitor the shell's script.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Hydrate {
    #[default]
    None,
    /// The shell's script is fetched on the visitor's first interaction, not with the document.
    Interaction,
    Visible,
    Idle,
    Load,
}

impl Hydrate {
    pub(super) fn as_str(self) -> &'static str {
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
    reason = "they are declared individually in module.config.json"
)]
pub(super) struct PageEntry {
    pub(super) route: String,
    pub(super) module: String,
    #[serde(default)]
    pub(super) hydrate: Hydrate,
    #[serde(default)]
    pub(super) query: Vec<String>,
    #[serde(default)]
    pub(super) data: BTreeMap<String, String>,
    /// Whether the page's own module accepts native form posts.
    #[serde(default)]
    pub(super) action: bool,
    pub(super) cache_seconds: Option<u64>,
    /// Fragments placed after the page's own module: `id` for this team's, or `team:id`.
    #[serde(default)]
    pub(super) fragments: Vec<FragmentReference>,
    /// Slot of the page's own module → fragment.
    #[serde(default)]
    pub(super) slots: Slots,
    /// Whether other pages let the browser prefetch its scripts when idle.
    #[serde(default)]
    pub(super) ahead: bool,
    /// Placeholder that other pages show while navigation to this page is slow.
    pub(super) skeleton: Option<Skeleton>,
    pub(super) site_map: Option<SiteMap>,
    pub(super) search: Option<Search>,
    /// Media type of a page other than HTML. Its module writes the whole body, without a surrounding document.
    pub(super) content_type: Option<String>,
    /// Rendered when page modules are loaded and kept in memory while they are live. Served even when services are down
    /// or load is shed.
    #[serde(default)]
    pub(super) resident: bool,
    /// Its document has no script element and uses the shell's small frame, if the shell has one.
    #[serde(default)]
    pub(super) bare: bool,
}

/// Placeholder shapes for a page that has not loaded yet.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Skeleton {
    /// A shape that the shell supports, such as `card`.
    pub(super) shape: String,
    pub(super) count: u8,
    /// Announced to screen readers.
    pub(super) label: String,
}

/// Slot name → fragment in it.
pub(super) type Slots = BTreeMap<String, String>;

/// A fragment and the contents of its slots.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum FragmentReference {
    Name(String),
    WithSlots { fragment: String, slots: Slots },
}

impl FragmentReference {
    pub(super) fn parts(&self) -> (&str, Option<&Slots>) {
        match self {
            Self::Name(name) => (name, None),
            Self::WithSlots { fragment, slots } => (fragment, Some(slots)),
        }
    }
}

/// Whether a page is in the site map for search engines.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum SiteMap {
    Listed(bool),
    /// A page with parameters: one entry per item of a list.
    Items(SiteMapItems),
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SiteMapItems {
    /// API path of the list.
    pub(super) data: String,
    /// Key of the list in the response.
    pub(super) list: String,
    /// Field of an item with the time of its last change.
    pub(super) changed: Option<String>,
}

/// Entry of a page in the site's own search.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Search {
    /// `false`: no entry.
    Nothing(bool),
    Entry(SearchEntry),
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct SearchEntry {
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) words: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct FragmentEntry {
    pub(super) id: String,
    pub(super) module: String,
    #[serde(default)]
    pub(super) hydrate: Hydrate,
    /// Query parameters that it reads, in addition to the page's.
    #[serde(default)]
    pub(super) query: Vec<String>,
    #[serde(default)]
    pub(super) data: BTreeMap<String, String>,
    /// Whether it accepts native form posts.
    #[serde(default)]
    pub(super) action: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompositionEntry {
    pub(super) route: String,
    pub(super) module: String,
    pub(super) fragments: Vec<FragmentReference>,
    /// Slot of the composition's own module → fragment.
    #[serde(default)]
    pub(super) slots: Slots,
    pub(super) site_map: Option<SiteMap>,
    pub(super) search: Option<Search>,
    #[serde(default)]
    pub(super) query: Vec<String>,
    #[serde(default)]
    pub(super) data: BTreeMap<String, String>,
    /// Whether the composition's own module accepts native form posts.
    #[serde(default)]
    pub(super) action: bool,
    pub(super) skeleton: Option<Skeleton>,
    pub(super) cache_seconds: Option<u64>,
}

/// The part of `mf-manifest.json` needed for preload hints.
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
