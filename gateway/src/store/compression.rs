//! Compresses bodies: on the spot where that is a fraction of a millisecond, else on a bounded number of threads.

use std::{
    io::Write as _,
    num::NonZeroUsize,
    sync::{Arc, LazyLock},
    thread,
};

use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use tokio::sync::Semaphore;

/// Smaller bodies are not compressed: that would not save a packet.
pub(crate) const BYTES_MIN: usize = 1024;
/// Bodies up to this size are compressed where they are when the effort is [`Effort::Fast`].
const ON_THE_SPOT_BYTES_MAX: usize = 64 * 1024;
/// Two to this many bytes: at least twice the largest body of a kind. A window that just holds a body makes this encoder choose tables with
/// which it takes ten times as long. Each bit more doubles what it allocates, which is 2 and 8 MiB at the best effort.
const BROTLI_WINDOW_SMALL: i32 = 18;
const BROTLI_WINDOW: i32 = 20;
const SMALL_BYTES_MAX: usize = 128 * 1024;
/// Threads that compress at the same time at most: one per processor. More would only take turns, and each thread of the
/// blocking pool keeps memory of its own.
static THREADS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Arc::new(Semaphore::new(processors.get()))
});

/// How hard to compress.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Effort {
    /// Some 70 µs (gzip) to 90 µs (brotli) for 23 KiB of JSON, of which 1.7 and 0.7 KiB are left: sent once, or to few.
    Fast,
    /// About a millisecond for a document of 62 KiB: somebody waits for it, and others will ask for it.
    Quick,
    /// Some 80 ms for a document of 62 KiB: done in the background for what is sent again and again.
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

    /// Whether it takes a fraction of a millisecond, so that it may be done where it is needed.
    pub(crate) fn is_on_the_spot(self, bytes: usize) -> bool {
        self == Self::Fast && bytes <= ON_THE_SPOT_BYTES_MAX
    }
}

/// Runs `compress` for a body of this size where that is right. `None` if it panicked.
pub(crate) async fn run<T: Send + 'static>(
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

/// `None` when it becomes no smaller.
pub(crate) fn gzip(bytes: &[u8], effort: Effort) -> Option<Bytes> {
    if bytes.len() < BYTES_MIN {
        return None;
    }
    let buffer = Vec::with_capacity(bytes.len() / 3);
    let mut encoder = GzEncoder::new(buffer, effort.gzip_level());
    encoder.write_all(bytes).ok()?;
    smaller(encoder.finish().ok()?, bytes)
}

/// `None` when it becomes no smaller.
pub(crate) fn brotli(bytes: &[u8], effort: Effort) -> Option<Bytes> {
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
    // It may be kept for hours.
    packed.shrink_to_fit();
    Some(packed.into())
}
