//! From result files to the charts in `docs/`, so that a chart can be drawn again without a run.

use crate::bars::Bars;
use crate::chart::{BenchChart, ChartLine};
use crate::figures::{BenchFigure, ContestantRun, Spread};
use crate::growth::{Growth, LineResult, SweepResult};
use crate::setting::BenchSetting;
use crate::svg::{Who, plain};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The part of a contest's result file that a chart needs.
#[derive(Clone, Debug, Deserialize)]
struct Rows {
    #[serde(flatten)]
    setting: BenchSetting,
    rows: Vec<DrawnRow>,
}

#[derive(Clone, Debug, Deserialize)]
struct DrawnRow {
    id: String,
    contestants: Vec<DrawnTurns>,
}

#[derive(Clone, Debug, Deserialize)]
struct DrawnTurns {
    name: String,
    rounds: Vec<ContestantRun>,
}

/// The rows in `cost.svg`, and the texts beside their bars.
const SHOWN: [(&str, &str); 6] = [
    ("null-1", "null engine, depth 1"),
    ("null-32", "null engine, depth 32"),
    ("zram-psync-read", "psync, zram"),
    ("zram-libaio-16", "libaio, depth 16, zram"),
    ("cached-uring-16", "io_uring, depth 16, page cache"),
    ("disk-uring-64", "io_uring, depth 64, disk"),
];

/// Draws a result file's charts into a folder; returns the written files.
///
/// # Errors
/// If the file is not one of ours, or a chart cannot be written.
pub fn draw_file(file: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    if let Ok(growth) = serde_json::from_str::<Growth>(&text) {
        return draw_growth(&growth, folder);
    }
    match serde_json::from_str::<Rows>(&text) {
        Ok(rows) => Ok(vec![written(folder, "cost.svg", &costs(&rows)?.svg())?]),
        Err(why) => {
            bail!("{} is neither a result of --growth nor one of all rows: {why}", file.display())
        }
    }
}

/// Draws one chart for each axis.
///
/// # Errors
/// If a chart cannot be written.
pub fn draw_growth(growth: &Growth, folder: &Path) -> Result<Vec<PathBuf>> {
    let with_lines = growth.sweeps.iter().filter(|sweep| !sweep.lines.is_empty());
    with_lines
        .map(|sweep| {
            let name = format!("cost-{}.svg", sweep.id);
            written(folder, &name, &growth_chart(&growth.setting, sweep).svg())
        })
        .collect()
}

fn written(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    fs::write(&path, text).with_context(|| path.display().to_string())?;
    Ok(path)
}

/// Cost against one axis.
fn growth_chart(setting: &BenchSetting, sweep: &SweepResult) -> BenchChart {
    let mut places: Vec<u64> =
        sweep.lines.iter().flat_map(|line| line.points.iter().map(|point| point.at)).collect();
    places.sort_unstable();
    places.dedup();
    let bytes = sweep.id == "bs";
    let mark = |at: u64| if bytes { short_bytes(at) } else { plain(at as f64) };
    let mut title = format!("CPU time an I/O by {}", sweep.title);
    if let Some(on) = alone(sweep) {
        title += &format!(", {on} engine");
    }
    if !bytes {
        title += ", 4 KiB";
    }
    BenchChart {
        title: format!("{title}: Fathom and {}", setting.fio()),
        x_label: match bytes {
            true => "block size in bytes (K = 1,024)".to_owned(),
            false => sweep.title.clone(),
        },
        x_ticks: places.into_iter().map(|at| (at as f64, mark(at))).collect(),
        y_label: "CPU time an I/O in ns".to_owned(),
        lines: sweep.lines.iter().filter_map(|line| growth_line(sweep, line)).collect(),
        foot: foot(setting),
    }
}

/// The device of all lines, if it is one.
fn alone(sweep: &SweepResult) -> Option<&str> {
    let first = sweep.lines.first()?.on.as_str();
    sweep.lines.iter().all(|line| line.on == first).then_some(first)
}

/// A line; its name includes the device if there are several.
fn growth_line(sweep: &SweepResult, line: &LineResult) -> Option<ChartLine> {
    let who = Who::of(&line.who)?;
    let first = &sweep.lines.first()?.on;
    let name = match alone(sweep) {
        Some(_) => who.name().to_owned(),
        None => format!("{}, {}", who.name(), line.on),
    };
    let drawn = |spread: &Spread| spread.min > 0.0 && spread.max.is_finite();
    let points = line.points.iter().filter_map(|point| {
        let spread = point.spread(BenchFigure::CpuNs).filter(drawn)?;
        Some((point.at as f64, spread))
    });
    Some(ChartLine { who, name, dashed: line.on != *first, points: points.collect() })
}

fn foot(setting: &BenchSetting) -> String {
    format!(
        "Random reads, full latency statistics on; medians and spread of {} alternating turns of \
         {} s.",
        setting.rounds, setting.seconds
    )
}

/// `512`, `4K`, `1M`.
fn short_bytes(bytes: u64) -> String {
    match bytes {
        bytes if bytes >= 1 << 20 => format!("{}M", bytes >> 20),
        bytes if bytes >= 1 << 10 => format!("{}K", bytes >> 10),
        bytes => bytes.to_string(),
    }
}

