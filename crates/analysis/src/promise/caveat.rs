//! Caveats on a promise, so that nobody overrates it.

use super::citation::Confidence;
use super::limits::Limits;
use super::rule::Rule;
use super::size::{Size, SizeUnit};
use super::volume::{PromiseKind, Scope, VolumeKind, VolumeRow};
use super::wording::{amount, block, count, duration, rate};
use crate::Tone;
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// What is to be known beside a promise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Caveat {
    /// There is no promise.
    NoPromise,
    /// It is a target.
    Target,
    /// The numbers were not read where they belong.
    Confidence {
        /// How surely they were read.
        confidence: Confidence,
    },
    /// Nobody says of when the text is.
    Undated,
    /// Newer limits are in force.
    Superseded {
        /// When these ended.
        to: String,
    },
    /// The machine may allow less.
    InstanceLimitUnknown,
    /// Others take from the same limits.
    Shared {
        /// What shares them.
        scope: Scope,
    },
    /// The size was given in another unit than the volume is sold in.
    OtherUnit {
        /// As given.
        given: String,
        /// As counted.
        counted: f64,
        /// The unit it is sold in.
        unit: SizeUnit,
        /// The size that was perhaps meant.
        meant: String,
    },
    /// The size counts as the next one that is sold.
    RoundedUp {
        /// As given.
        from: f64,
        /// As counted.
        to: f64,
        /// The unit of both.
        unit: SizeUnit,
    },
    /// Nothing was said of what is bought, so the included amount counts.
    IncludedIops {
        /// I/Os a second.
        iops: f64,
    },
    /// The same for bytes.
    IncludedRate {
        /// Bytes a second.
        bytes_per_s: f64,
    },
    /// A short run sees the burst only.
    BurstHidesBaseline {
        /// How long it can last, in seconds, where that is known.
        lasts_s: Option<f64>,
    },
    /// One client alone gets no more.
    ClientLimit {
        /// Bytes a second.
        bytes_per_s: f64,
    },
    /// The IOPS are stated for small blocks.
    StatedAt {
        /// The block size.
        block_bytes: f64,
    },
    /// Small sequential I/Os are merged before they are counted.
    SequentialMerged,
    /// What the catalogue has noted of this row.
    Note {
        /// The sentence.
        text: String,
    },
}

impl Caveat {
    /// How it bears on the promise.
    pub fn tone(&self) -> Tone {
        match self {
            Caveat::NoPromise | Caveat::Superseded { .. } => Tone::Warning,
            Caveat::Confidence { confidence: Confidence::Low } => Tone::Warning,
            Caveat::OtherUnit { .. } | Caveat::BurstHidesBaseline { .. } => Tone::Warning,
            _ => Tone::Note,
        }
    }

    /// Those of a row with any configuration.
    pub(super) fn of_row(volume: &VolumeRow, limits: &Limits) -> Vec<Caveat> {
        let mut caveats = Vec::new();
        match volume.promise {
            PromiseKind::Guarantee => {}
            PromiseKind::Target => caveats.push(Caveat::Target),
            PromiseKind::None => caveats.push(Caveat::NoPromise),
        }
        if let Some(to) = &volume.valid.to {
            caveats.push(Caveat::Superseded { to: to.clone() });
        }
        if volume.confidence < Confidence::High {
            caveats.push(Caveat::Confidence { confidence: volume.confidence });
        }
        if !volume.as_of.starts_with(|c: char| c.is_ascii_digit()) {
            caveats.push(Caveat::Undated);
        }
        if volume.scope != Scope::Volume {
            caveats.push(Caveat::Shared { scope: volume.scope });
        }
        if volume.kind == VolumeKind::Block && !limits.is_empty() {
            caveats.push(Caveat::InstanceLimitUnknown);
        }
        caveats.extend(Caveat::of_account(volume));
        caveats.extend(volume.notes.iter().map(|text| Caveat::Note { text: text.clone() }));
        caveats
    }

    fn of_account(volume: &VolumeRow) -> Vec<Caveat> {
        use super::limits::Sequential;
        let stated = volume.account.iops_at.map(|at| at.bytes(SizeUnit::B));
        let mut caveats: Vec<Caveat> =
            stated.into_iter().map(|block_bytes| Caveat::StatedAt { block_bytes }).collect();
        if volume.account.sequential == Sequential::Merged {
            caveats.push(Caveat::SequentialMerged);
        }
        caveats
    }

