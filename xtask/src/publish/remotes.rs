//! `remotes`: shows which versions each gateway serves, as reported by the gateways.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Read as _, Write as _},
    net::{TcpStream, ToSocketAddrs as _},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use chrono::DateTime;
use serde_json::Value;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
const ANSWER_BYTES_MAX: u64 = 1024 * 1024;

#[derive(Debug, clap::Args)]
#[group(id = "RemotesOptions")]
pub(crate) struct Options {
    /// Operators' listener of a gateway, `http://HOST:PORT`. Repeatable, once per gateway.
    #[arg(long = "gateway", default_value = "http://127.0.0.1:9090")]
    gateways: Vec<String>,
}

/// Prints the versions that each gateway serves. Returns a failing exit code if gateways disagree, refuse a version, do
/// not follow the pointers or the keys, or do not respond.
pub(crate) fn run(options: &Options) -> ExitCode {
    let answers = options.gateways.iter();
    let answers: Vec<_> = answers
        .map(|gateway| (gateway.as_str(), ask(gateway)))
        .collect();
    let (text, is_good) = table(&answers);
    print!("{text}");
    if is_good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Fetches the report of one gateway.
pub(crate) fn ask(gateway: &str) -> Result<Value> {
    let authority = gateway.strip_prefix("http://").unwrap_or(gateway);
    let authority = authority.trim_end_matches('/');
    let address = authority.to_socket_addrs()?.next();
    let address = address.with_context(|| format!("{authority} has no address"))?;
    let mut stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT)?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    stream.set_write_timeout(Some(ANSWER_TIMEOUT))?;
    let request =
        format!("GET /remotes HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(ANSWER_BYTES_MAX).read_to_end(&mut answer)?;
    let answer = String::from_utf8(answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").context("no answer")?;
    let status = head.lines().next().unwrap_or_default();
    ensure!(
        status.split(' ').nth(1) == Some("200"),
        "it answered {status}"
    );
    Ok(serde_json::from_str(body)?)
}

/// Returns a table for people, and whether every gateway responds, follows the pointers and agrees with the others.
fn table(answers: &[(&str, Result<Value>)]) -> (String, bool) {
    let mut lines = Vec::new();
    let mut remarks = Vec::new();
    let mut shown: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (gateway, answer) in answers {
        let report = match answer {
            Ok(report) => report,
            Err(error) => {
                remarks.push(format!("{gateway} does not respond: {error:#}"));
                continue;
            }
        };
        if let Some(problem) = report["problem"].as_str() {
            remarks.push(format!("{gateway} does not follow remotes.json: {problem}"));
        }
        if let Some(problem) = report["keys_problem"].as_str() {
            remarks.push(format!("{gateway} goes on with the keys before: {problem}"));
        }
        for (name, entry) in report["remotes"].as_object().into_iter().flatten() {
            let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
            let mut versions = text(&entry["stable"]);
            if let Some(version) = entry["canary"]["version"].as_str() {
                let percent = &entry["canary"]["percent"];
                versions = format!("{versions}, {percent} %: {version}");
            }
            let since = entry["since"].as_i64();
            let since = since.and_then(|second| DateTime::from_timestamp(second, 0));
            let since = since.map_or(String::new(), |at| at.format("%F %T UTC").to_string());
            lines.push([name.clone(), versions.clone(), since, (*gateway).to_owned()]);
            shown.entry(name).or_default().insert(versions);
            for refused in entry["refused"].as_array().into_iter().flatten() {
                let [version, reason, detail] =
                    ["version", "reason", "detail"].map(|field| text(&refused[field]));
                remarks.push(format!(
                    "{gateway} refuses {name} {version} ({reason}): {detail}"
                ));
            }
        }
    }
    for (name, versions) in shown.iter().filter(|(_, versions)| versions.len() > 1) {
        let versions: Vec<_> = versions.iter().map(String::as_str).collect();
        remarks.push(format!(
            "gateways disagree on {name}: {}",
            versions.join(" | ")
        ));
    }
    lines.sort();
    let width = |column: usize| {
        lines
            .iter()
            .map(|line| line[column].len())
            .max()
            .unwrap_or(0)
    };
    let (first, second, third) = (width(0), width(1), width(2));
    let is_good = remarks.is_empty();
    let lines = lines.iter();
    let lines = lines.map(|[name, versions, since, gateway]| {
        format!("{name:first$}  {versions:second$}  {since:third$}  {gateway}")
    });
    let text: String = lines.chain(remarks).map(|line| line + "\n").collect();
    (text, is_good)
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;
    use serde_json::json;

    use super::*;

    fn report(booking: &Value) -> Value {
        json!({"generation": 1, "problem": null, "remotes": {"booking": booking}})
    }

    #[test]
    fn agreeing_gateways_yield_no_finding() {
        let canary = json!({"version": "2", "percent": 10});
        let entry = json!({"stable": "1", "since": 86_400, "canary": canary, "refused": []});
        let (text, is_good) = table(&[("a", Ok(report(&entry))), ("b", Ok(report(&entry)))]);
        let line = "booking  1, 10 %: 2  1970-01-02 00:00:00 UTC  ";
        assert_eq!(text, format!("{line}a\n{line}b\n"));
        assert!(is_good);
    }

    #[test]
    fn lists_differing_refused_and_silent_gateways() {
        let refused = json!([{"version": "2", "reason": "bundle", "detail": "it throws"}]);
        let one = json!({"stable": "1", "canary": null, "refused": refused});
        let other = json!({"stable": "2", "canary": null, "refused": []});
        let answers = [
            ("a", Ok(report(&one))),
            ("b", Ok(report(&other))),
            ("c", Err(anyhow!("refused"))),
        ];
        let (text, is_good) = table(&answers);
        assert!(!is_good);
        let mut old_keys = report(&other);
        old_keys["keys_problem"] = "keys.json: booking: is not 32 bytes in base64".into();
        let (said, is_good) = table(&[("d", Ok(old_keys))]);
        assert!(!is_good);
        let remark = "d goes on with the keys before: keys.json: booking: is not 32";
        assert!(said.contains(remark), "{said}");
        for remark in [
            "a refuses booking 2 (bundle): it throws",
            "gateways disagree on booking: 1 | 2",
            "c does not respond: refused",
        ] {
            assert!(text.contains(remark), "{remark}: {text}");
        }
    }
}
