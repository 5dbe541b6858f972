//! Figures, errors and changes of comparisons as text for screens, Markdown and messages.

use fathom_analysis::{ChangeText, Comparison, Difference, NOT_STABLE_PERCENT, RowOutcome};
use fathom_document::check::Standing;
use fathom_document::compare::{
    Contrast, ContrastVerdict, Judged, Lead, PhaseFinding, Unjudged, VolumeStanding,
};
use fathom_document::{latency, megabytes_per_s, thousands};
use fathom_message::{Lang, Message, Tell, list, words};

/// A value with its unit: `3,000 IOPS`, `126 MB/s`, `500 us`.
pub fn value(judged: Judged, value: f64) -> String {
    match judged {
        _ if !value.is_finite() => "-".to_owned(),
        Judged::Iops => format!("{} IOPS", thousands(value)),
        Judged::BytesPerS => format!("{} MB/s", megabytes_per_s(value / 1e6)),
        Judged::MeanLatencyNs | Judged::P99LatencyNs => latency(value),
    }
}

/// An error after its value: ` ± 1.2 %`, ` (not stable)`; empty if unknown.
pub fn error(half_width_percent: Option<f64>, unicode: bool, lang: Lang) -> String {
    if is_not_stable(half_width_percent) {
        return format!(" ({})", words(lang, "told-not-stable"));
    }
    // The sign is no ASCII letter.
    let sign = if unicode { "±" } else { "+-" };
    half_width_percent.map(|half| format!(" {sign} {}", percent(half))).unwrap_or_default()
}

/// Whether an error is so wide that the figure is called not stable.
pub fn is_not_stable(half_width_percent: Option<f64>) -> bool {
    half_width_percent.is_some_and(|half| half > NOT_STABLE_PERCENT)
}

/// What `marks` mean, which stand where no useful interval is known; none without marks. `advises`
/// where nothing else says what to do.
pub fn change_legend(mut marks: Vec<String>, advises: bool) -> Option<Message> {
    // In Korean a figure and a change are unstable by one word.
    marks.dedup();
    let marks: Vec<Message> = marks.iter().map(Message::verbatim).collect();
    let id = if advises { "change-legend" } else { "change-legend-bare" };
    (!marks.is_empty()).then(|| Message::new(id).part("marks", list::commas(marks)))
}

/// A share in percent, to two figures: `12 %`, `1.2 %`, `0.12 %`.
pub fn percent(percent: f64) -> String {
    let digits = match percent.abs() {
        size if size >= 9.95 => 0,
        size if size >= 0.995 => 1,
        _ => 2,
    };
    format!("{percent:.digits$} %")
}

/// The change from one figure to another: `53 % faster`, `16x slower`.
pub fn change(contrast: &Contrast) -> Message {
    let better = contrast.judged.better();
    match contrast.change_text() {
        Some(text) => text.change(better),
        None => fathom_analysis::change(1.0 + contrast.change_percent / 100.0, better),
    }
}

/// A change with its interval: `53 % faster (50 to 56)`, `24.6x faster (23.9 to 25.2)`; `equal
/// within 5 %`; where it is open, how far it may reach: `? (18 % slower to 19 % faster)`.
/// `uncertain` where that is beyond a factor of two, or where there is too little.
pub fn change_with_interval(comparison: &Comparison) -> Message {
    let Comparison { difference, better, .. } = comparison;
    let text = difference.change().filter(|_| !difference.is_unstable());
    match (text, difference) {
        (_, Difference::Equal(_)) => equal(comparison),
        (Some(text), Difference::Open(_)) => {
            Message::new("change-open").part("range", text.whole_range(*better))
        }
        (Some(text), _) => text.with_interval(*better),
        (None, _) => Message::new("change-unstable"),
    }
}

/// `equal within 5 %`.
fn equal(comparison: &Comparison) -> Message {
    Message::new("change-equal").with("margin", comparison.rule.margin_percent)
}

/// Whether a change from the first is open: of the kind `? (18 % slower to 19 % faster)`.
pub fn is_open_change(standing: &VolumeStanding) -> bool {
    let difference = standing.over_first.as_ref().map(|of| &of.difference);
    matches!(difference, Some(of @ Difference::Open(_)) if !of.is_unstable())
}

