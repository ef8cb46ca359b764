//! Export and erasure of one person's data.

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{EraseSenderRequest, ExportSenderRequest, SubscribeRequest};
use service_kit::source::{Clock as _, Ids as _, RandomIds};
use svc_messaging::mail::{self, Address, Cause, NewMail, content::Content};
use test_kit::on_both_databases;

use crate::{
    Bench,
    serving::{Serving, enquiry, violated},
};

on_both_databases!(test_kit::bench::empty:
    exports_and_erases_a_person,
    erases_a_person_by_phone_number_alone,
    a_phone_number_finds_texts_but_no_mails_of_others,
);

const LEFT: &str = "SELECT (SELECT count(*) FROM messages) * 100 + (SELECT count(*) FROM mails) * 10 + (SELECT count(*) FROM subscriptions)";

async fn exports_and_erases_a_person(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut inbox = serving.inbox();
    for number in [1, 2] {
        serving.created(enquiry(number)).await;
    }
    let email = "visitor1@visitor.example".to_owned();
    let subscribe = SubscribeRequest {
        email: email.clone(),
        check: None,
    };
    serving
        .newsletter()
        .subscribe(subscribe)
        .await
        .expect("answered");
    assert_eq!(
        bench.test.scalar(LEFT).await,
        251,
        "two messages with two mails each, and one that asks"
    );
    let request = ExportSenderRequest {
        email: " Visitor1@VISITOR.example ".to_owned(),
        phone: String::new(),
    };
    let kept = inbox
        .export_sender(serving.staff("senders:export", request))
        .await
        .expect("kept")
        .into_inner();
    assert_eq!(kept.messages.len(), 1);
    let message = kept.messages[0].message.as_ref().expect("a body");
    assert_eq!(
        (message.email.as_str(), message.subject.as_str()),
        (email.as_str(), "Visiting hours 1")
    );
    assert_eq!(kept.newsletter, "pending");
    let mut kinds: Vec<&str> = kept.mails.iter().map(|mail| mail.kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        [
            "message.acknowledged",
            "message.forwarded",
            "newsletter.confirmation"
        ]
    );
    assert!(
        kept.mails
            .iter()
            .all(|mail| mail.state == "waiting" && mail.create_time.is_some())
    );
    let erase = EraseSenderRequest {
        email: email.clone(),
        phone: String::new(),
    };
    let erased = inbox
        .erase_sender(serving.staff("senders:erase", erase.clone()))
        .await
        .expect("erased")
        .into_inner();
    assert_eq!(
        (erased.messages, erased.mails, erased.subscriptions),
        (1, 3, 1)
    );
    assert_eq!(bench.test.scalar(LEFT).await, 120, "the other person's");
    let again = inbox
        .erase_sender(serving.staff("senders:erase", erase))
        .await
        .expect("erased")
        .into_inner();
    assert_eq!(
        (again.messages, again.mails, again.subscriptions),
        (0, 0, 0)
    );
    let outbox = "SELECT count(*) FROM outbox_messages WHERE kind = 'mail.send'";
    assert_eq!(bench.test.scalar(outbox).await, 2);
    for action in ["sender.exported", "sender.erased"] {
        let entries = format!("SELECT count(*) FROM audit_entries WHERE action = '{action}'");
        assert!(bench.test.scalar(entries.leak()).await > 0, "{action}");
    }
    let personal =
        "SELECT count(*) FROM audit_entries WHERE subject LIKE '%@%' OR detail LIKE '%@%'";
    assert_eq!(bench.test.scalar(personal).await, 0);
    bench.end().await;
}

async fn erases_a_person_by_phone_number_alone(bench: Bench) {
    let serving = Serving::start(&bench).await;
    serving.created(enquiry(1)).await;
    let erase = |email: &str, phone: &str| {
        let request = EraseSenderRequest {
            email: email.to_owned(),
            phone: phone.to_owned(),
        };
        serving.staff("senders:erase", request)
    };
    let mut inbox = serving.inbox();
    for (email, phone, fields) in [("", "", vec!["email"]), ("x", "1", vec!["email", "phone"])] {
        let refused = inbox
            .erase_sender(erase(email, phone))
            .await
            .expect_err("refused");
        assert_eq!(violated(&refused), fields);
    }
    let erased = inbox
        .erase_sender(erase("", "080-00000001"))
        .await
        .expect("erased")
        .into_inner();
    assert_eq!(
        (erased.messages, erased.mails),
        (1, 2),
        "the acknowledgement too"
    );
    assert_eq!(bench.test.scalar(LEFT).await, 0);
    bench.end().await;
}

/// M6: texts are found by phone number. Mails to an address given with the same number may belong to another person.
async fn a_phone_number_finds_texts_but_no_mails_of_others(bench: Bench) {
    let serving = Serving::start(&bench).await;
    // A family shares a phone: the mother wrote from her own address and has her own booking.
    serving.created(enquiry(1)).await;
    let notice = |phone: Option<&str>| {
        let mail = NewMail {
            id: RandomIds.uuid(),
            message_id: RandomIds.uuid(),
            subject_id: Some(RandomIds.uuid()),
            to: Address::new("Visitor", "visitor1@visitor.example"),
            content: Content::acknowledgement("MS-7K3P-2XQ9"),
            language: None,
            cause: Cause::Own,
            expire_time: serving.clock.now() + TimeDelta::days(3),
        };
        let keys = &bench.keys;
        let now = serving.clock.now();
        match phone {
            Some(phone) => mail::insert_text(keys, &mail, phone, now).expect("rows"),
            None => mail::insert(keys, &mail, now).expect("rows"),
        }
    };
    for script in [
        notice(None),
        notice(Some("+91 80 0000 0001")),
        notice(Some("+91 80 0000 0002")),
    ] {
        let run = Run(script);
        bench
            .database
            .write("INSERT mails", run)
            .await
            .expect("kept");
    }
    let request = ExportSenderRequest {
        email: String::new(),
        phone: "080-00000001".to_owned(),
    };
    let kept = serving
        .inbox()
        .export_sender(serving.staff("senders:export", request))
        .await
        .expect("kept")
        .into_inner();
    assert_eq!(kept.messages.len(), 1);
    assert_eq!(
        kept.mails.len(),
        3,
        "the two mails of the message, and the text"
    );
    let erase = EraseSenderRequest {
        email: String::new(),
        phone: "080-00000001".to_owned(),
    };
    let erased = serving
        .inbox()
        .erase_sender(serving.staff("senders:erase", erase))
        .await
        .expect("erased")
        .into_inner();
    assert_eq!((erased.messages, erased.mails), (1, 3));
    let left = "SELECT count(*) FROM mails WHERE channel = 'email'";
    assert_eq!(
        bench.test.scalar(left).await,
        1,
        "the notice to the address"
    );
    let texts = "SELECT count(*) FROM mails WHERE channel = 'sms'";
    assert_eq!(
        bench.test.scalar(texts).await,
        1,
        "the text to another number"
    );
    bench.end().await;
}

struct Run(store_kit::sql::Script);

#[async_trait::async_trait]
impl store_kit::work::UnitOfWork for Run {
    type Outcome = ();

    async fn run(
        &self,
        transaction: &mut store_kit::sql::Transaction<'_>,
    ) -> Result<store_kit::work::Decision<()>, store_kit::error::StoreError> {
        transaction.run(self.0.clone()).await?;
        Ok(store_kit::work::Decision::Commit(()))
    }
}
