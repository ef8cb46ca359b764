//! Checks the bytes of each HTTP/1.1 request's head for what hyper's parser accepts but must not see. That is line ends
//! without a carriage return, and a repeated `Content-Length`. Other servers on the path read these differently
//! (request smuggling). hyper has no option for either, so the guard corrupts such a head: hyper then answers 400 and
//! closes the connection.
//!
//! Characters that a browser would percent-encode (`<` in a query) are encoded, because hyper refuses them without an
//! explanation.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{activity::Activity, metrics::ListenMetrics};

/// First bytes of an HTTP/2 connection.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Bytes of a line that are kept: enough for the fields that matter.
const LINE_BYTES: usize = 48;
/// Occurs in no valid head; hyper's parser refuses it at any position.
const SPOILT: u8 = 0;
const CONTENT_LENGTH: &[u8] = b"content-length:";
const TRANSFER_ENCODING: &[u8] = b"transfer-encoding:";

/// A connection whose HTTP/1.1 heads are checked as they are read.
#[derive(Debug)]
pub(super) struct HeadGuard<S> {
    stream: S,
    activity: Arc<Activity>,
    scan: Scan,
    /// Checked bytes that are not passed on yet, because encoding made them too many for the reader's buffer.
    pending: Bytes,
}

/// Position in the requests of a connection, and the state of the current one.
#[derive(Debug)]
struct Scan {
    at: At,
    /// Number of bytes of [`PREFACE`] received; `None` after any other byte.
    preface: Option<usize>,
    line: Line,
    length: Option<u64>,
    /// No request follows on this connection, because the body has chunks or a length that hyper refuses.
    is_last: bool,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum At {
    /// Method, target and version.
    RequestLine,
    Fields,
    /// Number of body bytes that are left.
    Body(u64),
    /// Nothing further is checked.
    Unchecked,
}

/// The current line of a head.
#[derive(Debug)]
struct Line {
    start: [u8; LINE_BYTES],
    length: usize,
    last: u8,
    spaces: usize,
}

impl Line {
    const EMPTY: Self = Self {
        start: [0; LINE_BYTES],
        length: 0,
        last: 0,
        spaces: 0,
    };

    fn add(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.last() else { return };
        self.last = *last;
        let from = self.length.min(LINE_BYTES);
        let kept = bytes.len().min(LINE_BYTES - from);
        self.start[from..from + kept].copy_from_slice(&bytes[..kept]);
        self.length += bytes.len();
    }

    fn is_field(&self, name: &[u8]) -> bool {
        let start = self.start.get(..name.len().min(self.length));
        start.is_some_and(|start| start.eq_ignore_ascii_case(name))
    }

    /// Returns what follows a field's name; `None` if the line is longer than the kept bytes.
    fn value(&self, name: &[u8]) -> Option<&[u8]> {
        let value = self.start.get(name.len()..self.length);
        value.map(<[u8]>::trim_ascii)
    }
}

impl Scan {
    const START: Self = Self {
        at: At::RequestLine,
        preface: Some(0),
        line: Line::EMPTY,
        length: None,
        is_last: false,
    };

    /// Whether the bytes complete the HTTP/2 preface.
    fn is_http2(&mut self, bytes: &[u8]) -> bool {
        let Some(come) = self.preface else {
            return false;
        };
        let left = &PREFACE[come..];
        let both = left.len().min(bytes.len());
        self.preface = (bytes[..both] == left[..both]).then_some(come + both);
        self.preface == Some(PREFACE.len())
    }

