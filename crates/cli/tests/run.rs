//! `fathom run`: what it says before, what a signal leaves. Its verdicts are in `verdicts`.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::devices::memory;
use crate::sandbox::{
    HANG, Outcome, Running, Sandbox, left_in, parse_document, subject, without_breaks,
};

fn start(sandbox: &Sandbox, line: &str) -> Running {
    sandbox.start_fathom(&format!("run {line}"))
}

fn run(sandbox: &Sandbox, line: &str) -> Outcome {
    sandbox.fathom(&format!("run {line}"))
}

/// Waits until there is something in a file.
fn wait_until_written(path: &Path) {
    let began = Instant::now();
    while !fs::metadata(path).is_ok_and(|about| about.len() > 0) {
        assert!(began.elapsed() < HANG, "{} stays empty", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

const JOBS: &str = "\
[global]
size=8m
bs=4k
[reads]
rw=randread
numjobs=2
runtime=3
time_based
ramp_time=1
[writes]
stonewall
rw=write
loops=2
";

#[test]
fn a_command_beside_a_job_that_fails_is_told_and_does_not_fail_the_job() {
    let sandbox = Sandbox::new();
    for command in ["fio", "run"] {
        let line = "--name=p --ioengine=null --size=64k --exec_prerun=false --exec_postrun=false";
        let outcome = sandbox.fathom(&format!("{command} {line}"));
        outcome.assert_ended(0);
        for option in ["exec_prerun", "exec_postrun"] {
            let told = format!("{option}=false ended with exit status: 1");
            assert_eq!(outcome.stdout.contains(&told), command == "run", "{}", outcome.stdout);
        }
    }
}

/// What a command before the job sees of its thread, from which it inherits.
#[test]
fn a_job_has_its_io_priority_and_its_locked_memory() {
    let sandbox = Sandbox::new();
    let look = "exec_prerun=ionice && grep VmLck /proc/$PPID/status";
    let job = |options: &str| {
        sandbox.write("p.fio", format!("[p]\nioengine=null\nsize=64k\n{options}\n{look}\n"));
        sandbox.fathom("fio p.fio").assert_ended(0);
        std::fs::read_to_string(sandbox.work().join("p.prerun.txt")).unwrap()
    };
    let seen = job("prio=3\nlockmem=1m");
    let locked_kib = |seen: &str| -> u64 {
        let mut words = seen.split_whitespace().skip_while(|word| *word != "VmLck:");
        words.nth(1).unwrap().parse().unwrap()
    };
    assert!(seen.starts_with("best-effort: prio 3"), "{seen}");
    let before = locked_kib(&job("prioclass=3"));
    assert!(locked_kib(&seen) >= before + 1024, "{seen}");
    assert!(job("prioclass=3").starts_with("idle"));
}

#[test]
fn a_dry_run_says_all_and_makes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("jobs.fio", JOBS);
    let outcome = run(&sandbox, "jobs.fio --dry-run");
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    let said = without_breaks(&outcome.stdout);
    for words in [
        "reads: 2 jobs of randread, 4 KiB, psync, QD 1",
        "files reads.0.0 and 1 more, 16 MiB to work on; 16 MiB would be laid out first",
        "time 4 s, of which 1 s are not counted writes nothing",
        "files writes.0.0, 8 MiB to work on; 8 MiB would be reserved and not filled",
        "begins when all jobs before it are over: after 4 s",
        "writes 16 MiB at most",
        "Time not known: some jobs take what the device takes, and the time to write 16 MiB.",
        "Writes 16 MiB to lay files out, then 16 MiB at most.",
    ] {
        assert!(said.contains(words), "{words:?} is missing:\n{}", outcome.stdout);
    }
    let left = fs::read_dir(sandbox.work()).unwrap().count();
    assert_eq!(left, 1, "only the job file was there");
    assert!(!sandbox.home().exists(), "nothing is kept");
}

#[test]
fn the_plan_names_what_is_written_over() {
    let sandbox = Sandbox::new();
    let line = |rw: &str, file: &str| {
        let job = format!("--name=x --rw={rw} --bs=4k --size=1m --filename={file} --no-record -n");
        without_breaks(&run(&sandbox, &job).stdout)
    };
    sandbox.write("data.bin", "x".repeat(1 << 20));
    let writes = line("randwrite", "data.bin");
    assert!(writes.contains("Writes 1 MiB at most, over the data of data.bin."), "{writes}");
    let new = line("randwrite", "new.bin");
    assert!(new.contains("Writes 1 MiB at most."), "{new}");
    let reads = line("randread", "data.bin");
    assert!(reads.contains("Writes nothing."), "{reads}");
    let korean = line("randwrite", "data.bin --lang ko");
    assert!(korean.contains("data.bin의 기존 데이터를 덮어씁니다."), "{korean}");
}

/// What a dry run foresees is what a run does.
#[test]
fn the_files_are_those_of_the_run() {
    let sandbox = Sandbox::new();
    let jobs = "--name=x --rw=rw --bs=4k --size=1m --nrfiles=2 --directory=. --no-record";
    let said = without_breaks(&run(&sandbox, &format!("{jobs} -n")).stdout);
    assert!(said.contains("./x.0.0 and 1 more, 1 MiB to work on; 1 MiB would be laid"), "{said}");
    assert_eq!(run(&sandbox, jobs).code, Some(0));
    let sizes =
        ["x.0.0", "x.0.1"].map(|name| fs::metadata(sandbox.work().join(name)).unwrap().len());
    assert_eq!(sizes, [1 << 19, 1 << 19]);
    let said = without_breaks(&run(&sandbox, &format!("{jobs} -n")).stdout);
    assert!(said.contains("./x.0.0 and 1 more, 1 MiB to work on on"), "{said}");
}

#[test]
fn a_dry_run_refuses_what_a_run_would() {
    let sandbox = Sandbox::new();
    let outcome = run(&sandbox, "--dry-run --name=x --directory=gone --size=1m");
    assert_eq!(outcome.code, Some(1), "{}", outcome.describe("exit code"));
    assert!(outcome.stderr.contains("gone is not a directory"), "{}", outcome.stderr);
    // A pipeline reads no remark.
    let outcome = run(&sandbox, "--dry-run --name=x --rw=write --size=900t");
    assert_eq!(outcome.code, Some(1), "{}", outcome.describe("exit code"));
    let said = without_breaks(&outcome.stdout);
    assert!(said.contains("for want of space"), "{said}");
}

#[test]
fn a_failure_is_told_without_the_drop_in_s_name() {
    let sandbox = Sandbox::new();
    let line = "--name=x --filename=/proc/self/status --rw=read --size=4k --bs=4k";
    let outcome = run(&sandbox, line);
    let said = without_breaks(&(outcome.stdout.clone() + &outcome.stderr));
    // Only root may open it, and can write nothing to it.
    assert!(said.contains("fathom: /proc/self/status: "), "{said}");
    assert!(said.contains("FAILED: /proc/self/status: "), "{said}");
    assert!(!said.contains("fio: ") && !said.contains("want of space"), "{said}");
    assert_eq!(said.matches("/proc/self/status: ").count(), 2, "{said}");
    // The drop-in speaks as fio does, once.
    let outcome = sandbox.fathom(&format!("fio {line}"));
    let first = outcome.stderr.lines().next().unwrap_or_default();
    assert!(first.starts_with("fio: /proc/self/status: "), "{first}");
}

#[test]
fn a_signal_keeps_the_document_and_is_the_exit_code() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let sandbox = Sandbox::new();
        let line = "--json --name=x --filename=x --rw=write --bs=4k --size=4m --fallocate=none \
                    --rate_iops=500 --time_based --runtime=60";
        let running = start(&sandbox, line);
        // Nothing reserves the file, so that its first bytes are the job's own.
        let file = sandbox.work().join("x");
        wait_until_written(&file);
        running.signal(signal);
        let outcome = running.finish();
        outcome.assert_no_panic();
        assert_eq!(outcome.code, Some(code), "{}", outcome.describe("exit code"));
        let document = parse_document(&outcome.stdout).unwrap();
        assert_eq!(document["interrupted"], true);
        let ios = document["result"]["jobs"][0]["dirs"]["write"]["total_ios"].as_u64();
        assert!(ios.is_some_and(|ios| ios > 0), "{ios:?}");
    }
}

