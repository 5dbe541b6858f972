//! Commands and job files that people run: cases.md and vendor_commands.md, in short.

#![allow(clippy::unwrap_used)] // Helpers of tests, which the lint does not see as tests.

use crate::support::{cli, cli_with, file};
use fathom_job::{BlockSize, Fallocate, JobSize, JobSpec};
use fathom_vocab::IoEngine;

const GIB: u64 = 1 << 30;

fn only(line: &str) -> JobSpec {
    let invocation = cli(line);
    assert_eq!(invocation.jobs.len(), 1, "{line}");
    assert!(invocation.warnings.is_empty(), "{line}: {:?}", invocation.warnings);
    invocation.jobs.into_iter().next().unwrap()
}

/// Seconds of runtime.
fn seconds(job: &JobSpec) -> u64 {
    assert!(job.extent.runtime_us.is_multiple_of(1_000_000));
    job.extent.runtime_us / 1_000_000
}

#[test]
fn case_a_and_aws() {
    for rw in ["randread", "randwrite"] {
        let job = only(&format!(
            "--directory=/mnt/hdd --name hdd-test --direct=1 --rw={rw} --bs=4k --size=1G --numjobs=10 \
             --time_based --runtime=180 --group_reporting --norandommap"
        ));
        assert_eq!(job.name, "hdd-test");
        assert_eq!(job.target.size, Some(JobSize::Bytes(GIB)));
        assert!(job.engine.direct && job.pattern.norandommap && job.process.group_reporting);
        assert_eq!((job.process.numjobs, seconds(&job)), (10, 180));
        assert_eq!(job.engine.engine, IoEngine::usual());
        assert_eq!(job.pattern.rw.read, rw == "randread");
        assert!(job.pattern.rw.random && job.extent.time_based);
        assert_eq!(job.inherited.len(), 1, "--directory stands before --name");
    }
}

#[test]
fn case_b_from_a_config_map() {
    let text = "[global]\nrw=randrw\nrwmixread=100\nbs=4k\nioengine=libaio\niodepth=16\nnumjobs=16\n\
                direct=1\nsize=1g\nruntime=120\ntime_based\ngroup_reporting\n[job]\n";
    let invocation =
        cli_with("/configs/fio.job --output=randwrite.out", &[("/configs/fio.job", text)]);
    assert_eq!(invocation.settings.output, Some("randwrite.out".into()));
    let job = &invocation.jobs[0];
    assert_eq!((job.pattern.rwmixread, job.engine.iodepth, job.process.numjobs), (100, 16, 16));
    assert!(job.pattern.rw.read && job.pattern.rw.write && job.pattern.rw.random);
    assert_eq!(invocation.global_options.len(), 11);
}

#[test]
fn case_c_and_google_netapp() {
    let common = "--size=10g --fallocate=none --direct=1 --runtime=60 --time_based --ramp_time=5";
    let job = only(&format!(
        "{common} --directory=/netapp --ioengine=libaio --rw=read --bs=64k --iodepth=32 --numjobs=16 \
         --name=throughput"
    ));
    assert_eq!(job.target.fallocate, Fallocate::None);
    assert_eq!(job.extent.ramp_time_us, 5_000_000);
    assert_eq!(job.pattern.bs.read, BlockSize::Fixed(65536));
    assert!(!job.pattern.rw.random && job.pattern.rw.read);
}

#[test]
fn case_d_of_kubestr() {
    let jobs = file(
        "[global]\nioengine=libaio\ndirect=1\nbs=4k\nruntime=120\ntime_based=1\niodepth=16\n\
         numjobs=16\ngroup_reporting\nsize=1g\nrw=randrw\nrwmixread=0\nrwmixwrite=100\n[write]\n",
    );
    assert_eq!((jobs[0].pattern.rwmixread, jobs[0].name.as_str()), (0, "write"));
    assert!(jobs[0].extent.time_based);
}

#[test]
fn azure_takes_a_default_beside_a_file() {
    let text = "[global]\nsize=30g\ndirect=1\niodepth=128\nioengine=libaio\nbs=4k\nnumjobs=4\n\
                [reader1]\nrw=randread\ndirectory=/mnt/readcache\n\
                [writer1]\nrw=randwrite\ndirectory=/mnt/nocache\nrate_iops=3200\n";
    let invocation = cli_with("--runtime 30 fioreadwrite.ini", &[("fioreadwrite.ini", text)]);
    assert_eq!(invocation.jobs.len(), 2);
    assert!(invocation.jobs.iter().all(|job| seconds(job) == 30 && job.process.numjobs == 4));
    assert_eq!(invocation.jobs[1].pace.rate_iops.write, 3200);
    assert_eq!(invocation.jobs[0].pace.rate_iops.read, 0);
    let job = only(
        "--name=8krandomreads  --rw=randread  --direct=1 --ioengine=libaio --bs=8k  --numjobs=4 \
         --iodepth=128 --size=4G --runtime=600 --group_reporting",
    );
    assert_eq!(job.pattern.bs.trim, BlockSize::Fixed(8192));
}

