//! A key set fetched from its issuer.

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use http::{Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use tokio::{
    sync::{Notify, watch},
    task::JoinSet,
};

use super::{
    fetches::Document,
    keys::{Keys, KeysError, SET_BYTES_MAX},
};

/// Time limit from the request to the last byte of the response.
pub(super) const TIME_MAX: Duration = Duration::from_secs(5);
/// Intervals between fetches of the key set.
#[derive(Clone, Copy, Debug)]
pub(super) struct FetchIntervals {
    /// Regular refresh.
    pub(super) refresh: Duration,
    /// Backoff after a failed fetch; doubled each time.
    pub(super) retry_min: Duration,
    pub(super) retry_max: Duration,
    /// How long keys stay valid without a successful fetch. A key revoked meanwhile must not stay valid forever.
    pub(super) expiry: Duration,
    /// Minimum time between refetches for unknown keys: invalid tokens must not drive the request rate to the issuer.
    pub(super) refetch_min: Duration,
}

impl Default for FetchIntervals {
    fn default() -> Self {
        Self {
            refresh: Duration::from_mins(5),
            retry_min: Duration::from_secs(1),
            retry_max: Duration::from_mins(1),
            expiry: Duration::from_hours(24),
            refetch_min: Duration::from_secs(10),
        }
    }
}

type Fetcher = Client<HttpsConnector<HttpConnector>, Empty<Bytes>>;

/// The last fetched keys. A task refetches them until this value is dropped.
#[derive(Debug)]
pub(super) struct FetchedKeys {
    issuer: Arc<Issuer>,
    #[expect(dead_code, reason = "held for what its drop does")]
    task: JoinSet<()>,
}

#[derive(Debug)]
struct Issuer {
    address: Uri,
    keys: ArcSwapOption<Dated>,
    expiry: Duration,
    refetch: Notify,
    /// Number of ended fetches.
    fetches: watch::Sender<u64>,
}

/// A key set and when it was fetched.
#[derive(Debug)]
struct Dated {
    keys: Arc<Keys>,
    fetched: Instant,
}

impl FetchedKeys {
    /// Starts fetching. Needs a Tokio runtime.
    ///
    /// Redirects are not followed: keys come from the configured address only.
    pub(super) fn start(address: &str, intervals: FetchIntervals) -> Result<Self, KeysError> {
        let uri = trustworthy(address)?;
        let connector = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|source| KeysError::Unreadable {
                origin: address.to_owned(),
                source,
            })?
            .https_or_http()
            .enable_http1()
            .build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        let issuer = Arc::new(Issuer {
            address: uri,
            keys: ArcSwapOption::empty(),
            expiry: intervals.expiry,
            refetch: Notify::new(),
            fetches: watch::Sender::new(0),
        });
        let mut task = JoinSet::new();
        task.spawn(Arc::clone(&issuer).run(client, intervals));
        Ok(Self { issuer, task })
    }

    /// Returns the keys, or `None` before the first successful fetch and after the keys have expired.
    pub(super) fn keys(&self) -> Option<Arc<Keys>> {
        let dated = self.issuer.keys.load();
        let dated = dated.as_ref()?;
        (dated.fetched.elapsed() < self.issuer.expiry).then(|| Arc::clone(&dated.keys))
    }

    /// Requests a refetch for a token with an unknown key: the issuer may have a new one.
    pub(super) fn request_refetch(&self) {
        self.issuer.refetch.notify_one();
    }

    /// Requests a refetch and waits until a fetch has ended, but not longer than `time_max`.
    pub(super) async fn refetch(&self, time_max: Duration) {
        let mut fetches = self.issuer.fetches.subscribe();
        self.request_refetch();
        _ = tokio::time::timeout(time_max, fetches.changed()).await;
    }
}

