//! The options of a sweep, and the resulting cases: pure, nothing is touched.

use super::scripted::{device, folder};
use crate::sweep::{Question, SweepError, SweepPlan, SweepRequest};
use crate::{CommonOptions, MeasuringTime};
use fathom_document::sweep::Order;
use fathom_document::{TrialId, Volume};
use fathom_vocab::Target;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

const GIB: u64 = 1 << 30;

/// `--axis list` pairs; a name with `!` before it is an option of all cases, as `!bs=8k`.
pub fn asked(words: &[(&str, &str)]) -> SweepRequest {
    let time = Some(MeasuringTime::PerRun(1_000_000));
    let common = CommonOptions { time, seed: 7, entropy: 9, ..CommonOptions::default() };
    let mut asked = SweepRequest { rounds: 1, common, ..SweepRequest::default() };
    for (name, value) in words {
        match name.strip_prefix('!') {
            Some(name) => asked.fixed.push((name.to_owned(), Some((*value).to_owned()))),
            None => asked.axes.push(((*name).to_owned(), (*value).to_owned())),
        }
    }
    asked
}

pub fn planned(volume: Volume, asked: SweepRequest) -> Result<SweepPlan, SweepError> {
    let question = Question::new(&volume.target, asked)?;
    SweepPlan::new(question, volume, None)
}

fn on_folder(words: &[(&str, &str)]) -> Result<SweepPlan, SweepError> {
    planned(folder(Path::new("/mnt"), 500 * GIB), asked(words))
}

fn commands(words: &[(&str, &str)]) -> Vec<String> {
    let plan = on_folder(words).unwrap();
    plan.cases.iter().map(|case| plan.command_of(case)).collect()
}

