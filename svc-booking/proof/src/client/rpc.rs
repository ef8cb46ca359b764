//! The RPCs of the contract.

mod answers;

use std::{sync::Arc, time::Duration};

use chrono::NaiveDate;
use hospital_proto::booking::v1::{
    self as proto, Appointment, booking_service_client::BookingServiceClient,
    desk_service_client::DeskServiceClient, roster_service_client::RosterServiceClient,
    waitlist_service_client::WaitlistServiceClient,
};
use tonic::{Request, Status, transport::Channel};
use uuid::Uuid;

use super::Shared;
use crate::{
    history::{Call, Operation, Outcome},
    world::Place,
};
use answers::{entry, failed, id, moment, shown};

/// Timeout of a call, similar to a browser's.
const DEADLINE: Duration = Duration::from_secs(10);
const APPOINTMENT_SECRET: &str = "x-appointment-secret";
const WAITLIST_SECRET: &str = "x-waitlist-secret";

/// A connection that identifies its client and records each call.
#[derive(Clone, Debug)]
pub struct Rpc {
    channel: Channel,
    number: usize,
    token: String,
    /// State of the trial, with its recorder.
    shared: Arc<Shared>,
}

/// Credentials of a call.
enum Proof<'a> {
    Nothing,
    Secret(&'static str, &'a str),
    Token,
}

impl Rpc {
    pub fn new(channel: Channel, number: usize, token: String, shared: Arc<Shared>) -> Self {
        Self {
            channel,
            number,
            token,
            shared,
        }
    }

