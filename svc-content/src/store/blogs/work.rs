//! Units of work on blog posts, written once and compiled for each database: its own file says which connection runs them and
//! when they are committed.

/// The units of work of a store within one transaction of its database, for the connection type that it has.
macro_rules! blog_units_of_work {
    ($connection:ty) => {
        use crate::{
            domain::blog::{NewBlog, Replacement, RequestKey},
            store::blogs::{BlogRow, Change, CreateOutcome, Derived, WriteOutcome, statements},
        };

        /// What to do with the transaction: whether there is something to keep.
        type Kept<T> = Result<(T, bool), sqlx::Error>;

        async fn by_id(
            connection: &mut $connection,
            id: &str,
        ) -> Result<Option<BlogRow>, sqlx::Error> {
            sqlx::query_as(statements::BY_ID)
                .bind(id)
                .fetch_optional(connection)
                .await
        }

        async fn slug_of(
            connection: &mut $connection,
            id: &str,
        ) -> Result<Option<String>, sqlx::Error> {
            sqlx::query_scalar(statements::SLUG_OF)
                .bind(id)
                .fetch_optional(connection)
                .await
        }

        async fn next_sequence(connection: &mut $connection) -> Result<i64, sqlx::Error> {
            sqlx::query_scalar(statements::NEXT_SEQUENCE)
                .fetch_one(connection)
                .await
        }

        async fn note(connection: &mut $connection, change: &Change) -> Result<(), sqlx::Error> {
            sqlx::query(statements::INSERT_CHANGE)
                .bind(change.seq)
                .bind(&change.blog_id)
                .bind(&change.slug_before)
                .bind(&change.slug_after)
                .execute(&mut *connection)
                .await?;
            sqlx::query(statements::FORGET_CHANGES)
                .bind(change.seq - statements::CHANGES_KEPT)
                .execute(connection)
                .await?;
            Ok(())
        }

        async fn insert(connection: &mut $connection, new: &NewBlog) -> Result<(), sqlx::Error> {
            let derived = Derived::of(&new.draft, &new.etag)?;
            let blog = new.draft.blog();
            sqlx::query(statements::INSERT)
                .bind(&new.id)
                .bind(derived.slug_key)
                .bind(&blog.title)
                .bind(&blog.content)
                .bind(derived.teaser)
                .bind(&blog.summary)
                .bind(&blog.excerpt)
                .bind(&blog.author)
                .bind(&blog.category)
                .bind(derived.category_key)
                .bind(&blog.image)
                .bind(&blog.read_time)
                .bind(derived.tags)
                .bind(derived.sections)
                .bind(new.published_at)
                .bind(new.created_at)
                .bind(&new.etag)
                .bind(new.draft.html())
                .bind(derived.html_of)
                .execute(connection)
                .await?;
            Ok(())
        }

        async fn seed(connection: &mut $connection, seeds: &[NewBlog]) -> Kept<bool> {
            let begun: Option<i64> = sqlx::query_scalar(statements::BEGIN_SEEDING)
                .fetch_optional(&mut *connection)
                .await?;
            let Some(seq) = begun else {
                return Ok((false, false));
            };
            let is_empty: bool = sqlx::query_scalar(statements::IS_EMPTY)
                .fetch_one(&mut *connection)
                .await?;
            if is_empty {
                for new in seeds {
                    insert(connection, new).await?;
                }
            }
            let change = Change {
                seq,
                blog_id: String::new(),
                slug_before: String::new(),
                slug_after: String::new(),
            };
            note(connection, &change).await?;
            Ok((is_empty, true))
        }

        async fn create(
            connection: &mut $connection,
            new: &NewBlog,
            request: &RequestKey,
        ) -> Kept<CreateOutcome> {
            let seq = next_sequence(connection).await?;
            let is_first = sqlx::query(statements::INSERT_REQUEST)
                .bind(&request.id)
                .bind(&request.fingerprint)
                .bind(&new.id)
                .bind(new.created_at)
                .execute(&mut *connection)
                .await?
                .rows_affected()
                > 0;
            if !is_first {
                return Ok((repeated(connection, request).await?, false));
            }
            insert(connection, new).await?;
            let row = by_id(connection, &new.id)
                .await?
                .ok_or(sqlx::Error::RowNotFound)?;
            let change = Change {
                seq,
                blog_id: new.id.clone(),
                slug_before: String::new(),
                slug_after: row.slug_key.clone(),
            };
            note(connection, &change).await?;
            Ok((CreateOutcome::Created(Box::new(row)), true))
        }

        async fn repeated(
            connection: &mut $connection,
            request: &RequestKey,
        ) -> Result<CreateOutcome, sqlx::Error> {
            let (fingerprint, blog_id): (Vec<u8>, String) = sqlx::query_as(statements::REQUEST)
                .bind(&request.id)
                .fetch_one(&mut *connection)
                .await?;
            if fingerprint != request.fingerprint {
                return Ok(CreateOutcome::RequestIdReused);
            }
            let row = by_id(connection, &blog_id).await?;
            Ok(row.map_or(CreateOutcome::RepeatedDeleted, |row| {
                CreateOutcome::Repeated(Box::new(row))
            }))
        }

        async fn update(
            connection: &mut $connection,
            replacement: &Replacement,
        ) -> Kept<WriteOutcome<Box<BlogRow>>> {
            let seq = next_sequence(connection).await?;
            let Some(slug_before) = slug_of(connection, &replacement.id).await? else {
                return Ok((WriteOutcome::Absent, false));
            };
            let derived = Derived::of(&replacement.draft, &replacement.etag)?;
            let blog = replacement.draft.blog();
            let updated = sqlx::query(statements::UPDATE)
                .bind(&replacement.id)
                .bind(derived.slug_key)
                .bind(&blog.title)
                .bind(&blog.content)
                .bind(derived.teaser)
                .bind(&blog.summary)
                .bind(&blog.excerpt)
                .bind(&blog.author)
                .bind(&blog.category)
                .bind(derived.category_key)
                .bind(&blog.image)
                .bind(&blog.read_time)
                .bind(derived.tags)
                .bind(derived.sections)
                .bind(replacement.draft.published_at())
                .bind(replacement.updated_at)
                .bind(&replacement.etag)
                .bind(replacement.precondition.as_deref().unwrap_or_default())
                .bind(replacement.draft.html())
                .bind(derived.html_of)
                .execute(&mut *connection)
                .await?;
            if updated.rows_affected() == 0 {
                return Ok((WriteOutcome::EtagMismatch, false));
            }
            let row = by_id(connection, &replacement.id)
                .await?
                .ok_or(sqlx::Error::RowNotFound)?;
            let change = Change {
                seq,
                blog_id: row.id.clone(),
                slug_before,
                slug_after: row.slug_key.clone(),
            };
            note(connection, &change).await?;
            Ok((WriteOutcome::Done(Box::new(row)), true))
        }

        async fn delete(
            connection: &mut $connection,
            id: &str,
            precondition: Option<&str>,
        ) -> Kept<WriteOutcome<()>> {
            let seq = next_sequence(connection).await?;
            let Some(slug_before) = slug_of(connection, id).await? else {
                return Ok((WriteOutcome::Absent, false));
            };
            let deleted = sqlx::query(statements::DELETE)
                .bind(id)
                .bind(precondition.unwrap_or_default())
                .execute(&mut *connection)
                .await?;
            if deleted.rows_affected() == 0 {
                return Ok((WriteOutcome::EtagMismatch, false));
            }
            let change = Change {
                seq,
                blog_id: id.to_owned(),
                slug_before,
                slug_after: String::new(),
            };
            note(connection, &change).await?;
            Ok((WriteOutcome::Done(()), true))
        }
    };
}
pub(in crate::store) use blog_units_of_work;

