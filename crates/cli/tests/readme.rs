//! Every command that README shows, run as it stands there: in a folder of its own in place of the
//! volumes, plans only where it measures for long.

use std::fs;

use crate::sandbox::{Sandbox, subject};

const README: &str = include_str!("../../../README.md");

/// What cannot be run as it stands, and where it is run instead.
const ELSEWHERE: [(&str, &str); 4] = [
    ("fathom serve", "serves until it is stopped: serve.rs"),
    ("fathom watch", "watches until it is stopped: watch.rs"),
    ("fathom kube", "needs a cluster: kube.rs"),
    (" --on ", "needs other hosts: fleet.rs and ssh.rs"),
];

/// Names of README, and what stands for them here.
const NAMES: [(&str, &str); 11] = [
    ("/mnt/", "mnt/"),
    ("/dev/nvme1n1", "disk.img"),
    (" DIR", " mnt/data"),
    ("[RUN…] ", ""),
    ("RUN RUN", "previous latest"),
    ("RUN", "latest"),
    (" ID", " latest"),
    (" | --csv | --json", ""),
    ("--size=1G", "--size=16M"),
    ("--runtime=60", "--runtime=1"),
    ("~/", "home/"),
];

/// Commands in blocks, without what is said beside them, and commands in cells of tables.
fn commands(page: &str) -> Vec<String> {
    let joined = page.replace("\\\n", " ");
    let mut commands = Vec::new();
    for line in joined.lines() {
        if let Some(command) = line.strip_prefix("    ").filter(|line| line.starts_with("fathom "))
        {
            commands.push(command.split("  #").next().unwrap_or_default().trim().to_owned());
        }
        if line.starts_with('|') {
            let code = line.split('`').skip(1).step_by(2);
            commands.extend(code.filter(|code| code.starts_with("fathom ")).map(str::to_owned));
        }
    }
    commands
}

/// Whether it would measure for long, so that its plan has to do.
fn measures(command: &str) -> bool {
    let of = |word: &str| command.starts_with(&format!("fathom {word} "));
    let volumes = of("compare") && command.contains("mnt/");
    volumes || ["measure", "sweep", "check", "limit"].into_iter().any(of)
}

fn prepare(sandbox: &Sandbox) {
    for name in ["data", "hdd", "ssd", "nas", "share"] {
        fs::create_dir_all(sandbox.work().join("mnt").join(name)).unwrap();
    }
    sandbox.write("disk.img", vec![7; 16 << 20]);
    sandbox.write("job.fio", "[one]\nfilename=job.dat\nsize=4m\nrw=randread\n");
    let line = "measure mnt/data --size 16m --time 900ms --bs 4k --read-only --quiet";
    for tag in ["--tag main", "--tag main", "--tag main", ""] {
        sandbox.fathom(&format!("{line} {tag}")).assert_ended(0);
    }
}

#[test]
fn every_command_of_readme_does_what_it_says() {
    let sandbox = Sandbox::new();
    prepare(&sandbox);
    let mut all: Vec<String> = commands(README);
    // Before other commands become the latest runs.
    all.sort_by_key(|shown| !shown.contains("RUN") && !shown.contains("latest"));
    assert!(all.len() > 25, "{all:#?}");
    for shown in all {
        if ELSEWHERE.iter().any(|(what, _)| shown.contains(what)) {
            continue;
        }
        let own = |text: String, (name, here): &(&str, &str)| text.replace(name, here);
        let mut command = NAMES.iter().fold(shown.clone(), own);
        if measures(&command) && !command.contains("--dry-run") {
            command += " --dry-run";
        }
        let program = subject();
        let script = format!("fathom() {{ '{}' \"$@\"; }}\n{command}", program.display());
        let outcome = sandbox.shell(&script);
        // Whether two noisy runs differ is not for this test to say.
        let gate = shown.contains("--fail-if-worse") && matches!(outcome.code, Some(4 | 5));
        assert!(outcome.code == Some(0) || gate, "{shown}: {}", outcome.describe(&command));
        outcome.assert_no_panic();
    }
}
