//! Lists as one SQL value, because the databases have no list type in common.

use uuid::Uuid;

use crate::domain::seats::Resource;

/// Builds the query `$before`, a test whether the preceding column is in list `$number`, and `$after`. `$sqlite` and
/// `$postgres` convert an element and the list.
macro_rules! in_list {
    ($before:expr, $number:literal, $after:expr, $sqlite:literal, $postgres:literal) => {
        store_kit::sql::Sql::differing(
            concat!(
                $before,
                " IN (SELECT ",
                $sqlite,
                " FROM json_each('[\"' || replace($",
                $number,
                ", ',', '\",\"') || '\"]'))",
                $after
            ),
            concat!(
                $before,
                " = ANY(string_to_array($",
                $number,
                ", ',')",
                $postgres,
                ")",
                $after
            ),
        )
    };
}

/// [`in_list`] for a column of texts.
macro_rules! text_in {
    ($before:expr, $number:literal, $after:expr) => {
        $crate::store::lists::in_list!($before, $number, $after, "value", "")
    };
}

/// [`in_list`] for a column of ids.
macro_rules! id_in {
    ($before:expr, $number:literal, $after:expr) => {
        $crate::store::lists::in_list!($before, $number, $after, "unhex(value, '-')", "::uuid[]")
    };
}
pub(super) use {id_in, in_list, text_in};

/// Joins resources into one SQL value; no resource name contains a comma.
pub(super) fn joined<'a>(resources: impl IntoIterator<Item = &'a Resource>) -> String {
    let names: Vec<&str> = resources.into_iter().map(Resource::as_str).collect();
    names.join(",")
}

/// Joins ids into one SQL value.
pub(super) fn joined_ids(ids: &[Uuid]) -> String {
    let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    ids.join(",")
}
