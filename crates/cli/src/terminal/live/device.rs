//! The utilisation of the measured devices, from the kernel's counters.

use fathom_host::Host;
use fathom_monitor::{IntervalOutcome, Partitions, Sampler, resolve};
use std::path::{Path, PathBuf};

/// The devices below the current targets of I/O.
pub struct Devices {
    host: Host,
    places: Vec<PathBuf>,
    sampler: Option<Sampler>,
    busiest: Option<(String, f64)>,
}

impl Devices {
    /// None yet, of `host`.
    pub fn new(host: &Host) -> Devices {
        Devices { host: host.clone(), places: Vec::new(), sampler: None, busiest: None }
    }

    /// Switches to the devices of `places`. Without counters, nothing is shown.
    pub fn turn_to(&mut self, places: &[PathBuf]) {
        if self.places == places {
            return;
        }
        self.places = places.to_owned();
        self.busiest = None;
        self.sampler = sampler(&self.host, places);
    }

    /// Reads the counters again.
    pub fn look(&mut self) {
        let Some(sampler) = &mut self.sampler else { return };
        let Ok(outcomes) = sampler.step() else { return };
        let share = |outcome: &IntervalOutcome| match outcome {
            IntervalOutcome::Disk(delta) => Some(delta.rates?.utilisation_percent),
            _ => None,
        };
        let shares = sampler.watched().iter().zip(&outcomes);
        let shares = shares.filter_map(|(of, outcome)| Some((of.name.clone(), share(outcome)?)));
        self.busiest = shares.max_by(|a, b| a.1.total_cmp(&b.1));
    }

    /// The name of the busiest of them, and its share of the time with any I/O in percent.
    pub fn busiest(&self) -> Option<(&str, f64)> {
        self.busiest.as_ref().map(|(name, percent)| (name.as_str(), *percent))
    }
}

fn sampler(host: &Host, places: &[PathBuf]) -> Option<Sampler> {
    let mut watched = Vec::new();
    for place in places {
        // One that is no device with counters hides no other.
        let found = resolve(host, &[there(place)], Partitions::Asked).unwrap_or_default();
        watched.extend(found);
    }
    (!watched.is_empty()).then(|| Sampler::begin(host.clone(), watched).ok())?
}

/// The file itself, or the folder in which it will be created.
fn there(place: &Path) -> PathBuf {
    let place = std::path::absolute(place).unwrap_or_else(|_| place.to_owned());
    place.ancestors().find(|path| path.exists()).unwrap_or(Path::new("/")).to_owned()
}