#[test]
fn google_disks() {
    let job = only(
        "--name=write_throughput --directory=/mnt/x --numjobs=16 --size=10G --time_based --runtime=5m \
         --ramp_time=2s --ioengine=libaio --direct=1 --verify=0 --bs=1M --iodepth=64 --rw=write \
         --group_reporting=1 --iodepth_batch_submit=64 --iodepth_batch_complete_max=64",
    );
    assert_eq!((seconds(&job), job.extent.ramp_time_us), (300, 2_000_000));
    assert_eq!((job.engine.batch_submit, job.engine.batch_complete_max), (Some(64), Some(64)));
    assert_eq!(job.pattern.bs.write, BlockSize::Fixed(1 << 20));
    let job = only(
        "--name=write_bandwidth_test --filename=/dev/sdb --filesize=2500G --time_based --ramp_time=2s \
         --runtime=1m --ioengine=libaio --direct=1 --verify=0 --randrepeat=0 --bs=1M --iodepth=64 \
         --rw=write --iodepth_batch_submit=64 --iodepth_batch_complete_max=64 --numjobs=16 --thread \
         --offset_increment=100G",
    );
    assert_eq!(job.target.filesize, Some((2500 * GIB, 2500 * GIB)));
    assert_eq!(job.target.offset_increment, JobSize::Bytes(100 * GIB));
    assert!(job.process.thread && !job.pattern.randrepeat);
}

#[test]
fn google_hyperdisk_has_two_jobs_of_one_kind() {
    for (first, second) in
        [("cpus_allowed=0-3", "cpus_allowed=4-7"), ("numa_cpu_nodes=0", "numa_cpu_nodes=1")]
    {
        let invocation = cli(&format!(
            "--numjobs=8 --size=500G --time_based --runtime=5m --ramp_time=10s --direct=1 --verify=0 \
             --bs=4K --iodepth=256 --rw=randread --iodepth_batch_submit=256 \
             --iodepth_batch_complete_max=256 --group_reporting --output-format=json \
             --filename=/dev/nvme0n2 --ioengine=libaio --name=read_iops --{first} \
             --name=read_iops_2 --{second}"
        ));
        let [a, b] = invocation.jobs.as_slice() else { panic!("two jobs") };
        assert_eq!((a.name.as_str(), b.name.as_str()), ("read_iops", "read_iops_2"));
        assert_eq!(a.given.len(), 2);
        assert_ne!(
            (&a.process.cpus_allowed, &a.process.numa_cpu_nodes),
            (&b.process.cpus_allowed, &b.process.numa_cpu_nodes)
        );
        assert_eq!(a.inherited, b.inherited);
        assert!(invocation.settings.formats.json && !invocation.settings.formats.normal);
    }
}

#[test]
fn aws_job_file() {
    let jobs = file(
        "[global]\nclocksource=clock_gettime\nrandrepeat=0\nruntime=180\noffset_increment=100g\n\
         [sequential-write]\nbs=1M\nioengine=libaio\ndirect=1\niodepth=8\nfilename=/dev/x\ndo_verify=0\n\
         rw=write\nrwmixread=0\nrwmixwrite=100\n\
         [sequential-read]\nbs=1M\nioengine=libaio\ndirect=1\niodepth=8\nfilename=/dev/x\ndo_verify=0\n\
         rw=read\nrwmixread=100\nrwmixwrite=0\n",
    );
    assert_eq!((jobs[0].pattern.rwmixread, jobs[1].pattern.rwmixread), (0, 100));
    assert!(!jobs[1].pattern.randrepeat);
}

#[test]
fn oracle_cloud() {
    let invocation = cli(
        "--filename=/dev/x --direct=1 --rw=randread --bs=4k --ioengine=libaio --iodepth=256 \
         --runtime=120 --numjobs=4 --time_based --group_reporting --name=iops-test-job --eta-newline=1 \
         --readonly",
    );
    assert!(invocation.settings.readonly);
    assert_eq!(invocation.settings.eta_newline_ms, Some(1000));
    let jobs = file(
        "[global]\nbs=4K\niodepth=256\ndirect=1\nioengine=libaio\ngroup_reporting\ntime_based\n\
         runtime=120\nnumjobs=4\nname=raw-randread\nrw=randread\n[job1]\nfilename=/dev/x\n",
    );
    assert_eq!(jobs[0].name, "raw-randread", "a global name= names the job");
    let job = only("--filename=/mnt/f --size=500GB --direct=1 --rw=randrw --bs=256k --name=t");
    assert_eq!(job.target.size, Some(JobSize::Bytes(500 * GIB)));
}

