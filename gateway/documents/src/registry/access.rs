//! Pages of the staff area: their paths, and who may see them.

use super::{
    builder::{Builder, Mistake, parameters},
    template,
};
use crate::{
    error::PagesError,
    publish::manifest::{Access, PageEntry, Search, SiteMap},
};

/// Path of the staff area. Every page at or below it declares `access`, and no other page does.
pub(crate) const AREA: &str = "/staff";
/// Path at which staff sign in.
const SIGN_IN: &str = "/staff/sign-in";
/// Addresses in the area that the gateway answers itself.
const OWN: [&str; 5] = [
    SIGN_IN,
    "/staff/callback",
    "/staff/sign-out",
    "/staff/back-channel-logout",
    "/staff/events",
];
const LABEL_CHARACTERS_MAX: usize = 60;
const SCOPE_BYTES_MAX: usize = 64;
/// Maximum length of an address to return to.
const RETURN_BYTES_MAX: usize = 1024;

/// Whether a raw path is that of the staff area, or below it.
pub fn is_in_staff_area(path: &str) -> bool {
    path.strip_prefix(AREA)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the address of the sign-in that leads back to a path and query of the area. A longer one leads to its start.
pub fn sign_in_address(return_to: &str) -> String {
    let return_to = if return_to.len() > RETURN_BYTES_MAX {
        AREA
    } else {
        return_to
    };
    let mut address = format!("{SIGN_IN}?return=");
    template::encode_into(&mut address, return_to);
    address
}

/// A page of the staff area with one address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeskPage {
    pub(crate) path: String,
    pub(crate) team: String,
    pub(crate) access: Access,
}

impl Access {
    /// Whether a signed-in person with these scopes may see the page.
    pub(crate) fn allows(&self, scopes: &[String]) -> bool {
        let needed = self.scope.as_ref();
        needed.is_none_or(|needed| scopes.contains(needed))
    }
}

impl Builder<'_> {
    /// Returns the pages of the staff area that have one address: its start, those of the teams, and those of the shell,
    /// which most people need least.
    pub(super) fn desk_pages(&self) -> Vec<DeskPage> {
        let remotes = self.remotes();
        let pages = remotes.iter().flat_map(|remote| {
            let pages = remote.file.pages.iter();
            pages.filter_map(|page| {
                let access = page.access.clone()?;
                parameters(&page.route).is_empty().then(|| DeskPage {
                    path: page.route.clone(),
                    team: remote.name.clone(),
                    access,
                })
            })
        });
        let mut pages: Vec<_> = pages.collect();
        pages.sort_by_key(|page| (page.path != AREA, page.team == self.shell.name));
        pages
    }

    /// Refuses `access` where it has no effect, and compositions and files in the staff area.
    pub(super) fn check_areas(&self) -> Result<(), PagesError> {
        const NO_EFFECT: &str = "is for pages only";
        for remote in self.remotes() {
            let file = &remote.file;
            let fragments = file.fragments.iter().map(|one| one.access.is_some());
            let compositions = file.compositions.iter().map(|one| one.access.is_some());
            let misplaced = [
                ("fragments", fragments.collect::<Vec<_>>()),
                ("compositions", compositions.collect()),
            ];
            for (kind, declared) in misplaced {
                if let Some(index) = declared.iter().position(|declared| *declared) {
                    let field = format!("{kind}[{index}].access");
                    return Err(self.invalid(&remote, &field, NO_EFFECT.to_owned()));
                }
            }
            let mut compositions = file.compositions.iter();
            if let Some(index) = compositions.position(|one| is_in_staff_area(&one.route)) {
                let field = format!("compositions[{index}].route");
                let problem = format!("`{AREA}` is for pages with `access`");
                return Err(self.invalid(&remote, &field, problem));
            }
        }
        if let Some(path) = self
            .shell
            .file
            .root
            .keys()
            .find(|path| is_in_staff_area(path))
        {
            let problem = format!("`{path}` is not public: `{AREA}` is for pages with `access`");
            return Err(self.invalid(self.shell, "root", problem));
        }
        Ok(())
    }
}

/// Checks the area of a page, and that nothing it declares makes it public.
pub(super) fn check(entry: &PageEntry) -> Result<(), Mistake> {
    let access = match (&entry.access, is_in_staff_area(&entry.route)) {
        (Some(access), true) => access,
        (None, false) => return Ok(()),
        (Some(_), false) => return Err(("access", format!("is for routes below `{AREA}`"))),
        (None, true) => return Err(("access", format!("is required below `{AREA}`"))),
    };
    if OWN.contains(&entry.route.as_str()) {
        let problem = format!("`{}` is answered by the gateway itself", entry.route);
        return Err(("route", problem));
    }
    check_access(access)?;
    let is_mapped = !matches!(entry.site_map, None | Some(SiteMap::Listed(false)));
    let is_found = !matches!(entry.search, None | Some(Search::Nothing(false)));
    let public = [
        ("resident", entry.resident),
        ("bare", entry.bare),
        ("ahead", entry.ahead),
        ("siteMap", is_mapped),
        ("search", is_found),
        ("skeleton", entry.skeleton.is_some()),
        ("contentType", entry.content_type.is_some()),
        ("cacheSeconds", entry.cache_seconds.is_some()),
    ];
    match public.into_iter().find(|(_, is_declared)| *is_declared) {
        Some((field, _)) => Err((field, "is not allowed with `access`".to_owned())),
        None => Ok(()),
    }
}

