//! What options do with many spellings, and what they say to bad ones.

use crate::support::{cli_error, job, job_error, try_file};
use fathom_job::{
    BlockSize, Distribution, ErrorKind, FIO_ENGINES, Fallocate, FileService, JobClock, JobSize,
    LogWindow, SteadyMetric, UnifiedRw, VerifyMethod,
};
use fathom_vocab::SyncMode;

#[test]
fn sentences_have_none_of_fio_s_prefixes() {
    let error = try_file("[j]\nrw=foo\n").unwrap_err();
    let sentence = error.sentence();
    assert!(sentence.starts_with("rw=foo: no such value"), "{sentence}");
    assert!(sentence.contains("Valid values: read, write"), "{sentence}");
    assert!(!sentence.contains("dropped"), "{sentence}");
    assert!(error.to_string().starts_with("fio: failed parsing rw=foo: "), "{error}");
    assert!(error.to_string().contains("fio: job j dropped"), "{error}");
}

#[test]
fn messages_begin_as_fio_does_and_say_where_and_what_to_do() {
    for (option, begins) in [
        ("iodepth=0", "iodepth: min value out of range: 0 (1 min)"),
        ("iodepth=-1", "iodepth: min value out of range: -1 (1 min)"),
        ("iodepth=4294967296", "iodepth: max value out of range: 4294967296"),
        ("rwmixread=101", "rwmixread: max value out of range: 101 (100 max)"),
        ("bs=0", "bs: min value out of range: 0 (1 min)"),
        ("numjobs=0", "numjobs: min value out of range: 0 (1 min)"),
        ("log_entries=8", "log_entries: min value out of range: 8 (1024 min)"),
        ("verify_offset=0", "verify_offset: min value out of range: 0 (40 min)"),
        ("verify=pattern", "verify=pattern needs the bytes: verify_pattern"),
        ("verify_pattern=%p", "fio: failed parsing verify_pattern=%p"),
        ("verify_interval=0", "verify_interval: min value out of range: 0 (80 min)"),
        ("verify_state_load=1", "fio: option verify_state_load is not supported yet"),
        ("nice=-30", "nice: min value out of range: -30 (-20 min)"),
        ("percentage_random=101", "percentage_random: max value out of range: 101 (100 max)"),
        ("direct=2", "direct: max value out of range: 2 (1 max)"),
        ("direct=yes", "fio: failed parsing direct=yes"),
        ("kb_base=1001", "fio: failed parsing kb_base=1001"),
        ("rw=foo", "fio: failed parsing rw=foo"),
        ("bs=", "fio: failed parsing bs="),
        ("bs=4kz", "'z' suffix isn't applicable"),
        ("bs=4k,8k,16k,32k", "fio: failed parsing bs=4k,8k,16k,32k"),
        ("bsrange=4k", "fio: failed parsing bsrange=4k"),
        ("bsrange=0-4k", "fio: failed parsing bsrange=0-4k"),
        ("bssplit=4k/60:8k/50", "fio: failed parsing bssplit=4k/60:8k/50"),
        ("ioengine=blah", "fio: engine blah not loadable"),
        ("size=1", "fio: size too small, must not be less than minimum block size: 1 < 4096"),
        ("offset=101%", "fio: failed parsing offset=101%"),
        ("io_size=200%", "fio: failed parsing io_size=200%"),
        ("filesize=0", "fio: failed parsing filesize=0"),
        ("random_distribution=zipf:1", "fio: zipf theta must different than 1.0"),
        ("random_distribution=zipf:x", "fio: random postfix parsing failed"),
        ("random_distribution=zoned:60/10:30/20", "fio: access percentage don't add up to 100"),
        ("random_distribution=sequence", "fio: failed parsing random_distribution=sequence"),
        ("percentile_list=50:101", "value out of range: 101.000000"),
        ("latency_percentile=101", "value out of range: 101.000000"),
        (
            "steadystate=iops",
            "fio: steadystate threshold must be specified in addition to criterion",
        ),
        ("ss=foo:1", "fio: failed parsing ss=foo:1"),
        ("buffer_pattern=%o", "fio: failed parsing buffer_pattern=%o"),
        ("ignore_error=EFOO", "Unknown error EFOO, please use number value"),
        ("cpus_allowed=x", "fio: failed parsing cpus_allowed=x"),
        ("cpus_allowed=3-1", "fio: failed parsing cpus_allowed=3-1"),
        ("cpumask=0", "fio: failed parsing cpumask=0"),
        ("runtime=1.5", "fio: failed parsing runtime=1.5"),
        ("runtime=10q", "fio: failed parsing runtime=10q"),
        ("numa_mem_policy=near", "fio: failed parsing numa_mem_policy=near"),
        ("file_service_type=zipf:1.2", "fio: failed parsing file_service_type=zipf:1.2"),
        ("rw=randread:x", "fio: failed parsing rw=randread:x"),
        ("log_hist_coarseness=7", "log_hist_coarseness: max value out of range: 7 (6 max)"),
        ("randseed=x", "fio: failed parsing randseed=x"),
        ("name=", "fio: failed parsing name="),
        ("verify=crc33", "fio: failed parsing verify=crc33"),
        ("zonemode=zbd", "fio: option zonemode is not supported yet: zonemode=zbd"),
        ("read_iolog=x", "fio: option read_iolog is not supported yet: read_iolog=x"),
    ] {
        let error = job_error(option);
        assert!(error.starts_with(begins), "{option}: {error}");
        let mut lines = error.lines();
        assert!(lines.next().unwrap().ends_with("(test.fio:2)"), "{option}: {error}");
        assert!(lines.next().unwrap().starts_with("fio: job j dropped. "), "{option}: {error}");
        assert_eq!(lines.next(), None, "{option}: {error}");
    }
    assert!(job_error("rw=randred").contains("Did you mean randread?"));
}

