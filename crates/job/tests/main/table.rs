//! What holds for every row of the option table.

use crate::support::try_file;
use fathom_job::{
    Category, JobSpec, Kind, OptionRow, OptionStatus, engine_choices, find_option, nearest_option,
    options,
};
use std::collections::HashSet;

/// Options that mean something only beside others.
const COMPANIONS: &[(&str, &str)] = &[
    ("steadystate", "ss_dur=20s"),
    ("steadystate_ramp_time", "ss_dur=20s"),
    ("steadystate_check_interval", "ss_dur=20s"),
    ("latency_window", "latency_target=1ms"),
    ("latency_percentile", "latency_target=1ms"),
    ("latency_run", "latency_target=1ms"),
    ("time_based", "runtime=1"),
    ("buffered", "direct=1\nbuffered=1"),
];

/// An engine that the option belongs to, if Fathom has one.
fn engine_of(row: &OptionRow) -> &'static str {
    let ours = |name: &&&str| engine_choices().iter().any(|choice| choice.name == **name);
    row.engines.iter().find(ours).copied().unwrap_or("psync")
}

/// The job of a file, without the words it was made of.
fn bare(text: &str) -> JobSpec {
    let mut job = try_file(text).unwrap_or_else(|error| panic!("{text}\n{error}")).remove(0);
    job.given.clear();
    job
}

#[test]
fn no_name_is_there_twice() {
    let mut seen = HashSet::new();
    for row in options() {
        for name in row.names() {
            assert!(seen.insert(name), "{name} is there twice");
            assert_eq!(find_option(name).map(|row| row.name), Some(row.name));
            assert!(!name.contains(['=', ' ', ';', '#']), "{name}");
        }
    }
}

#[test]
fn the_table_holds_what_fio_has() {
    let common = options().iter().filter(|row| row.category != Category::Engine).count();
    assert!(common >= 240, "{common} options that every engine has");
    assert!(options().len() - common >= 80);
}

#[test]
fn every_row_is_documented() {
    for row in options() {
        assert!(row.help.len() > 1, "{} has no help", row.name);
        assert!(!row.help.ends_with('.') && !row.help.contains('\n'), "{}", row.name);
        for choice in row.kind.choices() {
            assert!(!choice.help.is_empty(), "{}={} has no help", row.name, choice.name);
        }
        let advice = row.status.reason();
        let needs = !matches!(row.status, OptionStatus::Supported | OptionStatus::Retired);
        assert_eq!(needs, !advice.is_empty(), "{}: status and reason", row.name);
        assert_eq!(row.category == Category::Engine, !row.engines.is_empty(), "{}", row.name);
    }
}

#[test]
fn choices_are_there_once() {
    for row in options() {
        let mut seen = HashSet::new();
        assert!(row.kind.choices().iter().all(|c| seen.insert(c.name)), "{}", row.name);
    }
}

/// Options whose default, if given, is more than leaving them out.
const MORE_THAN_DEFAULT: &[&str] =
    &["randseed", "filename_format", "random_generator", "scramble_buffers", "dedupe_percentage"];

/// Every default, spelt out, is accepted, and for a supported option changes nothing.
#[test]
fn defaults_are_defaults() {
    for row in options().iter().filter(|row| !row.default.is_empty()) {
        if matches!(row.status, OptionStatus::Refused(_)) {
            continue;
        }
        let engine = engine_of(row);
        let with = bare(&format!("[j]\nioengine={engine}\n{}={}\n", row.name, row.default));
        let without = bare(&format!("[j]\nioengine={engine}\n"));
        if row.status == OptionStatus::Supported && !MORE_THAN_DEFAULT.contains(&row.name) {
            // What these are by default hangs on other options.
            let depends = ["iodepth_batch", "bwavgtime", "iopsavgtime"].contains(&row.name);
            let same = with == without || depends;
            assert!(same, "{}={} is not the default", row.name, row.default);
        }
    }
}

/// Every supported option sets something, and all others set nothing.
#[test]
fn supported_options_change_the_job() {
    for row in options() {
        let companion = COMPANIONS.iter().find(|(name, _)| *name == row.name).map_or("", |c| c.1);
        let engine = engine_of(row);
        let before = format!("[j]\nioengine={engine}\n{companion}\n");
        let text = format!("{before}{}={}\n", row.name, row.example);
        match row.status {
            OptionStatus::Supported => {
                for name in row.names() {
                    let text = format!("{before}{name}={}\n", row.example);
                    assert_ne!(bare(&text), bare(&before), "{name}={} sets nothing", row.example);
                }
            }
            OptionStatus::Retired | OptionStatus::NoEffect(_) => {
                assert_eq!(bare(&text), bare(&before), "{} sets something", row.name);
            }
            OptionStatus::NotYet(..) | OptionStatus::Refused(_) => {
                let error = try_file(&text).unwrap_err();
                assert!(error.message.contains(row.name), "{error}");
                assert!(error.hint.is_some() && error.origin.to_string().starts_with("test.fio:"));
            }
        }
    }
}

/// What an option of each kind does with words that are none.
#[test]
fn nonsense_is_refused() {
    for row in options().iter().filter(|row| row.status == OptionStatus::Supported) {
        let free =
            matches!(row.kind, Kind::Text | Kind::TextOrNothing | Kind::Path | Kind::PathList);
        if free {
            continue;
        }
        let engine = engine_of(row);
        let text = format!("[j]\nioengine={engine}\n{}=no%sense\n", row.name);
        let error = try_file(&text).expect_err(row.name);
        assert!(error.hint.is_some(), "{error}");
        assert_eq!(error.origin.to_string(), "test.fio:3", "{error}");
    }
}

#[test]
fn every_kind_of_help_has_words() {
    for row in options() {
        assert!(!row.kind.describe().is_empty());
        if let Kind::Int(low, high) = row.kind {
            assert!(low < high, "{}", row.name);
        }
    }
}

#[test]
fn misspelt_names_find_the_nearest() {
    for (misspelt, near) in [
        ("iodpth", "iodepth"),
        ("blocksze", "blocksize"),
        ("numjob", "numjobs"),
        ("siez", "size"),
        ("group_reportng", "group_reporting"),
        ("time-based", "time_based"),
        ("ramptime", "ramp_time"),
    ] {
        assert_eq!(nearest_option(misspelt), Some(near), "{misspelt}");
    }
    assert_eq!(nearest_option("xyzzy_nothing_like_it"), None);
}
