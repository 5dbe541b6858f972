//! The names of test files, by which those that killed runs left are found. Nothing with another
//! name is removed, whatever says that it is ours.

/// `.fathom-`, 16 hexadecimal digits and a number, to which each coordinator adds that of the host;
/// or `.fathom-doctor-` and 16 such digits.
pub(crate) fn is_test_file_name(name: &str) -> bool {
    let hex = |text: &str| text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let Some(rest) = name.strip_prefix(".fathom-") else { return false };
    match rest.strip_prefix("doctor-") {
        Some(digits) => hex(digits),
        None => rest
            .split_once('-')
            .is_some_and(|(digits, numbers)| hex(digits) && numbers.split('-').all(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_test_files_are_known_from_all_others() {
        for end in ["doctor-0123456789abcdef", "0123456789ABCDEF-12", "0123456789abcdef-0-3-17"] {
            assert!(is_test_file_name(&format!(".fathom-{end}")), "{end}");
        }
        let ends = ["", "1-0", "0123456789abcdef", "0123456789abcdef-0-", "doctor-1"];
        assert!(ends.iter().all(|end| !is_test_file_name(&format!(".fathom-{end}"))));
        assert!(!is_test_file_name("x"));
    }
}