/// The change of a volume from the first one, [`NO_CHANGE`] of that itself. Where it is not shown,
/// though each round lies on one side, the range of the rounds: `? (10x to 51x faster)`. Of one
/// disk no change is shown, since that would be noise: `same disk`.
pub fn change_from_first(
    finding: &PhaseFinding,
    standing: &VolumeStanding,
    is_one_disk: bool,
) -> Message {
    let Some(comparison) = &standing.over_first else { return Message::verbatim(NO_CHANGE) };
    // Older documents have a judged change for volumes of one disk, too.
    if is_one_disk || comparison.is_of_one_disk() {
        return Message::new("change-one-disk");
    }
    match finding.one_sided(standing) {
        Some([ratio, least, most]) => {
            let range = ChangeText::of(ratio, least, most).whole_range(comparison.better);
            Message::new("change-of-rounds").part("range", range)
        }
        None => change_with_interval(comparison),
    }
}

/// How a volume stands to the best: `best`, or `= best` where it is equal; empty of one that is
/// slower.
pub fn lead_mark(lead: Lead) -> Message {
    match lead {
        Lead::Alone => Message::new("lead-alone"),
        Lead::Shared => Message::new("lead-shared"),
        Lead::Open => Message::new("lead-open"),
        Lead::Behind => Message::verbatim(""),
    }
}

/// How a volume stands to the best of three or more, where a mark says it: one that was worse in
/// every round has none, also where that was not judged.
pub fn marked_lead(finding: &PhaseFinding, standing: &VolumeStanding) -> Option<Lead> {
    let is_open = |lead: &Lead| *lead == Lead::Open;
    let lead = finding.lead(standing);
    lead.filter(|lead| !(is_open(lead) && finding.is_worse_in_each_round(standing)))
}

/// What the marks of volumes mean: a line for each that is not plain by itself.
pub fn lead_legend(leads: &[Lead]) -> Vec<Message> {
    let marks = [(Lead::Shared, "lead-shared-legend"), (Lead::Open, "lead-open-legend")];
    let stands = marks.into_iter().filter(|(lead, _)| leads.contains(lead));
    stands.map(|(_, id)| Message::new(id)).collect()
}

/// In place of the change of the figure that others are compared with.
pub const NO_CHANGE: &str = "-";

/// The judgement of a change, as text. An unstable change that a gate decides has the gate's word
/// behind it: `unstable, and at most 5 % worse: PASS`.
pub fn verdict(contrast: &Contrast, allowed_percent: Option<f64>) -> Message {
    let bare = bare_verdict(contrast);
    let is_undecided =
        || allowed_percent.is_some_and(|of| contrast.outcome(of) == RowOutcome::Undecided);
    if contrast.verdict == ContrastVerdict::Worse && contrast.is_uncertain() && is_undecided() {
        return Message::new("change-worse-uncertain");
    }
    let is_unstable = contrast.comparison.as_ref().is_some_and(|of| of.difference.is_unstable());
    let outcome = allowed_percent.filter(|_| is_unstable).map(|of| contrast.outcome(of));
    match outcome.filter(|of| *of != RowOutcome::Undecided) {
        Some(outcome) => {
            let outcome = Standing::from(outcome).tell();
            Message::new("change-gated").part("verdict", bare).part("outcome", outcome)
        }
        None => bare,
    }
}

/// An unstable change may be any improvement and still be bounded on the other side.
fn unstable(contrast: &Contrast) -> Message {
    let bound = contrast.worse_ends_percent().map(|(_, far)| far);
    match bound.filter(|far| *far <= NOT_STABLE_PERCENT) {
        Some(far) => Message::new("change-unstable-bounded").with("worse", percent(far)),
        None => Message::new("change-unstable"),
    }
}

fn bare_verdict(contrast: &Contrast) -> Message {
    let Some(comparison) = &contrast.comparison else {
        return why_unjudged(contrast.unjudged.unwrap_or(Unjudged::OneRun));
    };
    match (contrast.verdict, &comparison.difference) {
        (ContrastVerdict::Better, _) => Message::new("change-better"),
        (ContrastVerdict::Worse, _) => Message::new("change-worse"),
        (_, Difference::Equal(_)) => equal(comparison),
        (_, difference) if difference.is_unstable() => unstable(contrast),
        (_, Difference::NotEnough { lack }) => {
            Message::new("change-not-judged").part("lack", lack.tell())
        }
        _ => Message::new("change-not-yet"),
    }
}

