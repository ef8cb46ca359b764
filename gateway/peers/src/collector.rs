//! A collector that takes every span and counts it, on a thread of its own.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener as StdListener},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use anyhow::Result;
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
    trace_service_server::{TraceService, TraceServiceServer},
};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status, transport::Server};

#[derive(Debug, Clone, Default)]
struct Count(Arc<AtomicU64>);

#[tonic::async_trait]
impl TraceService for Count {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let resources = request.into_inner().resource_spans;
        let scopes = resources.iter().flat_map(|resource| &resource.scope_spans);
        let spans: usize = scopes.map(|scope| scope.spans.len()).sum();
        self.0.fetch_add(spans as u64, Ordering::Relaxed);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

#[derive(Debug)]
pub(crate) struct Collector {
    address: SocketAddr,
    count: Count,
}

impl Collector {
    /// Takes spans until the bench ends.
    pub(crate) fn start() -> Result<Self> {
        let listener = StdListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let count = Count::default();
        let service = TraceServiceServer::new(count.clone());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        thread::spawn(move || {
            let served = runtime.block_on(async {
                let incoming = TcpListenerStream::new(TcpListener::from_std(listener)?);
                let server = Server::builder().add_service(service);
                anyhow::Ok(server.serve_with_incoming(incoming).await?)
            });
            if let Err(error) = served {
                eprintln!("the collector of spans has ended: {error:#}");
            }
        });
        Ok(Self { address, count })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn spans(&self) -> u64 {
        self.count.0.load(Ordering::Relaxed)
    }
}
