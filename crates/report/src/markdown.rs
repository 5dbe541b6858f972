//! A report as GitHub's Markdown: answers, limits, tables, warnings, commands. Tables contain the
//! data of charts.
//!
//! It is read in the comments of a pull request, so the first sentence and the figures come first,
//! one table and few warnings are open, and a column that repeats one of the facts is left out.
//!
//! Every text is data: characters with a meaning in Markdown or HTML are escaped, and so are
//! unprintable ones. Within a table a `|` ends a cell even inside code, so it is escaped there,
//! too.

use crate::Report;
use crate::model::{Column, Fact, Repeat, Statement, Table, TableCell};
use crate::show;
use fathom_analysis::Tone;
use fathom_message::{Lang, Message, words};
use fathom_vocab::printable;

/// From this number of rows on the first table is folded, too.
const LONG: usize = 40;

/// Most limits before the first figures: the missed ones are first.
const MOST_LIMITS: usize = 5;

/// Most warnings that are not folded: the worst are first.
const MOST_OPEN: usize = 3;

/// The whole page.
pub fn markdown(report: &Report) -> String {
    let lang = report.lang;
    let mut text = format!("# {}\n", inline(&report.title));
    let (answer, answers) = report.answers.split_at(report.answers.len().min(1));
    let (limits, others): (Vec<&Statement>, Vec<&Statement>) =
        report.verdicts.iter().partition(|verdict| verdict.outcome.is_some());
    let (limits, more_limits) = limits.split_at(limits.len().min(MOST_LIMITS));
    text += &list(answer.iter().map(|answer| format!("**{}**", inline(answer))));
    let reasons = report.reasons.iter().map(|reason| inline(reason));
    text += &list(reasons.chain(limits.iter().map(|of| said(of, lang))));
    let tables = report.changes.iter().chain(&report.volumes).chain(&report.tables);
    // The first tells the answer.
    tables.enumerate().for_each(|(at, table)| text += &self::table(table, at > 0, &report.facts));
    text += &section(lang, "page-answers", list(answers.iter().map(|answer| inline(answer))));
    text += &section(lang, "page-verdicts", believed(more_limits, &others, lang));
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

/// What is to be known of the figures: `limits` and the worst of the `others` are open.
fn believed(limits: &[&Statement], others: &[&Statement], lang: Lang) -> String {
    let (open, more) = others.split_at(others.len().min(MOST_OPEN));
    let list = |of: &[&Statement]| self::list(of.iter().map(|of| said(of, lang)));
    let open = list(&[limits, open].concat());
    if more.is_empty() {
        return open;
    }
    let count = Message::new("report-and-more").with("count", more.len() as u64).text(lang);
    open + &folded(&count, &list(more))
}

/// A body that is hidden until a reader clicks on its title.
fn folded(title: &str, body: &str) -> String {
    let body = body.trim_start_matches('\n');
    format!("\n<details><summary>{title}</summary>\n\n{body}\n</details>\n")
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

fn table(table: &Table, is_folded: bool, facts: &[Fact]) -> String {
    let is_shown = |at: &usize| {
        table.rows.iter().any(|row| has(row, *at)) && !repeats_a_fact(&table.rows, *at, facts)
    };
    let columns: Vec<usize> = (0..table.columns.len()).filter(is_shown).collect();
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
    match is_folded || table.rows.len() > LONG {
        true => folded(&format!("{title} ({})", table.rows.len()), &text),
        false => format!("\n## {title}\n\n{text}"),
    }
}

/// Whether a row has something in a column: one that is empty everywhere is left out.
fn has(row: &[TableCell], at: usize) -> bool {
    match row.get(at) {
        Some(TableCell::Text(text)) => !text.is_empty(),
        Some(TableCell::Number(_) | TableCell::Quantity(..)) => true,
        Some(TableCell::Nothing) | None => false,
    }
}

/// Whether a column has one text in all rows, and that is the name or the value of a fact.
fn repeats_a_fact(rows: &[Vec<TableCell>], at: usize, facts: &[Fact]) -> bool {
    let Some(first @ TableCell::Text(text)) = rows.first().and_then(|row| row.get(at)) else {
        return false;
    };
    facts.iter().any(|fact| fact.name == *text || fact.value == *text)
        && rows.iter().all(|row| row.get(at) == Some(first))
}

fn shown(cell: Option<&TableCell>, column: &Column) -> String {
    match cell {
        Some(TableCell::Number(number)) => show::cell(column.unit.unwrap_or_default(), *number),
        Some(TableCell::Quantity(number, unit)) => show::value(*unit, *number),
        Some(TableCell::Text(text)) => inline(text),
        Some(TableCell::Nothing) | None => String::new(),
    }
}

/// Each command in its own code block, which nothing in it can end.
fn commands(all: &[Repeat]) -> String {
    let block = |of: &Repeat| {
        let line = printable::line(&of.command);
        let fence = "`".repeat(longest_run(&line).max(2) + 1);
        format!("\n{}\n\n{fence}sh\n{line}\n{fence}\n", inline(&of.what))
    };
    all.iter().map(block).collect()
}

/// Longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text that Markdown and HTML show as it is, in one line: a name in a sentence, a heading, a cell.
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
    use fathom_analysis::RowOutcome;

    #[test]
    fn nothing_in_a_text_acts() {
        assert_eq!(
            inline("a|b`c`\n<img src=x onerror=alert(1)> *d* [e](http://f) @g"),
            "a\\|b\\`c\\`\\\\n&lt;img src=x onerror=alert(1)&gt; \\*d\\* \\[e\\](http:&#47;&#47;f) &#64;g"
        );
        assert_eq!(inline("/mnt/data_1 \u{1b}[2J"), "/mnt/data\\_1 \\\\x1b\\[2J");
        assert_eq!(inline("\u{202e}www.a.example"), "\\\\u{202e}www&#46;a.example");
    }

    fn statement(outcome: Option<RowOutcome>, sentence: String) -> Statement {
        Statement { outcome, tone: Tone::Warning, about: String::new(), sentence }
    }

    fn table_of(rows: &[[&str; 2]]) -> Table {
        let column = |name: &str| Column { key: name.into(), name: name.into(), unit: None };
        let row = |cells: &[&str; 2]| cells.map(|cell| TableCell::Text(cell.into())).to_vec();
        Table {
            id: "x".into(),
            title: "Table".into(),
            columns: ["A", "B"].map(column).to_vec(),
            rows: rows.iter().map(row).collect(),
        }
    }

    fn points(text: &str) -> Vec<&str> {
        text.lines().filter(|line| line.starts_with("- ")).collect()
    }

    #[test]
    fn limits_stand_before_the_figures_and_warnings_after_them_and_none_is_lost() {
        let missed = (0..7).map(|n| statement(Some(RowOutcome::Fail), format!("Missed {n}.")));
        let cautions = (0..9).map(|n| statement(None, format!("Caution {n}.")));
        let report = Report {
            answers: vec!["Answer.".into(), "More.".into()],
            verdicts: cautions.chain(missed).collect(),
            tables: vec![table_of(&[["cell", "other"]])],
            ..Report::default()
        };
        let text = markdown(&report);
        let (before, after) = text.split_once("## Table").unwrap();
        let before = points(before);
        assert!(before.len() == 1 + MOST_LIMITS && before[1] == "- FAIL Missed 0.", "{text}");
        let (open, folded) = after.split_once("<details><summary>6 more</summary>\n\n- ").unwrap();
        let limits = ["- More.", "- FAIL Missed 5.", "- FAIL Missed 6."].map(str::to_owned);
        let cautions = (0..MOST_OPEN).map(|n| format!("- ⚠ Caution {n}."));
        assert_eq!(points(open), limits.into_iter().chain(cautions).collect::<Vec<String>>());
        assert!(folded.ends_with("Caution 8.\n\n</details>\n"), "{text}");
    }

    #[test]
    fn a_column_that_only_repeats_a_fact_is_left_out() {
        let fact = Fact { name: "data".into(), value: "worker-7".into() };
        let heading = |rows: &[[&str; 2]]| {
            let text = table(&table_of(rows), false, std::slice::from_ref(&fact));
            text.lines().find(|line| line.starts_with('|')).unwrap().to_owned()
        };
        assert_eq!(heading(&[["worker-7", "x"], ["worker-7", "x"]]), "| B |");
        assert_eq!(heading(&[["x", "data"]]), "| A |");
        assert_eq!(heading(&[["worker-7", "x"], ["worker-8", "x"]]), "| A | B |");
        assert_eq!(heading(&[["worker-7", "x"], ["", "x"]]), "| A | B |");
    }

    #[test]
    fn a_command_cannot_end_its_block() {
        let repeat = Repeat { what: "x".into(), command: "a ``` b\n# c".into() };
        assert_eq!(commands(&[repeat]), "\nx\n\n````sh\na ``` b\\n# c\n````\n");
    }
}
