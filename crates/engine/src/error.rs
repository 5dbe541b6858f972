//! Why an engine could not be built, with advice.

use fathom_vocab::ErrorNumber;
use std::io;

/// An engine could not be built.
#[derive(Debug, thiserror::Error)]
#[error("{engine}: {what}: {source}{}", hint(.advice))]
pub struct EngineError {
    /// The engine's name.
    pub engine: &'static str,
    /// The failed step: a system call, or a description.
    pub what: String,
    /// The kernel's answer.
    pub source: io::Error,
    /// Advice, as a sentence without a full stop; empty if there is none.
    pub advice: String,
}

impl EngineError {
    /// The error number; none if the failure was not the kernel's.
    pub fn number(&self) -> ErrorNumber {
        ErrorNumber::of(&self.source)
    }

    pub(crate) fn new(engine: &'static str, what: impl Into<String>, source: io::Error) -> Self {
        EngineError { engine, what: what.into(), source, advice: String::new() }
    }

    pub(crate) fn advise(mut self, advice: String) -> Self {
        self.advice = advice;
        self
    }
}

fn hint(advice: &str) -> String {
    if advice.is_empty() { String::new() } else { format!(" ({advice})") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_vocab::NumberedError;

    #[test]
    fn message_reads_as_one_line() {
        let text = "Resource temporarily unavailable".to_owned();
        let source = NumberedError::new(ErrorNumber::EAGAIN, text).into();
        let error = EngineError::new("libaio", "io_setup", source).advise("do this".into());
        assert_eq!(error.number(), ErrorNumber::EAGAIN);
        assert!(error.to_string().starts_with("libaio: io_setup: Resource temporarily"));
        assert!(error.to_string().ends_with(" (do this)"));
    }
}
