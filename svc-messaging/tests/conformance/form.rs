//! Visitors' requests: references, replays, rate limits, and the hidden parts of a form.

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{FormCheck, Message, MessageMeta, SubscribeRequest};
use svc_messaging::spam::proof::zero_bits;
use test_kit::{on_both_databases, service::is_replay};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::{
    Bench,
    serving::{Serving, borderline, enquiry, new_request, reason, spam, violated, with},
};

on_both_databases!(test_kit::bench::empty:
    acknowledges_a_message_once_with_its_reference,
    forwards_a_comment_to_the_editor_without_acknowledgement,
    spam_gets_the_usual_response_and_is_not_forwarded,
    a_borderline_message_passes_with_a_proof_of_work,
    a_form_submitted_too_fast_is_suspicious,
    limits_messages_of_a_network,
    a_repeated_text_is_suspicious,
    an_address_that_writes_repeatedly_is_suspicious,
    twenty_concurrent_retries_make_one_message,
    stores_no_incomplete_message,
    refuses_unsafe_names_and_addresses,
);

const MAILS: &str = "SELECT count(*) FROM mails";
const QUARANTINED: &str = "SELECT count(*) FROM messages WHERE status = 'quarantined'";
const MESSAGES: &str = "SELECT count(*) FROM messages";

async fn acknowledges_a_message_once_with_its_reference(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let check = serving.check().await;
    let message = Message {
        check: Some(check),
        ..enquiry(1)
    };
    let request = new_request(message.clone());
    let first = serving.messaging().create_message(request.clone()).await;
    let first = first.expect("accepted");
    assert!(!is_replay(&first));
    let first = first.into_inner().message.expect("a message");
    assert!(first.reference.starts_with("MS-") && first.reference.len() == 12);
    assert_eq!(first.check, None, "it is never stored");
    // Hours later and with another form token, the replay is the same.
    serving.pass(TimeDelta::hours(5));
    let mut again = request.clone();
    again.message.as_mut().expect("a message").check = Some(serving.check().await);
    let again = serving
        .messaging()
        .create_message(again)
        .await
        .expect("accepted");
    assert!(is_replay(&again));
    assert_eq!(again.into_inner().message, Some(first));
    let mut other = request;
    other.message.as_mut().expect("a message").subject = "Something else".into();
    let refused = serving
        .messaging()
        .create_message(other)
        .await
        .expect_err("refused");
    assert_eq!(reason(&refused), "REQUEST_ID_REUSED");
    for (kind, mails) in [("message.forwarded", 1), ("message.acknowledged", 1)] {
        let count = format!("SELECT count(*) FROM mails WHERE kind = '{kind}'");
        assert_eq!(bench.test.scalar(count.leak()).await, mails, "{kind}");
    }
    assert_eq!(bench.test.scalar(MESSAGES).await, 1);
    bench.end().await;
}

async fn forwards_a_comment_to_the_editor_without_acknowledgement(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let meta = MessageMeta {
        thread_id: "healthy-heart".to_owned(),
        created_at: None,
    };
    serving
        .created(Message {
            meta: Some(meta),
            ..enquiry(1)
        })
        .await;
    let editor = "SELECT count(*) FROM messages WHERE mailbox = 'editor@sampige.example' AND kind = 'comment'";
    assert_eq!(bench.test.scalar(editor).await, 1);
    assert_eq!(bench.test.scalar(MAILS).await, 1);
    bench.end().await;
}

async fn spam_gets_the_usual_response_and_is_not_forwarded(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let website = FormCheck {
        website: "x".to_owned(),
        ..serving.check().await
    };
    for message in [
        spam(1),
        Message {
            check: Some(website),
            ..enquiry(2)
        },
    ] {
        let kept = serving.created(message).await;
        assert!(kept.reference.starts_with("MS-"));
        assert_eq!(kept.create_time.is_some(), !kept.id.is_empty());
    }
    assert_eq!(bench.test.scalar(QUARANTINED).await, 2);
    assert_eq!(bench.test.scalar(MAILS).await, 0);
    bench.end().await;
}

