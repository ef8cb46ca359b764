//! Versions that are live together.

use std::{collections::BTreeMap, sync::Arc};

use super::{pointers::SHELL, remote::Remote};

/// One version of the shell and of each team.
#[derive(Clone, Debug)]
pub(crate) struct Versions {
    pub(crate) shell: Arc<Remote>,
    pub(crate) teams: BTreeMap<String, Arc<Remote>>,
}

impl Versions {
    /// Iterates over all versions, the shell first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Remote>> {
        [&self.shell].into_iter().chain(self.teams.values())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Remote>> {
        self.all().find(|remote| remote.name == name)
    }

    /// Returns these versions with one of them replaced.
    pub(crate) fn with(&self, remote: &Arc<Remote>) -> Self {
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
