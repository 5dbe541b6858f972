//! The choice between a mix's reads and writes, if rates set their due times.
//!
//! Each direction has its own rate, independent of the mix (observed of fio 3.33): the mix draws a
//! direction, but if its next I/O is not due yet and the other's is due earlier, the other is
//! chosen. So the mix decides only while both are behind. That is unknown in advance, so the next
//! I/O of each direction waits here, and none is chosen beyond it.

use crate::pace::Pacer;
use crate::{Io, Workload};
use fathom_vocab::Direction;

/// The next I/O of a mix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextIo {
    /// It is due, since this moment.
    Due(Io, u64),
    /// It stays for later: nothing is due before this moment.
    NotBefore(u64),
    /// None is left: all passes are over.
    Over,
}

/// The next read and the next write of a job with rates.
#[derive(Clone, Debug, Default)]
pub struct PacedMix {
    next: [Option<Io>; 2],
    /// No pass is left to make I/Os of.
    over: bool,
}

impl PacedMix {
    /// The next I/O of `workload`, if it is due. For one workload and one pacer, at ascending
    /// moments; `begin_pass` begins another pass of the workload, if there is one.
    ///
    /// A pass is begun when one direction needs it, though an I/O of the other may still wait: a
    /// direction never waits for the other's.
    pub fn next_io<P: Pacer>(
        &mut self,
        workload: &mut Workload,
        pacer: &mut P,
        now_ns: u64,
        mut begin_pass: impl FnMut(&mut Workload) -> bool,
    ) -> NextIo {
        for (next, dir) in self.next.iter_mut().zip([Direction::Read, Direction::Write]) {
            if next.is_none() && !self.over {
                *next = workload.next_of(dir);
                if next.is_none() && begin_pass(workload) {
                    *next = workload.next_of(dir);
                }
                self.over = next.is_none();
            }
        }
        let mut due = |io: Option<Io>| io.map(|io| pacer.peek_due_ns(io.dir, io.len, now_ns));
        let place = match (due(self.next[0]), due(self.next[1])) {
            (None, None) => return NextIo::Over,
            (_, None) => 0,
            (None, _) => 1,
            (Some(read_ns), Some(write_ns)) => {
                chosen(workload.draw_direction(), read_ns, write_ns, now_ns)
            }
        };
        self.take(place, pacer, now_ns)
    }

    fn take<P: Pacer>(&mut self, place: usize, pacer: &mut P, now_ns: u64) -> NextIo {
        let Some(io) = self.next[place] else { return NextIo::Over };
        let due_ns = pacer.peek_due_ns(io.dir, io.len, now_ns);
        if due_ns > now_ns {
            return NextIo::NotBefore(due_ns);
        }
        pacer.take_due_ns(io.dir);
        self.next[place] = None;
        NextIo::Due(io, due_ns)
    }
}

/// The place of the read (0) or of the write (1).
fn chosen(drawn: Direction, read_ns: u64, write_ns: u64, now_ns: u64) -> usize {
    let (place, mine_ns, other_ns) = match drawn {
        Direction::Write => (1, write_ns, read_ns),
        _ => (0, read_ns, write_ns),
    };
    if mine_ns > now_ns && other_ns < mine_ns { 1 - place } else { place }
}

#[cfg(test)]
mod tests;