    fn request<T>(&self, body: T, proof: &Proof<'_>) -> Request<T> {
        let mut request = Request::new(body);
        request.set_timeout(DEADLINE);
        let metadata = request.metadata_mut();
        let network = format!("10.0.{}.{}", self.number / 250, self.number % 250);
        let mut set = |name: &'static str, text: &str| {
            if let Ok(value) = text.parse() {
                metadata.insert(name, value);
            }
        };
        set("client-network", &network);
        set("client-id", &format!("proof-{}", self.number));
        match proof {
            Proof::Nothing => {}
            Proof::Secret(name, secret) => set(name, secret),
            Proof::Token => set("authorization", &self.token),
        }
        request
    }

    /// Makes a call and records it. Gives up after `patience_ms`, or after 10 s if it is 0.
    pub async fn call(&self, operation: Operation, patience_ms: usize) -> Outcome {
        self.call_as(operation, "", patience_ms).await
    }

    /// Like [`Self::call`], with the secret of a waitlist entry.
    pub async fn call_as(&self, operation: Operation, secret: &str, patience_ms: usize) -> Outcome {
        let invoked = self.shared.recorder.now();
        let perform = self.perform(&operation, secret);
        let patience = match patience_ms {
            0 => DEADLINE,
            some => Duration::from_millis(some.try_into().unwrap_or(u64::MAX)),
        };
        let outcome = match tokio::time::timeout(patience, perform).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(status)) => failed(&status),
            Err(_) => Outcome::Unknown {
                why: "the client gave up".into(),
            },
        };
        self.record(operation, outcome, invoked)
    }

    fn record(&self, operation: Operation, outcome: Outcome, invoked: u64) -> Outcome {
        self.shared.recorder.call(Call {
            client: self.number,
            invoked,
            completed: self.shared.recorder.now(),
            operation,
            outcome: outcome.clone(),
        });
        outcome
    }

    async fn perform(&self, operation: &Operation, secret: &str) -> Result<Outcome, Status> {
        match operation {
            Operation::Hold { place, tab } => self.hold(place, *tab).await,
            Operation::Release { hold } => {
                let hold_id = hold.to_string();
                let request = self.request(proto::DeleteHoldRequest { hold_id }, &Proof::Nothing);
                self.booking().delete_hold(request).await?;
                Ok(Outcome::Done)
            }
            Operation::Create {
                key,
                person,
                place,
                hold,
            } => self.create(*key, *person, place, *hold).await,
            Operation::Read {
                appointment,
                secret,
            }
            | Operation::Prove {
                appointment,
                secret,
            } => {
                let appointment_id = appointment.to_string();
                let proof = Proof::Secret(APPOINTMENT_SECRET, secret);
                let request = self.request(proto::GetAppointmentRequest { appointment_id }, &proof);
                let answer = self.booking().get_appointment(request).await?;
                shown(answer.into_inner().appointment)
            }
            Operation::Move {
                key,
                appointment,
                secret,
                version,
                place,
            } => {
                let (date, time) = place.date_and_time();
                let body = proto::MoveAppointmentRequest {
                    appointment_id: appointment.to_string(),
                    date,
                    time,
                    department: place.department.clone(),
                    doctor_id: place.doctor.clone().unwrap_or_default(),
                    etag: version.to_string(),
                    request_id: format!("proof-of-moving-{key:012}"),
                };
                let request = self.request(body, &Proof::Secret(APPOINTMENT_SECRET, secret));
                let answer = self.booking().move_appointment(request).await?;
                shown(answer.into_inner().appointment)
            }
            Operation::Cancel {
                appointment,
                secret,
                version,
            } => self.cancel(*appointment, secret, *version).await,
            Operation::Leave { resource, day } => self.leave(resource, *day).await,
            Operation::EndLeave { leave } => {
                let leave_id = leave.to_string();
                let request = self.request(proto::DeleteLeaveRequest { leave_id }, &Proof::Token);
                self.roster().delete_leave(request).await?;
                Ok(Outcome::Done)
            }
            Operation::Join { .. } => self.join(operation).await.map(|(outcome, _)| outcome),
            Operation::Look { entry, .. }
            | Operation::Accept { entry }
            | Operation::Quit { entry } => {
                self.of_entry(operation, entry.to_string(), secret).await
            }
        }
    }

    async fn hold(&self, place: &Place, tab: usize) -> Result<Outcome, Status> {
        let (date, time) = place.date_and_time();
        let hold = proto::Hold {
            department: place.department.clone(),
            doctor_id: place.doctor.clone().unwrap_or_default(),
            date,
            time,
            ..proto::Hold::default()
        };
        let body = proto::CreateHoldRequest {
            hold: Some(hold),
            request_id: String::new(),
        };
        let mut request = self.request(body, &Proof::Nothing);
        if let Ok(visitor) = format!("proof-{}-{tab}", self.number).parse() {
            request.metadata_mut().insert("client-id", visitor);
        }
        let hold = self.booking().create_hold(request).await?.into_inner().hold;
        let hold = hold.unwrap_or_default();
        Ok(Outcome::Held {
            hold: id(&hold.id)?,
            expire_time: moment(hold.expire_time)?,
        })
    }

    async fn create(
        &self,
        key: usize,
        person: usize,
        place: &Place,
        hold: Option<Uuid>,
    ) -> Result<Outcome, Status> {
        let (date, time) = place.date_and_time();
        let appointment = Appointment {
            patient_name: "Asha Rao".to_owned(),
            email: format!("p{person}@example.com"),
            phone: format!("+91 80 0000 {person:04}"),
            date,
            time,
            // Identifies the row afterwards: staff can see the reason.
            reason: format!("key {key}"),
            doctor_id: place.doctor.clone().unwrap_or_default(),
            department: place.department.clone(),
            hold_id: hold.map(|hold| hold.to_string()).unwrap_or_default(),
            ..Appointment::default()
        };
        let body = proto::CreateAppointmentRequest {
            appointment: Some(appointment),
            request_id: format!("proof-of-booking-{key:012}"),
        };
        let request = self.request(body, &Proof::Nothing);
        let answer = self.booking().create_appointment(request).await?;
        shown(answer.into_inner().appointment)
    }

    async fn cancel(&self, id: Uuid, secret: &str, version: i64) -> Result<Outcome, Status> {
        let body = proto::CancelAppointmentRequest {
            appointment_id: id.to_string(),
            etag: version.to_string(),
        };
        let proof = match secret {
            "" => Proof::Token,
            secret => Proof::Secret(APPOINTMENT_SECRET, secret),
        };
        let request = self.request(body, &proof);
        let answer = self.booking().cancel_appointment(request).await?;
        shown(answer.into_inner().appointment)
    }

    async fn leave(&self, resource: &str, day: NaiveDate) -> Result<Outcome, Status> {
        let body = proto::CreateLeaveRequest {
            leave: Some(proto::Leave {
                resource: resource.to_owned(),
                from: day.to_string(),
                until: day.to_string(),
                ..proto::Leave::default()
            }),
            request_id: format!("proof-of-leave-{resource}-{day}"),
        };
        let request = self.request(body, &Proof::Token);
        let answer = self.roster().create_leave(request).await?.into_inner();
        let affected = answer.affected.iter();
        Ok(Outcome::Affected {
            leave: id(&answer.leave.unwrap_or_default().id)?,
            appointments: affected
                .map(|appointment| id(&appointment.id))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Joins the waitlist. Returns the outcome with the entry's reference and secret.
    pub async fn join_list(&self, operation: Operation) -> (Outcome, String, String) {
        let invoked = self.shared.recorder.now();
        let (outcome, entry) = match self.join(&operation).await {
            Ok(joined) => joined,
            Err(status) => (failed(&status), proto::WaitlistEntry::default()),
        };
        let outcome = self.record(operation, outcome, invoked);
        (outcome, entry.reference, entry.secret)
    }

    async fn join(&self, operation: &Operation) -> Result<(Outcome, proto::WaitlistEntry), Status> {
        let Operation::Join {
            key,
            person,
            department,
            day,
        } = operation
        else {
            return Err(Status::invalid_argument("no join"));
        };
        let entry = proto::WaitlistEntry {
            patient_name: "Asha Rao".to_owned(),
            email: format!("p{person}@example.com"),
            phone: format!("+91 80 0000 {person:04}"),
            department: department.clone(),
            date: day.to_string(),
            ..proto::WaitlistEntry::default()
        };
        let body = proto::CreateWaitlistEntryRequest {
            entry: Some(entry),
            request_id: format!("proof-of-waiting-{key:012}"),
        };
        let request = self.request(body, &Proof::Nothing);
        let answer = self.waitlist().create_waitlist_entry(request).await?;
        let entry = answer.into_inner().entry.unwrap_or_default();
        let outcome = self::entry(&entry)?;
        Ok((outcome, entry))
    }

    async fn of_entry(
        &self,
        operation: &Operation,
        entry_id: String,
        secret: &str,
    ) -> Result<Outcome, Status> {
        let proof = Proof::Secret(WAITLIST_SECRET, secret);
        let mut client = self.waitlist();
        match operation {
            Operation::Accept { .. } => {
                let request = self.request(proto::AcceptOfferRequest { entry_id }, &proof);
                shown(client.accept_offer(request).await?.into_inner().appointment)
            }
            Operation::Quit { .. } => {
                let request = self.request(proto::LeaveWaitlistRequest { entry_id }, &proof);
                let answer = client.leave_waitlist(request).await?.into_inner();
                entry(&answer.entry.unwrap_or_default())
            }
            _ => {
                let request = self.request(proto::GetWaitlistEntryRequest { entry_id }, &proof);
                let answer = client.get_waitlist_entry(request).await?.into_inner();
                entry(&answer.entry.unwrap_or_default())
            }
        }
    }

    /// Moves as a careless implementation would, and records the calls as one move.
    pub(super) async fn move_in_two_steps(
        &self,
        (id, version, secret): (Uuid, i64, &str),
        person: usize,
        key: usize,
        place: Place,
    ) -> Outcome {
        let invoked = self.shared.recorder.now();
        let outcome = match self.cancel(id, secret, version).await {
            Ok(_) => match self.create(key, person, &place, None).await {
                Ok(outcome) => outcome,
                Err(status) => failed(&status),
            },
            Err(status) => failed(&status),
        };
        let operation = Operation::Move {
            key,
            appointment: id,
            secret: secret.to_owned(),
            version,
            place,
        };
        self.record(operation, outcome, invoked)
    }

    /// Returns the booked appointments of a day with their versions, as staff see them. Empty while the process is
    /// down.
    pub async fn booked(&self, day: NaiveDate) -> Vec<(Uuid, i64)> {
        let listed = self.list(day, "booked").await.unwrap_or_default();
        let named = listed.into_iter();
        named
            .filter_map(|appointment| {
                Some((appointment.id.parse().ok()?, appointment.etag.parse().ok()?))
            })
            .collect()
    }

    /// Returns all appointments of a day with a status, as staff see them; an empty status means any.
    pub async fn list(&self, day: NaiveDate, status: &str) -> Result<Vec<Appointment>, Status> {
        let mut all = Vec::new();
        let mut page_token = String::new();
        loop {
            let body = proto::ListAppointmentsRequest {
                page_size: 100,
                page_token,
                date: day.to_string(),
                status: status.to_owned(),
                ..proto::ListAppointmentsRequest::default()
            };
            let request = self.request(body, &Proof::Token);
            let client = &mut DeskServiceClient::new(self.channel.clone());
            let page = client.list_appointments(request).await?.into_inner();
            all.extend(page.appointments);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return Ok(all);
            }
        }
    }

    fn booking(&self) -> BookingServiceClient<Channel> {
        BookingServiceClient::new(self.channel.clone())
    }

    fn roster(&self) -> RosterServiceClient<Channel> {
        RosterServiceClient::new(self.channel.clone())
    }

    fn waitlist(&self) -> WaitlistServiceClient<Channel> {
        WaitlistServiceClient::new(self.channel.clone())
    }
}
