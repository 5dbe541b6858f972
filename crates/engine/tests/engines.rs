//! Every engine moves bytes to the right place and back, and completes each I/O exactly once.

use crate::parts::{Drive, disk_folder, failure, here, moving, open_for, request, results, run};
use fathom_engine::{EngineConfig, OpenHow, Request, direct_alignment, open, opens_later};
use fathom_vocab::{EngineOptions, IoEngine, Op};

const BLOCK: usize = 4096;
const BLOCKS: u64 = 512;
/// Coprime to the number of blocks, so that its multiples visit each block once.
const STEP: u64 = 157;

/// The byte at a place of a file: differs between neighbours, blocks and files.
fn byte_at(file: u32, place: u64) -> u8 {
    (place ^ (place >> 8) ^ (place >> 16)).wrapping_mul(31).wrapping_add(file.into()) as u8
}

fn permuted(op: Op, files: u32) -> Vec<Request> {
    (0..BLOCKS * u64::from(files))
        .map(|index| Request {
            op,
            file: (index % u64::from(files)) as u32,
            offset: (index / u64::from(files) * STEP % BLOCKS) * BLOCK as u64,
            len: BLOCK as u32,
            at: 0,
            slot: 0,
        })
        .collect()
}

/// Writes two files in permuted order and reads them back in the same, by one engine.
fn write_and_read_back(
    engine: IoEngine,
    depth: u32,
    direct: bool,
    options: EngineOptions,
) -> Vec<String> {
    let folder = disk_folder();
    let paths: Vec<_> = (0..2).map(|n| folder.path().join(format!("data.{n}"))).collect();
    let overlapped = !engine.is_sync();
    let how =
        OpenHow { read: true, write: true, create: true, direct, overlapped, ..OpenHow::default() };
    let files = paths.iter().map(|path| open(path, &how).expect("opens"));
    let files = files.inspect(|file| file.set_len(BLOCKS << 12).expect("sets"));
    let config = EngineConfig {
        direct,
        options,
        ..EngineConfig::new(engine, depth, BLOCK, files.collect())
    };
    let notes = run(config, |engine, notes| {
        let writes = permuted(Op::Write, 2);
        let mut before = |index: usize, buffer: &mut [u8]| {
            let request: &Request = &writes[index];
            for (place, byte) in (request.offset..).zip(buffer) {
                *byte = byte_at(request.file, place);
            }
        };
        engine.drive(depth, &writes, &mut before, &mut |index, result, _| {
            assert_eq!(result, BLOCK as i32, "write {index}");
        });
        let reads = permuted(Op::Read, 2);
        let mut seen = 0;
        let mut after = |index: usize, result: i32, buffer: &mut [u8]| {
            let request: &Request = &reads[index];
            assert_eq!(result, BLOCK as i32, "read {index}");
            let expected = (request.offset..).map(|place| byte_at(request.file, place));
            assert!(buffer.iter().copied().zip(expected).all(|(a, b)| a == b), "read {index}");
            seen += 1;
        };
        engine.drive(depth, &reads, &mut |_, buffer| buffer.fill(0), &mut after);
        assert_eq!(seen, reads.len());
        notes
    });
    for (file, path) in (0u32..).zip(&paths) {
        let bytes = std::fs::read(path).expect("reads");
        assert_eq!(bytes.len() as u64, BLOCKS << 12);
        assert!((0u64..).zip(&bytes).all(|(place, &byte)| byte == byte_at(file, place)));
    }
    notes
}

#[test]
fn bytes_arrive_where_they_were_sent() {
    for engine in moving() {
        for depth in [1, 32] {
            println!("{} at depth {depth}", engine.name());
            write_and_read_back(engine, depth, false, EngineOptions::default());
        }
    }
}

#[test]
fn bytes_arrive_directly_too() {
    for engine in moving() {
        println!("{}", engine.name());
        let notes = write_and_read_back(engine, 32, true, EngineOptions::default());
        assert_eq!(notes.len(), usize::from(engine == IoEngine::Mmap), "{notes:?}");
    }
}

#[test]
fn options_of_io_uring_change_the_way_and_not_the_bytes() {
    let blank = EngineOptions::default();
    let variants = [
        EngineOptions { sqthread_poll: true, ..blank },
        EngineOptions { sqthread_poll: true, sqthread_poll_cpu: Some(0), ..blank },
        EngineOptions { force_async: 1, ..blank },
        EngineOptions { force_async: 3, ..blank },
        EngineOptions { fixedbufs: true, registerfiles: true, nonvectored: true, ..blank },
    ];
    for options in variants.into_iter().filter(|_| IoEngine::IoUring.is_here()) {
        println!("{options:?}");
        let notes = write_and_read_back(IoEngine::IoUring, 16, true, options);
        assert!(notes.is_empty(), "{notes:?}");
    }
}

