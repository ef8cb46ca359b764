//! A gateway on free ports in front of a service that never answers, and clients that write raw bytes.

use std::{net::SocketAddr, time::Duration};

use clap::Parser;
use gateway::{Gateway, ServeError, config::Config};
use gateway_listen::{ListenConfig, Listeners};
use prost_reflect::DescriptorPool;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::oneshot,
    task::JoinHandle,
};

/// Time limit of every expected event, generous for a machine under load.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
pub(crate) const PROBE: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n";
/// A request that waits for its service.
pub(crate) const SLOW: &[u8] = b"GET /api/doctors HTTP/1.1\r\nhost: a\r\n\r\n";

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    config: Config,
}

/// Parses the listener configuration from `flags`, with a free port.
pub(crate) fn config(flags: &[&str]) -> ListenConfig {
    let own = ["gateway", "--listen=127.0.0.1:0"];
    let arguments = own.iter().chain(flags);
    Program::try_parse_from(arguments).unwrap().config.listen
}

pub(crate) struct Door {
    pub(crate) address: SocketAddr,
    pub(crate) operators: SocketAddr,
    pub(crate) redirect: Option<SocketAddr>,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<Result<(), ServeError>>,
    /// Accepts connections into its backlog and never answers.
    _service: TcpListener,
}

impl Door {
    pub(crate) async fn start(flags: &[&str]) -> Self {
        let service = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream = service.local_addr().unwrap();
        let upstreams = ["content", "booking", "assessment", "messaging"]
            .map(|name| format!("hospital.{name}.v1=http://{upstream}"));
        let upstreams = format!("--upstream={}", upstreams.join(","));
        let own = [
            "gateway",
            "--listen=127.0.0.1:0",
            "--operators-listen=127.0.0.1:0",
            "--api-only",
            &upstreams,
        ];
        let lame_duck = ["--lame-duck-ms=0"];
        let is_set = flags.iter().any(|flag| flag.starts_with("--lame-duck-ms"));
        let lame_duck = lame_duck.iter().filter(|_| !is_set);
        let arguments = own.iter().chain(lame_duck).chain(flags);
        let config = Program::try_parse_from(arguments).unwrap().config;
        let listeners = Listeners::bind(&config.listen).await.unwrap();
        let address = listeners.public.local_addr().unwrap();
        let operators = listeners.operators.as_ref().unwrap().address();
        let redirect = listeners.redirect.as_ref();
        let redirect = redirect.map(|listener| listener.local_addr().unwrap());
        let gateway = Gateway {
            config,
            pool: DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap(),
            listeners,
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(gateway::serve(gateway, async {
            // An error means that the test has ended.
            stopped.await.ok();
        }));
        Self {
            address,
            operators,
            redirect,
            stop: Some(stop),
            served,
            _service: service,
        }
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Connects from another address of this machine.
    pub(crate) async fn connect_from(&self, source: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{source}:0").parse().unwrap()).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    /// Returns the status of a probe on a new connection.
    pub(crate) async fn probe(&self) -> u16 {
        let mut stream = self.connect().await;
        ask(&mut stream, PROBE).await
    }

    /// Sends bytes and returns everything received until the gateway closes the connection.
    pub(crate) async fn tell(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect().await;
        stream.write_all(bytes).await.unwrap();
        rest(&mut stream).await
    }

    /// Returns a metric, summed over the series whose labels contain `labels`.
    pub(crate) async fn metric(&self, name: &str, labels: &str) -> f64 {
        let mut stream = TcpStream::connect(self.operators).await.unwrap();
        let request = b"GET /metrics HTTP/1.1\r\nhost: a\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let text = rest(&mut stream).await;
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
        text.lines()
            .filter(|line| line.starts_with(name) && line.contains(labels))
            .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
            .sum()
    }

    pub(crate) fn begin_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).ok();
        }
    }

    pub(crate) async fn stop(mut self) -> Result<(), ServeError> {
        self.begin_stop();
        tokio::time::timeout(PATIENCE, self.served)
            .await
            .unwrap()
            .unwrap()
    }
}

/// Sends a request and returns the response's status. The response must have a length or no body.
pub(crate) async fn ask(stream: &mut TcpStream, request: &[u8]) -> u16 {
    stream.write_all(request).await.unwrap();
    status(&head(stream).await)
}

pub(crate) fn status(answer: &str) -> u16 {
    let status = answer.strip_prefix("HTTP/1.1 ").and_then(|a| a.get(..3));
    status
        .and_then(|status| status.parse().ok())
        .unwrap_or_else(|| panic!("no answer: {answer:?}"))
}

/// Reads the head and the body of a response; returns the head.
pub(crate) async fn head(stream: &mut TcpStream) -> String {
    let read = async {
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            match stream.read_u8().await {
                Ok(byte) => answer.push(byte),
                Err(error) => panic!("{error} after {:?}", String::from_utf8_lossy(&answer)),
            }
        }
        let text = String::from_utf8(answer).unwrap();
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length = length.map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.unwrap();
        text
    };
    tokio::time::timeout(PATIENCE, read).await.unwrap()
}

/// Reads until the peer closes, which it must do. A reset counts as closing.
pub(crate) async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    let read = tokio::time::timeout(PATIENCE, read).await;
    let _: Result<usize, std::io::Error> = read.expect("the connection is still open");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether the peer has closed the connection.
pub(crate) fn is_closed(stream: &TcpStream) -> bool {
    let mut byte = [0];
    match stream.try_read(&mut byte) {
        Ok(0) => true,
        Ok(_) => false,
        Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
    }
}

/// Polls until `done` returns true.
pub(crate) async fn eventually(what: &str, mut done: impl AsyncFnMut() -> bool) {
    let polled = async {
        while !done().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let result = tokio::time::timeout(PATIENCE, polled).await;
    assert!(result.is_ok(), "still waiting for: {what}");
}
