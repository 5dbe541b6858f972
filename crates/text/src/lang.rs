//! The languages, and the choice of a reader's.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A language that Fathom speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Korean.
    Ko,
}

/// A language that Fathom does not speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLang(pub String);

impl Lang {
    /// All of them.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Ko];

    /// Its tag, as HTML's `lang` wants it.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Ko => "ko",
        }
    }

    /// Its name in itself.
    pub fn own_name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::Ko => "한국어",
        }
    }

    /// The language of a locale in `LC_ALL` or `LANG`: `ko_KR.UTF-8`. English for any other, or
    /// none.
    pub fn of_locale(locale: &str) -> Lang {
        locale
            .split(['_', '.', '@', '-'])
            .next()
            .and_then(|tag| tag.parse().ok())
            .unwrap_or_default()
    }

    /// The first supported language in the header `Accept-Language`: `ko-KR,ko;q=0.9,en;q=0.8`.
    pub fn of_header(header: &str) -> Lang {
        let mut wanted: Vec<(f64, Lang)> = header.split(',').filter_map(weighed).collect();
        // Stable: of equals the first that is named.
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
        wanted.first().map(|(_, lang)| *lang).unwrap_or_default()
    }
}

/// One entry of the header with its weight, if it is a supported language that is not refused.
fn weighed(entry: &str) -> Option<(f64, Lang)> {
    let (range, weight) = entry.split_once(";q=").unwrap_or((entry, "1"));
    let tag = range.trim().split('-').next()?;
    let weight: f64 = weight.trim().parse().ok()?;
    (weight > 0.0).then_some((weight, tag.parse().ok()?))
}

impl FromStr for Lang {
    type Err = UnknownLang;

    fn from_str(text: &str) -> Result<Lang, UnknownLang> {
        let wanted = text.to_ascii_lowercase();
        let found = Lang::ALL.into_iter().find(|lang| lang.tag() == wanted);
        found.ok_or_else(|| UnknownLang(text.to_owned()))
    }
}

impl fmt::Display for UnknownLang {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "no language {:?} here: en (English) or ko (한국어)", self.0)
    }
}

impl std::error::Error for UnknownLang {}
