//! The live set of routes, modules and files, assembled from `remotes.json` and checked as a whole.
//!
//! A registry is immutable. A changed `remotes.json` leads to a new registry of versions that fit together; see
//! `release::choice`.

pub(crate) mod access;
mod builder;
pub(crate) mod canary;
pub(crate) mod desk_lists;
pub(crate) mod listed;
pub(crate) mod location;
pub(crate) mod part;
mod places;
mod redirects;
pub(crate) mod residents;
mod shell;
mod skeletons;
mod speculation;
pub(crate) mod template;

use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher as _},
    path::Path,
    sync::{Arc, OnceLock},
};

use axum::http::HeaderValue;
use gateway_cache::Edition;

pub(crate) use self::builder::parameters;
use self::{
    access::DeskPage, builder::Builder, canary::Canary, desk_lists::DeskList, listed::Listed,
};
use super::{
    error::PagesError,
    language::Language,
    publish::{manifest::Access, pointers::SHELL, published, remote::Remote, statics::StaticFile},
    registry::{
        part::{Content, Part, Place, Position},
        residents::Residents,
        template::PathTemplate,
    },
};
use crate::publish::versions::Versions;

#[derive(Debug)]
pub(crate) struct Registry {
    /// Sequence number of the registry in this process.
    pub(crate) generation: u64,
    /// Hash of the data about other teams' pages that any document may include: scripts, skeletons, speculation rules
    /// and the directory.
    around: u64,
    pub(crate) shell: Shell,
    pub(crate) not_found: Arc<Page>,
    /// Replaces a page of the staff area that the person may not see.
    pub(crate) forbidden: Arc<Page>,
    pub(crate) remotes: Vec<Arc<Remote>>,
    /// Pages that must be rendered before this registry goes live.
    pub(crate) resident_pages: Vec<Arc<Page>>,
    /// Documents of the resident pages.
    pub(crate) residents: Residents,
    /// Pages for the site map and for search.
    pub(crate) listed: Vec<Listed>,
    /// Pages of the staff area with one address, in the order of the navigation.
    pub(crate) desk_pages: Vec<DeskPage>,
    /// Collections of the API that pages of the staff area show.
    pub(crate) desk_lists: Vec<DeskList>,
    routes: matchit::Router<Arc<Page>>,
    /// First path segments of all routes.
    sections: HashSet<String>,
    redirects: HashMap<String, HeaderValue>,
    files: HashMap<String, (Arc<StaticFile>, bool)>,
    old: Vec<Arc<Remote>>,
    /// Registries that differ from this one in one team's next version. A document uses at most one canary, so a
    /// failure has one cause.
    pub(crate) canaries: Vec<Canary>,
    /// Team whose canary this registry is.
    pub(crate) canary_of: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Shell {
    pub(crate) remote: Arc<Remote>,
    pub(crate) script: Option<String>,
    pub(crate) styles: Vec<Arc<str>>,
    /// Styles of bare pages. If empty, the shell has no small frame and bare pages use the ordinary one.
    pub(crate) bare_styles: Vec<Arc<str>>,
    /// Styles of pages in the staff area, in addition to `styles`.
    pub(crate) desk_styles: Vec<Arc<str>>,
    /// Styles of pages in a language, in addition to `styles`, in the order of [`Language::ALL`].
    pub(crate) language_styles: [Vec<Arc<str>>; 3],
    /// Small scripts included in every document.
    pub(crate) scripts: Vec<Arc<str>>,
    /// Small scripts of documents of the staff area, after `scripts`.
    pub(crate) desk_scripts: Vec<Arc<str>>,
    /// JSON texts, in the order of [`Language::ALL`].
    speculation_rules: [String; Language::ALL.len()],
    /// Name of the Trusted Types policy that the document script creates.
    pub(crate) trusted_types: Option<String>,
    /// URL of the script that measures page loads.
    pub(crate) measure: Option<String>,
    /// URLs of scripts to prefetch for other pages, separated by spaces.
    pub(crate) ahead: String,
    /// Placeholders shown while navigation to another page is slow: `route shape count label`, joined by `|`.
    skeletons: String,
    skeletons_without_labels: String,
    pub(crate) site: Option<PathTemplate>,
    /// Replaces a page whose own module failed.
    pub(crate) failure: Part,
    /// Replaces a single failed fragment.
    pub(crate) fragment_fallback: Part,
}

/// The content of a route.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) route: Arc<str>,
    /// Head module of a composition. A page of one team takes its head from its first part.
    pub(crate) head: Option<Part>,
    pub(crate) places: Vec<Place>,
    /// Sorted names of the query parameters that affect the page.
    pub(crate) query: Vec<String>,
    pub(crate) cache_seconds: u64,
    pub(crate) status: u16,
    /// Media type of a page other than HTML; its first part writes the whole body.
    pub(crate) content_type: Option<HeaderValue>,
    /// Kept in memory while the registry is live.
    pub(crate) resident: bool,
    /// Hash of its modules and their versions; computed on first use.
    pub(crate) edition: OnceLock<u64>,
    /// Versions of its documents; computed on first use.
    pub(crate) remotes: OnceLock<Vec<Arc<Remote>>>,
    /// Whether other pages prefetch its scripts.
    pub(crate) ahead: bool,
    /// Whether its document has no script element.
    pub(crate) bare: bool,
    /// Who may see it; `None` for everybody. Set for the pages of the staff area, and for no other.
    pub(crate) access: Option<Access>,
    /// Name of the one file that its forms may have.
    pub(crate) file: Option<String>,
}

