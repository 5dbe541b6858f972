//! Whether the client limited the measurement, and its distance from its own ceiling.
//!
//! A benchmark with full processors measures the processors. The doctor's ceilings give the rate of
//! one core; the run's own CPU figures and the machine's give its use.
//!
//! Only this module decides which distance from a ceiling is too small: every command passes its
//! runs here, where ceilings meet the other signs. Code that measures ceilings only reports them.

use crate::Tone;
use crate::quantity::{stretch, thousands, two_figures};
use crate::shown::in_percent;
use fathom_message::{Message, Tell, list, shown_as_told};
use serde::{Deserialize, Serialize};

/// A thread that runs for this share of its time has no more to give.
const FULL_THREAD: f64 = 0.9;
/// A machine this busy has no more to give.
const FULL_MACHINE: f64 = 0.9;
/// A machine busier than this may be felt: Longhorn's kbench wants 40 % idle.
const BUSY_MACHINE: f64 = 0.6;
/// A share of time stopped by a CPU quota that is felt, and one that decides the figures.
const STOPPED: f64 = 0.01;
const LONG_STOPPED: f64 = 0.1;
/// A share of the processors' time that the hypervisor gave to others and that is felt.
const STOLEN: f64 = 0.05;
/// Below this multiple of its own rate the client limits the measurement, or may do so.
const NO_ROOM: f64 = 1.15;
const LITTLE_ROOM: f64 = 2.0;

/// How the job's threads wait for completions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Waiting {
    /// They sleep, so that their CPU time is work.
    #[default]
    Sleeping,
    /// They poll (`hipri`), so that they are always busy and it means nothing.
    Polling,
}

/// What is known of the client during a run; whatever is not known stays empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClientInputs {
    /// I/Os a second of all jobs together.
    pub iops: f64,
    /// Threads that did them.
    pub threads: u32,
    /// Processors that the threads may use.
    pub cpus: u32,
    /// I/Os a second that one core can drive with this engine (the doctor's
    /// `Ceiling::undisturbed_iops`).
    pub core_ceiling_iops: Option<f64>,
    /// User and system time of the busiest thread as a share of the run, 0 to 1.
    pub busiest_thread: Option<f64>,
    /// How threads wait.
    pub waiting: Waiting,
    /// Busy time of all processors, ours and others', as a share of the run, 0 to 1.
    pub machine_busy: Option<f64>,
    /// What of that is the job's own threads' time, 0 to 1.
    pub own_busy: Option<f64>,
    /// The CPU quota that stopped our control group for longest during the run.
    pub quota: Option<CpuLimit>,
    /// Microseconds for which it did, summed over processors.
    pub throttled_us: u64,
    /// Share of the processors' time that the hypervisor gave to others, 0 to 1.
    pub stolen_share: Option<f64>,
    /// How long the run took, in microseconds.
    pub elapsed_us: u64,
}

/// A limit of a control group on the processor time of its programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CpuLimit {
    /// Processors' worth of time that it gives.
    pub cpus: f64,
    /// The processors that the programs may run on.
    pub of: u32,
    /// The control group.
    pub group: String,
    /// The file of the group that sets it.
    pub file: String,
}

/// How the client bore on the figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClientFinding {
    /// The verdict.
    pub verdict: ClientVerdict,
    /// The client that it is about, of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// How many times what it did the client could have driven.
    pub headroom: Option<f64>,
    /// What speaks for the verdict.
    pub signs: Vec<ClientSign>,
    /// Whether a cap held the rate, so that a faster client would not have raised it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_capped: bool,
}

/// Whether the client was the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientVerdict {
    /// It was: the figures are the client's.
    Bound,
    /// It may have been felt.
    Tight,
    /// It had room.
    Roomy,
    /// Nothing is known that would tell.
    NotEnough,
}

