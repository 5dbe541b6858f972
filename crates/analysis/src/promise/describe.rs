//! Rules in short words, for a table: `3 x GiB, 100 to 16,000`.

use super::limits::Limits;
use super::rule::{Line, Provisioned, Rule};
use super::volume::{Variant, VolumeRow};
use super::wording::count;
use fathom_message::{Message, list};

/// The names that a row's rules speak of.
struct Names<'a> {
    size: &'a str,
    rate: String,
    knob: &'a str,
}

impl VolumeRow {
    /// How its I/Os a second follow, in short words.
    pub fn iops_in_words(&self) -> Message {
        self.in_words("iops").unwrap_or_else(|| self.instead("iops"))
    }

    /// How its bytes a second follow, in short words after their unit.
    pub fn rate_in_words(&self) -> Message {
        self.in_words("rate").unwrap_or_else(|| self.instead("rate"))
    }

    /// The changes of a variant, in short words.
    pub fn variant_in_words(&self, variant: &Variant) -> Message {
        let limits = Limits { rate_unit: self.limits.rate_unit, ..Limits::default() };
        let only = VolumeRow { limits: limits.overlaid(&variant.limits), ..self.clone() };
        let iops = only.in_words("iops").map(|rule| of("IOPS", rule));
        let parts = [Some(Message::from_english(&variant.name)), iops, only.in_words("rate")];
        list::semicolons(parts.into_iter().flatten())
    }

    /// The sizes that are sold, as `1 to 16,384 GiB`.
    pub fn sizes_in_words(&self) -> Option<Message> {
        let range = self.size?;
        let (id, min, max) = match (range.min, range.max) {
            (Some(min), Some(max)) => ("row-sizes-between", min, max),
            (Some(min), None) => ("row-sizes-from", min, min),
            (None, Some(max)) => ("row-sizes-to", max, max),
            (None, None) => return None,
        };
        let sizes = Message::new(id).with("min", count(min)).with("max", count(max));
        Some(sizes.with("unit", range.unit))
    }

    fn in_words(&self, quantity: &str) -> Option<Message> {
        let names = Names {
            size: self.size.map_or("size", |range| range.unit.name()),
            rate: self.limits.rate_unit.map(|unit| unit.to_string()).unwrap_or_default(),
            knob: self.knob.as_ref().map_or("knob", |knob| &knob.name),
        };
        let rules = self.limits.rules().into_iter().filter(|(name, _)| name.ends_with(quantity));
        let words = rules.map(|(name, rule)| match name.split_once('_') {
            Some(("read", _)) => Message::new("rule-read").part("rule", rule.words(&names)),
            Some(_) => Message::new("rule-write").part("rule", rule.words(&names)),
            None => rule.words(&names),
        });
        let words: Vec<Message> = words.collect();
        if words.is_empty() {
            return None;
        }
        let words = list::semicolons(words);
        Some(if quantity == "rate" { of(&names.rate, words) } else { words })
    }

    /// The source of limits if the row itself states none.
    fn instead(&self, quantity: &str) -> Message {
        let of_quantity =
            |limits: &Limits| limits.rules().iter().any(|(name, _)| name.ends_with(quantity));
        let by_variant = self.variants.iter().any(|variant| of_quantity(&variant.limits));
        let measured = self.measured.iter().any(|point| match quantity {
            "iops" => point.read_iops.or(point.write_iops).is_some(),
            _ => point.read_rate.or(point.write_rate).is_some(),
        });
        Message::new(match (by_variant, measured) {
            (true, _) => "rule-by-variant",
            (_, true) => "rule-measured-only",
            _ => "rule-not-promised",
        })
    }
}

/// A rule after its unit.
fn of(unit: &str, rule: Message) -> Message {
    Message::new("rule-of").with("unit", unit).part("rule", rule)
}

impl Rule {
    fn words(&self, names: &Names) -> Message {
        let both = |id: &'static str, rules: &[Rule]| {
            let words = rules.iter().map(|rule| rule.words(names));
            let joined = words.reduce(|a, b| Message::new(id).part("a", a).part("b", b));
            joined.unwrap_or_else(|| Message::verbatim(""))
        };
        match self {
            Rule::Constant(value) => Message::verbatim(count(*value)),
            Rule::Linear(line) => line.words(names),
            Rule::Tiers(steps) | Rule::From(steps) => by_size(steps),
            Rule::Provisioned(bought) => bought.words(names),
            Rule::Sum(rules) => both("rule-plus", rules),
            Rule::Least(rules) => Message::new("rule-least").part("rules", both("rule-and", rules)),
            Rule::Greatest(rules) => {
                Message::new("rule-greatest").part("rules", both("rule-and", rules))
            }
            Rule::TimesKnob(rule) => Message::new("rule-times-knob")
                .with("knob", names.knob)
                .part("rule", rule.words(names)),
        }
    }
}

