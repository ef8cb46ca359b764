//! Envoy as gRPC-JSON transcoder in front of the booking service.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

const CONFIGURATION: &str = include_str!("envoy.yaml");
/// What the configuration leaves open.
const DESCRIPTORS: &str = "@DESCRIPTORS@";
const DOOR_PORT: &str = "@DOOR_PORT@";
const BOOKING_PORT: &str = "@BOOKING_PORT@";
const CONTRACTS: [&str; 7] = [
    "hospital/booking/v1/booking.proto",
    "hospital/booking/v1/desk.proto",
    "hospital/booking/v1/roster.proto",
    "hospital/booking/v1/waitlist.proto",
    "hospital/booking/v1/consultation.proto",
    "hospital/booking/v1/privacy.proto",
    "hospital/booking/v1/fhir.proto",
];

/// Writes descriptors and configuration; gives the configuration's path.
pub(crate) fn configure(folder: &Path, door: SocketAddr, booking: SocketAddr) -> Result<PathBuf> {
    let contracts = folder.join("contracts");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    for part in ["google", "hospital"] {
        copy(&source.join(part), &contracts.join(part))?;
    }
    // `Compiler` and not `protox::compile`: only this keeps the `google.api.http` options.
    let mut compiler = protox::Compiler::new([&contracts])?;
    compiler.include_imports(true).open_files(CONTRACTS)?;
    let descriptors = folder.join("contracts.bin");
    fs::write(&descriptors, compiler.encode_file_descriptor_set())?;
    let text = CONFIGURATION
        .replace(DESCRIPTORS, &descriptors.display().to_string())
        .replace(DOOR_PORT, &door.port().to_string())
        .replace(BOOKING_PORT, &booking.port().to_string());
    let path = folder.join("envoy.yaml");
    fs::write(&path, text)?;
    Ok(path)
}

/// A copy of the contracts without `response_body`: Envoy takes it for `google.api.HttpBody` alone and refuses to start with it
/// on plain fields. It so answers with the whole response message.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&from, &to)?;
        } else {
            let text = fs::read_to_string(&from).with_context(|| from.display().to_string())?;
            let lines = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("response_body:"));
            fs::write(to, lines.collect::<Vec<_>>().join("\n"))?;
        }
    }
    Ok(())
}
