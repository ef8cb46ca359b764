//! Accepts connections: bounded in number, each with a timeout for its request heads, and drained at shutdown.

use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Duration};

use axum::{body::Body, http::Request, response::Response};
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::GracefulShutdown},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};

use crate::edge::Edge;

/// Requests that one HTTP/2 connection may have open at once.
const STREAMS_PER_CONNECTION_MAX: u32 = 128;
/// Bytes of a request's head at most, in both protocols.
const HEAD_BYTES_MAX: u32 = 16 * 1024;
/// HTTP/2 keep-alive: a dead peer is detected after one interval and one timeout.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(20);
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// Accepting fails when file descriptors run out; they come back when connections end.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// Limits of the listener.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Open connections at most; more wait in the listener's backlog.
    pub connections_max: usize,
    /// Time to send the head of a request, idle time between two included.
    pub header_read_timeout: Duration,
    /// Time for requests under way to finish after the stop signal.
    pub drain: Duration,
}

/// Answers one request.
pub trait Answer: Send + Sync + 'static {
    /// Never fails: a failure is an answer too.
    fn answer(
        self: Arc<Self>,
        request: Request<Body>,
        peer: SocketAddr,
    ) -> impl Future<Output = Response> + Send;
}

impl Answer for Edge {
    async fn answer(self: Arc<Self>, request: Request<Body>, peer: SocketAddr) -> Response {
        self.respond(request, peer).await
    }
}

/// Serves HTTP/1.1 and HTTP/2 (prior knowledge) until `shutdown` ends, then lets requests under way finish.
///
/// Returns whether all of them did in time.
pub async fn serve<A: Answer>(
    listener: TcpListener,
    answerer: Arc<A>,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
) -> bool {
    let connections = Arc::new(Semaphore::new(limits.connections_max));
    let graceful = GracefulShutdown::new();
    let builder = builder(limits.header_read_timeout);
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepted = async {
            // The semaphore is never closed, so a permit always comes.
            let permit = Arc::clone(&connections).acquire_owned().await.ok();
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let answerer = Arc::clone(&answerer);
                let connection = connection(&builder, stream, peer, answerer);
                let connection = graceful.watch(connection);
                tokio::spawn(async move {
                    if let Err(error) = connection.await {
                        tracing::debug!(%error, "a connection ended early");
                    }
                    drop(permit);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_RETRY).await;
            }
        }
    }
    drop(listener);
    tokio::time::timeout(limits.drain, graceful.shutdown())
        .await
        .is_ok()
}

fn builder(header_read_timeout: Duration) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(header_read_timeout)
        .max_buf_size(HEAD_BYTES_MAX as usize)
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_PER_CONNECTION_MAX)
        .max_header_list_size(HEAD_BYTES_MAX)
        .keep_alive_interval(KEEP_ALIVE_INTERVAL)
        .keep_alive_timeout(KEEP_ALIVE_TIMEOUT);
    builder
}

fn connection<A: Answer>(
    builder: &auto::Builder<TokioExecutor>,
    stream: TcpStream,
    peer: SocketAddr,
    answerer: Arc<A>,
) -> impl hyper_util::server::graceful::GracefulConnection<Error: std::fmt::Display> + use<A> {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "the connection will answer with delay");
    }
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let answerer = Arc::clone(&answerer);
        async move { Ok::<_, Infallible>(answerer.answer(request.map(Body::new), peer).await) }
    });
    builder
        .serve_connection(TokioIo::new(stream), service)
        .into_owned()
}
