//! `ignore_error`: error numbers by name or number, for each direction.

use crate::error::ValueProblem;
use crate::spec::ErrorPolicy;
use fathom_text::text;
use fathom_vocab::{ErrorNumber, PerDirection};

/// Sets `policy` to go on over `EIO:ENOSPC,5,…`: reads, then writes (also used for trims), then
/// verification, of which only is stored that there is some.
pub(crate) fn ignore_error(text: &str, policy: &mut ErrorPolicy) -> Result<(), ValueProblem> {
    let lists: Vec<&str> = text.split(',').collect();
    if lists.len() > 3 {
        return Err(ValueProblem::new("more than three lists")
            .hinted("Give errors of reads, then writes, then verification."));
    }
    let lists: Vec<Vec<ErrorNumber>> = lists.into_iter().map(numbers).collect::<Result<_, _>>()?;
    let list = |at: usize| lists.get(at).cloned().unwrap_or_default();
    policy.ignore = PerDirection { read: list(0), write: list(1), trim: list(1) };
    policy.continue_on.read |= !list(0).is_empty();
    policy.continue_on.write |= !list(1).is_empty();
    policy.continue_on.verify |= !list(2).is_empty();
    Ok(())
}

fn numbers(list: &str) -> Result<Vec<ErrorNumber>, ValueProblem> {
    list.split(':').map(str::trim).filter(|word| !word.is_empty()).map(number).collect()
}

fn number(word: &str) -> Result<ErrorNumber, ValueProblem> {
    let typed = || word.parse().ok().filter(|number| (1..4096).contains(number));
    ErrorNumber::named(word).or_else(|| typed().map(ErrorNumber::new)).ok_or_else(|| {
        ValueProblem::whole(text!("Unknown error {word}, please use number value"))
            .hinted("The numbers are in errno(3), as 5 for EIO.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_per_direction() {
        let policy = |text: &str| {
            let mut policy = ErrorPolicy::default();
            ignore_error(text, &mut policy).map(|()| policy)
        };
        let ignored = policy("EIO:ENOSPC,5:EDQUOT").unwrap();
        assert_eq!(ignored.ignore.read, [5, 28]);
        assert_eq!(ignored.ignore.write, [5, 122]);
        let ignored = policy("EIO,,EILSEQ").unwrap();
        assert_eq!(ignored.ignore.write, Vec::<ErrorNumber>::new());
        let on = ignored.continue_on;
        assert_eq!((on.read, on.write, on.verify), (true, false, true));
        for text in ["EFOO", "0", "-1", "1,2,3,4", "99999999999"] {
            assert!(policy(text).is_err(), "{text}");
        }
    }
}
