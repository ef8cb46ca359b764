//! The surface that a request is for, determined from its head alone.

use std::sync::{Arc, LazyLock};

use axum::http::{header, request::Parts, uri::Authority};
use gateway_api::{Api, Endpoint, MOUNT};
use gateway_documents::is_in_staff_area;

use super::pictures;

/// The surface that a request is for.
pub(super) enum Surface {
    Probe(&'static str),
    Telemetry,
    /// The API, and the prefix of its paths on this host.
    Api(Endpoint, &'static str),
    Desk(DeskAddress),
    /// A form of an uploaded picture.
    Picture,
    Document,
}

/// An address of the staff area.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum DeskAddress {
    /// Begins a sign-in.
    SignIn,
    /// Where the issuer sends browsers back to.
    Callback,
    SignOut,
    /// Where the issuer reports sessions that it has ended.
    BackChannelLogout,
    /// Stream of the changes of lists.
    Events,
    /// A page, or an unknown address.
    Page,
}

impl DeskAddress {
    fn of(path: &str) -> Self {
        match path {
            "/staff/sign-in" => Self::SignIn,
            "/staff/callback" => Self::Callback,
            "/staff/sign-out" => Self::SignOut,
            "/staff/back-channel-logout" => Self::BackChannelLogout,
            "/staff/events" => Self::Events,
            _ => Self::Page,
        }
    }

    /// Returns the template for telemetry. A page that answers replaces it by its route.
    fn route(self) -> &'static str {
        match self {
            Self::SignIn => "/staff/sign-in",
            Self::Callback => "/staff/callback",
            Self::SignOut => "/staff/sign-out",
            Self::BackChannelLogout => "/staff/back-channel-logout",
            Self::Events => "/staff/events",
            Self::Page => "/staff/*",
        }
    }
}

impl Surface {
    /// `api_host` is the host under which the API is also mounted at the root. `has_desk`: whether there is a staff area.
    pub(super) fn of(parts: &Parts, api: &Api, api_host: Option<&str>, has_desk: bool) -> Self {
        let path = parts.uri.path();
        match path {
            "/healthz" => return Self::Probe("/healthz"),
            "/readyz" => return Self::Probe("/readyz"),
            "/telemetry" => return Self::Telemetry,
            _ => {}
        }
        if let Some(rest) = path.strip_prefix(MOUNT)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return Self::Api(api.endpoint(&parts.method, rest), MOUNT);
        }
        if api_host.is_some_and(|host| is_host(parts, host)) {
            return Self::Api(api.endpoint(&parts.method, path), "");
        }
        if path.starts_with(pictures::MOUNT) {
            return Self::Picture;
        }
        if has_desk && is_in_staff_area(path) {
            return Self::Desk(DeskAddress::of(path));
        }
        Self::Document
    }

    /// Whether its errors are pages for people.
    pub(super) fn is_page(&self) -> bool {
        match self {
            Self::Document => true,
            Self::Desk(address) => !matches!(
                address,
                DeskAddress::BackChannelLogout | DeskAddress::Events
            ),
            Self::Probe(_) | Self::Telemetry | Self::Api(..) | Self::Picture => false,
        }
    }

    /// Returns the address in the staff area.
    pub(super) fn desk(&self) -> Option<DeskAddress> {
        match self {
            Self::Desk(address) => Some(*address),
            _ => None,
        }
    }

    /// Returns the template for telemetry, never the path.
    pub(super) fn route(&self) -> Arc<str> {
        static TELEMETRY: LazyLock<Arc<str>> = LazyLock::new(|| "/telemetry".into());
        static PICTURE: LazyLock<Arc<str>> = LazyLock::new(|| pictures::ROUTE.into());
        static DOCUMENT: LazyLock<Arc<str>> = LazyLock::new(|| "document".into());
        match self {
            Self::Probe(path) => (*path).into(),
            Self::Telemetry => Arc::clone(&TELEMETRY),
            Self::Api(endpoint, _) => gateway_api::route(endpoint),
            Self::Desk(address) => address.route().into(),
            Self::Picture => Arc::clone(&PICTURE),
            Self::Document => Arc::clone(&DOCUMENT),
        }
    }
}

/// Whether the request was sent to `host`, on any port.
fn is_host(parts: &Parts, host: &str) -> bool {
    let from_header = parts.headers.get(header::HOST);
    let called = from_header
        .and_then(|value| value.to_str().ok())
        .or_else(|| parts.uri.authority().map(Authority::as_str));
    called.is_some_and(|called| {
        let name = called.rsplit_once(':').map_or(called, |(name, _)| name);
        called.eq_ignore_ascii_case(host) || name.eq_ignore_ascii_case(host)
    })
}
