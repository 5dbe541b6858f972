//! Rules in short words, for a table: `3 x GiB, 100 to 16,000`.

use super::limits::Limits;
use super::rule::{Line, Provisioned, Rule};
use super::volume::{Variant, VolumeRow};
use super::wording::{bounds, count, listed};

/// The names that a row's rules speak of.
struct Names<'a> {
    size: &'a str,
    rate: String,
    knob: &'a str,
}

impl VolumeRow {
    /// How its I/Os a second follow, in short words.
    pub fn iops_in_words(&self) -> String {
        self.in_words("iops").unwrap_or_else(|| self.instead("iops"))
    }

    /// How its bytes a second follow, in short words after their unit.
    pub fn rate_in_words(&self) -> String {
        self.in_words("rate").unwrap_or_else(|| self.instead("rate"))
    }

    /// The changes of a variant, in short words.
    pub fn variant_in_words(&self, variant: &Variant) -> String {
        let limits = Limits { rate_unit: self.limits.rate_unit, ..Limits::default() };
        let only = VolumeRow { limits: limits.overlaid(&variant.limits), ..self.clone() };
        let iops = only.in_words("iops").map(|words| format!("IOPS: {words}"));
        let parts: Vec<String> = iops.into_iter().chain(only.in_words("rate")).collect();
        match parts.is_empty() {
            true => variant.name.clone(),
            false => format!("{}; {}", variant.name, parts.join("; ")),
        }
    }

    /// The sizes that are sold, as `1 to 16,384 GiB`.
    pub fn sizes_in_words(&self) -> Option<String> {
        let range = self.size.filter(|range| range.min.or(range.max).is_some())?;
        Some(bounds(range.min, range.max, range.unit.name()))
    }

    fn in_words(&self, quantity: &str) -> Option<String> {
        let names = Names {
            size: self.size.map_or("size", |range| range.unit.name()),
            rate: self.limits.rate_unit.map(|unit| unit.to_string()).unwrap_or_default(),
            knob: self.knob.as_ref().map_or("knob", |knob| &knob.name),
        };
        let rules = self.limits.rules().into_iter().filter(|(name, _)| name.ends_with(quantity));
        let words = rules.map(|(name, rule)| {
            let way = name.split_once('_').map(|(way, _)| format!("{way} ")).unwrap_or_default();
            format!("{way}{}", rule.words(&names))
        });
        let words: Vec<String> = words.collect();
        match (words.is_empty(), quantity) {
            (true, _) => None,
            (false, "rate") => Some(format!("{}: {}", names.rate, words.join("; "))),
            (false, _) => Some(words.join("; ")),
        }
    }

    /// The source of limits if the row itself states none.
    fn instead(&self, quantity: &str) -> String {
        let of_quantity =
            |limits: &Limits| limits.rules().iter().any(|(name, _)| name.ends_with(quantity));
        let by_variant = self.variants.iter().any(|variant| of_quantity(&variant.limits));
        let measured = self.measured.iter().any(|point| match quantity {
            "iops" => point.read_iops.or(point.write_iops).is_some(),
            _ => point.read_rate.or(point.write_rate).is_some(),
        });
        match (by_variant, measured) {
            (true, _) => "by variant".to_owned(),
            (_, true) => "measured only".to_owned(),
            _ => "not promised".to_owned(),
        }
    }
}

impl Rule {
    fn words(&self, names: &Names) -> String {
        let joined = |rules: &[Rule], between: &str| {
            let words: Vec<String> = rules.iter().map(|rule| rule.words(names)).collect();
            words.join(between)
        };
        match self {
            Rule::Constant(value) => count(*value),
            Rule::Linear(line) => line.words(names),
            Rule::Tiers(steps) | Rule::From(steps) => by_size(steps),
            Rule::Provisioned(bought) => bought.words(names),
            Rule::Sum(rules) => joined(rules, "; plus "),
            Rule::Least(rules) => format!("the least of {}", joined(rules, " and ")),
            Rule::Greatest(rules) => format!("the greater of {}", joined(rules, " and ")),
            Rule::TimesKnob(rule) => format!("{} x ({})", names.knob, rule.words(names)),
        }
    }
}

fn by_size(steps: &[[f64; 2]]) -> String {
    match (steps.first(), steps.last()) {
        (Some([_, first]), Some([_, last])) if first != last => {
            format!("{} to {} by size", count(*first), count(*last))
        }
        (Some([_, only]), _) => count(*only),
        (None, _) => String::new(),
    }
}

