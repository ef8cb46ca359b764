//! Rate limits of several gateways, in a Redis that they share.
//!
//! Redis is optional. A late or wrong answer ends its connection, and the gateway counts alone until there is a new
//! one, a second later at the earliest. One connection is enough, because requests and answers are pipelined in it. (A
//! connection manager would do, but keeps a connection whose peer has gone silent.)

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use arc_swap::ArcSwapOption;
use redis::{
    AsyncConnectionConfig, Client, IntoConnectionInfo, RedisError, Script,
    aio::MultiplexedConnection,
};
use ring::hmac;
use tokio::{
    sync::{Notify, Semaphore},
    task::AbortHandle,
    time::timeout,
};

use super::{
    local::{Claim, LimitState, Verdict},
    metrics::RateMetrics,
    quotas::{Caller, Limit},
};

/// Pause before the next connection after Redis failed.
const PAUSE: Duration = Duration::from_secs(1);
/// Maximum time for a new connection, with the script loaded over it.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(1);
/// Maximum concurrent requests that wait for Redis; others are decided by this gateway.
const WAITING_MAX: usize = 1024;
/// Minimum time between two log lines about losing or regaining Redis.
const LINES_PAUSE: Duration = Duration::from_secs(30);
/// Bytes of a hashed key: enough that no two callers share one.
const KEY_BYTES: usize = 16;

/// A Redis server and its credentials.
#[derive(Clone)]
pub struct Server {
    client: Client,
    /// User name and password of its URL.
    credentials: String,
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the password.
        let info = self.client.get_connection_info();
        write!(formatter, "Server({})", info.addr())
    }
}

/// Parses `REDIS_URL`.
///
/// # Errors
/// The expected form. Never the given value, because it may contain a password.
pub(crate) fn server(url: &str) -> Result<Server, &'static str> {
    let expected = "expected redis://user:password@host:port/database, rediss:// for TLS, or redis+unix:///path";
    let info = url.into_connection_info().map_err(|_| expected)?;
    let settings = info.redis_settings();
    let credentials = [settings.username(), settings.password()];
    let credentials = credentials.map(Option::unwrap_or_default).join(":");
    let client = Client::open(info).map_err(|_| expected)?;
    Ok(Server {
        client,
        credentials,
    })
}

/// The current connection, if there is one.
#[derive(Debug, Default)]
struct Slot {
    connection: ArcSwapOption<Connected>,
    /// Notified once, by the task that removes the connection.
    lost: Notify,
}

struct Connected(MultiplexedConnection);

impl fmt::Debug for Connected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Connected")
    }
}

/// The shared limiter, as one gateway sees it.
#[derive(Debug)]
pub(crate) struct Shared {
    script: Arc<Script>,
    slot: Arc<Slot>,
    connector: AbortHandle,
    waiting: Semaphore,
    hash: hmac::Key,
    time_max: Duration,
    metrics: &'static RateMetrics,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.connector.abort();
    }
}

