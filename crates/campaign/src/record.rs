//! The target's part of a document: its location, access and remarks.

use crate::cases::PreparedTarget;
use crate::volume_plan::VolumePlan;
use fathom_document::{PlaceRecord, Setup, VolumeRecord, records};
use fathom_host::System;

impl VolumePlan {
    /// Its record.
    pub fn record(&self) -> PlaceRecord {
        PlaceRecord {
            volume: self.volume.clone(),
            io_path: self.shown_path().display().to_string(),
            test_file: self.ours,
            size_bytes: self.size_bytes,
            fill_bytes: self.fill_bytes,
            writes: self.writes,
        }
    }
}

impl PreparedTarget {
    /// The record of this target alone, measured by `host`.
    pub(crate) fn setup(&self, host: System) -> Setup {
        let remarks = records(&self.remarks());
        Setup { host, volume: self.volume.record(), ways: self.used_access(), remarks }
    }

    /// Its record as one of several targets: number `at`, where `failures` lists those that could
    /// not be filled.
    pub(crate) fn record(&self, at: usize, failures: &[(usize, String)]) -> VolumeRecord {
        let failure = failures.iter().find(|(of, _)| *of == at);
        VolumeRecord {
            place: self.volume.record(),
            method: self.method.clone(),
            remarks: records(&self.remarks()),
            failure: failure.map(|(_, why)| why.clone()),
        }
    }
}
