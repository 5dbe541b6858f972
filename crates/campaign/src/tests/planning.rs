//! Plans and refusals, without touching anything.

use super::scripted::{device, folder, steps};
use crate::MeasuringTime;
use crate::{CommonOptions, MeasureOptions, Plan, Refusal};
use fathom_document::{ClientFiles, ClientSpace, Remark, SuiteOptions, TargetKind, Volume};
use fathom_host::{InUse, Storage};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

const GIB: u64 = 1 << 30;

fn at(path: &str, available_bytes: u64) -> Volume {
    folder(Path::new(path), available_bytes)
}

fn plan(volumes: Vec<Volume>) -> Result<Plan, Refusal> {
    Plan::new(volumes, &MeasureOptions::default())
}

fn file(size_bytes: u64, allocated_bytes: u64) -> Volume {
    let mut volume = at("/data/file", 0);
    let in_use = Vec::new();
    volume.kind = TargetKind::ExistingFile { size_bytes, allocated_bytes, in_use };
    volume
}

fn only(common: CommonOptions) -> MeasureOptions {
    MeasureOptions { common, ..MeasureOptions::default() }
}

fn destroying(path: &str) -> MeasureOptions {
    only(CommonOptions { destroy: vec![path.into()], ..CommonOptions::default() })
}

#[test]
fn a_folder_gets_half_a_minute_and_a_gibibyte() {
    let plan = plan(vec![at("/mnt/ssd", 500 * GIB)]).unwrap();
    assert_eq!(plan.steps().len(), 8);
    assert_eq!(plan.phase_us * 8, 30_000_000);
    assert_eq!(plan.ramp_us, 468_000);
    assert_eq!(plan.total_us(), 8 * (3_750_000 + 468_000));
    assert_eq!(plan.fill_bytes(), GIB);
    assert_eq!(plan.writing_us(0), plan.total_us() / 2);
    let volume = &plan.volumes[0];
    assert!(volume.ours && volume.writes && volume.remarks.is_empty());
    let name = volume.path.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(".fathom-"), "{name}");
}

#[test]
fn volumes_take_turns_at_each_phase() {
    let plan = plan(vec![at("/a", 500 * GIB), at("/bb", 500 * GIB)]).unwrap();
    let steps = steps(&plan);
    assert_eq!(steps.len(), 16);
    assert_eq!(
        steps[..4],
        ["0 latency-read-4k", "1 latency-read-4k", "0 latency-write-4k", "1 latency-write-4k",]
    );
    assert_ne!(plan.volumes[0].path.file_name(), plan.volumes[1].path.file_name());
}

#[test]
fn rounds_share_the_time_and_volumes_change_places() {
    let options = MeasureOptions { rounds: Some(3), ..MeasureOptions::default() };
    let volumes = vec![at("/a", 500 * GIB), at("/bb", 500 * GIB)];
    let plan = Plan::new(volumes, &options).unwrap();
    let steps = steps(&plan);
    assert_eq!((steps.len(), plan.phase_us), (3 * 16, 1_250_000));
    assert_eq!(plan.total_us(), 3 * 16 * (plan.phase_us + plan.ramp_us));
    assert_eq!(plan.writing_us(0), plan.total_us() / 4);
    // The first round has the tests in their order; in the second the volumes change places.
    let round = |at: usize| steps[16 * at..][..16].chunks(2).collect::<Vec<&[String]>>();
    assert!(round(0)[0][0].ends_with(" latency-read-4k"), "{:?}", round(0));
    for pair in round(0) {
        assert!(round(1).contains(&[pair[1].clone(), pair[0].clone()].as_slice()), "{pair:?}");
    }
    // Filled once, however many rounds.
    assert_eq!(plan.fill_bytes(), 2 * GIB);
    let many = MeasureOptions { rounds: Some(50), ..MeasureOptions::default() };
    let why = Plan::new(vec![at("/a", 500 * GIB)], &many).unwrap_err().to_string();
    assert_eq!(
        why,
        "75 ms for each of 8 tests in 50 rounds are too short; 100 ms each at least: give --time \
         40000ms or more"
    );
}

#[test]
fn read_only_volumes_keep_the_phase_length_of_the_others() {
    let plan = plan(vec![at("/a", 500 * GIB), device("/dev/xyz", 100 * GIB)]).unwrap();
    assert_eq!(plan.phases_on(0).count(), 8);
    assert_eq!(plan.phases_on(1).count(), 4);
    assert_eq!(plan.phase_us, 3_750_000);
    assert_eq!(plan.writing_us(1), 0);
    assert!(plan.phases_on(1).all(|phase| !phase.writes()));
}

#[test]
fn a_device_is_only_read_and_read_whole() {
    let plan = plan(vec![device("/dev/xyz", 100 * GIB)]).unwrap();
    let volume = &plan.volumes[0];
    assert_eq!((volume.writes, volume.fill_bytes, volume.ours), (false, 0, false));
    assert_eq!(volume.size_bytes, 100 * GIB);
    assert_eq!(plan.phase_us, 7_500_000);
    assert!(matches!(&volume.remarks[..], [Remark::OnlyRead { .. }]));
}