impl Shared {
    /// Starts to connect; until that succeeds, [`Self::take`] returns `None`. `time_max` limits the wait for an answer.
    pub(crate) fn start(
        server: &Server,
        hash_secret: Option<&str>,
        time_max: Duration,
        metrics: &'static RateMetrics,
    ) -> Self {
        let script = Arc::new(Script::new(include_str!("count.lua")));
        let slot = Arc::<Slot>::default();
        let connector = Connector {
            client: server.client.clone(),
            script: Arc::clone(&script),
            slot: Arc::clone(&slot),
            metrics,
            line_at: None,
            was_connected: None,
        };
        let secret = hash_secret.unwrap_or(&server.credentials);
        Self {
            script,
            slot,
            connector: tokio::spawn(connector.keep()).abort_handle(),
            waiting: Semaphore::new(WAITING_MAX),
            hash: hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()),
            time_max,
            metrics,
        }
    }

    /// Counts a request for all of its limits, unless one is exhausted. Returns `None` if Redis cannot decide now.
    pub(crate) async fn take(&self, caller: &Caller<'_>, claims: &[Claim]) -> Option<Verdict> {
        let current = self.slot.connection.load_full();
        let permit = self.waiting.try_acquire();
        let (Some(current), Ok(_permit)) = (current, permit) else {
            self.metrics.redis("skipped");
            return None;
        };
        let mut call = self.script.prepare_invoke();
        for claim in claims {
            let quota = claim.quota;
            call.key(self.key(caller, claim.limit));
            call.arg(quota.max)
                .arg(quota.memory_ms())
                .arg(quota.step_ms);
        }
        let mut connection = current.0.clone();
        let answer = timeout(
            self.time_max,
            call.invoke_async::<Vec<u64>>(&mut connection),
        )
        .await;
        let outcome = match answer {
            Ok(Ok(answer)) => match verdict(&answer, claims) {
                Some(verdict) => {
                    self.metrics.redis("decided");
                    return Some(verdict);
                }
                None => "error",
            },
            Ok(Err(error)) => {
                // Its text may contain what was sent: a hash and numbers.
                tracing::debug!(%error, "Redis failed");
                "error"
            }
            Err(_) => "late",
        };
        self.metrics.redis(outcome);
        self.give_up(&current);
        None
    }

    /// Removes the failed connection, once. Other requests that waited for it may find it gone or replaced.
    fn give_up(&self, failed: &Arc<Connected>) {
        let before = self.slot.connection.compare_and_swap(failed, None);
        if before.as_ref().is_some_and(|b| Arc::ptr_eq(b, failed)) {
            self.slot.lost.notify_one();
        }
    }

    /// Returns `rate:LIMIT:HASH`. The key reveals no address without the secret.
    fn key(&self, caller: &Caller<'_>, limit: Limit) -> Vec<u8> {
        let (network, rest) = caller.key(limit);
        let mut hash = hmac::Context::with_key(&self.hash);
        hash.update(limit.label().as_bytes());
        hash.update(&network);
        hash.update(rest);
        let hash = hash.sign();
        let mut key = format!("rate:{}:", limit.label()).into_bytes();
        key.extend_from_slice(&hash.as_ref()[..KEY_BYTES]);
        key
    }
}

/// Parses the script's result.
fn verdict(answer: &[u64], claims: &[Claim]) -> Option<Verdict> {
    let (taken, logs) = answer.split_first()?;
    if logs.len() != 2 * claims.len() {
        return None;
    }
    let state = |(claim, log): (&Claim, &[u64])| LimitState {
        limit: claim.limit,
        quota: claim.quota,
        left: claim
            .quota
            .max
            .saturating_sub(u32::try_from(log[0]).unwrap_or(u32::MAX)),
        reset_ms: u32::try_from(log[1]).unwrap_or(u32::MAX),
    };
    let states = claims.iter().zip(logs.chunks_exact(2)).map(state).collect();
    Some(match taken {
        1 => Verdict::Accepted(states),
        _ => Verdict::Refused(states),
    })
}

/// Keeps a connection open, and replaces one that is lost.
struct Connector {
    client: Client,
    script: Arc<Script>,
    slot: Arc<Slot>,
    metrics: &'static RateMetrics,
    line_at: Option<Instant>,
    was_connected: Option<bool>,
}

impl Connector {
    async fn keep(mut self) {
        loop {
            match timeout(CONNECT_TIME_MAX, self.connect()).await {
                Ok(Ok(connection)) => {
                    let connected = Arc::new(Connected(connection));
                    self.slot.connection.store(Some(connected));
                    self.say(true);
                    self.slot.lost.notified().await;
                }
                Ok(Err(error)) => tracing::debug!(%error, "no connection to Redis"),
                Err(_) => tracing::debug!("no connection to Redis in time"),
            }
            self.say(false);
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Opens a connection over which Redis has answered.
    async fn connect(&self) -> Result<MultiplexedConnection, RedisError> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIME_MAX))
            .set_response_timeout(Some(CONNECT_TIME_MAX))
            .set_pipeline_buffer_size(WAITING_MAX);
        let connecting = self
            .client
            .get_multiplexed_async_connection_with_config(&config);
        let mut connection = connecting.await?;
        self.script.load_async(&mut connection).await?;
        Ok(connection)
    }

    fn say(&mut self, is_connected: bool) {
        self.metrics.redis_connected(is_connected);
        if self.was_connected.replace(is_connected) == Some(is_connected) {
            return;
        }
        let now = Instant::now();
        let is_early = |at: Instant| now.duration_since(at) < LINES_PAUSE;
        if self.line_at.is_some_and(is_early) {
            return;
        }
        self.line_at = Some(now);
        if is_connected {
            tracing::info!("rates are counted in Redis");
        } else {
            tracing::warn!("rates are counted by this gateway alone: Redis does not reply in time");
        }
    }
}
