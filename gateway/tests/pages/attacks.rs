//! One network's overload does not affect others, and refused visitors get a page.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use axum::http::{Method, StatusCode};
use futures::future::join_all;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::site::{Reply, Site};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const ATTACKER: (&str, &str) = ("x-forwarded-for", "203.0.113.66");
const VISITOR: (&str, &str) = ("x-forwarded-for", "198.51.100.7");
const EMERGENCY: &str = "tel:+918000000108";

/// Opens a connection and sends an unfinished form.
async fn unfinished(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let head = format!(
        "POST /book HTTP/1.1\r\nhost: a\r\n{}: {}\r\n{}: {}\r\ncontent-length: 100\r\n\r\nx",
        FORM.0, FORM.1, ATTACKER.0, ATTACKER.1,
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    stream
}

fn says_whom_to_call(reply: &Reply) {
    assert!(reply.text().contains(EMERGENCY), "{}", reply.text());
    assert!(reply.header("content-type").starts_with("text/html"));
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_forms_of_one_network_block_no_other() {
    let site = Site::start_with(&["--trusted-hops=1", "--requests-in-flight-max=64"]).await;
    let held = join_all((0..200).map(|_| unfinished(site.address()))).await;
    let booked = site
        .send(
            Method::POST,
            "/book",
            &[FORM, VISITOR],
            "service=&name=kept",
        )
        .await;
    assert_eq!(booked.status, StatusCode::OK, "{}", booked.text());
    assert_eq!(
        site.get_with("/items/a", &[VISITOR]).await.status,
        StatusCode::OK
    );
    // Further bodies of the network are refused, each with a page.
    let refused = site
        .send(
            Method::POST,
            "/book",
            &[FORM, ATTACKER],
            "service=&name=kept",
        )
        .await;
    // G6: counted against the network, not as a failure of the site.
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    says_whom_to_call(&refused);
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_of_one_network_do_not_block_forms_of_others() {
    let site = Site::start_limited(&[
        "--trusted-hops=1",
        "--address-requests-in-flight-max=16",
        "--visitor-calls-max=1000",
        "--address-calls-max=1000",
    ])
    .await;
    let reads = (0..260).map(|n| {
        let site = &site;
        async move { site.get_with(&format!("/items/r{n}"), &[ATTACKER]).await }
    });
    let forms = (0..8).map(|n| {
        let site = &site;
        async move {
            let form = format!("service=&name=kept{n}");
            site.send(Method::POST, "/book", &[FORM, VISITOR], &form)
                .await
        }
    });
    let (reads, forms) = futures::join!(join_all(reads), join_all(forms));
    for form in &forms {
        assert_eq!(form.status, StatusCode::OK, "{}", form.text());
        assert!(form.text().contains("SERVING"), "{}", form.text());
    }
    let refused: Vec<_> = reads.iter().filter(|reply| reply.status == 429).collect();
    assert!(!refused.is_empty(), "260 reads at once, 16 of them allowed");
    for reply in refused {
        says_whom_to_call(reply);
        assert_eq!(reply.header("retry-after"), "1");
    }
}

/// G6: the cache lookup precedes the concurrency limit.
#[tokio::test(flavor = "multi_thread")]
async fn exhausted_permits_do_not_block_cached_pages_and_answers() {
    let flags = ["--requests-in-flight-max=2", "--render-threads=1"];
    let site = Site::start_with(&flags).await;
    assert_eq!(site.get("/items/a").await.status, StatusCode::OK);
    let is_over = AtomicBool::new(false);
    let (site, is_over) = (&site, &is_over);
    let readers = join_all((0..8).map(async |reader| {
        let mut shed = 0;
        for n in 0.. {
            let reply = site.get(&format!("/slow/{reader}-{n}")).await;
            shed += usize::from(reply.status == StatusCode::SERVICE_UNAVAILABLE);
            if is_over.load(Ordering::Relaxed) {
                break;
            }
        }
        shed
    }));
    let kept = async {
        for _ in 0..50 {
            for path in ["/items/a", "/urgent"] {
                assert_eq!(site.get(path).await.status, StatusCode::OK, "{path}");
            }
        }
        is_over.store(true, Ordering::Relaxed);
    };
    let (shed, ()) = futures::join!(readers, kept);
    assert!(shed.iter().sum::<usize>() > 0, "eight at once do not fit");
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_visitor_with_a_page() {
    let site = Site::start_limited(&["--address-documents-max=3"]).await;
    let mut last = site.get("/items/a").await;
    for _ in 0..4 {
        last = site.get("/items/a").await;
    }
    assert_eq!(last.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!last.header("retry-after").is_empty());
    says_whom_to_call(&last);
    let program = site.get("/api/unknown").await;
    assert_eq!(program.header("content-type"), "application/problem+json");
}

#[tokio::test(flavor = "multi_thread")]
async fn returns_the_input_of_a_shed_form_for_resending() {
    let site = Site::start_with(&["--requests-in-flight-max=1"]).await;
    let typed = "service=&name=A+%26+%22B%22&requestId=&part=";
    let replies = join_all((0..24).map(|_| site.post("/book?from=home", typed))).await;
    let mut shed = replies.iter().filter(|reply| reply.status == 503);
    let given_back = shed.next().expect("24 forms at once, one of them at work");
    says_whom_to_call(given_back);
    let html = given_back.text();
    assert!(
        html.contains(r#"<form method="post" action="/book?from=home">"#),
        "{html}"
    );
    assert!(
        html.contains(r#"name="name" value="A &amp; &quot;B&quot;""#),
        "{html}"
    );
    assert!(
        given_back
            .header("content-security-policy")
            .contains("form-action 'self'")
    );
    assert_eq!(given_back.header("cache-control"), "no-store");
    let again = site.post("/book?from=home", typed).await;
    assert_eq!(again.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_stalled_form_in_time() {
    let site = Site::start().await;
    let mut stream = unfinished(site.address()).await;
    let mut answer = String::new();
    let ended = tokio::time::timeout(Duration::from_secs(30), stream.read_to_string(&mut answer));
    ended
        .await
        .expect("the connection is still open")
        .expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains(EMERGENCY), "{answer}");
}
