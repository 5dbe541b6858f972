//! What holds for any input: no panic, errors with a place, and printing that reads back.
//!
//! `FATHOM_JOB_CASES` sets how many cases each property tries (256 if unset): a bounded stand-in
//! for the fuzz targets, which need a nightly compiler.

use crate::support::world;
use fathom_job::{
    FixedWorld, JobError, JobSpec, OptionRow, OptionStatus, Origin, options, parse_command_line,
    parse_job_text, print_job,
};
use proptest::prelude::*;
use std::path::Path;

fn cases() -> ProptestConfig {
    let cases = std::env::var("FATHOM_JOB_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(256);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Words that get further than noise would.
fn names() -> impl Strategy<Value = String> {
    let known: Vec<String> =
        options().iter().flat_map(OptionRow::names).map(String::from).collect();
    prop_oneof![8 => prop::sample::select(known), 1 => "[a-z_]{0,12}", 1 => ".{0,8}"]
}

/// Values: the examples of the table, their like, and noise.
fn values() -> impl Strategy<Value = String> {
    let examples: Vec<String> = options().iter().map(|row| row.example.to_string()).collect();
    prop_oneof![
        4 => prop::sample::select(examples),
        2 => "[0-9]{1,20}[kmgtpKMGib%zsuh]{0,3}",
        2 => "[-0-9a-z:,/.%()^*+ $;#\\\\\"']{0,30}",
        1 => "[(0-9+*/^)k]{0,40}",
        1 => any::<String>(),
    ]
}

fn lines() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (names(), values()).prop_map(|(name, value)| format!("{name}={value}")),
        2 => names(),
        2 => prop::sample::select(vec!["[a]", "[global]", "[b] ; x", "include f", "include g", "#", "["])
            .prop_map(String::from),
        1 => any::<String>(),
    ]
}

/// Errors say what, where and, on at most one more line, what to do.
fn check_error(error: &JobError) {
    let text = error.to_string();
    assert!((1..=2).contains(&text.lines().count()), "{text:?}");
    assert!(!error.message.is_empty());
    if let Origin::File { line, .. } = &error.origin {
        assert!(*line > 0);
    }
}

/// A job without the place it came from, and without the order of its options, which a section of
/// a job file does not keep.
fn anywhere(job: &JobSpec) -> JobSpec {
    let mut job = JobSpec { origin: Origin::Builtin, ..job.clone() };
    job.given.sort();
    job.inherited.sort();
    job
}

/// The lines of a printed job, in any order.
fn sorted_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// What is printed is read back as the same job, and printed the same.
fn check_round_trip(job: &JobSpec) {
    // A command line applies kb_base from where it stands, a job file to its whole section.
    if job.given.iter().chain(&job.inherited).any(|(name, _)| name == "kb_base") {
        return;
    }
    // Likewise a command line takes a folder and a number of files for the names after them.
    let names: Vec<&str> =
        job.inherited.iter().chain(&job.given).map(|(name, _)| name.as_str()).collect();
    let mut after_names = names.iter().skip_while(|name| **name != "filename");
    if after_names.any(|name| matches!(*name, "directory" | "nrfiles")) {
        return;
    }
    let text = print_job(job);
    let jobs = parse_job_text(&text, Path::new("printed"), &world(&[]))
        .unwrap_or_else(|error| panic!("{error}\nin:\n{text}"));
    assert_eq!(jobs.len(), 1, "{text}");
    let mut again = jobs[0].clone();
    if again.given.len() > job.given.len() {
        // The first job of a later file waits without saying so; printed, it says so.
        let said = again.given.iter().rposition(|(name, _)| name == "stonewall");
        again.given.remove(said.expect("nothing else was added"));
    }
    assert_eq!(anywhere(&again), anywhere(job), "{text}");
    assert_eq!(sorted_lines(&print_job(&jobs[0])), sorted_lines(&text));
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_bytes_as_a_job_file(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let files = vec![("f".into(), bytes)];
        let world = FixedWorld { files, ..FixedWorld::default() };
        match parse_command_line(&["f".to_string()], &world) {
            Ok(invocation) => invocation.jobs.iter().for_each(check_round_trip),
            Err(error) => check_error(&error),
        }
    }

    #[test]
    fn any_lines_as_a_job_file(lines in prop::collection::vec(lines(), 0..12), other in lines()) {
        let text = format!("[j]\n{}\n", lines.join("\n"));
        let world = world(&[("f", &other), ("g", "bs=8k\ninclude f\n")]);
        match parse_job_text(&text, Path::new("t"), &world) {
            Ok(jobs) => jobs.iter().for_each(check_round_trip),
            Err(error) => check_error(&error),
        }
    }

    #[test]
    fn any_words_as_a_command_line(words in prop::collection::vec(
        prop_oneof![
            4 => (names(), values()).prop_map(|(name, value)| format!("--{name}={value}")),
            2 => names().prop_map(|name| format!("-{name}")),
            1 => (0usize..40).prop_map(|n| {
                let all = fathom_job::cli_options();
                format!("--{}=json", all[n % all.len()].name)
            }),
            1 => values(),
            1 => prop::sample::select(vec!["--name=a", "--name=global", "-", "--", "f"]).prop_map(String::from),
            1 => any::<String>(),
        ],
        0..10,
    )) {
        let world = world(&[("f", "[a]\nbs=8k\n"), ("-", "[b]\n")]);
        match parse_command_line(&words, &world) {
            Ok(invocation) => invocation.jobs.iter().for_each(check_round_trip),
            Err(error) => {
                check_error(&error);
                // A command line without files has no other place.
                if let Origin::CommandLine(arg) = &error.origin {
                    prop_assert!(words.contains(arg));
                }
            }
        }
    }

    /// Jobs of accepted options: this is where printing and reading are held to each other.
    #[test]
    fn good_options_print_and_read_back(
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), any::<bool>()), 1..20),
        description in "[ -~]{0,30}",
    ) {
        let supported: Vec<_> = options()
            .iter()
            .filter(|row| row.status == OptionStatus::Supported && row.engines.is_empty())
            .filter(|row| row.name != "kb_base")
            .collect();
        let mut args = vec![format!("--description={description}")];
        for (pick, example, global) in picks {
            let row = supported[pick.index(supported.len())];
            let value = if example || row.default.is_empty() { row.example } else { row.default };
            if global && args.iter().all(|arg| arg != "--name=j") {
                args.push("--name=j".into());
            }
            args.push(format!("--{}={value}", row.name));
        }
        args.push("--name=last".into());
        match parse_command_line(&args, &world(&[])) {
            Ok(invocation) => invocation.jobs.iter().for_each(check_round_trip),
            Err(error) => {
                check_error(&error);
                prop_assert_eq!(error.kind, fathom_job::ErrorKind::Conflict);
            }
        }
    }
}