/// One thing that speaks for a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "sign", rename_all = "snake_case")]
pub enum ClientSign {
    /// The busiest thread's share of a core, 0 to 1.
    Thread {
        /// That share.
        busy: f64,
    },
    /// The whole machine's busy share, 0 to 1.
    Machine {
        /// That share.
        busy: f64,
    },
    /// Others kept the machine busy: most of it was not the job's own work.
    Others {
        /// Busy share of the whole machine.
        busy: f64,
    },
    /// A CPU quota stopped our control group.
    Throttled {
        /// For so long, in seconds.
        seconds: f64,
        /// That as a share of the run, 0 to 1.
        share: f64,
        /// The quota; verdicts from before it was kept have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        quota: Option<CpuLimit>,
    },
    /// The hypervisor gave the processors to others.
    Stolen {
        /// For this share of their time, 0 to 1.
        share: f64,
    },
    /// What the client could have driven over what it did.
    Ceiling {
        /// So many times.
        times: f64,
        /// The ceiling; verdicts from before it was kept have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<CoreCeiling>,
    },
}

/// What the cores that a run had threads for can drive.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoreCeiling {
    /// Small I/Os a second of all these cores together.
    pub iops: f64,
    /// So many cores.
    pub cores: u32,
    /// Cores beyond these that threads might have used.
    pub spare_cores: u32,
}

/// Decides whether the client was the limit, and its distance from its own ceiling.
pub fn find_client(inputs: &ClientInputs) -> ClientFinding {
    let ceiling = ceiling(inputs);
    let headroom = ceiling.and_then(|of| headroom(inputs, &of));
    let share = |share: Option<f64>| share.filter(|s| s.is_finite() && *s >= 0.0);
    let sleeping = inputs.waiting == Waiting::Sleeping;
    let signs: Vec<ClientSign> = [
        share(inputs.busiest_thread)
            .filter(|_| sleeping)
            .map(|busy| ClientSign::Thread { busy: busy.min(1.0) }),
        share(inputs.machine_busy).filter(|_| sleeping).map(|busy| machine(inputs, busy.min(1.0))),
        stopped(inputs),
        stolen(inputs),
        headroom.map(|times| ClientSign::Ceiling { times, of: ceiling }),
    ]
    .into_iter()
    .flatten()
    .collect();
    // Verdicts are ordered from the worst.
    let worst = signs.iter().map(ClientSign::verdict).min_by_key(|verdict| *verdict as u8);
    ClientFinding {
        verdict: worst.unwrap_or(ClientVerdict::NotEnough),
        host: None,
        headroom,
        signs,
        is_capped: false,
    }
}

/// A thread has its own core up to this number.
fn ceiling(inputs: &ClientInputs) -> Option<CoreCeiling> {
    let cpus = inputs.cpus.max(1);
    let cores = inputs.threads.clamp(1, cpus);
    let iops = inputs.core_ceiling_iops? * f64::from(cores);
    Some(CoreCeiling { iops, cores, spare_cores: cpus - cores })
}

fn headroom(inputs: &ClientInputs, of: &CoreCeiling) -> Option<f64> {
    let times = of.iops / inputs.iops;
    // Shown as its inverse, in percent.
    let shown = times.is_normal() && (100.0 / times).is_normal();
    (shown && times > 0.0 && of.iops > 0.0).then_some(times)
}

/// Threads that sleep most of the time get a processor soon after they wake, even on a busy
/// machine; so a machine full of other load may have an effect, and is no proof.
fn machine(inputs: &ClientInputs, busy: f64) -> ClientSign {
    match inputs.own_busy.is_some_and(|own| own < busy / 2.0) {
        true => ClientSign::Others { busy },
        false => ClientSign::Machine { busy },
    }
}

/// The kernel counts a stop once for each processor on which it stopped a thread.
fn stopped(inputs: &ClientInputs) -> Option<ClientSign> {
    let threads = inputs.threads.clamp(1, inputs.cpus.max(1));
    let seconds = inputs.throttled_us as f64 / f64::from(threads) / 1e6;
    let share = seconds * 1e6 / inputs.elapsed_us as f64;
    let quota = inputs.quota.clone();
    let sign = ClientSign::Throttled { seconds, share: share.min(1.0), quota };
    (share.is_finite() && share >= STOPPED).then_some(sign)
}

