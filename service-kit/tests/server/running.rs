//! A running server of one test service, on free ports.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicU16, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{Router, routing::any};
use prost::Message as _;
use prost_types::{
    FileDescriptorProto, FileDescriptorSet, MethodDescriptorProto, ServiceDescriptorProto,
};
use service_kit::{
    deadline,
    health::Readiness,
    server::{ServeError, ServerConfig, Service, serve},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Notify, oneshot},
    task::JoinHandle,
};
use tonic::{
    Request, Status,
    body::Body,
    service::Routes,
    transport::{Channel, Endpoint},
};
use tonic_prost::ProstCodec;
use tower::ServiceExt as _;

/// Maximum wait for any step, far above what one takes; a longer wait means failure.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

const METHODS: [&str; 3] = ["Panic", "Hang", "Remaining"];

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) operators: SocketAddr,
    pub(crate) readiness: Readiness,
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) server: JoinHandle<Result<(), ServeError>>,
    /// Notified when a call of `Hang` has begun.
    pub(crate) entered: Arc<Notify>,
    /// Number of requests that reached a handler.
    pub(crate) handled: Arc<AtomicUsize>,
}

/// Returns the contract of `test.v1.Test`.
fn descriptor_set() -> &'static [u8] {
    let method = |name: &str| MethodDescriptorProto {
        name: Some(name.to_owned()),
        ..MethodDescriptorProto::default()
    };
    let service = ServiceDescriptorProto {
        name: Some("Test".to_owned()),
        method: METHODS.into_iter().map(method).collect(),
        options: None,
    };
    let file = FileDescriptorProto {
        name: Some("test.proto".to_owned()),
        package: Some("test.v1".to_owned()),
        service: vec![service],
        ..FileDescriptorProto::default()
    };
    FileDescriptorSet { file: vec![file] }
        .encode_to_vec()
        .leak()
}

/// Returns an address whose port no other test takes before the server binds it: each test has its own loopback IP.
async fn own_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let [high, low] = NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    let process = u8::try_from(std::process::id() % 200).unwrap() + 2;
    let ip = IpAddr::from(Ipv4Addr::new(127, process, high, low + 1));
    let listener = TcpListener::bind((ip, 0)).await.unwrap();
    listener.local_addr().unwrap()
}

/// Routes every HTTP method: admission must not depend on the handlers.
fn routes(entered: &Arc<Notify>, handled: &Arc<AtomicUsize>) -> Routes {
    let hang = {
        let entered = Arc::clone(entered);
        move || {
            let entered = Arc::clone(&entered);
            async move {
                entered.notify_one();
                std::future::pending::<()>().await;
            }
        }
    };
    let remaining = || async {
        let left = deadline::remaining().unwrap_or_default().as_millis();
        Status::failed_precondition(left.to_string()).into_http::<Body>()
    };
    let handled = Arc::clone(handled);
    let router = Router::<()>::new()
        .route("/test.v1.Test/Panic", any(fail))
        .route("/test.v1.Test/Hang", any(hang))
        .route("/test.v1.Test/Remaining", any(remaining))
        .layer(axum::middleware::map_request(
            move |request: axum::extract::Request| {
                handled.fetch_add(1, Ordering::SeqCst);
                async { request }
            },
        ));
    Routes::from(Routes::default().into_axum_router().merge(router))
}

async fn fail() {
    panic!("on purpose");
}

pub(crate) async fn start(config: ServerConfig) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let operators = own_address().await;
    let config = ServerConfig {
        operators_listen: Some(operators),
        ..config
    };
    let readiness = Readiness::new();
    let (entered, handled) = (Arc::default(), Arc::default());
    let (stop, stopped) = oneshot::channel::<()>();
    let routes = routes(&entered, &handled);
    let server = tokio::spawn({
        let readiness = readiness.clone();
        async move {
            let service = Service {
                listener,
                routes,
                readiness,
                descriptor_set: descriptor_set(),
                names: &["test.v1.Test"],
            };
            serve(service, &config, async {
                // A dropped sender stops the server too.
                stopped.await.unwrap_or(());
            })
            .await
        }
    });
    let running = Running {
        address,
        operators,
        readiness,
        stop,
        server,
        entered,
        handled,
    };
    running.wait_until_it_answers().await;
    running
}

impl Running {
    async fn wait_until_it_answers(&self) {
        let answers = async {
            while TcpStream::connect(self.operators).await.is_err() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, answers).await.unwrap();
    }

    pub(crate) async fn channel(&self) -> Channel {
        Endpoint::from_shared(format!("http://{}", self.address))
            .unwrap()
            .connect()
            .await
            .unwrap()
    }

    /// Makes an RPC that must fail.
    pub(crate) async fn call(&self, method: &'static str, timeout: Option<Duration>) -> Status {
        call(self.channel().await, method, timeout).await
    }

    /// Sends any request over HTTP/2.
    pub(crate) async fn request(&self, request: http::Request<Body>) -> http::Response<Body> {
        self.channel().await.oneshot(request).await.unwrap()
    }

    /// Sends a plain GET to the operators' listener.
    pub(crate) async fn get(&self, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\n\r\n");
        exchange(self.operators, &request).await
    }

    /// Reads a counter from the operators' listener; 0 if absent.
    pub(crate) async fn metric(&self, name: &str) -> u64 {
        let metrics = self.get("/metrics").await;
        let value = metrics
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.map_or(0, |value| value.parse().unwrap())
    }
}

pub(crate) async fn call(
    channel: Channel,
    method: &'static str,
    timeout: Option<Duration>,
) -> Status {
    let mut client = tonic::client::Grpc::new(channel);
    client.ready().await.unwrap();
    let mut request = Request::new(());
    if let Some(timeout) = timeout {
        request.set_timeout(timeout);
    }
    client
        .unary::<(), (), _>(
            request,
            http::uri::PathAndQuery::from_static(method),
            ProstCodec::default(),
        )
        .await
        .unwrap_err()
}

/// Sends bytes and returns everything received until the server closes.
pub(crate) async fn exchange(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    // A reset also counts as the end: the server does not read what it refuses.
    let _: Result<_, std::io::Error> = tokio::time::timeout(PATIENCE, read)
        .await
        .expect("the server closes in time");
    String::from_utf8_lossy(&bytes).into_owned()
}
