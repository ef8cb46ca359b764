//! Sessions of staff: what a sealed cookie contains, and when it is valid.

use std::{fmt, sync::Arc};

use chrono::{DateTime, Duration, Utc};
use http::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use service_kit::source::Clock;

use super::{
    cookies::Cookie,
    ended::{Ended, Target},
    keys::{Purpose, SealError, SealingKeys},
    reloaded::Reloaded,
    roles::Roles,
    secrets::{Mark, NoRandomness, random_text},
};

/// Maximum age of a session.
pub(crate) const AGE_MAX: Duration = Duration::hours(8);
/// Maximum time between two requests of a session.
const IDLE_MAX: Duration = Duration::minutes(30);
/// Minimum time between two renewals of a cookie.
const RENEWAL_MIN: Duration = Duration::minutes(1);
/// Tolerated difference between the clocks of two gateways.
const LEEWAY: Duration = Duration::seconds(30);
/// Random bytes of a session's id.
const ID_BYTES: usize = 16;

/// A signed-in member of staff.
#[derive(Clone, Eq, PartialEq)]
pub struct Session {
    /// Random id of this session. A secret: logs must not contain it.
    pub id: String,
    /// The person's id at the issuer (claim `sub`), for the audit log: 1 to 255 bytes without control characters.
    pub subject: String,
    /// The person's name as shown in the staff area: 1 to 128 characters in one line.
    pub name: String,
    /// The person's confirmed e-mail address, if the issuer states one.
    pub email: Option<String>,
    /// Scopes of the person's groups in the current STAFF_ROLES, sorted, at most 64.
    pub scopes: Vec<String>,
    /// Id of the doctor whom the roster knows the person as, by the current STAFF_ROLES.
    pub doctor: Option<String>,
    /// When the person signed in.
    pub issued: DateTime<Utc>,
    /// The last request that renewed the cookie.
    pub seen: DateTime<Utc>,
    pub(crate) sid: Option<Mark>,
    pub(crate) id_token: Option<String>,
    groups: Vec<String>,
}

impl Session {
    /// Whether the session includes this scope.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes
            .binary_search_by(|granted| granted.as_str().cmp(scope))
            .is_ok()
    }

    /// The latest time at which the session can be valid.
    pub(crate) fn ends(&self) -> DateTime<Utc> {
        self.issued + AGE_MAX
    }

    /// The time at which the session ends without a further request.
    pub(crate) fn idles_out(&self) -> DateTime<Utc> {
        self.ends().min(self.seen + IDLE_MAX)
    }
}

/// Hides the person and all secrets.
impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Session")
            .field("scopes", &self.scopes)
            .field("issued", &self.issued)
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}

/// The session of a request.
#[derive(Clone, Debug)]
pub struct Current {
    /// The session.
    pub session: Session,
    /// `Set-Cookie` header that the response must have, at most once a minute: it renews the idle time.
    pub set_cookie: Option<HeaderValue>,
}

/// A person as the issuer's ID token describes them.
#[derive(Clone, Eq, PartialEq)]
pub(crate) struct Identity {
    pub(crate) subject: String,
    pub(crate) name: String,
    pub(crate) email: Option<String>,
    pub(crate) groups: Vec<String>,
    pub(crate) sid: Option<Mark>,
    pub(crate) id_token: String,
}

/// Hides the person.
impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Identity").finish_non_exhaustive()
    }
}

/// Content of a session's cookie. Short names, because browsers send it with every request.
#[derive(Serialize, Deserialize)]
struct Sealed {
    i: String,
    s: String,
    n: String,
    /// E-mail address. Absent from sessions of earlier builds.
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<String>,
    /// Marks of the person's groups.
    g: Vec<String>,
    /// Sign-in and last renewal, in milliseconds since 1970.
    t: i64,
    a: i64,
    /// Mark of the session's id at the issuer.
    #[serde(skip_serializing_if = "Option::is_none")]
    o: Option<String>,
    /// The ID token, for the sign-out at the issuer.
    #[serde(skip_serializing_if = "Option::is_none")]
    h: Option<String>,
}

