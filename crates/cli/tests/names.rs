//! Every way in which fio is told of files, by fio 3.33 and by us, in two folders that are alike:
//! both must leave the same names with the same sizes.
//!
//! A row is what stands in the folder before, and the command line. `{work}` is the folder itself,
//! so that absolute names stay inside it whichever program leaves `directory=`.

use std::fs;
use std::path::Path;

use fathom_vocab::Target;

use crate::devices::{LoopDevice, need, oracle};
use crate::sandbox::{Outcome, Sandbox, subject};

/// What a row writes is one pass over 64 KiB; the tests look at names and sizes only.
const WRITE: &str = "--rw=write --size=64k";

/// A file of so many bytes, for the shell.
const PUT: &str = "put() { head -c $1 /dev/zero > $2; }";

const FILENAME: &[(&str, &str)] = &[
    ("", "--name=x --filename=f"),
    ("", "--name=x --filename=f:g"),
    ("", "--name=x --filename=f::g"),
    ("", "--name=x --filename=f:f:g"),
    ("", r"--name=x --filename=f\:g"),
    ("", "--name=x --filename=a/b/c"),
    ("", "--name=x --filename={work}/f"),
    ("", "--name=x --filename=/dev/null:f"),
    ("", "--name=x --filename=f --filename_format=q"),
    // Names add up; the number of files counts those given before it.
    ("", "--name=x --filename=f --filename=g"),
    ("", "--filename=f --name=x --filename=g --name=y"),
    ("", "--name=x --filename=f:g:h --nrfiles=2"),
    ("", "--name=x --filename=f:g:h --nrfiles=5"),
    ("", "--name=x --nrfiles=2 --filename=f:g:h"),
    ("", "--filename=f:g:h --name=x --nrfiles=2"),
    ("put 8192 f", "--name=x --filename=f --numjobs=2"),
];

const DIRECTORY: &[(&str, &str)] = &[
    ("mkdir d", "--name=x --directory=d"),
    ("mkdir d", "--name=x --directory=d/ --filename=f"),
    ("mkdir d", "--name=x --directory=d --filename=a/b"),
    ("mkdir d", "--name=x --directory=d --filename=../f"),
    ("mkdir d", "--name=x --directory=d --filename={work}/f"),
    ("mkdir d", "--name=x --directory={work}/d --filename={work}/f:g"),
    ("mkdir d", "--name=x --directory=d --filename=///f"),
    ("mkdir d", "--name=x --directory=d --filename=/dev/null:f"),
    ("mkdir d", "--name=x --directory=d --filename={work}/f --create_only=1"),
    ("mkdir d", "--name=x --directory=d --filename={work}/f --unlink=1"),
    ("mkdir d", "--name=x --directory=d --filename={work}/f --ioengine=mmap"),
    ("mkdir d", "--name={work}/f --directory=d"),
    ("mkdir d", "--name=x --directory=d --filename_format={work}/F.$filenum --nrfiles=2"),
    ("mkdir d", "--name=x --directory=d --numjobs=2 --unique_filename=0"),
    ("mkdir d e", "--name=x --directory=d:e --numjobs=3 --nrfiles=2"),
    ("mkdir d e", "--name=x --directory=d:e --filename=f:g --numjobs=3"),
    ("mkdir d e", "--name=x --directory=d:e --filename={work}/f --numjobs=3"),
    ("mkdir d e", "--directory=d:e --name=x --numjobs=2 --name=y --numjobs=2"),
    (r"mkdir 'd:e'", r"--name=x --directory=d\:e"),
    // A command line is read from left to right: a folder holds what is named after it.
    ("mkdir d", "--name=x --filename=f --directory=d"),
    ("mkdir d", "--filename=f --name=x --directory=d"),
    ("mkdir d e", "--name=x --directory=d --filename=f --directory=e"),
    ("mkdir d", "--name=x --directory=gone --filename={work}/f"),
    ("mkdir d", "--name=x --directory=d --write_bw_log=log --log_avg_msec=60000"),
];

