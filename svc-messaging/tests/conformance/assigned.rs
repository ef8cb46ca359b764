//! Messages that one person has taken, and the deletion of a single message.

use hospital_proto::messaging::v1::{
    DeleteMessageRequest, GetMessageRequest, InboxMessage, ListMessagesRequest, MessageStatus,
    SetMessageStatusRequest,
};
use test_kit::on_both_databases;
use tonic::{Code, Request, Status};

use crate::{
    Bench,
    serving::{STAFF, Serving, enquiry, reason, violated, with},
};

on_both_databases!(test_kit::bench::empty:
    two_people_do_not_take_the_same_message,
    a_message_is_given_back,
    lists_the_messages_that_the_caller_has_taken,
    deletes_one_message_and_its_mails,
);

const OTHER: &str = "meera@sampige";

/// Builds a request with a token of another person.
fn by<T>(serving: &Serving, subject: &str, scope: &str, message: T) -> Request<T> {
    let token = serving.issuer.authorization_of(subject, scope, 60);
    with(message, "authorization", &token)
}

async fn set(
    serving: &Serving,
    person: (&str, &str),
    seen: &InboxMessage,
    status: MessageStatus,
) -> Result<InboxMessage, Status> {
    let (subject, name) = person;
    let request = SetMessageStatusRequest {
        message_id: id(seen),
        status: status.into(),
        etag: seen.etag.clone(),
        // Ignored, whatever a client writes.
        taken_by_name: "Somebody Else".to_owned(),
    };
    let claims = if name.is_empty() {
        String::new()
    } else {
        format!(r#","name":"{name}""#)
    };
    let token = serving
        .issuer
        .authorization_with(subject, "messages:write", 60, &claims);
    let request = with(request, "authorization", &token);
    let reply = serving.inbox().set_message_status(request).await?;
    Ok(reply.into_inner().message.expect("a message"))
}

async fn read(serving: &Serving, subject: &str, id: &str) -> Result<InboxMessage, Status> {
    let message_id = id.to_owned();
    let request = by(
        serving,
        subject,
        "messages:read",
        GetMessageRequest { message_id },
    );
    let reply = serving.inbox().get_message(request).await?;
    Ok(reply.into_inner().message.expect("a message"))
}

fn id(of: &InboxMessage) -> String {
    of.message.clone().expect("a message").id
}

async fn two_people_do_not_take_the_same_message(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let sent = serving.created(enquiry(1)).await;
    let seen = read(&serving, STAFF, &sent.id).await.expect("found");
    let first = set(&serving, (OTHER, "Meera Nair"), &seen, MessageStatus::Taken);
    let first = first.await.expect("taken");
    assert_eq!(
        (first.taken_by.as_str(), first.taken_by_name.as_str()),
        (OTHER, "Meera Nair")
    );
    assert!(first.taken_by_me);
    // The other has the page from before.
    let second = set(&serving, (STAFF, "Ravi Rao"), &seen, MessageStatus::Taken).await;
    let second = second.expect_err("taken by another");
    assert_eq!(
        (second.code(), reason(&second).as_str()),
        (Code::Aborted, "ETAG_MISMATCH")
    );
    let now = read(&serving, STAFF, &sent.id).await.expect("found");
    assert_eq!(now.taken_by_name, "Meera Nair");
    assert!(!now.taken_by_me);
    // Nor with the present etag.
    let refused = set(&serving, (STAFF, "Ravi Rao"), &now, MessageStatus::Taken).await;
    assert_eq!(reason(&refused.expect_err("taken")), "STATUS_NOT_ALLOWED");
    // A retry of the first succeeds.
    let again = set(&serving, (OTHER, "Meera Nair"), &seen, MessageStatus::Taken);
    assert_eq!(again.await.expect("the same"), first);
    bench.end().await;
}

async fn a_message_is_given_back(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let sent = serving.created(enquiry(1)).await;
    let mails = "SELECT count(*) FROM mails";
    let before = bench.test.scalar(mails).await;
    let seen = read(&serving, STAFF, &sent.id).await.expect("found");
    let taken = set(&serving, (OTHER, "Meera Nair"), &seen, MessageStatus::Taken).await;
    let taken = taken.expect("taken");
    let back = set(&serving, (OTHER, "Meera Nair"), &taken, MessageStatus::New).await;
    let back = back.expect("given back");
    assert_eq!(
        (back.taken_by.as_str(), back.taken_by_name.as_str()),
        ("", "")
    );
    assert_eq!(
        bench.test.scalar(mails).await,
        before,
        "forwarded only once"
    );
    // A program's token gives no name.
    let taken = set(&serving, (STAFF, ""), &back, MessageStatus::Taken).await;
    let taken = taken.expect("taken by the other");
    assert_eq!(
        (taken.taken_by.as_str(), taken.taken_by_name.as_str()),
        (STAFF, "")
    );
    let done = set(&serving, (OTHER, ""), &taken, MessageStatus::Done).await;
    assert_eq!(done.expect("done").taken_by, STAFF);
    bench.end().await;
}

async fn lists_the_messages_that_the_caller_has_taken(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for (number, subject) in [(1, STAFF), (2, OTHER), (3, OTHER), (4, "")] {
        let sent = serving.created(enquiry(number)).await;
        let seen = read(&serving, STAFF, &sent.id).await.expect("found");
        if !subject.is_empty() {
            let taken = set(&serving, (subject, "A name"), &seen, MessageStatus::Taken).await;
            taken.expect("taken");
        }
    }
    let list = async |subject, taken_by: &str, status: &str| {
        let request = ListMessagesRequest {
            taken_by: taken_by.to_owned(),
            status: status.to_owned(),
            ..ListMessagesRequest::default()
        };
        let request = by(&serving, subject, "messages:read", request);
        let reply = serving.inbox().list_messages(request).await?;
        let messages = reply.into_inner().messages.into_iter();
        let subjects = messages.map(|found| found.message.expect("a message").subject);
        Ok::<Vec<String>, Status>(subjects.collect())
    };
    let mut theirs = list(OTHER, "me", "").await.expect("a list");
    theirs.sort();
    assert_eq!(theirs, ["Visiting hours 2", "Visiting hours 3"]);
    let mine = list(STAFF, "me", "taken").await.expect("a list");
    assert_eq!(mine, ["Visiting hours 1"]);
    assert_eq!(list(STAFF, "me", "new").await.expect("a list").len(), 0);
    assert_eq!(list(STAFF, "", "taken").await.expect("a list").len(), 3);
    let refused = list(STAFF, OTHER, "").await.expect_err("another person");
    assert_eq!(violated(&refused), ["takenBy"]);
    bench.end().await;
}

async fn deletes_one_message_and_its_mails(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let (sent, kept) = (
        serving.created(enquiry(1)).await,
        serving.created(enquiry(2)).await,
    );
    let seen = read(&serving, STAFF, &sent.id).await.expect("found");
    let taken = set(&serving, (OTHER, ""), &seen, MessageStatus::Taken).await;
    let taken = taken.expect("taken");
    let delete = async |reason: &str, seen: &InboxMessage| {
        let request = DeleteMessageRequest {
            message_id: id(seen),
            reason: reason.to_owned(),
            etag: seen.etag.clone(),
        };
        let request = serving.staff("senders:erase", request);
        serving.inbox().delete_message(request).await.map(drop)
    };
    for wrong in ["", "because I can", "ASKED"] {
        let refused = delete(wrong, &taken).await.expect_err("refused");
        assert_eq!(violated(&refused), ["reason"]);
    }
    let stale = delete("asked", &seen).await.expect_err("stale");
    assert_eq!(reason(&stale), "ETAG_MISMATCH");
    delete("asked", &taken).await.expect("deleted");
    let gone = delete("asked", &taken).await.expect_err("gone");
    assert_eq!(gone.code(), Code::NotFound);
    let gone = read(&serving, STAFF, &sent.id).await.expect_err("gone");
    assert_eq!(gone.code(), Code::NotFound);
    read(&serving, STAFF, &kept.id).await.expect("the other");
    // Two mails each: to the mailbox and the acknowledgement. Only those of the other message are left to send.
    for left in [
        "SELECT count(*) FROM mails",
        "SELECT count(*) FROM outbox_messages WHERE kind = 'mail.send'",
    ] {
        assert_eq!(bench.test.scalar(left).await, 2, "{left}");
    }
    let audited = "\
SELECT count(*) FROM audit_entries WHERE action = 'message.deleted' AND detail = 'asked' AND actor = 'editor@sampige'";
    assert_eq!(bench.test.scalar(audited).await, 1);
    bench.end().await;
}
