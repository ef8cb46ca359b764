//! Accepts and serves connections until shutdown: limited in number and in the time of each stage, drained at the end.

use std::{
    convert::Infallible,
    fmt, io,
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::Poll,
    time::Duration,
};

use axum::{
    body::Body,
    http::{Request, Response},
};
use futures::FutureExt;
use gateway_edge::Edge;
use gateway_http::problem::Problem;
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use service_kit::{network::Network, server::tls::ServerTls};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{either::Either, task::TaskTracker};

use super::{
    activity::{Activity, Order},
    answer_body::UnderWay,
    config::ListenConfig,
    exchange::{Exchanges, Handler},
    head_guard::HeadGuard,
    metrics::{Closed, ListenMetrics},
    proxy_protocol::{self, Source},
    slots::{ConnectionSlot, ConnectionSlots},
    sockets,
    stream::WatchedStream,
};

/// Maximum concurrent requests of one HTTP/2 connection.
const STREAMS_PER_CONNECTION_MAX: u32 = 128;
/// Maximum HTTP/2 requests that a client reset before they were accepted, and maximum that were refused as malformed.
/// Beyond either, the connection ends ("rapid reset").
const RESET_STREAMS_MAX: usize = 20;
const WRONG_STREAMS_MAX: usize = 64;
/// Maximum bytes of a request's head, in both protocols.
const HEAD_BYTES_MAX: u32 = 16 * 1024;
/// HTTP/2 keep-alive: a dead peer is detected after one interval and one timeout.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause after accepting failed for lack of file descriptors, which become free when connections end.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);
/// Number of waiting connections closed when accepting fails, to free descriptors.
const ROOM_AFTER_ERROR: usize = 8;

impl Handler for Edge {
    async fn answer(self: Arc<Self>, request: Request<Body>, peer: SocketAddr) -> Response<Body> {
        self.respond(request, peer).await
    }

    fn refuse(&self, problem: Problem) -> Response<Body> {
        Self::refuse(self, problem)
    }
}

/// One listener and the state of its connections.
pub struct Connections<A> {
    listener: TcpListener,
    door: Arc<Door<A>>,
    /// Accepted, but without a slot yet.
    waiting: Option<(TcpStream, SocketAddr)>,
    lame_duck: Duration,
    drain: Duration,
}

/// State that all connections of a listener share.
struct Door<A> {
    slots: Arc<ConnectionSlots>,
    exchanges: Arc<Exchanges<A>>,
    tls: Option<Arc<ServerTls>>,
    proxies: Vec<Network>,
    http: auto::Builder<TokioExecutor>,
    metrics: &'static ListenMetrics,
}

impl<A> fmt::Debug for Connections<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").finish_non_exhaustive()
    }
}

impl<A: Handler> Connections<A> {
    /// Does not accept connections before [`Self::serve`]. Those of `trusted_proxies` have no limit for each address.
    pub fn new(
        listener: TcpListener,
        answerer: Arc<A>,
        config: &ListenConfig,
        tls: Option<Arc<ServerTls>>,
        trusted_proxies: Vec<Network>,
    ) -> Self {
        let times = config.times();
        let network_max = config.address_connections_max;
        let open_max = sockets::connections_max(config.connections_max);
        let exchanges = Exchanges {
            answerer,
            body_idle: times.body_idle,
            is_lame: AtomicBool::new(false),
        };
        Self {
            listener,
            door: Arc::new(Door {
                slots: ConnectionSlots::new(open_max, network_max, trusted_proxies, times),
                exchanges: Arc::new(exchanges),
                tls,
                proxies: config.proxy_protocol_from.clone(),
                http: http(),
                metrics: ListenMetrics::global(),
            }),
            waiting: None,
            lame_duck: Duration::from_millis(config.lame_duck_ms),
            drain: Duration::from_millis(config.shutdown_drain_ms_max),
        }
    }