const GENERATED: &[(&str, &str)] = &[
    ("", "--name=x --nrfiles=3 --numjobs=2"),
    ("", "--name=a/b --nrfiles=2"),
    ("", "--name={work}/f"),
    ("", "--name=x --filename_format=F.$jobname.$jobnum.$filenum.$jobnum --nrfiles=2 --numjobs=2"),
    ("", "--name=x --filename_format=F$clientuid.$filenum"),
    ("", "--name=x --filename_format=$jobnam$filenum$x --nrfiles=3"),
    ("", "--name=x --filename_format=same --nrfiles=3"),
    ("", "--name=x --filename_format={work}/F.$filenum"),
    ("", "--name=/dev/null"),
    ("", "--name=/dev/null --nrfiles=2"),
    ("mkdir d", "--name=/dev/null --directory=d"),
    ("mkdir d; ln -s /dev/null n", "--name=n --directory=d"),
    ("mkdir d; ln -s /dev/null d/n", "--name=n --directory=d"),
    ("mkdir d; mkfifo p", "--name=p --directory=d"),
    ("mkdir d", "--name=d --directory=d"),
    ("ln -s /dev/null n", "--name=n --numjobs=2 --filename_format=q"),
];

const OPENDIR: &[(&str, &str)] = &[
    ("mkdir -p o/p; put 8192 o/a; put 4096 o/p/b", "--name=x --opendir=o"),
    ("mkdir o d; put 8192 o/a", "--name=x --directory=d --opendir=o"),
    ("mkdir o d; put 8192 o/a", "--name=x --opendir=o --directory=d"),
    ("mkdir o d; put 8192 o/a", "--name=x --directory=d --opendir={work}/o"),
    ("mkdir o d e; put 8192 o/a", "--name=x --directory=d:e --opendir=o --numjobs=2"),
    ("mkdir o; put 8192 o/a", "--name=x --filename=f:g --opendir=o"),
    ("mkdir o; put 8192 o/a", "--name=x --filename=f:g --opendir=o --nrfiles=2"),
    ("mkdir o p; put 8192 o/a; put 8192 p/a", "--name=x --opendir=o --opendir=p"),
    ("mkdir o; put 8192 o/a; put 8192 o/b", "--name=x --nrfiles=1 --opendir=o"),
    ("mkdir o; put 8192 o/a; mkfifo o/p", "--name=x --opendir=o"),
];

/// The same in job files, where a section is sorted: `directory` holds whatever it names.
const SECTIONS: &[&str] = &[
    "[x]\nfilename=f\ndirectory=d",
    "[x]\nfilename={work}/f\ndirectory=d",
    "[{work}/f]\ndirectory=d",
    "[/dev/null]\ndirectory=d",
    "[/dev/null]\nnumjobs=2",
    "[x]\nfilename=f:g:h\nnrfiles=2",
    "[x]\nfilename=f:g\nfilename=h",
    "[global]\nfilename=f\ndirectory=d\n[x]",
    "[global]\nfilename=f\n[x]\ndirectory=d",
    "[global]\ndirectory=d\n[x]\nfilename=f\ndirectory=e",
    "[global]\ndirectory=d\nfilename=f\n[x]\ndirectory=e",
    "[global]\nfilename=f\n[x]\nfilename=g\n[y]",
    "[global]\nfilename=f\n[x]\n[global]\ndirectory=d\nfilename=g\n[y]",
    "[global]\nfilename=f:g:h\n[x]\nnrfiles=2",
    "[x]\nopendir=o\ndirectory=d",
    "[x]\nopendir=o\nfilename=f",
    "[m]\nname=n",
    "[m]\nname=n\nfilename_format=q$jobname",
    "[global]\nname=n\n[m]",
    "[n]\nname=m",
    "[m]\nname=n\n[p]\nwait_for=n",
];

#[test]
fn named_files_are_those_of_fio() {
    all(FILENAME);
}

#[test]
fn a_folder_holds_every_name_that_it_holds_with_fio() {
    all(DIRECTORY);
}

#[test]
fn generated_names_are_those_of_fio() {
    all(GENERATED);
}

#[test]
fn files_of_a_folder_are_those_of_fio() {
    all(OPENDIR);
}

