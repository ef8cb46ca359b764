//! Bounces: return paths, reports, and the suppression of addresses.

use std::{fs, path::Path, sync::Arc};

use chrono::TimeDelta;
use service_kit::source::{Clock, RandomIds};
use svc_messaging::{
    delivery::bounces::Bounces,
    mail::{bounce::ReturnPath, content::AppointmentEvent},
};
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, EMAIL, Post, appointment, mail},
    server::Server,
};

on_both_databases!(test_kit::bench::empty: records_bounces_and_suppresses_their_addresses);

fn report(to: &str, status: &str) -> String {
    format!(
        "Return-Path: <>\nDelivered-To: {to}\nFrom: MAILER-DAEMON@mx.visitor.example\nTo: {to}\nSubject: Undelivered Mail\n\
         MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status;\n\tboundary=\"Bound\"\n\n--Bound\n\
         Content-Type: text/plain\n\nYour mail did not arrive.\n\n--Bound\nContent-Type: message/delivery-status\n\n\
         Reporting-MTA: dns; mx.visitor.example\n\nFinal-Recipient: rfc822; {EMAIL}\nAction: failed\nStatus: {status}\n\n\
         --Bound\nContent-Type: message/rfc822\n\nSubject: Your appointment\n\nPrivate.\n\n--Bound--\n"
    )
}

fn deliver(folder: &Path, name: &str, text: &str) {
    fs::create_dir_all(folder.join("new")).expect("a folder");
    fs::write(folder.join("new").join(name), text).expect("a file");
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

/// M8: regression test; bounces went to reception, and the hospital kept writing to dead addresses.
async fn records_bounces_and_suppresses_their_addresses(bench: Bench) {
    let server = Server::start(&[]).await;
    let mut post = Post::smtp(bench, &server.url());
    let path = ReturnPath::new("bounces@sampige.example", post.bench.keys.clone());
    let path = path.expect("an address");
    post.return_path = Some(path.clone());
    let (first, second) = (
        mail(appointment(AppointmentEvent::Booked)),
        mail(appointment(AppointmentEvent::Booked)),
    );
    for mail in [&first, &second] {
        post.keep(mail).await;
    }
    post.deliver().await;
    let taken = server.wait_for(2).await;
    for mail in &taken {
        // Each mail has its own envelope sender, but the visible sender is the same.
        assert!(mail.from.starts_with("bounces+"), "{}", mail.from);
        assert!(mail.text().contains("<hello@sampige.example>"));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let bounces = Bounces {
        database: post.bench.database.clone(),
        keys: post.bench.keys.clone(),
        clock: Arc::clone(&post.clock) as Arc<dyn Clock>,
        ids: Arc::new(RandomIds),
        return_path: path.clone(),
        folder: folder.path().to_owned(),
    };
    assert_eq!(bounces.round().await.expect("no folder yet"), 0);
    // Full mailbox: the mail failed, but the address is valid.
    deliver(folder.path(), "1", &report(&path.of(second.id), "5.2.2"));
    deliver(folder.path(), "2", "Subject: Out of office\n\nI am away.\n");
    // Forged by a stranger who knows the id of a mail.
    let forged = format!("bounces+{}000000000000@sampige.example", first.id.simple());
    deliver(folder.path(), "3", &report(&forged, "5.1.1"));
    assert_eq!(bounces.round().await.expect("a round"), 3);
    assert_eq!(count(&folder.path().join("new")), 0);
    assert_eq!(
        count(&folder.path().join("cur")),
        2,
        "for a person to look at"
    );
    assert_eq!(
        post.state(second.id).await,
        ("failed".into(), "bounced".into())
    );
    assert_eq!(post.state(first.id).await.0, "sent");
    assert_eq!(post.count("SELECT count(*) FROM suppressions").await, 0);
    deliver(folder.path(), "4", &report(&path.of(first.id), "5.1.1"));
    bounces.round().await.expect("a round");
    assert_eq!(
        post.state(first.id).await,
        ("failed".into(), "bounced".into())
    );
    assert_eq!(post.count("SELECT count(*) FROM suppressions").await, 1);
    post.later(TimeDelta::days(1));
    let third = mail(appointment(AppointmentEvent::Moved));
    post.keep(&third).await;
    post.deliver().await;
    assert_eq!(
        post.state(third.id).await,
        ("failed".into(), "suppressed".into())
    );
    assert_eq!(server.taken().len(), 2);
    post.bench.end().await;
}
