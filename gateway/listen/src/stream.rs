//! A socket that reports its reads and writes to the connection's [`Activity`]. It is below TLS, so that it sees the
//! client's bytes and not what TLS makes of them.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};

use super::activity::{Activity, Order};

/// After the last answer, remaining input is discarded for at most this long, and up to this many bytes.
const LINGER_TIME_MAX: Duration = Duration::from_secs(1);
const LINGER_BYTES_MAX: usize = 16 * 1024 * 1024;
const LINGER_BUFFER_BYTES: usize = 16 * 1024;

/// The socket of a connection.
#[derive(Debug)]
pub(super) struct WatchedStream {
    stream: TcpStream,
    activity: Arc<Activity>,
    linger: Option<Linger>,
}

/// State of discarding the remaining input at the end of a connection.
#[derive(Debug)]
struct Linger {
    time: Pin<Box<Sleep>>,
    bytes_left: usize,
}

impl WatchedStream {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>) -> Self {
        Self {
            stream,
            activity,
            linger: None,
        }
    }

    /// Discards remaining input until the client closes its side, too. Closing a socket with unread bytes resets the
    /// connection. A client that was refused while it sent would then lose the answer with the reason.
    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let linger = self.linger.get_or_insert_with(|| Linger {
            time: Box::pin(sleep(LINGER_TIME_MAX)),
            bytes_left: LINGER_BYTES_MAX,
        });
        let mut bytes = [0; LINGER_BUFFER_BYTES];
        while linger.bytes_left > 0 && linger.time.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut bytes);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            let count = buffer.filled().len();
            if read.is_err() || count == 0 {
                break;
            }
            linger.bytes_left = linger.bytes_left.saturating_sub(count);
        }
        Poll::Ready(())
    }

    fn watch_write(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(Ok(bytes)) => self.activity.record_written(*bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.activity.begin_write_wait(),
        }
        written
    }
}

impl Drop for WatchedStream {
    /// Resets a connection that ends because its client does not read. Otherwise the kernel would keep the unsent bytes
    /// for minutes.
    fn drop(&mut self) {
        let is_unread = self.activity.stalls_since_ms().is_some();
        if is_unread && self.activity.order() == Order::Abort {
            // Fails if the client has closed already.
            self.stream.set_zero_linger().ok();
        }
    }
}

impl AsyncRead for WatchedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.activity.record_read();
        }
        read
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch_write(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watch_write(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Writers flush only when nothing is left to write.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.activity.end_write_wait();
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        }
        self.poll_linger(context).map(Ok)
    }
}
