//! Checks of an ID token beyond its signature, issuer and audience (OpenID Connect Core, 3.1.3.7).

use std::collections::HashMap;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use ring::digest::{self, SHA256, SHA512};
use serde::Deserialize;
use serde_json::Value;
use service_kit::{auth::stated_email, input::Line};

use super::{LEEWAY, exchange::Tokens};
use crate::{ended::sid_mark, secrets::is_equal, session::Identity};

/// Maximum length of a subject, in bytes (OpenID Connect Core, 2).
const SUBJECT_BYTES_MAX: usize = 255;
/// Maximum length of a name, in characters and in bytes.
const NAME_CHARS_MAX: usize = 128;
const NAME_BYTES_MAX: usize = 384;

/// Why an ID token is not accepted.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum IdTokenFault {
    /// Not signed by the issuer's keys, for another client, of another kind, or without required claims.
    #[error("it is not signed by the issuer for this client")]
    Signature,
    /// Several audiences without `azp`, or another `azp`.
    #[error("it was issued to another client")]
    AuthorizedParty,
    /// Too old.
    #[error("it has expired")]
    Expired,
    /// Issued in the future, by more than the leeway.
    #[error("it was issued in the future")]
    IssuedInFuture,
    /// The nonce of another sign-in, or none.
    #[error("its nonce is not that of this sign-in")]
    Nonce,
    /// The access token in the response belongs to another ID token.
    #[error("its at_hash does not match the access token")]
    AccessTokenHash,
    /// No subject, or one that cannot be stored.
    #[error("its subject must have 1 to {SUBJECT_BYTES_MAX} bytes without control characters")]
    Subject,
}

/// The claims that are used. Times are seconds since 1970, possibly with a fraction (RFC 7519, NumericDate).
#[derive(Deserialize)]
pub(crate) struct Claims {
    iss: String,
    sub: String,
    aud: Value,
    azp: Option<String>,
    exp: f64,
    iat: f64,
    nonce: Option<String>,
    at_hash: Option<String>,
    sid: Option<String>,
    name: Option<String>,
    preferred_username: Option<String>,
    /// Of any type: an unusual address must not keep the person out.
    email: Option<Value>,
    email_verified: Option<Value>,
    /// All other claims. One of them names the groups.
    #[serde(flatten)]
    others: HashMap<String, Value>,
}

/// What an ID token must match.
pub(crate) struct Expected<'a> {
    pub(crate) issuer: &'a str,
    pub(crate) client_id: &'a str,
    pub(crate) groups_claim: &'a str,
    pub(crate) nonce: &'a str,
    pub(crate) now: DateTime<Utc>,
}

impl Expected<'_> {
    /// Returns the identity that the token states.
    pub(crate) fn check(
        &self,
        mut claims: Claims,
        tokens: Tokens,
    ) -> Result<Identity, IdTokenFault> {
        let audiences = claims.aud.as_array().map_or(1, Vec::len);
        let is_authorized = match &claims.azp {
            Some(azp) => azp == self.client_id,
            None => audiences == 1,
        };
        let now = seconds(self.now.timestamp_millis());
        let leeway = seconds(LEEWAY.num_milliseconds());
        let nonce = claims.nonce.as_deref().unwrap_or_default();
        let is_hash = |hash: &String| Some(hash) == at_hash(&tokens).as_ref();
        let is_subject = (1..=SUBJECT_BYTES_MAX).contains(&claims.sub.len())
            && !claims.sub.chars().any(char::is_control);
        for (is_met, fault) in [
            // The check of the signature would accept a list that contains the issuer.
            (claims.iss == self.issuer, IdTokenFault::Signature),
            (is_authorized, IdTokenFault::AuthorizedParty),
            (claims.exp + leeway > now, IdTokenFault::Expired),
            (claims.iat - leeway <= now, IdTokenFault::IssuedInFuture),
            (is_equal(nonce, self.nonce), IdTokenFault::Nonce),
            (
                claims.at_hash.as_ref().is_none_or(is_hash),
                IdTokenFault::AccessTokenHash,
            ),
            (is_subject, IdTokenFault::Subject),
        ] {
            if !is_met {
                return Err(fault);
            }
        }
        Ok(Identity {
            name: name(&claims),
            email: stated_email(claims.email.as_ref(), claims.email_verified.as_ref()),
            groups: groups(claims.others.remove(self.groups_claim)),
            subject: claims.sub,
            sid: claims.sid.map(|sid| sid_mark(&sid)),
            id_token: tokens.id_token,
        })
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "milliseconds of today need 41 of 52 bits"
)]
fn seconds(millis: i64) -> f64 {
    millis as f64 / 1000.0
}

