//! Job files: sections, comments, includes, substitution.

use crate::support::{cli_with, file, job, pairs, try_file, world};
use fathom_job::{FixedWorld, parse_command_line, parse_job_text, print_job, print_jobs};
use std::path::Path;

#[test]
fn sections_comments_and_blank_lines() {
    let jobs = file(
        "; first\n[global]\nioengine=null\n  size = 1m   \n\n# note\n[a]\nbs=8k ; why\ntime_based\nruntime=1\n\
         [global]\nbs=16k\n  [b]\n\tstonewall # here\r\n[c d]\nname=other\n",
    );
    let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "other"]);
    let sizes: Vec<u64> = jobs.iter().map(|job| job.pattern.bs.read.max()).collect();
    assert_eq!(sizes, [8192, 16384, 16384]);
    assert_eq!(
        jobs[0].given,
        pairs(&[("bs", Some("8k")), ("time_based", None), ("runtime", Some("1"))])
    );
    assert_eq!(jobs[1].given, pairs(&[("stonewall", None)]));
    assert_eq!(jobs[2].inherited.last(), Some(&("bs".to_string(), Some("16k".to_string()))));
    assert_eq!(jobs[1].origin.to_string(), "test.fio:13");
}

#[test]
fn canonical_names_and_values_as_typed() {
    let job = job("blocksize=8k readwrite=randread:8 iodepth_batch_submit=3 ss_dur=10");
    assert_eq!(
        job.given,
        pairs(&[
            ("bs", Some("8k")),
            ("rw", Some("randread:8")),
            ("iodepth_batch", Some("3")),
            ("steadystate_duration", Some("10")),
        ])
    );
}

#[test]
fn variables_and_keywords() {
    let world = FixedWorld {
        variables: vec![("SZ".into(), "8k".into()), ("BAD".into(), "4k\nbs=1".into())],
        ..FixedWorld::default()
    };
    let text = "[a]\nsize=${SZ}\ndescription=x${NOPE}y $ncpus $pagesize $mb_memory $jobname\n\
                filename_format=$jobname.$filenum\n";
    let job = parse_job_text(text, Path::new("f"), &world).unwrap().remove(0);
    assert_eq!(job.description.as_deref(), Some("xy 2 4096 1024 $jobname"));
    assert_eq!(job.given[0].1.as_deref(), Some("8k"));
    assert_eq!(job.target.filename_format.as_deref(), Some("$jobname.$filenum"));
    let text = "[a]\ndescription=${BAD}\n";
    let job = parse_job_text(text, Path::new("f"), &world).unwrap().remove(0);
    assert_eq!(job.description.as_deref(), Some("4k bs=1"), "a variable cannot add lines");
}

#[test]
fn kb_base_of_a_section_counts_for_all_of_it() {
    assert_eq!(job("bs=1k kb_base=1000").pattern.bs.read.max(), 1000);
}

#[test]
fn includes_are_found_beside_the_including_file() {
    let files = [
        ("d/main.fio", "include common.fio\n[a]\ninclude more/io.fio\n"),
        ("d/common.fio", "[global]\nioengine=null\n"),
        ("d/more/io.fio", "bs=8k\ninclude deep.fio\n"),
        ("d/more/deep.fio", "iodepth=7\n"),
    ];
    let job = cli_with("d/main.fio", &files).jobs.remove(0);
    assert_eq!((job.pattern.bs.read.max(), job.engine.iodepth), (8192, 7));
    let error = crate::support::try_cli_with("f", &[("f", "[a]\ninclude none\n")]).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("fio: unable to open 'none' job file") && text.contains("(f:2)"),
        "{text}"
    );
}

#[test]
fn includes_that_never_end() {
    let of =
        |files: &[(&str, &str)]| crate::support::try_cli_with("a", files).unwrap_err().to_string();
    let own = of(&[("a", "[a]\ninclude a\n")]);
    assert!(own.contains("includes itself: a -> a") && own.contains("(a:2)"), "{own}");
    let two = of(&[("a", "[a]\ninclude b\n"), ("b", "include a\n")]);
    assert!(two.contains("a -> b -> a") && two.contains("(b:1)"), "{two}");
    let files: Vec<(String, String)> = (0..30)
        .map(|n| (format!("f{n}"), format!("include f{}\ninclude f{}\n", n + 1, n + 1)))
        .collect();
    let mut files: Vec<(&str, &str)> =
        files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    files.push(("a", "[a]\ninclude f0\n"));
    assert!(of(&files).contains("too many includes"));
}

