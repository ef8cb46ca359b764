//! Finds the operations at an address and corrects the spelling of addresses.

use std::sync::Arc;

use axum::http::HeaderValue;

use super::{Operation, Routes};

impl Routes {
    /// Returns the operations whose template has variables and matches. A custom verb is not part of an id: other
    /// methods never see `/books/7:archive` as the book `7:archive`.
    pub(super) fn matching<'a, 'p>(
        &'a self,
        path: &'p str,
    ) -> impl Iterator<Item = &'a Arc<Operation>> + use<'a, 'p> {
        let matching = |o: &&Arc<Operation>| o.template.matches(path);
        // Templates with a verb come first.
        let by_verb = |o: &&Arc<Operation>| o.template.has_verb() && matching(o);
        let may_have_verb = path.rfind(':') > path.rfind('/');
        let is_verb = may_have_verb && self.patterns.iter().any(|o| by_verb(&o));
        self.patterns
            .iter()
            .filter(move |o| (!is_verb || o.template.has_verb()) && o.template.matches(path))
    }

    /// Returns the methods supported at a path, for `Allow`. `None` if the path is unknown.
    pub fn allowed(&self, path: &str) -> Option<HeaderValue> {
        let exact = self.literal.get(path).map_or(&[][..], Vec::as_slice);
        let mut allowed: Vec<&str> = Vec::new();
        for operation in exact.iter().chain(self.matching(path)) {
            allowed.push(operation.http_method.as_str());
            if operation.reads() {
                allowed.push("HEAD");
            }
        }
        if allowed.is_empty() {
            return None;
        }
        allowed.push("OPTIONS");
        allowed.sort_unstable();
        allowed.dedup();
        HeaderValue::try_from(allowed.join(", ")).ok()
    }

    /// Returns the canonical path of the read that this path misspells. Only a trailing slash and the letter case of
    /// fixed words may differ. `None` if no read matches or if the path is already canonical.
    pub fn respelled(&self, path: &str) -> Option<String> {
        let bare = path.strip_suffix('/').unwrap_or(path);
        let reads = self.operations.iter().filter(|o| o.reads());
        let mut found: Vec<_> = reads
            .filter_map(|o| Some((o.template.preference(), o.template.respelled(bare)?)))
            .collect();
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        let (_, meant) = found.into_iter().next()?;
        (meant != path).then_some(meant)
    }
}

#[cfg(test)]
mod tests {
    use prost_reflect::DescriptorPool;

    use super::*;

    fn routes() -> Routes {
        let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
        Routes::from_pool(&pool).unwrap()
    }

    #[test]
    fn separates_a_custom_verb_from_an_id() {
        let allowed = |path| {
            let allow = routes().allowed(path)?;
            Some(allow.to_str().unwrap().to_owned())
        };
        let verb = allowed("/appointments/7:cancel").unwrap();
        assert_eq!(verb, "OPTIONS, POST");
        let id = allowed("/appointments/7").unwrap();
        assert_eq!(id, "DELETE, GET, HEAD, OPTIONS, PUT");
        assert_eq!(allowed("/nothing"), None);
    }

    #[test]
    fn redirects_extra_slashes_and_capital_letters() {
        let routes = routes();
        for (path, meant) in [
            ("/Doctors/", Some("/doctors")),
            ("/doctors/", Some("/doctors")),
            ("/DOCTORS/Asha-Rao/", Some("/doctors/Asha-Rao")),
            ("/FHIR/slot", Some("/fhir/Slot")),
            ("/doctors", None),
            ("/doctors/Asha-Rao", None),
            ("/doctors//", None),
            ("//doctors", None),
            ("/", None),
            ("", None),
            ("/nothing/", None),
            // Supports writes only.
            ("/Holds/7/", None),
        ] {
            assert_eq!(routes.respelled(path).as_deref(), meant, "{path}");
        }
    }
}