/// The options of a command that are among `names`.
fn chosen(command: &str, names: &[&str]) -> String {
    let of = |word: &&str| names.iter().any(|name| word.starts_with(&format!("--{name}=")));
    command.split(' ').filter(of).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_mixes_of_case_e_run_from_pure_reads_to_pure_writes() {
    let commands = commands(&[("rwmix", "100:0..0:100/25")]);
    let rw: Vec<String> =
        commands.iter().map(|command| chosen(command, &["rw", "rwmixread"])).collect();
    assert_eq!(
        rw,
        [
            "--rw=randread",
            "--rw=randrw --rwmixread=75",
            "--rw=randrw --rwmixread=50",
            "--rw=randrw --rwmixread=25",
            "--rw=randwrite",
        ]
    );
    let sequential = on_folder(&[("rw", "rw"), ("rwmix", "100:0,50:50")]).unwrap();
    let first = sequential.command_of(&sequential.cases[0]);
    assert_eq!(chosen(&first, &["rw", "bs", "iodepth"]), "--rw=read --bs=4k --iodepth=32");
}

#[test]
fn the_cache_is_in_play_as_fio_has_it_or_out_of_it() {
    let commands = commands(&[("cache", "in,out")]);
    let of = |at: usize| chosen(&commands[at], &["direct", "randrepeat", "refill_buffers"]);
    assert_eq!(of(0), "--direct=0 --randrepeat=1 --refill_buffers=1");
    assert_eq!(of(1), "--direct=1 --randrepeat=0 --refill_buffers=1");
}

#[test]
fn cases_are_the_product_with_the_last_axis_fastest() {
    let plan = on_folder(&[("rw", "randread,randwrite"), ("bs", "4k,8k"), ("iodepth", "1..4")]);
    let plan = plan.unwrap();
    let titles: Vec<String> = plan.cases.iter().map(crate::cases::Case::title).collect();
    assert_eq!(titles.len(), 12);
    assert_eq!(titles[0], "rw=randread, bs=4k, iodepth=1");
    assert_eq!(titles[1], "rw=randread, bs=4k, iodepth=2");
    assert_eq!(titles[11], "rw=randwrite, bs=8k, iodepth=4");
    assert_eq!(plan.cases[11].name, "randwrite-8k-4");
}

#[test]
fn any_option_of_a_job_varies_and_any_is_set() {
    let words = [("random_distribution", "random,zipf:1.2"), ("!norandommap", ""), ("!bs", "8k")];
    let commands = commands(&words);
    let of = |at: usize| chosen(&commands[at], &["random_distribution", "bs"]);
    assert_eq!(of(1), "--bs=8k --random_distribution=zipf:1.2");
    assert!(commands[0].contains("--norandommap --"), "{}", commands[0]);
}

#[test]
fn jobs_that_go_through_the_file_share_it_out() {
    let commands = commands(&[("numjobs", "1,3"), ("!rw", "read"), ("!bs", "64k")]);
    assert_eq!(
        chosen(&commands[0], &["size", "offset_increment", "numjobs"]),
        "--size=1g --numjobs=1"
    );
    // A third of a GiB, cut to whole blocks.
    let region = chosen(&commands[1], &["size", "offset_increment"]);
    assert_eq!(region, "--size=349504k --offset_increment=349504k");
    assert!(commands[1].contains("--group_reporting=1"), "{}", commands[1]);
}

#[test]
fn what_cannot_be_asked_is_refused_with_what_can() {
    for (words, part) in [
        (&[("iodeth", "1..4")][..], "did you mean iodepth?"),
        (&[("iodepth", "1..x")], "from number to number"),
        (&[("iodepth", "0,1")], "min value out of range: 0 (1 min)"),
        (&[("rw", "randread,randwritte")], "Did you mean randwrite?"),
        (&[("iodepth", "4")], "nothing varies"),
        (&[], "nothing varies"),
        (&[("iodepth", "1..4"), ("!iodepth", "2")], "iodepth is given twice"),
        (&[("iodepth", "1..4"), ("filename", "/dev/sda")], "the target is the first argument"),
        (&[("cache", "in,out"), ("!direct", "1")], "cache and direct decide the same"),
        (
            &[("rw", "read,randread"), ("rwmix", "100:0,0:100")],
            "reads and writes: give --rw randrw",
        ),
        (&[("iodepth", "1..1000/1"), ("numjobs", "1..1000/1")], "cases are more than"),
        (&[("ioengine", "null,psync")], "measures Fathom and not a volume"),
        (&[("ioengine", "io_urin,psync")], "Did you mean io_uring?"),
        (&[("size", "50%,100%")], "give size and offsets in bytes"),
        (&[("iodepth", "1..4"), ("!offset", "1m")], "beyond the 1073741824"),
        (&[("iodepth", "1..4"), ("!offset_increment", "10%")], "give size and offsets in bytes"),
        (&[("bs", "4k,1000")], "multiples of"),
        (&[("sqthread_poll", "0,1"), ("!ioengine", "libaio")], "belongs to io_uring"),
    ] {
        let why = on_folder(words).unwrap_err().to_string();
        assert!(why.contains(part), "{words:?}: {why}");
        assert!(!why.contains("fio:") && !why.contains('\n'), "{words:?}: {why}");
    }
    let mut short = asked(&[("iodepth", "1..4")]);
    short.common.time = Some(MeasuringTime::PerRun(99_000));
    let why = planned(folder(Path::new("/mnt"), GIB), short).unwrap_err();
    assert_eq!(why, SweepError::TooShort { time_ms: 99 });
}

#[test]
fn a_size_that_varies_is_laid_out_at_its_largest() {
    let plan = on_folder(&[("size", "16m..256m")]).unwrap();
    assert_eq!(plan.volume.size_bytes, 256 << 20);
    let sizes: Vec<String> =
        plan.cases.iter().map(|case| chosen(&plan.command_of(case), &["size"])).collect();
    assert_eq!(sizes, ["--size=16m", "--size=32m", "--size=64m", "--size=128m", "--size=256m"]);
    let words = [("size", "16m,256m"), ("!rw", "read")];
    let mut small = asked(&words);
    small.common.size_bytes = Some(64 << 20);
    let why = planned(folder(Path::new("/mnt"), GIB), small).unwrap_err();
    assert!(matches!(why, SweepError::Beyond { size_bytes: 67_108_864, .. }), "{why}");
}

#[test]
fn what_is_only_read_loses_the_cases_that_write_and_no_others() {
    let words = [("rwmix", "100:0..0:100/50"), ("iodepth", "1,2")];
    let plan = planned(device("/dev/xyz", 100 * GIB), asked(&words)).unwrap();
    let kept: Vec<usize> = plan.cases.iter().map(|case| case.index).collect();
    assert_eq!(kept, [0, 1]);
    assert_eq!((plan.left_out.len(), plan.volume.fill_bytes, plan.writing_us()), (4, 0, 0));
    let writes = [("rw", "randwrite,randtrim")];
    let why = planned(device("/dev/xyz", 100 * GIB), asked(&writes)).unwrap_err();
    assert!(matches!(why, SweepError::NothingToRead { .. }), "{why}");
    let mut read_only = asked(&words);
    read_only.common.read_only = true;
    let plan = planned(folder(Path::new("/mnt"), 500 * GIB), read_only).unwrap();
    assert_eq!((plan.cases.len(), plan.volume.fill_bytes), (2, GIB));
    let mut named = asked(&words);
    named.common.destroy = vec![Target::from("/dev/xyz")];
    let plan = planned(device("/dev/xyz", 100 * GIB), named).unwrap();
    assert_eq!((plan.cases.len(), plan.volume.fill_bytes), (6, GIB));
}

#[test]
fn the_plan_says_what_it_takes() {
    let words = [("rwmix", "100:0..0:100/25")];
    let rounds = SweepRequest { rounds: 2, ramp_us: Some(500_000), ..asked(&words) };
    let plan = planned(folder(Path::new("/mnt"), 500 * GIB), rounds).unwrap();
    assert_eq!((plan.trials().len(), plan.turn_us()), (10, 1_500_000));
    // 0 + 25 + 50 + 75 + 100 percent of a turn, twice.
    assert_eq!(plan.writing_us(), 2 * 1_500_000 * 250 / 100);
}

#[test]
fn a_question_s_hash_is_of_what_was_asked_and_of_nothing_else() {
    let hash = |words: &[(&str, &str)], rounds| {
        let asked = SweepRequest { rounds, ..asked(words) };
        SweepPlan::hash(&Question::new(&Target::from("/mnt"), asked).unwrap())
    };
    let same = hash(&[("iodepth", "1..4")], 1);
    assert_eq!(same, hash(&[("iodepth", "1,2,4")], 1));
    assert_eq!(same.len(), 16);
    assert_ne!(same, hash(&[("iodepth", "1..8")], 1));
    assert_ne!(same, hash(&[("iodepth", "1..4")], 2));
    assert_ne!(same, hash(&[("iodepth", "1..4"), ("!bs", "8k")], 1));
}

proptest! {
    #[test]
    fn every_case_has_one_turn_in_every_round(
        depths in 1u64..40, sizes in 1u32..6, rounds in 1u32..4, seed: u64, shuffle: bool
    ) {
        let order = if shuffle { Order::Shuffled } else { Order::Nested };
        let depths = format!("1..{depths}/1,{}", depths + 1);
        let sizes = format!("4k..{}k", 4 << sizes);
        let mut asked = asked(&[("bs", &sizes), ("iodepth", &depths)]);
        (asked.rounds, asked.order, asked.common.seed) = (rounds, order, seed);
        let question = Question::new(&Target::from("/mnt"), asked).unwrap();
        let volume = folder(Path::new("/mnt"), 500 * GIB);
        let plan = SweepPlan::new(question, volume, None).unwrap();
        let turns = plan.trials();
        let each: BTreeSet<TrialId> = turns.iter().copied().collect();
        prop_assert_eq!((each.len(), turns.len()), (turns.len(), plan.cases.len() * rounds as usize));
        // Rounds follow one another, whatever the order within them.
        prop_assert!(turns.windows(2).all(|pair| pair[0].round <= pair[1].round));
        prop_assert_eq!(turns, plan.trials());
    }

    #[test]
    fn no_case_leaves_its_place(
        numjobs in 1u32..40, block in 0u32..8, size_mib in 64u64..300, random: bool
    ) {
        let rw = if random { "randread,randwrite" } else { "read,write" };
        let (numjobs, bs) = (numjobs.to_string(), format!("{}k", 4 << block));
        let words = [("rw", rw), ("!numjobs", &numjobs), ("!bs", &bs)];
        let mut asked = asked(&words);
        asked.common.size_bytes = Some(size_mib << 20);
        let plan = planned(folder(Path::new("/mnt"), 500 * GIB), asked).unwrap();
        for case in &plan.cases {
            prop_assert!(case.end_bytes(plan.volume.size_bytes) <= Some(plan.volume.size_bytes));
        }
    }
}
