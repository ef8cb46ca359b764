use std::{
    net::{IpAddr, Ipv6Addr},
    time::Instant,
};

use clap::Parser;

use super::{
    local::{Claim, KEYS_MAX, LimitState, Local, Verdict},
    quotas::{Caller, Class, Limit, Quotas, RateConfig, Table, limits},
    *,
};

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    rate: RateConfig,
}

fn quotas(flags: &[&str]) -> Quotas {
    let arguments = ["gateway"].iter().chain(flags);
    Quotas::new(&Program::parse_from(arguments).rate)
}

/// A limiter with a clock that the test controls.
struct Clocked {
    local: Local,
    now_ms: u32,
}

impl Clocked {
    fn new(flags: &[&str]) -> Self {
        Self {
            local: Local::new(quotas(flags)),
            now_ms: 0,
        }
    }

    fn claims(&self, class: Class, caller: &Caller<'_>) -> Vec<Claim> {
        let limits = limits(class, caller.network);
        self.local.claims(caller, limits)
    }

    fn take(&self, class: Class, caller: &Caller<'_>) -> Result<Allowance, Allowance> {
        match self.local.take(&self.claims(class, caller), self.now_ms) {
            Verdict::Accepted(states) => Ok(Allowance(states)),
            Verdict::Refused(states) => Err(Allowance(states)),
        }
    }

    /// Returns how many of these calls are accepted, each from a new tab.
    fn taken(&self, class: Class, calls: usize, from: impl Fn(usize) -> String) -> usize {
        let call = |n: &usize| {
            let (address, tab) = (from(*n), format!("tab-{n}"));
            self.take(class, &tab_at(&address, &tab)).is_ok()
        };
        (0..calls).filter(call).count()
    }
}

fn network(address: &str) -> ClientNetwork {
    address.parse::<IpAddr>().unwrap().into()
}

fn tab_at<'a>(address: &str, tab: &'a str) -> Caller<'a> {
    Caller {
        client_id: tab.as_bytes(),
        ..Caller::of(network(address))
    }
}

fn field(allowance: &Allowance, name: &str) -> String {
    let fields = allowance.fields();
    let field = fields.iter().find(|(known, _)| known == name);
    field.map_or_else(String::new, |(_, value)| value.to_str().unwrap().to_owned())
}

#[test]
fn refuses_a_visitors_eleventh_call_with_retry_after() {
    let mut clocked = Clocked::new(&[]);
    let visitor = tab_at("192.0.2.1", "a");
    for n in 0..10 {
        clocked.now_ms = n * 1000;
        let allowance = clocked.take(Class::Read, &visitor).unwrap();
        assert_eq!(
            field(&allowance, "ratelimit-policy"),
            "\"visitor\";q=10;w=60"
        );
        let left = format!("\"visitor\";r={};t={}", 9 - n, 60 - n);
        assert_eq!(field(&allowance, "ratelimit"), left);
    }
    clocked.now_ms = 20_000;
    let refused = clocked.take(Class::Read, &visitor).unwrap_err();
    assert_eq!(field(&refused, "ratelimit"), "\"visitor\";r=0;t=40");
    assert_eq!(refused.retry_after_s(), 40);
    // A refused call was not counted, so waiting helps.
    clocked.now_ms = 59_999;
    assert!(clocked.take(Class::Read, &visitor).is_err());
    clocked.now_ms = 60_000;
    assert!(clocked.take(Class::Read, &visitor).is_ok());
}

#[test]
fn counts_tabs_separately_within_their_networks_quota() {
    let clocked = Clocked::new(&["--address-calls-max=25"]);
    for tab in ["a", "b"] {
        for _ in 0..10 {
            assert!(clocked.take(Class::Read, &tab_at("192.0.2.1", tab)).is_ok());
        }
    }
    assert_eq!(
        clocked.taken(Class::Read, 10, |_| "192.0.2.1".to_owned()),
        5
    );
    assert!(clocked.take(Class::Read, &tab_at("192.0.2.2", "c")).is_ok());
}

#[test]
fn applies_the_limits_of_each_class() {
    let at = |n: usize| format!("198.51.{}.{}", n / 250, n % 250);
    let one = |_| "192.0.2.1".to_owned();
    assert_eq!(Clocked::new(&[]).taken(Class::Read, 200, one), 120);
    assert_eq!(Clocked::new(&[]).taken(Class::Write, 200, one), 60);
    assert_eq!(Clocked::new(&[]).taken(Class::Create, 200, one), 40);
    assert_eq!(Clocked::new(&[]).taken(Class::FormCreate, 200, one), 40);
    assert_eq!(Clocked::new(&[]).taken(Class::Document, 700, one), 600);
    // Staff are limited by their subject, wherever they are, and by their network, whoever they are.
    let clocked = Clocked::new(&[]);
    let call = |subject: &str, address: &str| {
        let caller = Caller {
            subject: subject.as_bytes(),
            ..Caller::of(network(address))
        };
        clocked.take(Class::Staff, &caller).is_ok()
    };
    assert_eq!((0..400).filter(|n| call("nurse", &at(*n))).count(), 300);
    assert_eq!(
        (0..1300)
            .filter(|n| call(&n.to_string(), "192.0.2.1"))
            .count(),
        1200
    );
    // Calls that exhaust the limits of one class leave those of another.
    assert!(clocked.take(Class::Read, &tab_at("192.0.2.1", "a")).is_ok());
}

