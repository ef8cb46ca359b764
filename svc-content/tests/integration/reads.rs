//! Every read over gRPC once; the underlying rules have their own tests.

use hospital_proto::content::v1::{
    GetDoctorRequest, GetEventRequest, GetNewsRequest, GetPageRequest, GetServiceRequest,
    GetSpecialtyRequest, GetSurgeryRequest, ListEventsRequest, ListHealthNewsRequest,
    ListNewsRequest, ListPromosRequest, ListReviewsRequest, ListServicesRequest,
    ListSpecialtiesRequest, ListSurgeriesRequest, PriceRange, SearchRequest,
    content_service_client::ContentServiceClient,
};
use tonic::{Code, transport::Channel};

use crate::service::violated_fields;

type Client = ContentServiceClient<Channel>;

pub(crate) async fn everything(client: &mut Client) {
    people_and_care(client).await;
    specialties_and_surgeries(client).await;
    events_and_news(client).await;
    notices_and_pages(client).await;
    search(client).await;
}

async fn people_and_care(client: &mut Client) {
    let doctor = |doctor: &str| GetDoctorRequest {
        doctor: doctor.to_owned(),
    };
    for name in ["doc-16", "dr-chandrashekar-rao"] {
        let reply = client.get_doctor(doctor(name)).await.expect("a doctor");
        let doctor = reply.into_inner().doctor.expect("a doctor");
        assert_eq!((doctor.id.as_str(), doctor.education.len()), ("doc-16", 3));
    }
    let unknown = client.get_doctor(doctor("doc-17")).await.expect_err("none");
    assert_eq!(unknown.code(), Code::NotFound);

    let services = client
        .list_services(ListServicesRequest::default())
        .await
        .expect("services");
    assert_eq!(services.into_inner().services.len(), 10);
    let service = GetServiceRequest {
        service: "icu".to_owned(),
    };
    let service = client
        .get_service(service)
        .await
        .expect("a service")
        .into_inner()
        .service;
    assert_eq!(service.expect("a service").slug, "icu-intensive-care-unit");
}

async fn specialties_and_surgeries(client: &mut Client) {
    let first = ListSpecialtiesRequest {
        page_size: 20,
        ..ListSpecialtiesRequest::default()
    };
    let first = client
        .list_specialties(first)
        .await
        .expect("specialties")
        .into_inner();
    let second = ListSpecialtiesRequest {
        page_token: first.next_page_token.clone(),
        ..ListSpecialtiesRequest::default()
    };
    let second = client
        .list_specialties(second)
        .await
        .expect("specialties")
        .into_inner();
    assert_eq!((first.specialties.len(), second.specialties.len()), (20, 3));
    let mixed_up = ListSurgeriesRequest {
        page_token: first.next_page_token,
        ..ListSurgeriesRequest::default()
    };
    let mixed_up = client.list_surgeries(mixed_up).await.expect_err("refused");
    assert_eq!(violated_fields(&mixed_up), ["pageToken"]);
    let specialty = GetSpecialtyRequest {
        specialty: "obstetrics-and-gynaecology".to_owned(),
    };
    let specialty = client
        .get_specialty(specialty)
        .await
        .expect("a specialty")
        .into_inner()
        .specialty;
    assert_eq!(specialty.expect("a specialty").slug, "gynecology");

    let surgeries = client
        .list_surgeries(ListSurgeriesRequest::default())
        .await
        .expect("surgeries");
    let surgeries = surgeries.into_inner().surgeries;
    assert_eq!(surgeries.len(), 10);
    let is_priced = |price: Option<PriceRange>| {
        price.is_some_and(|price| (1..price.to_rupees).contains(&price.from_rupees))
    };
    for listed in &surgeries {
        assert!(is_priced(listed.price), "{}", listed.name);
        assert!(listed.cost.is_none() && listed.recovery_steps.is_empty());
    }
    let surgery = GetSurgeryRequest {
        surgery: "2".to_owned(),
    };
    let surgery = client
        .get_surgery(surgery)
        .await
        .expect("a surgery")
        .into_inner()
        .surgery;
    let surgery = surgery.expect("a surgery");
    assert_eq!(surgery.slug, "knee-replacement");
    let cost = surgery.cost.expect("a cost");
    assert!(cost.packages.iter().all(|package| is_priced(package.price)));
    assert!(!cost.insurance.expect("insurance").steps.is_empty());
    assert_eq!(surgery.recovery_steps[0].time, "Day 0");
}

