//! What the store is asked to write: an appointment, the seats it takes and the key that makes it safe to repeat.

use chrono::{DateTime, SubsecRound as _, Utc};
use hospital_proto::booking::v1::{Appointment, CreateAppointmentRequest};
use prost::Message as _;
use service_kit::{
    input::{Problem, RequestId},
    source::Ids,
};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{
    appointment::NewAppointment,
    resources::{DOCTOR_CAPACITY, Department, Doctor},
};

/// Letters and digits that nobody mixes up when reading aloud: no 0, 1, I, L, O or U.
const REFERENCE_ALPHABET: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";
/// References proposed for one booking; that all of them are taken does not happen by chance.
const REFERENCES: usize = 4;

/// A resource of which a booking takes one seat. A resource has seats 1 to `capacity` in every slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatClaim {
    /// For example `doctor:doc-06` or `department:cardiology`.
    pub resource: String,
    pub capacity: u32,
}

/// What makes a create safe to repeat: the caller's id and a fingerprint of what it asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    request_id: RequestId,
    fingerprint: [u8; 32],
}

/// A new appointment with everything the store needs to write it.
#[derive(Debug, Clone)]
pub struct Booking {
    pub id: Uuid,
    /// Tried in order: references are unique, and two may meet by chance.
    pub references: Vec<String>,
    pub request: RequestKey,
    pub appointment: NewAppointment,
    /// Whole microseconds, the precision of every store: a repeated answer is equal to the first.
    pub created_at: DateTime<Utc>,
}

impl Booking {
    /// Gives a new appointment its id, its moment and a few references to choose from.
    pub fn new(
        request: RequestKey,
        appointment: NewAppointment,
        ids: &dyn Ids,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id: ids.uuid(),
            references: (0..REFERENCES).map(|_| reference(ids.uuid())).collect(),
            request,
            appointment,
            created_at: now.trunc_subsecs(6),
        }
    }
}

impl RequestKey {
    /// Reads the key; the fingerprint covers exactly what a caller may fill in.
    pub fn parse(request: &CreateAppointmentRequest) -> Result<Self, Problem> {
        let request_id = RequestId::parse(&request.request_id)?;
        let body = Appointment {
            id: String::new(),
            reference: String::new(),
            status: 0,
            starts_at: None,
            create_time: None,
            ..request.appointment.clone().unwrap_or_default()
        };
        Ok(Self {
            request_id,
            fingerprint: Sha256::digest(body.encode_to_vec()).into(),
        })
    }

    pub fn request_id(&self) -> &str {
        self.request_id.as_str()
    }

    /// SHA-256 of the body.
    pub fn fingerprint(&self) -> &[u8] {
        &self.fingerprint
    }
}

/// The seats that an appointment takes. The order is the same for every booking (doctor, then
/// department), so two bookings never wait for each other in a circle.
pub(crate) fn claims(department: &Department, doctor: Option<&Doctor>) -> Vec<SeatClaim> {
    let doctor = doctor.map(|doctor| SeatClaim {
        resource: format!("doctor:{}", doctor.id),
        capacity: DOCTOR_CAPACITY,
    });
    let department = SeatClaim {
        resource: format!("department:{}", department.id),
        capacity: department.capacity,
    };
    doctor.into_iter().chain([department]).collect()
}

/// A reference such as `SH-7K3M-9QXD`, made of a random id. What the patient says at the desk; no secret.
pub fn reference(id: Uuid) -> String {
    // The low 62 bits of a UUID are free of its version and variant.
    let mut rest = id.as_u128() & ((1 << 62) - 1);
    let mut letters = String::with_capacity(12);
    letters.push_str("SH-");
    for place in 0..8 {
        if place == 4 {
            letters.push('-');
        }
        let letter = usize::try_from(rest % 30).unwrap_or_default();
        letters.push(char::from(REFERENCE_ALPHABET[letter]));
        rest /= 30;
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_readable() {
        assert_eq!(reference(Uuid::nil()), "SH-2222-2222");
        let spread = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        for seed in 0..1000_u128 {
            let text = reference(Uuid::from_u128(seed.wrapping_mul(spread)));
            let letters: Vec<&str> = text.split('-').collect();
            assert_eq!(
                letters.iter().map(|part| part.len()).collect::<Vec<_>>(),
                [2, 4, 4]
            );
            assert!(
                !text[3..].contains(['0', '1', 'I', 'L', 'O', 'U']),
                "{text}"
            );
        }
    }
}
