//! What is asked for.

/// A kind of call, and what stands between the caller and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// A list of a kilobyte that the gateway has kept, as a browser asks.
    CachedJson,
    /// A whole page that the gateway has kept, in brotli.
    CachedPage,
    /// One appointment by its patient: never kept.
    Small,
    /// Ten days of a department's times, 16 KB; every call for other days, so that no answer is kept.
    Availability,
    /// The same as a browser asks for it: compressed.
    AvailabilityGzip,
    /// A booking: a person and a seat of its own each.
    Create,
}

impl Case {
    pub(crate) const ALL: [Self; 6] = [
        Self::CachedJson,
        Self::CachedPage,
        Self::Small,
        Self::Availability,
        Self::AvailabilityGzip,
        Self::Create,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::CachedJson => "cached-json",
            Self::CachedPage => "cached-page",
            Self::Small => "small",
            Self::Availability => "availability",
            Self::AvailabilityGzip => "availability-gzip",
            Self::Create => "create",
        }
    }

    /// What the caller understands.
    pub(crate) fn accept_encoding(self) -> Option<&'static str> {
        match self {
            Self::CachedJson | Self::CachedPage => Some("gzip, deflate, br, zstd"),
            // No brotli: what a browser sends to a site without TLS, and Envoy has to have a chance.
            Self::AvailabilityGzip => Some("gzip, deflate"),
            Self::Small | Self::Availability | Self::Create => None,
        }
    }
}