    /// Returns a function that renders the state for operators, in one line.
    pub fn detail(&self) -> impl Fn() -> String + Clone + Send + Sync + 'static {
        let door = Arc::clone(&self.door);
        move || {
            let is_lame = door.exchanges.is_lame.load(Relaxed);
            let stopping = if is_lame { ", stopping" } else { "" };
            format!("connections {}{stopping}\n", door.slots.count())
        }
    }

    /// Serves HTTP/1.1 and HTTP/2 until `shutdown` ends. Then serves for the lame-duck period, while balancers notice
    /// that the process is not ready. After that it accepts no more connections and lets requests under way finish.
    ///
    /// Returns whether all of them finished within the drain time.
    pub async fn serve(self, shutdown: impl Future<Output = ()>) -> bool {
        let slots = Arc::clone(&self.door.slots);
        tokio::select! {
            is_drained = self.run(shutdown) => is_drained,
            never = slots.watch() => match never {},
        }
    }

    async fn run(mut self, shutdown: impl Future<Output = ()>) -> bool {
        let tasks = TaskTracker::new();
        tokio::select! {
            never = self.take(&tasks) => match never {},
            () = shutdown => {}
        }
        self.door.exchanges.is_lame.store(true, Relaxed);
        let lame_duck = self.lame_duck;
        tokio::select! {
            never = self.take(&tasks) => match never {},
            () = tokio::time::sleep(lame_duck) => {}
        }
        if let Err(error) = take_queue(&self.door, &tasks, self.waiting, self.listener) {
            tracing::debug!(%error, "connections in the accept queue were lost");
        }
        self.door.slots.order_all(Order::Finish);
        tasks.close();
        let is_drained = tokio::time::timeout(self.drain, tasks.wait()).await.is_ok();
        self.door.slots.order_all(Order::Abort);
        is_drained
    }

    /// Accepts connections forever. Cancel safe: dropping the future loses no connection.
    async fn take(&mut self, tasks: &TaskTracker) -> Infallible {
        loop {
            if self.waiting.is_none() {
                match self.listener.accept().await {
                    Ok(accepted) => self.waiting = Some(accepted),
                    Err(error) => self.accept_failed(&error).await,
                }
            }
            if let Some((_, peer)) = &self.waiting {
                let slot = self.door.slots.take(peer.ip()).await;
                let waiting = self.waiting.take();
                if let (Some((stream, peer)), Some(slot)) = (waiting, slot) {
                    self.door.spawn(tasks, stream, peer, slot);
                }
            }
        }
    }

    async fn accept_failed(&self, error: &io::Error) {
        self.door.metrics.accept_errors.inc();
        tracing::debug!(%error, "a connection could not be accepted");
        self.door.slots.make_room(ROOM_AFTER_ERROR, 0);
        tokio::time::sleep(ACCEPT_RETRY).await;
    }
}

/// Serves the connections in the kernel's queue, whose clients already count as connected, and closes the listener.
/// Calls the kernel directly, because the runtime's view of the queue may be out of date.
fn take_queue<A: Handler>(
    door: &Arc<Door<A>>,
    tasks: &TaskTracker,
    waiting: Option<(TcpStream, SocketAddr)>,
    listener: TcpListener,
) -> io::Result<()> {
    let listener = listener.into_std()?;
    let queue = std::iter::from_fn(|| listener.accept().ok());
    let queue = queue.map(|(stream, peer)| -> io::Result<_> {
        stream.set_nonblocking(true)?;
        Ok((TcpStream::from_std(stream)?, peer))
    });
    for connected in waiting.map(Ok).into_iter().chain(queue) {
        let (stream, peer) = connected?;
        match door.slots.take(peer.ip()).now_or_never() {
            Some(Some(slot)) => door.spawn(tasks, stream, peer, slot),
            Some(None) => {}
            None => break,
        }
    }
    Ok(())
}

impl<A: Handler> Door<A> {
    fn spawn(
        self: &Arc<Self>,
        tasks: &TaskTracker,
        stream: TcpStream,
        peer: SocketAddr,
        slot: ConnectionSlot,
    ) {
        tasks.spawn(Arc::clone(self).run(stream, peer, slot));
    }