fn by_size(steps: &[[f64; 2]]) -> Message {
    match (steps.first(), steps.last()) {
        (Some([_, first]), Some([_, last])) if first != last => {
            Message::new("rule-by-size").with("first", count(*first)).with("last", count(*last))
        }
        (Some([_, only]), _) => Message::verbatim(count(*only)),
        (None, _) => Message::verbatim(""),
    }
}

impl Line {
    fn words(&self, names: &Names) -> Message {
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
        let others = [(self.per_iops, "IOPS"), (self.per_rate, names.rate.as_str())];
        let others = others.into_iter().filter(|(per, _)| *per != 0.0);
        terms.extend(others.map(|(per, of)| format!("{} x {of}", factor(per))));
        let terms = self.with_bought(terms.join(" + ").replace("+ -", "- "));
        self.bounded(terms, names)
    }

    /// With the term of bought IOPS, which is in words.
    fn with_bought(&self, terms: String) -> Message {
        if self.per_bought_iops == 0.0 {
            return Message::verbatim(terms);
        }
        let before = if terms.is_empty() { terms } else { terms + " + " };
        let bought = Message::new("rule-for-bought-iops").with("per", factor(self.per_bought_iops));
        bought.with("before", before)
    }

    /// The slope for each unit of size, with the unit: 40 for a TiB rather than 0.039 for a GiB.
    fn legible_slope<'a>(&self, names: &Names<'a>) -> (f64, &'a str) {
        let per_size = self.per_size + self.ceil_per_size.iter().sum::<f64>();
        match names.size {
            "GiB" if per_size.abs() < 0.1 && self.from == 0.0 => (per_size * 1024.0, "TiB"),
            unit => (per_size, unit),
        }
    }

    fn bounded(&self, terms: Message, names: &Names) -> Message {
        let max = match (self.max, self.max_per_knob) {
            (None, _) => None,
            (Some(max), 0.0) => Some(count(max)),
            (Some(0.0), knob) => Some(format!("{} x {}", count(knob), names.knob)),
            (Some(max), knob) => Some(format!("{} + {} x {}", count(max), count(knob), names.knob)),
        };
        let of = |id: &'static str| Message::new(id).part("terms", terms.clone());
        match (self.min.map(count), max) {
            (Some(min), Some(max)) => of("rule-between").with("min", min).with("max", max),
            (Some(min), None) => of("rule-at-least").with("min", min),
            (None, Some(max)) => of("rule-at-most").with("max", max),
            (None, None) => terms,
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
    fn words(&self, names: &Names) -> Message {
        if !self.choices.is_empty() {
            let choices = self.choices.iter().map(|value| Message::verbatim(count(*value)));
            return Message::new("rule-bought-as").part("choices", list::choices(choices));
        }
        let words = |rule: &Option<Rule>| rule.as_ref().map(|rule| rule.words(names));
        let default = self.default.as_ref().filter(|rule| **rule != Rule::Constant(0.0));
        let default = default.map(|rule| rule.words(names));
        match (default, words(&self.max)) {
            (Some(default), Some(most)) => {
                Message::new("rule-default-or-up-to").part("default", default).part("most", most)
            }
            (Some(default), None) => {
                Message::new("rule-default-or-bought").part("default", default)
            }
            (None, Some(most)) => Message::new("rule-bought-up-to").part("most", most),
            (None, None) => Message::new("rule-as-bought"),
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
            [row.iops_in_words().to_string(), row.rate_in_words().to_string()]
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
            (
                "tencent.enhanced_ssd",
                "1,800 + 50 x GiB, at most 50,000; plus bought up to 98,200 - 50 x GiB, at least \
                 50,000",
                "MB/s: 120 + 0.5 x GiB, at most 350; plus bought up to 880 - 0.5 x GiB, at least 650",
            ),
            ("google.hyperdisk_ml", "16 x MiB/s", "MiB/s: as bought"),
        ];
        for (id, iops, rate) in expected {
            assert_eq!(words(id), [iops, rate], "{id}");
        }
        let anf = catalogue.find("azure.anf").unwrap();
        assert_eq!(anf.variant_in_words(&anf.variants[1]).to_string(), "Premium; MiB/s: 64 x TiB");
        assert_eq!(anf.sizes_in_words().unwrap().to_string(), "0.05 to 100 TiB");
        for row in catalogue.volumes() {
            for words in [row.iops_in_words(), row.rate_in_words()] {
                let words = words.to_string();
                assert!(!words.is_empty() && !words.contains("  "), "{}: {words}", row.id);
            }
        }
    }
}
