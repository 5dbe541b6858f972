//! A report as GitHub's Markdown: answers, verdicts, tables, commands. Tables contain the data of
//! charts.
//!
//! Every text is data: characters with a meaning in Markdown or HTML are escaped, and so are
//! unprintable ones. Within a table a `|` ends a cell even inside code, so it is escaped there,
//! too.

use crate::Report;
use crate::model::{Column, Fact, Repeat, Statement, Table, TableCell};
use crate::show;
use fathom_analysis::Tone;
use fathom_message::{Lang, words};
use fathom_vocab::printable;

/// From this number of rows on a table is folded.
const LONG: usize = 40;

/// Most points before the first figures: the answer, and the worst of what is to be known of it.
const MOST_BEFORE: usize = 6;

/// The whole page.
pub fn markdown(report: &Report) -> String {
    let lang = report.lang;
    let mut text = format!("# {}\n", inline(&report.title));
    if let Some(example) = &report.example {
        text += &format!("\n> **{}**\n", inline(example));
    }
    let said = |of: &Statement| said(of, lang);
    let (answer, answers) = report.answers.split_at(report.answers.len().min(1));
    let (verdicts, more) = report.verdicts.split_at(report.verdicts.len().min(MOST_BEFORE - 1));
    text += &list(answer.iter().map(|answer| format!("**{}**", inline(answer))));
    let reasons = report.reasons.iter().map(|reason| inline(reason));
    text += &list(reasons.chain(verdicts.iter().map(said)));
    report.changes.iter().chain(&report.tables).for_each(|table| text += &self::table(table));
    text += &section(lang, "page-answers", list(answers.iter().map(|answer| inline(answer))));
    text += &section(lang, "page-verdicts", list(more.iter().map(said)));
    text += &section(lang, "report-heading-facts", list(report.facts.iter().map(fact)));
    text + &section(lang, "report-heading-repeat", commands(&report.repeat))
}

fn section(lang: Lang, id: &'static str, body: String) -> String {
    match body.is_empty() {
        true => body,
        false => format!("\n## {}\n{body}", words(lang, id)),
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    let lines: String = items.map(|item| format!("- {item}\n")).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

fn said(said: &Statement, lang: Lang) -> String {
    let mark = match (said.outcome, said.tone) {
        (Some(outcome), _) => words(lang, crate::words::of_outcome(outcome)),
        (None, Tone::Good) => "✓".to_owned(),
        (None, Tone::Note) => "·".to_owned(),
        (None, Tone::Warning) => "⚠".to_owned(),
        (None, Tone::Bad) => "✗".to_owned(),
    };
    let about = match said.about.is_empty() {
        true => String::new(),
        false => format!("{}: ", inline(&said.about)),
    };
    format!("{mark} {about}{}", inline(&said.sentence))
}

fn fact(fact: &Fact) -> String {
    format!("{}: {}", inline(&fact.name), inline(&fact.value))
}

fn table(table: &Table) -> String {
    let columns: Vec<usize> =
        (0..table.columns.len()).filter(|at| table.rows.iter().any(|row| has(row, *at))).collect();
    if columns.is_empty() {
        return String::new();
    }
    let of = |at: &usize| &table.columns[*at];
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text =
        row(columns.iter().map(|at| inline(&show::heading(&of(at).name, of(at).unit))).collect());
    let rule = |at: &usize| if of(at).unit.is_some() { "---:" } else { "---" }.to_owned();
    text += &row(columns.iter().map(rule).collect());
    for cells in &table.rows {
        text += &row(columns.iter().map(|at| shown(cells.get(*at), of(at))).collect());
    }
    let title = inline(&table.title);
    match table.rows.len() > LONG {
        true => format!(
            "\n<details><summary>{title} ({})</summary>\n\n{text}\n</details>\n",
            table.rows.len()
        ),
        false => format!("\n## {title}\n\n{text}"),
    }
}

/// Whether a row has something in a column: one that is empty everywhere is left out.
fn has(row: &[TableCell], at: usize) -> bool {
    match row.get(at) {
        Some(TableCell::Text(text)) => !text.is_empty(),
        Some(TableCell::Number(_)) => true,
        Some(TableCell::Nothing) | None => false,
    }
}

fn shown(cell: Option<&TableCell>, column: &Column) -> String {
    match cell {
        Some(TableCell::Number(number)) => show::cell(column.unit.unwrap_or_default(), *number),
        Some(TableCell::Text(text)) => inline(text),
        Some(TableCell::Nothing) | None => String::new(),
    }
}

/// Each command in its own code block, which nothing in it can end.
fn commands(all: &[Repeat]) -> String {
    let block = |of: &Repeat| {
        format!("\n{}\n\n{}", inline(&of.what), markdown_commands([of.command.as_str()]))
    };
    all.iter().map(block).collect()
}

/// Commands in one code block that none of them can end, each on its own line.
pub fn markdown_commands<'c>(commands: impl IntoIterator<Item = &'c str>) -> String {
    let lines: String =
        commands.into_iter().map(|command| format!("{}\n", printable::line(command))).collect();
    let fence = "`".repeat(longest_run(&lines).max(2) + 1);
    format!("{fence}sh\n{lines}{fence}\n")
}

/// Longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text that Markdown and HTML show as it is, in one line: a name in a sentence, a heading, a cell.
pub fn markdown_text(text: &str) -> String {
    inline(text)
}

fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in printable::line(text).chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            // The sign would name a person, a run of issues or a link on GitHub.
            '@' => out += "&#64;",
            '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '~' | '#' => {
                out.push('\\');
                out.push(letter);
            }
            letter => out.push(letter),
        }
    }
    // GitHub makes links of bare addresses, too.
    out.replace("://", ":&#47;&#47;").replace("www.", "www&#46;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_acts() {
        assert_eq!(
            inline("a|b`c`\n<img src=x onerror=alert(1)> *d* [e](http://f) @g"),
            "a\\|b\\`c\\`\\\\n&lt;img src=x onerror=alert(1)&gt; \\*d\\* \\[e\\](http:&#47;&#47;f) &#64;g"
        );
        assert_eq!(inline("/mnt/data_1 \u{1b}[2J"), "/mnt/data\\_1 \\\\x1b\\[2J");
        assert_eq!(inline("\u{202e}www.a.example"), "\\\\u{202e}www&#46;a.example");
    }

    #[test]
    fn few_points_stand_before_the_first_figures_and_none_is_lost() {
        let said = |n: usize| Statement {
            outcome: None,
            tone: Tone::Warning,
            about: String::new(),
            sentence: format!("Caution {n}."),
        };
        let column = Column { key: "x".into(), name: "X".into(), unit: None };
        let table = Table {
            id: "x".into(),
            title: "Table".into(),
            columns: vec![column],
            rows: vec![vec![TableCell::Text("cell".into())]],
        };
        let report = Report {
            answers: vec!["Answer.".into(), "More.".into()],
            verdicts: (0..9).map(said).collect(),
            tables: vec![table],
            ..Report::default()
        };
        let text = markdown(&report);
        let (before, after) = text.split_once("## Table").unwrap();
        assert_eq!(before.lines().filter(|line| line.starts_with("- ")).count(), MOST_BEFORE);
        assert_eq!(after.lines().filter(|line| line.starts_with("- ")).count(), 5, "{after}");
    }

    #[test]
    fn a_command_cannot_end_its_block() {
        let repeat = Repeat { what: "x".into(), command: "a ``` b\n# c".into() };
        assert_eq!(commands(&[repeat]), "\nx\n\n````sh\na ``` b\\n# c\n````\n");
    }
}
