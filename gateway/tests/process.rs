//! The program as it is started: what the other tests cannot see from inside.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// Ends with the test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// Starts the gateway without documents and with a log that nobody reads.
fn start(flags: &[&str]) -> (Program, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gateway"))
        .args(["--listen=127.0.0.1:0", "--api-only"])
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let out = child.stdout.take().expect("piped");
    let program = Program(child);
    let line = BufReader::new(out)
        .lines()
        .next()
        .expect("a line")
        .expect("text");
    let address = line.strip_prefix("listening on ").expect("its address");
    (program, address.to_owned())
}

async fn get(address: &str, path: &str) -> String {
    get_with(address, path, "").await
}

/// With a header line, which ends with a line's end.
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
async fn a_log_that_nobody_reads_holds_nobody_up() {
    // A pipe takes 64 KiB; at this level each request writes some.
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
async fn a_refused_token_is_a_line_of_the_log_that_does_not_hold_it() {
    let (mut program, address) = start(&[]);
    let header = "authorization: Bearer c2VjcmV0.c2VjcmV0.c2VjcmV0\r\n";
    let answer = get_with(&address, "/api/appointments", header).await;
    // Nobody issues tokens here, so none has a scope.
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
