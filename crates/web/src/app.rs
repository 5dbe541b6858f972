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
use crate::view::{ListRow, Running};
use axum::response::Response;
use fathom_message::Lang;
use fathom_store::HistoryEntry;
use fathom_store::live::LiveRun;
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
    told: fn(Lang, &str) -> String,
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
            told: asked.told,
        })
    }

    /// A run that goes on, for the reader of a page.
    pub(crate) fn running(&self, run: &LiveRun, asked: &PageRequest) -> Running {
        Running::of(run, |title| (self.told)(asked.lang, title))
    }

    /// A run of the history, which found what `summary` says.
    pub(crate) fn row(
        &self,
        entry: &HistoryEntry,
        summary: Option<&str>,
        killed: bool,
        asked: &PageRequest,
    ) -> ListRow {
        let title = |title: &str| (self.told)(asked.lang, title);
        ListRow::of(entry, summary, killed, title, self.pages.words(asked.lang))
    }

    /// The page for an error.
    pub(crate) fn failed(&self, asked: &PageRequest, failure: &PageFailure) -> Response {
        self.pages.failure(asked, failure)
    }
}
