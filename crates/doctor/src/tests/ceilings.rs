//! Ceilings: the findings on them, and the document.

use super::*;

#[test]
fn the_sentence_names_what_one_core_can_drive() {
    let ceilings = vec![
        ceiling(IoEngine::Null, 1, 30e6, 100.0),
        ceiling(IoEngine::Psync, 1, 612_345.0, 100.0),
        ceiling(IoEngine::IoUring, 1, 617_200.0, 50.0),
    ];
    let diagnosis = Diagnosis::new(sound(), ceilings, Vec::new(), 0);
    let sentence = diagnosis.summary().unwrap();
    let expected = "One core of this host can drive about 1,200,000 IOPS of 4 KiB through \
                    io_uring, 610,000 through psync (one at a time), before";
    assert!(sentence.starts_with(expected), "{sentence}");
    assert_eq!(diagnosis.one_core_iops(IoEngine::IoUring), Some(1_234_400.0));
    assert_eq!(diagnosis.one_core_iops(IoEngine::Null), None);
    assert_eq!(Diagnosis::new(sound(), Vec::new(), Vec::new(), 0).summary(), None);
}

#[test]
fn ceilings_are_held_against_each_other() {
    let of = |ceilings: Vec<Ceiling>| {
        let found = Diagnosis::new(sound(), ceilings, Vec::new(), 0).findings;
        let ours = found.into_iter().filter(|finding| finding.topic == FindingTopic::Ceilings);
        ours.map(|f| (f.severity, f.evidence.to_string())).collect::<Vec<_>>()
    };
    let null = |threads, iops, cpu| ceiling(IoEngine::Null, threads, iops, cpu);
    let scaling = of(vec![null(1, 1e7, 100.0), null(4, 3.9e7, 100.0)]);
    assert_eq!(
        scaling,
        [(Severity::Ok, "4 threads on as many CPUs drive 3.9 times what one does.".into())]
    );
    let shared = of(vec![null(1, 1e7, 100.0), null(4, 2.1e7, 100.0)]);
    assert_eq!(shared[0].0, Severity::Note);
    // Half as much of half the CPUs' time is the load's doing, and said as such.
    let starved = of(vec![null(1, 1e7, 100.0), null(4, 2e7, 50.0)]);
    assert_eq!((starved.len(), starved[0].0, starved[1].0), (2, Severity::Note, Severity::Ok));
    assert!(starved[0].1.starts_with("In 1 of 2 the threads did not get a whole CPU"));
}

#[test]
fn the_document_comes_back_from_its_json() {
    let ceilings = vec![ceiling(IoEngine::IoUring, 1, 1e6, 100.0)];
    let targets = vec![TargetDiagnosis::new("/x", Err("gone"))];
    let diagnosis = Diagnosis::new(sound(), ceilings, targets, 7);
    let json = serde_json::to_value(&diagnosis).unwrap();
    assert_eq!((&json["kind"], &json["schema"]), (&"fathom-doctor".into(), &1.into()));
    assert_eq!(json["findings"][0]["topic"], "clock");
    assert_eq!(json["findings"][0]["severity"], "ok");
    assert_eq!(json["ceilings"][0]["engine"], "io_uring");
    assert_eq!(json["ceilings"][0]["backing"], "page_cache");
    assert_eq!(json["targets"][0]["failure"], "gone");
    let read = serde_json::from_value::<Diagnosis>(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), json);
}
