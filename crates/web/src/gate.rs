//! Who is let in, and what every answer says to the browser.
//!
//! A page of somebody else, open in the same browser, can reach a server on this machine, also one
//! that listens on the loopback alone. It is told apart in two ways: it calls us by a name that is
//! ours only because its owner points it here (DNS rebinding), so names that are not ours are
//! refused, where an address cannot be made to point elsewhere; and what it sends says where it
//! comes from (`Origin`). What it may not do with an answer, the answer says.

use crate::app::App;
use crate::asked::{Asked, LANG_COOKIE, cookie};
use crate::failure::Failure;
use crate::token::Token;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// Scripts and styles come from the binary alone; nothing is sent elsewhere or put into frames.
/// The chart library writes style attributes, never a text of a run, into what it draws.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Decides who is let in.
#[derive(Debug)]
pub(crate) struct Gate {
    listens_on: SocketAddr,
    /// Names that are ours, beside `localhost`.
    names: Vec<String>,
    token: Option<Token>,
    /// What a browser that showed the token is given in its place.
    session: Option<Token>,
}

/// A request that is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// We do not go by that name.
    Host,
    /// It comes from another site's page.
    Origin,
    /// It would change something.
    Method,
    /// It shows no token, or a wrong one.
    Token,
}

/// How a request that may pass goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    In,
    /// It showed the token in its address, which is to be forgotten there.
    Login,
}

impl Gate {
    /// For a server that listens on `listens_on` and goes by `names`.
    pub(crate) fn new(
        listens_on: SocketAddr,
        names: Vec<String>,
        token: Option<Token>,
        session: Option<Token>,
    ) -> Gate {
        Gate { listens_on, names, token, session }
    }

    fn pass(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Pass, Refusal> {
        let host = called(uri, headers).filter(|host| self.goes_by(host)).ok_or(Refusal::Host)?;
        if !origins(headers).all(|origin| origin == format!("http://{host}")) {
            return Err(Refusal::Origin);
        }
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Err(Refusal::Method);
        }
        self.knows(uri, headers)
    }

    /// Whether the server can be meant by the host (and port) of a request. The port is not looked
    /// at: it says nothing about who owns a name, and a tunnel changes it.
    fn goes_by(&self, host: &str) -> bool {
        let name = without_port(host);
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let open = !self.listens_on.ip().is_loopback();
        match address {
            Ok(address) => open || address.is_loopback(),
            Err(_) => {
                let name = name.strip_suffix('.').unwrap_or(name);
                let own = self.names.iter().map(String::as_str).chain(["localhost"]);
                own.into_iter().any(|own| own.eq_ignore_ascii_case(name))
            }
        }
    }

    fn knows(&self, uri: &Uri, headers: &HeaderMap) -> Result<Pass, Refusal> {
        let Some(token) = &self.token else { return Ok(Pass::In) };
        let shown = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
            .find(|(name, _)| name == "token");
        if let Some((_, shown)) = shown {
            return token.is(&shown).then_some(Pass::Login).ok_or(Refusal::Token);
        }
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let session = cookie(headers, &self.cookie_name());
        let known = bearer.is_some_and(|(_, shown)| token.is(shown.trim()))
            || session.zip(self.session.as_ref()).is_some_and(|(shown, own)| own.is(shown));
        known.then_some(Pass::In).ok_or(Refusal::Token)
    }

    /// Another for each port, since cookies do not keep ports apart.
    fn cookie_name(&self) -> String {
        format!("fathom-{}", self.listens_on.port())
    }

    fn session_cookie(&self) -> Option<String> {
        let session = self.session.as_ref()?.as_str();
        Some(format!("{}={session}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name()))
    }
}

/// The name by which a request calls the server, where it is one and the same throughout.
fn called<'r>(uri: &'r Uri, headers: &'r HeaderMap) -> Option<&'r str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    let same = uri.authority().is_none_or(|authority| authority.as_str() == host);
    (hosts.next().is_none() && same).then_some(host)
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        // The last part of a bare IPv6 address is no port.
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
            if name.contains(':') && !name.ends_with(']') { host } else { name }
        }
        _ => host,
    }
}

fn origins(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    // One that cannot be read is none of ours.
    headers.get_all(header::ORIGIN).iter().map(|origin| origin.to_str().unwrap_or("?"))
}

/// Lets requests in or not, and gives every answer its headers.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let passed = app.gate.pass(request.method(), request.uri(), request.headers());
    let (parts, body) = request.into_parts();
    let asked = Asked::of(&parts, app.lang);
    let mut response = match passed {
        Ok(Pass::Login) => login(&app.gate, &asked),
        Ok(Pass::In) => next.run(Request::from_parts(parts, body)).await,
        Err(refusal) => app.failed(&asked, &Failure::Refused(refusal)),
    };
    if let (Ok(_), Some(lang)) = (passed, asked.chosen_lang()) {
        let kept = format!("{LANG_COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", lang.tag());
        add(response.headers_mut(), "set-cookie", &kept);
    }
    for (name, value) in HEADERS {
        // A page that has a stricter policy keeps it.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Takes the token out of the address: whoever sees it later shall not have it.
fn login(gate: &Gate, asked: &Asked) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    add(headers, "location", &asked.parameters.address(&asked.path, "token", None));
    add(headers, "cache-control", "no-store");
    if let Some(cookie) = gate.session_cookie() {
        add(headers, "set-cookie", &cookie);
    }
    response
}

