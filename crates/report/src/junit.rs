//! The outcome of a run's assertions in the format of CI systems: JUnit's XML.
//!
//! The format has no schema; this is the part that Jenkins, GitLab and GitHub Actions read alike:
//! suites with their counts, a case for each assertion, `failure` if it missed, `skipped` if it is
//! undecided. Characters that XML 1.0 forbids are left out.

use fathom_analysis::RowOutcome;
use fathom_document::AssertionRow;
use std::fmt::Write as _;

/// The beginning of the text, by which a file is recognised as ours.
pub const JUNIT_HEAD: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fathom\"";

/// The rows as the one suite `name`, which took `seconds`.
pub fn junit(name: &str, rows: &[AssertionRow], seconds: f64) -> String {
    let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count();
    let (failed, skipped) = (count(RowOutcome::Fail), count(RowOutcome::Unclear));
    let counts = format!("tests=\"{}\" failures=\"{failed}\" skipped=\"{skipped}\"", rows.len());
    let mut text = format!("{JUNIT_HEAD} {counts} time=\"{seconds:.3}\">\n");
    let suite = escaped(name);
    _ = writeln!(text, "  <testsuite name=\"{suite}\" {counts} time=\"{seconds:.3}\">");
    for row in rows {
        text += &case(&suite, row);
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// A row as a case: its class is the jobs that it is about, so that viewers group by them.
fn case(suite: &str, row: &AssertionRow) -> String {
    let class = match row.jobs.as_str() {
        "" => suite.to_owned(),
        jobs => escaped(jobs),
    };
    let name = escaped(&row.assertion);
    let open = format!("    <testcase classname=\"{class}\" name=\"{name}\"");
    let message = escaped(&row.sentence());
    match row.outcome {
        RowOutcome::Pass => format!("{open}/>\n"),
        RowOutcome::Fail => {
            format!("{open}>\n      <failure message=\"{message}\"/>\n    </testcase>\n")
        }
        RowOutcome::Unclear => {
            format!("{open}>\n      <skipped message=\"{message}\"/>\n    </testcase>\n")
        }
    }
}

/// Text for an attribute.
fn escaped(text: &str) -> String {
    let mut to = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => to += "&amp;",
            '<' => to += "&lt;",
            '>' => to += "&gt;",
            '"' => to += "&quot;",
            '\u{fffe}' | '\u{ffff}' => {}
            letter if letter.is_control() => {}
            letter => to.push(letter),
        }
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(assertion: &str, jobs: &str, outcome: RowOutcome) -> AssertionRow {
        AssertionRow {
            assertion: assertion.to_owned(),
            jobs: jobs.to_owned(),
            measured: "1.4 ms".to_owned(),
            outcome,
            reason: (outcome == RowOutcome::Unclear).then(|| "it takes 100 I/Os".to_owned()),
        }
    }

    #[test]
    fn each_assertion_is_a_case() {
        let rows = [
            row("p99<2ms", "", RowOutcome::Pass),
            row("p99<1ms", "a\u{1b} & \"b\"", RowOutcome::Fail),
            row("p99.9<1ms", "", RowOutcome::Unclear),
        ];
        let text = junit("night", &rows, 1.5);
        assert!(text.starts_with(JUNIT_HEAD));
        assert_eq!(
            text.lines().skip(2).collect::<Vec<_>>(),
            [
                "  <testsuite name=\"night\" tests=\"3\" failures=\"1\" skipped=\"1\" time=\"1.500\">",
                "    <testcase classname=\"night\" name=\"p99&lt;2ms\"/>",
                "    <testcase classname=\"a &amp; &quot;b&quot;\" name=\"p99&lt;1ms\">",
                "      <failure message=\"measured 1.4 ms\"/>",
                "    </testcase>",
                "    <testcase classname=\"night\" name=\"p99.9&lt;1ms\">",
                "      <skipped message=\"measured 1.4 ms, but it takes 100 I/Os\"/>",
                "    </testcase>",
                "  </testsuite>",
                "</testsuites>",
            ]
        );
    }
}
