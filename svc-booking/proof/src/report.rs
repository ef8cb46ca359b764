//! The report for decision makers: in plain words, what was tried, how often, and what was found.

use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

use crate::{
    check::{Finding, Rule},
    history::{Operation, Outcome},
    sabotage::Sabotage,
    trial::Evidence,
    world::{IST, NETWORK_MAX, OPEN_MAX},
};
use chrono::{DateTime, Utc};

/// Maximum findings listed per database.
const SHOWN_MAX: usize = 40;

/// Totals of the trials on one kind of database.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    pub trials: usize,
    pub calls: usize,
    pub acknowledged: usize,
    pub refused: usize,
    pub unanswered: usize,
    pub bookings: usize,
    pub moves: usize,
    pub cancels: usize,
    pub looks: usize,
    pub kills: usize,
    pub races: usize,
    pub race_longest: Duration,
    pub findings: Vec<Finding>,
}

impl Sums {
    /// Adds a trial and its findings.
    pub fn add(&mut self, evidence: &Evidence, findings: Vec<Finding>) {
        self.trials += 1;
        self.looks += evidence.history.sights.len();
        self.kills += evidence.kills;
        self.races += evidence.races.len();
        let longest = evidence.races.iter().copied().max().unwrap_or_default();
        self.race_longest = self.race_longest.max(longest);
        for call in &evidence.history.calls {
            self.calls += 1;
            match &call.outcome {
                Outcome::Refused { .. } => self.refused += 1,
                Outcome::Unknown { .. } => self.unanswered += 1,
                _ => {
                    self.acknowledged += 1;
                    match call.operation {
                        Operation::Create { .. } | Operation::Accept { .. } => self.bookings += 1,
                        Operation::Move { .. } => self.moves += 1,
                        Operation::Cancel { .. } => self.cancels += 1,
                        _ => {}
                    }
                }
            }
        }
        self.findings.extend(findings);
    }
}

/// An injected fault, and whether the checker detected it.
#[derive(Clone, Debug)]
pub struct Broken {
    pub database: &'static str,
    pub sabotage: Sabotage,
    pub is_noticed: bool,
}

/// Contents of the report.
#[derive(Clone, Debug)]
pub struct Report {
    pub version: String,
    pub seed: u64,
    pub began: DateTime<Utc>,
    pub lasted: Duration,
    /// Totals by database name.
    pub sums: BTreeMap<&'static str, Sums>,
    pub broken: Vec<Broken>,
}

impl Rule {
    /// Returns the promise in plain words.
    pub fn words(self) -> String {
        match self {
            Self::SoldOnce => "Each seat is sold to one patient. Nobody has more patients at one time than they can see.".into(),
            Self::OneSeat => "Every appointment has a seat, and every taken seat belongs to an appointment.".into(),
            Self::KeptWhileMoving => "A patient who moves an appointment always has exactly one time: the old one or the new one.".into(),
            Self::NothingLost => "A confirmed appointment is never lost, even if the program is killed in that second.".into(),
            Self::NothingInvented => "No appointment is made, moved or cancelled without a request.".into(),
            Self::OncePerKey => "A patient who presses the button twice, or tries again after a failure, gets one appointment.".into(),
            Self::FreeIsFree => "A free time is never refused. A time on hold is free again when its hold expires.".into(),
            Self::HoldsEnd => "A time is held for a limited time while the form is filled in.".into(),
            Self::OneOffer => "A time offered to the waiting list is offered to one person.".into(),
            Self::PersonLimits => format!("No e-mail address has more than {OPEN_MAX} confirmed open appointments, or two in one department on one day."),
            Self::NetworkLimits => format!("No network has more than {NETWORK_MAX} unconfirmed open appointments."),
            Self::ProvenByMail => "Only the link in an e-mail confirms its address, and only confirmed people are offered a time.".into(),
            Self::StrangersLearnNothing => "Booking or waiting under another person's name reveals nothing about that person.".into(),
            Self::OldLinkClosed => "After a move, the old link of an appointment opens nothing; the new link works.".into(),
            Self::LeaveKnown => "When a doctor's leave is entered, the desk sees every affected patient.".into(),
            Self::NoFault => "The running program never fails: it accepts a request, or refuses it with a reason.".into(),
        }
    }
}

impl Report {
    pub fn is_good(&self) -> bool {
        self.findings() == 0 && self.broken.iter().all(|broken| broken.is_noticed)
    }

    fn findings(&self) -> usize {
        self.sums.values().map(|sums| sums.findings.len()).sum()
    }

