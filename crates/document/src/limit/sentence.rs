//! The answer as a sentence: the rate, and its evidence.

use super::steps::{
    FewIos, Halt, LoadLevel, SearchResult, SearchStep, SearchVerdict, failed_beside_others,
};
use fathom_analysis::ClientSign;
use fathom_analysis::quantity::{latency, thousands};
use fathom_analysis::{Criterion, Parts, StepFinding};
use fathom_message::{Message, Tell, list};

impl SearchResult {
    /// The result of the search for `subject`, such as `4 KiB random read`; one sentence or two.
    pub fn tell(&self, subject: &Message) -> Message {
        let of = |id| {
            Message::new(id).part("subject", subject.clone()).part("target", self.target.tell())
        };
        let at = |id, low| of(id).with("rate", iops(low));
        let steps = self.steps.len();
        match (self.verdict, self.low) {
            (SearchVerdict::Never, _) => self.never(of("limit-never")),
            (SearchVerdict::Ceiling, Some(low)) => self.beyond(at("limit-ceiling", low)),
            (SearchVerdict::Found, Some(low)) => self.beyond(at("limit-keeps", low)),
            (SearchVerdict::Unsettled, Some(low)) => {
                self.beyond(at("limit-as-far", low).with("steps", steps))
            }
            (SearchVerdict::Unsettled, None) => of("limit-cannot-tell").with("steps", steps),
            (SearchVerdict::Unclear, _) => self.unclear(subject),
            (SearchVerdict::HostLate, Some(low)) => self.late_above(at("limit-late-above", low)),
            (SearchVerdict::HostLate, None) => self.late_above(of("limit-late-always")),
            _ => self.halted(subject),
        }
    }

    /// Warnings about the answer, a sentence each: this machine was late or busy, a percentile has
    /// hardly any I/Os, a rate does not fit the others.
    pub fn cautions(&self) -> Vec<Message> {
        let mut cautions: Vec<Message> = self.host_at_end().into_iter().collect();
        let ends = [self.low, self.high].into_iter().flatten();
        let few = |rate| FewIos::at(&self.target, &self.steps, rate);
        // The sentence itself says it of the rate that would decide.
        let few = ends.filter_map(few).filter(|_| self.few().is_none());
        cautions.extend(few.map(few_ios));
        if !self.odd.is_empty() {
            let odd = self.odd.iter().map(|rate| Message::verbatim(iops(*rate)));
            cautions.push(Message::new("limit-odd").part("rates", list::semicolons(odd)));
        }
        cautions.extend(self.bunches());
        cautions.extend(self.longer());
        cautions
    }

    /// What this machine may have done to the lowest rate that failed, so that the volume may do
    /// better.
    pub(crate) fn host_at_end(&self) -> Option<Message> {
        self.high.and_then(|high| self.late(high).or(self.busy(high)))
    }

    /// What would settle a search that its steps did not.
    fn longer(&self) -> Option<Message> {
        match self.verdict {
            SearchVerdict::Unsettled => Some(Message::new("limit-needed")),
            // The sentence itself says what to do, unless it has a rate.
            SearchVerdict::HostLate => self.low.map(|_| Message::new("limit-quiet-host")),
            SearchVerdict::Unclear if self.few().is_some() => None,
            SearchVerdict::Unclear if self.never_beside_others().is_none() => {
                Some(Message::new("limit-longer"))
            }
            _ => None,
        }
    }

    /// How often the runs at both ends agreed: `12,400 IOPS kept it in 2 of 2 runs, …`. That, and
    /// not the distance between the ends, is the confidence of the answer. Above a ceiling that
    /// keeps it there is no other end.
    pub fn repeatability(&self) -> Option<Message> {
        let low = self.low.filter(|_| self.verdict.has_rate())?;
        let (kept, low_runs) = Some(self.kept_at(low)).filter(|(_, runs)| *runs > 0)?;
        let id = match self.high {
            Some(_) => "limit-repeatability",
            None => "limit-repeatability-ceiling",
        };
        let told = Message::new(id).with("low", iops(low)).with("kept", kept);
        let told = told.with("low-runs", low_runs);
        let Some(high) = self.high else { return Some(told) };
        let (kept_high, high_runs) = Some(self.kept_at(high)).filter(|(_, runs)| *runs > 0)?;
        let told = told.with("high", iops(high)).with("missed", high_runs - kept_high);
        Some(told.with("high-runs", high_runs))
    }

