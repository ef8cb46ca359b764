//! Chooses the version of the shell and of each team: the one that its pointer names or, if that is refused, the last
//! good one.
//!
//! A version that does not load, does not fit or fails to render its resident pages affects only its own team.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::resident;
use crate::{
    error::PagesError,
    publish::{
        integrity::Trust,
        pointers::{Pointers, SHELL},
        published,
        refusal::{Refusal, Refusals},
        remote::Remote,
        versions::Versions,
    },
    registry::{Registry, canary::Canary, template::PathTemplate},
    render::compose::Composer,
};

/// [`Remote::read`] or [`Remote::read_names`].
type Read = fn(&Path, &str, &str, Option<&str>, &Trust) -> Result<Remote, PagesError>;

/// Result of choosing versions from a folder.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) registry: Registry,
    pub(crate) refusals: Refusals,
}

/// One attempt to load everything that the pointers name.
pub(crate) struct Choice<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) trust: &'a Arc<Trust>,
    pub(crate) composer: &'a Composer,
    pub(crate) pointers: &'a Pointers,
    /// The live registry.
    pub(crate) old: Option<&'a Registry>,
    /// Versions that were live before the current ones, where known.
    pub(crate) before: &'a BTreeMap<String, String>,
    pub(crate) generation: u64,
    /// Starts with versions that were rolled back or whose pointers were refused at the origin, and grows.
    pub(crate) refusals: Refusals,
    /// Versions read so far.
    pub(crate) read: BTreeMap<(String, String), Arc<Remote>>,
}

