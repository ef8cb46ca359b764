//! Follows `remotes.json`: swaps live versions, retries refused ones and rolls back failing ones.

use std::{
    collections::BTreeMap,
    fs, io,
    path::PathBuf,
    sync::{Arc, Weak},
    time::{Duration, Instant, SystemTime},
};

use super::{
    choice::{Choice, Chosen},
    live::Live,
    memory::Memory,
    remotes_state::RemotesState,
    trial::{TrialLimits, Trials},
};
use crate::{
    error::PagesError,
    metrics::{self, CANARY, STABLE},
    publish::{
        integrity::Trust,
        pointers::{self, Pointers},
        refusal::{AtOrigin, Refusal, Refusals},
        remote::Remote,
    },
    registry::Registry,
    render::compose::Composer,
};

const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Consecutive failures to read the keys before a problem is reported. A single one may be caused by a file that is
/// being written.
const KEY_FAILURES_MIN: u32 = 2;
/// Delays between retries of refused versions: a folder may be half copied, or a disk unmounted.
const RETRY_MIN: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_mins(1);

/// Label of the key file where refusals are counted by team.
const KEYS: &str = "REMOTES_KEYS";

/// Identifies one state of a file.
#[derive(Debug, PartialEq, Eq)]
struct Fingerprint {
    modified: SystemTime,
    bytes: Vec<u8>,
}

/// State of following `remotes.json`.
#[derive(Debug)]
pub(crate) struct Watcher {
    folder: PathBuf,
    trust: Arc<Trust>,
    /// Edition of the keys with which the live versions were chosen.
    chosen_with: u64,
    key_failures: u32,
    limits: TrialLimits,
    seen: Option<Fingerprint>,
    generation: u64,
    retry: Option<Retry>,
    memory: Memory,
    /// Versions that were live here before the current ones.
    before: BTreeMap<String, String>,
    pointers: Option<Pointers>,
    /// With keys: number of moves of each pointer when last followed. Entries of removed teams are kept.
    followed: BTreeMap<String, u64>,
    /// Shared with the origin's watcher. `seen_at_origin` and `seen_healed` are its values at the last choice.
    at_origin: Arc<AtOrigin>,
    seen_at_origin: BTreeMap<String, Refusal>,
    seen_healed: u64,
    trials: Trials,
}

#[derive(Clone, Copy, Debug)]
struct Retry {
    at: Instant,
    after: Duration,
}

impl Watcher {
    pub(crate) fn new(
        folder: PathBuf,
        trust: Arc<Trust>,
        limits: TrialLimits,
        at_origin: Arc<AtOrigin>,
        memory: Memory,
    ) -> Self {
        Self {
            folder,
            trust,
            chosen_with: 0,
            key_failures: 0,
            limits,
            seen: None,
            generation: 0,
            retry: None,
            memory,
            before: BTreeMap::new(),
            pointers: None,
            followed: BTreeMap::new(),
            at_origin,
            seen_at_origin: BTreeMap::new(),
            seen_healed: 0,
            trials: Trials::default(),
        }
    }

    /// Chooses the first set of versions.
    ///
    /// # Errors
    /// When `remotes.json` cannot be read, or no version of the shell is usable.
    pub(crate) async fn start(
        &mut self,
        composer: &Composer,
    ) -> Result<(Registry, RemotesState), PagesError> {
        let path = self.folder.join(pointers::FILE);
        self.seen = Some(
            fingerprint(path.clone())
                .await
                .map_err(|source| PagesError::Read { path, source })?,
        );
        let (chosen, pointers) = self.choose(composer, None).await?;
        let Chosen { registry, refusals } = chosen;
        let mut state = RemotesState::default();
        self.note(&mut state, &pointers, refusals);
        count_versions(&registry, None);
        self.pointers = Some(pointers);
        Ok((registry, state))
    }

