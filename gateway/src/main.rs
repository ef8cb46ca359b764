//! Reads the configuration from flags and environment, then runs the gateway or a subcommand.

use std::{
    io::{BufRead as _, Read as _, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Parser, Subcommand};
use gateway::{Gateway, config::Config};
use gateway_documents as documents;
use gateway_listen::Listeners;
use prost_reflect::DescriptorPool;
use service_kit::{
    operators,
    telemetry::{self, Identity, TelemetryConfig},
};

/// Responses are built from many small allocations that live for one request.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const NAME: &str = "gateway";
const TEAM: &str = "platform";
/// Maximum size of the renders to compare, in bytes. A team has some dozens, each of some hundred kilobytes.
const CASES_BYTES_MAX: u64 = 256 * 1024 * 1024;

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
    /// Prints the OpenAPI description of the API and exits.
    Openapi,
    /// Checks whether the gateway with the same OPERATORS_LISTEN is ready, with a timeout of 2 s. Meant as the health
    /// check of a container image.
    Health,
    /// Checks a built folder of page modules the way this gateway would run it. Standard input holds renders from
    /// another engine, one JSON object per line with the keys what, input and output.
    VerifyRemote {
        /// Folder with module.json and server.js
        folder: PathBuf,
    },
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let program = Program::parse();
    let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET)?;
    if let Some(Command::Openapi) = program.command {
        let description = gateway_api::openapi::document(&pool)?;
        let text = serde_json::to_string_pretty(&description)?;
        writeln!(std::io::stdout(), "{text}")?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(Command::Health) = program.command {
        operators::probe::ready(program.config.listen.operators_listen)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(Command::VerifyRemote { folder }) = &program.command {
        return verify(folder, &program.config);
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
    result?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the problems found in the folder to standard error and fails if there are any.
fn verify(folder: &Path, config: &Config) -> anyhow::Result<ExitCode> {
    let lines = std::io::stdin().lock().take(CASES_BYTES_MAX).lines();
    let cases = lines.map(|line| Ok(serde_json::from_str(&line?)?));
    let cases = cases.collect::<anyhow::Result<_>>()?;
    let problems = documents::verify(folder, cases, &config.pages)?;
    if problems.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(std::io::stderr(), "{}", problems.join("\n"))?;
    Ok(ExitCode::FAILURE)
}
