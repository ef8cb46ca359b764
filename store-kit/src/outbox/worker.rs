//! Worker that delivers due messages.

use std::{fmt, num::NonZeroU32, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use futures::{FutureExt as _, StreamExt as _, future, stream};
use service_kit::{
    semconv,
    source::{Clock, Ids},
    trace,
};
use tokio::{
    sync::{Mutex, mpsc, oneshot, watch},
    task::JoinHandle,
    time::{Instant, sleep_until, timeout},
};
use tracing::{Instrument as _, Span, field};

use super::{
    DEFAULT_LANE, End, Ending, Lease, Message, Record,
    metrics::{DEAD, DELIVERED, RETRIED, count},
};
use crate::{database::Database, error::StoreError};

const MINUTE: Duration = Duration::from_mins(1);
/// Maximum outcomes recorded in one transaction. On PostgreSQL each number of them is a prepared statement of its own.
const RECORDED_MAX: usize = 8;

/// Receiver of messages. A message may arrive more than once; its id is the deduplication key.
#[async_trait]
pub trait Deliver: fmt::Debug + Send + Sync {
    /// Hands a message over. Returns once the receiver has stored it.
    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError>;

    /// Returns the pace of the default lane.
    fn pace(&self) -> Pace {
        Pace::default()
    }

    /// Returns the lanes that this receiver serves. Messages in other lanes wait indefinitely.
    fn lanes(&self) -> Vec<Lane> {
        vec![Lane {
            name: DEFAULT_LANE,
            pace: self.pace(),
        }]
    }
}

/// A queue with its own worker and pace; its messages never wait for those of another lane.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// Name in the database and in metrics. Must not change while messages wait in the lane.
    pub name: &'static str,
    /// Delivery rate and retries.
    pub pace: Pace,
}

/// Why a delivery failed. The texts are stored and logged, so they must not contain personal data.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum DeliveryError {
    /// A retry may succeed.
    #[error("{0}")]
    Temporary(String),
    /// No retry can succeed: the message is dead immediately.
    #[error("{0}")]
    Permanent(String),
}

/// Delivery rate, limits and retries.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Poll interval when nothing was due.
    pub poll_interval: Duration,
    /// Maximum messages per lease.
    pub batch_max: u32,
    /// Maximum concurrent deliveries.
    pub concurrency_max: usize,
    /// Maximum deliveries started per minute and process, evenly spaced. `None`: bounded only by the other limits.
    pub per_minute_max: Option<NonZeroU32>,
    /// Timeout of one delivery.
    pub delivery_timeout: Duration,
    /// Attempts before a message is dead.
    pub attempts_max: u32,
    /// Backoff after the first failure. It doubles with each further failure, with jitter of up to ±25 %.
    pub backoff_first: Duration,
    /// Maximum backoff.
    pub backoff_max: Duration,
}

impl Default for Pace {
    /// Returns a pace of 20 attempts over about 20 hours.
    fn default() -> Self {
        Self {
            poll_interval: Duration::from_secs(1),
            batch_max: 64,
            concurrency_max: 8,
            per_minute_max: None,
            delivery_timeout: Duration::from_secs(10),
            attempts_max: 20,
            backoff_first: Duration::from_secs(2),
            backoff_max: Duration::from_hours(2),
        }
    }
}

impl Pace {
    /// Returns the lease duration: long enough for every delivery of a batch to finish.
    fn lease(&self) -> TimeDelta {
        let rounds = self
            .batch_max
            .div_ceil(u32::try_from(self.concurrency_max.max(1)).unwrap_or(1));
        delta(self.delivery_timeout * (rounds + 1) + self.interval() * self.batch_max)
    }

    /// Returns the minimum time between the starts of two deliveries.
    fn interval(&self) -> Duration {
        self.per_minute_max
            .map_or(Duration::ZERO, |deliveries| MINUTE / deliveries.get())
    }

    fn pause(&self, attempts: i64, chance: u128) -> TimeDelta {
        let doublings = u32::try_from(attempts.clamp(1, 32) - 1).unwrap_or_default();
        let pause = self
            .backoff_first
            .saturating_mul(2_u32.saturating_pow(doublings))
            .min(self.backoff_max);
        // 75 to 125 percent.
        let percent = 75 + u32::try_from(chance % 51).unwrap_or_default();
        delta(pause * percent / 100)
    }
}

