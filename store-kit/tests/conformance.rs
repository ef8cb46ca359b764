//! What the kit promises, on both databases.
