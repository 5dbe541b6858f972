//! The system's text of an error number.

/// The text of an error number as `strerror(3)` gives it; `Success` for 0.
pub fn error_name(errno: i32) -> String {
    if errno == 0 {
        return "Success".to_owned();
    }
    let text = std::io::Error::from_raw_os_error(errno).to_string();
    match text.rfind(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::error_name;

    #[test]
    fn names_without_the_number() {
        assert_eq!(error_name(0), "Success");
        assert_eq!(error_name(28), "No space left on device");
    }
}
