//! A courier on a test database, with a clock set by the test.

use std::{
    num::NonZeroU32,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use service_kit::source::{Clock, FixedClock, Ids as _, RandomIds};
use store_kit::{
    error::StoreError,
    outbox::{Lane, Pace, Worker},
    sql::{Script, Transaction},
    work::{Decision, UnitOfWork},
};
use svc_messaging::{
    delivery::{Courier, Transport, Ways, smtp::Smtp, sources::Sources, texts::Registration},
    mail::{
        self, Address, Cause, NewMail,
        bounce::ReturnPath,
        content::{Appointment, AppointmentEvent, Attendant, Content},
        lane,
        letter::{Enquiry, Issue},
        message::Writer,
    },
    site::{CurrentSite, Site},
};
use uuid::Uuid;

pub(crate) type Bench = test_kit::bench::Bench<svc_messaging::Messaging>;

pub(crate) const EMAIL: &str = "kamala@visitor.example";

/// Monday 23 November 2026, 10:00 IST.
pub(crate) fn now() -> DateTime<Utc> {
    "2026-11-23T04:30:00Z".parse().expect("a moment")
}

pub(crate) fn writer() -> Writer {
    Writer {
        from: "Sampige Hospital <hello@sampige.example>"
            .parse()
            .expect("a mailbox"),
        newsletter_from: "Sampige Hospital <newsletter@sampige.example>"
            .parse()
            .expect("a mailbox"),
        signers: Vec::new(),
        return_path: None,
    }
}

pub(crate) fn site() -> Site {
    Site {
        origin: "https://sampige.example".into(),
        ..Site::default()
    }
}

/// In-memory records that mails refer to.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    pub(crate) enquiry: Option<Enquiry>,
    pub(crate) issue: Option<Issue>,
    pub(crate) confirmed: Mutex<Vec<String>>,
}

#[async_trait]
impl Sources for Shelf {
    async fn enquiry(&self, _: Uuid) -> Result<Option<Enquiry>, StoreError> {
        Ok(self.enquiry.clone())
    }

    async fn issue(&self, _: Uuid) -> Result<Option<Issue>, StoreError> {
        Ok(self.issue.clone())
    }

    async fn is_confirmed(&self, email: &str) -> Result<bool, StoreError> {
        let confirmed = self.confirmed.lock().expect("a list");
        Ok(confirmed.iter().any(|known| known == email))
    }
}

pub(crate) struct Post {
    pub(crate) bench: Bench,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) mail: Arc<dyn Transport>,
    pub(crate) webhook: Option<Arc<dyn Transport>>,
    pub(crate) sms: Option<Arc<dyn Transport>>,
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) try_timeout: Duration,
    pub(crate) return_path: Option<ReturnPath>,
}

impl Post {
    pub(crate) fn new(bench: Bench, mail: Arc<dyn Transport>) -> Self {
        Self {
            bench,
            clock: Arc::new(FixedClock::new(now())),
            mail,
            webhook: None,
            sms: None,
            shelf: Arc::default(),
            try_timeout: lane::TRY_TIMEOUT,
            return_path: None,
        }
    }

    /// Sends to an SMTP server without TLS.
    pub(crate) fn smtp(bench: Bench, url: &str) -> Self {
        let url = url.parse().expect("an address");
        let smtp = Smtp::new(url, "sampige.example", None).expect("a client");
        Self::new(bench, Arc::new(smtp))
    }

    pub(crate) fn courier(&self) -> Courier {
        Courier {
            database: self.bench.database.clone(),
            keys: self.bench.keys.clone(),
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            ids: Arc::new(RandomIds),
            site: Arc::new(CurrentSite::new(site())),
            writer: Writer {
                return_path: self.return_path.clone(),
                ..writer()
            },
            ways: Ways {
                mail: Arc::clone(&self.mail),
                webhook: self.webhook.clone(),
                sms: self.sms.clone(),
            },
            sources: Arc::clone(&self.shelf) as Arc<dyn Sources>,
            try_timeout: self.try_timeout,
            texts: Registration {
                sender_id: "SMPIGE".into(),
                entity_id: "1701".into(),
                template_reminder: "1707".into(),
                template_cancelled: "1708".into(),
                template_reminder_kn: "1709".into(),
                ..Registration::default()
            },
            newsletters_per_minute_max: NonZeroU32::MAX,
        }
    }

