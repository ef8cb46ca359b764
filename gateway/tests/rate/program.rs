//! The gateway as deployed, with the hospital's contracts and no service: refusals do not depend on a service.

use std::{
    io::{BufRead as _, BufReader, Lines},
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

const PATIENCE: Duration = Duration::from_secs(20);

/// Kills the program at the end of the test.
pub(crate) struct Program {
    child: Child,
    address: String,
    operators: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        // The program may have exited already.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Program {
    /// Starts with the default limits unless `flags` change them.
    pub(crate) fn start(flags: &[&str]) -> Self {
        let own = [
            "--listen=127.0.0.1:0",
            "--operators-listen=127.0.0.1:0",
            "--api-only",
        ];
        let mut child = Command::new(env!("CARGO_BIN_EXE_gateway"))
            .args(own)
            .args(flags)
            .env_remove("REDIS_URL")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let address = said(&mut lines, "listening on ");
        let operators = said(&mut lines, "operators on ");
        Self {
            child,
            address,
            operators,
        }
    }

    /// Returns the status of a visitor's call for an unknown path. The gateway answers alone and counts the call.
    pub(crate) async fn call(&self, tab: &str) -> u16 {
        let head = format!("GET /api/nothing HTTP/1.1\r\nx-client-id: {tab}\r\n");
        let answer = ask(&self.address, &head).await;
        let status = answer.split(' ').nth(1).unwrap_or_default();
        status
            .parse()
            .unwrap_or_else(|_| panic!("no status in {answer:?}"))
    }

    /// Returns how many of `calls` calls of a visitor's tab are accepted.
    pub(crate) async fn taken(&self, tab: &str, calls: usize) -> usize {
        let mut taken = 0;
        for _ in 0..calls {
            taken += usize::from(self.call(tab).await != 429);
        }
        taken
    }

    /// Returns a counter or gauge, summed over the series whose labels contain `labels`.
    pub(crate) async fn metric(&self, name: &str, labels: &str) -> f64 {
        let text = ask(&self.operators, "GET /metrics HTTP/1.1\r\n").await;
        text.lines()
            .filter(|line| line.starts_with(name) && line.contains(labels))
            .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
            .sum()
    }

    pub(crate) async fn is_connected(&self) -> bool {
        self.metric("rate_limit_redis_connected", "").await > 0.5
    }
}

fn said(lines: &mut Lines<BufReader<ChildStdout>>, what: &str) -> String {
    let line = lines.next().expect("a line").expect("text");
    line.strip_prefix(what).expect(what).to_owned()
}

async fn ask(address: &str, head: &str) -> String {
    let exchange = async {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let request = format!("{head}host: a\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        answer
    };
    let answer = tokio::time::timeout(PATIENCE, exchange).await;
    answer.expect("no answer within 20 s")
}
