//! MIME encoding of mails: parts, and protection against header injection.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use icalendar::{CalendarComponent, Component as _};
use svc_messaging::mail::{
    content::{AppointmentEvent, Content},
    letter::{Letter, Subject},
    message::{Addressed, MessageError, Writer},
};
use uuid::Uuid;

use crate::{
    fixture::{EMAIL, acknowledgement, appointment, calendar, now, site, writer},
    golden::enquiry,
    server::header,
};

pub(crate) const PYTHON: &str = "/usr/bin/python3";
/// Python script: parses the recipients of the mail on standard input, and prints their number, then the first address
/// and name.
const READ: &str = "\
import sys, email
from email.header import decode_header, make_header
from email.utils import getaddresses
mail = email.message_from_binary_file(sys.stdin.buffer)
found = getaddresses(mail.get_all('To'))
print(len(found), found[0][1], make_header(decode_header(found[0][0])))";

pub(crate) fn to<'a>(name: &'a str, email: &'a str) -> Addressed<'a> {
    Addressed {
        id: Uuid::from_u128(7),
        name,
        email,
        create_time: now(),
        send_time: now(),
    }
}

pub(crate) fn letter(content: &Content) -> Letter {
    Letter::of(content, "", &Subject::None, None, &site()).expect("a letter")
}

pub(crate) fn written(
    writer: &Writer,
    letter: &Letter,
    to: Addressed<'_>,
) -> Result<String, MessageError> {
    let envelope = writer.write(letter, to, &site())?;
    Ok(String::from_utf8(envelope.body).expect("ASCII"))
}

/// Decodes one MIME part, given with its headers, by its transfer encoding.
fn decoded(part: &str) -> String {
    let (head, body) = part.split_once("\r\n\r\n").expect("headers");
    let encoding = head
        .split("\r\n")
        .find_map(|line| line.strip_prefix("Content-Transfer-Encoding: "));
    match encoding {
        Some("base64") => {
            let text = body.replace("\r\n", "");
            String::from_utf8(STANDARD.decode(text).expect("base64")).expect("text")
        }
        Some("quoted-printable") => {
            let joined = body.replace("=\r\n", "");
            let mut bytes = Vec::new();
            let mut rest = joined.as_bytes();
            while let Some((first, after)) = rest.split_first() {
                if *first == b'=' {
                    let code = std::str::from_utf8(&after[..2]).expect("two digits");
                    bytes.push(u8::from_str_radix(code, 16).expect("hexadecimal"));
                    rest = &after[2..];
                } else {
                    bytes.push(*first);
                    rest = after;
                }
            }
            String::from_utf8(bytes).expect("text")
        }
        _ => body.to_owned(),
    }
}

fn parts<'a>(mail: &'a str, kind: &str) -> Vec<&'a str> {
    mail.split("\r\n--")
        .filter(|part| {
            part.split("\r\n\r\n")
                .next()
                .is_some_and(|head| head.contains(kind))
        })
        .filter(|part| !part.contains("multipart/"))
        .collect()
}