#[test]
fn other_addresses_of_a_network_share_its_creates() {
    // Each network calls from as many addresses as it has; the tab's id is always new.
    let taken = |from: fn(usize) -> String| Clocked::new(&[]).taken(Class::Create, 400, from);
    assert_eq!(taken(|_| "192.0.2.1".to_owned()), 40);
    assert_eq!(taken(|n| format!("192.0.2.{}", n % 256)), 160);
    assert_eq!(taken(|n| format!("2001:db8:1:1::{n:x}")), 20);
    assert_eq!(taken(|n| format!("2001:db8:1:{:x}::1", n % 256)), 40);
    assert_eq!(taken(|n| format!("2001:db8:1:{:x}00::1", n % 256)), 160);
    assert_eq!(taken(|n| format!("2001:db8:{n:x}::1")), 400);
}

#[test]
fn restores_creates_after_ten_minutes_and_reports_the_rest() {
    let mut clocked = Clocked::new(&[]);
    let taken = |clocked: &Clocked| clocked.taken(Class::Create, 100, |_| "192.0.2.1".to_owned());
    assert_eq!(taken(&clocked), 40);
    clocked.now_ms = 599_999;
    let refused = clocked
        .take(Class::Create, &tab_at("192.0.2.1", "x"))
        .unwrap_err();
    assert_eq!(
        field(&refused, "ratelimit-policy"),
        "\"visitor\";q=10;w=60, \"creates\";q=40;w=600"
    );
    assert_eq!(
        field(&refused, "ratelimit"),
        "\"visitor\";r=10;t=1, \"creates\";r=0;t=1"
    );
    clocked.now_ms = 600_000;
    assert_eq!(taken(&clocked), 40);
}

/// Returns the resident memory of this process in bytes, as the kernel reports it.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = text.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096
}

/// Returns the nth /64 network of a /32.
fn nth_network(n: u32) -> ClientNetwork {
    let bits = 0x2001_0db8_u128 << 96 | u128::from(n) << 64;
    IpAddr::from(Ipv6Addr::from_bits(bits)).into()
}

#[test]
fn is_bounded_under_a_million_networks() {
    let mut clocked = Clocked::new(&[]);
    let before = resident();
    let at_limit = tab_at("192.0.2.1", "a");
    let half_way = tab_at("192.0.2.2", "b");
    while clocked.take(Class::Read, &at_limit).is_ok() {}
    for _ in 0..5 {
        assert!(clocked.take(Class::Read, &half_way).is_ok());
    }
    for n in 0..1_000_000 {
        let caller = Caller::of(nth_network(n));
        assert!(clocked.take(Class::Document, &caller).is_ok());
        if n % 100_000 == 0 {
            assert!(clocked.local.keys() <= KEYS_MAX);
        }
    }
    assert!(clocked.local.keys() <= KEYS_MAX, "{}", clocked.local.keys());
    let (bytes, grown) = (clocked.local.bytes(), resident().saturating_sub(before));
    println!("a million networks: {bytes} bytes reserved, {grown} more resident");
    assert!(bytes <= 32 * 1024 * 1024, "{bytes}");
    // The flood has evicted no caller that is at a limit or half-way to it.
    assert!(clocked.take(Class::Read, &at_limit).is_err());
    let left = (0..10).filter(|_| clocked.take(Class::Read, &half_way).is_ok());
    assert_eq!(left.count(), 5);
    assert_eq!(clocked.local.uncounted(), 0);
    // Once the flood is over, nothing is left of it.
    clocked.now_ms = 62_000;
    for shard in 0..Local::shards() {
        clocked.local.sweep(shard, clocked.now_ms);
    }
    assert_eq!(clocked.local.keys(), 0);
    assert!(
        clocked.local.bytes() < 1024 * 1024,
        "{}",
        clocked.local.bytes()
    );
}

#[test]
fn bounds_a_key_for_any_quota() {
    let mut clocked = Clocked::new(&["--address-documents-max=1000000"]);
    let networks = u32::try_from(KEYS_MAX / 16).unwrap();
    for step in 0..70 {
        clocked.now_ms = step * 1000;
        for n in 0..networks {
            let caller = Caller::of(nth_network(n));
            assert!(clocked.take(Class::Document, &caller).is_ok());
        }
    }
    let per_key = clocked.local.bytes() / usize::try_from(networks).unwrap();
    println!(
        "a key with events in every step: {per_key} bytes; {} for all",
        per_key * KEYS_MAX
    );
    assert!(per_key <= 700, "{per_key}");
}

