//! `ignore_error`: error numbers by name or number, per direction.

use crate::error::Problem;
use fathom_vocab::PerDirection;

/// Errors that storage gives, by their Linux numbers.
const NAMES: [(&str, i32); 42] = [
    ("EPERM", 1),
    ("ENOENT", 2),
    ("EINTR", 4),
    ("EIO", 5),
    ("ENXIO", 6),
    ("E2BIG", 7),
    ("EBADF", 9),
    ("EAGAIN", 11),
    ("EWOULDBLOCK", 11),
    ("ENOMEM", 12),
    ("EACCES", 13),
    ("EFAULT", 14),
    ("EBUSY", 16),
    ("EEXIST", 17),
    ("ENODEV", 19),
    ("ENOTDIR", 20),
    ("EISDIR", 21),
    ("EINVAL", 22),
    ("ENFILE", 23),
    ("EMFILE", 24),
    ("ETXTBSY", 26),
    ("EFBIG", 27),
    ("ENOSPC", 28),
    ("ESPIPE", 29),
    ("EROFS", 30),
    ("EPIPE", 32),
    ("ERANGE", 34),
    ("ENOSYS", 38),
    ("ENODATA", 61),
    ("ETIME", 62),
    ("ENOLINK", 67),
    ("EILSEQ", 84),
    ("EOPNOTSUPP", 95),
    ("ENOTSUP", 95),
    ("ENOBUFS", 105),
    ("ETIMEDOUT", 110),
    ("EALREADY", 114),
    ("EINPROGRESS", 115),
    ("ESTALE", 116),
    ("EREMOTEIO", 121),
    ("EDQUOT", 122),
    ("ECANCELED", 125),
];

/// `EIO:ENOSPC,5,…`: reads, then writes (which serve trims too); a third list is for
/// verification, and is checked but not kept.
pub(crate) fn ignore_error(text: &str) -> Result<PerDirection<Vec<i32>>, Problem> {
    let lists: Vec<&str> = text.split(',').collect();
    if lists.len() > 3 {
        return Err(Problem::new("more than three lists")
            .hinted("Give errors of reads, then writes, then verification."));
    }
    let lists: Vec<Vec<i32>> = lists.into_iter().map(numbers).collect::<Result<_, _>>()?;
    let write = lists.get(1).cloned().unwrap_or_default();
    Ok(PerDirection {
        read: lists.first().cloned().unwrap_or_default(),
        write: write.clone(),
        trim: write,
    })
}

fn numbers(list: &str) -> Result<Vec<i32>, Problem> {
    list.split(':').map(str::trim).filter(|word| !word.is_empty()).map(number).collect()
}

fn number(word: &str) -> Result<i32, Problem> {
    if let Some((_, number)) = NAMES.iter().find(|(name, _)| *name == word) {
        return Ok(*number);
    }
    word.parse::<i32>().ok().filter(|number| (1..4096).contains(number)).ok_or_else(|| {
        Problem::whole(format!("Unknown error {word}, please use number value"))
            .hinted("The numbers are in errno(3), as 5 for EIO.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_per_direction() {
        let ignored = ignore_error("EIO:ENOSPC,5:EDQUOT").unwrap();
        assert_eq!((ignored.read, ignored.write), (vec![5, 28], vec![5, 122]));
        assert_eq!(ignore_error("EIO,,EILSEQ").unwrap().write, Vec::<i32>::new());
        for text in ["EFOO", "0", "-1", "1,2,3,4", "99999999999"] {
            assert!(ignore_error(text).is_err(), "{text}");
        }
    }
}