#[test]
fn attaches_a_valid_calendar_file_to_a_visit() {
    for (event, method) in [
        (AppointmentEvent::Booked, "PUBLISH"),
        (AppointmentEvent::Reminder24h, "PUBLISH"),
        (AppointmentEvent::Cancelled, "CANCEL"),
    ] {
        let mail = written(
            &writer(),
            &letter(&appointment(event)),
            to("Kamala Rao", EMAIL),
        );
        let mail = mail.expect("a mail");
        assert!(header(&mail, "Content-Type").starts_with("multipart/mixed"));
        let inline = parts(&mail, "text/calendar");
        assert_eq!(inline.len(), 1);
        assert!(
            inline[0].contains(&format!("method={method}; charset=utf-8")),
            "{}",
            inline[0]
        );
        let attached = parts(&mail, "attachment; filename=\"appointment.ics\"");
        assert_eq!(attached.len(), 1);
        for part in [inline[0], attached[0]] {
            let file = decoded(part);
            assert_eq!(file.trim_end(), calendar(method).trim_end());
            let parsed: icalendar::Calendar = file.parse().expect("a calendar");
            let CalendarComponent::Event(event) = &parsed.components[0] else {
                panic!("a visit: {parsed:?}");
            };
            assert_eq!(event.property_value("DTSTART"), Some("20261124T050000Z"));
        }
        let text = decoded(parts(&mail, "text/plain")[0]);
        assert!(
            text.contains("Tuesday 24 November 2026, 10:30 AM IST"),
            "{text}"
        );
        assert!(decoded(parts(&mail, "text/html")[0]).contains("<h1"));
    }
    let plain = written(&writer(), &letter(&acknowledgement()), to("", EMAIL)).expect("a mail");
    assert!(header(&plain, "Content-Type").starts_with("multipart/alternative"));
    assert!(parts(&plain, "text/calendar").is_empty());
}