    /// Checks the next bytes, and corrupts a head that must not pass. Returns the index of the first byte that must be
    /// encoded. Bytes after it are not checked yet.
    fn check(&mut self, bytes: &mut [u8]) -> Option<usize> {
        let mut from = 0;
        while from < bytes.len() {
            match self.at {
                At::Unchecked => break,
                At::Body(left) => {
                    let here = usize::try_from(left).unwrap_or(usize::MAX);
                    let here = here.min(bytes.len() - from);
                    from += here;
                    self.at = match left - here as u64 {
                        0 => At::RequestLine,
                        left => At::Body(left),
                    };
                }
                At::RequestLine | At::Fields => {
                    let end = bytes[from..].iter().position(|byte| *byte == b'\n');
                    let end = end.map_or(bytes.len(), |end| from + end);
                    let part = &bytes[from..end];
                    if let Some(at) = self.find_unencoded(part) {
                        self.line.add(&part[..=at]);
                        return Some(from + at);
                    }
                    self.line.add(part);
                    let Some(line_feed) = bytes.get_mut(end) else {
                        break;
                    };
                    if !self.end_line() {
                        ListenMetrics::global().malformed.inc();
                        *line_feed = SPOILT;
                        self.at = At::Unchecked;
                    }
                    self.line = Line::EMPTY;
                    from = end + 1;
                }
            }
        }
        None
    }

    /// Returns the index of the first byte of the request target that browsers would encode.
    fn find_unencoded(&mut self, part: &[u8]) -> Option<usize> {
        if self.at != At::RequestLine {
            return None;
        }
        part.iter().position(|byte| {
            self.line.spaces += usize::from(*byte == b' ');
            self.line.spaces == 1 && matches!(byte, b'<' | b'>' | b'"' | b'`')
        })
    }

    /// Processes the line that ends here. Returns false if the head must not pass.
    fn end_line(&mut self) -> bool {
        if self.line.last != b'\r' {
            return false;
        }
        let is_empty = self.line.length == 1;
        match self.at {
            At::Fields if is_empty => self.end_head(),
            At::Fields if self.line.is_field(CONTENT_LENGTH) => {
                let Some(value) = self.line.value(CONTENT_LENGTH) else {
                    return false;
                };
                if self.length.is_some() || value.contains(&b',') {
                    return false;
                }
                let is_number = value.iter().all(u8::is_ascii_digit);
                let text = str::from_utf8(value).ok().filter(|_| is_number);
                let length = text.and_then(|text| text.parse().ok());
                self.is_last |= length.is_none();
                self.length = length.or(Some(0));
            }
            At::Fields => self.is_last |= self.line.is_field(TRANSFER_ENCODING),
            // Empty lines before a request are allowed.
            _ if is_empty => {}
            _ => self.at = At::Fields,
        }
        true
    }

    fn end_head(&mut self) {
        self.at = match self.length.take() {
            _ if self.is_last => At::Unchecked,
            None | Some(0) => At::RequestLine,
            Some(length) => At::Body(length),
        };
    }
}

impl<S> HeadGuard<S> {
    pub(super) fn new(stream: S, activity: Arc<Activity>) -> Self {
        Self {
            stream,
            activity,
            scan: Scan::START,
            pending: Bytes::new(),
        }
    }

    /// Checks the bytes of `buffer` after its first `before` bytes.
    fn check(&mut self, buffer: &mut ReadBuf<'_>, before: usize) {
        let read = &mut buffer.filled_mut()[before..];
        if self.scan.is_http2(read) {
            self.scan.at = At::Unchecked;
            self.activity.set_http2();
            return;
        }
        if let Some(at) = self.scan.check(read) {
            self.pending = self.encoded(&mut read[at..]);
            buffer.set_filled(before + at);
            self.pass_on(buffer);
        }
    }

    /// Encodes the first byte. Checks the rest, and encodes every byte in it that needs encoding.
    fn encoded(&mut self, mut bytes: &mut [u8]) -> Bytes {
        let mut encoded = BytesMut::with_capacity(bytes.len() + 2);
        while let Some((first, rest)) = bytes.split_first_mut() {
            encoded.extend_from_slice(format!("%{first:02X}").as_bytes());
            let checked = self.scan.check(rest).unwrap_or(rest.len());
            let (passes, left) = rest.split_at_mut(checked);
            encoded.extend_from_slice(passes);
            bytes = left;
        }
        encoded.freeze()
    }

