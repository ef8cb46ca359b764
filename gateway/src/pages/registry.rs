//! Everything that is live right now: routes, modules and files, assembled from `remotes.json` and checked as a whole.
//!
//! A registry never changes. A new `remotes.json` makes a new one, which replaces the old one only when all of it is
//! good; see [`super::watch`].

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
    sync::Arc,
};

use super::{
    PagesError,
    manifest::{CONTRACT, Hydrate, RemotesFile},
    part::{Part, Slot},
    published,
    remote::{self, Remote},
    speculation,
    statics::StaticFile,
    template::PathTemplate,
};

/// The longest that a document may count as fresh.
const CACHE_SECONDS_MAX: u64 = 86_400;
const CACHE_SECONDS_DEFAULT: u64 = 60;

#[derive(Debug)]
pub(super) struct Registry {
    /// Bytes of the `remotes.json` that it was made from.
    pub(super) source: Vec<u8>,
    /// Counts the registries of this process; part of every cache key.
    pub(super) generation: u64,
    pub(super) shell: Shell,
    pub(super) not_found: Arc<Page>,
    pub(super) remotes: Vec<Arc<Remote>>,
    routes: matchit::Router<Arc<Page>>,
    files: HashMap<String, (Arc<StaticFile>, bool)>,
    old: Vec<Arc<Remote>>,
}

#[derive(Debug)]
pub(super) struct Shell {
    pub(super) remote: Arc<Remote>,
    pub(super) script: Option<String>,
    pub(super) styles: Vec<Arc<str>>,
    /// JSON text.
    pub(super) speculation_rules: String,
    pub(super) site: Option<PathTemplate>,
    /// Takes the place of a page whose own module failed.
    pub(super) failure: Part,
    /// Takes the place of one fragment among others.
    pub(super) fragment_fallback: Part,
}

/// What a route shows.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) route: Arc<str>,
    /// A composition's head module; a page of one team takes its head from its only part.
    pub(super) head: Option<Part>,
    pub(super) slots: Vec<Slot>,
    /// Names of the query parameters that change the page; sorted.
    pub(super) query: Vec<String>,
    pub(super) action: bool,
    pub(super) cache_seconds: u64,
    pub(super) status: u16,
}

impl Registry {
    /// Reads everything that `remotes.json` names. Blocks. `old` gives folders that are in memory already.
    pub(super) fn read(
        folder: &Path,
        generation: u64,
        old: Option<&Self>,
    ) -> Result<Self, PagesError> {
        let path = folder.join("remotes.json");
        let bytes = fs::read(&path).map_err(|source| PagesError::Read {
            path: path.clone(),
            source,
        })?;
        let file: RemotesFile = remote::parse_json(&path, &bytes)?;
        if file.contract != CONTRACT {
            let problem = format!("is {}, this gateway speaks {CONTRACT}", file.contract);
            return Err(PagesError::invalid(path, "contract", problem));
        }
        let known = |name: &str, version: &str| old.and_then(|old| old.known(name, version));
        let load = |name: &str, version: &str| match known(name, version) {
            Some(remote) => Ok(remote),
            None => Remote::read(folder, name, version).map(Arc::new),
        };
        let shell = load("shell", &file.shell.stable)?;
        let mut remotes = BTreeMap::new();
        for (name, pointer) in &file.teams {
            if name == "shell" {
                return Err(PagesError::invalid(
                    path,
                    "teams.shell",
                    "is no team".to_owned(),
                ));
            }
            remotes.insert(name.as_str(), load(name, &pointer.stable)?);
        }
        let mut builder = Builder {
            folder,
            shell: &shell,
            teams: &remotes,
            routes: matchit::Router::new(),
            hydrating_routes: Vec::new(),
        };
        builder.add_pages()?;
        builder.add_compositions()?;
        let not_found = Arc::new(Page {
            route: Arc::from("404"),
            head: None,
            slots: vec![Slot::Known(builder.error_part("404")?)],
            query: Vec::new(),
            action: false,
            cache_seconds: CACHE_SECONDS_MAX,
            status: 404,
        });
        let shell_parts = builder.shell()?;
        let routes = builder.routes;
        let remotes: Vec<_> = [Arc::clone(&shell)]
            .into_iter()
            .chain(remotes.into_values())
            .collect();
        let old = published::old_versions(folder, &remotes, known);
        let files = published::files(&old, &remotes, &shell)?;
        Ok(Self {
            source: bytes,
            generation,
            shell: shell_parts,
            not_found,
            remotes,
            routes,
            files,
            old,
        })
    }

