//! The table beside fio itself, where it is installed: same names, same aliases, same defaults.

use crate::support::world;
use fathom_job::{Kind, find_option, parse_command_line};
use std::process::Command;

#[test]
fn names_aliases_and_defaults_are_those_of_fio() {
    let facts = include_str!("fio-3.33-options.txt");
    for line in facts.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').collect();
        let [name, aliases, default, flag] = fields[..] else { panic!("{line}") };
        let row = find_option(name).unwrap_or_else(|| panic!("no row for {name}"));
        for alias in aliases.split(", ").filter(|alias| !alias.is_empty()) {
            let other = find_option(alias).unwrap_or_else(|| panic!("no row for {alias}"));
            assert_eq!(other.name, row.name, "{alias} is {name}");
        }
        // Where fio names no default, the table may name what happens then.
        if !default.is_empty() {
            // The last is the same as `randrepeat` since fio 3.34 or later.
            let spelt = [
                ("hugepage-size", "2097152"),
                ("percentage_random", "100,100,100"),
                ("allrandrepeat", "0"),
            ];
            let same = default == row.default || spelt.contains(&(name, default));
            assert!(same, "{name}: fio {default:?}, here {:?}", row.default);
        }
        assert_eq!(flag == "flag", row.kind == Kind::Flag, "{name} without a value");
    }
    assert!(facts.lines().count() > 200);
}

/// Values that fio refuses are refused, and values that it takes are taken.
#[test]
fn values_are_judged_as_fio_judges_them() {
    if Command::new("fio").arg("--version").output().is_err() {
        return fathom_skip::skip("fio is not installed (apt-get install fio)");
    }
    for value in [
        "bs=4k,8k",
        "bs=0",
        "bs=4z",
        "bs=,8k",
        "iodepth=0",
        "iodepth=4k",
        "rwmixread=101",
        "rw=foo",
        "rw=randread:8",
        "kb_base=1001",
        "bsrange=4k",
        "bsrange=4k-1k",
        "direct=2",
        "direct=yes",
        "norandommap=x",
        "norandommap=1",
        "percentage_random=101",
        "size=25%",
        "io_size=200%",
        "random_distribution=zipf:1",
        "random_distribution=pareto:2",
        "random_distribution=normal:200",
        "random_distribution=zipf:1.2:0.5",
        "random_distribution=zoned:60/10:40/20",
        "random_distribution=zoned:60/10:30/20",
        "random_distribution=zipf:1.2,1.3",
        "ss=iops",
        "ss=iops:5%",
        "ss=foo:1",
        "buffer_pattern=%o",
        "buffer_pattern=0xff",
        "buffer_pattern=abc",
        "ignore_error=EFOO",
        "ignore_error=EIO,5",
        "continue_on_error=foo",
        "continue_on_error=io",
        "latency_percentile=101",
        "nice=-30",
        "nice=-5",
        "randseed=x",
        "startdelay=1-2",
        "file_service_type=foo",
        "fallocate=0",
        "sync=dsync",
        "unified_rw_reporting=both",
    ] {
        let args =
            ["--name=a", "--ioengine=null", "--size=1m", &format!("--{value}"), "--parse-only"];
        let theirs = Command::new("fio").args(args).output().expect("fio ran before");
        let ours = parse_command_line(&args.map(String::from), &world(&[]));
        // --parse-only ends with 0 even after a bad value; the message tells.
        let said = String::from_utf8_lossy(&theirs.stderr).into_owned()
            + &String::from_utf8_lossy(&theirs.stdout);
        let taken = !said.contains("failed parsing") && theirs.status.success();
        assert_eq!(ours.is_ok(), taken, "{value}: fio says {said:?}, we {:?}", ours.err());
    }
}