#[test]
fn options_against_each_other() {
    for (options, begins) in [
        ("rate=1m rate_iops=1k", "fio: rate and rate_iops are mutually exclusive"),
        ("rate=1m rate_min=2m", "fio: minimum rate exceeds rate"),
        ("rate_iops=10 rate_iops_min=20", "fio: minimum rate exceeds rate"),
        ("ss_dur=10 ss_interval=500ms", "fio: steadystate_check_interval is less than a second"),
        ("ss_dur=1500ms", "fio: steadystate_duration is no multiple"),
        ("ss_dur=5 ss_interval=2", "fio: steadystate_duration is no multiple"),
        ("ioengine=null hipri", "Bad option <hipri>"),
        ("bs=8k size=4k", "fio: size too small"),
    ] {
        let error = job_error(&options.replace(' ', "\n"));
        assert!(error.starts_with(begins), "{options}: {error}");
        assert!(error.contains("(test.fio:"), "{options}: {error}");
    }
    for (option, advice) in [
        ("verify_state_save=1", "fio: option verify_state_save is not supported yet with verify="),
        ("verify_dump=1", "fio: option verify_dump is not supported yet with verify="),
        ("trim_percentage=5", "fio: option trim_percentage is not supported yet with verify="),
        ("rw=trimwrite", "verify is not supported yet with trims"),
        ("bs=64\nsize=4k", "verify=sha256 needs blocks of 104 bytes or more"),
        ("bs=4000\nverify_interval=80", "verify=sha256 needs blocks of 104 bytes or more"),
        ("verify_offset=64", "verify_offset=64 is not between 104 and 4096 - 104"),
        ("rw=randrw\nrate_iops=5", "verify is not supported yet with a rate of reads and writes"),
    ] {
        let error = job_error(&format!("rw=write\nverify=sha256\n{option}"));
        assert!(error.starts_with(advice), "{option}: {error}");
        job(&format!("verify=0 {}", option.replace('\n', " ")));
    }
    let error = try_file("[j]\nbs=8k\nsize=4k\n").unwrap_err();
    assert_eq!(error.origin.to_string(), "test.fio:3", "the size is to blame, not the section");
    assert_eq!(error.kind, ErrorKind::Conflict);
    job("rw=write bs=8k,4k size=4k");
}

#[test]
fn fio_engines_that_are_not_there() {
    for (name, _) in FIO_ENGINES {
        let error = cli_error(&format!("--name=a --ioengine={name}"));
        let begins = format!("fio: engine {name} not loadable: it is a fio engine");
        assert!(error.starts_with(&begins), "{error}");
    }
    assert!(job_error("ioengine=libaoi").contains("Did you mean libaio?"));
    assert!(job_error("ioengine=external:/x.so").contains("not loadable"));
}

#[test]
fn a_pattern_alone_means_a_header_and_the_pattern() {
    let method = |options: &str| job(options).verify.method;
    assert_eq!(method("verify_pattern=0xff"), Some(VerifyMethod::PatternHeader));
    assert_eq!(method("verify_pattern=0xff verify=pattern"), Some(VerifyMethod::Pattern));
    assert_eq!(method("verify=0 verify_pattern=0xff"), None);
    assert_eq!(method("verify=crc32c-intel"), Some(VerifyMethod::Crc32c));
}

