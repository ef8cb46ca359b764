//! Who asks and for what: visitors with addresses of their own, patients with seats of their own, weeks that were not asked for
//! just before. The peers share it, so that no round repeats what another has left in a cache or a table.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicUsize, Ordering},
};

use anyhow::{Context, Result, ensure};
use chrono::{Datelike as _, Days, NaiveDate, Weekday};
use hospital_proto::booking::v1::{Appointment, CreateAppointmentRequest};
use service_kit::source::{Clock as _, Ids as _, RandomIds, SystemClock};

use crate::services::{self, DEPARTMENTS, MORNING, SEATS, TIMES, department_id, department_name};

/// Networks of visitors, each in an IPv4 /24 of its own. With the tabs below and 10 calls in 60 s each, which is the documented
/// limit of a visitor, up to 80,000 calls a second pass a limiter that is in force, and it has as much to remember as it ever will.
const NETWORKS: usize = 60_000;
/// Browser tabs of a network.
const TABS: usize = 8;
/// Days ahead that are booked: not the first ones, whose times are over somewhere.
const BOOKED_AHEAD: std::ops::Range<u64> = 2..50;
/// First days of the weeks that are read.
const READ_AHEAD: usize = 46;
/// Days of one read, the first one included: 16 KB.
const READ_DAYS: u64 = 10;
/// Appointments that exist before anything is measured, to be read.
const KNOWN: usize = 64;

/// An appointment and what its patient shows to see it.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) id: String,
    pub(crate) secret: String,
}

#[derive(Debug)]
pub(crate) struct Traffic {
    today: NaiveDate,
    open_days: Vec<NaiveDate>,
    /// Path of the page that is read.
    pub(crate) page: &'static str,
    known: Vec<Known>,
    visitors: AtomicUsize,
    reads: AtomicUsize,
    patients: AtomicUsize,
}

/// Where a call comes from, as the proxy in front of the gateway says it.
#[derive(Debug)]
pub(crate) struct Visitor {
    pub(crate) address: String,
    /// What the gateway makes of the address for the service.
    pub(crate) network: String,
    pub(crate) tab: String,
}

/// Weeks of a department.
#[derive(Debug)]
pub(crate) struct Weeks {
    pub(crate) department: String,
    pub(crate) from: NaiveDate,
    pub(crate) to: NaiveDate,
}

impl Traffic {
    pub(crate) async fn prepare(booking: SocketAddr, page: &'static str) -> Result<Self> {
        let today = SystemClock.now().date_naive();
        let open_days = BOOKED_AHEAD
            .filter_map(|ahead| today.checked_add_days(Days::new(ahead)))
            .filter(|day| day.weekday() != Weekday::Sun)
            .collect();
        let mut traffic = Self {
            today,
            open_days,
            page,
            known: Vec::new(),
            visitors: AtomicUsize::new(0),
            reads: AtomicUsize::new(0),
            patients: AtomicUsize::new(0),
        };
        let mut client = services::client(booking).await?;
        for _ in 0..KNOWN {
            let booking = traffic.booking().context("a seat")?;
            let made = client.create_appointment(booking).await?;
            let made = made.into_inner().appointment.context("created resource")?;
            ensure!(!made.secret.is_empty(), "a create returns the secret");
            traffic.known.push(Known {
                id: made.id,
                secret: made.secret,
            });
        }
        Ok(traffic)
    }

    pub(crate) fn visitor(&self) -> Visitor {
        let number = self.visitors.fetch_add(1, Ordering::Relaxed);
        let (network, tab) = (number % NETWORKS, number / NETWORKS % TABS);
        let prefix = format!("11.{}.{}", network / 256, network % 256);
        Visitor {
            address: format!("{prefix}.7"),
            network: format!("{prefix}.0/24"),
            tab: format!("bench-tab-{network:05}-{tab}"),
        }
    }

    pub(crate) fn known(&self) -> &Known {
        let number = self.reads.fetch_add(1, Ordering::Relaxed);
        &self.known[number % self.known.len()]
    }

    /// 9,200 differing questions, one after the other: whoever keeps an answer for a second has it no more when it is asked again.
    pub(crate) fn weeks(&self) -> Weeks {
        let number = self.reads.fetch_add(1, Ordering::Relaxed);
        let (department, rest) = (number % DEPARTMENTS, number / DEPARTMENTS);
        let (ahead, way) = (rest % READ_AHEAD, rest / READ_AHEAD % 2);
        let from = self.today + Days::new(1) + Days::new(ahead as u64);
        Weeks {
            department: match way {
                0 => department_id(department),
                _ => department_name(department),
            },
            from,
            to: from + Days::new(READ_DAYS - 1),
        }
    }

    /// A person who has not been here, and a place that nobody has; none when every seat is booked.
    pub(crate) fn booking(&self) -> Option<CreateAppointmentRequest> {
        let number = self.patients.fetch_add(1, Ordering::Relaxed);
        // Neighbours in time want different departments, days and times, as visitors do.
        let (department, rest) = (number % DEPARTMENTS, number / DEPARTMENTS);
        let (day, rest) = (rest % self.open_days.len(), rest / self.open_days.len());
        let (time, seat) = (rest % TIMES, rest / TIMES);
        if seat >= SEATS {
            return None;
        }
        // Nobody sees patients from one to two.
        let minutes = if time < MORNING {
            9 * 60 + 30 * time
        } else {
            14 * 60 + 30 * (time - MORNING)
        };
        let (hour, half) = (minutes / 60, minutes % 60);
        let noon = if hour < 12 { "AM" } else { "PM" };
        let hour = if hour > 12 { hour - 12 } else { hour };
        Some(CreateAppointmentRequest {
            appointment: Some(Appointment {
                patient_name: "Asha Rao".to_owned(),
                email: format!("p{number}@example.com"),
                phone: format!("+91 80 {number:08}"),
                date: self.open_days[day].to_string(),
                time: format!("{hour}:{half:02} {noon}"),
                reason: "A cough that has not gone away for two weeks.".to_owned(),
                department: department_name(department),
                ..Appointment::default()
            }),
            request_id: RandomIds.uuid().to_string(),
        })
    }
}
