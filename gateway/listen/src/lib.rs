//! Sockets: accepts connections, with limits on their number and on the time of each stage.

#![warn(missing_docs)]

mod activity;
mod answer_body;
mod body;
mod config;
mod connections;
mod exchange;
mod flow;
mod head_guard;
mod metrics;
mod proxy_protocol;
mod redirect;
mod slots;
mod sockets;
mod stream;
mod tls;

pub use self::{
    config::ListenConfig,
    connections::Connections,
    redirect::Redirect,
    sockets::{BindError, Listeners},
};
