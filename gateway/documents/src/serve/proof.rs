//! Document tokens, which a browser must send with a report of failures.
//!
//! Anybody can post a report. A token proves that this site sent a document to the reporter's network within the last
//! hour, and lists the document's versions. A cached document is the same for all visitors, so the token is in a header
//! of each response (`Server-Timing`, which scripts can read). Each token counts once per version, so a network cannot
//! report more than it was sent.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    time::{Duration, Instant},
};

use axum::http::{HeaderName, HeaderValue};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use parking_lot::Mutex;
use ring::hmac;
use service_kit::network::Network;

use crate::publish::remote::{MARK_BYTES, Remote};

pub(crate) const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
/// Maximum age of a document at the time of the report. A script that fails to load or run does so within seconds.
const AGE_MAX: Duration = Duration::from_hours(1);
/// Maximum clock difference between gateways.
const SKEW_MAX: Duration = Duration::from_mins(5);
/// Signed to derive this module's own key; makes tokens invalid in any other context.
const CONTEXT: &[u8] = b"hospital page modules, document 1\n";
const SECONDS_BYTES: usize = 8;
const NONCE_BYTES: usize = 8;
/// HMAC-SHA-256 of the network and of all preceding bytes.
const TAG_BYTES: usize = 32;
/// Maximum versions in a token, more than any page has: its teams' versions and the shell's.
const VERSIONS_MAX: usize = 32;
/// Maximum networks remembered per window, and maximum reports of each. Further reports of one network add no
/// information.
const NETWORKS_MAX: usize = 4_096;
const REPORTS_MAX: usize = 64;

/// Issues and verifies tokens.
pub(crate) struct Proofs {
    key: hmac::Key,
    spent: Mutex<Spent>,
}

/// A verified token.
#[derive(Debug)]
pub(crate) struct Proof {
    network: Network,
    nonce: [u8; NONCE_BYTES],
    versions: Vec<[u8; MARK_BYTES]>,
}

/// Recently accepted reports.
#[derive(Debug)]
struct Spent {
    began: Instant,
    current: HashMap<Network, HashSet<u64>>,
    before: HashMap<Network, HashSet<u64>>,
}

impl fmt::Debug for Proofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proofs").finish_non_exhaustive()
    }
}

impl Proofs {
    /// Creates the issuer. All gateways of a site share `key`, so a report may reach another gateway than its document
    /// came from.
    pub(crate) fn new(key: &hmac::Key) -> Self {
        let own = hmac::sign(key, CONTEXT);
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, own.as_ref()),
            spent: Mutex::new(Spent {
                began: Instant::now(),
                current: HashMap::new(),
                before: HashMap::new(),
            }),
        }
    }

    /// Returns the header for a document that is sent to `network` at `now` (seconds since 1970) and consists of
    /// `remotes`.
    pub(crate) fn issue<'a>(
        &self,
        network: Network,
        remotes: impl Iterator<Item = &'a Remote>,
        now: i64,
    ) -> HeaderValue {
        let mut token = Vec::with_capacity(128);
        token.extend_from_slice(&now.to_be_bytes());
        token.extend_from_slice(&rand::random::<[u8; NONCE_BYTES]>());
        for remote in remotes.take(VERSIONS_MAX) {
            token.extend_from_slice(&remote.mark);
        }
        let mut signed = hmac::Context::with_key(&self.key);
        // The network has a fixed length, so no separator is needed.
        signed.update(&network.octets());
        signed.update(&token);
        token.extend_from_slice(signed.sign().as_ref());
        let mut text = String::with_capacity(256);
        text.push_str("document;desc=\"");
        URL_SAFE_NO_PAD.encode_string(&token, &mut text);
        text.push('"');
        // Letters, digits and ASCII signs are a valid value.
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("document"))
    }

    /// Verifies a token of a reporter in `network` at `now`. `None` unless this network got the token within the last
    /// hour.
    pub(crate) fn open(&self, token: &str, network: Network, now: i64) -> Option<Proof> {
        let length_max = SECONDS_BYTES + NONCE_BYTES + VERSIONS_MAX * MARK_BYTES + TAG_BYTES;
        if token.len() > length_max * 4 / 3 + 1 {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (signed, tag) = bytes.split_last_chunk::<TAG_BYTES>()?;
        let whole = [&network.octets(), signed].concat();
        hmac::verify(&self.key, &whole, tag).ok()?;
        let (seconds, rest) = signed.split_first_chunk::<SECONDS_BYTES>()?;
        let (nonce, versions) = rest.split_first_chunk::<NONCE_BYTES>()?;
        let age = now.saturating_sub(i64::from_be_bytes(*seconds));
        let seconds = |time: Duration| i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
        if !(-seconds(SKEW_MAX)..=seconds(AGE_MAX)).contains(&age) {
            return None;
        }
        let (versions, _) = versions.as_chunks::<MARK_BYTES>();
        Some(Proof {
            network,
            nonce: *nonce,
            versions: versions.to_vec(),
        })
    }

    /// Returns whether this is the document's first report of a version. Also false when the network has sent too many
    /// reports, or when too many networks report.
    pub(crate) fn spend(&self, proof: &Proof, remote: &Remote, now: Instant) -> bool {
        let [a, b, c, d] = remote.mark;
        let report = u64::from_be_bytes(proof.nonce) ^ u64::from(u32::from_be_bytes([a, b, c, d]));
        self.spent.lock().add(proof.network, report, now)
    }
}

