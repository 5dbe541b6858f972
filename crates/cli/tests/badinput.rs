//! What a user can get wrong, and what is said about it.
//!
//! Each test holds the words that carry the message (the option, the place, the file, the number
//! that would work), the exit code, that nothing panicked, and that a refused run left nothing
//! behind. Runs that fail in the middle keep what they measured.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::devices::{DeviceCounters, LoopDevice, Mount, need, root, tool};
use crate::sandbox::{Outcome, Sandbox, parse_document};

/// Runs the line, wants a refusal with these words, and nothing new in the folder.
fn refused(sandbox: &Sandbox, line: &str, words: &[&str]) -> Outcome {
    let before = sandbox.files();
    let outcome = sandbox.run(line);
    outcome.assert_refused(words);
    assert_eq!(sandbox.files(), before, "{}", outcome.describe("left something behind"));
    outcome
}

#[test]
fn a_misspelt_option_gets_the_nearest_name() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "--name=a --blocksizze=4k --size=1m", &["blocksizze", "blocksize"]);
    refused(&sandbox, "--name=a --rate_iop=5 --size=1m", &["rate_iop", "rate_iops"]);
}

#[test]
fn a_misspelt_option_in_a_job_file_is_found_at_its_line() {
    let sandbox = Sandbox::new();
    sandbox.write("typo.fio", "[global]\nsize=1m\n\n[a]\nblocksizze=4k\n");
    refused(&sandbox, "typo.fio", &["typo.fio:5", "blocksizze", "blocksize"]);
}

#[test]
fn a_value_out_of_range_is_told_its_range() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "--name=a --size=1m --iodepth=0", &["iodepth", "0", "1"]);
    refused(&sandbox, "--name=a --size=1m --rwmixread=150", &["rwmixread", "150", "100"]);
    sandbox.write("range.fio", "[a]\nsize=1m\nrwmixread=150\n");
    refused(&sandbox, "range.fio", &["range.fio:3", "rwmixread", "150", "100"]);
}

#[test]
fn a_value_of_the_wrong_kind_is_named() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "--name=a --size=1m --runtime=abc", &["runtime", "abc"]);
    refused(&sandbox, "--name=a --size=1m --rw=sideways", &["rw", "sideways", "randread"]);
    refused(&sandbox, "--name=a --size=1m --bs=4q", &["bs", "4q"]);
}

#[test]
fn size_zero_is_refused() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "--name=a --size=0", &["size"]);
    refused(&sandbox, "--name=fresh --rw=write", &["size"]);
}

#[test]
fn a_mounted_device_is_no_target_for_writes() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 32 << 20)) else { return };
    let point = sandbox.root().join("mounted");
    let Some(mount) = need(Mount::format("ext4", &device, &point)) else { return };
    let Some(_) = need(tool("mount", &["-o", "remount,ro", &mount.point.display().to_string()]))
    else {
        return;
    };
    let before = DeviceCounters::read(&device.name());
    let line = format!("--name=a --filename={} --rw=randwrite --size=1m", device.text());
    refused(&sandbox, &line, &["mounted", &device.text()]);
    let after = DeviceCounters::read(&device.name()).since(before);
    assert_eq!(after.written_sectors, 0, "the mounted device was written to");

    let reading = format!("--name=a --filename={} --rw=randread --size=1m", device.text());
    sandbox.run(&reading).assert_success();
}

#[test]
fn a_partitioned_device_is_no_target_for_writes() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 32 << 20)) else { return };
    // Told to the kernel, as not every kernel reads partition tables itself.
    let Some(_) = need(tool("addpart", &[&device.text(), "1", "2048", "4096"])) else { return };
    let before = fs::read(&device.backing).unwrap();
    let line = format!("--name=a --filename={} --rw=write --size=1m", device.text());
    refused(&sandbox, &line, &["partition", &device.text()]);
    let after = fs::read(&device.backing).unwrap();
    let _ = tool("delpart", &[&device.text(), "1"]);
    assert!(after == before, "the partitioned device was written to");
}

