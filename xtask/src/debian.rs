//! System packages. Missing ones are installed if this machine allows it; otherwise the error names what to install.

use std::{path::Path, sync::OnceLock};

use anyhow::{Result, bail};

use crate::shell;

/// A program that comes with a Debian package.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: &'static str,
    /// Returns whether the package's program is already installed.
    pub(crate) present: fn() -> bool,
    /// Reason for needing the package, shown to the developer.
    pub(crate) reason: &'static str,
}

pub(crate) const PROTOC: Package = Package {
    name: "protobuf-compiler",
    present: || shell::find_program("protoc").is_some(),
    reason: "ops-traces compiles OpenTelemetry's contracts with protoc",
};
pub(crate) const POSTGRESQL: Package = Package {
    name: "postgresql",
    present: || crate::test::postgres::programs().is_some(),
    reason: "every store test runs on PostgreSQL too",
};
pub(crate) const CHROMIUM: Package = Package {
    name: "chromium",
    present: || Path::new("/usr/bin/chromium").exists(),
    reason: "browser tests",
};

pub(crate) const FIREFOX: Package = Package {
    name: "firefox-esr",
    present: || Path::new("/usr/bin/firefox-esr").exists(),
    reason: "the flows once in a second browser engine",
};

pub(crate) const MOVED_CLOCK: Package = Package {
    name: "faketime",
    present: || Path::new("/usr/bin/faketime").exists(),
    reason: "programs whose clocks are wrong in browser tests",
};

pub(crate) const PYTHON_VENV: Package = Package {
    name: "python3-venv",
    present: || {
        let mut python = std::process::Command::new("python3");
        let found = python.args(["-c", "import ensurepip, venv"]).output();
        found.is_ok_and(|output| output.status.success())
    },
    reason: "schemathesis is a Python program",
};

pub(crate) const SMTP_SERVER: Package = Package {
    name: "python3-aiosmtpd",
    present: || Path::new("/usr/lib/python3/dist-packages/aiosmtpd").exists(),
    reason: "mail is delivered to a real server in the tests",
};

pub(crate) const DKIM_VERIFIER: Package = Package {
    name: "python3-dkim",
    present: || Path::new("/usr/lib/python3/dist-packages/dkim").exists(),
    reason: "signatures of mails are verified by another program",
};

pub(crate) const ED25519_VERIFIER: Package = Package {
    name: "python3-nacl",
    present: || Path::new("/usr/lib/python3/dist-packages/nacl").exists(),
    reason: "python3-dkim verifies Ed25519 with it",
};

pub(crate) const NGINX_PROGRAM: &str = "/usr/sbin/nginx";
pub(crate) const NGINX: Package = Package {
    name: "nginx",
    present: || Path::new(NGINX_PROGRAM).exists(),
    reason: "the gateway is measured beside it",
};

pub(crate) const REDIS: Package = Package {
    name: "redis-server",
    present: || shell::find_program("redis-server").is_some(),
    reason: "the gateway is tested and measured with its limits in Redis",
};

pub(crate) const SHELLCHECK: Package = Package {
    name: "shellcheck",
    present: || shell::find_program("shellcheck").is_some(),
    reason: "lint of the scripts below deploy/",
};

pub(crate) const SQLITE: Package = Package {
    name: "sqlite3",
    present: || shell::find_program("sqlite3").is_some(),
    reason: "backups of databases in use are taken, restored and compared, and tests read the audit log",
};

pub(crate) const RSYNC: Package = Package {
    name: "rsync",
    present: || shell::find_program("rsync").is_some(),
    reason: "databases in use and files are archived",
};

pub(crate) const AGE: Package = Package {
    name: "age",
    present: || shell::find_program("age").is_some(),
    reason: "archived keys are sealed and opened",
};

pub(crate) const COMPOSE: Package = Package {
    name: "docker-compose",
    present: || shell::find_program("docker-compose").is_some(),
    reason: "it reads the compose files, without an engine",
};

/// Engine for `cargo xtask containers`: podman with runc, because crun fails on hybrid control groups.
pub(crate) const ENGINE: [Package; 8] = [
    for_containers("podman", || shell::find_program("podman").is_some()),
    for_containers("buildah", || shell::find_program("buildah").is_some()),
    for_containers("runc", || shell::find_program("runc").is_some()),
    for_containers("netavark", || {
        Path::new("/usr/lib/podman/netavark").exists()
    }),
    for_containers("aardvark-dns", || {
        Path::new("/usr/lib/podman/aardvark-dns").exists()
    }),
    for_containers("iptables", || Path::new("/usr/sbin/iptables").exists()),
    for_containers("uidmap", || shell::find_program("newuidmap").is_some()),
    for_containers("mmdebstrap", || shell::find_program("mmdebstrap").is_some()),
];

const fn for_containers(name: &'static str, present: fn() -> bool) -> Package {
    Package {
        name,
        present,
        reason: "images are built and run with it",
    }
}

pub(crate) const SYSTEMD: Package = Package {
    name: "systemd",
    present: || shell::find_program("systemd-analyze").is_some(),
    reason: "systemd-analyze checks the units",
};

pub(crate) const PERF: Package = Package {
    name: "linux-perf",
    present: || shell::find_program("perf").is_some(),
    reason: "it profiles processor time",
};

/// Installs a package unless it is present. The error contains the command for installing it by hand.
pub(crate) fn ensure(package: &Package) -> Result<()> {
    if (package.present)() {
        return Ok(());
    }
    let by_hand = format!(
        "{} is missing ({}). Install it: sudo apt-get install --no-install-recommends {}",
        package.name, package.reason, package.name
    );
    if !rustix::process::geteuid().is_root() || shell::find_program("apt-get").is_none() {
        bail!("{by_hand}");
    }
    println!("installing {} ({})", package.name, package.reason);
    if install(package.name).is_err() {
        refresh_lists();
        if let Err(error) = install(package.name) {
            bail!("{by_hand}\n{error:#}");
        }
    }
    if (package.present)() {
        Ok(())
    } else {
        bail!("{by_hand}\n(installed, but its program was not found)")
    }
}

fn install(name: &str) -> Result<()> {
    let arguments = ["install", "-y", "-qq", "--no-install-recommends", name];
    shell::capture(
        shell::command(Path::new("/"), "apt-get", arguments)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
    .map(drop)
}

/// Runs `apt-get update`, at most once per run, because a fresh machine's package lists are empty or outdated. Failures
/// are only printed.
pub(crate) fn refresh_lists() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        println!("refreshing the package lists (apt-get update)");
        if let Err(error) = shell::capture(&mut shell::command(
            Path::new("/"),
            "apt-get",
            ["update", "-qq"],
        )) {
            eprintln!("{error:#}");
        }
    });
}
