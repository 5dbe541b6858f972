//! The grammar of the command line: what was seen of fio 3.33, and settings.

use crate::support::{cli, cli_error, cli_with, pairs, try_cli_with};
use fathom_job::{Action, DebugSubject, EtaWhen, IdleProf, Notice, NoticeKind, print_command_line};

#[test]
fn a_job_inherits_the_globals_and_nothing_of_the_job_before() {
    let invocation = cli("--ioengine=null --size=1m --name=a --bs=8k --name=b");
    assert_eq!(
        invocation.global_options,
        pairs(&[("ioengine", Some("null")), ("size", Some("1m"))])
    );
    assert_eq!(invocation.jobs[0].given, pairs(&[("name", Some("a")), ("bs", Some("8k"))]));
    assert_eq!(invocation.jobs[1].given, pairs(&[("name", Some("b"))]));
    assert_ne!(invocation.jobs[0].pattern.bs, invocation.jobs[1].pattern.bs);
}

#[test]
fn name_global_goes_back_to_the_globals() {
    let jobs = cli("--ioengine=null --name=a --bs=4k --name=global --bs=2k --name=b").jobs;
    assert_eq!(jobs.len(), 2);
    assert_eq!(jobs[0].pattern.bs.read.max(), 4096);
    assert_eq!(jobs[1].pattern.bs.read.max(), 2048);
}

#[test]
fn spellings_of_one_thing() {
    let plain = cli("--name=a --bs=8k --group_reporting --size=1m").jobs;
    for line in [
        "--name a --bs 8k --group_reporting --size 1m",
        "-name=a -bs=8k -group_reporting -size=1m",
        "-name a -bs 8k -group -size 1m",
        "--name=a --blocksize=8k --group_rep --size=1m",
        "--nam=a --bs=8k --group_reporting=1 --size=1m",
    ] {
        let jobs = cli(line).jobs;
        assert_eq!(jobs[0].pattern, plain[0].pattern, "{line}");
        assert_eq!(jobs[0].process, plain[0].process, "{line}");
        assert_eq!(jobs[0].target, plain[0].target, "{line}");
    }
}

#[test]
fn an_optional_value_is_never_the_next_word() {
    let invocation = cli_with("--name=a --time_based --runtime=1 0", &[("0", "[b]\nsize=1m\n")]);
    assert_eq!(invocation.jobs.len(), 2, "0 is a job file");
    // fio takes the next word for a log's name, whatever it looks like.
    let job = cli("--name=a --write_bw_log --name=b").jobs.remove(0);
    assert_eq!(job.measure.logs.bw.as_deref(), Some("--name=b"));
}

#[test]
fn ambiguous_and_unknown_names() {
    let error = cli_error("--name=a --io=a");
    assert!(error.starts_with("fio: option '--io=a' is ambiguous\nIt could be "), "{error}");
    assert!(error.contains("'--ioengine'") && error.contains("'--io_limit'"), "{error}");
    assert_eq!(
        cli_error("--name=a --iodpth=1"),
        "fio: unrecognized option '--iodpth=1'\nDid you mean iodepth?"
    );
    assert!(cli_error("--name=a --x=1").starts_with("fio: unrecognized option '--x=1'"));
    assert!(cli_error("--outptu=1").contains("Did you mean output?"));
    assert_eq!(
        cli_error("--name=a --randrepeat"),
        "fio: option '--randrepeat' requires an argument\nWrite --randrepeat=VALUE."
    );
    assert!(cli_error("--minimal=1").contains("doesn't allow an argument"));
}

