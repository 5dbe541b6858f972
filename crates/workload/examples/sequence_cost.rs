//! What the choice of an I/O and the content of a buffer cost: `cargo run --release --example
//! sequence_cost -p fathom-workload`. With the name of one case it runs only that, for callgrind.
#![allow(clippy::print_stdout)]

use fathom_job::{BlockSize, Buffers, Distribution, FileService, JobSpec};
use fathom_vocab::PerDirection;
use fathom_workload::{BufferFiller, FileExtent, Workload};
use std::hint::black_box;
use std::time::Instant;

const IOS: u64 = 4_000_000;

fn job(random: bool) -> JobSpec {
    let mut job = JobSpec::default();
    job.pattern.rw.random = random;
    job
}

fn with(random: bool, set: impl FnOnce(&mut JobSpec)) -> JobSpec {
    let mut job = job(random);
    set(&mut job);
    job
}

fn cases() -> Vec<(&'static str, JobSpec, Vec<FileExtent>)> {
    let one = |len| vec![FileExtent::whole(len)];
    let ranged = |job: &mut JobSpec| {
        job.pattern.bs = PerDirection::splat(BlockSize::Range(4096, 16384));
    };
    let skewed = |distribution: Distribution| {
        with(true, |job| job.pattern.distribution = PerDirection::splat(distribution))
    };
    let mix = with(true, |job| {
        job.pattern.rw.write = true;
        job.pattern.rwmixread = 70;
    });
    let files = with(true, |job| job.target.file_service = FileService::Random(1));
    vec![
        ("sequential", job(false), one(1 << 30)),
        ("random_1gib", job(true), one(1 << 30)),
        ("random_1gib_odd", job(true), one((1 << 30) + (1 << 20))),
        ("random_16tib", job(true), one(16 << 40)),
        ("random_1pib", job(true), one(1 << 50)),
        ("norandommap_1pib", with(true, |job| job.pattern.norandommap = true), one(1 << 50)),
        ("randrw_70", mix, one(1 << 30)),
        ("bsrange_map", with(true, ranged), one(16 << 30)),
        ("bsrange_sequential", with(false, ranged), one(16 << 30)),
        ("zipf", skewed(Distribution::Zipf { theta: 1.2, center: None }), one(1 << 40)),
        ("normal", skewed(Distribution::Normal { deviation: 10.0, center: None }), one(1 << 40)),
        ("files_10000", files, vec![FileExtent::whole(1 << 24); 10_000]),
    ]
}

fn measure(name: &str, job: &JobSpec, files: &[FileExtent], ios: u64) {
    let mut workload = Workload::new(job, files, 1).expect("a fitting job");
    let begin = Instant::now();
    let mut sum = 0u64;
    for _ in 0..ios {
        let io = loop {
            match workload.next_io() {
                Some(io) => break io,
                None => workload.restart(),
            }
        };
        sum = sum.wrapping_add(io.offset ^ u64::from(io.len) ^ io.dir as u64);
    }
    black_box(sum);
    println!("{name:20} {:6.2} ns an I/O", begin.elapsed().as_nanos() as f64 / ios as f64);
}

fn fill(name: &str, buffers: &Buffers) {
    let mut filler = BufferFiller::new(buffers, 65536, 1);
    let mut buf = vec![0; 65536];
    filler.init(&mut buf);
    let begin = Instant::now();
    for at in 0..20_000 {
        filler.prepare(black_box(&mut buf), at, at);
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{name:20} {:6.2} GB/s", 20_000.0 * 65536.0 / seconds / 1e9);
}

fn main() {
    let mut args = std::env::args().skip(1);
    let wanted = args.next();
    let ios = args.next().and_then(|text| text.parse().ok()).unwrap_or(IOS);
    for (name, job, files) in cases() {
        if wanted.as_deref().is_none_or(|wanted| wanted == name) {
            measure(name, &job, &files, ios);
        }
    }
    if wanted.is_none() {
        fill("scramble", &Buffers::default());
        fill("refill", &Buffers { refill: true, ..Buffers::default() });
        let half = Buffers { compress_percentage: Some(50), ..Buffers::default() };
        fill("compress_50", &half);
    }
}
