//! Everything that is live right now: routes, modules and files, assembled from `remotes.json` and checked as a whole.
//!
//! A registry is immutable. A new `remotes.json` makes a new one of the versions that go together; see [`super::choice`].

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
    /// Counts the registries of this process.
    pub(super) generation: u64,
    /// Of what every document may mention of other teams' pages: their scripts, their rules, the directory.
    around: u64,
    pub(super) shell: Shell,
    pub(super) not_found: Arc<Page>,
    pub(super) remotes: Vec<Arc<Remote>>,
    /// Pages that must be in memory before this goes live.
    pub(super) resident_pages: Vec<Arc<Page>>,
    /// Their documents.
    pub(super) residents: Residents,
    /// Pages for the site map and for search.
    pub(super) listed: Vec<Listed>,
    routes: matchit::Router<Arc<Page>>,
    /// First segments of all routes.
    sections: HashSet<String>,
    redirects: HashMap<String, HeaderValue>,
    files: HashMap<String, (Arc<StaticFile>, bool)>,
    old: Vec<Arc<Remote>>,
    /// The same with one team's next version each. A document has one of them at most, so a failure has one cause.
    pub(super) canaries: Vec<Canary>,
    /// The team whose canary this registry is.
    pub(super) canary_of: Option<String>,
}

/// One version of everybody.
#[derive(Clone, Debug)]
pub(super) struct Versions {
    pub(super) shell: Arc<Remote>,
    pub(super) teams: BTreeMap<String, Arc<Remote>>,
}

impl Versions {
    /// The shell first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Remote>> {
        [&self.shell].into_iter().chain(self.teams.values())
    }

    pub(super) fn get(&self, name: &str) -> Option<&Arc<Remote>> {
        self.all().find(|remote| remote.name == name)
    }

    /// The same with another version of one name.
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
    /// Of bare pages. Empty: the shell has no small frame, and bare pages get the ordinary one.
    pub(super) bare_styles: Vec<Arc<str>>,
    /// Small scripts of every document.
    pub(super) scripts: Vec<Arc<str>>,
    /// JSON text.
    pub(super) speculation_rules: String,
    /// Name of the Trusted Types policy that the document script makes.
    pub(super) trusted_types: Option<String>,
    /// Address of the script that measures how a page came.
    pub(super) measure: Option<String>,
    /// Addresses of the scripts of pages that are fetched ahead, separated by spaces.
    pub(super) ahead: String,
    /// What pages show while a link to another is slow: `route shape count label`, joined by `|`.
    pub(super) skeletons: String,
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
    /// A composition's head module; a page of one team takes its head from its first part.
    pub(super) head: Option<Part>,
    pub(super) places: Vec<Place>,
    /// Names of the query parameters that change the page; sorted.
    pub(super) query: Vec<String>,
    pub(super) cache_seconds: u64,
    pub(super) status: u16,
    /// Of a page that is no document: its first part writes all of it.
    pub(super) content_type: Option<HeaderValue>,
    /// Kept in memory for as long as the registry is live.
    pub(super) resident: bool,
    /// Of the modules that it is made of, computed when it is first asked for.
    pub(super) edition: OnceLock<u64>,
    /// Computed when it is first asked for.
    pub(super) remotes: OnceLock<Vec<Arc<Remote>>>,
    /// Its scripts are fetched ahead by other pages.
    pub(super) ahead: bool,
    /// Its document has no script element.
    pub(super) bare: bool,
}

impl Page {
    /// The versions that a document of it names, each once.
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

    /// The parts that are published, in their order. The first one is the page's own.
    pub(super) fn parts(&self) -> impl Iterator<Item = (Position, &Part)> {
        let head = self.head.iter().map(|part| (Position::Head, part));
        let places = self.places.iter().enumerate();
        let places = places.filter_map(|(index, place)| match &place.content {
            Content::Known(part) => Some((Position::Place(index), part)),
            Content::Unknown(_) => None,
        });
        head.chain(places)
    }

    /// Addresses of everything that hydrating its parts at once needs; may repeat itself.
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

    /// The part that takes a native post: the one that the form names, else the page's own, else the only one that takes any.
    pub(super) fn taker(&self, named: Option<&str>) -> Option<(Position, &Part)> {
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
    /// Assembles what these versions declare.
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

    /// Serves the files of these versions, too.
    pub(super) fn serve_beside(&mut self, old: Vec<Arc<Remote>>) -> Result<(), PagesError> {
        self.files = published::files(&old, &self.remotes, &self.shell.remote)?;
        self.old = old;
        Ok(())
    }

    /// The page for a raw path, and the parameters in it, percent-encoded as they came.
    pub(super) fn page<'a, 'p>(
        &'a self,
        path: &'p str,
    ) -> Option<(&'a Arc<Page>, matchit::Params<'a, 'p>)> {
        let found = self.routes.at(path).ok()?;
        Some((found.value, found.params))
    }

    /// Which modules make the documents of a page. Those of other teams change it only as far as they are a part of the page.
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

    /// Whether page modules have the page for emergencies.
    pub(super) fn has_emergency_page(&self) -> bool {
        self.page(emergency::PATH).is_some()
    }

    /// Whether a page of the site begins as this raw path does: then its visitor can be helped to find what was meant.
    pub(super) fn is_within_a_section(&self, path: &str) -> bool {
        self.sections.contains(section(path))
    }

    /// Where a former or short address leads.
    pub(super) fn redirect(&self, path: &str) -> Option<&HeaderValue> {
        self.redirects.get(path)
    }

    /// The file for a raw path, and whether it lies at the site's root.
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

    /// Which versions visitors get: two registries of the same ones are the same site.
    pub(super) fn lineup(&self) -> Vec<(String, String, u8)> {
        let stable = self.remotes.iter().map(|remote| (remote, 100));
        let canaries = self.canaries.iter();
        let all = stable.chain(canaries.map(|canary| (&canary.remote, canary.percent)));
        all.map(|(remote, percent)| (remote.name.clone(), remote.version.clone(), percent))
            .collect()
    }

    /// Whether modules of this team are live.
    pub(super) fn has_team(&self, name: &str) -> bool {
        self.remotes.iter().any(|remote| remote.name == name)
    }

    /// Whether this version is served, live or beside the live one, and has this page module or script (`appointment`).
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

/// First segment of a path or route.
fn section(path: &str) -> &str {
    path.split('/').nth(1).unwrap_or_default()
}
