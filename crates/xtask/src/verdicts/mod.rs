//! `cargo xtask verdicts`: situations with known truth, and the program's answer to each.
//!
//! Every situation is made with real parts: loop devices, zram, ext4, blkio limits, other programs
//! on the same device. The program runs in it as for a user, and its answer is right, wrong, or
//! "cannot tell". The goal is right in 95 of 100, wrong in at most one of 100.

mod bed;
mod folder;
mod judge;
pub mod same;
mod situations;

use anyhow::{Context, Result, bail, ensure};
use bed::{BedTarget, Companions, ThrottledGroup};
use folder::BedFolder;
use judge::{AnswerQuality, JudgedAnswer};
use serde_json::Value;
use situations::{BesideJob, Situation};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Usage line for the list of commands.
pub const USAGE: &str = "verdicts [only=WORDS] [together=3] [ours=BINARY] [folder=FOLDER] \
     [documents=FOLDER] [write=docs/verdicts.md]   hold verdicts against situations whose truth \
     is known";

/// The share of answers that are to be right, and that may be wrong.
const RIGHT: f64 = 0.95;
const WRONG: f64 = 0.01;

struct Settings {
    only: String,
    together: usize,
    ours: PathBuf,
    /// The folder of the devices' files: in memory, unless `folder=` names another.
    folder: Option<PathBuf>,
    /// The folder for the document of each run, if any.
    documents: Option<PathBuf>,
    write: Option<PathBuf>,
}

impl Settings {
    fn parse(root: &Path, words: &[&str]) -> Result<Settings> {
        let mut settings = Settings {
            only: String::new(),
            together: 3,
            ours: root.join("target/release/fathom"),
            folder: None,
            documents: None,
            write: None,
        };
        for word in words {
            let (key, value) = word.split_once('=').with_context(|| USAGE.to_owned())?;
            match key {
                "only" => settings.only = value.to_owned(),
                "together" => settings.together = value.parse().context("together")?,
                "ours" => settings.ours = fs::canonicalize(value).context("ours")?,
                "folder" => settings.folder = Some(root.join(value)),
                "documents" => settings.documents = Some(root.join(value)),
                "write" => settings.write = Some(root.join(value)),
                _ => bail!("{USAGE}"),
            }
        }
        let ours = settings.ours.display();
        ensure!(settings.ours.exists(), "{ours} is not there: cargo build --release");
        if let Some(documents) = &settings.documents {
            fs::create_dir_all(documents)?;
        }
        Ok(settings)
    }
}

/// Runs every situation and prints the table; `false` if too few are right.
///
/// # Errors
/// If the bed cannot be made: not root, no loop devices, no blkio control groups.
pub fn run(root: &Path, words: &[&str]) -> Result<bool> {
    let settings = Settings::parse(root, words)?;
    let mut chosen = situations::all();
    chosen.retain(|situation| {
        format!("{} {}", situation.truth.class(), situation.name).contains(&settings.only)
    });
    // Situations that disturb the machine would affect others, and one that is to use up its
    // processor time must get it: those run alone.
    let (alone, beside): (Vec<_>, Vec<_>) = chosen
        .into_iter()
        .partition(|s| s.beside == BesideJob::BusyProcessors || s.quota.is_some());
    let folder = BedFolder::new(root, settings.folder.as_deref(), settings.together)?;
    if let Some(why) = &folder.caveat {
        println!("{why}");
    }
    let mut rows = run_all(&settings, &folder, beside, settings.together)?;
    rows.extend(run_all(&settings, &folder, alone, 1)?);
    let text = table(&rows);
    println!("\n{text}");
    if let Some(path) = &settings.write {
        fs::write(path, page(&rows, &text)).with_context(|| path.display().to_string())?;
    }
    let share = |outcome| {
        rows.iter().filter(|row| row.1.outcome == outcome).count() as f64 / rows.len() as f64
    };
    Ok(share(AnswerQuality::Right) >= RIGHT && share(AnswerQuality::Wrong) <= WRONG)
}

type Row = (Situation, JudgedAnswer);

