//! The catalogue: Fluent's files, read once, one bundle for each language.

use crate::{Arg, Lang};
use fathom_text::particles;
use fathom_vocab::printable;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use std::sync::OnceLock;
use unic_langid::LanguageIdentifier;

/// One file of the catalogue in each language: a topic is a file.
pub(crate) struct Topic {
    /// Name of the file, for test failures.
    #[cfg(test)]
    pub name: &'static str,
    /// In the order of [`Lang::ALL`].
    pub texts: [&'static str; Lang::ALL.len()],
}

macro_rules! topics {
    ($($name:literal),* $(,)?) => {
        &[$(Topic {
            #[cfg(test)]
            name: $name,
            texts: [
                include_str!(concat!("../catalogue/en/", $name, ".ftl")),
                include_str!(concat!("../catalogue/ko/", $name, ".ftl")),
            ],
        }),*]
    };
}

/// Every topic.
pub(crate) const TOPICS: &[Topic] =
    topics!["report", "page", "charts", "verdicts", "promises", "campaign", "summary"];

type Bundle = FluentBundle<FluentResource>;

/// The text of a message; in English where `lang` lacks it, and its bare name where English does.
pub(crate) fn text(lang: Lang, id: &str, args: &[(&'static str, Arg)]) -> String {
    let found = formatted(lang, id, args).or_else(|| formatted(Lang::En, id, args));
    found.unwrap_or_else(|| id.to_owned())
}

fn formatted(lang: Lang, id: &str, args: &[(&'static str, Arg)]) -> Option<String> {
    let bundle = bundle(lang);
    let pattern = bundle.get_message(id)?.value()?;
    let mut values = FluentArgs::with_capacity(args.len());
    for (name, arg) in args {
        values.set(*name, value(lang, arg));
    }
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(&values), &mut errors);
    Some(match lang {
        Lang::Ko => particles::resolved(&text),
        Lang::En => text.into_owned(),
    })
}

fn value<'a>(lang: Lang, arg: &'a Arg) -> FluentValue<'a> {
    match arg {
        Arg::Text(text) => FluentValue::String(printable::line(text)),
        Arg::Count(count) => FluentValue::from(*count),
        Arg::Part(part) => FluentValue::String(part.text(lang).into()),
    }
}

fn bundle(lang: Lang) -> &'static Bundle {
    static BUNDLES: OnceLock<[Bundle; Lang::ALL.len()]> = OnceLock::new();
    let bundles = BUNDLES.get_or_init(|| Lang::ALL.map(read));
    &bundles[lang as usize]
}

/// Reads a language. An invalid file gives its valid part: a test checks that all are valid.
fn read(lang: Lang) -> Bundle {
    let tag: LanguageIdentifier = lang.tag().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![tag]);
    // Without isolation marks around quantities, which terminals show as characters.
    bundle.set_use_isolating(false);
    for topic in TOPICS {
        let text = topic.texts[lang as usize].to_owned();
        let resource = FluentResource::try_new(text).unwrap_or_else(|(partial, _)| partial);
        // An existing name keeps its first text; a test checks that there are no duplicates.
        let _twice = bundle.add_resource(resource);
    }
    bundle
}
