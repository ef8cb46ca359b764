//! A real gRPC service, with a test contract that makes its health an API resource.

use std::{fs, net::SocketAddr};

use prost_reflect::DescriptorPool;
use tokio::{
    net::TcpListener,
    sync::{Mutex, oneshot},
    task::JoinHandle,
};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic_health::{ServingStatus, server::HealthReporter};

use crate::{
    announcer::Announcer,
    ledger::{self, Ledger},
};

/// `grpc.health.v1` with added routes: a read for page data and a write for forms.
const CONTRACT: &str = r#"
syntax = "proto3";
package grpc.health.v1;
import "google/api/annotations.proto";
message HealthCheckRequest { string service = 1; }
message HealthCheckResponse {
  enum ServingStatus { UNKNOWN = 0; SERVING = 1; NOT_SERVING = 2; SERVICE_UNKNOWN = 3; }
  ServingStatus status = 1;
}
service Health {
  rpc Check(HealthCheckRequest) returns (HealthCheckResponse) {
    option (google.api.http) = {
      get: "/health-check"
      additional_bindings { post: "/health-checks" body: "*" }
    };
  }
}
"#;

pub(crate) struct Upstream {
    address: SocketAddr,
    running: Mutex<Option<Running>>,
    pub(crate) announcer: Announcer,
    /// Stored entries; they survive a stop.
    pub(crate) ledger: Ledger,
}

struct Running {
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
    reporter: HealthReporter,
}

impl Upstream {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("bound");
        let (announcer, ledger) = (Announcer::new(), Ledger::default());
        let running = serve(listener, &announcer, &ledger, true).await;
        Self {
            address,
            running: Mutex::new(Some(running)),
            announcer,
            ledger,
        }
    }

    /// Changes the reported status without announcing a change.
    pub(crate) async fn set_serving(&self, is_serving: bool) {
        let running = self.running.lock().await;
        report(&running.as_ref().expect("it runs").reporter, is_serving).await;
    }

    /// Returns the gateway's `--upstream` flag for this service.
    pub(crate) fn flag(&self) -> String {
        let address = self.address;
        format!("--upstream=grpc.health.v1=http://{address},ledger.v1=http://{address}")
    }

    pub(crate) async fn stop(&self) {
        if let Some(running) = self.running.lock().await.take() {
            running.stop.send(()).expect("it runs");
            self.announcer.hang_up("4");
            running.server.await.expect("it ends");
        }
    }

    pub(crate) async fn restart(&self) {
        self.restart_as(true).await;
    }

    /// Restarts with this status.
    pub(crate) async fn restart_as(&self, is_serving: bool) {
        let listener = TcpListener::bind(self.address)
            .await
            .expect("its port is free again");
        let running = serve(listener, &self.announcer, &self.ledger, is_serving).await;
        *self.running.lock().await = Some(running);
    }
}

async fn report(reporter: &HealthReporter, is_serving: bool) {
    let status = if is_serving {
        ServingStatus::Serving
    } else {
        ServingStatus::NotServing
    };
    reporter.set_service_status("", status).await;
}

async fn serve(
    listener: TcpListener,
    announcer: &Announcer,
    ledger: &Ledger,
    is_serving: bool,
) -> Running {
    let (reporter, health) = tonic_health::server::health_reporter();
    report(&reporter, is_serving).await;
    let (stop, stopped) = oneshot::channel::<()>();
    let (announcing, keeping) = (announcer.service(), ledger.service(&contracts()));
    let server = tokio::spawn(async move {
        let incoming = TcpListenerStream::new(listener);
        let stopped = async {
            // A test that ends without stopping the service drops the sender, which stops it too.
            drop(stopped.await);
        };
        Server::builder()
            .add_service(health)
            .add_service(announcing)
            .add_service(keeping)
            .serve_with_incoming_shutdown(incoming, stopped)
            .await
            .expect("it serves");
    });
    Running {
        stop,
        server,
        reporter,
    }
}

pub(crate) fn contracts() -> DescriptorPool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("health.proto"), CONTRACT).expect("writable");
    fs::write(folder.path().join("ledger.proto"), ledger::CONTRACT).expect("writable");
    let proto = concat!(env!("CARGO_MANIFEST_DIR"), "/../proto");
    let mut compiler = protox::Compiler::new([folder.path().to_str().expect("UTF-8"), proto])
        .expect("include paths");
    compiler.include_imports(true);
    for file in ["health.proto", "ledger.proto"] {
        compiler.open_file(file).expect("compiles");
    }
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).expect("descriptors")
}
