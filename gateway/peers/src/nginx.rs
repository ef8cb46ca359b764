//! nginx sending what the gateway has answered, from files.

use std::{
    fmt::Write as _,
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use http::{HeaderName, header};

use crate::connection::Answer;

const CONFIGURATION: &str = include_str!("nginx.conf");
const ADDRESS: &str = "@ADDRESS@";
const LOCATIONS: &str = "@LOCATIONS@";
/// What nginx says itself, or what belongs to one answer alone.
const ITS_OWN: [HeaderName; 8] = [
    header::CONNECTION,
    header::CONTENT_ENCODING,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::DATE,
    header::ETAG,
    header::LAST_MODIFIED,
    header::SERVER,
];

/// Writes a file for each answer and the configuration; gives the configuration's path.
pub(crate) fn configure(
    folder: &Path,
    address: SocketAddr,
    files: [(&str, &Answer); 2],
    with_headers: bool,
) -> Result<PathBuf> {
    let mut locations = String::new();
    for (number, (path, answer)) in files.into_iter().enumerate() {
        let file = folder.join(format!("body-{number}"));
        fs::write(&file, &answer.body)?;
        let content_type = answer.headers.get(header::CONTENT_TYPE);
        let content_type = content_type.context("a type")?.to_str()?;
        writeln!(
            locations,
            "location = {path} {{\n  alias {};\n  default_type \"{content_type}\";",
            file.display()
        )?;
        if !answer.coding().is_empty() {
            let coding = answer.coding();
            writeln!(locations, "  add_header Content-Encoding {coding};")?;
        }
        if with_headers {
            for (name, value) in &answer.headers {
                if !ITS_OWN.contains(name) {
                    let value = value
                        .to_str()?
                        .replace('\\', "\\\\")
                        .replace('"', "\\\"")
                        .replace('$', "${dollar}");
                    writeln!(locations, "  add_header {name} \"{value}\";")?;
                }
            }
        }
        writeln!(locations, "}}")?;
    }
    let text = CONFIGURATION
        .replace(ADDRESS, &address.to_string())
        .replace(LOCATIONS, &locations);
    let path = folder.join("nginx.conf");
    fs::write(&path, text)?;
    Ok(path)
}
