//! Readiness probes over plain HTTP.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

use anyhow::{Context as _, Result};

use crate::shell;

/// Maximum time from listening until a service is ready, in seconds. It opens and reads its database in that time.
const READY_S_MAX: u64 = 30;
/// Read timeout of a response, in seconds.
const ANSWER_S_MAX: u64 = 10;

/// Polls a service's `/readyz` on its operators' listener until it is ready.
pub(crate) fn wait_ready(name: &str, operators: &str) -> Result<()> {
    wait_for_ok(operators, "/readyz", Duration::from_secs(READY_S_MAX))
        .with_context(|| format!("{name} is not ready after {READY_S_MAX} s"))
}

/// Polls `path` until the response is 200. The error contains the last response.
pub(crate) fn wait_for_ok(address: &str, path: &str, limit: Duration) -> Result<()> {
    let mut last = String::from("no answer");
    let found = shell::poll(limit, || match status_line(address, path) {
        Ok(line) if line.split(' ').nth(1) == Some("200") => Some(()),
        Ok(line) => {
            last = line;
            None
        }
        Err(error) => {
            last = error.to_string();
            None
        }
    });
    found.with_context(|| format!("http://{address}{path} does not return 200: {last}"))
}

fn status_line(address: &str, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(ANSWER_S_MAX)))?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let text = String::from_utf8_lossy(&answer);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead as _, BufReader},
        net::TcpListener,
        thread,
    };

    use super::*;

    /// Starts a server that answers successive connections with these status lines.
    fn server(answers: &'static [&'static str]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                assert_eq!(lines.next().unwrap().unwrap(), "GET /readyz HTTP/1.1");
                while !lines.next().unwrap().unwrap().is_empty() {}
                write!(stream, "HTTP/1.1 {answer}\r\nContent-Length: 0\r\n\r\n").unwrap();
            }
        });
        address
    }

    #[test]
    fn polls_until_ready() {
        let address = server(&["503 Service Unavailable", "200 OK"]);
        wait_ready("svc-x", &address).unwrap();
    }

    #[test]
    fn reports_the_last_response() {
        let address = server(&["503 Service Unavailable"]);
        let error = wait_for_ok(&address, "/readyz", Duration::ZERO).unwrap_err();
        assert!(error.to_string().contains("503"), "{error}");
    }
}
