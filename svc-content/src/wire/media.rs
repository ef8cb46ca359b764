//! Conversion of uploaded pictures.

use hospital_proto::content::v1::Picture;

use crate::{
    domain::pictures::Pictures,
    media::form_widths,
    store::media::{MediaRow, READY},
};

/// Returns the pictures that have forms, by hash.
pub(crate) fn pictures(rows: Vec<MediaRow>) -> Pictures {
    let ready = rows.into_iter().filter(|row| row.state == READY);
    ready
        .map(|row| {
            let widths = form_widths(&row).into_iter();
            let picture = Picture {
                width: number(row.width),
                height: number(row.height),
                widths: widths.map(|width| number(width.into())).collect(),
                alt: row.alt,
                focal_x: number(row.focal_x),
                focal_y: number(row.focal_y),
            };
            (row.hash, picture)
        })
        .collect()
}

fn number(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}
