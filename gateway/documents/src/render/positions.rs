//! Positions in the changes of the API, for browsers.

/// Text form of positions in this process's changes, for browsers: those of another process are not comparable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Positions {
    process: u64,
}

impl Positions {
    pub(crate) fn new(process: u64) -> Self {
        Self { process }
    }

    pub(crate) fn text(self, position: u64) -> String {
        format!("{:016x}-{position}", self.process)
    }

    /// Returns the position of a text, or `None` if it is of another process or malformed.
    pub(crate) fn parse(self, text: &str) -> Option<u64> {
        let (process, position) = text.split_once('-')?;
        let process = u64::from_str_radix(process, 16).ok()?;
        let position = position.parse().ok()?;
        (process == self.process).then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_of_another_process_is_unknown() {
        let positions = Positions::new(0xab);
        let text = positions.text(7);
        assert_eq!(text, "00000000000000ab-7");
        assert_eq!(positions.parse(&text), Some(7));
        assert_eq!(Positions::new(1).parse(&text), None);
        for malformed in ["", "-", "7", "ab", "ab-", "ab-x", "ab--7", "xy-7"] {
            assert_eq!(positions.parse(malformed), None, "{malformed}");
        }
    }
}
