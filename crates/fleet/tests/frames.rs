//! Frames: what was written is read, and whatever arrives is a frame or an error in words.

use fathom_fleet::{
    FrameDecoder, FrameError, FrameReadError, FrameReader, Hello, PROTOCOL_VERSION, ReplyLimit,
    WireFrame, write_frame,
};
use proptest::prelude::*;
use std::io::Cursor;

fn hello() -> impl Strategy<Value = WireFrame> {
    (".{0,20}", "[0-9a-f]{0,64}", ".{0,8}", ".{0,8}", any::<u64>(), any::<u32>(), "[0-9a-f-]{0,36}")
        .prop_map(
            |(
                fathom_version,
                binary_sha256,
                architecture,
                system,
                patience_ms,
                clients,
                boot_id,
            )| {
                WireFrame::Hello(Hello {
                    fathom_version,
                    binary_sha256,
                    architecture,
                    system,
                    patience_ms,
                    clients,
                    boot_id,
                })
            },
        )
}

fn frame() -> impl Strategy<Value = WireFrame> {
    let body = || prop::collection::vec(any::<u8>(), 0..200);
    prop_oneof![
        hello(),
        any::<u64>().prop_map(|sent_ns| WireFrame::Ping { sent_ns }),
        any::<(u64, u64)>().prop_map(|(sent_ns, clock_ns)| WireFrame::Pong { sent_ns, clock_ns }),
        (any::<(u32, bool)>(), body()).prop_map(|((id, together), body)| WireFrame::Call {
            id,
            together,
            body
        }),
        any::<u32>().prop_map(|id| WireFrame::Ready { id }),
        any::<(u32, u64)>().prop_map(|(id, at_ns)| WireFrame::Start { id, at_ns }),
        (any::<u32>(), body()).prop_map(|(id, body)| WireFrame::Event { id, body }),
        (any::<u32>(), any::<(u64, u64)>(), body())
            .prop_map(|(id, span_ns, body)| WireFrame::Reply { id, span_ns, body }),
        Just(WireFrame::Stop),
        Just(WireFrame::Bye),
    ]
}

fn written(frames: &[WireFrame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    frames.iter().for_each(|frame| write_frame(&mut bytes, frame).unwrap());
    bytes
}

/// What `bytes` are read as, until the end or an error.
fn read(bytes: &[u8]) -> (Vec<WireFrame>, Option<String>) {
    let (mut reader, mut frames) = (FrameReader::new(Cursor::new(bytes)), Vec::new());
    loop {
        match reader.read() {
            Ok(Some(frame)) => frames.push(frame),
            Ok(None) => return (frames, None),
            Err(why) => return (frames, Some(why.to_string())),
        }
    }
}

proptest! {
    #[test]
    fn what_was_written_is_read(frames in prop::collection::vec(frame(), 0..8)) {
        prop_assert_eq!(read(&written(&frames)), (frames, None));
    }

    #[test]
    fn it_does_not_matter_how_bytes_arrive(
        frames in prop::collection::vec(frame(), 1..5), chunk in 1usize..9,
    ) {
        let (mut decoder, mut got) = (FrameDecoder::default(), Vec::new());
        for part in written(&frames).chunks(chunk) {
            decoder.push(part);
            while let Some(frame) = decoder.next_frame().unwrap() {
                got.push(frame);
            }
        }
        prop_assert_eq!(got, frames);
        prop_assert_eq!(decoder.finish(), Ok(()));
    }

    #[test]
    fn any_bytes_are_frames_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (frames, why) = read(&bytes);
        prop_assert!(bytes.is_empty() || why.is_some() || !frames.is_empty());
    }

    #[test]
    fn a_damaged_byte_never_panics_and_whole_frames_before_it_are_read(
        frames in prop::collection::vec(frame(), 2..5), place in any::<prop::sample::Index>(),
        flip in 1u8..,
    ) {
        let mut bytes = written(&frames);
        let first = written(&frames[..1]).len();
        let place = first + place.index(bytes.len() - first);
        bytes[place] ^= flip;
        prop_assert_eq!(&read(&bytes).0[0], &frames[0]);
    }

    #[test]
    fn a_frame_that_is_cut_off_is_an_error(frame in frame(), place in any::<prop::sample::Index>()) {
        let bytes = written(&[frame]);
        let cut = 1 + place.index(bytes.len() - 1);
        let (frames, why) = read(&bytes[..cut]);
        prop_assert!(frames.is_empty());
        let why = why.unwrap();
        prop_assert!(why.contains("cut off") && why.contains(&cut.to_string()), "{}", why);
    }
}