impl Page {
    /// Creates the page that replaces another one with an error of this status.
    pub(crate) fn of_error(part: Part, status: u16) -> Self {
        Self {
            route: Arc::from(status.to_string()),
            head: None,
            places: vec![Place {
                content: Content::Known(part),
                slot: None,
            }],
            query: Vec::new(),
            cache_seconds: builder::CACHE_SECONDS_MAX,
            status,
            content_type: None,
            resident: false,
            edition: OnceLock::new(),
            remotes: OnceLock::new(),
            ahead: false,
            bare: false,
            access: None,
            file: None,
        }
    }

    /// Returns the versions that a document of this page contains, without duplicates.
    pub(crate) fn remotes<'a>(&'a self, shell: &'a Arc<Remote>) -> &'a [Arc<Remote>] {
        self.remotes.get_or_init(|| {
            let mut remotes = vec![Arc::clone(shell)];
            for (_, part) in self.parts() {
                if !remotes.iter().any(|known| Arc::ptr_eq(known, &part.remote)) {
                    remotes.push(Arc::clone(&part.remote));
                }
            }
            remotes
        })
    }

    /// Iterates over the published parts in order. The first one is the page's own.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (Position, &Part)> {
        let head = self.head.iter().map(|part| (Position::Head, part));
        let places = self.places.iter().enumerate();
        let places = places.filter_map(|(index, place)| match &place.content {
            Content::Known(part) => Some((Position::Place(index), part)),
            Content::Unknown(_) => None,
        });
        head.chain(places)
    }

    /// Returns the URLs of all scripts needed to hydrate its parts on load; may contain duplicates.
    pub(crate) fn load_scripts<'a>(
        &'a self,
        shell_script: Option<&'a str>,
    ) -> impl Iterator<Item = &'a str> {
        self.parts()
            .flat_map(move |(_, part)| part.load_scripts(shell_script))
    }

    /// Whether it is a document that visitors see.
    pub(crate) fn is_for_visitors(&self) -> bool {
        self.access.is_none() && self.content_type.is_none()
    }

    pub(crate) fn takes_posts(&self) -> bool {
        self.parts().any(|(_, part)| part.action)
    }

    /// Returns the part that accepts a native form post. This is the part named by the form, otherwise the page's own,
    /// otherwise the only part that accepts any.
    pub(crate) fn form_part(&self, named: Option<&str>) -> Option<(Position, &Part)> {
        let own = self.parts().next().map(|(position, _)| position);
        let mut takers = self.parts().filter(|(_, part)| part.action);
        if let Some(named) = named {
            return takers.find(|(_, part)| part.id == named);
        }
        let first = takers.next()?;
        (Some(first.0) == own || takers.next().is_none()).then_some(first)
    }
}

impl Registry {
    /// Assembles a registry from the declarations of these versions.
    pub(crate) fn assemble(
        folder: &Path,
        generation: u64,
        versions: &Versions,
    ) -> Result<Self, PagesError> {
        let Versions { shell, teams } = versions;
        let names = teams
            .iter()
            .map(|(name, team)| (name.as_str(), Arc::clone(team)));
        let built = Builder::new(folder, shell, &names.collect()).build()?;
        let remotes: Vec<_> = versions.all().map(Arc::clone).collect();
        let files = published::files(&remotes, shell)?;
        let listed = format!("{:?}", built.listed);
        let around = hash(&(
            &built.shell.ahead,
            &built.shell.skeletons,
            &built.shell.speculation_rules,
            listed,
        ));
        Ok(Self {
            generation,
            around,
            shell: built.shell,
            not_found: built.not_found,
            forbidden: built.forbidden,
            remotes,
            resident_pages: built.resident_pages,
            residents: Residents::default(),
            listed: built.listed,
            desk_pages: built.desk_pages,
            desk_lists: built.desk_lists,
            sections: built.sections,
            routes: built.routes,
            redirects: built.redirects,
            files,
            old: Vec::new(),
            canaries: Vec::new(),
            canary_of: None,
        })
    }

    /// Sets the old versions whose pages may report failures.
    pub(crate) fn set_old(&mut self, old: Vec<Arc<Remote>>) {
        self.old = old;
    }

