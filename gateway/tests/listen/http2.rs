//! An HTTP/2 client that writes single frames, so that tests can omit what a library would send.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpSocket,
    sync::Mutex,
    task::JoinHandle,
};

use crate::door::PATIENCE;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const INITIAL_WINDOW_SIZE: u16 = 4;

/// The writing side of a connection, with or without TLS.
type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// A client that acknowledges settings and pings, and otherwise sends only what a test requests.
pub(crate) struct Client {
    to: Arc<Mutex<Writer>>,
    from: JoinHandle<()>,
    pub(crate) seen: Arc<Seen>,
    next_stream: u32,
}

/// Counters of received frames.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Bytes of response bodies.
    pub(crate) data: AtomicUsize,
    /// Response heads.
    pub(crate) heads: AtomicUsize,
    /// Streams that ended.
    pub(crate) ends: AtomicUsize,
    pub(crate) goodbyes: AtomicUsize,
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
    [&head, payload].concat()
}

impl Client {
    /// Connects from `source`; `window` is the initial stream window in bytes.
    pub(crate) async fn connect(source: &str, to: SocketAddr, window: u32) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{source}:0").parse().unwrap()).unwrap();
        let stream = socket.connect(to).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self::over(stream, window).await
    }

    /// Starts HTTP/2 on an open connection; `window` is the initial stream window in bytes.
    pub(crate) async fn over<S>(stream: S, window: u32) -> Self
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let (from, to) = tokio::io::split(stream);
        let to: Writer = Box::new(to);
        let to = Arc::new(Mutex::new(to));
        let seen = Arc::<Seen>::default();
        let reading = read(from, Arc::clone(&to), Arc::clone(&seen));
        let client = Self {
            from: tokio::spawn(async move { drop(reading.await) }),
            to,
            seen,
            next_stream: 1,
        };
        let window = [
            &INITIAL_WINDOW_SIZE.to_be_bytes()[..],
            &window.to_be_bytes(),
        ]
        .concat();
        let begin = [PREFACE, &frame(SETTINGS, 0, 0, &window)].concat();
        client.write(&begin).await.unwrap();
        client
    }

    async fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut to = self.to.lock().await;
        to.write_all(bytes).await?;
        to.flush().await
    }

    /// Sends a GET unless the connection has ended. Returns the stream of the response.
    pub(crate) async fn get(&mut self, path: &str) -> u32 {
        let stream = self.next_stream;
        self.next_stream += 2;
        // Method, scheme, path and authority by the static table.
        let length = u8::try_from(path.len()).unwrap();
        let fields = [
            &[0x82, 0x86, 0x04, length],
            path.as_bytes(),
            &[0x01, 0x01],
            b"a",
        ]
        .concat();
        let head = frame(HEADERS, END_STREAM | END_HEADERS, stream, &fields);
        // Fails once the peer has ended the connection.
        self.write(&head).await.ok();
        stream
    }

    /// Enlarges the window of a stream, or of the connection (stream 0), by `bytes`. Fails once the connection has
    /// ended.
    pub(crate) async fn open_window(&self, stream: u32, bytes: u32) -> io::Result<()> {
        let update = frame(WINDOW_UPDATE, 0, stream, &bytes.to_be_bytes());
        self.write(&update).await
    }

    pub(crate) async fn ping(&self) -> io::Result<()> {
        self.write(&frame(PING, 0, 0, &[7; 8])).await
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.from.is_finished()
    }

    /// Waits until the peer has ended the connection.
    pub(crate) async fn end(self) {
        let ended = tokio::time::timeout(PATIENCE, self.from).await;
        ended.expect("the connection is still open").unwrap();
    }

    /// Opens the window of a stream by `bytes` at a time until the connection ends.
    pub(crate) async fn drip(&self, stream: u32, bytes: u32, pause: Duration) {
        while !self.has_ended() && self.open_window(stream, bytes).await.is_ok() {
            tokio::time::sleep(pause).await;
        }
    }
}

async fn read(
    mut from: impl AsyncRead + Unpin,
    to: Arc<Mutex<Writer>>,
    seen: Arc<Seen>,
) -> io::Result<()> {
    loop {
        let mut head = [0; 9];
        from.read_exact(&mut head).await?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; usize::try_from(length).unwrap()];
        from.read_exact(&mut payload).await?;
        let (kind, flags) = (head[3], head[4]);
        match kind {
            DATA => drop(seen.data.fetch_add(payload.len(), SeqCst)),
            HEADERS => drop(seen.heads.fetch_add(1, SeqCst)),
            GOAWAY => drop(seen.goodbyes.fetch_add(1, SeqCst)),
            SETTINGS | PING if flags & ACK == 0 => {
                let payload = if kind == PING { &payload[..] } else { &[] };
                let ack = frame(kind, ACK, 0, payload);
                let mut to = to.lock().await;
                to.write_all(&ack).await?;
                to.flush().await?;
            }
            _ => {}
        }
        if matches!(kind, DATA | HEADERS) && flags & END_STREAM != 0 {
            seen.ends.fetch_add(1, SeqCst);
        }
    }
}