fn delta(duration: Duration) -> TimeDelta {
    TimeDelta::from_std(duration).unwrap_or(TimeDelta::MAX)
}

/// Spaces out the starts of deliveries.
struct Pacer {
    interval: Duration,
    next: Mutex<Instant>,
}

impl Pacer {
    fn new(pace: &Pace) -> Self {
        Self {
            interval: pace.interval(),
            next: Mutex::new(Instant::now()),
        }
    }

    /// Waits until the next delivery may start.
    async fn turn(&self) {
        if self.interval.is_zero() {
            return;
        }
        let at = {
            let mut next = self.next.lock().await;
            let at = (*next).max(Instant::now());
            *next = at + self.interval;
            at
        };
        sleep_until(at).await;
    }
}

/// Delivers the messages of one lane until it is stopped.
#[derive(Debug)]
pub struct Worker {
    /// Database whose outbox is delivered.
    pub database: Database,
    /// Receiver of the messages.
    pub receiver: Arc<dyn Deliver>,
    /// Lane to serve, and its pace.
    pub lane: Lane,
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// Source of randomness for the backoff jitter.
    pub ids: Arc<dyn Ids>,
}

impl Worker {
    /// Runs until `stopping` is true or its sender is dropped. Deliveries in progress finish first, within their
    /// timeout. Leased messages that were not started are released. Await the task before closing the database, or the
    /// last deliveries will be repeated.
    pub fn start(self, mut stopping: watch::Receiver<bool>) -> JoinHandle<()> {
        tokio::spawn(async move {
            let pacer = Pacer::new(&self.lane.pace);
            while !*stopping.borrow() {
                let worked = match self.deliver_due(&pacer, &stopping).await {
                    Ok(count) => count > 0,
                    Err(error) => {
                        tracing::warn!(
                            error = &error as &dyn std::error::Error,
                            "the outbox was not read"
                        );
                        false
                    }
                };
                if !worked && !pause(self.lane.pace.poll_interval, &mut stopping).await {
                    return;
                }
            }
        })
    }

    /// Leases due messages and delivers them; returns how many were leased.
    ///
    /// # Errors
    /// When the database fails. Leased messages become due again when their lease expires.
    pub async fn round(&self) -> Result<usize, StoreError> {
        let (_never, stopping) = watch::channel(false);
        self.deliver_due(&Pacer::new(&self.lane.pace), &stopping)
            .await
    }

    async fn deliver_due(
        &self,
        pacer: &Pacer,
        stopping: &watch::Receiver<bool>,
    ) -> Result<usize, StoreError> {
        let Lane { name, pace } = self.lane;
        let now = self.clock.now();
        let until = now + pace.lease();
        let lease = Lease {
            lane: name,
            now,
            until,
            messages_max: i64::from(pace.batch_max),
        };
        let messages = self.database.write("UPDATE outbox_messages", lease).await?;
        let count = messages.len();
        let (ended, endings) = mpsc::channel(pace.concurrency_max.max(1));
        let deliveries = async move {
            let deliver = |message| self.deliver_once(message, until, pacer, stopping, &ended);
            stream::iter(messages)
                .for_each_concurrent(pace.concurrency_max.max(1), deliver)
                .await;
        };
        future::join(deliveries, self.record(endings)).await;
        Ok(count)
    }

    /// Delivers a message leased until `until`, and returns once its outcome, sent to `ended`, is recorded. So a crash
    /// repeats at most as many deliveries as may run concurrently.
    async fn deliver_once(
        &self,
        message: Message,
        until: DateTime<Utc>,
        pacer: &Pacer,
        stopping: &watch::Receiver<bool>,
        ended: &mpsc::Sender<(End, oneshot::Sender<()>)>,
    ) {
        let mut stop = stopping.clone();
        tokio::select! {
            Ok(_) = stop.wait_for(|stopping| *stopping) => {}
            () = pacer.turn() => {}
        }
        let now = self.clock.now();
        let (span, ending) = if *stopping.borrow() {
            (Span::none(), Ending::Untried)
        } else if now + delta(self.lane.pace.delivery_timeout) > until {
            // The next lease holder could deliver the message concurrently.
            tracing::warn!(message.id = %message.id, "a lease expired before its message was delivered");
            return;
        } else {
            let span = delivery_span(&message);
            let ending = self.deliver(&message).instrument(span.clone()).await;
            (span, ending)
        };
        let end = End {
            message,
            ending,
            now: self.clock.now(),
            span,
        };
        let (recorded, is_recorded) = oneshot::channel();
        // The receiver outlives all senders.
        let _ = ended.send((end, recorded)).await;
        let _ = is_recorded.await;
    }

