//! The service on a test database, with a clock set by the test and staff tokens of a test issuer.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use chrono::{DateTime, TimeDelta, Utc};
use clap::{Args as _, FromArgMatches as _};
use hospital_proto::hospital::api::v1::change_service_client::ChangeServiceClient;
use hospital_proto::messaging::v1::{
    CreateMessageRequest, CreateMessageResponse, FormCheck, GetFormTokenRequest, Message,
    delivery_service_client::DeliveryServiceClient, inbox_service_client::InboxServiceClient,
    messaging_service_client::MessagingServiceClient,
    newsletter_service_client::NewsletterServiceClient,
};
use service_kit::source::{Clock as _, FixedClock};
use store_kit::process::Service as _;
use svc_messaging::{Arguments, Messaging, domain::mailboxes::Mailboxes, store::Store};
use test_kit::issuer::Issuer;
use tokio::sync::watch;
use tonic::{Request, Status, service::Routes};
use tonic_types::StatusExt as _;

use crate::Bench;

/// Saturday, 21 November 2026, 3:00 PM in India.
pub(crate) const NOW: &str = "2026-11-21T09:30:00Z";
/// Subject of staff tokens.
pub(crate) const STAFF: &str = "editor@sampige";

pub(crate) fn now() -> DateTime<Utc> {
    NOW.parse().expect("a moment")
}

pub(crate) struct Serving {
    routes: Routes,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) issuer: Issuer,
    pub(crate) store: Store,
    /// Without it, change streams would end.
    _stopper: watch::Sender<bool>,
}

impl Serving {
    /// Starts the service on the test's clock without background tasks, so that the test controls the order of events.
    pub(crate) async fn start(bench: &Bench) -> Self {
        Self::start_with(bench, &[]).await
    }

    pub(crate) async fn start_with(bench: &Bench, own: &[&str]) -> Self {
        let issuer = Issuer::new();
        let clock = Arc::new(FixedClock::new(now()));
        let (stopper, stopping) = watch::channel(false);
        let context = bench.context(Arc::clone(&clock), stopping);
        let flags = issuer.flags();
        let flags = own.iter().copied().chain(flags.iter().map(String::as_str));
        let command = Arguments::augment_args(clap::Command::new("svc-messaging"));
        let matches = command.get_matches_from(["svc-messaging"].into_iter().chain(flags));
        let arguments = Arguments::from_arg_matches(&matches).expect("valid");
        let served = Messaging::start(&arguments, &context).await;
        let mailboxes = Arc::new(Mailboxes::embedded());
        Self {
            routes: served.expect("a service").routes,
            clock,
            issuer,
            store: Store::new(bench.database.clone(), bench.keys.clone(), mailboxes),
            _stopper: stopper,
        }
    }

    pub(crate) fn pass(&self, time: TimeDelta) {
        self.clock.set(self.clock.now() + time);
    }

    pub(crate) fn routes(&self) -> Routes {
        self.routes.clone()
    }

    pub(crate) fn messaging(&self) -> MessagingServiceClient<Routes> {
        MessagingServiceClient::new(self.routes.clone())
    }

    pub(crate) fn inbox(&self) -> InboxServiceClient<Routes> {
        InboxServiceClient::new(self.routes.clone())
    }

    pub(crate) fn delivery(&self) -> DeliveryServiceClient<Routes> {
        DeliveryServiceClient::new(self.routes.clone())
    }

    pub(crate) fn changes(&self) -> ChangeServiceClient<Routes> {
        ChangeServiceClient::new(self.routes.clone())
    }

    pub(crate) fn newsletter(&self) -> NewsletterServiceClient<Routes> {
        NewsletterServiceClient::new(self.routes.clone())
    }

    /// Builds a request with a staff token of this scope.
    pub(crate) fn staff<T>(&self, scope: &str, message: T) -> Request<T> {
        self.issuer.request(scope, message)
    }

    /// Returns a form token issued `age` ago.
    pub(crate) async fn token(&self, age: TimeDelta) -> String {
        let at = self.clock.now();
        self.clock.set(at - age);
        let answer = self
            .messaging()
            .get_form_token(GetFormTokenRequest {})
            .await;
        self.clock.set(at);
        answer.expect("a token").into_inner().token
    }

    /// Returns the form check that a person's browser sends.
    pub(crate) async fn check(&self) -> FormCheck {
        FormCheck {
            token: self.token(TimeDelta::seconds(40)).await,
            can_prove: true,
            ..FormCheck::default()
        }
    }

    pub(crate) async fn create(
        &self,
        message: Message,
        network: Option<&str>,
    ) -> Result<CreateMessageResponse, Status> {
        let request = new_request(message);
        let request = match network {
            Some(network) => with(request, "client-network", network),
            None => Request::new(request),
        };
        let answer = self.messaging().create_message(request).await?;
        Ok(answer.into_inner())
    }

    /// Creates a message that must be accepted.
    pub(crate) async fn created(&self, message: Message) -> Message {
        let answer = self.create(message, None).await.expect("accepted");
        answer.message.expect("a message")
    }
}

/// Builds a request with a unique id.
pub(crate) fn new_request(message: Message) -> CreateMessageRequest {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    CreateMessageRequest {
        request_id: format!("request-of-a-test-{number}"),
        message: Some(message),
    }
}

/// Builds a request with a header.
pub(crate) fn with<T>(message: T, header: &'static str, value: &str) -> Request<T> {
    let mut request = Request::new(message);
    let value = value.parse().expect("a header");
    request.metadata_mut().insert(header, value);
    request
}

pub(crate) fn reason(status: &Status) -> String {
    status.get_details_error_info().expect("a reason").reason
}

/// Returns the violated fields of a status, in their order.
pub(crate) fn violated(status: &Status) -> Vec<String> {
    let details = status.get_details_bad_request().expect("violations");
    let violations = details.field_violations.into_iter();
    violations.map(|found| found.field).collect()
}

/// Returns an enquiry without signs of spam; `number` makes it unique.
pub(crate) fn enquiry(number: usize) -> Message {
    Message {
        name: format!("Visitor {}", letters(number)),
        email: format!("visitor{number}@visitor.example"),
        phone: format!("+91 80 0{number:07}"),
        subject: format!("Visiting hours {number}"),
        message: format!("May {number} of us visit my mother in ward {number} tomorrow morning?"),
        ..Message::default()
    }
}

fn letters(number: usize) -> String {
    const NAMES: [&str; 5] = ["Rao", "Gowda", "Iyer", "Khan", "Pinto"];
    NAMES[number % NAMES.len()].to_owned()
}

/// Returns an enquiry just above the suspicion threshold.
pub(crate) fn borderline(number: usize) -> Message {
    Message {
        message: format!(
            "I read https://one.example/{number} and https://two.example/{number} and https://three.example/{number}: is that so?"
        ),
        ..enquiry(number)
    }
}

/// Returns an obvious spam message.
pub(crate) fn spam(number: usize) -> Message {
    Message {
        subject: "SEO services".to_owned(),
        message: format!(
            "We bring your website to the first page of google, {number} backlinks: https://seo.xyz/{number}"
        ),
        ..enquiry(number)
    }
}
