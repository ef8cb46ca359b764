//! A module at its place in a page.

use std::{collections::BTreeMap, sync::Arc};

use super::{contract, manifest::Hydrate, remote::Remote, template::Source};

/// A place of a page.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) content: Content,
    /// Inside of which part it stands; otherwise it follows the place before it.
    pub(super) slot: Option<Slot>,
}

/// A named slot.
#[derive(Debug)]
pub(super) struct Slot {
    /// The part that renders it.
    pub(super) host: Position,
    pub(super) name: String,
}

impl Slot {
    /// Exactly what the host renders.
    pub(super) fn marker(&self) -> String {
        format!("<div data-slot=\"{}\">{SLOT_END}", self.name)
    }
}

/// End of a slot's marker; its fragment goes before it.
pub(super) const SLOT_END: &str = "</div>";

/// What stands at a place.
#[derive(Debug)]
pub(super) enum Content {
    Known(Part),
    /// `team:fragment` that nobody publishes; a fallback stands there.
    Unknown(String),
}

/// Where in a page a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// A composition's own module, before all places.
    Head,
    /// Index of the place.
    Place(usize),
}

impl Position {
    /// Id of the part in the document: `f0`. React ids begin with it.
    pub(super) fn id(self) -> String {
        match self {
            Self::Head => "head".to_owned(),
            Self::Place(index) => format!("f{index}"),
        }
    }
}

/// What a module.json says about one use of a module.
#[derive(Debug)]
pub(super) struct Declaration<'a> {
    /// After the team's name in the part's id: a fragment's id or a page's route.
    pub(super) id: &'a str,
    pub(super) module: &'a str,
    pub(super) hydrate: Hydrate,
    pub(super) data: &'a BTreeMap<String, String>,
    pub(super) action: bool,
}

/// Everything that showing one module needs.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) remote: Arc<Remote>,
    /// `team:fragment`, or `team:route` of a page's own module. A native form names its part by it.
    pub(super) id: String,
    /// It takes native form posts.
    pub(super) action: bool,
    /// As the bundle knows it: `./appointment`.
    pub(super) module: String,
    pub(super) hydrate: Hydrate,
    pub(super) data: Vec<(String, Source)>,
    pub(super) styles: Vec<Arc<str>>,
    pub(super) scripts: Vec<Arc<str>>,
    /// Addresses of the scripts that the browser needs to hydrate it.
    pub(super) chunks: Vec<String>,
}

impl Part {
    /// The error is a field and what is wrong with it.
    pub(super) fn new(
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

    /// Version of the contract that its bundle speaks.
    pub(super) fn contract(&self) -> u32 {
        self.remote.file.contract
    }

    /// Its id as its props have it, from version 2 of the contract on.
    pub(super) fn id_in_props(&self) -> Option<&str> {
        (self.contract() >= contract::SECOND).then_some(&self.id)
    }

    pub(super) fn hydrates(&self) -> bool {
        self.hydrate != Hydrate::None
    }

    /// Its document brings the shell's script, and does not wait for a visitor to touch it.
    pub(super) fn runs_at_once(&self) -> bool {
        self.hydrates() && self.hydrate != Hydrate::Interaction
    }

    /// Addresses of everything that hydrating it needs, if it hydrates as soon as the document is there.
    pub(super) fn load_scripts<'a>(
        &'a self,
        shell_script: Option<&'a str>,
    ) -> impl Iterator<Item = &'a str> {
        let entry = self.remote.federation.as_ref();
        let entry = entry.map(|federation| federation.entry.as_str());
        let chunks = self.chunks.iter().map(String::as_str);
        let scripts = shell_script.into_iter().chain(entry).chain(chunks);
        scripts.filter(|_| self.hydrate == Hydrate::Load)
    }

    /// `appointment` for `./appointment`.
    pub(super) fn short_name(&self) -> &str {
        self.module.strip_prefix("./").unwrap_or(&self.module)
    }

    /// `booking/appointment`, as attributes, logs and metrics name it.
    pub(super) fn label(&self) -> String {
        format!("{}/{}", self.remote.name, self.short_name())
    }
}