impl Choice<'_> {
    /// Chooses the versions. Every round except the last refuses a version, so the number of rounds is bounded by the
    /// number of candidates.
    ///
    /// # Errors
    /// When no version of the shell is usable: without a shell there are no documents.
    pub(crate) async fn choose(mut self) -> Result<Chosen, PagesError> {
        for (name, entry) in &self.pointers.0 {
            if let Err(Refusal { reason, detail }) = entry {
                let refusal = Refusal {
                    reason,
                    detail: format!("remotes.json: {detail}"),
                };
                self.refusals.insert((name.clone(), String::new()), refusal);
            }
        }
        loop {
            let wanted = self.load().await?;
            let Some(mut registry) = self.build(&wanted).await? else {
                continue;
            };
            let live: Vec<_> = self.old.iter().map(|old| &old.residents).collect();
            match resident::make(self.composer, &registry, &live).await {
                Ok(residents) => registry.residents = residents,
                Err(error) => {
                    self.refuse_resident(&registry, error)?;
                    continue;
                }
            }
            registry.canaries = self.canaries(&registry).await;
            return Ok(Chosen {
                registry,
                refusals: self.refusals,
            });
        }
    }

    /// Loads the best loadable version of the shell and of each team.
    async fn load(&mut self) -> Result<Versions, PagesError> {
        let mut chosen = BTreeMap::new();
        let mut shell_error = None;
        for name in self.pointers.0.keys() {
            for version in self.candidates(name) {
                match self.read(name, &version).await {
                    Ok(remote) => {
                        chosen.insert(name.clone(), remote);
                        break;
                    }
                    Err(error) => {
                        self.refuse(name, &version, &error);
                        shell_error = shell_error.or_else(|| (name == SHELL).then_some(error));
                    }
                }
            }
        }
        match chosen.remove(SHELL) {
            Some(shell) => Ok(Versions {
                shell,
                teams: chosen,
            }),
            None => Err(shell_error.unwrap_or_else(|| {
                let refusals = self.refusals.iter();
                let mut shell = refusals.filter(|((name, _), _)| name == SHELL);
                let problem = shell.next().map(|(_, refusal)| refusal.detail.clone());
                PagesError::invalid(PathBuf::from(SHELL), "", problem.unwrap_or_default())
            })),
        }
    }

    /// Returns the versions of a name that may go live, best first. The order is the pointer's stable version, the live
    /// one, the pointer's previous one and the one that was live before.
    fn candidates(&self, name: &str) -> Vec<String> {
        let pointer = self.pointers.get(name);
        let stable = pointer.map(|pointer| pointer.stable.clone());
        let live_version = |old: &Registry| Some(old.versions().get(name)?.version.clone());
        let live = self.old.and_then(live_version);
        let previous = pointer.and_then(|pointer| pointer.previous.clone());
        // With keys, a rejected pointer keeps the live version but does not bring back an earlier one.
        let may_go_back = pointer.is_some() || !self.trust.has_keys();
        let before = self.before.get(name).filter(|_| may_go_back).cloned();
        let mut candidates: Vec<String> = Vec::new();
        for version in [stable, live, previous, before].into_iter().flatten() {
            let key = (name.to_owned(), version.clone());
            if !self.refusals.contains_key(&key) && !candidates.contains(&version) {
                candidates.push(version);
            }
        }
        candidates
    }

    /// Reads a version, checks its requirements and loads its bundle. A live version has already passed these checks
    /// and is reused, so renderer failures cannot refuse it.
    async fn read(&mut self, name: &str, version: &str) -> Result<Arc<Remote>, PagesError> {
        let key = (name.to_owned(), version.to_owned());
        if let Some(known) = self.read.get(&key) {
            return Ok(Arc::clone(known));
        }
        if let Some(live) = self.live(name, version) {
            self.read.insert(key, Arc::clone(&live));
            return Ok(live);
        }
        let remote = self.read_folder(name, version).await?;
        self.check_api(&remote)?;
        let warmed = self.composer.pool.warm(&remote.program).await;
        warmed.map_err(|error| PagesError::Bundle {
            module: remote.name.clone(),
            version: remote.version.clone(),
            problem: error.to_string(),
        })?;
        self.read.insert(key, Arc::clone(&remote));
        Ok(remote)
    }

    async fn read_folder(&self, name: &str, version: &str) -> Result<Arc<Remote>, PagesError> {
        if let Some(known) = self.old.and_then(|old| old.loaded(name, version))
            && known.trusted_in == self.trust.edition()
        {
            return Ok(Arc::clone(known));
        }
        self.read_remote(Remote::read, name, version)
            .await
            .map(Arc::new)
    }

    async fn read_remote(
        &self,
        read: Read,
        name: &str,
        version: &str,
    ) -> Result<Remote, PagesError> {
        let pointer = self.pointers.get(name);
        let digest = pointer.and_then(|pointer| pointer.integrity.get(version).cloned());
        let (folder, trust) = (self.folder.to_owned(), Arc::clone(self.trust));
        let (name, version) = (name.to_owned(), version.to_owned());
        let read = move || read(&folder, &name, &version, digest.as_deref(), &trust);
        let remote = tokio::task::spawn_blocking(read).await;
        remote.map_err(|_| PagesError::Panicked)?
    }

    /// Returns the live version. It stays live until its team replaces it, even if its signing key is no longer
    /// trusted.
    fn live(&self, name: &str, version: &str) -> Option<Arc<Remote>> {
        let mut live = self.old?.remotes.iter();
        live.find(|remote| remote.name == name && remote.version == version)
            .map(Arc::clone)
    }

    /// Reads the newest versions besides the live ones, whose pages are still open in browsers and may report failures.
    /// Unreadable ones are skipped, because nothing live depends on them.
    async fn old_versions(&self, live: &Versions) -> Vec<Arc<Remote>> {
        let mut versions = Vec::new();
        for key in published::beside(self.folder, live) {
            if self.refusals.contains_key(&key) {
                continue;
            }
            let (name, version) = key;
            let known = self.old.and_then(|old| old.old(&name, &version));
            let known = known.filter(|known| known.trusted_in == self.trust.edition());
            if let Some(known) = known {
                versions.push(Arc::clone(known));
                continue;
            }
            match self.read_remote(Remote::read_names, &name, &version).await {
                Ok(found) => versions.push(Arc::new(found)),
                Err(error) => {
                    tracing::warn!(module = name, version, %error, "old version cannot be loaded");
                }
            }
        }
        versions
    }

    fn check_api(&self, remote: &Remote) -> Result<(), PagesError> {
        let api = &self.composer.api;
        let missing = remote.file.requires.api.iter().find(|path| {
            let template = PathTemplate::parse(&example(path), &[], &[]);
            template.is_ok_and(|template| {
                let example = template.fill(&BTreeMap::new(), &BTreeMap::new());
                api.read(&example).is_none()
            })
        });
        match missing {
            Some(path) => Err(self.requirement(remote, format!("api: `{path}` does not exist"))),
            None => Ok(()),
        }
    }

    fn requirement(&self, remote: &Remote, problem: String) -> PagesError {
        let path = self.folder.join(&remote.name).join(&remote.version);
        PagesError::Requires { path, problem }
    }

    /// Builds a registry from these versions. `None` when some of them were refused because they conflict.
    async fn build(&mut self, wanted: &Versions) -> Result<Option<Registry>, PagesError> {
        let error = match self.assemble(wanted) {
            Ok(mut registry) => {
                registry.set_old(self.old_versions(wanted).await);
                return Ok(Some(registry));
            }
            Err(error) => error,
        };
        match self.split_new(wanted) {
            Some((_, new)) if new.is_empty() => Err(error),
            Some((base, new)) => {
                self.refuse_conflicting(base, new);
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// Adds the new versions to `base` one by one until no more of them fit, and refuses the rest. The versions in
    /// `base` fit together, so they are not at fault.
    fn refuse_conflicting(&mut self, mut base: Versions, mut new: Vec<Arc<Remote>>) {
        // Repeated because a route may move between two teams: one version may fit only after another.
        loop {
            let tried = new.len();
            let mut conflicting = Vec::new();
            for remote in new {
                let candidate = base.with(&remote);
                match self.assemble(&candidate) {
                    Ok(_) => base = candidate,
                    Err(error) => conflicting.push((remote, error)),
                }
            }
            if conflicting.len() == tried {
                for (remote, error) in conflicting {
                    self.refuse(&remote.name, &remote.version, &error);
                }
                return;
            }
            new = conflicting.into_iter().map(|(remote, _)| remote).collect();
        }
    }

    /// Splits `wanted` into its live part and its new versions. At startup only the shell counts as live. `None` when
    /// even the shell alone does not fit and was refused.
    fn split_new(&mut self, wanted: &Versions) -> Option<(Versions, Vec<Arc<Remote>>)> {
        if let Some(old) = self.old {
            let mut live = old.versions();
            live.teams.retain(|name, _| wanted.teams.contains_key(name));
            let is_new = |remote: &&Arc<Remote>| {
                let live = live.get(&remote.name);
                live.is_none_or(|live| live.version != remote.version)
            };
            let new = wanted.all().filter(is_new).map(Arc::clone).collect();
            return Some((live, new));
        }
        let shell = Versions {
            shell: Arc::clone(&wanted.shell),
            teams: BTreeMap::new(),
        };
        if let Err(error) = self.assemble(&shell) {
            self.refuse(SHELL, &wanted.shell.version, &error);
            return None;
        }
        Some((shell, wanted.teams.values().map(Arc::clone).collect()))
    }

    /// Assembles these versions into a registry if they fit together.
    fn assemble(&self, versions: &Versions) -> Result<Registry, PagesError> {
        let contract = versions.shell.file.contract;
        for team in versions.teams.values() {
            let wanted = team.file.requires.shell;
            if wanted > contract {
                let problem = format!("shell: needs contract {wanted}, the shell has {contract}");
                return Err(self.requirement(team, problem));
            }
        }
        Registry::assemble(self.folder, self.generation, versions)
    }

    /// Refuses the first of the page's teams whose version is new, otherwise the shell. Resident pages are rendered
    /// only for new versions, so one of these versions is at fault.
    fn refuse_resident(
        &mut self,
        registry: &Registry,
        error: PagesError,
    ) -> Result<(), PagesError> {
        let PagesError::Resident { route, .. } = &error else {
            return Err(error);
        };
        let mut pages = registry.resident_pages.iter();
        let page = pages.find(|page| page.route == *route);
        let parts = page.into_iter().flat_map(|page| page.parts());
        let teams = parts.map(|(_, part)| &part.remote);
        let is_new = |remote: &&Arc<Remote>| {
            let old = self.old.map(Registry::versions);
            let live = old.as_ref().and_then(|old| old.get(&remote.name));
            live.is_none_or(|live| live.version != remote.version)
        };
        let mut suspects = teams.chain([&registry.shell.remote]);
        let Some(blamed) = suspects.find(is_new).map(Arc::clone) else {
            return Err(error);
        };
        self.refuse(&blamed.name, &blamed.version, &error);
        Ok(())
    }

    /// Returns the canaries that load and fit. Together they get at most 99 % of the documents.
    async fn canaries(&mut self, stable: &Registry) -> Vec<Canary> {
        let pointers = self.pointers.readable();
        let mut wanted: Vec<_> = pointers
            .filter_map(|(name, pointer)| Some((name.clone(), pointer.canary.clone()?)))
            .collect();
        // Live canaries are considered first, so new ones cannot take their share.
        let is_live = |name: &str, version: &str| {
            let live = self.old.into_iter().flat_map(|old| &old.canaries);
            let mut live = live.map(|canary| &canary.remote);
            live.any(|live| live.name == name && live.version == version)
        };
        wanted.sort_by_key(|(name, canary)| !is_live(name, &canary.version));
        let mut canaries: Vec<Canary> = Vec::new();
        for (name, canary) in wanted {
            let key = (name.clone(), canary.version.clone());
            let live = stable.versions().get(&name).cloned();
            let is_live = live.is_some_and(|live| live.version == canary.version);
            if is_live || self.refusals.contains_key(&key) {
                continue;
            }
            let taken: u8 = canaries.iter().map(|canary| canary.percent).sum();
            if taken + canary.percent > 99 {
                let refusal = Refusal {
                    reason: "share",
                    detail: format!("{taken} % are taken by other canaries"),
                };
                self.refusals.insert(key, refusal);
                continue;
            }
            let made = match self.read(&name, &canary.version).await {
                Ok(remote) => self.canary(stable, &remote, canary.percent).await,
                Err(error) => Err(error),
            };
            match made {
                Ok(canary) => canaries.push(canary),
                Err(error) => self.refuse(&name, &canary.version, &error),
            }
        }
        canaries
    }

    /// Builds a canary. As a check, its resident pages are rendered unless they are already live. Visitors get the
    /// resident pages of the stable version.
    async fn canary(
        &self,
        stable: &Registry,
        remote: &Arc<Remote>,
        percent: u8,
    ) -> Result<Canary, PagesError> {
        let versions = stable.versions().with(remote);
        let mut registry = self.assemble(&versions)?;
        registry.canary_of = Some(remote.name.clone());
        let mut live = self.old.into_iter().flat_map(|old| &old.canaries);
        let live_canary = live.find(|live| Arc::ptr_eq(&live.remote, remote));
        let mut rendered = vec![&stable.residents];
        rendered.extend(live_canary.map(|live| &live.registry.residents));
        registry.residents = resident::make(self.composer, &registry, &rendered).await?;
        Ok(Canary {
            remote: Arc::clone(remote),
            percent,
            registry: Arc::new(registry),
        })
    }

    fn refuse(&mut self, name: &str, version: &str, error: &PagesError) {
        let refusal = Refusal {
            reason: error.reason(),
            detail: error.to_string(),
        };
        let key = (name.to_owned(), version.to_owned());
        self.refusals.insert(key, refusal);
    }
}

/// Replaces the parameters of a path by `example`.
fn example(path: &str) -> String {
    let mut example = String::new();
    for (index, part) in path.split(['{', '}']).enumerate() {
        example.push_str(if index % 2 == 0 { part } else { "example" });
    }
    example
}
