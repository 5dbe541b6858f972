//! Rows as a list: for each volume a line with the smallest and largest values of its limits, and a
//! blank line before each provider. A single row shows how limits depend on sizes.

use crate::language::{in_language, word};
use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::table::{TextTable, cell, heading, right};
use fathom_analysis::promise::{ByteRateUnit, Rule, SizeUnit, VolumeRow};
use fathom_campaign::thousands;
use fathom_message::{Lang, Message};

const CLOSING: &str = "H: in the provider's own text; M: in part, older, or derived; L: not \
confirmed. Ranges go from the least to the most that can be had. For numbers of one volume, its \
rules, sources and what to know: fathom promises NAME --volume-size SIZE";

/// The lines, with a legend of their letters.
pub fn text(rows: &[&VolumeRow], screen: &Screen) -> String {
    let table = table(rows, screen.lang);
    let lines = match table.fits(screen) {
        true => table.text(screen),
        false => rows.iter().map(|row| stacked(row, screen)).collect(),
    };
    lines + "\n" + &wrapped(word(CLOSING), screen.width, "", "")
}

fn table(rows: &[&VolumeRow], lang: Lang) -> TextTable {
    let mut table = TextTable::indented(0);
    table.row(heading(&["volume", "IOPS", "throughput", "as of"]));
    let mut provider = "";
    for row in rows {
        if row.provider != provider {
            provider = &row.provider;
            table.text_between("\n");
        }
        table.row(vec![
            cell(&row.id),
            right(iops(row, lang)),
            right(rate(row, lang)),
            right(format!("{} {}", as_of(row, lang), row.confidence.letter())),
        ]);
    }
    table
}

fn stacked(row: &VolumeRow, screen: &Screen) -> String {
    let (date, letter) = (as_of(row, screen.lang), row.confidence.letter());
    let text = format!(
        "{}: {} IOPS, {} ({date}, {letter})",
        row.id,
        iops(row, screen.lang),
        rate(row, screen.lang)
    );
    wrapped(&text, screen.width, "", "    ")
}

/// A date, or that there is none.
fn as_of(row: &VolumeRow, lang: Lang) -> String {
    in_language(lang, &row.as_of)
}

/// From the fewest to the most I/Os a second: `100-16,000`.
fn iops(row: &VolumeRow, lang: Lang) -> String {
    range(row, "iops", 1.0).text(lang)
}

/// From the fewest to the most bytes a second, in the provider's unit; KiB would be long numbers.
fn rate(row: &VolumeRow, lang: Lang) -> String {
    let Some(unit) = row.limits.rate_unit else { return range(row, "rate", 1.0).text(lang) };
    let (shown, factor) = match unit {
        ByteRateUnit(SizeUnit::KiB) => (ByteRateUnit(SizeUnit::MiB), 1.0 / 1024.0),
        unit => (unit, 1.0),
    };
    let range = range(row, "rate", factor).text(lang);
    match range.contains(|c: char| c.is_ascii_digit()) {
        true => format!("{range} {shown}"),
        false => range,
    }
}

/// Of several rules, as of reads and of writes, the least and the most of all, times `factor`.
fn range(row: &VolumeRow, quantity: &str, factor: f64) -> Message {
    let number = |value: f64| thousands(value * factor);
    let knob = row.knob.as_ref().map_or(0.0, |knob| knob.max);
    let rules = row.limits.rules().into_iter().filter(|(name, _)| name.ends_with(quantity));
    let all: Vec<[Option<f64>; 2]> = rules.map(|(_, rule)| ends(rule, knob)).collect();
    let least = all.iter().map(|[least, _]| *least).reduce(|a, b| both(a, b, f64::min)).flatten();
    let most = all.iter().map(|[_, most]| *most).reduce(|a, b| both(a, b, f64::max)).flatten();
    match (least, most) {
        (Some(least), Some(most)) if least == most => Message::verbatim(number(most)),
        (Some(least), Some(most)) if least < most => {
            Message::verbatim(format!("{}-{}", number(least), number(most)))
        }
        (_, Some(most)) => Message::new("range-to").with("most", number(most)),
        (Some(least), None) => Message::new("range-from").with("least", number(least)),
        (None, None) if !all.is_empty() => Message::new("range-by-size"),
        (None, None) if row.variants.is_empty() => Message::verbatim("-"),
        (None, None) => Message::new("rule-by-variant"),
    }
}

/// Both, or nothing if one is not known.
fn both(one: Option<f64>, other: Option<f64>, of: fn(f64, f64) -> f64) -> Option<f64> {
    Some(of(one?, other?))
}

/// The smallest and largest value of a rule, if the rule states them itself; `knob` is the highest
/// step of the volume's knob.
fn ends(rule: &Rule, knob: f64) -> [Option<f64>; 2] {
    match rule {
        Rule::Constant(value) => [Some(*value), Some(*value)],
        Rule::Linear(line) => [line.min, line.max.map(|max| max + line.max_per_knob * knob)],
        Rule::Tiers(steps) | Rule::From(steps) => {
            [steps.first(), steps.last()].map(|step| step.map(|[_, value]| *value))
        }
        Rule::Provisioned(bought) => {
            let least = bought.min.as_ref().or(bought.default.as_ref());
            let ends =
                [least.and_then(|rule| ends(rule, knob)[0]), most(bought.max.as_ref(), knob)];
            match (bought.choices.first(), bought.choices.last()) {
                (Some(first), Some(last)) => [Some(*first), Some(*last)],
                _ => ends,
            }
        }
        _ => [None, None],
    }
}

fn most(rule: Option<&Rule>, knob: f64) -> Option<f64> {
    rule.and_then(|rule| ends(rule, knob)[1])
}
