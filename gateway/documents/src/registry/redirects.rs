//! Redirects from former and short addresses to pages.

use std::collections::HashMap;

use axum::http::HeaderValue;

use super::{
    access::is_in_staff_area,
    builder::{Builder, is_for_pages},
};
use crate::{error::PagesError, registry::location};

impl Builder<'_> {
    /// Returns all declared redirects. Their addresses must not be those of a page, a file or another redirect.
    pub(super) fn redirects(&self) -> Result<HashMap<String, HeaderValue>, PagesError> {
        let remotes = self.remotes();
        let is_redirect = |path: &str| remotes.iter().any(|r| r.file.redirects.contains_key(path));
        let mut redirects = HashMap::new();
        for remote in &remotes {
            for (from, to) in &remote.file.redirects {
                let invalid = |problem: String| {
                    self.invalid(remote, "redirects", format!("`{from}`: {problem}"))
                };
                let is_path =
                    location::on_this_site(from).is_some() && !from.contains(['?', '#', '{', '}']);
                if !is_path || !is_for_pages(from) || is_in_staff_area(from) {
                    return Err(invalid("is not an allowed address of a page".to_owned()));
                }
                let is_page = self
                    .routes
                    .at(from)
                    .is_ok_and(|found| *found.value.route == **from);
                if is_page || self.shell.file.root.contains_key(from) {
                    return Err(invalid("is a page or a file already".to_owned()));
                }
                let Some(location) = location::on_this_site(to) else {
                    return Err(invalid(format!("`{to}` is not a path of this site")));
                };
                let target = location::path(to);
                if is_redirect(target) {
                    return Err(invalid(format!("`{to}` is a redirect itself")));
                }
                // Another team's page may be published later.
                if self.routes.at(target).is_err() && !self.shell.file.root.contains_key(target) {
                    tracing::warn!(
                        module = remote.name,
                        from,
                        to,
                        "redirect target does not exist"
                    );
                }
                if redirects.insert(from.clone(), location).is_some() {
                    return Err(invalid("is declared twice".to_owned()));
                }
            }
        }
        Ok(redirects)
    }
}
