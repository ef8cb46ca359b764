//! Derives idempotency keys for creates without one: a keyed hash of the call and its sender. A program that repeats a
//! create after a broken connection then creates one resource.
//!
//! A key is valid for ten minutes from the first attempt. Every gateway of a site derives the same key within the same
//! ten-minute span of the clock. The gateway that received the first attempt keeps its key beyond the end of the span,
//! so that a later retry has the same key there. A retry counts twice only if it reaches another gateway after the span
//! has ended.

use std::{fmt, fmt::Write as _, sync::Arc, time::Duration};

use gateway_http::request::client_address::ClientNetwork;
use moka::sync::Cache;
use ring::hmac;
use service_kit::source::Clock;

/// Time after the first attempt in which the same create is a retry.
const AGAIN_TIME_MAX: Duration = Duration::from_mins(10);
/// Maximum remembered creates; some 150 bytes each. For one that is forgotten, the clock alone decides.
const KNOWN_MAX: u64 = 32_768;
/// Separates these hashes from those of native forms, which use the same secret.
const PURPOSE: &[u8] = b"create\n";

type Hash = [u8; 32];

/// Derives keys, and remembers when each create was first sent.
pub(super) struct DerivedKeys {
    secret: hmac::Key,
    /// Ten-minute span of the clock in which a create was first sent.
    known: Cache<Hash, i64>,
    clock: Arc<dyn Clock>,
}

impl fmt::Debug for DerivedKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DerivedKeys").finish_non_exhaustive()
    }
}

/// A create and its sender.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyInput<'a> {
    pub(super) route: &'a str,
    /// Canonical message, read from path, query and body.
    pub(super) message: &'a [u8],
    pub(super) network: ClientNetwork,
    /// Subject of a token, or secret of a resource.
    pub(super) by: &'a [u8],
}

impl DerivedKeys {
    pub(super) fn new(secret: hmac::Key, clock: Arc<dyn Clock>) -> Self {
        Self {
            secret,
            known: Cache::builder()
                .max_capacity(KNOWN_MAX)
                .time_to_live(AGAIN_TIME_MAX)
                .build(),
            clock,
        }
    }

    /// Returns the key of a create, 64 hexadecimal digits.
    pub(super) fn of(&self, sent: &KeyInput<'_>) -> String {
        let network = sent.network.to_string();
        let parts = [
            sent.route.as_bytes(),
            network.as_bytes(),
            sent.by,
            sent.message,
        ];
        let whole = self.hash(PURPOSE, &parts);
        let span = self.known.get_with(whole, || {
            let seconds = AGAIN_TIME_MAX.as_secs().cast_signed();
            self.clock.now().timestamp().div_euclid(seconds)
        });
        let key = self.hash(PURPOSE, &[&whole, &span.to_be_bytes()]);
        key.iter().fold(String::with_capacity(64), |mut hex, byte| {
            // Writing to a string cannot fail.
            _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    fn hash(&self, purpose: &[u8], parts: &[&[u8]]) -> Hash {
        let mut context = hmac::Context::with_key(&self.secret);
        context.update(purpose);
        for part in parts {
            // Lengths distinguish `ab`+`c` from `a`+`bc`.
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        let mut hash = Hash::default();
        // SHA-256 has exactly this many bytes.
        hash.copy_from_slice(context.sign().as_ref());
        hash
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use chrono::{DateTime, TimeDelta, Utc};
    use service_kit::source::FixedClock;

    use super::*;

    struct Gateway {
        keys: DerivedKeys,
        clock: Arc<FixedClock>,
    }

    /// Returns a gateway of the same site at the given time.
    fn gateway(at: DateTime<Utc>) -> Gateway {
        let clock = Arc::new(FixedClock::new(at));
        let secret = hmac::Key::new(hmac::HMAC_SHA256, &[7; 32]);
        Gateway {
            keys: DerivedKeys::new(secret, Arc::clone(&clock) as Arc<dyn Clock>),
            clock,
        }
    }

    fn sent<'a>(address: &str, route: &'a str, message: &'a [u8]) -> KeyInput<'a> {
        KeyInput {
            route,
            message,
            network: address.parse::<IpAddr>().unwrap().into(),
            by: b"",
        }
    }

    #[test]
    fn derives_the_same_key_for_a_retry_across_a_period_boundary() {
        // The last second of a span of ten minutes.
        let first = DateTime::from_timestamp(599, 0).unwrap();
        let (one, other) = (gateway(first), gateway(first));
        let create = sent("192.0.2.1", "/appointments", b"a");
        let key = one.keys.of(&create);
        assert_eq!(key.len(), 64);
        assert_eq!(other.keys.of(&create), key, "another gateway");
        one.clock.set(first + TimeDelta::seconds(2));
        assert_eq!(one.keys.of(&create), key);
        let later = gateway(first + TimeDelta::minutes(11));
        assert_ne!(later.keys.of(&create), key, "it is meant");
    }

    #[test]
    fn derives_another_key_for_another_route_body_network_or_caller() {
        let gateway = gateway(DateTime::UNIX_EPOCH);
        let key = gateway.keys.of(&sent("192.0.2.1", "/a", b"b"));
        assert_eq!(key, gateway.keys.of(&sent("::ffff:192.0.2.1", "/a", b"b")));
        for other in [
            sent("192.0.2.2", "/a", b"b"),
            sent("192.0.2.1", "/b", b"b"),
            sent("192.0.2.1", "/a", b"bc"),
            sent("192.0.2.1", "/ab", b""),
            KeyInput {
                by: b"nurse",
                ..sent("192.0.2.1", "/a", b"b")
            },
        ] {
            assert_ne!(key, gateway.keys.of(&other), "{other:?}");
        }
    }
}