async fn events_and_news(client: &mut Client) {
    let events = client
        .list_events(ListEventsRequest::default())
        .await
        .expect("events")
        .into_inner()
        .events;
    assert!(events.is_sorted_by_key(|event| event.past) && events.iter().any(|event| !event.past));
    let event = GetEventRequest {
        event: events[0].id.clone(),
    };
    let event = client
        .get_event(event)
        .await
        .expect("an event")
        .into_inner()
        .event;
    assert_eq!(event.as_ref(), events.first());

    let reviews = client
        .list_reviews(ListReviewsRequest::default())
        .await
        .expect("reviews");
    assert_eq!(reviews.into_inner().reviews.len(), 3);
    let news = client
        .list_news(ListNewsRequest {
            page_size: 3,
            ..ListNewsRequest::default()
        })
        .await;
    let news = news.expect("news").into_inner();
    assert!(news.news.len() == 3 && !news.next_page_token.is_empty());
    let article = client
        .get_news(GetNewsRequest {
            news: news.news[0].id.clone(),
        })
        .await;
    let article = article
        .expect("an article")
        .into_inner()
        .news
        .expect("an article");
    assert!(article.content.len() > news.news[0].content.len());
}

async fn notices_and_pages(client: &mut Client) {
    let promos = |placement: &str| ListPromosRequest {
        placement: placement.to_owned(),
        ..ListPromosRequest::default()
    };
    let sidebar = client
        .list_promos(promos("blog-sidebar"))
        .await
        .expect("banners")
        .into_inner()
        .promos;
    assert!(
        !sidebar.is_empty()
            && sidebar
                .iter()
                .all(|promo| promo.placement == "blog-sidebar")
    );
    assert!(
        client
            .list_promos(promos(""))
            .await
            .expect("banners")
            .into_inner()
            .promos
            .len()
            > sidebar.len()
    );
    let headlines = client
        .list_health_news(ListHealthNewsRequest::default())
        .await
        .expect("headlines");
    assert!(headlines.into_inner().headlines.len() >= 8);
    let page = client
        .get_page(GetPageRequest {
            page: "privacy".to_owned(),
        })
        .await
        .expect("a page");
    assert!(!page.into_inner().page.expect("a page").sections.is_empty());
    let no_page = client
        .get_page(GetPageRequest {
            page: "../site".to_owned(),
        })
        .await
        .expect_err("none");
    assert_eq!(no_page.code(), Code::NotFound);
}

async fn search(client: &mut Client) {
    let search = |q: &str, page_size: i32, page_token: &str| SearchRequest {
        q: q.to_owned(),
        page_size,
        page_token: page_token.to_owned(),
    };
    let found = client
        .search(search(" Cardeology ", 2, ""))
        .await
        .expect("results")
        .into_inner();
    assert_eq!(
        (found.results[0].path.as_str(), found.corrected.as_str()),
        ("/specialty/cardiology", "cardiology")
    );
    let more = client
        .search(search("cardeology", 2, &found.next_page_token))
        .await;
    let more = more.expect("results").into_inner().results;
    assert!(!more.is_empty() && !found.results.contains(&more[0]));
    let invalid = client
        .search(search("  ", -1, "zz"))
        .await
        .expect_err("refused");
    assert_eq!(violated_fields(&invalid), ["q", "pageSize", "pageToken"]);
}
