//! What staff see of mails that did not arrive, and what they do about it.

use chrono::TimeDelta;
use hospital_proto::messaging::v1::{
    Delivery, LiftSuppressionRequest, ListDeliveriesRequest, ListSuppressionsRequest,
    ResendDeliveryRequest,
};
use service_kit::source::{Clock as _, Ids as _, RandomIds};
use store_kit::work::{Decision, UnitOfWork};
use svc_messaging::mail::{
    self, Address, Cause, NewMail,
    content::Content,
    store::{Ending, Finish, Take, Taken},
};
use test_kit::on_both_databases;
use tonic::Code;
use uuid::Uuid;

use crate::{
    Bench,
    serving::{Serving, reason, violated},
};

on_both_databases!(test_kit::bench::empty:
    staff_see_what_did_not_arrive_and_send_it_again,
    staff_see_suppressed_addresses_and_lift_them,
);

struct Keep(
    store_kit::keys::Keys,
    NewMail,
    chrono::DateTime<chrono::Utc>,
);

#[async_trait::async_trait]
impl UnitOfWork for Keep {
    type Outcome = ();

    async fn run(
        &self,
        transaction: &mut store_kit::sql::Transaction<'_>,
    ) -> Result<Decision<()>, store_kit::error::StoreError> {
        transaction
            .run(mail::insert(&self.0, &self.1, self.2)?)
            .await?;
        Ok(Decision::Commit(()))
    }
}

impl Serving {
    async fn keep(&self, bench: &Bench, mail: &NewMail) {
        let keep = Keep(bench.keys.clone(), mail.clone(), self.clock.now());
        bench
            .database
            .write("INSERT mails", keep)
            .await
            .expect("kept");
    }

    async fn take(&self, bench: &Bench, id: Uuid) -> Taken {
        let take = Take {
            keys: bench.keys.clone(),
            id,
            now: self.clock.now(),
            lease: TimeDelta::seconds(1),
        };
        bench
            .database
            .write("UPDATE mails", take)
            .await
            .expect("taken")
    }

    async fn finish(&self, bench: &Bench, id: Uuid, ending: Ending) {
        let finish = Finish {
            keys: bench.keys.clone(),
            suppression: RandomIds.uuid(),
            id,
            ending,
            now: self.clock.now(),
        };
        bench
            .database
            .write("UPDATE mails", finish)
            .await
            .expect("noted");
    }

    async fn deliveries(&self, state: &str, size: i32) -> Vec<Delivery> {
        let mut all = Vec::new();
        let mut token = String::new();
        loop {
            let request = ListDeliveriesRequest {
                page_size: size,
                page_token: token,
                state: state.into(),
            };
            let request = self.staff("messages:read", request);
            let page = self.delivery().list_deliveries(request).await;
            let page = page.expect("a page").into_inner();
            all.extend(page.deliveries);
            token = page.next_page_token;
            if token.is_empty() {
                return all;
            }
        }
    }
}

fn acknowledgement(serving: &Serving) -> NewMail {
    NewMail {
        id: RandomIds.uuid(),
        message_id: RandomIds.uuid(),
        subject_id: Some(RandomIds.uuid()),
        to: Address::new("Kamala Rao", "kamala@visitor.example"),
        content: Content::acknowledgement("MS-7K3P-2XQ9"),
        cause: Cause::Own,
        expire_time: serving.clock.now() + TimeDelta::days(3),
    }
}

