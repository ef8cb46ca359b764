//! Idempotency keys of native forms, and who sent what.
//!
//! A cached document is the same for everybody, so it cannot hold a key: the key is a keyed hash of the form. Whoever knows what a
//! person has filled in could send the same form and read the answer to the first one. So only the network that a form came
//! from first sees that answer again, and only for some minutes.

use std::{
    fmt::{self, Write as _},
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use moka::future::Cache;
use ring::hmac;
use service_kit::source::{Ids as _, RandomIds};
use tokio::sync::Mutex;

use super::{super::message::Visit, fields::Form};
use crate::request::client_address::ClientNetwork;

/// For so long after the first time a form that comes again from the same network is a reload or a second tap.
const AGAIN_TIME_MAX: Duration = Duration::from_mins(10);
/// Forms remembered at most; some 200 bytes each. Of a form that is forgotten no details are shown again.
const FORMS_MAX: u64 = 100_000;
const KEY_FILE_BYTES_MIN: usize = 32;
const KEY_FILE_BYTES_MAX: usize = 4_096;
/// Never in a hash: it is a key itself.
pub(super) const REQUEST_ID: &str = "requestId";

/// Why the key of native forms cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FormKeyError {
    #[error("{} cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} holds {found} bytes, between {KEY_FILE_BYTES_MIN} and {KEY_FILE_BYTES_MAX} are wanted", path.display())]
    Length { path: PathBuf, found: usize },
}

/// What native forms are remembered by.
pub(in crate::documents) struct Forms {
    key: hmac::Key,
    known: Cache<String, Known>,
}

/// Who sent a form first, once its call has been answered; held while a call is under way, so that a second tap waits for
/// the first.
pub(super) type Known = Arc<Mutex<Option<First>>>;

/// The first time that a form was sent.
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
    /// Reads the key from `file`; without one makes a key for this process.
    ///
    /// # Errors
    /// When the file cannot be read, or holds too little or too much to be a key.
    pub(in crate::documents) fn new(file: Option<&Path>) -> Result<Self, FormKeyError> {
        let secret = if let Some(path) = file {
            let path = path.to_owned();
            let secret = match fs::read(&path) {
                Ok(secret) => secret,
                Err(source) => return Err(FormKeyError::Read { path, source }),
            };
            let found = secret.len();
            if !(KEY_FILE_BYTES_MIN..=KEY_FILE_BYTES_MAX).contains(&found) {
                return Err(FormKeyError::Length { path, found });
            }
            secret
        } else {
            tracing::warn!(
                "FORM_KEY_FILE is not set: native forms have a key of this process. Several gateways need the same one, \
                 or a form that is sent twice may count twice"
            );
            [RandomIds.uuid(), RandomIds.uuid(), RandomIds.uuid()]
                .map(uuid::Uuid::into_bytes)
                .concat()
        };
        Ok(Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, &secret),
            known: Cache::builder()
                .max_capacity(FORMS_MAX)
                .time_to_live(AGAIN_TIME_MAX)
                .build(),
        })
    }

    /// The key that all gateways of a site share.
    pub(in crate::documents) fn key(&self) -> &hmac::Key {
        &self.key
    }

    /// The idempotency key of `form`, sent to this part of the page at `route`: the same form sent twice is one create.
    pub(super) fn idempotency_key(
        &self,
        route: &str,
        part: &str,
        visit: &Visit,
        form: &Form,
    ) -> String {
        let mut text = hmac::Context::with_key(&self.key);
        // Lengths keep `ab`+`c` apart from `a`+`bc`.
        text.update(format!("{}:{route}{}:{part}", route.len(), part.len()).as_bytes());
        // The address says what a form is about where its fields do not: which subscription ends, for example.
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
        let mut hex = String::with_capacity(64);
        for byte in text.sign().as_ref() {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        hex
    }

    /// What is known of the form with this key.
    pub(super) async fn known(&self, key: &str) -> Known {
        self.known
            .get_with_by_ref(key, async { Known::default() })
            .await
    }
}

impl First {
    pub(super) fn now(network: Option<ClientNetwork>) -> Self {
        let at = Instant::now();
        Self { network, at }
    }

    /// Whether a replay that came from `network` at `now` may see the answer to the first.
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
    fn only_the_same_network_and_only_for_some_minutes() {
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
    fn a_key_is_of_its_gateway_page_part_and_form() {
        let (one, other) = (Forms::new(None).unwrap(), Forms::new(None).unwrap());
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
    }

    #[test]
    fn a_key_file_is_read_and_a_short_one_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        assert!(matches!(
            Forms::new(Some(&path)),
            Err(FormKeyError::Read { .. })
        ));
        fs::write(&path, [7; 31]).unwrap();
        let error = Forms::new(Some(&path)).unwrap_err().to_string();
        assert!(error.contains("holds 31 bytes"), "{error}");
        fs::write(&path, [7; 32]).unwrap();
        let (one, other) = (
            Forms::new(Some(&path)).unwrap(),
            Forms::new(Some(&path)).unwrap(),
        );
        let form = Form::new(Vec::new());
        let key = |forms: &Forms| forms.idempotency_key("/a", "t:/a", &Visit::default(), &form);
        assert_eq!(key(&one), key(&other), "two gateways with one file");
    }
}