#[test]
fn a_missing_folder_is_named() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "--name=a --size=1m --directory=nowhere", &["nowhere"]);
    // Folders in a file's name are made, as fio does; where a file is in the way, that is said.
    sandbox.write("taken", "no folder");
    refused(&sandbox, "--name=a --size=1m --filename=taken/file", &["taken"]);
}

#[test]
fn no_permission_is_said_with_the_path() {
    let sandbox = Sandbox::new();
    if need(root()).is_none() {
        return;
    }
    let secret = sandbox.write("secret", vec![1; 1 << 20]);
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    let as_nobody = |line: &str| {
        let fio = sandbox.fio().display().to_string();
        let mut args = vec!["--reuid=65534", "--regid=65534", "--clear-groups", &fio];
        args.extend(line.split_whitespace());
        sandbox.start_program("setpriv", &args).finish()
    };
    let version = as_nobody("--version");
    let probe = version.success().map_err(|why| format!("another user cannot run it: {why}"));
    if need(probe).is_none() {
        return;
    }
    let reading = as_nobody("--name=a --filename=secret --size=1m");
    reading.assert_refused(&["secret", "permission denied"]);
    let writing = as_nobody("--name=fresh --rw=write --size=1m");
    writing.assert_refused(&["fresh", "permission denied"]);
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o444)).unwrap();
    let overwriting = as_nobody("--name=a --filename=secret --rw=write --size=1m");
    overwriting.assert_refused(&["secret", "permission denied"]);
    assert!(overwriting.stdout.contains("err=13"), "{}", overwriting.describe("EACCES"));
    assert_eq!(sandbox.files(), [("secret".to_owned(), 1 << 20)]);
    assert_eq!(fs::read(&secret).unwrap(), vec![1; 1 << 20]);
}

#[test]
fn a_full_disk_in_mid_run_keeps_what_was_measured() {
    let sandbox = Sandbox::new();
    let small = sandbox.root().join("small");
    let Some(_mount) = need(Mount::new(&["-t", "tmpfs", "-o", "size=8m", "none"], &small)) else {
        return;
    };
    let line = format!(
        "--name=full --filename={}/f --rw=write --bs=64k --size=32m --fallocate=none \
         --output-format=json --output=full.json",
        small.display()
    );
    let outcome = sandbox.run(&line);
    outcome.assert_refused(&["no space left"]);
    let document = parse_document(&fs::read_to_string(sandbox.work().join("full.json")).unwrap());
    let job = &document.unwrap_or_else(|why| panic!("{}", outcome.describe(&why)))["jobs"][0];
    assert_eq!(job["error"], 28, "{job}");
    let written = job["write"]["io_bytes"].as_u64().unwrap();
    assert!((7 << 20..=8 << 20).contains(&written), "{written} bytes of 8 MiB");
}

#[test]
fn a_disk_too_small_to_lay_a_file_out_on_is_said_before_the_run() {
    let sandbox = Sandbox::new();
    let small = sandbox.root().join("small");
    let Some(_mount) = need(Mount::new(&["-t", "tmpfs", "-o", "size=8m", "none"], &small)) else {
        return;
    };
    let line = format!("--name=full --filename={}/f --rw=read --size=32m", small.display());
    refused(&sandbox, &line, &["space", &small.display().to_string()]);
}

#[test]
fn direct_io_where_the_file_system_has_none() {
    let sandbox = Sandbox::new();
    // ramfs has no way to do it; tmpfs does since Linux 6.6.
    let point = sandbox.root().join("ramfs");
    let Some(_mount) = need(Mount::new(&["-t", "ramfs", "none"], &point)) else { return };
    let path = format!("{}/f", point.display());
    for engine in ["psync", "libaio", "io_uring"] {
        let line = format!(
            "--name=a --filename={path} --rw=write --size=1m --direct=1 --ioengine={engine}"
        );
        refused(&sandbox, &line, &["direct", &path]);
    }
}