fn stolen(inputs: &ClientInputs) -> Option<ClientSign> {
    let share = inputs.stolen_share.filter(|share| share.is_finite() && *share >= STOLEN)?;
    Some(ClientSign::Stolen { share: share.min(1.0) })
}

impl ClientSign {
    fn verdict(&self) -> ClientVerdict {
        let (value, bound, tight) = match self {
            ClientSign::Thread { busy } => (*busy, FULL_THREAD, FULL_THREAD),
            ClientSign::Machine { busy } => (*busy, FULL_MACHINE, BUSY_MACHINE),
            ClientSign::Others { busy } => (*busy, f64::INFINITY, BUSY_MACHINE),
            ClientSign::Throttled { share, .. } => (*share, LONG_STOPPED, STOPPED),
            ClientSign::Stolen { .. } => return ClientVerdict::Tight,
            ClientSign::Ceiling { times, .. } => (-times, -NO_ROOM, -LITTLE_ROOM),
        };
        match value {
            value if value >= bound => ClientVerdict::Bound,
            value if value >= tight => ClientVerdict::Tight,
            _ => ClientVerdict::Roomy,
        }
    }
}

impl ClientFinding {
    /// Whether other programs used the processors so heavily that the jobs may have been affected.
    pub fn is_beside_others(&self) -> bool {
        self.others_busy().is_some()
    }

    /// The share of the processors that other programs used, 0 to 1, if so much that the jobs may
    /// have been affected.
    pub fn others_busy(&self) -> Option<f64> {
        self.disturbances().find_map(|sign| match sign {
            ClientSign::Others { busy } => Some(*busy),
            _ => None,
        })
    }

    /// What other programs, other machines and a CPU quota took of the processors, if the jobs may
    /// have been slower for it, and what to do. What the jobs themselves used is no disturbance.
    pub fn disturbance(&self) -> Option<Message> {
        let sign = self.disturbances().min_by_key(|sign| sign.verdict() as u8)?;
        let id = match sign {
            ClientSign::Throttled { .. } => "summary-cpu-quota",
            _ => "summary-host-busy",
        };
        Some(Message::new(id).part("sign", self.placed(sign)))
    }

    /// What a sign says, with the client that it is of.
    fn placed(&self, sign: &ClientSign) -> Message {
        match &self.host {
            None => sign.tell(),
            Some(host) => {
                Message::new("client-sign-on").with("host", host).part("sign", sign.tell())
            }
        }
    }

    /// Signs that something took so much of the processors that the jobs may have been slower.
    fn disturbances(&self) -> impl Iterator<Item = &ClientSign> {
        use ClientSign::{Others, Stolen, Throttled};
        let is_taken =
            |sign: &ClientSign| matches!(sign, Others { .. } | Stolen { .. } | Throttled { .. });
        let is_felt = |sign: &ClientSign| sign.verdict() != ClientVerdict::Roomy;
        self.signs.iter().filter(move |sign| is_taken(sign) && is_felt(sign))
    }

    /// Whether a CPU quota stopped the jobs for so long that their rate may be the quota's.
    pub fn is_stopped_by_quota(&self) -> bool {
        self.disturbances().any(|sign| matches!(sign, ClientSign::Throttled { .. }))
    }

    /// Whether the whole machine was so busy, or lent so much of its time to other machines, that
    /// the jobs felt it.
    pub fn is_host_busy(&self) -> bool {
        use ClientSign::{Machine, Others, Stolen};
        let near = matches!(self.verdict, ClientVerdict::Bound | ClientVerdict::Tight);
        let host =
            |sign: &ClientSign| matches!(sign, Machine { .. } | Others { .. } | Stolen { .. });
        near && self.telling().any(host)
    }

