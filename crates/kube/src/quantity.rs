//! A size as Kubernetes writes it: `10Gi`, `500M`, `1.5Ti`, `1e9`.

/// Suffixes and their factors.
const SUFFIXES: [(&str, u64); 13] = [
    ("", 1),
    ("k", 1_000),
    ("M", 1_000_000),
    ("G", 1_000_000_000),
    ("T", 1_000_000_000_000),
    ("P", 1_000_000_000_000_000),
    ("E", 1_000_000_000_000_000_000),
    ("Ki", 1 << 10),
    ("Mi", 1 << 20),
    ("Gi", 1 << 30),
    ("Ti", 1 << 40),
    ("Pi", 1 << 50),
    ("Ei", 1 << 60),
];

/// The bytes of a size; none if a server would not take it for a volume.
pub fn quantity_bytes(text: &str) -> Option<u64> {
    let is_of_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let end = text.find(|letter| !is_of_number(letter)).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let number = number.parse::<f64>().ok()?;
    let power = suffix.strip_prefix(['e', 'E']).filter(|power| !power.is_empty());
    let factor = match power.and_then(|power| power.parse::<i32>().ok()) {
        Some(power) => 10_f64.powi(power),
        None => SUFFIXES.iter().find(|(known, _)| *known == suffix)?.1 as f64,
    };
    let bytes = (number * factor).ceil();
    (bytes >= 1.0 && bytes < i64::MAX as f64).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_a_server_reads_them() {
        let sizes = [
            ("10Gi", 10 << 30),
            ("500M", 500_000_000),
            ("1.5Ti", 3 << 39),
            ("1e9", 1_000_000_000),
            ("4096", 4096),
            ("1E", 1_000_000_000_000_000_000),
            ("64Mi", 64 << 20),
        ];
        for (text, bytes) in sizes {
            assert_eq!(quantity_bytes(text), Some(bytes), "{text}");
        }
        for text in ["", "Gi", "1Giga", "10 Gi", "-1Gi", "0", "1GB", "1g", "1.2.3Gi", "9Ei9", "8Ei"]
        {
            assert_eq!(quantity_bytes(text), None, "{text}");
        }
    }
}