    fn pass_on(&mut self, buffer: &mut ReadBuf<'_>) {
        let bytes = self.pending.len().min(buffer.remaining());
        buffer.put_slice(&self.pending.split_to(bytes));
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for HeadGuard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.pending.is_empty() {
            self.pass_on(buffer);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if self.scan.at != At::Unchecked {
            self.check(buffer, before);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for HeadGuard<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what the guard passes on when the requests arrive in pieces of this many bytes.
    fn passed(bytes: &[u8], piece: usize) -> Vec<u8> {
        let mut scan = Scan::START;
        let mut passed = Vec::new();
        for piece in bytes.chunks(piece) {
            let mut piece = piece.to_vec();
            let mut rest = piece.as_mut_slice();
            while let Some(at) = scan.check(rest) {
                passed.extend_from_slice(&rest[..at]);
                passed.extend_from_slice(format!("%{:02X}", rest[at]).as_bytes());
                rest = &mut rest[at + 1..];
            }
            passed.extend_from_slice(rest);
        }
        passed
    }

    fn check(bytes: &str, expected: &str) {
        for piece in [1, 2, 3, 7, 1000] {
            let found = passed(bytes.as_bytes(), piece);
            let found = String::from_utf8(found).unwrap();
            assert_eq!(found, expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn passes_heads_and_bodies_unchanged() {
        for requests in [
            "GET / HTTP/1.1\r\nhost: a\r\n\r\nGET /b HTTP/1.1\r\n\r\n",
            "\r\n\r\nGET / HTTP/1.1\r\nx: <\"`>\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 12\r\n\r\na\nb\n<>\n\n\n\n\n\nGET /<",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\n\n\r\n0\r\n\r\na\nb\n",
            "POST / HTTP/1.1\r\ncontent-length: +4\r\n\r\na\nb\n",
            "POST / HTTP/1.1\r\ncontent-lengths: 4\r\ncontent-length: 0\r\n\r\nGET / HTTP/1.1\r\n",
        ] {
            check(requests, &requests.replace("GET /<", "GET /%3C"));
        }
    }

    #[test]
    fn spoils_ambiguous_heads() {
        for (request, expected) in [
            ("GET / HTTP/1.1\nhost: a\n\n", "GET / HTTP/1.1\0host: a\n\n"),
            (
                "GET / HTTP/1.1\r\nhost: a\n\r\n",
                "GET / HTTP/1.1\r\nhost: a\0\r\n",
            ),
            (
                "GET / HTTP/1.1\r\nhost: a\r\n\n",
                "GET / HTTP/1.1\r\nhost: a\r\n\0",
            ),
            ("\nGET / HTTP/1.1\r\n", "\0GET / HTTP/1.1\r\n"),
            (
                "POST / HTTP/1.1\r\ncontent-length: 4\r\nCONTENT-LENGTH:4\r\n\r\n",
                "POST / HTTP/1.1\r\ncontent-length: 4\r\nCONTENT-LENGTH:4\r\0\r\n",
            ),
            (
                "POST / HTTP/1.1\r\ncontent-length: 4, 4\r\n\r\n",
                "POST / HTTP/1.1\r\ncontent-length: 4, 4\r\0\r\n",
            ),
        ] {
            check(request, expected);
        }
        let long = format!("POST / HTTP/1.1\r\ncontent-length: {}4\r", "0".repeat(60));
        check(&format!("{long}\n\r\n"), &format!("{long}\0\r\n"));
    }

    #[test]
    fn encodes_targets_only_as_browsers_do() {
        check(
            "GET /a`?q=<b>\" HTTP/1.1\r\nx: <\r\n\r\n",
            "GET /a%60?q=%3Cb%3E%22 HTTP/1.1\r\nx: <\r\n\r\n",
        );
        check("G<T / HTTP/1.1<\r\n", "G<T / HTTP/1.1<\r\n");
    }

    #[test]
    fn recognises_a_fragmented_http2_preface() {
        for piece in [1, 5, 24] {
            let mut scan = Scan::START;
            let found: Vec<bool> = PREFACE.chunks(piece).map(|p| scan.is_http2(p)).collect();
            assert_eq!(found.iter().filter(|is| **is).count(), 1);
            assert_eq!(found.last(), Some(&true));
        }
        let mut scan = Scan::START;
        assert!(!scan.is_http2(b"PRI * HTTP/2.0\r\n\r\nGET"));
        assert!(!scan.is_http2(&PREFACE[18..]));
    }
}
