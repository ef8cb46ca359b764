//! Small JSON requests to configured URLs. Redirects are not followed. A response body is read to its end only so that
//! the connection can be reused.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};

use super::SendError;

/// Timeout from sending the request to the end of the response.
const TIME_MAX: Duration = Duration::from_secs(8);
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// A URL that receives JSON.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    uri: Uri,
}

impl Endpoint {
    /// Parses an `https:` URL, or an `http:` URL of a loopback address. Certificates are checked against the system's
    /// authorities.
    pub(super) fn new(address: &str) -> Result<Self, String> {
        let wanted = "must be https://, or http:// to a loopback address";
        let uri: Uri = address.parse().map_err(|_| wanted)?;
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_loopback = host == "localhost"
            || host
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback());
        match uri.scheme_str() {
            Some("https") if !host.is_empty() => {}
            Some("http") if is_loopback => {}
            _ => return Err(wanted.into()),
        }
        let connector = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| format!("no certificate authorities: {error}"))?
            .https_or_http()
            .enable_http1()
            .build();
        Ok(Self {
            client: Client::builder(TokioExecutor::new()).build(connector),
            uri,
        })
    }

    pub(super) async fn post(
        &self,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<StatusCode, SendError> {
        let temporary = |text: &str| SendError::Temporary(text.to_owned());
        let mut request = Request::new(Full::from(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = headers;
        let json = header::HeaderValue::from_static("application/json");
        request.headers_mut().insert(header::CONTENT_TYPE, json);
        let answered = async {
            let answer = self.client.request(request).await;
            let answer = answer.map_err(|_| temporary("the receiver is unreachable"))?;
            let status = answer.status();
            let body = Limited::new(answer.into_body(), ANSWER_BYTES_MAX);
            // The content is ignored; reading to the end frees the connection for reuse.
            if body.collect().await.is_err() {
                tracing::debug!(status = status.as_u16(), "a response was truncated");
            }
            Ok(status)
        };
        tokio::time::timeout(TIME_MAX, answered)
            .await
            .map_err(|_| temporary("no response in time"))?
    }
}
