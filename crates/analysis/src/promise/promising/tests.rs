//! Promises from rows and configurations: numbers at block sizes, caveats, and refusals.

use crate::promise::{
    Bound, Catalogue, Caveat, Config, Promise, PromiseError, Size, SizeUnit, VolumeRow,
};

fn row(id: &str) -> VolumeRow {
    Catalogue::builtin().unwrap().find(id).unwrap().clone()
}

fn sized(size: &str) -> Config {
    Config { size: Some(size.parse().unwrap()), ..Config::default() }
}

fn promise(id: &str, size: &str) -> Promise {
    row(id).promise(&sized(size)).unwrap()
}

fn refused(id: &str, config: Config) -> String {
    row(id).promise(&config).unwrap_err().to_string()
}

/// I/Os a second at a block size, rounded, and what bounds them.
fn reach(promise: &Promise, block_bytes: u64) -> (f64, Bound) {
    let read = promise.at_block_size(block_bytes).read.unwrap();
    assert!((read.bytes_per_s - read.iops * block_bytes as f64).abs() < 1.0);
    (read.iops.round(), read.bound)
}

#[test]
fn at_a_block_size_the_lower_of_both_limits_holds() {
    let gp3 = promise("aws.gp3", "500GiB");
    assert_eq!(reach(&gp3, 4096), (3000.0, Bound::Iops));
    assert_eq!(reach(&gp3, 32 << 10), (3000.0, Bound::Iops));
    assert_eq!(reach(&gp3, 64 << 10), (2000.0, Bound::Throughput));
    assert_eq!(reach(&gp3, 1 << 20), (125.0, Bound::Throughput));
}

#[test]
fn a_large_io_counts_as_several() {
    let io1 = row("aws.io1").promise(&Config { iops: Some(400.0), ..sized("100GiB") }).unwrap();
    assert_eq!(reach(&io1, 256 << 10), (400.0, Bound::Iops));
    assert_eq!(reach(&io1, 257 << 10), (200.0, Bound::Iops), "two units of 256 KiB");
    let ibm = promise("ibm.vpc_general_purpose", "1000GB");
    assert_eq!(reach(&ibm, 16_000), (3000.0, Bound::Iops));
    assert_eq!(reach(&ibm, 32_000), (1500.0, Bound::Iops));
}

#[test]
fn on_a_cold_disk_a_small_io_costs_a_mebibyte() {
    let st1 = promise("aws.st1", "2TiB");
    assert_eq!(reach(&st1, 4096), (80.0, Bound::Throughput));
    assert_eq!(reach(&st1, 1 << 20), (80.0, Bound::Throughput));
    let burst = st1.burst_at_block_size(4096).unwrap().read.unwrap();
    assert_eq!((burst.iops, burst.bound), (500.0, Bound::Iops));
}

#[test]
fn what_lies_around_the_volume_may_bound_it() {
    let gp3 = |config| row("aws.gp3").promise(&config).unwrap();
    let vm =
        Config { vm_iops: Some(2500.0), vm_rate: Some("100".parse().unwrap()), ..sized("500GiB") };
    assert_eq!(reach(&gp3(vm.clone()), 4096), (2500.0, Bound::Vm));
    assert_eq!(reach(&gp3(vm.clone()), 1_000_000), (100.0, Bound::Vm));
    assert!(!gp3(vm).caveats.contains(&Caveat::InstanceLimitUnknown));
    assert!(gp3(sized("500GiB")).caveats.contains(&Caveat::InstanceLimitUnknown));
    let efs = row("aws.efs_elastic").promise(&Config::default()).unwrap();
    assert_eq!(reach(&efs, 1 << 20), (1500.0, Bound::Client));
    let nas = promise("naver.nas", "500GB");
    assert_eq!((nas.at_block_size(4096).read, nas.is_empty()), (None, true));
}