/// The bars of user CPU time.
fn costs(rows: &Rows) -> Result<Bars> {
    let group = |(id, name): (&str, &str)| {
        let row = rows.rows.iter().find(|row| row.id == id)?;
        let bars: Vec<(Who, f64)> =
            row.contestants.iter().filter_map(bar).filter(|(who, _)| *who != Who::Bare).collect();
        (bars.len() == 2).then(|| (name.to_owned(), bars))
    };
    let groups: Vec<_> = SHOWN.into_iter().filter_map(group).collect();
    if groups.is_empty() {
        bail!("none of the rows that cost.svg shows has run with fio: {SHOWN:?}");
    }
    Ok(Bars {
        title: format!(
            "User CPU time an I/O in ns, 4 KiB random reads: Fathom and {}",
            rows.setting.fio()
        ),
        groups,
        foot: format!(
            "Full latency statistics on, medians of {} alternating turns; docs/performance.md has \
             the table and the command.",
            rows.setting.rounds
        ),
    })
}

fn bar(turns: &DrawnTurns) -> Option<(Who, f64)> {
    let values: Vec<f64> = turns.rounds.iter().map(|run| BenchFigure::UserNs.of(run)).collect();
    Some((Who::of(&turns.name)?, Spread::of(&values)?.median))
}

#[cfg(test)]
mod checks {
    use super::*;
    use crate::growth::GrowthPoint;

    fn setting() -> BenchSetting {
        serde_json::from_str(
            r#"{"format":1,"began":"then","machine":{"hostname":null,"kernel":null,
            "os_release":null,"architecture":"x86_64","cpu_model":null,"cpus_online":2,
            "numa_nodes":1,"memory_bytes":null,"memory_available_bytes":null,
            "virtualisation":null,"clocksource":null,"governor":null},
            "load":null,"versions":{"fio":"fio-3.33"},"rounds":3,"seconds":1.0}"#,
        )
        .expect("a setting")
    }

    fn line(who: &str, on: &str, costs: [f64; 2]) -> LineResult {
        let round =
            |user_ns: f64| ContestantRun { user_ns, ios: 1, iops: 1.0, ..ContestantRun::default() };
        let points = [512, 1024].into_iter().zip(costs).map(|(at, ns)| GrowthPoint {
            at,
            rounds: [ns * 0.9, ns, ns * 1.1].map(round).to_vec(),
        });
        LineResult { who: who.to_owned(), on: on.to_owned(), points: points.collect() }
    }

    fn growth() -> Growth {
        let lines = vec![
            line("fathom", "null", [34.0, 34.1]),
            line("fio", "null", [127.0, 127.0]),
            line("bare", "tmpfs", [400.0, 500.0]),
        ];
        let (id, title) = ("bs".to_owned(), "block size".to_owned());
        let sweeps = vec![SweepResult { id, title, lines, skipped: Vec::new() }];
        Growth { setting: setting(), sweeps }
    }

    #[test]
    fn a_growth_file_becomes_a_chart_for_each_axis() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("growth.json");
        crate::document::write_json(&growth(), &file).expect("writes");
        let drawn = draw_file(&file, folder.path()).expect("draws");
        assert_eq!(drawn, [folder.path().join("cost-bs.svg")]);
        let text = fs::read_to_string(&drawn[0]).expect("is there");
        for words in [
            "CPU time an I/O by block size: Fathom and fio 3.33",
            "CPU time an I/O in ns",
            "block size in bytes (K = 1,024)",
            ">512<",
            ">1K<",
            ">Fathom, null<",
            ">fio, null<",
            ">bare loop, tmpfs<",
            "3 alternating turns of 1 s",
        ] {
            assert!(text.contains(words), "{words:?} is missing");
        }
        assert_eq!(text.matches("stroke-dasharray").count(), 1, "tmpfs is told from null");
    }

    #[test]
    fn a_contest_file_becomes_the_bars_of_user_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("result.json");
        let mut document = serde_json::to_value(setting()).expect("JSON");
        let turns = |name: &str, user_ns: f64| {
            let run = ContestantRun { user_ns, ios: 1, ..ContestantRun::default() };
            serde_json::json!({"name": name, "what": "words", "rounds": [run]})
        };
        document["rows"] = serde_json::json!([
            {"id": "null-1", "contestants": [turns("fathom", 34.1), turns("fio", 127.0)]},
            {"id": "zram-psync-read", "contestants":
                [turns("bare", 53.0), turns("fathom", 113.0), turns("fio", 326.0)]},
            {"id": "disk-uring-64", "contestants": [turns("fathom", 293.0)]},
        ]);
        crate::document::write_json(&document, &file).expect("writes");
        let drawn = draw_file(&file, folder.path()).expect("draws");
        let text = fs::read_to_string(&drawn[0]).expect("is there");
        assert_eq!(drawn, [folder.path().join("cost.svg")]);
        for words in [">34 Fathom<", ">127 fio<", ">113 Fathom<", ">psync, zram<"] {
            assert!(text.contains(words), "{words:?} is missing");
        }
        assert!(!text.contains(", disk<") && !text.contains("bare loop"), "what both have run");
    }

    #[test]
    fn another_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x.json");
        fs::write(&file, "{}").expect("writes");
        let why = draw_file(&file, folder.path()).expect_err("no result");
        assert!(why.to_string().contains("neither a result"), "{why}");
    }
}