/// Returns the left half of the access token's hash. The hash function is that of the ID token's signature.
fn at_hash(tokens: &Tokens) -> Option<String> {
    #[derive(Deserialize)]
    struct Header {
        alg: String,
    }
    let header = tokens.id_token.split('.').next()?;
    let header = URL_SAFE_NO_PAD.decode(header).ok()?;
    let header: Header = serde_json::from_slice(&header).ok()?;
    let by = match header.alg.as_str() {
        "RS256" | "ES256" => &SHA256,
        // Ed25519 hashes with SHA-512 (RFC 8032).
        "EdDSA" => &SHA512,
        _ => return None,
    };
    let hash = digest::digest(by, tokens.access_token.as_bytes());
    let (left, _) = hash.as_ref().split_at(hash.as_ref().len() / 2);
    Some(URL_SAFE_NO_PAD.encode(left))
}

/// Returns the first usable name: one line without invisible characters. The subject is one at last.
fn name(claims: &Claims) -> String {
    let names = [&claims.name, &claims.preferred_username];
    let mut usable = names.into_iter().flatten().filter_map(|name| {
        let line = Line::parse(name, NAME_CHARS_MAX).ok()?.into_string();
        (line.len() <= NAME_BYTES_MAX).then_some(line)
    });
    usable.next().unwrap_or_else(|| {
        let subject = claims.sub.chars().take(NAME_CHARS_MAX);
        subject.collect()
    })
}

