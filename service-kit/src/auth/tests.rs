use std::path::Path;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use ring::{
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _,
        RSA_PKCS1_SHA256, RsaKeyPair, RsaPublicKeyComponents,
    },
};
use serde_json::{Value, json};

use super::*;
use crate::source::FixedClock;

const NOW: i64 = 1_795_000_000;
const SCOPE: &str = "blogs:write";

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Issuer of tokens, with one key of each kind.
struct Issuer {
    random: SystemRandom,
    ed25519: Ed25519KeyPair,
    p256: EcdsaKeyPair,
    rsa: RsaKeyPair,
}

impl Issuer {
    fn new() -> Self {
        let random = SystemRandom::new();
        let ed25519 = Ed25519KeyPair::generate_pkcs8(&random).expect("a key");
        let curve = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let p256 = EcdsaKeyPair::generate_pkcs8(curve, &random).expect("a key");
        Self {
            ed25519: Ed25519KeyPair::from_pkcs8(ed25519.as_ref()).expect("a key"),
            p256: EcdsaKeyPair::from_pkcs8(curve, p256.as_ref(), &random).expect("a key"),
            rsa: RsaKeyPair::from_der(include_bytes!("rsa_of_tests.der")).expect("a key"),
            random,
        }
    }

    fn key_set(&self) -> Value {
        let point = self.p256.public_key().as_ref();
        let rsa = RsaPublicKeyComponents::<Vec<u8>>::from(self.rsa.public());
        json!({ "keys": [
            { "kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": encode(self.ed25519.public_key()) },
            { "kty": "EC", "crv": "P-256", "kid": "ec", "alg": "ES256", "x": encode(&point[1..33]), "y": encode(&point[33..]) },
            { "kty": "RSA", "kid": "rsa", "use": "sig",
              "n": encode(rsa.n),
              "e": encode(rsa.e) },
            { "kty": "oct", "kid": "hmac", "k": encode("a secret that nobody must be able to use") },
        ]})
    }

    fn sign(&self, algorithm: &str, message: &[u8]) -> Vec<u8> {
        match algorithm {
            "EdDSA" => self.ed25519.sign(message).as_ref().to_vec(),
            "ES256" => {
                let signature = self.p256.sign(&self.random, message).expect("a signature");
                signature.as_ref().to_vec()
            }
            "RS256" => {
                let mut signature = vec![0; self.rsa.public().modulus_len()];
                let signed =
                    self.rsa
                        .sign(&RSA_PKCS1_SHA256, &self.random, message, &mut signature);
                signed.expect("a signature");
                signature
            }
            _ => Vec::new(),
        }
    }

    fn token(&self, header: &Value, claims: &Value) -> String {
        let message = format!(
            "{}.{}",
            encode(header.to_string()),
            encode(claims.to_string())
        );
        let algorithm = header["alg"].as_str().expect("an algorithm");
        let signature = self.sign(algorithm, message.as_bytes());
        format!("Bearer {message}.{}", encode(signature))
    }
}

const ISSUER: &str = "https://issuer.example";
const AUDIENCE: &str = "hospital-api";

/// Returns a configuration with issuer and audience.
fn named() -> AuthConfig {
    AuthConfig {
        jwt_issuer: Some(ISSUER.to_owned()),
        jwt_audience: Some(AUDIENCE.to_owned()),
        ..AuthConfig::default()
    }
}

fn valid_claims() -> Value {
    json!({ "iss": ISSUER, "aud": AUDIENCE, "exp": NOW + 60, "scope": "profile blogs:write" })
}

/// Returns the caller of [`valid_claims`], which name no subject.
fn unnamed() -> Caller {
    Caller::named(UNKNOWN_SUBJECT)
}

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).expect("a time")
}