/// All sessions. They are in the cookies only; the gateway remembers those that have ended.
#[derive(Debug)]
pub(crate) struct Sessions {
    pub(crate) keys: Arc<Reloaded<SealingKeys>>,
    /// Site, issuer and client: a session counts for no others.
    pub(crate) context: String,
    pub(crate) roles: Reloaded<Roles>,
    pub(crate) ended: Ended,
    pub(crate) cookie: Cookie,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Sessions {
    /// Returns the valid session of a request, with its renewed cookie.
    pub(crate) fn of(&self, headers: &HeaderMap) -> Option<Current> {
        let now = self.clock.now();
        let mut session = self.found(headers, now)?;
        let mut set_cookie = None;
        if now - session.seen >= RENEWAL_MIN {
            session.seen = now;
            // Without random bytes, the earlier cookie stays valid for a while.
            set_cookie = self.set_cookie(&session).ok();
        }
        Some(Current {
            session,
            set_cookie,
        })
    }

    /// Returns the valid session of a request, as its cookie has it.
    ///
    /// A neighbouring host may have added cookies of the same name, so each is tried. Two valid sessions are refused:
    /// one of them may be a trap in which another person would see this one's input.
    pub(crate) fn found(&self, headers: &HeaderMap, now: DateTime<Utc>) -> Option<Session> {
        let mut found: Option<Session> = None;
        for value in self.cookie.values(headers) {
            let Some(session) = self.opened(value, now) else {
                continue;
            };
            match &found {
                Some(other) if other.id != session.id => {
                    tracing::warn!("a request with two valid sessions was refused");
                    return None;
                }
                Some(other) if other.seen >= session.seen => {}
                _ => found = Some(session),
            }
        }
        found
    }

    /// Begins a session with a new id.
    pub(crate) fn begin(&self, identity: Identity) -> Result<Session, NoRandomness> {
        let now = to_millis(self.clock.now());
        let roles = self.roles.current();
        let groups = roles.marks(identity.groups.iter().map(String::as_str));
        Ok(Session {
            id: random_text::<ID_BYTES>()?,
            doctor: roles.doctor(&identity.subject),
            subject: identity.subject,
            name: identity.name,
            email: identity.email,
            scopes: roles.scopes(&groups),
            issued: now,
            seen: now,
            sid: identity.sid,
            id_token: Some(identity.id_token),
            groups,
        })
    }

    /// Returns the `Set-Cookie` header for a session. An ID token that does not fit is left out.
    pub(crate) fn set_cookie(&self, session: &Session) -> Result<HeaderValue, SealError> {
        let sealed = match self.seal(session, session.id_token.clone()) {
            Err(SealError::TooLong) => self.seal(session, None)?,
            sealed => sealed?,
        };
        // No age: the cookie ends with the browser, which people at one desk may share.
        Ok(self.cookie.set(&sealed, None))
    }

    fn seal(&self, session: &Session, id_token: Option<String>) -> Result<String, SealError> {
        let sealed = Sealed {
            i: session.id.clone(),
            s: session.subject.clone(),
            n: session.name.clone(),
            e: session.email.clone(),
            g: session.groups.clone(),
            t: session.issued.timestamp_millis(),
            a: session.seen.timestamp_millis(),
            o: session.sid.map(Mark::to_text),
            h: id_token,
        };
        let plain = serde_json::to_vec(&sealed).map_err(|_| SealError::TooLong)?;
        let bytes_max = self.cookie.value_bytes_max();
        let keys = self.keys.current();
        keys.seal(Purpose::Session, &self.context, &plain, bytes_max)
    }

    /// Opens a cookie. Returns `None` if it is not sealed by our keys, too old, or of an ended session.
    fn opened(&self, value: &str, now: DateTime<Utc>) -> Option<Session> {
        let keys = self.keys.current();
        let plain = keys.open(Purpose::Session, &self.context, value)?;
        let sealed: Sealed = serde_json::from_slice(&plain).ok()?;
        let roles = self.roles.current();
        let session = Session {
            id: sealed.i,
            doctor: roles.doctor(&sealed.s),
            subject: sealed.s,
            name: sealed.n,
            email: sealed.e,
            scopes: roles.scopes(&sealed.g),
            issued: DateTime::from_timestamp_millis(sealed.t)?,
            seen: DateTime::from_timestamp_millis(sealed.a)?,
            sid: sealed.o.as_deref().and_then(Mark::parse),
            id_token: sealed.h,
            groups: sealed.g,
        };
        self.is_valid(&session, now).then_some(session)
    }

    /// Whether a session counts at this time.
    pub(crate) fn is_valid(&self, session: &Session, now: DateTime<Utc>) -> bool {
        let is_in_time = session.issued <= now + LEEWAY && session.idles_out() > now;
        is_in_time && !self.ended.contains(session)
    }

    /// Returns the scopes of a session's groups in the current STAFF_ROLES.
    pub(crate) fn scopes(&self, session: &Session) -> Vec<String> {
        self.roles.current().scopes(&session.groups)
    }

    /// Ends one session.
    pub(crate) async fn end(&self, session: &Session) {
        let target = Target::Session(&session.id);
        self.ended.end(target, session.ends(), session.ends()).await;
    }
}

/// Cookies hold milliseconds; a session must not change by being sealed.
fn to_millis(time: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(time.timestamp_millis()).unwrap_or(time)
}
