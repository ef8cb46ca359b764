//! Assembles the routes of a registry from what the modules declare, and refuses what cannot be.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::Arc,
};

use axum::http::HeaderValue;

use super::{Page, Shell};
use crate::{
    api::MOUNT,
    pages::{
        PagesError,
        manifest::{Hydrate, PageEntry},
        part::{Declaration, Part, Place},
        remote::Remote,
        speculation,
        template::PathTemplate,
    },
};

/// The longest that a document may count as fresh.
pub(super) const CACHE_SECONDS_MAX: u64 = 86_400;
const CACHE_SECONDS_DEFAULT: u64 = 60;
/// What a page may be instead of HTML. Nothing that a browser would run.
const CONTENT_TYPES: [(&str, HeaderValue); 3] = [
    (
        "application/atom+xml",
        HeaderValue::from_static("application/atom+xml; charset=utf-8"),
    ),
    (
        "application/xml",
        HeaderValue::from_static("application/xml; charset=utf-8"),
    ),
    (
        "text/plain",
        HeaderValue::from_static("text/plain; charset=utf-8"),
    ),
];
/// Addresses that are not for pages.
const RESERVED: [&str; 6] = [
    MOUNT,
    "/remotes",
    "/healthz",
    "/readyz",
    "/metrics",
    "/telemetry",
];

