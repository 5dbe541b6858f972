//! The way to a field of a JSON text, as errors name it.

use std::fmt;

/// The way to a value: `phases[2].result.jobs[0].name`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JsonPath(String);

impl JsonPath {
    /// A member of the object here.
    pub fn member(mut self, key: &str) -> JsonPath {
        self.0 += if self.0.is_empty() { "" } else { "." };
        self.0 += key;
        self
    }

    /// An element of the list here.
    pub fn element(mut self, at: usize) -> JsonPath {
        self.0 += &format!("[{at}]");
        self
    }

    /// The way of a part of what is here.
    pub fn then(self, part: &JsonPath) -> JsonPath {
        match part.0.starts_with('[') || part.0.is_empty() {
            true => JsonPath(self.0 + &part.0),
            false => self.member(&part.0),
        }
    }

    /// Whether it is the way to all of it.
    pub fn is_top(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is the way to an element of `list`, and no further.
    pub fn is_element_of(&self, list: &str) -> bool {
        let at = self.0.strip_prefix(list).and_then(|rest| rest.strip_prefix('['));
        at.and_then(|rest| rest.strip_suffix(']')).is_some_and(|at| at.parse::<usize>().is_ok())
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(if self.is_top() { "." } else { &self.0 })
    }
}
