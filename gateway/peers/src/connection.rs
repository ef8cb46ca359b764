//! One connection of the load: HTTP/1.1 to a peer, or gRPC to the service itself.

use std::{net::SocketAddr, sync::Arc};

use anyhow::{Result, bail};
use bytes::Bytes;
use futures::future::try_join_all;
use hospital_proto::booking::v1::booking_service_client::BookingServiceClient;
use http::{HeaderMap, header::CONTENT_ENCODING};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tonic::transport::Channel;

use crate::{calls, case::Case, kind::Kind, services, traffic::Traffic};

/// What a failure shows of an answer's body.
const SHOWN_BYTES_MAX: usize = 300;

#[derive(Debug)]
enum Way {
    Http(SendRequest<Full<Bytes>>),
    Rpc(BookingServiceClient<Channel>),
}

#[derive(Debug)]
pub(crate) struct Connection {
    way: Way,
    kind: Kind,
    address: SocketAddr,
    case: Case,
    traffic: Arc<Traffic>,
}

/// What came back.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) headers: HeaderMap,
    /// As it was on the wire; nothing of an RPC.
    pub(crate) body: Bytes,
    /// Size of the body or of the message.
    pub(crate) bytes: usize,
}

impl Answer {
    /// How the body was compressed, if it was.
    pub(crate) fn coding(&self) -> &str {
        let coding = self.headers.get(CONTENT_ENCODING);
        coding.map_or("", |coding| coding.to_str().unwrap_or("not text"))
    }
}

/// So many connections that ask for the same.
pub(crate) async fn open(
    count: usize,
    kind: Kind,
    address: SocketAddr,
    case: Case,
    traffic: &Arc<Traffic>,
) -> Result<Vec<Connection>> {
    let each = (0..count).map(|_| async move {
        anyhow::Ok(Connection {
            way: connect(kind, address).await?,
            kind,
            address,
            case,
            traffic: Arc::clone(traffic),
        })
    });
    try_join_all(each).await
}

async fn connect(kind: Kind, address: SocketAddr) -> Result<Way> {
    if kind == Kind::Grpc {
        return Ok(Way::Rpc(services::client(address).await?));
    }
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(Way::Http(sender))
}

impl Connection {
    /// One call; none when there is nothing left to ask for.
    pub(crate) async fn once(&mut self) -> Result<Option<Answer>> {
        match &mut self.way {
            Way::Http(sender) => {
                let Some(request) = calls::http(&self.traffic, self.case, self.kind)? else {
                    return Ok(None);
                };
                sender.ready().await?;
                let response = sender.send_request(request).await?;
                let (head, body) = response.into_parts();
                let body = body.collect().await?.to_bytes();
                if head.status != calls::expected(self.case, self.kind) {
                    let shown = &body[..body.len().min(SHOWN_BYTES_MAX)];
                    bail!("{}: {}", head.status, String::from_utf8_lossy(shown));
                }
                Ok(Some(Answer {
                    headers: head.headers,
                    bytes: body.len(),
                    body,
                }))
            }
            Way::Rpc(client) => {
                let bytes = calls::rpc(client, &self.traffic, self.case).await?;
                Ok(bytes.map(|bytes| Answer {
                    bytes,
                    ..Answer::default()
                }))
            }
        }
    }

    /// After a failure: the peer may have closed.
    pub(crate) async fn renew(&mut self) -> Result<()> {
        self.way = connect(self.kind, self.address).await?;
        Ok(())
    }
}
