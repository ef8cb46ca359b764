//! What a peer is: how it is called, and which cases it answers.

use crate::case::Case;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Gateway,
    Envoy,
    Nginx,
    Grpc,
}

impl Kind {
    pub(crate) fn answers(self, case: Case) -> bool {
        match self {
            Self::Gateway => true,
            Self::Nginx => matches!(case, Case::CachedJson | Case::CachedPage),
            Self::Envoy => !matches!(case, Case::CachedJson | Case::CachedPage),
            Self::Grpc => matches!(case, Case::Small | Case::Availability | Case::Create),
        }
    }
}
