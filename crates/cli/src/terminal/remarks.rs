//! Remarks on several runs, with one sentence for all remarks of a kind.

use fathom_campaign::Remark;
use fathom_message::{Lang, Message, Tell};
use std::mem::discriminant;

/// Remarks on runs of these names, as sentences: of one kind the first, and how many more are
/// alike.
pub fn alike<'r>(remarks: impl Iterator<Item = (String, &'r Remark)>, lang: Lang) -> Vec<String> {
    let mut kinds: Vec<(String, &Remark, usize)> = Vec::new();
    for (name, remark) in remarks {
        match kinds.iter_mut().find(|(_, kind, _)| discriminant(*kind) == discriminant(remark)) {
            Some((_, _, more)) => *more += 1,
            None => kinds.push((name, remark, 0)),
        }
    }
    let sentence = |(name, remark, more): &(String, &Remark, usize)| {
        let told = match *more {
            0 => remark.tell(),
            more => Message::new("told-runs-alike")
                .part("sentence", remark.tell())
                .count("more", more as u64),
        };
        format!("{name}: {}", told.text(lang))
    };
    kinds.iter().map(sentence).collect()
}
