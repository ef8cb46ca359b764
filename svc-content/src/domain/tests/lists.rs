//! Tests of all lists except doctors and departments.

use super::*;

fn whole<T: Clone>(collection: &Collection<T>) -> Vec<T> {
    let request = PageRequest::parse(0, "", &[]).expect("a page");
    let (page, next) = collection.page(&request, |_| true);
    assert_eq!(next, "");
    page
}

#[test]
fn every_doctor_has_a_full_page_by_slug_and_id() {
    let content = content();
    let records = people::parse_doctors(&Sources::embedded()).expect("doctors");
    for record in records {
        let by_slug = content
            .doctors
            .find(record.slug.get_ref().as_ref())
            .expect("a doctor");
        let by_id = content
            .doctors
            .find(record.id.get_ref().as_ref())
            .expect("a doctor");
        assert_eq!(by_slug, by_id);
        assert!(by_slug.education.len() >= 2 && by_slug.specializations.len() >= 3);
        assert!(!by_slug.achievements.is_empty() && !by_slug.seo_title.is_empty());
        assert!(by_slug.education[0].starts_with("MBBS"));
    }
    assert!(content.doctors.find("nobody").is_none());
    let query = DoctorQuery::parse(&ListDoctorsRequest::default()).expect("a query");
    let (listed, _) = content.doctors.page(&query);
    assert!(
        listed
            .iter()
            .all(|doctor| doctor.education.is_empty() && doctor.seo_title.is_empty())
    );
}

#[test]
fn lists_the_ten_services_of_the_specification() {
    let content = content();
    let services = whole(&content.services);
    let slugs: Vec<_> = services
        .iter()
        .map(|service| service.slug.as_str())
        .collect();
    let expected = [
        "icu-intensive-care-unit",
        "emergency-services",
        "laboratory-services",
        "digital-x-ray",
        "modular-ot",
        "gynecology-ot",
        "ambulance-services",
        "ultrasound-services",
        "labour-room",
        "wards",
    ];
    assert_eq!(slugs, expected);
    assert!(
        services
            .iter()
            .all(|service| service.long_description.is_empty() && service.features.len() == 4)
    );
    let on_home: Vec<_> = services
        .iter()
        .filter(|service| service.on_home)
        .map(|service| {
            if service.home_name.is_empty() {
                &service.name
            } else {
                &service.home_name
            }
        })
        .collect();
    assert_eq!(
        on_home,
        [
            "ICU",
            "Emergency",
            "Laboratory",
            "Digital X-Ray",
            "Modular OT",
            "Gynaec OT"
        ]
    );
    for (name, slug) in [
        ("icu", "icu-intensive-care-unit"),
        ("ICU", "icu-intensive-care-unit"),
        ("wards", "wards"),
    ] {
        let service = content.services.find(name).expect("a service");
        assert_eq!(service.slug, slug);
        assert!(!service.long_description.is_empty() && !service.equipment.is_empty());
    }
    assert!(content.services.find("icu intensive care").is_none());
}

#[test]
fn lists_23_specialties_with_22_pages() {
    let content = content();
    let cards = whole(&content.specialties);
    assert_eq!(cards.len(), 23);
    assert_eq!(
        cards
            .iter()
            .filter(|card| card.name == "Cardiology")
            .count(),
        2
    );
    assert_eq!(cards.iter().filter(|card| card.rich).count(), 10);
    assert!(
        cards
            .iter()
            .all(|card| card.long_description.is_empty() && card.faqs.is_empty())
    );
    for card in &cards {
        let page = content
            .specialties
            .find(&slug::specialty_list_slug(&card.name))
            .expect("a page");
        assert_eq!(page.slug, card.slug);
    }
    assert!(content.specialties.find("cardiology").expect("a page").rich);
    for (alias, slug) in [
        ("orthopaedics", "orthopedics"),
        ("obstetrics-and-gynaecology", "gynecology"),
        ("paediatrics", "pediatrics"),
        ("Pediatrics", "pediatrics"),
    ] {
        assert_eq!(
            content.specialties.find(alias).expect("a page").slug,
            slug,
            "{alias}"
        );
    }
    for generic in [
        "General Surgery",
        "Urology",
        "Plastic Surgery",
        "Radiology",
        "Pulmonology",
        "Dentistry",
        "Physiotherapy",
        "Anaesthesia",
        "Surgical Gastroenterology",
        "Medical Oncology",
        "Vascular Surgery",
        "Surgical Oncology",
    ] {
        let page = content
            .specialties
            .find(&slug::specialty_detail_slug(generic))
            .expect("a page");
        assert!(!page.rich && page.faqs.is_empty(), "{generic}");
    }
}