    /// Those that the size brings.
    pub(super) fn of_size(
        volume: &VolumeRow,
        limits: &Limits,
        given: Option<&Size>,
    ) -> Vec<Caveat> {
        let (Some(range), Some(given)) = (&volume.size, given) else { return Vec::new() };
        let unit = range.unit;
        let counted = given.in_unit(unit);
        let mut caveats = Vec::new();
        let written = given.unit(unit);
        if written.is_binary() != unit.is_binary() {
            let meant = given.to_string().replace(written.name(), &sister(written));
            let given = given.to_string();
            caveats.push(Caveat::OtherUnit { given, counted, unit, meant });
        }
        let stepped = range.step.map(|_| range.on_grid(counted));
        let rounded = stepped.or_else(|| tier_above(limits, counted));
        if let Some(to) = rounded.filter(|to| to - counted > 1e-6 * counted) {
            caveats.push(Caveat::RoundedUp { from: counted, to, unit });
        }
        caveats
    }
}

/// `GiB` for GB, and the reverse.
fn sister(unit: SizeUnit) -> String {
    let name = unit.name();
    match unit.is_binary() {
        true => name.replace('i', ""),
        false => format!("{}iB", &name[..name.len() - 1]),
    }
}

/// The tier of a size, if limits come in tiers.
fn tier_above(limits: &Limits, size: f64) -> Option<f64> {
    let above = |tiers: &Vec<[f64; 2]>| tiers.iter().map(|[upto, _]| *upto).find(|u| *u >= size);
    limits.rules().into_iter().find_map(|(_, rule)| match rule {
        Rule::Tiers(tiers) => above(tiers),
        _ => None,
    })
}

impl Tell for Caveat {
    fn tell(&self) -> Message {
        match self {
            Caveat::NoPromise => Message::new("caveat-no-promise"),
            Caveat::Target => Message::new("caveat-target"),
            Caveat::Undated => Message::new("caveat-undated"),
            Caveat::InstanceLimitUnknown => Message::new("caveat-instance"),
            Caveat::SequentialMerged => Message::new("caveat-merged"),
            Caveat::Note { text } => Message::from_english(text),
            Caveat::Confidence { confidence } => {
                Message::new("caveat-confidence").part("meaning", confidence.meaning())
            }
            Caveat::Superseded { to } => Message::new("caveat-superseded").with("to", to),
            Caveat::Shared { scope } => Message::new("caveat-shared").part("scope", scope.words()),
            Caveat::OtherUnit { .. } | Caveat::RoundedUp { .. } => self.of_sizes(),
            _ => self.of_rates(),
        }
    }
}

impl Caveat {
    fn of_sizes(&self) -> Message {
        match self {
            Caveat::OtherUnit { given, counted, unit, meant } => Message::new("caveat-other-unit")
                .with("given", given)
                .with("counted", amount(*counted, unit.name()))
                .with("unit", unit)
                .with("meant", meant),
            Caveat::RoundedUp { from, to, unit } => Message::new("caveat-rounded-up")
                .with("from", amount(*from, unit.name()))
                .with("to", amount(*to, unit.name())),
            _ => Message::verbatim(""),
        }
    }

    fn of_rates(&self) -> Message {
        match self {
            Caveat::IncludedIops { iops } => {
                Message::new("caveat-included-iops").with("iops", count(*iops))
            }
            Caveat::IncludedRate { bytes_per_s } => {
                Message::new("caveat-included-rate").with("rate", rate(*bytes_per_s))
            }
            Caveat::BurstHidesBaseline { lasts_s: Some(lasts_s) } => {
                Message::new("caveat-burst-hides").with("lasts", duration(*lasts_s))
            }
            Caveat::BurstHidesBaseline { lasts_s: None } => Message::new("caveat-burst-endless"),
            Caveat::ClientLimit { bytes_per_s } => {
                Message::new("caveat-client-limit").with("rate", rate(*bytes_per_s))
            }
            Caveat::StatedAt { block_bytes } => {
                Message::new("caveat-stated-at").with("block", block(*block_bytes))
            }
            _ => Message::verbatim(""),
        }
    }
}

shown_as_told!(Caveat);
