//! One HTTP/2 connection to one address of an upstream.

use std::{
    error::Error,
    fmt, io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures::future::BoxFuture;
use hyper::{body::Incoming, client::conn::http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
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
    sender: http2::SendRequest<Body>,
    origin: Uri,
}

/// Error of a call that got no answer over its connection.
#[derive(Debug)]
pub struct TransportError {
    source: hyper::Error,
    /// Not processed: never written, or reported by the upstream as not processed (RFC 9113, 6.8 and 8.7).
    pub(super) is_unsent: bool,
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connection: {}", self.source)
    }
}

impl Error for TransportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
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

    pub(super) fn is_closed(&self) -> bool {
        self.sender.is_closed()
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
    let (sender, connection) = http2::Builder::new(TokioExecutor::new())
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_TIMEOUT)
        .keep_alive_while_idle(true)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(io::Error::other)?;
    // Ends when the peer closes or fails, or when neither a sender nor a call is left. Also ends if the wait below is
    // given up.
    let driver = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "upstream connection broke");
        }
    });
    if first_bytes.await.is_err() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok((Connection { sender, origin }, driver))
}

impl tower::Service<http::Request<Body>> for Connection {
    type Response = http::Response<Incoming>;
    type Error = TransportError;
    type Future = BoxFuture<'static, Result<Self::Response, TransportError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        // A closed connection returns the request to the caller.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let sent = self.sender.try_send_request(request);
        Box::pin(async move {
            sent.await.map_err(|mut error| {
                let is_back = error.take_message().is_some();
                let source = error.into_error();
                TransportError {
                    is_unsent: is_back || is_untouched(&source),
                    source,
                }
            })
        })
    }
}

/// Whether the peer reports that it has not begun to process the call.
fn is_untouched(error: &hyper::Error) -> bool {
    let cause = error
        .source()
        .and_then(|source| source.downcast_ref::<h2::Error>());
    cause.is_some_and(|cause| {
        let is_refused = cause.reason() == Some(h2::Reason::REFUSED_STREAM);
        // A stream ends this way only if the peer's GOAWAY names an earlier stream as its last.
        cause.is_remote() && (cause.is_go_away() || is_refused)
    })
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