#[test]
fn single_dashes_of_alibaba_and_tencent() {
    let job = only(
        "-direct=1 -iodepth=128 -rw=randwrite -ioengine=libaio -bs=4k -size=1G -numjobs=1 -runtime=1000 \
         -group_reporting -filename=iotest -name=Rand_Write_Testing",
    );
    assert_eq!((job.name.as_str(), job.engine.iodepth), ("Rand_Write_Testing", 128));
    assert_eq!(job.target.filenames, [std::path::PathBuf::from("iotest")]);
    let job = only(
        "-bs=4k -ioengine=libaio -iodepth=1 -direct=1 -rw=randread -time_based -runtime=600 \
         -refill_buffers -norandommap -randrepeat=0 -group_reporting -name=fio-randread-lat --size=10G \
         -filename=/dev/vdb",
    );
    assert!(job.buffers.refill && job.pattern.norandommap && job.extent.time_based);
}

#[test]
fn selectel_ceph_and_etcd() {
    let job = only(
        "--name=test1 --blocksize=4k --rw=randwrite --direct=1 --buffered=0 --ioengine=libaio \
         --iodepth=16 --loops=1000 --runtime=30 --filename=/mnt/nfs/test --size=99G",
    );
    assert_eq!((job.extent.loops, job.engine.direct), (1000, true));
    assert!(job.given.contains(&("bs".into(), Some("4k".into()))), "canonical names");
    let job = only(
        "--rw=write --ioengine=sync --fdatasync=1 --directory=test-data --size=22m --bs=2300 --name=mytest",
    );
    assert_eq!((job.flush.fdatasync_blocks, job.engine.engine), (1, IoEngine::Sync));
    assert_eq!(job.pattern.bs.write, BlockSize::Fixed(2300));
}

#[test]
fn suites_virtual_client_perfkit_dbench_yabs() {
    let job = only(
        "--name=disk_fill --size=500G --numjobs=1 --rw=write --bs=256k --iodepth=64 --ioengine=libaio \
         --direct=1 --overwrite=1 --thread",
    );
    assert!(job.target.overwrite);
    let jobs = file(
        "[global]\nioengine=libaio\ninvalidate=1\ndirect=1\nruntime=10\nramp_time=1\ntime_based\n\
         filename=/dev/x\ndo_verify=0\nverify_fatal=0\ngroup_reporting=1\nrandrepeat=0\n\
         [a]\nstonewall\nrw=read\n[sla]\nstonewall\nrw=randread\nlatency_target=1000\n\
         latency_percentile=99.9\nlatency_window=5000000\nlatency_run=1\npercentile_list=50:99.9\n",
    );
    let target = jobs[1].pace.latency_target.as_ref().unwrap();
    assert_eq!((target.target_us, target.window_us, target.run), (1000, 5_000_000, true));
    assert!((target.percentile - 99.9).abs() < 1e-9);
    assert!(jobs[0].process.stonewall && jobs[0].pace.latency_target.is_none());
    let job = only(
        "--randrepeat=0 --verify=0 --ioengine=libaio --direct=1 --gtod_reduce=1 --name=read_iops \
         --filename=/tmp/fiotest --bs=4K --iodepth=64 --size=2G --readwrite=randread --time_based \
         --ramp_time=2s --runtime=15s",
    );
    let measure = &job.measure;
    assert!(measure.is_untimed() && measure.disable_bw && !measure.clat_percentiles);
    let invocation = cli(
        "--name=rand_rw_4k --ioengine=libaio --rw=randrw --rwmixread=50 --bs=4k --iodepth=64 --numjobs=2 \
         --size=2G --runtime=30 --gtod_reduce=1 --direct=1 --filename=/tmp/test.fio --group_reporting \
         --minimal",
    );
    let formats = invocation.settings.formats;
    assert!(formats.terse && !formats.normal);
    assert_eq!(invocation.settings.terse_version, 3);
}

#[test]
fn engines_of_another_system_are_refused_by_name() {
    for engine in IoEngine::ALL.into_iter().filter(|engine| !engine.is_here()) {
        let (name, instead) = (engine.name(), IoEngine::deep()[0].name());
        let error = crate::support::cli_error(&format!("--ioengine={name} --size=1m --name=a"));
        assert!(
            error.starts_with(&format!("fio: engine {name} not loadable: it is on")),
            "{error}"
        );
        assert!(error.contains(&format!("Use {instead}")), "{error}");
        // A client may have it.
        let file = format!("[a]\nioengine={name}\nsize=1m\n");
        let invocation = crate::support::cli_with("--client=h a.fio", &[("a.fio", &file)]);
        assert_eq!(invocation.clients[0].jobs[0].engine.engine, engine);
    }
}

#[test]
fn names_of_windows_are_taken_with_their_colons() {
    let job = only("--directory=Z\\:\\ --thread --name=a --size=1m");
    assert_eq!(job.target.directories, [std::path::PathBuf::from("Z:\\")]);
    let job = only("--filename=\\\\.\\PhysicalDrive1 --name=a");
    assert_eq!(job.target.filenames, [std::path::PathBuf::from("\\\\.\\PhysicalDrive1")]);
}
