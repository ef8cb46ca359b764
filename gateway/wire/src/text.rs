//! Scalars in JSON, appended to bytes: the same bytes as `serde_json` and `prost-reflect` write.

use std::io::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Appends a string in quotes. Text that needs no escape is copied in runs.
pub(super) fn string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut start = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.extend_from_slice(&bytes[start..at]);
        start = at + 1;
        let short = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            0x0c => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => {
                out.extend_from_slice(b"\\u00");
                out.extend([byte >> 4, byte & 15].map(|digit| HEX[usize::from(digit)]));
                continue;
            }
        };
        out.extend([b'\\', short]);
    }
    out.extend_from_slice(&bytes[start..]);
    out.push(b'"');
}

pub(super) fn unsigned(mut value: u64, out: &mut Vec<u8>) {
    let mut digits = [0_u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        let [digit, ..] = (value % 10).to_le_bytes();
        digits[at] = b'0' + digit;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

pub(super) fn signed(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    unsigned(value.unsigned_abs(), out);
}

/// Appends at least `width` digits, with leading zeros.
pub(super) fn padded(value: u64, width: usize, out: &mut Vec<u8>) {
    let start = out.len();
    unsigned(value, out);
    let missing = width.saturating_sub(out.len() - start);
    out.splice(start..start, std::iter::repeat_n(b'0', missing));
}

pub(super) fn quoted(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'"');
    write(out);
    out.push(b'"');
}

pub(super) fn boolean(value: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

/// Appends a finite number as the shortest text that reads as the same; others by their names.
pub(super) fn double(value: f64, out: &mut Vec<u8>) {
    if value.is_finite() {
        shortest(&value, out);
    } else {
        not_finite(value, out);
    }
}

pub(super) fn float(value: f32, out: &mut Vec<u8>) {
    if value.is_finite() {
        shortest(&value, out);
    } else {
        not_finite(value.into(), out);
    }
}

fn shortest(value: &impl serde::Serialize, out: &mut Vec<u8>) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        // Writing a number into memory cannot fail.
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

fn not_finite(value: f64, out: &mut Vec<u8>) {
    out.extend_from_slice(if value.is_nan() {
        b"\"NaN\""
    } else if value > 0.0 {
        b"\"Infinity\""
    } else {
        b"\"-Infinity\""
    });
}

pub(super) fn base64(value: &[u8], out: &mut Vec<u8>) {
    quoted(out, |out| {
        let start = out.len();
        out.resize(start + value.len().div_ceil(3) * 4, 0);
        // The buffer has exactly the required size.
        let written = STANDARD.encode_slice(value, &mut out[start..]);
        out.truncate(start + written.unwrap_or_default());
    });
}

/// Appends a displayed value in quotes. It must not contain characters that JSON escapes.
pub(super) fn displayed(value: &impl std::fmt::Display, out: &mut Vec<u8>) {
    quoted(out, |out| {
        let start = out.len();
        if write!(out, "{value}").is_err() {
            // Writing into memory cannot fail.
            out.truncate(start);
        }
    });
}
