//! Compresses bodies: inline if that takes a fraction of a millisecond, else on a bounded number of threads.

use std::{
    io::Write as _,
    num::NonZeroUsize,
    sync::{Arc, LazyLock},
    thread,
};

use axum::http::{HeaderMap, HeaderValue};
use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use gateway_http::request::etag::Suffix;
use tokio::sync::Semaphore;

use super::coding::Accepted;

/// Smallest body that is compressed, in bytes. Compressing a smaller one would not save a packet.
pub(crate) const BYTES_MIN: usize = 1024;
/// Largest body that is compressed inline, in bytes; only with [`Effort::Fast`].
const ON_THE_SPOT_BYTES_MAX: usize = 64 * 1024;
/// Brotli windows in bits, at least twice the largest body of their size class. If the window only just holds the body,
/// this encoder picks tables that take ten times as long. Each extra bit doubles the allocation, which is 2 and 8 MiB
/// at the best effort.
const BROTLI_WINDOW_SMALL: i32 = 18;
const BROTLI_WINDOW: i32 = 20;
const SMALL_BYTES_MAX: usize = 128 * 1024;
/// Limits concurrent compressions to one per processor. More would only take turns, and each thread of the blocking
/// pool holds memory.
static THREADS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Arc::new(Semaphore::new(processors.get()))
});

/// How hard to compress.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effort {
    /// For bodies sent once or a few times. 23 KiB of JSON takes about 70 µs with gzip (1.7 KiB left) or 90 µs with
    /// brotli (0.7 KiB left).
    Fast,
    /// For bodies that a client waits for and others will request. A document of 62 KiB takes about a millisecond.
    Quick,
    /// For bodies that are sent repeatedly; runs in the background. A document of 62 KiB takes about 80 ms.
    Best,
}

impl Effort {
    fn gzip_level(self) -> Compression {
        match self {
            Self::Fast => Compression::new(4),
            Self::Quick => Compression::new(6),
            Self::Best => Compression::best(),
        }
    }

    fn brotli_quality(self) -> i32 {
        match self {
            Self::Fast => 4,
            Self::Quick => 5,
            Self::Best => 11,
        }
    }

    /// Whether compression takes a fraction of a millisecond and may run inline.
    pub(crate) fn is_on_the_spot(self, bytes: usize) -> bool {
        self == Self::Fast && bytes <= ON_THE_SPOT_BYTES_MAX
    }
}

/// Runs `compress` inline if that is fast for a body of this size, else on a blocking thread. Returns `None` if it
/// panicked there.
pub async fn run<T: Send + 'static>(
    bytes: usize,
    effort: Effort,
    compress: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    if bytes < BYTES_MIN || effort.is_on_the_spot(bytes) {
        return Some(compress());
    }
    // The semaphore is never closed.
    let turn = Arc::clone(&THREADS).acquire_owned().await.ok()?;
    let work = move || {
        let done = compress();
        drop(turn);
        done
    };
    tokio::task::spawn_blocking(work).await.ok()
}

/// A compressed body.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The body.
    pub bytes: Bytes,
    /// `Content-Encoding`.
    pub coding: HeaderValue,
    /// Suffix of its entity tag.
    pub suffix: Suffix,
}

/// Compresses a body that is sent once, in the coding that its request prefers. Returns `None` if the plain body should
/// be sent.
pub async fn once(body: &Bytes, request: &HeaderMap) -> Option<Packed> {
    let accepted = Accepted::of(request);
    let is_brotli = accepted.brotli();
    if !is_brotli && !accepted.gzip() {
        return None;
    }
    let plain = body.clone();
    let work = move || {
        if is_brotli {
            brotli(&plain, Effort::Fast)
        } else {
            gzip(&plain, Effort::Fast)
        }
    };
    let bytes = run(body.len(), Effort::Fast, work).await.flatten()?;
    let (coding, suffix) = if is_brotli {
        ("br", Suffix::Brotli)
    } else {
        ("gzip", Suffix::Gzip)
    };
    Some(Packed {
        bytes,
        coding: HeaderValue::from_static(coding),
        suffix,
    })
}

/// Returns `None` if the body is below 1 KiB or does not get smaller.
pub fn gzip(bytes: &[u8], effort: Effort) -> Option<Bytes> {
    if bytes.len() < BYTES_MIN {
        return None;
    }
    let buffer = Vec::with_capacity(bytes.len() / 3);
    let mut encoder = GzEncoder::new(buffer, effort.gzip_level());
    encoder.write_all(bytes).ok()?;
    smaller(encoder.finish().ok()?, bytes)
}

/// Returns `None` if the body is below 1 KiB or does not get smaller.
pub fn brotli(bytes: &[u8], effort: Effort) -> Option<Bytes> {
    if bytes.len() < BYTES_MIN {
        return None;
    }
    let params = BrotliEncoderParams {
        quality: effort.brotli_quality(),
        lgwin: if bytes.len() <= SMALL_BYTES_MAX {
            BROTLI_WINDOW_SMALL
        } else {
            BROTLI_WINDOW
        },
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut output = Vec::with_capacity(bytes.len() / 3);
    brotli::BrotliCompress(&mut &bytes[..], &mut output, &params).ok()?;
    smaller(output, bytes)
}

fn smaller(mut packed: Vec<u8>, bytes: &[u8]) -> Option<Bytes> {
    if packed.len() >= bytes.len() {
        return None;
    }
    // The result may stay in the cache for hours.
    packed.shrink_to_fit();
    Some(packed.into())
}
