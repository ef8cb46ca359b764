//! A fake messaging service that keeps every notice.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use hospital_proto::messaging::v1::{
    AppointmentNotice, CodeNotice, ConsultationNotice, ForgetNoticesRequest, ForgetNoticesResponse,
    SendNoticeRequest, SendNoticeResponse, WaitlistNotice,
    notice_service_server::{NoticeService, NoticeServiceServer},
    send_notice_request::Notice,
};
use tokio::net::TcpListener;
use tonic::{Request, Response, Status, transport::server::TcpIncoming};

/// Timeout for a mail.
const WAIT_MAX: Duration = Duration::from_secs(20);

#[derive(Clone, Debug, Default)]
pub(crate) struct Mailbox {
    mails: Arc<Mutex<Vec<SendNoticeRequest>>>,
    /// Number of refused calls while it is unavailable; `None` while it is available.
    refused: Arc<Mutex<Option<usize>>>,
}

impl Mailbox {
    /// Receives on a free port until the runtime ends; returns its URL.
    pub(crate) async fn open(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let service = NoticeServiceServer::new(self.clone());
        let server = tonic::transport::Server::builder().add_service(service);
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        url
    }

    /// Returns all received notices, in order.
    pub(crate) fn all(&self) -> Vec<SendNoticeRequest> {
        self.mails.lock().expect("no panic").clone()
    }

    /// Refuses every notice as unavailable.
    pub(crate) fn go_away(&self) {
        *self.refused.lock().expect("no panic") = Some(0);
    }

    /// Accepts notices again after it has refused `calls` of them.
    pub(crate) async fn come_back_after(&self, calls: usize) {
        let refused = async {
            while (*self.refused.lock().expect("no panic")).is_some_and(|count| count < calls) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let refused = tokio::time::timeout(WAIT_MAX, refused).await;
        refused.expect("a delivery is attempted");
        *self.refused.lock().expect("no panic") = None;
    }

    /// Waits for a matching mail.
    async fn find<T>(&self, fits: impl Fn(&SendNoticeRequest) -> Option<T>) -> T {
        let found = async {
            loop {
                if let Some(found) = self.all().iter().rev().find_map(&fits) {
                    return found;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let found = tokio::time::timeout(WAIT_MAX, found).await;
        found.expect("the mail comes")
    }

    /// Waits for the last mail of this event about an appointment.
    pub(crate) async fn about(
        &self,
        reference: &str,
        event: hospital_proto::messaging::v1::AppointmentEvent,
    ) -> (SendNoticeRequest, AppointmentNotice) {
        self.find(|mail| match &mail.notice {
            Some(Notice::Appointment(notice))
                if notice.reference == reference && notice.event() == event =>
            {
                Some((mail.clone(), notice.clone()))
            }
            _ => None,
        })
        .await
    }

    /// Waits for the last mail of this event about a waitlist entry.
    pub(crate) async fn about_entry(
        &self,
        reference: &str,
        event: hospital_proto::messaging::v1::WaitlistEvent,
    ) -> (SendNoticeRequest, WaitlistNotice) {
        self.find(|mail| match &mail.notice {
            Some(Notice::Waitlist(notice))
                if notice.reference == reference && notice.event() == event =>
            {
                Some((mail.clone(), notice.clone()))
            }
            _ => None,
        })
        .await
    }

    /// Waits for the last mail of this event about a consultation.
    pub(crate) async fn about_consultation(
        &self,
        reference: &str,
        event: hospital_proto::messaging::v1::ConsultationEvent,
    ) -> (SendNoticeRequest, ConsultationNotice) {
        self.find(|mail| match &mail.notice {
            Some(Notice::Consultation(notice))
                if notice.reference == reference && notice.event() == event =>
            {
                Some((mail.clone(), notice.clone()))
            }
            _ => None,
        })
        .await
    }

    /// Waits until `count` codes about an appointment have been mailed, and returns them.
    pub(crate) async fn codes(
        &self,
        reference: &str,
        count: usize,
    ) -> Vec<(SendNoticeRequest, CodeNotice)> {
        self.find(|_| {
            let all = self.all();
            let codes: Vec<_> = all
                .iter()
                .filter_map(|mail| match &mail.notice {
                    Some(Notice::Code(notice)) if notice.reference == reference => {
                        Some((mail.clone(), notice.clone()))
                    }
                    _ => None,
                })
                .collect();
            (codes.len() >= count).then_some(codes)
        })
        .await
    }
}

/// Returns the secret at the end of a link.
pub(crate) fn secret_in(link: &str) -> String {
    let (_, secret) = link.rsplit_once('.').expect("a link");
    assert_eq!(secret.len(), 43, "{link}");
    secret.to_owned()
}

#[tonic::async_trait]
impl NoticeService for Mailbox {
    async fn send_notice(
        &self,
        request: Request<SendNoticeRequest>,
    ) -> Result<Response<SendNoticeResponse>, Status> {
        if let Some(count) = &mut *self.refused.lock().expect("no panic") {
            *count += 1;
            return Err(Status::unavailable("away"));
        }
        let mut mails = self.mails.lock().expect("no panic");
        mails.push(request.into_inner());
        Ok(Response::new(SendNoticeResponse {}))
    }

    async fn forget_notices(
        &self,
        _: Request<ForgetNoticesRequest>,
    ) -> Result<Response<ForgetNoticesResponse>, Status> {
        Ok(Response::new(ForgetNoticesResponse { notices: 0 }))
    }
}