fn run_all(
    settings: &Settings,
    folder: &BedFolder,
    chosen: Vec<Situation>,
    together: usize,
) -> Result<Vec<Row>> {
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let failed: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for worker in 0..together {
            let (next, rows, failed, chosen) = (&next, &rows, &failed, &chosen);
            scope.spawn(move || {
                while let Some(situation) = chosen.get(next.fetch_add(1, Relaxed)) {
                    match one(settings, folder, situation, worker) {
                        Ok(judged) => rows
                            .lock()
                            .unwrap_or_else(|e| e.into_inner())
                            .push((situation.clone(), judged)),
                        Err(error) => {
                            let error = error.context(situation.name.clone());
                            *failed.lock().unwrap_or_else(|e| e.into_inner()) = Some(error);
                        }
                    }
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(error) => Err(error),
        None => Ok(rows.into_inner().unwrap_or_else(|e| e.into_inner())),
    }
}

fn one(
    settings: &Settings,
    folder: &BedFolder,
    situation: &Situation,
    worker: usize,
) -> Result<JudgedAnswer> {
    let name = format!("fathom-verdicts-{}-{worker}", std::process::id());
    let target = BedTarget::new(situation, &folder.path, &name)?;
    let group = ThrottledGroup::new(situation, &target, &name)?;
    let company = Companions::start(situation, &target, &group)?;
    let mut words = vec![settings.ours.display().to_string()];
    words.extend(["run", "--json", "--no-record", "--quiet", "--name=x"].map(str::to_owned));
    words.push(format!("--filename={}", target.path.display()));
    let usual = ["--direct=1", "--ioengine=libaio", "--time_based", "--randrepeat=0"];
    words.extend(usual.map(str::to_owned));
    words.push(format!("--runtime={}s", situation.seconds));
    words.extend(situation.job.split(' ').map(str::to_owned));
    let text = group.run(situation, &words)?;
    drop(company);
    let document: Value = serde_json::from_str(&text).context("the document of the run")?;
    if let Some(documents) = &settings.documents {
        let name = situation.name.replace(['/', ' '], "_");
        fs::write(documents.join(format!("{name}.json")), &text)?;
    }
    let judged = judge::judge(situation, &document);
    println!("{:11} {:60} {}", format!("{:?}", judged.outcome), situation.name, judged.answer);
    Ok(judged)
}

/// The confusion table: the truth against the quality of the answers.
fn table(rows: &[Row]) -> String {
    let mut classes: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (situation, judged) in rows {
        let counts = classes.entry(situation.truth.class()).or_default();
        counts[judged.outcome as usize] += 1;
    }
    let mut text = String::from("| truth | situations | right | cannot tell | wrong |\n");
    text.push_str("|---|--:|--:|--:|--:|\n");
    let mut sum = [0; 3];
    for (class, counts) in &classes {
        let [right, cannot, wrong] = counts;
        let all = right + cannot + wrong;
        let _ = writeln!(text, "| {class} | {all} | {right} | {cannot} | {wrong} |");
        (0..3).for_each(|at| sum[at] += counts[at]);
    }
    let [right, cannot, wrong] = sum;
    let _ = writeln!(text, "| **all** | {} | {right} | {cannot} | {wrong} |", rows.len());
    text
}

/// The page of the docs.
fn page(rows: &[Row], table: &str) -> String {
    let mut text = String::from(
        "# Verdicts against the truth\n\n\
         Each situation is made with real parts whose truth is known (loop devices, zram, ext4,\n\
         limits of control groups, other programs on the device), and Fathom is asked about it\n\
         once. The files beneath the devices lie in memory: a disk may have a limit of its own,\n\
         and then \"no limit\" would not be known to be true. Made by\n\
         `cargo build --release && cargo xtask verdicts write=docs/verdicts.md`, as root, in\n\
         about 13 minutes.\n\n",
    );
    text.push_str(table);
    text.push_str(
        "\nA burst is a limit that was lowered in mid-run, by a tenth at least. Of a shared cap\n\
         another program of the control group takes a part, which the answer must state. A CPU\n\
         quota must be named as the cause, and a cap beside it is wrong, as is a cap or a burst\n\
         where the page cache or a hole in a file answered.\n",
    );
    text.push_str("\nWhat was not right:\n\n");
    let mut others: Vec<&Row> =
        rows.iter().filter(|row| row.1.outcome != AnswerQuality::Right).collect();
    others.sort_by_key(|row| (std::cmp::Reverse(row.1.outcome), row.0.name.clone()));
    for (situation, judged) in others {
        let outcome = if judged.outcome == AnswerQuality::Wrong { "wrong" } else { "cannot tell" };
        let _ = writeln!(
            text,
            "- {outcome}: {} ({}): {}",
            situation.name,
            situation.truth.class(),
            judged.answer
        );
    }
    text
}
