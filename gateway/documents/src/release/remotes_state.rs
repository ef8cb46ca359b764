//! Live and refused versions, for `/remotes` on the operators' listener.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    metrics::{self, CANARY, STABLE},
    publish::{pointers::Pointers, refusal::Refusals},
    registry::Registry,
};

/// State in addition to the registry.
#[derive(Debug, Default)]
pub(crate) struct RemotesState {
    /// Stable and previous version in `remotes.json`, by name.
    wanted: BTreeMap<String, (String, Option<String>)>,
    refusals: Refusals,
    /// Reason why `remotes.json` as a whole is refused.
    problem: Option<String>,
    /// Reason why a changed key file is refused and the previous keys stay in use.
    pub(crate) keys_problem: Option<String>,
}

impl RemotesState {
    /// Records that `remotes.json` was followed, except for `refusals`.
    pub(crate) fn follow(&mut self, pointers: &Pointers, refusals: Refusals) {
        let wanted = pointers.readable();
        self.wanted = wanted
            .map(|(name, pointer)| {
                let versions = (pointer.stable.clone(), pointer.previous.clone());
                (name.clone(), versions)
            })
            .collect();
        self.refusals = refusals;
        self.problem = None;
    }

    pub(crate) fn refusals(&self) -> &Refusals {
        &self.refusals
    }

    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    pub(crate) fn set_problem(&mut self, problem: String) {
        self.problem = Some(problem);
    }

    /// Returns the state as JSON for operators.
    pub(crate) fn report(&self, registry: &Registry) -> Value {
        let mut names: BTreeMap<&str, Value> = BTreeMap::new();
        let known = self.wanted.keys().map(String::as_str);
        let refused = self.refusals.keys().map(|(name, _)| name.as_str());
        let live = registry.remotes.iter().map(|remote| remote.name.as_str());
        for name in known.chain(refused).chain(live) {
            names.entry(name).or_insert_with(|| {
                let stable = registry.remotes.iter().find(|remote| remote.name == name);
                let mut canaries = registry.canaries.iter();
                let canary = canaries.find(|canary| canary.remote.name == name);
                let refusals = self.refusals.iter().filter(|((team, _), _)| team == name);
                let refusals = refusals.map(|((_, version), refusal)| {
                    json!({"version": version, "reason": refusal.reason, "detail": refusal.detail})
                });
                let metrics = metrics::get();
                let wanted = self.wanted.get(name);
                json!({
                    "wanted": wanted.map(|(stable, _)| stable),
                    "previous": wanted.map(|(_, previous)| previous),
                    "stable": stable.map(|remote| &remote.version),
                    "since": stable.and_then(|remote| metrics.since(remote, STABLE)),
                    "canary": canary.map(|canary| {
                        let since = metrics.since(&canary.remote, CANARY);
                        json!({"version": canary.remote.version, "percent": canary.percent, "since": since})
                    }),
                    "refused": refusals.collect::<Vec<_>>(),
                })
            });
        }
        json!({
            "generation": registry.generation,
            "problem": self.problem,
            "keys_problem": self.keys_problem,
            "remotes": names,
        })
    }
}
