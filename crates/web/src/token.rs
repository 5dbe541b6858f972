//! The token for access, if others than this machine's users can reach the page.
//!
//! A browser shows it once, in the address, and gets a cookie with another secret instead: cookies
//! go to every port of a host, and a cookie that another program there reads becomes invalid when
//! this process ends.

use std::fmt;
use std::str::FromStr;
use subtle::ConstantTimeEq;

/// Bytes of chance in a token that is made here.
const RANDOM_BYTES: usize = 16;

/// Minimum length of a user's token: shorter ones could be guessed.
const LEAST_LETTERS: usize = 16;

/// A longer one would not fit into a line.
const MOST_LETTERS: usize = 200;

/// A secret for access.
#[derive(Clone)]
pub struct Token(String);

/// Why a text cannot be a token, or none could be made.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// It is too short, too long, or contains characters that an address would change.
    #[error(
        "a token has {LEAST_LETTERS} to {MOST_LETTERS} letters, digits, - and _; leave it out to \
         have one made"
    )]
    Form,
    /// The system gives no chance.
    #[error("no token can be made, since the system gives no random numbers: {0}")]
    Random(getrandom::Error),
}

impl Token {
    /// A new token that nobody can guess.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn random() -> Result<Token, TokenError> {
        let mut bytes = [0; RANDOM_BYTES];
        getrandom::fill(&mut bytes).map_err(TokenError::Random)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Its characters, as in an address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `given` equals it, in constant time.
    pub(crate) fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Token, TokenError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let fits = (LEAST_LETTERS..=MOST_LETTERS).contains(&text.len());
        match fits && text.bytes().all(plain) {
            true => Ok(Token(text.to_owned())),
            false => Err(TokenError::Form),
        }
    }
}

/// Without its characters: others may read error output.
impl fmt::Debug for Token {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_only_the_whole_one_is_right() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(one.as_str().len(), 2 * RANDOM_BYTES);
        assert!(one.is(one.as_str()) && !one.is(other.as_str()));
        assert!(!one.is(&one.as_str()[1..]) && !one.is("") && !one.is(&format!("{}0", one.0)));
        assert!(!format!("{one:?}").contains(one.as_str()));
    }

    #[test]
    fn a_chosen_token_is_long_and_plain() {
        assert!("sixteen-letters_".parse::<Token>().is_ok());
        for text in ["", "fifteen-letters", "sixteen letters+", "ä234567890123456"] {
            assert!(text.parse::<Token>().is_err(), "{text}");
        }
        assert!("a".repeat(201).parse::<Token>().is_err());
    }
}
