//! The slots that the kernel uses.
//!
//! One byte for each slot, tested when a buffer is accessed and when a request is queued. It costs
//! a load and a branch, and makes the safe methods of an engine safe: without it a caller's mistake
//! would let the kernel write into a buffer that Rust believes to be its own.

use crate::Completion;
use std::collections::VecDeque;

/// In flight or free, for each slot.
#[derive(Debug)]
pub(crate) struct Slots {
    taken: Vec<bool>,
    count: u32,
}

impl Slots {
    pub(crate) fn new(slots: u32) -> Slots {
        Slots { taken: vec![false; slots as usize], count: 0 }
    }

    /// How many are taken.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Marks a slot as in flight.
    ///
    /// # Panics
    /// If it is already in flight.
    #[inline(always)]
    pub(crate) fn take(&mut self, slot: u32) {
        let taken = &mut self.taken[slot as usize];
        assert!(!*taken, "slot {slot} is in flight");
        *taken = true;
        self.count += 1;
    }

    /// Marks a slot as free; an unexpected completion is ignored (false).
    #[inline(always)]
    pub(crate) fn give(&mut self, slot: u32) -> bool {
        match self.taken.get_mut(slot as usize) {
            Some(taken) if *taken => {
                *taken = false;
                self.count -= 1;
                true
            }
            _ => false,
        }
    }

    /// Moves available completions from `ready` to `done`, at most `max`, and frees their slots.
    /// Returns their number. Oldest first: if few are taken at a time, any other order delays some
    /// for ever.
    #[inline(always)]
    pub(crate) fn give_ready(
        &mut self,
        ready: &mut VecDeque<Completion>,
        max: u32,
        done: &mut Vec<Completion>,
    ) -> u32 {
        let mut taken = 0;
        while taken < max
            && let Some(completion) = ready.pop_front()
        {
            self.give(completion.slot);
            done.push(completion);
            taken += 1;
        }
        taken
    }

    /// Checks that a slot is free before its buffer is handed out.
    ///
    /// # Panics
    /// If it is in flight.
    #[inline(always)]
    pub(crate) fn check_free(&self, slot: u32) {
        assert!(!self.taken[slot as usize], "slot {slot} is in flight");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_taken_once_and_given_back_once() {
        let mut slots = Slots::new(3);
        slots.take(1);
        slots.check_free(0);
        assert_eq!(slots.count(), 1);
        assert!(slots.give(1));
        assert!(!slots.give(1));
        assert!(!slots.give(7));
        assert_eq!(slots.count(), 0);
    }

    #[test]
    #[should_panic(expected = "slot 2 is in flight")]
    fn taking_twice_is_caught() {
        let mut slots = Slots::new(3);
        slots.take(2);
        slots.take(2);
    }
}
