//! Fathom's rows: they parse, reproduce every published example, and are consistent.

use super::*;
use crate::promise::{Config, Promise, PromiseError, PromiseKind, Rate, Size};
use fathom_message::{Lang, Message};
use std::collections::BTreeSet;

fn builtin() -> Catalogue {
    // Reading it checks every row's examples.
    Catalogue::builtin().unwrap_or_else(|error| panic!("{error}"))
}

/// What the row promises at `size`, with the first variant and the least that can be bought
/// wherever something must be said.
fn promised(row: &VolumeRow, size: Option<f64>) -> Promise {
    let sized = size.zip(row.size).map(|(size, range)| Size::new(size, range.unit));
    let mut config = Config { size: sized, ..Config::default() };
    for _ in 0..6 {
        match row.promise(&config) {
            Ok(promise) => return promise,
            Err(PromiseError::VariantNeeded { variants, .. }) => {
                config.variant = Some(variants[0].clone());
            }
            Err(PromiseError::KnobNeeded { knob, max, .. }) => {
                config.knobs.insert(knob, max);
            }
            Err(PromiseError::ProvisionedNeeded { flag: "--iops", .. }) => config.iops = Some(1.0),
            Err(PromiseError::ProvisionedNeeded { flag: "--mbps", choices, .. }) => {
                let least = choices.first().copied().unwrap_or(1.0);
                config.rate = Some(least.to_string().parse::<Rate>().unwrap());
            }
            Err(PromiseError::ProvisionedOutOfRange { flag, min, .. }) => match flag {
                "--iops" => config.iops = min,
                _ => config.rate = Some(min.unwrap().to_string().parse().unwrap()),
            },
            Err(other) => panic!("{}: {other}", row.id),
        }
    }
    panic!("{} does not settle: {:?}", row.id, row.promise(&config))
}

/// All numbers of a promise that a larger volume has at least as much of.
fn numbers(promise: &Promise) -> Vec<f64> {
    let limits = [promise.read, promise.write].map(|level| [level.iops, level.bytes_per_s]);
    // What can be bought on top of a baseline falls as the baseline rises; both together do not.
    let bought =
        [promise.settable_iops, promise.settable_bytes_per_s].map(|b| b.and_then(|b| b[1]));
    let total = limits[0].into_iter().zip(bought).map(|(base, most)| Some(base? + most?));
    limits.into_iter().flatten().chain(total).map(|number| number.unwrap_or(0.0)).collect()
}

/// Sizes from the smallest to the largest that is sold, densest where limits bend.
fn sizes(row: &VolumeRow) -> Vec<f64> {
    let Some(range) = row.size else { return Vec::new() };
    let (min, max) = (range.min.unwrap_or(1.0), range.max.unwrap_or(100_000.0));
    let ratio = max / min;
    (0..=200).map(|at| (min * ratio.powf(f64::from(at) / 200.0)).min(max)).collect()
}

#[test]
fn every_row_holds_from_its_smallest_to_its_largest_size_and_never_falls() {
    for row in builtin().volumes() {
        let mut last: Option<(f64, Vec<f64>)> = None;
        for size in sizes(row) {
            let now = numbers(&promised(row, Some(size)));
            assert!(now.iter().all(|number| number.is_finite() && *number >= 0.0), "{}", row.id);
            if let Some((before, then)) = &last {
                let fell = now.iter().zip(then).any(|(now, then)| *now < then - 1e-6);
                assert!(!fell, "{}: {then:?} at {before}, {now:?} at {size}", row.id);
            }
            last = Some((size, now));
        }
        let promise = promised(row, sizes(row).last().copied());
        assert_eq!(promise.is_empty(), row.promise == PromiseKind::None, "{}", row.id);
    }
}

#[test]
fn sizes_beyond_the_range_are_refused() {
    for row in builtin().volumes() {
        let Some(range) = row.size else { continue };
        let beyond = [range.min.map(|min| min * 0.9), range.max.map(|max| max * 1.1)];
        for size in beyond.into_iter().flatten() {
            let config = Config {
                size: Some(Size::new(size, range.unit)),
                variant: row.variant_names().first().cloned(),
                ..Config::default()
            };
            let error = row.promise(&config).unwrap_err();
            assert!(matches!(error, PromiseError::SizeOutOfRange { .. }), "{}: {error}", row.id);
        }
    }
}

#[test]
fn every_row_says_where_it_comes_from() {
    let catalogue = builtin();
    assert!(catalogue.volumes().len() >= 50, "{}", catalogue.volumes().len());
    for row in catalogue.volumes() {
        assert!(!row.provider.is_empty() && !row.sources.is_empty(), "{}", row.id);
        for source in &row.sources {
            assert!(!source.title.is_empty() && !source.as_of.is_empty(), "{}", row.id);
        }
        let dated = row.as_of.starts_with("20") || row.as_of == "undated";
        assert!(dated, "{}: {}", row.id, row.as_of);
        let whole = |text: &String| text.ends_with('.');
        assert!(row.notes.iter().all(whole), "{}: notes are sentences", row.id);
        for variant in &row.variants {
            assert!(variant.notes.iter().all(whole), "{}", row.id);
        }
    }
}

