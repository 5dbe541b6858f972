//! The glossary at the root of the repository: the only source of what terms mean, for the terminal
//! and for reports.
//!
//! Its tables are in Markdown. One whose head begins with `term` has a term in each row: its names
//! in all cells but the last, and its meaning there.

use crate::Lang;

const ENGLISH: &str = include_str!("../../../GLOSSARY.md");
const KOREAN: &str = include_str!("../../../GLOSSARY.ko.md");

/// The glossary in a language. Both have the same terms in the same order.
pub fn text(lang: Lang) -> &'static str {
    match lang {
        Lang::En => ENGLISH,
        Lang::Ko => KOREAN,
    }
}

/// The first head of a table of terms, in every language.
const TERM: &str = "term";

/// A heading of the second level, with the text and the table below it.
#[derive(Debug, Default)]
pub struct GlossarySection<'t> {
    /// The heading.
    pub title: &'t str,
    /// Lines of text.
    pub intro: Vec<&'t str>,
    /// The heads of the table's columns.
    pub head: Vec<&'t str>,
    /// Its other rows.
    pub rows: Vec<Vec<&'t str>>,
}

/// A row of a table of terms.
#[derive(Debug)]
pub struct GlossaryTerm<'t> {
    /// What it is called.
    pub names: Vec<&'t str>,
    /// What it means, with code in backquotes.
    pub meaning: &'t str,
}

/// The sections of a glossary; what stands above the first is no part of any.
pub fn sections(text: &str) -> Vec<GlossarySection<'_>> {
    let mut sections: Vec<GlossarySection<'_>> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push(GlossarySection { title, ..GlossarySection::default() });
            continue;
        }
        let Some(section) = sections.last_mut().filter(|_| !line.is_empty()) else { continue };
        match row(line) {
            None => section.intro.push(line),
            Some(cells) if section.head.is_empty() => section.head = cells,
            Some(cells) if cells.iter().all(|cell| cell.starts_with("---")) => {}
            Some(cells) => section.rows.push(cells),
        }
    }
    sections
}

impl GlossaryTerm<'_> {
    /// Its names as a heading. What the reader's language calls it comes first, and the English
    /// names follow in parentheses: `큐 깊이(queue depth, QD)`.
    pub fn title(&self) -> String {
        let (english, own): (Vec<&str>, Vec<&str>) =
            self.names.iter().partition(|name| name.is_ascii());
        match own.is_empty() {
            true => english.join(", "),
            false => format!("{}({})", own.join(", "), english.join(", ")),
        }
    }
}

/// All terms of a glossary.
pub fn terms<'t>(glossary: &'t str) -> impl Iterator<Item = GlossaryTerm<'t>> {
    sections(glossary).into_iter().filter(GlossarySection::is_of_terms).flat_map(|of| of.terms())
}

/// The sections with tables of what is usual: of reads, then of flushes.
pub fn usual(glossary: &str) -> Vec<GlossarySection<'_>> {
    let is_usual = |of: &GlossarySection<'_>| !of.is_of_terms() && !of.rows.is_empty();
    sections(glossary).into_iter().filter(is_usual).collect()
}

/// The cells of a row; none if the line is text.
fn row(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

impl<'t> GlossarySection<'t> {
    /// Whether each row explains a term.
    pub fn is_of_terms(&self) -> bool {
        self.head.first() == Some(&TERM)
    }

    /// The terms, in their order.
    pub fn terms(&self) -> Vec<GlossaryTerm<'t>> {
        let term = |row: &Vec<&'t str>| {
            let (meaning, named) = row.split_last()?;
            let names = named.iter().flat_map(|cell| cell.split(", "));
            let names = names.map(|name| name.trim_matches('`')).collect();
            Some(GlossaryTerm { names, meaning })
        };
        self.rows.iter().filter_map(term).collect()
    }
}

/// Whether a term is meant by `typed`: by one of its names or fio's, in any case, as plural, and
/// with dashes for spaces; Korean with or without spaces. Any percentile is the term for all.
pub fn is_name(term: &GlossaryTerm<'_>, typed: &str) -> bool {
    let form = if typed.is_ascii() { plain } else { without_spaces };
    let typed = form(typed);
    let names = || term.names.iter().copied().chain(fio_names(term.meaning)).map(form);
    names().any(|name| name == typed)
        || names().any(|name| typed.strip_suffix('s') == Some(&name))
        || (is_percentile(&typed) && names().any(|name| name == "percentile"))
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace(['-', '_'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn without_spaces(name: &str) -> String {
    plain(name).replace(' ', "")
}

/// `p99.99`. The median has a name of its own.
fn is_percentile(typed: &str) -> bool {
    let percent = typed.strip_prefix('p').and_then(|percent| percent.parse::<f64>().ok());
    percent.is_some_and(|percent| percent > 0.0 && percent < 100.0 && percent != 50.0)
}

/// fio's names: code in the parentheses at the end of a meaning, without a value.
fn fio_names(meaning: &str) -> impl Iterator<Item = &str> {
    let inner = meaning.strip_suffix(')').and_then(|text| Some(text.rsplit_once('(')?.1));
    let code = inner.unwrap_or_default().split('`').skip(1).step_by(2);
    code.filter_map(|code| code.split('=').next())
}
