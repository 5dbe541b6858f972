//! Job files: sections, comments, includes, substitution.

use crate::support::{cli, cli_error, cli_with, file, job, pairs, try_file, world};
use fathom_job::{
    FixedWorld, JobSize, JobSpec, parse_command_line, parse_job_text, print_job, print_jobs,
};
use fathom_vocab::{EngineOptions, IoEngine};
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
    for text in ["[j]\nname=other\n", "[j]\nname=a\nname=j\n"] {
        let jobs = file(text);
        assert_eq!(jobs[0].target.stem(&jobs[0].name), "j", "{text}");
        assert_eq!(print_job(&jobs[0]), text);
        assert_eq!(print_jobs(&jobs), text);
    }
}

/// What fio 3.33 names the jobs of this file.
#[test]
fn a_global_name_names_no_job() {
    let text = "[global]\nname=all\nbs=8k\n[one]\n[two]\nname=own\n";
    let invocation = cli_with("f", &[("f", text)]);
    let names: Vec<&str> = invocation.jobs.iter().map(|job| job.name.as_str()).collect();
    assert_eq!(names, ["one", "own"]);
    assert_eq!(invocation.global_options, pairs(&[("name", Some("all")), ("bs", Some("8k"))]));
    assert_eq!(print_job(&invocation.jobs[0]), "[global]\nbs=8k\n[one]\n");
}

