//! Pages from templates. Every text in them is escaped; none is marked as safe.

use crate::failure::PageFailure;
use crate::refusal::GateRefusal;
use crate::request::PageRequest;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use fathom_message::{Lang, words};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const TEMPLATES: [(&str, &str); 4] = [
    ("frame.html", include_str!("../templates/frame.html")),
    ("list.html", include_str!("../templates/list.html")),
    ("live.html", include_str!("../templates/live.html")),
    ("failure.html", include_str!("../templates/failure.html")),
];

const PREFIX: &str = "web-";

/// The words that templates and scripts may use, as the catalogue names them.
const WORDS: &[&str] = &[
    "web-title",
    "web-skip",
    "web-history",
    "web-language",
    "web-under-way",
    "web-watch",
    "web-search",
    "web-search-hint",
    "web-kind",
    "web-label",
    "web-host",
    "web-outcome",
    "web-since",
    "web-any",
    "web-find",
    "web-all-runs",
    "web-compare",
    "web-compare-hint",
    "web-unchoose",
    "web-chosen",
    "web-choose",
    "web-when",
    "web-about",
    "web-figures",
    "web-newer",
    "web-older",
    "web-nothing-kept",
    "web-nothing-found",
    "web-measure-first",
    "web-back",
    "web-token",
    "web-token-send",
    "web-live",
    "web-connecting",
    "web-connected",
    "web-lost",
    "web-ended",
    "web-killed",
    "web-feed-fault",
    "web-to-report",
    "web-found",
    "web-phase",
    "web-progress",
    "web-left",
    "web-iops",
    "web-read",
    "web-write",
    "web-latency",
    "web-median",
    "web-p99",
    "web-max",
    "web-util",
    "web-time",
    "web-rate",
    "web-running",
    "web-run-killed",
    "web-ran",
    "web-interrupted",
    "web-promise-kept",
    "web-undecided",
    "web-promise-missed",
    "web-failed",
    "web-no-script",
    "web-waiting",
];

type Words = BTreeMap<String, String>;

/// All pages, in all languages.
#[derive(Debug)]
pub(crate) struct Pages {
    templates: Environment<'static>,
    words: [Words; Lang::ALL.len()],
}

impl Pages {
    /// Reads the templates, which are in the binary; a test checks that each is valid.
    pub(crate) fn new() -> Pages {
        let mut templates = Environment::new();
        templates.set_auto_escape_callback(|_| AutoEscape::Html);
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        for (name, text) in TEMPLATES {
            let read = templates.add_template(name, text);
            debug_assert!(read.is_ok(), "{name}: {read:?}");
        }
        Pages { templates, words: Lang::ALL.map(in_language) }
    }

    /// The words in `lang`, by their short names: `search_hint` for `web-search-hint`.
    pub(crate) fn words(&self, lang: Lang) -> &Words {
        &self.words[lang as usize]
    }

    /// The page `name`, filled with `own` and the common values of every page.
    pub(crate) fn page(&self, name: &str, asked: &PageRequest, own: Value) -> Response {
        let languages: Vec<Value> =
            Lang::ALL.iter().map(|lang| self.language(asked, *lang)).collect();
        let mut all = json!({
            "w": self.words(asked.lang),
            "lang": asked.lang.tag(),
            "languages": languages,
        });
        if let (Some(all), Value::Object(own)) = (all.as_object_mut(), own) {
            all.extend(own);
        }
        let filled = self.templates.get_template(name);
        let filled = filled.and_then(|template| template.render(Serde(all)));
        match filled {
            Ok(text) => ([(header::CACHE_CONTROL, "no-store")], Html(text)).into_response(),
            Err(error) => {
                debug_assert!(false, "{name}: {error:#}");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }

    fn language(&self, asked: &PageRequest, lang: Lang) -> Value {
        json!({
            "tag": lang.tag(),
            "name": lang.own_name(),
            "address": asked.parameters.address(&asked.path, "lang", Some(lang.tag())),
            "chosen": lang == asked.lang,
        })
    }

    /// The page for an error.
    pub(crate) fn failure(&self, asked: &PageRequest, failure: &PageFailure) -> Response {
        let own = json!({
            "sentence": words(asked.lang, failure.sentence()),
            "detail": failure.detail(),
            "in_english": failure.is_in_english(),
            "asks_token": matches!(failure, PageFailure::Refused(GateRefusal::Token)),
            // A refused visitor gets no links.
            "inside": !matches!(failure, PageFailure::Refused(_)),
        });
        let mut response = self.page("failure.html", asked, own);
        *response.status_mut() = failure.status();
        response
    }
}

fn in_language(lang: Lang) -> Words {
    let short = |id: &str| id.trim_start_matches(PREFIX).replace('-', "_");
    WORDS.iter().map(|id| (short(id), words(lang, id))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_and_every_word_is_whole() {
        let pages = Pages::new();
        for (name, _) in TEMPLATES {
            pages.templates.get_template(name).unwrap();
        }
        for lang in Lang::ALL {
            for (name, text) in pages.words(lang) {
                assert!(!text.starts_with(PREFIX), "{name} in {lang:?}");
            }
        }
    }

    #[test]
    fn every_word_is_used() {
        let scripts = [include_str!("../assets/list.js"), include_str!("../assets/live.js")];
        let rust = include_str!("view.rs");
        for name in in_language(Lang::En).keys() {
            let used = TEMPLATES.iter().any(|(_, text)| text.contains(&format!("w.{name}")))
                || scripts.iter().any(|text| text.contains(&format!("words.{name}")))
                || rust.contains(&format!("\"{name}\""));
            assert!(used, "{name} is used nowhere");
        }
    }
}