/// Where the engine completes each I/O itself there is nothing but the client.
#[test]
fn a_run_is_held_against_what_one_core_can_drive() {
    let sandbox = Sandbox::new();
    let job = "--name=x --ioengine=null --rw=randread --bs=4k --size=64m --runtime=1 --time_based";
    let outcome = run(&sandbox, &format!("{job} --json --quiet"));
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    let document = parse_document(&outcome.stdout).unwrap();
    let text = document.to_string();
    assert!(text.contains("\"sign\":\"ceiling\""), "{text}");
    assert!(text.contains("\"spare_cores\""), "{text}");
    // Others on the machine decide how near it came; what is said of it is one of these.
    let told = run(&sandbox, &format!("{job} --verdicts --quiet"));
    let said = without_breaks(&told.stdout);
    let client = ["This host was measured, not the volume", "This host may have slowed it down"];
    assert!(client.iter().any(|words| said.contains(words)), "{said}");
}

#[test]
fn a_second_interrupt_while_the_host_is_measured_leaves_no_file() {
    let sandbox = Sandbox::new();
    let scratch = sandbox.root().join("scratch");
    fs::create_dir(&scratch).unwrap();
    let (folder, program) = (format!("TMPDIR={}", scratch.display()), subject());
    let job = "run --name=t --rw=randread --bs=4k --size=8m --time_based --runtime=60";
    let mut args = vec![folder.as_str(), program.to_str().unwrap()];
    args.extend(job.split_whitespace());
    let running = sandbox.start_program("/usr/bin/env", &args);
    let began = Instant::now();
    while left_in(&scratch).is_empty() {
        assert!(began.elapsed() < HANG, "nothing is measured there");
        std::thread::sleep(Duration::from_millis(1));
    }
    // Held still in between, so that both have arrived before it can end of the first.
    for signal in [Signal::STOP, Signal::INT, Signal::TERM, Signal::CONT] {
        running.signal(signal);
    }
    let outcome = running.finish();
    assert_ne!(outcome.code, Some(0), "{}", outcome.describe("an interrupt is no success"));
    assert_eq!(left_in(&scratch), Vec::<String>::new());
}