/// What fio 3.33 takes and refuses: an option of one engine belongs to the engine that is in force
/// in its section, and is dropped where a job has another engine.
#[test]
fn options_of_an_engine_belong_to_the_engine_of_their_section() {
    for text in [
        "[global]\nhipri\nioengine=io_uring\n[a]\n",
        "[global]\nioengine=io_uring\nhipri\n[a]\nioengine=null\n",
        "[a]\nhipri\nioengine=io_uring\n",
        "[a]\nioengine=libaio\nhipri\nioengine=io_uring\n",
        "[global]\nioengine=io_uring\n[a]\nioengine=libaio\n[global]\nhipri\n[b]\n",
        "[a]\nioengine=aio\nuserspace_reap\n",
    ] {
        let jobs = file(text);
        let again = parse_job_text(&print_jobs(&jobs), Path::new("f"), &world(&[])).unwrap();
        let private = |jobs: &[JobSpec]| -> Vec<EngineOptions> {
            jobs.iter().map(|job| job.engine.private).collect()
        };
        assert_eq!(private(&jobs), private(&again), "{text}");
        let engines = [IoEngine::IoUring, IoEngine::Libaio];
        let keeps = engines.contains(&jobs[0].engine.engine) && jobs.len() == 1;
        assert_eq!(private(&jobs)[0] != EngineOptions::default(), keeps, "{text}");
    }
    for (text, message) in [
        ("[global]\nhipri\n[a]\nioengine=io_uring\n", "Bad option <hipri>"),
        ("[global]\nioengine=io_uring\n[a]\nhipri\nioengine=libaio\n", "Bad option <hipri>"),
        ("[a]\nioengine=libaio\nuserspace_reap\nioengine=io_uring", "Bad option <userspace_reap>"),
        ("[global]\ncmdprio_percentage=50\n[a]\n", "Bad option <cmdprio_percentage=50>"),
        ("[global]\npi_act=0\n[a]\n", "Bad option <pi_act=0>"),
    ] {
        let error = try_file(text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    for line in [
        "--ioengine=io_uring --hipri --name=a --ioengine=null",
        "--ioengine=io_uring --name=a --hipri --ioengine=libaio --userspace_reap",
        "--ioengine=libaio --name=a --ioengine=io_uring --hipri --name=b --userspace_reap",
    ] {
        cli(line);
    }
    for line in [
        "--name=a --hipri --ioengine=io_uring",
        "--ioengine=io_uring --name=a --ioengine=libaio --hipri --ioengine=io_uring",
        "--ioengine=libaio --name=a --ioengine=io_uring --hipri --name=b --hipri",
    ] {
        assert!(cli_error(line).starts_with("fio: unrecognized option '--hipri'"), "{line}");
    }
}

/// fio calculates values with its keywords (by bc); the world of tests has 1024 MiB and 2 CPUs.
#[test]
fn numbers_are_calculated_with_keywords() {
    let job = |line: &str| file(&format!("[j]\n{line}\n")).remove(0);
    let size = |line: &str| match job(line).target.size {
        Some(JobSize::Bytes(bytes)) => bytes,
        size => panic!("{line}: {size:?}"),
    };
    assert_eq!(size("size=8*$mb_memory"), 8192);
    assert_eq!(size("size=10*10*1000*$mb_memory"), 102_400_000);
    assert_eq!(size("size=($mb_memory+1)*1000"), 1_025_000);
    assert_eq!(size("size=10.5*$mb_memory"), 10_752);
    assert_eq!(size("size=$mb_memory - 4\nbs=512"), 1020);
    assert_eq!(size("size=$ncpus$ncpus$ncpus\nbs=2"), 222);
    assert_eq!(size("size=${none}$mb_memory\nbs=512"), 1024);
    assert_eq!(job("bs=4*$pagesize").pattern.bs.read.max(), 16_384);
    assert_eq!(job("numjobs=2*$ncpus").process.numjobs, 4);
    assert_eq!(job("runtime=2*$ncpus").extent.runtime_us, 4_000_000, "seconds, as a plain number");
    assert_eq!(job("cpus_allowed=0-$ncpus").process.cpus_allowed, [0, 1, 2], "no number");
    assert_eq!(job("description=$ncpus-core").description.as_deref(), Some("2-core"));
    for line in ["size=4k*$ncpus", "size=8*1024", "size=1-$ncpus"] {
        assert!(try_file(&format!("[j]\n{line}\n")).is_err(), "{line}");
    }
}

/// Forms of numbers that fio 3.33 takes.
#[test]
fn numbers_in_forms_of_fio() {
    let job = |line: &str| file(&format!("[j]\n{line}\n")).remove(0);
    for line in ["size=0", "size=0k", "size=0%", "size=1m\nsize=0"] {
        assert_eq!(job(line).target.size, None, "{line}");
    }
    assert_eq!(job("size=125%").target.size, Some(JobSize::Percent(100)), "all of a device");
    assert_eq!(job("size=64k,").target.size, Some(JobSize::Bytes(65_536)));
    assert_eq!(job("iodepth=4,").engine.iodepth, 4);
    let bs = job("bs=4k-512k").pattern.bs;
    assert_eq!((bs.read.max(), bs.write.max(), bs.trim.max()), (4096, 524_288, 524_288));
    assert_eq!(job("bs=(8k-4k)").pattern.bs.write.max(), 4096);
    assert!(try_file("[j]\nbs=-4k\n").is_err());
    assert!(try_file("[j]\nio_size=125%\n").is_err(), "as in fio");
    let logs = job("name=own\nwrite_bw_log\nwrite_hist_log\nwrite_lat_log=x").measure.logs;
    assert_eq!((logs.bw.as_deref(), logs.hist.as_deref()), (Some("own"), Some("own")));
    assert_eq!((logs.lat.as_deref(), logs.iops.as_deref()), (Some("x"), None));
    let unit = try_file("[j]\nrwmixread=70%\n").unwrap_err().to_string();
    assert!(unit.contains("'%' cannot be used here") && unit.contains("0 to 100"), "{unit}");
}

/// Options that belong to a feature that is missing, at values that do not use it.
#[test]
fn idle_options_of_missing_features() {
    for line in ["prio=0", "prioclass=0", "threads=1", "random_sequence_stride=0"] {
        file(&format!("[j]\n{line}\n"));
    }
    for line in ["data_placement=fdp", "rocm_io=posix", "http_s3_storage_class=x"] {
        let error = try_file(&format!("[j]\n{line}\n")).unwrap_err().to_string();
        assert!(error.contains("not supported"), "{error}");
    }
    assert!(
        cli_error("--profile=tiobench").starts_with("fio: option profile is not supported yet")
    );
}

/// fio complains about the length of the list, and takes its beginning.
#[test]
fn a_long_list_of_percentiles_is_cut() {
    let list = (1..=22).map(|n| n.to_string()).collect::<Vec<_>>().join(":");
    let invocation = cli(&format!("--name=a --warnings-fatal --percentile_list={list}"));
    assert_eq!(invocation.jobs[0].measure.percentile_list.len(), 20);
    assert_eq!(invocation.notices[0].text, "the list exceeding max length 20");
}

/// As fio reports them: units first, files last, then options of the engine.
#[test]
fn the_order_of_reported_options() {
    let text = "[a]\nhipri\nfilename=f\nioengine=io_uring\nunit_base=1\nsize=8k\nkb_base=1000\n";
    let names = |options: &[(String, Option<String>)]| -> Vec<String> {
        options.iter().map(|(name, _)| name.clone()).collect()
    };
    let expected = ["unit_base", "kb_base", "ioengine", "size", "filename", "hipri"];
    assert_eq!(names(&file(text)[0].given), expected);
    let global = cli_with("f", &[("f", "[global]\nsize=4k\nkb_base=1000\n[a]\nbs=4000\n")]);
    assert_eq!(names(&global.global_options), ["kb_base", "size"]);
    let line = cli("--name=a --filename=f --ioengine=io_uring --hipri --kb_base=1000");
    let expected = ["name", "filename", "ioengine", "hipri", "kb_base"];
    assert_eq!(names(&line.jobs[0].given), expected);
}

#[test]
fn more_completions_are_waited_for_than_may_be_taken() {
    let job = job("iodepth_batch_complete_min=8\niodepth_batch_complete_max=4");
    assert_eq!(job.engine.batch_complete_max, Some(8), "fio takes the greater of both");
}
