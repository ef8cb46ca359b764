//! Descriptions of the API: an index for programs, the OpenAPI document, and a page for people. Built once.

use axum::http::{
    HeaderMap, HeaderValue, Response, StatusCode,
    header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE},
};
use bytes::Bytes;
use gateway_cache::{
    CacheControl, Draft, Edition, Lifetime, Representation, changes::Basis, compression::Effort,
};
use gateway_contract::Routes;

use super::{index, openapi, page};

/// Descriptions change only with the process.
const LIFETIME: HeaderValue = HeaderValue::from_static("public, max-age=300");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// One description of the API.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Description {
    /// Links to the others and to every collection.
    Index,
    /// OpenAPI 3.1.
    OpenApi,
    /// A page for people.
    Page,
}

impl Description {
    const ALL: [Self; 3] = [Self::Index, Self::OpenApi, Self::Page];

    /// Returns its template with the mount point, for telemetry and links.
    pub(super) fn route(self) -> &'static str {
        match self {
            Self::Index => "/api",
            Self::OpenApi => "/api/openapi.json",
            Self::Page => "/api/docs",
        }
    }

    /// Returns its path below the mount point.
    fn path(self) -> &'static str {
        match self {
            Self::Index => "",
            Self::OpenApi => "/openapi.json",
            Self::Page => "/docs",
        }
    }

    /// Returns the description at this path below the mount point.
    pub(super) fn at(path: &str) -> Option<Self> {
        // On a separate host, the API's root is `/`.
        let path = if path == "/" { "" } else { path };
        Self::ALL.into_iter().find(|one| one.path() == path)
    }

    /// Returns the correct path for one with a trailing slash or capital letters.
    pub(super) fn respelled(path: &str) -> Option<String> {
        let bare = path.strip_suffix('/').unwrap_or(path);
        let mut all = Self::ALL.into_iter().map(Self::path);
        let meant = all.find(|known| known.eq_ignore_ascii_case(bare))?;
        (meant != path && !meant.is_empty()).then(|| meant.to_owned())
    }

    /// Whether `route` is the template of a description.
    pub(super) fn has_route(route: &str) -> bool {
        Self::ALL.into_iter().any(|one| one.route() == route)
    }
}

/// All descriptions, in all codings.
#[derive(Debug)]
pub(super) struct Descriptions {
    index: Representation,
    openapi: Representation,
    page: Representation,
}

impl Descriptions {
    pub(super) async fn new(routes: &Routes) -> Self {
        let document = openapi::describe(routes);
        let policy = HeaderValue::try_from(page::policy());
        let policy = policy.ok().map(|value| (CONTENT_SECURITY_POLICY, value));
        let mut headers = vec![(CONTENT_TYPE, HTML)];
        headers.extend(policy);
        Self {
            index: finish(index::of(&document).to_string(), vec![(CONTENT_TYPE, JSON)]).await,
            openapi: finish(document.to_string(), vec![(CONTENT_TYPE, JSON)]).await,
            page: finish(page::of(&document), headers).await,
        }
    }

    /// Returns the response to a request with these headers: 304 if the client's copy is current.
    pub(super) fn response(&self, one: Description, request: &HeaderMap) -> Response<Bytes> {
        let found = match one {
            Description::Index => &self.index,
            Description::OpenApi => &self.openapi,
            Description::Page => &self.page,
        };
        found.response(request)
    }
}

async fn finish(
    text: String,
    headers: Vec<(axum::http::HeaderName, HeaderValue)>,
) -> Representation {
    let draft = Draft {
        status: StatusCode::OK,
        body: text.into(),
        headers,
        version: None,
        cache_control: CacheControl::Fixed(LIFETIME),
        is_complete: true,
        is_negative: false,
        basis: Basis::default(),
    };
    let (lifetime, edition) = (Lifetime::RESIDENT, Edition::default());
    // Quick compression: `Best` would delay the first response.
    Representation::finish(draft, lifetime, edition, Effort::Quick, None).await
}