#[test]
fn encodes_names_of_every_script() {
    for name in [
        "ಕಮಲಾ ರಾವ್",
        "कमला \"K\" राव",
        "O'Neil, Asha (Dr.)",
        "\u{645}\u{631}\u{64a}\u{645}",
        &"ಕ".repeat(120),
    ] {
        let mail =
            written(&writer(), &letter(&acknowledgement()), to(name, EMAIL)).expect("a mail");
        assert!(mail.is_ascii());
        assert!(mail.split("\r\n").all(|line| line.len() <= 998));
        let output = Command::new(PYTHON)
            .args(["-c", READ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .and_then(|mut child| {
                child
                    .stdin
                    .take()
                    .expect("its input")
                    .write_all(mail.as_bytes())?;
                child.wait_with_output()
            })
            .expect("python3");
        let read = String::from_utf8(output.stdout).expect("text");
        assert_eq!(read.trim_end(), format!("1 {EMAIL} {name}"));
    }
}

#[test]
fn input_cannot_inject_headers() {
    let breaks = [
        "\r\nBcc: x@evil.example",
        "\nBcc: x",
        "\rx",
        "\0x",
        "\u{b}x",
        "\u{85}x",
        "\u{2028}x",
        "\u{2029}x",
    ];
    let sound = letter(&acknowledgement());
    for text in breaks {
        let name = format!("Kamala{text}");
        assert!(
            matches!(
                written(&writer(), &sound, to(&name, EMAIL)),
                Err(MessageError::Control)
            ),
            "{text:?}"
        );
        let subject = Letter {
            subject: name.clone(),
            ..sound.clone()
        };
        assert!(
            matches!(
                written(&writer(), &subject, to("", EMAIL)),
                Err(MessageError::Control)
            ),
            "{text:?}"
        );
        let reply = Letter {
            reply_to: Some((name.clone(), EMAIL.into())),
            ..sound.clone()
        };
        // M3: an invalid reply address must not keep a message from staff, who also see it in the text.
        let replied = written(&writer(), &reply, to("", EMAIL)).expect("a mail");
        assert_eq!(header(&replied, "Reply-To"), EMAIL, "{text:?}");
        assert_eq!(header(&replied, "Bcc"), "", "{text:?}");
        let url = Letter {
            unsubscribe_url: format!("https://x.example/{text}"),
            ..sound.clone()
        };
        assert!(written(&writer(), &url, to("", EMAIL)).is_err(), "{text:?}");
        let email = format!("kamala@visitor.example{text}");
        assert!(
            matches!(
                written(&writer(), &sound, to("", &email)),
                Err(MessageError::Address)
            ),
            "{text:?}"
        );
    }
    for email in [
        "a@b.example, c@d.example",
        "a@b.example>, <c@d.example",
        "\"a b\"@b.example",
        "a(comment)@b.example",
        "<a@b.example>",
        "a@b.example;c@d.example",
        "a@[127.0.0.1]",
        "a@b",
        "a\u{430}@b.example",
        "",
    ] {
        assert!(
            matches!(
                written(&writer(), &sound, to("", email)),
                Err(MessageError::Address)
            ),
            "{email}"
        );
        let reply = Letter {
            reply_to: Some((String::new(), email.into())),
            ..sound.clone()
        };
        let replied = written(&writer(), &reply, to("", EMAIL)).expect("a mail");
        assert_eq!(header(&replied, "Reply-To"), "", "{email}");
    }
    for url in [
        "https://x.example/>, <mailto:y",
        "https://x.example/a b",
        &format!("https://x.example/{}", "a".repeat(1000)),
    ] {
        let letter = Letter {
            unsubscribe_url: url.into(),
            ..sound.clone()
        };
        assert!(written(&writer(), &letter, to("", EMAIL)).is_err(), "{url}");
    }
}

/// M3: earlier builds accepted addresses that are invalid in headers.
#[test]
fn a_forward_without_a_usable_address_warns_against_replying() {
    let content = Content::Enquiry {
        message: Uuid::nil(),
    };
    for email in [
        ".dots@visitor.example",
        "dots..stand@visitor.example",
        "stand.@visitor.example",
    ] {
        let mut enquiry = enquiry();
        enquiry.email = email.into();
        let letter =
            Letter::of(&content, "", &Subject::Enquiry(enquiry), None, &site()).expect("a letter");
        let mail = written(&writer(), &letter, to("", "hello@sampige.example")).expect("a mail");
        assert_eq!(header(&mail, "Reply-To"), "");
        let text = decoded(parts(&mail, "text/plain")[0]);
        assert!(text.contains(&format!("E-mail: {email}")), "{text}");
        assert!(text.contains("can't be set as the reply address"), "{text}");
    }
}

#[test]
fn input_cannot_escape_its_mime_part() {
    let mut enquiry = enquiry();
    enquiry.message = "--alternative-00000000000000000000000000000007\r\nContent-Type: text/html\r\n\r\n<b>x</b>\n.\nFrom me".into();
    enquiry.subject = "=?utf-8?q?x=0D=0ABcc:_y?= ".to_owned() + &"long ".repeat(30);
    let content = Content::Enquiry {
        message: Uuid::nil(),
    };
    let letter =
        Letter::of(&content, "", &Subject::Enquiry(enquiry), None, &site()).expect("a letter");
    let mail = written(&writer(), &letter, to("", "hello@sampige.example")).expect("a mail");
    assert_eq!(
        header(&mail, "Reply-To"),
        "=?utf-8?b?S2FtYWxhIDxSYW8+ICYgc29ucw==?= <kamala@visitor.example>"
    );
    assert_eq!(
        mail.matches("\r\n--alternative-00000000000000000000000000000007")
            .count(),
        3
    );
    assert_eq!(
        header(&mail, "Subject"),
        "Message MS-7K3P-2XQ9 from the website"
    );
    assert_eq!(header(&mail, "Bcc"), "");
}

/// M9: `Date` is the time of the attempt; nothing else differs between two attempts.
#[test]
fn a_retried_mail_differs_only_in_its_date() {
    let letter = letter(&appointment(AppointmentEvent::Booked));
    let once = written(&writer(), &letter, to("Kamala", EMAIL)).expect("a mail");
    let later = Addressed {
        send_time: now() + chrono::TimeDelta::hours(5),
        ..to("Kamala", EMAIL)
    };
    let again = written(&writer(), &letter, later).expect("a mail");
    assert_eq!(header(&once, "Date"), "Mon, 23 Nov 2026 04:30:00 +0000");
    assert_eq!(header(&again, "Date"), "Mon, 23 Nov 2026 09:30:00 +0000");
    let undated = |mail: &str| mail.replace(&header(mail, "Date"), "");
    assert_eq!(undated(&once), undated(&again));
}