impl Issuer {
    /// Refreshes forever. After a failed fetch, the last keys stay valid until they expire.
    async fn run(self: Arc<Self>, client: Fetcher, intervals: FetchIntervals) {
        Document::Keys.prepare();
        let mut retry = intervals.retry_min;
        loop {
            let outcome = self.fetch(&client).await;
            Document::Keys.count(outcome.is_ok());
            let pause = match outcome {
                Ok(keys) => {
                    let (keys, fetched) = (Arc::new(keys), Instant::now());
                    self.keys.store(Some(Arc::new(Dated { keys, fetched })));
                    retry = intervals.retry_min;
                    intervals.refresh
                }
                Err(error) => {
                    tracing::error!(
                        error = &error as &(dyn std::error::Error + 'static),
                        has_earlier = self.keys.load().is_some(),
                        "fetching the key set failed"
                    );
                    let pause = retry;
                    retry = (retry * 2).min(intervals.retry_max);
                    pause
                }
            };
            self.fetches.send_modify(|fetches| *fetches += 1);
            let least = pause.min(intervals.refetch_min);
            tokio::time::sleep(least).await;
            // Fetches either way: on request, or when the pause ends.
            _ = tokio::time::timeout(pause.saturating_sub(least), self.refetch.notified()).await;
        }
    }

    async fn fetch(&self, client: &Fetcher) -> Result<Keys, KeysError> {
        let origin = self.address.to_string();
        let unreadable = |source| KeysError::Unreadable {
            origin: origin.clone(),
            source,
        };
        let answer = tokio::time::timeout(TIME_MAX, body(client, &self.address)).await;
        let late = || io::Error::from(io::ErrorKind::TimedOut);
        let text = answer.unwrap_or_else(|_| Err(late())).map_err(unreadable)?;
        Keys::parse(&origin, &text)
    }
}

async fn body(client: &Fetcher, address: &Uri) -> io::Result<Bytes> {
    let request = Request::get(address)
        .header(header::ACCEPT, "application/jwk-set+json, application/json")
        .body(Empty::new())
        .map_err(io::Error::other)?;
    let answer = client.request(request).await.map_err(io::Error::other)?;
    if answer.status() != StatusCode::OK {
        let problem = format!("the answer has status {}", answer.status());
        return Err(io::Error::other(problem));
    }
    let body = Limited::new(answer.into_body(), SET_BYTES_MAX);
    let body = body.collect().await.map_err(io::Error::other)?;
    Ok(body.to_bytes())
}

/// Accepts https, or http on this machine. Over anything else, an attacker on the network could replace the issuer's
/// keys.
pub(super) fn trustworthy(address: &str) -> Result<Uri, KeysError> {
    let is_trustworthy = |uri: &Uri| match (uri.scheme_str(), uri.host()) {
        (Some("https"), Some(_)) => true,
        (Some("http"), Some(host)) => matches!(host, "localhost" | "127.0.0.1" | "[::1]"),
        _ => false,
    };
    let uri = address.parse().ok().filter(is_trustworthy);
    uri.ok_or_else(|| KeysError::Insecure {
        origin: address.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::{
        net::SocketAddr,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use arc_swap::ArcSwap;
    use axum::{Router, routing};
    use serde_json::{Value, json};
    use tokio::net::TcpListener;

    use super::*;

    const INTERVALS: FetchIntervals = FetchIntervals {
        refresh: Duration::from_millis(40),
        retry_min: Duration::from_millis(20),
        retry_max: Duration::from_millis(40),
        expiry: Duration::from_mins(5),
        refetch_min: Duration::from_millis(20),
    };

    /// Returns a key set with one key of this id; the key is from RFC 8037.
    fn set(id: &str) -> String {
        let x = "11qYAycyTOJ2yBX0J3w2vCkQ5gEUBa2nMXXzGFHEpx0";
        json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "kid": id, "x": x }] }).to_string()
    }

    /// Returns a token whose signature is invalid; only its header is used.
    fn token(id: &str) -> String {
        use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
        let encode = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let header = encode(json!({ "alg": "EdDSA", "kid": id }));
        format!("{header}.{}.AA", encode(json!({})))
    }

    /// Issuer that responds with `text` (empty: it fails) and counts its responses.
    #[derive(Clone, Default)]
    struct TestIssuer {
        text: Arc<ArcSwap<String>>,
        answers: Arc<AtomicUsize>,
    }

