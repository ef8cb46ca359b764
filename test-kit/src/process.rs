//! Programs as deployed, started and stopped by a test.

use std::{process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    process::{Child, ChildStderr, ChildStdout, Command},
};

use crate::database::TestDatabase;

/// Time limit of every step, far above what any step takes. A test that exceeds it has failed.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A workspace program, as Cargo built it for the tests of its package.
#[derive(Debug, Clone, Copy)]
pub struct Program(pub &'static str);

impl Program {
    /// Returns a command with a cleared environment. The process is killed when the test ends.
    pub fn command(self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.0);
        command
            .args(arguments)
            .env_clear()
            .env("SEAL_KEYS_FILE", crate::keys::path())
            // Destination of mail without a mail server; keeps mail out of the source tree.
            .env("MAIL_DIR", crate::keys::path().with_file_name("mail"))
            .env("DEVELOPMENT", "true")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Starts the program on a free port.
    pub async fn start(self, database_url: &str, more: &[&str]) -> Process {
        Process::start(&mut self.serving(database_url, more)).await
    }

    /// Returns the command of [`Self::start`], for tests that configure it further.
    pub fn serving(self, database_url: &str, more: &[&str]) -> Command {
        let serving = [
            "--listen",
            "127.0.0.1:0",
            "--operators-listen",
            "127.0.0.1:0",
            "--database-url",
            database_url,
        ];
        self.command(&[&serving, more].concat())
    }

    /// Migrates the database to the schema of this build.
    pub async fn migrate(self, database: &TestDatabase) {
        let mut migration = self.command(&["--database-url", &database.url, "migrate"]);
        assert!(migration.output().await.expect("it ran").status.success());
    }

    /// Returns the log of a start that must fail before the program announces a listener.
    pub async fn refusal(self, database_url: &str, more: &[&str]) -> String {
        let mut serving = self.serving(database_url, more);
        let ended = tokio::time::timeout(PATIENCE, serving.output()).await;
        let output = ended.expect("it gives up in time").expect("it ran");
        assert!(!output.status.success());
        let announced = String::from_utf8_lossy(&output.stdout);
        assert_eq!(announced, "", "it never listened");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

/// A running program that serves on a free port.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stderr: BufReader<ChildStderr>,
    /// `127.0.0.1:PORT` for gRPC.
    pub address: String,
    /// `127.0.0.1:PORT` for probes and metrics.
    pub operators_address: String,
}

impl Process {
    /// Starts a program and waits until it has announced both listeners.
    pub async fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().expect("the program");
        let stderr = BufReader::new(child.stderr.take().expect("its log"));
        let mut stdout = BufReader::new(child.stdout.take().expect("its output"));
        let address = announced(&mut stdout, "listening on ").await;
        let operators_address = announced(&mut stdout, "operators on ").await;
        Self {
            child,
            stderr,
            address,
            operators_address,
        }
    }

    /// Returns the process id; empty if it has ended.
    pub fn id(&self) -> String {
        self.child.id().map(|id| id.to_string()).unwrap_or_default()
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the status code and body of a plain GET to the operators' listener.
    pub async fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.operators_address)
            .await
            .expect("a connection");
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            self.operators_address
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

    /// Polls the operators' listener until `path` responds with `status`.
    pub async fn wait_for(&self, path: &str, status: u16) {
        let answered = async {
            while self.get(path).await.0 != status {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, answered)
            .await
            .unwrap_or_else(|_| panic!("{path} never answered {status}"));
    }

    /// Checks that `/metrics` identifies the process and that counters start at zero. Returns the metrics text.
    pub async fn says_what_it_is(&self, service: &str, team: &str) -> String {
        let (status, text) = self.get("/metrics").await;
        assert_eq!(status, 200);
        let build = format!("build_info{{service=\"{service}\",version=\"");
        let line = text.lines().find(|line| line.starts_with(&build));
        let line = line.expect("build_info");
        assert!(line.ends_with(&format!("\",team=\"{team}\"}} 1")), "{line}");
        for (name, least) in [
            ("process_start_time_seconds", 1.7e9),
            ("process_resident_memory_bytes", 1e6),
            ("process_open_fds", 3.0),
            ("process_ready", 0.0),
        ] {
            let value = text
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            let value: f64 = value.expect(name).parse().expect("a number");
            assert!(value >= least, "{name} {value}");
        }
        for counter in [
            "rpc_server_refused_total{reason=\"shed\"} 0",
            "outbox_deliveries_total{lane=\"default\",outcome=\"dead\"} 0",
        ] {
            assert!(
                text.lines().any(|line| line == counter),
                "{counter}: {text}"
            );
        }
        text
    }

    /// Sends SIGTERM, waits for a successful exit and returns the log.
    pub async fn stop(mut self) -> String {
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

/// Returns the rest of the next standard output line after `prefix`.
async fn announced(stdout: &mut BufReader<ChildStdout>, prefix: &str) -> String {
    let mut line = String::new();
    tokio::time::timeout(PATIENCE, stdout.read_line(&mut line))
        .await
        .expect("it listens in time")
        .expect("its output");
    line.trim_end()
        .strip_prefix(prefix)
        .unwrap_or_else(|| panic!("{line:?} does not begin with {prefix:?}"))
        .to_owned()
}
