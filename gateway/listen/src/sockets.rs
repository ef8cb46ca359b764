//! Listening sockets, and the number of connections the process may open.

use std::{io, net::SocketAddr, time::Duration};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use service_kit::operators::{self, Operators};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpSocket};

use super::config::ListenConfig;

/// Maximum connections that wait to be accepted; the kernel's own limit (`net.core.somaxconn`) may be lower.
const BACKLOG: u32 = 4096;
/// A vanished peer is detected after one minute of silence and three probes.
const KEEP_ALIVE: TcpKeepalive = TcpKeepalive::new()
    .with_time(Duration::from_mins(1))
    .with_interval(Duration::from_secs(10))
    .with_retries(3);
/// Maximum unsent bytes that the kernel buffers for one connection. Without it a client that reads nothing holds up to
/// 4 MiB of the machine's memory for TCP. Bytes that are sent but not acknowledged are not limited, so long routes keep
/// their speed. The kernel accepts more once half of it is sent. A client at the minimum rate must take that half
/// within the write timeout.
#[cfg(target_os = "linux")]
const UNSENT_BYTES_MAX: u32 = 32 * 1024;
/// File descriptors needed beside connections: upstreams, page modules, watchers, the operators' listener, log and
/// collector.
const OTHER_FILES: u64 = 192;

/// Every socket that the gateway listens on.
#[derive(Debug)]
pub struct Listeners {
    /// Listener of the site.
    pub public: TcpListener,
    /// Listener for probes and metrics.
    pub operators: Option<Operators>,
    /// Listener for clear-text HTTP, which is redirected.
    pub redirect: Option<TcpListener>,
}

/// Failure to listen on a configured address.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// `LISTEN` or `REDIRECT_LISTEN`.
    #[error("{variable}: cannot listen on {address}: {source}")]
    Listen {
        /// Name of the setting.
        variable: &'static str,
        /// Value of the setting.
        address: SocketAddr,
        /// Cause of the failure.
        source: io::Error,
    },
    /// `OPERATORS_LISTEN`.
    #[error(transparent)]
    Operators(#[from] operators::BindError),
}

impl Listeners {
    /// Binds every configured port; port 0 picks a free one. Accepts no connection yet.
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

/// Opens a listening socket. Connections inherit these options, which saves five calls for each of them.
fn listener(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A restarted process can take the port of its predecessor, whose last connections the kernel still remembers.
    socket.set_reuseaddr(true)?;
    socket.set_nodelay(true)?;
    SockRef::from(&socket).set_tcp_keepalive(&KEEP_ALIVE)?;
    #[cfg(target_os = "linux")]
    SockRef::from(&socket).set_tcp_notsent_lowat(UNSENT_BYTES_MAX)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Returns how many of `wanted` connections the process may open, after raising its limit of open files as far as
/// possible. With fewer, waiting connections make room before accepting fails.
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
            tracing::warn!(%error, "cannot raise the limit of open files");
            current
        }
    };
    if allowed >= files {
        return wanted;
    }
    // At least half, however few there are.
    let left = allowed.saturating_sub(OTHER_FILES).max(allowed / 2);
    tracing::warn!(
        wanted,
        left,
        allowed,
        "fewer connections than configured: the limit of open files is too low"
    );
    usize::try_from(left).unwrap_or(wanted).max(1)
}
