use std::fs;

use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use serde_json::Value;
use service_kit::{
    auth::{AuthConfig, Refusal, Verifier},
    source::FixedClock,
};

use super::*;

const NOW: i64 = 1_795_000_000;

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).expect("a time")
}

fn key() -> Vec<u8> {
    let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("a key");
    key.as_ref().to_vec()
}

/// Returns a key without its public half, as OpenSSL writes it.
fn openssl_key() -> Vec<u8> {
    // Test key of RFC 8410, 10.3.
    let text = "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC";
    STANDARD.decode(text).expect("base64")
}

fn pem(keys: &[&[u8]]) -> String {
    let sections = keys.iter().map(|key| {
        let text = STANDARD.encode(key);
        format!("-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n")
    });
    sections.collect()
}

struct Fixture {
    folder: tempfile::TempDir,
    clock: Arc<FixedClock>,
    signer: Signer,
}

impl Fixture {
    fn new(file: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token.pem");
        fs::write(&path, file).expect("a file");
        let clock = Arc::new(FixedClock::new(at(NOW)));
        let signer = Signer::open(&path, Arc::clone(&clock) as _).expect("a signer");
        Self {
            folder,
            clock,
            signer,
        }
    }

    fn replace(&self, file: &str) {
        fs::write(self.folder.path().join("token.pem"), file).expect("a file");
    }

    fn token(&self, subject: &str, scopes: &[&str]) -> Arc<str> {
        let caller = Caller::named(subject);
        self.signer.token(&caller, scopes).expect("a token")
    }

    /// Returns a service's verifier with the signer's public keys and clock.
    fn verifier(&self) -> Verifier {
        let path = self.folder.path().join("jwks.json");
        fs::write(&path, self.signer.jwks()).expect("a file");
        let config = AuthConfig {
            jwks_file: Some(path),
            jwt_issuer: Some("gateway".to_owned()),
            jwt_audience: Some("hospital-services".to_owned()),
            ..AuthConfig::default()
        };
        let verifier = Verifier::from_config(&config).expect("a verifier");
        verifier.with_clock(Arc::clone(&self.clock) as _)
    }
}

fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).expect("a part");
    let part = URL_SAFE_NO_PAD.decode(part).expect("base64");
    serde_json::from_slice(&part).expect("JSON")
}

#[test]
fn a_service_accepts_the_token_for_its_scopes_and_lifetime() {
    for file in [pem(&[&key()]).into_bytes(), key(), openssl_key()] {
        let fixture = Fixture::new(file);
        let token = fixture.token("248289", &["appointments:read", "rosters:read"]);
        let verifier = fixture.verifier();
        let check = |scope| verifier.check(Some(&format!("Bearer {token}")), scope);
        let caller = check("rosters:read").expect("allowed");
        assert_eq!(caller.subject, "248289");
        assert_eq!(check("rosters:write"), Err(Refusal::PermissionDenied));
        fixture.clock.set(at(NOW + 60 + 30));
        assert_eq!(check("rosters:read"), Err(Refusal::Unauthenticated));
    }
}

#[test]
fn a_token_names_its_parties_and_no_more() {
    let fixture = Fixture::new(pem(&[&openssl_key()]));
    let token = fixture.token("a\"b", &["appointments:read"]);
    let header = part(&token, 0);
    assert_eq!(
        (&header["alg"], &header["typ"]),
        (&"EdDSA".into(), &"at+jwt".into())
    );
    let claims = part(&token, 1);
    let names: Vec<_> = claims.as_object().expect("claims").keys().collect();
    assert_eq!(names, ["aud", "exp", "iat", "iss", "jti", "scope", "sub"]);
    assert_eq!(claims["sub"], "a\"b");
    assert_eq!(claims["exp"], NOW + 60);
}

#[test]
fn a_persons_token_names_the_person_to_services() {
    let fixture = Fixture::new(pem(&[&key()]));
    let token = |doctor| {
        let caller = Caller {
            doctor,
            name: Some("Asha Rao".to_owned()),
            email: Some("asha@staff.example".to_owned()),
            ..Caller::named("one")
        };
        let token = fixture.signer.token(&caller, &["a:read"]);
        token.expect("a token")
    };
    let caller = |token: &str| {
        let checked = fixture
            .verifier()
            .check(Some(&format!("Bearer {token}")), "a:read");
        checked.expect("allowed")
    };
    let plain = token(None);
    assert_eq!(caller(&plain).doctor, None);
    let own = token(Some("doc-06".to_owned()));
    assert_eq!(caller(&own).doctor.as_deref(), Some("doc-06"));
    assert_eq!(caller(&own).name.as_deref(), Some("Asha Rao"));
    assert_eq!(caller(&own).email.as_deref(), Some("asha@staff.example"));
    // Cached by all of its claims.
    assert_eq!(
        caller(&fixture.token("one", &["a:read"])),
        Caller::named("one")
    );
    // A changed mapping must not get the kept token of the earlier one.
    assert_ne!(own, token(Some("doc-07".to_owned())));
    assert_eq!(plain, token(None));
}

