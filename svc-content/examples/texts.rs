//! Prints the English texts that every language of the site needs, by content file, as JSON. An argument is the folder
//! of another hospital's content files.

use std::{error::Error, path::Path};

use svc_content::{files::Sources, records::texts};

fn main() -> Result<(), Box<dyn Error>> {
    let sources = match std::env::args().nth(1) {
        Some(folder) => Sources::read(Path::new(&folder))?,
        None => Sources::embedded(),
    };
    let texts: serde_json::Map<_, _> = texts::required(&sources)?
        .into_iter()
        .map(|(file, texts)| (file.to_owned(), texts.into_iter().collect()))
        .collect();
    println!("{}", serde_json::to_string_pretty(&texts)?);
    Ok(())
}
