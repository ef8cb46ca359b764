//! The other transports: a Maildir, a webhook, an SMS gateway.

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::{Arc, Mutex},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::TimeDelta;
use ring::hmac;
use service_kit::source::{Clock, FixedClock, Ids as _, RandomIds};
use svc_messaging::{
    delivery::{
        SendError, Transport as _,
        maildir::Maildir,
        webhook::{SmsGateway, Webhook},
    },
    mail::{
        self, NewMail,
        content::{AppointmentEvent, Content},
        message::Envelope,
    },
};
use test_kit::on_both_databases;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
    task::JoinSet,
};

use crate::{
    fixture::{Bench, EMAIL, Post, Shelf, appointment, mail, now},
    golden::enquiry,
};

on_both_databases!(test_kit::bench::empty:
    delivers_each_mail_to_a_maildir_once,
    announces_new_enquiries_without_their_content,
    sends_text_messages_if_enabled,
);

pub(crate) fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    names.sort();
    names
}

async fn delivers_each_mail_to_a_maildir_once(bench: Bench) {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("data/mail");
    let post = Post::new(bench, Arc::new(Maildir::new(&folder)));
    let mail = mail(appointment(AppointmentEvent::Booked));
    post.keep(&mail).await;
    post.deliver().await;
    let names = files(&folder.join("new"));
    assert_eq!(
        names,
        [format!("{}.{}.mail", now().timestamp(), mail.id.simple())]
    );
    let path = folder.join("new").join(&names[0]);
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    assert_eq!(
        (mode(&path), mode(&folder), mode(&folder.join("new"))),
        (0o600, 0o700, 0o700)
    );
    let text = fs::read_to_string(&path).expect("a mail");
    assert!(!text.contains('\r'));
    assert!(text.contains(&format!("Message-ID: <{}@sampige.example>\n", mail.id)));
    assert!(files(&folder.join("tmp")).is_empty());
    // Opened as a mail program would.
    let read = std::process::Command::new("/usr/bin/python3")
        .args(["-c", "import mailbox, sys; print([m['subject'] for m in mailbox.Maildir(sys.argv[1], create=False)])"])
        .arg(&folder)
        .output()
        .expect("python3");
    let read = String::from_utf8(read.stdout).expect("text");
    assert_eq!(
        read.trim_end(),
        "['Your appointment is booked: Tue 24 Nov, 10:30 AM IST']"
    );
    // Simulates a crash before the mail was recorded: writing again yields the same file, even after it was read.
    let read = folder.join("cur").join(format!("{}:2,S", names[0]));
    for place in [path.clone(), read] {
        if place != path {
            fs::rename(&path, &place).expect("moved");
        }
        let envelope = Envelope {
            id: mail.id,
            from: "hello@sampige.example".into(),
            to: EMAIL.into(),
            create_time: now(),
            body: b"another text".to_vec(),
        };
        post.mail.send(&envelope).await.expect("kept");
        assert_eq!(fs::read_to_string(&place).expect("a mail"), text);
    }
    assert!(files(&folder.join("new")).is_empty());
    post.bench.end().await;
}

#[tokio::test]
async fn an_unwritable_folder_is_a_temporary_failure() {
    let root = tempfile::tempdir().expect("a folder");
    let file = root.path().join("mail");
    fs::write(&file, "no folder").expect("a file");
    let envelope = Envelope {
        id: RandomIds.uuid(),
        from: String::new(),
        to: EMAIL.into(),
        create_time: now(),
        body: b"x\r\n".to_vec(),
    };
    let sent = Maildir::new(&file).send(&envelope).await;
    assert!(
        matches!(&sent, Err(SendError::Temporary(error)) if !error.contains("visitor")),
        "{sent:?}"
    );
}

#[derive(Clone, Debug)]
pub(crate) struct Asked {
    headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// An HTTP server that answers with the given statuses, and then with 200.
pub(crate) struct Receiver {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
    #[expect(dead_code, reason = "held for what its drop does")]
    task: JoinSet<()>,
}

impl Receiver {
    pub(crate) async fn start(mut answers: Vec<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let kept = Arc::clone(&asked);
        let mut task = JoinSet::new();
        task.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let mut stream = BufReader::new(stream);
                let mut headers = HashMap::new();
                let mut line = String::new();
                while stream.read_line(&mut line).await.expect("a head") > 2 {
                    if let Some((name, value)) = line.trim_end().split_once(": ") {
                        headers.insert(name.to_ascii_lowercase(), value.to_owned());
                    }
                    line.clear();
                }
                let length = headers["content-length"].parse().expect("a length");
                let mut body = vec![0; length];
                stream.read_exact(&mut body).await.expect("a body");
                kept.lock().expect("a list").push(Asked { headers, body });
                let status = if answers.is_empty() {
                    "200 OK"
                } else {
                    answers.remove(0)
                };
                let answer =
                    format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                stream
                    .write_all(answer.as_bytes())
                    .await
                    .expect("an answer");
            }
        });
        Self { port, asked, task }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("a list").clone()
    }
}

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