fn verifier(path: &Path) -> Verifier {
    let config = AuthConfig {
        jwks_file: Some(path.to_owned()),
        ..named()
    };
    let verifier = Verifier::from_config(&config).expect("a verifier");
    verifier.with_clock(Arc::new(FixedClock::new(at(NOW))))
}

fn with_keys(issuer: &Issuer) -> (tempfile::TempDir, Verifier) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("jwks.json");
    std::fs::write(&path, issuer.key_set().to_string()).expect("a file");
    let verifier = verifier(&path);
    (folder, verifier)
}

#[test]
fn each_allowed_algorithm_is_accepted_with_and_without_the_name_of_its_key() {
    let issuer = Issuer::new();
    let (_folder, verifier) = with_keys(&issuer);
    for (algorithm, id) in [("EdDSA", "ed"), ("ES256", "ec"), ("RS256", "rsa")] {
        for header in [
            json!({ "alg": algorithm, "kid": id }),
            json!({ "alg": algorithm, "typ": "JWT" }),
        ] {
            let token = issuer.token(&header, &valid_claims());
            assert_eq!(
                verifier.check(Some(&token), SCOPE),
                Ok(unnamed()),
                "{header}"
            );
            let lower = token.replacen("Bearer", "bearer", 1);
            assert_eq!(verifier.check(Some(&lower), SCOPE), Ok(unnamed()));
            let (kept, signature) = token.rsplit_once('.').expect("a signature");
            let first = if signature.starts_with('A') { "B" } else { "A" };
            let forged = format!("{kept}.{first}{}", &signature[1..]);
            assert_eq!(
                verifier.check(Some(&forged), SCOPE),
                Err(Refusal::Unauthenticated)
            );
        }
    }
}

#[test]
fn refuses_invalid_tokens() {
    let issuer = Issuer::new();
    let (_folder, verifier) = with_keys(&issuer);
    let ed = json!({ "alg": "EdDSA", "kid": "ed" });
    let changed = |key: &str, value: Value| {
        let mut claims = valid_claims();
        claims[key] = value;
        claims
    };
    let mut without_expiry = valid_claims();
    without_expiry
        .as_object_mut()
        .expect("claims")
        .remove("exp");
    let mut without_audience = valid_claims();
    without_audience
        .as_object_mut()
        .expect("claims")
        .remove("aud");
    for (why, header, claims) in [
        ("expired", &ed, changed("exp", json!(NOW - 31))),
        ("not begun", &ed, changed("nbf", json!(NOW + 31))),
        ("without expiry", &ed, without_expiry),
        ("for nobody", &ed, without_audience),
        ("for another", &ed, changed("aud", json!("other-api"))),
        ("unsigned", &json!({ "alg": "none" }), valid_claims()),
        (
            "symmetric",
            &json!({ "alg": "HS256", "kid": "hmac" }),
            valid_claims(),
        ),
        (
            "unknown key",
            &json!({ "alg": "EdDSA", "kid": "other" }),
            valid_claims(),
        ),
        (
            "key of another kind",
            &json!({ "alg": "ES256", "kid": "ed" }),
            valid_claims(),
        ),
        (
            "extension that must be understood",
            &json!({ "alg": "EdDSA", "kid": "ed", "crit": ["x"], "x": 1 }),
            valid_claims(),
        ),
    ] {
        let token = issuer.token(header, &claims);
        assert_eq!(
            verifier.check(Some(&token), SCOPE),
            Err(Refusal::Unauthenticated),
            "{why}"
        );
    }
    let unknown_issuer = Issuer::new().token(&ed, &valid_claims());
    let long = format!("Bearer {}", "a".repeat(TOKEN_BYTES_MAX + 1));
    for bad in [
        None,
        Some(""),
        Some("Bearer"),
        Some("Bearer  "),
        Some("Basic dTpw"),
        Some("Bearer a.b.c"),
        Some(&long),
        Some(&unknown_issuer),
    ] {
        assert_eq!(verifier.check(bad, SCOPE), Err(Refusal::Unauthenticated));
    }
}

