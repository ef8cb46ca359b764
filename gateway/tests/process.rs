//! The program as deployed: behaviour that is only visible from outside.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// Kills the program at the end of the test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // The program may have exited already.
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// Starts the gateway without documents and with an unread log pipe.
fn start(flags: &[&str]) -> (Program, String) {
    let (program, address, _operators) = start_with_operators(flags);
    (program, address)
}

/// Starts the same gateway; returns its visitors' and its operators' address.
fn start_with_operators(flags: &[&str]) -> (Program, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gateway"))
        .args(["--listen=127.0.0.1:0", "--operators-listen=127.0.0.1:0"])
        .arg("--api-only")
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let out = child.stdout.take().expect("piped");
    let program = Program(child);
    let mut lines = BufReader::new(out).lines();
    let mut announced = |begin: &str| {
        let line = lines.next().expect("a line").expect("text");
        line.strip_prefix(begin).expect("its address").to_owned()
    };
    let address = announced("listening on ");
    let operators = announced("operators on ");
    (program, address, operators)
}

async fn get(address: &str, path: &str) -> String {
    get_with(address, path, "").await
}

/// Sends a GET with one more header line, which must include its line ending.
async fn get_with(address: &str, path: &str, header: &str) -> String {
    let exchange = async {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: a\r\n{header}connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        answer
    };
    let answer = tokio::time::timeout(Duration::from_secs(20), exchange).await;
    answer.expect("no answer within 20 s")
}

#[tokio::test]
async fn unread_log_blocks_no_request() {
    // A pipe buffers 64 KiB; at this level each request logs some of that.
    let (_program, address) = start(&["--log-filter=trace"]);
    for _ in 0..400 {
        assert!(
            get(&address, "/api/openapi.json")
                .await
                .starts_with("HTTP/1.1 200")
        );
    }
    assert!(get(&address, "/healthz").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn logs_a_refused_token_without_its_value() {
    let (mut program, address) = start(&[]);
    let header = "authorization: Bearer c2VjcmV0.c2VjcmV0.c2VjcmV0\r\n";
    let answer = get_with(&address, "/api/appointments", header).await;
    // No issuer is configured, so the gateway answers 403.
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    let log = program.0.stderr.take().expect("piped");
    let line = tokio::task::spawn_blocking(move || {
        let mut lines = BufReader::new(log).lines().map_while(Result::ok);
        lines.find(|line| line.contains("a token was refused"))
    });
    let line = tokio::time::timeout(Duration::from_secs(20), line).await;
    let line = line.expect("no line within 20 s").expect("no panic");
    let line = line.expect("the log ended");
    assert!(line.contains("appointments:read"), "{line}");
    assert!(!line.contains("c2VjcmV0"), "{line}");
}

#[tokio::test]
async fn ready_command_reports_readiness() {
    let (program, _address, operators) = start_with_operators(&[]);
    let health = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gateway"));
        command.args(["--operators-listen", &operators, "health"]);
        command.output().expect("it runs")
    };
    let output = health();
    assert!(output.status.success(), "{output:?}");
    drop(program);
    let output = health();
    assert!(!output.status.success(), "{output:?}");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        words.contains(&format!("{operators} does not answer")),
        "{words}"
    );
}

#[tokio::test]
async fn metrics_include_build_info_and_start_at_zero() {
    let upstream = "--upstream=hospital.content.v1=http://127.0.0.1:9";
    let (_program, _address, operators) = start_with_operators(&[upstream]);
    let text = get(&operators, "/metrics").await;
    assert!(
        text.contains("content-type: application/openmetrics-text; version=1.0.0"),
        "{text}"
    );
    assert!(text.trim_end().ends_with("# EOF"), "{text}");
    let build = "build_info{service=\"gateway\",version=\"";
    let line = text.lines().find(|line| line.starts_with(build));
    assert!(line.is_some_and(|l| l.ends_with("\",team=\"platform\"} 1")));
    for (name, least) in [
        ("process_ready", 1.0),
        ("process_start_time_seconds", 1.7e9),
        ("process_resident_memory_bytes", 1e6),
        ("process_open_fds", 3.0),
        ("process_max_fds", 64.0),
    ] {
        let value = text
            .lines()
            .find_map(|l| l.strip_prefix(name)?.strip_prefix(' '));
        let value: f64 = value.expect(name).parse().expect("a number");
        assert!(value >= least, "{name} {value}");
    }
    let content = "upstream=\"hospital.content.v1\"";
    for counter in [
        format!("upstream_refused_total{{{content},reason=\"breaker\"}} 0"),
        format!("upstream_refused_total{{{content},reason=\"bulkhead\"}} 0"),
        format!("upstream_retries_total{{{content},reason=\"timed_out\"}} 0"),
        "http_server_rate_limited_total{class=\"read\",limit=\"visitor\"} 0".to_owned(),
        "http_server_connections_closed_total{reason=\"head_timeout\"} 0".to_owned(),
    ] {
        assert!(
            text.lines().any(|line| line == counter),
            "{counter}: {text}"
        );
    }
}

#[tokio::test]
async fn links_durations_to_sampled_traces_only() {
    let upstream = "--upstream=hospital.booking.v1=http://127.0.0.1:9";
    let flags = ["--trace-read-ratio=0", upstream];
    let (_program, address, operators) = start_with_operators(&flags);
    let trace_of = async |request: String| {
        let mut stream = TcpStream::connect(&address).await.expect("a connection");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
        let position = answer.split("traceparent;desc=\"00-").nth(1);
        position
            .expect("a trace")
            .split('-')
            .next()
            .expect("its id")
            .to_owned()
    };
    let head = "host: a\r\nconnection: close\r\n";
    let read = format!("GET /api/departments HTTP/1.1\r\n{head}\r\n");
    let body = r#"{"department":"ENT","date":"2027-03-01","time":"10:00"}"#;
    let write = format!(
        "POST /api/holds HTTP/1.1\r\n{head}x-requested-with: a\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let (unsampled, sampled) = (trace_of(read).await, trace_of(write).await);
    let text = get(&operators, "/metrics").await;
    let exemplar = format!(" # {{trace_id=\"{sampled}\"}} ");
    for start in [
        "http_server_request_duration_seconds_bucket{",
        "rpc_client_duration_seconds_bucket{",
    ] {
        let found = text
            .lines()
            .any(|l| l.starts_with(start) && l.contains(&exemplar));
        assert!(found, "{start} {sampled}: {text}");
    }
    assert!(!text.contains(&unsampled), "{text}");
}