#[test]
fn flushes_complete_in_every_engine() {
    for engine in moving() {
        let folder = disk_folder();
        let path = folder.path().join("data");
        open_for(engine, &path).set_len(1 << 16).expect("sets");
        let requests = [
            request(Op::Write, 0, 4096),
            request(Op::Fsync, 0, 0),
            request(Op::Write, 4096, 4096),
            request(Op::Fdatasync, 0, 0),
        ];
        for depth in [1, 4] {
            let config = EngineConfig::new(engine, depth, BLOCK, vec![open_for(engine, &path)]);
            assert_eq!(results(config, &requests, 7), [4096, 0, 4096, 0], "{}", engine.name());
        }
    }
}

#[test]
fn reads_end_short_where_the_file_ends() {
    for engine in moving() {
        let folder = disk_folder();
        let file = open_for(engine, &folder.path().join("data"));
        file.set_len(10_000).expect("sets");
        let requests = [
            request(Op::Read, 8192, 4096),
            request(Op::Read, 10_000, 4096),
            request(Op::Read, 1 << 40, 4096),
            request(Op::Read, 0, 512),
        ];
        let config = EngineConfig::new(engine, 2, BLOCK, vec![file]);
        assert_eq!(results(config, &requests, 0), [1808, 0, 0, 512], "{}", engine.name());
    }
}

#[test]
fn a_trim_of_a_file_is_refused_and_its_data_stays() {
    let refusal = failure(if cfg!(windows) { "EOPNOTSUPP" } else { "ENOTTY" });
    for engine in moving() {
        let folder = disk_folder();
        let path = folder.path().join("data");
        let file = open_for(engine, &path);
        std::fs::write(&path, vec![9u8; 4 * BLOCK]).expect("writes");
        let config = EngineConfig::new(engine, 4, BLOCK, vec![file]);
        let trims = [request(Op::Trim, 4096, 4096), request(Op::Trim, 12_288, 4096)];
        assert_eq!(results(config, &trims, 0), [refusal; 2], "{}", engine.name());
        let bytes = std::fs::read(&path).expect("reads");
        assert!(bytes == [9; 4 * BLOCK], "{}", engine.name());
    }
}

#[test]
fn files_are_opened_and_closed_while_an_engine_works() {
    for engine in moving().filter(|engine| opens_later(*engine)) {
        let folder = disk_folder();
        let file = |name: &str| {
            let file = open_for(engine, &folder.path().join(name));
            file.set_len(2 * BLOCK as u64).expect("sets");
            file
        };
        let config =
            EngineConfig { files_later: 2, ..EngineConfig::new(engine, 2, BLOCK, Vec::new()) };
        run(config, |engine, _| {
            let write = |engine: &mut dyn Drive, block: u64, fill: u8| {
                let requests = [Request { file: 1, ..request(Op::Write, block << 12, 4096) }];
                let mut done = 0;
                let mut after = |_: usize, result: i32, _: &mut [u8]| done = result;
                engine.drive(1, &requests, &mut |_, buffer| buffer.fill(fill), &mut after);
                done
            };
            engine.open(1, file("one")).expect("takes it");
            assert_eq!(write(engine, 0, 1), 4096);
            engine.close(1);
            assert!(write(engine, 1, 2) < 0, "it is closed");
            engine.open(1, file("two")).expect("takes it");
            assert_eq!(write(engine, 1, 3), 4096);
        });
        let read = |name: &str| std::fs::read(folder.path().join(name)).expect("reads");
        let name = engine.name();
        assert!(read("one") == [[1; BLOCK], [0; BLOCK]].concat(), "{name}: one");
        assert!(read("two") == [[0; BLOCK], [3; BLOCK]].concat(), "{name}: two");
    }
}

#[test]
fn the_null_engine_says_that_all_is_done() {
    for depth in [1, 8] {
        let config = EngineConfig::new(IoEngine::Null, depth, BLOCK, Vec::new());
        let requests: Vec<Request> =
            (0..100).map(|n| request(Op::Write, n * 4096, 512 + n as u32)).collect();
        let expected: Vec<i32> = (0..100).map(|n| 512 + n).collect();
        assert_eq!(results(config, &requests, 0), expected);
    }
}

