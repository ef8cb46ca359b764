//! The task that delivers what waits.

use std::{fmt, num::NonZeroU32, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use futures::{FutureExt as _, StreamExt as _, stream};
use service_kit::{
    semconv,
    source::{Clock, Ids},
    trace,
};
use tokio::{
    sync::{Mutex, watch},
    task::JoinHandle,
    time::{Instant, sleep_until, timeout},
};
use tracing::{Instrument as _, Span, field};

use super::{
    DEFAULT_LANE, End, Ending, Lease, Message,
    observed::{DEAD, DELIVERED, RETRIED, count},
};
use crate::{database::Database, error::StoreError};

const MINUTE: Duration = Duration::from_mins(1);

/// The receiver of messages. A message may come again: its id is the key of deduplication.
#[async_trait]
pub trait Deliver: fmt::Debug + Send + Sync {
    /// Hands a message over. It returns once the receiver has kept it.
    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError>;

    /// How fast it is given the messages of the default lane.
    fn pace(&self) -> Pace {
        Pace::default()
    }

    /// The lanes that it serves. A message in any other lane waits without end.
    fn lanes(&self) -> Vec<Lane> {
        vec![Lane {
            name: DEFAULT_LANE,
            pace: self.pace(),
        }]
    }
}

/// A queue with a worker and a pace of its own: its messages never wait for those of another lane.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// In the database and in metrics. Never changes while messages wait in it.
    pub name: &'static str,
    /// How fast it is delivered.
    pub pace: Pace,
}

/// Why a message was not taken. The texts are kept and logged, so they hold no personal data.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum DeliveryError {
    /// Another try may do.
    #[error("{0}")]
    Temporary(String),
    /// It never will be taken: dead at once.
    #[error("{0}")]
    Permanent(String),
}

/// How fast deliveries are made and repeated.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How often the table is looked at when nothing was due.
    pub poll_interval: Duration,
    /// Messages that are leased at once.
    pub batch_max: u32,
    /// Deliveries at once.
    pub concurrency_max: usize,
    /// Deliveries that one process begins in a minute, evenly spaced. `None`: as many as the others allow.
    pub per_minute_max: Option<NonZeroU32>,
    /// A delivery may take this long.
    pub delivery_timeout: Duration,
    /// Tries before a message is dead.
    pub attempts_max: u32,
    /// Pause after the first failure; it doubles with each, with up to a quarter more or less by chance.
    pub backoff_first: Duration,
    /// Longest pause.
    pub backoff_max: Duration,
}

impl Default for Pace {
    /// 20 tries over some 20 hours.
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
    /// Every delivery of a batch has time to end before its lease does.
    fn lease(&self) -> TimeDelta {
        let rounds = self
            .batch_max
            .div_ceil(u32::try_from(self.concurrency_max.max(1)).unwrap_or(1));
        delta(self.delivery_timeout * (rounds + 1) + self.interval() * self.batch_max)
    }

    /// Between the beginnings of two deliveries.
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

pub(super) fn delta(duration: Duration) -> TimeDelta {
    TimeDelta::from_std(duration).unwrap_or(TimeDelta::MAX)
}

/// Spaces the beginnings of deliveries.
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

    /// Returns at the time of the next delivery.
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
    /// What is delivered from.
    pub database: Database,
    /// To whom.
    pub receiver: Arc<dyn Deliver>,
    /// Which messages, and how fast.
    pub lane: Lane,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Chance, for the pauses.
    pub ids: Arc<dyn Ids>,
}

impl Worker {
    /// Runs until `stopping` is true or its sender is gone. Deliveries under way end first, within their time-out; what was leased and
    /// not begun is given back. Wait for the task before the database is closed, or what is delivered last comes again.
    pub fn start(self, mut stopping: watch::Receiver<bool>) -> JoinHandle<()> {
        tokio::spawn(async move {
            let pacer = Pacer::new(&self.lane.pace);
            while !*stopping.borrow() {
                let worked = match self.deliver_due(&pacer, &stopping).await {
                    Ok(count) => count > 0,
                    Err(error) => {
                        tracing::warn!(
                            error = &error as &dyn std::error::Error,
                            "the outbox cannot be read"
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

    /// Leases what is due and delivers it; gives how many messages were leased.
    ///
    /// # Errors
    /// When the database fails. What was leased is due again at the end of its lease.
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
        stream::iter(messages)
            .for_each_concurrent(pace.concurrency_max.max(1), |message| async move {
                let mut stop = stopping.clone();
                tokio::select! {
                    Ok(_) = stop.wait_for(|stopping| *stopping) => {}
                    () = pacer.turn() => {}
                }
                if *stopping.borrow() {
                    self.keep(message, Ending::Untried, self.clock.now()).await;
                } else if self.clock.now() + delta(pace.delivery_timeout) > until {
                    // Whoever leases it next would deliver it at the same time.
                    tracing::warn!(message.id = %message.id, "a lease was over before its message's turn");
                } else {
                    self.deliver(message).await;
                }
            })
            .await;
        Ok(count)
    }

    async fn deliver(&self, message: Message) {
        let span = delivery_span(&message);
        self.deliver_traced(message).instrument(span).await;
    }

    async fn deliver_traced(&self, message: Message) {
        let given = AssertUnwindSafe(self.receiver.deliver(&message)).catch_unwind();
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
        let now = self.clock.now();
        let is_last = message.attempts >= i64::from(pace.attempts_max);
        let (outcome, ending) = match given {
            Ok(()) => (DELIVERED, Ending::Delivered),
            Err(DeliveryError::Temporary(error)) if !is_last => {
                let pause = pace.pause(message.attempts, self.ids.uuid().as_u128());
                (RETRIED, Ending::Later(now + pause, error))
            }
            Err(error) => (DEAD, Ending::Dead(error.to_string())),
        };
        count(self.lane.name, outcome);
        if let Ending::Dead(error) = &ending {
            tracing::error!(message.id = %message.id, message.kind, error, "a message is dead");
        }
        self.keep(message, ending, now).await;
    }

    async fn keep(&self, message: Message, ending: Ending, now: DateTime<Utc>) {
        let end = End {
            message,
            ending,
            now,
        };
        if let Err(error) = self.database.write("UPDATE outbox_messages", end).await {
            // It is due again at the end of its lease: delivered twice rather than never.
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the end of a delivery was not kept"
            );
        }
    }
}

/// The span of one try, in the trace in which the message was written.
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

/// Waits, and not longer than until there is word of stopping; false when there can be no more word.
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
    fn pauses_grow_and_are_bounded() {
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
        // 64 messages, 8 at once, 10 s each: 80 s at most, and some time to keep how each ended.
        assert_eq!(Pace::default().lease().num_seconds(), 90);
    }
}
