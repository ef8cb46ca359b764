//! Metrics of the certificates of this process: reloads, and when those in use expire.

use std::sync::OnceLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};
use tokio_rustls::rustls::pki_types::CertificateDer;
use x509_parser::prelude::{FromDer as _, X509Certificate};

use super::with_registry;

/// Counts of changed certificate files, and the expiry of the certificates in use.
#[derive(Clone, Debug, Default)]
pub struct CertificateMetrics {
    /// Reloads of a changed certificate.
    pub read: Counter,
    /// Changed files without a usable certificate.
    pub refused: Counter,
    expiry: Family<Labels, Gauge>,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq, EncodeLabelSet)]
struct Labels {
    setting: String,
}

impl CertificateMetrics {
    /// Returns the metrics of the process, registered at the first call.
    pub fn global() -> &'static Self {
        static METRICS: OnceLock<CertificateMetrics> = OnceLock::new();
        METRICS.get_or_init(|| {
            let metrics = Self::default();
            with_registry(|registry| {
                registry.register(
                    "tls_certificates_read",
                    "Reloads of a changed certificate",
                    metrics.read.clone(),
                );
                registry.register(
                    "tls_certificates_refused",
                    "Changed certificate files without a usable certificate; the previous one stays in use",
                    metrics.refused.clone(),
                );
                registry.register(
                    "tls_certificate_expiry_timestamp_seconds",
                    "Unix time at which the first certificate of the chain in use expires, by the setting of its file",
                    metrics.expiry.clone(),
                );
            });
            metrics
        })
    }

    /// Sets the expiry of the chain in use: that of its certificate that expires first.
    pub fn set_expiry(&self, setting: &str, chain: &[CertificateDer<'_>]) {
        let expiries = chain.iter().map(|certificate| {
            let (_, parsed) = X509Certificate::from_der(certificate)?;
            Ok(parsed.validity().not_after.timestamp())
        });
        let earliest = expiries.collect::<Result<Vec<_>, x509_parser::nom::Err<_>>>();
        match earliest.map(|all| all.into_iter().min()) {
            Ok(Some(expiry)) => {
                let labels = Labels {
                    setting: setting.to_owned(),
                };
                self.expiry.get_or_create(&labels).set(expiry);
            }
            Ok(None) => {}
            // rustls accepted the chain, so only its expiry is unknown.
            Err(error) => {
                tracing::error!(%error, setting, "the expiry of a certificate is unknown");
            }
        }
    }
}
