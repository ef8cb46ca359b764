//! Contains no code: its manifest gives third-party crates one feature set, whichever package is built.
