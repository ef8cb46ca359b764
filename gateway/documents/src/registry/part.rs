//! A module's place in a page.

use std::{collections::BTreeMap, sync::Arc};

use super::template::Source;
use crate::publish::{contract, manifest::Hydrate, remote::Remote};

/// A place in a page.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) content: Content,
    /// Slot that contains the place; `None` if it follows the previous place.
    pub(crate) slot: Option<Slot>,
}

/// A named slot.
#[derive(Debug)]
pub(crate) struct Slot {
    /// The part that renders the slot.
    pub(crate) host: Position,
    pub(crate) name: String,
}

impl Slot {
    /// Returns the exact HTML that the host renders for the slot.
    pub(crate) fn marker(&self) -> String {
        format!("<div data-slot=\"{}\">{SLOT_END}", self.name)
    }
}

/// End of a slot's marker; the slot's fragment is inserted before it.
pub(crate) const SLOT_END: &str = "</div>";

/// Content of a place.
#[derive(Debug)]
pub(crate) enum Content {
    Known(Part),
    /// `team:fragment` that is not published; rendered as a fallback.
    Unknown(String),
}

/// Position of a part in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// A composition's own module, which precedes all places.
    Head,
    /// Index of the place in the page.
    Place(usize),
}

impl Position {
    /// Returns the id of the part in the document, such as `f0`. It prefixes the React ids.
    pub(crate) fn id(self) -> String {
        match self {
            Self::Head => "head".to_owned(),
            Self::Place(index) => format!("f{index}"),
        }
    }
}

/// A module.json entry for one use of a module.
#[derive(Debug)]
pub(crate) struct Declaration<'a> {
    /// Second half of the part's id: a fragment's id or a page's route.
    pub(crate) id: &'a str,
    pub(crate) module: &'a str,
    pub(crate) hydrate: Hydrate,
    pub(crate) data: &'a BTreeMap<String, String>,
    pub(crate) action: bool,
}

/// Everything needed to render one module.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) remote: Arc<Remote>,
    /// `team:fragment`, or `team:route` for a page's own module. Native forms identify their part by it.
    pub(crate) id: String,
    /// Whether it accepts native form posts.
    pub(crate) action: bool,
    /// Name in the bundle, such as `./appointment`.
    pub(crate) module: String,
    pub(crate) hydrate: Hydrate,
    pub(crate) data: Vec<(String, Source)>,
    pub(crate) styles: Vec<Arc<str>>,
    pub(crate) scripts: Vec<Arc<str>>,
    /// URLs of the scripts that the browser needs to hydrate it.
    pub(crate) chunks: Vec<String>,
}

impl Part {
    /// Creates a part from its declaration.
    ///
    /// # Errors
    /// The name of the invalid field and the problem.
    pub(crate) fn new(
        remote: &Arc<Remote>,
        declaration: &Declaration<'_>,
        parameters: &[String],
        query: &[String],
    ) -> Result<Self, (&'static str, String)> {
        let &Declaration {
            id,
            module,
            hydrate,
            data,
            action,
        } = declaration;
        let entry = remote.file.modules.get(module);
        let entry =
            entry.ok_or_else(|| ("module", format!("`{module}` is not among `modules`")))?;
        let mut templates = Vec::with_capacity(data.len());
        for (key, path) in data {
            let template =
                Source::parse(path, parameters, query).map_err(|problem| ("data", problem))?;
            templates.push((key.clone(), template));
        }
        let chunks = if hydrate == Hydrate::None {
            Vec::new()
        } else {
            let federation = remote.federation.as_ref();
            let chunks = federation.and_then(|federation| federation.chunks.get(module));
            chunks.cloned().ok_or_else(|| {
                (
                    "hydrate",
                    format!("mf-manifest.json does not expose `{module}`"),
                )
            })?
        };
        let texts = |names: &[String]| {
            names
                .iter()
                .filter_map(|name| remote.text(name))
                .map(Arc::clone)
                .collect()
        };
        Ok(Self {
            remote: Arc::clone(remote),
            id: format!("{}:{id}", remote.name),
            action,
            module: module.to_owned(),
            hydrate,
            data: templates,
            styles: texts(&entry.styles),
            scripts: texts(&entry.scripts),
            chunks,
        })
    }

    /// Returns the contract version of the bundle.
    pub(crate) fn contract(&self) -> u32 {
        self.remote.file.contract
    }

    /// Returns the id passed in the part's props; `None` before version 2 of the contract.
    pub(crate) fn id_in_props(&self) -> Option<&str> {
        (self.contract() >= contract::SECOND).then_some(&self.id)
    }

    pub(crate) fn hydrates(&self) -> bool {
        self.hydrate != Hydrate::None
    }

    /// Returns whether it hydrates without waiting for an interaction. Its document then includes the shell's script.
    pub(crate) fn runs_at_once(&self) -> bool {
        self.hydrates() && self.hydrate != Hydrate::Interaction
    }

    /// Returns the URLs of all scripts needed to hydrate it, if it hydrates on page load.
    pub(crate) fn load_scripts<'a>(
        &'a self,
        shell_script: Option<&'a str>,
    ) -> impl Iterator<Item = &'a str> {
        let entry = self.remote.federation.as_ref();
        let entry = entry.map(|federation| federation.entry.as_str());
        let chunks = self.chunks.iter().map(String::as_str);
        let scripts = shell_script.into_iter().chain(entry).chain(chunks);
        scripts.filter(|_| self.hydrate == Hydrate::Load)
    }

    /// Returns the module's short name: `appointment` for `./appointment`.
    pub(crate) fn short_name(&self) -> &str {
        self.module.strip_prefix("./").unwrap_or(&self.module)
    }

    /// Returns the label for attributes, logs and metrics, such as `booking/appointment`.
    pub(crate) fn label(&self) -> String {
        format!("{}/{}", self.remote.name, self.short_name())
    }
}

/// Removes duplicate URLs and keeps the order.
pub(crate) fn unique<'a>(addresses: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut unique = Vec::new();
    for address in addresses {
        if !unique.contains(&address) {
            unique.push(address);
        }
    }
    unique
}
