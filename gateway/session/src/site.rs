//! The site whose staff signs in: its origin, the addresses that the issuer sends browsers back to, and the paths that
//! a sign-in may return to.

use url::{Host, Url};

use super::{error::SessionError, session::Session};

/// Root of the staff area.
const STAFF: &str = "/staff";
/// Page of a doctor's own day, and the scope that it needs.
const OWN_DAY: (&str, &str) = ("/staff/today", "appointments:read");
/// Path that the issuer sends browsers back to after a sign-in.
const CALLBACK: &str = "/staff/callback";
/// Page after a sign-out. Not a page of staff: that would begin the next sign-in.
const SIGNED_OUT: &str = "/";
/// Paths that a sign-in must not return to: they would begin or end the next one.
const NOT_RETURNED_TO: [&str; 3] = ["/staff/sign-in", CALLBACK, "/staff/sign-out"];
/// Maximum length of a path to return to, in bytes.
const RETURN_BYTES_MAX: usize = 512;

/// This site.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    url: Url,
    origin: String,
}

impl Site {
    /// Parses the site's origin.
    pub(crate) fn parse(origin: &str) -> Result<Self, SessionError> {
        let is_origin =
            |url: &Url| is_secure_or_local(url) && url.origin().ascii_serialization() == origin;
        let url = Url::parse(origin).ok().filter(is_origin);
        let url = url.ok_or_else(|| SessionError::Invalid {
            setting: "SITE_ORIGINS",
            problem: "must begin with the origin of the staff area: https, or http on this machine, without a path"
                .to_owned(),
        })?;
        Ok(Self {
            url,
            origin: origin.to_owned(),
        })
    }

    /// The origin, as browsers write it.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether browsers use TLS.
    pub(crate) fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Address that the issuer sends browsers back to after a sign-in.
    pub(crate) fn callback(&self) -> String {
        format!("{}{CALLBACK}", self.origin)
    }

    /// Address that the issuer sends browsers back to after a sign-out.
    pub(crate) fn signed_out(&self) -> String {
        format!("{}{SIGNED_OUT}", self.origin)
    }

    /// Path of the page after a sign-out.
    pub(crate) fn signed_out_path() -> &'static str {
        SIGNED_OUT
    }

    /// Returns the path to open after a sign-in: the wanted one if it is a page of staff on this site, else the root of
    /// the staff area. The path is normalised as browsers do it, so no spelling leads elsewhere.
    pub(crate) fn return_path(&self, wanted: Option<&str>) -> String {
        let path = wanted.and_then(|wanted| self.staff_path(wanted));
        path.unwrap_or_else(|| STAFF.to_owned())
    }

    /// Returns the path that a sign-in opens. A doctor who wanted no page in particular gets the own day.
    pub(crate) fn opened_first<'a>(wanted: &'a str, session: &Session) -> &'a str {
        let (own_day, scope) = OWN_DAY;
        if wanted == STAFF && session.doctor.is_some() && session.has_scope(scope) {
            own_day
        } else {
            wanted
        }
    }

    fn staff_path(&self, wanted: &str) -> Option<String> {
        let is_plain = wanted.len() <= RETURN_BYTES_MAX
            && wanted.starts_with('/')
            && !wanted.contains("//")
            && !wanted.contains('\\')
            && !wanted.chars().any(char::is_control);
        if !is_plain {
            return None;
        }
        let url = self.url.join(wanted).ok()?;
        let path = url.path();
        let below = path.strip_prefix(STAFF)?;
        let is_staff = below.is_empty() || below.starts_with('/');
        if url.origin() != self.url.origin() || !is_staff || NOT_RETURNED_TO.contains(&path) {
            return None;
        }
        let mut path = path.to_owned();
        if let Some(query) = url.query() {
            path.push('?');
            path.push_str(query);
        }
        (path.len() <= RETURN_BYTES_MAX && !path.contains("//")).then_some(path)
    }
}