#[test]
fn writes_burst_from_their_own_baseline() {
    let efs = promise("aws.efs_bursting", "100GiB");
    let burst = efs.burst.unwrap();
    assert_eq!((burst.read.iops, burst.write.iops), (Some(35_000.0), Some(7000.0)));
    assert_eq!(burst.write.bytes_per_s, Some(100.0 * 1_048_576.0));
    assert!(burst.lasts_s.unwrap() > 6.0 * 3600.0 && burst.bucket_ios.is_none());
}

#[test]
fn the_page_s_example_of_naver_is_met_and_undershot() {
    let ssd = promise("naver.block_ssd", "500GB");
    assert_eq!((ssd.read.iops, ssd.read.bytes_per_s), (Some(20_000.0), None));
    assert_eq!(ssd.as_of, "2022-12");
    assert_eq!(ssd.accounting.iops_at_bytes, Some(4096.0));
}

#[test]
fn caveats_say_what_may_mislead() {
    let texts = |promise: &Promise| -> String {
        promise.caveats.iter().map(|caveat| format!("{caveat}\n")).collect()
    };
    let gp3 = texts(&promise("aws.gp3", "500GB"));
    for part in [
        "500 GB are 465.66 GiB; it is sold by the GiB, so 500 GiB may be meant.",
        "Without --iops, the 3,000 IOPS of such a volume count.",
        "Without --mbps, the 131 MB/s of such a volume count.",
        "The instance has limits of its own",
        "read in part",
        "merged before they are counted",
    ] {
        assert!(gp3.contains(part), "{part}: {gp3}");
    }
    assert!(!texts(&promise("aws.gp3", "500GiB")).contains("may be meant"));
    assert!(!texts(&promise("aws.gp3", "500")).contains("may be meant"));
    let old = texts(&promise("aws.gp3@2020", "500GiB"));
    assert!(old.contains("until 2025-09"), "{old}");
    let premium = texts(&promise("azure.premium_ssd", "300GiB"));
    assert!(premium.contains("300 GiB count as 512 GiB, the next size that is sold."), "{premium}");
    assert!(premium.contains("lasts 30 min"), "{premium}");
    let filestore = texts(&promise("google.filestore_zonal_high", "11TiB"));
    assert!(filestore.contains("11 TiB count as 12.5 TiB"), "{filestore}");
    let nas = texts(&promise("naver.nas", "500GB"));
    assert!(nas.contains("promises nothing") && nas.contains("not confirmed"), "{nas}");
    let target = texts(&promise("google.hyperdisk_balanced", "100GiB"));
    assert!(target.contains("a target"), "{target}");
    assert!(texts(&promise("google.pd_ssd", "100GiB")).contains("on one VM together"));
}