#[test]
fn direct_io_takes_what_its_alignment_says_and_nothing_less() {
    let folder = disk_folder();
    let path = folder.path().join("data");
    std::fs::write(&path, vec![1u8; 1 << 16]).expect("writes");
    let how = OpenHow { read: true, direct: true, ..OpenHow::default() };
    let file = match open(&path, &how) {
        Ok(file) => file,
        Err(error) => return fathom_skip::skip(&error.to_string()),
    };
    let alignment = direct_alignment(&file);
    println!("{alignment:?}");
    assert!(alignment.supported);
    let bytes = alignment.offset;
    let requests = [
        request(Op::Read, bytes.into(), bytes),
        request(Op::Read, u64::from(bytes) / 2, bytes),
        request(Op::Read, 0, bytes / 2),
    ];
    for engine in here([IoEngine::Psync, IoEngine::Libaio, IoEngine::IoUring, IoEngine::Windowsaio])
    {
        let how = OpenHow { overlapped: !engine.is_sync(), ..how };
        let files = vec![open(&path, &how).expect("opens")];
        let config = EngineConfig { direct: true, ..EngineConfig::new(engine, 4, 1 << 14, files) };
        let done = results(config, &requests, 0);
        assert_eq!(done, [bytes as i32, failure("EINVAL"), failure("EINVAL")], "{}", engine.name());
    }
}

#[test]
fn polled_io_ends_whether_or_not_the_device_can_be_polled() {
    let folder = disk_folder();
    let path = folder.path().join("data");
    std::fs::write(&path, vec![1u8; 1 << 16]).expect("writes");
    let how = OpenHow { read: true, write: true, direct: true, ..OpenHow::default() };
    for engine in here([IoEngine::IoUring, IoEngine::Pvsync2, IoEngine::Libaio]) {
        let file = match open(&path, &how) {
            Ok(file) => file,
            Err(error) => return fathom_skip::skip(&error.to_string()),
        };
        let options = EngineOptions { hipri: true, ..EngineOptions::default() };
        let config = EngineConfig {
            options,
            direct: true,
            ..EngineConfig::new(engine, 4, BLOCK, vec![file])
        };
        let mut requests: Vec<_> = (0..15).map(|n| request(Op::Read, n * 4096, 4096)).collect();
        requests.push(request(Op::Fsync, 0, 0));
        let done = results(config, &requests, 0);
        assert_eq!(done[15], 0);
        let known = |&result: &i32| result == 4096 || result == failure("EOPNOTSUPP");
        assert!(done[..15].iter().all(known), "{}: {done:?}", engine.name());
    }
}

#[test]
fn many_slots_are_as_good_as_few() {
    for engine in here([IoEngine::Libaio, IoEngine::IoUring, IoEngine::Windowsaio, IoEngine::Null])
    {
        let folder = disk_folder();
        let file = open_for(engine, &folder.path().join("data"));
        let requests: Vec<_> = (0..3000).map(|n| request(Op::Write, n * 512, 512)).collect();
        let done = results(EngineConfig::new(engine, 1024, 512, vec![file]), &requests, 1);
        assert!(done.iter().all(|&result| result == 512), "{}", engine.name());
    }
}

#[test]
fn writing_to_a_file_open_for_reading_is_refused() {
    let folder = disk_folder();
    let path = folder.path().join("data");
    std::fs::write(&path, vec![1u8; 1 << 16]).expect("writes");
    // Windows does not tell this from any other right that lacks.
    let bad = failure(if IoEngine::Windowsaio.is_here() { "EACCES" } else { "EBADF" });
    for engine in moving() {
        for depth in [1, 8] {
            let overlapped = !engine.is_sync();
            let how = OpenHow { read: true, overlapped, ..OpenHow::default() };
            let file = open(&path, &how).expect("opens");
            let config = EngineConfig {
                writable: false,
                ..EngineConfig::new(engine, depth, 4096, vec![file])
            };
            let mut requests: Vec<_> = (0..8).map(|n| request(Op::Read, n * 4096, 4096)).collect();
            requests[2].op = Op::Write;
            requests[5].op = Op::Write;
            let done = results(config, &requests, 0);
            let expected = [4096, 4096, bad, 4096, 4096, bad, 4096, 4096];
            assert_eq!(done, expected, "{} at depth {depth}", engine.name());
        }
    }
}