#[test]
fn a_block_size_that_is_not_aligned_is_told_the_one_that_is() {
    let sandbox = Sandbox::new();
    let image = sandbox.root().join("big_sectors.img");
    fs::File::create(&image).unwrap().set_len(16 << 20).unwrap();
    let options = ["--direct-io=on", "--sector-size=4096"];
    let Some(device) = need(LoopDevice::with_options(&image, &options)) else { return };
    for engine in ["psync", "libaio", "io_uring"] {
        let line = format!(
            "--name=a --filename={} --bs=512 --size=1m --direct=1 --ioengine={engine}",
            device.text()
        );
        refused(&sandbox, &line, &["4096", "512", &device.text()]);
    }
}

#[test]
fn a_block_size_that_is_not_aligned_in_a_file() {
    let sandbox = Sandbox::new();
    sandbox
        .run("--name=a --rw=read --bs=1000 --direct=1 --size=1m")
        .assert_refused(&["1000", "512"]);
}

#[test]
fn a_binary_job_file_is_refused_and_not_repeated() {
    let sandbox = Sandbox::new();
    let noise: Vec<u8> =
        (0..200_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    sandbox.write("noise.fio", noise);
    let outcome = refused(&sandbox, "noise.fio", &["noise.fio"]);
    assert!(outcome.stderr.len() < 4096, "{} bytes of message", outcome.stderr.len());
    assert!(!outcome.stderr.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
}

#[test]
fn a_job_file_of_ten_megabytes() {
    let sandbox = Sandbox::new();
    let mut long = b"[a]\nrw=read\nsize=1m\nfilename=".to_vec();
    long.extend(vec![b'x'; 10_000_000]);
    sandbox.write("long.fio", long);
    let outcome = refused(&sandbox, "long.fio", &["long.fio"]);
    assert!(outcome.stderr.len() < 4096, "{} bytes of message", outcome.stderr.len());

    // Many lines are no mistake as such; whatever becomes of them, it is said in an orderly way.
    let many = "# padding, padding, padding\n".repeat(360_000) + "[a]\nrw=read\nsize=1m\n";
    sandbox.write("many.fio", many);
    let outcome = sandbox.run("many.fio");
    match outcome.code {
        Some(0) => outcome.assert_success(),
        _ => outcome.assert_refused(&["many.fio"]),
    };
}

#[test]
fn a_job_file_that_includes_itself() {
    let sandbox = Sandbox::new();
    sandbox.write("round.fio", "[global]\nsize=1m\ninclude round.fio\n[a]\nrw=read\n");
    refused(&sandbox, "round.fio", &["round.fio", "include"]);
    sandbox.write("there.fio", "[global]\ninclude back.fio\n[a]\nrw=read\nsize=1m\n");
    sandbox.write("back.fio", "include there.fio\n");
    refused(&sandbox, "there.fio", &["include", "back.fio"]);
}

#[test]
fn a_missing_job_file_is_named() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "absent.fio", &["absent.fio", "no such file"]);
    sandbox.write("main.fio", "[global]\ninclude absent.fio\n[a]\nrw=read\nsize=1m\n");
    refused(&sandbox, "main.fio", &["absent.fio", "main.fio:2"]);
}

#[test]
fn a_job_file_without_a_job() {
    let sandbox = Sandbox::new();
    sandbox.write("empty.fio", "");
    refused(&sandbox, "empty.fio", &["job"]);
    sandbox.write("defaults.fio", "[global]\nbs=4k\n");
    refused(&sandbox, "defaults.fio", &["job"]);
    sandbox.write("stray.fio", "bs=4k\n[a]\nsize=1m\n");
    refused(&sandbox, "stray.fio", &["stray.fio:1"]);
}

#[test]
fn output_into_a_folder_that_is_not_there() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "--name=a --size=1m --output=nowhere/out.txt", &["nowhere/out.txt"]);
}

#[test]
fn an_output_format_that_is_not_there() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "--name=a --size=1m --output-format=bogus", &["bogus", "json"]);
}

