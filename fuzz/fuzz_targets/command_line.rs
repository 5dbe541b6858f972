//! Any words, one a line, as a command line: no panic, and errors of at most two lines.
#![no_main]

use fathom_job::{FixedWorld, parse_command_line, print_command_line};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let args: Vec<String> = text.lines().map(str::to_string).collect();
    let files = vec![("f".into(), b"[a]\nbs=8k\n".to_vec()), ("-".into(), b"[b]\n".to_vec())];
    let world = FixedWorld { files, ..FixedWorld::default() };
    match parse_command_line(&args, &world) {
        Err(error) => assert!(error.to_string().lines().count() <= 2),
        Ok(invocation) => {
            let shown = print_command_line(&invocation);
            assert!(shown.is_empty() || shown.starts_with("fio "), "{shown}");
        }
    }
});