    async fn deliver(&self, message: &Message) -> Ending {
        let given = AssertUnwindSafe(self.receiver.deliver(message)).catch_unwind();
        let pace = &self.lane.pace;
        let given = match timeout(pace.delivery_timeout, given).await {
            Ok(Ok(given)) => given,
            Ok(Err(_)) => Err(DeliveryError::Temporary("the delivery panicked".into())),
            Err(_) => {
                let limit_ms = pace.delivery_timeout.as_millis();
                Err(DeliveryError::Temporary(format!(
                    "no answer within {limit_ms} ms"
                )))
            }
        };
        let is_last = message.attempts >= i64::from(pace.attempts_max);
        let (outcome, ending) = match given {
            Ok(()) => (DELIVERED, Ending::Delivered),
            Err(DeliveryError::Temporary(error)) if !is_last => {
                let pause = pace.pause(message.attempts, self.ids.uuid().as_u128());
                (RETRIED, Ending::Later(self.clock.now() + pause, error))
            }
            Err(error) => (DEAD, Ending::Dead(error.to_string())),
        };
        count(self.lane.name, outcome);
        if let Ending::Dead(error) = &ending {
            tracing::error!(message.id = %message.id, message.kind, error, "a message is dead");
        }
        ending
    }

    /// Records outcomes until all senders are gone. Those that arrive during a write share the next one, which belongs
    /// to the trace of the first of them.
    async fn record(&self, mut endings: mpsc::Receiver<(End, oneshot::Sender<()>)>) {
        let mut batch = Vec::new();
        while endings.recv_many(&mut batch, RECORDED_MAX).await > 0 {
            let span = batch[0].0.span.clone();
            let (ends, recorded): (_, Vec<_>) = batch.drain(..).unzip();
            let written = self
                .database
                .write("UPDATE outbox_messages", Record(ends))
                .instrument(span);
            if let Err(error) = written.await {
                // The messages become due again when their lease expires: delivered twice rather than never.
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the outcomes of deliveries were not stored"
                );
            }
            for recorded in recorded {
                // Fails only if the delivery was cancelled.
                let _ = recorded.send(());
            }
        }
    }
}

/// Returns the span of one attempt, within the trace in which the message was written.
fn delivery_span(message: &Message) -> Span {
    let name = format!("process {}", message.kind);
    let span = tracing::info_span!(
        "delivery",
        { semconv::OTEL_NAME } = name,
        { semconv::OTEL_KIND } = "consumer",
        trace_id = field::Empty,
        { semconv::MESSAGING_SYSTEM } = "outbox",
        { semconv::MESSAGING_OPERATION_TYPE } = "process",
        { semconv::MESSAGING_MESSAGE_ID } = %message.id,
        { semconv::MESSAGING_DELIVERY_ATTEMPTS } = message.attempts,
    );
    if let Some(parent) = message.traceparent.as_deref().and_then(trace::parse) {
        trace::set_parent(&span, parent);
    }
    if let Some(context) = trace::position(&span) {
        span.record("trace_id", field::display(context.trace_id()));
    }
    span
}

/// Waits for `duration`, or less if `stopping` changes. Returns false when its sender was dropped.
pub(super) async fn pause(duration: Duration, stopping: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        () = tokio::time::sleep(duration) => true,
        changed = stopping.changed() => changed.is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_doubles_up_to_its_maximum() {
        let pace = Pace::default();
        let pause = |attempts| pace.pause(attempts, 25).num_seconds();
        assert_eq!([pause(1), pause(2), pause(3)], [2, 4, 8]);
        assert_eq!(pause(20), 7200);
        assert_eq!(pause(i64::MAX), 7200);
        assert_eq!(pace.pause(3, 0).num_seconds(), 6);
        assert_eq!(pace.pause(3, 50).num_seconds(), 10);
    }

    #[test]
    fn a_lease_outlasts_its_batch() {
        // 64 messages, 8 at once, 10 s each: 80 s at most, plus time to record the outcomes.
        assert_eq!(Pace::default().lease().num_seconds(), 90);
    }
}
