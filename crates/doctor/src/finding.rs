//! The doctor's findings: one for each item examined, also if it is good, so that a reader can tell
//! "examined and good" from "not examined".

use fathom_text::Text;
use serde::{Deserialize, Serialize};

/// How much a finding hinders a good measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Looked at, and fine.
    Ok,
    /// To be known when figures are read.
    Note,
    /// Makes figures wrong or too low, or prevents an engine from running.
    Warning,
}

impl Severity {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Ok => "ok",
            Severity::Note => "note",
            Severity::Warning => "warning",
        }
    }
}

/// The topic of a finding. Programs look for its name in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingTopic {
    /// The cost of a clock reading.
    Clock,
    /// How long short waits take.
    Timer,
    /// Whether io_uring can be used.
    IoUring,
    /// Whether libaio can be used, and how often.
    Libaio,
    /// Whether windowsaio can be used.
    Windowsaio,
    /// Memory that may be locked.
    LockedMemory,
    /// Files that may be open.
    OpenFiles,
    /// Whether processors keep their frequency up.
    Governor,
    /// A limit on processor time.
    CpuQuota,
    /// The processors that we may use.
    Processors,
    /// Other load, and CPU time taken by the hypervisor.
    Load,
    /// Memory and its limit.
    Memory,
    /// Swap space.
    Swap,
    /// Whether this is a virtual machine.
    VirtualMachine,
    /// A comparison of the measured ceilings.
    Ceilings,
    /// The file system.
    FileSystem,
    /// Its mount options.
    MountOptions,
    /// Free space.
    Space,
    /// Whether I/O can pass by the page cache.
    DirectIo,
    /// The device.
    Device,
    /// Devices beneath it.
    Stack,
    /// Its I/O scheduler.
    Scheduler,
    /// Its volatile cache.
    WriteCache,
    /// Its queue.
    Queue,
    /// Limits of control groups on it.
    Throttle,
    /// The users of the device.
    InUse,
    /// The path to a server.
    Network,
    /// Test files that killed runs left behind.
    TestFiles,
}

impl FindingTopic {
    /// How it is headed.
    pub fn title(self) -> &'static str {
        match self {
            FindingTopic::Clock => "clock",
            FindingTopic::Timer => "timer",
            FindingTopic::IoUring => "io_uring",
            FindingTopic::Libaio => "libaio",
            FindingTopic::Windowsaio => "windowsaio",
            FindingTopic::LockedMemory => "locked memory",
            FindingTopic::OpenFiles => "open files",
            FindingTopic::Governor => "CPU governor",
            FindingTopic::CpuQuota => "CPU quota",
            FindingTopic::Processors => "CPUs",
            FindingTopic::Load => "load",
            FindingTopic::Memory => "memory",
            FindingTopic::Swap => "swap",
            FindingTopic::VirtualMachine => "hypervisor",
            FindingTopic::Ceilings => "ceilings",
            FindingTopic::FileSystem => "file system",
            FindingTopic::MountOptions => "mount options",
            FindingTopic::Space => "free space",
            FindingTopic::DirectIo => "direct I/O",
            FindingTopic::Device => "device",
            FindingTopic::Stack => "stack",
            FindingTopic::Scheduler => "scheduler",
            FindingTopic::WriteCache => "write cache",
            FindingTopic::Queue => "queue",
            FindingTopic::Throttle => "I/O limits",
            FindingTopic::InUse => "in use",
            FindingTopic::Network => "network",
            FindingTopic::TestFiles => "test files",
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoctorFinding {
    /// Its topic.
    pub topic: FindingTopic,
    /// How much it hinders a good measurement.
    pub severity: Severity,
    /// The evidence in a sentence or two.
    pub evidence: Text,
    /// Advice; none if none is needed or possible.
    pub advice: Option<Text>,
}

impl DoctorFinding {
    /// All is well.
    pub(crate) fn ok(topic: FindingTopic, evidence: impl Into<Text>) -> DoctorFinding {
        DoctorFinding { topic, severity: Severity::Ok, evidence: evidence.into(), advice: None }
    }

    /// To be known.
    pub(crate) fn note(topic: FindingTopic, evidence: impl Into<Text>) -> DoctorFinding {
        DoctorFinding { severity: Severity::Note, ..DoctorFinding::ok(topic, evidence) }
    }

    /// A finding that hinders measuring.
    pub(crate) fn warning(topic: FindingTopic, evidence: impl Into<Text>) -> DoctorFinding {
        DoctorFinding { severity: Severity::Warning, ..DoctorFinding::ok(topic, evidence) }
    }

    /// Adds advice.
    pub(crate) fn advise(mut self, advice: impl Into<Text>) -> DoctorFinding {
        self.advice = Some(advice.into());
        self
    }
}

/// The worst first, otherwise in the order of creation.
pub(crate) fn by_severity(mut findings: Vec<DoctorFinding>) -> Vec<DoctorFinding> {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}
