//! Every command that README and docs show, run as it stands there: in a folder of its own in place
//! of the volumes, plans only where it measures for long.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::devices::{need, tool};
use crate::sandbox::{Outcome, Sandbox, subject};

/// What cannot be run as it stands, and where it is run instead.
const ELSEWHERE: [(&str, &str); 11] = [
    ("fathom serve", "serves until it is stopped: serve.rs"),
    ("fathom watch", "watches until it is stopped: watch.rs"),
    ("fathom kube", "needs a cluster: kube.rs"),
    (" nfs://", "needs a server: nfs_target.rs"),
    (" --on ", "needs other hosts: fleet.rs and ssh.rs"),
    (" --client=", "needs other hosts: fio_clients.rs"),
    (" --resume", "needs a sweep that was interrupted: sweep.rs"),
    (" @hosts.txt", "needs other hosts: fleet.rs"),
    (" 100GB 250GB 500GB", "needs checks of three volumes: report/src/read/check/tests.rs"),
    (" D:\\", "needs Windows: windows.rs"),
    (" --ioengine=windowsaio", "needs Windows: windows.rs"),
];

/// Names of the pages, and what stands for them here.
const NAMES: [(&str, &str); 16] = [
    ("/mnt/", "mnt/"),
    ("/dev/nvme1n1", "disk.img"),
    (" DIR", " mnt/data"),
    ("[RUN…] ", ""),
    ("RUN RUN", "previous latest"),
    ("RUN", "latest"),
    (" ID", " latest"),
    (" | --csv | --json", ""),
    ("--size=1G", "--size=16M"),
    // A dry run looks for the room of what it would write.
    ("--size 10g", "--size 1g"),
    ("--runtime=60", "--runtime=1"),
    ("--ramp_time=5 ", ""),
    ("'p99<1ms'", "'p99<60s'"),
    ("'one:p99<1ms'", "'one:p99<60s'"),
    ("'iops>3000'", "'iops>1'"),
    ("~/", "home/"),
];

/// README and every page under docs, with its path.
fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md"), root.join("README.ko.md")];
    for folder in ["docs", "docs/guide"] {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    files.retain(|path| path.extension().is_some_and(|end| end == "md"));
    files.sort();
    let read = |path: PathBuf| (path.clone(), fs::read_to_string(path).unwrap());
    files.into_iter().map(read).collect()
}

/// Commands in blocks, without what is said beside them, and commands in cells of tables.
fn commands(page: &str) -> Vec<String> {
    let joined = page.replace("\\\n", " ");
    let mut commands = Vec::new();
    for line in joined.lines() {
        if let Some(command) = line.strip_prefix("    ").filter(|line| line.starts_with("fathom "))
        {
            let command = command.split(" #").next().unwrap_or_default();
            commands.push(command.trim().to_owned());
        }
        if line.starts_with('|') {
            let code = line.split('`').skip(1).step_by(2);
            commands.extend(code.filter(|code| code.starts_with("fathom ")).map(str::to_owned));
        }
    }
    commands
}

/// What cuts a command in time, where it would take long.
fn cut(command: &str) -> &'static str {
    let of = |word: &str| command.starts_with(&format!("fathom {word} "));
    let volumes = of("compare") && command.contains("mnt/");
    let measures = volumes || ["measure", "sweep", "check", "limit"].into_iter().any(of);
    match command {
        _ if measures && !command.contains("--dry-run") => " --dry-run",
        _ if of("doctor") && !command.contains("--quick") => " --quick",
        _ => "",
    }
}

fn prepare(sandbox: &Sandbox) {
    let volumes = "data hdd ssd nas share old new ssd100 ssd250 ssd500 a1 a2 a3 b1 b2 b3";
    for name in volumes.split(' ') {
        fs::create_dir_all(sandbox.work().join("mnt").join(name)).unwrap();
    }
    for shell in [".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions"]
    {
        fs::create_dir_all(sandbox.work().join("home").join(shell)).unwrap();
    }
    sandbox.write("disk.img", vec![7; 16 << 20]);
    sandbox.write("job.fio", "[one]\nfilename=job.dat\nsize=4m\nrw=randread\n");
    let line = "measure mnt/data --size 16m --time 900ms --bs 4k --read-only --quiet";
    for tag in ["--tag main", "--tag main", "--tag main", ""] {
        sandbox.fathom(&format!("{line} {tag}")).assert_ended(0);
    }
}

fn run(sandbox: &Sandbox, shown: &str) -> Outcome {
    let own = |text: String, (name, here): &(&str, &str)| text.replace(name, here);
    let command = NAMES.iter().fold(shown.to_owned(), own);
    let command = format!("{command}{}", cut(&command));
    let program = subject();
    sandbox.shell(&format!("fathom() {{ '{}' \"$@\"; }}\n{command}", program.display()))
}

#[test]
fn every_command_of_readme_and_docs_does_what_it_says() {
    let sandbox = Sandbox::new();
    prepare(&sandbox);
    let mut all: Vec<(PathBuf, String)> = Vec::new();
    let mut seen = BTreeSet::new();
    for (path, page) in pages() {
        let own = commands(&page).into_iter().filter(|shown| seen.insert(shown.clone()));
        all.extend(own.map(|shown| (path.clone(), shown)));
    }
    // Before other commands become the latest runs.
    all.sort_by_key(|(_, shown)| !shown.contains("RUN") && !shown.contains("latest"));
    assert!(all.len() > 80, "{all:#?}");
    for (path, shown) in all {
        if ELSEWHERE.iter().any(|(what, _)| shown.contains(what)) {
            continue;
        }
        if shown.contains("| jq") && need(tool("jq", &["--version"])).is_none() {
            continue;
        }
        let outcome = run(&sandbox, &shown);
        // Whether two noisy runs differ is not for this test to say.
        let gate = shown.contains("--fail-if-worse") && matches!(outcome.code, Some(4 | 5));
        // Nor whether this machine has warnings.
        let gate = gate || (shown.contains("--strict") && outcome.code == Some(4));
        let place = path.display();
        assert!(outcome.code == Some(0) || gate, "{place}: {}", outcome.describe(&shown));
        outcome.assert_no_panic();
    }
}

#[test]
fn every_link_of_readme_and_docs_leads_to_a_file() {
    for (path, page) in pages() {
        for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            let there = path.parent().is_some_and(|folder| folder.join(file).exists());
            assert!(there, "{}: {link} leads nowhere", path.display());
        }
    }
}
