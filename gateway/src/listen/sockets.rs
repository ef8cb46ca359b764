//! Listening sockets, and how many connections the process may have open.

use std::{io, net::SocketAddr, time::Duration};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use service_kit::operators::{self, Operators};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpSocket};

use super::ListenConfig;

/// Connections that wait to be accepted at most; the kernel's own limit (`net.core.somaxconn`) may be lower.
const BACKLOG: u32 = 4096;
/// A peer that has gone without a word is found after one minute of silence and three questions.
const KEEP_ALIVE: TcpKeepalive = TcpKeepalive::new()
    .with_time(Duration::from_mins(1))
    .with_interval(Duration::from_secs(10))
    .with_retries(3);
/// Unsent bytes that the kernel takes for one connection at most. Without it a client that reads nothing holds up to 4 MiB of the machine's
/// memory for TCP. What is sent and not yet acknowledged is not limited by it, so long routes keep their speed. The
/// kernel asks for more when half of it is sent: that must take a client of the least rate less than the write timeout.
#[cfg(target_os = "linux")]
const UNSENT_BYTES_MAX: u32 = 32 * 1024;
/// Files that the process needs beside connections: upstreams, page modules, watchers, the operators' listener, log and collector.
const OTHER_FILES: u64 = 192;

/// Every socket that the gateway listens on.
#[derive(Debug)]
pub struct Listeners {
    /// The site.
    pub public: TcpListener,
    /// Probes and metrics.
    pub operators: Option<Operators>,
    /// Clear-text HTTP that is redirected.
    pub redirect: Option<TcpListener>,
}

/// An address cannot be listened on.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// `LISTEN` or `REDIRECT_LISTEN`.
    #[error("{variable}: cannot listen on {address}: {source}")]
    Listen {
        /// Whose value it is.
        variable: &'static str,
        /// The value.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// `OPERATORS_LISTEN`.
    #[error(transparent)]
    Operators(#[from] operators::BindError),
}

impl Listeners {
    /// Takes every port of the configuration; port 0 takes a free one. Nobody is answered yet.
    pub async fn bind(config: &ListenConfig) -> Result<Self, BindError> {
        let redirect = config.redirect_listen;
        Ok(Self {
            public: bind("LISTEN", config.listen)?,
            operators: match config.operators_listen {
                Some(address) => Some(Operators::bind(address).await?),
                None => None,
            },
            redirect: redirect
                .map(|address| bind("REDIRECT_LISTEN", address))
                .transpose()?,
        })
    }
}

fn bind(variable: &'static str, address: SocketAddr) -> Result<TcpListener, BindError> {
    listener(address).map_err(|source| BindError::Listen {
        variable,
        address,
        source,
    })
}

/// Connections inherit what is set here, which saves five calls for each of them.
fn listener(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A process that starts anew takes the port of the one before, whose last connections the kernel still remembers.
    socket.set_reuseaddr(true)?;
    socket.set_nodelay(true)?;
    SockRef::from(&socket).set_tcp_keepalive(&KEEP_ALIVE)?;
    #[cfg(target_os = "linux")]
    SockRef::from(&socket).set_tcp_notsent_lowat(UNSENT_BYTES_MAX)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// How many of `wanted` connections the process may have open: raises its limit of open files as far as it may. With fewer,
/// waiting connections make room before accepting fails.
pub(super) fn connections_max(wanted: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let files = (wanted as u64).saturating_add(OTHER_FILES);
    let Some(current) = limit.current.filter(|current| *current < files) else {
        return wanted;
    };
    let raised = limit.maximum.map_or(files, |maximum| maximum.min(files));
    let raise = Rlimit {
        current: Some(raised),
        maximum: limit.maximum,
    };
    let allowed = match setrlimit(Resource::Nofile, raise) {
        Ok(()) => raised,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files cannot be raised");
            current
        }
    };
    if allowed >= files {
        return wanted;
    }
    // Half at least, however few there are.
    let left = allowed.saturating_sub(OTHER_FILES).max(allowed / 2);
    tracing::warn!(
        wanted,
        left,
        allowed,
        "fewer connections than configured: the limit of open files is too low"
    );
    usize::try_from(left).unwrap_or(wanted).max(1)
}
