//! Series for tests: noise of several kinds, each fixed by its seed, and real ones from files.
//!
//! Seeds instead of a random source, so that a rate of false alarms is reproducible.

use fathom_vocab::SplitMix;

/// Random numbers of several kinds.
pub(crate) struct Noise(SplitMix);

impl Noise {
    /// The generator of a seed.
    pub(crate) fn new(seed: u64) -> Noise {
        Noise(SplitMix::new(seed))
    }

    /// Uniform in 0..1.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.0.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Standard normal (Box & Muller 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// `rounds` independent rates around `level` with a coefficient of variation, none negative.
    pub(crate) fn white(&mut self, level: f64, cv: f64, rounds: usize) -> Vec<f64> {
        self.wandering(level, cv, 0.0, rounds)
    }

    /// The same with a share `memory` (0 to 1) of each round from the one before it: AR(1).
    pub(crate) fn wandering(
        &mut self,
        level: f64,
        cv: f64,
        memory: f64,
        rounds: usize,
    ) -> Vec<f64> {
        let fresh = (1.0 - memory * memory).sqrt();
        let mut state = self.normal();
        let mut next = || {
            state = memory * state + fresh * self.normal();
            (level * (1.0 + cv * state)).max(0.0)
        };
        (0..rounds).map(|_| next()).collect()
    }

    /// Each rate with independent noise.
    pub(crate) fn over(&mut self, shape: &[f64], cv: f64) -> Vec<f64> {
        shape.iter().map(|rate| (rate * (1.0 + cv * self.normal())).max(0.0)).collect()
    }
}

/// Columns of a fixture: lines of numbers, comments after `#`.
pub(crate) fn columns<const N: usize>(text: &str) -> Vec<[f64; N]> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let numbers = |line: &str| {
        let numbers: Vec<f64> = line.split_whitespace().map(|n| n.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    lines.map(numbers).collect()
}

/// The one column of a fixture.
pub(crate) fn series(text: &str) -> Vec<f64> {
    columns::<1>(text).into_iter().map(|[value]| value).collect()
}

/// A fixture of bins as a histogram.
pub(crate) fn histogram(text: &str) -> fathom_stats::Histogram {
    let bins = columns::<2>(text).into_iter();
    fathom_stats::Histogram::from_bins(bins.map(|[ns, count]| (ns as u64, count as u64)))
}

/// Asserts that a finding can be displayed and stored: all its numbers are finite.
pub(crate) fn assert_whole<T>(finding: &T)
where
    T: serde::Serialize + serde::de::DeserializeOwned + std::fmt::Display,
{
    let text = finding.to_string();
    assert!(text.ends_with('.') && !text.contains("NaN") && !text.contains("inf"), "{text}");
    // JSON has no NaN, and writes null, which does not parse as a number.
    let json = serde_json::to_string(finding).unwrap();
    let back: Result<T, _> = serde_json::from_str(&json);
    assert!(back.is_ok(), "{json}");
}

/// A file under `tests/fixtures`.
macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/", $name))
    };
}
pub(crate) use fixture;
