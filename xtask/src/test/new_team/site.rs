//! The new service and its page behind a real gateway, on free ports.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{NAME, SERVICE};
use crate::{keys, project::Project, readiness, shell};

/// Read timeout of a response, in seconds.
const ANSWER_S_MAX: u64 = 10;
/// Maximum time for the gateway to serve the page, in seconds.
const PAGE_S_MAX: u64 = 30;

/// A running program, killed when dropped.
struct Program {
    child: Child,
    /// Address for calls.
    address: String,
    /// Address for probes.
    operators: String,
}

impl Program {
    fn start(command: &mut Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start `{}`", shell::line(command)))?;
        let output = child.stdout.take().context("its output is piped")?;
        // From here on, dropping `program` kills the process on every path.
        let mut program = Self {
            child,
            address: String::new(),
            operators: String::new(),
        };
        let mut lines = BufReader::new(output).lines();
        while program.address.is_empty() || program.operators.is_empty() {
            let line = lines.next().context("it ended before it listened")??;
            if let Some(address) = line.strip_prefix("listening on ") {
                address.clone_into(&mut program.address);
            } else if let Some(address) = line.strip_prefix("operators on ") {
                address.clone_into(&mut program.operators);
            }
        }
        Ok(program)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Fails if the process has already exited, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks that the list can be read and a retried enquiry is stored once. The page must show the list and accept a
/// native post.
pub(super) fn answers(copy: &Project) -> Result<()> {
    let folder = copy.target.join("site");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let service = Program::start(&mut service(copy, &folder)?)?;
    readiness::wait_ready(SERVICE, &service.operators)?;
    let gateway = Program::start(&mut gateway(copy, &service.address))?;
    readiness::wait_ready("gateway", &gateway.operators)?;
    let site = gateway.address.as_str();

    let (status, topics) = get(site, "/api/pharmacy-topics")?;
    ensure!(status == 200, "{status}: {topics}");
    let topics: Value = serde_json::from_str(&topics)?;
    ensure!(topics["topics"][1]["id"] == "prices", "{topics}");

    let body = r#"{"topicId":"prices","name":"Asha Rao","phone":"+91 80 0000 0199","question":"What does it cost?"}"#;
    let call = format!(
        "POST /api/pharmacy-enquiries HTTP/1.1\r\nContent-Type: application/json\r\nX-Requested-With: test\r\n\
         Idempotency-Key: a-request-of-this-test\r\n{}",
        ending(site, body)
    );
    let (status, first) = ask(site, &call)?;
    ensure!(status == 201, "{status}: {first}");
    let (status, again) = ask(site, &call)?;
    ensure!(
        (status, &again) == (201, &first),
        "a repetition is answered by the first: {status}: {again}"
    );

    let path = format!("/{NAME}");
    readiness::wait_for_ok(site, &path, Duration::from_secs(PAGE_S_MAX))?;
    let (status, page) = get(site, &path)?;
    ensure!(
        status == 200 && page.contains("What it costs") && page.contains("<form"),
        "{status}: {page}"
    );
    let form = "part=pharmacy%3A%2Fpharmacy&topicId=prices&name=Asha+Rao&phone=%2B91+80+0000+0199&question=Why%3F";
    let post = format!(
        "POST {path} HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nOrigin: http://{site}\r\n{}",
        ending(site, form)
    );
    let (status, page) = ask(site, &post)?;
    ensure!(
        status == 200 && page.contains("We have your question"),
        "{status}: {page}"
    );
    Ok(())
}

fn service(copy: &Project, folder: &std::path::Path) -> Result<Command> {
    keys::ensure(copy, folder)?;
    let database = format!("sqlite:{}", folder.join("pharmacy.db").display());
    let mut command = program(copy, SERVICE);
    command
        .env("DATABASE_URL", database)
        .env("SEAL_KEYS_FILE", keys::of_service(folder, SERVICE));
    Ok(command)
}

fn gateway(copy: &Project, service: &str) -> Command {
    let mut command = program(copy, "gateway");
    command
        .env("UPSTREAMS", format!("hospital.{NAME}.v1=http://{service}"))
        .env("REMOTES_DIR", copy.root.join("remotes"));
    command
}

/// Returns a command that listens on free ports and does not inherit the developer's environment.
fn program(copy: &Project, name: &str) -> Command {
    let program = copy.target.join("debug").join(name);
    let mut command = shell::command(&copy.root, program, [""; 0]);
    command
        .env_clear()
        .env("LISTEN", "127.0.0.1:0")
        .env("OPERATORS_LISTEN", "127.0.0.1:0")
        .env("RUST_LOG", "warn");
    command
}

fn ending(site: &str, body: &str) -> String {
    format!(
        "Host: {site}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn get(site: &str, path: &str) -> Result<(u16, String)> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {site}\r\nConnection: close\r\n\r\n");
    ask(site, &request)
}

/// Sends a request and returns status and body of the response. A chunked body is returned with its chunk sizes.
fn ask(site: &str, request: &str) -> Result<(u16, String)> {
    let mut stream = TcpStream::connect(site)?;
    stream.set_read_timeout(Some(Duration::from_secs(ANSWER_S_MAX)))?;
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let Some((head, body)) = answer.split_once("\r\n\r\n") else {
        bail!("no answer: {answer}");
    };
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    Ok((status.context("a status")?, body.to_owned()))
}