#[test]
fn what_is_asserted_decides_the_exit_code_and_is_told_to_ci() {
    let sandbox = Sandbox::new();
    let job = "--no-record --name=x --ioengine=null --rw=randread --bs=4k --size=64m \
               --number_ios=2000";
    let kept = run(&sandbox, &format!("{job} --assert p99<60s --assert=read.iops>=1"));
    kept.assert_ended(0);
    assert!(kept.stdout.contains("PASS p99<60s") && kept.stdout.contains("assertions: PASS"));
    let missed = run(&sandbox, &format!("{job} --assert p99<60s --assert iops<1 --junit j.xml"));
    missed.assert_ended(3);
    assert!(missed.stdout.contains("assertions: FAIL (1 of 2 figures)"), "{}", missed.stdout);
    let junit = fs::read_to_string(sandbox.work().join("j.xml")).unwrap();
    assert!(junit.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""), "{junit}");
    let open = run(&sandbox, &format!("{job} --assert p99.999<60s --json"));
    open.assert_ended(5);
    let document = open.json();
    assert_eq!(document["assertions"][0]["outcome"], "undecided");
    assert_eq!(document["assertions"][0]["limit_value"], 60e9);
    assert_eq!(document["assertions"][0]["unit"], "ns");
    assert!(document["assertions"][0]["measured_value"].as_f64().unwrap() > 0.0);
    assert_eq!(document["gate"]["outcome"], "undecided");
    let unasserted = run(&sandbox, &format!("{job} --json")).json();
    assert!(unasserted.get("gate").is_none());
    let ours = subject();
    let github = format!("GITHUB_ACTIONS=true {} run {job} --assert 'iops<1'", ours.display());
    let told = sandbox.shell(&github);
    told.assert_ended(3);
    assert!(told.stderr.contains("::error title=fathom iops<1::measured"), "{}", told.stderr);
    // Nothing is measured for what cannot be said.
    run(&sandbox, &format!("{job} --assert p99<1")).assert_ended(2);
    run(&sandbox, &format!("{job} --junit j.xml")).assert_ended(2);
    fs::write(sandbox.work().join("notes.xml"), "<notes/>").unwrap();
    run(&sandbox, &format!("{job} --assert iops>1 --junit notes.xml")).assert_ended(1);
    assert_eq!(fs::read_to_string(sandbox.work().join("notes.xml")).unwrap(), "<notes/>");
}

