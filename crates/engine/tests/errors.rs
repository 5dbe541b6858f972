//! An I/O that fails ends as the completion of its slot, with the kernel's number.

use crate::linux::{LoopDevice, SmallTmpfs, open_rw};
use crate::parts::{disk_folder, moving, request, results};
use fathom_engine::EngineConfig;
use fathom_skip::skip;
use fathom_vocab::{IoEngine, Op};
use std::fs::OpenOptions;

#[test]
fn a_full_file_system_gives_enospc() {
    let tmpfs = match SmallTmpfs::new(256 << 10) {
        Ok(tmpfs) => tmpfs,
        Err(reason) => return skip(&reason),
    };
    for engine in moving() {
        let path = tmpfs.path().join("data");
        let file = open_rw(&path);
        file.set_len(1 << 20).expect("a hole of any size fits");
        let requests: Vec<_> = (0..256).map(|n| request(Op::Write, n * 4096, 4096)).collect();
        let done = results(EngineConfig::new(engine, 8, 4096, vec![file]), &requests, 1);
        // A mapping cannot say why a page is not to be had.
        let full = if engine == IoEngine::Mmap { -libc::EIO } else { -libc::ENOSPC };
        let count = |wanted: i32| done.iter().filter(|&&result| result == wanted).count();
        assert_eq!((count(4096), count(full)), (64, 192), "{}: {done:?}", engine.name());
        std::fs::remove_file(&path).expect("removes");
    }
}

#[test]
fn a_device_that_fails_gives_eio() {
    let device = match LoopDevice::new(1 << 20) {
        Ok(device) => device,
        Err(reason) => return skip(&reason),
    };
    open_rw(&device.backing).set_len(64 << 10).expect("truncates");
    for engine in moving() {
        // Opened anew each time: the page cache of the device goes with its last opener.
        let file = OpenOptions::new().read(true).write(true).open(&device.path).expect("opens");
        let requests = [request(Op::Read, 0, 4096), request(Op::Read, 512 << 10, 4096)];
        let done = results(EngineConfig::new(engine, 2, 4096, vec![file]), &requests, 0);
        assert_eq!(done, [4096, -libc::EIO], "{}", engine.name());
    }
}

#[test]
fn a_mapped_file_that_shrinks_gives_eio_and_may_grow_again() {
    let folder = disk_folder();
    let path = folder.path().join("data");
    let file = open_rw(&path);
    file.set_len(1 << 16).expect("sets");
    let config = EngineConfig::new(IoEngine::Mmap, 1, 16_384, vec![open_rw(&path)]);
    crate::parts::run(config, |engine, _| {
        let mut once = |op: Op, len: u32| {
            let mut seen = Vec::new();
            let requests = [request(op, 32_768, len)];
            let mut after = |_: usize, result: i32, _: &mut [u8]| seen.push(result);
            engine.drive(1, &requests, &mut |_, buffer| buffer.fill(3), &mut after);
            seen
        };
        assert_eq!(once(Op::Write, 16_384), [16_384]);
        file.set_len(4096).expect("shrinks");
        for _ in 0..2 {
            assert_eq!(once(Op::Read, 16_384), [-libc::EIO]);
            assert_eq!(once(Op::Write, 4096), [-libc::EIO]);
        }
        file.set_len(1 << 16).expect("grows");
        assert_eq!(once(Op::Write, 16_384), [16_384]);
        assert_eq!(once(Op::Fsync, 0), [0]);
    });
    let bytes = std::fs::read(&path).expect("reads");
    assert!(bytes[32_768..49_152].iter().all(|&byte| byte == 3));
}
