//! Live lists: `/staff/events`, a stream of server-sent events that names the collections of the API that changed.
//!
//! A stream holds no queue. It remembers the last position in the changes that it has reported, so any number of changes
//! become one event. Events contain no ids and no data of patients.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderName, HeaderValue, Response, StatusCode,
        header::{CONTENT_TYPE, RETRY_AFTER},
        request::Parts,
    },
};
use bytes::Bytes;
use futures::stream;
use gateway_documents::Lists;
use gateway_http::{metrics::Metrics, problem::Problem};
use gateway_session::{SessionWatch, Staff};
use parking_lot::Mutex;
use prometheus_client::metrics::{counter::Counter, gauge::Gauge};
use service_kit::metrics::with_registry;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, watch::Receiver},
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

use super::{Edge, desk::not_signed};

/// Minimum time between two events of a stream.
const EVENT_INTERVAL: Duration = Duration::from_secs(1);
/// Range from which browsers wait before they connect again, in milliseconds. Random, or all would return at once.
const RETRY_MS: std::ops::Range<u32> = 1_000..4_000;
/// Seconds after which a refused browser may try again.
const REFUSED_RETRY_S: &str = "10";
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const HEARTBEAT: &[u8] = b":\n\n";
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Makes nginx send each event at once.
const BUFFERING: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-accel-buffering"),
    HeaderValue::from_static("no"),
);

/// Bounds of the streams.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventLimits {
    /// Maximum open streams.
    pub(super) streams: usize,
    /// Maximum open streams of one person.
    pub(super) person_streams: usize,
    /// Time without an event after which a stream sends a comment.
    pub(super) heartbeat: Duration,
}

/// All streams of one process.
#[derive(Debug)]
pub(super) struct Events {
    lists: Lists,
    limits: EventLimits,
    places: Arc<Semaphore>,
    /// Number of streams of each person who has any.
    people: Arc<Mutex<HashMap<String, usize>>>,
    stopping: CancellationToken,
    refused: Refused,
}

/// Counters of refused streams, by limit.
#[derive(Debug)]
struct Refused {
    all: Counter,
    person: Counter,
}

/// Place of a stream among all and among those of its person, released on drop.
#[derive(Debug)]
struct Place {
    people: Arc<Mutex<HashMap<String, usize>>>,
    subject: String,
    _all: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        open_streams().dec();
        let mut people = self.people.lock();
        if let Some(count) = people.get_mut(&self.subject) {
            *count -= 1;
            if *count == 0 {
                people.remove(&self.subject);
            }
        }
    }
}

impl Events {
    pub(super) fn new(lists: Lists, limits: EventLimits, metrics: &Metrics) -> Self {
        let refused = Refused {
            all: metrics.shed("staff_streams"),
            person: metrics.shed("person_streams"),
        };
        open_streams();
        Self {
            lists,
            limits,
            places: Arc::new(Semaphore::new(limits.streams)),
            people: Arc::default(),
            stopping: CancellationToken::new(),
            refused,
        }
    }

    /// Ends all streams, and refuses new ones.
    pub(super) fn stop(&self) {
        self.stopping.cancel();
    }

    /// Opens a stream. It ends with the session, and does not count as use of the session.
    pub(super) fn open(
        &self,
        session: SessionWatch,
        headers: &HeaderMap,
        query: Option<&str>,
    ) -> Result<Response<Body>, Problem> {
        let place = self.place(session.subject())?;
        let last = last_event(headers, query);
        // Subscribe first, or a change between the two calls would be missed.
        let changes = self.lists.subscribe();
        let seen = match last {
            Some(text) => self.lists.parse(&text),
            None => Some(self.lists.position()),
        };
        let stream = EventStream {
            lists: self.lists.clone(),
            session,
            changes,
            seen,
            heartbeat: self.limits.heartbeat,
            heartbeat_at: Instant::now() + self.limits.heartbeat,
            quiet_until: Instant::now(),
            stopping: self.stopping.clone(),
            stage: Stage::Begins,
            _place: place,
        };
        let chunks = stream::unfold(stream, |mut stream| async {
            let chunk = stream.next().await?;
            Some((Ok::<_, Infallible>(chunk), stream))
        });
        let mut response = Response::new(Body::from_stream(chunks));
        let headers = response.headers_mut();
        let (name, value) = BUFFERING;
        headers.insert(name, value);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        Ok(response)
    }

    fn place(&self, subject: &str) -> Result<Place, Problem> {
        if self.stopping.is_cancelled() {
            return Err(Problem::unavailable());
        }
        let mut people = self.people.lock();
        let count = people.get(subject).copied().unwrap_or_default();
        if count >= self.limits.person_streams {
            self.refused.person.inc();
            let detail = "You have too many pages of the staff area open.";
            return Err(refusal(StatusCode::TOO_MANY_REQUESTS, detail));
        }
        let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() else {
            self.refused.all.inc();
            let detail = "Too many pages of the staff area are open.";
            return Err(refusal(StatusCode::SERVICE_UNAVAILABLE, detail));
        };
        people.insert(subject.to_owned(), count + 1);
        drop(people);
        open_streams().inc();
        Ok(Place {
            people: Arc::clone(&self.people),
            subject: subject.to_owned(),
            _all: permit,
        })
    }
}