#[test]
fn standard_input_is_a_dash() {
    let job = cli_with("- --ioengine=null", &[("-", "[a]\nsize=4k\n")]).jobs.remove(0);
    assert_eq!(job.engine.engine.name(), "null");
}

#[test]
fn what_is_no_job_file() {
    let bytes = |bytes: &[u8]| {
        let world =
            FixedWorld { files: vec![("f".into(), bytes.to_vec())], ..FixedWorld::default() };
        parse_command_line(&["f".to_string()], &world).unwrap_err().to_string()
    };
    let big = bytes(&vec![b'\n'; 10 << 20]);
    assert!(big.starts_with("fio: job file 'f' is larger than 1 MiB"), "{big}");
    let binary = bytes(b"[a]\n\x7fELF\0\0\0");
    assert!(binary.contains("zero bytes (f:2)"), "{binary}");
    let latin = bytes(b"[a]\nsize=1m\ndescription=caf\xe9\n");
    assert!(latin.contains("not UTF-8 (f:3)"), "{latin}");
    let long = bytes(format!("[a]\ndescription={}\n", "x".repeat(9000)).as_bytes());
    assert!(long.starts_with("fio: line longer than 8192 bytes (f:2)"), "{long}");
    assert!(bytes(b"").starts_with("No job(s) defined"));
    assert!(bytes(b"[global]\nbs=4k\n").starts_with("No job(s) defined"));
}

#[test]
fn bad_lines() {
    for (text, message) in [
        ("size=1m\n", "fio: option <size=1m> outside of [] job section (test.fio:1)"),
        ("[a\n", "fio: section [a has no closing ] (test.fio:1)"),
        ("[]\n", "fio: bad section header [] (test.fio:1)"),
        ("[a] x\n", "fio: bad section header [a] x (test.fio:1)"),
        ("[a]\n=1\n", "Bad option <=1> (test.fio:2)"),
        ("[a]\n\nfoo\n", "Bad option <foo> (test.fio:3)"),
        ("[a]\nx=1\n", "Bad option <x=1> (test.fio:2)"),
        ("[global]\nx=1\n[a]\n", "Bad option <x=1> (test.fio:2)"),
        ("[a]\nbs\n", "Option bs requires an argument (test.fio:2)"),
    ] {
        let error = try_file(text).unwrap_err().to_string();
        assert_eq!(error.lines().next(), Some(message));
    }
    let error = try_file("[a]\niodpth=1\n").unwrap_err().to_string();
    assert_eq!(
        error,
        "Bad option <iodpth=1> (test.fio:2)\nfio: job a dropped. Did you mean iodepth?"
    );
}

#[test]
fn a_byte_order_mark_and_windows_lines() {
    let job = file("\u{feff}[a]\r\nioengine=null\r\n").remove(0);
    assert_eq!((job.name.as_str(), job.engine.engine.name()), ("a", "null"));
}

#[test]
fn several_jobs_are_printed_and_read_again() {
    let files = [
        ("one", "[global]\nbs=8k\n[a]\n[global]\niodepth=2\n[b]\ntime_based\nruntime=1\n"),
        ("two", "[global]\nbs=2k\n[c]\n"),
    ];
    for line in ["one", "one two", "--iodepth=3 one two --name=x --description=a;b#c"] {
        let jobs = cli_with(line, &files).jobs;
        let again = parse_job_text(&print_jobs(&jobs), Path::new("f"), &world(&[])).unwrap();
        for (job, mut again) in jobs.into_iter().zip(again) {
            again.origin = job.origin.clone();
            (again.given, again.inherited) = (job.given.clone(), job.inherited.clone());
            assert_eq!(job, again, "{line}");
        }
    }
    assert_eq!(
        print_job(&file("[global]\nbs=8k\n[a]\nthread\n")[0]),
        "[global]\nbs=8k\n[a]\nthread\n"
    );
}

#[test]
fn many_globals_and_many_sections_do_not_multiply() {
    let text = format!("[global]\n{}{}", "bs=1\n".repeat(50_000), "[a]\n".repeat(10_000));
    let error = try_file(&text).unwrap_err().to_string();
    assert!(error.contains("too many global options"), "{error}");
}

/// Files are named after the section, whatever `name=` calls the job.
#[test]
fn a_printed_job_keeps_its_section() {
    for text in ["[j]\nname=other\n", "[global]\nname=all\n[j]\nbs=8k\n", "[j]\nname=a\nname=j\n"] {
        let jobs = file(text);
        assert_eq!(jobs[0].target.stem(&jobs[0].name), "j", "{text}");
        assert_eq!(print_job(&jobs[0]), text);
        assert_eq!(print_jobs(&jobs), text);
    }
}
