//! A run's content as bytes: its fingerprint, and its document compressed.
//!
//! On an import the fingerprint shows whether a run exists already. It is FNV-1a with 128 bits
//! (<http://www.isthe.com/chongo/tech/comp/fnv/>): stable over versions and machines, without a
//! dependency; it guards against accidents, not against attacks. Labels are left out, because they
//! change after the run.

use crate::error::StoreError;
use crate::run::{HistoryRun, LARGEST_DOCUMENT_BYTES};
use serde::Serialize;
use std::io::{self, Read, Write};

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// zstd's own default: a document of histograms shrinks to a tenth within milliseconds.
const LEVEL: i32 = 3;

struct Fnv(u128);

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// With its length before it, so that text moved from one field to the next is noticed.
    fn text(&mut self, text: &str) {
        self.bytes(&(text.len() as u64).to_le_bytes());
        self.bytes(text.as_bytes());
    }

    fn texts(&mut self, texts: &[String]) {
        self.bytes(&(texts.len() as u64).to_le_bytes());
        texts.iter().for_each(|text| self.text(text));
    }
}

/// The fingerprint of a run and its document: 32 hexadecimal digits.
pub(crate) fn fingerprint(run: &HistoryRun, headline: &str, document: &str) -> String {
    let mut hash = Fnv(OFFSET);
    hash.bytes(&run.started_ms.to_le_bytes());
    hash.bytes(&run.duration_ms.to_le_bytes());
    for text in [&run.kind, &run.host, &run.folder, &run.title, &run.fathom_version] {
        hash.text(text);
    }
    hash.texts(&run.command);
    hash.texts(&run.targets);
    for text in [headline, run.outcome.name(), document] {
        hash.text(text);
    }
    format!("{:032x}", hash.0)
}

/// A list as stored text.
pub(crate) fn json<T: Serialize>(list: &[T]) -> String {
    serde_json::to_string(list).expect("texts and numbers have a form in JSON")
}

/// The text for searches, in lower case; a line for each part, so that no match spans two.
pub(crate) fn searched(run: &HistoryRun) -> String {
    let parts = [&run.kind, &run.title, &run.host].into_iter();
    let parts = parts.chain(&run.command).chain(&run.targets).chain(&run.tags);
    let lines: Vec<&str> = parts.map(String::as_str).collect();
    lines.join("\n").to_lowercase()
}

/// A document as stored: one zstd frame with a checksum.
///
/// # Errors
/// If zstd has no memory.
pub(crate) fn compress(document: &str) -> Result<Vec<u8>, StoreError> {
    if document.len() as u64 > LARGEST_DOCUMENT_BYTES {
        return Err(StoreError::TooLarge { bytes: document.len() as u64 });
    }
    let io = |source| StoreError::Io { doing: "compress the document".to_owned(), source };
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL).map_err(io)?;
    encoder.include_checksum(true).map_err(io)?;
    encoder.write_all(document.as_bytes()).map_err(io)?;
    encoder.finish().map_err(io)
}

/// Why a frame contains no document.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub(crate) enum ContentError {
    /// It was damaged.
    #[error(transparent)]
    Damaged(#[from] io::Error),
    /// It is larger than a document may be.
    #[error("it has more than {} MiB", LARGEST_DOCUMENT_BYTES >> 20)]
    TooLarge,
}

/// The document of a frame.
///
/// # Errors
/// If the frame is damaged, or larger than a document may be.
pub(crate) fn decompress(frame: &[u8]) -> Result<String, ContentError> {
    let mut text = String::new();
    let decoder = zstd::Decoder::new(frame)?;
    // A small frame can contain gigabytes of one letter: the limit applies during decompression.
    let read = decoder.take(LARGEST_DOCUMENT_BYTES + 1).read_to_string(&mut text);
    match read? as u64 {
        bytes if bytes > LARGEST_DOCUMENT_BYTES => Err(ContentError::TooLarge),
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{HistoryFigure, HistoryOutcome, Key};

    #[test]
    fn the_hash_is_fnv_1a() {
        // From the table of test vectors on the page above.
        for (text, expected) in [
            ("", "6c62272e07bb014262b821756295c58d"),
            ("a", "d228cb696f1a8caf78912b704e4a8964"),
            ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
        ] {
            let mut hash = Fnv(OFFSET);
            hash.bytes(text.as_bytes());
            assert_eq!(format!("{:032x}", hash.0), expected, "{text}");
        }
    }

    #[test]
    fn every_field_but_the_labels_counts() {
        let run = HistoryRun { targets: vec!["ab".into(), "c".into()], ..HistoryRun::default() };
        let print = |run: &HistoryRun| fingerprint(run, &json(&run.headline), "{}");
        let others = [
            HistoryRun { kind: "x".into(), ..run.clone() },
            HistoryRun { started_ms: 1, ..run.clone() },
            HistoryRun { duration_ms: 1, ..run.clone() },
            HistoryRun { host: "x".into(), ..run.clone() },
            HistoryRun { folder: "x".into(), ..run.clone() },
            HistoryRun { command: vec!["x".into()], ..run.clone() },
            HistoryRun { title: "x".into(), ..run.clone() },
            HistoryRun { targets: vec!["a".into(), "bc".into()], ..run.clone() },
            HistoryRun {
                headline: vec![HistoryFigure { key: Key::Latency, ..HistoryFigure::default() }],
                ..run.clone()
            },
            HistoryRun { outcome: HistoryOutcome::Ran, ..run.clone() },
            HistoryRun { fathom_version: "x".into(), ..run.clone() },
        ];
        for other in others {
            assert_ne!(print(&other), print(&run), "{other:?}");
        }
        assert_ne!(fingerprint(&run, "[]", "{ }"), fingerprint(&run, "[]", "{}"));
        assert_eq!(print(&HistoryRun { tags: vec!["x".into()], ..run.clone() }), print(&run));
    }

    #[test]
    fn a_frame_that_unpacks_to_more_than_a_document_is_refused() {
        let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL).unwrap();
        let zeros = std::io::repeat(b'0').take(LARGEST_DOCUMENT_BYTES + 1);
        std::io::copy(&mut { zeros }, &mut encoder).unwrap();
        let frame = encoder.finish().unwrap();
        assert!(frame.len() < 100_000);
        assert_eq!(decompress(&frame).unwrap_err().to_string(), "it has more than 256 MiB");
    }

    #[test]
    fn a_damaged_frame_is_noticed() {
        let document = format!("{{\"values\":[{}]}}", "17,".repeat(5000));
        let mut frame = compress(&document).unwrap();
        assert!(frame.len() * 10 < document.len());
        assert_eq!(decompress(&frame).unwrap(), document);
        let last = frame.len() - 1;
        frame[last] ^= 1;
        assert!(decompress(&frame).is_err());
    }
}
