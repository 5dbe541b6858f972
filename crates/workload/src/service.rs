//! The file of the next I/O (`file_service_type`).

use crate::rng::Rng;
use fathom_job::FileService;
use std::collections::VecDeque;

/// Chooses among the files that are not done.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    kind: FileService,
    files: Vec<u32>,
    /// How many files are worked on at a time.
    most: usize,
    /// Files that are worked on.
    active: Vec<u32>,
    /// Files that follow, in this round.
    waiting: VecDeque<u32>,
    at: usize,
    left: u32,
    /// The file at `at` has not been served yet, so it is not time to move on.
    fresh: bool,
    rng: Rng,
}

impl Service {
    /// Chooses among `files` according to `kind`, and works on at most `most` of them at a time.
    pub(crate) fn new(kind: FileService, files: Vec<u32>, most: usize, rng: Rng) -> Service {
        let (active, waiting) = (Vec::new(), VecDeque::new());
        let mut service =
            Service { kind, files, most, active, waiting, at: 0, left: 0, fresh: true, rng };
        service.refill();
        service
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
                let new = if self.active.len() < self.most { self.waiting.len() } else { 0 };
                self.at = self.rng.below((self.active.len() + new) as u64) as usize;
                if self.at >= self.active.len() {
                    self.take_up(self.at - self.active.len());
                }
                self.left = run.max(1);
            }
            FileService::Sequential => self.left = u32::MAX,
        }
        self.fresh = false;
    }

    /// Begins with a waiting file.
    #[cold]
    fn take_up(&mut self, waiting: usize) {
        self.at = self.active.len();
        self.active.extend(self.waiting.swap_remove_back(waiting));
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
            self.active.extend(self.waiting.pop_front());
            self.fresh = true;
        }
    }

    /// Takes every file in again.
    pub(crate) fn refill(&mut self) {
        // Of few random files any may be the first.
        let drawn = matches!(self.kind, FileService::Random(_)) && self.most < self.files.len();
        let begun = if drawn { 0 } else { self.most.min(self.files.len()) };
        self.active.clear();
        self.active.extend_from_slice(&self.files[..begun]);
        self.waiting.clear();
        self.waiting.extend(&self.files[begun..]);
        self.at = 0;
        self.left = 0;
        self.fresh = true;
    }
}
