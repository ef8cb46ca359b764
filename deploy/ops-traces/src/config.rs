//! Flags and environment. Everything is checked while parsing, so a bad value fails before a port is bound.

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Parser, ValueEnum};

use crate::scrape::MetricsUrl;
use crate::store::Limits;

/// Traces of a development machine: OTLP in, Jaeger UI out, nothing kept on disk.
#[derive(Debug, Clone, Parser)]
#[command(name = "ops-traces", version)]
pub struct Config {
    /// Address of the Jaeger UI and its query API; loopback only, port 0 takes a free one
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:16686", value_parser = loopback)]
    pub listen: SocketAddr,

    /// Address of the OTLP receiver over gRPC; loopback only, port 0 takes a free one
    #[arg(long, env = "OTLP_GRPC_LISTEN", default_value = "127.0.0.1:4317", value_parser = loopback)]
    pub otlp_grpc_listen: SocketAddr,

    /// Address of the OTLP receiver over HTTP (POST /v1/traces, protobuf or JSON); loopback only, port 0 takes a free one
    #[arg(long, env = "OTLP_HTTP_LISTEN", default_value = "127.0.0.1:4318", value_parser = loopback)]
    pub otlp_http_listen: SocketAddr,

    /// Spans kept in total, 1 to 10,000,000; beyond it the least recently updated traces are evicted
    #[arg(long, env = "SPANS_MAX", default_value = "200000", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub spans_max: u32,

    /// Spans kept per trace, 1 to 1,000,000; further ones are rejected and the trace shows a warning
    #[arg(long, env = "SPANS_PER_TRACE_MAX", default_value = "20000", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub spans_per_trace_max: u32,

    /// Approximate memory for spans, in bytes, 65,536 to 17,179,869,184; beyond it the least recently updated
    /// traces are evicted
    #[arg(long, env = "BYTES_MAX", default_value = "268435456", value_parser = clap::value_parser!(u64).range(65_536..=17_179_869_184))]
    pub bytes_max: u64,

    /// Largest export request in bytes, after decompression, 1,024 to 67,108,864
    #[arg(long, env = "BODY_BYTES_MAX", default_value = "4194304", value_parser = clap::value_parser!(u32).range(1_024..=67_108_864))]
    pub body_bytes_max: u32,

    /// Metrics endpoint of a process to show on /site, as NAME=http://host:port/metrics; repeatable or comma-separated
    #[arg(long = "metrics-url", env = "METRICS_URLS", value_delimiter = ',')]
    pub metrics_urls: Vec<MetricsUrl>,

    /// Time for open requests to finish after SIGTERM, in milliseconds, 0 to 60,000
    #[arg(long, env = "SHUTDOWN_DRAIN_MS_MAX", default_value = "2000", value_parser = clap::value_parser!(u32).range(0..=60_000))]
    pub shutdown_drain_ms_max: u32,

    /// Format of the log lines on stderr; RUST_LOG sets the filter
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t = LogFormat::Human)]
    pub log_format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Human,
    Json,
}

impl Config {
    pub fn limits(&self) -> Limits {
        Limits {
            spans_max: size(self.spans_max),
            spans_per_trace_max: size(self.spans_per_trace_max),
            bytes_max: usize::try_from(self.bytes_max).unwrap_or(usize::MAX),
        }
    }

    pub fn body_bytes_max(&self) -> usize {
        size(self.body_bytes_max)
    }

    pub fn shutdown_drain_max(&self) -> Duration {
        Duration::from_millis(self.shutdown_drain_ms_max.into())
    }
}

/// Saturates: a size that exceeds the machine's range is as good as no limit.
fn size(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Accepts loopback addresses only: there is no login, and traces reveal much about a system.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text
        .parse()
        .map_err(|_| "an IP address and a port are wanted, such as 127.0.0.1:16686".to_owned())?;
    if address.ip().is_loopback() {
        Ok(address)
    } else {
        Err("only loopback addresses (127.0.0.0/8 or [::1]) are allowed: there is no login, so traces must not be readable from the network".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_loopback_addresses() {
        for address in ["127.0.0.1:0", "127.1.2.3:80", "[::1]:4317"] {
            assert!(loopback(address).is_ok(), "{address}");
        }
        for address in [
            "0.0.0.0:16686",
            "192.168.1.2:1",
            "[::]:4317",
            "localhost:1",
            "127.0.0.1",
            "",
        ] {
            assert!(loopback(address).is_err(), "{address}");
        }
    }
}