    /// The same if they did not all agree.
    pub fn disagreement(&self) -> Option<Message> {
        let kept_and_runs = |rate: Option<u64>| rate.map_or((0, 0), |rate| self.kept_at(rate));
        let (kept, runs) = kept_and_runs(self.low);
        let (kept_high, _) = kept_and_runs(self.high);
        self.repeatability().filter(|_| kept < runs || kept_high > 0)
    }

    /// How many runs at a rate kept the target, and how many there were; without those that this
    /// machine spoilt.
    fn kept_at(&self, rate_iops: u64) -> (usize, usize) {
        let load = LoadLevel::Rate { rate_iops };
        let own = self.steps.iter().filter(|step| step.load == load);
        let counted = own.filter(|step| step.finding != Some(StepFinding::Late));
        counted.fold((0, 0), |(kept, all), step| {
            (kept + usize::from(step.finding == Some(StepFinding::Keeps)), all + 1)
        })
    }

    /// The highest rate that some of its runs kept, in how many, and of how many.
    fn kept_in_some_runs(&self) -> Option<(u64, usize, usize)> {
        let rates = self.steps.iter().filter_map(|step| match step.load {
            LoadLevel::Rate { rate_iops } => Some(rate_iops),
            _ => None,
        });
        let kept = rates.map(|rate| (rate, self.kept_at(rate))).filter(|(_, (kept, _))| *kept > 0);
        kept.max().map(|(rate, (kept, runs))| (rate, kept, runs))
    }

    /// The first step with one I/O at a time that met the target.
    fn alone(&self) -> Option<u64> {
        let mut alone = self.steps.iter().filter(|step| step.load == LoadLevel::Alone);
        let met = alone.find(|step| self.target.is_met(&step.reading))?;
        Some(met.reading.iops as u64)
    }

    /// The lowest rate and what other programs used of the processors, if no rate passed and they
    /// may be the cause.
    fn never_beside_others(&self) -> Option<(u64, f64)> {
        let high = self.high.filter(|_| self.low.is_none())?;
        Some((high, failed_beside_others(&self.steps, high)?))
    }

    /// The rate that would decide, if nothing is answered because its I/Os are too few.
    fn few(&self) -> Option<FewIos> {
        let rate = self.low.or(self.high).filter(|_| self.verdict == SearchVerdict::Unclear)?;
        FewIos::at(&self.target, &self.steps, rate)
    }

    /// Why nothing is answered: this machine was busy, or the answer would contradict the steps.
    fn unclear(&self, subject: &Message) -> Message {
        if let Some((high, busy)) = self.never_beside_others() {
            let told = Message::new("limit-unclear-busy").part("subject", subject.clone());
            let told = told.with("rate", iops(high)).part("target", self.target.tell());
            return told.part("sign", ClientSign::Others { busy }.tell());
        }
        if let Some(few) = self.few() {
            let told = Message::new("limit-unclear-few").part("subject", subject.clone());
            let told = told.part("measure", few.measure.tell()).with("ios", iops(few.ios));
            let told = told.with("rate", iops(few.rate_iops));
            let told = told.with("needed", iops(few.measure.fewest_ios()));
            return told.with("seconds", few.enough_s());
        }
        let told = match (self.low, self.kept_in_some_runs()) {
            (Some(low), _) => Message::new("limit-unclear-rate").with("rate", iops(low)),
            (None, Some((rate, kept, runs))) => Message::new("limit-unclear-some")
                .with("rate", iops(rate))
                .with("kept", kept)
                .with("runs", runs),
            (None, None) => Message::new("limit-unclear-none"),
        };
        Message::new("limit-unclear-low")
            .part("subject", subject.clone())
            .part("told", told.part("target", self.target.tell()))
            .with("alone", iops(self.alone().unwrap_or(0)))
    }

