//! The clients behind a connection: one for a host, several for a relay.
//!
//! Decided here: a shared quantity (a rate, a file) is divided by the edges of the clients' ranges,
//! so that dividing a relay's part among its hosts gives the same as dividing without relays.

/// Clients `first` to `end` (without it) of `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClientRange {
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) count: u64,
}

impl ClientRange {
    /// How many clients these are.
    pub(crate) fn len(self) -> u64 {
        self.end - self.first
    }

    /// The ranges of connections with these numbers of clients.
    pub(crate) fn of_widths(widths: &[usize]) -> Vec<ClientRange> {
        let count = widths.iter().sum::<usize>() as u64;
        let mut first = 0;
        let range = |width: &usize| {
            let range = ClientRange { first, end: first + *width as u64, count };
            first = range.end;
            range
        };
        widths.iter().map(range).collect()
    }
}

/// How many of `clients` run behind each connection, given the living ones: the first ones.
pub(crate) fn chosen_widths(living: &[usize], clients: usize) -> Vec<usize> {
    let mut left = clients;
    let choose = |width: &usize| {
        let chosen = left.min(*width);
        left -= chosen;
        chosen
    };
    living.iter().map(choose).collect()
}

/// The fewest connections that can have `clients`, given the living ones behind each.
pub(crate) fn least_connections(living: &[usize], clients: usize) -> usize {
    let mut widths = living.to_vec();
    widths.sort_unstable_by(|a, b| b.cmp(a));
    let mut held = 0;
    let holds = |width: &usize| {
        held += width;
        held >= clients
    };
    widths.iter().position(holds).map_or(widths.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_cover_all_clients_once(widths in prop::collection::vec(0usize..40, 1..20)) {
            let ranges = ClientRange::of_widths(&widths);
            let mut next = 0;
            for (range, width) in ranges.iter().zip(&widths) {
                prop_assert_eq!((range.first, range.len()), (next, *width as u64));
                next = range.end;
            }
            prop_assert!(ranges.iter().all(|range| range.count == next));
        }

        #[test]
        fn the_first_that_live_are_chosen(
            living in prop::collection::vec(0usize..40, 1..20), clients in 0usize..400,
        ) {
            let chosen = chosen_widths(&living, clients);
            let all: usize = living.iter().sum();
            prop_assert_eq!(chosen.iter().sum::<usize>(), clients.min(all));
            prop_assert!(chosen.iter().zip(&living).all(|(chosen, lives)| chosen <= lives));
            // No client is chosen after a connection with unused ones.
            let full = chosen.iter().zip(&living).take_while(|(chosen, lives)| chosen == lives);
            let full = full.count();
            prop_assert!(chosen.iter().skip(full + 1).all(|chosen| *chosen == 0));
        }

        #[test]
        fn fewer_connections_cannot_hold_the_clients(
            living in prop::collection::vec(1usize..40, 1..20), clients in 1usize..200,
        ) {
            let least = least_connections(&living, clients);
            let mut widths = living.clone();
            widths.sort_unstable_by(|a, b| b.cmp(a));
            let all: usize = widths.iter().sum();
            prop_assert!(all < clients || widths[..least].iter().sum::<usize>() >= clients);
            prop_assert!(widths[..least - 1].iter().sum::<usize>() < clients);
        }
    }
}