#[test]
fn files_and_options_together() {
    let one = "[global]\nbs=8k\n[a]\n[b]\nstonewall\n";
    let two = "[c]\n[d]\n";
    let files = [("one.fio", one), ("two.fio", two)];
    let invocation = cli_with("--iodepth=3 --size=1m one.fio two.fio --name=x --bs=2k", &files);
    let names: Vec<&str> = invocation.jobs.iter().map(|job| job.name.as_str()).collect();
    assert_eq!(names, ["x", "a", "b", "c", "d"], "jobs of the command line come first");
    let depths: Vec<u32> = invocation.jobs.iter().map(|job| job.engine.iodepth).collect();
    assert_eq!(depths, [3, 3, 3, 1, 1], "globals of the command line serve the first file only");
    let sizes: Vec<u64> = invocation.jobs.iter().map(|job| job.pattern.bs.read.max()).collect();
    assert_eq!(sizes, [2048, 8192, 8192, 4096, 4096]);
    let waits: Vec<bool> = invocation.jobs.iter().map(|job| job.process.stonewall).collect();
    assert_eq!(waits, [false, false, true, true, false], "a later file waits for an earlier one");
    assert!(invocation.global_options.is_empty(), "as fio, which reports those of the last file");
    let both = cli_with("one.fio --iodepth=3 --bs=2k", &files).global_options;
    let expected = [("iodepth", Some("3")), ("bs", Some("2k")), ("bs", Some("8k"))];
    assert_eq!(both, pairs(&expected), "those of the command line first");
    let plain = cli_with("--iodepth=3 two.fio", &files);
    assert_eq!(plain.global_options, pairs(&[("iodepth", Some("3"))]));
}

#[test]
fn sections_limit_files_but_not_the_command_line() {
    let text = "[global]\nbs=8k\n[a]\nnonsense=1\n[b]\n[c]\n";
    let invocation = cli_with("--section=b --section c f --name=x", &[("f", text)]);
    let names: Vec<&str> = invocation.jobs.iter().map(|job| job.name.as_str()).collect();
    assert_eq!(names, ["x", "b", "c"]);
    let error = crate::support::try_cli_with("--section=z f", &[("f", text)]).unwrap_err();
    assert!(error.to_string().contains("No section is called z."), "{error}");
}

#[test]
fn settings() {
    let settings = cli(
        "--name=a -o out --output-format=json+,terse -V 5 --append-terse --eta=nev --eta-interval=500ms \
         --eta-newline=2 --status-interval=1m -r -x s --idle-prof=percpu --bandwidth-log --aux-path=/aux \
         --max-jobs=7 --alloc-size=100 --debug=file,io -w",
    )
    .settings;
    assert_eq!(settings.output, Some("out".into()));
    assert!(settings.formats.json_plus && settings.formats.terse && !settings.formats.normal);
    assert!(settings.append_terse && settings.readonly && settings.warnings_fatal);
    assert_eq!((settings.terse_version, settings.eta), (5, EtaWhen::Never));
    assert_eq!((settings.eta_interval_ms, settings.eta_newline_ms), (500, Some(2000)));
    assert_eq!((settings.status_interval_ms, settings.max_jobs), (Some(60_000), 7));
    assert_eq!((settings.idle_prof, settings.sections), (IdleProf::PerCpu, vec!["s".to_string()]));
    assert_eq!(settings.bandwidth_log.as_deref(), Some("agg"));
    assert_eq!(settings.aux_path, Some("/aux".into()));
    assert_eq!(settings.debug, [DebugSubject::Io], "there are no lines about files");
    let both = cli("--name=a --output-format=normal,terse").settings.formats;
    assert!(both.normal && both.terse && !both.json);
}

