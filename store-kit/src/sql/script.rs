//! Statements sent together.

use std::fmt::Write as _;

use super::{Sql, Value};
use crate::url::DatabaseKind;

/// One statement with its values.
#[derive(Clone, Debug)]
pub struct Statement {
    sql: Sql,
    values: Vec<Value>,
}

impl Statement {
    /// Creates a statement for a [`Script`].
    pub fn new(sql: impl Into<Sql>, values: Vec<Value>) -> Self {
        Self {
            sql: sql.into(),
            values,
        }
    }
}

/// Writing statements of one change.
///
/// On PostgreSQL they are sent in one round trip, as parts of one `WITH`: no statement sees another's writes, and no row may be written twice.
/// Each is an `INSERT`, `UPDATE` or `DELETE` without a semicolon.
#[derive(Clone, Debug, Default)]
pub struct Script(Vec<Statement>);

impl Script {
    /// Creates an empty script.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a statement.
    pub fn push(&mut self, statement: Statement) {
        self.0.push(statement);
    }

    /// Appends the statements of another script.
    pub fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the text and values of each statement.
    pub(super) fn each(
        self,
        kind: DatabaseKind,
    ) -> impl Iterator<Item = (&'static str, Vec<Value>)> {
        self.0
            .into_iter()
            .map(move |statement| (statement.sql.on(kind), statement.values))
    }

    /// Returns the script as one statement of PostgreSQL with consecutive placeholders, and all values.
    pub(super) fn join(self) -> (String, Vec<Value>) {
        let mut text = String::with_capacity(self.0.len() * 240);
        let mut values = Vec::new();
        for (number, (sql, own)) in self.each(DatabaseKind::Postgres).enumerate() {
            text.push_str(if number == 0 { "WITH " } else { ", " });
            // Writing to a String cannot fail.
            let _ = write!(text, "part_{number} AS (");
            renumber(sql, values.len(), &mut text);
            text.push_str(")\n");
            values.extend(own);
        }
        text.push_str("SELECT 1");
        (text, values)
    }
}

impl FromIterator<Statement> for Script {
    fn from_iter<I: IntoIterator<Item = Statement>>(statements: I) -> Self {
        Self(statements.into_iter().collect())
    }
}

impl Extend<Statement> for Script {
    fn extend<I: IntoIterator<Item = Statement>>(&mut self, statements: I) {
        self.0.extend(statements);
    }
}

/// Appends `sql` with `$n` as `$(n + by)`. SQL texts contain no other dollar sign.
fn renumber(sql: &str, by: usize, text: &mut String) {
    let mut parts = sql.split('$');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = part.split_at(digits);
        let number: usize = number.parse().unwrap_or_default();
        let _ = write!(text, "${}{rest}", number + by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values;

    fn script() -> Script {
        [
            Statement::new("INSERT INTO a VALUES ($1, $2)", values![1_i64, "x"]),
            Statement::new("DELETE FROM b WHERE id = $1", values![2_i64]),
        ]
        .into_iter()
        .collect()
    }

    #[test]
    fn a_script_renumbers_placeholders() {
        let (text, values) = script().join();
        assert_eq!(
            text,
            "WITH part_0 AS (INSERT INTO a VALUES ($1, $2))\n, part_1 AS (DELETE FROM b WHERE id = $3)\nSELECT 1"
        );
        assert_eq!(values, values![1_i64, "x", 2_i64]);
    }

    #[test]
    fn two_digit_placeholders_are_renumbered() {
        let mut text = String::new();
        renumber("$9, $10 + $1", 5, &mut text);
        assert_eq!(text, "$14, $15 + $6");
    }
}
