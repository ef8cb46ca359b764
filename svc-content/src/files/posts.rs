//! Parser of blogs.toml, articles.toml and news.toml.

use hospital_proto::content::v1::{ExternalLink, News};
use serde::Deserialize;
use toml::Spanned;

use super::{ARTICLES_FILE, BLOGS_FILE, ContentError, NEWS_FILE, Sources, or_empty, texts};
use crate::{
    domain::blog::{BlogForm, BlogSection, SeedBlog},
    html, slug,
    values::{Day, HttpsUrl, ImagePath, Instant, Line, Prose, Slug},
    wire,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlogsFile {
    blog: Vec<BlogRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlogRecord {
    id: Spanned<Slug>,
    title: Line<200>,
    slug: Spanned<Slug>,
    category: Line<60>,
    summary: Line<500>,
    excerpt: Line<500>,
    author: Line<120>,
    image: ImagePath,
    date: Day,
    tags: Vec<Line<40>>,
    content: Option<Content>,
    #[serde(default)]
    sections: Vec<SectionRecord>,
}

/// Text of a post, and its sanitised HTML.
#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "String")]
struct Content {
    text: String,
    html: String,
}

impl TryFrom<String> for Content {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let text = String::from(Prose::<50_000>::try_from(text)?);
        let html = html::sanitise(&text).map_err(|too_much| too_much.to_string())?;
        Ok(Self { text, html })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SectionRecord {
    heading: Line<200>,
    text: Prose<10_000>,
    image: Option<ImagePath>,
    alignment: Option<Alignment>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
enum Alignment {
    #[serde(rename = "imageRight")]
    ImageRight,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArticlesFile {
    article: Vec<ArticleRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArticleRecord {
    id: Spanned<Slug>,
    category: Line<60>,
    read_time: Line<40>,
    title: Line<200>,
    date: Day,
    author: Line<120>,
    image: ImagePath,
    summary: Line<500>,
    content: Content,
}

impl From<SectionRecord> for BlogSection {
    fn from(record: SectionRecord) -> Self {
        let alignment = match record.alignment {
            Some(Alignment::ImageRight) => "imageRight",
            None => "",
        };
        Self {
            heading: record.heading.into(),
            text: record.text.into(),
            image: or_empty(record.image),
            alignment: alignment.to_owned(),
        }
    }
}

impl From<BlogRecord> for SeedBlog {
    fn from(record: BlogRecord) -> Self {
        let content = record.content.unwrap_or_default();
        let form = BlogForm {
            title: record.title.into(),
            content: content.text,
            summary: record.summary.into(),
            excerpt: record.excerpt.into(),
            author: record.author.into(),
            category: record.category.into(),
            image: record.image.into(),
            tags: texts(record.tags),
            sections: record.sections.into_iter().map(Into::into).collect(),
            ..BlogForm::default()
        };
        Self {
            id: record.id.into_inner().into(),
            form,
            published_at: record.date.morning(),
            html: content.html,
        }
    }
}

impl From<ArticleRecord> for SeedBlog {
    fn from(record: ArticleRecord) -> Self {
        let form = BlogForm {
            title: record.title.into(),
            content: record.content.text,
            summary: record.summary.into(),
            author: record.author.into(),
            category: record.category.into(),
            image: record.image.into(),
            read_time: record.read_time.into(),
            ..BlogForm::default()
        };
        Self {
            id: record.id.into_inner().into(),
            form,
            published_at: record.date.morning(),
            html: record.content.html,
        }
    }
}

/// Parses the blog posts and the sample articles. The articles are built into the pages as a fallback when no post can
/// be loaded. They are also stored as posts, so that their URLs keep working when posts can be loaded again.
pub(crate) fn parse_seed(sources: &Sources) -> Result<Vec<SeedBlog>, ContentError> {
    let examined = sources.examined(BLOGS_FILE);
    let blogs = examined.parse::<BlogsFile>()?.blog;
    examined.unique("blog", "id", blogs.iter().map(|record| &record.id))?;
    examined.unique("blog", "slug", blogs.iter().map(|record| &record.slug))?;
    for (index, record) in blogs.iter().enumerate() {
        let by_title = slug::blog_slug(record.title.as_ref());
        if record.slug.get_ref().as_ref() != by_title {
            let problem = format!("must be the slug of the title, `{by_title}`");
            return Err(examined.broken_at(&record.slug, format!("blog[{index}].slug"), problem));
        }
        if record.content.is_some() != record.sections.is_empty() {
            let problem = "needs either `content` or `sections`";
            return Err(examined.broken_at(&record.id, format!("blog[{index}].content"), problem));
        }
    }
    let examined = sources.examined(ARTICLES_FILE);
    let articles = examined.parse::<ArticlesFile>()?.article;
    examined.unique("article", "id", articles.iter().map(|record| &record.id))?;
    let names = |record: &BlogRecord| {
        [
            record.id.get_ref().to_string(),
            record.slug.get_ref().to_string(),
        ]
    };
    let taken: Vec<String> = blogs.iter().flat_map(names).collect();
    for (index, record) in articles.iter().enumerate() {
        let own = [
            record.id.get_ref().to_string(),
            slug::blog_slug(record.title.as_ref()),
        ];
        if let Some(twice) = own.iter().find(|name| taken.contains(name)) {
            let problem = format!("`{twice}` is the name of a blog post");
            return Err(examined.broken_at(&record.id, format!("article[{index}].id"), problem));
        }
    }
    let blogs = blogs.into_iter().map(SeedBlog::from);
    Ok(blogs
        .chain(articles.into_iter().map(SeedBlog::from))
        .collect())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewsFile {
    news: Vec<NewsRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewsRecord {
    id: Spanned<Slug>,
    title: Line<200>,
    meta_title: Option<Line<120>>,
    meta_description: Option<Line<160>>,
    excerpt: Option<Line<500>>,
    content: Prose<20_000>,
    image: ImagePath,
    published_at: Spanned<Instant>,
    #[serde(default)]
    attachments: Vec<ImagePath>,
    #[serde(default)]
    external_links: Vec<LinkRecord>,
    source_url: Option<HttpsUrl>,
    source_name: Option<Line<80>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkRecord {
    url: HttpsUrl,
    label: Line<120>,
}

impl From<LinkRecord> for ExternalLink {
    fn from(record: LinkRecord) -> Self {
        Self {
            url: record.url.into(),
            label: record.label.into(),
        }
    }
}

impl From<NewsRecord> for News {
    fn from(record: NewsRecord) -> Self {
        let title = String::from(record.title);
        let meta_title = or_empty(record.meta_title);
        Self {
            slug: slug::news_slug(&meta_title, &title),
            id: record.id.into_inner().into(),
            title,
            meta_title,
            meta_description: or_empty(record.meta_description),
            excerpt: or_empty(record.excerpt),
            content: record.content.into(),
            image: record.image.into(),
            picture: None,
            published_at: Some(wire::timestamp(record.published_at.into_inner().0)),
            attachments: texts(record.attachments),
            external_links: record.external_links.into_iter().map(Into::into).collect(),
            source_url: or_empty(record.source_url),
            source_name: or_empty(record.source_name),
        }
    }
}

/// Parses the news, newest first.
pub(crate) fn parse_news(sources: &Sources) -> Result<Vec<News>, ContentError> {
    let examined = sources.examined(NEWS_FILE);
    let mut news = examined.parse::<NewsFile>()?.news;
    examined.unique("news", "id", news.iter().map(|record| &record.id))?;
    for (index, record) in news.iter().enumerate() {
        if record.source_url.is_some() != record.source_name.is_some() {
            let problem = "needs both `source_url` and `source_name` or neither";
            return Err(examined.broken_at(
                &record.id,
                format!("news[{index}].source_url"),
                problem,
            ));
        }
    }
    news.sort_by(|one, other| other.published_at.get_ref().cmp(one.published_at.get_ref()));
    Ok(news.into_iter().map(Into::into).collect())
}