    fn verdict(&self) -> &'static str {
        if self.findings() > 0 {
            "Not passed: promises were broken. They are listed below."
        } else if !self.is_good() {
            "Not passed: the checker did not notice a fault that we injected, so its silence proves nothing."
        } else {
            "Passed: no promise was broken."
        }
    }

    fn rows(&self, rule: Rule) -> usize {
        let all = self.sums.values().flat_map(|sums| &sums.findings);
        all.filter(|finding| finding.rule == rule).count()
    }

    fn when(&self) -> String {
        let local = self.began.with_timezone(&IST);
        local.format("%-d %B %Y, %-I:%M %p IST").to_string()
    }

    /// Returns the totals of a database as labels and values.
    fn counts(sums: &Sums) -> Vec<(&'static str, String)> {
        let number = grouped;
        vec![
            ("Rounds, each on an empty database", number(sums.trials)),
            ("Requests of patients and staff", number(sums.calls)),
            ("of these confirmed", number(sums.acknowledged)),
            ("of these refused with a reason", number(sums.refused)),
            (
                "of these unanswered, because the program was killed or the patient gave up",
                number(sums.unanswered),
            ),
            ("Bookings confirmed", number(sums.bookings)),
            ("Moves confirmed", number(sums.moves)),
            ("Cancellations confirmed", number(sums.cancels)),
            (
                "Kills of the program, as in a power cut",
                number(sums.kills),
            ),
            ("Checks of the records meanwhile", number(sums.looks)),
            (
                "Races: 100 patients want one seat at the same moment",
                number(sums.races),
            ),
            (
                "Longest race, until all 100 were answered",
                format!("{:.2} s", sums.race_longest.as_secs_f64()),
            ),
        ]
    }

    /// Renders a self-contained HTML page, suitable for printing.
    pub fn html(&self) -> String {
        let mut page = String::from(HEAD);
        let class = if self.is_good() { "good" } else { "bad" };
        let _ = write!(
            page,
            "<main><h1>Is online booking reliable?</h1>\
             <p class=\"verdict {class}\"><strong>{}</strong></p>\
             <p>Many simulated patients and the desk booked, moved and cancelled at the same time on the real program. We killed \
             it again and again, then compared every response with the records.</p>\
             <dl class=\"facts\"><dt>Date</dt><dd>{}</dd><dt>Version</dt><dd>{}</dd><dt>Duration</dt><dd>{}</dd>\
             <dt>Seed, to repeat this test</dt><dd>{}</dd></dl>",
            self.verdict(),
            self.when(),
            escaped(&self.version),
            minutes(self.lasted),
            self.seed
        );
        page.push_str("<h2>Results</h2><table><thead><tr><th scope=\"col\">Promise</th><th scope=\"col\">Broken</th></tr></thead><tbody>");
        for rule in Rule::ALL {
            let count = match self.rows(rule) {
                0 => "never".to_owned(),
                count => format!("<strong>{count} times</strong>"),
            };
            let _ = write!(
                page,
                "<tr><th scope=\"row\">{}</th><td>{count}</td></tr>",
                escaped(&rule.words())
            );
        }
        page.push_str("</tbody></table><h2>Load</h2><table><thead><tr><td></td>");
        for name in self.sums.keys() {
            let _ = write!(page, "<th scope=\"col\">{name}</th>");
        }
        page.push_str("</tr></thead><tbody>");
        let columns: Vec<_> = self.sums.values().map(Self::counts).collect();
        for row in 0..columns.first().map_or(0, Vec::len) {
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", columns[0][row].0);
            for column in &columns {
                let _ = write!(page, "<td>{}</td>", column[row].1);
            }
            page.push_str("</tr>");
        }
        page.push_str("</tbody></table><p class=\"note\">SQLite and PostgreSQL are the two databases that the hospital can choose from.</p>");
        if !self.broken.is_empty() {
            page.push_str("<h2>Injected faults</h2><p>A test that never finds anything proves nothing, so we broke the system on purpose:</p><ul>");
            for broken in &self.broken {
                let noticed = if broken.is_noticed {
                    "The checker noticed."
                } else {
                    "<strong>The checker did not notice.</strong>"
                };
                let _ = write!(
                    page,
                    "<li>{} ({}) {noticed}</li>",
                    broken.sabotage.words(),
                    broken.database
                );
            }
            page.push_str("</ul>");
        }
        self.named(&mut page);
        page.push_str("</main></body></html>\n");
        page
    }

    fn named(&self, page: &mut String) {
        if self.findings() == 0 {
            return;
        }
        page.push_str("<h2>Findings</h2><ul class=\"findings\">");
        for (name, sums) in &self.sums {
            for finding in sums.findings.iter().take(SHOWN_MAX) {
                let _ = write!(page, "<li>{name}: {}</li>", escaped(&finding.to_string()));
            }
        }
        page.push_str("</ul>");
    }

    /// Renders the same report in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# Is online booking reliable?\n\n**{}**\n\n{} · version {} · {} · seed {}\n\n## Results\n\n| Promise | Broken |\n|---|---|\n",
            self.verdict(),
            self.when(),
            self.version,
            minutes(self.lasted),
            self.seed
        );
        for rule in Rule::ALL {
            let _ = writeln!(text, "| {} | {} |", rule.words(), self.rows(rule));
        }
        for (name, sums) in &self.sums {
            let _ = writeln!(text, "\n## Load: {name}\n");
            for (words, number) in Self::counts(sums) {
                let _ = writeln!(text, "- {words}: {number}");
            }
            for finding in sums.findings.iter().take(SHOWN_MAX) {
                let _ = writeln!(text, "- **{finding}**");
            }
        }
        if !self.broken.is_empty() {
            text.push_str("\n## Injected faults\n\n");
        }
        for broken in &self.broken {
            let noticed = if broken.is_noticed {
                "noticed"
            } else {
                "**not noticed**"
            };
            let _ = writeln!(
                text,
                "- {} ({}): {noticed}",
                broken.sabotage.words(),
                broken.database
            );
        }
        text
    }
}