/// Returns the texts of a claim; other values are no groups.
fn groups(claim: Option<Value>) -> Vec<String> {
    let text = |value| match value {
        Value::String(text) => Some(text),
        _ => None,
    };
    match claim {
        Some(Value::Array(values)) => values.into_iter().filter_map(text).collect(),
        Some(value) => text(value).into_iter().collect(),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: i64 = 1_795_000_000;

    fn claims() -> Value {
        json!({
            "iss": "https://issuer.example", "sub": "248289", "aud": "desk", "nonce": "n", "iat": NOW, "exp": NOW + 60,
            "name": "Asha Rao", "groups": ["frontdesk", 1, "other"],
        })
    }

    fn with(key: &str, value: Value) -> Value {
        let mut claims = claims();
        claims[key] = value;
        claims
    }

    /// Checks claims as if their signature was valid.
    fn check(claims: Value, algorithm: &str) -> Result<Identity, IdTokenFault> {
        let expected = Expected {
            issuer: "https://issuer.example",
            client_id: "desk",
            groups_claim: "groups",
            nonce: "n",
            now: DateTime::from_timestamp(NOW, 0).expect("a time"),
        };
        let header = URL_SAFE_NO_PAD.encode(json!({ "alg": algorithm }).to_string());
        let tokens = Tokens {
            id_token: format!("{header}.e30.AA"),
            access_token: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y".to_owned(),
            token_type: "Bearer".to_owned(),
        };
        let claims = serde_json::from_value(claims).map_err(|_| IdTokenFault::Signature)?;
        expected.check(claims, tokens)
    }

    #[test]
    fn returns_the_identity() {
        let identity = check(claims(), "EdDSA").expect("an identity");
        assert_eq!(
            (&*identity.subject, &*identity.name),
            ("248289", "Asha Rao")
        );
        assert_eq!(identity.groups, ["frontdesk", "other"]);
        assert!(!format!("{identity:?}").contains("Asha"));
    }

    #[test]
    fn refuses_each_claim_that_does_not_match() {
        for (why, claims, fault) in [
            (
                "another issuer",
                with("iss", json!("https://evil.example")),
                IdTokenFault::Signature,
            ),
            (
                "two issuers",
                with("iss", json!(["https://issuer.example"])),
                IdTokenFault::Signature,
            ),
            (
                "two audiences",
                with("aud", json!(["desk", "b"])),
                IdTokenFault::AuthorizedParty,
            ),
            (
                "another party",
                with("azp", json!("b")),
                IdTokenFault::AuthorizedParty,
            ),
            (
                "expired",
                with("exp", json!(NOW - 30)),
                IdTokenFault::Expired,
            ),
            (
                "from the future",
                with("iat", json!(NOW + 31)),
                IdTokenFault::IssuedInFuture,
            ),
            (
                "another nonce",
                with("nonce", json!("m")),
                IdTokenFault::Nonce,
            ),
            (
                "a longer nonce",
                with("nonce", json!("n ")),
                IdTokenFault::Nonce,
            ),
            ("no nonce", with("nonce", Value::Null), IdTokenFault::Nonce),
            (
                "another access token",
                with("at_hash", json!("x")),
                IdTokenFault::AccessTokenHash,
            ),
            ("no subject", with("sub", json!("")), IdTokenFault::Subject),
            (
                "a subject of two lines",
                with("sub", json!("a\nb")),
                IdTokenFault::Subject,
            ),
            (
                "a long subject",
                with("sub", json!("a".repeat(256))),
                IdTokenFault::Subject,
            ),
            (
                "no expiry",
                with("exp", Value::Null),
                IdTokenFault::Signature,
            ),
            (
                "no time of issue",
                with("iat", Value::Null),
                IdTokenFault::Signature,
            ),
        ] {
            assert_eq!(check(claims, "EdDSA"), Err(fault), "{why}");
        }
    }

    #[test]
    fn accepts_the_edges_of_what_is_allowed() {
        let mut several = with("aud", json!(["desk", "other"]));
        several["azp"] = json!("desk");
        for (why, claims) in [
            ("several audiences with azp", several),
            ("one audience as a list", with("aud", json!(["desk"]))),
            ("expiry within the leeway", with("exp", json!(NOW - 29))),
            ("issue within the leeway", with("iat", json!(NOW + 30))),
            ("a fraction", with("exp", json!(59.5 + 1_795_000_000.0))),
        ] {
            assert!(check(claims, "EdDSA").is_ok(), "{why}");
        }
    }

    #[test]
    fn compares_the_hash_of_the_access_token() {
        // Example of OpenID Connect Core, A.3.
        let claims = with("at_hash", json!("77QmUPtjPfzWtF2AnpK9RQ"));
        assert!(check(claims.clone(), "RS256").is_ok() && check(claims.clone(), "ES256").is_ok());
        for other in ["EdDSA", "none"] {
            let refused = check(claims.clone(), other);
            assert_eq!(refused, Err(IdTokenFault::AccessTokenHash), "{other}");
        }
    }

    #[test]
    fn a_person_without_a_usable_name_is_named_by_another_claim() {
        let name = |claims| check(claims, "EdDSA").expect("an identity").name;
        let mut unnamed = with("name", json!("a\u{202e}b"));
        assert_eq!(name(unnamed.clone()), "248289");
        unnamed["preferred_username"] = json!("asha");
        assert_eq!(name(unnamed), "asha");
        for bad in [
            json!(""),
            json!("  "),
            json!("a\nb"),
            json!("x".repeat(129)),
            Value::Null,
        ] {
            assert_eq!(name(with("name", bad)), "248289");
        }
    }

    #[test]
    fn an_address_is_known_unless_the_issuer_denies_it() {
        let email = |verified: Value| {
            let mut claims = with("email", json!("asha@staff.example"));
            claims["email_verified"] = verified;
            check(claims, "EdDSA").expect("an identity").email
        };
        for verified in [Value::Null, json!(true), json!("true")] {
            assert_eq!(email(verified).as_deref(), Some("asha@staff.example"));
        }
        for verified in [json!(false), json!("false"), json!(1)] {
            assert_eq!(email(verified), None);
        }
        for odd in [json!("asha"), json!(["a@b.example"]), json!(7), Value::Null] {
            assert_eq!(
                check(with("email", odd), "EdDSA")
                    .expect("an identity")
                    .email,
                None
            );
        }
    }

    #[test]
    fn groups_are_texts() {
        let groups = |value| {
            check(with("groups", value), "EdDSA")
                .expect("an identity")
                .groups
        };
        assert_eq!(groups(json!("frontdesk")), ["frontdesk"]);
        for none in [
            json!(null),
            json!(1),
            json!({ "a": 1 }),
            json!([]),
            json!([["a"]]),
        ] {
            assert!(groups(none).is_empty());
        }
    }
}
