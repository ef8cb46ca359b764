//! Errors of a sign-in, with their HTTP status and a sentence for the person.

use http::StatusCode;

use crate::{
    issuer::{ExchangeError, IdTokenFault, IssuerError},
    keys::SealError,
    secrets::NoRandomness,
};

/// Why a sign-in cannot begin or end.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// The callback's query is not a response of an issuer.
    #[error("the query is not a response of an issuer")]
    Query,
    /// This browser has no pending sign-in: its cookie is missing, expired or changed.
    #[error("this browser has no pending sign-in")]
    NotPending,
    /// The sign-in took too long.
    #[error("the sign-in took longer than 10 minutes")]
    Expired,
    /// The response belongs to another sign-in.
    #[error("the state is not that of the pending sign-in")]
    State,
    /// The response was used before.
    #[error("the state was used before")]
    Replayed,
    /// The response names another issuer, or none although this issuer names itself.
    #[error("the response is not from STAFF_ISSUER")]
    MixUp,
    /// The issuer responded with an error.
    #[error("the issuer responded with an error: {0:?}")]
    Issuer(IssuerReply),
    /// The issuer does not accept the code.
    #[error("the issuer does not accept the code")]
    Code,
    /// The ID token is not acceptable.
    #[error("the ID token is not accepted: {0}")]
    IdToken(#[from] IdTokenFault),
    /// The issuer cannot be used at the moment.
    #[error("the issuer cannot be used")]
    Unavailable(#[from] IssuerError),
    /// Too many sign-ins wait for the issuer.
    #[error("too many sign-ins at once")]
    Busy,
    /// A cookie cannot be sealed.
    #[error("a cookie cannot be sealed")]
    Sealing(#[from] SealError),
}

/// An issuer's error (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6), in the groups that need different help.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum IssuerReply {
    /// The person did not sign in or did not agree.
    Declined,
    /// The issuer is overloaded or broken.
    Unavailable,
    /// This site's registration or request does not suit the issuer. Contains the error's code, or `unknown`.
    Misconfigured(&'static str),
}

impl IssuerReply {
    /// Groups an error by its code. An unknown code is not kept, because a link can contain any text.
    pub(super) fn of(code: &str) -> Self {
        match code {
            "access_denied"
            | "login_required"
            | "interaction_required"
            | "consent_required"
            | "account_selection_required" => Self::Declined,
            "temporarily_unavailable" | "server_error" => Self::Unavailable,
            "invalid_request" => Self::Misconfigured("invalid_request"),
            "invalid_scope" => Self::Misconfigured("invalid_scope"),
            "unauthorized_client" => Self::Misconfigured("unauthorized_client"),
            "unsupported_response_type" => Self::Misconfigured("unsupported_response_type"),
            _ => Self::Misconfigured("unknown"),
        }
    }
}

impl From<NoRandomness> for SignInError {
    fn from(error: NoRandomness) -> Self {
        Self::Sealing(error.into())
    }
}

impl From<ExchangeError> for SignInError {
    fn from(error: ExchangeError) -> Self {
        match error {
            ExchangeError::Issuer(error) => Self::Unavailable(error),
            ExchangeError::Code => Self::Code,
            ExchangeError::Client(code) => Self::Issuer(IssuerReply::Misconfigured(code)),
            ExchangeError::IdToken(fault) => Self::IdToken(fault),
        }
    }
}

impl SignInError {
    /// Status of the response.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Query
            | Self::NotPending
            | Self::Expired
            | Self::State
            | Self::Replayed
            | Self::MixUp
            | Self::Code => StatusCode::BAD_REQUEST,
            Self::Issuer(IssuerReply::Declined) => StatusCode::FORBIDDEN,
            Self::Issuer(IssuerReply::Misconfigured(_)) | Self::IdToken(_) => {
                StatusCode::BAD_GATEWAY
            }
            Self::Issuer(IssuerReply::Unavailable) | Self::Unavailable(_) | Self::Busy => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Sealing(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What happened and what to do, for the person.
    pub fn sentence(&self) -> &'static str {
        match self {
            Self::Query => "This address isn't complete. Sign in again from the staff page.",
            Self::NotPending => {
                "We couldn't find your sign-in. Allow cookies for this site, then sign in again."
            }
            Self::Expired => "Your sign-in took longer than 10 minutes. Sign in again.",
            Self::State => {
                "You started another sign-in after this one, perhaps in another tab. Sign in again."
            }
            Self::Replayed => "This sign-in has been used already. Sign in again.",
            Self::MixUp | Self::IdToken(_) => {
                "We couldn't confirm who you are. Sign in again. If this happens twice, call IT support."
            }
            Self::Issuer(IssuerReply::Declined) => {
                "You haven't signed in. To open the staff area, sign in with your hospital account."
            }
            Self::Issuer(IssuerReply::Misconfigured(_)) => {
                "Sign-in isn't set up correctly. Call IT support."
            }
            Self::Code => "Your sign-in is no longer valid. Sign in again.",
            Self::Issuer(IssuerReply::Unavailable) | Self::Unavailable(_) => {
                "The sign-in service isn't available. Try again in a minute. If it's urgent, call IT support."
            }
            Self::Busy => "Many people are signing in. Wait a few seconds, then reload this page.",
            Self::Sealing(_) => "We couldn't sign you in. Try again in a minute.",
        }
    }

    /// Whether the pending sign-in stays valid, so that reloading the page can complete it. For other errors, the
    /// response should remove its cookie.
    pub fn is_pending(&self) -> bool {
        matches!(self, Self::Busy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_status_and_tells_what_to_do() {
        for (error, status) in [
            (SignInError::Query, 400),
            (SignInError::NotPending, 400),
            (SignInError::Expired, 400),
            (SignInError::State, 400),
            (SignInError::Replayed, 400),
            (SignInError::MixUp, 400),
            (SignInError::Code, 400),
            (SignInError::Issuer(IssuerReply::of("access_denied")), 403),
            (SignInError::Issuer(IssuerReply::of("server_error")), 503),
            (SignInError::Issuer(IssuerReply::of("invalid_scope")), 502),
            (SignInError::Issuer(IssuerReply::of("<script>")), 502),
            (SignInError::IdToken(IdTokenFault::Nonce), 502),
            (
                SignInError::Unavailable(IssuerError::FailedBefore { is_down: true }),
                503,
            ),
            (SignInError::Busy, 503),
            (SignInError::from(NoRandomness), 500),
        ] {
            assert_eq!(error.status(), status, "{error}");
            let sentence = error.sentence();
            let has_advice = ["again", "call IT", "Call IT", "reload", "sign in with"]
                .iter()
                .any(|advice| sentence.contains(advice));
            assert!(has_advice && sentence.ends_with('.'), "{sentence}");
            assert!(!format!("{error} {error:?} {sentence}").contains("script"));
        }
    }
}