    impl TestIssuer {
        async fn listen(&self) -> SocketAddr {
            let own = self.clone();
            let answer = move || {
                let text = own.text.load_full();
                own.answers.fetch_add(1, Ordering::SeqCst);
                async move {
                    if text.is_empty() {
                        Err(StatusCode::SERVICE_UNAVAILABLE)
                    } else {
                        Ok(text.to_string())
                    }
                }
            };
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("an address");
            let routes = Router::new().route("/jwks", routing::get(answer));
            tokio::spawn(async move { axum::serve(listener, routes).await });
            address
        }

        /// Waits for two more fetches: when the second arrives, the first has been processed.
        async fn is_fetched_again(&self) {
            let wanted = self.answers.load(Ordering::SeqCst) + 2;
            for _ in 0..500 {
                if self.answers.load(Ordering::SeqCst) >= wanted {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            panic!("the issuer is not asked again");
        }
    }

    #[tokio::test]
    async fn fetches_keys_once_the_issuer_is_up_and_follows_its_rotation() {
        let issuer = TestIssuer::default();
        let address = issuer.listen().await;
        let fetched =
            FetchedKeys::start(&format!("http://{address}/jwks"), INTERVALS).expect("keys");
        issuer.is_fetched_again().await;
        assert!(fetched.keys().is_none(), "the issuer is down");

        let has = |id: &str| {
            let keys = fetched.keys();
            keys.is_some_and(|keys| keys.has_key_of(&token(id)))
        };
        // A response that is not a key set leaves the earlier set valid.
        let too_long = " ".repeat(SET_BYTES_MAX + 1);
        for (next, there, not_there) in [
            (set("one"), "one", "two"),
            ("{}".to_owned(), "one", "two"),
            (too_long, "one", "two"),
            (String::new(), "one", "two"),
            (set("two"), "two", "one"),
        ] {
            issuer.text.store(Arc::new(next));
            issuer.is_fetched_again().await;
            assert!(has(there) && !has(not_there), "{there}");
        }
    }

    #[tokio::test]
    async fn keys_expire_without_the_issuer_and_return_with_it() {
        let issuer = TestIssuer::default();
        issuer.text.store(Arc::new(set("one")));
        let address = issuer.listen().await;
        let short = FetchIntervals {
            expiry: Duration::from_millis(400),
            ..INTERVALS
        };
        let fetched = FetchedKeys::start(&format!("http://{address}/jwks"), short).expect("keys");
        let becomes = async |is_there: bool| {
            for _ in 0..500 {
                if fetched.keys().is_some() == is_there {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            panic!("the keys are not as expected: there is {is_there}");
        };
        becomes(true).await;
        issuer.text.store(Arc::default());
        becomes(false).await;
        issuer.text.store(Arc::new(set("one")));
        becomes(true).await;
    }

    #[tokio::test]
    async fn a_token_of_an_unknown_key_triggers_a_fetch() {
        let issuer = TestIssuer::default();
        issuer.text.store(Arc::new(set("one")));
        let address = issuer.listen().await;
        let slow = FetchIntervals {
            refresh: Duration::from_mins(5),
            ..INTERVALS
        };
        let fetched = FetchedKeys::start(&format!("http://{address}/jwks"), slow).expect("keys");
        let has = |id: &str| {
            let keys = fetched.keys();
            keys.is_some_and(|keys| keys.has_key_of(&token(id)))
        };
        for id in ["one", "two"] {
            issuer.text.store(Arc::new(set(id)));
            for _ in 0..500 {
                if has(id) {
                    break;
                }
                fetched.request_refetch();
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            assert!(has(id), "{id}");
        }
    }

    #[tokio::test]
    async fn refuses_key_addresses_that_can_be_impersonated() {
        for address in [
            "http://issuer.example/jwks",
            "ftp://127.0.0.1/jwks",
            "jwks.json",
            "https://",
        ] {
            let refused = FetchedKeys::start(address, INTERVALS);
            assert!(
                matches!(refused, Err(KeysError::Insecure { .. })),
                "{address}"
            );
        }
    }
}