#[test]
fn admits_new_callers_uncounted_when_the_table_is_full() {
    let clocked = Clocked::new(&["--address-documents-max=1"]);
    let networks = u32::try_from(4 * Table::Documents.keys_max()).unwrap();
    for n in 0..networks {
        let caller = Caller::of(nth_network(n));
        assert!(clocked.take(Class::Document, &caller).is_ok());
    }
    assert!(clocked.local.uncounted() > 0);
    // The first networks are all still at their limit.
    let freed = (0..networks / 8).filter(|n| {
        let caller = Caller::of(nth_network(*n));
        clocked.take(Class::Document, &caller).is_ok()
    });
    assert_eq!(freed.count(), 0);
}

/// G6: a client with many networks and tabs fills the tables of reads, but creates stay counted.
#[test]
fn flood_of_readers_does_not_evict_creates() {
    let clocked = Clocked::new(&[]);
    let tabs: Vec<String> = (0..24).map(|tab| format!("tab-{tab}")).collect();
    for n in 0..5_300 {
        for tab in &tabs {
            let caller = Caller {
                client_id: tab.as_bytes(),
                ..Caller::of(nth_network(n))
            };
            for _ in 0..5 {
                clocked.take(Class::Read, &caller).ok();
            }
        }
    }
    assert!(
        clocked.local.uncounted() > 0,
        "the tables of reads are full"
    );
    let taken = |from: fn(usize) -> String| clocked.taken(Class::Create, 400, from);
    assert_eq!(taken(|_| "2001:db9:1:1::1".to_owned()), 20);
    assert_eq!(taken(|n| format!("2001:db9:2:{:x}00::1", n % 256)), 160);
    assert_eq!(taken(|_| "192.0.2.1".to_owned()), 40);
}

#[test]
fn refuses_new_creates_when_the_table_is_full() {
    let flags = [
        "--creates-ipv6-64-max=1",
        "--creates-ipv6-56-max=1",
        "--creates-ipv6-48-max=1",
    ];
    let clocked = Clocked::new(&flags);
    // The /48 networks of a /16.
    let create = |n: usize| {
        let address = format!("2001:{:x}:{:x}::1", n >> 16, n & 0xffff);
        clocked.take(Class::Create, &Caller::of(network(&address)))
    };
    let taken = (0..20_000).filter(|n| create(*n).is_ok()).count();
    // Each has three keys, and shards fill unevenly. A create that found room for its first key in a shard may add the
    // two others.
    let room = Table::Creates.keys_max() / 3;
    let most = (Table::Creates.keys_max() + 2 * Local::shards()) / 3;
    assert!((room * 8 / 10..=most).contains(&taken), "{taken} of {room}");
    let refused = create(20_001).unwrap_err();
    assert!(refused.retry_after_s() >= 1);
    assert!(clocked.take(Class::Read, &tab_at("192.0.2.1", "a")).is_ok());
    assert_eq!(clocked.local.uncounted(), 0);
}

#[test]
fn sweep_counts_exhausted_callers() {
    let clocked = Clocked::new(&[]);
    clocked.taken(Class::Create, 100, |_| "192.0.2.1".to_owned());
    let mut exhausted = 0;
    let mut keys = 0;
    for shard in 0..Local::shards() {
        let census = clocked.local.sweep(shard, 1);
        exhausted += census.exhausted[Limit::CreatesIpv4In32.index()];
        keys += census.keys;
    }
    // The tabs, and the network in four roles.
    assert_eq!((exhausted, keys), (1, 40 + 4));
}

#[test]
fn counts_a_call_at_all_limits_or_none() {
    let clocked = Clocked::new(&["--address-writes-max=1"]);
    let visitor = tab_at("192.0.2.1", "a");
    assert!(clocked.take(Class::Write, &visitor).is_ok());
    for _ in 0..20 {
        assert!(clocked.take(Class::Write, &visitor).is_err());
    }
    let claims = clocked.claims(Class::Read, &visitor);
    let Verdict::Accepted(states) = clocked.local.peek(&claims, 0) else {
        panic!("the visitor has nine calls left");
    };
    let left: Vec<u32> = states.iter().map(|s: &LimitState| s.left).collect();
    assert_eq!(left, [9, 119]);
}

#[test]
fn threads_locking_several_shards_do_not_deadlock() {
    let clocked = Clocked::new(&["--creates-ipv4-24-max=1000000"]);
    let started = Instant::now();
    let taken: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                let clocked = &clocked;
                scope.spawn(move || {
                    clocked.taken(Class::Create, 2000, |n| {
                        format!("192.0.2.{}", (n + thread) % 100)
                    })
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).sum()
    });
    assert_eq!(taken, 100 * 40);
    assert!(started.elapsed().as_secs() < 60);
}