    /// Polls until `live` is dropped. Polling, because network and overlay file systems send no change notifications.
    pub(crate) async fn run(mut self, live: Weak<Live>) {
        let mut ticks = tokio::time::interval(POLL_INTERVAL);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let Some(live) = live.upgrade() else { return };
            // The file may be missing for a moment while a publisher renames it. The loaded versions then stay live.
            let found = fingerprint(self.folder.join(pointers::FILE)).await.ok();
            let mut has_moved = found.is_some() && found != self.seen;
            if has_moved {
                self.seen = found;
            }
            has_moved |= *self.at_origin.refused.lock() != self.seen_at_origin;
            has_moved |= self.at_origin.healed() != self.seen_healed;
            has_moved |= self.reload_keys(&live).await;
            if has_moved {
                self.retry = None;
            }
            let has_failed = self.judge(&live);
            let is_due = self.retry.is_some_and(|retry| retry.at <= Instant::now());
            if has_moved || has_failed || is_due {
                self.follow(&live).await;
            }
            self.memory.save().await;
        }
    }

    /// Re-reads the keys and returns whether they changed.
    async fn reload_keys(&mut self, live: &Live) -> bool {
        if !self.trust.has_keys() {
            return false;
        }
        let trust = Arc::clone(&self.trust);
        let reloaded = tokio::task::spawn_blocking(move || trust.reload()).await;
        match reloaded.unwrap_or(Err(PagesError::Panicked)) {
            Ok(have_changed) => {
                self.key_failures = 0;
                if live.remotes_state.lock().keys_problem.take().is_some() {
                    tracing::info!("keys of page modules can be read again");
                }
                if have_changed {
                    tracing::info!("keys of page modules changed");
                }
                have_changed
            }
            Err(error) => {
                self.key_failures += 1;
                let problem = Some(error.to_string());
                let mut state = live.remotes_state.lock();
                if self.key_failures >= KEY_FAILURES_MIN && state.keys_problem != problem {
                    metrics::get().refused(KEYS, error.reason());
                    tracing::error!(%error, "keys of page modules refused, keeping the previous ones");
                    state.keys_problem = problem;
                }
                false
            }
        }
    }

    /// Adopts the versions that the pointers name, as far as they are usable.
    async fn follow(&mut self, live: &Live) {
        let old = live.registry.load_full();
        let edition = self.trust.edition();
        match self.choose(&live.composer, Some(&old)).await {
            Ok((Chosen { registry, refusals }, pointers)) => {
                self.note(&mut live.remotes_state.lock(), &pointers, refusals);
                self.pointers = Some(pointers);
                if registry.lineup() != old.lineup() || edition != self.chosen_with {
                    self.chosen_with = edition;
                    self.swap(live, &old, registry);
                }
            }
            Err(error) => {
                let mut state = live.remotes_state.lock();
                let problem = error.to_string();
                if state.problem() != Some(&problem) {
                    metrics::get().refused("remotes.json", error.reason());
                    tracing::error!(%error, "new page modules refused, keeping the old ones");
                }
                state.set_problem(problem);
                drop(state);
                self.retry_later();
            }
        }
    }

    fn swap(&mut self, live: &Live, old: &Registry, registry: Registry) {
        for was in &old.remotes {
            let mut remotes = registry.remotes.iter();
            let now = remotes.find(|now| now.name == was.name);
            if now.is_some_and(|now| now.version != was.version) {
                self.before.insert(was.name.clone(), was.version.clone());
            }
        }
        let shown = |(name, version, percent)| match percent {
            100 => format!("{name}@{version}"),
            percent => format!("{name}@{version}:{percent}%"),
        };
        let versions: Vec<String> = registry.lineup().into_iter().map(shown).collect();
        count_versions(&registry, Some(old));
        let generation = registry.generation;
        let is_live =
            |remote: &Remote| roles(&registry).any(|(live, _)| std::ptr::eq(live, remote));
        let gone: Vec<_> = roles(old).filter(|(was, _)| !is_live(was)).collect();
        let programs = gone.iter().map(|(was, _)| Arc::clone(&was.program));
        let programs: Vec<_> = programs.collect();
        live.registry.store(Arc::new(registry));
        for program in programs {
            program.retire();
        }
        tracing::info!(
            generation,
            versions = versions.join(" "),
            "page modules changed"
        );
    }

    async fn choose(
        &mut self,
        composer: &Composer,
        old: Option<&Registry>,
    ) -> Result<(Chosen, Pointers), PagesError> {
        let bytes = self.seen.as_ref().map_or(&[][..], |seen| &seen.bytes);
        let mut pointers = Pointers::parse(&self.folder, bytes, &self.trust)?;
        if self.trust.has_keys() {
            pointers.refuse_older(&self.followed);
            self.followed.extend(pointers.moves());
        }
        self.seen_healed = self.at_origin.healed();
        self.seen_at_origin = self.at_origin.refused.lock().clone();
        let now = composer.clock.now().timestamp();
        self.memory.lift(now, |name| pointers.get(name));
        self.memory.follow(now, pointers.readable());
        self.generation += 1;
        let bans = self.memory.bans().iter();
        let banned = bans.map(|(key, (refusal, _))| (key.clone(), refusal.clone()));
        let at_origin = self.seen_at_origin.iter();
        let at_origin =
            at_origin.map(|(name, refusal)| ((name.clone(), String::new()), refusal.clone()));
        let choice = Choice {
            folder: &self.folder,
            trust: &self.trust,
            composer,
            pointers: &pointers,
            old,
            before: &self.before,
            generation: self.generation,
            refusals: banned.chain(at_origin).collect(),
            read: BTreeMap::new(),
        };
        let chosen = choice.choose().await?;
        Ok((chosen, pointers))
    }

    /// Records and logs refusals, once per change, and schedules the next retry.
    fn note(&mut self, state: &mut RemotesState, pointers: &Pointers, refusals: Refusals) {
        if refusals.values().any(Refusal::is_damage) {
            self.at_origin.set_damaged();
        }
        for ((name, version), refusal) in &refusals {
            let key = (name.clone(), version.clone());
            if state.refusals().get(&key) != Some(refusal) {
                metrics::get().refused(name, refusal.reason);
                let Refusal { reason, detail } = refusal;
                tracing::error!(
                    module = name,
                    version,
                    reason,
                    error = detail,
                    "new page modules refused, keeping the old ones"
                );
            }
        }
        for (name, version) in state.refusals().keys() {
            if !refusals.contains_key(&(name.clone(), version.clone())) {
                tracing::info!(module = name, version, "page modules are no longer refused");
            }
        }
        let may_pass = refusals
            .keys()
            .any(|key| !self.memory.bans().contains_key(key));
        state.follow(pointers, refusals);
        if may_pass {
            self.retry_later();
        } else {
            self.retry = None;
        }
    }

    fn retry_later(&mut self) {
        let after = self.retry.map_or(RETRY_MIN, |retry| retry.after * 2);
        let after = after.min(RETRY_MAX);
        let at = Instant::now() + after;
        self.retry = Some(Retry { at, after });
    }

    /// Bans versions on trial that fail too often and can be replaced by another one. Returns whether any was banned.
    fn judge(&mut self, live: &Live) -> bool {
        let registry = live.registry.load_full();
        let (now, second) = (Instant::now(), live.composer.clock.now().timestamp());
        let canaries = registry.canaries.iter().map(|canary| &canary.remote);
        let all: Vec<_> = registry.remotes.iter().chain(canaries).collect();
        self.trials.keep(|name, version| {
            let mut all = all.iter();
            all.any(|remote| remote.name == name && remote.version == version)
        });
        let mut has_failed = false;
        for remote in all {
            let verdict = self.trials.judge(remote, self.limits, now);
            let is_on_trial = self
                .memory
                .is_on_trial(&remote.name, &remote.version, second);
            if let Some(why) = verdict.filter(|_| is_on_trial) {
                has_failed |= self.ban(&registry, remote, why);
            }
        }
        has_failed
    }

    fn ban(&mut self, registry: &Registry, remote: &Remote, why: String) -> bool {
        let (name, version) = (&remote.name, &remote.version);
        let Some(pointer) = self.pointers.as_ref().and_then(|all| all.get(name)) else {
            return false;
        };
        let mut stable = registry.remotes.iter();
        let is_stable = stable.any(|live| live.name == *name && live.version == *version);
        let others = pointer.previous.iter().chain(self.before.get(name));
        let mut others = others.filter(|other| *other != version);
        // A version that replaced a refused one has no predecessor to go back to.
        let goes_back = !is_stable || (pointer.stable == *version && others.next().is_some());
        let key = (name.clone(), version.clone());
        if pointer.keep || !goes_back || self.memory.bans().contains_key(&key) {
            return false;
        }
        metrics::get().rolled_back(name);
        tracing::error!(module = name, version, why, "page modules rolled back");
        self.memory.ban(name, version, why, pointer);
        true
    }
}

fn count_versions(registry: &Registry, old: Option<&Registry>) {
    let before = old.into_iter().flat_map(roles);
    let metrics = metrics::get();
    metrics.live(registry.generation, roles(registry), before);
    metrics.set_emergency_built_in(!registry.has_emergency_page());
}

fn roles(registry: &Registry) -> impl Iterator<Item = (&Remote, &'static str)> {
    let stable = registry.remotes.iter().map(|remote| (&**remote, STABLE));
    let canaries = registry.canaries.iter();
    stable.chain(canaries.map(|canary| (&*canary.remote, CANARY)))
}

async fn fingerprint(path: PathBuf) -> io::Result<Fingerprint> {
    let read = move || {
        Ok(Fingerprint {
            modified: fs::metadata(&path)?.modified()?,
            bytes: fs::read(&path)?,
        })
    };
    let result = tokio::task::spawn_blocking(read).await;
    result.map_err(io::Error::other)?
}
