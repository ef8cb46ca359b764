//! Bookings as a client sends them: gRPC to the service, or HTTP/1.1 to the gateway.

use std::{net::Ipv4Addr, sync::OnceLock};

use chrono::{Datelike as _, Days, NaiveDate, Weekday};
use hospital_proto::booking::v1::{
    Appointment, CreateAppointmentRequest, booking_service_client::BookingServiceClient,
};
use service_kit::source::{Clock as _, Ids as _, RandomIds, SystemClock};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
};
use tonic::{Code, transport::Channel};

use crate::{
    Result, name_of,
    process::{DEPARTMENTS, RACE, SEATS, department_name},
};

/// Exclusive end of the bench's days, counted from today.
const DAYS: u64 = 50;
/// Slots of a morning, when the bench's clinics work.
const TIMES: usize = 8;

/// The server that bookings are sent to.
pub(crate) enum Way {
    Direct(String),
    Gateway(String),
}

impl Way {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Direct(_) => "direct",
            Self::Gateway(_) => "gateway",
        }
    }
}

/// Result of a booking.
pub(crate) enum Answer {
    Booked,
    Taken,
    Failed(String),
}

/// Returns the bookable days: no Sundays.
fn open_days() -> &'static [NaiveDate] {
    static OPEN: OnceLock<Vec<NaiveDate>> = OnceLock::new();
    OPEN.get_or_init(|| {
        let today = SystemClock.now().date_naive();
        (2..DAYS)
            .filter_map(|ahead| today.checked_add_days(Days::new(ahead)))
            .filter(|day| day.weekday() != Weekday::Sun)
            .collect()
    })
}

/// Returns the first and the last day.
pub(crate) fn days() -> Result<(String, String)> {
    let days = open_days();
    let (Some(first), Some(last)) = (days.first(), days.last()) else {
        return Err("no day is open".into());
    };
    Ok((first.to_string(), last.to_string()))
}

/// A patient with one booking.
pub(crate) struct Patient {
    number: usize,
    department: String,
    date: String,
    time: String,
    key: String,
}

impl Patient {
    /// Assigns a distinct seat to each number.
    pub(crate) fn new(number: usize) -> Result<Self> {
        let place = number;
        // Consecutive patients want different departments, days and times, as visitors do.
        let (department, rest) = (place % DEPARTMENTS, place / DEPARTMENTS);
        let (day, rest) = (rest % open_days().len(), rest / open_days().len());
        let (time, seat) = (rest % TIMES, rest / TIMES);
        if seat >= SEATS {
            return Err("every seat is booked: more departments are needed".into());
        }
        Ok(Self::at(number, department_name(department), day, time))
    }

    /// Returns a patient who competes for the only seat of a race.
    pub(crate) fn racing(number: usize, race: usize) -> Self {
        let days = open_days().len();
        Self::at(number, RACE.to_owned(), race % days, race / days % TIMES)
    }

    fn at(number: usize, department: String, day: usize, time: usize) -> Self {
        let minutes = 9 * 60 + 30 * time;
        let (hour, half) = (minutes / 60, minutes % 60);
        let noon = if hour < 12 { "AM" } else { "PM" };
        Self {
            number,
            department,
            date: open_days()[day].to_string(),
            time: format!("{hour}:{half:02} {noon}"),
            key: RandomIds.uuid().to_string(),
        }
    }

    fn email(&self) -> String {
        format!("p{}@example.com", self.number)
    }

    fn phone(&self) -> String {
        format!("+91 80 {:08}", self.number)
    }

    fn request(&self) -> CreateAppointmentRequest {
        CreateAppointmentRequest {
            appointment: Some(Appointment {
                patient_name: "Asha Rao".to_owned(),
                email: self.email(),
                phone: self.phone(),
                date: self.date.clone(),
                time: self.time.clone(),
                reason: "A cough that has not gone away for two weeks.".to_owned(),
                department: self.department.clone(),
                ..Appointment::default()
            }),
            request_id: self.key.clone(),
        }
    }

    fn http(&self) -> String {
        let body = serde_json::json!({
            "patientName": "Asha Rao", "email": self.email(), "phone": self.phone(), "date": self.date, "time": self.time,
            "reason": "A cough that has not gone away for two weeks.", "department": self.department,
        })
        .to_string();
        format!(
            "POST /api/appointments HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\nx-requested-with: bench\r\n\
             idempotency-key: {}\r\nx-forwarded-for: {}\r\ncontent-length: {}\r\n\r\n{body}",
            self.key,
            self.address(),
            body.len()
        )
    }

    /// Returns an address in a network of the patient's own: the service counts the bookings of each network.
    fn address(&self) -> Ipv4Addr {
        const FIRST: u32 = u32::from_be_bytes([1, 0, 0, 1]);
        let number = u32::try_from(self.number).unwrap_or(u32::MAX);
        FIRST.wrapping_add(number.wrapping_mul(256)).into()
    }
}

/// A client connection.
pub(crate) enum Caller {
    Rpc(Box<BookingServiceClient<Channel>>),
    Http(BufReader<TcpStream>),
}

impl Caller {
    pub(crate) async fn connect(way: &Way) -> Result<Self> {
        Ok(match way {
            Way::Direct(address) => Self::Rpc(Box::new(
                BookingServiceClient::connect(format!("http://{address}")).await?,
            )),
            Way::Gateway(address) => {
                let stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                Self::Http(BufReader::new(stream))
            }
        })
    }

    pub(crate) async fn book(&mut self, patient: &Patient) -> Result<Answer> {
        match self {
            Self::Rpc(client) => Ok(match client.create_appointment(patient.request()).await {
                Ok(_) => Answer::Booked,
                Err(status) if status.code() == Code::AlreadyExists => Answer::Taken,
                Err(status) => {
                    Answer::Failed(format!("{}: {}", name_of(status.code()), status.message()))
                }
            }),
            Self::Http(stream) => {
                stream.write_all(patient.http().as_bytes()).await?;
                let (status, body) = response(stream).await?;
                Ok(match status {
                    201 => Answer::Booked,
                    409 => Answer::Taken,
                    other => Answer::Failed(format!("{other}: {body}")),
                })
            }
        }
    }
}

/// Reads status and body of a response with a content length.
async fn response(stream: &mut BufReader<TcpStream>) -> Result<(u16, String)> {
    let mut line = String::new();
    stream.read_line(&mut line).await?;
    let status = line.split(' ').nth(1).ok_or("no status")?.parse()?;
    let mut length = None;
    loop {
        line.clear();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = Some(value.trim().parse()?);
        }
    }
    let mut body = vec![0; length.ok_or("a response without a length")?];
    stream.read_exact(&mut body).await?;
    Ok((status, String::from_utf8_lossy(&body).into_owned()))
}
