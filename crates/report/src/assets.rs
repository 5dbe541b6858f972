//! The page's own files: scripts, style, chart library, and the hashes by which the page allows
//! them.
//!
//! Decided here:
//! - All files are in the binary: a report needs no folder beside it, and a server serves these
//!   texts.
//! - They are statics: of a constant each crate and each of its code units has a copy. The chart
//!   library is compressed, which leaves a third of it.
//! - A page carries the scripts compressed as well, and a loader that unpacks them
//!   (`DecompressionStream`, in all browsers since 2023): otherwise they would be most of it.
//! - Scripts are classic ones that share the global `fathom`, so that a browser runs them without
//!   modules (which a local file may not load) and QuickJS runs them unchanged.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use sha2::{Digest, Sha256};
use std::sync::OnceLock;

/// The parts of Apache ECharts 6.1.0 that charts use, compressed; `assets/echarts.txt` has the hash
/// of the text.
static ECHARTS: &[u8] = include_bytes!("../assets/echarts.min.js.zst");
/// Numbers as people read them: `fathom.numbers`, the same texts as [`crate::show`].
pub static NUMBERS: &str = include_str!("../assets/numbers.js");
/// Axes of charts: `fathom.axes`.
pub static AXES: &str = include_str!("../assets/axes.js");
/// The shapes in charts: `fathom.shapes`.
pub static SHAPES: &str = include_str!("../assets/shapes.js");
/// A [`crate::model::Chart`] as ECharts' option: `fathom.option`, without a document.
pub static CHARTS: &str = include_str!("../assets/charts.js");
/// The page's behaviour: draws, hides, saves, copies, sorts. Exposes `fathom.draw` for other pages.
pub static PAGE: &str = include_str!("../assets/page.js");
/// Unpacks the scripts of a page and runs them.
pub(crate) static LOADER: &str = include_str!("../assets/loader.js");
/// The style sheet.
pub static STYLE: &str = include_str!("../assets/page.css");

/// The level of compression.
const BEST: u8 = 9;

/// The text of ECharts.
pub fn echarts() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    // A test holds that the file can be decompressed; without it a page shows its tables.
    TEXT.get_or_init(|| {
        let text = zstd::decode_all(ECHARTS).unwrap_or_default();
        String::from_utf8(text).unwrap_or_default()
    })
}

/// The scripts in execution order.
pub(crate) fn scripts() -> [&'static str; 6] {
    [echarts(), NUMBERS, AXES, SHAPES, CHARTS, PAGE]
}

/// The scripts of a page as one text.
fn joined() -> String {
    scripts().join("\n")
}

/// The same compressed (zlib) and in Base64, as a page carries it.
pub(crate) fn packed() -> &'static str {
    static PACKED: OnceLock<String> = OnceLock::new();
    PACKED.get_or_init(|| STANDARD.encode(compress_to_vec_zlib(joined().as_bytes(), BEST)))
}

/// The content security policy of a page that carries exactly these files.
pub fn policy() -> &'static str {
    static POLICY: OnceLock<String> = OnceLock::new();
    POLICY.get_or_init(|| {
        let scripts = [source_of(LOADER), source_of(&joined())].join(" ");
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
        for script in scripts().into_iter().chain([LOADER]) {
            let text = script.to_ascii_lowercase();
            assert!(!text.contains("</script") && !text.contains("<!--"));
        }
        assert!(!STYLE.to_ascii_lowercase().contains("</style"));
    }

    #[test]
    fn the_library_is_the_recorded_one() {
        let recorded = include_str!("../assets/echarts.txt");
        let sum = STANDARD.encode(sha2::Sha512::digest(echarts()));
        let line = recorded.lines().find(|line| line.starts_with("sha512")).unwrap();
        assert_eq!(line.split_whitespace().last(), Some(sum.as_str()));
    }
}
