//! Reports the limits to a caller, in the fields `RateLimit` and `RateLimit-Policy` of the IETF draft.

use std::fmt::Write as _;

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::{local::LimitState, quotas::Limit};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LEFT: HeaderName = HeaderName::from_static("ratelimit");

/// State of a caller's limits after a call was counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowance(pub(super) Vec<LimitState>);

impl Allowance {
    /// Writes the state into a response, which must be for this caller alone.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        headers.extend(self.fields());
    }

    /// Returns both fields. Each policy states the seconds until more calls are allowed.
    pub(super) fn fields(&self) -> Vec<(HeaderName, HeaderValue)> {
        let (mut policies, mut left) = (String::new(), String::new());
        for name in ["visitor", "creates", "staff", "documents"] {
            // The limits of the network are part of the visitor's policy. Of the network sizes, the tightest one
            // counts.
            let mut of_name = self.0.iter().filter(|s| policy_of(s.limit) == name);
            let Some(first) = of_name.next() else {
                continue;
            };
            let tightest = of_name.fold(
                first,
                |least, s| if s.left < least.left { s } else { least },
            );
            let quota = if name == "creates" {
                tightest.quota
            } else {
                first.quota
            };
            let comma = if policies.is_empty() { "" } else { ", " };
            // Writing to a String does not fail.
            _ = write!(
                policies,
                "{comma}\"{name}\";q={};w={}",
                quota.max,
                quota.window_s()
            );
            let (rest, reset_s) = (tightest.left.min(quota.max), seconds(tightest.reset_ms));
            _ = write!(left, "{comma}\"{name}\";r={rest};t={reset_s}");
        }
        [(POLICY, policies), (LEFT, left)]
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .filter_map(|(name, text)| Some((name, HeaderValue::try_from(text).ok()?)))
            .collect()
    }

    /// Returns the seconds until every limit has room for a call; at least 1.
    pub(super) fn retry_after_s(&self) -> u64 {
        let exhausted = self.0.iter().filter(|state| state.left == 0);
        let wait = exhausted.map(|state| seconds(state.reset_ms)).max();
        wait.unwrap_or(1)
    }
}

/// Returns the name of the policy that contains a limit.
fn policy_of(limit: Limit) -> &'static str {
    match limit {
        Limit::Visitor | Limit::Network | Limit::Writes => "visitor",
        Limit::Documents => "documents",
        Limit::Subject | Limit::StaffNetwork => "staff",
        Limit::CreatesIpv4In32
        | Limit::CreatesIpv4In24
        | Limit::CreatesIpv6In64
        | Limit::CreatesIpv6In56
        | Limit::CreatesIpv6In48 => "creates",
    }
}

fn seconds(ms: u32) -> u64 {
    u64::from(ms).div_ceil(1000).max(1)
}
