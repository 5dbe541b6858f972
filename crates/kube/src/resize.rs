//! Enlarging a claim, and the time that its volume takes.

use crate::cluster::kinds::CLAIMS;
use crate::cluster::{Cluster, text};
use crate::error::KubeError;
use crate::startup::StartWatcher;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The interval of checks of a claim.
const LOOK: Duration = Duration::from_millis(50);

impl Cluster {
    /// The size of a claim's volume, as the cluster spells it.
    ///
    /// # Errors
    /// If the cluster does not answer.
    pub fn claim_size(&self, claim: &str) -> Result<String, KubeError> {
        let object = self.get(&format!("claim {claim}"), &self.path(CLAIMS, claim))?;
        Ok(text(&object.unwrap_or_default(), "/status/capacity/storage").to_owned())
    }

    /// Requests one unit more than a claim has (of 10Gi, 11Gi), and waits for it; a pod must use
    /// the claim, because file systems grow where they are mounted.
    ///
    /// # Errors
    /// If the cluster refuses, or the volume is not larger in time.
    pub fn enlarge(
        &self,
        claim: &str,
        limit: Duration,
        watcher: &dyn StartWatcher,
    ) -> Result<Duration, KubeError> {
        let (what, path) = (format!("claim {claim}"), self.path(CLAIMS, claim));
        let size = "/status/capacity/storage";
        let before = self.get(&what, &path)?.unwrap_or_default();
        let Some(wanted) = one_more(text(&before, "/spec/resources/requests/storage")) else {
            let why = "its size is no whole number of a unit".to_owned();
            return Err(KubeError::Refused { what, why });
        };
        let fields = json!({"spec": {"resources": {"requests": {"storage": wanted}}}});
        let begun = Instant::now();
        self.patch(&what, &path, &fields)?;
        while begun.elapsed() < limit {
            if watcher.stopping() {
                return Err(KubeError::Stopped);
            }
            match self.get(&what, &path) {
                Ok(Some(now)) if is_larger(&now, text(&before, size)) => {
                    return Ok(begun.elapsed());
                }
                Ok(_) => {}
                Err(why) if why.is_passing() => {}
                Err(why) => return Err(why),
            }
            self.pause(LOOK);
        }
        Err(KubeError::Refused {
            what: format!("{wanted} for {what}"),
            why: format!("it is not larger within {} s; see its events", limit.as_secs()),
        })
    }
}

/// Whether a claim has another size than before, and nothing is left to be done in its pod.
fn is_larger(claim: &Value, before: &str) -> bool {
    text(claim, "/status/capacity/storage") != before
        && crate::cluster::members(claim, "/status/conditions")
            .all(|of| of["type"] != "Resizing" && of["type"] != "FileSystemResizePending")
}

/// `11Gi` for `10Gi`; none if it is not a whole number of a unit.
fn one_more(size: &str) -> Option<String> {
    let digits = size.len() - size.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, unit) = size.split_at(digits);
    let is_unit = unit.chars().all(|letter| letter.is_ascii_alphabetic());
    let more = number.parse::<u64>().ok()?.checked_add(1)?;
    is_unit.then(|| format!("{more}{unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_grows_by_one_of_its_unit() {
        assert_eq!(one_more("10Gi").as_deref(), Some("11Gi"));
        assert_eq!(one_more("9").as_deref(), Some("10"));
        for size in ["", "Gi", "1.5Gi", "1e3", "10 Gi"] {
            assert_eq!(one_more(size), None, "{size}");
        }
    }

    #[test]
    fn a_claim_is_larger_once_nothing_is_left_to_do() {
        let of = |size: &str, condition: &str| {
            let claim = json!({"status": {
                "capacity": {"storage": size}, "conditions": [{"type": condition}],
            }});
            is_larger(&claim, "1Gi")
        };
        assert!(of("2Gi", "Other") && !of("1Gi", "Other"));
        assert!(!of("2Gi", "FileSystemResizePending"));
    }
}
