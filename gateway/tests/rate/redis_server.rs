//! A real Redis on a free port.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct RedisServer {
    child: Child,
    port: u16,
    _folder: TempDir,
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns a port without a listener.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("bound").port()
}

impl RedisServer {
    pub(crate) async fn start() -> Self {
        Self::start_at(free_port(), &[]).await
    }

    pub(crate) async fn start_at(port: u16, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let child = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no", "--dir"])
            .arg(folder.path())
            .args(arguments)
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is installed");
        let server = Self {
            child,
            port,
            _folder: folder,
        };
        let started = Instant::now();
        while server.client().get_connection().is_err() {
            // A Redis that requires a password has started, too.
            if tokio::net::TcpStream::connect(("127.0.0.1", port))
                .await
                .is_ok()
            {
                break;
            }
            assert!(started.elapsed() < PATIENCE, "Redis does not start");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        server
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Returns the gateway's flag for this Redis.
    pub(crate) fn flag(&self) -> String {
        flag(self.port)
    }

    pub(crate) fn client(&self) -> redis::Client {
        redis::Client::open(format!("redis://127.0.0.1:{}/", self.port)).expect("an address")
    }

    pub(crate) fn kill(&mut self) {
        // The server may have been killed already.
        _ = self.child.kill();
        _ = self.child.wait();
    }

    /// Suspends the process: its connections stay open, but nothing is answered.
    pub(crate) fn freeze(&self) {
        self.signal("-STOP");
    }

    pub(crate) fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let mut kill = Command::new("kill");
        let status = kill.args([signal, &self.child.id().to_string()]).status();
        assert!(status.expect("kill is installed").success());
    }
}

pub(crate) fn flag(port: u16) -> String {
    format!("--redis-url=redis://127.0.0.1:{port}/")
}