#[test]
fn most_rows_have_published_examples() {
    let catalogue = builtin();
    let examples: usize = catalogue.volumes().iter().map(|row| row.vectors.len()).sum();
    assert!(examples >= 100, "{examples}");
}

#[test]
fn an_example_that_does_not_come_out_is_an_error() {
    let own = OWN.replace("iops = 7000", "iops = 7100");
    let error = builtin().with_overrides(&own).unwrap_err();
    assert_eq!((error.line, error.field.as_deref()), (13, Some("vectors")), "{error}");
    assert!(error.to_string().contains("comes to 7000"), "{error}");
}

/// A user's file that replaces one row and adds one.
const OWN: &str = r#"schema = 1

[[volume]]
id = "aws.gp3"
name = "gp3 under our contract"
kind = "block"
scope = "volume"
size = { unit = "GiB", min = 1 }
as_of = "2026-01"
confidence = "H"
sources = [{ id = "us", title = "Our contract", as_of = "2026-01" }]
limits = { iops = { constant = 7000 } }
vectors = [
  { size = 1, expect = { iops = 7000 } },
]

[[volume]]
id = "own.san"
name = "The SAN in the cellar"
kind = "block"
scope = "pool"
as_of = "2026-01"
confidence = "L"
sources = ["us2", "A1"]
limits = { rate_unit = "GB/s", rate = { constant = 1.5 } }

[[source]]
id = "us2"
title = "A label on the door"
as_of = "undated"
"#;

#[test]
fn a_users_rows_replace_and_add() {
    let base = builtin();
    let merged = base.with_overrides(&OWN.replace("  {", " {")).unwrap();
    assert_eq!(merged.volumes().len(), base.volumes().len() + 1);
    let gp3 = merged.find("aws.gp3").unwrap();
    let promise = gp3.promise(&Config::default()).unwrap();
    assert_eq!((promise.read.iops, promise.read.bytes_per_s), (Some(7000.0), None));
    assert_eq!(promise.sources[0].title, "Our contract");
    assert_eq!(gp3.provider, "aws");
    let san = merged.find("own.san").unwrap();
    assert_eq!(san.promise(&Config::default()).unwrap().write.bytes_per_s, Some(1.5e9));
    assert_eq!(san.sources[1].as_of, "2023", "known from our own rows");
    assert_eq!(base.find("aws.gp3@2020"), merged.find("aws.gp3@2020"));
}

#[derive(serde::Serialize)]
struct File<'a> {
    schema: u32,
    volume: [&'a VolumeRow; 1],
}

#[test]
fn what_is_written_is_read_back_the_same() {
    let base = builtin();
    let names: Vec<&str> = base.volumes().iter().map(|row| row.id.as_str()).collect();
    for row in base.volumes() {
        let text = toml::to_string(&File { schema: 1, volume: [row] }).unwrap();
        let again = Catalogue::default().with_overrides(&text);
        let again = again.unwrap_or_else(|error| panic!("{}: {error}\n{text}", row.id));
        assert_eq!(again.volumes(), std::slice::from_ref(row));
        let json = serde_json::to_string(row).unwrap();
        assert_eq!(serde_json::from_str::<VolumeRow>(&json).unwrap(), *row);
    }
    let distinct: std::collections::HashSet<&str> = names.iter().copied().collect();
    assert_eq!(distinct.len(), names.len());
}

#[test]
fn names_are_found_and_guessed() {
    let catalogue = builtin();
    assert_eq!(catalogue.find("AWS.GP3").unwrap().id, "aws.gp3");
    assert_eq!(catalogue.find("naver.block-ssd").unwrap().id, "naver.block_ssd");
    let guess = |name: &str| catalogue.find(name).unwrap_err().suggestions;
    assert_eq!(guess("gp3"), ["aws.gp3", "aws.gp3@2020"]);
    assert!(guess("aws.gp4").contains(&"aws.gp3".to_owned()), "{:?}", guess("aws.gp4"));
    assert_eq!(guess("azure.premiumssd")[0], "azure.premium_ssd");
    assert_eq!(guess("hyperdisk_extrem")[0], "google.hyperdisk_extreme");
    assert_eq!(guess("zzzzzz"), [""; 0]);
    let error = catalogue.find("aws.gp33").unwrap_err().to_string();
    assert!(error.contains("did you mean aws.gp3"), "{error}");
    let ids = |words: &[&str]| -> Vec<String> {
        catalogue.search(words).iter().map(|row| row.id.clone()).collect()
    };
    assert_eq!(ids(&["naver"]), ["naver.block_ssd", "naver.block_hdd", "naver.nas"]);
    assert_eq!(ids(&["amazon", "gp3"]), ["aws.gp3", "aws.gp3@2020"]);
    assert_eq!(ids(&[]).len(), catalogue.volumes().len());
}