#[test]
fn the_caller_is_the_subject_of_the_token() {
    let issuer = Issuer::new();
    let (_folder, verifier) = with_keys(&issuer);
    let long = "ಹೃ".repeat(200);
    for (named, subject) in [
        ("editor@sampige", "editor@sampige"),
        ("", "unknown"),
        ("\0", "unknown"),
        ("a\nb", "ab"),
        (
            &long,
            long.get(..255)
                .expect("a character of three bytes ends there"),
        ),
    ] {
        let mut claims = valid_claims();
        claims["sub"] = json!(named);
        let token = issuer.token(&json!({ "alg": "EdDSA" }), &claims);
        let caller = verifier.check(Some(&token), SCOPE).expect("allowed");
        assert_eq!(caller.subject, subject);
    }
}

#[test]
fn a_doctor_is_named_by_a_valid_id_only() {
    let issuer = Issuer::new();
    let (_folder, verifier) = with_keys(&issuer);
    let long = "a".repeat(65);
    for (claimed, doctor) in [
        (json!("doc-06"), Some("doc-06")),
        (json!(""), None),
        (json!(long), None),
        (json!("doc-06\n"), None),
        (json!("doctor:doc-06"), None),
        (json!(["doc-06"]), None),
        (json!(true), None),
        (json!(null), None),
    ] {
        let mut claims = valid_claims();
        claims["doctor"] = claimed;
        let token = issuer.token(&json!({ "alg": "EdDSA" }), &claims);
        let caller = verifier.check(Some(&token), SCOPE).expect("allowed");
        assert_eq!(caller.doctor.as_deref(), doctor, "{claims}");
    }
}

#[test]
fn tolerates_a_small_clock_difference() {
    let issuer = Issuer::new();
    let (_folder, verifier) = with_keys(&issuer);
    let mut claims = valid_claims();
    claims["exp"] = json!(NOW - 29);
    claims["nbf"] = json!(NOW + 29);
    let token = issuer.token(&json!({ "alg": "EdDSA" }), &claims);
    assert_eq!(verifier.check(Some(&token), SCOPE), Ok(unnamed()));
}

#[test]
fn refuses_a_valid_token_without_the_scope() {
    let issuer = Issuer::new();
    let (_folder, verifier) = with_keys(&issuer);
    for scope in [
        "",
        "blogs",
        "blogs:write:all",
        "blogs:writes",
        "BLOGS:WRITE",
    ] {
        let mut claims = valid_claims();
        claims["scope"] = json!(scope);
        let token = issuer.token(&json!({ "alg": "EdDSA" }), &claims);
        assert_eq!(
            verifier.check(Some(&token), SCOPE),
            Err(Refusal::PermissionDenied),
            "{scope}"
        );
    }
}

#[test]
fn refuses_every_token_without_keys() {
    let verifier = Verifier::from_config(&AuthConfig::default()).expect("a verifier");
    let token = Issuer::new().token(&json!({ "alg": "EdDSA" }), &valid_claims());
    for authorization in [None, Some("Bearer x"), Some(token.as_str())] {
        assert_eq!(
            verifier.check(authorization, SCOPE),
            Err(Refusal::PermissionDenied)
        );
    }
}

#[test]
fn refuses_a_key_set_without_usable_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("jwks.json");
    let config = AuthConfig {
        jwks_file: Some(path.clone()),
        ..named()
    };
    let refusal = || Verifier::from_config(&config).expect_err("a refusal");
    assert!(matches!(refusal(), KeysError::Unreadable { .. }));
    std::fs::write(&path, "no JSON").expect("a file");
    assert!(matches!(refusal(), KeysError::Malformed { .. }));
    let issuer = Issuer::new();
    let mut set = issuer.key_set();
    let keys = set["keys"].as_array_mut().expect("keys");
    keys[0]["use"] = json!("enc");
    keys[1]["alg"] = json!("ES384");
    keys.remove(2);
    std::fs::write(&path, set.to_string()).expect("a file");
    assert!(matches!(refusal(), KeysError::Count { found: 0, .. }));
    std::fs::write(&path, " ".repeat(64 * 1024 + 1)).expect("a file");
    assert!(matches!(refusal(), KeysError::Unreadable { .. }));
}