    /// Adds the rate at which this machine was late.
    fn late_above(&self, told: Message) -> Message {
        told.with("late", iops(self.late_iops.unwrap_or(0)))
    }

    /// If one I/O at a time was faster than the answer and met the target.
    fn bunches(&self) -> Option<Message> {
        let (low, alone) = (self.low?, self.alone()?);
        // A ceiling that keeps the target was searched no further.
        let told = self.verdict == SearchVerdict::Found && alone > low;
        told.then(|| Message::new("limit-bunches").with("alone", iops(alone)))
    }

    /// If a rate failed because this machine took up I/Os late although it had free slots.
    fn late(&self, rate_iops: u64) -> Option<Message> {
        // Without a passing rate there is no edge that could lie elsewhere.
        self.low?;
        let step = self.typical(rate_iops).filter(|step| !step.reading.was_full)?;
        let late = self.target.waited_for_host(step.finding?, &step.reading);
        late.then(|| Message::new("limit-late").with("rate", iops(rate_iops)))
    }

    /// If a rate failed while other programs used the processors, so that the edge may lie higher.
    fn busy(&self, rate_iops: u64) -> Option<Message> {
        self.low?;
        let busy = failed_beside_others(&self.steps, rate_iops)?;
        let told = Message::new("limit-busy").with("rate", iops(rate_iops));
        Some(told.part("sign", ClientSign::Others { busy }.tell()))
    }

    /// Adds the failing rate: `… (13,000 do not: p99 4.2 ms)`.
    fn beyond(&self, told: Message) -> Message {
        match self.high {
            Some(high) => Message::new("limit-beyond")
                .part("told", told)
                .with("high", iops(high))
                .part("why", self.why_not(high)),
            None => told,
        }
    }

    /// Why a rate failed, from the median of its failed runs.
    fn why_not(&self, rate_iops: u64) -> Message {
        let Some(step) = self.typical(rate_iops) else { return Message::verbatim("") };
        let overload = (step.finding == Some(StepFinding::Overload)).then(|| {
            let behind = step.reading.behind_percent(rate_iops);
            Message::new("limit-overload").with("behind", format_args!("{behind:.0}"))
        });
        list::commas(overload.into_iter().chain(self.target.missed(&step.reading).map(missed)))
    }

    /// The median, by the size of the miss, of the failed runs at a rate.
    fn typical(&self, rate_iops: u64) -> Option<&SearchStep> {
        let failed = |step: &&SearchStep| {
            step.load == LoadLevel::Rate { rate_iops } && step.finding != Some(StepFinding::Keeps)
        };
        let mut failed: Vec<&SearchStep> = self.steps.iter().filter(failed).collect();
        let strain = |step: &SearchStep| self.target.strain(&step.reading);
        failed.sort_by(|a, b| strain(a).total_cmp(&strain(b)));
        failed.get(failed.len() / 2).copied()
    }

    fn never(&self, mut told: Message) -> Message {
        if let Some(alone) = self.steps.iter().find(|step| step.load == LoadLevel::Alone) {
            let missed: Vec<Message> = self.target.missed(&alone.reading).map(missed).collect();
            told = match missed.is_empty() {
                true => Message::new("limit-never-though"),
                false => Message::new("limit-never-alone").part("missed", list::commas(missed)),
            }
            .part("told", told);
        }
        match self.high {
            Some(high) => Message::new("limit-never-rate")
                .part("told", told)
                .with("high", iops(high))
                .part("why", self.why_not(high)),
            None => told,
        }
    }

    fn halted(&self, subject: &Message) -> Message {
        let why = match &self.halted_by {
            Some(Halt::Failed(why)) => Message::new("limit-halted-failed").with("why", why),
            _ => Message::new("limit-halted-stopped"),
        };
        let of = |id| Message::new(id).part("target", self.target.tell());
        let known = match (self.low, self.high) {
            (Some(low), _) => self.beyond(of("limit-halted-kept").with("rate", iops(low))),
            (None, Some(high)) => {
                of("limit-halted-none").with("high", iops(high)).part("why", self.why_not(high))
            }
            (None, None) => Message::new("limit-halted-nothing"),
        };
        Message::new("limit-halted")
            .part("subject", subject.clone())
            .part("why", why)
            .part("known", known)
    }
}