    async fn run(self: Arc<Self>, stream: TcpStream, peer: SocketAddr, mut slot: ConnectionSlot) {
        let activity = Arc::clone(slot.activity());
        let stream = WatchedStream::new(stream, Arc::clone(&activity));
        let opening = self.open(stream, peer, &mut slot);
        let (stream, peer) = match or_aborted(&activity, opening).await {
            Some(Ok(open)) => open,
            Some(Err(NotOpened::Refused(reason))) => return self.metrics.closed(reason),
            // Probes connect and close.
            Some(Err(NotOpened::Io(error))) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return;
            }
            Some(Err(NotOpened::Io(error))) => {
                tracing::debug!(%error, "a connection ended before it was one");
                return self.metrics.closed(Closed::BadHandshake);
            }
            None => {
                if activity.order() == Order::MakeRoom {
                    self.metrics.closed(Closed::MadeRoom);
                }
                return;
            }
        };
        activity.opened();
        self.converse(stream, peer, &activity).await;
    }

    /// Performs the steps before HTTP: client address, limit of its network, and TLS.
    async fn open(
        &self,
        mut stream: WatchedStream,
        mut peer: SocketAddr,
        slot: &mut ConnectionSlot,
    ) -> Result<(Stream, SocketAddr), NotOpened> {
        let is_proxy = |proxy: &Network| proxy.contains(peer.ip());
        if self.proxies.iter().any(is_proxy) {
            // A header without an address belongs to the balancer's own health check, which has no limit.
            if let Source::Client(source) = proxy_protocol::read(&mut stream).await? {
                peer = source;
                settle(slot, peer)?;
            }
        } else {
            settle(slot, peer)?;
        }
        let stream = match &self.tls {
            Some(tls) => Either::Right(tls.acceptor().accept(stream).await?),
            None => Either::Left(stream),
        };
        let activity = Arc::clone(slot.activity());
        Ok((HeadGuard::new(stream, activity), peer))
    }

    /// Serves requests until either side ends the connection.
    async fn converse(&self, stream: Stream, peer: SocketAddr, activity: &Arc<Activity>) {
        let exchanges = Arc::clone(&self.exchanges);
        let of_requests = Arc::clone(activity);
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let under_way = UnderWay::begin(&of_requests, request.version());
            let exchanges = Arc::clone(&exchanges);
            async move {
                let answer = exchanges.exchange(request, peer, under_way).await;
                Ok::<_, Infallible>(answer)
            }
        });
        let connection = self.http.serve_connection(TokioIo::new(stream), service);
        let mut connection = pin!(connection);
        let mut is_told = false;
        std::future::poll_fn(|context| {
            activity.register(context);
            if activity.order() == Order::Abort {
                return Poll::Ready(());
            }
            // Received bytes come first: a request that was sent is answered.
            let mut served = connection.as_mut().poll(context);
            if served.is_pending() {
                match activity.order() {
                    Order::None => return Poll::Pending,
                    Order::MakeRoom if activity.waits_since_ms().is_none() => {
                        activity.withdraw_make_room();
                        return Poll::Pending;
                    }
                    Order::MakeRoom => {
                        self.metrics.closed(Closed::MadeRoom);
                        return Poll::Ready(());
                    }
                    Order::Abort => return Poll::Ready(()),
                    Order::Finish if is_told || activity.may_send_first_request() => {
                        return Poll::Pending;
                    }
                    Order::Finish => {}
                }
                is_told = true;
                if activity.waits_since_ms().is_some() {
                    activity.announce_end();
                }
                connection.as_mut().graceful_shutdown();
                served = connection.as_mut().poll(context);
            }
            served.map(|served| {
                if let Err(error) = served {
                    if is_ping_timeout(&*error) {
                        self.metrics.closed(Closed::Ping);
                    }
                    tracing::debug!(%error, "connection ended early");
                }
            })
        })
        .await;
    }
}

type Stream = HeadGuard<Either<WatchedStream, tokio_rustls::server::TlsStream<WatchedStream>>>;

/// Reason why a connection was not opened.
enum NotOpened {
    Refused(Closed),
    Io(io::Error),
}

impl From<io::Error> for NotOpened {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn settle(slot: &mut ConnectionSlot, peer: SocketAddr) -> Result<(), NotOpened> {
    if slot.settle(peer.ip()) {
        Ok(())
    } else {
        Err(NotOpened::Refused(Closed::AddressFull))
    }
}

/// Runs `work`, unless the connection is ordered to end first. At this stage nothing is lost by that.
async fn or_aborted<T>(activity: &Activity, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    std::future::poll_fn(|context| {
        activity.register(context);
        match activity.order() {
            Order::Abort | Order::MakeRoom => Poll::Ready(None),
            Order::None | Order::Finish => work.as_mut().poll(context).map(Some),
        }
    })
    .await
}

/// Whether a ping timed out: hyper has no other time limit here.
fn is_ping_timeout(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<hyper::Error>();
    error.is_some_and(hyper::Error::is_timeout)
}

/// Sets no time limits except HTTP/2 keep-alive: [`ConnectionSlots::watch`] enforces the others.
fn http() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .header_read_timeout(None)
        .max_buf_size(HEAD_BYTES_MAX as usize)
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_PER_CONNECTION_MAX)
        .max_pending_accept_reset_streams(RESET_STREAMS_MAX)
        .max_local_error_reset_streams(WRONG_STREAMS_MAX)
        .max_header_list_size(HEAD_BYTES_MAX)
        .keep_alive_interval(KEEP_ALIVE_INTERVAL)
        .keep_alive_timeout(KEEP_ALIVE_TIMEOUT);
    builder
}
