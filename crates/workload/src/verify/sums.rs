//! The sums of fio's verification, as fio 3.33 stores them (found by computing them over the blocks
//! that it wrote).
//!
//! Three are not what their names say, and Fathom writes and expects the same, because each must
//! read what the other wrote:
//! - `crc32` is the CRC of POSIX `cksum` without the length and the complement;
//! - `sha256` pads with the length in little-endian, and stores the low byte of each of the eight
//!   words of the digest, then the rest of the last padded block: 64 bytes;
//! - `sha512` stores no sum but 128 bytes of input: the first block of 128 bytes, and over its
//!   beginning what follows the last whole block. Errors elsewhere cannot be found by it.

use crc::{Algorithm, CRC_7_MMC, CRC_16_ARC, CRC_64_REDIS, Crc};
use fathom_job::VerifyMethod;
use sha2::Digest;

const CRC7: Crc<u8> = Crc::<u8>::new(&CRC_7_MMC);
const CRC16: Crc<u16> = Crc::<u16>::new(&CRC_16_ARC);
const CRC64: Crc<u64> = Crc::<u64>::new(&CRC_64_REDIS);
const CRC32: Crc<u32> = Crc::<u32>::new(&Algorithm {
    width: 32,
    poly: 0x04c1_1db7,
    init: 0,
    refin: false,
    refout: false,
    xorout: 0,
    check: 0x89a1_897f,
    residue: 0,
});

/// The seed of fio's xxHash.
const XXHASH_SEED: u32 = 1;

/// The longest sum.
pub(crate) const SUM_MAX: usize = 128;

/// The number of a method in a header.
pub(crate) fn number_of(method: VerifyMethod) -> u16 {
    match method {
        VerifyMethod::Meta => 1,
        VerifyMethod::Md5 => 2,
        VerifyMethod::Crc64 => 3,
        VerifyMethod::Crc32 => 4,
        VerifyMethod::Crc32c => 5,
        VerifyMethod::Crc16 => 7,
        VerifyMethod::Crc7 => 8,
        VerifyMethod::Sha256 => 9,
        VerifyMethod::Sha512 => 10,
        VerifyMethod::Sha3_224 => 11,
        VerifyMethod::Sha3_256 => 12,
        VerifyMethod::Sha3_384 => 13,
        VerifyMethod::Sha3_512 => 14,
        VerifyMethod::Xxhash => 15,
        VerifyMethod::Sha1 => 16,
        VerifyMethod::PatternHeader => 17,
        VerifyMethod::Pattern => 18,
        VerifyMethod::Null => 19,
    }
}

/// Writes the sum of `data` to `sum`, which has the bytes of the method.
pub(crate) fn write(method: VerifyMethod, data: &[u8], sum: &mut [u8]) {
    match method {
        VerifyMethod::Crc7 => sum[0] = CRC7.checksum(data),
        VerifyMethod::Crc16 => sum.copy_from_slice(&CRC16.checksum(data).to_le_bytes()),
        VerifyMethod::Crc32 => sum.copy_from_slice(&CRC32.checksum(data).to_le_bytes()),
        VerifyMethod::Crc32c => sum.copy_from_slice(&crc32c(data).to_le_bytes()),
        VerifyMethod::Crc64 => sum.copy_from_slice(&CRC64.checksum(data).to_le_bytes()),
        VerifyMethod::Xxhash => {
            let hash = twox_hash::XxHash32::oneshot(XXHASH_SEED, data);
            sum.copy_from_slice(&hash.to_le_bytes());
        }
        VerifyMethod::Md5 => sum.copy_from_slice(&md5::Md5::digest(data)),
        VerifyMethod::Sha1 => sha1(data, sum),
        VerifyMethod::Sha256 => sha256(data, sum),
        VerifyMethod::Sha512 => sha512(data, sum),
        VerifyMethod::Sha3_224 => sum.copy_from_slice(&sha3::Sha3_224::digest(data)),
        VerifyMethod::Sha3_256 => sum.copy_from_slice(&sha3::Sha3_256::digest(data)),
        VerifyMethod::Sha3_384 => sum.copy_from_slice(&sha3::Sha3_384::digest(data)),
        VerifyMethod::Sha3_512 => sum.copy_from_slice(&sha3::Sha3_512::digest(data)),
        VerifyMethod::Meta
        | VerifyMethod::Pattern
        | VerifyMethod::PatternHeader
        | VerifyMethod::Null => {}
    }
}

