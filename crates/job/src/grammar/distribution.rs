//! `random_distribution`: the distribution of random offsets.

use super::split::percent;
use crate::error::ValueProblem;
use crate::quantity::{Units, parse_size};
use crate::spec::Distribution;
use fathom_text::text;
use fathom_vocab::PerDirection;

/// Zones of one direction; fio's limit, and a bound on hostile input.
const MOST_ZONES: usize = 256;

/// A distribution by its name and parameters after the colon. zipf, pareto and normal apply to all
/// directions; zones may differ between them.
pub(crate) fn distribution(
    name: &str,
    rest: &str,
    units: Units,
) -> Result<PerDirection<Distribution>, ValueProblem> {
    Ok(match name {
        "zipf" => PerDirection::splat(zipf(rest)?),
        "pareto" => PerDirection::splat(pareto(rest)?),
        "normal" => PerDirection::splat(normal(rest)?),
        "zoned" | "zoned_abs" => {
            let absolute = name == "zoned_abs";
            let zones = super::triple(rest, |part| zoned(part, absolute, units))?;
            PerDirection::from_fn(|dir| zones[dir].clone().unwrap_or(Distribution::Uniform))
        }
        _ => PerDirection::splat(Distribution::Uniform),
    })
}

fn zipf(rest: &str) -> Result<Distribution, ValueProblem> {
    let (theta, center) = number_and_center(rest, 1.1)?;
    if theta == 1.0 {
        return Err(ValueProblem::whole("fio: zipf theta must different than 1.0")
            .hinted("Use 0.99 or 1.01."));
    }
    if theta <= 0.0 {
        return Err(ValueProblem::new("the exponent of zipf must be above 0"));
    }
    Ok(Distribution::Zipf { theta, center })
}

fn pareto(rest: &str) -> Result<Distribution, ValueProblem> {
    let (h, center) = number_and_center(rest, 0.2)?;
    if h <= 0.0 || h >= 1.0 {
        return Err(ValueProblem::whole("fio: pareto input out of range (0 < input < 1.0)"));
    }
    Ok(Distribution::Pareto { h, center })
}

fn normal(rest: &str) -> Result<Distribution, ValueProblem> {
    let (deviation, center) = number_and_center(rest, 0.0)?;
    if !(0.0..100.0).contains(&deviation) {
        return Err(ValueProblem::whole("fio: normal deviation out of range (0 <= input < 100.0)"));
    }
    if deviation == 0.0 {
        return Err(ValueProblem::new("a deviation of 0 is a single block")
            .hinted("Give the deviation in percent of the range, as normal:10."));
    }
    Ok(Distribution::Normal { deviation, center })
}

/// `1.2` or `1.2:0.5`. As in fio, text after a number (`1.2/0.3`) is ignored.
fn number_and_center(rest: &str, default: f64) -> Result<(f64, Option<f64>), ValueProblem> {
    let number = |text: &str| {
        leading_number(text.trim()).filter(|n| n.is_finite()).ok_or_else(|| {
            ValueProblem::whole("fio: random postfix parsing failed")
                .hinted("Write zipf:1.2, or zipf:1.2:0.5 with the centre.")
        })
    };
    if rest.is_empty() {
        return Ok((default, None));
    }
    let (first, second) = rest.split_once(':').map_or((rest, None), |(a, b)| (a, Some(b)));
    let center = second.map(number).transpose()?;
    if center.is_some_and(|center| !(0.0..=1.0).contains(&center)) {
        return Err(ValueProblem::whole(
            "fio: distribution center out of range (0 <= center <= 1.0)",
        ));
    }
    Ok((number(first)?, center))
}

/// The number at the beginning of a text; none if a comma would separate directions.
fn leading_number(text: &str) -> Option<f64> {
    if text.contains(',') {
        return None;
    }
    let beginnings = (1..=text.len()).rev().filter_map(|end| text.get(..end));
    beginnings.filter_map(|beginning| beginning.parse().ok()).next()
}

