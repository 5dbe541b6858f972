//! The device below a target: its stack, its queue and cache, its limits and users. The list of
//! queue settings is the one that experts check by hand to push one core to its peak.

use super::facts::TargetFacts;
use super::finding::{DoctorFinding, FindingTopic};
use fathom_document::TargetKind;
use fathom_document::{binary_bytes, decimal_bytes, thousands};
use fathom_host::{BlockDevice, IoThrottle, Storage, ThrottleUnit, WriteCache};
use fathom_text::{Text, text};

/// All findings on the device; one finding if there is none.
pub(crate) fn findings(facts: &TargetFacts) -> Vec<DoctorFinding> {
    let mut findings = Vec::new();
    match facts.device() {
        None => findings.extend(no_device(facts)),
        Some(device) => {
            findings.push(about(device));
            findings.extend(stack(facts, device));
            if !device.is_memory() {
                findings.extend(scheduler(device));
                findings.extend(write_cache(device));
                findings.push(queue(facts, device));
            }
        }
    }
    findings.extend(throttles(facts));
    findings.extend(in_use(&facts.volume.kind));
    findings
}

fn no_device(facts: &TargetFacts) -> Option<DoctorFinding> {
    // Memory and servers have been spoken of.
    if matches!(facts.volume.storage, Storage::Memory { .. } | Storage::Network { .. }) {
        return None;
    }
    let why = facts.volume.storage.no_device_because()?;
    Some(DoctorFinding::note(
        FindingTopic::Device,
        text!("No one device is known: {why}. Its counters cannot confirm what is measured."),
    ))
}

/// `/dev/sda: ATA Disk, 500 GB, sata`.
fn description(device: &BlockDevice) -> String {
    let mut parts = Vec::new();
    let words = [&device.vendor, &device.model];
    let model: Vec<&str> = words.into_iter().flatten().map(|word| word.trim()).collect();
    parts.extend((!model.is_empty()).then(|| model.join(" ")));
    parts.push(decimal_bytes(device.size_bytes));
    parts.extend(device.transport.clone());
    format!("{}: {}", device.node().display(), parts.join(", "))
}

fn about(device: &BlockDevice) -> DoctorFinding {
    let text = description(device);
    if device.is_memory() {
        return DoctorFinding::warning(
            FindingTopic::Device,
            text!("{text}. Figures of it are not a disk's."),
        );
    }
    if device.read_only {
        return DoctorFinding::note(
            FindingTopic::Device,
            text!("{text}, read-only: writes will fail."),
        );
    }
    if let Some(zoned) = &device.zoned {
        return DoctorFinding::note(
            FindingTopic::Device,
            text!("{text}, zoned ({zoned}): random writes are refused or slow."),
        );
    }
    heads(device, &text)
}

/// Whether it has a head that seeks, as far as that is known.
fn heads(device: &BlockDevice, text: &str) -> DoctorFinding {
    if device.backing_file.is_some() {
        return DoctorFinding::ok(
            FindingTopic::Device,
            text!("{text}, a file as a device: it is as fast as what keeps that file."),
        );
    }
    match (device.rotational, device.transport.as_deref()) {
        (false, _) => DoctorFinding::ok(FindingTopic::Device, text!("{text}, not rotational.")),
        (true, Some("virtio" | "xen")) => DoctorFinding::note(
            FindingTopic::Device,
            text!(
                "{text}. The kernel takes it for rotational, as it does any virtual disk whose \
                 host says nothing else."
            ),
        ),
        (true, _) => DoctorFinding::note(
            FindingTopic::Device,
            text!("{text}, rotational: a seek costs milliseconds, so one I/O at a time is slow."),
        ),
    }
}

