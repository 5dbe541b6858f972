//! The question of a sweep: the parsed axes and settings, and their cases.
//!
//! The question contains only the user's input and no facts about the machine: its hash names the
//! sweep, so that repeating the same command continues an interrupted sweep.

use super::axis::{Axis, option};
use super::error::SweepError;
use super::options::{Options, Problem};
use crate::cases::{CachePolicy, Case, Reach};
use crate::jobs::RefusedJob;
use crate::measuring_time::MeasuringTime;
use crate::volume_plan::CommonOptions;
use fathom_document::sweep::{
    AxisRecord, CACHE, CLIENTS, NCONNECT, Order, QuestionRecord, RWMIX, USUAL_BS, USUAL_DEPTH,
    USUAL_MIXED_RW, USUAL_RW, Value,
};
use fathom_document::{CaseTime, Setting};
use fathom_job::job_from_options;
use fathom_vocab::{IoEngine, Target};

/// The options of a caller.
#[derive(Clone, Debug, Default)]
pub struct SweepRequest {
    /// The machines that measure; none means this one.
    pub hosts: Vec<String>,
    /// Axes: a name and a list of values, outermost first.
    pub axes: Vec<(String, String)>,
    /// Options that are the same in all cases: name, and value if it takes one.
    pub fixed: Vec<(String, Option<String>)>,
    /// Microseconds of ramp before that; none means an eighth of it, at most five seconds.
    pub ramp_us: Option<u64>,
    /// How often each case is run.
    pub rounds: u32,
    /// The order of cases.
    pub order: Order,
    /// The seed also decides the order. The engine is an axis.
    pub common: CommonOptions,
}

/// A question that makes sense.
#[derive(Clone, Debug)]
pub struct Question {
    /// The target, as typed.
    pub target: Target,
    /// The axes, outermost first.
    pub axes: Vec<Axis>,
    /// The request, with the ramp filled in and options under canonical names.
    pub asked: SweepRequest,
    /// How long a case runs.
    pub time: CaseTime,
}

/// More cases than a machine can store results for; days, at a second each.
const MOST_CASES: usize = 100_000;
/// The time of the runs if none is given.
const USUAL_TIME: MeasuringTime = MeasuringTime::PerRun(10_000_000);
/// Below this a case has too few I/Os for its percentiles.
const SHORTEST_US: u64 = 100_000;

impl Question {
    /// Checks the request against the job table.
    ///
    /// # Errors
    /// A [`SweepError`] for an invalid request.
    pub fn new(target: &Target, mut asked: SweepRequest) -> Result<Question, SweepError> {
        let axes: Result<Vec<Axis>, SweepError> =
            asked.axes.iter().map(|(name, list)| Axis::read(name, list)).collect();
        let axes = axes?;
        for (name, _) in &mut asked.fixed {
            *name = option(name)?;
        }
        let counts = axes.iter().map(|axis| axis.values.len());
        let cases = counts.fold(1, usize::saturating_mul);
        if cases > MOST_CASES {
            return Err(SweepError::TooMany { cases, most: MOST_CASES });
        }
        let time = time_of(&asked, cases)?;
        let question = Question { target: target.clone(), time, axes, asked };
        question.check_names()?;
        if question.has(NCONNECT) && target.path().is_some() {
            return Err(SweepError::NoConnections { path: target.to_string() });
        }
        let through = |axis: &Axis| axis.values.iter().any(|value| value.to_string() == "in");
        let is_cached = question.axes.iter().any(|axis| axis.name == CACHE && through(axis));
        if is_cached && target.path().is_none() {
            return Err(SweepError::NoCache { export: target.to_string() });
        }
        match cases {
            // An axis like `1-8` is one invalid value: that message helps more.
            1 => Err(question.case(0).err().unwrap_or(SweepError::NothingVaries)),
            _ => Ok(question),
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let fixed = self.asked.fixed.iter().map(|(name, _)| name.as_str());
        self.axes.iter().map(|axis| axis.name.as_str()).chain(fixed)
    }

    fn has(&self, name: &str) -> bool {
        self.names().any(|other| other == name)
    }

    fn check_names(&self) -> Result<(), SweepError> {
        let names: Vec<&str> = self.names().collect();
        for (at, name) in names.iter().enumerate() {
            if names[..at].contains(name) {
                return Err(SweepError::Twice { name: (*name).to_owned() });
            }
        }
        let clashes = [
            (CACHE, "direct"),
            (CACHE, "buffered"),
            (CACHE, "randrepeat"),
            ("direct", "buffered"),
            (RWMIX, "rwmixread"),
            (RWMIX, "rwmixwrite"),
            ("rwmixread", "rwmixwrite"),
            ("bs", "bsrange"),
            ("bs", "bssplit"),
        ];
        match clashes.into_iter().find(|(one, other)| self.has(one) && self.has(other)) {
            Some((one, other)) => Err(SweepError::Clash { one, other }),
            None => Ok(()),
        }
    }

    /// Its record in documents.
    pub fn record(&self) -> QuestionRecord {
        let axis = |axis: &Axis| AxisRecord {
            name: axis.name.clone(),
            values: axis.values.iter().map(ToString::to_string).collect(),
        };
        let name = |target: &Target| target.absolute().to_string();
        QuestionRecord {
            target: name(&self.target),
            hosts: self.asked.hosts.clone(),
            axes: self.axes.iter().map(axis).collect(),
            fixed: self.asked.fixed.clone(),
            size_bytes: self.asked.common.size_bytes,
            time: self.time,
            rounds: self.asked.rounds,
            order: self.asked.order,
            read_only: self.asked.common.read_only,
            destroy: self.asked.common.destroy.iter().map(name).collect(),
        }
    }

    /// The most machines that a case uses; none if the machine decides.
    pub fn most_clients(&self) -> Option<u64> {
        let axis = self.axes.iter().find(|axis| axis.name == CLIENTS)?;
        axis.values.iter().filter_map(Value::position).max()
    }

    /// All cases, as loops within each other, the last axis fastest.
    ///
    /// # Errors
    /// For the first case that is no job.
    pub fn cases(&self) -> Result<Vec<Case>, SweepError> {
        let count = self.axes.iter().map(|axis| axis.values.len()).product();
        (0..count).map(|index| self.case(index)).collect()
    }

    fn case(&self, index: usize) -> Result<Case, SweepError> {
        let values = self.values_of(index);
        let setting = |(axis, value): &(&Axis, &Value)| Setting {
            axis: axis.name.clone(),
            value: value.to_string(),
        };
        let settings: Vec<Setting> = values.iter().map(setting).collect();
        let title = settings.iter().map(|s| format!("{}={}", s.axis, s.value));
        let title = title.collect::<Vec<_>>().join(", ");
        let no_job = |why: RefusedJob| SweepError::NoJob { case: title.clone(), why };
        let (reach, options) = self.options(&settings).map_err(|problem| match problem {
            Problem::Refused(why) => no_job(why),
            Problem::NotMixed(rw) => SweepError::NotMixed { rw },
        })?;
        let number = |axis: &str| {
            let setting = settings.iter().find(|setting| setting.axis == axis)?;
            setting.value.parse().ok()
        };
        let (clients, nconnect) = (number(CLIENTS), number(NCONNECT));
        let mut case = Case::new(index, settings, reach, self.time, options).map_err(no_job)?;
        case.clients = clients;
        case.nconnect = nconnect;
        Ok(case)
    }

    /// The value of each axis in the case of this number.
    fn values_of(&self, index: usize) -> Vec<(&Axis, &Value)> {
        let mut rest = index;
        let mut values: Vec<(&Axis, &Value)> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            values.push((axis, &axis.values[rest % axis.values.len()]));
            rest /= axis.values.len();
        }
        values.reverse();
        values
    }

