//! The built program: its output line, its response to SIGTERM and its refusals.

use std::process::Stdio;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

use crate::spans::{export, span};

const PATIENCE: Duration = Duration::from_secs(20);

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ops-traces"));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    for variable in [
        "LISTEN",
        "OTLP_GRPC_LISTEN",
        "OTLP_HTTP_LISTEN",
        "RUST_LOG",
        "LOG_FORMAT",
    ] {
        command.env_remove(variable);
    }
    command
}

#[tokio::test]
async fn prints_its_addresses_and_stops_on_sigterm_with_exporters_connected() {
    let mut child = program()
        .args([
            "--listen",
            "127.0.0.1:0",
            "--otlp-grpc-listen",
            "127.0.0.1:0",
            "--log-format",
            "json",
        ])
        .env("OTLP_HTTP_LISTEN", "127.0.0.1:0")
        .spawn()
        .expect("the program starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    timeout(PATIENCE, stdout.read_line(&mut line))
        .await
        .expect("in time")
        .expect("a line");
    let addresses: Vec<&str> = line
        .trim_end()
        .strip_prefix("listening on ")
        .expect(&line)
        .split(' ')
        .collect();
    let [_ui, grpc, _http] = addresses.as_slice() else {
        panic!("three addresses: {line}")
    };
    for (address, name) in addresses.iter().zip(["ui=", "otlp-grpc=", "otlp-http="]) {
        let address = address
            .strip_prefix(name)
            .unwrap_or_else(|| panic!("{name} in {line}"));
        let address: std::net::SocketAddr = address.parse().expect("an address");
        assert!(
            address.ip().is_loopback() && address.port() != 0,
            "{address}"
        );
    }
    let endpoint = grpc.replace("otlp-grpc=", "http://");
    let mut exporter = TraceServiceClient::connect(endpoint)
        .await
        .expect("connection");
    exporter
        .export(export("gateway", vec![span(1, 1, 0, "a")]))
        .await
        .expect("export");

    let pid = child.id().expect("still running").to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .await
            .expect("kill")
            .success()
    );
    let status = timeout(PATIENCE, child.wait())
        .await
        .expect("stops in time")
        .expect("status");
    assert!(status.success(), "{status}");
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).await.expect("stdout");
    assert_eq!(rest, "", "stdout has exactly one line");
    let mut log = String::new();
    child
        .stderr
        .take()
        .expect("piped")
        .read_to_string(&mut log)
        .await
        .expect("stderr");
    assert!(
        !log.is_empty() && log.lines().all(|line| line.starts_with('{')),
        "{log}"
    );
    drop(exporter);
}

#[tokio::test]
async fn refuses_addresses_beyond_loopback_and_impossible_limits() {
    for (flag, value, reason) in [
        ("--listen", "0.0.0.0:0", "only loopback addresses"),
        ("--otlp-grpc-listen", "[::]:0", "only loopback addresses"),
        (
            "--otlp-http-listen",
            "192.0.2.1:4318",
            "only loopback addresses",
        ),
        ("--spans-max", "0", "1..=10000000"),
        ("--bytes-max", "1GB", "invalid digit"),
    ] {
        let output = timeout(PATIENCE, program().args([flag, value]).output())
            .await
            .expect("in time")
            .expect("output");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{flag} {value}: {message}");
        assert!(
            message.contains(reason) && message.contains(flag),
            "{message}"
        );
        assert!(output.stdout.is_empty());
    }
}

#[tokio::test]
async fn names_a_port_in_use() {
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = taken.local_addr().expect("address").to_string();
    let output = program().args(["--listen", &address]).output();
    let output = timeout(PATIENCE, output)
        .await
        .expect("in time")
        .expect("output");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(
        message.contains(&address) && message.contains("--listen"),
        "{message}"
    );
}