/// `60/10:30/20:10/`: shares of the accesses, and parts of the range. Omitted parts divide the
/// remainder.
fn zoned(text: &str, absolute: bool, units: Units) -> Result<Distribution, ValueProblem> {
    let entries: Vec<(&str, &str)> = text
        .split(':')
        .take(MOST_ZONES + 1)
        .map(|entry| entry.split_once('/').unwrap_or((entry, "")))
        .collect();
    if entries.len() > MOST_ZONES {
        return Err(ValueProblem::new(text!("more than {MOST_ZONES} zones")));
    }
    let shares: Vec<Option<u8>> =
        entries.iter().map(|(share, _)| percent(share)).collect::<Result<_, _>>()?;
    let shares = divide_rest(&shares)?;
    let total: u32 = shares.iter().map(|s| u32::from(*s)).sum();
    if total != 100 {
        return Err(ValueProblem::whole(text!(
            "fio: access percentage don't add up to 100 for zoned random distribution (got={total})"
        )));
    }
    if absolute {
        let sizes = entries.iter().map(|(_, size)| parse_size(size, units));
        let sizes: Vec<u64> = sizes.collect::<Result<_, _>>()?;
        return Ok(Distribution::ZonedAbs(shares.into_iter().zip(sizes).collect()));
    }
    let parts: Vec<Option<u8>> =
        entries.iter().map(|(_, part)| percent(part)).collect::<Result<_, _>>()?;
    Ok(Distribution::Zoned(shares.into_iter().zip(divide_rest(&parts)?).collect()))
}

/// Omitted percentages get equal parts of the remainder, the last one the rest of the division.
fn divide_rest(given: &[Option<u8>]) -> Result<Vec<u8>, ValueProblem> {
    let sum: u32 = given.iter().flatten().map(|p| u32::from(*p)).sum();
    let left = 100u32
        .checked_sub(sum)
        .ok_or_else(|| ValueProblem::whole("fio: zone_split percentages add to more than 100%"))?;
    let open = given.iter().filter(|p| p.is_none()).count() as u32;
    let each = left.checked_div(open).unwrap_or(0);
    let mut all: Vec<u8> = given.iter().map(|p| p.unwrap_or(each as u8)).collect();
    if let Some(last) = given.iter().rposition(Option::is_none) {
        all[last] += (left - each * open) as u8;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_text::Text;

    fn read(name: &str, rest: &str) -> Result<PerDirection<Distribution>, Text> {
        distribution(name, rest, Units::default()).map_err(|p| p.message)
    }

    #[test]
    fn shapes_and_centres() {
        let zipf = |theta, center| Ok(PerDirection::splat(Distribution::Zipf { theta, center }));
        assert_eq!(read("zipf", ""), zipf(1.1, None));
        assert_eq!(read("zipf", "1.2:0.5"), zipf(1.2, Some(0.5)));
        assert_eq!(read("zipf", "1.1/0.3"), zipf(1.1, None), "as fio reads it");
        let pareto = Distribution::Pareto { h: 0.2, center: None };
        assert_eq!(read("pareto", ""), Ok(PerDirection::splat(pareto)));
        for (name, rest) in [
            ("zipf", "1"),
            ("zipf", "x"),
            ("zipf", "1.2:2"),
            ("pareto", "2"),
            ("pareto", "0"),
            ("normal", "200"),
            ("normal", ""),
            ("zipf", "inf"),
            ("zipf", "nan"),
            ("zipf", "1.2,1.3"),
        ] {
            assert!(read(name, rest).is_err(), "{name}:{rest}");
        }
    }

    #[test]
    fn zones_add_up() {
        let zones = vec![(60, 10), (30, 20), (8, 30), (2, 40)];
        assert_eq!(
            read("zoned", "60/10:30/20:8/30:2/40").unwrap().read,
            Distribution::Zoned(zones)
        );
        let abs = read("zoned_abs", "60/20g:40/100g").unwrap().trim;
        assert_eq!(abs, Distribution::ZonedAbs(vec![(60, 20 << 30), (40, 100 << 30)]));
        let each = read("zoned", "50/50:50/,90/10:10/90").unwrap();
        assert_eq!(each.read, Distribution::Zoned(vec![(50, 50), (50, 50)]));
        assert_eq!(each.write, Distribution::Zoned(vec![(90, 10), (10, 90)]));
        for rest in ["60/10:30/20", "60/10:50/20", "", "60/60:40/50", "x/1", "60/10:40/101"] {
            assert!(read("zoned", rest).is_err(), "{rest}");
        }
    }
}
