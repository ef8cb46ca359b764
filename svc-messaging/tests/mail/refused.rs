//! Refusals by a relay: one about the recipient ends a mail; any other is retried and triggers an alert.

use chrono::TimeDelta;
use svc_messaging::mail::{Address, NewMail, content::AppointmentEvent};
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, Post, appointment, mail},
    server::Server,
};

on_both_databases!(test_kit::bench::empty:
    only_an_unknown_recipient_ends_a_mail,
    suppresses_an_address_that_does_not_exist,
);

const DEAD: &str = "SELECT count(*) FROM outbox_messages WHERE dead_time IS NOT NULL";

fn refused(reason: &str) -> f64 {
    let name = format!("mail_refused_total{{reason=\"{reason}\"}} ");
    let text = service_kit::metrics::encode();
    let value = text.lines().find_map(|line| line.strip_prefix(&name));
    value.map_or(0.0, |value| value.parse().expect("a number"))
}

fn to(name: &str) -> NewMail {
    NewMail {
        to: Address::new("", &format!("{name}@visitor.example")),
        ..mail(appointment(AppointmentEvent::Booked))
    }
}

/// M2: regression test; a relay's exhausted quota, policy or blocklist destroyed every mail at the first attempt.
async fn only_an_unknown_recipient_ends_a_mail(bench: Bench) {
    let answers = [
        ("quota", "data 550 5.4.5 Daily user sending quota exceeded"),
        ("relay", "rcpt 554 5.7.1 <a@b.example>: Relay access denied"),
        (
            "policy",
            "data 550 5.7.1 This message was not accepted due to domain owner policy",
        ),
        ("nobody", "rcpt 550 5.1.1 <a@b.example>: no such user"),
        ("busy", "mail 421 4.7.0 Try again later"),
    ];
    let before: Vec<f64> = ["quota", "relay", "policy", "recipient", "deferred"]
        .map(refused)
        .into();
    let plan: Vec<&str> = answers.iter().map(|(_, answer)| *answer).collect();
    let server = Server::start(&plan).await;
    let post = Post::smtp(bench, &server.url());
    let mut mails = Vec::new();
    for (name, _) in answers {
        // Sequential, so that each mail meets its planned reply.
        let mail = to(name);
        post.keep(&mail).await;
        post.deliver().await;
        mails.push(mail);
    }
    assert!(server.taken().is_empty());
    let after = ["quota", "relay", "policy", "recipient", "deferred"].map(refused);
    for (before, after) in before.iter().zip(after) {
        assert!(after >= before + 1.0, "{before} {after}");
    }
    post.later(TimeDelta::hours(1));
    post.deliver().await;
    assert_eq!(server.wait_for(4).await.len(), 4);
    for (mail, (name, _)) in mails.iter().zip(answers) {
        let (state, reason) = post.state(mail.id).await;
        let expected = if name == "nobody" {
            ("failed", "no_recipient")
        } else {
            ("sent", "")
        };
        assert_eq!((state.as_str(), reason.as_str()), expected, "{name}");
    }
    assert_eq!(post.count(DEAD).await, 0);
    post.bench.end().await;
}

async fn suppresses_an_address_that_does_not_exist(bench: Bench) {
    let server = Server::start(&["rcpt 550 5.1.1 no such user", "rcpt 550 no such user"]).await;
    let post = Post::smtp(bench, &server.url());
    let (gone, unsure) = (to("gone"), to("unsure"));
    for mail in [&gone, &unsure] {
        post.keep(mail).await;
        post.deliver().await;
    }
    assert_eq!(
        post.state(unsure.id).await,
        ("failed".into(), "refused".into())
    );
    assert_eq!(post.count("SELECT count(*) FROM suppressions").await, 1);
    let (again, other) = (to("GONE"), to("unsure"));
    for mail in [&again, &other] {
        post.keep(mail).await;
    }
    post.deliver().await;
    assert_eq!(server.wait_for(1).await[0].to, ["unsure@visitor.example"]);
    assert_eq!(
        post.state(again.id).await,
        ("failed".into(), "suppressed".into())
    );
    // After 30 days the suppression has expired, and the address is tried again.
    post.later(TimeDelta::days(30));
    let later = NewMail {
        expire_time: post.clock_now() + TimeDelta::days(1),
        ..to("gone")
    };
    post.keep(&later).await;
    post.deliver().await;
    assert_eq!(server.wait_for(2).await.len(), 2);
    post.bench.end().await;
}
