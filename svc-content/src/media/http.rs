//! HTTP client of the S3 store: the workspace's own hyper and rustls instead of a second client.

use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector as TcpConnector},
    rt::TokioExecutor,
};
use object_store::{
    ClientConfigKey, ClientOptions,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody,
        HttpResponse, HttpResponseBody, HttpService,
    },
};

/// Maximum time from a request to the head of its answer.
const TIME_MAX: Duration = Duration::from_secs(10);

/// Connects by hyper. Trusts the machine's certificate authorities.
#[derive(Debug, Clone, Copy)]
pub(super) struct HyperConnector;

impl HttpConnector for HyperConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let allows_http = options.get_config_value(&ClientConfigKey::AllowHttp);
        let builder = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| object_store::Error::Generic {
                store: "S3",
                source: error.into(),
            })?;
        let builder = if allows_http.as_deref() == Some("true") {
            builder.https_or_http()
        } else {
            builder.https_only()
        };
        let connector = builder.enable_http1().build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Ok(HttpClient::new(HyperService(client)))
    }
}

#[derive(Debug)]
struct HyperService(Client<HttpsConnector<TcpConnector>, HttpRequestBody>);

#[async_trait]
impl HttpService for HyperService {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let answer = tokio::time::timeout(TIME_MAX, self.0.request(request)).await;
        let response = answer
            .map_err(|error| HttpError::new(HttpErrorKind::Timeout, error))?
            .map_err(|error| {
                let kind = if error.is_connect() {
                    HttpErrorKind::Connect
                } else {
                    HttpErrorKind::Request
                };
                HttpError::new(kind, error)
            })?;
        // The store limits the time of the body by its own retries.
        let body = |body: Incoming| {
            HttpResponseBody::new(
                body.map_err(|error| HttpError::new(HttpErrorKind::Interrupted, error)),
            )
        };
        Ok(response.map(body))
    }
}