    /// How a case reaches its volume, and the options of its job.
    fn options(&self, settings: &[Setting]) -> Result<(Reach, Vec<(String, String)>), Problem> {
        let mixed = [RWMIX, "rwmixread", "rwmixwrite"].iter().any(|name| self.has(name));
        let mut options = Options::default();
        options.put("rw", if mixed { USUAL_MIXED_RW } else { USUAL_RW });
        if !self.has("bsrange") && !self.has("bssplit") {
            options.put("bs", USUAL_BS);
        }
        options.put("iodepth", USUAL_DEPTH);
        for (name, value) in &self.asked.fixed {
            options.put(name, value.as_deref().unwrap_or_default());
        }
        let said = self.has("direct") || self.has("buffered");
        let usual = if said { CachePolicy::AsSaid } else { CachePolicy::PastIfPossible };
        let mut reach = Reach { engine: None, cache: usual };
        for Setting { axis, value } in settings {
            match (axis.as_str(), value.as_str()) {
                (CACHE, "in") => reach.cache = CachePolicy::Through,
                (CACHE, _) => reach.cache = CachePolicy::Past,
                (RWMIX, mix) => options.mix(mix)?,
                (CLIENTS | NCONNECT, _) => {}
                (name, value) => options.put(name, value),
            }
        }
        if let Some(name) = options.take("ioengine") {
            reach.engine = Some(engine(&name).map_err(Problem::Refused)?);
        }
        Ok((reach, options.into_owned()))
    }
}

/// The engine of a name, as the job table knows it.
fn engine(name: &str) -> Result<IoEngine, RefusedJob> {
    let job = job_from_options("engine", &[("ioengine", name)])?;
    match job.engine.engine {
        IoEngine::Null => Err(RefusedJob::new("the engine null measures Fathom and not a volume")),
        IoEngine::Nfs => Err(RefusedJob::new(
            "the engine nfs works on an export and not on a path; give it in a job (fathom run)",
        )),
        engine => Ok(engine),
    }
}

/// How long each run of one of `cases` takes.
fn time_of(asked: &SweepRequest, cases: usize) -> Result<CaseTime, SweepError> {
    let runs = (cases as u64).saturating_mul(u64::from(asked.rounds));
    let run_us = asked.common.time.unwrap_or(USUAL_TIME).run_us(runs);
    if run_us < SHORTEST_US {
        return Err(SweepError::TooShort { time_ms: run_us / 1000 });
    }
    let usual = CaseTime::of(run_us);
    let ramp_us = asked.ramp_us.map_or(usual.ramp_us, |us| us / 1000 * 1000);
    Ok(CaseTime { ramp_us, ..usual })
}
