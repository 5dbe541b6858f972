//! Access control.
//!
//! A hostile page, open in the same browser, can reach a server on this machine, also one that
//! listens on the loopback only. Two checks detect it. It uses a host name that its owner points
//! here (DNS rebinding), so unknown names are refused; addresses cannot be redirected. And its
//! requests state their source (`Origin`).

use crate::refusal::GateRefusal;
use crate::request::cookie;
use crate::token::Token;
use axum::http::{HeaderMap, Method, Uri, header};
use std::net::{IpAddr, SocketAddr};

/// Decides which requests are allowed.
#[derive(Debug)]
pub(crate) struct AccessGate {
    listens_on: SocketAddr,
    /// Names that are ours, beside `localhost`.
    names: Vec<String>,
    token: Option<Token>,
    /// The secret that replaces the token in a browser that showed it.
    session: Option<Token>,
}

/// How an allowed request continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// To its answer.
    In,
    /// It has the token in its address, which must be removed there.
    Login,
}

impl AccessGate {
    /// For a server that listens on `listens_on` with the names `names`.
    pub(crate) fn new(
        listens_on: SocketAddr,
        names: Vec<String>,
        token: Option<Token>,
        session: Option<Token>,
    ) -> AccessGate {
        AccessGate { listens_on, names, token, session }
    }

    /// Whether the request is allowed, and how it continues.
    pub(crate) fn pass(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Pass, GateRefusal> {
        let host =
            called(uri, headers).filter(|host| self.goes_by(host)).ok_or(GateRefusal::Host)?;
        if !origins(headers).all(|origin| origin == format!("http://{host}")) {
            return Err(GateRefusal::Origin);
        }
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Err(GateRefusal::Method);
        }
        self.knows(uri, headers)
    }

    /// Whether the host of a request may be this server. The port is ignored: it does not identify
    /// the owner of a name, and a tunnel changes it.
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

    fn knows(&self, uri: &Uri, headers: &HeaderMap) -> Result<Pass, GateRefusal> {
        let Some(token) = &self.token else { return Ok(Pass::In) };
        let shown = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
            .find(|(name, _)| name == "token");
        if let Some((_, shown)) = shown {
            return token.is(&shown).then_some(Pass::Login).ok_or(GateRefusal::Token);
        }
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let session = cookie(headers, &self.cookie_name());
        let known = bearer.is_some_and(|(_, shown)| token.is(shown.trim()))
            || session.zip(self.session.as_ref()).is_some_and(|(shown, own)| own.is(shown));
        known.then_some(Pass::In).ok_or(GateRefusal::Token)
    }

    /// A different name for each port, because cookies ignore ports.
    fn cookie_name(&self) -> String {
        format!("fathom-{}", self.listens_on.port())
    }

    /// The cookie for a browser that showed the token.
    pub(crate) fn session_cookie(&self) -> Option<String> {
        let session = self.session.as_ref()?.as_str();
        Some(format!("{}={session}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name()))
    }
}

/// The server's name in a request, if it is the same in all its headers.
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
    // An unreadable one is not ours.
    headers.get_all(header::ORIGIN).iter().map(|origin| origin.to_str().unwrap_or("?"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use GateRefusal::{Host, Method as Verb, Origin, Token as Key};
    use axum::extract::Request;

    const TOKEN: &str = "token-token-token";
    const SESSION: &str = "session-session-session";

    fn gate(listens_on: &str, token: Option<&str>) -> AccessGate {
        let made = |text: &str| text.parse::<Token>().unwrap();
        let listens_on: SocketAddr = listens_on.parse().unwrap();
        let open = !listens_on.ip().is_loopback();
        let names =
            if open { vec!["worker-7".to_owned(), "w7.example.com".to_owned()] } else { vec![] };
        let session = token.map(|_| made(SESSION));
        AccessGate::new(listens_on, names, token.map(made), session)
    }

    fn pass(gate: &AccessGate, line: &str, headers: &[(&str, &str)]) -> Result<Pass, GateRefusal> {
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
