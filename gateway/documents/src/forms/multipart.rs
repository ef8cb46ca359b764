//! Forms as `multipart/form-data` (RFC 7578), read while they arrive. Mail providers send this for one-click unsubscribe
//! (RFC 8058), and forms of staff for a file.

use std::task::Poll;

use bytes::{Bytes, BytesMut};
use futures::{Stream, StreamExt as _, stream};
use multer::{Constraints, Multipart, SizeLimit};

use super::fields::FIELDS_MAX;

/// Maximum bytes of a file.
const FILE_BYTES_MAX: usize = 20 * 1024 * 1024;
/// Maximum bytes of a form with a file. The rest of a file that is too large is read and dropped: a browser that is cut
/// off while sending shows a broken connection instead of the page with the reason.
const BODY_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Maximum bytes of all text fields.
const TEXT_BYTES_MAX: usize = 64 * 1024;

/// Files that a form may have.
#[derive(Clone, Copy, Debug)]
pub(super) enum FileRule<'a> {
    /// A form with a file is refused.
    Refused,
    /// One file of this name.
    Named(&'a str),
    /// Files are read and dropped, for the text fields.
    Dropped,
}

/// Parts of a form.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) fields: Vec<(String, String)>,
    pub(super) file: Option<Bytes>,
    /// Why the file was not taken.
    pub(super) file_problem: Option<String>,
    text_bytes: usize,
}

/// Reads a form. The error is an HTTP status.
pub(super) async fn read<E: std::error::Error + Send + Sync + 'static>(
    body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin,
    boundary: String,
    rule: FileRule<'_>,
) -> Result<Parts, u16> {
    let limits = Constraints::new().size_limit(SizeLimit::new().whole_stream(BODY_BYTES_MAX));
    let mut form = Multipart::with_constraints(one_at_a_time(body), boundary, limits);
    let mut parts = Parts::default();
    loop {
        match parts.read_next(&mut form, rule).await {
            Ok(true) => {}
            Ok(false) => return Ok(parts),
            // What precedes the file is kept.
            Err(Halt::Reading(multer::Error::StreamSizeExceeded { .. }))
                if parts.file_problem.is_some() =>
            {
                return Ok(parts);
            }
            Err(Halt::Reading(_)) => return Err(400),
            Err(Halt::Status(status)) => return Err(status),
        }
    }
}

/// Why reading ended early.
enum Halt {
    Reading(multer::Error),
    Status(u16),
}

impl From<multer::Error> for Halt {
    fn from(error: multer::Error) -> Self {
        Self::Reading(error)
    }
}

impl Parts {
    /// Reads a part; returns whether there was one.
    async fn read_next(
        &mut self,
        form: &mut Multipart<'_>,
        rule: FileRule<'_>,
    ) -> Result<bool, Halt> {
        let Some(mut part) = form.next_field().await? else {
            return Ok(false);
        };
        let name = part.name().ok_or(Halt::Status(400))?.to_owned();
        if part.file_name().is_some() {
            let is_kept = match rule {
                FileRule::Refused => return Err(Halt::Status(415)),
                FileRule::Named(wanted) if wanted != name => return Err(Halt::Status(415)),
                FileRule::Named(_) if self.file.is_some() || self.file_problem.is_some() => {
                    self.file_problem = Some("Choose one file".to_owned());
                    false
                }
                FileRule::Named(_) => true,
                FileRule::Dropped => false,
            };
            let mut file = BytesMut::new();
            while let Some(chunk) = part.chunk().await? {
                if !is_kept || self.file_problem.is_some() {
                    continue;
                }
                if file.len() + chunk.len() > FILE_BYTES_MAX {
                    let words = format!(
                        "The file is larger than {} MiB. Choose a smaller one",
                        FILE_BYTES_MAX / 1024 / 1024
                    );
                    self.file_problem = Some(words);
                    file = BytesMut::new();
                } else {
                    file.extend_from_slice(&chunk);
                }
            }
            self.file = self.file.take().or(is_kept.then(|| file.freeze()));
            return Ok(true);
        }
        let mut value = Vec::new();
        while let Some(chunk) = part.chunk().await? {
            self.text_bytes += chunk.len();
            if self.text_bytes > TEXT_BYTES_MAX {
                return Err(Halt::Status(413));
            }
            value.extend_from_slice(&chunk);
        }
        let value = String::from_utf8(value).map_err(|_| Halt::Status(400))?;
        self.fields.push((name, value));
        if self.fields.len() > FIELDS_MAX {
            return Err(Halt::Status(400));
        }
        Ok(true)
    }
}

