//! Audit log of writers, as seen in the database and by its verification.

use test_kit::database::TestDatabase;

use crate::{
    PROGRAM,
    blogs::{Site, on_both_databases, titled},
};

on_both_databases!(the_audit_log_names_the_writer_and_verifies_while_serving,);

async fn the_audit_log_names_the_writer_and_verifies_while_serving(database: TestDatabase) {
    const OF_THE_EDITOR: &str = "SELECT count(*) FROM audit_entries WHERE actor = 'editor@sampige'";
    let mut site = Site::start(database).await;
    assert_eq!(
        site.database.scalar(OF_THE_EDITOR).await,
        0,
        "the seed is not audited"
    );
    let created = site
        .create("0123456789abcdef", titled("Quokkas"))
        .await
        .expect("a post");
    // A replay writes nothing.
    site.create("0123456789abcdef", titled("Quokkas"))
        .await
        .expect("the same post");
    site.update(&created.id, "", titled("Wombats"))
        .await
        .expect("a post");
    site.delete(&created.id, "").await.expect("it goes");
    assert_eq!(site.database.scalar(OF_THE_EDITOR).await, 3);

    let verify = |more: &[&str]| {
        let url = site.database.url.clone();
        let arguments = [&["--database-url", url.as_str(), "verify-audit"], more].concat();
        PROGRAM.command(&arguments).output()
    };
    let checked = verify(&[]).await.expect("it ran");
    let printed = String::from_utf8(checked.stdout).expect("text");
    assert!(checked.status.success(), "{printed}");
    let head = printed
        .strip_prefix("3 entries are as they were written\nhead ")
        .unwrap_or_else(|| panic!("{printed}"))
        .trim_end();
    assert!(head.starts_with("3:"), "{head}");
    assert!(
        verify(&["--expect", head])
            .await
            .expect("it ran")
            .status
            .success()
    );
    let other = verify(&["--expect", "2:00"]).await.expect("it ran");
    assert!(!other.status.success());
    site.end().await;
}
