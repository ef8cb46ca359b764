//! Decides how to run; the library does it.

use std::{process::ExitCode, sync::Arc};

use anyhow::Context as _;
use clap::Parser as _;
use service_kit::source::{RandomIds, SystemClock};
use svc_booking::{
    Parts,
    config::{Command, Config},
    load_resources, serve, store,
};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    let config = Config::parse();
    match run(config).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("svc-booking: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(config: Config) -> anyhow::Result<()> {
    if config.command == Some(Command::Migrate) {
        return Ok(store::migrate(&config.database_url).await?);
    }
    let resources = load_resources(config.resources.as_deref())?;
    let telemetry =
        service_kit::telemetry::init("svc-booking", service_kit::version!(), &config.telemetry)?;
    let store = store::open(&config.database_url, config.store_limits()).await?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    let parts = Parts {
        store,
        resources: Arc::new(resources),
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
    };
    let served = serve(
        parts,
        &config.server,
        listener,
        service_kit::shutdown::signal(),
    )
    .await;
    telemetry.shutdown().await;
    Ok(served?)
}
