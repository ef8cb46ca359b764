//! The whole service on a free port, with an issuer of staff tokens and a clock that the test sets.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use clap::{Args as _, FromArgMatches as _};
use service_kit::{
    server::ServerConfig,
    source::{FixedClock, RandomIds},
};
use store_kit::{
    keys::Keys,
    process::{self, Context, Service as _},
};
use svc_booking::{
    Arguments, Booking,
    domain::{proof::OpenLimits, roster::Seed},
    store::Store,
};
use test_kit::issuer::Issuer;
use tokio::{
    net::TcpListener,
    sync::{oneshot, watch},
    task::JoinHandle,
};
use tonic::{Request, Status, transport::Channel};
use tonic_types::StatusExt as _;

/// Saturday, 21 November 2026, 3:00 PM IST.
pub(crate) fn now() -> DateTime<Utc> {
    "2026-11-21T09:30:00Z".parse().expect("a moment")
}

/// A test bench with the service on a database.
pub(crate) type Bench = test_kit::bench::Bench<Booking>;

pub(crate) struct Serving {
    pub(crate) channel: Channel,
    pub(crate) clock: Arc<FixedClock>,
    issuer: Issuer,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Serving {
    pub(crate) async fn start(bench: &Bench) -> Self {
        let issuer = Issuer::new();
        let clock = Arc::new(FixedClock::new(now()));
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
        let flags = flags.iter().map(String::as_str);
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

    /// Returns a call with a token of this scope.
    pub(crate) fn staff<T>(&self, scope: &str, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let authorization = self.issuer.authorization(scope, 60);
        let value = authorization.parse().expect("a header");
        request.metadata_mut().insert("authorization", value);
        request
    }

    /// Stops gracefully, which closes the database.
    pub(crate) async fn stop(self) {
        drop(self.channel);
        self.stop.send(()).expect("the server runs");
        self.served.await.expect("stopped");
    }
}

/// Returns the store with the embedded roster.
pub(crate) fn store(bench: &Bench) -> Store {
    store_with(bench, bench.keys.clone())
}

pub(crate) fn store_with(bench: &Bench, keys: Keys) -> Store {
    let limits = OpenLimits::default();
    Store::new(bench.database.clone(), keys, Seed::embedded(), limits)
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
