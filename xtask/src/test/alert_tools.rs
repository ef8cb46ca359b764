//! Prometheus, Alertmanager and their checkers, unpacked from Debian's packages into `target/debian`. Installing the
//! packages would start daemons, and Prometheus uses the port of the gateway's operators' listener in `up`.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

use super::{outcome::Outcome, steps::Run};
use crate::{debian, shell};

/// Packages, each with the programs to take from it.
const PACKAGES: [(&str, &[&str]); 2] = [
    ("prometheus", &["promtool", "prometheus"]),
    ("prometheus-alertmanager", &["amtool"]),
];

/// Unpacks the packages whose programs are neither installed nor unpacked. The error names what to install by hand.
pub(super) fn unpack(run: &Run<'_>) -> Result<Outcome> {
    let folder = run.project.root.join("target/debian");
    for (package, programs) in PACKAGES {
        if programs.iter().all(|program| is_there(&folder, program)) {
            continue;
        }
        if shell::find_program("apt-get").is_none() || shell::find_program("dpkg-deb").is_none() {
            bail!(
                "{package} is missing (it checks alerts and dashboards); `{}` must be in PATH",
                programs.join("`, `")
            );
        }
        println!("unpacking {package} (it checks alerts and dashboards)");
        if fetch(&folder, package).is_err() {
            debian::refresh_lists();
            fetch(&folder, package)?;
        }
    }
    Ok(Outcome::passed())
}

fn is_there(folder: &Path, program: &str) -> bool {
    shell::find_program(program).is_some() || folder.join("usr/bin").join(program).is_file()
}

/// Downloads and unpacks a package. Its download folder is emptied first, to avoid unpacking an older version.
fn fetch(folder: &Path, package: &str) -> Result<()> {
    let downloads = folder.join("packages").join(package);
    match fs::remove_dir_all(&downloads) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    fs::create_dir_all(&downloads)?;
    let arguments = ["download", "-qq", package];
    shell::capture(&mut shell::command(&downloads, "apt-get", arguments))?;
    let file = fs::read_dir(&downloads)?
        .next()
        .with_context(|| format!("apt-get downloaded nothing of {package}"))??;
    let arguments = [Path::new("-x"), &file.path(), folder];
    shell::capture(&mut shell::command(&downloads, "dpkg-deb", arguments)).map(drop)
}
