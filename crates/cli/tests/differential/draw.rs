//! Drawn jobs: options come from the table of `fathom-job`, so that a new option is drawn at once.
//!
//! A job is a number: the same seed and number give the same job as long as the table is the same.
//! Options that the table says are not there yet are left out, and so are a few that reach beyond
//! the folder of the test. Values are bounded, because a job has to end within about a second.

use std::collections::BTreeSet;
use std::fmt;

use fathom_job::{OptionRow, OptionStatus, find_option, options};

use super::values::{drawn_value, is_possible};

/// Options that are never drawn: they run programs, change or wait for what is not the job's,
/// crash fio 3.33 now and then (`gtod_cpu`), or have tests of their own (`verify`).
const LEFT_OUT: &[&str] = &[
    "allow_mounted_write",
    "exec_postrun",
    "exec_prerun",
    "gtod_cpu",
    "name",
    "nfs_url",
    "nice",
    "sqthread_poll_cpu",
    "verify",
    "verify_pattern",
    "wait_for",
];

/// Options that most jobs have, each with the percentage of jobs that have it.
const USUAL: &[(&str, u64)] =
    &[("rw", 90), ("ioengine", 85), ("size", 90), ("bs", 60), ("iodepth", 30), ("direct", 20)];

/// Random numbers that depend on their seed alone (splitmix64).
pub struct Draws(u64);

impl Draws {
    /// The numbers of one job of a seed.
    pub fn of_job(seed: u64, number: u64) -> Draws {
        Draws(Draws(seed).next() ^ number.wrapping_mul(0xD6E8_FEB8_6659_FD93))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    pub fn happens(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        let index = self.below(choices.len() as u64);
        &choices[usize::try_from(index).expect("an index is small")]
    }
}

/// An option with its value, as it is written.
#[derive(Clone, Debug)]
pub struct DrawnOption {
    pub row: &'static OptionRow,
    pub alias: &'static str,
    pub value: Option<String>,
}

impl fmt::Display for DrawnOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}={value}", self.alias),
            None => write!(f, "{}", self.alias),
        }
    }
}

/// A job, or what all jobs have if its name is `global`.
#[derive(Clone, Debug)]
pub struct DrawnSection {
    pub name: String,
    pub options: Vec<DrawnOption>,
}

/// All that one comparison feeds to both programs.
#[derive(Clone, Debug)]
pub struct DrawnJob {
    pub sections: Vec<DrawnSection>,
    /// Files that are there before, with their sizes.
    pub existing: Vec<(String, u64)>,
    /// A job file; else a command line.
    pub is_file: bool,
}

impl DrawnJob {
    /// The job with this number of a seed.
    pub fn draw(seed: u64, number: u64) -> DrawnJob {
        let mut draws = Draws::of_job(seed, number);
        let mut sections = Vec::new();
        if draws.happens(40) {
            let count = draws.below(3);
            let mut options = drawn_options(&mut draws, count);
            settle(&mut options);
            sections.push(DrawnSection { name: "global".into(), options });
        }
        for name in if draws.happens(25) { &["a", "b"][..] } else { &["a"] } {
            let mut options = usual_options(&mut draws);
            let count = 1 + draws.below(4);
            options.extend(drawn_options(&mut draws, count));
            settle(&mut options);
            sections.push(DrawnSection { name: (*name).into(), options });
        }
        share_group_reporting(&mut sections);
        let mut existing = Vec::new();
        for (name, percent) in [("a.0.0", 50), ("one", 30), ("folder/two", 30)] {
            if draws.happens(percent) {
                existing.push((name.into(), *draws.one_of(&[4096, 65_536, 100_000, 300_000])));
            }
        }
        DrawnJob { sections, existing, is_file: draws.happens(50) }
    }

    /// All options, of all sections.
    pub fn options(&self) -> impl Iterator<Item = &DrawnOption> {
        self.sections.iter().flat_map(|section| &section.options)
    }

    /// Whether any section sets one of these options to something else than its default.
    pub fn sets_any(&self, names: &[&str]) -> bool {
        self.options().any(|option| {
            let is_default = option.value.as_deref().is_some_and(|v| v == option.row.default);
            names.contains(&option.row.name) && !is_default
        })
    }

    /// The text of the job file.
    pub fn file_text(&self) -> String {
        let section = |section: &DrawnSection| {
            let options = section.options.iter().map(|option| format!("{option}\n"));
            format!("[{}]\n{}", section.name, options.collect::<String>())
        };
        self.sections.iter().map(section).collect()
    }