const HEAD: &str = r#"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Is online booking reliable?</title>
<style>
:root { color-scheme: light; }
body { font: 1rem/1.5 system-ui, sans-serif; color: #1b2a33; background: #fff; margin: 0; }
main { max-inline-size: 44rem; margin: 2rem auto; padding-inline: 1rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin-block: 0 1rem; }
h2 { font-size: 1.2rem; margin-block: 2rem .5rem; break-after: avoid; }
.verdict { font-size: 1.2rem; padding: .75rem 1rem; border-inline-start: .5rem solid; }
.good { background: #e6f4ec; border-color: #1a7f4b; }
.bad { background: #fdeceb; border-color: #b3261e; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
.facts dt { font-weight: 600; } .facts dd { margin: 0; }
table { border-collapse: collapse; inline-size: 100%; }
th, td { text-align: start; vertical-align: top; padding: .4rem .5rem; border-block-end: 1px solid #c9d3d8; }
tbody th { font-weight: 400; } td { white-space: nowrap; font-variant-numeric: tabular-nums; }
.note { color: #4a5a63; } .findings li { overflow-wrap: anywhere; }
@page { size: A4; margin: 12mm; }
@media print { main { margin: 0; padding: 0; max-inline-size: none; } body { font-size: 9pt; line-height: 1.25; } h1 { font-size: 15pt; margin-block: 0 .4rem; } h2 { font-size: 11pt; margin-block: .6rem .2rem; } p, ul, dl { margin-block: .3rem; } th, td { padding: .08rem .4rem; } .verdict { font-size: 11pt; padding: .3rem .6rem; print-color-adjust: exact; } }
</style></head><body>
"#;

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Groups digits, for example `12,345`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn minutes(lasted: Duration) -> String {
    let seconds = lasted.as_secs();
    format!("{} min {} s", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(findings: Vec<Finding>, is_noticed: bool) -> Report {
        let sums = Sums {
            calls: 12_345,
            findings,
            ..Sums::default()
        };
        Report {
            version: "1.2.3".into(),
            seed: 7,
            began: DateTime::UNIX_EPOCH,
            lasted: Duration::from_secs(61),
            sums: [("SQLite", sums)].into(),
            broken: vec![Broken {
                database: "SQLite",
                sabotage: Sabotage::HoldsForever,
                is_noticed,
            }],
        }
    }

    #[test]
    fn the_verdict_needs_no_findings_and_noticed_sabotage() {
        let finding = Finding {
            rule: Rule::SoldOnce,
            what: "<b>".into(),
        };
        let good = report(Vec::new(), true);
        assert!(good.is_good() && good.html().contains("Passed: no promise was broken."));
        assert!(good.html().contains("12,345") && good.markdown().contains("12,345"));
        let bad = report(vec![finding], true);
        assert!(!bad.is_good());
        assert!(bad.html().contains("SoldOnce: &lt;b&gt;") && !bad.html().contains("<b>"));
        let blind = report(Vec::new(), false);
        assert!(!blind.is_good() && blind.html().contains("did not notice"));
    }
}