#[test]
fn engines_that_are_not_there() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "--name=a --size=1m --ioengine=bogus", &["bogus", "engine"]);
    // One of fio's that Fathom does not have is not called a spelling mistake.
    refused(&sandbox, "--name=a --size=1m --ioengine=rados", &["rados"]);
}

#[test]
fn options_that_are_not_there_yet_are_refused_by_their_name() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "--name=a --size=1m --rw=write --zonemode=zbd", &["zonemode"]);
}

#[test]
fn readonly_refuses_a_job_that_writes() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "--name=w --size=1m --rw=write --readonly", &["read", "write"]);
    refused(&sandbox, "--readonly --name=w --size=1m --rw=randrw", &["read", "write"]);
}

#[test]
fn an_io_error_keeps_what_was_measured() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 16 << 20)) else { return };
    // The device stays as large as it was; behind it the second half is gone.
    fs::File::options().write(true).open(&device.backing).unwrap().set_len(8 << 20).unwrap();
    for engine in ["psync", "libaio", "io_uring"] {
        let line = format!(
            "--name=eio --filename={} --rw=read --bs=4k --direct=1 --ioengine={engine} \
             --output-format=json --output=eio.json",
            device.text()
        );
        let outcome = sandbox.run(&line);
        outcome.assert_refused(&["input/output error", &device.text(), "8388608"]);
        let text = fs::read_to_string(sandbox.work().join("eio.json")).unwrap();
        let document = parse_document(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let job = &document["jobs"][0];
        assert_eq!(job["error"], 5, "{engine}: {job}");
        assert_eq!(job["read"]["io_bytes"], 8 << 20, "{engine}");
        assert_eq!(job["read"]["clat_ns"]["N"], 2048, "{engine}");
    }
}

#[test]
fn an_io_error_that_was_asked_to_be_passed_over() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 4 << 20)) else { return };
    fs::File::options().write(true).open(&device.backing).unwrap().set_len(3 << 20).unwrap();
    let line = format!(
        "--name=eio --filename={} --rw=read --bs=64k --direct=1 --continue_on_error=read \
         --output-format=json --output=eio.json",
        device.text()
    );
    let outcome = sandbox.run(&line);
    outcome.assert_no_panic();
    let text = fs::read_to_string(sandbox.work().join("eio.json")).unwrap();
    let document = parse_document(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let job = &document["jobs"][0];
    assert_eq!(job["total_err"], 16, "{job}");
    assert_eq!(job["first_error"], 5, "{job}");
}

/// fio's "refusing extend of file due to read-only": its exit code, and the file as it was.
#[test]
fn nothing_is_made_or_extended_under_readonly() {
    let sandbox = Sandbox::new();
    sandbox.write("short", "AAAA");
    sandbox.write("whole", [7; 65_536]);
    let before = sandbox.files();
    let read = "--readonly --rw=read --size=64k";
    let create = ["refusing create of file due to read-only", "gone"];
    let extend = ["refusing extend of file due to read-only", "short", "4 bytes of 65536"];
    for more in ["", "--ioengine=mmap", "--create_only=1", "--create_on_open=1"] {
        refused(&sandbox, &format!("{read} --name=x --filename=gone {more}"), &create);
    }
    refused(&sandbox, &format!("{read} --name=x --filename=below/gone"), &create);
    assert!(!sandbox.work().join("below").exists());
    refused(&sandbox, &format!("{read} --name=x --filename=short"), &extend);
    assert_eq!(fs::read(sandbox.work().join("short")).unwrap(), b"AAAA");
    refused(&sandbox, "--readonly --name=x --filename=whole --rw=write --size=64k", &["read-only"]);
    for dry in ["", "--dry-run", "--no-record"] {
        let run = sandbox.fathom(&format!("run {dry} {read} --name=x --filename=short"));
        run.assert_refused(&extend);
        assert_eq!(sandbox.files(), before, "{}", run.describe("left something behind"));
    }
    sandbox.run(&format!("{read} --name=x --filename=whole")).assert_success();
    // Only the job fails that would write.
    let both = sandbox.run(&format!(
        "{read} --output-format=json --name=x --filename=gone --name=y --filename=whole"
    ));
    both.assert_refused(&create);
    let jobs = parse_document(&both.stdout).unwrap();
    assert_eq!((&jobs["jobs"][0]["error"], &jobs["jobs"][1]["error"]), (&2.into(), &0.into()));
    assert_eq!(jobs["jobs"][1]["read"]["io_bytes"], 65_536);
    assert_eq!(sandbox.files(), before);
}

