//! The outcome of judged limits in the format of CI systems: JUnit's XML.
//!
//! The format has no schema; this is the part that Jenkins, GitLab and GitHub Actions read alike:
//! suites with their counts, a case for each limit, `failure` if it was missed, `error` if the run
//! failed before it could be judged, `skipped` if it is undecided. `system-out` has the figure of
//! every case, for trends, and what throws doubt on it. Characters that XML 1.0 forbids are left
//! out.

use fathom_analysis::RowOutcome;
use std::fmt::Write as _;

/// A limit that a command judged: an assertion, a promise, an allowed change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgedCase {
    /// What the limit is about, by which viewers group; empty for the whole suite.
    pub subject: String,
    /// The limit.
    pub name: String,
    /// Its outcome.
    pub outcome: RowOutcome,
    /// Whether it is undecided because the run failed, which a pipeline must not pass over.
    pub is_error: bool,
    /// The figure, and why it is undecided if so, in English.
    pub sentence: String,
    /// What throws doubt on its figure, in English; none if the suite's warnings are about each of
    /// its cases.
    pub warnings: Option<Vec<String>>,
    /// Where the user wrote what it is about; none if no file has it.
    pub place: Option<FileLine>,
}

/// A line of a file that a user wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLine {
    /// The file, as typed.
    pub file: String,
    /// From 1.
    pub line: usize,
}

/// All limits that a command judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JudgedSuite {
    /// What was judged.
    pub name: String,
    /// The limits.
    pub cases: Vec<JudgedCase>,
    /// What throws doubt on the figures, in English, the worst first.
    pub warnings: Vec<String>,
    /// Where the user wrote what was run; none if no file has it.
    pub place: Option<FileLine>,
    /// How long it took.
    pub seconds: f64,
}

/// The beginning of the text, by which a file is recognised as ours.
pub const JUNIT_HEAD: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fathom\"";

/// The suite, as the only one of its file.
pub fn junit(suite: &JudgedSuite) -> String {
    let JudgedSuite { name, cases, warnings, seconds, .. } = suite;
    let count = |name| cases.iter().filter(|case| mark(case) == Some(name)).count();
    let [failed, errors, skipped] = ["failure", "error", "skipped"].map(count);
    let counts = format!(
        "tests=\"{}\" failures=\"{failed}\" errors=\"{errors}\" skipped=\"{skipped}\"",
        cases.len()
    );
    let mut text = format!("{JUNIT_HEAD} {counts} time=\"{seconds:.3}\">\n");
    let suite = escaped(name);
    _ = writeln!(text, "  <testsuite name=\"{suite}\" {counts} time=\"{seconds:.3}\">");
    for case in cases {
        text += &element(&suite, case, warnings);
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// The element in a case that did not pass.
fn mark(case: &JudgedCase) -> Option<&'static str> {
    match case.outcome {
        RowOutcome::Pass => None,
        RowOutcome::Fail => Some("failure"),
        RowOutcome::Undecided if case.is_error => Some("error"),
        RowOutcome::Undecided => Some("skipped"),
    }
}

/// A case; its class is its subject.
fn element(suite: &str, case: &JudgedCase, warnings: &[String]) -> String {
    let class = match case.subject.as_str() {
        "" => suite.to_owned(),
        subject => escaped(subject),
    };
    let name = escaped(&case.name);
    let message = escaped(&case.sentence);
    let mark = mark(case).map(|mark| format!("      <{mark} message=\"{message}\"/>\n"));
    let mark = mark.unwrap_or_default();
    let warnings = case.warnings.as_deref().unwrap_or(warnings);
    let lines = std::iter::once(&case.sentence).chain(warnings);
    let lines = lines.map(|line| escaped(line)).collect::<Vec<String>>().join("\n");
    format!(
        "    <testcase classname=\"{class}\" name=\"{name}\">\n{mark}      \
         <system-out>{lines}</system-out>\n    </testcase>\n"
    )
}

/// Text for an attribute or an element, on one line.
fn escaped(text: &str) -> String {
    let mut to = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => to += "&amp;",
            '<' => to += "&lt;",
            '>' => to += "&gt;",
            '"' => to += "&quot;",
            '\u{fffe}' | '\u{ffff}' => {}
            '\n' | '\t' => to.push(' '),
            letter if letter.is_control() => {}
            letter => to.push(letter),
        }
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, subject: &str, outcome: RowOutcome, sentence: &str) -> JudgedCase {
        let [name, subject, sentence] = [name, subject, sentence].map(str::to_owned);
        let (is_error, warnings, place) = (false, None, None);
        JudgedCase { subject, name, outcome, is_error, sentence, warnings, place }
    }

    #[test]
    fn each_limit_is_a_case() {
        let cases = [
            case("p99<2ms", "", RowOutcome::Pass, "measured 1.4 ms"),
            case("p99<1ms", "a\u{1b} & \"b\"", RowOutcome::Fail, "measured 1.4 ms"),
            case("p99.9<1ms", "", RowOutcome::Undecided, "measured 1.4 ms, but it takes 100 I/Os"),
            JudgedCase {
                is_error: true,
                warnings: Some(vec!["its own".to_owned()]),
                ..case("iops>1", "", RowOutcome::Undecided, "no space")
            },
        ];
        let warnings = ["a cache < all\nof it", "busy"].map(str::to_owned).to_vec();
        let name = "night".to_owned();
        let suite =
            JudgedSuite { name, cases: cases.to_vec(), warnings, place: None, seconds: 1.5 };
        let text = junit(&suite);
        assert!(text.starts_with(JUNIT_HEAD));
        assert_eq!(
            text.lines().skip(2).collect::<Vec<_>>(),
            [
                "  <testsuite name=\"night\" tests=\"4\" failures=\"1\" errors=\"1\" \
                 skipped=\"1\" time=\"1.500\">",
                "    <testcase classname=\"night\" name=\"p99&lt;2ms\">",
                "      <system-out>measured 1.4 ms",
                "a cache &lt; all of it",
                "busy</system-out>",
                "    </testcase>",
                "    <testcase classname=\"a &amp; &quot;b&quot;\" name=\"p99&lt;1ms\">",
                "      <failure message=\"measured 1.4 ms\"/>",
                "      <system-out>measured 1.4 ms",
                "a cache &lt; all of it",
                "busy</system-out>",
                "    </testcase>",
                "    <testcase classname=\"night\" name=\"p99.9&lt;1ms\">",
                "      <skipped message=\"measured 1.4 ms, but it takes 100 I/Os\"/>",
                "      <system-out>measured 1.4 ms, but it takes 100 I/Os",
                "a cache &lt; all of it",
                "busy</system-out>",
                "    </testcase>",
                "    <testcase classname=\"night\" name=\"iops&gt;1\">",
                "      <error message=\"no space\"/>",
                "      <system-out>no space",
                "its own</system-out>",
                "    </testcase>",
                "  </testsuite>",
                "</testsuites>",
            ]
        );
    }
}