#[test]
fn the_history_lists_whether_what_was_asserted_was_kept() {
    let sandbox = Sandbox::new();
    let job = "--name=x --ioengine=null --rw=randread --bs=4k --size=64m --number_ios=2000";
    for (assertion, code, outcome, listed) in [
        ("--assert p99<60s", 0, "promise_kept", "PASS"),
        ("--assert iops<1", 3, "promise_missed", "FAIL"),
        ("--assert p99.999<60s", 5, "undecided", "UNDECIDED"),
        ("", 0, "ran", ""),
    ] {
        run(&sandbox, &format!("{job} {assertion}")).assert_ended(code);
        let list = sandbox.fathom("history list --json --limit 1").json();
        assert_eq!(list["runs"][0]["outcome"], outcome);
        let table = sandbox.fathom("history list --limit 1").stdout;
        assert!(table.contains(listed), "{table}");
    }
}

#[test]
fn a_misspelt_word_is_wrong_usage_and_the_near_one_is_named() {
    let sandbox = Sandbox::new();
    let job = sandbox.write("job.fio", "[x]\nrw=read\nsize=1m\n");
    let job = job.display();
    for (line, said) in [
        (format!("{job} --asert p99<1ms"), "'--asert'. Did you mean --assert?"),
        (format!("{job} --asert p99<1ms --junit j.xml"), "'--asert'. Did you mean --assert?"),
        (format!("{job} --iodpth=1"), "Did you mean iodepth?"),
        (format!("{job} --rw=foo"), "rw=foo"),
        (format!("{job} --output=x"), "use `fathom fio` for it"),
    ] {
        let outcome = run(&sandbox, &line);
        outcome.assert_ended(2);
        assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    }
    run(&sandbox, "gone.fio").assert_ended(1);
    // The drop-in ends as fio does.
    let outcome = sandbox.fathom(&format!("fio {job} --asert p99<1ms"));
    outcome.assert_ended(1);
    assert!(!outcome.stderr.contains("--assert?"), "{}", outcome.stderr);
}

