//! One HTTP/2 connection to one address of an upstream.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::http::{HeaderMap, Method, Request, Response, uri::PathAndQuery};
use bytes::Bytes;
use futures::{FutureExt as _, future::BoxFuture, task::noop_waker_ref};
use h2::{
    Ping, PingPong, Reason, RecvStream, SendStream,
    client::{Builder, ResponseFuture, SendRequest},
};
use http_body::Frame;
use http_body_util::BodyExt as _;
use service_kit::client_tls::ClientTls;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
};
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_util::either::Either;
use tonic::{body::Body, transport::Uri};

/// Timeout for TCP, TLS and the first bytes of HTTP/2 together. On the same network a healthy service takes a few
/// milliseconds.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// An unresponsive peer is detected after one interval and one timeout, even if no call is under way.
const PING_INTERVAL: Duration = Duration::from_secs(2);
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// Bytes that the peer may send before they are read: of one reply, and of all together.
const STREAM_WINDOW: u32 = 2 * 1024 * 1024;
const CONNECTION_WINDOW: u32 = 5 * 1024 * 1024;
/// Handles from which on a connection counts as busy.
const HANDLES_BUSY: usize = 10;
/// Maximum size of a reply's headers in bytes.
const HEADERS_BYTES_MAX: u32 = 16 * 1024;

/// What all addresses of one configured URL have in common.
#[derive(Debug)]
pub(super) struct Target {
    /// Scheme and authority of the calls.
    pub(super) origin: Uri,
    /// For https: the TLS client, and the name that the certificate must have.
    pub(super) tls: Option<(Arc<ClientTls>, ServerName<'static>)>,
}

/// A connection for calls. Cheap to clone; closes when the last clone and the last call are gone.
#[derive(Clone, Debug)]
pub struct Connection {
    sender: SendRequest<Bytes>,
    origin: Uri,
    /// Counts the handles of the connection, about as many as calls under way.
    _handle: Arc<()>,
}

impl Connection {
    /// Connects, and waits for the peer's first bytes: a peer that accepts a connection but stays silent is not up.
    ///
    /// The returned task ends with the connection.
    pub(super) async fn open(
        address: SocketAddr,
        target: &Target,
    ) -> io::Result<(Self, JoinHandle<()>)> {
        let connecting = async {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            let stream = match &target.tls {
                None => Either::Left(stream),
                Some((tls, name)) => {
                    let connector = tls.connector().await;
                    Either::Right(connector.connect(name.clone(), stream).await?)
                }
            };
            begin(stream, target.origin.clone()).await
        };
        tokio::time::timeout(CONNECT_TIMEOUT, connecting).await?
    }

    /// Returns a handle for a call; `None` if the connection is closed or closing.
    pub(super) fn for_call(&self) -> Option<Self> {
        let mut connection = self.clone();
        let mut context = Context::from_waker(noop_waker_ref());
        let polled = connection.sender.poll_ready(&mut context);
        (!matches!(polled, Poll::Ready(Err(_)))).then_some(connection)
    }

    /// Begins a call. After an error, the peer has not seen it.
    pub(super) fn send(
        &mut self,
        path: &PathAndQuery,
        headers: HeaderMap,
    ) -> Result<(ResponseFuture, SendStream<Bytes>), h2::Error> {
        let mut request = Request::new(());
        let mut uri = self.origin.clone().into_parts();
        uri.path_and_query = Some(path.clone());
        // Only a URL with an authority but without a scheme is invalid.
        *request.uri_mut() = Uri::from_parts(uri).unwrap_or_default();
        *request.method_mut() = Method::POST;
        *request.headers_mut() = headers;
        self.sender.send_request(request, false)
    }

