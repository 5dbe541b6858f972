//! Clients with and without reserves, and the network's share of a latency.

use super::*;
use crate::noise::assert_whole;
use proptest::prelude::*;

/// One thread that does a ninth of what its core could.
fn roomy() -> ClientInputs {
    ClientInputs {
        iops: 20_000.0,
        threads: 1,
        cpus: 2,
        core_ceiling_iops: Some(180_000.0),
        busiest_thread: Some(0.2),
        machine_busy: Some(0.15),
        elapsed_us: 30_000_000,
        ..ClientInputs::default()
    }
}

#[test]
fn a_client_with_room_says_how_much() {
    let finding = find_client(&roomy());
    assert_eq!((finding.verdict, finding.tone()), (ClientVerdict::Roomy, Tone::Good));
    assert_eq!(finding.headroom, Some(9.0));
    assert_eq!(
        finding.to_string(),
        "The client had room: the busiest thread ran 20 % of the time; the machine's processors \
         were 15 % busy; and it did 11 % of what one core of this host can drive, about \
         180,000 small I/Os a second."
    );
}

#[test]
fn a_machine_that_others_keep_busy_may_be_felt_and_is_no_proof() {
    let full = ClientInputs { machine_busy: Some(0.97), own_busy: Some(0.05), ..roomy() };
    let finding = find_client(&full);
    assert_eq!((finding.verdict, finding.tone()), (ClientVerdict::Tight, Tone::Warning));
    assert!(finding.to_string().contains("other programs used 97 % of its CPUs"));
    let own = find_client(&ClientInputs { own_busy: Some(0.8), ..full });
    assert_eq!(own.verdict, ClientVerdict::Bound);
}

#[test]
fn a_full_client_is_what_was_measured() {
    let full = [
        ClientInputs { busiest_thread: Some(0.95), ..roomy() },
        ClientInputs { machine_busy: Some(0.95), ..roomy() },
        ClientInputs { throttled_us: 9_000_000, ..roomy() },
        ClientInputs { iops: 170_000.0, ..roomy() },
    ];
    for inputs in full {
        let finding = find_client(&inputs);
        assert_eq!((finding.verdict, finding.tone()), (ClientVerdict::Bound, Tone::Bad));
    }
}

#[test]
fn a_quota_counts_by_the_time_for_which_it_stopped_the_jobs() {
    let quota = CpuLimit {
        cpus: 0.5,
        of: 2,
        group: "/pod".to_owned(),
        file: "cpu.cfs_quota_us".to_owned(),
    };
    let stopped = |throttled_us: u64, threads: u32| {
        let quota = Some(quota.clone());
        find_client(&ClientInputs { quota, throttled_us, threads, ..roomy() })
    };
    assert_eq!(stopped(0, 1).verdict, ClientVerdict::Roomy);
    assert!(!stopped(0, 1).is_stopped_by_quota() && stopped(0, 1).disturbance().is_none());
    let little = stopped(900_000, 1);
    assert_eq!((little.verdict, little.is_stopped_by_quota()), (ClientVerdict::Tight, true));
    let half = stopped(14_400_000, 1);
    assert_eq!(
        half.to_string(),
        "This host was measured, not the volume: its control group /pod gives it 0.5 of 2 CPUs \
         (cpu.cfs_quota_us) and stopped it for 48 % of the run. Measure again with a higher CPU \
         limit, or none."
    );
    assert_eq!(
        half.disturbance().map(|why| why.to_string()).as_deref(),
        Some(
            "This host had too little CPU time: its control group /pod gives it 0.5 of 2 CPUs \
             (cpu.cfs_quota_us) and stopped it for 48 % of the run; measure again with a higher \
             CPU limit, or none."
        )
    );
    // Two threads that are stopped count twice, and others of the group as well.
    assert!(stopped(28_800_000, 2).to_string().contains("48 % of the run"));
    assert!(stopped(90_000_000, 1).to_string().contains("100 % of the run"));
    // An older verdict has no quota.
    let old = r#"{"sign":"throttled","seconds":0.9,"share":0.03}"#;
    let old: ClientSign = serde_json::from_str(old).unwrap();
    assert_eq!(old.to_string(), "a CPU quota stopped it for 900 ms, 3.0 % of the run");
}

