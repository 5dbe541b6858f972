//! The options of one case, merged from defaults, settings and axes.

use crate::jobs::RefusedJob;

/// Why a case has no options.
pub(super) enum Problem {
    /// An unknown engine, or one that measures no volume.
    Refused(RefusedJob),
    /// A mix for a job with this `rw`, which has only one direction.
    NotMixed(String),
}

/// Options being merged: a later value replaces an earlier one.
#[derive(Default)]
pub(super) struct Options<'a>(Vec<(&'a str, String)>);

impl<'a> Options<'a> {
    /// Sets an option.
    pub fn put(&mut self, name: &'a str, value: &str) {
        match self.0.iter_mut().find(|(other, _)| *other == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.0.push((name, value.to_owned())),
        }
    }

    /// Removes an option, if it is set.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(other, _)| *other == name)?;
        Some(self.0.remove(at).1)
    }

    /// A mix of reads and writes; its ends are a job that only reads and one that only writes.
    pub fn mix(&mut self, mix: &str) -> Result<(), Problem> {
        let reads = mix.split(':').next().unwrap_or_default();
        let rw = self.0.iter().find(|(name, _)| *name == "rw").map(|(_, rw)| rw.clone());
        let rw = rw.unwrap_or_default();
        let (word, suffix) = match rw.split_once(':') {
            Some((word, suffix)) => (word, format!(":{suffix}")),
            None => (rw.as_str(), String::new()),
        };
        let before = match word {
            "randrw" => "rand",
            "rw" | "readwrite" => "",
            _ => return Err(Problem::NotMixed(rw)),
        };
        match reads {
            "100" => self.put("rw", &format!("{before}read{suffix}")),
            "0" => self.put("rw", &format!("{before}write{suffix}")),
            reads => self.put("rwmixread", reads),
        }
        Ok(())
    }

    /// Names and values in the order in which they were first set.
    pub fn into_owned(self) -> Vec<(String, String)> {
        self.0.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
