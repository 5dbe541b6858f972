//! `--growth`: how the cost of an I/O grows with jobs, depth, block size and files.
//!
//! On the null engine, where only the program costs time: the growth is ours (or fio's). The block
//! size also runs on a file on tmpfs, because it has no effect if no memory is moved; the bare loop
//! beside it shows the kernel's copy. It is tmpfs and not zram, which takes no blocks below 4 KiB.
//!
//! A point is a row like any other: contestants take turns there, and each turn is stored.

use crate::contest::Contest;
use crate::figures::{BenchFigure, ContestantRun, Spread};
use crate::place::BenchDevice;
use crate::plan::{Bare, BenchRow, Calls};
use crate::setting::BenchSetting;
use anyhow::Result;
use serde::{Deserialize, Serialize};

/// The result file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Growth {
    /// Date, machine and versions.
    #[serde(flatten)]
    pub setting: BenchSetting,
    /// The growth along each axis.
    pub sweeps: Vec<SweepResult>,
}

/// One axis along which the cost was measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SweepResult {
    /// Its name for `--only` and in file names.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The contestants.
    pub lines: Vec<LineResult>,
    /// Skipped points, with reasons.
    pub skipped: Vec<String>,
}

/// One contestant on one device.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LineResult {
    /// The contestant's name.
    pub who: String,
    /// Its device, in a word.
    pub on: String,
    /// In ascending order.
    pub points: Vec<GrowthPoint>,
}

/// One place on the axis.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GrowthPoint {
    /// Its position: a number, or a number of bytes.
    pub at: u64,
    /// One for each turn.
    pub rounds: Vec<ContestantRun>,
}

impl GrowthPoint {
    /// The median and spread of a figure over the turns.
    pub fn spread(&self, figure: BenchFigure) -> Option<Spread> {
        let values: Vec<f64> = self.rounds.iter().map(|run| figure.of(run)).collect();
        Spread::of(&values)
    }
}

/// An axis, and its contestants.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Its name.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The places on it.
    pub points: Vec<u64>,
    /// The runs at each position.
    pub ways: Vec<LineTemplate>,
}

/// The run at each position of an axis: `{x}` is replaced by the position.
#[derive(Clone, Debug)]
pub struct LineTemplate {
    /// The device in a word.
    pub on: &'static str,
    /// The device.
    pub place: BenchDevice,
    /// Words of the command line, of fio as of us.
    pub words: &'static str,
    /// Whether a bare loop runs, too.
    pub bare: bool,
}

/// The axes.
pub fn sweeps() -> Vec<Sweep> {
    let null = |words| LineTemplate { on: "null", place: BenchDevice::Nothing, words, bare: false };
    let doubled = |from: u64, to: u64| {
        std::iter::successors(Some(from), |x| Some(x * 2)).take_while(|x| *x <= to).collect()
    };
    let tmpfs = LineTemplate {
        on: "tmpfs",
        place: BenchDevice::Tmpfs,
        words: "--ioengine=psync --rw=randread --invalidate=0 --filename={file} --bs={x}",
        bare: true,
    };
    vec![
        Sweep {
            id: "jobs",
            title: "jobs",
            points: doubled(1, 64),
            ways: vec![null(
                "--ioengine=null --rw=randread --size=1g --numjobs={x} --thread --group_reporting",
            )],
        },
        Sweep {
            id: "depth",
            title: "I/O depth",
            points: doubled(1, 1024),
            ways: vec![null("--ioengine=null --rw=randread --size=1g --iodepth={x}")],
        },
        Sweep {
            id: "bs",
            title: "block size",
            points: doubled(512, 1 << 20),
            ways: vec![null("--ioengine=null --rw=randread --size=1g --bs={x}"), tmpfs],
        },
        Sweep {
            id: "files",
            title: "files of a job",
            points: vec![1, 10, 100, 1000, 10_000],
            ways: vec![null("--ioengine=null --rw=randread --filesize=64m --nrfiles={x}")],
        },
    ]
}

impl Sweep {
    /// The row of one place.
    pub fn row(&self, way: &LineTemplate, at: u64) -> BenchRow {
        let id = format!("{}-{}-{at}", self.id, way.on);
        let row = BenchRow::new(id, format!("{}: {at}", self.title), way.place);
        let words = way.words.replace("{x}", &at.to_string());
        if !way.bare {
            return row.both(&words);
        }
        let block_bytes = u32::try_from(at).unwrap_or(u32::MAX);
        let bare = Bare { block_bytes, ..Bare::new(Calls::Synchronous, false, 1, false) };
        row.runs([bare.contestant()]).both(&words)
    }

    /// Runs all positions; `told` is called for each.
    ///
    /// # Errors
    /// If a run fails or it was interrupted.
    pub fn run(&self, contest: &mut Contest, told: impl Fn(&str)) -> Result<SweepResult> {
        let (id, title) = (self.id.to_owned(), self.title.to_owned());
        let mut result = SweepResult { id, title, lines: Vec::new(), skipped: Vec::new() };
        for way in &self.ways {
            for at in &self.points {
                let row = contest.row(&self.row(way, *at))?;
                let why = row.skipped.map(|why| format!("{}: {why}", way.on));
                result.skipped.extend(why.filter(|why| !result.skipped.contains(why)));
                for turns in row.contestants {
                    let point = GrowthPoint { at: *at, rounds: turns.rounds };
                    told(&said(self.id, way.on, turns.name, &point));
                    result.add(turns.name, way.on, point);
                }
            }
        }
        Ok(result)
    }
}

impl SweepResult {
    fn add(&mut self, who: &str, on: &str, point: GrowthPoint) {
        match self.lines.iter_mut().find(|line| line.who == who && line.on == on) {
            Some(line) => line.points.push(point),
            None => {
                let (who, on) = (who.to_owned(), on.to_owned());
                self.lines.push(LineResult { who, on, points: vec![point] });
            }
        }
    }
}

fn said(axis: &str, on: &str, who: &str, point: &GrowthPoint) -> String {
    let figure = |figure: BenchFigure| {
        let median = point.spread(figure).map(|spread| crate::digits::number(spread.median));
        format!("{} {}", median.unwrap_or_default(), figure.name())
    };
    let (cost, rate) = (figure(BenchFigure::CpuNs), figure(BenchFigure::Iops));
    format!("{axis:<6} {:<8} {on:<6} {who:<8} {cost}, {rate}", point.at)
}

#[cfg(test)]
mod checks {
    use super::*;
    use crate::plan::BenchWork;

    #[test]
    fn every_place_is_asked_for_in_the_words() {
        for sweep in sweeps() {
            assert!(sweep.points.is_sorted());
            for way in &sweep.ways {
                assert!(way.words.contains("{x}"));
                let row = sweep.row(way, sweep.points[1]);
                for one in &row.contestants {
                    match &one.work {
                        BenchWork::Ours(words) | BenchWork::Fio(words) => {
                            assert!(words.contains(&format!("={}", sweep.points[1])), "{words}");
                        }
                        BenchWork::Bare(bare) => {
                            assert_eq!(u64::from(bare.block_bytes), sweep.points[1]);
                        }
                        other => panic!("{other:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn the_axes_reach_as_far_as_they_should() {
        let ends: Vec<(&str, u64, u64)> =
            sweeps().iter().map(|s| (s.id, s.points[0], *s.points.last().expect("some"))).collect();
        let wanted =
            [("jobs", 1, 64), ("depth", 1, 1024), ("bs", 512, 1 << 20), ("files", 1, 10_000)];
        assert_eq!(ends, wanted);
    }
}
