//! The live set of routes, modules and files, assembled from `remotes.json` and checked as a whole.
//!
//! A registry is immutable. A changed `remotes.json` leads to a new registry of versions that fit together; see
//! [`super::choice`].

mod builder;
pub(super) mod canary;
pub(super) mod listed;
mod places;
mod redirects;
mod shell;
mod skeletons;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher as _},
    path::Path,
    sync::{Arc, OnceLock},
};

use axum::http::HeaderValue;

pub(super) use self::builder::parameters;
use self::{builder::Builder, canary::Canary, listed::Listed};
use super::{
    PagesError, emergency,
    part::{Content, Part, Place, Position},
    pointers::SHELL,
    published,
    remote::Remote,
    resident::Residents,
    statics::StaticFile,
    template::PathTemplate,
};
use crate::store::Edition;

#[derive(Debug)]
pub(super) struct Registry {
    /// Sequence number of the registry in this process.
    pub(super) generation: u64,
    /// Hash of the data about other teams' pages that any document may include: scripts, skeletons, speculation rules
    /// and the directory.
    around: u64,
    pub(super) shell: Shell,
    pub(super) not_found: Arc<Page>,
    pub(super) remotes: Vec<Arc<Remote>>,
    /// Pages that must be rendered before this registry goes live.
    pub(super) resident_pages: Vec<Arc<Page>>,
    /// Documents of the resident pages.
    pub(super) residents: Residents,
    /// Pages for the site map and for search.
    pub(super) listed: Vec<Listed>,
    routes: matchit::Router<Arc<Page>>,
    /// First path segments of all routes.
    sections: HashSet<String>,
    redirects: HashMap<String, HeaderValue>,
    files: HashMap<String, (Arc<StaticFile>, bool)>,
    old: Vec<Arc<Remote>>,
    /// Registries that differ from this one in one team's next version. A document uses at most one canary, so a
    /// failure has one cause.
    pub(super) canaries: Vec<Canary>,
    /// Team whose canary this registry is.
    pub(super) canary_of: Option<String>,
}

/// One version of the shell and of each team.
#[derive(Clone, Debug)]
pub(super) struct Versions {
    pub(super) shell: Arc<Remote>,
    pub(super) teams: BTreeMap<String, Arc<Remote>>,
}

impl Versions {
    /// Iterates over all versions, the shell first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Remote>> {
        [&self.shell].into_iter().chain(self.teams.values())
    }

    pub(super) fn get(&self, name: &str) -> Option<&Arc<Remote>> {
        self.all().find(|remote| remote.name == name)
    }

    /// Returns these versions with one of them replaced.
    pub(super) fn with(&self, remote: &Arc<Remote>) -> Self {
        let mut versions = self.clone();
        if remote.name == SHELL {
            versions.shell = Arc::clone(remote);
        } else {
            versions
                .teams
                .insert(remote.name.clone(), Arc::clone(remote));
        }
        versions
    }
}

#[derive(Debug)]
pub(super) struct Shell {
    pub(super) remote: Arc<Remote>,
    pub(super) script: Option<String>,
    pub(super) styles: Vec<Arc<str>>,
    /// Styles of bare pages. If empty, the shell has no small frame and bare pages use the ordinary one.
    pub(super) bare_styles: Vec<Arc<str>>,
    /// Small scripts included in every document.
    pub(super) scripts: Vec<Arc<str>>,
    /// JSON text.
    pub(super) speculation_rules: String,
    /// Name of the Trusted Types policy that the document script creates.
    pub(super) trusted_types: Option<String>,
    /// URL of the script that measures page loads.
    pub(super) measure: Option<String>,
    /// URLs of scripts to prefetch for other pages, separated by spaces.
    pub(super) ahead: String,
    /// Placeholders shown while navigation to another page is slow: `route shape count label`, joined by `|`.
    pub(super) skeletons: String,
    pub(super) site: Option<PathTemplate>,
    /// Replaces a page whose own module failed.
    pub(super) failure: Part,
    /// Replaces a single failed fragment.
    pub(super) fragment_fallback: Part,
}

/// The content of a route.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) route: Arc<str>,
    /// Head module of a composition. A page of one team takes its head from its first part.
    pub(super) head: Option<Part>,
    pub(super) places: Vec<Place>,
    /// Sorted names of the query parameters that affect the page.
    pub(super) query: Vec<String>,
    pub(super) cache_seconds: u64,
    pub(super) status: u16,
    /// Media type of a page other than HTML; its first part writes the whole body.
    pub(super) content_type: Option<HeaderValue>,
    /// Kept in memory while the registry is live.
    pub(super) resident: bool,
    /// Hash of its modules and their versions; computed on first use.
    pub(super) edition: OnceLock<u64>,
    /// Versions of its documents; computed on first use.
    pub(super) remotes: OnceLock<Vec<Arc<Remote>>>,
    /// Whether other pages prefetch its scripts.
    pub(super) ahead: bool,
    /// Whether its document has no script element.
    pub(super) bare: bool,
}

