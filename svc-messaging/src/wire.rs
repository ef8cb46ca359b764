//! Converts between the contract and the domain.

pub mod deliveries;
pub mod events;
pub mod inbox;

use hospital_proto::messaging::v1 as proto;
use prost::Message as _;
use prost_types::Timestamp;

use crate::domain::{
    Message, NewMessage, Submission, SubmittedMessage, SubmittedMeta, SubmittedRegistration,
    UnixTime,
};

/// Converts a request without validating it.
pub fn submission(request: proto::CreateMessageRequest) -> Submission {
    Submission {
        request_id: request.request_id,
        message: request.message.map(|message| SubmittedMessage {
            name: message.name,
            email: message.email,
            phone: message.phone,
            subject: message.subject,
            message: message.message,
            meta: message.meta.map(submitted_meta).unwrap_or_default(),
            registration: message
                .registration
                .map(|registration| SubmittedRegistration {
                    event_id: registration.event_id,
                    people: registration.people,
                }),
        }),
    }
}

fn submitted_meta(meta: proto::MessageMeta) -> SubmittedMeta {
    SubmittedMeta {
        thread_id: meta.thread_id,
        write_time: meta.created_at.map(|time| UnixTime {
            seconds: time.seconds,
            nanos: time.nanos,
        }),
    }
}

/// Converts a message to the response for the visitor.
pub fn message(message: &Message) -> proto::Message {
    proto::Message {
        id: message.id.to_string(),
        create_time: Some(timestamp(message.create_time)),
        reference: message.reference.clone(),
        ..checked(&message.new)
    }
}

/// Returns canonical bytes of the validated message, which identify a retry. White space around values makes no
/// difference.
///
/// Every build stores hashes of these bytes, so they must never change. A new field of the contract must not add bytes
/// to a message that lacks it.
pub fn canonical(new: &NewMessage) -> Vec<u8> {
    checked(new).encode_to_vec()
}

/// Normalises line breaks as [`service_kit::input::Paragraphs`] does.
pub(crate) fn plain_line_breaks(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace(['\r', '\u{2028}', '\u{2029}'], "\n")
}

/// Returns the [`canonical`] bytes of a submission that today's rules may refuse. An earlier build may have accepted
/// it, and a retry must still get its response.
pub fn canonical_unchecked(submission: &Submission) -> Vec<u8> {
    let sent = submission.message.clone().unwrap_or_default();
    let trimmed = |text: &str| text.trim().to_owned();
    let is_comment = sent.meta != SubmittedMeta::default();
    let message = proto::Message {
        id: String::new(),
        name: trimmed(&sent.name),
        email: trimmed(&sent.email),
        phone: trimmed(&sent.phone),
        subject: trimmed(&sent.subject),
        message: trimmed(&plain_line_breaks(&sent.message)),
        meta: is_comment.then(|| proto::MessageMeta {
            thread_id: trimmed(&sent.meta.thread_id),
            created_at: sent.meta.write_time.map(|time| Timestamp {
                seconds: time.seconds,
                // Times are stored with microsecond precision.
                nanos: time.nanos - time.nanos % 1000,
            }),
        }),
        create_time: None,
        reference: String::new(),
        check: None,
        registration: sent
            .registration
            .as_ref()
            .map(|registration| proto::Registration {
                event_id: trimmed(&registration.event_id),
                people: registration.people,
            }),
    };
    message.encode_to_vec()
}

fn checked(new: &NewMessage) -> proto::Message {
    proto::Message {
        id: String::new(),
        name: new.name.as_str().to_owned(),
        email: new.email().unwrap_or_default().to_owned(),
        phone: new.phone().unwrap_or_default().to_owned(),
        subject: new.subject.as_str().to_owned(),
        message: new.message.as_str().to_owned(),
        meta: new.thread_id().map(|thread_id| proto::MessageMeta {
            thread_id: thread_id.to_owned(),
            created_at: new.write_time().map(timestamp),
        }),
        create_time: None,
        reference: String::new(),
        check: None,
        registration: new
            .registration()
            .map(|(event_id, people)| proto::Registration {
                event_id: event_id.to_owned(),
                people,
            }),
    }
}

