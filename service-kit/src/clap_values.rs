//! Parsers for command line values that are limits, so that a bad one fails before a port is bound.

/// A number of milliseconds from 1 to 600,000 (ten minutes).
///
/// # Errors
/// Names the allowed range when the text is not such a number.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    bounded(text, 1, 600_000, "milliseconds")
}

/// A count from 1 to 1,000,000.
///
/// # Errors
/// Names the allowed range when the text is not such a number.
pub fn count(text: &str) -> Result<usize, String> {
    bounded(text, 1, 1_000_000, "a count").map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

fn bounded(text: &str, min: u64, max: u64, what: &str) -> Result<u64, String> {
    text.parse::<u64>()
        .ok()
        .filter(|n| (min..=max).contains(n))
        .ok_or_else(|| format!("expected {what} from {min} to {max}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_out_of_range_and_names_the_range() {
        assert_eq!(milliseconds("250"), Ok(250));
        assert!(milliseconds("0").unwrap_err().contains("1 to 600000"));
        assert!(count("many").unwrap_err().contains("1 to 1000000"));
    }
}