#[test]
fn an_assertion_may_be_about_one_job() {
    let sandbox = Sandbox::new();
    let jobs = "[global]\nioengine=null\nrw=randread\nsize=8m\n[one]\n[two]\nnumjobs=2\n";
    sandbox.write("jobs.fio", jobs);
    let line = "jobs.fio --no-record --quiet --assert one:p99<60s --assert two:iops<1";
    let outcome = run(&sandbox, &format!("{line} --junit j.xml"));
    outcome.assert_ended(3);
    assert!(outcome.stdout.contains("\nPASS one: p99<60s: measured "), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\nFAIL two: iops<1: measured "), "{}", outcome.stdout);
    let junit = fs::read_to_string(sandbox.work().join("j.xml")).unwrap();
    assert!(junit.contains("classname=\"two\" name=\"iops&lt;1\">"), "{junit}");
    let unknown = run(&sandbox, "jobs.fio --assert three:iops>1");
    let words = "--assert three:… is about no job of this run; its jobs are one, two";
    unknown.assert_usage_in_a_sentence(words);
}

#[test]
fn an_assertion_on_ios_that_no_job_makes_is_refused_before_any_is_made() {
    let sandbox = Sandbox::new();
    let jobs = "[global]\nfilename=file\nsize=8m\n[r]\nrw=randread\n[t]\nstonewall\nrw=randwrite\n";
    sandbox.write("jobs.fio", jobs);
    for (asserted, words) in [
        (
            "r:write.p99<1ms",
            "--assert write.p99<1ms: no write is made by r (jobs.fio:4); begin the figure with \
             read., or leave the direction out",
        ),
        (
            "trim.iops>1",
            "made by r (jobs.fio:4), t (jobs.fio:6); begin the figure with read. or write.",
        ),
    ] {
        let outcome = run(&sandbox, &format!("jobs.fio --no-record --quiet --assert {asserted}"));
        outcome.assert_usage_in_a_sentence(words);
        let planned = run(&sandbox, &format!("jobs.fio --dry-run --assert {asserted}"));
        planned.assert_usage_in_a_sentence(words);
    }
    assert_eq!(sandbox.files().iter().filter(|(name, _)| name == "file").count(), 0);
    let line = "jobs.fio --no-record --quiet --assert r:read.iops>0 --assert t:write.iops>0";
    run(&sandbox, line).assert_ended(0);
}

#[test]
fn a_pass_that_memory_served_says_so_in_every_form_for_ci() {
    let Some(folder) = memory() else { return };
    let sandbox = Sandbox::new();
    let global = format!("[global]\ndirectory={}\nsize=8m\nrw=randread", folder.path().display());
    sandbox.write("jobs.fio", format!("{global}\n\n[one]\n[two]\n"));
    let ours = subject();
    let on_github = |lang: &str, asserted: &str| {
        let line = format!("--lang {lang} run jobs.fio --no-record {asserted} --junit j.xml");
        sandbox.shell(&format!("GITHUB_ACTIONS=true {} {line}", ours.display()))
    };
    let kept = on_github("en", "--assert 'iops>1' --assert 'one:p99<60s'");
    kept.assert_ended(0);
    let said = without_breaks(&kept.stdout);
    assert!(
        said.contains("PASS: all 2 assertions hold; memory served reads, not a disk."),
        "{said}"
    );
    let memory = "These reads are memory's and no storage's";
    assert!(said.contains(&format!("! {memory}")), "{said}");
    let junit = fs::read_to_string(sandbox.work().join("j.xml")).unwrap();
    assert_eq!(junit.matches("<system-out>measured ").count(), 2, "{junit}");
    assert_eq!(junit.matches(memory).count(), 2, "{junit}");
    let warning = format!("::warning file=jobs.fio,line=1,title=fathom::{memory}");
    assert_eq!(kept.stderr.matches(&warning).count(), 1, "{}", kept.stderr);
    let annotated = kept.stderr.lines().filter(|line| line.starts_with("::")).count();
    assert!((1..=3).contains(&annotated), "{}", kept.stderr);
    let missed = on_github("ko", "--assert 'two:iops<1' --assert 'iops<1'");
    missed.assert_ended(3);
    assert!(missed.stderr.contains(&warning), "{}", missed.stderr);
    for place in ["line=7,title=fathom iops<1::two: ", "line=1,title=fathom iops<1::measured "] {
        let annotation = format!("::error file=jobs.fio,{place}");
        assert!(missed.stderr.contains(&annotation), "{annotation}\n{}", missed.stderr);
    }
    assert!(missed.stdout.contains("FAIL(미달): 조건 2개 중 2개"), "{}", missed.stdout);
}

#[test]
fn a_case_has_the_warnings_on_its_own_jobs_only() {
    let sandbox = Sandbox::new();
    let mapped = "[mapped]\nioengine=mmap\ndirect=1\nfilename=file\n";
    let other = "[other]\nstonewall\nioengine=null\n";
    sandbox.write("jobs.fio", format!("[global]\nsize=8m\nrw=randread\n{mapped}{other}"));
    let asserted = "--assert mapped:iops>1 --assert other:iops>1";
    run(&sandbox, &format!("jobs.fio --no-record {asserted} --junit j.xml")).assert_ended(0);
    let junit = fs::read_to_string(sandbox.work().join("j.xml")).unwrap();
    let cases: Vec<&str> = junit.split("<testcase ").skip(1).collect();
    let is_warned = |case: &&&str| case.contains("direct has no effect on a mapping");
    let warned: Vec<&&str> = cases.iter().filter(is_warned).collect();
    assert_eq!((cases.len(), warned.len()), (2, 1), "{junit}");
    assert!(warned[0].starts_with("classname=\"mapped\""), "{junit}");
}

#[test]
fn plain_figures_of_each_job_are_in_the_document() {
    let sandbox = Sandbox::new();
    let jobs = "[global]\nioengine=null\nsize=8m\n[one]\nrw=randrw\n[two]\nrw=read\nnumjobs=2\n";
    sandbox.write("jobs.fio", jobs);
    let document = run(&sandbox, "jobs.fio --no-record --json").json();
    let figures = document["figures"].as_array().unwrap();
    let named = figures.iter().map(|of| format!("{} {}", of["job"], of["direction"]));
    let named: Vec<String> = named.map(|name| name.replace('"', "")).collect();
    assert_eq!(named, ["one read", "one write", "two read"]);
    assert_eq!(figures[2]["ios"], 2 * (8 << 20) / 4096);
    for name in ["iops", "bytes_per_s", "mean_ns", "p50_ns", "p99_ns", "p999_ns", "max_ns"] {
        assert!(figures.iter().all(|of| of[name].is_number()), "{name}: {figures:?}");
    }
    let per_io =
        |of: &serde_json::Value| of["bytes_per_s"].as_f64().unwrap() / of["iops"].as_f64().unwrap();
    assert!(figures.iter().all(|of| (per_io(of) - 4096.0).abs() < 1e-3), "{figures:?}");
}

#[test]
fn a_job_that_measures_no_latency_keeps_no_limit_of_it() {
    let sandbox = Sandbox::new();
    let job = "--no-record --name=x --ioengine=null --rw=read --size=8m --gtod_reduce=1";
    let outcome = run(&sandbox, &format!("{job} --assert p99<60s"));
    outcome.assert_ended(5);
    let said = without_breaks(&outcome.stdout);
    assert!(said.contains("UNDECIDED p99<60s: the jobs measure no latency"), "{said}");
}

/// The script of a step of `action.yml`.
fn action_step(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action.yml");
    let action = fs::read_to_string(path).unwrap();
    let step = action.split(&format!("- name: {name}\n")).nth(1).unwrap();
    let script = step.split("run: |\n").nth(1).unwrap();
    script
        .lines()
        .take_while(|line| line.starts_with("        "))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn the_action_writes_a_summary_and_ends_with_the_code_of_the_command() {
    let sandbox = Sandbox::new();
    let script = action_step("Measure");
    let ours = subject();
    // 8 MiB have as many I/Os as a p99 rests on, and more; 4 KiB have one.
    for (limit, size, allowed, code, ends) in [
        ("p99<60s", "8m", "false", 0, 0),
        ("iops<1", "8m", "true", 3, 3),
        ("p99<60s", "4k", "false", 5, 5),
        ("p99<60s", "4k", "true", 5, 0),
    ] {
        let job = format!("run --name=a --filename=t --size={size} --rw=read");
        let command = format!("{job} --assert '{limit}'");
        let set = format!(
            "export FATHOM='{}' FATHOM_COMMAND=\"{command}\" GITHUB_ACTIONS=true\n\
             export ALLOW_UNDECIDED={allowed}\n\
             export GITHUB_STEP_SUMMARY=summary GITHUB_OUTPUT=output\n",
            ours.display()
        );
        let ended = sandbox.shell(&format!("{set}{script}"));
        ended.assert_ended(ends);
        let read = |name: &str| fs::read_to_string(sandbox.work().join(name)).unwrap();
        assert!(read("output").contains(&format!("exit-code={code}\n")), "{}", read("output"));
        assert!(read("summary").contains("| "), "{}", read("summary"));
        assert_eq!(ended.stderr.contains("::error title=fathom iops<1"), code == 3);
    }
}

#[test]
fn the_action_takes_the_binary_of_a_release_and_checks_it() {
    let sandbox = Sandbox::new();
    let script = action_step("Take the release");
    let set = format!(
        "export GITHUB_ACTION_PATH='{}/../..' GITHUB_OUTPUT=$PWD/output HOME=$PWD/home \
         REPOSITORY=file://$PWD RELEASE\n: >output\n",
        env!("CARGO_MANIFEST_DIR")
    );
    let taken = |release: &str, ends: i32| {
        sandbox.shell(&format!("RELEASE={release}\n{set}{script}")).assert_ended(ends);
        fs::read_to_string(sandbox.work().join("output")).unwrap()
    };
    let make = r#"
        folder=releases/download/v0.1.0 name=fathom-storage-$(uname -m)-unknown-linux-musl-v0.1.0
        mkdir -p $folder $name/bin
        echo 'echo fathom 0.1.0' >$name/bin/fathom
        chmod +x $name/bin/fathom
        tar -czf $folder/$name.tar.gz $name
        (cd $folder && sha256sum $name.tar.gz >SHA256SUMS)"#;
    sandbox.shell(make).assert_ended(0);
    assert_eq!(taken("main", 0), "");
    assert_eq!(taken("v9.0.0", 0), "");
    assert!(taken("v0.1.0", 0).ends_with("/home/.cargo/bin/fathom\n"));
    sandbox.shell("sed -i 's/^./x/' releases/download/v0.1.0/SHA256SUMS").assert_ended(0);
    assert_eq!(taken("v0.1.0", 3), "");
}

#[test]
fn the_action_names_a_build_by_its_source() {
    let sandbox = Sandbox::new();
    let folder = sandbox.work();
    for file in ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", "crates/cli/src/main.rs"] {
        fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
        fs::write(folder.join(file), file).unwrap();
    }
    let script = action_step("Name the build");
    let set = "export GITHUB_ACTION_PATH=$PWD GITHUB_OUTPUT=$PWD/output RUNNER_OS=Linux \
               RUNNER_ARCH=X64; rm -f output\n";
    let key = || {
        sandbox.shell(&format!("{set}{script}")).assert_ended(0);
        fs::read_to_string(folder.join("output")).unwrap()
    };
    let first = key();
    assert!(first.starts_with("key=fathom-Linux-X64-") && first.len() == 38, "{first}");
    assert_eq!(key(), first);
    fs::write(folder.join("crates/cli/src/main.rs"), "changed").unwrap();
    assert_ne!(key(), first);
}

#[test]
fn a_job_that_failed_is_an_error_and_no_question_of_evidence() {
    let sandbox = Sandbox::new();
    // Nobody can make a file there.
    let job = "--name=a --filename=/proc/none --size=4k --rw=read --assert iops>1 --junit j.xml";
    let ended = run(&sandbox, job);
    ended.assert_ended(1);
    let xml = fs::read_to_string(sandbox.work().join("j.xml")).unwrap();
    assert!(xml.contains("errors=\"1\"") && xml.contains("<error message=\"job a failed"), "{xml}");
    assert!(ended.stdout.contains("FAILED: "), "{}", ended.stdout);
    assert!(!ended.stdout.contains("UNDECIDED: 1 of 1"), "{}", ended.stdout);
}