#[test]
fn rotates_keys_when_the_file_is_replaced() {
    let (old, new) = (Issuer::new(), Issuer::new());
    let (folder, verifier) = with_keys(&old);
    let header = json!({ "alg": "EdDSA", "kid": "ed" });
    let (old_token, new_token) = (
        old.token(&header, &valid_claims()),
        new.token(&header, &valid_claims()),
    );
    assert_eq!(verifier.check(Some(&old_token), SCOPE), Ok(unnamed()));
    let path = folder.path().join("jwks.json");
    // White space changes the length, so the files differ even on a clock with coarse resolution.
    std::fs::write(&path, format!("{} ", new.key_set())).expect("a file");
    assert_eq!(
        verifier.check(Some(&old_token), SCOPE),
        Err(Refusal::Unauthenticated)
    );
    assert_eq!(verifier.check(Some(&new_token), SCOPE), Ok(unnamed()));
    std::fs::write(&path, "broken").expect("a file");
    assert_eq!(
        verifier.check(Some(&new_token), SCOPE),
        Ok(unnamed()),
        "the last good set stays"
    );
}

#[test]
fn a_refusal_has_its_status() {
    assert_eq!(
        Status::from(Refusal::Unauthenticated).code(),
        Code::Unauthenticated
    );
    assert_eq!(
        Status::from(Refusal::PermissionDenied).code(),
        Code::PermissionDenied
    );
    assert_eq!(Status::from(Refusal::Unavailable).code(), Code::Unavailable);
}

#[test]
fn names_and_confirmed_addresses_are_claims() {
    let issuer = Issuer::new();
    let (_folder, verifier) = with_keys(&issuer);
    let caller = |changes: Value| {
        let mut claims = valid_claims();
        for (name, value) in changes.as_object().expect("an object") {
            claims[name] = value.clone();
        }
        let header = json!({ "alg": "EdDSA", "kid": "ed", "typ": "at+jwt" });
        let token = issuer.token(&header, &claims);
        verifier.check(Some(&token), SCOPE).expect("allowed")
    };
    let known = caller(json!({ "name": " Asha Rao ", "email": "asha@staff.example" }));
    assert_eq!(known.name.as_deref(), Some("Asha Rao"));
    assert_eq!(known.email.as_deref(), Some("asha@staff.example"));
    let shown = format!("{known:?}");
    assert!(!shown.contains("Asha") && !shown.contains('@'), "{shown}");
    for name in [
        json!("a\nb"),
        json!("a\u{202e}b"),
        json!("x".repeat(129)),
        json!(7),
        json!([]),
    ] {
        assert_eq!(caller(json!({ "name": name })), unnamed());
    }
    for (email, verified, is_stated) in [
        (json!("asha@staff.example"), json!(true), true),
        (json!("asha@staff.example"), json!("true"), true),
        (json!("asha@staff.example"), Value::Null, true),
        (json!("asha@staff.example"), json!(false), false),
        (json!("asha@staff.example"), json!("false"), false),
        (json!("asha@staff.example"), json!(0), false),
        (json!("a@b.example, c@d.example"), json!(true), false),
        (
            json!("asha@staff.example\r\nBcc: x@y.example"),
            json!(true),
            false,
        ),
        (json!(["asha@staff.example"]), json!(true), false),
        (json!(""), json!(true), false),
    ] {
        let caller = caller(json!({ "email": email, "email_verified": verified }));
        assert_eq!(caller.email.is_some(), is_stated, "{email} {verified}");
    }
}