/// What a loop device in the stack that `text` names does.
fn loop_device(facts: &TargetFacts, text: &Text) -> DoctorFinding {
    let mut loops = facts.stack.iter().filter(|part| part.backing_file.is_some());
    let (evidence, advice) = match loops.all(|part| part.direct_backing == Some(true)) {
        true => (
            text!(
                "{text} A loop device goes through the file system beneath, here past its cache."
            ),
            "Name the device beneath to leave that out.",
        ),
        false => (
            text!(
                "{text} A loop device goes through the file system beneath, and without losetup \
                 --direct-io=on through its cache."
            ),
            "Name the device beneath, or set --direct-io=on.",
        ),
    };
    DoctorFinding::note(FindingTopic::Stack, evidence).advise(advice)
}

/// The effect of the lower devices on the top one.
fn stack(facts: &TargetFacts, device: &BlockDevice) -> Option<DoctorFinding> {
    let loops = facts.stack.iter().any(|part| part.backing_file.is_some());
    if facts.stack.len() < 2 && !loops {
        return None;
    }
    let name = |part: &BlockDevice| match (&part.mapper_name, &part.raid_level, &part.backing_file)
    {
        (Some(mapper), ..) => format!("{} ({mapper})", part.name),
        (_, Some(level), _) => format!("{} ({level})", part.name),
        (.., Some(file)) => text!("{} (file {})", part.name, file.display()).to_string(),
        _ => part.name.clone(),
    };
    let names: Vec<String> = facts.stack.iter().map(name).collect();
    let text = text!("From the top down: {}.", names.join(", "));
    Some(if loops {
        loop_device(facts, &text)
    } else {
        let many = Text::from("Each part has a queue, a scheduler and limits of its own.");
        let told = match device.mapper_name.is_some() {
            true => text!(
                "{text} {many} A thin pool gives space, and time to find it, on first \
                             writing."
            ),
            false => text!("{text} {many}"),
        };
        DoctorFinding::note(FindingTopic::Stack, told)
    })
}

fn scheduler(device: &BlockDevice) -> Option<DoctorFinding> {
    // A loop device has no queue of its own; the device below it sorts.
    let is_loop = device.backing_file.is_some();
    let name = device.scheduler.as_deref().filter(|_| !is_loop)?;
    let set = |to: &str| text!("As root: `echo {to} > /sys/block/{}/queue/scheduler`", device.disk);
    let virtual_disk = matches!(device.transport.as_deref(), Some("virtio" | "xen"));
    Some(match (name, device.rotational && !virtual_disk) {
        ("none", false) => {
            DoctorFinding::ok(FindingTopic::Scheduler, "none, as suits a device that queues.")
        }
        ("none", true) => DoctorFinding::note(
            FindingTopic::Scheduler,
            "none, on a disk with a head: nothing sorts requests but the disk itself.",
        )
        .advise(set("mq-deadline")),
        ("bfq", false) => DoctorFinding::warning(
            FindingTopic::Scheduler,
            "bfq: it shares a disk fairly, and costs a fast one much of its IOPS.",
        )
        .advise(set("none")),
        (other, false) => DoctorFinding::note(
            FindingTopic::Scheduler,
            text!("{other}: sorting costs time and a lock, and gains a fast device nothing."),
        )
        .advise(set("none")),
        (other, true) => {
            DoctorFinding::ok(FindingTopic::Scheduler, text!("{other}, as suits a disk."))
        }
    })
}

fn write_cache(device: &BlockDevice) -> Option<DoctorFinding> {
    Some(match device.write_cache? {
        WriteCache::WriteBack => DoctorFinding::note(
            FindingTopic::WriteCache,
            "Write-back: a write that is done may still be in volatile memory until a flush.",
        )
        .advise("For durable writes measure with fsync, sync or end_fsync."),
        WriteCache::WriteThrough => DoctorFinding::ok(
            FindingTopic::WriteCache,
            "Write-through, as far as the device says: a write that is done is kept.",
        ),
    })
}

/// Fewer requests than this, and jobs of the usual depths wait for a place.
const SHALLOW_QUEUE: u32 = 64;

