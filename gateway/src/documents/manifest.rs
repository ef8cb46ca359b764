//! The files that a published page module folder consists of, as they are on disk.
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
    /// Former or short address → where it leads, both on this site.
    #[serde(default)]
    pub(super) redirects: BTreeMap<String, String>,
    /// Shell only: small scripts that every document carries.
    #[serde(default)]
    pub(super) scripts: Vec<String>,
    /// Shell only: the Trusted Types policy that its document script makes.
    #[serde(default, rename = "trustedTypes")]
    pub(super) trusted_types: Option<String>,
    /// Shell only: client start-up, loaded only where something hydrates.
    pub(super) script: Option<String>,
    /// Shell only: measures how a page came that does not load the script above by itself.
    pub(super) measure: Option<String>,
    /// Shell only: on every page.
    #[serde(default)]
    pub(super) styles: Vec<String>,
    /// Shell only: on bare pages, in place of `styles`.
    #[serde(default, rename = "bareStyles")]
    pub(super) bare_styles: Vec<String>,
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

/// What a version needs of what is live beside it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Requires {
    /// The lowest version of the contract that the shell must speak.
    #[serde(default)]
    pub(super) shell: u32,
    /// API paths that must be offered, as in `data`.
    #[serde(default)]
    pub(super) api: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ModuleEntry {
    #[serde(default)]
    pub(super) styles: Vec<String>,
    /// A few inline lines (menu, carousel) that the document carries; their hash goes into the policy.
    #[serde(default)]
    pub(super) scripts: Vec<String>,
}

/// When a fragment hydrates. Everything but `none` and `interaction` costs every visitor the shell's script.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Hydrate {
    #[default]
    None,
    /// The shell's script comes with the visitor's first touch, not with the document.
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
    reason = "they are written by hand in module.config.json, each by itself"
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
    /// The page's own module takes native form posts.
    #[serde(default)]
    pub(super) action: bool,
    pub(super) cache_seconds: Option<u64>,
    /// Laid out after the page's own module: `id` of this team's fragments, or `team:id`.
    #[serde(default)]
    pub(super) fragments: Vec<FragmentReference>,
    /// Slot of the page's own module → fragment.
    #[serde(default)]
    pub(super) slots: Slots,
    /// Other pages have the browser fetch its scripts ahead, when it is idle.
    #[serde(default)]
    pub(super) ahead: bool,
    /// What other pages show while a link to this one is slow.
    pub(super) skeleton: Option<Skeleton>,
    pub(super) site_map: Option<SiteMap>,
    pub(super) search: Option<Search>,
    /// What the page is if it is no HTML: then its module writes all of it, and no document is laid around.
    pub(super) content_type: Option<String>,
    /// Rendered when page modules are loaded, resident for as long as they are live, and sent even when services are down or
    /// load is shed.
    #[serde(default)]
    pub(super) resident: bool,
    /// Its document has no script element, and the shell's small frame where the shell has one.
    #[serde(default)]
    pub(super) bare: bool,
}

/// Shapes in the place of a page that has not answered yet.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Skeleton {
    /// A word that the shell knows, such as `card`.
    pub(super) shape: String,
    pub(super) count: u8,
    /// Announced to screen readers.
    pub(super) label: String,
}

/// Name of a slot → fragment that stands in it.
pub(super) type Slots = BTreeMap<String, String>;

/// A fragment, and what stands in its slots.
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

/// Whether search engines are told of a page.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum SiteMap {
    Listed(bool),
    /// A page with parameters: once for each item of a list.
    Items(SiteMapItems),
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SiteMapItems {
    /// API path of the list.
    pub(super) data: String,
    /// Its key in the answer.
    pub(super) list: String,
    /// The items' field with the time of their last change.
    pub(super) changed: Option<String>,
}

/// What the site's own search knows of a page.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Search {
    /// `false`: nothing.
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
    /// It takes native form posts.
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
    /// The composition's own module takes native form posts.
    #[serde(default)]
    pub(super) action: bool,
    pub(super) skeleton: Option<Skeleton>,
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
