//! Assembles the routes of a registry from the modules' declarations and rejects invalid ones.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
    sync::{Arc, OnceLock},
};

use axum::http::HeaderValue;
use gateway_api::MOUNT;

use super::{
    Page, Shell,
    access::{self, DeskPage},
    desk_lists::DeskList,
    listed::Listed,
    location,
    places::Arrangement,
    section, skeletons,
};
use crate::{
    error::PagesError,
    language,
    publish::{
        manifest::{CompositionEntry, FragmentEntry, Hydrate, PageEntry, Skeleton},
        remote::Remote,
    },
    registry::part::{Declaration, Part, Position},
};

/// Maximum and default seconds for which a document counts as fresh.
pub(super) const CACHE_SECONDS_MAX: u64 = 86_400;
const CACHE_SECONDS_DEFAULT: u64 = 60;
/// Media types allowed for pages instead of HTML. Browsers run none of them.
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
/// Path prefixes that pages must not use.
const RESERVED: [&str; 7] = [
    MOUNT,
    "/remotes",
    "/healthz",
    "/readyz",
    "/metrics",
    "/telemetry",
    location::STATUS,
];

/// A field and the problem with it.
pub(super) type Mistake = (&'static str, String);

/// Contents of a registry except its files.
pub(super) struct Built {
    pub(super) shell: Shell,
    pub(super) not_found: Arc<Page>,
    pub(super) forbidden: Arc<Page>,
    pub(super) routes: matchit::Router<Arc<Page>>,
    pub(super) redirects: HashMap<String, HeaderValue>,
    pub(super) resident_pages: Vec<Arc<Page>>,
    pub(super) listed: Vec<Listed>,
    pub(super) desk_pages: Vec<DeskPage>,
    pub(super) desk_lists: Vec<DeskList>,
    pub(super) sections: HashSet<String>,
}

pub(super) struct Builder<'a> {
    folder: &'a Path,
    pub(super) shell: &'a Arc<Remote>,
    pub(super) teams: &'a BTreeMap<&'a str, Arc<Remote>>,
    pub(super) routes: matchit::Router<Arc<Page>>,
    resident_pages: Vec<Arc<Page>>,
    pub(super) ahead_pages: Vec<Arc<Page>>,
    /// `route shape count label`
    pub(super) skeletons: Vec<String>,
    /// Routes that must not be prerendered by speculation rules.
    pub(super) scripted_routes: Vec<String>,
    /// Routes of feeds, which must not be prerendered either. They have no languages.
    pub(super) feed_routes: Vec<String>,
    sections: HashSet<String>,
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
            ahead_pages: Vec::new(),
            skeletons: Vec::new(),
            scripted_routes: Vec::new(),
            feed_routes: Vec::new(),
            sections: HashSet::new(),
        }
    }

    pub(super) fn build(mut self) -> Result<Built, PagesError> {
        self.check_areas()?;
        self.add_pages()?;
        self.add_compositions()?;
        let not_found = Page::of_error(self.error_part("404")?, 404);
        let has_forbidden = self.shell.file.errors.contains_key("403");
        let forbidden = self.error_part(if has_forbidden { "403" } else { "500" })?;
        let forbidden = Page::of_error(forbidden, 403);
        Ok(Built {
            redirects: self.redirects()?,
            listed: self.listed()?,
            shell: self.shell()?,
            not_found: Arc::new(not_found),
            forbidden: Arc::new(forbidden),
            desk_pages: self.desk_pages(),
            desk_lists: self.desk_lists(),
            routes: self.routes,
            sections: self.sections,
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
                let added =
                    added.and_then(|()| self.add_skeleton(&entry.route, entry.skeleton.as_ref()));
                added.map_err(|(field, problem)| {
                    self.invalid(&remote, &format!("pages[{index}].{field}"), problem)
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, remote: &Arc<Remote>, entry: &PageEntry) -> Result<Page, Mistake> {
        access::check(entry)?;
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
        let is_alone =
            entry.hydrate == Hydrate::None && entry.fragments.is_empty() && entry.slots.is_empty();
        if content_type.is_some() && (!is_alone || entry.action) {
            let problem = "allows neither `hydrate`, `action`, `fragments` nor `slots`";
            return Err(("contentType", problem.to_owned()));
        }
        if entry.file.is_some() && !(entry.action && entry.access.is_some()) {
            return Err(("file", "needs `action` and `access`".to_owned()));
        }
        if entry.bare && !(is_alone && part.scripts.is_empty() && content_type.is_none()) {
            let problem =
                "allows neither scripts, `hydrate`, `fragments`, `slots` nor `contentType`";
            return Err(("bare", problem.to_owned()));
        }
        let mut places = Arrangement::new(self, remote, &parameters, &entry.query);
        places.add_own(part);
        places.add_all(&entry.fragments)?;
        places.add_slots(Position::Place(0), &entry.slots, "slots")?;
        let Arrangement { places, query, .. } = places;
        if entry.resident && !(parameters.is_empty() && query.is_empty()) {
            let problem = "is for one document: without parameters and `query`";
            return Err(("resident", problem.to_owned()));
        }
        Ok(Page {
            route: Arc::from(entry.route.as_str()),
            head: None,
            places,
            query: sorted(query),
            cache_seconds: entry.cache_seconds.unwrap_or(CACHE_SECONDS_DEFAULT),
            status: 200,
            content_type,
            resident: entry.resident,
            edition: OnceLock::new(),
            remotes: OnceLock::new(),
            ahead: entry.ahead,
            bare: entry.bare,
            access: entry.access.clone(),
            file: entry.file.clone(),
        })
    }

    fn add_compositions(&mut self) -> Result<(), PagesError> {
        let shell = Arc::clone(self.shell);
        for (index, entry) in shell.file.compositions.iter().enumerate() {
            let added = self
                .composition(&shell, entry)
                .and_then(|page| self.insert(page))
                .and_then(|()| self.add_skeleton(&entry.route, entry.skeleton.as_ref()));
            added.map_err(|(field, problem)| {
                self.invalid(&shell, &format!("compositions[{index}].{field}"), problem)
            })?;
        }
        Ok(())
    }

    fn composition(&self, shell: &Arc<Remote>, entry: &CompositionEntry) -> Result<Page, Mistake> {
        let parameters = parameters(&entry.route);
        let declaration = Declaration {
            id: &entry.route,
            module: &entry.module,
            hydrate: Hydrate::None,
            data: &entry.data,
            action: entry.action,
        };
        let head = Part::new(shell, &declaration, &parameters, &entry.query)?;
        let mut places = Arrangement::new(self, shell, &parameters, &entry.query);
        places.add_all(&entry.fragments)?;
        places.add_slots(Position::Head, &entry.slots, "slots")?;
        let Arrangement { places, query, .. } = places;
        Ok(Page {
            route: Arc::from(entry.route.as_str()),
            head: Some(head),
            places,
            query: sorted(query),
            cache_seconds: entry.cache_seconds.unwrap_or(CACHE_SECONDS_DEFAULT),
            status: 200,
            content_type: None,
            resident: false,
            edition: OnceLock::new(),
            remotes: OnceLock::new(),
            ahead: false,
            bare: false,
            access: None,
            file: None,
        })
    }

    /// Finds the fragment of a `team:id`.
    pub(super) fn fragment(&self, name: &str) -> Option<(&Arc<Remote>, &FragmentEntry)> {
        let (team, id) = name.split_once(':')?;
        let remote = if team == "shell" {
            self.shell
        } else {
            self.teams.get(team)?
        };
        let mut fragments = remote.file.fragments.iter();
        let fragment = fragments.find(|fragment| fragment.id == id)?;
        Some((remote, fragment))
    }

    /// Returns whether any modules of the team of `team:fragment` are live.
    pub(super) fn has_team_of(&self, fragment: &str) -> bool {
        fragment
            .split_once(':')
            .is_some_and(|(team, _)| self.teams.contains_key(team))
    }

    fn insert(&mut self, page: Page) -> Result<(), Mistake> {
        if page.cache_seconds > CACHE_SECONDS_MAX {
            return Err(("cacheSeconds", format!("is more than {CACHE_SECONDS_MAX}")));
        }
        if !is_for_pages(&page.route) {
            return Err((
                "route",
                format!("`{}` is not an allowed route of a page", page.route),
            ));
        }
        let route = page.route.to_string();
        // Documents of visitors name no page of the staff area.
        if page.access.is_none() {
            self.add_public(&page, &route);
        }
        let page = Arc::new(page);
        if page.ahead {
            self.ahead_pages.push(Arc::clone(&page));
        }
        if page.resident {
            self.resident_pages.push(Arc::clone(&page));
        }
        self.routes
            .insert(route, page)
            .map_err(|error| ("route", error.to_string()))
    }

    fn add_public(&mut self, page: &Page, route: &str) {
        let first = section(route);
        if !first.is_empty() && !first.contains('{') {
            self.sections.insert(first.to_owned());
        }
        let runs = page.parts().any(|(_, part)| part.runs_at_once());
        if page.content_type.is_some() {
            self.feed_routes.push(route.to_owned());
        } else if runs {
            self.scripted_routes.push(route.to_owned());
        }
    }

    fn add_skeleton(&mut self, route: &str, skeleton: Option<&Skeleton>) -> Result<(), Mistake> {
        let line = skeleton.map(|skeleton| skeletons::line(route, skeleton));
        self.skeletons.extend(line.transpose()?);
        Ok(())
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
    path.starts_with('/') && !is_reserved && !language::is_prefixed(path)
}

fn content_type(name: &str) -> Result<HeaderValue, Mistake> {
    let mut known = CONTENT_TYPES.into_iter();
    let found = known.find(|(known, _)| *known == name);
    found
        .map(|(_, value)| value)
        .ok_or_else(|| ("contentType", format!("`{name}` is not allowed")))
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}

/// Returns the parameter names of a route: `/doctors/{slug}`, `/files/{*path}`.
pub(crate) fn parameters(route: &str) -> Vec<String> {
    let names = route
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'));
    names
        .map(|(name, _)| name.trim_start_matches('*').to_owned())
        .collect()
}
