//! The question of a sweep, as stored: the input of its hash.

use super::values::Value;
use crate::setting::CaseTime;
use serde::{Deserialize, Serialize};

/// The name of the axis of read and write shares.
pub const RWMIX: &str = "rwmix";
/// The name of the axis of the client's cache.
pub const CACHE: &str = "cache";
/// The name of the axis of machines that run the same at once.
pub const CLIENTS: &str = "clients";

/// The name of the axis of connections to an export.
pub const NCONNECT: &str = "nconnect";

/// The default pattern of a sweep's cases.
pub const USUAL_RW: &str = "randread";
/// The same of a sweep that varies or sets the share of reads and writes.
pub const USUAL_MIXED_RW: &str = "randrw";
/// The default block size.
pub const USUAL_BS: &str = "4k";

/// The default depth.
pub const USUAL_DEPTH: &str = "32";

/// The order of the cases within a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As loops within each other, the last axis fastest.
    #[default]
    Nested,
    /// By chance, another in each round, the same for the same seed.
    Shuffled,
}

/// An axis as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AxisRecord {
    /// Option, or word of the sweep's own.
    pub name: String,
    /// Its values in order.
    pub values: Vec<String>,
}

impl AxisRecord {
    /// Whether it has more than one value.
    pub fn varies(&self) -> bool {
        self.values.len() > 1
    }

    /// Whether its values are on a scale.
    pub fn is_scale(&self) -> bool {
        self.values.iter().all(|value| Value::of(value).position().is_some())
    }
}

/// A question as it is kept: what its hash is taken of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionRecord {
    /// Absolute path of the target.
    pub target: String,
    /// The machines that measure; none is this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// The axes, outermost first.
    pub axes: Vec<AxisRecord>,
    /// Options that are the same in all cases.
    pub fixed: Vec<(String, Option<String>)>,
    /// Bytes to measure in, if said.
    pub size_bytes: Option<u64>,
    /// How long a case runs.
    pub time: CaseTime,
    /// How often each case is run.
    pub rounds: u32,
    /// The order of the cases within a round.
    pub order: Order,
    /// Whether cases that write are left out.
    pub read_only: bool,
    /// Files and devices whose data may be destroyed.
    pub destroy: Vec<String>,
}

impl QuestionRecord {
    /// Pattern and block size as far as they are the same in all cases, as `rw=randread`: without
    /// them a rate means nothing.
    pub fn constants(&self) -> Vec<String> {
        let has = |name: &str| self.is_given(name);
        let mixed = [RWMIX, "rwmixread", "rwmixwrite"].into_iter().any(has);
        let rw = if mixed { USUAL_MIXED_RW } else { USUAL_RW };
        let rw = self.value_of("rw", rw).filter(|_| !self.varies(RWMIX));
        let sizes = ["bsrange", "bssplit"].into_iter().any(has);
        let bs = self.value_of("bs", USUAL_BS).filter(|_| !sizes);
        let rw = rw.map(|rw| format!("rw={rw}"));
        rw.into_iter().chain(bs.map(|bs| format!("bs={bs}"))).collect()
    }

    fn varies(&self, name: &str) -> bool {
        self.axes.iter().any(|axis| axis.name == name && axis.varies())
    }

