//! `cargo xtask truth`: the same job by fio and by Fathom in turn, and the difference.
//!
//! Disks, above all those of virtual machines, drift during a measurement, so single runs are not
//! enough. A round is a series of short slices, in each of which fio, Fathom, and fio again run in
//! turn, with the order reversed from slice to slice (ABC, CBA, …). Ratios are taken within the
//! round; the median of the ratios is judged and shown with the spread. The second fio is the
//! control: fio's difference from itself is the resolution of this machine at this time.
//!
//! Both work on one file that is laid out before, on the machine's disk and, if root may create
//! one, on an xfs on a loop device. The machine should be idle otherwise.
//!
//! Tests of the binary check that the counts are the kernel's and that a known limit is measured
//! correctly, without a comparison (`crates/cli/tests/figures/truth.rs`).

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Maximum distance of the median ratio from one.
const TOLERANCE: f64 = 0.03;
/// The size of the file, and of a loop device with a file system around it.
const FILE_MIB: u64 = 512;
const VOLUME_MIB: u64 = 1024;

/// Name, job, and the direction to compare.
const JOBS: &[(&str, &str, &str)] = &[
    (
        "randread 4k libaio depth 16",
        "--rw=randread --bs=4k --ioengine=libaio --iodepth=16 --direct=1",
        "read",
    ),
    ("randwrite 4k psync depth 1", "--rw=randwrite --bs=4k --ioengine=psync --direct=1", "write"),
    (
        "read 1M libaio depth 4",
        "--rw=read --bs=1M --ioengine=libaio --iodepth=4 --direct=1",
        "read",
    ),
];

/// Usage line for the list of commands.
pub const USAGE: &str = "truth [rounds=5] [slices=2] [seconds=2] [dir=FOLDER] [ours=BINARY] \
     [fio=BINARY] [job=WORD]   compare figures with fio's";

/// The command line's settings.
struct Settings {
    rounds: usize,
    slices: usize,
    seconds: u64,
    folder: PathBuf,
    ours: PathBuf,
    fio: PathBuf,
    job: String,
}

impl Settings {
    fn parse(root: &Path, words: &[&str]) -> Result<Settings> {
        let mut settings = Settings {
            rounds: 5,
            slices: 2,
            seconds: 2,
            folder: root.join("target/truth"),
            ours: root.join("target/release/fathom"),
            fio: "/usr/bin/fio".into(),
            job: String::new(),
        };
        for word in words {
            let (key, value) = word.split_once('=').with_context(|| USAGE.to_owned())?;
            match key {
                "rounds" => settings.rounds = value.parse().context("rounds")?,
                "slices" => settings.slices = value.parse().context("slices")?,
                "seconds" => settings.seconds = value.parse().context("seconds")?,
                "dir" => settings.folder = value.into(),
                "ours" => settings.ours = fs::canonicalize(value).context("ours")?,
                "fio" => settings.fio = value.into(),
                "job" => settings.job = value.into(),
                _ => bail!("{USAGE}"),
            }
        }
        let least = settings.seconds.min(settings.rounds.min(settings.slices) as u64);
        ensure!(least > 0, "rounds, slices and seconds are at least 1");
        ensure!(
            settings.ours.exists(),
            "{} is not there: cargo build --release",
            settings.ours.display()
        );
        Ok(settings)
    }
}

/// Measures and prints the table; `false` if a median ratio is outside the tolerance.
pub fn run(root: &Path, words: &[&str]) -> Result<bool> {
    let settings = Settings::parse(root, words)?;
    let bench = Bench::new(&settings)?;
    let mut agreed = true;
    println!(
        "{} rounds of {} slices of {} s; ratios to fio's figures, judged at ±{:.0} %\n",
        settings.rounds,
        settings.slices,
        settings.seconds,
        TOLERANCE * 100.0
    );
    agreed &= bench.volume("the machine's disk", &settings.folder)?;
    match XfsVolume::new(&settings.folder) {
        Ok(volume) => agreed &= bench.volume("xfs on a loop device", &volume.point)?,
        Err(why) => println!("SKIP: xfs on a loop device: {why:#}"),
    }
    println!("\n{}", if agreed { "all within the tolerance" } else { "NOT within the tolerance" });
    Ok(agreed)
}

/// The compared figures of a run: I/Os and KiB a second, mean latency in microseconds.
type Figures = [f64; 3];

const FIGURES: [&str; 3] = ["IOPS", "KiB/s", "lat us"];

/// The programs in a slice; the third is the control.
const FIO: usize = 0;
const OURS: usize = 1;
const FIO_AGAIN: usize = 2;

/// The means of a round's slices, by who ran.
type Round = [Figures; 3];

struct Bench<'a> {
    settings: &'a Settings,
    /// A link to our binary by the name that makes it the drop-in.
    ours: PathBuf,
}

