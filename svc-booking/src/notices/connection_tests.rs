use super::*;

fn config(file: &Path) -> MessagingConfig {
    MessagingConfig {
        messaging_url: Some("http://127.0.0.1:1".parse().expect("a URL")),
        messaging_token_file: Some(file.to_owned()),
        ..MessagingConfig::default()
    }
}

/// M8: the messaging service authenticates its caller by a token.
#[tokio::test]
async fn a_call_sends_the_first_token_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("notice.token");
    let first = "a".repeat(TOKEN_CHARS_MIN);
    std::fs::write(&file, format!("{first}\nthe one before, of another time\n")).expect("a file");
    let mut token = Token::read(&file).expect("a token");
    let request = token.call(Request::new(())).expect("passed on");
    let shown = request.metadata().get("authorization").expect("a token");
    let shown = shown.to_str().expect("ASCII");
    assert_eq!(shown, format!("Bearer {first}"));
    assert!(!format!("{token:?} {:?}", request.metadata()).contains(&first));
    assert!(config(&file).messaging().expect("a token").is_some());

    let none = Token::default().call(Request::new(())).expect("passed on");
    assert!(none.metadata().is_empty());
}

#[test]
fn an_unusable_token_fails_the_start_without_being_quoted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("notice.token");
    for text in [
        String::new(),
        "canary".to_owned(),
        "canary canary canary canary canary".to_owned(),
        "canary".repeat(100),
        format!("\n{}", "canary".repeat(10)),
    ] {
        std::fs::write(&file, &text).expect("a file");
        let error = config(&file).messaging().expect_err("no token").to_string();
        assert!(error.contains("MESSAGING_TOKEN_FILE"), "{error}");
        assert!(!error.contains("canary"), "{error}");
    }
    let error = config(&folder.path().join("none")).messaging();
    assert!(matches!(error, Err(MessagingError::Token { .. })));
}
