//! TCP proxy that breaks the network between the gateway and a service.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
    task::JoinSet,
};

/// Treatment of bytes from now on, on open and new connections.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fault {
    None,
    /// Delays each response by this time.
    Latency(Duration),
    /// Accepts connections but passes nothing in either direction while the fault lasts.
    Blackhole,
    /// Passes requests; resets the connection at the first byte of a response.
    ResetAtAnswer,
    /// Passes requests; cuts the response after this number of bytes and resets the connection.
    CutAnswer(usize),
}

pub(crate) struct FaultProxy {
    pub(crate) address: SocketAddr,
    fault: watch::Sender<Fault>,
    /// Connections broken on purpose.
    broken: Arc<AtomicUsize>,
    _task: JoinSet<()>,
}

impl FaultProxy {
    /// Starts in front of `service`, on a free port and without a fault.
    pub(crate) async fn start(service: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (fault, faults) = watch::channel(Fault::None);
        let broken = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&broken);
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((caller, _)) = listener.accept().await {
                connections.spawn(carry(caller, service, faults.clone(), Arc::clone(&count)));
            }
        });
        Self {
            address,
            fault,
            broken,
            _task: task,
        }
    }

    pub(crate) fn set(&self, fault: Fault) {
        self.fault.send_replace(fault);
    }

    pub(crate) fn broken(&self) -> usize {
        self.broken.load(Ordering::SeqCst)
    }
}

async fn carry(
    mut caller: TcpStream,
    service: SocketAddr,
    faults: watch::Receiver<Fault>,
    broken: Arc<AtomicUsize>,
) {
    let mut faults_of_connect = faults.clone();
    passes(&mut faults_of_connect).await;
    let Ok(mut service) = TcpStream::connect(service).await else {
        return;
    };
    caller.set_nodelay(true).unwrap();
    service.set_nodelay(true).unwrap();
    let outcome = {
        let (from_caller, to_caller) = caller.split();
        let (from_service, to_service) = service.split();
        let asks = pump(from_caller, to_service, faults.clone(), Direction::Ask);
        let answers = pump(from_service, to_caller, faults, Direction::Answer);
        tokio::select! {
            outcome = asks => outcome,
            outcome = answers => outcome,
        }
    };
    if let Err(error) = outcome
        && error.kind() == io::ErrorKind::ConnectionReset
    {
        broken.fetch_add(1, Ordering::SeqCst);
        // Turns the close into a reset.
        caller.set_zero_linger().unwrap();
    }
}

async fn passes(faults: &mut watch::Receiver<Fault>) -> Fault {
    let passing = faults.wait_for(|fault| *fault != Fault::Blackhole).await;
    // An error means that the test has ended.
    passing.map_or(Fault::None, |fault| *fault)
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Direction {
    Ask,
    Answer,
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut faults: watch::Receiver<Fault>,
    direction: Direction,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let length = from.read(&mut buffer).await?;
        if length == 0 {
            return Ok(());
        }
        let mut bytes = &buffer[..length];
        let fault = passes(&mut faults).await;
        if direction == Direction::Answer {
            match fault {
                Fault::Latency(time) => tokio::time::sleep(time).await,
                Fault::ResetAtAnswer => return Err(io::ErrorKind::ConnectionReset.into()),
                Fault::CutAnswer(after) => {
                    bytes = &bytes[..after.min(length)];
                    to.write_all(bytes).await?;
                    to.flush().await?;
                    return Err(io::ErrorKind::ConnectionReset.into());
                }
                Fault::None | Fault::Blackhole => {}
            }
        }
        to.write_all(bytes).await?;
    }
}

/// An address that drops every connection attempt: a listener whose backlog is full.
pub(crate) struct Unreachable {
    pub(crate) address: SocketAddr,
    _listener: TcpListener,
    _waiting: Vec<TcpStream>,
}

impl Unreachable {
    pub(crate) async fn new() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener = socket.listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        let mut waiting = Vec::new();
        loop {
            let connecting = TcpStream::connect(address);
            match tokio::time::timeout(Duration::from_millis(300), connecting).await {
                Ok(connected) => waiting.push(connected.unwrap()),
                Err(_) => break,
            }
            assert!(waiting.len() < 100, "the backlog has no end");
        }
        Self {
            address,
            _listener: listener,
            _waiting: waiting,
        }
    }
}
