//! Pictures of blog posts: browsers load none from other sites, so writes with such pictures are refused.

use hospital_proto::content::v1::{Blog, BlogSection};
use test_kit::database::TestDatabase;
use tonic_types::StatusExt;

use crate::{
    blogs::{Site, on_both_databases, titled},
    service::violated_fields,
};

on_both_databases!(refuses_pictures_of_other_sites_on_write);

async fn refuses_pictures_of_other_sites_on_write(database: TestDatabase) {
    const ELSEWHERE: &str = "https://pictures.example/sleep.png";
    let mut site = Site::start(database).await;
    let pictured = |image: &str| Blog {
        image: image.to_owned(),
        sections: vec![BlogSection {
            heading: "Before bed".to_owned(),
            image: image.to_owned(),
            ..BlogSection::default()
        }],
        ..titled("Good sleep")
    };
    let created = site.create("0123456789abcdef", pictured("/images/sleep.svg"));
    let created = created.await.expect("a post");
    let refused = site.create("fedcba9876543210", pictured(ELSEWHERE)).await;
    let refused = refused.expect_err("refused");
    assert_eq!(violated_fields(&refused), ["image", "sections[0].image"]);
    let details = refused.get_error_details();
    let violations = &details.bad_request().expect("violations").field_violations;
    assert!(violations[0].description.contains("security policy"));
    let refused = site.update(&created.id, "", pictured(ELSEWHERE)).await;
    let refused = refused.expect_err("refused");
    assert_eq!(violated_fields(&refused), ["image", "sections[0].image"]);

    // Simulates a row written before this rule.
    let changed = site
        .database
        .execute("UPDATE blogs SET image = 'https://pictures.example/sleep.png' WHERE title = 'Good sleep'")
        .await;
    assert_eq!(changed, 1);
    let read = site.get(&created.id).await.expect("a post");
    assert_eq!(read.image, ELSEWHERE);
    let listed = site.list(100, "").await;
    let listed = listed.iter().find(|blog| blog.id == created.id);
    assert_eq!(listed.expect("a card").image, ELSEWHERE);
    site.end().await;
}
