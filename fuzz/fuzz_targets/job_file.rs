//! Any bytes as a job file: no panic, and what is accepted prints and reads back.
#![no_main]

use fathom_job::{FixedWorld, parse_command_line, parse_job_text, print_job};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let files = vec![("f".into(), bytes.to_vec()), ("g".into(), b"bs=8k\n".to_vec())];
    let world = FixedWorld { files, ..FixedWorld::default() };
    match parse_command_line(&["f".to_string()], &world) {
        Err(error) => assert!(error.to_string().lines().count() <= 2),
        Ok(invocation) => {
            for job in &invocation.jobs {
                let text = print_job(job);
                let again = parse_job_text(&text, Path::new("printed"), &FixedWorld::default());
                assert_eq!(again.map(|jobs| jobs[0].pattern.clone()), Ok(job.pattern.clone()));
            }
        }
    }
});