/// Reads of a store, from a pool of its database.
macro_rules! blog_reads {
    ($pool:ty) => {
        use crate::store::blogs::{BlogCard, ListPosition};

        async fn cards(
            pool: &$pool,
            category_key: Option<&str>,
            after: Option<&ListPosition>,
            count: i64,
        ) -> Result<Vec<BlogCard>, sqlx::Error> {
            match (category_key, after) {
                (None, None) => {
                    sqlx::query_as(statements::FIRST_PAGE)
                        .bind(count)
                        .fetch_all(pool)
                        .await
                }
                (None, Some(after)) => {
                    sqlx::query_as(statements::NEXT_PAGE)
                        .bind(count)
                        .bind(after.published_at)
                        .bind(&after.id)
                        .fetch_all(pool)
                        .await
                }
                (Some(category), None) => {
                    sqlx::query_as(statements::FIRST_PAGE_OF_CATEGORY)
                        .bind(count)
                        .bind(category)
                        .fetch_all(pool)
                        .await
                }
                (Some(category), Some(after)) => {
                    sqlx::query_as(statements::NEXT_PAGE_OF_CATEGORY)
                        .bind(count)
                        .bind(category)
                        .bind(after.published_at)
                        .bind(&after.id)
                        .fetch_all(pool)
                        .await
                }
            }
        }

        async fn rows(
            pool: &$pool,
            after: Option<&ListPosition>,
            count: i64,
        ) -> Result<Vec<BlogRow>, sqlx::Error> {
            match after {
                None => {
                    sqlx::query_as(statements::FIRST_ROWS)
                        .bind(count)
                        .fetch_all(pool)
                        .await
                }
                Some(after) => {
                    sqlx::query_as(statements::NEXT_ROWS)
                        .bind(count)
                        .bind(after.published_at)
                        .bind(&after.id)
                        .fetch_all(pool)
                        .await
                }
            }
        }
    };
}
pub(in crate::store) use blog_reads;