#[test]
fn a_named_device_is_filled_and_written() {
    let plan = Plan::new(vec![device("/dev/xyz", 100 * GIB)], &destroying("/dev/xyz")).unwrap();
    let volume = &plan.volumes[0];
    assert_eq!((volume.writes, volume.fill_bytes, volume.ours), (true, GIB, false));
    assert_eq!(volume.path, Path::new("/dev/xyz"));
}

#[test]
fn a_device_in_use_is_refused_with_the_evidence_but_may_be_read() {
    let mut used = device("/dev/xyz", 100 * GIB);
    let TargetKind::Device { in_use, .. } = &mut used.kind else { unreachable!() };
    in_use.push(InUse::Mounted { at: PathBuf::from("/precious") });
    in_use.push(InUse::HeldBy { holder: "dm-0 (vg-root)".to_owned() });
    let refusal = Plan::new(vec![used.clone()], &destroying("/dev/xyz")).unwrap_err().to_string();
    assert!(refusal.contains("mounted at /precious; dm-0 (vg-root) stands on it"), "{refusal}");
    assert!(plan(vec![used]).is_ok());
}

#[test]
fn not_knowing_whether_a_device_is_in_use_is_no_leave() {
    let mut unknown = device("/dev/xyz", 100 * GIB);
    let TargetKind::Device { in_use_unknown, .. } = &mut unknown.kind else { unreachable!() };
    *in_use_unknown = Some("no /proc".to_owned());
    let refusal = Plan::new(vec![unknown], &destroying("/dev/xyz")).unwrap_err();
    assert!(matches!(refusal, Refusal::DeviceUseUnknown { .. }), "{refusal}");
}

#[test]
fn only_a_target_with_data_can_be_named_for_destruction() {
    let device_other = vec![device("/dev/xyz", 100 * GIB)];
    let refusal = Plan::new(device_other.clone(), &destroying("/dev/xy")).unwrap_err();
    assert_eq!(refusal, Refusal::NamedButNoTarget { path: "/dev/xy".to_owned() });
    let refusal = Plan::new(vec![at("/mnt", 9 * GIB)], &destroying("/mnt")).unwrap_err();
    assert!(matches!(refusal, Refusal::NamedButNoTarget { .. }));
    let both = only(CommonOptions { read_only: true, ..destroying("/dev/xyz").common });
    let refusal = Plan::new(device_other, &both).unwrap_err();
    assert!(matches!(refusal, Refusal::Contradiction { .. }));
}

#[test]
fn a_file_that_is_there_is_only_read_and_its_holes_are_told() {
    let plan = plan(vec![file(GIB, GIB / 4)]).unwrap();
    let volume = &plan.volumes[0];
    assert_eq!((volume.writes, volume.fill_bytes, volume.ours), (false, 0, false));
    let kinds: Vec<bool> =
        volume.remarks.iter().map(|r| matches!(r, Remark::Holes { .. })).collect();
    assert_eq!(kinds, [true, false]);
    let refusal = Plan::new(vec![file(4096, 4096)], &MeasureOptions::default()).unwrap_err();
    assert!(matches!(refusal, Refusal::TooSmall { .. }), "{refusal}");
}

#[test]
fn space_is_left_free_and_what_was_asked_for_is_not_cut() {
    let plan = plan(vec![at("/mnt", GIB / 2)]).unwrap();
    let size = plan.volumes[0].size_bytes;
    assert!(size <= GIB / 2 / 10 * 9 && size > GIB / 2 / 10 * 8, "{size}");
    assert_eq!(size % fathom_document::LARGE_BYTES, 0);
    assert!(matches!(&plan.volumes[0].remarks[..], [Remark::SizeCapped { .. }]));
    let asked = only(CommonOptions { size_bytes: Some(GIB), ..CommonOptions::default() });
    let refusal = Plan::new(vec![at("/mnt", GIB)], &asked).unwrap_err();
    assert!(matches!(refusal, Refusal::TooLittleSpace { .. }), "{refusal}");
    let refusal = super::planning::plan(vec![at("/mnt", 1 << 20)]).unwrap_err();
    assert!(matches!(refusal, Refusal::TooLittleSpace { .. }), "{refusal}");
}