#[test]
fn actions() {
    let of = |line: &str| cli(line).action;
    assert_eq!(of("--name=a"), Action::Run);
    assert_eq!(of("--name=a --parse-only"), Action::ParseOnly);
    assert_eq!(of("--showcmd --name=a"), Action::ShowCmd);
    assert_eq!(of("--version"), Action::Version);
    assert_eq!(of("-v"), Action::Version);
    assert_eq!(of("--name=a -h --bs=nonsense"), Action::Help, "as fio, at once");
    assert_eq!(of("--cmdhelp=all"), Action::CmdHelp(None));
    assert_eq!(of("--cmdhelp"), Action::CmdHelp(None));
    assert_eq!(of("--cmdhelp=bs"), Action::CmdHelp(Some("bs".into())));
    assert_eq!(of("--enghelp"), Action::EngHelp { engine: None, option: None });
    assert_eq!(
        of("--enghelp=libaio,nowait"),
        Action::EngHelp { engine: Some("libaio".into()), option: Some("nowait".into()) }
    );
    assert_eq!(of("--debug=help"), Action::DebugHelp);
}

/// fio 3.33 prints these, each on the stream of its kind, and goes on.
#[test]
fn subjects_of_debug() {
    let of = |list: &str| {
        let invocation = cli(&format!("--name=a --debug={list}"));
        (invocation.settings.debug, invocation.notices)
    };
    let answer = |text: &str| Notice { kind: NoticeKind::Answer, text: text.into() };
    let (subjects, notices) = of("parse:1,iox");
    assert_eq!(subjects, [DebugSubject::Parse, DebugSubject::Io]);
    assert_eq!(notices[0], answer("fio: set debug option parse:1"));
    assert_eq!(notices[1], answer("fio: set debug option iox"));
    assert_eq!(of("all"), (DebugSubject::ALL.to_vec(), vec![answer("fio: set all debug options")]));
    let (subjects, notices) = of("nosuch");
    let text = "fio: debug mask nosuch not found".into();
    assert!(subjects.is_empty());
    assert_eq!(notices, [Notice { kind: NoticeKind::Complaint, text }]);
    cli("--name=a --debug=nosuch --warnings-fatal");
}

/// fio's steadystate_tests.py looks for these lines.
#[test]
fn the_limit_of_steadystate_is_a_line_of_debug() {
    for (limit, line) in [
        ("iops:10", "set steady state IOPS threshold to 10.000000"),
        ("iops:.1%", "set steady state threshold to 0.100000%"),
        ("bw:12", "set steady state BW threshold to 12"),
        ("bw_slope:100k", "set steady state BW threshold to 102400"),
    ] {
        let words = format!("--parse-only --debug=parse --ss_dur=10s --ss={limit}");
        let notices = cli(&words).notices;
        let kind = NoticeKind::Debug(DebugSubject::Parse);
        assert!(notices.contains(&Notice { kind, text: line.into() }), "{limit}: {notices:?}");
    }
}

/// A dry run reads options only; it needs no job, and does not check them against one another.
#[test]
fn a_dry_run() {
    for line in [
        "--parse-only",
        "--showcmd",
        "--parse-only --terse-version=4",
        "--parse-only --section=none",
        "--parse-only --name=a --rate=1m --rate_iops=3",
        "--parse-only --name=a --size=3",
        "--parse-only --name=a --numjobs=5000",
    ] {
        let invocation = cli(line);
        assert!(invocation.warnings().is_empty(), "{line}");
    }
    for (line, begins) in [
        ("--parse-only --terse-version=9", "fio: bad terse version format"),
        ("--parse-only --rw=nosuch", "fio: failed parsing rw=nosuch"),
        ("--showcmd --ioengine=nosuch", "fio: engine nosuch not loadable"),
    ] {
        let error = cli_error(line);
        assert!(error.starts_with(begins), "{line}: {error}");
    }
}