impl Proof {
    /// Returns whether the document contains this version.
    pub(crate) fn names(&self, remote: &Remote) -> bool {
        self.versions.contains(&remote.mark)
    }
}

impl Spent {
    fn add(&mut self, network: Network, report: u64, now: Instant) -> bool {
        // A report is kept for one to two of these periods, which is longer than its token is valid.
        if now.duration_since(self.began) >= AGE_MAX + SKEW_MAX {
            self.began = now;
            self.before = std::mem::take(&mut self.current);
        }
        let is_known = |reports: Option<&HashSet<u64>>| {
            reports.is_some_and(|reports| reports.contains(&report))
        };
        if is_known(self.before.get(&network)) {
            return false;
        }
        if !self.current.contains_key(&network) && self.current.len() >= NETWORKS_MAX {
            return false;
        }
        let reports = self.current.entry(network).or_default();
        reports.len() < REPORTS_MAX && reports.insert(report)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::publish::integrity::Trust;

    const NOW: i64 = 1_800_000_000;

    fn proofs(key: &[u8]) -> Proofs {
        Proofs::new(&hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    fn remote(name: &str) -> Remote {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/remotes");
        Remote::read(&folder, name, "1.0.0", None, &Trust::default()).expect("a fixture")
    }

    fn network(text: &str) -> Network {
        text.parse().expect("a network")
    }

    fn token(value: &HeaderValue) -> String {
        let text = value.to_str().expect("ASCII");
        let token = text.strip_prefix("document;desc=\"").expect("named");
        token.strip_suffix('"').expect("quoted").to_owned()
    }

    #[test]
    fn x3_binds_a_token_to_network_hour_and_versions() {
        let (ours, clinic, ward) = (proofs(b"key"), remote("clinic"), remote("ward"));
        let home = network("192.0.2.0/24");
        let issued = token(&ours.issue(home, [&clinic].into_iter(), NOW));
        let proof = ours.open(&issued, home, NOW + 3_600).expect("good");
        assert!(proof.names(&clinic) && !proof.names(&ward));
        assert!(
            proofs(b"key").open(&issued, home, NOW).is_some(),
            "another gateway"
        );
        for (what, proofs, network, now) in [
            ("another key", &proofs(b"other"), home, NOW),
            ("another network", &ours, network("192.0.3.0/24"), NOW),
            ("an hour later", &ours, home, NOW + 3_601),
        ] {
            assert!(proofs.open(&issued, network, now).is_none(), "{what}");
        }
        let mut changed = issued.clone().into_bytes();
        changed[24] ^= 1;
        let changed = String::from_utf8(changed).expect("ASCII");
        let long = issued.repeat(20);
        for wrong in ["", "x", "%", &changed, &issued[..20], &long] {
            assert!(ours.open(wrong, home, NOW).is_none(), "{wrong}");
        }
    }

    #[test]
    fn x3_counts_a_document_once_per_version() {
        let (ours, clinic, ward) = (proofs(b"key"), remote("clinic"), remote("ward"));
        let home = network("192.0.2.0/24");
        let mut now = Instant::now();
        let issue = || token(&ours.issue(home, [&clinic, &ward].into_iter(), NOW));
        let first = issue();
        let open = |token: &str| ours.open(token, home, NOW).expect("good");
        assert!(ours.spend(&open(&first), &clinic, now));
        assert!(ours.spend(&open(&first), &ward, now));
        for _ in 0..3 {
            assert!(!ours.spend(&open(&first), &clinic, now), "sent again");
            now += AGE_MAX / 4;
        }
        let taken = (0..200).filter(|_| ours.spend(&open(&issue()), &clinic, now));
        assert_eq!(taken.count(), REPORTS_MAX - 2);
        let other = network("2001:db8:1::/48");
        let issued = token(&ours.issue(other, [&clinic].into_iter(), NOW));
        let proof = ours.open(&issued, other, NOW).expect("good");
        assert!(
            ours.spend(&proof, &clinic, now),
            "other networks still count"
        );
    }
}