#[test]
fn verification_that_is_off_is_accepted() {
    let job =
        job("verify=0 do_verify=0 verify_fatal=1 verify_dump=1 verify_backlog=16 verify_async=2");
    assert_eq!(job.pattern, fathom_job::Pattern::default());
    for harmless in
        ["mem=malloc", "lockfile=none", "zonemode=none", "fill_device=0", "stats=1", "atomic=0"]
    {
        crate::support::job(harmless);
    }
}

#[test]
fn block_sizes() {
    let bs = |text: &str| {
        let bs = job(text).pattern.bs;
        (bs.read, bs.write, bs.trim)
    };
    use BlockSize::{Fixed, Range, Split};
    assert_eq!(bs("bs=4k"), (Fixed(4096), Fixed(4096), Fixed(4096)));
    assert_eq!(bs("bs=4k,8k"), (Fixed(4096), Fixed(8192), Fixed(8192)));
    assert_eq!(bs("bs=4k,8k,16k"), (Fixed(4096), Fixed(8192), Fixed(16384)));
    assert_eq!(bs("bs=2k bs=,8k"), (Fixed(2048), Fixed(8192), Fixed(8192)));
    assert_eq!(bs("bs=,8k,"), (Fixed(4096), Fixed(8192), Fixed(4096)));
    assert_eq!(bs("bs=4k,,16k"), (Fixed(4096), Fixed(4096), Fixed(16384)));
    assert_eq!(bs("bsrange=1k-4k"), (Range(1024, 4096), Range(1024, 4096), Range(1024, 4096)));
    assert_eq!(
        bs("bsrange=4k:1k,2k-8k"),
        (Range(1024, 4096), Range(2048, 8192), Range(2048, 8192))
    );
    assert_eq!(bs("bsrange=4k-4k").0, Fixed(4096));
    let split = Split(vec![(4096, 50), (8192, 50)]);
    assert_eq!(bs("bssplit=4k/50:8k/50"), (split.clone(), split.clone(), split));
    assert_eq!(bs("bs=(4*1024)").0, Fixed(4096));
    assert_eq!(job("blockalign=4k,8k").pattern.blockalign.trim, 8192);
}

#[test]
fn what_a_job_does() {
    let rw = |text: &str| {
        let rw = job(text).pattern.rw;
        (rw.read, rw.write, rw.trim, rw.random, rw.trimwrite)
    };
    assert_eq!(rw("rw=read"), (true, false, false, false, false));
    assert_eq!(rw("rw=randwrite"), (false, true, false, true, false));
    assert_eq!(rw("rw=readwrite"), (true, true, false, false, false));
    assert_eq!(rw("readwrite=randrw"), (true, true, false, true, false));
    assert_eq!(rw("rw=trim"), (false, false, true, false, false));
    assert_eq!(rw("rw=randtrimwrite"), (false, true, true, true, true));
    assert_eq!(job("rw=randread:8").pattern.rw_suffix, Some(8));
    assert_eq!(job("rw=write:4k").pattern.rw_suffix, Some(4096));
    assert_eq!(job("rw=read:-4k").pattern.rw_suffix, Some(-4096));
    assert_eq!(job("rwmixwrite=30").pattern.rwmixread, 70);
    let random = job("percentage_random=50,20").pattern.percentage_random;
    assert_eq!((random.read, random.write, random.trim), (50, 20, 20));
    let zipf = Distribution::Zipf { theta: 1.2, center: Some(0.5) };
    assert_eq!(job("random_distribution=zipf:1.2:0.5").pattern.distribution.trim, zipf);
    assert_eq!(job("buffered=1").engine.direct, job("direct=0").engine.direct);
    assert!(job("buffered=0").engine.direct);
    for (word, mode) in [
        ("0", SyncMode::None),
        ("1", SyncMode::Sync),
        ("sync", SyncMode::Sync),
        ("dsync", SyncMode::Dsync),
    ] {
        assert_eq!(job(&format!("sync={word}")).engine.sync, mode);
    }
}