pub(crate) fn timestamp(time: chrono::DateTime<chrono::Utc>) -> Timestamp {
    std::time::SystemTime::from(time).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Handling, Status, parse};

    fn request(change: impl FnOnce(&mut proto::Message)) -> proto::CreateMessageRequest {
        let mut message = proto::Message {
            name: "  Kamala Test ".to_owned(),
            email: "kamala@visitor.example".to_owned(),
            phone: "+91 80 0000 0199".to_owned(),
            subject: "Visiting hours".to_owned(),
            message: "May two of us visit?".to_owned(),
            ..proto::Message::default()
        };
        change(&mut message);
        proto::CreateMessageRequest {
            request_id: "4c9e3f0a-enquiry-1".to_owned(),
            message: Some(message),
        }
    }

    fn bytes(change: impl FnOnce(&mut proto::Message)) -> Vec<u8> {
        canonical(&parse(submission(request(change))).expect("valid").1)
    }

    #[test]
    fn canonical_bytes_depend_on_content_only() {
        let first = bytes(|_| {});
        assert_eq!(first, bytes(|message| message.name = "Kamala Test".into()));
        assert_eq!(first, bytes(|message| message.id = "output only".into()));
        let check = proto::FormCheck {
            proof: "of another try".to_owned(),
            ..proto::FormCheck::default()
        };
        assert_eq!(first, bytes(|message| message.check = Some(check)));
        assert_ne!(first, bytes(|message| message.subject = "Parking".into()));
        let meta = |thread_id: &str| proto::MessageMeta {
            thread_id: thread_id.to_owned(),
            created_at: None,
        };
        let comment = bytes(|message| message.meta = Some(meta("heart")));
        assert_ne!(first, comment);
        let registration = |people| {
            bytes(|message| {
                message.registration = Some(proto::Registration {
                    event_id: "heart-walk".to_owned(),
                    people,
                });
            })
        };
        assert_ne!(first, registration(1));
        assert_ne!(registration(1), registration(2));
        assert_ne!(comment, bytes(|message| message.meta = Some(meta("sleep"))));
    }

    #[test]
    fn canonical_bytes_are_equal_before_and_after_validation() {
        for change in [
            (|_| {}) as fn(&mut proto::Message),
            |message| message.message = " one\r\n\ttwo\rthree\u{2028}four ".to_owned(),
            |message| {
                message.registration = Some(proto::Registration {
                    event_id: " heart-walk ".to_owned(),
                    people: 4,
                });
            },
            |message| {
                message.meta = Some(proto::MessageMeta {
                    thread_id: " heart ".to_owned(),
                    created_at: Some(Timestamp {
                        seconds: 7,
                        nanos: 123_456_789,
                    }),
                });
            },
        ] {
            let sent = submission(request(change));
            let (_, new) = parse(sent.clone()).expect("valid");
            assert_eq!(canonical_unchecked(&sent), canonical(&new));
        }
    }

    #[test]
    fn converts_every_field_of_the_contract_both_ways() {
        let time = Timestamp {
            seconds: -1,
            nanos: 123_456_000,
        };
        let sent = request(|message| {
            message.meta = Some(proto::MessageMeta {
                thread_id: "heart".to_owned(),
                created_at: Some(time),
            });
        });
        let (_, new) = parse(submission(sent.clone())).expect("valid");
        let id = uuid::Uuid::from_u128(7);
        let now = chrono::DateTime::from_timestamp(1_763_700_000, 5_000).expect("a time");
        let answer = message(&Message {
            id,
            reference: "MS-7K3M-9QXD".to_owned(),
            create_time: now,
            handling: Handling {
                status: Status::Quarantined,
                mailbox: "hello@sampige.example".to_owned(),
                signals: vec!["links".to_owned()],
                taken_by: None,
                taken_by_name: None,
                version: 1,
                update_time: now,
                route_time: None,
            },
            new,
        });
        // Internal handling data must not appear.
        let expected = proto::Message {
            id: id.to_string(),
            reference: "MS-7K3M-9QXD".to_owned(),
            name: "Kamala Test".to_owned(),
            create_time: Some(Timestamp {
                seconds: 1_763_700_000,
                nanos: 5_000,
            }),
            ..sent.message.expect("a message")
        };
        assert_eq!(answer, expected);
    }
}
