//! The program as it is deployed, started and stopped by a test.

use std::{process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    process::{Child, ChildStderr, Command},
};

/// Far above what any step takes; a test that waits longer has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The program itself, on a free port.
pub(crate) struct Process {
    child: Child,
    stderr: BufReader<ChildStderr>,
    /// `127.0.0.1:PORT`
    pub(crate) address: String,
}

/// The program with nothing taken from the environment of the test.
pub(crate) fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!(concat!("CARGO_BIN_EXE_", env!("CARGO_PKG_NAME"))));
    command
        .args(arguments)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

impl Process {
    pub(crate) async fn start(database_url: &str, more: &[&str]) -> Self {
        let serving = ["--listen", "127.0.0.1:0", "--database-url", database_url];
        let mut child = program(&[&serving, more].concat())
            .spawn()
            .expect("the program");
        let stderr = BufReader::new(child.stderr.take().expect("its log"));
        let mut stdout = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        tokio::time::timeout(PATIENCE, stdout.read_line(&mut line))
            .await
            .expect("it listens in time")
            .expect("its output");
        let address = line
            .trim_end()
            .strip_prefix("listening on ")
            .unwrap_or_else(|| panic!("unexpected output {line:?}"))
            .to_owned();
        Self {
            child,
            stderr,
            address,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Status code and body of a plain GET.
    pub(crate) async fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address)
            .await
            .expect("a connection");
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            self.address
        );
        stream
            .write_all(request.as_bytes())
            .await
            .expect("a request");
        let mut response = String::new();
        stream
            .read_to_string(&mut response)
            .await
            .expect("a response");
        let (head, body) = response.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        (status.expect("a status"), body.to_owned())
    }

    /// Asks until the path answers with `status`.
    pub(crate) async fn wait_for(&self, path: &str, status: u16) {
        let answered = async {
            while self.get(path).await.0 != status {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, answered)
            .await
            .unwrap_or_else(|_| panic!("{path} never answered {status}"));
    }

    /// SIGTERM; gives the log. The exit must be a clean one.
    pub(crate) async fn stop(mut self) -> String {
        let id = self.child.id().expect("still running").to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().await;
        assert!(sent.expect("kill").success());
        let mut log = String::new();
        let ended = async {
            self.stderr.read_to_string(&mut log).await.expect("its log");
            self.child.wait().await.expect("its end")
        };
        let status = tokio::time::timeout(PATIENCE, ended)
            .await
            .expect("it stops in time");
        assert!(status.success(), "{status}: {log}");
        log
    }
}
