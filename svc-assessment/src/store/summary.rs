//! Monthly counts for staff, computed once.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use store_kit::{
    audit,
    error::StoreError,
    keys::Keys,
    row,
    sql::Transaction,
    values,
    work::{Decision, UnitOfWork},
};

use super::{Store, choice, corrupt, some};
use crate::domain::summary::{Alike, Month, Summary, summarize};

impl Store {
    /// Returns the publishable counts of a month, and adds an entry to the audit log.
    ///
    /// The first published summary of a month is final. If a person later removes their answers, or a day's rows
    /// expire, a second summary would differ. The difference would reveal those rows.
    ///
    /// # Errors
    /// When the database fails, or a column holds a value that no build has written.
    pub async fn summary(
        &self,
        month: Month,
        actor: &str,
        now: DateTime<Utc>,
    ) -> Result<Summary, StoreError> {
        let count = Count {
            month,
            keys: self.keys.clone(),
            actor: actor.to_owned(),
            now,
        };
        self.database.write("SELECT assessments", count).await
    }
}

struct Count {
    month: Month,
    keys: Keys,
    actor: String,
    now: DateTime<Utc>,
}

row! {
    struct AlikeRow {
        bmi_category: Option<String>,
        diabetes_risk: String,
        stress_level: String,
        overall_level: String,
        assessments: i64,
    }
}

#[async_trait]
impl UnitOfWork for Count {
    type Outcome = Summary;

    async fn run(
        &self,
        transaction: &mut Transaction<'_>,
    ) -> Result<Decision<Summary>, StoreError> {
        const FIND: &str = "SELECT summary FROM month_summaries WHERE month = $1";
        const INSERT: &str = "INSERT INTO month_summaries (month, summary) VALUES ($1, $2)";
        let month = self.month.to_string();
        let said: Option<(String,)> = transaction.fetch_optional(FIND, values![&month]).await?;
        let summary = if let Some((said,)) = said {
            serde_json::from_str(&said).map_err(|_| corrupt("month_summaries.summary"))?
        } else {
            let summary = summarize(&self.people(transaction).await?);
            // A month with too few people is not stored: it can only lose people, and staff may ask for any number of
            // months.
            if summary.assessments.is_some() {
                let text = serde_json::json!(summary).to_string();
                transaction.execute(INSERT, values![&month, text]).await?;
            }
            summary
        };
        let entry = audit::Entry {
            actor: self.actor.clone(),
            action: "assessments.counted",
            subject: month,
            detail: String::new(),
        };
        audit::append(transaction, &self.keys, &entry, self.now).await?;
        Ok(Decision::Commit(summary))
    }
}

impl Count {
    async fn people(&self, transaction: &mut Transaction<'_>) -> Result<Vec<Alike>, StoreError> {
        // One row per combination of results: at most 320.
        const SELECT: &str = "\
SELECT bmi_category, diabetes_risk, stress_level, overall_level, count(*) AS assessments FROM assessments \
WHERE create_time >= $1 AND create_time < $2 GROUP BY bmi_category, diabetes_risk, stress_level, overall_level";
        let [first, next] = self.month.days();
        let rows: Vec<AlikeRow> = transaction.fetch_all(SELECT, values![first, next]).await?;
        rows.into_iter().map(AlikeRow::parse).collect()
    }
}

impl AlikeRow {
    fn parse(self) -> Result<Alike, StoreError> {
        Ok(Alike {
            bmi_category: some("assessments.bmi_category", self.bmi_category.as_deref())?,
            diabetes_risk: choice("assessments.diabetes_risk", &self.diabetes_risk)?,
            stress_level: choice("assessments.stress_level", &self.stress_level)?,
            overall_level: choice("assessments.overall_level", &self.overall_level)?,
            assessments: u32::try_from(self.assessments).unwrap_or(u32::MAX),
        })
    }
}
