//! The sentences on two sides and the change from one to the other.

use super::{ChangeText, Comparison, Design, Difference, Lack, MOST_ADVISED, Side};
use crate::Tone;
use crate::shown::share;
use crate::spread::evidence;
use fathom_message::{Message, Tell, shown_as_told};

impl Comparison {
    /// Good if it is decided, a note if it is open, a warning with too few data.
    pub fn tone(&self) -> Tone {
        match self.difference {
            Difference::Shown(_) | Difference::Equal(_) => Tone::Good,
            Difference::Open(_) => Tone::Note,
            Difference::NotEnough { .. } => Tone::Warning,
        }
    }

    /// How sure its interval is: `99 % sure`, `99 % sure of all 6`.
    pub fn sure(&self) -> Message {
        match self.rule.together {
            0 | 1 => Message::new("sure-single"),
            all => Message::new("sure-together").with("all", all),
        }
    }

    fn evidence(&self) -> Message {
        if let Design::Paired { rounds, .. } = self.design {
            return Message::new("count-rounds").with("count", rounds);
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
            Difference::Shown(of) => {
                let change = ChangeText::of(of.ratio, of.low, of.high);
                let shown = named("compare-shown").part("change", change.change(self.better));
                let shown = shown.part("range", change.between(self.better));
                shown.part("sure", self.sure()).part("evidence", self.evidence())
            }
            Difference::Equal(_) => named("compare-equal")
                .part("margin", share(self.rule.margin_percent))
                .part("evidence", self.evidence()),
            Difference::Open(_) => {
                let open = match self.deciding_count(MOST_ADVISED) {
                    Some(count) => named("compare-open").with("more", count - self.count()),
                    None => named("compare-open-noisy"),
                };
                open.part("evidence", self.evidence())
            }
            Difference::NotEnough { lack } => named("compare-not-enough").part("lack", lack.tell()),
        }
    }
}

impl Lack {
    fn reason(&self) -> Message {
        match self {
            Lack::Estimate { side, why } => {
                Message::new("lack-estimate").with("side", side).part("why", why.tell())
            }
            Lack::NearZero { side } => Message::new("lack-near-zero").with("side", side),
            Lack::Rounds { rounds, needed } => {
                Message::new("lack-rounds").with("needed", needed).with("rounds", rounds)
            }
            Lack::OneDisk => Message::new("lack-one-disk"),
        }
    }
}

impl Tell for Lack {
    fn tell(&self) -> Message {
        self.reason()
    }
}

shown_as_told!(Comparison, Lack);
