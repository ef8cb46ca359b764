//! Staff view of undelivered mails, and the actions on them.

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
    staff_list_failed_deliveries,
    staff_resend_a_delivery,
    staff_list_and_lift_suppressions,
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
        language: None,
        cause: Cause::Own,
        expire_time: serving.clock.now() + TimeDelta::days(3),
    }
}

/// Mails in each state, in order of creation.
struct Mails {
    sent: Uuid,
    postponed: Uuid,
    failed: Uuid,
    waiting: Uuid,
}

const REFUSED: &str = "the mail server answered 550 (recipient)";

impl Mails {
    async fn on(serving: &Serving, bench: &Bench) -> Self {
        let mut ids = Vec::new();
        for _ in 0..4 {
            serving.pass(TimeDelta::seconds(1));
            let mail = acknowledgement(serving);
            serving.keep(bench, &mail).await;
            ids.push(mail.id);
        }
        let [sent, postponed, failed, waiting] = ids[..] else {
            panic!("four")
        };
        assert!(matches!(serving.take(bench, sent).await, Taken::Mail(_)));
        let over = Ending::Over(mail::store::End::Sent, String::new());
        serving.finish(bench, sent, over).await;
        assert!(matches!(
            serving.take(bench, postponed).await,
            Taken::PutOff(_)
        ));
        let over = Ending::Over(mail::store::End::Failed("refused"), REFUSED.into());
        serving.finish(bench, failed, over).await;
        let released = Ending::Released("the mail server answered 421 (deferred)".into());
        serving.finish(bench, waiting, released).await;
        Self {
            sent,
            postponed,
            failed,
            waiting,
        }
    }
}

/// X2: regression test; 46 mails were waiting and staff could not see them.
async fn staff_list_failed_deliveries(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mails = Mails::on(&serving, &bench).await;
    let ids = |found: &[Delivery]| -> Vec<String> {
        found.iter().map(|delivery| delivery.id.clone()).collect()
    };
    let expected: Vec<String> = [mails.waiting, mails.failed, mails.postponed]
        .map(|id| id.to_string())
        .into();
    for size in [0, 1, 2] {
        assert_eq!(ids(&serving.deliveries("", size).await), expected);
    }
    for (state, id) in [
        ("waiting", mails.waiting),
        ("failed", mails.failed),
        ("postponed", mails.postponed),
    ] {
        let found = serving.deliveries(state, 0).await;
        assert_eq!(ids(&found), [id.to_string()], "{state}");
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
        (found[0].reason.as_str(), found[0].last_error.as_str()),
        ("refused", REFUSED)
    );
    assert_eq!(serving.deliveries("waiting", 0).await[0].attempts, 1);
    assert!(serving.deliveries("expired", 0).await.is_empty());
    // The audit log holds every listed id.
    let shown = format!(
        "SELECT count(*) FROM audit_entries WHERE action = 'delivery.list' AND subject LIKE '%{}%{}%'",
        mails.waiting, mails.failed
    );
    assert!(bench.test.scalar(shown.leak()).await > 0);
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

async fn staff_resend_a_delivery(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mails = Mails::on(&serving, &bench).await;
    let request = |id: &str, scope| {
        let request = ResendDeliveryRequest {
            delivery_id: id.to_owned(),
        };
        serving.staff(scope, request)
    };
    for (id, scope, code) in [
        (
            mails.postponed.to_string(),
            "messages:read",
            Code::PermissionDenied,
        ),
        (mails.sent.to_string(), "messages:write", Code::NotFound),
        ("x".into(), "messages:write", Code::NotFound),
        (
            RandomIds.uuid().to_string(),
            "messages:write",
            Code::NotFound,
        ),
    ] {
        let refused = serving
            .delivery()
            .resend_delivery(request(&id, scope))
            .await;
        assert_eq!(refused.expect_err("refused").code(), code, "{id}");
    }
    for id in [mails.postponed, mails.failed] {
        let again = request(&id.to_string(), "messages:write");
        let resent = serving.delivery().resend_delivery(again).await;
        let resent = resent.expect("resent").into_inner().delivery.expect("one");
        assert_eq!(
            (resent.state.as_str(), resent.reason.as_str()),
            ("waiting", "")
        );
        let due = format!(
            "SELECT count(*) FROM outbox_messages WHERE subject = '{id}' AND delivered_time IS NULL AND dead_time IS NULL"
        );
        assert_eq!(bench.test.scalar(due.leak()).await, 1);
        // Exempt from every limit.
        assert!(matches!(serving.take(&bench, id).await, Taken::Mail(_)));
    }
    serving.pass(TimeDelta::days(4));
    let late = request(&mails.waiting.to_string(), "messages:write");
    let refused = serving.delivery().resend_delivery(late).await;
    assert_eq!(reason(&refused.expect_err("refused")), "DELIVERY_EXPIRED");
    bench.end().await;
}

async fn staff_list_and_lift_suppressions(bench: Bench) {
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
    let lifting = |scope| {
        let request = LiftSuppressionRequest {
            suppression_id: found[0].id.clone(),
        };
        serving.staff(scope, request)
    };
    let refused = serving
        .delivery()
        .lift_suppression(lifting("messages:read"))
        .await;
    assert_eq!(refused.expect_err("refused").code(), Code::PermissionDenied);
    serving
        .delivery()
        .lift_suppression(lifting("messages:write"))
        .await
        .expect("lifted");
    let refused = serving
        .delivery()
        .lift_suppression(lifting("messages:write"))
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
