//! Request bodies with a minimum rate.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::{Buf, Bytes};
use gateway_http::request::BodyTooSlow;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::{Instant, Sleep};

use super::metrics::ListenMetrics;

/// Minimum rate of a body in bytes a second.
const RATE_MIN: u64 = 1024;

/// A body that must keep arriving. It has a timer only if it did not arrive with its head.
#[derive(Debug)]
pub(super) struct PacedBody {
    body: Incoming,
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

    /// Extends the timer after progress. A body may pause for `idle_max`. Once half of that has passed, it must also
    /// have arrived at the minimum rate.
    fn continues(&mut self, bytes: usize, idle_max: Duration) {
        self.bytes += bytes as u64;
        let now = Instant::now();
        let due = Duration::from_millis(self.bytes.saturating_mul(1000) / RATE_MIN);
        let at_rate = self.began + (idle_max / 2).max(due) + idle_max / 2;
        self.timer.as_mut().reset(at_rate.min(now + idle_max));
    }
}

impl PacedBody {
    pub(super) fn new(body: Incoming, idle_max: Duration) -> Self {
        Self {
            body,
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
            if let (Some(Ok(frame)), Some(pace)) = (&frame, &mut this.pace) {
                let bytes = frame.data_ref().map_or(0, Buf::remaining);
                pace.continues(bytes, this.idle_max);
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(axum::Error::new)));
        }
        let idle_max = this.idle_max;
        let pace = this.pace.get_or_insert_with(|| Pace::begin(idle_max));
        ready!(pace.timer.as_mut().poll(context));
        ListenMetrics::global().slow_bodies.inc();
        Poll::Ready(Some(Err(axum::Error::new(BodyTooSlow))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
