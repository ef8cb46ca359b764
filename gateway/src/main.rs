//! Decides from flags and environment what the gateway is, and serves it.

use std::io::Write;

use clap::{Parser, Subcommand};
use gateway::{Gateway, config::Config, listen::Listeners};
use prost_reflect::DescriptorPool;
use service_kit::telemetry::{self, Identity, TelemetryConfig};

/// Answers are made of many small pieces that live for one request.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const NAME: &str = "gateway";
const TEAM: &str = "platform";

/// The edge of the hospital's website: API, documents, and the limits that protect them.
#[derive(Debug, Parser)]
#[command(name = NAME, version = service_kit::version!())]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    telemetry: TelemetryConfig,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Prints the OpenAPI description of the API and ends.
    Openapi,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let program = Program::parse();
    let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET)?;
    if let Some(Command::Openapi) = program.command {
        let description = gateway::api::openapi::document(&pool)?;
        let text = serde_json::to_string_pretty(&description)?;
        writeln!(std::io::stdout(), "{text}")?;
        return Ok(());
    }
    let mut config = program.config;
    config.browser_spans_endpoint = program.telemetry.otlp_endpoint.clone();
    let identity = Identity {
        name: NAME,
        version: service_kit::version!(),
        team: TEAM,
    };
    let guard = telemetry::init(identity, &program.telemetry)?;
    let listeners = Listeners::bind(&config.listen).await?;
    let gateway = Gateway {
        config,
        pool,
        listeners,
    };
    let result = gateway::serve(gateway, service_kit::shutdown::signal()).await;
    guard.shutdown().await;
    Ok(result?)
}
