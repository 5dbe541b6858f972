//! Counters made by hand, with known findings.

use super::*;

/// Calls whose times are so many milliseconds each: queue, round trip, execution.
fn calls(name: &str, operations: u64, [queue, rtt, execute]: [u64; 3]) -> MountCalls {
    MountCalls {
        name: name.to_owned(),
        operations,
        transmissions: operations,
        queue_ms: queue * operations,
        rtt_ms: rtt * operations,
        execute_ms: execute * operations,
        ..MountCalls::default()
    }
}

fn reads(ios: u64, mean_ns: f64) -> MountIos {
    let (block_bytes, call_bytes) = (Some(262_144), Some(65_536));
    MountIos { direction: Direction::Read, ios, mean_ns: Some(mean_ns), block_bytes, call_bytes }
}

fn one_connection(sends: u64) -> MountTransports {
    MountTransports { connections: 1, sends, least_share: 1.0, ..MountTransports::default() }
}

/// A run of 1,000 reads of 10 ms, each a READ that spends its time as given.
fn run(times: [u64; 3]) -> MountInputs {
    MountInputs {
        calls: vec![calls("READ", 1000, times)],
        transports: one_connection(1000),
        ios: vec![reads(1000, 10e6)],
    }
}

fn told(inputs: &MountInputs) -> Vec<String> {
    find_mount(inputs).iter().map(ToString::to_string).collect()
}

#[test]
fn latency_on_the_way_is_the_networks_and_the_servers() {
    let told = told(&run([0, 9, 10]));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("a READ call takes 9.00 ms on the way, 90 % of it"), "{told:?}");
    let half = MountInputs { ios: vec![reads(1000, 20e6)], ..run([0, 9, 10]) };
    assert_eq!(find_mount(&half), []);
}

#[test]
fn calls_that_wait_before_they_are_sent_are_told_with_what_to_do() {
    let mut inputs = run([6, 4, 10]);
    inputs.transports.backlog_sum = 12_000;
    let of_one = told(&inputs);
    assert!(of_one[0].contains("waited 6.00 ms in this machine"), "{of_one:?}");
    assert!(of_one[0].contains("60 % of their time, with 12 waiting"), "{of_one:?}");
    assert!(of_one[0].contains("one connection, which may be the limit"), "{of_one:?}");
    inputs.transports.connections = 4;
    assert!(told(&inputs)[0].contains("its 4 connections are full"));
    assert_eq!(find_mount(&run([1, 5, 10])), [], "a tenth is not much");
}

#[test]
fn repeats_timeouts_and_reconnects_make_a_run_unclean() {
    let clean = run([0, 1, 2]);
    assert_eq!(find_mount(&clean), []);
    let mut repeated = clean.clone();
    repeated.calls[0].transmissions += 3;
    assert!(told(&repeated)[0].contains("of 1,000 calls 3 were sent again"));
    let mut late = clean.clone();
    late.calls[0].timeouts = 1;
    let mut lost = clean;
    lost.transports.reconnects = 1;
    for unclean in [repeated, late, lost] {
        let found = find_mount(&unclean);
        assert!(matches!(found[..], [MountFinding::Repeated { .. }]), "{found:?}");
        assert_eq!(found[0].tone(), Tone::Warning);
    }
}

#[test]
fn calls_are_held_against_ios() {
    let with = |operations| MountInputs {
        calls: vec![calls("READ", operations, [0, 1, 2])],
        ..run([0, 1, 2])
    };
    assert!(told(&with(400))[0].contains("1,000 reads made 400 READ calls"));
    assert!(told(&with(4000))[0].contains("took 4.0 READ calls: rsize"));
    let mut others = with(4000);
    others.ios[0].block_bytes = Some(65_536);
    assert!(told(&others)[0].contains("4,000 READ calls for 1,000 reads that fit into one each"));
    assert_eq!(find_mount(&with(1000)), []);
    let none = MountInputs { calls: Vec::new(), ..run([0, 1, 2]) };
    assert!(told(&none)[0].contains("made 0 READ calls"), "all of it was cached");
}

#[test]
fn connections_that_send_much_less_than_others_are_told() {
    let mut inputs = run([0, 1, 2]);
    inputs.transports = MountTransports { connections: 4, least_share: 0.3, ..inputs.transports };
    let found = find_mount(&inputs);
    assert!(matches!(found[..], [MountFinding::Uneven { .. }]), "{found:?}");
    inputs.transports.least_share = 0.8;
    assert_eq!(find_mount(&inputs), []);
}

#[test]
fn commits_are_told_with_their_time() {
    let mut inputs = run([0, 1, 2]);
    inputs.calls.push(calls("COMMIT", 2, [0, 90, 94]));
    assert_eq!(told(&inputs), ["2 COMMITs took 94.0 ms each on average."]);
}

#[test]
fn nothing_that_was_counted_tells_nothing() {
    assert_eq!(find_mount(&MountInputs::default()), []);
    let few = MountInputs { ios: vec![reads(99, 1e6)], ..MountInputs::default() };
    assert_eq!(find_mount(&few), []);
}
