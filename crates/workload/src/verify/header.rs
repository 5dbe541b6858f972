//! The header of a verified block, byte for byte that of fio 3.33 (seen in files that it wrote).
//!
//! All numbers are little-endian. The header's own CRC-32C covers what is before it; the sum over
//! the data follows the header.

/// The first two bytes of a header.
pub(crate) const MAGIC: u16 = 0xacca;

/// Bytes of a header.
pub(crate) const HEADER_BYTES: usize = 40;

/// Where a header's own sum begins.
const SUM_AT: usize = 36;

/// The header of one block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    /// The number of the method, see `sums`.
    pub(crate) method: u16,
    /// How many bytes the header stands for, with itself.
    pub(crate) len: u32,
    /// The seed of the content; ours marks the write.
    pub(crate) seed: u64,
    /// Where in the file the block belongs.
    pub(crate) offset: u64,
    /// When it was written.
    pub(crate) time_ns: u64,
    /// The number of the job.
    pub(crate) thread: u16,
    /// The number of the write in its job, modulo 65,536.
    pub(crate) number: u16,
}

/// What is wrong with a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadHeader {
    /// It does not begin with the magic number.
    Magic(u16),
    /// Its sum is wrong.
    Sum,
}

impl Header {
    /// Writes it at the beginning of `to`.
    pub(crate) fn write(&self, to: &mut [u8]) {
        let (seconds, nanos) = (self.time_ns / 1_000_000_000, self.time_ns % 1_000_000_000);
        to[0..2].copy_from_slice(&MAGIC.to_le_bytes());
        to[2..4].copy_from_slice(&self.method.to_le_bytes());
        to[4..8].copy_from_slice(&self.len.to_le_bytes());
        to[8..16].copy_from_slice(&self.seed.to_le_bytes());
        to[16..24].copy_from_slice(&self.offset.to_le_bytes());
        to[24..28].copy_from_slice(&(seconds as u32).to_le_bytes());
        to[28..32].copy_from_slice(&(nanos as u32).to_le_bytes());
        to[32..34].copy_from_slice(&self.thread.to_le_bytes());
        to[34..36].copy_from_slice(&self.number.to_le_bytes());
        let sum = own_sum(to);
        to[SUM_AT..HEADER_BYTES].copy_from_slice(&sum.to_le_bytes());
    }

    /// Reads the header at the beginning of `from`.
    pub(crate) fn read(from: &[u8]) -> Result<Header, BadHeader> {
        let u16_at = |at: usize| u16::from_le_bytes([from[at], from[at + 1]]);
        let u32_at = |at: usize| u32::from(u16_at(at)) | u32::from(u16_at(at + 2)) << 16;
        let u64_at = |at: usize| u64::from(u32_at(at)) | u64::from(u32_at(at + 4)) << 32;
        if u16_at(0) != MAGIC {
            return Err(BadHeader::Magic(u16_at(0)));
        }
        if u32_at(SUM_AT) != own_sum(from) {
            return Err(BadHeader::Sum);
        }
        Ok(Header {
            method: u16_at(2),
            len: u32_at(4),
            seed: u64_at(8),
            offset: u64_at(16),
            time_ns: u64::from(u32_at(24)) * 1_000_000_000 + u64::from(u32_at(28)),
            thread: u16_at(32),
            number: u16_at(34),
        })
    }
}

/// The sum of a header's bytes.
fn own_sum(header: &[u8]) -> u32 {
    super::sums::crc32c(&header[..SUM_AT])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by fio 3.33: `--verify=crc32c --bs=1k`, the first block.
    const OF_FIO: [u8; 40] = [
        0xca, 0xac, 0x05, 0x00, 0x00, 0x04, 0x00, 0x00, 0x3c, 0x54, 0x09, 0xc5, 0x01, 0xcc, 0xa4,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x82, 0x10,
        0xf5, 0x0c, 0x01, 0x00, 0x00, 0x00, 0xc2, 0xcf, 0x24, 0x5b,
    ];

    #[test]
    fn headers_are_those_of_fio() {
        let header = Header::read(&OF_FIO).unwrap();
        let expected = Header {
            method: 5,
            len: 1024,
            seed: 0x00a4_cc01_c509_543c,
            offset: 0,
            time_ns: 0x0cf5_1082,
            thread: 1,
            number: 0,
        };
        assert_eq!(header, expected);
        let mut written = [0xff; HEADER_BYTES];
        header.write(&mut written);
        assert_eq!(written, OF_FIO);
    }

    #[test]
    fn any_flipped_bit_is_found() {
        for bit in 0..HEADER_BYTES * 8 {
            let mut header = OF_FIO;
            header[bit / 8] ^= 1 << (bit % 8);
            let found = Header::read(&header).unwrap_err();
            assert_eq!(matches!(found, BadHeader::Magic(_)), bit < 16, "{bit}");
        }
    }
}
