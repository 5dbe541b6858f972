//! The file of the next I/O (`file_service_type`).

use crate::rng::Rng;
use fathom_job::FileService;

/// Chooses among the files that are not done.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    kind: FileService,
    files: Vec<u32>,
    active: Vec<u32>,
    at: usize,
    left: u32,
    /// The file at `at` has not been served yet, so it is not time to move on.
    fresh: bool,
    rng: Rng,
}

impl Service {
    /// Chooses among `files` according to `kind`.
    pub(crate) fn new(kind: FileService, files: Vec<u32>, rng: Rng) -> Service {
        let active = files.clone();
        Service { kind, files, active, at: 0, left: 0, fresh: true, rng }
    }

    /// The file of the next I/O, or `None` when all are done.
    #[inline]
    pub(crate) fn pick(&mut self) -> Option<u32> {
        if self.left == 0 {
            self.advance();
        }
        self.left = self.left.saturating_sub(1);
        self.active.get(self.at).copied()
    }

    fn advance(&mut self) {
        match self.kind {
            FileService::RoundRobin(run) => {
                if !self.fresh {
                    self.at += 1;
                }
                self.at = if self.at < self.active.len() { self.at } else { 0 };
                self.left = run.max(1);
            }
            FileService::Random(run) => {
                self.at = self.rng.below(self.active.len() as u64) as usize;
                self.left = run.max(1);
            }
            FileService::Sequential => self.left = u32::MAX,
        }
        self.fresh = false;
    }

    /// Leaves out the file that was picked last, until [`Service::refill`].
    pub(crate) fn finished(&mut self) {
        self.left = 0;
        if self.at >= self.active.len() {
            return;
        }
        if let FileService::Random(_) = self.kind {
            self.active.swap_remove(self.at);
        } else {
            self.active.remove(self.at);
            self.fresh = true;
        }
    }

    /// Takes every file in again.
    pub(crate) fn refill(&mut self) {
        self.active.clone_from(&self.files);
        self.at = 0;
        self.left = 0;
        self.fresh = true;
    }
}
