//! Mutual TLS between the gateway and services, as deployed: the services' own server, with test authorities.

use std::{net::SocketAddr, path::PathBuf};

use clap::Parser as _;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use service_kit::{
    health::Readiness,
    server::{ServerConfig, Service},
};
use tokio::{net::TcpListener, sync::oneshot};
use tonic::service::Routes;

use crate::{
    contract::pool,
    gateway_under_test::{GatewayUnderTest, eventually},
    library::LibraryService,
};

const READ: &str = "/api/shelves/a/books/1";

#[derive(Debug, clap::Parser)]
struct CommandLine {
    #[command(flatten)]
    server: ServerConfig,
}

struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut parameters = CertificateParams::default();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self(CertifiedIssuer::self_signed(parameters, key).unwrap())
    }
}

/// Files of both sides, and the service's own server.
struct Mutual {
    folder: tempfile::TempDir,
    services: Authority,
    callers: Authority,
    address: SocketAddr,
    _stop: oneshot::Sender<()>,
}

impl Mutual {
    /// Starts the service with a certificate for `name`.
    async fn start(name: &str) -> Self {
        let (services, callers) = (Authority::new(), Authority::new());
        let folder = tempfile::tempdir().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mutual = Self {
            folder,
            services,
            callers,
            address: listener.local_addr().unwrap(),
            _stop: stop,
        };
        mutual.certify("service", &mutual.services, name);
        mutual.trust("services.pem", &mutual.services);
        mutual.trust("callers.pem", &mutual.callers);
        let path = |name: &str| mutual.path(name).into_os_string().into_string().unwrap();
        let config = CommandLine::try_parse_from([
            "svc-test".to_owned(),
            format!("--tls-certificate={}", path("service.pem")),
            format!("--tls-key={}", path("service.key")),
            format!("--tls-client-ca={}", path("callers.pem")),
        ]);
        let config = config.unwrap().server;
        let (library, _seen) = LibraryService::new(&pool());
        tokio::spawn(async move {
            let service = Service {
                listener,
                routes: Routes::new(library),
                readiness: Readiness::new(),
                descriptor_set: tonic_health::pb::FILE_DESCRIPTOR_SET,
                names: &[],
            };
            let stopped = async {
                // An error means that the test has ended.
                stopped.await.ok();
            };
            service_kit::server::serve(service, &config, stopped)
                .await
                .unwrap();
        });
        mutual
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn trust(&self, file: &str, authority: &Authority) {
        std::fs::write(self.path(file), authority.0.pem()).unwrap();
    }

    fn certify(&self, file: &str, authority: &Authority, name: &str) {
        let key = KeyPair::generate().unwrap();
        let parameters = CertificateParams::new([name.to_owned()]).unwrap();
        let certificate = parameters.signed_by(&key, &authority.0).unwrap();
        // The key is written first, because a real replacement of the pair is not atomic either.
        std::fs::write(self.path(&format!("{file}.key")), key.serialize_pem()).unwrap();
        std::fs::write(self.path(&format!("{file}.pem")), certificate.pem()).unwrap();
    }

    /// Starts a gateway that trusts `services.pem`, and presents `gateway.pem` if `is_known`.
    async fn gateway(&self, is_known: bool, more: &[&str]) -> GatewayUnderTest {
        let path = |name: &str| self.path(name).into_os_string().into_string().unwrap();
        let mut flags = vec![format!("--upstream-ca={}", path("services.pem"))];
        if is_known {
            flags.push(format!("--upstream-certificate={}", path("gateway.pem")));
            flags.push(format!("--upstream-key={}", path("gateway.key")));
        }
        flags.extend(more.iter().map(|flag| (*flag).to_owned()));
        let flags: Vec<_> = flags.iter().map(String::as_str).collect();
        let upstream = format!("library.v1=https://localhost:{}", self.address.port());
        GatewayUnderTest::start_before(pool(), &upstream, &flags).await
    }
}

#[tokio::test]
async fn service_accepts_a_gateway_with_a_certificate() {
    let mutual = Mutual::start("localhost").await;
    mutual.certify("gateway", &mutual.callers, "gateway");
    let gateway = mutual.gateway(true, &[]).await;
    assert_eq!(gateway.get(READ).await.status, 200);
}

#[tokio::test]
async fn service_refuses_a_gateway_without_a_certificate() {
    let mutual = Mutual::start("localhost").await;
    let gateway = mutual.gateway(false, &[]).await;
    gateway.get(READ).await.problem(503);
}

#[tokio::test]
async fn does_not_call_a_service_of_another_authority() {
    let mutual = Mutual::start("localhost").await;
    mutual.certify("gateway", &mutual.callers, "gateway");
    mutual.trust("services.pem", &Authority::new());
    let gateway = mutual.gateway(true, &[]).await;
    gateway.get(READ).await.problem(503);
}

#[tokio::test]
async fn requires_the_called_or_the_configured_name() {
    let mutual = Mutual::start("svc-library").await;
    mutual.certify("gateway", &mutual.callers, "gateway");
    let gateway = mutual.gateway(true, &[]).await;
    gateway.get(READ).await.problem(503);
    let gateway = mutual
        .gateway(true, &["--upstream-server-name=svc-library"])
        .await;
    assert_eq!(gateway.get(READ).await.status, 200);
}

#[tokio::test]
async fn reloads_replaced_files_without_a_restart() {
    let mutual = Mutual::start("localhost").await;
    mutual.certify("gateway", &Authority::new(), "gateway");
    let gateway = mutual.gateway(true, &[]).await;
    gateway.get(READ).await.problem(503);
    mutual.certify("gateway", &mutual.callers, "gateway");
    eventually("the new certificate", async || {
        gateway.get(READ).await.status == 200
    })
    .await;
}

#[tokio::test]
async fn https_without_an_authority_does_not_start() {
    let upstream = "library.v1=https://localhost:1";
    let gateway = GatewayUnderTest::start_before(pool(), upstream, &[]).await;
    let error = gateway.stop().await.unwrap_err();
    assert!(error.to_string().contains("UPSTREAM_CA"), "{error}");
}
