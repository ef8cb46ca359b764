//! Assembles the routes of a registry from what the modules declare, and refuses what cannot be.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
    sync::{Arc, OnceLock},
};

use axum::http::HeaderValue;

use super::{Page, Shell, listed::Listed, places::Arrangement, section};
use crate::{
    api::MOUNT,
    documents::{
        PagesError,
        document::unique,
        manifest::{CompositionEntry, FragmentEntry, Hydrate, PageEntry, Skeleton},
        part::{Content, Declaration, Part, Place, Position},
        remote::Remote,
        speculation, status,
        template::PathTemplate,
    },
};

/// The longest that a document may count as fresh.
pub(super) const CACHE_SECONDS_MAX: u64 = 86_400;
const CACHE_SECONDS_DEFAULT: u64 = 60;
/// Limits of a declared skeleton, which every document carries.
const SKELETON_COUNT_MAX: u8 = 12;
const SKELETON_LABEL_BYTES_MAX: usize = 60;
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
const RESERVED: [&str; 7] = [
    MOUNT,
    "/remotes",
    "/healthz",
    "/readyz",
    "/metrics",
    "/telemetry",
    status::PATH,
];

/// A field and what is wrong with it.
pub(super) type Mistake = (&'static str, String);

/// What a registry consists of beside its files.
pub(super) struct Built {
    pub(super) shell: Shell,
    pub(super) not_found: Arc<Page>,
    pub(super) routes: matchit::Router<Arc<Page>>,
    pub(super) redirects: HashMap<String, HeaderValue>,
    pub(super) resident_pages: Vec<Arc<Page>>,
    pub(super) listed: Vec<Listed>,
    pub(super) sections: HashSet<String>,
}

pub(super) struct Builder<'a> {
    folder: &'a Path,
    pub(super) shell: &'a Arc<Remote>,
    teams: &'a BTreeMap<&'a str, Arc<Remote>>,
    pub(super) routes: matchit::Router<Arc<Page>>,
    resident_pages: Vec<Arc<Page>>,
    ahead_pages: Vec<Arc<Page>>,
    /// `route shape count label`
    skeletons: Vec<String>,
    /// Routes that must not be prerendered by speculation rules.
    scripted_routes: Vec<String>,
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
            sections: HashSet::new(),
        }
    }

    pub(super) fn build(mut self) -> Result<Built, PagesError> {
        self.add_pages()?;
        self.add_compositions()?;
        let not_found = Page {
            route: Arc::from("404"),
            head: None,
            places: vec![Place {
                content: Content::Known(self.error_part("404")?),
                slot: None,
            }],
            query: Vec::new(),
            cache_seconds: CACHE_SECONDS_MAX,
            status: 404,
            content_type: None,
            resident: false,
            edition: OnceLock::new(),
            remotes: OnceLock::new(),
            ahead: false,
            bare: false,
        };
        Ok(Built {
            redirects: self.redirects()?,
            listed: self.listed()?,
            shell: self.shell()?,
            not_found: Arc::new(not_found),
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
        })
    }

    /// What a `team:id` names.
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
        let first = section(&route);
        if !first.is_empty() && !first.contains('{') {
            self.sections.insert(first.to_owned());
        }
        let runs = page.parts().any(|(_, part)| part.runs_at_once());
        if runs || page.content_type.is_some() {
            self.scripted_routes.push(route.clone());
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

    /// Every document carries all of them, so each is a line of text without the signs that separate them.
    fn add_skeleton(&mut self, route: &str, skeleton: Option<&Skeleton>) -> Result<(), Mistake> {
        let Some(Skeleton {
            shape,
            count,
            label,
        }) = skeleton
        else {
            return Ok(());
        };
        let is_word = !shape.is_empty() && shape.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_label = (1..=SKELETON_LABEL_BYTES_MAX).contains(&label.len())
            && !label.contains('|')
            && !label.chars().any(char::is_control);
        if !is_word || !is_label || !(1..=SKELETON_COUNT_MAX).contains(count) {
            let problem = format!(
                "needs a shape in small letters, a count from 1 to {SKELETON_COUNT_MAX} and a label of at most {SKELETON_LABEL_BYTES_MAX} bytes"
            );
            return Err(("skeleton", problem));
        }
        self.skeletons
            .push(format!("{route} {shape} {count} {label}"));
        Ok(())
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
        let script = file
            .script
            .as_ref()
            .map(|script| self.shell.address(script));
        let measure = file.measure.as_ref().map(|file| self.shell.address(file));
        let ahead = self.ahead_pages.iter();
        let ahead = ahead.flat_map(|page| page.load_scripts(script.as_deref()));
        let ahead = unique(ahead).join(" ");
        let texts = |names: &[String]| {
            let texts = names.iter().filter_map(|name| self.shell.text(name));
            texts.map(Arc::clone).collect()
        };
        let trusted_types = file.trusted_types.clone();
        if trusted_types
            .as_deref()
            .is_some_and(|name| !is_policy_name(name))
        {
            let problem = "is no name of a Trusted Types policy".to_owned();
            return Err(self.invalid(self.shell, "trustedTypes", problem));
        }
        Ok(Shell {
            remote: Arc::clone(self.shell),
            trusted_types,
            script,
            measure,
            ahead,
            skeletons: self.skeletons.join("|"),
            styles: texts(&file.styles),
            bare_styles: texts(&file.bare_styles),
            scripts: texts(&file.scripts),
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

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}

/// Names in braces of a route: `/doctors/{slug}`, `/files/{*path}`.
pub(in crate::documents) fn parameters(route: &str) -> Vec<String> {
    let names = route
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'));
    names
        .map(|(name, _)| name.trim_start_matches('*').to_owned())
        .collect()
}

/// It becomes part of a header.
fn is_policy_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=64).contains(&name.len()) && name.bytes().all(is_part)
}
