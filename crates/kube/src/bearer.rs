//! The token that each request carries: from a kubeconfig, a file, or a plugin.
//!
//! Decided here: it is read by us and not by the client library, which reads files and plugins
//! without a limit, and panics at a token with a line break.

use crate::access_error::AccessError;
use crate::kubeconfig::{encoded, read_text};
use crate::plugin;
use http::HeaderValue;
use k8s_openapi::jiff::{SignedDuration, Timestamp};
use kube::config::{AuthInfo, AuthProviderConfig, ExecConfig};
use secrecy::ExposeSecret;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// How long a token of a file is used before the file is read again, and how long before its end
/// a plugin's token is replaced.
const MARGIN: SignedDuration = SignedDuration::from_secs(60);

/// Where a token comes from.
#[derive(Clone, Debug)]
enum TokenSource {
    /// The kubeconfig itself.
    Fixed,
    /// A file that is changed from time to time.
    File(PathBuf),
    /// A command.
    Plugin(Box<ExecConfig>),
}

/// A token as a header, and when to read it again.
#[derive(Clone, Debug)]
struct Token {
    header: HeaderValue,
    until: Option<Timestamp>,
}

/// The token of a cluster's requests.
#[derive(Clone, Debug)]
pub(crate) struct Bearer {
    source: TokenSource,
    /// None if requests carry none.
    token: Arc<Mutex<Option<Token>>>,
}

impl Bearer {
    /// Takes what gives a token out of a user's credentials, in whose place a plugin may put a
    /// certificate. The client library then finds none of it.
    pub(crate) fn take_from(user: &mut AuthInfo) -> Result<Bearer, AccessError> {
        let provider = user.auth_provider.take();
        let (token, file, plugin) = (user.token.take(), user.token_file.take(), user.exec.take());
        let (source, token) = if let Some(provider) = provider {
            (TokenSource::Fixed, Some(token_of(&provider)?))
        } else if user.username.is_some() && user.password.is_some() {
            (TokenSource::Fixed, None)
        } else if let Some(token) = token {
            let name = "the token of the kubeconfig";
            (TokenSource::Fixed, Some(Token::new(token.expose_secret(), name, None)?))
        } else if let Some(file) = file.map(PathBuf::from) {
            let token = token_in(file.clone())?;
            (TokenSource::File(file), Some(token))
        } else if let Some(plugin) = plugin {
            let credentials = plugin::run(&plugin)?;
            if let Some((certificate, key)) = &credentials.identity {
                user.client_certificate_data = Some(encoded(certificate.as_bytes()));
                user.client_key_data = Some(encoded(key.as_bytes()).into());
            }
            let token =
                credentials.token.map(|token| token_from(&plugin, &token, credentials.until));
            (TokenSource::Plugin(Box::new(plugin)), token.transpose()?)
        } else {
            (TokenSource::Fixed, None)
        };
        Ok(Bearer { source, token: Arc::new(Mutex::new(token)) })
    }

    /// The header of a request; none if it carries none.
    pub(crate) async fn header(&self) -> Result<Option<HeaderValue>, AccessError> {
        let known = self.token.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(known) = known else { return Ok(None) };
        if known.until.is_none_or(|until| Timestamp::now() < until) {
            return Ok(Some(known.header));
        }
        let source = self.source.clone();
        // A plugin may wait for a person.
        let token = tokio::task::spawn_blocking(move || source.token()).await;
        let token = match (token, &self.source) {
            (Ok(Ok(Some(token))), _) => token,
            (Ok(Err(why)), TokenSource::Plugin(_)) => return Err(why),
            // A file may be away while it is replaced.
            _ => known,
        };
        let header = token.header.clone();
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = Some(token);
        Ok(Some(header))
    }
}

impl TokenSource {
    /// A new token; none if it stays as it is.
    fn token(self) -> Result<Option<Token>, AccessError> {
        match self {
            TokenSource::Fixed => Ok(None),
            TokenSource::File(file) => token_in(file).map(Some),
            TokenSource::Plugin(plugin) => {
                let credentials = plugin::run(&plugin)?;
                let token = credentials.token;
                token.map(|token| token_from(&plugin, &token, credentials.until)).transpose()
            }
        }
    }
}

impl Token {
    fn new(text: &str, name: &str, until: Option<Timestamp>) -> Result<Token, AccessError> {
        let header = HeaderValue::try_from(format!("Bearer {text}"));
        let mut header = header.map_err(|_| AccessError::Token(name.to_owned()))?;
        header.set_sensitive(true);
        Ok(Token { header, until })
    }
}

fn token_in(file: PathBuf) -> Result<Token, AccessError> {
    let until = Timestamp::now() + MARGIN;
    Token::new(read_text(&file)?.trim(), &file.display().to_string(), Some(until))
}

fn token_from(
    plugin: &ExecConfig,
    token: &str,
    until: Option<Timestamp>,
) -> Result<Token, AccessError> {
    let name = format!("the token of the plugin {}", plugin::name(plugin));
    let until = until.map(|until| until.checked_sub(MARGIN).unwrap_or(until));
    Token::new(token, &name, until)
}

fn token_of(provider: &AuthProviderConfig) -> Result<Token, AccessError> {
    match provider.config.get("id-token") {
        Some(token) if provider.name == "oidc" => Token::new(token, "the id-token", None),
        _ => Err(AccessError::Provider(provider.name.clone())),
    }
}
