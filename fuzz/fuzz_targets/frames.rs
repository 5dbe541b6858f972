//! Any bytes as frames from an agent: no panic, bounded memory, and what is read writes and reads
//! back.
#![no_main]

use fathom_fleet::{FrameDecoder, FrameReader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = FrameReader::new(bytes);
    loop {
        match reader.read() {
            Err(error) => return assert!(error.to_string().lines().count() == 1),
            Ok(None) => return,
            Ok(Some(frame)) => {
                let mut again = FrameDecoder::default();
                again.push(&frame.to_bytes().expect("what was read is not too long"));
                assert_eq!(again.next_frame(), Ok(Some(frame)));
            }
        }
    }
});
