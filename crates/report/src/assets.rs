//! The page's own files: scripts, style, chart library, and the hashes by which the page allows
//! them.
//!
//! Decided here:
//! - All files are in the binary: a report needs no folder beside it, and a server serves these
//!   constants.
//! - Scripts are classic ones that share the global `fathom`, so that a browser runs them without
//!   modules (which a local file may not load) and QuickJS runs them unchanged.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::sync::OnceLock;

/// Apache ECharts 6.1.0, from npm; `assets/echarts.txt` has its hash.
pub const ECHARTS: &str = include_str!("../assets/echarts.min.js");
/// Numbers as people read them: `fathom.numbers`, the same texts as [`crate::show`].
pub const NUMBERS: &str = include_str!("../assets/numbers.js");
/// Axes of charts: `fathom.axes`.
pub const AXES: &str = include_str!("../assets/axes.js");
/// The shapes in charts: `fathom.shapes`.
pub const SHAPES: &str = include_str!("../assets/shapes.js");
/// A [`crate::model::Chart`] as ECharts' option: `fathom.option`, without a document.
pub const CHARTS: &str = include_str!("../assets/charts.js");
/// The page's behaviour: draws, hides, saves, copies, sorts. Exposes `fathom.draw` for other pages.
pub const PAGE: &str = include_str!("../assets/page.js");
/// The style sheet.
pub const STYLE: &str = include_str!("../assets/page.css");

/// The scripts in execution order.
pub const SCRIPTS: [&str; 6] = [ECHARTS, NUMBERS, AXES, SHAPES, CHARTS, PAGE];

/// The content security policy of a page that carries exactly these files.
pub fn policy() -> &'static str {
    static POLICY: OnceLock<String> = OnceLock::new();
    POLICY.get_or_init(|| {
        let scripts = SCRIPTS.map(source_of).join(" ");
        // ECharts writes style attributes (never text of a report) into the charts it draws.
        format!(
            "default-src 'none'; script-src {scripts}; style-src {}; \
             style-src-attr 'unsafe-inline'; img-src data: blob:; base-uri 'none'; \
             form-action 'none'",
            source_of(STYLE)
        )
    })
}

/// A file as a policy names it.
fn source_of(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_ends_its_own_element() {
        for script in SCRIPTS {
            let text = script.to_ascii_lowercase();
            assert!(!text.contains("</script") && !text.contains("<!--"));
        }
        assert!(!STYLE.to_ascii_lowercase().contains("</style"));
    }

    #[test]
    fn the_library_is_the_recorded_one() {
        let recorded = include_str!("../assets/echarts.txt");
        let sum = STANDARD.encode(sha2::Sha512::digest(ECHARTS));
        let line = recorded.lines().find(|line| line.starts_with("sha512")).unwrap();
        assert_eq!(line.split_whitespace().last(), Some(sum.as_str()));
    }
}