/// Makes the reader handle each chunk before it takes the next one. It would otherwise take as many as have arrived, a
/// whole file, into a buffer of its own.
fn one_at_a_time<S: Stream + Unpin>(mut chunks: S) -> impl Stream<Item = S::Item> {
    let mut has_given = false;
    stream::poll_fn(move |context| {
        if has_given {
            has_given = false;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = chunks.poll_next_unpin(context);
        has_given = matches!(next, Poll::Ready(Some(_)));
        next
    })
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        sync::Arc,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    const CHUNK: usize = 64 * 1024;

    /// A form with a text, a file of so many bytes, and a text.
    fn form(file_name: &str, bytes: usize) -> Vec<Bytes> {
        let head = format!(
            "--b\r\nContent-Disposition: form-data; name=\"alt\"\r\n\r\nA heart\r\n\
             --b\r\nContent-Disposition: form-data; name=\"{file_name}\"; filename=\"a.png\"\r\n\r\n"
        );
        let tail = "\r\n--b\r\nContent-Disposition: form-data; name=\"last\"\r\n\r\n1\r\n--b--\r\n";
        let mut chunks = vec![Bytes::from(head)];
        chunks.extend(std::iter::repeat_n(
            Bytes::from(vec![7; CHUNK]),
            bytes / CHUNK,
        ));
        chunks.push(Bytes::from(vec![7; bytes % CHUNK]));
        chunks.push(Bytes::from(tail));
        chunks
    }

    async fn read_form(chunks: Vec<Bytes>, rule: FileRule<'_>) -> Result<Parts, u16> {
        let body = stream::iter(chunks.into_iter().map(Ok::<_, Infallible>));
        read(body, "b".to_owned(), rule).await
    }

    fn texts(parts: &Parts) -> Vec<(&str, &str)> {
        let fields = parts.fields.iter();
        fields
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    }

    #[tokio::test]
    async fn takes_one_file_of_the_declared_name() {
        let rule = FileRule::Named("picture");
        let parts = read_form(form("picture", FILE_BYTES_MAX), rule)
            .await
            .expect("a form");
        assert_eq!(parts.file.as_ref().map(Bytes::len), Some(FILE_BYTES_MAX));
        assert_eq!(
            (texts(&parts), &parts.file_problem),
            (vec![("alt", "A heart"), ("last", "1")], &None)
        );
        let other = read_form(form("letter", 10), rule).await;
        assert_eq!(other.expect_err("another name"), 415);
        let refused = read_form(form("picture", 10), FileRule::Refused).await;
        assert_eq!(refused.expect_err("no file is declared"), 415);
    }

    #[tokio::test]
    async fn keeps_the_texts_of_a_form_whose_file_is_too_large() {
        let rule = FileRule::Named("picture");
        let parts = read_form(form("picture", FILE_BYTES_MAX + 1), rule)
            .await
            .expect("a form");
        assert_eq!(texts(&parts), [("alt", "A heart"), ("last", "1")]);
        assert!(parts.file.is_some_and(|file| file.is_empty()));
        assert!(parts.file_problem.expect("a reason").contains("20 MiB"));
        let huge = usize::try_from(BODY_BYTES_MAX).expect("a size") + 1;
        let parts = read_form(form("picture", huge), rule)
            .await
            .expect("a form");
        assert_eq!(texts(&parts), [("alt", "A heart")]);
        assert!(parts.file_problem.is_some());
        let dropped = read_form(form("picture", 100_000), FileRule::Dropped).await;
        let dropped = dropped.expect("a form");
        assert_eq!((dropped.fields.len(), dropped.file), (2, None));
    }

    #[tokio::test]
    async fn handles_each_chunk_before_it_takes_the_next() {
        let taken = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&taken);
        let chunks = form("picture", 40 * CHUNK).into_iter();
        let body = stream::iter(chunks.map(move |chunk| {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Infallible>(chunk)
        }));
        let mut form = Multipart::new(one_at_a_time(body), "b");
        form.next_field().await.expect("a form").expect("a text");
        let mut file = form.next_field().await.expect("a form").expect("a file");
        file.chunk().await.expect("a chunk").expect("a chunk");
        assert!(taken.load(Ordering::Relaxed) < 6);
    }
}