#[test]
fn finds_a_surgery_by_slug_and_number() {
    let content = content();
    let surgeries = whole(&content.surgeries);
    assert_eq!(surgeries.len(), 10);
    for (number, surgery) in (1..).zip(&surgeries) {
        assert_eq!(surgery.id, number.to_string());
        assert!(surgery.about.is_empty() && !surgery.banner.is_empty());
        let by_number = content.surgeries.find(&surgery.id).expect("a surgery");
        let by_slug = content
            .surgeries
            .find(&slug::surgery_slug(&surgery.name))
            .expect("a surgery");
        assert_eq!(by_number, by_slug);
        assert!(
            !by_slug.indications.is_empty()
                && !by_slug.procedure.is_empty()
                && !by_slug.faqs.is_empty()
        );
    }
    for (slug, duration, recovery) in [
        ("hernia-repair", "1-2 hours", "2-4 weeks"),
        ("knee-replacement", "2-3 hours", "6-8 weeks"),
        ("arthroscopy", "30-60 minutes", "1-2 weeks"),
    ] {
        let surgery = content.surgeries.find(slug).expect("a surgery");
        assert_eq!(
            (surgery.duration.as_str(), surgery.recovery.as_str()),
            (duration, recovery)
        );
    }
    assert!(content.surgeries.find("11").is_none() && content.surgeries.find("0").is_none());
}

#[test]
fn lists_upcoming_events_before_past_ones() {
    let content = content();
    // A Saturday, 6 PM in India.
    let now = "2026-11-21T12:30:00Z".parse().expect("a time");
    let events = content.events(now);
    let listed: Vec<_> = events
        .iter()
        .map(|event| (event.date.as_str(), event.past))
        .collect();
    assert_eq!(
        listed,
        [
            ("2026-11-27", false),
            ("2026-12-05", false),
            ("2026-12-09", false),
            ("2026-12-19", false),
            ("2026-12-20", false),
            ("2026-12-25", false),
            ("2026-11-21", true),
            ("2026-11-15", true),
            ("2026-11-11", true),
            ("2026-11-07", true),
            ("2026-10-30", true),
            ("2026-10-18", true),
            ("2026-10-17", true),
            ("2026-10-14", true),
            ("2026-10-03", true),
            ("2025-01-25", true),
            ("2025-01-20", true),
            ("2025-01-15", true),
        ]
    );
    let of_2025: Vec<_> = events
        .iter()
        .rev()
        .take(3)
        .map(|event| event.time.as_str())
        .collect();
    assert_eq!(
        of_2025,
        [
            "9:00 AM - 4:00 PM",
            "10:00 AM - 3:00 PM",
            "2:00 PM - 4:00 PM"
        ]
    );
    assert!(content.event("no-such-event", now).is_none());
}

#[test]
fn an_event_is_past_once_it_has_ended() {
    let content = content();
    let past = |now: &str| {
        let now = now.parse().expect("a time");
        content
            .event("health-camp-2025", now)
            .expect("an event")
            .past
    };
    assert!(!past("2025-01-15T10:29:59Z"));
    assert!(past("2025-01-15T10:30:00Z"), "16:00 in India");
}

#[test]
fn lists_news_newest_first_with_short_texts() {
    let content = content();
    let news = whole(&content.news);
    assert!(news.len() >= 6);
    assert!(news.is_sorted_by(|one, other| {
        let seconds = |news: &News| news.published_at.as_ref().map(|time| time.seconds);
        seconds(one) >= seconds(other)
    }));
    assert!(
        news.iter()
            .all(|news| news.content.chars().count() <= TEASER_CHARS)
    );
    let first = content
        .news
        .find("accreditation-renewed")
        .expect("an article");
    assert_eq!(first.slug, "nabh-accreditation-renewed");
    assert!(first.content.chars().count() > TEASER_CHARS);
    assert!(news.iter().any(|news| !news.attachments.is_empty()));
    assert!(news.iter().any(|news| !news.external_links.is_empty()));
}

#[test]
fn has_reviews_headlines_posts_and_pages() {
    let content = content();
    assert_eq!(content.reviews.len(), 3);
    assert!(content.headlines.len() >= 8);
    assert!(content.seed.len() >= 12);
    for id in [
        "privacy",
        "terms",
        "cookies",
        "emergency",
        "about",
        "why-choose",
        "facilities",
        "badges",
    ] {
        let page = content.pages.get(id).unwrap_or_else(|| panic!("{id}"));
        assert!(!page.title.is_empty() && !page.sections.is_empty(), "{id}");
    }
    let emergency = &content.pages["emergency"];
    assert!(
        emergency
            .sections
            .iter()
            .any(|section| !section.steps.is_empty())
    );
}
