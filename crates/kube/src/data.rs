//! Data written to a volume in a pod, read back, and compared.
//!
//! A shell in the pod does it: it needs no agent, and works on any running pod. Data are read
//! without the node's cache if the image's `dd` supports it.

use crate::cluster::Cluster;
use crate::error::KubeError;
use std::fmt;

/// The staging file of data in a pod, whose hash is checked before it is written to the volume.
const STAGE: &str = "/fathom/data";
/// The block size for comparing data.
const BLOCK_BYTES: usize = 4096;
/// The block size for reading.
const READ_BYTES: usize = 64 << 10;

/// Data that differ from the written ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataDifference {
    /// How many blocks of 4 KiB differ, or are not there.
    pub blocks: usize,
    /// Of how many.
    pub of: usize,
    /// The offset of the first of them.
    pub first_byte: usize,
}

impl fmt::Display for DataDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DataDifference { blocks, of, first_byte } = self;
        write!(f, "{blocks} of {of} blocks of 4 KiB differ, the first at byte {first_byte}")
    }
}

/// This number of bytes, without equal blocks; different for another seed.
pub fn check_data(bytes: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let words = std::iter::repeat_with(|| {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)).to_le_bytes()
    });
    words.flatten().take(bytes).collect()
}

/// If `read` differs from `written`.
pub fn difference(written: &[u8], read: &[u8]) -> Option<DataDifference> {
    let blocks = written.chunks(BLOCK_BYTES).enumerate();
    let differs = |at: usize, block: &[u8]| {
        let begin = at * BLOCK_BYTES;
        read.get(begin..begin + block.len()) != Some(block)
    };
    let bad: Vec<usize> =
        blocks.filter(|(at, block)| differs(*at, block)).map(|(at, _)| at).collect();
    let first = bad.first()?;
    Some(DataDifference {
        blocks: bad.len(),
        of: written.len().div_ceil(BLOCK_BYTES),
        first_byte: first * BLOCK_BYTES,
    })
}

impl Cluster {
    /// Writes data to a file or device in a pod, and has them reach the volume.
    ///
    /// # Errors
    /// If the pod cannot be reached, or the volume takes no data.
    pub fn write_data(&self, pod: &str, path: &str, data: &[u8]) -> Result<(), KubeError> {
        self.copy(pod, STAGE, data)?;
        self.shell(pod, &format!("cat {STAGE} >{path} && sync"), &[]).map(|_| ())
    }

    /// Reads the first bytes of a file or device in a pod.
    ///
    /// # Errors
    /// If the pod cannot be reached, or the volume gives no data.
    pub fn read_data(&self, pod: &str, path: &str, bytes: usize) -> Result<Vec<u8>, KubeError> {
        let count = bytes.div_ceil(READ_BYTES);
        let script = format!(
            "flag=; dd if={path} of=/dev/null bs=64k count=1 iflag=direct 2>/dev/null && \
             flag=iflag=direct; dd if={path} bs=64k count={count} $flag 2>/fathom/dd || {{ \
             cat /fathom/dd >&2; exit 1; }}"
        );
        let command = ["/bin/sh", "-c", &script].map(str::to_owned);
        let output = self.exec(pod, &command, &[], count * READ_BYTES)?;
        match output.code {
            0 => Ok(output.stdout),
            code => Err(KubeError::Exec {
                pod: pod.to_owned(),
                command: format!("dd if={path}"),
                why: format!(
                    "exit code {code}: {}; see the storage driver's log on its node",
                    String::from_utf8_lossy(&output.stderr).trim()
                ),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_that_differ_are_found_and_counted() {
        let written = check_data(10 * BLOCK_BYTES + 1, 7);
        assert_eq!(difference(&written, &written), None);
        assert_ne!(check_data(8, 7), check_data(8, 8));
        let mut read = written.clone();
        read[3 * BLOCK_BYTES + 5] ^= 1;
        read[10 * BLOCK_BYTES] ^= 1;
        let found = difference(&written, &read).unwrap();
        assert_eq!((found.blocks, found.of, found.first_byte), (2, 11, 3 * BLOCK_BYTES));
        let short = difference(&written, &written[..BLOCK_BYTES]).unwrap();
        assert_eq!((short.blocks, short.first_byte), (10, BLOCK_BYTES));
        let mut longer = written.clone();
        longer.push(0);
        assert_eq!(difference(&written, &longer), None);
    }
}
