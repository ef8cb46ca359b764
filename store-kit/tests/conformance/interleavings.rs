//! Under any concurrency and any outcome, the sum is constant and each account has the committed amounts.

use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use service_kit::deadline;
use store_kit::{
    database::Database,
    error::StoreError,
    sql::Transaction,
    url::DatabaseKind,
    values,
    work::{Decision, UnitOfWork},
};
use test_kit::database::TestDatabase;
use tokio::runtime::Handle;

use super::fixture::{execute, on_both, open};

on_both!(concurrent_transfers_keep_the_total);

const ACCOUNTS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Commit,
    Rollback,
    Fail,
    Panic,
}

#[derive(Clone, Debug)]
struct Transfer {
    from: usize,
    to: usize,
    amount: i64,
    end: End,
}

#[async_trait]
impl UnitOfWork for Transfer {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        const ADD: &str = "UPDATE accounts SET balance = balance + $2 WHERE id = $1";
        let mut parts = [(self.from, -self.amount), (self.to, self.amount)];
        // In a fixed order, so that two transfers cannot deadlock.
        parts.sort_by_key(|part| part.0);
        for (account, amount) in parts {
            let id = i64::try_from(account).expect("a small number");
            transaction.execute(ADD, values![id, amount]).await?;
            // A unit of SQLite's writer runs alone and must not wait.
            if transaction.kind() == DatabaseKind::Postgres {
                tokio::task::yield_now().await;
            }
        }
        match self.end {
            End::Commit => Ok(Decision::Commit(())),
            End::Rollback => Ok(Decision::Rollback(())),
            End::Fail => Err(StoreError::IdentifiersTaken),
            End::Panic => panic!("injected"),
        }
    }
}

fn transfer() -> impl Strategy<Value = Transfer> {
    let end = prop_oneof![
        4 => Just(End::Commit),
        1 => Just(End::Rollback),
        1 => Just(End::Fail),
        1 => Just(End::Panic),
    ];
    (0..ACCOUNTS, 0..ACCOUNTS, 1..100_i64, end).prop_map(|(from, to, amount, end)| Transfer {
        from,
        to,
        amount,
        end,
    })
}

async fn concurrent_transfers_keep_the_total(database: &TestDatabase) {
    let database = open(database).await;
    let config = Config {
        cases: 24,
        failure_persistence: None,
        ..Config::default()
    };
    tokio::task::block_in_place(|| {
        TestRunner::new(config)
            .run(&prop::collection::vec(transfer(), 1..60), |transfers| {
                Handle::current().block_on(run(&database, transfers))
            })
            .expect("every account has what was committed");
    });
}

async fn run(database: &Database, transfers: Vec<Transfer>) -> Result<(), TestCaseError> {
    execute(
        database,
        &[
            "DELETE FROM accounts",
            "INSERT INTO accounts (id, balance) VALUES (0, 0), (1, 0), (2, 0), (3, 0)",
        ],
    )
    .await
    .expect("accounts");
    let writes = transfers.iter().map(|transfer| {
        let written = database.write("transfer", transfer.clone());
        deadline::scope(Duration::from_secs(20), written)
    });
    let outcomes = join_all(writes).await;
    let mut expected = [0; ACCOUNTS];
    for (transfer, outcome) in transfers.iter().zip(outcomes) {
        let is_kept = outcome.is_ok() && transfer.end == End::Commit;
        if is_kept {
            expected[transfer.from] -= transfer.amount;
            expected[transfer.to] += transfer.amount;
        }
        let is_right = match transfer.end {
            End::Commit | End::Rollback => outcome.is_ok(),
            End::Fail => matches!(outcome, Err(StoreError::IdentifiersTaken)),
            End::Panic => matches!(outcome, Err(StoreError::Panicked)),
        };
        prop_assert!(is_right, "{:?}: {:?}", transfer, outcome);
    }
    let rows: Vec<(i64,)> = database
        .fetch_all(
            "SELECT accounts",
            "SELECT balance FROM accounts ORDER BY id",
            values![],
        )
        .await
        .expect("balances");
    let balances: Vec<_> = rows.into_iter().map(|row| row.0).collect();
    prop_assert_eq!(balances.iter().sum::<i64>(), 0);
    prop_assert_eq!(balances, expected);
    Ok(())
}
