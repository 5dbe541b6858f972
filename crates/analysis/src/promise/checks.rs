//! The requirements on a row: named, dated, sourced, consistent, and in agreement with its own
//! examples.

use super::limits::Limits;
use super::rule::{Line, Rule};
use super::volume::{PromiseKind, VolumeRow};

/// A fault of a row, without its position.
pub(super) struct Fault {
    pub field: &'static str,
    pub problem: String,
}

/// The first fault of a row.
pub(super) fn row(row: &VolumeRow) -> Result<(), Fault> {
    identity(row)?;
    origin(row)?;
    sizes(row)?;
    limits(row, &row.limits)?;
    for variant in &row.variants {
        limits(row, &row.limits.overlaid(&variant.limits))?;
    }
    let promises = !row.limits.is_empty() || row.variants.iter().any(|v| !v.limits.is_empty());
    if row.promise != PromiseKind::None && !promises {
        return fault("limits", "no limit is stated: state one, or write promise = \"none\"");
    }
    for vector in &row.vectors {
        vector
            .holds_for(row)
            .map_err(|problem| Fault { field: "vectors", problem: problem.to_string() })?;
    }
    Ok(())
}

fn fault(field: &'static str, problem: impl Into<String>) -> Result<(), Fault> {
    Err(Fault { field, problem: problem.into() })
}

fn identity(row: &VolumeRow) -> Result<(), Fault> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._@".contains(c);
    match row.id.contains('.') && row.id.chars().all(fits) {
        true => Ok(()),
        false => fault("id", "write provider.kind in small letters, digits and _, as aws.gp3"),
    }
}

fn origin(row: &VolumeRow) -> Result<(), Fault> {
    let dateless = row.sources.iter().find(|source| source.as_of.trim().is_empty());
    if let Some(source) = dateless {
        return fault("sources", format!("'{}' has no as_of: write a date, or undated", source.id));
    }
    match (row.sources.is_empty(), row.as_of.trim().is_empty()) {
        (true, _) => fault("sources", "a promise needs a source: name where the numbers stand"),
        (_, true) => fault("as_of", "a promise needs a date: write one, or undated"),
        _ => Ok(()),
    }
}

fn sizes(row: &VolumeRow) -> Result<(), Fault> {
    let Some(range) = &row.size else { return Ok(()) };
    let least = range.min.unwrap_or(f64::MIN_POSITIVE);
    let rising = least > 0.0 && range.max.is_none_or(|max| max >= least);
    match rising && range.step.is_none_or(|step| step > 0.0) {
        true => Ok(()),
        false => fault("size", "min, max and step are above 0, and max is not below min"),
    }
}

/// That every rule has its inputs.
fn limits(row: &VolumeRow, limits: &Limits) -> Result<(), Fault> {
    let about = |quantity: &'static str| {
        let rules = limits.rules().into_iter();
        rules.filter(move |(name, _)| name.ends_with(quantity))
    };
    let [has_iops, has_rate] = ["iops", "rate"].map(|quantity| about(quantity).count() > 0);
    if (has_rate || limits.client_rate.is_some()) && limits.rate_unit.is_none() {
        return fault("rate_unit", "rates need a unit: write rate_unit = \"MB/s\" or \"MiB/s\"");
    }
    for (name, rule) in limits.rules() {
        if rule.any(&|rule| !finite(rule)) {
            return fault(name, "a limit is a number: leave out inf and nan");
        }
        if !in_order(rule) {
            return fault(name, "sizes of tiers and steps rise, and there is at least one");
        }
        let stepped = rule.any(&|rule| matches!(rule, Rule::Tiers(_) | Rule::From(_)));
        if (stepped || rule.any_line(Line::uses_size)) && row.size.is_none() {
            return fault(name, "it follows the size: write size = { unit = …, min = … }");
        }
        let turned = rule.any(&|rule| matches!(rule, Rule::TimesKnob(_)));
        if (turned || rule.any_line(Line::uses_knob)) && row.knob.is_none() {
            return fault(name, "it follows a knob: write knob = { name = …, title = …, … }");
        }
        let on_iops = rule.any_line(|line| line.per_iops != 0.0);
        if on_iops && (name.ends_with("iops") || !has_iops) {
            return fault(name, "per_iops is for rates of a row that states IOPS, too");
        }
        let on_rate = rule.any_line(|line| line.per_rate != 0.0);
        if on_rate && (name.ends_with("rate") || !has_rate) {
            return fault(name, "per_rate is for IOPS of a row that states rates, too");
        }
    }
    let circle = limits.iops_follow_rate()
        && about("rate").any(|(_, rule)| rule.any_line(|line| line.per_iops != 0.0));
    match circle {
        true => fault("rate", "IOPS follow the rate and the rate the IOPS: state one by itself"),
        false => Ok(()),
    }
}

/// Whether the numbers of this part alone are numbers.
fn finite(rule: &Rule) -> bool {
    match rule {
        Rule::Constant(value) => value.is_finite(),
        Rule::Linear(line) => line.is_finite(),
        Rule::Tiers(steps) | Rule::From(steps) => steps.iter().flatten().all(|n| n.is_finite()),
        Rule::Provisioned(bought) => bought.choices.iter().all(|choice| choice.is_finite()),
        _ => true,
    }
}

fn in_order(rule: &Rule) -> bool {
    !rule.any(&|rule| match rule {
        Rule::Tiers(steps) | Rule::From(steps) => {
            steps.is_empty() || !steps.is_sorted_by(|a, b| a[0] < b[0])
        }
        _ => false,
    })
}