fn header(kind: u8, length: u32) -> Vec<u8> {
    let mut bytes = vec![0xfa, 0x7b, PROTOCOL_VERSION, kind];
    bytes.extend(length.to_le_bytes());
    bytes
}

#[test]
fn a_hostile_length_is_refused_from_the_header_alone() {
    for (kind, word) in [(1, "greeting"), (4, "call"), (5, "event"), (6, "reply"), (2, "ping")] {
        let (frames, why) = read(&header(kind, u32::MAX));
        let why = why.unwrap();
        assert!(frames.is_empty() && why.contains(word) && why.contains("4294967295"), "{why}");
    }
    // One that is allowed takes memory as bytes come, not as it says.
    let mut decoder = FrameDecoder::default();
    decoder.push(&header(6, 500 << 20));
    assert_eq!(decoder.next_frame(), Ok(None));
    assert_eq!(decoder.finish(), Err(FrameError::CutOff(8)));
}

#[test]
fn a_reply_is_no_longer_than_its_call_allows() {
    let limit = ReplyLimit::none();
    let refused = |length: u32| {
        let mut decoder = FrameDecoder::default().with_reply_limit(limit.clone());
        // Refused by its announcement, before it takes memory.
        decoder.push(&header(6, length));
        decoder.next_frame().err().map(|why| why.to_string())
    };
    assert!(refused(20).is_some(), "nothing was called");
    limit.set(4 << 20);
    assert_eq!(refused(4 << 20), None);
    let why = refused((4 << 20) + 1).expect("it is too long");
    assert_eq!(why, "it announced a reply of 4194305 bytes; 4194304 is the most");
    limit.set(u32::MAX);
    assert!(refused(u32::MAX).is_some(), "no reply is longer than the longest");
}

#[test]
fn each_thing_that_can_be_wrong_is_named() {
    let wrong = |bytes: &[u8]| read(bytes).1.unwrap();
    assert!(wrong(&header(77, 0)).contains("kind 77"));
    assert!(wrong(&[0xfa, 0x7b, 9, 1]).contains("version 9"));
    let short = [header(3, 8), vec![0; 8]].concat();
    assert!(wrong(&short).contains("pong that cannot be read: it is too short"));
    let nan = [header(1, 19), b"{\"patience_ms\":NaN}".to_vec()].concat();
    assert!(wrong(&nan).contains("greeting that cannot be read"));
    let shell = wrong(b"Welcome to host1\x1b[31m!\nLast login");
    assert!(shell.contains("'Welcome to host1") && !shell.contains('\x1b'), "{shell}");
    assert!(!shell.contains("Last login"), "{shell}");
}

#[test]
fn what_is_too_long_is_not_written() {
    let body = vec![0; 5 << 20];
    let why = WireFrame::Event { id: 1, body }.to_bytes().unwrap_err();
    assert!(why.to_string().contains("event of 5242884 bytes"), "{why}");
}

#[test]
fn nothing_comes_after_an_error() {
    let mut reader = FrameReader::new(Cursor::new([header(77, 0), header(7, 0)].concat()));
    for _ in 0..2 {
        assert!(matches!(reader.read(), Err(FrameReadError::Frame(FrameError::Kind(77)))));
    }
}
