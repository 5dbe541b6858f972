//! A provider's promise for a class's volumes, guessed from its provisioner and parameters.
//!
//! Names are those of `fathom promises`. Nothing is guessed if parameters are ambiguous.

use crate::cluster::text;
use serde_json::Value;

/// A promise that volumes of a class probably have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassPromise {
    /// Its name, as `aws.gp3`.
    pub name: String,
    /// I/Os a second that the class buys.
    pub iops: Option<String>,
    /// MB/s that the class buys, in the provider's unit.
    pub mbps: Option<String>,
}

/// The promise of a StorageClass; none if unknown.
pub fn class_promise(class: &Value) -> Option<ClassPromise> {
    // Drivers take the names of their parameters in any case.
    let parameters = class["parameters"].as_object();
    let parameter = |name: &str| {
        let mut all = parameters.into_iter().flatten();
        let found = all.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.and_then(|(_, value)| value.as_str()).unwrap_or_default().to_ascii_lowercase()
    };
    let kind = |name: &str, usual: &str| match parameter(name) {
        empty if empty.is_empty() => usual.to_owned(),
        said => said,
    };
    let bought = |name: &str| Some(parameter(name)).filter(|text| !text.is_empty());
    let plain =
        |name: Option<String>| name.map(|name| ClassPromise { name, iops: None, mbps: None });
    match text(class, "/provisioner") {
        "ebs.csi.aws.com" => Some(ClassPromise {
            name: format!("aws.{}", aws(&kind("type", "gp3"))?),
            iops: bought("iops"),
            mbps: bought("throughput"),
        }),
        "pd.csi.storage.gke.io" => plain(google(&kind("type", "pd-standard"))),
        "disk.csi.azure.com" => {
            let sku = kind("skuName", &kind("storageAccountType", "standardssd_lrs"));
            Some(ClassPromise {
                name: format!("azure.{}", azure(&sku)?),
                iops: bought("DiskIOPSReadWrite"),
                mbps: bought("DiskMBpsReadWrite"),
            })
        }
        "blockvolume.csi.oraclecloud.com" => plain(oracle(&kind("vpusPerGB", "10"))),
        "blk.csi.ncloud.com" => match kind("type", "ssd").as_str() {
            kind @ ("ssd" | "hdd") => plain(Some(format!("naver.block_{kind}"))),
            _ => None,
        },
        _ => None,
    }
}

fn aws(kind: &str) -> Option<&str> {
    ["gp2", "gp3", "io1", "io2", "st1", "sc1"].into_iter().find(|known| *known == kind)
}

fn google(kind: &str) -> Option<String> {
    const KINDS: [&str; 8] = [
        "pd-standard",
        "pd-balanced",
        "pd-ssd",
        "pd-extreme",
        "hyperdisk-balanced",
        "hyperdisk-extreme",
        "hyperdisk-throughput",
        "hyperdisk-ml",
    ];
    KINDS.contains(&kind).then(|| format!("google.{}", kind.replace('-', "_")))
}

fn azure(sku: &str) -> Option<&'static str> {
    let kinds = [
        ("standardssd", "standard_ssd"),
        ("standard", "standard_hdd"),
        ("premiumv2", "premium_v2"),
        ("premium", "premium_ssd"),
        ("ultrassd", "ultra"),
    ];
    let kind = sku.split('_').next().unwrap_or_default();
    kinds.into_iter().find(|(known, _)| *known == kind).map(|(_, name)| name)
}

fn oracle(units: &str) -> Option<String> {
    let name = match units.parse::<u32>().ok()? {
        0 => "lower_cost",
        10 => "balanced",
        20 => "higher",
        30..=120 => "ultra_high",
        _ => return None,
    };
    Some(format!("oci.{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(provisioner: &str, parameters: Value) -> Option<String> {
        let class = json!({"provisioner": provisioner, "parameters": parameters});
        class_promise(&class).map(|promise| promise.name)
    }

    #[test]
    fn a_promise_is_guessed_from_provisioner_and_parameters() {
        let name = |provisioner, parameters| of(provisioner, parameters).unwrap_or_default();
        assert_eq!(name("ebs.csi.aws.com", Value::Null), "aws.gp3");
        assert_eq!(name("ebs.csi.aws.com", json!({"type": "io2"})), "aws.io2");
        assert_eq!(
            name("pd.csi.storage.gke.io", json!({"type": "hyperdisk-balanced"})),
            "google.hyperdisk_balanced"
        );
        assert_eq!(
            name("disk.csi.azure.com", json!({"skuname": "Premium_LRS"})),
            "azure.premium_ssd"
        );
        assert_eq!(name("disk.csi.azure.com", Value::Null), "azure.standard_ssd");
        assert_eq!(
            name("blockvolume.csi.oraclecloud.com", json!({"vpusPerGB": "20"})),
            "oci.higher"
        );
        assert_eq!(name("blk.csi.ncloud.com", json!({"type": "HDD"})), "naver.block_hdd");
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        for (provisioner, parameters) in [
            ("rancher.io/local-path", Value::Null),
            ("ebs.csi.aws.com", json!({"type": "standard"})),
            ("pd.csi.storage.gke.io", json!({"type": "new"})),
            ("blockvolume.csi.oraclecloud.com", json!({"vpusPerGB": "7"})),
        ] {
            assert_eq!(of(provisioner, parameters), None, "{provisioner}");
        }
    }

    #[test]
    fn what_a_class_buys_goes_with_its_promise() {
        let class = json!({"provisioner": "ebs.csi.aws.com",
            "parameters": {"type": "gp3", "iops": "6000", "throughput": "250"}});
        let promise = class_promise(&class).unwrap();
        assert_eq!((promise.iops.as_deref(), promise.mbps.as_deref()), (Some("6000"), Some("250")));
    }
}
