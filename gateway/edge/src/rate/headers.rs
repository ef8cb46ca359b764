//! Reports the limits to a caller, in the fields `RateLimit` and `RateLimit-Policy` of the IETF draft.

use std::fmt::{self, Write as _};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::{local::LimitState, quotas::Limit};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit");

/// Capacity for the text of a field; few are longer.
const TEXT_BYTES: usize = 64;

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
        let text = || String::with_capacity(TEXT_BYTES);
        let (mut policies, mut remaining) = (text(), text());
        for name in ["visitor", "creates", "staff", "sign-ins", "documents"] {
            let states = self.0.iter().filter(|state| policy_of(state.limit) == name);
            let Some(first) = states.clone().next() else {
                continue;
            };
            let tightest = states.min_by_key(|state| state.left).unwrap_or(first);
            // The limits of the network are part of the visitor's policy, which states the visitor's own quota. Creates
            // have a quota for each network size.
            let quota = if name == "creates" {
                tightest.quota
            } else {
                first.quota
            };
            let (max, window_s) = (quota.max, quota.window_s());
            append(
                &mut policies,
                format_args!("\"{name}\";q={max};w={window_s}"),
            );
            let (left, reset_s) = (tightest.left.min(max), seconds(tightest.reset_ms));
            append(
                &mut remaining,
                format_args!("\"{name}\";r={left};t={reset_s}"),
            );
        }
        [(POLICY, policies), (REMAINING, remaining)]
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

/// Appends an item to the text of a list field.
fn append(list: &mut String, item: fmt::Arguments<'_>) {
    if !list.is_empty() {
        list.push_str(", ");
    }
    // Writing to a string cannot fail.
    _ = list.write_fmt(item);
}

/// Returns the name of the policy that contains a limit.
fn policy_of(limit: Limit) -> &'static str {
    match limit {
        Limit::Visitor | Limit::Network | Limit::Writes => "visitor",
        Limit::Documents => "documents",
        Limit::Subject | Limit::StaffNetwork => "staff",
        Limit::SignIns => "sign-ins",
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