    /// The words of the command line.
    pub fn arguments(&self) -> Vec<String> {
        let section = |section: &DrawnSection| {
            let name = (section.name != "global").then(|| format!("--name={}", section.name));
            name.into_iter().chain(section.options.iter().map(|o| format!("--{o}"))).collect()
        };
        self.sections.iter().flat_map(|s| -> Vec<String> { section(s) }).collect()
    }

    /// The job without one of its parts; `None` when there are no more parts.
    pub fn without_part(&self, mut part: usize) -> Option<DrawnJob> {
        let mut smaller = self.clone();
        if part < self.existing.len() {
            smaller.existing.remove(part);
            return Some(smaller);
        }
        part -= self.existing.len();
        if part < self.sections.len() {
            smaller.sections.remove(part);
            return Some(smaller);
        }
        part -= self.sections.len();
        for section in &mut smaller.sections {
            if part < section.options.len() {
                section.options.remove(part);
                return Some(smaller);
            }
            part -= section.options.len();
        }
        None
    }
}

impl fmt::Display for DrawnJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, size) in &self.existing {
            writeln!(f, "head -c {size} /dev/urandom > {name}")?;
        }
        match self.is_file {
            true => write!(f, "{}", self.file_text()),
            false => writeln!(f, "fio {}", self.arguments().join(" ")),
        }
    }
}

fn usual_options(draws: &mut Draws) -> Vec<DrawnOption> {
    let mut usual = Vec::new();
    for (name, percent) in USUAL {
        if draws.happens(*percent) {
            let row = find_option(name).expect("a usual option is in the table");
            usual.push(drawn_option(row, draws));
        }
    }
    usual
}

/// As many options as asked for, and often one of the same category after each.
fn drawn_options(draws: &mut Draws, count: u64) -> Vec<DrawnOption> {
    let rows: Vec<&'static OptionRow> = options().iter().filter(|row| is_drawn(row)).collect();
    let mut drawn = Vec::new();
    for _ in 0..count {
        let row = *draws.one_of(&rows);
        let engine = row.engines.iter().rfind(|engine| is_possible(engine));
        if let Some(engine) = engine.filter(|_| draws.happens(80)) {
            let row = find_option("ioengine").expect("it is in the table");
            drawn.push(DrawnOption { row, alias: row.name, value: Some((*engine).into()) });
        }
        drawn.push(drawn_option(row, draws));
        if draws.happens(50) {
            let kin = rows.iter().filter(|other| other.category == row.category);
            let kin: Vec<&'static OptionRow> = kin.copied().collect();
            let row = *draws.one_of(&kin);
            drawn.push(drawn_option(row, draws));
        }
    }
    drawn
}

/// Gives all jobs the `group_reporting` of one: fio 3.33 reports a group in which only some have it
/// as a sum and a job of garbage.
fn share_group_reporting(sections: &mut [DrawnSection]) {
    let is_it = |option: &&DrawnOption| option.row.name == "group_reporting";
    let mut all = sections.iter().flat_map(|section| &section.options);
    let Some(shared) = all.find(is_it).cloned() else { return };
    for section in sections {
        section.options.retain(|option| !is_it(&option));
        section.options.push(shared.clone());
    }
}

/// Leaves the last of each option, and begins with the engine, whose own options have to follow it.
fn settle(options: &mut Vec<DrawnOption>) {
    let mut names = BTreeSet::new();
    options.reverse();
    options.retain(|option| names.insert(option.row.name));
    options.reverse();
    options.sort_by_key(|option| option.row.name != "ioengine");
}

fn drawn_option(row: &'static OptionRow, draws: &mut Draws) -> DrawnOption {
    let aliases: Vec<&'static str> = row.names().collect();
    let alias = if draws.happens(20) { *draws.one_of(&aliases) } else { row.name };
    DrawnOption { row, alias, value: drawn_value(row, draws) }
}

/// Whether fio 3.33 has the option; engines' own options are not in its list.
fn is_in_fio(row: &OptionRow) -> bool {
    let facts = include_str!("../../../job/tests/main/fio-3.33-options.txt");
    !row.engines.is_empty() || facts.lines().any(|line| line.split('|').next() == Some(row.name))
}

fn is_drawn(row: &OptionRow) -> bool {
    let is_there = match row.status {
        OptionStatus::Supported | OptionStatus::Retired | OptionStatus::NoEffect(_) => true,
        OptionStatus::NotYet(..) | OptionStatus::Refused(_) => false,
    };
    let runs_here = row.engines.is_empty() || row.engines.iter().any(|e| is_possible(e));
    is_there && runs_here && is_in_fio(row) && !LEFT_OUT.contains(&row.name)
}