#[test]
fn a_token_is_used_again_for_thirty_seconds() {
    let fixture = Fixture::new(pem(&[&key()]));
    let first = fixture.token("one", &["a:read", "b:read"]);
    fixture.clock.set(at(NOW + 29));
    assert_eq!(first, fixture.token("one", &["a:read", "b:read"]));
    assert_ne!(first, fixture.token("one", &["a:read"]));
    assert_ne!(first, fixture.token("two", &["a:read", "b:read"]));
    fixture.clock.set(at(NOW + 30));
    let second = fixture.token("one", &["a:read", "b:read"]);
    assert_ne!(first, second);
    fixture.clock.set(at(NOW));
    assert_ne!(
        second,
        fixture.token("one", &["a:read", "b:read"]),
        "the clock was set back"
    );
}

#[test]
fn the_number_of_kept_tokens_is_bounded() {
    let fixture = Fixture::new(pem(&[&key()]));
    let last = fixture.token("last", &["a:read"]);
    for person in 0..TOKENS_MAX - 1 {
        fixture.token(&person.to_string(), &["a:read"]);
    }
    assert_eq!(last, fixture.token("last", &["a:read"]));
    for person in 0..2 * TOKENS_MAX {
        fixture.token(&format!("other {person}"), &["a:read"]);
        assert!(fixture.signer.0.tokens.lock().len() <= TOKENS_MAX);
    }
}

#[test]
fn keys_rotate_without_a_gap() {
    let (old, new) = (key(), key());
    let fixture = Fixture::new(pem(&[&old]));
    let accepts = |verifier: &Verifier, token: &str| {
        verifier
            .check(Some(&format!("Bearer {token}")), "a:read")
            .is_ok()
    };
    fixture.replace(&pem(&[&old, &new]));
    let by_old = fixture.token("one", &["a:read"]);
    fixture.replace(&pem(&[&new, &old]));
    let by_new = fixture.token("two", &["a:read"]);
    assert_ne!(part(&by_old, 0)["kid"], part(&by_new, 0)["kid"]);
    let both = fixture.verifier();
    assert!(accepts(&both, &by_old) && accepts(&both, &by_new));
    fixture.replace(&pem(&[&new]));
    let new_only = fixture.verifier();
    assert!(!accepts(&new_only, &by_old) && accepts(&new_only, &by_new));
}

#[test]
fn publishes_thumbprints_and_public_keys_only() {
    let fixture = Fixture::new(pem(&[&openssl_key()]));
    let set: Value = serde_json::from_str(&fixture.signer.jwks()).expect("JSON");
    let keys = set["keys"].as_array().expect("keys");
    let names: Vec<_> = keys[0].as_object().expect("a key").keys().collect();
    assert_eq!(names, ["alg", "crv", "kid", "kty", "use", "x"]);
    // Public key of RFC 8410, 10.1.
    assert_eq!(keys[0]["x"], "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE");
    assert!(!format!("{:?}", fixture.signer).contains("token\":"));
}

#[test]
fn an_unusable_file_is_refused_with_the_limit() {
    let key = key();
    let five = pem(&[key.as_slice(); 5]);
    for (file, problem) in [
        (
            String::new(),
            "has 0 sections PRIVATE KEY, 1 to 4 are needed",
        ),
        (five, "has 5 sections PRIVATE KEY, 1 to 4 are needed"),
        (pem(&[b"0"]), "has a key that is not Ed25519 in PKCS#8"),
        ("0".to_owned(), "has a key that is not Ed25519 in PKCS#8"),
        (
            pem(&[&key]).replace("PRIVATE", "EC PRIVATE"),
            "has 0 sections PRIVATE KEY",
        ),
    ] {
        let error = SigningKeys::parse(file.as_bytes()).err().expect("refused");
        assert!(error.starts_with(problem), "{error}");
    }
}