#[test]
fn amounts_and_times() {
    let target =
        job("filesize=20m-10m offset=25% offset_increment=1g filename=a\\:b:c size=50%").target;
    assert_eq!(target.filesize, Some((10 << 20, 20 << 20)));
    assert_eq!((target.offset, target.size), (JobSize::Percent(25), Some(JobSize::Percent(50))));
    assert_eq!(target.offset_increment, JobSize::Bytes(1 << 30));
    assert_eq!(target.filenames, ["a:b", "c"].map(std::path::PathBuf::from));
    let extent = job("startdelay=1-5 runtime=5M ramp_time=100ms io_limit=2g loops=0").extent;
    assert_eq!(extent.startdelay_us, (1_000_000, 5_000_000));
    assert_eq!((extent.runtime_us, extent.ramp_time_us, extent.loops), (300_000_000, 100_000, 1));
    assert_eq!(extent.io_size, Some(JobSize::Bytes(2 << 30)));
    let pace = job("rate=1m,500k thinktime=10 max_latency=10ms,5 rate_process=poisson").pace;
    assert_eq!(
        (pace.rate_bytes.read, pace.rate_bytes.write, pace.rate_bytes.trim),
        (1 << 20, 500 << 10, 500 << 10)
    );
    assert_eq!(
        (pace.thinktime_us, pace.max_latency_us.read, pace.max_latency_us.trim),
        (10, 10_000, 5)
    );
    assert!(pace.poisson);
    let pace = job("rate=,500k").pace;
    assert_eq!((pace.rate_bytes.read, pace.rate_bytes.write), (0, 500 << 10));
    let steady =
        job("ss=bw_slope:0.5% ss_dur=30 ss_ramp=5s ss_interval=2").extent.steadystate.unwrap();
    assert_eq!(
        (steady.metric, steady.slope, steady.percent),
        (SteadyMetric::Bandwidth, true, true)
    );
    assert_eq!(
        (steady.duration_us, steady.ramp_us, steady.interval_ms),
        (30_000_000, 5_000_000, 2000)
    );
    assert_eq!(job("ss=iops:5%").extent.steadystate, None, "off without ss_dur, as in fio");
}

#[test]
fn lists_and_words() {
    let process = job("cpus_allowed=0-3,7 cpus_allowed_policy=split numa_cpu_nodes=0-1").process;
    assert_eq!((process.cpus_allowed, process.cpus_split), (vec![0, 1, 2, 3, 7], true));
    assert_eq!(process.numa_cpu_nodes, [0, 1]);
    assert_eq!(job("cpumask=0x9").process.cpus_allowed, [0, 3]);
    assert_eq!(job("percentile_list=99.9:50:50").measure.percentile_list, [50.0, 99.9]);
    assert_eq!(
        job("file_service_type=roundrobin:4").target.file_service,
        FileService::RoundRobin(4)
    );
    assert_eq!(job("file_service_type=random").target.file_service, FileService::Random(1));
    assert_eq!(job("fallocate=1").target.fallocate, Fallocate::Posix);
    assert_eq!(job("unified_rw_reporting=2").measure.unified_rw, UnifiedRw::Both);
    assert_eq!(job("log_max_value=1").measure.logs.window, LogWindow::Max);
    assert_eq!(job("clocksource=cpu").measure.clocksource, JobClock::Cpu);
    assert_eq!(job("buffer_pattern=0xdeadbeef").buffers.pattern, [0xde, 0xad, 0xbe, 0xef]);
    let errors = job("continue_on_error=1 ignore_error=EIO:ENOSPC,5").errors;
    assert!(errors.continue_on.read && errors.continue_on.write && errors.continue_on.verify);
    assert_eq!(errors.ignore.read, [5, 28]);
    assert_eq!(errors.ignore.write, [5]);
    let reduced = job("gtod_reduce=1 disable_lat=0").measure;
    assert!(!reduced.disable_lat && reduced.disable_clat);
    assert!(job("gtod_reduce=1 gtod_reduce=0").measure.is_untimed(), "as in fio 3.33");
}

#[test]
fn jobs_made_by_hand() {
    let job = fathom_job::job_from_options(
        "lat",
        &[("rw", "randread"), ("time_based", ""), ("runtime", "5")],
    )
    .unwrap();
    assert_eq!((job.name.as_str(), job.extent.time_based), ("lat", true));
    for (name, options) in
        [("global", ("bs", "4k")), ("a]", ("bs", "4k")), ("a", ("bs", "4\nk")), ("a", ("bz", "1"))]
    {
        let error = fathom_job::job_from_options(name, &[options]).unwrap_err();
        assert_eq!(error.origin.to_string(), "built-in job");
    }
}
