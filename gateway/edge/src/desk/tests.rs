//! Headers of the staff area, and the address to return to.

use axum::http::Request;

use super::*;

const ALL: [DeskAddress; 6] = [
    DeskAddress::SignIn,
    DeskAddress::Callback,
    DeskAddress::SignOut,
    DeskAddress::BackChannelLogout,
    DeskAddress::Events,
    DeskAddress::Page,
];

#[test]
fn seals_every_response_of_the_area() {
    for address in ALL {
        let mut headers = HeaderMap::new();
        headers.insert(
            CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=60"),
        );
        headers.insert(ETAG, HeaderValue::from_static("\"1\""));
        seal(address, &mut headers);
        assert_eq!(
            headers.get_all(CACHE_CONTROL).iter().collect::<Vec<_>>(),
            ["no-store"]
        );
        assert_eq!(headers[ROBOTS], "noindex");
        assert!(!headers.contains_key(ETAG));
        let hides_address = matches!(address, DeskAddress::SignIn | DeskAddress::Callback);
        assert_eq!(headers[REFERRER_POLICY] == "no-referrer", hides_address);
    }
}

#[test]
fn reads_the_first_address_to_return_to() {
    let of = |address: &str| {
        let request = Request::get(address).body(()).unwrap();
        return_to(&request.into_parts().0)
    };
    assert_eq!(of("/staff/sign-in"), None);
    assert_eq!(of("/staff/sign-in?x=1"), None);
    let wanted = of("/staff/sign-in?return=%2Fstaff%3Fq%3D1&return=%2Fb");
    assert_eq!(wanted.as_deref(), Some("/staff?q=1"));
}
