//! Block devices: their size, their cache, their alignment, and what a trim does to them.

use crate::linux::LoopDevice;
use crate::parts::{moving, request, results};
use fathom_engine::{
    AlignmentSource, EngineConfig, OpenHow, direct_alignment, drop_cache, is_block_device, open,
    size_bytes,
};
use fathom_skip::skip;
use fathom_vocab::Op;

#[test]
fn a_loop_device_is_known_and_trimmed() {
    let device = match LoopDevice::new(1 << 20) {
        Ok(device) => device,
        Err(reason) => return skip(&reason),
    };
    let how = OpenHow { read: true, write: true, direct: true, ..OpenHow::default() };
    for engine in moving() {
        let file = open(&device.path, &how).expect("opens");
        assert!(is_block_device(&file));
        assert_eq!(size_bytes(&file).expect("a size"), 1 << 20);
        let alignment = direct_alignment(&file);
        assert!(alignment.supported && alignment.offset.is_power_of_two(), "{alignment:?}");
        assert_ne!(alignment.source, AlignmentSource::Assumed);
        let requests = [request(Op::Write, 0, 4096), request(Op::Write, 4096, 4096)];
        let config = || EngineConfig {
            direct: true,
            ..EngineConfig::new(engine, 1, 4096, vec![file.try_clone().expect("clones")])
        };
        assert_eq!(results(config(), &requests, 5), [4096, 4096]);
        let trims = [request(Op::Fsync, 0, 0), request(Op::Trim, 4096, 4096)];
        assert_eq!(results(config(), &trims, 0), [0, 4096], "{}", engine.name());
        drop_cache(&file, 0, 0).expect("drops");
        let mut seen = Vec::new();
        let reads = [request(Op::Read, 0, 4096), request(Op::Read, 4096, 4096)];
        crate::parts::run(config(), |engine, _| {
            let mut after = |_: usize, result: i32, buffer: &mut [u8]| {
                seen.push((result, buffer[0], buffer[4095]));
            };
            engine.drive(1, &reads, &mut |_, buffer| buffer.fill(1), &mut after);
        });
        assert_eq!(seen, [(4096, 5, 5), (4096, 0, 0)], "{}", engine.name());
    }
}
