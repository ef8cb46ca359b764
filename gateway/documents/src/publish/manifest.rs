//! File formats of a published page module folder.
//!
//! Unknown fields are ignored on purpose: a team may publish with a newer build than this gateway.

use std::{collections::BTreeMap, path::Path};

use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IgnoredAny},
};

use crate::error::PagesError;

/// `module.json` of a team or of the shell.
#[derive(Debug, Deserialize)]
pub(crate) struct ModuleFile {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) contract: u32,
    #[serde(default)]
    pub(crate) requires: Requires,
    #[serde(default)]
    pub(crate) modules: BTreeMap<String, ModuleEntry>,
    #[serde(default)]
    pub(crate) pages: Vec<PageEntry>,
    #[serde(default)]
    pub(crate) fragments: Vec<FragmentEntry>,
    /// Former or short address → target, both on this site.
    #[serde(default)]
    pub(crate) redirects: BTreeMap<String, String>,
    /// Shell only: small scripts included in every document.
    #[serde(default)]
    pub(crate) scripts: Vec<String>,
    /// Shell only: small scripts of pages with `access`, in addition to `scripts`.
    #[serde(default, rename = "deskScripts")]
    pub(crate) desk_scripts: Vec<String>,
    /// Shell only: name of the Trusted Types policy that its document script creates.
    #[serde(default, rename = "trustedTypes")]
    pub(crate) trusted_types: Option<String>,
    /// Shell only: client startup script, loaded only where something hydrates.
    pub(crate) script: Option<String>,
    /// Shell only: script that measures the load of pages without the startup script.
    pub(crate) measure: Option<String>,
    /// Shell only: styles of every page.
    #[serde(default)]
    pub(crate) styles: Vec<String>,
    /// Shell only: on bare pages, in place of `styles`.
    #[serde(default, rename = "bareStyles")]
    pub(crate) bare_styles: Vec<String>,
    /// Shell only: on pages with `access`, in addition to `styles`.
    #[serde(default, rename = "deskStyles")]
    pub(crate) desk_styles: Vec<String>,
    /// Shell only: on pages in another language, in addition to `styles`, by code.
    #[serde(default, rename = "languageStyles")]
    pub(crate) language_styles: BTreeMap<String, Vec<String>>,
    /// Shell only: API path whose response is passed to every document.
    pub(crate) site: Option<String>,
    /// Shell only: path on the site → file.
    #[serde(default)]
    pub(crate) root: BTreeMap<String, String>,
    /// Shell only: pages made of several teams' fragments.
    #[serde(default)]
    pub(crate) compositions: Vec<CompositionEntry>,
    /// Shell only: modules for failures, by `403`, `404`, `500` and `fragment`. Without `403`, `500` replaces it.
    #[serde(default)]
    pub(crate) errors: BTreeMap<String, String>,
}

/// Requirements of a version on other live components.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Requires {
    /// Minimum contract version of the shell.
    #[serde(default)]
    pub(crate) shell: u32,
    /// API paths that must be served, in the notation of `data`.
    #[serde(default)]
    pub(crate) api: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct ModuleEntry {
    #[serde(default)]
    pub(crate) styles: Vec<String>,
    /// Short inline scripts (menu, carousel) included in the document; their hash goes into the policy.
    #[serde(default)]
    pub(crate) scripts: Vec<String>,
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
    reason = "they are declared individually in module.config.json"
)]
pub(crate) struct PageEntry {
    pub(crate) route: String,
    pub(crate) module: String,
    #[serde(default)]
    pub(crate) hydrate: Hydrate,
    #[serde(default)]
    pub(crate) query: Vec<String>,
    #[serde(default)]
    pub(crate) data: BTreeMap<String, String>,
    /// Whether the page's own module accepts native form posts.
    #[serde(default)]
    pub(crate) action: bool,
    /// Name of the one file that the page's forms may send.
    pub(crate) file: Option<String>,
    pub(crate) cache_seconds: Option<u64>,
    /// Fragments placed after the page's own module: `id` for this team's, or `team:id`.
    #[serde(default)]
    pub(crate) fragments: Vec<FragmentReference>,
    /// Slot of the page's own module → fragment.
    #[serde(default)]
    pub(crate) slots: Slots,
    /// Whether other pages let the browser prefetch its scripts when idle.
    #[serde(default)]
    pub(crate) ahead: bool,
    /// Placeholder that other pages show while navigation to this page is slow.
    pub(crate) skeleton: Option<Skeleton>,
    pub(crate) site_map: Option<SiteMap>,
    pub(crate) search: Option<Search>,
    /// Media type of a page other than HTML. Its module writes the whole body, without a surrounding document.
    pub(crate) content_type: Option<String>,
    /// Rendered when page modules are loaded and kept in memory while they are live. Served even when services are down
    /// or load is shed.
    #[serde(default)]
    pub(crate) resident: bool,
    /// Its document has no script element and uses the shell's small frame, if the shell has one.
    #[serde(default)]
    pub(crate) bare: bool,
    /// For signed-in staff alone.
    pub(crate) access: Option<Access>,
}

/// Who may see a page of the staff area.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Access {
    /// Scope that the person needs. Without it, every signed-in person may see the page.
    pub(crate) scope: Option<String>,
    /// Name of the page in the navigation, and where access is refused.
    pub(crate) label: String,
}

/// Placeholder shapes for a page that has not loaded yet.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Skeleton {
    /// A shape that the shell supports, such as `card`.
    pub(crate) shape: String,
    pub(crate) count: u8,
    /// Announced to screen readers.
    pub(crate) label: String,
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
    pub(crate) data: String,
    /// Key of the list in the response.
    pub(crate) list: String,
    /// Field of an item with the time of its last change.
    pub(crate) changed: Option<String>,
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
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) words: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FragmentEntry {
    pub(crate) id: String,
    pub(crate) module: String,
    #[serde(default)]
    pub(crate) hydrate: Hydrate,
    /// Query parameters that it reads, in addition to the page's.
    #[serde(default)]
    pub(crate) query: Vec<String>,
    #[serde(default)]
    pub(crate) data: BTreeMap<String, String>,
    /// Whether it accepts native form posts.
    #[serde(default)]
    pub(crate) action: bool,
    /// Refused: only pages have an audience.
    pub(crate) access: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompositionEntry {
    pub(crate) route: String,
    pub(crate) module: String,
    pub(crate) fragments: Vec<FragmentReference>,
    /// Slot of the composition's own module → fragment.
    #[serde(default)]
    pub(crate) slots: Slots,
    pub(crate) site_map: Option<SiteMap>,
    pub(crate) search: Option<Search>,
    #[serde(default)]
    pub(crate) query: Vec<String>,
    #[serde(default)]
    pub(crate) data: BTreeMap<String, String>,
    /// Whether the composition's own module accepts native form posts.
    #[serde(default)]
    pub(crate) action: bool,
    pub(crate) skeleton: Option<Skeleton>,
    pub(crate) cache_seconds: Option<u64>,
    /// Refused: only pages have an audience.
    pub(crate) access: Option<IgnoredAny>,
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
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) path: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FederationExpose {
    /// `./appointment`
    pub(crate) path: String,
    pub(crate) assets: FederationAssets,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FederationAssets {
    pub(crate) js: FederationChunks,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FederationChunks {
    #[serde(default)]
    pub(crate) sync: Vec<String>,
}

/// Parses a JSON file. Errors name the field.
pub(crate) fn parse_json<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, PagesError> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        PagesError::invalid(
            path.to_owned(),
            &error.path().to_string(),
            error.inner().to_string(),
        )
    })
}