#[test]
fn bad_settings() {
    for (line, begins) in [
        ("--output-format=foo", "fio: invalid output format foo"),
        ("--terse-version=9", "fio: bad terse version format"),
        ("--eta-interval=100ms", "fio: eta interval time too short"),
        ("--status-interval=x", "fio: failed parsing time x"),
        ("--idle-prof=calibrate", "fio: --idle-prof=calibrate is not supported"),
        ("--idle-prof=foo", "fio: incorrect idle-prof option: foo"),
        ("--latency-log=x", "fio: --latency-log is deprecated"),
        ("--eta=x", "fio: failed parsing eta=x"),
        ("--client=host", "fio: --client=host has no job file"),
        ("--server", "fio: option '--server' is not supported yet"),
        ("--daemonize=x", "fio: option '--daemonize' is not supported yet"),
        ("--max-jobs=0", "fio: failed parsing --max-jobs=0"),
        ("", "No job(s) defined"),
        ("--readonly", "No job(s) defined"),
        ("nofile.fio", "fio: unable to open 'nofile.fio' job file"),
    ] {
        let error = cli_error(line);
        assert!(error.starts_with(begins), "{line}: {error}");
        assert_eq!(error.lines().count(), 2, "a message and what to do: {error}");
    }
}

#[test]
fn readonly_and_too_many_jobs() {
    for rw in ["write", "randrw", "trim", "trimwrite"] {
        let error = cli_error(&format!("--readonly --name=a --rw={rw}"));
        let begins = "fio: job <a> has write or trim bit set, but fio is in read-only mode";
        assert!(error.starts_with(begins), "{error}");
    }
    cli("--readonly --name=a --rw=randread");
    assert!(
        cli_error("--name=a --numjobs=5000").starts_with("error: maximum number of jobs reached")
    );
    assert_eq!(cli("--name=a --numjobs=5000 --max-jobs=5000").jobs.len(), 1);
}

#[test]
fn warnings_are_kept_and_may_be_fatal() {
    let line = "--name=a --size=1m --time_based";
    let invocation = cli(line);
    assert_eq!(invocation.notices[0].kind, NoticeKind::Warning);
    let begins = "fio: time_based requires a runtime/timeout setting";
    assert!(invocation.warnings()[0].starts_with(begins));
    assert!(!invocation.jobs[0].extent.time_based, "as fio, which goes on without it");
    assert!(cli_error(&format!("{line} --warnings-fatal")).starts_with("fio: time_based requires"));
}

/// When fio 3.33 says so, and what it then does.
#[test]
fn blocks_off_their_grid_have_no_map() {
    let of = |line: &str| {
        let invocation = cli(&format!("--name=a --size=1m --bs=4k {line}"));
        (invocation.notices.len(), invocation.jobs[0].pattern.norandommap)
    };
    for line in ["--blockalign=8k", "--ba=2k", "--ba=,8k", "--ba=8k --bsrange=4k-8k"] {
        assert_eq!(of(&format!("--rw=randread {line}")), (1, true), "{line}");
    }
    for line in ["", "--ba=4k", "--ba=4k --bsrange=4k-8k"] {
        assert_eq!(of(&format!("--rw=randread {line}")), (0, false), "{line}");
    }
    assert_eq!(of("--rw=randread --ba=8k --norandommap"), (0, true));
    assert_eq!(of("--rw=read --ba=8k"), (0, false));
    let text = "fio: Any use of blockalign= turns off randommap";
    assert!(cli_error("--name=a --rw=randread --ba=8k --warnings-fatal").starts_with(text));
}

#[test]
fn options_of_one_engine() {
    let job =
        cli("--name=a --ioengine=io_uring --hipri --fixedbufs --sqthread_poll=1").jobs.remove(0);
    let private = &job.engine.private;
    assert!(private.hipri && private.fixedbufs && private.sqthread_poll);
    let error = cli_error("--name=a --ioengine=null --hipri");
    assert!(
        error.starts_with("fio: unrecognized option '--hipri'\nhipri belongs to io_uring"),
        "{error}"
    );
    let job = cli("--ioengine=libaio --userspace_reap --name=a --ioengine=null").jobs.remove(0);
    assert!(!job.engine.private.userspace_reap, "a global one does not trouble another engine");
    assert!(cli_error("--name=a --hostname=x").contains("hostname is not supported"));
}