/// Checks that the label fits into a navigation, and that the scope is valid in a token (RFC 6749, 3.3).
fn check_access(access: &Access) -> Result<(), Mistake> {
    let is_label = (1..=LABEL_CHARACTERS_MAX).contains(&access.label.chars().count())
        && !access.label.chars().any(char::is_control);
    if !is_label {
        let problem = format!("needs a `label` of 1 to {LABEL_CHARACTERS_MAX} characters");
        return Err(("access", problem));
    }
    let is_scope = |scope: &str| {
        let is_valid = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
        (1..=SCOPE_BYTES_MAX).contains(&scope.len()) && scope.bytes().all(is_valid)
    };
    match &access.scope {
        Some(scope) if !is_scope(scope) => {
            Err(("access", format!("`{scope}` is not a scope of a token")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn checked(more: &Value) -> Result<(), String> {
        let mut entry = json!({"route": "/staff/today", "module": "./today",
            "access": {"scope": "appointments:read", "label": "Today"}});
        for (key, value) in more.as_object().unwrap() {
            entry[key] = value.clone();
        }
        let entry: PageEntry = serde_json::from_value(entry).unwrap();
        check(&entry).map_err(|(field, problem)| format!("{field} {problem}"))
    }

    #[test]
    fn area_is_the_path_itself_and_those_below() {
        for inside in [
            "/staff",
            "/staff/",
            "/staff/today",
            "/staff//x",
            "/staff/%2e",
        ] {
            assert!(is_in_staff_area(inside), "{inside}");
        }
        for outside in [
            "/",
            "/staffing",
            "/Staff",
            "//staff",
            "/%73taff",
            "/a/staff",
        ] {
            assert!(!is_in_staff_area(outside), "{outside}");
        }
    }

    #[test]
    fn sign_in_encodes_the_address_to_return_to() {
        let address = sign_in_address("/staff/find?q=a b&x=//e");
        assert_eq!(
            address,
            "/staff/sign-in?return=%2Fstaff%2Ffind%3Fq%3Da%20b%26x%3D%2F%2Fe"
        );
        let long = sign_in_address(&format!("/staff/{}", "x".repeat(RETURN_BYTES_MAX)));
        assert_eq!(long, "/staff/sign-in?return=%2Fstaff");
    }

    #[test]
    fn accepts_every_hydration_and_explicit_absence() {
        for hydrate in ["none", "interaction", "visible", "idle", "load"] {
            assert_eq!(checked(&json!({"hydrate": hydrate})), Ok(()));
        }
        assert_eq!(
            checked(&json!({"siteMap": false, "search": false, "action": true})),
            Ok(())
        );
        assert_eq!(checked(&json!({"access": {"label": "Start"}})), Ok(()));
    }

    #[test]
    fn refuses_access_beside_public_declarations() {
        let found = json!({"title": "a", "summary": "b", "words": "c"});
        let skeleton = json!({"shape": "card", "count": 1, "label": "x"});
        let list = json!({"data": "/a", "list": "a"});
        for (field, value) in [
            ("resident", json!(true)),
            ("bare", json!(true)),
            ("ahead", json!(true)),
            ("siteMap", json!(true)),
            ("siteMap", list),
            ("search", found),
            ("skeleton", skeleton),
            ("contentType", json!("text/plain")),
            ("cacheSeconds", json!(0)),
        ] {
            let problem = checked(&json!({field: value})).unwrap_err();
            assert_eq!(problem, format!("{field} is not allowed with `access`"));
        }
    }

    #[test]
    fn refuses_a_wrong_area_label_or_scope() {
        for (more, begin) in [
            (json!({"route": "/today"}), "access is for routes below"),
            (json!({"access": null}), "access is required below"),
            (
                json!({"route": "/staff/sign-in"}),
                "route `/staff/sign-in` is answered",
            ),
            (json!({"access": {"label": ""}}), "access needs a `label`"),
            (
                json!({"access": {"label": "x".repeat(61)}}),
                "access needs a `label`",
            ),
            (
                json!({"access": {"label": "x", "scope": "a b"}}),
                "access `a b` is not a scope",
            ),
            (
                json!({"access": {"label": "x", "scope": ""}}),
                "access `` is not a scope",
            ),
        ] {
            let problem = checked(&more).unwrap_err();
            assert!(problem.starts_with(begin), "{problem}");
        }
    }
}