async fn announces_new_enquiries_without_their_content(bench: Bench) {
    let receiver = Receiver::start(vec![
        "503 Away",
        "302 Found\r\nlocation: http://127.0.0.1:1/",
    ])
    .await;
    let root = tempfile::tempdir().expect("a folder");
    let mut post = Post::new(bench, Arc::new(Maildir::new(root.path())));
    let clock = Arc::clone(&post.clock) as Arc<dyn Clock>;
    post.webhook = Some(Arc::new(
        Webhook::new(&receiver.url(), SECRET, clock).expect("a webhook"),
    ));
    post.shelf = Arc::new(Shelf {
        enquiry: Some(enquiry()),
        ..Shelf::default()
    });
    let message = RandomIds.uuid();
    let mail = NewMail {
        to: mail::Address::new("", "hello@sampige.example"),
        ..mail(Content::Enquiry { message })
    };
    post.keep(&mail).await;
    post.keep(&mail).await;
    for _ in 0..4 {
        post.deliver().await;
        post.later(TimeDelta::minutes(5));
    }
    assert_eq!(files(&root.path().join("new")).len(), 1);
    let asked = receiver.asked();
    assert_eq!(
        asked.len(),
        3,
        "tried again until it is taken, and no further"
    );
    let last = &asked[2];
    assert_eq!(asked[0].headers["webhook-id"], last.headers["webhook-id"]);
    let body: serde_json::Value = serde_json::from_slice(&last.body).expect("JSON");
    assert_eq!(
        body,
        serde_json::json!({
            "type": "message.created",
            "id": message,
            "reference": "MS-7K3P-2XQ9",
            "time": "2026-11-23T04:30:00Z",
        })
    );
    let key = STANDARD
        .decode(SECRET.trim_start_matches("whsec_"))
        .expect("base64");
    let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
    let mut signed = format!(
        "{}.{}.",
        last.headers["webhook-id"], last.headers["webhook-timestamp"]
    )
    .into_bytes();
    signed.extend_from_slice(&last.body);
    let signature = last.headers["webhook-signature"]
        .strip_prefix("v1,")
        .expect("a version");
    let signature = STANDARD.decode(signature).expect("base64");
    hmac::verify(&key, &signed, &signature).expect("the signature");
    let time = (now() + TimeDelta::minutes(10)).timestamp().to_string();
    assert_eq!(last.headers["webhook-timestamp"], time);
    post.bench.end().await;
}

async fn sends_text_messages_if_enabled(bench: Bench) {
    let gateway = Receiver::start(vec!["429 Slow", "200 OK", "400 No"]).await;
    let root = tempfile::tempdir().expect("a folder");
    let mut post = Post::new(bench, Arc::new(Maildir::new(root.path())));
    let text = mail(appointment(AppointmentEvent::Reminder2h));
    let rows = |mail: &NewMail| {
        mail::insert_text(&post.bench.keys, mail, "+91 80 0000 0199", now()).expect("rows")
    };
    let (first, again) = (rows(&text), rows(&text));
    // With texts disabled, nothing is sent.
    post.run(first).await;
    post.deliver().await;
    assert_eq!(
        post.count("SELECT count(*) FROM mails WHERE state = 'suppressed' AND reason = 'sms_off'")
            .await,
        1
    );
    post.run(again).await;
    post.sms = Some(Arc::new(
        SmsGateway::new(&gateway.url(), "token\n").expect("a gateway"),
    ));
    let second = mail(appointment(AppointmentEvent::Cancelled));
    let third = mail(appointment(AppointmentEvent::Reminder24h));
    for mail in [&second, &third] {
        let rows = mail::insert_text(&post.bench.keys, mail, "+91 80 0000 0199", now());
        post.run(rows.expect("rows")).await;
        post.deliver().await;
        post.later(TimeDelta::minutes(1));
        post.deliver().await;
    }
    let asked = gateway.asked();
    assert_eq!(asked.len(), 3);
    let body: serde_json::Value = serde_json::from_slice(&asked[1].body).expect("JSON");
    assert_eq!(
        body,
        serde_json::json!({
            "id": asked[1].headers["idempotency-key"],
            "to": "+91 80 0000 0199",
            "text": "Sampige Hospital: Cancelled: your appointment on Tue 24 Nov, 10:30 AM IST. Ref SH-7K3P-2XQ9. Call +91 80 0000 0100",
            "encoding": "gsm7",
            "senderId": "SMPIGE",
            "entityId": "1701",
            "templateId": "1708",
        })
    );
    assert_eq!(asked[1].headers["authorization"], "Bearer token");
    assert_eq!(
        asked[0].headers["idempotency-key"],
        asked[1].headers["idempotency-key"]
    );
    assert_eq!(
        post.count("SELECT count(*) FROM mails WHERE state = 'failed' AND reason = 'refused'")
            .await,
        1
    );
    post.bench.end().await;
}

#[tokio::test]
async fn refuses_unsafe_settings_at_start() {
    let clock: Arc<dyn Clock> = Arc::new(FixedClock::new(now()));
    for url in [
        "http://hooks.example/",
        "ftp://hooks.example/",
        "hooks.example",
        "https://",
        "http://10.0.0.1/",
    ] {
        assert!(
            Webhook::new(url, SECRET, Arc::clone(&clock)).is_err(),
            "{url}"
        );
        assert!(SmsGateway::new(url, "token").is_err(), "{url}");
    }
    for secret in ["", "whsec_AAAA", "whsec_???"] {
        let refused = Webhook::new("https://hooks.example/", secret, Arc::clone(&clock));
        let error = refused.expect_err("refused");
        assert!(secret.len() < 7 || !error.contains(&secret[6..]), "{error}");
    }
    assert!(SmsGateway::new("https://sms.example/", "a\nb").is_err());
    assert!(Webhook::new("https://hooks.example/", SECRET, clock).is_ok());
}