#[test]
fn files_of_several_clients_need_space_where_they_lie() {
    let space =
        |client: &str, available_bytes| ClientSpace { client: client.to_owned(), available_bytes };
    let hosts = |share_space, available_bytes: u64| {
        let spaces = vec![space("h1", GIB), space("h2", available_bytes), space("h3", GIB)];
        let clients = Some(ClientFiles { count: 3, share_space, spaces });
        Volume { clients, ..at("/mnt", available_bytes) }
    };
    let asked = only(CommonOptions { size_bytes: Some(GIB / 4), ..CommonOptions::default() });
    let plan = |volume| Plan::new(vec![volume], &asked);
    // Each on its own disk: what fits on the fullest fits.
    let apart = plan(hosts(false, GIB / 2)).unwrap();
    assert_eq!(apart.volumes[0].size_bytes, GIB / 4);
    assert_eq!((apart.volumes[0].fill_bytes, apart.fill_bytes()), (GIB / 4, 3 * GIB / 4));
    // All on one: three files do not fit.
    let refusal = plan(hosts(true, GIB / 2)).unwrap_err().to_string();
    assert!(
        refusal.starts_with("/mnt has 537 MB free, of which a test may take 161 MB"),
        "{refusal}"
    );
    let refusal = plan(hosts(false, GIB / 8)).unwrap_err().to_string();
    assert!(refusal.starts_with("h2:/mnt has 134 MB free"), "{refusal}");
}

#[test]
fn a_file_system_without_space_is_no_storage() {
    let mut proc = at("/proc", 0);
    let space = proc.space.as_mut().unwrap();
    (space.total_bytes, space.fstype) = (0, "proc".to_owned());
    let refusal = plan(vec![proc]).unwrap_err();
    assert!(matches!(refusal, Refusal::NoStorage { .. }), "{refusal}");
}

#[test]
fn targets_on_one_file_system_share_its_space_and_are_told_so() {
    let mut other = at("/mnt", GIB);
    other.target = "/mnt/sub".into();
    other.name = "/mnt/sub".to_owned();
    let plan = plan(vec![at("/mnt", GIB), other]).unwrap();
    assert!(plan.fill_bytes() <= GIB / 10 * 9);
    assert!(plan.volumes[1].remarks.contains(&Remark::SamePlace { other: "/mnt".to_owned() }));
}

#[test]
fn what_cannot_be_measured_is_refused() {
    assert_eq!(plan(Vec::new()).unwrap_err(), Refusal::NoTarget);
    let twice = plan(vec![at("/mnt", 9 * GIB), at("/mnt", 9 * GIB)]).unwrap_err();
    assert!(matches!(twice, Refusal::Twice { .. }));
    let mut sealed = at("/mnt", 9 * GIB);
    sealed.mount.options = vec!["ro".to_owned()];
    assert!(matches!(plan(vec![sealed]).unwrap_err(), Refusal::MountedReadOnly { .. }));
    let time = Some(MeasuringTime::PerVolume(300_000));
    let short = only(CommonOptions { time, ..CommonOptions::default() });
    let refusal = Plan::new(vec![at("/mnt", 9 * GIB)], &short).unwrap_err();
    assert_eq!(refusal, Refusal::TooShort { phase_ms: 37, phases: 8, rounds: 1 });
    let odd = MeasureOptions {
        suite: SuiteOptions { small_block_bytes: 1000, ..SuiteOptions::default() },
        ..MeasureOptions::default()
    };
    let refusal = Plan::new(vec![at("/mnt", 9 * GIB)], &odd).unwrap_err();
    assert!(matches!(refusal, Refusal::Unaligned { block_bytes: 1000, unit_bytes: 512, .. }));
}

#[test]
fn memory_is_called_memory() {
    let mut memory = at("/dev/shm", 9 * GIB);
    memory.mount.fstype = "tmpfs".to_owned();
    memory.storage = Storage::Memory { fstype: "tmpfs".to_owned() };
    let plan = plan(vec![memory]).unwrap();
    assert_eq!(plan.volumes[0].remarks, [Remark::Memory { what: "tmpfs".to_owned() }]);
}

proptest! {
    #[test]
    fn a_plan_never_writes_more_than_is_free_and_never_what_is_not_named(
        available in 0u64..(4 * GIB),
        size in proptest::option::of(1u64..(4 * GIB)),
        capacity in 0u64..(4 * GIB),
        read_only: bool,
        seconds in 1u64..1000,
    ) {
        let options = only(CommonOptions {
            size_bytes: size,
            read_only,
            time: Some(MeasuringTime::PerVolume(seconds * 1_000_000)),
            ..CommonOptions::default()
        });
        if let Ok(plan) = Plan::new(vec![at("/mnt", available)], &options) {
            prop_assert!(plan.fill_bytes() <= available - available / 10);
            prop_assert!(size.is_none_or(|size| plan.volumes[0].size_bytes <= size));
            prop_assert_eq!(plan.volumes[0].writes, !read_only);
            let time_us = plan.phase_us * plan.steps().len() as u64;
            prop_assert!(time_us <= seconds * 1_000_000);
            prop_assert!(time_us + 8000 > seconds * 1_000_000);
        }
        if let Ok(plan) = Plan::new(vec![device("/dev/xyz", capacity)], &options) {
            prop_assert_eq!(plan.fill_bytes(), 0);
            prop_assert_eq!(plan.writing_us(0), 0);
            prop_assert!(plan.volumes[0].size_bytes <= capacity);
        }
    }
}
