//! The whole service with the small hospital on a free port, with an issuer of staff tokens and a clock that the test
//! sets.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use clap::{Args as _, FromArgMatches as _};
use hospital_proto::booking::v1::{
    Appointment, CreateAppointmentRequest, access_service_client::AccessServiceClient,
    booking_service_client::BookingServiceClient,
    consultation_service_client::ConsultationServiceClient, desk_service_client::DeskServiceClient,
    roster_service_client::RosterServiceClient, waitlist_service_client::WaitlistServiceClient,
};
use service_kit::{
    server::ServerConfig,
    source::{FixedClock, RandomIds},
};
use store_kit::process::{self, Context, Service as _};
use svc_booking::{Arguments, Booking};
use test_kit::issuer::Issuer;
use tokio::{
    net::TcpListener,
    sync::{oneshot, watch},
    task::JoinHandle,
};
use tonic::{Request, Status, transport::Channel};
use tonic_types::StatusExt as _;

use crate::{
    fixture::{Bench, SEED, now},
    mailbox::Mailbox,
};

pub(crate) const READ: &str = "appointments:read";
pub(crate) const WRITE: &str = "appointments:write";
pub(crate) const ROSTERS_READ: &str = "rosters:read";
pub(crate) const ROSTERS_WRITE: &str = "rosters:write";

pub(crate) struct Serving {
    pub(crate) channel: Channel,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) issuer: Issuer,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Serving {
    /// Starts with the small hospital.
    pub(crate) async fn start(bench: &Bench) -> Self {
        Self::start_of(bench, SEED).await
    }

    /// Starts with the hospital of this resources file.
    pub(crate) async fn start_of(bench: &Bench, resources: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("resources.toml");
        std::fs::write(&file, resources).expect("a file");
        let file = file.display().to_string();
        Self::start_with(bench, &["--resources", &file], now()).await
    }

    /// Starts with the small hospital, and with mailboxes.
    pub(crate) async fn start_with_mail(bench: &Bench) -> (Self, Mailbox) {
        let folder = tempfile::tempdir().expect("a folder");
        let resources = folder.path().join("resources.toml");
        std::fs::write(&resources, SEED).expect("a file");
        let resources = resources.display().to_string();
        let mailbox = Mailbox::default();
        let url = mailbox.open().await;
        let flags = ["--resources", &resources, "--messaging-url", &url];
        (Self::start_with(bench, &flags, now()).await, mailbox)
    }

    /// Starts with the embedded resources.
    pub(crate) async fn start_as_deployed(bench: &Bench, at: DateTime<Utc>) -> Self {
        Self::start_with(bench, &[], at).await
    }

    /// Starts with the embedded resources, and with mailboxes.
    pub(crate) async fn start_as_deployed_with_mail(
        bench: &Bench,
        at: DateTime<Utc>,
    ) -> (Self, Mailbox) {
        let mailbox = Mailbox::default();
        let url = mailbox.open().await;
        let flags = ["--messaging-url", &url];
        (Self::start_with(bench, &flags, at).await, mailbox)
    }

    async fn start_with(bench: &Bench, own: &[&str], at: DateTime<Utc>) -> Self {
        let issuer = Issuer::new();
        let clock = Arc::new(FixedClock::new(at));
        let (stopper, stopping) = watch::channel(false);
        let context = Context {
            database: bench.database.clone(),
            keys: bench.keys.clone(),
            clock: Arc::clone(&clock) as _,
            ids: Arc::new(RandomIds),
            stopping,
            is_development: true,
        };
        let flags = issuer.flags();
        let flags = own.iter().copied().chain(flags.iter().map(String::as_str));
        let command = Arguments::augment_args(clap::Command::new("svc-booking"));
        let matches = command.get_matches_from(["svc-booking"].into_iter().chain(flags));
        let arguments = Arguments::from_arg_matches(&matches).expect("valid");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, is_over) = oneshot::channel();
        let served = Booking::start(&arguments, &context)
            .await
            .expect("a service");
        let served = tokio::spawn(async move {
            let shutdown = async move { drop(is_over.await) };
            let config = ServerConfig::default();
            process::serve(served, &context, stopper, &config, listener, shutdown)
                .await
                .expect("served");
        });
        let channel = Channel::from_shared(format!("http://{address}")).expect("an address");
        let channel = channel.connect().await.expect("the server listens");
        Self {
            channel,
            clock,
            issuer,
            stop,
            served,
        }
    }

    pub(crate) fn booking(&self) -> BookingServiceClient<Channel> {
        BookingServiceClient::new(self.channel.clone())
    }

    pub(crate) fn desk(&self) -> DeskServiceClient<Channel> {
        DeskServiceClient::new(self.channel.clone())
    }

    pub(crate) fn roster(&self) -> RosterServiceClient<Channel> {
        RosterServiceClient::new(self.channel.clone())
    }

    pub(crate) fn waitlist(&self) -> WaitlistServiceClient<Channel> {
        WaitlistServiceClient::new(self.channel.clone())
    }

    /// Returns a call with a token of this scope.
    pub(crate) fn staff<T>(&self, scope: &str, message: T) -> Request<T> {
        authorized(message, &self.issuer.authorization(scope, 60))
    }

    pub(crate) fn access(&self) -> AccessServiceClient<Channel> {
        AccessServiceClient::new(self.channel.clone())
    }

    pub(crate) fn consultation(&self) -> ConsultationServiceClient<Channel> {
        ConsultationServiceClient::new(self.channel.clone())
    }

    /// Books a slot that must be free.
    pub(crate) async fn booked(&self, request: CreateAppointmentRequest) -> Appointment {
        let answer = self.booking().create_appointment(request).await;
        let answer = answer.expect("booked").into_inner();
        answer.appointment.expect("a body")
    }

    /// Stops gracefully, which closes the database.
    pub(crate) async fn stop(self) {
        drop(self.channel);
        self.stop.send(()).expect("the server runs");
        self.served.await.expect("stopped");
    }
}

/// Returns a call with an `Authorization` header.
pub(crate) fn authorized<T>(message: T, authorization: &str) -> Request<T> {
    with(message, "authorization", authorization)
}

/// Returns a call with the secret of an appointment.
pub(crate) fn by_patient<T>(message: T, secret: &str) -> Request<T> {
    with(message, "x-appointment-secret", secret)
}

/// Returns a call with a header.
pub(crate) fn with<T>(message: T, header: &'static str, value: &str) -> Request<T> {
    let mut request = Request::new(message);
    let value = value.parse().expect("a header");
    request.metadata_mut().insert(header, value);
    request
}

/// Returns the violated fields of a status, in order.
pub(crate) fn violated(status: &Status) -> Vec<String> {
    let details = status.get_details_bad_request().expect("violations");
    let violations = details.field_violations.into_iter();
    violations.map(|found| found.field).collect()
}

pub(crate) fn reason(status: &Status) -> String {
    status.get_details_error_info().expect("a reason").reason
}
