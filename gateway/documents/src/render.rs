//! Renders pages in QuickJS and composes documents of them.

pub(crate) mod builtin;
pub(crate) mod compose;
pub(crate) mod composed;
pub(crate) mod data;
pub(crate) mod directory;
pub(crate) mod document;
pub(crate) mod emergency_phone;
pub(crate) mod engine;
mod layout;
pub(crate) mod links;
pub(crate) mod message;
pub(crate) mod pool;
pub(crate) mod positions;
pub(crate) mod show;
pub(crate) mod staff;