impl Line {
    fn words(&self, names: &Names) -> String {
        let mut terms = Vec::new();
        if self.base != 0.0 {
            terms.push(count(self.base));
        }
        let (per_size, unit) = self.legible_slope(names);
        let size = match self.from {
            0.0 => unit.to_owned(),
            from => format!("({unit} - {})", count(from)),
        };
        match self.per_size_per_knob {
            0.0 if per_size == 0.0 => {}
            0.0 => terms.push(format!("{} x {size}", factor(per_size))),
            knob => {
                let slope = format!("{} + {} x {}", factor(per_size), factor(knob), names.knob);
                terms.push(format!("({slope}) x {size}"));
            }
        }
        let others = [
            (self.per_iops, "IOPS"),
            (self.per_bought_iops, "bought IOPS"),
            (self.per_rate, names.rate.as_str()),
        ];
        let others = others.into_iter().filter(|(per, _)| *per != 0.0);
        terms.extend(others.map(|(per, of)| format!("{} x {of}", factor(per))));
        format!("{}{}", terms.join(" + "), self.bounds_in_words(names))
    }

    /// The slope for each unit of size, with the unit: 40 for a TiB rather than 0.039 for a GiB.
    fn legible_slope<'a>(&self, names: &Names<'a>) -> (f64, &'a str) {
        let per_size = self.per_size + self.ceil_per_size.iter().sum::<f64>();
        match names.size {
            "GiB" if per_size < 0.1 && self.from == 0.0 => (per_size * 1024.0, "TiB"),
            unit => (per_size, unit),
        }
    }

    fn bounds_in_words(&self, names: &Names) -> String {
        let max = match (self.max, self.max_per_knob) {
            (None, _) => None,
            (Some(max), 0.0) => Some(count(max)),
            (Some(0.0), knob) => Some(format!("{} x {}", count(knob), names.knob)),
            (Some(max), knob) => Some(format!("{} + {} x {}", count(max), count(knob), names.knob)),
        };
        match (self.min.map(count), max) {
            (Some(min), Some(max)) => format!(", {min} to {max}"),
            (Some(min), None) => format!(", at least {min}"),
            (None, Some(max)) => format!(", at most {max}"),
            (None, None) => String::new(),
        }
    }
}

/// A slope, with its significant digits.
fn factor(value: f64) -> String {
    match value.abs() < 100.0 {
        true => format!("{}", (value * 1e4).round() / 1e4),
        false => count(value),
    }
}

impl Provisioned {
    fn words(&self, names: &Names) -> String {
        if !self.choices.is_empty() {
            let choices: Vec<String> = self.choices.iter().map(|value| count(*value)).collect();
            return format!("bought as {}", listed(&choices));
        }
        let words = |rule: &Option<Rule>| rule.as_ref().map(|rule| rule.words(names));
        let most = words(&self.max);
        match (words(&self.default).filter(|default| default != "0"), most) {
            (Some(default), Some(most)) => format!("{default}; or bought up to {most}"),
            (Some(default), None) => format!("{default} or as bought"),
            (None, Some(most)) => format!("bought up to {most}"),
            (None, None) => "as bought".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::promise::Catalogue;

    #[test]
    fn rules_read_as_a_person_would_say_them() {
        let catalogue = Catalogue::builtin().unwrap();
        let words = |id: &str| {
            let row = catalogue.find(id).unwrap();
            [row.iops_in_words(), row.rate_in_words()]
        };
        let expected = [
            ("aws.gp2", "3 x GiB, 100 to 16,000", "MiB/s: 128 to 250 by size"),
            (
                "aws.gp3",
                "3,000; or bought up to 500 x GiB, 3,000 to 80,000",
                "MiB/s: 125; or bought up to 0.25 x IOPS, at most 2,000",
            ),
            ("naver.block_ssd", "4,000 + 40 x (GB - 100), at most 20,000", "not promised"),
            ("naver.nas", "measured only", "not promised"),
            ("google.netapp_volumes", "not promised", "by variant"),
            (
                "google.pd_standard",
                "read 0.75 x GiB, at most 7,500; write 1.5 x GiB, at most 15,000",
                "MiB/s: read 0.12 x GiB, at most 1,200; write 0.12 x GiB, at most 400",
            ),
            (
                "oci.ultra_high",
                "(45 + 1.5 x vpu) x GB, at most 2,500 x vpu",
                "MB/s: (0.36 + 0.012 x vpu) x GB, at most 280 + 20 x vpu",
            ),
            ("azure.files_ssd_v1", "3,000 + 1 x GiB, at most 100,000", "MiB/s: 100 + 0.1 x GiB"),
            ("aws.st1", "500", "MiB/s: 40 x TiB, at most 500"),
            ("google.hyperdisk_ml", "16 x MiB/s", "MiB/s: as bought"),
        ];
        for (id, iops, rate) in expected {
            assert_eq!(words(id), [iops, rate], "{id}");
        }
        let anf = catalogue.find("azure.anf").unwrap();
        assert_eq!(anf.variant_in_words(&anf.variants[1]), "Premium; MiB/s: 64 x TiB");
        assert_eq!(anf.sizes_in_words().unwrap(), "0.05 to 100 TiB");
        for row in catalogue.volumes() {
            for words in [row.iops_in_words(), row.rate_in_words()] {
                assert!(!words.is_empty() && !words.contains("  "), "{}: {words}", row.id);
            }
        }
    }
}
