//! The mailboxes of the proof's persons: receives the service's notices and keeps the last link of each reference.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use hospital_proto::messaging::v1::{
    ForgetNoticesRequest, ForgetNoticesResponse, SendNoticeRequest, SendNoticeResponse,
    notice_service_server::{NoticeService, NoticeServiceServer},
    send_notice_request::Notice,
};
use tokio::{net::TcpListener, task::JoinHandle};
use tonic::{Request, Response, Status, transport::server::TcpIncoming};

use crate::Result;

/// Secrets of mailed links by reference.
#[derive(Clone, Debug, Default)]
pub struct Mailbox(Arc<Mutex<HashMap<String, String>>>);

/// A running server of the mailboxes; stops when dropped.
#[derive(Debug)]
pub struct Post {
    pub url: String,
    server: JoinHandle<()>,
}

impl Drop for Post {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Mailbox {
    /// Starts to receive on a free port.
    pub async fn open(&self) -> Result<Post> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let service = NoticeServiceServer::new(self.clone());
        let server = tonic::transport::Server::builder().add_service(service);
        let incoming = TcpIncoming::from(listener);
        let server = tokio::spawn(async move {
            // The server ends when its task is aborted.
            drop(server.serve_with_incoming(incoming).await);
        });
        Ok(Post { url, server })
    }

    /// Returns the secret of the last link mailed for a reference.
    pub fn secret(&self, reference: &str) -> Option<String> {
        let links = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        links.get(reference).cloned()
    }
}

#[tonic::async_trait]
impl NoticeService for Mailbox {
    async fn send_notice(
        &self,
        request: Request<SendNoticeRequest>,
    ) -> Result<Response<SendNoticeResponse>, Status> {
        let link = match request.into_inner().notice {
            Some(Notice::Appointment(notice)) => notice.manage_url,
            Some(Notice::Waitlist(notice)) => notice.offer_url,
            _ => String::new(),
        };
        // `…#SH-7K3M-9QXD.<secret>`
        let named = link
            .split_once('#')
            .and_then(|(_, link)| link.split_once('.'));
        if let Some((reference, secret)) = named {
            let mut links = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            links.insert(reference.to_owned(), secret.to_owned());
        }
        Ok(Response::new(SendNoticeResponse {}))
    }

    async fn forget_notices(
        &self,
        _: Request<ForgetNoticesRequest>,
    ) -> Result<Response<ForgetNoticesResponse>, Status> {
        Ok(Response::new(ForgetNoticesResponse { notices: 0 }))
    }
}
