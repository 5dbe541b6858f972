//! The JSON document: its shape, and that it reads back.

use super::scripted::{Act, Diary, Scripted, device, folder};
use crate::{Document, MeasureOptions, Plan, Prepared, TestFiles};
use fathom_host::System;
use std::fs;

fn document() -> Document {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("a");
    fs::create_dir_all(&path).unwrap();
    let volumes = vec![folder(&path, 1 << 40), device("/dev/xyz", 1 << 35)];
    let plan = Plan::new(volumes, &MeasureOptions::default()).unwrap();
    let mut executor = Scripted::with("throughput-write-64k", Act::Fail("EIO"));
    let prepared = Prepared::begin(plan, &TestFiles::default(), &mut executor).unwrap();
    let measured = prepared.run(&mut executor, &mut Diary::default());
    Document::new(&prepared, &measured, System::default(), 1_700_000_000_000)
}

#[test]
fn it_says_what_was_measured_how_and_what_came_of_it() {
    let text = serde_json::to_string(&document()).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["kind"], "fathom-measure");
    assert_eq!(json["schema"], 1);
    assert_eq!(json["interrupted"], false);
    assert_eq!(json["volumes"][0]["kind"]["is"], "folder");
    assert_eq!(json["volumes"][0]["test_file"], true);
    assert_eq!(json["volumes"][0]["method"]["direct"], true);
    assert_eq!(json["volumes"][1]["remarks"][0]["about"], "only_read");
    assert_eq!(json["plan"]["phases"], 12);
    let phase = &json["phases"][0];
    assert_eq!(phase["name"], "latency-read-4k");
    assert_eq!(phase["volume"], 0);
    assert_eq!(phase["figures"]["iops"], 10_000.0);
    assert_eq!(phase["figures"]["identity"]["block_bytes"], 4096);
    assert_eq!(phase["result"]["jobs"][0]["dirs"]["read"]["total_ios"], 10_000);
    let command = phase["command"].as_str().unwrap();
    for word in ["fathom fio", "--rw=randread", "--bs=4k", "--iodepth=1", "--runtime=3750ms"] {
        assert!(command.contains(word), "{command}");
    }
    let failed = json["phases"].as_array().unwrap().last().unwrap();
    assert_eq!(failed["failure"], "EIO");
    assert_eq!(failed["figures"], serde_json::Value::Null);
}

#[test]
fn it_reads_back_as_it_was_written() {
    let text = serde_json::to_string(&document()).unwrap();
    let again: Document = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
}
