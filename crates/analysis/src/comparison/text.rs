//! The sentences on two sides and the change from one to the other.

use super::{ChangeText, Comparison, Design, Difference, Lack, Side};
use crate::Tone;
use crate::shown::share;
use crate::spread::{Estimate, evidence};
use fathom_message::{Message, Tell, shown_as_told};

impl Comparison {
    /// Good if repeats show a difference, a note if single runs show it or nothing does, a warning
    /// with too few data.
    pub fn tone(&self) -> Tone {
        match self.difference {
            Difference::Shown { .. } if !self.rests_on_one_run() => Tone::Good,
            Difference::Shown { .. } | Difference::NotShown { .. } => Tone::Note,
            Difference::NotEnough { .. } => Tone::Warning,
        }
    }

    /// Whether a side is only one run, which does not show how runs differ.
    fn rests_on_one_run(&self) -> bool {
        let of_one_run = |side: &Side| side.estimate.as_ref().is_ok_and(Estimate::is_of_one_run);
        of_one_run(&self.a) || of_one_run(&self.b)
    }

    /// How sure its interval is: `95 % sure`, `99 % sure of all 6`.
    pub fn sure(&self) -> Message {
        sure(self.together)
    }

    fn evidence(&self) -> Message {
        if let Design::Paired { rounds } = self.design {
            return Message::new("count-rounds").count("count", rounds);
        }
        let of = |side: &Side| match &side.estimate {
            Ok(estimate) => evidence(estimate.n, &estimate.basis),
            Err(_) => Message::new("compare-evidence-nothing"),
        };
        let (a, b) = (of(&self.a), of(&self.b));
        match a == b {
            true => Message::new("compare-evidence-each").part("evidence", a),
            false => Message::new("compare-evidence-against").part("a", a).part("b", b),
        }
    }
}

impl Tell for Comparison {
    fn tell(&self) -> Message {
        let named = |id| Message::new(id).with("a", &self.a.name).with("b", &self.b.name);
        match &self.difference {
            Difference::Shown { ratio, low, high, .. } => {
                let change = ChangeText::of(*ratio, *low, *high);
                let shown = named("compare-shown").part("change", change.change(self.better));
                let shown = shown.part("range", change.between(self.better));
                shown.part("sure", self.sure()).part("evidence", self.evidence())
            }
            difference if difference.is_unstable() => named("compare-unstable"),
            Difference::NotShown { smallest_detectable_percent: smallest, .. } => {
                named("compare-not-shown")
                    .part("smallest", share(*smallest))
                    .part("evidence", self.evidence())
            }
            Difference::NotEnough { lack } => named("compare-not-enough").part("lack", lack.tell()),
        }
    }
}

impl Lack {
    /// What is missing, without advice.
    pub fn reason(&self) -> Message {
        match self {
            Lack::Estimate { side, why } => {
                Message::new("lack-estimate").with("side", side).part("why", why.tell())
            }
            Lack::NearZero { side, runs: None } => {
                Message::new("lack-near-zero").with("side", side)
            }
            Lack::NearZero { side, runs: Some(runs) } => Message::new("lack-runs-vary")
                .with("side", side)
                .part("runs", Message::new("count-runs").count("count", *runs)),
            Lack::Rounds { rounds, needed } => {
                Message::new("lack-rounds").with("needed", needed).with("rounds", rounds)
            }
            Lack::OneDisk => Message::new("lack-one-disk"),
        }
    }
}

impl Tell for Lack {
    fn tell(&self) -> Message {
        let advice = match self {
            Lack::NearZero { runs: None, .. } => "lack-longer",
            Lack::NearZero { runs: Some(_), .. } => "lack-more-runs",
            Lack::Estimate { .. } | Lack::Rounds { .. } | Lack::OneDisk => return self.reason(),
        };
        let advised = Message::new("lack-advised").part("lack", self.reason());
        advised.part("advice", Message::new(advice))
    }
}

shown_as_told!(Comparison, Lack);

/// The confidence of one of this number of comparisons that share a probability of error.
fn sure(together: Option<u64>) -> Message {
    match together {
        None => Message::new("sure-alone"),
        Some(0 | 1) => Message::new("sure-single"),
        Some(all) => Message::new("sure-together").with("all", all),
    }
}
