//! Lines of `--debug` that scripts of fio read, and which clone is which.

use std::fs;

use crate::devices::{need, oracle};
use crate::sandbox::{Sandbox, subject};

/// The I/Os that `--debug=io` tells of in an output, as `off=…,len=…,ddir=…,file=…`.
fn completed(output: &str) -> Vec<&str> {
    let lines = output.lines().filter(|line| line.starts_with("io ") && line.contains("complete:"));
    lines.filter_map(|line| Some(&line[line.find("off=")?..])).collect()
}

/// A thread of fio's, since its processes lose what they printed last.
#[test]
fn completed_ios_are_told_as_by_fio() {
    let Some(fio) = need(oracle()) else { return };
    let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
    let line = "--debug=io --thread --name=a --filename=f --rw=trimwrite --bs=4k,8k --size=64k \
                --ioengine=null";
    let (their, our) = (theirs.run(line), ours.run(line));
    our.assert_success();
    let (their, our) = (completed(&their.stdout), completed(&our.stdout));
    assert_eq!((their.len(), &their), (16, &our));
    let outcome = ours.run("--name=a --filename=f --rw=read --size=64k --ioengine=null");
    assert!(completed(&outcome.stdout).is_empty());
}

/// As fio's `t/random_seed.py` reads them.
#[test]
fn seeds_repeat_unless_told_otherwise() {
    let ours = Sandbox::new();
    let seeds = |more: &str| {
        let outcome = ours.run(&format!(
            "--debug=random --name=a --ioengine=null --filesize=32k --rw=randread {more}"
        ));
        outcome.assert_success();
        let of = |word: &str| -> Vec<u64> {
            let lines = outcome.stdout.lines();
            let lines = lines.filter(|line| line.starts_with("random ") && line.contains(word));
            lines.filter_map(|line| line.rsplit('=').next()?.parse().ok()).collect()
        };
        let (counts, seeds) = (of("FIO_RAND_NR_OFFS="), of("rand_seeds["));
        assert_eq!(counts.iter().sum::<u64>(), seeds.len() as u64);
        assert!(!seeds.is_empty());
        seeds
    };
    let usual = seeds("");
    assert_eq!(usual, seeds("--randrepeat=1"));
    assert_eq!(usual, seeds("--allrandrepeat=1"));
    assert_eq!(usual, seeds("--randrepeat=0 --allrandrepeat=1"));
    for fresh in ["--randrepeat=0", "--allrandrepeat=0"] {
        let (one, two) = (seeds(fresh), seeds(fresh));
        assert!(one != two && one != usual, "{fresh}");
    }
    let given = seeds("--randseed=7 --randrepeat=0");
    assert_eq!(given, seeds("--randseed=7"));
    assert!(given != seeds("--randseed=8") && given != usual);
    assert_eq!(seeds("--numjobs=2").len(), 2 * usual.len());
}

/// As fio's `t/t64-switch.sh` sees it: 2^40 blocks are beyond 32 random bits.
#[test]
fn offsets_beyond_32_bits_come_of_another_generator() {
    let ours = Sandbox::new();
    for (generator, told, coarse) in [
        ("", "Switching to tausworthe64.", false),
        ("--random_generator=tausworthe", "Use the random_generator= option to switch", true),
        ("--random_generator=tausworthe64", "", false),
    ] {
        let outcome = ours.run(&format!(
            "--debug=io --name=a --ioengine=null --filesize=1T --bs=1 --rw=randread --norandommap \
             --number_ios=1000 {generator}"
        ));
        outcome.assert_success();
        let exceeds = "fio: file a.0.0 exceeds 32-bit tausworthe random generator.";
        assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
        assert_eq!(outcome.stdout.contains(exceeds), !told.is_empty());
        let offsets = completed(&outcome.stdout).into_iter().map(|io| {
            let digits = io.strip_prefix("off=0x").and_then(|io| io.split(',').next());
            u64::from_str_radix(digits.unwrap_or_default(), 16).expect("an offset")
        });
        let offsets: Vec<u64> = offsets.collect();
        assert_eq!(offsets.len(), 1000);
        assert_eq!(offsets.iter().all(|offset| offset % 256 == 0), coarse, "{generator}");
    }
}

/// fio's second log, and second report, are those of the last clone.
#[test]
fn clones_are_numbered_as_by_fio() {
    let Some(fio) = need(oracle()) else { return };
    let places = |sandbox: &Sandbox| -> Vec<Vec<String>> {
        sandbox
            .run(
                "--ioengine=null --rw=read --bs=4k --size=8k --write_lat_log=L --log_offset=1 \
                 --offset_increment=1m --numjobs=4 --name=a --name=b --numjobs=3 --offset=1g",
            )
            .assert_success();
        let log = |number| {
            let path = sandbox.work().join(format!("L_lat.{number}.log"));
            let text = fs::read_to_string(path).expect("a log of each clone");
            text.lines().filter_map(|line| Some(line.split(", ").nth(4)?.to_owned())).collect()
        };
        (1..=7).map(log).collect()
    };
    let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
    let ours = places(&ours);
    assert_eq!(ours[1], ["3145728", "3149824"]);
    assert_eq!(places(&theirs), ours);
}