#[test]
fn names_in_job_files_are_those_of_fio() {
    let before = "mkdir d e o; put 8192 o/a; ln -s /dev/null n";
    let Some(fio) = need(oracle()) else { return };
    let faults: Vec<String> = SECTIONS
        .iter()
        .filter_map(|text| {
            let start = |sandbox: &Sandbox| {
                let text = text.replace("{work}", &sandbox.work().display().to_string());
                let sections: Vec<String> =
                    text.lines().map(|line| with_write_after(line) + "\n").collect();
                sandbox.write("job", sections.concat());
            };
            differs(&fio, before, "job", text, &start)
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A line of a job file; each job of it writes.
fn with_write_after(line: &str) -> String {
    match line.starts_with('[') && line != "[global]" {
        true => format!("{line}\nrw=write\nsize=64k"),
        false => line.to_owned(),
    }
}

/// Runs each row by both, and says which differ.
fn all(rows: &[(&str, &str)]) {
    let Some(fio) = need(oracle()) else { return };
    let faults: Vec<String> = rows
        .iter()
        .filter_map(|(before, line)| {
            let line = format!("{WRITE} {line}");
            differs(&fio, before, &line, &line, &|_| ())
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What the two programs left, where that differs.
fn differs(
    fio: &Path,
    before: &str,
    line: &str,
    shown: &str,
    start: &dyn Fn(&Sandbox),
) -> Option<String> {
    let run = |program: &Path| {
        let sandbox = Sandbox::with(program);
        sandbox.shell(&format!("{PUT}; {before}")).assert_success();
        start(&sandbox);
        let line = line.replace("{work}", &sandbox.work().display().to_string());
        let outcome = sandbox.run(&line);
        (tree(&sandbox), outcome)
    };
    let ((their, fio), (our, we)) = (run(fio), run(&subject()));
    let same_end = fio.code == we.code || (fio.code != Some(0) && we.code != Some(0));
    let said = |outcome: &Outcome| outcome.stderr.trim().to_owned();
    (their != our || !same_end).then(|| {
        format!(
            "{shown} ({before})\n  fio {:?} {their:?} {}\n  we  {:?} {our:?} {}",
            fio.code,
            said(&fio),
            we.code,
            said(&we)
        )
    })
}

/// Names and sizes of all files below the folder of the runs, with the folder's own name, which
/// absolute names repeat, written as `WORK`; logs, which hold times, without their size.
fn tree(sandbox: &Sandbox) -> Vec<(String, u64)> {
    let work = sandbox.work();
    let own_name = work.strip_prefix("/").unwrap().display().to_string();
    let mut found = Vec::new();
    let mut folders = vec![work.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()) {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let name = path.strip_prefix(&work).unwrap().display().to_string();
            let sized = kind.is_file() && !name.ends_with(".log");
            found.push((
                name.replace(&own_name, "WORK"),
                if sized { entry.metadata().unwrap().len() } else { 0 },
            ));
            if kind.is_dir() {
                folders.push(path);
            }
        }
    }
    // The folders above it that an absolute name repeats have names of their own in each sandbox.
    found.retain(|(name, _)| !name.contains(".tmp") || name.contains("WORK"));
    found.sort();
    found
}

#[test]
fn a_device_named_below_a_folder_is_a_file_there_and_is_not_written() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 4 << 20)) else { return };
    let content = vec![0xa5; 4 << 20];
    fs::write(&device.path, &content).unwrap();
    fs::create_dir(sandbox.work().join("d")).unwrap();
    let below = sandbox.work().join("d").join(device.path.strip_prefix("/").unwrap());
    let section = format!("[{}]\ndirectory=d\nrw=write\nsize=64k\n", device.text());
    sandbox.write("job", section);
    for line in [
        format!("{WRITE} --name=x --directory=d --filename={}", device.text()),
        format!("{WRITE} --directory=d --name={}", device.text()),
        "job".to_owned(),
    ] {
        sandbox.run(&line).assert_success();
        assert_eq!(fs::metadata(&below).unwrap().len(), 65_536, "{line}");
        fs::remove_file(&below).unwrap();
        assert!(fs::read(&device.path).unwrap() == content, "{line}: the device was written");
    }
}

#[test]
fn what_is_foreseen_is_what_is_made() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.work().join("d")).unwrap();
    let line = format!("{WRITE} --name=x --directory=d --filename={}/f", sandbox.work().display());
    let plan = sandbox.fathom(&format!("run --dry-run {line}"));
    let below = Path::new("d").join(sandbox.work().strip_prefix("/").unwrap()).join("f");
    assert!(plan.stdout.contains(&below.display().to_string()), "{}", plan.describe("the plan"));
    assert!(!sandbox.work().join(&below).exists());
    sandbox.fathom(&format!("run --no-record {line}")).assert_ended(0);
    assert!(sandbox.work().join(&below).exists());
    assert!(!sandbox.work().join("f").exists());
}

#[test]
fn the_parent_of_a_link_is_that_of_the_folder_it_leads_to() {
    let sandbox = Sandbox::new();
    let top = sandbox.work().canonicalize().unwrap();
    fs::create_dir_all(top.join("far/folder")).unwrap();
    std::os::unix::fs::symlink(top.join("far/folder"), top.join("link")).unwrap();
    let absolute = |path: &Path| Target::from(path).absolute();
    assert_eq!(absolute(&top.join("link/../x")), Target::from(top.join("far/x").as_path()));
    assert_eq!(absolute(&top.join("gone/../x")), Target::from(top.join("x").as_path()));
}