    /// Returns the origin that clients over this connection need to build absolute URLs.
    pub fn origin(&self) -> Uri {
        self.origin.clone()
    }
}

async fn begin<S>(stream: S, origin: Uri) -> io::Result<(Connection, JoinHandle<()>)>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (heard, first_bytes) = oneshot::channel();
    let stream = Listening {
        stream,
        heard: Some(heard),
    };
    let handshake = Builder::new()
        .enable_push(false)
        .initial_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_header_list_size(HEADERS_BYTES_MAX)
        .handshake(stream);
    let (sender, mut connection) = handshake.await.map_err(io::Error::other)?;
    let pings = connection.ping_pong();
    // Ends when the peer closes, fails or leaves a ping unanswered, or when neither a handle nor a call is left. Also
    // ends if the wait below is given up. Calls under way fail with it.
    let handles = Arc::new(());
    let batched = batching(connection, Arc::clone(&handles));
    let driver = tokio::spawn(async move {
        let error = tokio::select! {
            ended = batched => ended.err(),
            error = keep_alive(pings) => Some(error),
        };
        if let Some(error) = error {
            tracing::debug!(%error, "upstream connection broke");
        }
    });
    if first_bytes.await.is_err() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let opened = Connection {
        sender,
        origin,
        _handle: handles,
    };
    Ok((opened, driver))
}

/// Drives a connection. While it is busy, tasks that are ready run first, so that their calls share one write. While it
/// is not, that would save nothing, and would wake an idle thread of the runtime.
fn batching<F: Future + Unpin>(
    mut connection: F,
    handles: Arc<()>,
) -> impl Future<Output = F::Output> {
    let mut has_waited = false;
    std::future::poll_fn(move |context| {
        has_waited = !has_waited && Arc::strong_count(&handles) >= HANDLES_BUSY;
        if has_waited {
            // A task that wakes itself goes to the end of the queue.
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        connection.poll_unpin(context)
    })
}

/// Pings the peer until a ping is not answered in time.
async fn keep_alive(pings: Option<PingPong>) -> h2::Error {
    let Some(mut pings) = pings else {
        return std::future::pending().await;
    };
    loop {
        tokio::time::sleep(PING_INTERVAL).await;
        match tokio::time::timeout(PING_TIMEOUT, pings.ping(Ping::opaque())).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return error,
            Err(_) => return Reason::SETTINGS_TIMEOUT.into(),
        }
    }
}

/// For streams by clients of tonic. Sends the request when its body is complete.
impl tower::Service<Request<Body>> for Connection {
    type Response = Response<StreamBody>;
    type Error = tonic::Status;
    type Future = BoxFuture<'static, Result<Self::Response, tonic::Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), tonic::Status>> {
        // A closed connection fails the call.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let mut sender = self.sender.clone();
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let message = body.collect().await?.to_bytes();
            let answer = async {
                let (response, mut request_body) =
                    sender.send_request(Request::from_parts(head, ()), false)?;
                request_body.send_data(message, true)?;
                response.await
            };
            let answer = answer.await;
            let response = answer.map_err(|error| tonic::Status::unavailable(error.to_string()))?;
            Ok(response.map(StreamBody))
        })
    }
}

/// Whether the peer reports that it has not begun to process the call (RFC 9113, 6.8 and 8.7).
pub(super) fn is_unprocessed(error: &h2::Error) -> bool {
    // A stream ends by GOAWAY only if that names an earlier stream as its last.
    let is_refused = error.reason() == Some(Reason::REFUSED_STREAM);
    error.is_remote() && (error.is_go_away() || is_refused)
}

/// Body of a response to a stream's request.
#[derive(Debug)]
pub struct StreamBody(RecvStream);

impl http_body::Body for StreamBody {
    type Data = Bytes;
    type Error = h2::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, h2::Error>>> {
        if let Some(data) = ready!(self.0.poll_data(context)) {
            return Poll::Ready(Some(data.map(|data| {
                // Fails only if the stream has ended.
                self.0.flow_control().release_capacity(data.len()).ok();
                Frame::data(data)
            })));
        }
        let trailers = ready!(self.0.poll_trailers(context)).transpose();
        Poll::Ready(trailers.map(|trailers| trailers.map(Frame::trailers)))
    }
}

/// Signals the arrival of the first bytes.
struct Listening<S> {
    stream: S,
    heard: Option<oneshot::Sender<()>>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Listening<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before
            && let Some(heard) = self.heard.take()
        {
            // The receiver is gone if the wait was given up.
            let _ = heard.send(());
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Listening<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
