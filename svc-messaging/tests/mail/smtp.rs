//! The SMTP client against a real server that refuses, stalls, crashes or misbehaves.

use std::time::Duration;

use chrono::DateTime;
use service_kit::source::{Ids as _, RandomIds};
use svc_messaging::{
    delivery::{SendError, Transport as _, smtp::Smtp},
    mail::message::Envelope,
};

use crate::server::{Certificate, Server};

const SECRET: &str = "kamala@visitor.example";

fn envelope() -> Envelope {
    Envelope {
        id: RandomIds.uuid(),
        from: "hello@sampige.example".into(),
        to: SECRET.into(),
        create_time: DateTime::from_timestamp(1_795_000_000, 0).expect("a moment"),
        body: b"Subject: x\r\n\r\n.one dot\r\n..two\r\nend".to_vec(),
    }
}

fn smtp(url: &str, authority: Option<&[u8]>) -> Smtp {
    Smtp::new(
        url.parse().expect("an address"),
        "sampige.example",
        authority,
    )
    .expect("a client")
}

fn temporary(sent: Result<(), SendError>) -> String {
    match sent {
        Err(SendError::Temporary(error)) => {
            assert!(!error.contains("visitor"), "{error}");
            error
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn delivers_mails_unchanged_and_reuses_connections() {
    let server = Server::start(&[]).await;
    let smtp = smtp(&server.url(), None);
    for _ in 0..3 {
        smtp.send(&envelope()).await.expect("taken");
    }
    let taken = server.wait_for(3).await;
    assert_eq!(
        taken[0].text(),
        "Subject: x\r\n\r\n.one dot\r\n..two\r\nend\r\n"
    );
    assert_eq!(taken[0].from, "hello@sampige.example");
    assert_eq!(taken[0].to, [SECRET]);
    assert!(!taken[0].tls);
}

#[tokio::test]
async fn an_unreachable_server_is_a_temporary_failure() {
    let server = Server::start(&[]).await;
    let url = server.url();
    let smtp = smtp(&url, None);
    smtp.send(&envelope()).await.expect("taken");
    server.stop().await;
    // The parked connection is dead, and no new one can be opened.
    assert_eq!(
        temporary(smtp.send(&envelope()).await),
        "the connection to the mail server failed"
    );
}

#[tokio::test]
async fn a_slow_server_is_a_temporary_failure() {
    let server = Server::start(&["stall_ehlo"]).await;
    let smtp = smtp(&server.url(), None).ready_within(Duration::from_millis(300));
    let said = temporary(smtp.send(&envelope()).await);
    assert_eq!(said, "the mail server is slow to respond");
    smtp.send(&envelope()).await.expect("taken");
}

#[tokio::test]
async fn a_4xx_reply_is_temporary_and_a_5xx_reply_permanent() {
    let server = Server::start(&["temporary", "permanent", "ok"]).await;
    let smtp = smtp(&server.url(), None);
    let said = temporary(smtp.send(&envelope()).await);
    assert_eq!(said, "the mail server answered 451 4.7.1 (deferred)");
    let refused = smtp.send(&envelope()).await;
    let error = "the mail server answered 550 5.1.1 (recipient)".into();
    let is_certain = true;
    assert_eq!(refused, Err(SendError::Recipient { error, is_certain }));
    smtp.send(&envelope()).await.expect("taken");
    assert_eq!(server.wait_for(1).await.len(), 1);
}

#[tokio::test]
async fn a_lost_connection_is_a_temporary_failure() {
    let server = Server::start(&["die_in_data", "die_after_dot", "ok"]).await;
    let smtp = smtp(&server.url(), None);
    let mut body = envelope();
    // Larger than the socket buffers, so that the server dies in mid-transfer.
    body.body = b"Subject: x\r\n\r\n".to_vec();
    body.body.extend(b"0123456789\r\n".repeat(400_000));
    temporary(smtp.send(&body).await);
    let mail = envelope();
    temporary(smtp.send(&mail).await);
    smtp.send(&mail).await.expect("taken");
    // The unavoidable duplicate: the mail accepted before the crash, and its retry.
    assert_eq!(server.wait_for(2).await.len(), 2);
}

#[tokio::test]
async fn a_cancelled_attempt_does_not_affect_the_next_mail() {
    let server = Server::start(&["ok", "stall_data", "ok"]).await;
    let smtp = smtp(&server.url(), None);
    smtp.send(&envelope()).await.expect("taken");
    {
        let stalled = envelope();
        let trying = smtp.send(&stalled);
        tokio::pin!(trying);
        tokio::select! {
            sent = &mut trying => panic!("{sent:?}"),
            () = server.wait_for_event("stalled", 1) => {}
        }
    }
    smtp.send(&envelope()).await.expect("taken");
    assert_eq!(server.wait_for(2).await.len(), 2);
}

#[tokio::test]
async fn uses_tls_as_configured() {
    let certificate = Certificate::of("localhost");
    let authority = certificate.authority();
    for (offer, scheme, mode) in [
        ("required", "smtp", "?tls=required"),
        ("offered", "smtp", "?tls=required"),
        ("offered", "smtp", "?tls=opportunistic"),
        ("wrapped", "smtps", ""),
    ] {
        let server = certificate.server(offer).await;
        let url = format!("{scheme}://localhost:{}{mode}", server.port);
        let smtp = smtp(&url, Some(&authority));
        smtp.send(&envelope()).await.expect("taken");
        assert!(server.wait_for(1).await[0].tls, "{url}");
    }
}

#[tokio::test]
async fn sends_nothing_in_clear_text_if_tls_is_required() {
    let certificate = Certificate::of("localhost");
    let elsewhere = Certificate::of("elsewhere.example");
    let plain = Server::start(&[]).await;
    let own = certificate.server("offered").await;
    let other = elsewhere.server("offered").await;
    let wrapped = certificate.server("wrapped").await;
    for (port, url, authority) in [
        // The server offers no TLS.
        (
            plain.port,
            "smtp://localhost:PORT?tls=required",
            certificate.authority(),
        ),
        // The issuing authority is not trusted.
        (
            own.port,
            "smtp://localhost:PORT?tls=required",
            elsewhere.authority(),
        ),
        // The certificate is for another name; no fallback to clear text.
        (
            other.port,
            "smtp://localhost:PORT?tls=opportunistic",
            elsewhere.authority(),
        ),
        (
            wrapped.port,
            "smtps://localhost:PORT",
            elsewhere.authority(),
        ),
        (
            plain.port,
            "smtps://localhost:PORT",
            certificate.authority(),
        ),
    ] {
        let url = url.replace("PORT", &port.to_string());
        let smtp = smtp(&url, Some(&authority));
        temporary(smtp.send(&envelope()).await);
    }
    // A server that requires TLS refuses the configuration, not the mail.
    let strict = certificate.server("required").await;
    let url = format!("smtp://localhost:{}?tls=none", strict.port);
    let smtp = smtp(&url, None);
    assert_eq!(
        temporary(smtp.send(&envelope()).await),
        "the mail server answered 530 (authentication)"
    );
    for server in [plain, own, other, wrapped, strict] {
        assert!(server.taken().is_empty());
    }
}

#[tokio::test]
async fn authenticates_and_treats_a_wrong_password_as_temporary() {
    let certificate = Certificate::of("localhost");
    let authority = certificate.authority();
    let server = certificate
        .server_with("required", &["--login", "hospital:p@ss w+rd"])
        .await;
    let smtp = |login: &str| {
        let url = format!("smtp://{login}localhost:{}?tls=required", server.port);
        smtp(&url, Some(&authority))
    };
    smtp("hospital:p%40ss%20w+rd@")
        .send(&envelope())
        .await
        .expect("taken");
    let said = temporary(smtp("hospital:wrong@").send(&envelope()).await);
    assert_eq!(said, "the mail server answered 535 5.7.8 (authentication)");
    let said = temporary(smtp("").send(&envelope()).await);
    assert_eq!(said, "the mail server answered 530 5.7.0 (authentication)");
    assert_eq!(server.wait_for(1).await.len(), 1);
}
