//! Idempotency keys of native forms, and the first sender of each form.
//!
//! A cached document is the same for all visitors, so it cannot hold a key. The key is therefore a keyed hash of the
//! form. An attacker who knows a person's input could send the same form and read the response to the first one. So
//! only the network that first sent a form sees that response again, and only for some minutes.

use std::{
    fmt::{self, Write as _},
    sync::Arc,
    time::{Duration, Instant},
};

use gateway_http::request::client_address::ClientNetwork;
use moka::future::Cache;
use ring::hmac;
use tokio::sync::Mutex;

use super::fields::Form;
use crate::render::message::Visit;

/// Time during which a repeated form from the same network counts as a reload or double submit.
const AGAIN_TIME_MAX: Duration = Duration::from_mins(10);
/// Maximum forms remembered, at some 200 bytes each. Responses to forgotten forms are not shown again in detail.
const FORMS_MAX: u64 = 100_000;
/// Excluded from the hash, because it is itself a key.
pub(super) const REQUEST_ID: &str = "requestId";

/// Record of recently sent native forms.
pub(crate) struct Forms {
    key: hmac::Key,
    known: Cache<String, SenderRecord>,
}

/// First sender of a form, set once its call has succeeded. Locked during the call, so a double submit waits for the
/// first one.
pub(super) type SenderRecord = Arc<Mutex<Option<First>>>;

/// First submission of a form.
#[derive(Clone, Copy, Debug)]
pub(super) struct First {
    network: Option<ClientNetwork>,
    at: Instant,
}

impl fmt::Debug for Forms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forms").finish_non_exhaustive()
    }
}

impl Forms {
    /// Creates the record. All gateways of a site share `key`.
    pub(crate) fn new(key: hmac::Key) -> Self {
        Self {
            key,
            known: Cache::builder()
                .max_capacity(FORMS_MAX)
                .time_to_live(AGAIN_TIME_MAX)
                .build(),
        }
    }

    /// Returns the idempotency key of `form`, sent to this part of the page at `route`. Sending the same form twice
    /// creates one resource.
    pub(super) fn idempotency_key(
        &self,
        route: &str,
        part: &str,
        visit: &Visit,
        form: &Form,
    ) -> String {
        let mut text = hmac::Context::with_key(&self.key);
        // Length prefixes distinguish `ab`+`c` from `a`+`bc`.
        text.update(format!("{}:{route}{}:{part}", route.len(), part.len()).as_bytes());
        // Two members of staff may fill in a form alike; both are meant.
        if let Some(staff) = &visit.staff {
            let subject = &staff.person.claims.subject;
            text.update(format!("\n@{}:{subject}", subject.len()).as_bytes());
        }
        // The address may identify the form's subject where its fields do not, for example the subscription to cancel.
        for (name, value) in visit.params.iter().chain(&visit.query) {
            let (name_bytes, value_bytes) = (name.len(), value.len());
            text.update(format!("\n?{name_bytes}:{name}={value_bytes}:{value}").as_bytes());
        }
        for (name, value) in form.sorted() {
            if name != REQUEST_ID {
                let (name_bytes, value_bytes) = (name.len(), value.len());
                text.update(format!("\n{name_bytes}:{name}={value_bytes}:{value}").as_bytes());
            }
        }
        if let Some(file) = &form.file {
            text.update(format!("\n#{}:", file.len()).as_bytes());
            text.update(file);
        }
        let mut hex = String::with_capacity(64);
        for byte in text.sign().as_ref() {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        hex
    }

    /// Returns the record of the form with this key.
    pub(super) async fn known(&self, key: &str) -> SenderRecord {
        self.known
            .get_with_by_ref(key, async { SenderRecord::default() })
            .await
    }
}

impl First {
    pub(super) fn now(network: Option<ClientNetwork>) -> Self {
        let at = Instant::now();
        Self { network, at }
    }

    /// Returns whether a replay from `network` at `now` may see the response to the first submission.
    pub(super) fn may_see(&self, network: Option<ClientNetwork>, now: Instant) -> bool {
        self.network == network && now.saturating_duration_since(self.at) <= AGAIN_TIME_MAX
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    fn network(address: &str) -> ClientNetwork {
        let peer: SocketAddr = format!("{address}:1").parse().expect("an address");
        peer.ip().into()
    }

    #[test]
    fn replays_only_to_the_same_network_for_minutes() {
        let first = First::now(Some(network("192.0.2.1")));
        let within = first.at + AGAIN_TIME_MAX;
        assert!(first.may_see(Some(network("192.0.2.1")), within));
        assert!(!first.may_see(Some(network("192.0.2.2")), within));
        let later = within + Duration::from_millis(1);
        assert!(!first.may_see(Some(network("192.0.2.1")), later));
        let home = First::now(Some(network("[2001:db8:1:2::1]")));
        assert!(home.may_see(Some(network("[2001:db8:1:2::9]")), home.at));
        assert!(!home.may_see(Some(network("[2001:db8:1:3::1]")), home.at));
    }

    #[test]
    fn derives_keys_from_gateway_page_part_and_form() {
        let forms = |secret: u8| Forms::new(hmac::Key::new(hmac::HMAC_SHA256, &[secret; 32]));
        let (one, other) = (forms(1), forms(2));
        let form = |text: &str| Form::new(serde_urlencoded::from_str(text).unwrap());
        let key = |forms: &Forms, text| {
            forms.idempotency_key("/a", "t:/a", &Visit::default(), &form(text))
        };
        let plain = Visit::default();
        let known = key(&one, "a=1&b=2");
        assert_eq!(known, key(&one, "b=2&a=1&requestId="));
        for text in ["a=1&b=3", "a=1b&b=2", "a=1&b=2&b=2", "a=1"] {
            assert_ne!(known, key(&one, text), "{text}");
        }
        assert_ne!(known, key(&other, "a=1&b=2"));
        assert_ne!(
            known,
            one.idempotency_key("/b", "t:/a", &plain, &form("a=1&b=2"))
        );
        assert_ne!(
            known,
            one.idempotency_key("/a", "t:/b", &plain, &form("a=1&b=2"))
        );
        let asked = |query: [(&str, &str); 1]| Visit {
            query: query
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            ..Visit::default()
        };
        let of = |visit| one.idempotency_key("/a", "t:/a", &visit, &form("a=1&b=2"));
        assert_ne!(known, of(asked([("token", "1")])));
        assert_ne!(of(asked([("token", "1")])), of(asked([("token", "2")])));
        let at = |slug: &str| Visit {
            params: [("slug".to_owned(), slug.to_owned())].into(),
            ..Visit::default()
        };
        assert_ne!(of(at("asha")), of(at("ravi")));
    }
}