    /// Returns a worker for one lane.
    pub(crate) fn worker_of(&self, name: &'static str) -> Worker {
        Worker {
            database: self.bench.database.clone(),
            receiver: Arc::new(self.courier()),
            lane: Lane {
                name,
                pace: Pace {
                    poll_interval: Duration::from_millis(5),
                    batch_max: 8,
                    concurrency_max: 4,
                    ..Pace::default()
                },
            },
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            ids: Arc::new(RandomIds),
        }
    }

    /// Delivers everything that is due, in all lanes.
    pub(crate) async fn deliver(&self) {
        for lane in lane::all(NonZeroU32::MIN) {
            let worker = self.worker_of(lane.name);
            while worker.round().await.expect("a round") > 0 {}
        }
    }

    pub(crate) fn clock_now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub(crate) fn later(&self, by: TimeDelta) {
        self.clock.set(self.clock.now() + by);
    }

    /// Stores a mail at the current test time.
    pub(crate) async fn keep(&self, mail: &NewMail) {
        let script = mail::insert(&self.bench.keys, mail, self.clock.now()).expect("rows");
        self.run(script).await;
    }

    pub(crate) async fn run(&self, script: Script) {
        let written = self.bench.database.write("INSERT mails", Run(script)).await;
        written.expect("kept");
    }

    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        self.bench.test.scalar(sql).await
    }

    pub(crate) async fn state(&self, id: Uuid) -> (String, String) {
        self.bench
            .database
            .fetch_one(
                "SELECT mails",
                "SELECT state, reason FROM mails WHERE id = $1",
                store_kit::values![id],
            )
            .await
            .expect("a mail")
    }
}

struct Run(Script);

#[async_trait]
impl UnitOfWork for Run {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        transaction.run(self.0.clone()).await?;
        Ok(Decision::Commit(()))
    }
}

pub(crate) fn mail(content: Content) -> NewMail {
    NewMail {
        id: RandomIds.uuid(),
        message_id: RandomIds.uuid(),
        subject_id: Some(RandomIds.uuid()),
        to: Address::new("Kamala Rao", EMAIL),
        content,
        language: None,
        cause: Cause::Own,
        expire_time: now() + TimeDelta::days(3),
    }
}

pub(crate) fn acknowledgement() -> Content {
    Content::acknowledgement("MS-7K3P-2XQ9")
}

pub(crate) fn appointment(event: AppointmentEvent) -> Content {
    let method = match event {
        AppointmentEvent::Cancelled => "CANCEL",
        _ => "PUBLISH",
    };
    Content::Appointment(Appointment {
        event,
        name: "Kamala Rao".into(),
        reference: "SH-7K3P-2XQ9".into(),
        starts_at: "2026-11-24T05:00:00Z".parse().expect("a moment"),
        department: "Cardiology".into(),
        doctor: "Dr. Anjali Rao".into(),
        attendant: attendant(),
        other_reference: String::new(),
        manage_url: "https://sampige.example/appointment/manage?id=1#secret".into(),
        calendar: calendar(method),
        calendar_method: method.into(),
    })
}

pub(crate) fn attendant() -> Attendant {
    Attendant {
        name: "Dr. Anjali Rao".into(),
        fee_rupees: 1200,
        place: "Outpatient block, first floor".into(),
    }
}

pub(crate) fn calendar(method: &str) -> String {
    [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Sampige Hospital//Appointments 1.0//EN",
        &format!("METHOD:{method}"),
        "BEGIN:VEVENT",
        "UID:1@appointments.sampige.example",
        "DTSTAMP:20261123T043000Z",
        "DTSTART:20261124T050000Z",
        "SUMMARY:Visit to Sampige Hospital",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]
    .join("\r\n")
}