impl Page {
    /// Returns the versions that a document of this page contains, without duplicates.
    pub(super) fn remotes<'a>(&'a self, shell: &'a Arc<Remote>) -> &'a [Arc<Remote>] {
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
    pub(super) fn parts(&self) -> impl Iterator<Item = (Position, &Part)> {
        let head = self.head.iter().map(|part| (Position::Head, part));
        let places = self.places.iter().enumerate();
        let places = places.filter_map(|(index, place)| match &place.content {
            Content::Known(part) => Some((Position::Place(index), part)),
            Content::Unknown(_) => None,
        });
        head.chain(places)
    }

    /// Returns the URLs of all scripts needed to hydrate its parts on load; may contain duplicates.
    pub(super) fn load_scripts<'a>(
        &'a self,
        shell_script: Option<&'a str>,
    ) -> impl Iterator<Item = &'a str> {
        self.parts()
            .flat_map(move |(_, part)| part.load_scripts(shell_script))
    }

    pub(super) fn takes_posts(&self) -> bool {
        self.parts().any(|(_, part)| part.action)
    }

    /// Returns the part that accepts a native form post. This is the part named by the form, otherwise the page's own,
    /// otherwise the only part that accepts any.
    pub(super) fn form_part(&self, named: Option<&str>) -> Option<(Position, &Part)> {
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
    pub(super) fn assemble(
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
        let files = published::files(&[], &remotes, shell)?;
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
            remotes,
            resident_pages: built.resident_pages,
            residents: Residents::default(),
            listed: built.listed,
            sections: built.sections,
            routes: built.routes,
            redirects: built.redirects,
            files,
            old: Vec::new(),
            canaries: Vec::new(),
            canary_of: None,
        })
    }

    /// Adds the files of old versions to the served files.
    pub(super) fn serve_beside(&mut self, old: Vec<Arc<Remote>>) -> Result<(), PagesError> {
        self.files = published::files(&old, &self.remotes, &self.shell.remote)?;
        self.old = old;
        Ok(())
    }

    /// Finds the page for a raw path and the percent-encoded parameters in the path.
    pub(super) fn page<'a, 'p>(
        &'a self,
        path: &'p str,
    ) -> Option<(&'a Arc<Page>, matchit::Params<'a, 'p>)> {
        let found = self.routes.at(path).ok()?;
        Some((found.value, found.params))
    }

    /// Returns the edition of a page's documents. Versions of other teams affect `own` only if their modules are part
    /// of the page.
    pub(super) fn edition(&self, page: &Page) -> Edition {
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
    pub(super) fn has_emergency_page(&self) -> bool {
        self.page(emergency::PATH).is_some()
    }

    /// Returns whether a route of the site starts with the same segment as this raw path. The not-found page can then
    /// suggest the intended page.
    pub(super) fn is_within_a_section(&self, path: &str) -> bool {
        self.sections.contains(section(path))
    }

    /// Returns the target of a former or short address.
    pub(super) fn redirect(&self, path: &str) -> Option<&HeaderValue> {
        self.redirects.get(path)
    }

    /// Finds the file for a raw path, and whether it belongs to the site's root.
    pub(super) fn file(&self, path: &str) -> Option<(&StaticFile, bool)> {
        self.files
            .get(path)
            .map(|(file, is_root)| (&**file, *is_root))
    }

    pub(super) fn versions(&self) -> Versions {
        let teams = self.remotes.iter().filter(|remote| remote.name != SHELL);
        Versions {
            shell: Arc::clone(&self.shell.remote),
            teams: teams
                .map(|team| (team.name.clone(), Arc::clone(team)))
                .collect(),
        }
    }

    /// Returns the versions that visitors get. Registries with equal lineups show the same site.
    pub(super) fn lineup(&self) -> Vec<(String, String, u8)> {
        let stable = self.remotes.iter().map(|remote| (remote, 100));
        let canaries = self.canaries.iter();
        let all = stable.chain(canaries.map(|canary| (&canary.remote, canary.percent)));
        all.map(|(remote, percent)| (remote.name.clone(), remote.version.clone(), percent))
            .collect()
    }

    /// Returns whether modules of this team are live.
    pub(super) fn has_team(&self, name: &str) -> bool {
        self.remotes.iter().any(|remote| remote.name == name)
    }

    /// Returns whether this version is served, live or old, and has this page module or script (`appointment`).
    pub(super) fn has(&self, name: &str, version: &str, module: &str) -> bool {
        let remote = self.known(name, version);
        remote.is_some_and(|remote| remote.has_module(module))
    }

    pub(super) fn known(&self, name: &str, version: &str) -> Option<Arc<Remote>> {
        let canaries = self.canaries.iter().map(|canary| &canary.remote);
        let mut all = self.remotes.iter().chain(canaries).chain(&self.old);
        all.find(|remote| remote.name == name && remote.version == version)
            .map(Arc::clone)
    }
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
