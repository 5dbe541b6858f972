//! `ignore_error`: error numbers by name or number, for each direction.

use crate::error::ValueProblem;
use fathom_vocab::{ErrorNumber, PerDirection};

/// `EIO:ENOSPC,5,…`: reads, then writes (also used for trims); a third list is for verification,
/// and is checked but not stored.
pub(crate) fn ignore_error(text: &str) -> Result<PerDirection<Vec<ErrorNumber>>, ValueProblem> {
    let lists: Vec<&str> = text.split(',').collect();
    if lists.len() > 3 {
        return Err(ValueProblem::new("more than three lists")
            .hinted("Give errors of reads, then writes, then verification."));
    }
    let lists: Vec<Vec<ErrorNumber>> = lists.into_iter().map(numbers).collect::<Result<_, _>>()?;
    let write = lists.get(1).cloned().unwrap_or_default();
    Ok(PerDirection {
        read: lists.first().cloned().unwrap_or_default(),
        write: write.clone(),
        trim: write,
    })
}

fn numbers(list: &str) -> Result<Vec<ErrorNumber>, ValueProblem> {
    list.split(':').map(str::trim).filter(|word| !word.is_empty()).map(number).collect()
}

fn number(word: &str) -> Result<ErrorNumber, ValueProblem> {
    let typed = || word.parse().ok().filter(|number| (1..4096).contains(number));
    ErrorNumber::named(word).or_else(|| typed().map(ErrorNumber::new)).ok_or_else(|| {
        ValueProblem::whole(format!("Unknown error {word}, please use number value"))
            .hinted("The numbers are in errno(3), as 5 for EIO.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_per_direction() {
        let ignored = ignore_error("EIO:ENOSPC,5:EDQUOT").unwrap();
        assert_eq!(ignored.read, [5, 28]);
        assert_eq!(ignored.write, [5, 122]);
        assert_eq!(ignore_error("EIO,,EILSEQ").unwrap().write, Vec::<ErrorNumber>::new());
        for text in ["EFOO", "0", "-1", "1,2,3,4", "99999999999"] {
            assert!(ignore_error(text).is_err(), "{text}");
        }
    }
}
