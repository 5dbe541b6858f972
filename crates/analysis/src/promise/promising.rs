//! From a row and a configuration to the promise.

use super::caveat::Caveat;
use super::config::{Config, ConfigLimits, IOPS, Quantity, RATE};
use super::error::PromiseError;
use super::limits::Limits;
use super::promised::{Accounting, LatencyPromise, Level, MeasuredAt, Promise};
use super::rule::{Gap, Inputs, Rule};
use super::size::{ByteRateUnit, Size, SizeUnit};
use super::volume::VolumeRow;
use fathom_text::{Text, text};

/// A quantity of reads and of writes, in the row's unit.
type Both = [Option<f64>; 2];

impl VolumeRow {
    /// The promise for such a volume with the configuration `config`.
    pub fn promise(&self, config: &Config) -> Result<Promise, PromiseError> {
        let mut case = ConfigLimits::new(self, config)?;
        let (iops, rate) = case.evaluated()?;
        case.inputs.iops = iops[0];
        case.inputs.rate = rate[0];
        let mut promise = case.assembled(iops, rate);
        promise.burst = case.burst(promise.read, promise.write)?;
        promise.caveats = case.caveats(&promise);
        Ok(promise)
    }
}

impl ConfigLimits<'_> {
    /// IOPS and bandwidth; if one depends on the other, it is calculated second.
    fn evaluated(&self) -> Result<(Both, Both), PromiseError> {
        let inputs = self.inputs;
        if self.limits.iops_follow_rate() {
            let rate = self.rates(inputs)?;
            return Ok((self.iops(Inputs { rate: rate[0], ..inputs })?, rate));
        }
        let iops = self.iops(inputs)?;
        Ok((iops, self.rates(Inputs { iops: iops[0], ..inputs })?))
    }

    fn iops(&self, inputs: Inputs) -> Result<Both, PromiseError> {
        let Limits { iops, read_iops, write_iops, .. } = &self.limits;
        let inputs = Inputs { bought: inputs.bought_iops, ..inputs };
        let value = |own: &Option<Rule>| self.value(own.as_ref().or(iops.as_ref()), &inputs, IOPS);
        Ok([value(read_iops)?, value(write_iops)?])
    }

    fn rates(&self, inputs: Inputs) -> Result<Both, PromiseError> {
        let Limits { rate, read_rate, write_rate, .. } = &self.limits;
        let inputs = Inputs { bought: self.bought_rate, ..inputs };
        let value = |own: &Option<Rule>| self.value(own.as_ref().or(rate.as_ref()), &inputs, RATE);
        Ok([value(read_rate)?, value(write_rate)?])
    }

    /// The value of a rule, with its gaps explained.
    pub(super) fn value(
        &self,
        rule: Option<&Rule>,
        inputs: &Inputs,
        quantity: Quantity,
    ) -> Result<Option<f64>, PromiseError> {
        let value = rule.map(|rule| rule.value(inputs)).transpose();
        value.map_err(|gap| self.explained(gap, quantity))
    }

    fn explained(&self, gap: Gap, Quantity { what, flag }: Quantity) -> PromiseError {
        let volume = self.volume.id.clone();
        let unit = match flag == IOPS.flag {
            true => "IOPS".to_owned(),
            false => self.rate_unit().to_string(),
        };
        match gap {
            Gap::Size => PromiseError::SizeNeeded { volume, example: self.volume.example_size() },
            Gap::Knob | Gap::Other => self.knob_needed(volume),
            Gap::Bought { choices } => {
                PromiseError::ProvisionedNeeded { volume, what, flag, choices, unit }
            }
            Gap::OutOfRange { asked, min, max } => {
                PromiseError::ProvisionedOutOfRange { volume, asked, min, max, unit, flag }
            }
            Gap::NotAChoice { asked, choices } => {
                PromiseError::NotAChoice { volume, asked, choices, unit, flag }
            }
        }
    }

    fn settable_iops(&self) -> Option<[Option<f64>; 2]> {
        settable([&self.limits.iops, &self.limits.read_iops], &self.inputs, 1.0)
    }

    /// The most bytes a second may take more I/Os a second than were bought: unless a number of
    /// them was, each end is that of a volume with as many I/Os as that end has.
    fn settable_rate(&self, unit: f64) -> Option<[Option<f64>; 2]> {
        let rules = [&self.limits.rate, &self.limits.read_rate];
        let iops = match self.inputs.bought_iops {
            None => self.settable_iops().unwrap_or_default(),
            Some(_) => [None; 2],
        };
        let of = |at: usize| {
            let iops = iops[at].or(self.inputs.iops);
            settable(rules, &Inputs { iops, ..self.inputs }, unit)
        };
        let [least, most] = [of(0)?, of(1)?];
        Some([least[0], most[1]])
    }

    /// Rules depend on a knob, or on each other, only in rows that have them: the catalogue checks
    /// it.
    fn knob_needed(&self, volume: String) -> PromiseError {
        let (knob, title, min, max) = match &self.volume.knob {
            Some(knob) => (knob.name.clone(), Text::from_english(&knob.title), knob.min, knob.max),
            None => ("NAME".to_owned(), text!("setting"), 0.0, 0.0),
        };
        PromiseError::KnobNeeded { volume, knob, title, min, max }
    }

    fn assembled(&self, iops: Both, rate: Both) -> Promise {
        let row = self.volume;
        let unit = self.rate_unit().bytes_per_s();
        let level =
            |at: usize| Level { iops: iops[at], bytes_per_s: rate[at].map(|rate| rate * unit) };
        let vm_rate =
            self.config.vm_rate.map(|rate| rate.in_unit(ByteRateUnit(SizeUnit::MB)) * 1e6);
        let size_unit = row.size.map(|range| range.unit.bytes());
        Promise {
            volume: row.id.clone(),
            name: row.name.clone(),
            provider: row.provider.clone(),
            variant: self.config.variant.clone(),
            size_bytes: self.inputs.size.zip(size_unit).map(|(size, bytes)| size * bytes),
            kind: row.promise,
            scope: row.scope,
            directions: row.directions,
            read: level(0),
            write: level(1),
            client_bytes_per_s: self.limits.client_rate.map(|rate| rate * unit),
            vm: Level { iops: self.config.vm_iops, bytes_per_s: vm_rate },
            settable_iops: self.settable_iops(),
            settable_bytes_per_s: self.settable_rate(unit),
            burst: None,
            latency: self.latency(),
            consistency: self.limits.consistency,
            accounting: row.accounting(),
            queue_ns: row.queue_us.map(|us| us * 1e3),
            measured: self.measured(unit),
            sources: row.sources.clone(),
            as_of: row.as_of.clone(),
            confidence: row.confidence,
            caveats: Vec::new(),
        }
    }

    fn latency(&self) -> Option<LatencyPromise> {
        self.limits.latency.as_ref().map(|latency| LatencyPromise {
            text: latency.text.clone(),
            read_mean_ns: latency.read_mean_us.map(|us| us * 1e3),
            write_mean_ns: latency.write_mean_us.map(|us| us * 1e3),
            at_bytes: latency.at.map(|at| at.bytes(SizeUnit::B)),
        })
    }

    /// Figures measured by others, in bytes; `unit` is the row's unit of bandwidth.
    fn measured(&self, unit: f64) -> Vec<MeasuredAt> {
        let size_bytes = self.volume.size.map_or(1.0, |range| range.unit.bytes());
        let level =
            |iops, rate: Option<f64>| Level { iops, bytes_per_s: rate.map(|rate| rate * unit) };
        let points = self.volume.measured.iter().map(|point| MeasuredAt {
            size_bytes: point.size * size_bytes,
            read: level(point.read_iops, point.read_rate),
            write: level(point.write_iops, point.write_rate),
        });
        points.collect()
    }

    fn caveats(&self, promise: &Promise) -> Vec<Caveat> {
        let ConfigLimits { volume: row, config, .. } = self;
        let mut caveats = Caveat::of_size(row, &self.limits, config.size.as_ref());
        if promise.settable_iops.is_some() && config.iops.is_none() {
            caveats.extend(promise.read.iops.map(|iops| Caveat::IncludedIops { iops }));
        }
        if promise.settable_bytes_per_s.is_some() && config.rate.is_none() {
            let included = promise.read.bytes_per_s;
            caveats.extend(included.map(|bytes_per_s| Caveat::IncludedRate { bytes_per_s }));
        }
        let burst = promise.burst.as_ref();
        caveats.extend(burst.map(|burst| Caveat::BurstHidesBaseline { lasts_s: burst.lasts_s }));
        let client = promise.client_bytes_per_s;
        caveats.extend(client.map(|bytes_per_s| Caveat::ClientLimit { bytes_per_s }));
        let asked = config.variant.as_deref().unwrap_or_default();
        let variant = row.variants.iter().find(|variant| variant.id.eq_ignore_ascii_case(asked));
        let notes = variant.into_iter().flat_map(|variant| &variant.notes);
        caveats.extend(notes.map(|text| Caveat::Note { text: text.clone() }));
        caveats.extend(Caveat::of_row(row, &self.limits));
        if promise.vm != Level::default() {
            caveats.retain(|caveat| *caveat != Caveat::InstanceLimitUnknown);
        }
        caveats
    }
}

