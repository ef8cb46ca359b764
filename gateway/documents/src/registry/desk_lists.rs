//! Collections of the API that pages of the staff area show.

use super::{
    Page,
    builder::{Builder, parameters},
    template::Source,
};
use crate::publish::manifest::Access;

/// A collection that a page of the staff area shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeskList {
    /// Access of the page.
    pub(crate) access: Access,
    pub(crate) collection: String,
    /// A path in the collection, for its scope in the contract.
    pub(crate) path: String,
}

impl Builder<'_> {
    /// Returns the collections that the pages of the staff area show.
    pub(super) fn desk_lists(&self) -> Vec<DeskList> {
        let mut lists = Vec::new();
        for remote in self.remotes() {
            for page in &remote.file.pages {
                let Some(access) = &page.access else {
                    continue;
                };
                let parameters = parameters(&page.route);
                let sources = page.data.values();
                let sources =
                    sources.filter_map(|text| Source::parse(text, &parameters, &page.query).ok());
                for (collection, path) in sources.filter_map(|source| source.collection()) {
                    let list = DeskList {
                        access: access.clone(),
                        collection,
                        path,
                    };
                    if !lists.contains(&list) {
                        lists.push(list);
                    }
                }
            }
        }
        lists
    }
}

/// Returns the collections that a page shows, separated by spaces.
pub(crate) fn collections(page: &Page) -> String {
    let data = page.parts().flat_map(|(_, part)| &part.data);
    let collections = data.filter_map(|(_, source)| source.collection());
    let mut names: Vec<String> = collections.map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collection_is_the_first_segment_of_the_api_path() {
        let of = |text: &str| {
            let names = ["id".to_owned()];
            Source::parse(text, &names, &names).unwrap().collection()
        };
        let found = |name: &str, path: &str| Some((name.to_owned(), path.to_owned()));
        assert_eq!(of("/entries"), found("entries", "/entries"));
        assert_eq!(of("/entries?q={query.id}"), found("entries", "/entries"));
        assert_eq!(
            of("/entries/{params.id}/notes?a=1"),
            found("entries", "/entries/x/notes")
        );
        assert_eq!(of("/{params.id}"), None);
        assert_eq!(of("site:/staff"), None);
        assert_eq!(of("site:/pages"), None);
    }
}
