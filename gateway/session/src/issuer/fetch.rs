//! Requests to the issuer.

use std::{error::Error, io, time::Duration};

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};

/// Maximum size of a response, in bytes.
const RESPONSE_BYTES_MAX: usize = 64 * 1024;

/// Why the issuer cannot be used at the moment.
#[derive(Debug, thiserror::Error)]
pub enum IssuerError {
    /// No connection, or it broke.
    #[error("the issuer cannot be reached")]
    Unreachable(#[source] Box<dyn Error + Send + Sync>),
    /// No complete response in time.
    #[error("the issuer did not respond within {seconds_max} s")]
    Slow {
        /// The time limit.
        seconds_max: u64,
    },
    /// A response with another status than expected. Redirects are not followed.
    #[error("the issuer responded with the status {0}")]
    Status(StatusCode),
    /// A long response.
    #[error("the issuer's response has more than {bytes_max} bytes")]
    TooLong {
        /// Maximum size.
        bytes_max: usize,
    },
    /// A response that is not the expected JSON.
    #[error("the issuer's response is not a valid {document}")]
    Malformed {
        /// The expected document.
        document: &'static str,
    },
    /// The discovery document names another issuer than the setting.
    #[error("the discovery document names another issuer than STAFF_ISSUER")]
    OtherIssuer,
    /// An endpoint that could be read or changed on the network.
    #[error(
        "{name} in the discovery document is neither https nor, for an issuer on this machine, http there"
    )]
    Endpoint {
        /// Name of the member.
        name: &'static str,
    },
    /// No common way to authenticate this client.
    #[error("the issuer supports neither client_secret_basic nor client_secret_post")]
    ClientAuthentication,
    /// The issuer's keys are not available.
    #[error("the issuer's keys are not available")]
    Keys,
    /// A try less than a second ago failed, and the next has to wait.
    #[error("the issuer failed less than a second ago")]
    FailedBefore {
        /// Whether it was down.
        is_down: bool,
    },
}

impl IssuerError {
    /// Whether the issuer, or a proxy in front of it, is down. People cannot sign in there either.
    pub(super) fn is_down(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Slow { .. } => true,
            Self::Status(status) => matches!(status.as_u16(), 502..=504),
            Self::FailedBefore { is_down } => *is_down,
            Self::TooLong { .. }
            | Self::Malformed { .. }
            | Self::OtherIssuer
            | Self::Endpoint { .. }
            | Self::ClientAuthentication
            | Self::Keys => false,
        }
    }
}

/// HTTP client without redirects, with limits on time and size.
#[derive(Debug)]
pub(crate) struct HttpClient {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    time_max: Duration,
}

impl HttpClient {
    pub(crate) fn new(time_max: Duration) -> io::Result<Self> {
        let connector = HttpsConnectorBuilder::new()
            .with_native_roots()?
            .https_or_http()
            .enable_http1()
            .build();
        Ok(Self {
            client: Client::builder(TokioExecutor::new()).build(connector),
            time_max,
        })
    }

    /// Sends a request and returns the status and body of the response.
    pub(crate) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<(StatusCode, Bytes), IssuerError> {
        let exchange = async {
            let response = self.client.request(request).await;
            let response = response.map_err(|error| IssuerError::Unreachable(Box::new(error)))?;
            let status = response.status();
            let body = Limited::new(response.into_body(), RESPONSE_BYTES_MAX);
            let body = body.collect().await.map_err(|error| {
                if error.is::<LengthLimitError>() {
                    let bytes_max = RESPONSE_BYTES_MAX;
                    IssuerError::TooLong { bytes_max }
                } else {
                    IssuerError::Unreachable(error)
                }
            })?;
            Ok::<_, IssuerError>((status, body.to_bytes()))
        };
        let seconds_max = self.time_max.as_secs();
        tokio::time::timeout(self.time_max, exchange)
            .await
            .unwrap_or(Err(IssuerError::Slow { seconds_max }))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::{Router, body::Body, routing};
    use tokio::net::TcpListener;

    use super::*;

    const TIME_MAX: Duration = Duration::from_millis(200);

    async fn serve(routes: Router) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, routes).await });
        format!("http://{address}/")
    }

    async fn get(address: &str) -> Result<(StatusCode, Bytes), IssuerError> {
        let client = HttpClient::new(TIME_MAX).expect("a client");
        let request = Request::get(address).body(Full::default());
        client.send(request.expect("a request")).await
    }

    #[tokio::test]
    async fn a_response_has_a_maximum_size() {
        for (length, is_accepted) in [(RESPONSE_BYTES_MAX, true), (RESPONSE_BYTES_MAX + 1, false)] {
            let body = " ".repeat(length);
            let routes = Router::new().route("/", routing::get(async move || body));
            let response = get(&serve(routes).await).await;
            match response {
                Ok((status, body)) => {
                    assert_eq!((status, body.len()), (StatusCode::OK, RESPONSE_BYTES_MAX));
                    assert!(is_accepted);
                }
                Err(error) => {
                    assert!(matches!(error, IssuerError::TooLong { .. }), "{error}");
                    assert!(!is_accepted);
                }
            }
        }
    }

    #[tokio::test]
    async fn a_response_has_a_maximum_time_to_its_last_byte() {
        let never = async || std::future::pending::<()>().await;
        let trickle = async || {
            let bytes = slow_bytes();
            Body::from_stream(bytes)
        };
        for routes in [
            Router::new().route("/", routing::get(never)),
            Router::new().route("/", routing::get(trickle)),
        ] {
            let address = serve(routes).await;
            let started = Instant::now();
            let error = get(&address).await.expect_err("too slow");
            assert!(matches!(error, IssuerError::Slow { .. }), "{error}");
            assert!(started.elapsed() < TIME_MAX * 10);
        }
    }

    /// Returns a stream of one byte every 20 ms, without end.
    fn slow_bytes() -> impl futures::Stream<Item = io::Result<Bytes>> {
        futures::stream::unfold((), async |()| {
            tokio::time::sleep(Duration::from_millis(20)).await;
            Some((Ok(Bytes::from_static(b" ")), ()))
        })
    }

    #[tokio::test]
    async fn a_closed_port_is_unreachable() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        drop(listener);
        let error = get(&format!("http://{address}/"))
            .await
            .expect_err("closed");
        assert!(matches!(error, IssuerError::Unreachable(_)), "{error}");
    }
}
