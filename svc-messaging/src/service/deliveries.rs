//! Staff RPCs for mails that did not reach their recipient.

use std::sync::Arc;

use hospital_proto::messaging::v1::{
    LiftSuppressionRequest, LiftSuppressionResponse, ListDeliveriesRequest, ListDeliveriesResponse,
    ListSuppressionsRequest, ListSuppressionsResponse, ResendDeliveryRequest,
    ResendDeliveryResponse, delivery_service_server::DeliveryService,
};
use service_kit::status::{invalid_argument, with_reason};
use tonic::{Code, Request, Response, Status};

use super::{
    changes::{DELIVERIES, SUPPRESSIONS},
    inbox::{READ, WRITE},
};
use crate::{Parts, mail::store::NotResent, wire::deliveries as wire};

/// Serves `hospital.messaging.v1.DeliveryService`.
#[derive(Debug)]
pub struct DeliveryRpcs(pub Arc<Parts>);

#[tonic::async_trait]
impl DeliveryService for DeliveryRpcs {
    async fn list_deliveries(
        &self,
        request: Request<ListDeliveriesRequest>,
    ) -> Result<Response<ListDeliveriesResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, READ)?;
        let ListDeliveriesRequest {
            page_size,
            page_token,
            state,
        } = request.into_inner();
        let page = wire::page(page_size, &page_token, &state)
            .map_err(|violations| invalid_argument(&violations))?;
        let now = parts.now();
        let (found, more) = parts
            .store
            .deliveries(page.state, page.after, page.size, &caller.subject, now)
            .await?;
        let last = found.last().filter(|_| more);
        Ok(Response::new(ListDeliveriesResponse {
            next_page_token: last
                .map(|last| wire::page_token(last.create_time, last.id))
                .unwrap_or_default(),
            deliveries: found.iter().map(wire::delivery).collect(),
        }))
    }

    async fn resend_delivery(
        &self,
        request: Request<ResendDeliveryRequest>,
    ) -> Result<Response<ResendDeliveryResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, WRITE)?;
        let id = request.get_ref().delivery_id.parse();
        let id = id.map_err(|_| no_delivery())?;
        let (message_id, now) = (parts.ids.uuid(), parts.now());
        let resent = parts
            .store
            .resend_delivery(id, message_id, &caller.subject, now)
            .await?;
        match resent {
            Ok(delivery) => {
                parts.seen.publish([DELIVERIES]);
                Ok(Response::new(ResendDeliveryResponse {
                    delivery: Some(wire::delivery(&delivery)),
                }))
            }
            Err(NotResent::Unknown) => Err(no_delivery()),
            Err(NotResent::Expired) => Err(with_reason(
                Code::FailedPrecondition,
                "DELIVERY_EXPIRED",
                "This is of no use any more, so it is not sent.",
            )),
        }
    }

    async fn list_suppressions(
        &self,
        request: Request<ListSuppressionsRequest>,
    ) -> Result<Response<ListSuppressionsResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, READ)?;
        let ListSuppressionsRequest {
            page_size,
            page_token,
        } = request.into_inner();
        let page = wire::page(page_size, &page_token, "")
            .map_err(|violations| invalid_argument(&violations))?;
        let now = parts.now();
        let (found, more) = parts
            .store
            .suppressions(page.after, page.size, &caller.subject, now)
            .await?;
        let last = found.last().filter(|_| more);
        Ok(Response::new(ListSuppressionsResponse {
            next_page_token: last
                .map(|last| wire::page_token(last.create_time, last.id))
                .unwrap_or_default(),
            suppressions: found.iter().map(wire::suppression).collect(),
        }))
    }

    async fn lift_suppression(
        &self,
        request: Request<LiftSuppressionRequest>,
    ) -> Result<Response<LiftSuppressionResponse>, Status> {
        let parts = &*self.0;
        let caller = parts.staff(&request, WRITE)?;
        let id = request.get_ref().suppression_id.parse();
        let id = id.map_err(|_| no_suppression())?;
        let lifted = parts
            .store
            .lift_suppression(id, &caller.subject, parts.now())
            .await?;
        if lifted {
            parts.seen.publish([SUPPRESSIONS]);
            Ok(Response::new(LiftSuppressionResponse {}))
        } else {
            Err(no_suppression())
        }
    }
}

fn no_delivery() -> Status {
    with_reason(
        Code::NotFound,
        "NOT_FOUND",
        "There is no delivery of this id that was not sent.",
    )
}

fn no_suppression() -> Status {
    with_reason(
        Code::NotFound,
        "NOT_FOUND",
        "There is no suppression of this id.",
    )
}
