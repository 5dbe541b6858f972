//! State shared by all requests.

use crate::archive::Archive;
use crate::assets::Assets;
use crate::failure::PageFailure;
use crate::gate::AccessGate;
use crate::live::Hub;
use crate::page::Pages;
use crate::request::PageRequest;
use crate::settings::{ServeError, ServeSettings};
use crate::stop::Stop;
use crate::summaries::Summaries;
use crate::token::Token;
use axum::response::Response;
use fathom_message::Lang;
use std::net::SocketAddr;
use std::sync::Arc;

/// The server without its sockets.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) gate: AccessGate,
    pub(crate) archive: Archive,
    pub(crate) hub: Arc<Hub>,
    pub(crate) pages: Pages,
    pub(crate) assets: Assets,
    pub(crate) summaries: Arc<Summaries>,
    pub(crate) lang: Option<Lang>,
}

impl App {
    pub(crate) fn new(
        at: SocketAddr,
        asked: ServeSettings,
        stop: &Stop,
    ) -> Result<App, ServeError> {
        let session = asked.token.as_ref().map(|_| Token::random()).transpose()?;
        let archive = Archive::new(&asked.history);
        Ok(App {
            gate: AccessGate::new(at, asked.names, asked.token, session),
            hub: Arc::new(Hub::new(archive.clone(), stop.clone())),
            archive,
            pages: Pages::new(),
            assets: Assets::new(),
            summaries: Arc::default(),
            lang: asked.lang,
        })
    }

    /// The page for an error.
    pub(crate) fn failed(&self, asked: &PageRequest, failure: &PageFailure) -> Response {
        self.pages.failure(asked, failure)
    }
}
