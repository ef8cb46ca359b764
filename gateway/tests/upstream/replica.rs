//! One replica of a service: it can be stopped gracefully, killed, and started again.

use std::{
    net::SocketAddr,
    sync::{Arc, atomic::Ordering},
};

use prost_reflect::DescriptorPool;
use tokio::{
    net::TcpListener,
    runtime::{Builder, Runtime},
    sync::oneshot,
    task::JoinHandle,
};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;

use crate::{
    announcer::Announcer,
    library::{LibraryService, Seen},
};

/// A real gRPC server on a separate runtime, so that killing it also ends its connections.
pub(crate) struct Replica {
    pub(crate) address: SocketAddr,
    pub(crate) seen: Arc<Seen>,
    pub(crate) announcer: Announcer,
    service: LibraryService,
    running: Option<Running>,
}

struct Running {
    runtime: Runtime,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Replica {
    pub(crate) async fn start(pool: &DescriptorPool) -> Self {
        Self::start_at(pool, "127.0.0.1:0".parse().unwrap()).await
    }

    pub(crate) async fn start_at(pool: &DescriptorPool, address: SocketAddr) -> Self {
        let (service, seen) = LibraryService::new(pool);
        let mut replica = Self {
            address,
            seen,
            announcer: Announcer::new(),
            service,
            running: None,
        };
        replica.start_again().await;
        replica
    }

    pub(crate) async fn start_again(&mut self) {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let (service, announcer) = (self.service.clone(), self.announcer.service());
        let (stop, stopped) = oneshot::channel::<()>();
        let wanted = self.address;
        let (bound, is_bound) = oneshot::channel();
        let server = runtime.spawn(async move {
            let listener = TcpListener::bind(wanted).await.unwrap();
            bound.send(listener.local_addr().unwrap()).unwrap();
            Server::builder()
                .add_service(service)
                .add_service(announcer)
                .serve_with_incoming_shutdown(TcpListenerStream::new(listener), async {
                    // The end of a test drops the sender, which stops the server too.
                    stopped.await.ok();
                })
                .await
                .unwrap();
        });
        self.address = is_bound.await.unwrap();
        self.running = Some(Running {
            runtime,
            stop,
            server,
        });
    }

    /// Stops gracefully: finishes open calls, then ends.
    pub(crate) async fn stop(&mut self) {
        let running = self.running.take().expect("it runs");
        running.stop.send(()).expect("it runs");
        // Change streams do not end on their own.
        self.announcer.hang_up("1");
        running.server.await.unwrap();
        running.runtime.shutdown_background();
    }

    /// Stops at once, abandoning open calls.
    pub(crate) fn kill(&mut self) {
        if let Some(running) = self.running.take() {
            running.runtime.shutdown_background();
        }
    }

    pub(crate) fn calls(&self) -> usize {
        self.seen.calls.load(Ordering::SeqCst)
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns the flag for a service at these addresses. Its metrics carry `name`, because all tests of a process share
/// the metrics.
pub(crate) fn upstream(name: &str, addresses: &[SocketAddr]) -> String {
    let addresses: Vec<_> = addresses.iter().map(|a| format!("http://{a}")).collect();
    let addresses = addresses.join(";");
    format!("{name}={addresses},library.v1={addresses}")
}