#[test]
fn faults_name_line_and_field() {
    let base = Catalogue::default();
    let fault = |from: &str, to: &str| {
        let text = OWN.replacen(from, to, 1).replace("\"us2\", \"A1\"", "\"us2\"");
        let error = base.with_overrides(&text).unwrap_err();
        (error.line, error.field.clone().unwrap_or_default(), error.problem)
    };
    let cases = [
        ("schema = 1", "schema = 2", 1, "schema", "schema = 1"),
        ("kind = \"block\"", "kind = \"blok\"", 6, "kind", "block"),
        ("scope = \"volume\"", "scopes = \"volume\"", 7, "scopes", "unknown field"),
        ("{ constant = 7000 }", "{ constnt = 7000 }", 12, "limits", "constnt"),
        ("{ constant = 7000 }", "{ linear = { per_knob = 3 } }", 12, "limits", "per_knob"),
        ("\"us2\"", "\"us3\"", 24, "sources", "us3"),
        ("id = \"own.san\"", "id = \"Own San\"", 18, "id", "small letters"),
        ("id = \"own.san\"", "id = \"aws.gp3\"", 18, "id", "used above"),
        ("as_of = \"2026-01\"", "as_of = \"\"", 9, "as_of", "date"),
        ("min = 1 ", "min = 0 ", 8, "size", "above 0"),
        ("rate_unit = \"GB/s\", ", "", 25, "rate_unit", "rate_unit = "),
        ("{ constant = 1.5 }", "{ linear = { per_size = 1 } }", 25, "rate", "size = {"),
        ("{ constant = 1.5 }", "{ times_knob = { constant = 1 } }", 25, "rate", "knob = {"),
        ("{ constant = 1.5 }", "{ linear = { per_iops = 1 } }", 25, "rate", "states IOPS"),
        ("{ constant = 7000 }", "{ linear = { per_rate = 1 } }", 12, "iops", "states rates"),
        ("{ constant = 7000 }", "{ constant = nan }", 12, "iops", "leave out inf and nan"),
        ("{ constant = 7000 }", "{ linear = { max = inf } }", 12, "iops", "leave out inf"),
        ("{ constant = 7000 }", "{ tiers = [[2, 1], [1, 2]] }", 12, "iops", "rise"),
        ("limits = { iops = { constant = 7000 } }", "", 3, "limits", "promise = \"none\""),
        ("confidence = \"H\"\n", "", 3, "", "confidence"),
    ];
    for (from, to, line, field, problem) in cases {
        assert!(OWN.contains(from), "{from}");
        let (at, named, said) = fault(from, to);
        assert!(said.contains(problem), "{to}: {said}");
        assert_eq!((at, named.as_str()), (line, field), "{to}: {said}");
    }
}

proptest::proptest! {
    #[test]
    fn a_damaged_file_is_refused_or_read_but_never_a_panic(
        at in 0..OWN.len(), length in 0usize..40, put in "[\\[\\]{}=\",0-9a-z ]{0,4}",
    ) {
        let end = (at + length).min(OWN.len());
        let text = format!("{}{put}{}", &OWN[..at], &OWN[end..]);
        if let Err(error) = Catalogue::default().with_overrides(&text) {
            proptest::prop_assert!(error.line <= text.lines().count() + 1, "{}", error);
            proptest::prop_assert!(!error.problem.is_empty());
        }
    }
}

/// What the rows say in words: notes, latencies and variants. A single word is a name.
fn words_of(row: &VolumeRow) -> Vec<&str> {
    let limits = std::iter::once(&row.limits).chain(row.variants.iter().map(|of| &of.limits));
    let latencies = limits.filter_map(|limits| Some(limits.latency.as_ref()?.text.as_str()));
    let notes = row.notes.iter().chain(row.variants.iter().flat_map(|variant| &variant.notes));
    let names = row.variants.iter().map(|variant| variant.name.as_str());
    let names = names.filter(|name| name.contains(' '));
    latencies.chain(notes.map(String::as_str)).chain(names).collect()
}

#[test]
fn texts_of_the_catalogue_without_korean_are_named() {
    let catalogue = builtin();
    let said: BTreeSet<&str> = catalogue.volumes().iter().flat_map(words_of).collect();
    for text in said {
        let korean = Message::from_english(text).text(Lang::Ko);
        if !korean.chars().any(|c| ('가'..='힣').contains(&c)) {
            println!("WARNING: no Korean for {text}");
        }
    }
}
