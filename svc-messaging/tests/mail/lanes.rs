//! A backlog in one lane must not delay the others.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use store_kit::sql::Script;
use svc_messaging::mail::{
    self, Address, NewMail,
    content::{AppointmentEvent, Content, Waitlist, WaitlistEvent},
    lane,
    letter::Issue,
};
use test_kit::on_both_databases;
use tokio::{sync::watch, time::Instant};
use uuid::Uuid;

use crate::{
    fixture::{Bench, Post, Shelf, appointment, attendant, mail, now},
    server::Server,
};

on_both_databases!(test_kit::bench::empty: newsletters_do_not_delay_patients_mails);

const SUBSCRIBERS: usize = 10_000;
const PATIENTS: usize = 50;
const WITHIN: Duration = Duration::from_mins(1);
/// Server delay per mail, in seconds. The whole issue would keep four connections busy for 500 s.
const SLOW_SECONDS: &str = "0.2";

fn issue(number: usize) -> NewMail {
    NewMail {
        to: Address::new("", &format!("subscriber{number}@visitor.example")),
        ..mail(Content::Newsletter {
            newsletter: Uuid::nil(),
            unsubscribe_url: "https://sampige.example/newsletter/unsubscribe?token=abc".into(),
        })
    }
}

fn offer(hold_until: DateTime<Utc>) -> Content {
    Content::Waitlist(Waitlist {
        name: "Kamala Rao".into(),
        reference: "WL-7K3P-2XQ9".into(),
        department: "Cardiology".into(),
        doctor: String::new(),
        event: WaitlistEvent::Offered {
            starts_at: hold_until + TimeDelta::days(1),
            hold_until,
            attendant: attendant(),
        },
        offer_url: "https://sampige.example/appointment/manage#WL-7K3P-2XQ9.secret".into(),
    })
}

/// M1: with an issue to 10,000 subscribers in the queue, 50 reminders and offers become due.
async fn newsletters_do_not_delay_patients_mails(bench: Bench) {
    let server = Server::start_with(&["--slow", SLOW_SECONDS]).await;
    let mut post = Post::smtp(bench, &server.url());
    let confirmed: Vec<String> = (0..SUBSCRIBERS)
        .map(|number| format!("subscriber{number}@visitor.example"))
        .collect();
    post.shelf = Arc::new(Shelf {
        issue: Some(Issue {
            subject: "A healthy winter".into(),
            text: "Drink warm water.".into(),
        }),
        confirmed: confirmed.into(),
        ..Shelf::default()
    });
    for some in (0..SUBSCRIBERS).collect::<Vec<_>>().chunks(200) {
        let mut script = Script::new();
        for number in some {
            let rows = mail::insert(&post.bench.keys, &issue(*number), now());
            script.append(rows.expect("rows"));
        }
        post.run(script).await;
    }
    post.later(TimeDelta::minutes(5));
    for number in 0..PATIENTS {
        let content = if number % 2 == 0 {
            appointment(AppointmentEvent::Reminder2h)
        } else {
            offer(post.clock_now() + TimeDelta::minutes(20))
        };
        post.keep(&NewMail {
            to: Address::new("", &format!("patient{number}@visitor.example")),
            ..mail(content)
        })
        .await;
    }
    let (stopper, stopping) = watch::channel(false);
    let start = Instant::now();
    let working: Vec<_> = lane::all(NonZeroU32::new(600).expect("a number"))
        .into_iter()
        .map(|lane| {
            let mut worker = post.worker_of(lane.name);
            worker.lane = lane;
            worker.start(stopping.clone())
        })
        .collect();
    let of = |who: &str| {
        let is_one = |mail: &crate::server::Taken| mail.to[0].starts_with(who);
        server.taken().iter().filter(|mail| is_one(mail)).count()
    };
    while of("patient") < PATIENTS {
        assert!(start.elapsed() < WITHIN, "{} of 50", of("patient"));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!("{PATIENTS} patients in {:?}", start.elapsed());
    stopper.send_replace(true);
    for worker in working {
        worker.await.expect("its end");
    }
    // Meanwhile the issue progressed at its own pace.
    let bulk = of("subscriber");
    assert!((1..=200).contains(&bulk), "{bulk}");
    post.bench.end().await;
}