    /// How it bears on the figures.
    pub fn tone(&self) -> Tone {
        match self.verdict {
            ClientVerdict::Bound => Tone::Bad,
            ClientVerdict::Tight => Tone::Warning,
            ClientVerdict::Roomy => Tone::Good,
            ClientVerdict::NotEnough => Tone::Note,
        }
    }
}

impl Tell for ClientSign {
    fn tell(&self) -> Message {
        let busy = |id, busy: f64| Message::new(id).part("busy", in_percent(busy));
        match self {
            ClientSign::Thread { busy: share } => busy("client-sign-thread", *share),
            ClientSign::Machine { busy: share } => busy("client-sign-machine", *share),
            ClientSign::Others { busy: share } => busy("client-sign-others", *share),
            ClientSign::Throttled { share, quota: Some(quota), .. } => quota.stopped(*share),
            ClientSign::Throttled { seconds, share, quota: None } => {
                Message::new("client-sign-throttled")
                    .with("time", stretch(*seconds))
                    .part("share", in_percent(*share))
            }
            ClientSign::Stolen { share } => busy("client-sign-stolen", *share),
            ClientSign::Ceiling { times, of: Some(of) } => of.told(*times),
            ClientSign::Ceiling { times, of: None } => {
                let times = match *times {
                    times if times < 9.95 => format!("{times:.1}"),
                    times => thousands(times),
                };
                Message::new("client-sign-ceiling").with("times", times)
            }
        }
    }
}

impl CpuLimit {
    /// That it stopped the jobs for this share of the run.
    fn stopped(&self, share: f64) -> Message {
        Message::new("client-sign-quota")
            .with("group", &self.group)
            .with("cpus", (self.cpus * 100.0).round() / 100.0)
            .with("of", self.of)
            .with("file", &self.file)
            .part("share", in_percent(share))
    }
}

impl CoreCeiling {
    /// The share of the ceiling that a run used, if the ceiling is this multiple of its rate.
    fn told(&self, times: f64) -> Message {
        Message::new("client-sign-ceiling-of")
            .part("share", in_percent(1.0 / times))
            .with("ceiling", thousands(two_figures(self.iops)))
            .with("cores", u64::from(self.cores))
    }
}

impl ClientFinding {
    fn told_verdict(&self) -> Message {
        let id = match self.verdict {
            ClientVerdict::Bound => "client-bound",
            ClientVerdict::Tight => "client-tight",
            ClientVerdict::Roomy => "client-roomy",
            ClientVerdict::NotEnough => return Message::new("client-not-enough"),
        };
        Message::new(id).part("why", list::clauses(self.telling().map(|sign| self.placed(sign))))
    }

    /// Whether the volume may be faster than its figures: a cap would hold it all the same.
    fn faster(&self) -> Option<Message> {
        let possible = self.verdict == ClientVerdict::Tight && !self.is_capped;
        possible.then(|| Message::new("client-faster"))
    }

    /// The signs that speak for the verdict.
    fn telling(&self) -> impl Iterator<Item = &ClientSign> {
        self.signs.iter().filter(|sign| sign.verdict() == self.verdict)
    }

    /// Advice on what was too little: processor time, or jobs for the cores that there are.
    fn advice(&self) -> Option<Message> {
        let id = |sign: &ClientSign| match sign {
            ClientSign::Throttled { .. } => Some("client-more-cpu"),
            ClientSign::Ceiling { of: Some(of), .. } if of.spare_cores > 0 => {
                Some("client-more-jobs")
            }
            _ => None,
        };
        let near = matches!(self.verdict, ClientVerdict::Bound | ClientVerdict::Tight);
        self.telling().filter(|_| near).find_map(id).map(Message::new)
    }
}

impl Tell for ClientFinding {
    fn tell(&self) -> Message {
        let said = [Some(self.told_verdict()), self.faster(), self.advice()];
        list::sentences(said.into_iter().flatten())
    }
}

shown_as_told!(ClientSign, ClientFinding);

#[cfg(test)]
mod tests;