impl Edge {
    /// Opens a stream of events, for pages of this site only.
    pub(super) fn events(&self, staff: &Staff, parts: &Parts) -> Result<Response<Body>, Problem> {
        let events = self.events.as_ref().ok_or_else(Problem::not_found)?;
        let site = parts.headers.get(SEC_FETCH_SITE);
        if site.is_some_and(|site| site != "same-origin" && site != "none") {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "CROSS_SITE",
                "This request was not made by a page of this site.",
            ));
        }
        let session = staff.watch(&parts.headers).ok_or_else(not_signed)?;
        events.open(session, &parts.headers, parts.uri.query())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Begins,
    Open,
    Ended,
}

/// One stream.
struct EventStream {
    lists: Lists,
    session: SessionWatch,
    changes: Receiver<u64>,
    /// Changes up to this position have been reported; `None` if the browser knows another process's.
    seen: Option<u64>,
    heartbeat: Duration,
    heartbeat_at: Instant,
    /// Start of the time for the next event.
    quiet_until: Instant,
    stopping: CancellationToken,
    stage: Stage,
    _place: Place,
}

impl EventStream {
    /// Returns the next bytes, or `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        match self.stage {
            Stage::Begins => {
                self.stage = Stage::Open;
                return Some(self.head());
            }
            Stage::Open => {}
            Stage::Ended => return None,
        }
        loop {
            let scopes = self.session.scopes();
            let scopes = scopes.filter(|_| !self.stopping.is_cancelled());
            let Some(scopes) = scopes else {
                self.stage = Stage::Ended;
                return Some(Bytes::from(retry()));
            };
            let now = Instant::now();
            let is_quiet = now < self.quiet_until;
            if !is_quiet && let Some(event) = self.event(&scopes) {
                self.quiet_until = now + EVENT_INTERVAL;
                self.heartbeat_at = now + self.heartbeat;
                return Some(event);
            }
            if self.heartbeat_at <= now {
                self.heartbeat_at = now + self.heartbeat;
                return Some(Bytes::from_static(HEARTBEAT));
            }
            let session_ends = now + self.session.time_left();
            let mut wakes_at = self.heartbeat_at.min(session_ends);
            if is_quiet {
                wakes_at = wakes_at.min(self.quiet_until);
            }
            tokio::select! {
                () = self.stopping.cancelled() => {}
                () = self.session.any_ended() => {}
                () = changed(&mut self.changes), if !is_quiet => {}
                () = sleep_until(wakes_at) => {}
            }
        }
    }

    /// Returns the first bytes: the id and the pause with which a browser connects again.
    fn head(&self) -> Bytes {
        let id = self.seen.map(|seen| self.lists.text(seen));
        let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
        Bytes::from(format!("{id}{}", retry()))
    }

    /// Returns an event if a collection has changed that the person sees on a page.
    fn event(&mut self, scopes: &[String]) -> Option<Bytes> {
        let (position, names) = self.lists.changed(self.seen, scopes);
        self.seen = Some(position);
        if names.is_empty() {
            return None;
        }
        let (id, names) = (self.lists.text(position), names.join(" "));
        Some(Bytes::from(format!(
            "id: {id}\nevent: change\ndata: {names}\n\n"
        )))
    }
}

async fn changed(changes: &mut Receiver<u64>) {
    if changes.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn retry() -> String {
    format!("retry: {}\n\n", rand::random_range(RETRY_MS))
}

/// Returns the position that a browser has seen: of its last event, or of its document when it connects first.
fn last_event(headers: &HeaderMap, query: Option<&str>) -> Option<String> {
    if let Some(last) = headers.get(LAST_EVENT_ID) {
        return Some(last.to_str().unwrap_or_default().to_owned());
    }
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query?).ok()?;
    let mut since = pairs.into_iter().filter(|(name, _)| name == "since");
    since.next().map(|(_, value)| value)
}

fn refusal(status: StatusCode, detail: &'static str) -> Problem {
    Problem::new(status, "STREAMS_MAX", detail)
        .with_header(RETRY_AFTER, HeaderValue::from_static(REFUSED_RETRY_S))
}

/// Number of open streams in this process, registered on first use.
fn open_streams() -> &'static Gauge {
    static OPEN: OnceLock<Gauge> = OnceLock::new();
    OPEN.get_or_init(|| {
        let gauge = Gauge::default();
        with_registry(|registry| {
            registry.register(
                "staff_event_streams",
                "Open streams of events to pages of the staff area",
                gauge.clone(),
            );
        });
        gauge
    })
}
