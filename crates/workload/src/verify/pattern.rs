//! The bytes of `verify_pattern`, over and over from the beginning of a block.

use fathom_job::VerifyPattern;

/// The pattern of the block at `offset`, once.
fn unit(pattern: &VerifyPattern, offset: u64) -> Vec<u8> {
    let mut unit = pattern.bytes.clone();
    for &at in &pattern.offsets_at {
        unit[at..at + 8].copy_from_slice(&offset.to_le_bytes());
    }
    unit
}

/// Fills the block at `offset`; nothing without a pattern.
pub(super) fn fill(pattern: &VerifyPattern, buf: &mut [u8], offset: u64) {
    if pattern.bytes.is_empty() {
        return;
    }
    let unit = unit(pattern, offset);
    for part in buf.chunks_mut(unit.len()) {
        part.copy_from_slice(&unit[..part.len()]);
    }
}

/// Where `bytes`, which begin at byte `phase` of the block at `offset`, first differ from it.
pub(super) fn first_difference(
    pattern: &VerifyPattern,
    bytes: &[u8],
    phase: usize,
    offset: u64,
) -> Option<usize> {
    let unit = unit(pattern, offset);
    let wanted = unit.iter().cycle().skip(phase % unit.len().max(1));
    bytes.iter().zip(wanted).position(|(found, wanted)| found != wanted)
}
