//! What cannot be answered, as a page that says why.

use crate::gate::Refusal;
use axum::http::StatusCode;
use fathom_store::StoreError;
use fathom_store::live::LiveError;

/// Why a request is not answered with what it asks for.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The gate did not let it in.
    Refused(Refusal),
    /// Nothing is at that address.
    Nowhere,
    /// No run goes by that name.
    NoRun(String),
    /// Too few or too many runs to compare.
    Number(usize),
    /// The history cannot be read.
    History(StoreError),
    /// A live feed cannot be read.
    Feed(LiveError),
    /// What was kept of a run cannot be shown; why, in words.
    Document(String),
    /// A fault of ours.
    Fault,
}

impl Failure {
    /// The status of the answer.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Failure::Refused(Refusal::Host) => StatusCode::MISDIRECTED_REQUEST,
            Failure::Refused(Refusal::Origin) => StatusCode::FORBIDDEN,
            Failure::Refused(Refusal::Method) => StatusCode::METHOD_NOT_ALLOWED,
            Failure::Refused(Refusal::Token) => StatusCode::UNAUTHORIZED,
            Failure::Nowhere | Failure::NoRun(_) => StatusCode::NOT_FOUND,
            Failure::Number(_) => StatusCode::BAD_REQUEST,
            Failure::History(_) => StatusCode::SERVICE_UNAVAILABLE,
            Failure::Document(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Failure::Feed(_) | Failure::Fault => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The name of the sentence that says it.
    pub(crate) fn sentence(&self) -> &'static str {
        match self {
            Failure::Refused(Refusal::Host) => "web-refused-host",
            Failure::Refused(Refusal::Origin) => "web-refused-origin",
            Failure::Refused(Refusal::Method) => "web-refused-method",
            Failure::Refused(Refusal::Token) => "web-refused-token",
            Failure::Nowhere => "web-nowhere",
            Failure::NoRun(_) => "web-no-run",
            Failure::Number(_) => "web-number",
            Failure::History(_) => "web-no-history",
            Failure::Feed(_) => "web-no-feed",
            Failure::Document(_) => "web-no-report",
            Failure::Fault => "web-fault",
        }
    }

    /// Whether the detail is a sentence, which is in English whatever the page's language.
    pub(crate) fn is_in_english(&self) -> bool {
        matches!(self, Failure::History(_) | Failure::Feed(_) | Failure::Document(_))
    }

    /// What was found, in the words of whoever found it; may be empty.
    pub(crate) fn detail(&self) -> String {
        match self {
            Failure::NoRun(name) => name.clone(),
            Failure::Number(count) => count.to_string(),
            Failure::History(error) => error.to_string(),
            Failure::Feed(error) => error.to_string(),
            Failure::Document(why) => why.clone(),
            Failure::Refused(_) | Failure::Nowhere | Failure::Fault => String::new(),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::NoRun { prefix } => Failure::NoRun(prefix),
            StoreError::Ambiguous { .. } => Failure::NoRun(error.to_string()),
            error => Failure::History(error),
        }
    }
}

impl From<LiveError> for Failure {
    fn from(error: LiveError) -> Failure {
        Failure::Feed(error)
    }
}
