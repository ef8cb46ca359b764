//! DKIM signatures, verified by an independent program (dkimpy, from Debian).

use std::{
    fs::Permissions,
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use svc_messaging::mail::{content::AppointmentEvent, dkim::Signer, message::Writer};
use tempfile::TempDir;

use crate::{
    fixture::{EMAIL, acknowledgement, appointment, writer},
    written::{PYTHON, letter, to, written},
};

const VERIFY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mail/verify.py");

/// Generates a key with OpenSSL; returns its file and its DNS record.
fn key(folder: &Path, algorithm: &[&str], kind: &str) -> (PathBuf, String) {
    let path = folder.join("key.pem");
    let run = |arguments: &[&str]| {
        let output = Command::new("openssl")
            .args(arguments)
            .output()
            .expect("openssl");
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    let file = path.display().to_string();
    run(&[&["genpkey", "-out", &file], algorithm].concat());
    std::fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("a mode");
    let mut public = run(&["pkey", "-in", &file, "-pubout", "-outform", "DER"]);
    if kind == "ed25519" {
        // RFC 8463: only the 32 raw bytes.
        public = public.split_off(public.len() - 32);
    }
    (
        path,
        format!("v=DKIM1; k={kind}; p={}", STANDARD.encode(public)),
    )
}

fn is_verified(mail: &str, record: &str) -> bool {
    is_verified_as(mail, "s1", record)
}

fn is_verified_as(mail: &str, selector: &str, record: &str) -> bool {
    let mut child = Command::new(PYTHON)
        .args([VERIFY, record, selector])
        .stdin(Stdio::piped())
        .spawn()
        .expect("python3 of Debian with python3-dkim and python3-nacl");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(mail.as_bytes()).expect("a mail");
    drop(input);
    match child.wait().expect("its end").code() {
        Some(0) => true,
        Some(1) => false,
        other => panic!("the verifier failed: {other:?}"),
    }
}

/// M8: few receivers support Ed25519, so a mail has both signatures.
#[test]
fn a_mail_is_signed_by_both_keys() {
    let algorithms: [(&[&str], &str); 2] = [
        (
            &["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
            "rsa",
        ),
        (&["-algorithm", "ED25519"], "ed25519"),
    ];
    let folders = [0, 1].map(|_| TempDir::new().expect("a folder"));
    let keys = [0, 1].map(|number: usize| {
        let (algorithm, kind) = algorithms[number];
        key(folders[number].path(), algorithm, kind)
    });
    // Distinct selectors, so that each key has its own record.
    let signers = [("s1", 0), ("s2", 1)].map(|(selector, number): (_, usize)| {
        Signer::read(&keys[number].0, selector, "sampige.example").expect("a key")
    });
    assert!(signers[0].is_rsa() && !signers[1].is_rsa());
    let writer = Writer {
        signers: signers.into(),
        ..writer()
    };
    let mail = written(&writer, &letter(&acknowledgement()), to("", EMAIL)).expect("a mail");
    assert_eq!(mail.matches("DKIM-Signature: ").count(), 2);
    // The verifier checks the first signature only, so each signature is placed first once.
    let second = mail.rfind("DKIM-Signature: ").expect("a signature");
    assert!(is_verified(&mail, &keys[0].1), "{mail}");
    let other = &mail[second..];
    assert!(is_verified_as(other, "s2", &keys[1].1), "{other}");
}

#[test]
fn an_independent_program_verifies_the_signatures() {
    let algorithms: [(&[&str], &str); 2] = [
        (
            &["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
            "rsa",
        ),
        (&["-algorithm", "ED25519"], "ed25519"),
    ];
    for (algorithm, kind) in algorithms {
        let folder = TempDir::new().expect("a folder");
        let (path, record) = key(folder.path(), algorithm, kind);
        let signer = Signer::read(&path, "s1", "sampige.example").expect("a key");
        let writer = Writer {
            signers: vec![signer],
            ..writer()
        };
        let mut newsletter = letter(&acknowledgement());
        newsletter.unsubscribe_url =
            "https://sampige.example/newsletter/unsubscribe?token=abc".into();
        for letter in [letter(&appointment(AppointmentEvent::Booked)), newsletter] {
            let mail = written(&writer, &letter, to("ಕಮಲಾ ರಾವ್", EMAIL)).expect("a mail");
            assert!(is_verified(&mail, &record), "{kind}: {mail}");
            // Intermediate servers may append empty lines.
            assert!(is_verified(&(mail.clone() + "\r\n\r\n"), &record), "{kind}");
            for (from, to) in [
                ("Subject: ", "Subject: Re: "),
                ("\r\n\r\n--", "\r\n\r\nx\r\n--"),
                (
                    "MIME-Version",
                    "From: Other <other@evil.example>\r\nMIME-Version",
                ),
                ("MIME-Version", "Subject: Other\r\nMIME-Version"),
                ("List-Unsubscribe=One-Click", "List-Unsubscribe=Two-Click"),
            ] {
                let changed = mail.replacen(from, to, 1);
                assert!(
                    changed == mail || !is_verified(&changed, &record),
                    "{kind}: {to}"
                );
            }
        }
        // An unusable key is refused at start.
        std::fs::write(
            &path,
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        )
        .expect("a file");
        let refused = Signer::read(&path, "s1", "sampige.example").expect_err("refused");
        assert!(refused.to_string().contains("key.pem"), "{refused}");
    }
}
