//! Declarations of pages for the site map and the search.

use std::sync::Arc;

use super::builder::{Builder, parameters};
use crate::{
    error::PagesError,
    publish::{
        manifest::{Search, SearchEntry, SiteMap},
        remote::Remote,
    },
    registry::template::PathTemplate,
};

/// A page with one address, or a list that yields the addresses of many.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) team: String,
    pub(crate) route: String,
    pub(crate) entries: Entries,
}

#[derive(Debug)]
pub(crate) enum Entries {
    One {
        site_map: bool,
        search: Option<SearchEntry>,
    },
    Many {
        data: PathTemplate,
        /// Key of the list in the response.
        list: String,
        /// Field of an item with the time of its last change.
        changed: Option<String>,
        /// Parameter names of the route.
        parameters: Vec<String>,
    },
}

impl Builder<'_> {
    /// Returns every page of the directory. A page with parameters is included only through its list, and a page with
    /// `access` never.
    pub(super) fn listed(&self) -> Result<Vec<Listed>, PagesError> {
        let mut listed = Vec::new();
        for remote in self.remotes() {
            let pages = remote.file.pages.iter().enumerate();
            for (index, page) in pages.filter(|(_, page)| page.access.is_none()) {
                let at = format!("pages[{index}]");
                let declared = (page.site_map.as_ref(), page.search.as_ref());
                listed.extend(self.one(&remote, &at, &page.route, declared)?);
            }
        }
        for (index, page) in self.shell.file.compositions.iter().enumerate() {
            let at = format!("compositions[{index}]");
            let declared = (page.site_map.as_ref(), page.search.as_ref());
            listed.extend(self.one(self.shell, &at, &page.route, declared)?);
        }
        Ok(listed)
    }

    fn one(
        &self,
        remote: &Arc<Remote>,
        at: &str,
        route: &str,
        (site_map, search): (Option<&SiteMap>, Option<&Search>),
    ) -> Result<Option<Listed>, PagesError> {
        if let Some(Search::Nothing(true)) = search {
            let problem = "`search` is `true`: it has title, summary and words, or is `false`";
            return Err(self.invalid(remote, at, problem.to_owned()));
        }
        let parameters = parameters(route);
        let entries = match site_map {
            Some(SiteMap::Items(items)) => {
                let data = PathTemplate::parse(&items.data, &[], &[])
                    .map_err(|problem| self.invalid(remote, at, problem))?;
                Entries::Many {
                    data,
                    list: items.list.clone(),
                    changed: items.changed.clone(),
                    parameters,
                }
            }
            Some(SiteMap::Listed(_)) | None if !parameters.is_empty() => return Ok(None),
            flag => Entries::One {
                site_map: matches!(flag, Some(SiteMap::Listed(true))),
                search: match search {
                    Some(Search::Entry(entry)) => Some(entry.clone()),
                    Some(Search::Nothing(_)) | None => None,
                },
            },
        };
        Ok(Some(Listed {
            team: remote.name.clone(),
            route: route.to_owned(),
            entries,
        }))
    }
}
