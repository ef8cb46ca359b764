//! Connections to the RPC port: limited in number, with or without TLS, each with a time limit for its handshake.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures::{Stream, stream};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinSet,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tokio_util::either::Either;
use tonic::transport::server::{Connected, TcpConnectInfo};

use super::{
    refusals::{Refusal, Refusals},
    tls::ServerTls,
};

/// Maximum open connections; further ones wait in the listener's backlog. Callers are programs that keep one connection
/// each.
const CONNECTIONS_MAX: usize = 1024;
/// Time limit of the TLS handshake, or without TLS of the first byte; HTTP/2 sets no such limit.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
/// Start of an HTTP/2 client's connection (RFC 9113, 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Pause after a failed accept: file descriptors have run out and return when connections end.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// Accepts connections from a listener.
pub(super) struct Incoming {
    pub(super) listener: TcpListener,
    pub(super) tls: Option<Arc<ServerTls>>,
    pub(super) refusals: Arc<Refusals>,
}

impl Incoming {
    /// Returns an endless stream of connections. Dropping it closes the listener, so callers no longer connect to a
    /// stopping process.
    pub(super) fn connections(self) -> impl Stream<Item = io::Result<Connection>> {
        let permits = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        stream::unfold(
            (self, permits, JoinSet::new()),
            |(incoming, permits, mut handshakes)| async move {
                let connection = incoming.next(&permits, &mut handshakes).await;
                Some((Ok(connection), (incoming, permits, handshakes)))
            },
        )
    }

    async fn next(
        &self,
        permits: &Arc<Semaphore>,
        handshakes: &mut JoinSet<io::Result<Connection>>,
    ) -> Connection {
        loop {
            let accepted = async {
                // The semaphore is never closed, so acquiring never fails.
                let permit = Arc::clone(permits).acquire_owned().await.ok();
                (permit, self.listener.accept().await)
            };
            tokio::select! {
                Some(ended) = handshakes.join_next() => match ended {
                    Ok(Ok(connection)) => return connection,
                    Ok(Err(error)) => {
                        tracing::debug!(%error, "a handshake failed");
                        // A probe that connects and closes was not refused.
                        if error.kind() != io::ErrorKind::UnexpectedEof {
                            self.refusals.add(Refusal::Handshake);
                        }
                    }
                    Err(error) => tracing::error!(%error, "a handshake panicked"),
                },
                (permit, accepted) = accepted => match accepted {
                    Ok((stream, _)) => {
                        let tls = self.tls.as_ref().map(|tls| tls.acceptor());
                        handshakes.spawn(handshake(stream, tls, permit));
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(ACCEPT_RETRY).await;
                    }
                },
            }
        }
    }
}

async fn handshake(
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    permit: Option<OwnedSemaphorePermit>,
) -> io::Result<Connection> {
    // Set here, because the server's own setting does not apply to connections of a listener opened elsewhere. Without
    // it, most responses wait about 40 ms for an acknowledgement.
    stream.set_nodelay(true)?;
    let info = stream.connect_info();
    let handshake = async {
        match tls {
            Some(tls) => tls.accept(stream).await.map(Either::Right),
            None => begin(stream).await.map(Either::Left),
        }
    };
    let io = tokio::time::timeout(HANDSHAKE_TIMEOUT, handshake).await??;
    Ok(Connection {
        io,
        info,
        _permit: permit,
    })
}

/// Waits for the first bytes, which distinguish HTTP/2 from a browser's clear-text HTTP/1.1. The bytes stay unread.
async fn begin(stream: TcpStream) -> io::Result<TcpStream> {
    let mut start = [0; PREFACE.len()];
    match stream.peek(&mut start).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        length if PREFACE.starts_with(&start[..length]) => Ok(stream),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "not HTTP/2")),
    }
}

/// An open connection; holds one of the [`CONNECTIONS_MAX`] permits.
#[derive(Debug)]
pub(super) struct Connection {
    io: Either<TcpStream, TlsStream<TcpStream>>,
    info: TcpConnectInfo,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.info.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
}
