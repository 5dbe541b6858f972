//! `bssplit`: block sizes with shares, such as `4k/60:64k/40`, for each direction.

use crate::error::ValueProblem;
use crate::quantity::{Units, parse_size};
use crate::spec::BlockSize;
use fathom_text::text;
use fathom_vocab::PerDirection;

/// Entries of one direction; fio's limit, and a bound on hostile input.
const MOST: usize = 64;

/// Block sizes for each direction; `None` leaves it as it was.
pub(crate) fn bssplit(
    text: &str,
    units: Units,
) -> Result<PerDirection<Option<BlockSize>>, ValueProblem> {
    super::triple(text, |part| one_direction(part, units))
}

fn one_direction(text: &str, units: Units) -> Result<BlockSize, ValueProblem> {
    let mut parts: Vec<(u64, Option<u8>)> = Vec::new();
    for entry in text.split(':').filter(|entry| !entry.trim().is_empty()).take(MOST + 1) {
        let (size, share) = entry.split_once('/').unwrap_or((entry, ""));
        let size = parse_size(size, units)?;
        if size == 0 {
            return Err(
                ValueProblem::new("a block size of 0").hinted("Block sizes begin at 1 byte.")
            );
        }
        parts.push((size, percent(share)?));
    }
    if parts.len() > MOST {
        return Err(ValueProblem::new(text!("more than {MOST} sizes")));
    }
    share_out(&parts)
}

/// A whole percentage; `None` if left out.
pub(crate) fn percent(text: &str) -> Result<Option<u8>, ValueProblem> {
    let text = text.trim().trim_end_matches('%');
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse::<u8>() {
        Ok(percent) if percent <= 100 => Ok(Some(percent)),
        _ => Err(ValueProblem::new(text!("'{text}' is no whole percentage from 0 to 100"))),
    }
}

/// Sizes without a share get equal parts of the remainder; a rest of the division goes to the last
/// of them.
fn share_out(parts: &[(u64, Option<u8>)]) -> Result<BlockSize, ValueProblem> {
    let given: u32 = parts.iter().filter_map(|(_, share)| share.map(u32::from)).sum();
    let Some(left) = 100u32.checked_sub(given) else {
        return Err(ValueProblem::new(text!("the percentages add up to {given}, more than 100"))
            .hinted("Make them add up to 100, or leave some out to share the rest."));
    };
    let open = parts.iter().filter(|(_, share)| share.is_none()).count() as u32;
    let each = left.checked_div(open).unwrap_or(0);
    let mut split: Vec<(u64, u8)> =
        parts.iter().map(|(size, share)| (*size, share.unwrap_or(each as u8))).collect();
    let over = left - each * open;
    let last_open = parts.iter().rposition(|(_, share)| share.is_none());
    if let Some(last) = last_open.or(parts.len().checked_sub(1)) {
        split[last].1 += over as u8;
    }
    match split.as_slice() {
        [] => Err(ValueProblem::new("the list is empty")),
        [(size, _)] => Ok(BlockSize::Fixed(*size)),
        _ => Ok(BlockSize::Split(split)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reads(text: &str) -> Option<BlockSize> {
        bssplit(text, Units::default()).ok().and_then(|split| split.read)
    }

    #[test]
    fn shares_are_divided() {
        let split = |parts: &[(u64, u8)]| Some(BlockSize::Split(parts.to_vec()));
        assert_eq!(reads("4k/50:8k/50"), split(&[(4096, 50), (8192, 50)]));
        assert_eq!(reads("4k/:8k/"), split(&[(4096, 50), (8192, 50)]));
        assert_eq!(reads("4k:8k:16k"), split(&[(4096, 33), (8192, 33), (16384, 34)]));
        assert_eq!(reads("4k/60:8k/"), split(&[(4096, 60), (8192, 40)]));
        assert_eq!(reads("4k/90:8k/5"), split(&[(4096, 90), (8192, 10)]));
        assert_eq!(reads("4k/100"), Some(BlockSize::Fixed(4096)));
        for text in ["4k/60:8k/50", "0/100", "4k/101", "4k/x", "", ":", "4k/10/8k/90"] {
            assert_eq!(reads(text), None, "{text}");
        }
    }

    #[test]
    fn directions_are_separated_by_commas() {
        let split = bssplit("4k/50:2k/50,8k/10:1k/90", Units::default()).unwrap();
        assert_eq!(split.write, split.trim);
        assert_ne!(split.read, split.write);
    }

    proptest! {
        #[test]
        fn shares_add_up_to_100(shares in prop::collection::vec(prop::option::of(0u8..60), 2..8)) {
            let text: Vec<String> = shares
                .iter()
                .map(|share| format!("4k/{}", share.map_or(String::new(), |s| s.to_string())))
                .collect();
            if let Some(BlockSize::Split(parts)) = reads(&text.join(":")) {
                prop_assert_eq!(parts.iter().map(|p| u32::from(p.1)).sum::<u32>(), 100);
            }
        }
    }
}