/// The range for sale under the first of `rules` that sells something, from least to most, in units
/// of `unit`.
fn settable(rules: [&Option<Rule>; 2], inputs: &Inputs, unit: f64) -> Option<[Option<f64>; 2]> {
    let mut rules = rules.into_iter().flatten();
    let bounds = rules.find_map(|rule| rule.settable(inputs))?;
    Some(bounds.map(|bound| bound.map(|bound| bound * unit)))
}

impl Limits {
    /// Whether the IOPS depend on the bandwidth, which must then be calculated first.
    pub(super) fn iops_follow_rate(&self) -> bool {
        let about_iops = self.rules().into_iter().filter(|(name, _)| name.ends_with("iops"));
        about_iops.into_iter().any(|(_, rule)| rule.any_line(|line| line.per_rate != 0.0))
    }
}

impl VolumeRow {
    /// A size that is sold, to name in advice.
    pub fn example_size(&self) -> String {
        let Some(range) = self.size else { return String::new() };
        let usual = if range.unit.bytes() < 1e12 { 500.0 } else { 1.0 };
        let least = range.min.unwrap_or(0.0);
        let sold = range.max.unwrap_or(f64::INFINITY).min(least.max(usual));
        format!("{}{}", range.on_grid(sold), range.unit)
    }

    fn accounting(&self) -> Accounting {
        let bytes = |size: Option<Size>| size.map(|size| size.bytes(SizeUnit::B));
        Accounting {
            unit_bytes: bytes(self.account.unit),
            charge: self.account.charge,
            sequential: self.account.sequential,
            iops_at_bytes: bytes(self.account.iops_at),
            rate_at_bytes: bytes(self.account.rate_at),
        }
    }
}

#[cfg(test)]
mod tests;
