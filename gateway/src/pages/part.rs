//! A module at its place in a page.

use std::{collections::BTreeMap, sync::Arc};

use super::{manifest::Hydrate, remote::Remote, template::PathTemplate};

/// A place in a page that names a fragment.
#[derive(Debug)]
pub(super) enum Slot {
    Known(Part),
    /// `team:fragment` that nobody publishes; a fallback stands there.
    Unknown(String),
}

/// Everything that showing one module needs.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) remote: Arc<Remote>,
    /// As the bundle knows it: `./appointment`.
    pub(super) module: String,
    pub(super) hydrate: Hydrate,
    pub(super) data: Vec<(String, PathTemplate)>,
    pub(super) styles: Vec<Arc<str>>,
    pub(super) scripts: Vec<Arc<str>>,
    /// Addresses of the scripts that the browser needs to hydrate it.
    pub(super) chunks: Vec<String>,
}

impl Part {
    /// The error is a field and what is wrong with it.
    pub(super) fn new(
        remote: &Arc<Remote>,
        module: &str,
        hydrate: Hydrate,
        data: &BTreeMap<String, String>,
        parameters: &[String],
        query: &[String],
    ) -> Result<Self, (&'static str, String)> {
        let entry = remote.file.modules.get(module);
        let entry =
            entry.ok_or_else(|| ("module", format!("`{module}` is not among `modules`")))?;
        let mut templates = Vec::with_capacity(data.len());
        for (key, path) in data {
            let template = PathTemplate::parse(path, parameters, query)
                .map_err(|problem| ("data", problem))?;
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
            module: module.to_owned(),
            hydrate,
            data: templates,
            styles: texts(&entry.styles),
            scripts: texts(&entry.scripts),
            chunks,
        })
    }

    pub(super) fn hydrates(&self) -> bool {
        self.hydrate != Hydrate::None
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