/// X2: 46 mails waited and nobody could see them.
async fn staff_see_what_did_not_arrive_and_send_it_again(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mails: Vec<NewMail> = (0..4).map(|_| acknowledgement(&serving)).collect();
    for mail in &mails {
        serving.pass(TimeDelta::seconds(1));
        serving.keep(&bench, mail).await;
    }
    let [sent, postponed, failed, waiting] = &mails[..] else {
        panic!("four")
    };
    assert!(matches!(
        serving.take(&bench, sent.id).await,
        Taken::Mail(_)
    ));
    let over = Ending::Over(mail::store::End::Sent, String::new());
    serving.finish(&bench, sent.id, over).await;
    assert!(matches!(
        serving.take(&bench, postponed.id).await,
        Taken::PutOff(_)
    ));
    let refused = "the mail server answered 550 (recipient)".to_owned();
    let over = Ending::Over(mail::store::End::Failed("refused"), refused.clone());
    serving.finish(&bench, failed.id, over).await;
    let released = Ending::Released("the mail server answered 421 (deferred)".into());
    serving.finish(&bench, waiting.id, released).await;
    let ids = |found: &[Delivery]| -> Vec<String> {
        found.iter().map(|delivery| delivery.id.clone()).collect()
    };
    let expected: Vec<String> = [waiting, failed, postponed]
        .map(|mail| mail.id.to_string())
        .into();
    for size in [0, 1, 2] {
        assert_eq!(ids(&serving.deliveries("", size).await), expected);
    }
    for (state, mail) in [
        ("waiting", waiting),
        ("failed", failed),
        ("postponed", postponed),
    ] {
        let found = serving.deliveries(state, 0).await;
        assert_eq!(ids(&found), [mail.id.to_string()], "{state}");
        assert_eq!(found[0].state, state);
        assert_eq!(
            (
                found[0].recipient_name.as_str(),
                found[0].recipient.as_str()
            ),
            ("Kamala Rao", "kamala@visitor.example")
        );
        assert_eq!(found[0].postponed_until.is_some(), state == "postponed");
        assert_eq!(found[0].kind, "message.acknowledged");
    }
    let found = serving.deliveries("failed", 0).await;
    assert_eq!(
        (found[0].reason.as_str(), &found[0].last_error),
        ("refused", &refused)
    );
    assert_eq!(serving.deliveries("waiting", 0).await[0].attempts, 1);
    assert!(serving.deliveries("expired", 0).await.is_empty());
    // Every id that was shown is in the audit log.
    let shown = format!(
        "SELECT count(*) FROM audit_entries WHERE action = 'delivery.list' AND detail LIKE '%{}%{}%'",
        waiting.id, failed.id
    );
    assert!(bench.test.scalar(shown.leak()).await > 0);

    let resend = |id: &str, scope| {
        let request = ResendDeliveryRequest {
            delivery_id: id.to_owned(),
        };
        serving.staff(scope, request)
    };
    for (id, scope, code) in [
        (
            postponed.id.to_string(),
            "messages:read",
            Code::PermissionDenied,
        ),
        (sent.id.to_string(), "messages:write", Code::NotFound),
        ("x".into(), "messages:write", Code::NotFound),
        (
            RandomIds.uuid().to_string(),
            "messages:write",
            Code::NotFound,
        ),
    ] {
        let refused = serving.delivery().resend_delivery(resend(&id, scope)).await;
        assert_eq!(refused.expect_err("refused").code(), code, "{id}");
    }
    for mail in [postponed, failed] {
        let request = resend(&mail.id.to_string(), "messages:write");
        let resent = serving.delivery().resend_delivery(request).await;
        let resent = resent.expect("resent").into_inner().delivery.expect("one");
        assert_eq!(
            (resent.state.as_str(), resent.reason.as_str()),
            ("waiting", "")
        );
        let due = format!(
            "SELECT count(*) FROM outbox_messages WHERE subject = '{}' AND delivered_time IS NULL AND dead_time IS NULL",
            mail.id
        );
        assert_eq!(bench.test.scalar(due.leak()).await, 1);
        // Outside of every cap.
        assert!(matches!(
            serving.take(&bench, mail.id).await,
            Taken::Mail(_)
        ));
    }
    serving.pass(TimeDelta::days(4));
    let request = resend(&waiting.id.to_string(), "messages:write");
    let refused = serving.delivery().resend_delivery(request).await;
    assert_eq!(reason(&refused.expect_err("refused")), "DELIVERY_EXPIRED");
    let wrong = ListDeliveriesRequest {
        page_size: -1,
        page_token: "x".into(),
        state: "lost".into(),
    };
    let refused = serving
        .delivery()
        .list_deliveries(serving.staff("messages:read", wrong))
        .await;
    assert_eq!(
        violated(&refused.expect_err("refused")),
        ["pageSize", "pageToken", "state"]
    );
    bench.end().await;
}

async fn staff_see_suppressed_addresses_and_lift_them(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let gone = acknowledgement(&serving);
    serving.keep(&bench, &gone).await;
    let answer = "the mail server answered 550 5.1.1 (recipient)".to_owned();
    serving
        .finish(&bench, gone.id, Ending::NoRecipient(answer.clone()))
        .await;
    let list = || serving.staff("messages:read", ListSuppressionsRequest::default());
    let found = serving.delivery().list_suppressions(list()).await;
    let found = found.expect("a page").into_inner().suppressions;
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].email.as_str(), &found[0].reason),
        ("kamala@visitor.example", &answer)
    );
    let again = acknowledgement(&serving);
    serving.keep(&bench, &again).await;
    assert!(matches!(
        serving.take(&bench, again.id).await,
        Taken::Suppressed(_)
    ));
    let lift = |scope| {
        let request = LiftSuppressionRequest {
            suppression_id: found[0].id.clone(),
        };
        serving.staff(scope, request)
    };
    let refused = serving
        .delivery()
        .lift_suppression(lift("messages:read"))
        .await;
    assert_eq!(refused.expect_err("refused").code(), Code::PermissionDenied);
    serving
        .delivery()
        .lift_suppression(lift("messages:write"))
        .await
        .expect("lifted");
    let refused = serving
        .delivery()
        .lift_suppression(lift("messages:write"))
        .await;
    assert_eq!(refused.expect_err("refused").code(), Code::NotFound);
    let found = serving.delivery().list_suppressions(list()).await;
    assert!(found.expect("a page").into_inner().suppressions.is_empty());
    serving.pass(TimeDelta::hours(2));
    assert!(matches!(
        serving.take(&bench, again.id).await,
        Taken::Mail(_)
    ));
    let lifted = "SELECT count(*) FROM audit_entries WHERE action = 'suppression.lifted'";
    assert_eq!(bench.test.scalar(lifted).await, 1);
    bench.end().await;
}
