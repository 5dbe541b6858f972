//! The page of differences that stay, `docs/differences.md`: each row of its table says in which
//! jobs a difference is expected, where it shows, and why.
//!
//! The first column has words that must all be true of the job: `option`, `option=value` (a `*`
//! stands for anything), `!word` for the opposite, `file` or `line` for the form, and `*` for any
//! job. The second has comparisons, each in backquotes, and after a colon the difference.

use super::compare::Difference;
use super::draw::DrawnJob;

/// A row of the table.
#[derive(Debug)]
pub struct ExpectedDifference {
    pub jobs: String,
    pub places: Vec<String>,
}

/// The rows of the page.
pub fn expected_differences() -> Vec<ExpectedDifference> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/differences.md");
    let page = std::fs::read_to_string(page).expect("the page of differences is there");
    rows(&page)
}

fn rows(page: &str) -> Vec<ExpectedDifference> {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [jobs, places, reason] = cells[..] else { panic!("three cells: {row}") };
        assert!(reason.len() > 10, "a reason in words: {row}");
        let places = places.split('`').filter(|place| !place.trim().is_empty());
        ExpectedDifference {
            jobs: jobs.replace('`', ""),
            places: places.map(str::to_owned).collect(),
        }
    })
    .collect()
}

impl ExpectedDifference {
    /// Whether the row excuses this difference of this job.
    pub fn excuses(&self, job: &DrawnJob, difference: &Difference) -> bool {
        let is_there = |place: &String| {
            let (kind, detail) = place.split_once(':').unwrap_or((place, "*"));
            kind == difference.kind && matches(detail, &difference.detail)
        };
        self.places.iter().any(is_there)
            && self.jobs.split_whitespace().all(|word| holds(word, job))
    }
}

fn holds(word: &str, job: &DrawnJob) -> bool {
    if let Some(opposite) = word.strip_prefix('!') {
        return !holds(opposite, job);
    }
    match word {
        "*" => true,
        "file" => job.is_file,
        "line" => !job.is_file,
        _ => {
            let (name, value) = word.split_once('=').map_or((word, None), |(n, v)| (n, Some(v)));
            job.options().any(|option| {
                let given = option.value.as_deref().unwrap_or_default();
                option.row.name == name && value.is_none_or(|value| matches(value, given))
            })
        }
    }
}

/// Whether a text is as a pattern in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(start) else { return false };
    let ends = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
    ends.into_iter().any(|at| matches(rest, &text[at..]))
}

#[test]
fn a_star_stands_for_anything() {
    for (pattern, text) in [("*", ""), ("a*c", "abbc"), ("*b*", "abc"), ("ab", "ab")] {
        assert!(matches(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("a", "ab"), ("a*c", "ab"), ("*x*", "abc")] {
        assert!(!matches(pattern, text), "{pattern} {text}");
    }
}