#[test]
fn what_is_missing_is_asked_for_by_its_flag() {
    assert_eq!(
        refused("aws.gp2", Config::default()),
        "what aws.gp2 gives depends on its size: give --volume-size, such as 500GiB"
    );
    assert_eq!(
        refused("aws.io1", sized("100GiB")),
        "what aws.io1 gives depends on the IOPS bought for it: give --iops"
    );
    assert_eq!(
        refused("aws.fsx_ontap1", sized("1024GiB")),
        "what aws.fsx_ontap1 gives depends on the throughput bought for it: give --mbps as 128, \
         256, 512, 1024, 2048 or 4096 (MB/s)"
    );
    assert_eq!(
        refused("azure.anf", sized("2TiB")),
        "azure.anf is sold in several ways: give --variant as standard, premium or ultra"
    );
    assert_eq!(
        refused("oci.ultra_high", sized("500GB")),
        "what oci.ultra_high gives depends on its volume performance units for each GB: give \
         --knob vpu=30 to 120"
    );
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    assert_eq!(
        refused("aws.gp3", sized("65TiB")),
        "aws.gp3 has volumes of 1 to 65,536 GiB, not of 65 TiB: give another --volume-size"
    );
    assert_eq!(
        refused("aws.gp3", Config { iops: Some(9000.0), ..sized("10GiB") }),
        "9000 IOPS cannot be bought for aws.gp3 as described, only 3,000 to 5,000 IOPS: give \
         another --iops"
    );
    let rate = Config { rate: Some("900MB/s".parse().unwrap()), ..sized("10GiB") };
    assert!(refused("aws.gp3", rate).contains("only 125 to 750 MiB/s: give another --mbps"));
    let choice = Config { rate: Some("500".parse().unwrap()), ..sized("1024GiB") };
    assert!(refused("aws.fsx_ontap1", choice).starts_with("500 MB/s cannot be bought"));
    let variant = Config { variant: Some("gold".into()), ..sized("2TiB") };
    assert!(refused("azure.anf", variant.clone()).contains("there are standard, premium or ultra"));
    assert!(
        refused("azure.ultra", Config { variant: Some("x".into()), ..sized("2TiB") })
            .contains("it has none: leave out --variant")
    );
    let knob =
        |name: &str, value| Config { knobs: [(name.to_owned(), value)].into(), ..sized("500GB") };
    for (id, name, value) in
        [("oci.ultra_high", "vpu", 35.0), ("oci.ultra_high", "vqu", 30.0), ("aws.gp2", "vpu", 30.0)]
    {
        let error = refused(id, knob(name, value));
        assert!(error.starts_with("--knob v") && error.contains(id), "{error}");
    }
}

#[test]
fn what_has_no_use_is_refused_because_it_would_be_believed() {
    let error = row("aws.gp2").promise(&Config { iops: Some(5000.0), ..sized("500GiB") });
    assert!(matches!(error, Err(PromiseError::NothingToBuy { flag: "--iops", .. })), "{error:?}");
    let rate = Config { rate: Some("100".parse().unwrap()), ..sized("500GiB") };
    assert!(refused("aws.gp2", rate).ends_with("leave out --mbps"));
}

#[test]
fn what_can_be_bought_is_known_without_buying_it() {
    let gp3 = promise("aws.gp3", "100GiB");
    assert_eq!(gp3.settable_iops, Some([Some(3000.0), Some(50_000.0)]));
    let mib = 1_048_576.0;
    // 750 MiB/s belong to 3,000 IOPS, and not to 50,000.
    assert_eq!(gp3.settable_bytes_per_s, Some([Some(125.0 * mib), Some(2000.0 * mib)]));
    let config = Config { iops: Some(3000.0), ..sized("100GiB") };
    let bought = row("aws.gp3").promise(&config).unwrap().settable_bytes_per_s;
    assert_eq!(bought, Some([Some(125.0 * mib), Some(750.0 * mib)]));
    let unsized_promise = row("aws.gp3").promise(&Config::default()).unwrap();
    assert_eq!(unsized_promise.settable_iops, Some([Some(3000.0), None]));
    assert_eq!(promise("aws.gp2", "100GiB").settable_iops, None);
}

#[test]
fn sizes_may_be_given_in_any_unit() {
    let iops = |size: Size| {
        let config = Config { size: Some(size), ..Config::default() };
        row("aws.gp2").promise(&config).unwrap().read.iops.unwrap()
    };
    assert_eq!(iops(Size::new(1.0, SizeUnit::TiB)), 3072.0);
    assert_eq!(iops(Size::new(500.0, SizeUnit::GiB)), 1500.0);
    assert!((iops(Size::new(500.0, SizeUnit::GB)) - 1396.98).abs() < 0.01);
    assert_eq!(iops("500".parse().unwrap()), 1500.0);
}

#[test]
fn a_promise_survives_json() {
    for (id, size) in
        [("aws.gp2", "100GiB"), ("naver.nas", "500GB"), ("azure.files_ssd_v1", "1TiB")]
    {
        let promise = promise(id, size);
        let text = serde_json::to_string(&promise).unwrap();
        assert_eq!(serde_json::from_str::<Promise>(&text).unwrap(), promise);
    }
}
