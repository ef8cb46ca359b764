//! The end of mails: deletion, retention, and sending despite dying workers.

use std::{collections::HashMap, sync::Arc};

use chrono::TimeDelta;
use service_kit::source::{Clock as _, Ids as _, RandomIds};
use svc_messaging::{
    delivery::{Transport, smtp::Smtp},
    mail::{self, Address, NewMail, content::AppointmentEvent, lane, store},
};
use test_kit::on_both_databases;
use tokio::sync::watch;

use crate::{
    fixture::{Bench, Post, acknowledgement, appointment, mail, now},
    server::Server,
};

on_both_databases!(test_kit::bench::empty:
    does_not_send_expired_mails,
    does_not_send_forgotten_mails,
    removes_expired_mails,
    two_workers_send_each_mail_once,
    killed_workers_lose_no_mail,
);

const MAILS: &str = "SELECT count(*) FROM mails";
const OUTBOX: &str = "SELECT count(*) FROM outbox_messages";
const WAITING: &str =
    "SELECT count(*) FROM outbox_messages WHERE delivered_time IS NULL AND dead_time IS NULL";
const DEAD: &str = "SELECT count(*) FROM outbox_messages WHERE dead_time IS NOT NULL";

async fn post(bench: Bench, plan: &[&str]) -> (Post, Server) {
    let server = Server::start(plan).await;
    (Post::smtp(bench, &server.url()), server)
}

async fn does_not_send_expired_mails(bench: Bench) {
    let (post, server) = post(bench, &[]).await;
    let mail = mail(appointment(AppointmentEvent::Reminder2h));
    post.keep(&mail).await;
    post.clock.set(mail.expire_time);
    post.deliver().await;
    assert_eq!(post.state(mail.id).await.0, "expired");
    assert_eq!(post.count(WAITING).await, 0);
    assert!(server.taken().is_empty());
    post.bench.end().await;
}

struct Forget(store_kit::keys::Keys, Vec<uuid::Uuid>);

#[async_trait::async_trait]
impl store_kit::work::UnitOfWork for Forget {
    type Outcome = u64;

    async fn run(
        &self,
        transaction: &mut store_kit::sql::Transaction<'_>,
    ) -> Result<store_kit::work::Decision<u64>, store_kit::error::StoreError> {
        let rows = if self.1.is_empty() {
            {
                let kamala = mail::Recipient::Email("KAMALA@visitor.example");
                mail::forget_recipient(transaction, &self.0, kamala).await?
            }
        } else {
            mail::forget_subjects(transaction, &self.1).await?
        };
        Ok(store_kit::work::Decision::Commit(rows))
    }
}

async fn does_not_send_forgotten_mails(bench: Bench) {
    let (post, server) = post(bench, &[]).await;
    let keys = post.bench.keys.clone();
    let forget = |subjects| {
        let forget = Forget(keys.clone(), subjects);
        post.bench.database.write("DELETE mails", forget)
    };
    let other = NewMail {
        to: Address::new("", "ravi@visitor.example"),
        ..mail(acknowledgement())
    };
    let mails = [
        mail(acknowledgement()),
        mail(appointment(AppointmentEvent::Booked)),
        other,
    ];
    for mail in &mails {
        post.keep(mail).await;
    }
    let subject = mails[1].subject_id.expect("a subject");
    assert_eq!(
        forget(vec![subject, RandomIds.uuid()]).await.expect("done"),
        1
    );
    assert_eq!((post.count(MAILS).await, post.count(OUTBOX).await), (2, 2));
    assert_eq!(forget(Vec::new()).await.expect("done"), 1);
    assert_eq!((post.count(MAILS).await, post.count(OUTBOX).await), (1, 1));
    post.deliver().await;
    let taken = server.wait_for(1).await;
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].to, ["ravi@visitor.example"]);
    post.bench.end().await;
}

async fn removes_expired_mails(bench: Bench) {
    let (post, _server) = post(bench, &[]).await;
    post.keep(&mail(acknowledgement())).await;
    post.deliver().await;
    let never = mail(appointment(AppointmentEvent::Booked));
    post.keep(&never).await;
    let database = &post.bench.database;
    let at = |days| now() + TimeDelta::days(days);
    for (days, over) in [(29, 0), (30, 1), (32, 1), (33, 2)] {
        let counted = store::over(database, at(days)).await.expect("a count");
        assert_eq!(counted, over, "{days}");
    }
    assert_eq!(store::retain(database, at(30)).await.expect("done"), 1);
    assert_eq!(post.state(never.id).await.0, "waiting");
    assert_eq!(store::retain(database, at(33)).await.expect("done"), 1);
    assert_eq!(post.count(MAILS).await, 0);
    post.bench.end().await;
}

async fn two_workers_send_each_mail_once(bench: Bench) {
    let (post, server) = post(bench, &[]).await;
    for number in 0..30 {
        let mut mail = mail(acknowledgement());
        mail.to = Address::new("", &format!("visitor{number}@visitor.example"));
        post.keep(&mail).await;
    }
    tokio::join!(post.deliver(), post.deliver());
    assert_eq!(server.wait_for(30).await.len(), 30);
    assert_eq!(post.count(WAITING).await, 0);
    post.bench.end().await;
}

/// Sends 200 mails to an unreliable server, with workers killed at arbitrary moments.
async fn killed_workers_lose_no_mail(bench: Bench) {
    const MAILS: usize = 200;
    const KILLS: usize = 12;
    let plan: Vec<&str> = (0..MAILS)
        .map(|number| match number % 17 {
            3 => "temporary",
            8 => "die_in_data",
            _ => "ok",
        })
        .collect();
    let (mut post, server) = post(bench, &plan).await;
    let mut ids = HashMap::new();
    for number in 0..MAILS {
        let mut mail = mail(acknowledgement());
        mail.to = Address::new("", &format!("visitor{number}@visitor.example"));
        mail.expire_time = now() + TimeDelta::days(300);
        post.keep(&mail).await;
        ids.insert(format!("<{}@sampige.example>", mail.id), 0_usize);
    }
    for kill in 0..KILLS {
        let (_stopper, stopping) = watch::channel(false);
        let working = post.worker_of(lane::ENQUIRIES).start(stopping);
        // Let a few more mails through, then kill the worker in the middle of its work.
        let more = (server.taken().len() + 5 + kill).min(MAILS);
        server.wait_for(more).await;
        working.abort();
        _ = working.await;
        // A dead process also loses its connections.
        let url = server.url().parse().expect("an address");
        let smtp = Smtp::new(url, "sampige.example", None).expect("a client");
        post.mail = Arc::new(smtp) as Arc<dyn Transport>;
        post.later(TimeDelta::minutes(20));
    }
    for _ in 0..6 {
        post.deliver().await;
        post.later(TimeDelta::minutes(20));
    }
    assert_eq!((post.count(WAITING).await, post.count(DEAD).await), (0, 0));
    let taken = server.wait_for(MAILS).await;
    for mail in &taken {
        *ids.get_mut(&mail.message_id()).expect("a mail of ours") += 1;
    }
    assert!(ids.values().all(|count| *count >= 1), "none is lost");
    // Accepted by the server but not recorded before the worker died: at most one per concurrent delivery.
    let twice: usize = ids.values().map(|count| count - 1).sum();
    assert!(twice <= KILLS * 4, "{twice}");
    println!("{KILLS} kills, {MAILS} mails, {twice} of them twice");
    assert!(post.clock.now() < now() + TimeDelta::days(300));
    post.bench.end().await;
}
