//! Retries after network failures: which calls are repeated and which are not.

use http::Method;

use crate::{
    contract::pool,
    fault_proxy::{Fault, FaultProxy},
    gateway_under_test::{Answer, GatewayUnderTest, eventually},
    replica::{Replica, upstream},
};

const READ: &str = "/api/shelves/a/books/1";

/// A service behind a breakable network.
struct Behind {
    replica: Replica,
    proxy: FaultProxy,
    gateway: GatewayUnderTest,
}

impl Behind {
    async fn start(name: &str) -> Self {
        let pool = pool();
        let replica = Replica::start(&pool).await;
        let proxy = FaultProxy::start(replica.address).await;
        let upstream = upstream(name, &[proxy.address]);
        let gateway = GatewayUnderTest::start_before(pool, &upstream, &[]).await;
        let behind = Self {
            replica,
            proxy,
            gateway,
        };
        assert_eq!(behind.gateway.get(READ).await.status, 200);
        behind
    }

    /// Sends `ask` while the first connection breaks with `fault`; later connections work. Returns the response and the
    /// number of calls that reached the service.
    async fn broken(&self, fault: Fault, ask: impl Future<Output = Answer>) -> (Answer, usize) {
        let (calls, broken) = (self.replica.calls(), self.proxy.broken());
        self.proxy.set(fault);
        let heal = async {
            eventually("the break", async || self.proxy.broken() > broken).await;
            self.proxy.set(Fault::None);
        };
        let (answer, ()) = tokio::join!(ask, heal);
        (answer, self.replica.calls() - calls)
    }

    async fn create(&self, key: &str) -> Answer {
        let ask = self.gateway.ask(Method::POST, "/api/books").write();
        let ask = ask.header("idempotency-key", key);
        ask.body(r#"{"title":"Emma"}"#).send().await
    }
}

#[tokio::test]
async fn retries_an_interrupted_read() {
    let behind = Behind::start("cut-read").await;
    for fault in [
        Fault::ResetAtAnswer,
        Fault::CutAnswer(0),
        Fault::CutAnswer(20),
    ] {
        let (answer, calls) = behind.broken(fault, behind.gateway.get(READ)).await;
        assert_eq!(answer.status, 200, "{fault:?}: {:?}", answer.body);
        assert!((1..=3).contains(&calls), "{fault:?}: {calls} calls");
    }
    let retries = behind
        .gateway
        .metric("upstream_retries_total", "\"cut-read\"");
    assert!(retries.await >= 3.0);
}

#[tokio::test]
async fn retries_a_keyed_create_whose_answer_was_lost() {
    let behind = Behind::start("cut-create").await;
    let (answer, calls) = behind
        .broken(Fault::ResetAtAnswer, behind.create("k"))
        .await;
    assert_eq!(answer.status, 201, "{:?}", answer.body);
    assert_eq!(answer.json()["id"], "k");
    assert!(calls >= 2, "the first one was not done");
}

#[tokio::test]
async fn does_not_retry_a_possibly_processed_unkeyed_write() {
    let behind = Behind::start("cut-write").await;
    let (answer, calls) = behind
        .broken(
            Fault::ResetAtAnswer,
            behind.gateway.post("/api/loans", "{}"),
        )
        .await;
    answer.problem(500);
    assert!(answer.header("retry-after").is_empty());
    assert_eq!(calls, 1);
}

#[tokio::test]
async fn retries_an_unsent_unkeyed_write() {
    let mut behind = Behind::start("unsent-write").await;
    // The gateway finds its connection closed before it sends anything of the call.
    behind.replica.stop().await;
    behind.replica.start_again().await;
    let answer = behind.gateway.post("/api/loans", "{}").await;
    assert_eq!(answer.status, 201, "{:?}", answer.body);
}

#[tokio::test]
async fn does_not_retry_failures_of_the_service() {
    let behind = Behind::start("failing").await;
    let before = behind.replica.calls();
    for code in [2, 13, 15] {
        let path = format!("/api/failing?code={code}");
        behind.gateway.get(&path).await.problem(500);
    }
    assert_eq!(behind.replica.calls(), before + 3);
}
