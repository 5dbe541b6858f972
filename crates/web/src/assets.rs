//! Files that pages load: style and scripts, all in the binary.
//!
//! A browser checks each time whether its copy is current (`no-cache` with a hash of the content),
//! so that a newer Fathom at the same address never meets older scripts.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use fathom_report::assets::{AXES, CHARTS, NUMBERS, PAGE, SHAPES, STYLE, echarts};
use std::hash::{DefaultHasher, Hash, Hasher};

const SCRIPT: &str = "text/javascript; charset=utf-8";
const SHEET: &str = "text/css; charset=utf-8";

/// Name, type and content.
type Asset = (&'static str, &'static str, &'static str);

fn all() -> [Asset; 10] {
    [
        ("page.css", SHEET, STYLE),
        ("web.css", SHEET, include_str!("../assets/web.css")),
        ("echarts.js", SCRIPT, echarts()),
        ("numbers.js", SCRIPT, NUMBERS),
        ("axes.js", SCRIPT, AXES),
        ("shapes.js", SCRIPT, SHAPES),
        ("charts.js", SCRIPT, CHARTS),
        ("page.js", SCRIPT, PAGE),
        ("list.js", SCRIPT, include_str!("../assets/list.js")),
        ("live.js", SCRIPT, include_str!("../assets/live.js")),
    ]
}

/// All files with their sums.
#[derive(Debug)]
pub(crate) struct Assets([(Asset, String); 10]);

impl Assets {
    pub(crate) fn new() -> Assets {
        Assets(all().map(|asset| {
            let mut hash = DefaultHasher::new();
            asset.2.hash(&mut hash);
            (asset, format!("\"{:016x}\"", hash.finish()))
        }))
    }

    /// The file with that name; `None` if there is none.
    pub(crate) fn get(&self, name: &str, headers: &HeaderMap) -> Option<Response> {
        let ((_, kind, content), tag) = self.0.iter().find(|((known, ..), _)| *known == name)?;
        let tag = tag.clone();
        let same = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
        let kept = [(header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag)];
        Some(match same {
            true => (StatusCode::NOT_MODIFIED, kept).into_response(),
            false => (kept, [(header::CONTENT_TYPE, *kind)], *content).into_response(),
        })
    }
}
