//! Compiles the contracts: one descriptor set for the gateway and reflection, and the Rust code of every package.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use prost::Message;

/// Where the contracts stand, one folder for each team and version.
const CONTRACTS: &str = "hospital";
/// Contracts at most: far above what a hospital has, and low enough that a wrong folder is noticed.
const CONTRACTS_MAX: usize = 512;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=google");
    println!("cargo:rerun-if-changed=hospital");
    // `Compiler` and not `protox::compile`: only this keeps the `google.api.http` options.
    let mut compiler = protox::Compiler::new(["."])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(contracts()?)?;
    let encoded = compiler.encode_file_descriptor_set();
    fs::write(
        PathBuf::from(env::var("OUT_DIR")?).join("descriptor.bin"),
        &encoded,
    )?;
    let files = prost_types::FileDescriptorSet::decode(encoded.as_slice())?;
    // The modules follow the packages, so that a new one needs no line anywhere.
    tonic_prost_build::configure()
        .include_file("packages.rs")
        .compile_fds(files)?;
    Ok(())
}

/// Every contract, by its path from here. Errors when there are too many, or none.
fn contracts() -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(Path::new(CONTRACTS), &mut found)?;
    if found.is_empty() || found.len() > CONTRACTS_MAX {
        return Err(io::Error::other(format!(
            "{} contracts in {CONTRACTS}, expected 1 to {CONTRACTS_MAX}",
            found.len()
        )));
    }
    // The order of a folder is nobody's; that of the descriptors is seen in the API's description.
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "proto") {
            found.push(path);
        }
    }
    Ok(())
}
