//! Uploaded pictures at `/media/<hash>-<width>.<avif|webp>`. The name is derived from the content, so an answer never
//! changes: browsers and caches keep it for a year.

use std::time::{Duration, Instant};

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderValue, Method, Response, StatusCode,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE},
        request::Parts,
    },
};
use bytes::Bytes;
use gateway_api::Call;
use gateway_http::{
    problem::Problem,
    request::{client_address::ClientNetwork, lanes::Lane},
};
use moka::sync::Cache;

use super::Edge;

/// Prefix of the addresses.
pub(super) const MOUNT: &str = "/media/";
/// Template for telemetry.
pub(super) const ROUTE: &str = "/media/{form}";
/// Maximum bytes of the forms kept in memory.
const KEPT_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Time for which a form is kept: that long after its deletion it may still be served.
const KEPT_MAX: Duration = Duration::from_mins(10);
/// Length of a hash, in characters.
const HASH_LENGTH: usize = 40;
const WIDTH_LENGTH_MAX: usize = 4;
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// A picture opened in a tab runs nothing and loads nothing.
const POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox");

/// Forms in memory, by name.
#[derive(Debug)]
pub(super) struct Pictures(Cache<String, Bytes>);

impl Default for Pictures {
    fn default() -> Self {
        let weight = |name: &String, form: &Bytes| {
            u32::try_from(name.len() + form.len()).unwrap_or(u32::MAX)
        };
        Self(
            Cache::builder()
                .max_capacity(KEPT_BYTES_MAX)
                .time_to_live(KEPT_MAX)
                .weigher(weight)
                .build(),
        )
    }
}

/// Name of a form.
#[derive(Debug, Eq, PartialEq)]
struct FormName<'a> {
    hash: &'a str,
    width: &'a str,
    extension: &'a str,
    media_type: HeaderValue,
}

impl<'a> FormName<'a> {
    /// Parses the part of the address after [`MOUNT`]. A name has one spelling.
    fn parse(text: &'a str) -> Option<Self> {
        let (hash, rest) = text.split_once('-')?;
        let (width, extension) = rest.split_once('.')?;
        let is_hash = hash.len() == HASH_LENGTH
            && hash
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let is_width = (1..=WIDTH_LENGTH_MAX).contains(&width.len())
            && width.bytes().all(|byte| byte.is_ascii_digit())
            && !width.starts_with('0');
        let media_type = match extension {
            "avif" => HeaderValue::from_static("image/avif"),
            "webp" => HeaderValue::from_static("image/webp"),
            _ => return None,
        };
        (is_hash && is_width).then_some(Self {
            hash,
            width,
            extension,
            media_type,
        })
    }
}

impl Edge {
    /// Answers GET and HEAD of a form.
    ///
    /// # Errors
    /// 404 for every other name, 405 for other methods.
    pub(super) async fn picture(
        &self,
        parts: &Parts,
        network: ClientNetwork,
        deadline: Instant,
    ) -> Result<Response<Body>, Problem> {
        let name = parts.uri.path().strip_prefix(MOUNT).unwrap_or_default();
        let form = FormName::parse(name).ok_or_else(Problem::not_found)?;
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            let allow = HeaderValue::from_static("GET, HEAD");
            return Err(Problem::method_not_allowed(&allow));
        }
        if let Some(bytes) = self.pictures.0.get(name) {
            return Ok(shown(&form, bytes));
        }
        let path = format!(
            "/media/{}/forms/{}.{}",
            form.hash, form.width, form.extension
        );
        let ticket = self.admission.ticket(Lane::Reads);
        let headers = HeaderMap::new();
        let call = Call {
            path: &path,
            query: None,
            headers: &headers,
            body: Bytes::new(),
            network: Some(network),
            mount: gateway_api::MOUNT,
            deadline,
            work: Some(&ticket),
            identity: None,
        };
        let endpoint = self.api.endpoint(&Method::GET, &path);
        let answer = self.api.respond(endpoint, call).await;
        match answer.status() {
            StatusCode::OK => {
                let bytes = answer.into_body();
                self.pictures.0.insert(name.to_owned(), bytes.clone());
                Ok(shown(&form, bytes))
            }
            // The service refuses this name: there is no such picture.
            status if status.is_client_error() => Err(Problem::not_found()),
            _ => Ok(answer.map(Body::from)),
        }
    }
}

fn shown(form: &FormName<'_>, bytes: Bytes) -> Response<Body> {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, form.media_type.clone());
    headers.insert(CACHE_CONTROL, IMMUTABLE);
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn accepts_only_names_of_forms() {
        let form = format!("{HASH}-640.avif");
        let parsed = FormName::parse(&form).expect("a name");
        assert_eq!(
            (parsed.hash, parsed.width, parsed.extension),
            (HASH, "640", "avif")
        );
        for bad in [
            String::new(),
            HASH.to_owned(),
            format!("{HASH}.avif"),
            format!("{HASH}-.avif"),
            format!("{HASH}-0640.avif"),
            format!("{HASH}-+640.avif"),
            format!("{HASH}-12345.avif"),
            format!("{HASH}-640.AVIF"),
            format!("{HASH}-640.svg"),
            format!("{HASH}-640.avif/"),
            format!("{HASH}-640.avif.webp"),
            format!("{HASH}-640"),
            format!("{}-640.avif", HASH.to_uppercase()),
            format!("{}-640.avif", &HASH[1..]),
            format!("../{HASH}-640.avif"),
            format!("%2e%2e%2f{HASH}-640.avif"),
            format!("{HASH}/../{HASH}-640.avif"),
            format!("{HASH}\0-640.avif"),
        ] {
            assert!(FormName::parse(&bad).is_none(), "{bad}");
        }
    }
}
