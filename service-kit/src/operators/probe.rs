//! Readiness probe from a second process of the same program: the health check of an image that contains nothing else.

use std::{
    io::{self, Read as _, Write as _},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    time::{Duration, Instant},
};

/// Time limit of the whole probe. The listener answers from memory.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum bytes read from the response; only the first line counts.
const ANSWER_BYTES_MAX: usize = 1024;

/// The process is not known to be ready.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// No address to probe.
    #[error(
        "OPERATORS_LISTEN must be the operators' address of the serving process, with its port"
    )]
    NoAddress,
    /// No response within 2 s.
    #[error("{address} does not answer: {source}")]
    Unanswered {
        /// The probed address.
        address: SocketAddr,
        /// Cause.
        source: io::Error,
    },
    /// The response is not 200.
    #[error("{address} answers: {status_line}")]
    NotReady {
        /// The probed address.
        address: SocketAddr,
        /// First line of the response, possibly incomplete.
        status_line: String,
    },
}

/// Requests `/readyz` from the operators' listener of a process with the same configuration, for at most 2 s.
///
/// # Errors
/// When the process is not ready or does not respond in time, or its address is missing or has port 0.
pub fn ready(operators_listen: Option<SocketAddr>) -> Result<(), ProbeError> {
    let listen = operators_listen.filter(|address| address.port() != 0);
    let address = reachable(listen.ok_or(ProbeError::NoAddress)?);
    let answer = answer_of(address).map_err(|source| ProbeError::Unanswered { address, source })?;
    let status_line = answer.lines().next().unwrap_or_default();
    if status_line.split(' ').nth(1) == Some("200") {
        return Ok(());
    }
    Err(ProbeError::NotReady {
        address,
        status_line: status_line.to_owned(),
    })
}

/// Replaces an unspecified address with loopback.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

fn answer_of(address: SocketAddr) -> io::Result<String> {
    let started = Instant::now();
    let mut stream = TcpStream::connect_timeout(&address, PROBE_TIMEOUT)?;
    stream.set_write_timeout(Some(PROBE_TIMEOUT))?;
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = [0; ANSWER_BYTES_MAX];
    let mut length = 0;
    // A server that trickles bytes must not prolong the probe.
    while length < answer.len() && !answer[..length].contains(&b'\n') {
        let left = PROBE_TIMEOUT
            .checked_sub(started.elapsed())
            .filter(|left| !left.is_zero())
            .ok_or(io::ErrorKind::TimedOut)?;
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut answer[length..])? {
            0 => break,
            read => length += read,
        }
    }
    Ok(String::from_utf8_lossy(&answer[..length]).into_owned())
}

#[cfg(test)]
mod tests {
    use std::{net::TcpListener, thread};

    use super::*;

    /// Starts a server that sends each answer after a pause, then closes.
    #[expect(
        clippy::disallowed_methods,
        reason = "what is slow here is the other side, in a thread of its own"
    )]
    fn server(answers: Vec<&'static str>, pause: Duration) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a probe");
            let mut request = [0; 256];
            let read = stream.read(&mut request).expect("a request");
            assert!(request[..read].starts_with(b"GET /readyz HTTP/1.1\r\n"));
            for answer in answers {
                thread::sleep(pause);
                if stream.write_all(answer.as_bytes()).is_err() {
                    return;
                }
            }
        });
        address
    }

    #[test]
    fn only_a_200_is_ready() {
        let ask = |answer| ready(Some(server(vec![answer], Duration::ZERO)));
        ask("HTTP/1.1 200 OK\r\n\r\nready\n").expect("ready");
        for answer in [
            "HTTP/1.1 503 Service Unavailable\r\n\r\n",
            "200\r\n",
            "",
            "HTTP",
        ] {
            let error = ask(answer).expect_err("not ready");
            assert!(matches!(error, ProbeError::NotReady { .. }), "{error}");
        }
    }

    #[test]
    fn stops_waiting_for_slow_or_silent_servers() {
        for (answers, pause) in [
            (vec!["H"; 40], Duration::from_millis(200)),
            (vec!["HTTP/1.1 200 OK\r\n"], Duration::from_secs(8)),
        ] {
            let started = Instant::now();
            let error = ready(Some(server(answers, pause))).expect_err("not in time");
            assert!(matches!(error, ProbeError::Unanswered { .. }), "{error}");
            assert!(started.elapsed() < PROBE_TIMEOUT * 3, "it waits on");
        }
    }

    #[test]
    fn sends_no_probe_without_an_address() {
        for address in [None, Some(SocketAddr::from(([127, 0, 0, 1], 0)))] {
            let error = ready(address).expect_err("no address");
            assert!(matches!(error, ProbeError::NoAddress), "{error}");
        }
        let closed = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a port");
        let error = ready(Some(closed)).expect_err("a closed port");
        assert!(matches!(error, ProbeError::Unanswered { .. }), "{error}");
    }

    #[test]
    fn probes_every_address_on_loopback() {
        for (listen, asked) in [
            ("0.0.0.0:9091", "127.0.0.1:9091"),
            ("[::]:9091", "[::1]:9091"),
            ("10.0.0.7:9091", "10.0.0.7:9091"),
        ] {
            let listen = listen.parse().expect("an address");
            assert_eq!(reachable(listen).to_string(), asked);
        }
    }
}
