//! Compiles the contracts: one descriptor set for the gateway and reflection, and the Rust code of every package.

use std::{env, fs, path::PathBuf};

use prost::Message;

const CONTRACTS: [&str; 16] = [
    "hospital/api/v1/policy.proto",
    "hospital/api/v1/change.proto",
    "hospital/api/v1/limits.proto",
    "hospital/content/v1/content.proto",
    "hospital/booking/v1/booking.proto",
    "hospital/booking/v1/desk.proto",
    "hospital/booking/v1/roster.proto",
    "hospital/booking/v1/waitlist.proto",
    "hospital/booking/v1/consultation.proto",
    "hospital/booking/v1/privacy.proto",
    "hospital/booking/v1/fhir.proto",
    "hospital/assessment/v1/assessment.proto",
    "hospital/messaging/v1/messaging.proto",
    "hospital/messaging/v1/inbox.proto",
    "hospital/messaging/v1/newsletter.proto",
    "hospital/messaging/v1/notice.proto",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=google");
    println!("cargo:rerun-if-changed=hospital");
    // `Compiler` and not `protox::compile`: only this keeps the `google.api.http` options.
    let mut compiler = protox::Compiler::new(["."])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(CONTRACTS)?;
    let encoded = compiler.encode_file_descriptor_set();
    fs::write(
        PathBuf::from(env::var("OUT_DIR")?).join("descriptor.bin"),
        &encoded,
    )?;
    let files = prost_types::FileDescriptorSet::decode(encoded.as_slice())?;
    tonic_prost_build::configure().compile_fds(files)?;
    Ok(())
}
