//! Reads of posts, which show the draft of a preview in place of its post.

use super::shown;
use crate::{
    domain::blog,
    error::AnswerError,
    service::Rpcs,
    store::{BlogCard, BlogRow, ListPosition},
};

impl Rpcs {
    /// Returns the post of an id or a slug. In a preview, the draft is in place of its post.
    pub(in crate::service) async fn shown_row(
        &self,
        name: &str,
    ) -> Result<Option<BlogRow>, AnswerError> {
        let post = shown().and_then(|shown| shown.post);
        let draft = post.as_ref().map(|post| &post.row);
        let is_named = |row: &BlogRow| {
            !name.is_empty() && [row.id.as_str(), row.slug_key.as_str()].contains(&name)
        };
        if let Some(draft) = draft.filter(|draft| is_named(draft)) {
            return Ok(Some(draft.clone()));
        }
        let row = self.store()?.blog(name).await?;
        let id = row.as_ref().map(|row| &row.id);
        let own = draft.filter(|draft| Some(&draft.id) == id).cloned();
        Ok(own.or(row))
    }

    /// Returns posts as [`Store::blogs`](crate::store::Store::blogs) does. In a preview, there may be one more.
    pub(in crate::service) async fn shown_cards(
        &self,
        category_key: Option<&str>,
        after: Option<&ListPosition>,
        count: usize,
    ) -> Result<Vec<BlogCard>, AnswerError> {
        let store = self.store()?;
        let Some(post) = shown().and_then(|shown| shown.post) else {
            return Ok(store.blogs(category_key, after, count).await?);
        };
        let draft = &post.card;
        let place = (draft.published_at, &draft.id);
        // The draft's post may be among them.
        let mut cards = store.blogs(category_key, after, count + 1).await?;
        cards.retain(|card| card.id != draft.id);
        let is_wanted = category_key.is_none_or(|key| key == blog::category_key(&draft.category));
        if is_wanted && after.is_none_or(|after| (after.published_at, &after.id) > place) {
            let at = cards.partition_point(|card| (card.published_at, &card.id) > place);
            cards.insert(at, draft.clone());
        }
        Ok(cards)
    }
}