#[test]
fn between_both_it_may_be_felt() {
    for inputs in [
        ClientInputs { machine_busy: Some(0.7), ..roomy() },
        ClientInputs { iops: 120_000.0, ..roomy() },
    ] {
        assert_eq!(find_client(&inputs).verdict, ClientVerdict::Tight);
    }
    // Too short a stop to be felt.
    let inputs = ClientInputs { throttled_us: 100_000, ..roomy() };
    assert_eq!(find_client(&inputs).verdict, ClientVerdict::Roomy);
}

#[test]
fn threads_that_poll_are_always_busy() {
    let polling = ClientInputs {
        busiest_thread: Some(1.0),
        machine_busy: Some(1.0),
        waiting: Waiting::Polling,
        ..roomy()
    };
    assert_eq!(find_client(&polling).verdict, ClientVerdict::Roomy);
}

#[test]
fn threads_beyond_the_processors_drive_no_more() {
    let headroom = |threads| find_client(&ClientInputs { threads, ..roomy() }).headroom;
    assert_eq!([headroom(1), headroom(2), headroom(16)], [Some(9.0), Some(18.0), Some(18.0)]);
}

#[test]
fn a_ceiling_that_is_near_is_named_with_what_may_be_done() {
    let near = ClientInputs { iops: 170_000.0, ..roomy() };
    let text = find_client(&near).to_string();
    assert_eq!(
        text,
        "This host was measured, not the volume: it did 94 % of what one core of this host can \
         drive, about 180,000 small I/Os a second. Measure again with more jobs: this host has \
         more cores for them."
    );
    let all = find_client(&ClientInputs { iops: 340_000.0, threads: 2, ..near }).to_string();
    assert!(all.contains("94 % of what 2 cores of this host can drive, about 360,000"), "{all}");
    assert!(!all.contains("more jobs"), "{all}");
    // Where it was something else, more jobs are no advice.
    let stopped = find_client(&ClientInputs { throttled_us: 9_000_000, ..roomy() });
    assert!(!stopped.to_string().contains("more jobs"));
}

#[test]
fn a_sign_from_before_its_ceiling_was_kept_reads() {
    let sign: ClientSign = serde_json::from_str(r#"{"sign":"ceiling","times":9.0}"#).unwrap();
    assert_eq!(sign, ClientSign::Ceiling { times: 9.0, of: None });
    assert_eq!(sign.to_string(), "it could have driven 9.0 times as many I/Os");
}

#[test]
fn little_input_is_an_answer() {
    let finding = find_client(&ClientInputs::default());
    assert_eq!((finding.verdict, finding.tone()), (ClientVerdict::NotEnough, Tone::Note));
    let no_rate = ClientInputs { core_ceiling_iops: Some(1e5), ..ClientInputs::default() };
    assert_eq!(find_client(&no_rate).headroom, None);
}

proptest! {
    /// Rates times k over a ceiling times k: the same room.
    #[test]
    fn room_does_not_depend_on_the_scale(iops in 1.0..1e7f64, times in 0.1..1e4f64, k in 1e-3..1e3f64) {
        let of = |k: f64| find_client(&ClientInputs {
            iops: iops * k,
            core_ceiling_iops: Some(iops * times * k),
            ..roomy()
        });
        prop_assert!((of(1.0).headroom.unwrap() / times - 1.0).abs() < 1e-9);
        prop_assert!((of(k).headroom.unwrap() / times - 1.0).abs() < 1e-9);
    }

    #[test]
    fn any_input_is_survived(
        figures in any::<[f64; 5]>(), counts in any::<[u32; 2]>(), times in any::<[u64; 2]>(),
    ) {
        let finding = find_client(&ClientInputs {
            iops: figures[0],
            threads: counts[0],
            cpus: counts[1],
            core_ceiling_iops: Some(figures[1]),
            busiest_thread: Some(figures[2]),
            waiting: Waiting::Sleeping,
            machine_busy: Some(figures[3]),
            own_busy: None,
            quota: None,
            throttled_us: times[0],
            stolen_share: Some(figures[4]),
            elapsed_us: times[1],
        });
        assert_whole(&finding);
    }
}