fn asked(status: &Status) -> (String, u32) {
    assert_eq!(
        (status.code(), reason(status).as_str()),
        (Code::FailedPrecondition, "PROOF_REQUIRED")
    );
    let info = status.get_details_error_info().expect("a reason");
    let bits = info.metadata["bits"].parse().expect("a number");
    (info.metadata["challenge"].clone(), bits)
}

fn solved((challenge, bits): (String, u32)) -> String {
    let mut proofs = (0_u64..).map(|number| format!("{challenge}.{number}"));
    proofs.find(|proof| zero_bits(proof) >= bits).expect("one")
}

async fn a_borderline_message_passes_with_a_proof_of_work(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let check = serving.check().await;
    let mut request = new_request(Message {
        check: Some(check.clone()),
        ..borderline(1)
    });
    let refused = serving
        .messaging()
        .create_message(request.clone())
        .await
        .expect_err("asked");
    let challenge = asked(&refused);
    assert!((16..=19).contains(&challenge.1));
    assert_eq!(bench.test.scalar(MESSAGES).await, 0, "nothing was written");
    // Same request id, now with the proof.
    let proof = solved(challenge);
    let proved = FormCheck {
        proof: proof.clone(),
        ..check.clone()
    };
    request.message.as_mut().expect("a message").check = Some(proved.clone());
    let answer = serving
        .messaging()
        .create_message(request)
        .await
        .expect("accepted");
    assert!(!is_replay(&answer));
    assert_eq!(bench.test.scalar(QUARANTINED).await, 0);
    // A proof is valid only for its message and for ten minutes.
    let other = Message {
        check: Some(proved),
        ..borderline(2)
    };
    asked(&serving.create(other, None).await.expect_err("asked"));
    // A sender that cannot compute a proof is quarantined for review.
    let unable = FormCheck {
        can_prove: false,
        ..check
    };
    serving
        .created(Message {
            check: Some(unable),
            ..borderline(3)
        })
        .await;
    assert_eq!(bench.test.scalar(QUARANTINED).await, 1);
    bench.end().await;
}

async fn a_form_submitted_too_fast_is_suspicious(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let tokens = [
        (serving.token(TimeDelta::seconds(1)).await, 1),
        ("forged".to_owned(), 1),
        (serving.token(TimeDelta::hours(23)).await, 0),
        (serving.token(TimeDelta::hours(25)).await, 0),
        (String::new(), 0),
    ];
    for (number, (token, quarantined)) in tokens.into_iter().enumerate() {
        let before = bench.test.scalar(QUARANTINED).await;
        let check = FormCheck {
            token,
            ..FormCheck::default()
        };
        serving
            .created(Message {
                check: Some(check),
                ..enquiry(number)
            })
            .await;
        assert_eq!(
            bench.test.scalar(QUARANTINED).await - before,
            quarantined,
            "{number}"
        );
    }
    bench.end().await;
}

async fn limits_messages_of_a_network(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut taken = 0;
    for number in 0..70 {
        let message = Message {
            check: Some(serving.check().await),
            ..enquiry(number)
        };
        match serving.create(message, Some("203.0.113.0/24")).await {
            Ok(_) => taken += 1,
            Err(refused) => {
                assert_eq!(refused.code(), Code::ResourceExhausted);
                assert_eq!(reason(&refused), "MESSAGES_MAX");
                assert!(refused.message().contains("call reception"), "{refused}");
            }
        }
    }
    assert_eq!(taken, 60, "people who share a network");
    assert_eq!(bench.test.scalar(QUARANTINED).await, 0);
    // Another network is not affected, nor is this one an hour later. A replay does not count.
    serving
        .create(enquiry(71), Some("198.51.100.0/24"))
        .await
        .expect("accepted");
    let network = Some("203.0.113.0/24");
    for hour in 1..4 {
        serving.pass(TimeDelta::minutes(61));
        let mut taken = 0;
        for number in 0..60 {
            let number = 1000 * hour + number;
            taken += u32::from(serving.create(enquiry(number), network).await.is_ok());
        }
        assert_eq!(taken, if hour < 3 { 60 } else { 20 }, "hour {hour}");
    }
    bench.end().await;
}

