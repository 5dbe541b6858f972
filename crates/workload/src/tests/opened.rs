//! Files are open when an I/O on them comes, and no more are open than allowed.

use super::*;
use crate::OpenChange;
use fathom_job::FileService;
use std::collections::BTreeSet;

/// Goes through three passes of a workload: how many files were opened, and I/Os on each.
fn walk(job: &JobSpec, files: &[FileExtent], most: usize) -> (usize, Vec<u32>) {
    let mut workload = Workload::new(job, files, 5).unwrap();
    workload.open_on_use();
    let (mut open, mut opened, mut ios) = (BTreeSet::new(), 0, vec![0; files.len()]);
    for _ in 0..3 {
        while workload.refill() {
            for change in workload.take_open_changes() {
                let (file, was) = match change {
                    OpenChange::Open(file) => (file, !open.insert(file)),
                    OpenChange::Close(file) => (file, open.remove(&file)),
                };
                assert_eq!(was, change == OpenChange::Close(file), "{change:?} of {open:?}");
                opened += usize::from(!was);
                assert!(open.len() <= most, "{open:?}");
            }
            while workload.is_ready() {
                let io = workload.take();
                assert!(open.contains(&io.file), "{io:?}, {open:?}");
                ios[io.file as usize] += 1;
            }
        }
        workload.restart();
    }
    (opened, ios)
}

#[test]
fn an_io_is_on_an_open_file() {
    let services = [
        FileService::RoundRobin(1),
        FileService::RoundRobin(3),
        FileService::Random(2),
        FileService::Sequential,
    ];
    let files: Vec<FileExtent> = (0..50).map(|number| file(0, (number % 7 + 1) << 12)).collect();
    for (service, most, random) in
        services.into_iter().flat_map(|of| [1, 2, 9].map(|most| (of, most, most == 2)))
    {
        let mut job = reads(random, 4096);
        (job.target.openfiles, job.target.file_service) = (most, service);
        let most = job.target.files_at_once(files.len());
        let (opened, ios) = walk(&job, &files, most);
        assert_eq!(opened, 3 * files.len(), "{service:?}, {most}");
        let all: Vec<u64> = files.iter().map(|file| 3 * file.len / 4096).collect();
        assert!(ios.iter().map(|&ios| u64::from(ios)).eq(all), "{service:?}, {most}: {ios:?}");
        // A pass that ends early goes on with the files that are open.
        job.extent.number_ios = Some(30);
        assert_eq!(walk(&job, &files, most).1.iter().sum::<u32>(), 90, "{service:?}, {most}");
        job.pattern.rw.write = true;
        job.pattern.rw.trimwrite = true;
        walk(&job, &files, most);
    }
}
