//! Several formats of one result in one text, in fio's order: terse lines, JSON, text.
//!
//! The lines of [`crate::job_line`] and its neighbours come before all of it, and only if the
//! normal text is among the formats; a document in JSON alone begins with `{`.

use crate::{OutputOptions, TerseVersion, json_text, normal, terse};
use fathom_stats::RunResult;

/// The requested formats. `--append-terse` is terse in addition to the normal text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputFormats {
    /// The text for people.
    pub normal: bool,
    /// JSON; with bins if [`OutputOptions::bins`] says so.
    pub json: bool,
    /// Terse lines of this version.
    pub terse: Option<TerseVersion>,
}

/// The result in all requested formats. With `--status-interval`, each report is such a document
/// and they follow one another.
pub fn document(result: &RunResult, formats: OutputFormats, options: &OutputOptions) -> String {
    let mut out = String::new();
    if let Some(version) = formats.terse {
        out += &terse(result, version);
    }
    if formats.json {
        out += &json_text(result, options);
    }
    if formats.normal {
        out += &normal(result, options);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::JobResult;

    #[test]
    fn terse_then_json_then_text() {
        let result = RunResult { jobs: vec![JobResult::default()], ..RunResult::default() };
        let wanted = OutputFormats { normal: true, json: true, terse: Some(TerseVersion::V3) };
        let text = document(&result, wanted, &OutputOptions::default());
        let place = |part: &str| text.find(part).expect("each format is there");
        assert_eq!(place("3;fio-"), 0);
        assert!(place("\n{\n") < place("\n}\n\n"));
        let json = OutputFormats { json: true, ..OutputFormats::default() };
        assert!(document(&result, json, &OutputOptions::default()).starts_with("{\n"));
    }
}