fn queue(facts: &TargetFacts, device: &BlockDevice) -> DoctorFinding {
    let tuning = &facts.queue;
    let mut parts: Vec<Text> = Vec::new();
    parts.extend(device.queue_depth.map(|depth| text!("{depth} requests")));
    let largest = device.max_request_bytes;
    parts.extend(largest.map(|bytes| text!("of at most {}", binary_bytes(bytes))));
    let merges = tuning.nomerges.map(|value| match value {
        0 => "neighbours merged",
        1 => "neighbours merged where that is simple",
        _ => "nothing merged",
    });
    parts.extend(merges.map(Text::from));
    let text = match parts.is_empty() {
        true => "The kernel says little of it".into(),
        false => Text::joined(parts, ", "),
    };
    let setting = |name: &str, to: u32| {
        text!("As root: `echo {to} > /sys/block/{}/queue/{name}`", device.disk)
    };
    if tuning.counted == Some(false) {
        let text =
            text!("{text}; its I/Os are not counted, so no counter can confirm a measurement.");
        return DoctorFinding::warning(FindingTopic::Queue, text).advise(setting("iostats", 1));
    }
    if let Some(depth) = device.queue_depth.filter(|depth| *depth < SHALLOW_QUEUE) {
        let text = text!("{text}: deeper jobs wait in the kernel, and latency counts that.");
        return DoctorFinding::note(FindingTopic::Queue, text)
            .advise(setting("nr_requests", depth.max(256)));
    }
    if let Some(us) = tuning.writeback_target_us.filter(|us| *us > 0) {
        let text = text!(
            "{text}; buffered writing is held back while reads take over {} us (wbt).",
            thousands(us as f64)
        );
        return DoctorFinding::ok(FindingTopic::Queue, text);
    }
    DoctorFinding::ok(FindingTopic::Queue, text!("{text}."))
}

fn throttles(facts: &TargetFacts) -> Option<DoctorFinding> {
    if facts.throttles.is_empty() {
        let device = facts.device().filter(|device| !device.is_memory())?;
        let text = text!("Control groups put none on {}, as far as can be seen here.", device.disk);
        return Some(DoctorFinding::ok(FindingTopic::Throttle, text));
    }
    let limits = facts.throttles.iter().map(limit);
    let limits = limits.reduce(|all, next| text!("{all} and to {next}")).unwrap_or_default();
    let evidence = text!("Our control group is held to {limits}.");
    Some(
        DoctorFinding::warning(FindingTopic::Throttle, evidence)
            .advise("That is the cap you will measure; lift it to see the device's own."),
    )
}

fn limit(throttle: &IoThrottle) -> Text {
    let device = match &throttle.device {
        Some(name) => name.clone(),
        None => format!("device {}:{}", throttle.major, throttle.minor),
    };
    let each = throttle.per_second;
    let amount = match throttle.unit {
        ThrottleUnit::ReadIops => text!("{} reads/s", thousands(each as f64)),
        ThrottleUnit::WriteIops => text!("{} writes/s", thousands(each as f64)),
        ThrottleUnit::ReadBytes => text!("{}/s read", decimal_bytes(each)),
        ThrottleUnit::WriteBytes => text!("{}/s written", decimal_bytes(each)),
    };
    text!("{amount} on {device} (by {})", throttle.cgroup)
}

fn in_use(kind: &TargetKind) -> Option<DoctorFinding> {
    let TargetKind::Device { in_use, in_use_unknown, data, .. } = kind else { return None };
    if let Some(why) = in_use_unknown {
        return Some(DoctorFinding::note(
            FindingTopic::InUse,
            text!("Who uses it is not known: {why}."),
        ));
    }
    Some(match (in_use.is_empty(), data) {
        (false, _) => DoctorFinding::note(
            FindingTopic::InUse,
            text!("{}: writing on the device itself will be refused.", Text::joined(in_use, "; ")),
        ),
        (true, Some(data)) => {
            DoctorFinding::note(FindingTopic::InUse, text!("Nobody uses it, but it holds {data}."))
        }
        (true, None) => {
            DoctorFinding::ok(FindingTopic::InUse, "Nobody uses it, and no data is recognised.")
        }
    })
}