/// Why a figure is shown and not judged.
pub fn why_unjudged(reason: Unjudged) -> Message {
    match reason {
        Unjudged::OneRun => Message::new("change-unjudged-one"),
        Unjudged::Unknown => Message::new("change-unjudged-unknown"),
        Unjudged::Few { n, needed } => {
            Message::new("change-unjudged-few").with("n", n).with("needed", needed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analysis::{Better, JudgeRule, RatioBounds, SharedRounds};
    use fathom_document::compare::Known;
    use fathom_message::Lang;
    use fathom_vocab::Direction;

    #[test]
    fn shares_have_two_figures() {
        assert_eq!([12.3, 1.24, 0.123].map(percent), ["12 %", "1.2 %", "0.12 %"]);
    }

    /// Rounds of which the second side is not worse than by 4 %, and may be far better.
    fn unstable_contrast() -> Contrast {
        let known = |values: [f64; 3]| Known::of_rounds(values[1], values.to_vec());
        let (before, after) = (known([100.0, 100.1, 99.9]), known([90.0, 200.0, 250.0]));
        let likely = Some([0.96, 2.6]);
        let difference = Difference::Open(RatioBounds { ratio: 1.8, low: 0.9, high: 2.9, likely });
        let [a, b] = before.sides(&after, ["a", "b"], [None; 2]).unwrap();
        let comparison = Comparison::apart(a, b, Better::Higher, JudgeRule::among(2));
        Contrast {
            name: "a".to_owned(),
            direction: Direction::Read,
            judged: Judged::Iops,
            before,
            after,
            change_percent: 80.0,
            comparison: Some(Comparison { difference, ..comparison }),
            unjudged: None,
            verdict: ContrastVerdict::Unknown,
        }
    }

    #[test]
    fn an_unstable_change_that_passes_says_why() {
        let contrast = unstable_contrast();
        let text = |allowed| verdict(&contrast, allowed).text(Lang::En);
        assert_eq!(text(Some(5.0)), "uncertain, and at most 4.0 % worse: PASS");
        assert_eq!(text(None), "uncertain, and at most 4.0 % worse");
        let korean = verdict(&contrast, Some(5.0)).text(Lang::Ko);
        assert_eq!(korean, "불확실하지만 나빠져도 최대 4.0 %: PASS(충족)");
        let mut open = contrast.clone();
        let difference = &mut open.comparison.as_mut().unwrap().difference;
        let Difference::Open(of) = difference else { panic!("{difference:?}") };
        of.likely = Some([0.1, 2.6]);
        assert_eq!(verdict(&open, Some(5.0)).text(Lang::En), "uncertain");
    }

    #[test]
    fn a_change_stands_with_its_interval() {
        let text = |rounds: &[(f64, f64)]| {
            let side = |value: fn(&(f64, f64)) -> f64| rounds.iter().map(value).map(Some).collect();
            let sides = [("a".to_owned(), side(|of| of.0)), ("b".to_owned(), side(|of| of.1))];
            let rule = JudgeRule::among(1);
            let of = SharedRounds::new(sides).compare([0, 1], Better::Higher, rule);
            change_with_interval(&of).text(Lang::En)
        };
        let faster = [(100.0, 2000.0), (101.0, 2010.0), (99.0, 1990.0), (100.0, 2001.0)];
        let shown = text(&faster);
        assert!(shown.starts_with("20.0x faster (19.") && shown.ends_with(')'), "{shown}");
        assert_eq!(text(&faster[..2]), "uncertain");
        let even = [(100.0, 104.0), (101.0, 99.0), (99.0, 103.0), (100.0, 97.0), (101.0, 102.0)];
        assert_eq!(text(&even), "equal within 5 %");
        let open = text(&even.map(|(a, b)| (a, b * b / 100.0)));
        assert!(open.starts_with("? (") && open.contains(" % slower to "), "{open}");
    }
}
