//! Times, durations and field masks: strings in JSON, messages in protobuf.

use prost::Message as _;
use prost_types::{Duration, Timestamp};

use super::{
    protobuf::{Broken, Reader, WireType, put_bytes, put_tag},
    text,
};

/// 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds of Unix time.
const TIMESTAMP_S: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
/// Maximum duration in seconds, some 10,000 years.
const DURATION_S_MAX: u64 = 315_576_000_000;
const NANOS_PER_S: u32 = 1_000_000_000;
const DAY_S: i64 = 86_400;

const OUT_OF_RANGE: Broken = Broken("a time or duration is out of range");
const NO_FIELD_NAME: Broken = Broken("a field mask names an unknown field");

/// Writes a time as RFC 3339 in UTC.
pub(super) fn write_timestamp(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Broken> {
    let (seconds, nanos) = seconds_and_nanos(bytes)?;
    if !TIMESTAMP_S.contains(&seconds) {
        return Err(OUT_OF_RANGE);
    }
    match u32::try_from(nanos) {
        Ok(nanos @ 0..NANOS_PER_S) => text::quoted(out, |out| utc(seconds, nanos, out)),
        // Not normalised: rare, and never sent by this project's services.
        _ => text::displayed(&Timestamp { seconds, nanos }, out),
    }
    Ok(())
}

/// Writes a duration as seconds with `s`.
pub(super) fn write_duration(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Broken> {
    let (seconds, nanos) = seconds_and_nanos(bytes)?;
    let duration = Duration { seconds, nanos };
    if !is_duration(&duration) {
        return Err(OUT_OF_RANGE);
    }
    text::displayed(&duration, out);
    Ok(())
}

/// Writes the paths in camelCase, separated by commas.
pub(super) fn write_field_mask(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Broken> {
    let mut reader = Reader::new(bytes);
    let mut paths = String::new();
    while let Some(tag) = reader.tag()? {
        match (tag.number, tag.wire_type) {
            (1, WireType::Length) => {
                if !paths.is_empty() {
                    paths.push(',');
                }
                camel_case(reader.text()?, &mut paths).ok_or(NO_FIELD_NAME)?;
            }
            (1, _) => return Err(Broken("a field has another wire type")),
            _ => reader.skip(tag)?,
        }
    }
    text::string(&paths, out);
    Ok(())
}

/// Converts an RFC 3339 text to a message.
pub(super) fn read_timestamp(text: &str) -> Option<Vec<u8>> {
    let timestamp: Timestamp = is_rfc3339(text.as_bytes()).then(|| text.parse().ok())??;
    TIMESTAMP_S.contains(&timestamp.seconds).then_some(())?;
    Some(timestamp.encode_to_vec())
}

/// Converts a text such as `1.5s` to a message.
pub(super) fn read_duration(text: &str) -> Option<Vec<u8>> {
    let duration: Duration = text.parse().ok()?;
    is_duration(&duration).then(|| duration.encode_to_vec())
}

/// Converts paths in camelCase, separated by commas, to a message.
pub(super) fn read_field_mask(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for path in text.split(',').filter(|path| !path.is_empty()) {
        let mut name = String::with_capacity(path.len());
        for character in path.chars() {
            match character {
                '_' => return None,
                'A'..='Z' => name.extend(['_', character.to_ascii_lowercase()]),
                _ => name.push(character),
            }
        }
        put_tag(1, WireType::Length, &mut out);
        put_bytes(name.as_bytes(), &mut out);
    }
    Some(out)
}

fn is_duration(duration: &Duration) -> bool {
    duration.seconds.unsigned_abs() <= DURATION_S_MAX && duration.nanos.unsigned_abs() < NANOS_PER_S
}

fn seconds_and_nanos(bytes: &[u8]) -> Result<(i64, i32), Broken> {
    let mut reader = Reader::new(bytes);
    let (mut seconds, mut nanos) = (0, 0);
    while let Some(tag) = reader.tag()? {
        match (tag.number, tag.wire_type) {
            (1, WireType::Varint) => seconds = reader.varint()?.cast_signed(),
            (2, WireType::Varint) => {
                nanos = super::protobuf::low_bits(reader.varint()?).cast_signed();
            }
            (1 | 2, _) => return Err(Broken("a field has another wire type")),
            _ => reader.skip(tag)?,
        }
    }
    Ok((seconds, nanos))
}

/// Writes a time in UTC: civil from days, as in Howard Hinnant's `chrono-Compatible Low-Level Date Algorithms`.
fn utc(seconds: i64, nanos: u32, out: &mut Vec<u8>) {
    let days = seconds.div_euclid(DAY_S) + 719_468;
    let second = seconds.rem_euclid(DAY_S).unsigned_abs();
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = (year_of_era + era * 400 + i64::from(month <= 2)).unsigned_abs();
    two_digits(year / 100, out);
    two_digits(year % 100, out);
    for (before, value) in [
        (b'-', month.unsigned_abs()),
        (b'-', day.unsigned_abs()),
        (b'T', second / 3_600),
        (b':', second / 60 % 60),
        (b':', second % 60),
    ] {
        out.push(before);
        two_digits(value, out);
    }
    if nanos > 0 {
        // Milli-, micro- or nanoseconds.
        let (fraction, digits) = match nanos {
            _ if nanos.is_multiple_of(1_000_000) => (nanos / 1_000_000, 3),
            _ if nanos.is_multiple_of(1_000) => (nanos / 1_000, 6),
            _ => (nanos, 9),
        };
        out.push(b'.');
        text::padded(fraction.into(), digits, out);
    }
    out.push(b'Z');
}

/// Appends two digits; `value` must be below 100.
fn two_digits(value: u64, out: &mut Vec<u8>) {
    let [value, ..] = value.to_le_bytes();
    out.extend([b'0' + value / 10, b'0' + value % 10]);
}

/// Converts a path to camelCase. Returns `None` if the way back to snake_case would lead elsewhere.
fn camel_case(path: &str, out: &mut String) -> Option<()> {
    let mut raised = false;
    for character in path.chars() {
        // Each part of a dotted path starts afresh.
        match character {
            '.' => {
                raised = false;
                out.push('.');
            }
            'A'..='Z' => return None,
            _ if raised => {
                character.is_ascii_lowercase().then_some(())?;
                out.push(character.to_ascii_uppercase());
                raised = false;
            }
            '_' => raised = true,
            _ => out.push(character),
        }
    }
    Some(())
}

/// Whether a text is RFC 3339 with `T` and `Z` in capitals. Does not check that the day exists.
fn is_rfc3339(text: &[u8]) -> bool {
    fn matches<'t>(text: &'t [u8], pattern: &[u8]) -> Option<&'t [u8]> {
        let (start, rest) = text.split_at_checked(pattern.len())?;
        let fits = start.iter().zip(pattern).all(|(byte, wanted)| {
            if *wanted == b'0' {
                byte.is_ascii_digit()
            } else {
                byte == wanted
            }
        });
        fits.then_some(rest)
    }
    let Some(mut rest) = matches(text, b"0000-00-00T00:00:00") else {
        return false;
    };
    if let [b'.', fraction @ ..] = rest {
        let digits = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return false;
        }
        rest = &fraction[digits..];
    }
    match rest {
        [b'Z'] => true,
        [b'+' | b'-', offset @ ..] => matches(offset, b"00:00").is_some_and(<[u8]>::is_empty),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(seconds: i64, nanos: i32) -> String {
        let bytes = Timestamp { seconds, nanos }.encode_to_vec();
        let mut out = Vec::new();
        write_timestamp(&bytes, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn writes_times_like_prost() {
        let mut seconds = *TIMESTAMP_S.start();
        while seconds <= *TIMESTAMP_S.end() {
            for nanos in [0, 1, 120_000_000, 7_000, -1, 1_500_000_000] {
                let expected = format!("\"{}\"", Timestamp { seconds, nanos });
                assert_eq!(shown(seconds, nanos), expected);
            }
            // A prime, so that every hour, day and month occurs.
            seconds += 9_999_991;
        }
        assert_eq!(shown(*TIMESTAMP_S.end(), 0), "\"9999-12-31T23:59:59Z\"");
    }

    #[test]
    fn accepts_only_rfc_3339_times() {
        for good in [
            "1972-06-30T23:59:60Z",
            "2019-03-26T14:00:00.9Z",
            "2019-03-26T14:00:00.4999+10:00",
        ] {
            assert!(read_timestamp(good).is_some(), "{good}");
        }
        for bad in [
            "2019-03-26t14:00:00Z",
            "2019-03-26T14:00:00z",
            "2019-03-26T14:00:00,9Z",
            "2019-03-26T14:00:00.Z",
            "2019-03-26T10:00:00-04",
            "2019-02-30T10:00:00Z",
            "2019-03-26",
            "2019-03-26T14:00:00",
            "20190326T1400Z",
            "0000-12-31T23:59:59Z",
            "9999-12-31T23:59:59-00:01",
            "",
            "é019-03-26T14:00:00Z",
        ] {
            assert!(read_timestamp(bad).is_none(), "{bad}");
        }
    }
}
