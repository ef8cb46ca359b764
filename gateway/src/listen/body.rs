//! Bodies on their way in: each at a least rate, and only so many unfinished ones for each network.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::{Buf, Bytes};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use parking_lot::Mutex;
use tokio::time::{Instant, Sleep};

use super::metrics::{BodyRefused, ListenMetrics};
use crate::request::{BodyTooSlow, client_address::ClientNetwork};

/// Bytes a second at which a body must come.
const RATE_MIN: u64 = 1024;

/// Counts unfinished bodies by network.
#[derive(Debug)]
pub(super) struct UnfinishedBodies {
    counts: Mutex<HashMap<ClientNetwork, usize>>,
    network_max: usize,
}

/// One unfinished body of a network, until it is dropped.
#[derive(Debug)]
pub(super) struct Unfinished {
    bodies: Arc<UnfinishedBodies>,
    network: ClientNetwork,
}

impl UnfinishedBodies {
    pub(super) fn new(network_max: usize) -> Arc<Self> {
        Arc::new(Self {
            counts: Mutex::default(),
            network_max,
        })
    }

    /// `None` if the network has too many already.
    pub(super) fn begin(self: &Arc<Self>, network: ClientNetwork) -> Option<Unfinished> {
        let mut counts = self.counts.lock();
        let count = counts.entry(network).or_default();
        if *count >= self.network_max {
            return None;
        }
        *count += 1;
        Some(Unfinished {
            bodies: Arc::clone(self),
            network,
        })
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut counts = self.bodies.counts.lock();
        if let Some(count) = counts.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.network);
            }
        }
    }
}

/// A body that must go on coming. It has a timer only if it did not come with its head.
#[derive(Debug)]
pub(super) struct PacedBody {
    body: Incoming,
    /// Given back with the last byte, not with the answer.
    unfinished: Option<Unfinished>,
    idle_max: Duration,
    pace: Option<Pace>,
}

#[derive(Debug)]
struct Pace {
    began: Instant,
    bytes: u64,
    timer: Pin<Box<Sleep>>,
}

impl Pace {
    fn begin(idle_max: Duration) -> Self {
        Self {
            began: Instant::now(),
            bytes: 0,
            timer: Box::pin(tokio::time::sleep(idle_max)),
        }
    }

    /// A body may stand still for `idle_max`, and has to have come at the least rate once half of it has passed.
    fn continues(&mut self, bytes: usize, idle_max: Duration) {
        self.bytes += bytes as u64;
        let now = Instant::now();
        let due = Duration::from_millis(self.bytes.saturating_mul(1000) / RATE_MIN);
        let at_rate = self.began + (idle_max / 2).max(due) + idle_max / 2;
        self.timer.as_mut().reset(at_rate.min(now + idle_max));
    }
}

impl PacedBody {
    pub(super) fn new(body: Incoming, unfinished: Unfinished, idle_max: Duration) -> Self {
        Self {
            body,
            unfinished: Some(unfinished),
            idle_max,
            pace: None,
        }
    }
}

impl Body for PacedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            match &frame {
                Some(Ok(frame)) if !this.body.is_end_stream() => {
                    let bytes = frame.data_ref().map_or(0, Buf::remaining);
                    if let Some(pace) = &mut this.pace {
                        pace.continues(bytes, this.idle_max);
                    }
                }
                _ => this.unfinished = None,
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(axum::Error::new)));
        }
        let idle_max = this.idle_max;
        let pace = this.pace.get_or_insert_with(|| Pace::begin(idle_max));
        ready!(pace.timer.as_mut().poll(context));
        this.unfinished = None;
        ListenMetrics::global().body_refused(BodyRefused::Slow);
        Poll::Ready(Some(Err(axum::Error::new(BodyTooSlow))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;

    use super::*;
    use crate::request::client_address::client_network;

    #[test]
    fn a_network_has_so_many_unfinished_bodies_and_gets_places_back() {
        let bodies = UnfinishedBodies::new(2);
        let network = |peer: &str| {
            let peer = peer.parse().unwrap();
            client_network(peer, &HeaderMap::new(), 0)
        };
        let (one, other) = (network("192.0.2.1:1"), network("192.0.2.2:1"));
        let first = bodies.begin(one).unwrap();
        let _second = bodies.begin(one).unwrap();
        assert!(bodies.begin(one).is_none());
        assert!(bodies.begin(other).is_some());
        drop(first);
        assert!(bodies.begin(one).is_some());
        assert_eq!(bodies.counts.lock().len(), 1, "who has none is forgotten");
    }
}