#[test]
fn processors_that_the_machine_does_not_have_are_refused() {
    let sandbox = Sandbox::new();
    let job = "--name=x --rw=write --size=64k";
    let cases = [
        ("--cpus_allowed=0-4000", "too large (max="),
        ("--cpus_allowed=60000", "too large (max="),
        ("--numa_cpu_nodes=999", "NUMA node 999"),
        ("--numa_mem_policy=bind:999", "NUMA node 999"),
        ("--numa_mem_policy=interleave:0-999", "NUMA node"),
        ("--numa_mem_policy=prefer:999", "NUMA node 999"),
        ("--numa_mem_policy=bind", "a list of nodes is needed"),
        ("--numa_mem_policy=prefer:0-1", "one node"),
        ("--numa_mem_policy=local:0", "takes no nodes"),
    ];
    for (option, words) in cases {
        refused(&sandbox, &format!("{job} {option}"), &[words]);
    }
    sandbox.run(&format!("{job} --numa_mem_policy=default --cpus_allowed=0")).assert_success();
}

#[test]
fn memory_comes_from_the_nodes_that_were_asked_for() {
    let sandbox = Sandbox::new();
    let Some(_) = need(tool("strace", &["-V"])) else { return };
    let one_node = "/sys/devices/system/node/node0".to_owned();
    let here = fs::metadata(&one_node).map_err(|e| format!("{one_node}: {e}"));
    let Some(_) = need(here) else { return };
    for (policy, call) in [("bind:0", "MPOL_BIND"), ("local", "MPOL_LOCAL")] {
        let fio = sandbox.fio().display().to_string();
        let option = format!("--numa_mem_policy={policy}");
        let args = ["-f", "-e", "trace=set_mempolicy", &fio, "--name=x", "--size=4k", &option];
        let traced = sandbox.start_program("strace", &args).finish();
        let set = traced.stderr.lines().any(|line| line.contains(call) && line.ends_with("= 0"));
        assert!(set, "{}", traced.describe(policy));
    }
}

/// fio lays nothing out then: a read finds an empty file, and a write leaves what it wrote.
#[test]
fn files_that_are_made_on_open_are_not_laid_out() {
    let sandbox = Sandbox::new();
    let job = "--name=x --size=64k --create_on_open=1";
    let left = || fs::metadata(sandbox.work().join("a/f")).map(|of| of.len()).ok();
    sandbox.run(&format!("{job} --rw=write --filename=a/f --create_only=1")).assert_success();
    assert_eq!(left(), None);
    sandbox.run(&format!("{job} --rw=write --filename=a/f --io_size=16k")).assert_success();
    assert_eq!(left(), Some(16_384));
    fs::remove_file(sandbox.work().join("a/f")).unwrap();
    sandbox.run(&format!("{job} --rw=read --filename=a/f")).assert_refused(&["a/f", "error"]);
    assert_eq!(left(), Some(0));
}