/// A field and what is wrong with it.
type Mistake = (&'static str, String);

/// What a registry consists of beside its files.
pub(super) struct Built {
    pub(super) shell: Shell,
    pub(super) not_found: Arc<Page>,
    pub(super) routes: matchit::Router<Arc<Page>>,
    pub(super) redirects: HashMap<String, HeaderValue>,
    pub(super) resident_pages: Vec<Arc<Page>>,
}

pub(super) struct Builder<'a> {
    folder: &'a Path,
    pub(super) shell: &'a Arc<Remote>,
    teams: &'a BTreeMap<&'a str, Arc<Remote>>,
    pub(super) routes: matchit::Router<Arc<Page>>,
    resident_pages: Vec<Arc<Page>>,
    /// Routes that must not be prerendered by speculation rules.
    scripted_routes: Vec<String>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        folder: &'a Path,
        shell: &'a Arc<Remote>,
        teams: &'a BTreeMap<&'a str, Arc<Remote>>,
    ) -> Self {
        Self {
            folder,
            shell,
            teams,
            routes: matchit::Router::new(),
            resident_pages: Vec::new(),
            scripted_routes: Vec::new(),
        }
    }

    pub(super) fn build(mut self) -> Result<Built, PagesError> {
        self.add_pages()?;
        self.add_compositions()?;
        let not_found = Page {
            route: Arc::from("404"),
            head: None,
            places: vec![Place::Known(self.error_part("404")?)],
            query: Vec::new(),
            cache_seconds: CACHE_SECONDS_MAX,
            status: 404,
            content_type: None,
            resident: false,
        };
        Ok(Built {
            redirects: self.redirects()?,
            shell: self.shell()?,
            not_found: Arc::new(not_found),
            routes: self.routes,
            resident_pages: self.resident_pages,
        })
    }

    pub(super) fn remotes(&self) -> Vec<Arc<Remote>> {
        [self.shell]
            .into_iter()
            .chain(self.teams.values())
            .map(Arc::clone)
            .collect()
    }

    fn add_pages(&mut self) -> Result<(), PagesError> {
        for remote in self.remotes() {
            for (index, entry) in remote.file.pages.iter().enumerate() {
                let added = self.page(&remote, entry).and_then(|page| self.insert(page));
                added.map_err(|(field, problem)| {
                    self.invalid(&remote, &format!("pages[{index}].{field}"), problem)
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, remote: &Arc<Remote>, entry: &PageEntry) -> Result<Page, Mistake> {
        let parameters = parameters(&entry.route);
        let part = Part::new(
            remote,
            &Declaration {
                id: &entry.route,
                module: &entry.module,
                hydrate: entry.hydrate,
                data: &entry.data,
                action: entry.action,
            },
            &parameters,
            &entry.query,
        )?;
        let content_type = entry
            .content_type
            .as_deref()
            .map(content_type)
            .transpose()?;
        let is_plain =
            entry.hydrate == Hydrate::None && !entry.action && entry.fragments.is_empty();
        if content_type.is_some() && !is_plain {
            let problem = "allows neither `hydrate`, `action` nor `fragments`";
            return Err(("contentType", problem.to_owned()));
        }
        if entry.resident && !(parameters.is_empty() && entry.query.is_empty()) {
            let problem = "is for one document: without parameters and `query`";
            return Err(("resident", problem.to_owned()));
        }
        let mut places = vec![Place::Known(part)];
        for name in &entry.fragments {
            let own = format!("{}:{}", remote.name, name.trim_start_matches("./"));
            let name = if name.contains(':') { name } else { &own };
            let place = self.place(name, &parameters, &entry.query)?;
            if name == &own && matches!(place, Place::Unknown(_)) {
                return Err(("fragments", format!("`{name}` is not among `fragments`")));
            }
            places.push(place);
        }
        Ok(Page {
            route: Arc::from(entry.route.as_str()),
            head: None,
            places,
            query: sorted(&entry.query),
            cache_seconds: entry.cache_seconds.unwrap_or(CACHE_SECONDS_DEFAULT),
            status: 200,
            content_type,
            resident: entry.resident,
        })
    }

    fn add_compositions(&mut self) -> Result<(), PagesError> {
        let shell = Arc::clone(self.shell);
        for (index, entry) in shell.file.compositions.iter().enumerate() {
            let at = |field| format!("compositions[{index}].{field}");
            let parameters = parameters(&entry.route);
            let head = Part::new(
                &shell,
                &Declaration {
                    id: &entry.route,
                    module: &entry.module,
                    hydrate: Hydrate::None,
                    data: &entry.data,
                    action: entry.action,
                },
                &parameters,
                &entry.query,
            )
            .map_err(|(field, problem)| self.invalid(&shell, &at(field), problem))?;
            let mut places = Vec::new();
            for name in &entry.fragments {
                let place = self.place(name, &parameters, &entry.query);
                let place =
                    place.map_err(|(field, problem)| self.invalid(&shell, &at(field), problem))?;
                places.push(place);
            }
            let page = Page {
                route: Arc::from(entry.route.as_str()),
                head: Some(head),
                places,
                query: sorted(&entry.query),
                cache_seconds: entry.cache_seconds.unwrap_or(CACHE_SECONDS_DEFAULT),
                status: 200,
                content_type: None,
                resident: false,
            };
            self.insert(page)
                .map_err(|(field, problem)| self.invalid(&shell, &at(field), problem))?;
        }
        Ok(())
    }

    /// A fragment by `team:id`, in a page with these parameters. One that nobody publishes (yet) is no reason to refuse
    /// the rest.
    fn place(&self, name: &str, parameters: &[String], query: &[String]) -> Result<Place, Mistake> {
        let (team, id) = name.split_once(':').unwrap_or(("", name));
        let remote = if team == "shell" {
            Some(self.shell)
        } else {
            self.teams.get(team)
        };
        let found = remote.and_then(|remote| {
            let mut fragments = remote.file.fragments.iter();
            fragments
                .find(|fragment| fragment.id == id)
                .map(|fragment| (remote, fragment))
        });
        let Some((remote, fragment)) = found else {
            return Ok(Place::Unknown(name.to_owned()));
        };
        let part = Part::new(
            remote,
            &Declaration {
                id: &fragment.id,
                module: &fragment.module,
                hydrate: fragment.hydrate,
                data: &fragment.data,
                action: fragment.action,
            },
            parameters,
            query,
        );
        let part = part
            .map_err(|(field, problem)| ("fragments", format!("`{name}`: {field}: {problem}")))?;
        Ok(Place::Known(part))
    }

    fn insert(&mut self, page: Page) -> Result<(), Mistake> {
        if page.cache_seconds > CACHE_SECONDS_MAX {
            return Err(("cacheSeconds", format!("is more than {CACHE_SECONDS_MAX}")));
        }
        if !is_for_pages(&page.route) {
            return Err((
                "route",
                format!("`{}` is not a route that pages may have", page.route),
            ));
        }
        let route = page.route.to_string();
        let hydrates = page.parts().any(|(_, part)| part.hydrates());
        if hydrates || page.content_type.is_some() {
            self.scripted_routes.push(route.clone());
        }
        let page = Arc::new(page);
        if page.resident {
            self.resident_pages.push(Arc::clone(&page));
        }
        self.routes
            .insert(route, page)
            .map_err(|error| ("route", error.to_string()))
    }

    fn error_part(&self, kind: &str) -> Result<Part, PagesError> {
        let field = format!("errors.{kind}");
        let module = self.shell.file.errors.get(kind);
        let module =
            module.ok_or_else(|| self.invalid(self.shell, &field, "is missing".to_owned()))?;
        Part::new(
            self.shell,
            &Declaration {
                id: kind,
                module,
                hydrate: Hydrate::None,
                data: &BTreeMap::new(),
                action: false,
            },
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
            speculation_rules: speculation::rules(&self.scripted_routes),
            site: site.map_err(|problem| self.invalid(self.shell, "site", problem))?,
            failure: self.error_part("500")?,
            fragment_fallback: self.error_part("fragment")?,
        })
    }

    pub(super) fn invalid(&self, remote: &Remote, field: &str, problem: String) -> PagesError {
        let path = self
            .folder
            .join(&remote.name)
            .join(&remote.version)
            .join("module.json");
        PagesError::invalid(path, field, problem)
    }
}

pub(super) fn is_for_pages(path: &str) -> bool {
    let is_reserved = RESERVED.iter().any(|reserved| {
        let rest = path.strip_prefix(reserved);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    path.starts_with('/') && !is_reserved
}

fn content_type(name: &str) -> Result<HeaderValue, Mistake> {
    let mut known = CONTENT_TYPES.into_iter();
    let found = known.find(|(known, _)| *known == name);
    found
        .map(|(_, value)| value)
        .ok_or_else(|| ("contentType", format!("`{name}` is not allowed")))
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
