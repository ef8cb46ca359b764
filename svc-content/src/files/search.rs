//! Parser of search.toml: tasks, answers, synonyms and fillers of the search.

use serde::Deserialize;
use toml::Spanned;

use super::{ContentError, Examined, SEARCH_FILE, Sources, texts};
use crate::values::Line;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchFile {
    fillers: Vec<Line<40>>,
    task: Vec<TaskRecord>,
    answer: Vec<AnswerRecord>,
    synonym: Vec<SynonymRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskRecord {
    path: Spanned<Line<100>>,
    title: Line<80>,
    summary: Line<160>,
    phrases: Vec<Spanned<Line<60>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerRecord {
    path: Spanned<Line<100>>,
    phrases: Vec<Spanned<Line<60>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SynonymRecord {
    words: Vec<Spanned<Line<60>>>,
    means: Line<60>,
}

/// Something to do, on any page of the site.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) phrases: Vec<String>,
}

/// What search knows beyond the texts of the pages.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchTable {
    pub(crate) fillers: Vec<String>,
    pub(crate) tasks: Vec<Task>,
    /// Paths of content pages, with the phrases that lead to them.
    pub(crate) answers: Vec<(String, Vec<String>)>,
    /// Phrases, with the words that mean the same.
    pub(crate) synonyms: Vec<(String, String)>,
}

/// Parses the table. `is_page` returns whether a path is a page of the other content files.
pub(crate) fn parse(
    sources: &Sources,
    is_page: impl Fn(&str) -> bool,
) -> Result<SearchTable, ContentError> {
    let examined = sources.examined(SEARCH_FILE);
    let file = examined.parse::<SearchFile>()?;
    examine(&examined, &file, is_page)?;
    let phrases = |all: Vec<Spanned<Line<60>>>| all.into_iter().map(text).collect::<Vec<_>>();
    let synonyms = file.synonym.into_iter().flat_map(|record| {
        let means = String::from(record.means);
        let words = record.words.into_iter();
        words.map(move |words| (text(words), means.clone()))
    });
    Ok(SearchTable {
        fillers: texts(file.fillers),
        tasks: file
            .task
            .into_iter()
            .map(|record| Task {
                path: text(record.path),
                title: record.title.into(),
                summary: record.summary.into(),
                phrases: phrases(record.phrases),
            })
            .collect(),
        answers: file
            .answer
            .into_iter()
            .map(|record| (text(record.path), phrases(record.phrases)))
            .collect(),
        synonyms: synonyms.collect(),
    })
}

fn text<const CHARS_MAX: usize>(line: Spanned<Line<CHARS_MAX>>) -> String {
    line.into_inner().into()
}

fn examine(
    examined: &Examined<'_>,
    file: &SearchFile,
    is_page: impl Fn(&str) -> bool,
) -> Result<(), ContentError> {
    for (index, task) in file.task.iter().enumerate() {
        if !task.path.get_ref().as_ref().starts_with('/') {
            let field = format!("task[{index}].path");
            return Err(examined.broken_at(&task.path, field, "must begin with `/`"));
        }
    }
    for (index, answer) in file.answer.iter().enumerate() {
        let path = answer.path.get_ref().as_ref();
        if !is_page(path) {
            let field = format!("answer[{index}].path");
            let problem = format!("`{path}` is no page of the content files");
            return Err(examined.broken_at(&answer.path, field, problem));
        }
    }
    let tasks = file.task.iter().flat_map(|task| &task.phrases);
    let answers = file.answer.iter().flat_map(|answer| &answer.phrases);
    examined.unique("task and answer", "phrases", tasks.chain(answers))?;
    let synonyms = file.synonym.iter().flat_map(|record| &record.words);
    examined.unique("synonym", "words", synonyms)
}
