//! Rows of seats.

use chrono::{DateTime, Utc};
use store_kit::{
    error::StoreError,
    row,
    sql::{Sql, Statement},
    values,
};
use uuid::Uuid;

use crate::{
    domain::seats::{HeldSeat, Resource, Seat},
    store::lists::text_in,
};

const TAKE: &str = "\
INSERT INTO seats (resource, starts_at, seat, holder_kind, holder_id, expire_time) VALUES ($1, $2, $3, $4, $5, $6)";

/// Frees the seat of this holder only. By now it may have another holder, whose lock is not held here.
const FREE: &str =
    "DELETE FROM seats WHERE resource = $1 AND starts_at = $2 AND seat = $3 AND holder_id = $4";

/// Frees every seat of a holder.
const FREE_ALL: &str = "DELETE FROM seats WHERE holder_id = $1";

/// Seats of some resources at one time, and all seats of a holder. The resources are separated by commas.
pub(in crate::store) const SEATS_AT: Sql = text_in!(
    "SELECT resource, starts_at, seat, holder_id, expire_time FROM seats WHERE resource",
    1,
    " AND starts_at = $2 \
     UNION SELECT resource, starts_at, seat, holder_id, expire_time FROM seats WHERE holder_id = $3"
);

/// Kind of a seat's holder.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::store) enum Holder {
    Appointment,
    Hold,
    Offer,
}

impl Holder {
    fn as_str(self) -> &'static str {
        match self {
            Self::Appointment => "appointment",
            Self::Hold => "hold",
            Self::Offer => "offer",
        }
    }
}

row! {
    /// A seat as stored.
    #[derive(Debug)]
    pub(in crate::store) struct SeatRow {
        resource: String,
        starts_at: DateTime<Utc>,
        seat: i64,
        holder_id: Uuid,
        expire_time: Option<DateTime<Utc>>,
    }
}

impl SeatRow {
    pub(in crate::store) fn held(self) -> Result<HeldSeat, StoreError> {
        let number = u32::try_from(self.seat).map_err(|_| StoreError::Corrupt {
            column: "seats.seat",
        })?;
        Ok(HeldSeat {
            seat: Seat {
                resource: Resource::named(self.resource),
                starts_at: self.starts_at,
                number,
            },
            holder_id: self.holder_id,
            expire_time: self.expire_time,
        })
    }
}

pub(in crate::store) fn take(
    seat: &Seat,
    holder: Holder,
    holder_id: Uuid,
    expire_time: Option<DateTime<Utc>>,
) -> Statement {
    Statement::new(
        TAKE,
        values![
            seat.resource.as_str(),
            seat.starts_at,
            seat.number,
            holder.as_str(),
            holder_id,
            expire_time
        ],
    )
}

pub(in crate::store) fn free(held: &HeldSeat) -> Statement {
    let HeldSeat {
        seat, holder_id, ..
    } = held;
    Statement::new(
        FREE,
        values![
            seat.resource.as_str(),
            seat.starts_at,
            seat.number,
            *holder_id
        ],
    )
}

pub(in crate::store) fn free_all(holder_id: Uuid) -> Statement {
    Statement::new(FREE_ALL, values![holder_id])
}