async fn a_repeated_text_is_suspicious(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for (number, quarantined) in [(1, 0), (2, 0), (3, 1), (4, 2)] {
        let message = Message {
            message: enquiry(7).message,
            ..enquiry(number)
        };
        serving.created(message).await;
        assert_eq!(
            bench.test.scalar(QUARANTINED).await,
            quarantined,
            "{number}"
        );
    }
    serving.pass(TimeDelta::hours(25));
    serving
        .created(Message {
            message: enquiry(7).message,
            ..enquiry(5)
        })
        .await;
    assert_eq!(bench.test.scalar(QUARANTINED).await, 2);
    bench.end().await;
}

async fn an_address_that_writes_repeatedly_is_suspicious(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for number in 0..9 {
        let email = "One.And.The.Same@visitor.example".to_owned();
        serving
            .created(Message {
                email,
                ..enquiry(number)
            })
            .await;
    }
    assert_eq!(bench.test.scalar(QUARANTINED).await, 1);
    bench.end().await;
}

async fn twenty_concurrent_retries_make_one_message(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let request = new_request(enquiry(1));
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (mut client, request) = (serving.messaging(), request.clone());
        calls.spawn(async move {
            let answer = client
                .create_message(with(request, "client-network", "203.0.113.0/24"))
                .await;
            answer
                .expect("accepted")
                .into_inner()
                .message
                .expect("a message")
                .reference
        });
    }
    let references: std::collections::HashSet<String> =
        calls.join_all().await.into_iter().collect();
    assert_eq!(references.len(), 1);
    assert_eq!(bench.test.scalar(MESSAGES).await, 1);
    assert_eq!(bench.test.scalar(MAILS).await, 2);
    bench.end().await;
}

/// If the mails cannot be stored, the message is not stored either, and a retry is accepted later.
async fn stores_no_incomplete_message(bench: Bench) {
    let serving = Serving::start(&bench).await;
    bench
        .test
        .execute("ALTER TABLE mails RENAME TO mails_away")
        .await;
    let request = new_request(enquiry(1));
    serving
        .messaging()
        .create_message(request.clone())
        .await
        .expect_err("no table");
    assert_eq!(bench.test.scalar(MESSAGES).await, 0);
    assert_eq!(
        bench.test.scalar("SELECT count(*) FROM request_keys").await,
        0
    );
    bench
        .test
        .execute("ALTER TABLE mails_away RENAME TO mails")
        .await;
    let answer = serving
        .messaging()
        .create_message(request)
        .await
        .expect("accepted");
    assert!(!is_replay(&answer));
    assert_eq!(bench.test.scalar(MAILS).await, 2);
    bench.end().await;
}

/// X9: names that are formulas, contain links or stack accents, and the hospital's own mailboxes. M3: addresses that no
/// mail server accepts.
async fn refuses_unsafe_names_and_addresses(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let stacked = format!("Asha{}", "\u{301}".repeat(110));
    for name in ["=HYPERLINK(1) Rao", "https://evil.example Asha", &stacked] {
        let message = Message {
            name: name.to_owned(),
            ..enquiry(1)
        };
        let refused = serving.create(message, None).await.expect_err("refused");
        assert_eq!(violated(&refused), ["name"], "{name}");
    }
    for email in [
        ".dots..stand.@visitor.example",
        "Hello@sampige.example",
        "billing@sampige.example",
    ] {
        let message = Message {
            email: email.to_owned(),
            ..enquiry(1)
        };
        let refused = serving.create(message, None).await.expect_err("refused");
        assert_eq!(violated(&refused), ["email"], "{email}");
        let subscribe = SubscribeRequest {
            email: email.to_owned(),
            check: None,
        };
        let refused = serving.newsletter().subscribe(subscribe).await;
        assert_eq!(
            violated(&refused.expect_err("refused")),
            ["email"],
            "{email}"
        );
    }
    assert_eq!(bench.test.scalar(MESSAGES).await, 0);
    bench.end().await;
}