    /// The page for a raw path, and the parameters in it, percent-encoded as they came.
    pub(super) fn page<'a, 'p>(
        &'a self,
        path: &'p str,
    ) -> Option<(&'a Arc<Page>, matchit::Params<'a, 'p>)> {
        let found = self.routes.at(path).ok()?;
        Some((found.value, found.params))
    }

    /// The file for a raw path, and whether it lies at the site's root.
    pub(super) fn file(&self, path: &str) -> Option<(&StaticFile, bool)> {
        self.files
            .get(path)
            .map(|(file, is_root)| (&**file, *is_root))
    }

    fn known(&self, name: &str, version: &str) -> Option<Arc<Remote>> {
        let mut all = self.remotes.iter().chain(&self.old);
        all.find(|remote| remote.name == name && remote.version == version)
            .map(Arc::clone)
    }
}

struct Builder<'a> {
    folder: &'a Path,
    shell: &'a Arc<Remote>,
    teams: &'a BTreeMap<&'a str, Arc<Remote>>,
    routes: matchit::Router<Arc<Page>>,
    hydrating_routes: Vec<String>,
}

impl Builder<'_> {
    fn add_pages(&mut self) -> Result<(), PagesError> {
        let remotes: Vec<_> = [self.shell]
            .into_iter()
            .chain(self.teams.values())
            .map(Arc::clone)
            .collect();
        for remote in remotes {
            for (index, entry) in remote.file.pages.iter().enumerate() {
                let invalid = |field, problem| {
                    self.invalid(&remote, &format!("pages[{index}].{field}"), problem)
                };
                let parameters = parameters(&entry.route);
                let part = Part::new(
                    &remote,
                    &entry.module,
                    entry.hydrate,
                    &entry.data,
                    &parameters,
                    &entry.query,
                )
                .map_err(|(field, problem)| invalid(field, problem))?;
                let page = Page {
                    route: Arc::from(entry.route.as_str()),
                    head: None,
                    slots: vec![Slot::Known(part)],
                    query: sorted(&entry.query),
                    action: entry.action,
                    cache_seconds: entry.cache_seconds.unwrap_or(CACHE_SECONDS_DEFAULT),
                    status: 200,
                };
                self.insert(page).map_err(|(field, problem)| {
                    self.invalid(&remote, &format!("pages[{index}].{field}"), problem)
                })?;
            }
        }
        Ok(())
    }

    fn add_compositions(&mut self) -> Result<(), PagesError> {
        let shell = Arc::clone(self.shell);
        for (index, entry) in shell.file.compositions.iter().enumerate() {
            let at = |field| format!("compositions[{index}].{field}");
            let parameters = parameters(&entry.route);
            let head = Part::new(
                &shell,
                &entry.module,
                Hydrate::None,
                &entry.data,
                &parameters,
                &entry.query,
            )
            .map_err(|(field, problem)| self.invalid(&shell, &at(field), problem))?;
            let mut slots = Vec::new();
            for name in &entry.fragments {
                slots.push(self.slot(name)?);
            }
            let page = Page {
                route: Arc::from(entry.route.as_str()),
                head: Some(head),
                slots,
                query: sorted(&entry.query),
                action: false,
                cache_seconds: entry.cache_seconds.unwrap_or(CACHE_SECONDS_DEFAULT),
                status: 200,
            };
            self.insert(page)
                .map_err(|(field, problem)| self.invalid(&shell, &at(field), problem))?;
        }
        Ok(())
    }

    /// A fragment by `team:id`. One that nobody publishes (yet) is no reason to refuse the rest.
    fn slot(&self, name: &str) -> Result<Slot, PagesError> {
        let (team, id) = name.split_once(':').unwrap_or(("", name));
        let remote = if team == "shell" {
            Some(self.shell)
        } else {
            self.teams.get(team)
        };
        let found = remote.and_then(|remote| {
            let mut fragments = remote.file.fragments.iter().enumerate();
            fragments
                .find(|(_, fragment)| fragment.id == id)
                .map(|(index, fragment)| (remote, index, fragment))
        });
        let Some((remote, index, fragment)) = found else {
            return Ok(Slot::Unknown(name.to_owned()));
        };
        let part = Part::new(
            remote,
            &fragment.module,
            fragment.hydrate,
            &fragment.data,
            &[],
            &[],
        )
        .map_err(|(field, problem)| {
            self.invalid(remote, &format!("fragments[{index}].{field}"), problem)
        })?;
        Ok(Slot::Known(part))
    }

    fn insert(&mut self, page: Page) -> Result<(), (&'static str, String)> {
        if page.cache_seconds > CACHE_SECONDS_MAX {
            return Err(("cacheSeconds", format!("is more than {CACHE_SECONDS_MAX}")));
        }
        if !page.route.starts_with('/')
            || page.route.starts_with("/api/")
            || page.route.starts_with("/remotes/")
        {
            return Err((
                "route",
                format!("`{}` is not a route that pages may have", page.route),
            ));
        }
        let route = page.route.to_string();
        if page
            .slots
            .iter()
            .any(|slot| matches!(slot, Slot::Known(part) if part.hydrates()))
        {
            self.hydrating_routes.push(route.clone());
        }
        self.routes
            .insert(route, Arc::new(page))
            .map_err(|error| ("route", error.to_string()))
    }

    fn error_part(&self, kind: &str) -> Result<Part, PagesError> {
        let field = format!("errors.{kind}");
        let module = self.shell.file.errors.get(kind);
        let module =
            module.ok_or_else(|| self.invalid(self.shell, &field, "is missing".to_owned()))?;
        Part::new(
            self.shell,
            module,
            Hydrate::None,
            &BTreeMap::new(),
            &[],
            &[],
        )
        .map_err(|(_, problem)| self.invalid(self.shell, &field, problem))
    }

    fn shell(&self) -> Result<Shell, PagesError> {
        let file = &self.shell.file;
        let hydrates = self.teams.values().any(|team| {
            let pages = team.file.pages.iter().map(|page| page.hydrate);
            pages
                .chain(team.file.fragments.iter().map(|part| part.hydrate))
                .any(|hydrate| hydrate != Hydrate::None)
        });
        if let Some(script) = file
            .script
            .as_ref()
            .filter(|script| self.shell.static_file(script).is_none())
        {
            return Err(self.invalid(self.shell, "script", format!("`{script}` is missing")));
        }
        if hydrates && file.script.is_none() {
            return Err(self.invalid(
                self.shell,
                "script",
                "is missing, and a module hydrates".to_owned(),
            ));
        }
        let site = file
            .site
            .as_deref()
            .map(|path| PathTemplate::parse(path, &[], &[]))
            .transpose();
        Ok(Shell {
            remote: Arc::clone(self.shell),
            script: file
                .script
                .as_ref()
                .map(|script| self.shell.address(script)),
            styles: file
                .styles
                .iter()
                .filter_map(|name| self.shell.text(name))
                .map(Arc::clone)
                .collect(),
            speculation_rules: speculation::rules(&self.hydrating_routes),
            site: site.map_err(|problem| self.invalid(self.shell, "site", problem))?,
            failure: self.error_part("500")?,
            fragment_fallback: self.error_part("fragment")?,
        })
    }

    fn invalid(&self, remote: &Remote, field: &str, problem: String) -> PagesError {
        let path = self
            .folder
            .join(&remote.name)
            .join(&remote.version)
            .join("module.json");
        PagesError::invalid(path, field, problem)
    }
}

fn sorted(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort();
    names.dedup();
    names
}

/// Names in braces of a route: `/doctors/{slug}`, `/files/{*path}`.
fn parameters(route: &str) -> Vec<String> {
    let names = route
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'));
    names
        .map(|(name, _)| name.trim_start_matches('*').to_owned())
        .collect()
}
