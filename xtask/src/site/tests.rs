use super::*;

#[test]
fn names_a_port_in_use_and_its_owner() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let found = busy(&[("gateway".to_owned(), port)]);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].contains(&format!("port {port} of gateway")),
        "{found:?}"
    );
    assert!(
        found[0].contains(&format!("pid {}", std::process::id())),
        "{found:?}"
    );
}

#[test]
fn a_free_port_is_not_busy() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    assert!(busy(&[("gateway".to_owned(), port)]).is_empty());
}

fn ports(services: Option<u16>, operators: Option<u16>) -> Ports {
    Ports {
        site: 1,
        services,
        operators,
        traces: 2,
        otlp_grpc: 3,
        otlp_http: 4,
        issuer: 5,
    }
}

#[test]
fn services_use_listed_ports_unless_others_are_given() {
    let services = Project::find().unwrap().services;
    for placed in ports(None, None).place(&services) {
        assert_eq!(placed.port, placed.service.port);
        assert_eq!(placed.operators_port, placed.service.operators_port);
    }
    let placed = ports(Some(100), Some(200)).place(&services);
    let last = placed.last().unwrap();
    assert_eq!(usize::from(last.port), 99 + services.len());
    assert_eq!(usize::from(last.operators_port), 200 + services.len());
    assert_eq!(
        ports(None, None).of_site(&services).len(),
        3 + 2 * services.len()
    );
}

#[test]
fn programs_have_data_keys_and_operators_port_from_the_run() {
    let project = Project::find().unwrap();
    let site = Site {
        project: &project,
        profile: Profile::Dev,
        ports: ports(None, Some(200)),
        data: PathBuf::from("somewhere"),
        with_traces: false,
        with_staff: true,
        unlimited: false,
        hospital: None,
    };
    let (name, command) = site.services().remove(0);
    let variable = |command: &Command, wanted: &str| {
        let found = command.get_envs().find(|(name, _)| *name == wanted);
        found.unwrap().1.unwrap().to_string_lossy().into_owned()
    };
    assert_eq!(variable(&command, "OPERATORS_LISTEN"), "127.0.0.1:201");
    let gateway = site.gateway();
    assert_eq!(variable(&gateway, "OPERATORS_LISTEN"), "127.0.0.1:200");
    assert_eq!(variable(&command, "SITE_ORIGIN"), "http://127.0.0.1:1");
    assert!(variable(&command, "MAIL_DIR").ends_with("/mail"));
    // M8: svc-booking sends the token that svc-messaging requires.
    for name in ["MESSAGING_TOKEN_FILE", "NOTICE_TOKEN_FILE"] {
        assert_eq!(variable(&command, name), "somewhere/keys/notice.token");
    }
    assert_eq!(
        variable(&command, "SEAL_KEYS_FILE"),
        format!("somewhere/keys/{name}.toml")
    );
    assert_eq!(
        variable(&site.gateway(), "FORM_KEY_FILE"),
        "somewhere/keys/form.key"
    );
    let tokens = ["JWKS_FILE", "JWT_ISSUER", "JWT_AUDIENCE"];
    assert_eq!(
        tokens.map(|name| variable(&command, name)),
        [
            "somewhere/keys/token.jwks.json",
            "gateway",
            "hospital-services"
        ]
    );
    assert_eq!(variable(&gateway, "STAFF_ISSUER"), "http://127.0.0.1:5");
    assert_eq!(
        variable(&gateway, "TOKEN_KEY_FILE"),
        "somewhere/keys/token.pem"
    );
    let roles = variable(&gateway, "STAFF_ROLES");
    assert!(Path::new(&roles).exists(), "{roles}");
    let issuer: Vec<_> = staff::issuer(&site)
        .get_args()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    for argument in ["127.0.0.1:5", "http://127.0.0.1:1/staff/callback"] {
        assert!(issuer.iter().any(|found| found == argument), "{issuer:?}");
    }
    let urls = [
        "gateway=http://127.0.0.1:200",
        &format!("{name}=http://127.0.0.1:201"),
    ]
    .map(|url| format!("{url}/metrics"));
    let traces = site.traces();
    for url in urls {
        assert!(traces.get_args().any(|argument| *argument == *url), "{url}");
    }
    let database = format!("sqlite:somewhere/{name}.db");
    assert!(command.get_args().any(|argument| *argument == *database));
}

#[test]
fn reads_only_listening_sockets() {
    let table = "  sl  local_address rem_address   st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode\n\
         0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000 0 0 111 1\n\
         1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 222 1\n";
    assert_eq!(inode_in(table, 8080).as_deref(), Some("222"));
}
