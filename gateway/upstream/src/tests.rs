//! Names whose addresses change. The test controls name resolution; everything else is real.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use clap::Parser as _;
use parking_lot::Mutex;
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Code, metadata::MetadataMap, transport::Server};
use tonic_health::ServingStatus;

use super::{
    UpstreamConfig, Upstreams,
    resolver::Lookup,
    rpc::{Call, Effect, RpcClient},
};

const PACKAGE: &str = "grpc.health.v1";

#[derive(clap::Parser)]
struct Program {
    #[command(flatten)]
    upstream: UpstreamConfig,
}

/// Addresses of `svc.test`, all at one port.
#[derive(Clone)]
struct Names(Arc<Mutex<Vec<SocketAddr>>>);

impl Names {
    fn new(addresses: &[SocketAddr]) -> Self {
        Self(Arc::new(Mutex::new(addresses.to_vec())))
    }

    fn lookup(&self) -> Lookup {
        let names = self.clone();
        Arc::new(move |host, _| {
            assert_eq!(host, "svc.test");
            let addresses = names.0.lock().clone();
            Box::pin(async move { Ok(addresses) })
        })
    }
}

/// Serves health checks with a status that identifies this server.
async fn serve(status: ServingStatus) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (address, serve_on(listener, status).await)
}

async fn serve_on(listener: TcpListener, status: ServingStatus) -> JoinHandle<()> {
    let (reporter, service) = tonic_health::server::health_reporter();
    reporter.set_service_status("", status).await;
    tokio::spawn(async move {
        let server = Server::builder().add_service(service);
        server
            .serve_with_incoming(TcpListenerStream::new(listener))
            .await
            .unwrap();
    })
}

fn upstreams(names: &Names) -> Upstreams {
    let flag = format!("--upstream={PACKAGE}=http://svc.test:50051");
    let program = Program::try_parse_from(["gateway", &flag]).unwrap();
    Upstreams::with_lookup(&program.upstream, &names.lookup()).unwrap()
}

/// Returns the status of a health check, as the number in its contract.
async fn check(client: &RpcClient) -> Result<u8, Code> {
    let path = "/grpc.health.v1.Health/Check".parse().unwrap();
    let call = Call {
        name: "grpc.health.v1.Health/Check",
        path: &path,
        package: PACKAGE,
        message: Bytes::new(),
        metadata: MetadataMap::new(),
        deadline: Instant::now() + Duration::from_secs(5),
        effect: Effect::Read,
    };
    let reply = client.call(&call).await.map_err(|status| status.code())?;
    Ok(reply.message[1])
}

async fn eventually(what: &str, mut done: impl AsyncFnMut() -> bool) {
    let polled = async {
        while !done().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let polled = tokio::time::timeout(Duration::from_secs(20), polled).await;
    assert!(polled.is_ok(), "still waiting for: {what}");
}

#[tokio::test]
async fn follows_a_moved_name_while_the_old_address_still_answers() {
    let (old, _old) = serve(ServingStatus::Serving).await;
    let (new, _new) = serve(ServingStatus::NotServing).await;
    let names = Names::new(&[old]);
    let upstreams = upstreams(&names);
    let stream = upstreams.services().next().unwrap().stream_connection();
    let gone = stream.await.unwrap().gone;
    let client = RpcClient::new(upstreams);
    assert_eq!(check(&client).await, Ok(1));
    assert!(!gone.is_cancelled());
    *names.0.lock() = vec![new];
    eventually("the new address", async || {
        check(&client).await.expect("no call fails") == 2
    })
    .await;
    assert!(gone.is_cancelled(), "streams stay at the old address");
    assert_eq!(check(&client).await, Ok(2));
}

#[tokio::test]
async fn retries_at_another_address_if_available() {
    let (one, _one) = serve(ServingStatus::Serving).await;
    let (other, _other) = serve(ServingStatus::Serving).await;
    let upstreams = upstreams(&Names::new(&[one, other]));
    let balancer = Arc::clone(&upstreams.services().next().unwrap().balancer);
    let chosen =
        async |tried: &[SocketAddr]| balancer.choose(tried).await.unwrap().endpoint.address;
    eventually("both to be connected", async || {
        chosen(&[]).await;
        balancer.has_other(&[one]) && balancer.has_other(&[other])
    })
    .await;
    for _ in 0..50 {
        assert_eq!(chosen(&[one]).await, other);
        assert_eq!(chosen(&[other]).await, one);
    }
    // With no other left, one of the tried addresses.
    chosen(&[one, other]).await;
}

#[tokio::test]
async fn resolves_the_name_at_once_after_a_lost_connection() {
    let (new, _new) = serve(ServingStatus::NotServing).await;
    let names = Names::new(&[]);
    let upstreams = upstreams(&names);
    let client = RpcClient::new(upstreams);
    assert_eq!(check(&client).await, Err(Code::Unavailable), "no address");
    // First an address where nothing listens, then one where a server does.
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    *names.0.lock() = vec![nobody.local_addr().unwrap()];
    drop(nobody);
    eventually("the first address to be tried", async || {
        check(&client).await == Err(Code::Unavailable)
    })
    .await;
    *names.0.lock() = vec![new];
    eventually("the second address", async || check(&client).await == Ok(2)).await;
}

#[tokio::test]
async fn keeps_addresses_while_a_name_does_not_resolve() {
    let (address, _served) = serve(ServingStatus::Serving).await;
    let (answers, asked) = (Names::new(&[address]), watch::Sender::new(0_u32));
    let count = asked.clone();
    let inner = answers.lookup();
    let lookup: Lookup = Arc::new(move |host, port| {
        count.send_modify(|count| *count += 1);
        if *count.borrow() > 1 {
            return Box::pin(async { Err(std::io::ErrorKind::TimedOut.into()) });
        }
        inner(host, port)
    });
    let flag = format!("--upstream={PACKAGE}=http://svc.test:50051");
    let program = Program::try_parse_from(["gateway", &flag]).unwrap();
    let upstreams = Upstreams::with_lookup(&program.upstream, &lookup).unwrap();
    let client = RpcClient::new(upstreams);
    assert_eq!(check(&client).await, Ok(1));
    let mut asked = asked.subscribe();
    let again = asked.wait_for(|count| *count >= 3);
    tokio::time::timeout(Duration::from_secs(30), again)
        .await
        .expect("it is asked again")
        .unwrap();
    assert_eq!(check(&client).await, Ok(1));
}

#[tokio::test]
async fn a_call_under_way_is_not_retried_once_the_breaker_is_open() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstreams = upstreams(&Names::new(&[listener.local_addr().unwrap()]));
    let upstream = Arc::clone(upstreams.services().next().unwrap());
    let client = RpcClient::new(upstreams);
    // The call is polled first, so the breaker admits it before it opens.
    let outage = async {
        let (held, _) = listener.accept().await.unwrap();
        while let Some(pass) = upstream.breaker.admit(Instant::now()) {
            pass.failed(Instant::now());
        }
        drop(held);
        // A retry would succeed.
        let served = serve_on(listener, ServingStatus::Serving).await;
        Some(served)
    };
    let (outcome, _served) = tokio::join!(check(&client), outage);
    assert!(outcome.is_err(), "{outcome:?}");
}
