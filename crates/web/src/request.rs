//! The request beside the path: parameters, cookies, the language.

use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri, header};
use fathom_message::Lang;

/// The cookie for the chosen language.
pub(crate) const LANG_COOKIE: &str = "fathom-lang";

/// The parameters of an address, in their order; those without a value are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Those of `uri`.
    pub(crate) fn of(uri: &Uri) -> Parameters {
        let pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
        let given = pairs.into_owned().filter(|(_, value)| !value.trim().is_empty());
        Parameters(given.collect())
    }

    /// The first of that name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.trim())
    }

    /// All of that name.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.trim())
    }

    /// The address of `path` with these parameters, with `name` set to `value`.
    pub(crate) fn address(&self, path: &str, name: &str, value: Option<&str>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.0.iter().filter(|(key, _)| key != name));
        if let Some(value) = value {
            query.append_pair(name, value);
        }
        let query = query.finish();
        // Two slashes at the beginning would be read as a host.
        let path = path.trim_start_matches(['/', '\\']);
        match query.is_empty() {
            true => format!("/{path}"),
            false => format!("/{path}?{query}"),
        }
    }
}

/// A request, as pages need it.
#[derive(Clone, Debug)]
pub(crate) struct PageRequest {
    pub(crate) lang: Lang,
    pub(crate) path: String,
    pub(crate) parameters: Parameters,
}

impl PageRequest {
    /// Parses `parts`; `lang` is the default language.
    pub(crate) fn of(parts: &Parts, lang: Option<Lang>) -> PageRequest {
        let parameters = Parameters::of(&parts.uri);
        let chosen = parameters.get("lang").and_then(|tag| tag.parse().ok());
        let kept = || cookie(&parts.headers, LANG_COOKIE).and_then(|tag| tag.parse().ok());
        let header = || parts.headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok();
        let lang = chosen
            .or_else(kept)
            .or(lang)
            .unwrap_or_else(|| header().map(Lang::of_header).unwrap_or_default());
        PageRequest { lang, path: parts.uri.path().to_owned(), parameters }
    }

    /// The language, if the address names a supported one.
    pub(crate) fn chosen_lang(&self) -> Option<Lang> {
        self.parameters.get("lang")?.parse().ok()
    }
}

/// The value of the cookie of that name.
pub(crate) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(key, value)| (key.trim(), value.trim()))
        .find_map(|(key, value)| (key == name).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(uri: &str) -> Parameters {
        Parameters::of(&uri.parse().unwrap())
    }

    #[test]
    fn addresses_keep_what_was_asked_and_stay_here() {
        let asked = parameters("/?text=a+b&run=1&run=2&tag=&token=x%26y");
        assert_eq!(asked.get("text"), Some("a b"));
        assert_eq!(asked.all("run").collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(asked.get("tag"), None);
        assert_eq!(asked.address("/", "token", None), "/?text=a+b&run=1&run=2");
        assert_eq!(asked.address("//evil.example/x", "run", Some("3")).find("//"), None);
        assert_eq!(parameters("/x?token=1").address("/\\x", "token", None), "/x");
    }

    #[test]
    fn the_reader_chooses_the_language() {
        let asked = |uri: &str, headers: &[(header::HeaderName, &str)], fixed| {
            let mut request = axum::http::Request::get(uri);
            for (name, value) in headers {
                request = request.header(name, *value);
            }
            PageRequest::of(&request.body(()).unwrap().into_parts().0, fixed).lang
        };
        let korean = (header::ACCEPT_LANGUAGE, "ko-KR,en;q=0.5");
        let kept = (header::COOKIE, "a=b; fathom-lang=en");
        assert_eq!(asked("/", &[], None), Lang::En);
        assert_eq!(asked("/", std::slice::from_ref(&korean), None), Lang::Ko);
        assert_eq!(asked("/", std::slice::from_ref(&korean), Some(Lang::En)), Lang::En);
        assert_eq!(asked("/", &[korean.clone(), kept.clone()], None), Lang::En);
        assert_eq!(asked("/?lang=ko", &[kept], Some(Lang::En)), Lang::Ko);
        assert_eq!(asked("/?lang=tlh", &[korean], None), Lang::Ko);
    }
}