impl Bench<'_> {
    fn new(settings: &Settings) -> Result<Bench<'_>> {
        let folder = settings.folder.join("bin");
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let ours = folder.join("fio");
        let _ = fs::remove_file(&ours);
        std::os::unix::fs::symlink(&settings.ours, &ours).context("a link named fio")?;
        Ok(Bench { settings, ours })
    }

    /// All jobs on one volume.
    fn volume(&self, name: &str, folder: &Path) -> Result<bool> {
        println!("{name}: {}", folder.display());
        println!(
            "  {:28} {:6} {:>11} {:>11}  {:23}   {:23}",
            "job", "figure", "fio", "ours", "ours / fio", "fio again / fio"
        );
        let file = folder.join("truth.dat");
        let lay_out = format!("--rw=write --bs=1M --end_fsync=1 --size={FILE_MIB}M");
        fio_json(&self.settings.fio, &file, &lay_out)?;
        let mut agreed = true;
        for (name, job, way) in JOBS.iter().filter(|(name, ..)| name.contains(&self.settings.job)) {
            agreed &= self.job(name, job, way, &file)?;
        }
        let _ = fs::remove_file(&file);
        Ok(agreed)
    }

    fn job(&self, name: &str, job: &str, way: &str, file: &Path) -> Result<bool> {
        let mut rounds = Vec::new();
        for _ in 0..self.settings.rounds {
            rounds.push(self.round(job, way, file)?);
        }
        let mut agreed = true;
        for (index, figure) in FIGURES.iter().enumerate() {
            let of = |who: usize| sorted(rounds.iter().map(|r: &Round| r[who][index]).collect());
            let ratios =
                |who: usize| sorted(rounds.iter().map(|r| r[who][index] / r[FIO][index]).collect());
            let (ours, control) = (ratios(OURS), ratios(FIO_AGAIN));
            let within = (median(&ours) - 1.0).abs() <= TOLERANCE;
            agreed &= within;
            println!(
                "  {name:28} {figure:6} {:11.1} {:11.1}  {}   {}{}",
                median(&of(FIO)),
                median(&of(OURS)),
                spread(&ours),
                spread(&control),
                if within { "" } else { "  <- apart" }
            );
        }
        Ok(agreed)
    }

    fn round(&self, job: &str, way: &str, file: &Path) -> Result<Round> {
        let mut sums: Round = [[0.0; 3]; 3];
        for slice in 0..self.settings.slices {
            let order =
                if slice % 2 == 0 { [FIO, OURS, FIO_AGAIN] } else { [FIO_AGAIN, OURS, FIO] };
            for who in order {
                let figures = self.figures(who == OURS, job, way, file)?;
                for (sum, figure) in sums[who].iter_mut().zip(figures) {
                    *sum += figure / self.settings.slices as f64;
                }
            }
        }
        Ok(sums)
    }

    fn figures(&self, ours: bool, job: &str, way: &str, file: &Path) -> Result<Figures> {
        let program = if ours { &self.ours } else { &self.settings.fio };
        let line = format!(
            "{job} --size={FILE_MIB}M --randrepeat=0 --time_based --runtime={} --ramp_time=300ms",
            self.settings.seconds
        );
        let document = fio_json(program, file, &line)?;
        let figures = &document["jobs"][0][way];
        let number = |key: &str| figures[key].as_f64().with_context(|| format!("{key} is missing"));
        let mean_lat_ns = figures["lat_ns"]["mean"].as_f64().context("lat_ns.mean is missing")?;
        Ok([number("iops")?, number("bw_bytes")? / 1024.0, mean_lat_ns / 1000.0])
    }
}

/// Median, lowest and highest of sorted ratios.
fn spread(ratios: &[f64]) -> String {
    format!("{:.3} ({:.3} … {:.3})", median(ratios), ratios[0], ratios[ratios.len() - 1])
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// For sorted values; the mean of the middle two if their number is even.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

fn fio_json(program: &Path, file: &Path, line: &str) -> Result<Value> {
    let output = Command::new(program)
        .args(["--output-format=json", "--name=truth"])
        .arg(format!("--filename={}", file.display()))
        .args(line.split_whitespace())
        .output()
        .with_context(|| program.display().to_string())?;
    ensure!(
        output.status.success(),
        "{} {line}: {}",
        program.display(),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    serde_json::from_slice(&output.stdout).with_context(|| format!("{} {line}", program.display()))
}

/// An xfs on a loop device with direct I/O to its file; removed when dropped.
struct XfsVolume {
    image: PathBuf,
    device: String,
    point: PathBuf,
}

impl XfsVolume {
    fn new(folder: &Path) -> Result<XfsVolume> {
        let image = folder.join("xfs.img");
        fs::File::create(&image)
            .and_then(|file| file.set_len(VOLUME_MIB << 20))
            .with_context(|| image.display().to_string())?;
        let text = image.display().to_string();
        let device = tool("losetup", &["--direct-io=on", "-f", "--show", &text])?;
        let point = folder.join("xfs");
        let volume = XfsVolume { image, device, point };
        tool("mkfs.xfs", &["-q", "-f", &volume.device])?;
        fs::create_dir_all(&volume.point)?;
        tool("mount", &[&volume.device, &volume.point.display().to_string()])?;
        Ok(volume)
    }
}

impl Drop for XfsVolume {
    fn drop(&mut self) {
        let _ = tool("umount", &[&self.point.display().to_string()]);
        let _ = tool("losetup", &["-d", &self.device]);
        let _ = fs::remove_file(&self.image);
    }
}

fn tool(program: &str, args: &[&str]) -> Result<String> {
    let output = Command::new(program).args(args).output().with_context(|| program.to_owned())?;
    ensure!(
        output.status.success(),
        "{program} {}: {}",
        args.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&sorted(vec![3.0, 1.0, 2.0])), 2.0);
        assert_eq!(median(&sorted(vec![4.0, 1.0, 2.0, 3.0])), 2.5);
    }
}
