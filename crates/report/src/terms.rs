//! The terms of the glossary that a report uses, so that a reader who got only the page can look
//! them up in it.
//!
//! Decided here: only terms of I/O, of time and of what figures mean. Terms of runs are those of
//! Fathom's code and outputs, and a page says what was run in other words. Nearly every page names
//! volumes, file systems and engines, which its readers know: they are left to `fathom help`.

use crate::model::{Chart, Fact, Report, Table, TableCell};
use fathom_message::glossary::{self, GlossarySection, GlossaryTerm};

/// The sections of the glossary whose terms are explained, by their places in it.
const SECTIONS: [usize; 3] = [0, 1, 3];

/// The terms that `report` names, in the order of the glossary, each with its meaning.
pub(crate) fn of(report: &Report) -> Vec<Fact> {
    let used = UsedWords::of(report);
    let sections = glossary::sections(glossary::text(report.lang));
    let chosen = SECTIONS.iter().filter_map(|at| sections.get(*at));
    let terms = chosen.filter(|of| of.is_of_terms()).flat_map(GlossarySection::terms);
    terms.filter(|term| used.has_term(term)).map(|term| fact(&term)).collect()
}

fn fact(term: &GlossaryTerm<'_>) -> Fact {
    Fact { name: term.title(), value: term.meaning.replace('`', "") }
}

/// The words of a report in lower case, a space before and after each.
struct UsedWords(String);

impl UsedWords {
    fn of(report: &Report) -> UsedWords {
        let tiles = report.tiles.iter().flat_map(|tile| [&tile.name, &tile.detail]);
        let verdicts = report.verdicts.iter().map(|said| &said.sentence);
        let texts = report.answers.iter().chain(tiles).chain(verdicts);
        let texts = texts.chain(report.charts.iter().flat_map(of_chart));
        let texts = texts.chain(report.tables.iter().flat_map(of_table));
        let mut words = String::from(" ");
        texts.for_each(|text| words += &spaced(text));
        UsedWords(words)
    }

    fn has_term(&self, term: &GlossaryTerm<'_>) -> bool {
        term.names.iter().any(|name| match name.is_ascii() {
            // Plurals too.
            true => ["", "s", "es"].iter().any(|end| self.has_word(&format!("{name}{end}"))),
            // Korean words carry particles.
            false => self.0.contains(name),
        })
    }

    fn has_word(&self, name: &str) -> bool {
        self.0.contains(&format!(" {}", spaced(name)))
    }
}

fn of_chart(chart: &Chart) -> impl Iterator<Item = &String> {
    let axes = std::iter::once(&chart.x).chain(&chart.y).map(|axis| &axis.name);
    [&chart.title, &chart.note].into_iter().chain(axes)
}

fn of_table(table: &Table) -> impl Iterator<Item = &String> {
    let texts = table.rows.iter().flatten().filter_map(|cell| match cell {
        TableCell::Text(text) => Some(text),
        TableCell::Number(_) | TableCell::Quantity(..) | TableCell::Nothing => None,
    });
    table.columns.iter().map(|column| &column.name).chain([&table.title]).chain(texts)
}

/// The words of a text in lower case, a space after each. Numbers with points, units and rates are
/// whole words: `p99.9`, `i/o`, `mb/s`.
fn spaced(text: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '/' | '_');
    let words = text.split(|letter| !is_part(letter)).map(|word| word.trim_matches('.'));
    let words = words.filter(|word| !word.is_empty());
    words.flat_map(|word| [word.to_lowercase(), " ".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Tile;
    use fathom_message::Lang;

    fn report(lang: Lang, answer: &str, detail: &str) -> Report {
        let tile = Tile {
            name: String::new(),
            value: TableCell::Nothing,
            unit: Default::default(),
            detail: detail.to_owned(),
            outcome: None,
        };
        let answers = vec![answer.to_owned()];
        Report { lang, answers, tiles: vec![tile], ..Report::default() }
    }

    fn names(report: &Report) -> Vec<String> {
        of(report).into_iter().map(|term| term.name).collect()
    }

    #[test]
    fn the_terms_that_a_page_uses_are_explained() {
        let used = report(Lang::En, "Capped at 3,000 IOPS; p99 4 ms.", "4 KiB, QD 32, p99.95");
        let expected = [
            "queue depth, QD",
            "IOPS",
            "KiB, MiB, GiB",
            "us, ms",
            "percentile, p90, p95, p99, p99.9",
            "cap, capped, throttle, throttled",
        ];
        assert_eq!(names(&used), expected);
        assert!(of(&used)[0].value.starts_with("I/Os in flight at a time"), "{:?}", of(&used)[0]);
        let devices = report(Lang::En, "The volume, ext4 on a loop device, io_uring, a seed", "");
        assert_eq!(names(&devices), [""; 0], "known to who measures storage");
        assert_eq!(names(&report(Lang::En, "Recapped: a missing plus, status", "")), [""; 0]);
    }

    #[test]
    fn plurals_and_korean_words_with_particles_are_terms_too() {
        assert_eq!(names(&report(Lang::En, "Two flushes, 4 knees", "")), ["flush", "knee"]);
        let korean = report(Lang::Ko, "처리량은 125 MiB/s, 큐 깊이가 32", "");
        let names = names(&korean).join("; ");
        assert!(names.contains("큐 깊이(queue depth, QD)"), "{names}");
        assert!(names.contains("처리량, 대역폭(throughput, bandwidth)"), "{names}");
    }
}
