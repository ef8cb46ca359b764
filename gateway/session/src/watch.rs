//! Sessions of responses that outlive their request.

use std::{fmt, sync::Arc, time::Duration};

use http::HeaderMap;
use tokio::sync::watch::Receiver;

use super::{Parts, Staff, session::Session};

/// The session of a response that outlives its request, such as a stream of events. The response does not count as use
/// of the session.
pub struct SessionWatch {
    parts: Arc<Parts>,
    /// As in the cookie of the request: later requests are unknown here.
    session: Session,
    ends: Receiver<u64>,
}

/// Hides the person and all secrets.
impl fmt::Debug for SessionWatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SessionWatch")
            .field("session", &self.session)
            .finish_non_exhaustive()
    }
}

impl Staff {
    /// Returns the valid session of a request whose response lasts longer. Renews no cookie.
    pub fn watch(&self, headers: &HeaderMap) -> Option<SessionWatch> {
        let sessions = &self.0.sessions;
        // Subscribe first, or an end between the two calls would be missed.
        let ends = sessions.ended.subscribe();
        let session = sessions.found(headers, sessions.clock.now())?;
        Some(SessionWatch {
            parts: Arc::clone(&self.0),
            session,
            ends,
        })
    }
}

impl SessionWatch {
    /// The person's id at the issuer. Logs must not contain it.
    pub fn subject(&self) -> &str {
        &self.session.subject
    }

    /// Returns the scopes of the person in the current STAFF_ROLES, or `None` once the session has ended: by sign-out, by
    /// the issuer, by age, or when the cookie of the request would have been idle for too long.
    pub fn scopes(&self) -> Option<Vec<String>> {
        let sessions = &self.parts.sessions;
        let is_valid = sessions.is_valid(&self.session, sessions.clock.now());
        is_valid.then(|| sessions.scopes(&self.session))
    }

    /// Returns the maximum time until [`Self::scopes`] returns `None`.
    pub fn time_left(&self) -> Duration {
        let left = self.session.idles_out() - self.parts.sessions.clock.now();
        left.to_std().unwrap_or_default()
    }

    /// Waits until this process learns that any session has ended. Cancel safe.
    pub async fn any_ended(&mut self) {
        if self.ends.changed().await.is_err() {
            // `parts` holds the sender, so the channel is never closed.
            std::future::pending::<()>().await;
        }
    }
}
