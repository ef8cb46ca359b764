//! Cookies of a session and of a pending sign-in.

use http::{HeaderMap, HeaderValue, header};

/// Maximum length of a cookie's name and value, in bytes: the limit of browsers (RFC 6265, 6.1).
pub(crate) const COOKIE_BYTES_MAX: usize = 4096;
/// Maximum number of cookies with one name that are tried. A neighbouring host may add some; each costs microseconds.
const COOKIES_TRIED_MAX: usize = 16;

/// Maximum number of paths at which a cookie is removed.
const PATHS_CLEARED_MAX: usize = 8;

/// A cookie that scripts cannot read, which is sent to this host only and not with requests that other sites make in
/// the background.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cookie {
    name: &'static str,
    is_secure: bool,
}

impl Cookie {
    /// Cookie of a session.
    pub(crate) fn session(is_https: bool) -> Self {
        Self::named(is_https, "__Host-session", "session")
    }

    /// Cookie of a pending sign-in.
    pub(crate) fn sign_in(is_https: bool) -> Self {
        Self::named(is_https, "__Host-sign-in", "sign-in")
    }

    /// Cookie that marks a sign-in that has just succeeded. Its value is no secret.
    pub(crate) fn signed_in(is_https: bool) -> Self {
        Self::named(is_https, "__Host-signed-in", "signed-in")
    }

    /// Browsers refuse `__Host-` from anything but this host with TLS, so no neighbour can set such a cookie. Without
    /// TLS, which means on this machine, they refuse it from us as well.
    fn named(is_https: bool, secure: &'static str, plain: &'static str) -> Self {
        Self {
            name: if is_https { secure } else { plain },
            is_secure: is_https,
        }
    }

    /// Maximum length of the value, in bytes.
    pub(crate) fn value_bytes_max(self) -> usize {
        COOKIE_BYTES_MAX - self.name.len()
    }

    /// Returns the values of all cookies with this name, without those that are too long.
    pub(crate) fn values(self, headers: &HeaderMap) -> impl Iterator<Item = &str> {
        let lines = headers.get_all(header::COOKIE).into_iter();
        let lines = lines.filter_map(|line| line.to_str().ok());
        lines
            .flat_map(|line| line.split(';'))
            .filter_map(move |pair| {
                let (name, value) = pair.trim_matches([' ', '\t']).split_once('=')?;
                (name == self.name && value.len() <= self.value_bytes_max()).then_some(value)
            })
            .take(COOKIES_TRIED_MAX)
    }

    /// Returns the `Set-Cookie` header for a sealed value. Without an age, the cookie lives until the browser ends.
    pub(crate) fn set(self, value: &str, seconds_max: Option<i64>) -> HeaderValue {
        self.set_at("/", value, seconds_max)
    }

    fn set_at(self, path: &str, value: &str, seconds_max: Option<i64>) -> HeaderValue {
        let age = seconds_max.map_or_else(String::new, |seconds| format!("; Max-Age={seconds}"));
        let secure = if self.is_secure { "; Secure" } else { "" };
        let text = format!(
            "{}={value}; Path={path}{age}{secure}; HttpOnly; SameSite=Lax",
            self.name
        );
        let mut header =
            HeaderValue::try_from(text).expect("base64, names and numbers are visible ASCII");
        header.set_sensitive(true);
        header
    }

    /// Returns the `Set-Cookie` header that removes the cookie.
    pub(crate) fn clear(self) -> HeaderValue {
        self.set("", Some(0))
    }

    /// Returns the `Set-Cookie` headers that remove every cookie of this name that a browser sends to `path`, which
    /// begins with `/`. Without TLS, a neighbour on another port can set one at a longer path, which hides ours.
    pub(crate) fn clear_towards(self, path: &str) -> Vec<HeaderValue> {
        if self.is_secure {
            return vec![self.clear()];
        }
        let slashes = path.match_indices('/').map(|(at, _)| at);
        let ends = slashes.flat_map(|at| [at, at + 1]).chain([path.len()]);
        let mut paths: Vec<&str> = ends.map(|end| &path[..end]).collect();
        paths.dedup();
        let is_path = |path: &&str| {
            // Of a path with a semicolon, the rest would be read as attributes.
            path.starts_with('/')
                && path
                    .bytes()
                    .all(|byte| byte.is_ascii_graphic() && byte != b';')
        };
        let paths = paths.into_iter().filter(is_path).take(PATHS_CLEARED_MAX);
        paths.map(|path| self.set_at(path, "", Some(0))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::COOKIE, line.parse().expect("a header"));
        }
        headers
    }

    #[test]
    fn a_cookie_is_bound_to_host_and_transport() {
        let set = Cookie::session(true).set("value", None);
        assert_eq!(
            set,
            "__Host-session=value; Path=/; Secure; HttpOnly; SameSite=Lax"
        );
        assert!(set.is_sensitive());
        assert_eq!(
            Cookie::session(false).set("value", None),
            "session=value; Path=/; HttpOnly; SameSite=Lax"
        );
        assert_eq!(
            Cookie::sign_in(true).set("value", Some(600)),
            "__Host-sign-in=value; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Lax"
        );
        assert_eq!(
            Cookie::sign_in(false).clear(),
            "sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
        );
    }

    #[test]
    fn removes_the_cookies_of_every_path() {
        let removed = |cookie: Cookie, path| -> Vec<String> {
            let headers = cookie.clear_towards(path).into_iter();
            let texts = headers.map(|header| header.to_str().expect("text").to_owned());
            texts.collect()
        };
        let at = |path| format!("session=; Path={path}; Max-Age=0; HttpOnly; SameSite=Lax");
        let plain = Cookie::session(false);
        let long = "/a".repeat(100);
        assert_eq!(removed(plain, &long).len(), PATHS_CLEARED_MAX);
        let paths = ["/", "/staff", "/staff/", "/staff/today"];
        assert_eq!(removed(plain, "/staff/today"), paths.map(at));
        assert_eq!(removed(plain, "/"), [at("/")]);
        assert_eq!(removed(plain, "/a;Domain=x"), [at("/")]);
        let secure = removed(Cookie::session(true), "/staff/today");
        assert_eq!(secure.len(), 1);
        assert!(secure[0].contains("__Host-session=; Path=/; Max-Age=0; Secure"));
    }

    #[test]
    fn finds_every_cookie_of_the_name() {
        let headers = headers(&[
            "a=1; session=plain; __Host-session=one;__Host-session=two==",
            "__host-session=other; x__Host-session=other; __Host-session",
            "__Host-session=three",
        ]);
        let found: Vec<_> = Cookie::session(true).values(&headers).collect();
        assert_eq!(found, ["one", "two==", "three"]);
        let found: Vec<_> = Cookie::session(false).values(&headers).collect();
        assert_eq!(found, ["plain"]);
    }

    #[test]
    fn ignores_long_cookies_and_tries_a_limited_number() {
        let name_and = |length: usize| format!("session={}", "a".repeat(length));
        let longest = COOKIE_BYTES_MAX - "session".len();
        for (length, count) in [(longest, 1), (longest + 1, 0)] {
            let headers = headers(&[&name_and(length)]);
            assert_eq!(Cookie::session(false).values(&headers).count(), count);
        }
        let many = "session=a; ".repeat(100);
        let headers = headers(&[&many]);
        let tried = Cookie::session(false).values(&headers).count();
        assert_eq!(tried, COOKIES_TRIED_MAX);
    }
}