/// CRC-32C without the final complement.
pub(crate) fn crc32c(data: &[u8]) -> u32 {
    !crc32c::crc32c(data)
}

/// SHA-1 as five little-endian words.
fn sha1(data: &[u8], sum: &mut [u8]) {
    let digest = sha1::Sha1::digest(data);
    for (word, to) in digest.chunks_exact(4).zip(sum.chunks_exact_mut(4)) {
        to.copy_from_slice(&[word[3], word[2], word[1], word[0]]);
    }
}

fn sha256(data: &[u8], sum: &mut [u8]) {
    const BLOCK: usize = 64;
    let mut state: [u32; 8] = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    let (blocks, rest) = data.as_chunks::<BLOCK>();
    sha2::block_api::compress256(&mut state, blocks);
    let mut last = [[0; BLOCK]; 2];
    let padded = last.as_flattened_mut();
    padded[..rest.len()].copy_from_slice(rest);
    padded[rest.len()] = 0x80;
    let used = if rest.len() < BLOCK - 8 { 1 } else { 2 };
    let bits = data.len() as u64 * 8;
    padded[used * BLOCK - 8..used * BLOCK].copy_from_slice(&bits.to_le_bytes());
    sha2::block_api::compress256(&mut state, &last[..used]);
    sum.copy_from_slice(&last[used - 1]);
    for (to, word) in sum.iter_mut().zip(state) {
        *to = word as u8;
    }
}

fn sha512(data: &[u8], sum: &mut [u8]) {
    let (blocks, rest) = data.as_chunks::<SUM_MAX>();
    sum.copy_from_slice(blocks.first().unwrap_or(&[0; SUM_MAX]));
    sum[..rest.len()].copy_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums that fio 3.33 stored for a block of so many bytes whose data is a pattern
    /// (`verify_pattern=0x010203`).
    const OF_FIO: &[(VerifyMethod, usize, &str)] = &[
        (VerifyMethod::Md5, 200, "89cf94a03b0c10bcd8fd3631efadaa7a"),
        (VerifyMethod::Crc64, 200, "c2eae31d257b0f16"),
        (VerifyMethod::Crc32, 200, "613b682c"),
        (VerifyMethod::Crc32c, 200, "aa764701"),
        (VerifyMethod::Crc16, 200, "a374"),
        (VerifyMethod::Crc7, 200, "0f"),
        (
            VerifyMethod::Sha256,
            200,
            "eda33b3a103e20b2030102030102030102030102030102030102030102030102\
             8000000000000000000000000000000000000000000000000003000000000000",
        ),
        (
            VerifyMethod::Sha512,
            474,
            "0203010203010203010203010203010203010203010203010203010203010203\
             0102030102030102030102030102030102030301020301020301020301020301\
             0203010203010203010203010203010203010203010203010203010203010203\
             0102030102030102030102030102030102030102030102030102030102030102",
        ),
        (VerifyMethod::Xxhash, 200, "19687b44"),
        (VerifyMethod::Sha1, 200, "c4bb2301df8e81a134a2e22a74e3d62e686d5366"),
        (VerifyMethod::Sha3_224, 200, "992dec2d5093a738b906652d95a8eb1fbc50fe2ac263014e49b075e5"),
        (
            VerifyMethod::Sha3_256,
            200,
            "645b2a855dc4927a8c9344ff1bc881d6701a01534f629166236d2d35e3600055",
        ),
        (
            VerifyMethod::Sha3_384,
            200,
            "5b1da7d2d8ce4425cd05c193dc6fdef429fad7c4a4b9af113c6096c483593a8c\
             2d0b0a5f81022a02a5d24dbe3b6b698a",
        ),
        (
            VerifyMethod::Sha3_512,
            200,
            "7f048d2847278df0ec38009a4828225fbbde7f2e5c7e6e534208ba0a6fb1879d\
             5533e8c4d7855221f0f04df49f4532f53ab816058e50fffb01fc40ddb7753946",
        ),
    ];

    #[test]
    fn sums_are_those_of_fio() {
        for (method, block, expected) in OF_FIO {
            let (at, mut sum) = (method.header_bytes() as usize, [0; SUM_MAX]);
            let data: Vec<u8> = (at..*block).map(|at| (at % 3) as u8 + 1).collect();
            let sum = &mut sum[..method.sum_bytes()];
            write(*method, &data, sum);
            let found: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found, *expected, "{method:?}");
        }
    }
}