    /// Finds the page for a raw path and the percent-encoded parameters in the path.
    pub(crate) fn page<'a, 'p>(
        &'a self,
        path: &'p str,
    ) -> Option<(&'a Arc<Page>, matchit::Params<'a, 'p>)> {
        let found = self.routes.at(path).ok()?;
        Some((found.value, found.params))
    }

    /// Returns the edition of a page's documents. Versions of other teams affect `own` only if their modules are part
    /// of the page.
    pub(crate) fn edition(&self, page: &Page) -> Edition {
        let own = page.edition.get_or_init(|| {
            let parts = page.parts().map(|(position, part)| {
                let Remote { name, version, .. } = &*part.remote;
                (position.id(), &part.id, &part.module, name, version)
            });
            let parts: Vec<_> = parts.collect();
            hash(&(&self.shell.remote.version, &page.route, parts))
        });
        Edition {
            own: *own,
            around: self.around,
        }
    }

    /// Returns whether a page module provides the emergency page.
    pub(crate) fn has_emergency_page(&self) -> bool {
        self.page(location::EMERGENCY).is_some()
    }

    /// Returns whether a route of the site starts with the same segment as this raw path. The not-found page can then
    /// suggest the intended page.
    pub(crate) fn is_within_a_section(&self, path: &str) -> bool {
        self.sections.contains(section(path))
    }

    /// Whether a path leads to a page of visitors, directly or by a redirect. Feeds are no pages.
    pub(crate) fn is_for_visitors(&self, path: &str) -> bool {
        let page = self.page(path).map(|(page, _)| page);
        page.is_some_and(|page| page.is_for_visitors()) || self.redirect(path).is_some()
    }

    /// Whether a path has an address in each language: pages of visitors, also those of the gateway itself.
    pub(crate) fn has_languages(&self, path: &str) -> bool {
        self.is_for_visitors(path) || [location::STATUS, location::EMERGENCY].contains(&path)
    }

    /// Returns the target of a former or short address.
    pub(crate) fn redirect(&self, path: &str) -> Option<&HeaderValue> {
        self.redirects.get(path)
    }

    /// Finds the file for a raw path, and whether it belongs to the site's root.
    pub(crate) fn file(&self, path: &str) -> Option<(&StaticFile, bool)> {
        self.files
            .get(path)
            .map(|(file, is_root)| (&**file, *is_root))
    }

    pub(crate) fn versions(&self) -> Versions {
        let teams = self.remotes.iter().filter(|remote| remote.name != SHELL);
        Versions {
            shell: Arc::clone(&self.shell.remote),
            teams: teams
                .map(|team| (team.name.clone(), Arc::clone(team)))
                .collect(),
        }
    }

    /// Returns the versions that visitors get. Registries with equal lineups show the same site.
    pub(crate) fn lineup(&self) -> Vec<(String, String, u8)> {
        let stable = self.remotes.iter().map(|remote| (remote, 100));
        let canaries = self.canaries.iter();
        let all = stable.chain(canaries.map(|canary| (&canary.remote, canary.percent)));
        all.map(|(remote, percent)| (remote.name.clone(), remote.version.clone(), percent))
            .collect()
    }

    /// Returns whether modules of this team are live.
    pub(crate) fn has_team(&self, name: &str) -> bool {
        self.remotes.iter().any(|remote| remote.name == name)
    }

    /// Returns whether this version is served, live or old, and has this page module or script (`appointment`).
    pub(crate) fn has(&self, name: &str, version: &str, module: &str) -> bool {
        let remote = self.known(name, version);
        remote.is_some_and(|remote| remote.has_module(module))
    }

    /// Returns a version that is live, a canary or old.
    pub(crate) fn known(&self, name: &str, version: &str) -> Option<Arc<Remote>> {
        let old = self.old(name, version);
        self.loaded(name, version).or(old).map(Arc::clone)
    }

    /// Returns a version that is live or a canary, with its contents.
    pub(crate) fn loaded(&self, name: &str, version: &str) -> Option<&Arc<Remote>> {
        let canaries = self.canaries.iter().map(|canary| &canary.remote);
        find(self.remotes.iter().chain(canaries), name, version)
    }

    /// Returns an old version, without its contents.
    pub(crate) fn old(&self, name: &str, version: &str) -> Option<&Arc<Remote>> {
        find(self.old.iter(), name, version)
    }
}

fn find<'a>(
    mut remotes: impl Iterator<Item = &'a Arc<Remote>>,
    name: &str,
    version: &str,
) -> Option<&'a Arc<Remote>> {
    remotes.find(|remote| remote.name == name && remote.version == version)
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Returns the first segment of a path or route.
fn section(path: &str) -> &str {
    path.split('/').nth(1).unwrap_or_default()
}
