//! Limits on the mails that one address receives.
//!
//! A stranger who abuses a patient's address must be able neither to flood the patient nor to block the patient's own
//! mails. So notices are counted per appointment and per originating network, not by address alone. Unverified
//! addresses have an additional limit by address. Mails caused by staff and by the calendar are neither limited nor
//! counted.

use chrono::{DateTime, TimeDelta, Utc};
use store_kit::{
    error::StoreError,
    keys::Keys,
    sql::{Transaction, Value},
    values,
};

use super::Mail;
use crate::mail::{content::Content, new::Cause};

/// Maximum rows that one query reads; higher than any [`Cap`].
const RECENT_MAX: i64 = 100;

/// Limits of one kind of mail, including attempts in progress.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Cap {
    pub per_hour: usize,
    pub per_day: usize,
}

impl Cap {
    /// Mails of each kind that a form of the site sends to the address entered.
    pub const FORM: Self = Self::of(1, 3);
    /// Codes for one appointment.
    pub const CODES: Self = Self::of(5, 15);
    /// Notices about one appointment that patients cause, to an unverified and to a verified address.
    pub const SUBJECT: Self = Self::of(6, 10);
    pub const PROVEN_SUBJECT: Self = Self::of(10, 20);
    /// Notices that one network causes to one address. The first notice about an appointment counts towards this limit
    /// but is never held back by it. The patient may share a network with the stranger.
    pub const NETWORK: Self = Self::of(10, 20);
    /// Notices that patients cause to an unverified address, regardless of appointment.
    pub const UNPROVEN: Self = Self::of(40, 40);

    const fn of(per_hour: usize, per_day: usize) -> Self {
        Self { per_hour, per_day }
    }

    /// Returns when another mail may be sent; `None` for now. `earlier` holds the times of earlier mails, newest first.
    pub fn free_at(self, earlier: &[DateTime<Utc>], now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let over = |count: usize, window: TimeDelta| {
            let time = *earlier.get(count - 1)? + window;
            (time > now).then_some(time)
        };
        over(self.per_hour, TimeDelta::hours(1)).max(over(self.per_day, TimeDelta::days(1)))
    }
}

/// Selects the times of the last day's mails, newest first: mails sent, and attempts in progress. `$1`: the mail to
/// exclude, `$2`: now, `$3`: a day ago, `$4`: row limit.
macro_rules! recent {
    ($which:literal) => {
        concat!(
            "SELECT COALESCE(end_time, $2) AS time FROM mails WHERE ",
            $which,
            " AND id <> $1 AND ((state = 'sent' AND end_time > $3) OR (state = 'waiting' AND lease_time > $2)) \
             ORDER BY 1 DESC LIMIT $4"
        )
    };
}

const OF_FORM: &str = recent!("recipient_digest = $5 AND kind = $6");
const CODES: &str = recent!("subject_id = $5 AND kind = 'appointment.code' AND channel = $6");
const OF_SUBJECT: &str = recent!(
    "subject_id = $5 AND cause = 'patient' AND kind <> 'appointment.code' AND channel = $6"
);
const OF_NETWORK: &str = recent!(
    "recipient_digest = $5 AND cause = 'patient' AND kind <> 'appointment.code' AND network = $6"
);
const UNPROVEN: &str = recent!(
    "recipient_digest = $5 AND cause = 'patient' AND kind <> 'appointment.code' AND proven = $6"
);

/// Returns when a mail like this one may be sent; `None` for now.
pub(super) async fn full_until(
    transaction: &mut Transaction<'_>,
    keys: &Keys,
    mail: &Mail,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, StoreError> {
    let digest = mail.channel.digest(keys, &mail.recipient);
    let channel = mail.channel.as_str();
    let mut count = Count {
        transaction,
        mail,
        now,
    };
    let (network, is_proven) = match (&mail.cause, &mail.content) {
        (Cause::Staff | Cause::Calendar, _)
        | (
            _,
            Content::Enquiry { .. }
            | Content::Newsletter { .. }
            | Content::NewsletterTest { .. }
            | Content::Quarantine { .. },
        ) => {
            return Ok(None);
        }
        (
            _,
            Content::Acknowledgement { .. } | Content::Confirmation { .. } | Content::Registered(_),
        ) => {
            let kind = mail.content.kind();
            let earlier = count.times(OF_FORM, values![digest, kind]).await?;
            return Ok(Cap::FORM.free_at(&earlier, now));
        }
        (_, Content::Code(_)) => {
            let earlier = count
                .times(CODES, values![mail.subject_id, channel])
                .await?;
            return Ok(Cap::CODES.free_at(&earlier, now));
        }
        (Cause::Patient { network, is_proven }, _) => (network.as_str(), *is_proven),
        // Stored by a build without causes.
        (Cause::Own, _) => ("", false),
    };
    let of_subject = count
        .times(OF_SUBJECT, values![mail.subject_id, channel])
        .await?;
    let cap = if is_proven {
        Cap::PROVEN_SUBJECT
    } else {
        Cap::SUBJECT
    };
    let mut free_at = cap.free_at(&of_subject, now);
    if !of_subject.is_empty() {
        let earlier = count.times(OF_NETWORK, values![digest, network]).await?;
        free_at = free_at.max(Cap::NETWORK.free_at(&earlier, now));
    }
    if !is_proven {
        let earlier = count.times(UNPROVEN, values![digest, 0_i64]).await?;
        free_at = free_at.max(Cap::UNPROVEN.free_at(&earlier, now));
    }
    Ok(free_at)
}

struct Count<'a, 'b> {
    transaction: &'a mut Transaction<'b>,
    mail: &'a Mail,
    now: DateTime<Utc>,
}

impl Count<'_, '_> {
    async fn times(
        &mut self,
        sql: &'static str,
        which: Vec<Value>,
    ) -> Result<Vec<DateTime<Utc>>, StoreError> {
        let day_ago = self.now - TimeDelta::days(1);
        let mut values = values![self.mail.id, self.now, day_ago, RECENT_MAX];
        values.extend(which);
        let times: Vec<(DateTime<Utc>,)> = self.transaction.fetch_all(sql, values).await?;
        Ok(times.into_iter().map(|(time,)| time).collect())
    }
}