#[test]
fn a_pipe_or_a_socket_is_refused_rather_than_waited_for() {
    let sandbox = Sandbox::new();
    sandbox.shell("mkfifo pipe").assert_success();
    let _socket = std::os::unix::net::UnixListener::bind(sandbox.work().join("socket")).unwrap();
    for rw in ["read", "write"] {
        let job = format!("--name=x --size=4k --rw={rw}");
        sandbox.run(&format!("{job} --filename=pipe")).assert_refused(&["pipe is a pipe"]);
        sandbox.run(&format!("{job} --filename=socket")).assert_refused(&["is a socket"]);
        let run = sandbox.fathom(&format!("run --no-record {job} --filename=pipe"));
        run.assert_refused(&["pipe is a pipe"]);
    }
    // A job file may be one: a shell's <(…) is.
    sandbox.shell("mkfifo job; printf '[x]\\nrw=write\\nsize=4k\\n' > job & fio job");
    assert_eq!(fs::metadata(sandbox.work().join("x.0.0")).unwrap().len(), 4096);
}

#[test]
fn a_url_is_no_target_in_any_command() {
    let sandbox = Sandbox::new();
    for command in ["measure", "sweep", "compare", "check", "limit", "watch", "doctor"] {
        let export = sandbox.fathom(&format!("{command} nfs://server"));
        export.assert_ended(2);
        assert!(export.stderr.contains("names no export"), "{}", export.stderr);
        let url = sandbox.fathom(&format!("{command} s3://bucket"));
        url.assert_ended(2);
        assert!(url.stderr.contains("'s3://bucket'"), "{}", url.stderr);
    }
    assert_eq!(sandbox.files(), []);
}

#[test]
fn a_flush_that_fails_has_no_length() {
    let sandbox = Sandbox::new();
    let run = sandbox.run("--name=x --filename=/dev/null --rw=write --size=16k --fsync=1");
    run.assert_refused(&["io_u error on file /dev/null", "sync offset=0, buflen=0"]);
}

#[test]
fn words_of_a_file_service_that_is_not_there_are_its_own() {
    let sandbox = Sandbox::new();
    let line = "--name=x --size=4k --file_service_type=zipf:1.2";
    let run = refused(&sandbox, line, &["popular files are not there yet"]);
    assert!(!run.stderr.contains("count"), "{}", run.describe("a count has no part in it"));
}

#[test]
fn a_section_may_have_brackets_in_its_name() {
    let sandbox = Sandbox::new();
    sandbox.write("job", "[a]b]\nrw=write\nsize=4k\n");
    sandbox.run("job").assert_success();
    assert!(sandbox.work().join("a]b.0.0").exists());
}

#[test]
fn threads_that_cannot_be_had_are_told() {
    let sandbox = Sandbox::new();
    let many = "--max-jobs=1000000 --numjobs=100000 --name=x --ioengine=null --size=4k";
    refused(&sandbox, many, &["vm.max_map_count", "100000 jobs"]);
    let Some(()) = need(root()) else { return };
    // As a user of its own that nobody else is, so that only these threads count. Who that is
    // changes last: the binary may lie where only root comes.
    let as_user = "setpriv --reuid=61234 --regid=61234 --clear-groups";
    let Some(_) = need(tool("setpriv", &["--version"])) else { return };
    let run = sandbox.shell(&format!(
        "exec prlimit --nproc=3 {as_user} fio --name=x --ioengine=null --size=4k --numjobs=8 \
         --output-format=json"
    ));
    run.assert_refused(&["cannot start a thread", "ulimit -u"]);
    let jobs = run.json()["jobs"].as_array().unwrap().clone();
    assert!(jobs.iter().any(|job| job["error"] == 11), "{}", run.describe("EAGAIN"));
}

#[test]
fn limits_of_the_process_are_told() {
    let sandbox = Sandbox::new();
    let large = "fio --name=x --size=1m --rw=write --fallocate=none";
    let run = sandbox.shell(&format!("ulimit -f 100; exec {large}"));
    run.assert_refused(&["File too large"]);
    assert!(run.stdout.contains("err=27"), "{}", run.describe("EFBIG"));
    let endless = "fio --name=x --size=1m --ioengine=null --time_based --runtime=80";
    let run = sandbox.shell(&format!("ulimit -S -t 1; exec {endless}"));
    run.assert_refused(&["the CPU time limit (ulimit -t) ends this run"]);
    assert!(run.stdout.contains("IOPS="), "{}", run.describe("the results so far"));
}