    /// Whether an option is varied or set.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.axes.iter().any(|axis| axis.name == name)
            || self.fixed.iter().any(|(fixed, _)| fixed == name)
    }

    /// The value of an option in all cases, as it was set, else the usual one; none if it varies.
    pub(super) fn value_of<'a>(&'a self, name: &str, usual: &'a str) -> Option<&'a str> {
        let of_axis = self.axes.iter().find(|axis| axis.name == name);
        let of_axis = of_axis.and_then(|axis| axis.values.first());
        let fixed = self.fixed.iter().find(|(fixed, _)| fixed == name);
        let value = of_axis.or(fixed.and_then(|(_, value)| value.as_ref()));
        (!self.varies(name)).then(|| value.map_or(usual, String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(axes: &[(&str, &[&str])], fixed: &[(&str, &str)]) -> QuestionRecord {
        let axis = |(name, values): &(&str, &[&str])| AxisRecord {
            name: (*name).to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        QuestionRecord {
            target: "/d".to_owned(),
            hosts: Vec::new(),
            axes: axes.iter().map(axis).collect(),
            fixed: fixed.iter().map(|(n, v)| ((*n).to_owned(), Some((*v).to_owned()))).collect(),
            size_bytes: None,
            time: CaseTime::of(1_000_000),
            rounds: 1,
            order: Order::Nested,
            read_only: false,
            destroy: Vec::new(),
        }
    }

    #[test]
    fn pattern_and_block_size_are_named_as_far_as_they_are_the_same() {
        let depths: (&str, &[&str]) = ("iodepth", &["1", "2"]);
        assert_eq!(question(&[depths], &[]).constants(), ["rw=randread", "bs=4k"]);
        assert_eq!(question(&[depths], &[("bs", "8k")]).constants(), ["rw=randread", "bs=8k"]);
        assert_eq!(question(&[depths, ("rw", &["write"])], &[]).constants(), ["rw=write", "bs=4k"]);
        assert_eq!(question(&[("bs", &["4k", "8k"])], &[]).constants(), ["rw=randread"]);
        assert_eq!(question(&[(RWMIX, &["100:0", "0:100"])], &[]).constants(), ["bs=4k"]);
        assert_eq!(question(&[depths], &[("rwmixread", "70")]).constants()[0], "rw=randrw");
        assert_eq!(question(&[depths], &[("bssplit", "4k/50:8k/50")]).constants(), ["rw=randread"]);
    }

    #[test]
    fn the_subject_says_what_is_measured_and_what_varies() {
        use fathom_message::Lang;
        let depths: &[(&str, &[&str])] = &[("iodepth", &["1", "2", "4", "8"])];
        let said = |axes: &[(&str, &[&str])], fixed: &[(&str, &str)]| {
            question(axes, fixed).subject(Some(true)).text(Lang::En)
        };
        assert_eq!(said(depths, &[]), "Random read, 4 KiB, O_DIRECT; varies: queue depth 1 … 8");
        assert_eq!(
            said(&[("bs", &["4k", "8k"]), ("rw", &["read"])], &[("numjobs", "4")]),
            "Sequential read, depth 32, 4 jobs, O_DIRECT; varies: block size 4k, 8k"
        );
        let all: &[(&str, &[&str])] =
            &[("rw", &["read", "write"]), ("cache", &["in", "out"]), ("iodepth", &["1", "2"])];
        assert_eq!(
            said(all, &[("bs", "64k")]),
            "64 KiB; varies: pattern read, write; cache in, out; queue depth 1, 2"
        );
        let through = question(depths, &[]).subject(Some(false));
        assert!(through.text(Lang::En).contains("4 KiB, through the page cache; varies"));
        let uncached = question(depths, &[("direct", "0")]).subject(None);
        assert!(uncached.text(Lang::En).contains("4 KiB; varies"), "an export has no page cache");
        for (axes, fixed, cache) in [
            (depths, ("direct", "0"), ", through the page cache"),
            (depths, ("buffered", "1"), ", through the page cache"),
            (depths, ("buffered", "0"), ", O_DIRECT"),
            (&[("direct", &["0", "1"][..])][..], ("iodepth", "1"), ", depth 1"),
        ] {
            let text = said(axes, &[fixed]);
            assert!(text.starts_with(&format!("Random read, 4 KiB{cache}; varies: ")), "{text}");
        }
        assert_eq!(
            through.text(Lang::Ko),
            "랜덤 읽기, 4 KiB, 페이지 캐시 사용; 변화: 큐 깊이 1 … 8"
        );
    }
}