fn add(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.append(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Refusal::{Host, Method as Verb, Origin, Token as Key};

    const TOKEN: &str = "token-token-token";
    const SESSION: &str = "session-session-session";

    fn gate(listens_on: &str, token: Option<&str>) -> Gate {
        let made = |text: &str| text.parse::<Token>().unwrap();
        let listens_on: SocketAddr = listens_on.parse().unwrap();
        let open = !listens_on.ip().is_loopback();
        let names =
            if open { vec!["worker-7".to_owned(), "w7.example.com".to_owned()] } else { vec![] };
        let session = token.map(|_| made(SESSION));
        Gate::new(listens_on, names, token.map(made), session)
    }

    fn pass(gate: &Gate, line: &str, headers: &[(&str, &str)]) -> Result<Pass, Refusal> {
        let (method, uri) = line.split_once(' ').unwrap();
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(axum::body::Body::empty()).unwrap();
        gate.pass(request.method(), request.uri(), request.headers())
    }

    #[test]
    fn only_names_that_are_ours_are_answered() {
        let here = gate("127.0.0.1:7979", None);
        let open = gate("0.0.0.0:7979", None);
        for (host, on_loopback, on_all) in [
            ("127.0.0.1:7979", true, true),
            ("localhost:7979", true, true),
            ("LOCALHOST.", true, true),
            // Through a tunnel.
            ("localhost:8080", true, true),
            ("[::1]:7979", true, true),
            ("::1", true, true),
            ("10.1.2.3:7979", false, true),
            ("worker-7:7979", false, true),
            ("W7.example.com.:80", false, true),
            ("worker-7.evil.example", false, false),
            ("example.com", false, false),
            ("localhost.evil.example:7979", false, false),
            ("127.0.0.1.evil.example", false, false),
            ("evil.example:7979", false, false),
            ("evil.example:7979:127.0.0.1", false, false),
            ("", false, false),
        ] {
            for (gate, expected) in [(&here, on_loopback), (&open, on_all)] {
                let passed = pass(gate, "GET /", &[("host", host)]);
                let expected = if expected { Ok(Pass::In) } else { Err(Host) };
                assert_eq!(passed, expected, "{host:?} on {}", gate.listens_on);
            }
        }
        assert_eq!(pass(&here, "GET /", &[]), Err(Host));
        let twice = [("host", "localhost"), ("host", "evil.example")];
        assert_eq!(pass(&here, "GET /", &twice), Err(Host));
        let other = pass(&here, "GET http://evil.example/", &[("host", "localhost")]);
        assert_eq!(other, Err(Host));
    }

    #[test]
    fn what_another_page_sends_is_refused_and_so_is_all_that_changes() {
        let gate = gate("127.0.0.1:7979", None);
        let host = ("host", "localhost:7979");
        for (origin, expected) in [
            ("http://localhost:7979", Ok(Pass::In)),
            ("http://localhost:7980", Err(Origin)),
            ("https://localhost:7979", Err(Origin)),
            ("http://evil.example", Err(Origin)),
            ("null", Err(Origin)),
        ] {
            assert_eq!(pass(&gate, "GET /", &[host, ("origin", origin)]), expected, "{origin}");
        }
        let verbs = ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PURGE"];
        for verb in verbs {
            assert_eq!(pass(&gate, &format!("{verb} /"), &[host]), Err(Verb), "{verb}");
        }
        assert_eq!(pass(&gate, "HEAD /", &[host]), Ok(Pass::In));
    }

    #[test]
    fn the_token_is_asked_for_where_there_is_one() {
        let gate = gate("10.1.2.3:7979", Some(TOKEN));
        let host = ("host", "10.1.2.3:7979");
        let bearer = format!("Bearer {TOKEN}");
        let session = format!("x=1; fathom-7979={SESSION}");
        let shown = format!("fathom-7979={TOKEN}");
        let asked = |line: &str, header| pass(&gate, line, &[host, header]);
        let none = ("accept", "*/*");
        assert_eq!(asked("GET /", none), Err(Key));
        assert_eq!(asked("GET /?token=token-token-tokem", none), Err(Key));
        assert_eq!(asked("GET /?token=", none), Err(Key));
        assert_eq!(asked(&format!("GET /?token={TOKEN}"), none), Ok(Pass::Login));
        assert_eq!(asked("GET /", ("authorization", &bearer)), Ok(Pass::In));
        assert_eq!(asked("GET /", ("authorization", TOKEN)), Err(Key));
        assert_eq!(asked("GET /", ("authorization", "Bearer x")), Err(Key));
        assert_eq!(asked("GET /", ("cookie", &session)), Ok(Pass::In));
        // The token is no cookie, and the cookie no token.
        assert_eq!(asked("GET /", ("cookie", &shown)), Err(Key));
        assert_eq!(asked(&format!("GET /?token={SESSION}"), none), Err(Key));
    }
}