/// That a figure is uncertain, and how long a step must be.
fn few_ios(few: FewIos) -> Message {
    let told = Message::new("limit-few-ios").with("rate", iops(few.rate_iops));
    let told = told.part("measure", few.measure.tell()).with("ios", iops(few.ios));
    told.with("needed", iops(few.measure.fewest_ios())).with("seconds", few.enough_s())
}

fn missed((one, parts): (&Criterion, Parts)) -> Message {
    Message::new("limit-missed")
        .part("measure", one.measure.tell())
        .with("latency", latency(parts.response_ns))
}

/// Rates are whole numbers, and their thousands apart.
fn iops(rate: u64) -> String {
    match rate {
        0..=9 => rate.to_string(),
        rate => thousands(rate as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::steps::{LimitPattern, subject};
    use fathom_analysis::{Criterion, CriterionMeasure, LatencyGoal, Parts, StepReading};
    use fathom_message::Lang;

    fn step(load: LoadLevel, response_ms: f64, finding: Option<StepFinding>) -> SearchStep {
        let overdue_ios = if finding == Some(StepFinding::Overload) { 1000 } else { 0 };
        let parts = vec![Parts { response_ns: response_ms * 1e6, ..Parts::default() }];
        let iops = match load {
            LoadLevel::Rate { rate_iops } => rate_iops as f64,
            _ => 15_000.0,
        };
        let was_full = true;
        let reading =
            StepReading { iops, ios: 9000, overdue_ios, was_full, parts, ..StepReading::default() };
        SearchStep { load, reading, finding }
    }

    fn reads() -> Message {
        subject(LimitPattern::RandRead, 4096)
    }

    fn limit(verdict: SearchVerdict, low: Option<u64>, high: Option<u64>) -> SearchResult {
        let measure = CriterionMeasure::Percentile { percent: 99.0 };
        let target = LatencyGoal { criteria: vec![Criterion { measure, under_ns: 1_000_000 }] };
        let at = |rate_iops| LoadLevel::Rate { rate_iops };
        let steps = vec![
            step(LoadLevel::Deep, 30.0, None),
            step(LoadLevel::Alone, 1.5, None),
            step(at(12_400), 0.9, Some(StepFinding::Keeps)),
            step(at(13_000), 99.0, Some(StepFinding::TooSlow)),
            step(at(13_000), 4.2, Some(StepFinding::TooSlow)),
            step(at(13_000), 0.9, Some(StepFinding::Keeps)),
            step(at(13_000), 2.0, Some(StepFinding::TooSlow)),
            step(at(21_000), 800.0, Some(StepFinding::Overload)),
        ];
        let (late_iops, odd, halted_by) = (None, Vec::new(), None);
        SearchResult { target, verdict, low, high, late_iops, odd, halted_by, steps }
    }

    #[test]
    fn the_sentence_says_what_holds_and_what_does_not() {
        let sentence = |verdict, low, high| limit(verdict, low, high).tell(&reads()).to_string();
        assert_eq!(
            sentence(SearchVerdict::Found, Some(12_400), Some(13_000)),
            "4 KiB random read: 12,400 IOPS keep p99 under 1 ms (13,000 do not: p99 4.20 ms)"
        );
        assert_eq!(
            sentence(SearchVerdict::Ceiling, Some(13_000), Some(21_000)),
            "4 KiB random read: 13,000 IOPS, all that the volume gives, keep p99 under 1 ms (21,000 do \
             not: overload, 10 % behind, p99 800 ms)"
        );
        assert_eq!(
            sentence(SearchVerdict::Never, None, Some(13_000)),
            "4 KiB random read: FAIL: no rate keeps p99 under 1 ms; one I/O at a time already takes \
             p99 1.50 ms; 13,000 IOPS: p99 4.20 ms"
        );
    }

    #[test]
    fn few_ios_and_odd_rates_are_cautioned_against() {
        let mut few = limit(SearchVerdict::Found, Some(12_400), Some(13_000));
        assert_eq!(few.cautions(), Vec::<Message>::new());
        few.odd = vec![14_000];
        few.steps[2].reading.ios = 900;
        let cautions: Vec<String> = few.cautions().iter().map(Message::to_string).collect();
        assert!(cautions[0].contains("p99 rests on 900 I/Os"), "{cautions:?}");
        assert!(cautions[0].contains("it takes 1,000 (--time-per-run 1s)"), "{cautions:?}");
        assert!(cautions[1].contains("(14,000 IOPS)") && cautions.len() == 2, "{cautions:?}");
    }

    #[test]
    fn a_machine_that_is_late_is_not_laid_at_the_door_of_the_volume() {
        let mut late = limit(SearchVerdict::Found, Some(12_400), Some(13_000));
        let at_high = |step: &&mut SearchStep| step.load == LoadLevel::Rate { rate_iops: 13_000 };
        for step in late.steps.iter_mut().filter(at_high) {
            (step.reading.was_full, step.reading.parts[0].wait_ns) = (false, 4e6);
        }
        assert!(
            late.cautions()[0].to_string().contains("this machine that was late"),
            "{:?}",
            late.cautions()
        );
        for step in late.steps.iter_mut().filter(at_high) {
            step.reading.parts[0].wait_ns = 1e5;
        }
        assert_eq!(late.cautions(), Vec::<Message>::new());
    }

    #[test]
    fn a_rate_that_failed_beside_other_programs_is_no_answer_of_the_volume() {
        let mut busy = limit(SearchVerdict::Unclear, None, Some(13_000));
        busy.steps[4].reading.others_busy = Some(0.8);
        assert_eq!(
            busy.tell(&reads()).to_string(),
            "4 KiB random read: UNDECIDED: 13,000 IOPS missed p99 under 1 ms, but the host was busy: \
             other programs used 80 % of its CPUs; use a quiet host"
        );
        assert_eq!(busy.cautions(), Vec::<Message>::new());
        (busy.verdict, busy.low) = (SearchVerdict::Found, Some(12_400));
        assert_eq!(
            busy.cautions()[0].to_string(),
            "At 13,000 IOPS the host was busy (other programs used 80 % of its CPUs): the volume \
             may do better."
        );
        // A run that kept it beside others says the same as without them.
        (busy.steps[4].reading.others_busy, busy.steps[5].reading.others_busy) = (None, Some(0.8));
        assert_eq!(busy.cautions(), Vec::<Message>::new());
    }

    #[test]
    fn a_rate_of_too_few_ios_is_no_answer_and_says_how_long_a_step_must_be() {
        let mut few = limit(SearchVerdict::Unclear, None, Some(6));
        few.steps = vec![step(LoadLevel::Alone, 1.5, None)];
        for finding in [StepFinding::TooFew, StepFinding::TooFew] {
            let mut gentle = step(LoadLevel::Rate { rate_iops: 6 }, 4.2, Some(finding));
            gentle.reading.ios = 57;
            few.steps.push(gentle);
        }
        assert_eq!(
            few.tell(&reads()).to_string(),
            "4 KiB random read: UNDECIDED: p99 of 114 I/Os at 6 IOPS decides nothing, it takes \
             1,000; use --time-per-run 170s"
        );
        assert_eq!(few.cautions(), Vec::<Message>::new());
        // One run whose miss is no chance decides.
        few.steps[2].finding = Some(StepFinding::TooSlow);
        assert_eq!(FewIos::at(&few.target, &few.steps, 6), None);
    }

    #[test]
    fn no_rate_keeps_it_is_not_said_of_one_that_did_in_some_runs() {
        let unclear = limit(SearchVerdict::Unclear, None, None);
        let told = unclear.tell(&reads());
        let expected = "4 KiB random read: UNDECIDED: no rate keeps p99 under 1 ms in all its runs \
                        (13,000 IOPS in 1 of 4), but ";
        assert!(told.to_string().starts_with(expected), "{told}");
        let korean = told.text(Lang::Ko);
        assert!(korean.contains("13,000 IOPS는 4회 중 1회 충족"), "{korean}");
        let mut none = unclear;
        none.steps.retain(|step| step.finding != Some(StepFinding::Keeps));
        let told = none.tell(&reads()).to_string();
        assert!(told.contains("no rate keeps p99 under 1 ms, but "), "{told}");
    }

    #[test]
    fn what_passed_is_said_where_this_machine_was_late_above_it() {
        let mut late = limit(SearchVerdict::HostLate, Some(12_400), None);
        late.late_iops = Some(13_000);
        assert_eq!(
            late.tell(&reads()).to_string(),
            "4 KiB random read: UNDECIDED: 12,400 IOPS or more keep p99 under 1 ms; this host was \
             late at 13,000 IOPS"
        );
        assert_eq!(
            late.tell(&reads()).text(Lang::Ko),
            "UNDECIDED(판정 불가): 4 KiB 랜덤 읽기는 적어도 12,400 IOPS까지는 p99 1 ms 미만 조건을 충족합니다. \
             13,000 IOPS에서는 이 호스트의 처리가 늦었습니다"
        );
        let cautions: Vec<String> = late.cautions().iter().map(Message::to_string).collect();
        assert_eq!(cautions, ["Use a quiet host: the volume may give more."]);
        late.low = None;
        assert_eq!(
            late.tell(&reads()).to_string(),
            "4 KiB random read: UNDECIDED: this host was late at 13,000 IOPS; use a quiet host"
        );
        let told = late.tell(&reads()).text(Lang::Ko);
        assert!(
            told.starts_with("UNDECIDED(판정 불가): 4 KiB 랜덤 읽기, 13,000 IOPS에서 이 호스트"),
            "{told}"
        );
        assert_eq!(late.cautions(), Vec::<Message>::new());
    }

    #[test]
    fn runs_that_disagreed_are_told_apart_from_those_that_did_not() {
        // One of four runs at 13,000 kept it.
        let split = limit(SearchVerdict::Found, Some(12_400), Some(13_000));
        assert_eq!(
            split.disagreement().unwrap().to_string(),
            "12,400 IOPS kept it in 1 of 1 runs, 13,000 IOPS missed it in 3 of 4"
        );
        let agreed = SearchResult { high: Some(21_000), ..split.clone() };
        assert!(agreed.disagreement().is_none() && agreed.repeatability().is_some());
        // A run that failed at the answer's own rate, also above which nothing failed.
        for verdict in [SearchVerdict::Ceiling, SearchVerdict::Unsettled, SearchVerdict::HostLate] {
            let own = limit(verdict, Some(13_000), None);
            let told = own.disagreement().unwrap().to_string();
            assert_eq!(told, "13,000 IOPS kept it in 1 of 4 runs");
        }
        let refused = limit(SearchVerdict::Unclear, Some(13_000), None);
        assert!(refused.disagreement().is_none());
    }

    #[test]
    fn an_end_before_the_end_says_what_was_known() {
        let mut early = limit(SearchVerdict::Halted, Some(12_400), Some(13_000));
        early.halted_by = Some(Halt::Failed("Input/output error".to_owned()));
        assert_eq!(
            early.tell(&reads()).to_string(),
            "4 KiB random read: failed: Input/output error; by then 12,400 IOPS kept p99 under 1 ms \
             (13,000 do not: p99 4.20 ms)"
        );
        (early.low, early.high, early.halted_by) = (None, None, Some(Halt::Stopped));
        assert_eq!(
            early.tell(&Message::verbatim("x")).to_string(),
            "x: stopped; nothing was known by then"
        );
        let open = limit(SearchVerdict::Unsettled, Some(12_400), Some(13_000))
            .tell(&Message::verbatim("x"))
            .to_string();
        let told =
            "x: UNDECIDED: 12,400 IOPS keep p99 under 1 ms after 8 steps (13,000 do not: p99";
        assert!(open.starts_with(told), "{open}");
        let unsettled = limit(SearchVerdict::Unsettled, None, None);
        assert_eq!(
            unsettled.tell(&Message::verbatim("x")).to_string(),
            "x: UNDECIDED: 8 steps could not find a rate with p99 under 1 ms"
        );
        let advice = unsettled.cautions().last().unwrap().to_string();
        assert_eq!(advice, "Use more steps (--max-steps) or longer ones (--time-per-run).");
    }
}