/// Whether requests to this address are safe from the network: https, or http on this machine; without a password.
pub(crate) fn is_secure_or_local(url: &Url) -> bool {
    let has_password = !url.username().is_empty() || url.password().is_some();
    let is_allowed = match (url.scheme(), url.host()) {
        ("https", Some(_)) => true,
        ("http", Some(host)) => is_local(&host),
        _ => false,
    };
    is_allowed && !has_password
}

fn is_local(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn site() -> Site {
        Site::parse("https://hospital.example").expect("a site")
    }

    #[test]
    fn accepts_secure_and_local_origins_only() {
        for (origin, is_accepted) in [
            ("https://hospital.example", true),
            ("https://hospital.example:8443", true),
            ("http://127.0.0.1:8080", true),
            ("http://localhost:8080", true),
            ("http://hospital.example", false),
            ("https://hospital.example/", false),
            ("https://hospital.example/staff", false),
            ("https://a@hospital.example", false),
            ("hospital.example", false),
            ("", false),
        ] {
            assert_eq!(Site::parse(origin).is_ok(), is_accepted, "{origin}");
        }
    }

    #[test]
    fn returns_to_pages_of_staff_only() {
        let site = site();
        for kept in [
            "/staff",
            "/staff/",
            "/staff?day=2026-11-26",
            "/staff/today?department=cardiology&doctor=a%20b",
            "/staff/content/doctor/rao",
        ] {
            assert_eq!(site.return_path(Some(kept)), kept);
        }
        let long = format!("/staff/{}", "a".repeat(512));
        let long_when_encoded = format!("/staff/{}", "ಹ".repeat(100));
        for refused in [
            "",
            "/",
            "staff",
            "/doctors",
            "/staffroom",
            "//evil.example/staff",
            "///evil.example/staff",
            "/\\evil.example/staff",
            "\\\\evil.example",
            "/staff\\..\\..\\evil",
            "/staff//evil.example",
            "/staff/..//evil.example",
            "/staff/../doctors",
            "/staff/%2e%2e/doctors",
            "/staff/./../api",
            "https://evil.example/staff",
            "https:evil.example",
            "javascript:alert(1)",
            "/staff/\r\nSet-Cookie: a=b",
            "/\t/evil.example/staff",
            "/staff/\u{7f}",
            "/staff?next=https://evil.example",
            "/staff/sign-in",
            "/staff/sign-in?return=/staff",
            "/staff/x/../callback",
            "/staff/sign-out",
            &long,
            &long_when_encoded,
        ] {
            assert_eq!(site.return_path(Some(refused)), "/staff", "{refused:?}");
        }
        assert_eq!(site.return_path(None), "/staff");
        assert_eq!(
            site.return_path(Some("/staff/a b/ಹ")),
            "/staff/a%20b/%E0%B2%B9"
        );
        assert_eq!(site.return_path(Some("/staff/a/../b#c")), "/staff/b");
    }

    proptest! {
        #[test]
        fn never_returns_to_another_site(
            text in proptest::collection::vec(
                prop_oneof![
                    Just("/"), Just("//"), Just("\\"), Just("/staff"), Just(".."), Just("."), Just("%2e"), Just("%2f"),
                    Just("@"), Just(":"), Just("evil.example"), Just("?"), Just("#"), Just("\t"), Just("\n"), Just(" "),
                    Just("https:"), Just("%5c"), Just("%00"), Just("sign-in"),
                ],
                0..12,
            ),
            any in any::<String>(),
        ) {
            let site = site();
            for wanted in [text.concat(), any.clone(), format!("/staff{any}"), format!("/staff/{any}")] {
                let path = site.return_path(Some(&wanted));
                // A browser resolves the Location against the address of the callback.
                let callback = Url::parse(&site.callback()).expect("an address");
                let url = callback.join(&path).expect("an address");
                prop_assert_eq!(url.origin().ascii_serialization(), site.origin());
                prop_assert!(url.path() == "/staff" || url.path().starts_with("/staff/"));
                prop_assert!(!NOT_RETURNED_TO.contains(&url.path()));
                prop_assert!(path.len() <= RETURN_BYTES_MAX);
                prop_assert!(path.bytes().all(|byte| byte.is_ascii_graphic()));
            }
        }
    }
}
