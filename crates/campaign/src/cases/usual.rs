//! A job by its usual options, as a case, for check and compare.

use super::case::{CachePolicy, Case, Reach};
use crate::jobs::RefusedJob;
use fathom_document::short_bytes;
use fathom_document::{CaseTime, Setting};
use fathom_vocab::IoEngine;

/// The options that distinguish most jobs.
#[derive(Clone, Debug)]
pub(crate) struct UsualJob {
    /// Its `rw`.
    pub rw: String,
    /// Bytes of an I/O.
    pub block_bytes: u64,
    /// I/Os in flight of each job.
    pub depth: u32,
    /// Jobs that run at once.
    pub jobs: u32,
}

impl UsualJob {
    /// The case that runs it, with direct I/O if possible. Its options are its settings.
    ///
    /// # Errors
    /// If the job table does not take it.
    pub fn case(
        &self,
        index: usize,
        engine: Option<IoEngine>,
        time: CaseTime,
    ) -> Result<Case, RefusedJob> {
        let mut options = vec![
            ("rw".to_owned(), self.rw.clone()),
            ("bs".to_owned(), short_bytes(self.block_bytes)),
            ("iodepth".to_owned(), self.depth.to_string()),
        ];
        if self.jobs > 1 {
            options.push(("numjobs".to_owned(), self.jobs.to_string()));
        }
        let setting =
            |(axis, value): &(String, String)| Setting { axis: axis.clone(), value: value.clone() };
        let settings = options.iter().map(setting).collect();
        let reach = Reach { engine, cache: CachePolicy::PastIfPossible };
        Case::new(index, settings, reach, time, options)
    }
}
