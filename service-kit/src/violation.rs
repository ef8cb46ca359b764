//! One broken rule of an input, named by the field it is about.

/// What is wrong with one field, in words for the person who typed it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// JSON path of the field, for example `personalInfo.age`.
    pub field: String,
    /// What to do about it.
    pub description: String,
}

impl Violation {
    /// A violation of `field`.
    pub fn new(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            description: description.into(),
        }
    }
}