#[test]
fn kb_base_counts_from_where_it_stands() {
    let size = |line: &str| cli(line).jobs[0].pattern.bs.read.max();
    assert_eq!(size("--name=a --kb_base=1000 --bs=4k"), 4000);
    assert_eq!(size("--name=a --bs=4k --kb_base=1000"), 4096);
}

#[test]
fn values_with_signs_of_their_own() {
    let args: Vec<String> =
        ["--name=a", "--description=a # b; c", "--filename=x;y"].map(String::from).to_vec();
    let world = crate::support::world(&[]);
    let job = fathom_job::parse_command_line(&args, &world).unwrap().jobs.remove(0);
    assert_eq!(job.description.as_deref(), Some("a # b; c"));
    let args: Vec<String> = ["--name=a", "--description=a\nb"].map(String::from).to_vec();
    let error = fathom_job::parse_command_line(&args, &world).unwrap_err().to_string();
    assert!(error.contains("line break"), "{error}");
}

#[test]
fn a_command_line_is_printed_and_read_again() {
    let text = "[global]\nioengine=null\nsize=64k\n[a]\ntime_based\nruntime=1\n[b]\nbs=4k,8k\n\
                description=hello world\n";
    let invocation = cli_with("--showcmd f", &[("f", text)]);
    assert_eq!(
        print_command_line(&invocation),
        "fio --ioengine=null --size=64k --name=a --time_based --runtime=1 --name=b --bs=4k,8k \
         --description=\"hello world\"\n"
    );
    let globals = cli_with("--showcmd f", &[("f", "[global]\nioengine=null\n")]);
    assert_eq!(print_command_line(&globals), "fio --ioengine=null\n");
    assert_eq!(print_command_line(&cli("--showcmd")), "");
}

#[test]
fn clients_share_the_job_files_that_come_next() {
    let files = [
        ("a.fio", "[global]\nsize=1m\n[a]\n"),
        ("b.fio", "[b]\nsize=2m\n"),
        ("hosts.list", "x\n# none\n\n ip:y \n"),
    ];
    let of = |line: &str| {
        let clients = cli_with(line, &files).clients.into_iter();
        let named = clients.map(|of| {
            (of.hosts.join(" "), of.jobs.iter().map(|job| job.name.clone()).collect::<String>())
        });
        named.collect::<Vec<_>>()
    };
    let row = |hosts: &str, jobs: &str| (hosts.to_owned(), jobs.to_owned());
    assert_eq!(of("--client=x --client=y a.fio b.fio"), [row("x y", "ab")]);
    assert_eq!(of("--client=x a.fio --client=y b.fio"), [row("x", "a"), row("y", "b")]);
    assert_eq!(of("--client hosts.list --output-format=json b.fio"), [row("x y", "b")]);
    assert!(of("a.fio").is_empty());
    let whole = cli_with("--client=x a.fio --client=y b.fio", &files);
    assert_eq!(whole.jobs.len(), 2, "checks are of all jobs");
    assert_eq!(whole.clients[0].global_options.len(), 1);
    assert!(whole.clients[1].global_options.is_empty(), "what one file says is not another's");
}

#[test]
fn clients_that_cannot_be_are_refused_by_name() {
    for (line, words) in [
        ("--client=x", "--client=x has no job file"),
        ("--client=x --name=a --size=1m", "jobs come from job files"),
        ("--name=a --size=1m --client=x a.fio", "jobs come from job files"),
        ("a.fio --client=x a.fio", "jobs come from job files"),
        ("--client=x,8765 a.fio", "leave out port and socket"),
        ("--client=-oProxyCommand=x a.fio", "leave out port and socket"),
        ("--client=ip: a.fio", "leave out port and socket"),
    ] {
        let error = try_cli_with(line, &[("a.fio", "[a]\nsize=1m\n")]).unwrap_err().to_string();
        assert!(error.contains(words), "{line}: {error}");
    }
}
