//! Bookings as a program sends them: gRPC to the service, or HTTP/1.1 to the gateway.

use std::sync::OnceLock;

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
    process::{DEPARTMENTS, SEATS, department_name},
};

/// Days of the bench, from tomorrow on.
const DAYS: u64 = 50;
/// Times of a morning; the bench's clinics work then.
const TIMES: usize = 8;

/// To whom a booking is sent.
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

/// What came back.
pub(crate) enum Answer {
    Booked,
    Taken,
    Failed(String),
}

/// Days that can be booked: not a Sunday.
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

/// First and last day.
pub(crate) fn days() -> Result<(String, String)> {
    let days = open_days();
    let (Some(first), Some(last)) = (days.first(), days.last()) else {
        return Err("no day is open".into());
    };
    Ok((first.to_string(), last.to_string()))
}

/// Somebody who books once.
pub(crate) struct Patient {
    number: usize,
    department: String,
    date: String,
    time: String,
    key: String,
}

impl Patient {
    /// With a place of their own.
    pub(crate) fn new(number: usize) -> Result<Self> {
        Self::racing(number, number)
    }

    /// Who wants the place of that number.
    pub(crate) fn racing(number: usize, place: usize) -> Result<Self> {
        let days = open_days();
        // Neighbours in time want different departments, days and times, as visitors do.
        let (department, rest) = (place % DEPARTMENTS, place / DEPARTMENTS);
        let (day, rest) = (rest % days.len(), rest / days.len());
        let (time, seat) = (rest % TIMES, rest / TIMES);
        if seat >= SEATS {
            return Err("every seat is booked: more departments are needed".into());
        }
        let minutes = 9 * 60 + 30 * time;
        let (hour, half) = (minutes / 60, minutes % 60);
        let (hour, noon) = if hour > 12 {
            (hour - 12, "PM")
        } else {
            (hour, if hour == 12 { "PM" } else { "AM" })
        };
        Ok(Self {
            number,
            department: department_name(department),
            date: days[day].to_string(),
            time: format!("{hour}:{half:02} {noon}"),
            key: RandomIds.uuid().to_string(),
        })
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
             idempotency-key: {}\r\ncontent-length: {}\r\n\r\n{body}",
            self.key,
            body.len()
        )
    }
}

/// A connection.
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

/// Status and body of a response that says how long it is.
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
