//! The JSON document: its shape, and that it can be read back.

use super::scripted::{Act, Diary, Scripted, device, fields, folder, machine};
use crate::cases::PreparedTarget;
use crate::machine::{Scratch, measure_ceilings};
use crate::{CommonOptions, MeasureOptions, Plan, Provenance};
use fathom_document::{Backing, Document};
use std::fs;

fn document() -> Document {
    document_of(1)
}

fn document_of(rounds: u32) -> Document {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("a");
    fs::create_dir_all(&path).unwrap();
    let volumes = vec![folder(&path, 1 << 40), device("/dev/xyz", 1 << 35)];
    let options = MeasureOptions {
        rounds: Some(rounds),
        common: CommonOptions { seed: 7, ..CommonOptions::default() },
        ..MeasureOptions::default()
    };
    let plan = Plan::new(volumes, &options).unwrap();
    let mut executor = Scripted::with("throughput-write-64k", Act::Fail("EIO"));
    let mut machine = machine(&mut executor);
    let mut runner = plan.begin(&mut machine).unwrap();
    let scratch = Scratch { tmpfs: None, page_cache: Some("/tmp/scratch".into()) };
    let engines: Vec<_> = runner.targets.iter().flat_map(PreparedTarget::engines).collect();
    runner.ceilings = measure_ceilings(&engines, &scratch, &mut machine);
    let from = Provenance { started_ms: 1_700_000_000_000, ..Provenance::default() };
    plan.run(&runner, from, &mut machine, &mut Diary::default())
}

#[test]
fn its_fields_stand_where_they_always_stood() {
    let document = document();
    let said = "kind schema fathom_version started_ms summary interrupted host volumes plan phases \
                over_phases client";
    assert_eq!(fields(&document), said);
    let volume = "name kind mount storage space \
                  io_path test_file size_bytes fill_bytes writes method remarks failure";
    assert_eq!(fields(&document.volumes[0]), volume);
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
    let verdicts = phase["verdicts"].as_array().unwrap();
    assert!(verdicts.iter().any(|verdict| verdict["question"] == "cached"), "{verdicts:?}");
    let command = phase["command"].as_str().unwrap();
    for word in ["fathom fio", "--rw=randread", "--bs=4k", "--iodepth=1", "--runtime=3750ms"] {
        assert!(command.contains(word), "{command}");
    }
    let failed = json["phases"].as_array().unwrap().last().unwrap();
    assert_eq!(failed["failure"], "EIO");
    assert_eq!(failed["figures"], serde_json::Value::Null);
}

#[test]
fn several_rounds_are_kept_one_by_one_and_together() {
    let json = serde_json::to_value(document_of(3)).unwrap();
    assert_eq!((&json["plan"]["rounds"], &json["plan"]["seed"]), (&3.into(), &7.into()));
    assert_eq!(json["phases"].as_array().unwrap().len(), 36);
    assert_eq!((&json["phases"][0]["round"], &json["phases"][35]["round"]), (&0.into(), &2.into()));
    let over = json["over_rounds"].as_array().unwrap();
    assert_eq!(over.len(), 12);
    assert_eq!((&over[0]["name"], &over[0]["volume"]), (&"latency-read-4k".into(), &0.into()));
    assert_eq!(over[0]["figures"]["ios"], 30_000);
    assert_eq!(over[0]["values"], serde_json::json!([100_000.0, 100_000.0, 100_000.0]));
    assert_eq!(over[0]["estimate"]["n"], 3);
    // Where there is one round, its figures say it all.
    assert!(serde_json::to_value(document()).unwrap().get("over_rounds").is_none());
}

#[test]
fn a_document_from_before_there_were_rounds_reads() {
    let mut json = serde_json::to_value(document()).unwrap();
    let plan = json["plan"].as_object_mut().unwrap();
    assert!(plan.remove("rounds").is_some() && plan.remove("seed").is_some());
    for phase in json["phases"].as_array_mut().unwrap() {
        phase.as_object_mut().unwrap().remove("round");
    }
    let read: Document = serde_json::from_value(json).unwrap();
    assert_eq!((read.plan.rounds, read.plan.seed, read.phases[0].round), (1, None, 0));
}

#[test]
fn it_reads_back_as_it_was_written() {
    let text = serde_json::to_string(&document()).unwrap();
    let again: Document = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
}

/// Phases of depth 32 did 320,000 I/Os a second, and so did the ceiling, with a tenth of a core.
#[test]
fn it_says_how_far_the_client_was_from_its_ceiling() {
    let client = document().client.unwrap();
    assert_eq!((client.busiest.name.as_str(), client.volume), ("throughput-write-256k", 0));
    let case = &client.ceiling.case;
    assert_eq!((case.engine.name(), case.depth, case.threads), ("io_uring", 32, 1));
    assert_eq!((case.backing, client.iops), (Backing::PageCache, 320_000.0));
    assert_eq!((client.one_core_iops, client.share_percent), (Some(3_200_000.0), Some(10.0)));
    assert_eq!(
        client.told().unwrap().to_string(),
        "One core of this host can drive about 3,200,000 IOPS of 4 KiB through io_uring at queue \
         depth 32 before a disk does anything."
    );
}

#[test]
fn a_ceiling_that_cannot_be_measured_is_kept_with_its_reason_and_not_talked_about() {
    let mut client = document().client.unwrap();
    client.one_core_iops = None;
    client.share_percent = None;
    assert_eq!(client.told(), None);
}

#[test]
fn a_document_from_before_there_was_a_client_reads() {
    let mut json = serde_json::to_value(document()).unwrap();
    json.as_object_mut().unwrap().remove("client");
    assert_eq!(serde_json::from_value::<Document>(json).unwrap().client, None);
}
