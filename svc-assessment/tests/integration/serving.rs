//! The whole service on a free port, with valid staff tokens and a clock set by the test.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hospital_proto::assessment::v1::{
    Assessment, CopingStrategies, CreateAssessmentRequest, DiabetesRisk, IndianMeasures,
    PersonalInfo, StressEvaluation, assessment_service_client::AssessmentServiceClient,
};
use service_kit::{server::ServerConfig, source::FixedClock};
use store_kit::process::{self, Service as _};
use svc_assessment::{Arguments, Assessments};
use test_kit::issuer::Issuer;
use tokio::{
    net::TcpListener,
    sync::{oneshot, watch},
    task::JoinHandle,
};
use tonic::{Request, transport::Channel};

use crate::Bench;

pub(crate) const READ: &str = "assessments:read";

pub(crate) fn at(moment: &str) -> DateTime<Utc> {
    moment.parse().expect("a moment")
}

pub(crate) struct Serving {
    pub(crate) client: AssessmentServiceClient<Channel>,
    pub(crate) clock: Arc<FixedClock>,
    issuer: Issuer,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Serving {
    pub(crate) async fn start(bench: &Bench, now: DateTime<Utc>) -> Self {
        let issuer = Issuer::new();
        let clock = Arc::new(FixedClock::new(now));
        let (stopper, stopping) = watch::channel(false);
        let context = bench.context(Arc::clone(&clock), stopping);
        let arguments = Arguments {
            auth: issuer.config(),
            ..Arguments::default()
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, is_over) = oneshot::channel();
        let served = Assessments::start(&arguments, &context)
            .await
            .expect("a service");
        let served = tokio::spawn(async move {
            let shutdown = async move { drop(is_over.await) };
            let config = ServerConfig::default();
            process::serve(served, &context, stopper, &config, listener, shutdown)
                .await
                .expect("served");
        });
        let client = AssessmentServiceClient::connect(format!("http://{address}")).await;
        Self {
            client: client.expect("the server listens"),
            clock,
            issuer,
            stop,
            served,
        }
    }

    /// Builds a request with a token that has the scope.
    pub(crate) fn staff<T>(&self, scope: &str, message: T) -> Request<T> {
        self.issuer.request(scope, message)
    }

    /// Stops gracefully, which closes the database.
    pub(crate) async fn stop(self) {
        drop(self.client);
        self.stop.send(()).expect("the server runs");
        self.served.await.expect("stopped");
    }
}

/// Returns a request with consent, in which every answer has a different value.
pub(crate) fn answered(request_id: &str) -> CreateAssessmentRequest {
    CreateAssessmentRequest {
        request_id: request_id.to_owned(),
        assessment: Some(Assessment {
            personal_info: Some(PersonalInfo {
                age: Some(52),
                gender: "female".to_owned(),
                height: Some(163.5),
                weight: Some(83.25),
            }),
            diabetes_risk: Some(DiabetesRisk {
                family_history: "yes".to_owned(),
                blood_pressure: "normal".to_owned(),
                activity_level: "low".to_owned(),
                waist_circumference: String::new(),
            }),
            stress_evaluation: Some(StressEvaluation {
                sleep_hours: Some(5.25),
                sleep_quality: "poor".to_owned(),
                work_stress: "moderate".to_owned(),
                relationships: String::new(),
            }),
            coping_strategies: Some(CopingStrategies {
                strategies: vec!["Healthy diet".to_owned()],
            }),
            indian_measures: Some(IndianMeasures {
                waist: Some(92.5),
                activity: "either".to_owned(),
                parents: "one".to_owned(),
            }),
            consent: true,
            ..Assessment::default()
        }),
    }
}

/// Returns the same request without consent and request id.
pub(crate) fn without_consent() -> CreateAssessmentRequest {
    let assessment = answered("").assessment.map(|answered| Assessment {
        consent: false,
        ..answered
    });
    CreateAssessmentRequest {
        request_id: String::new(),
        assessment,
    }
}
