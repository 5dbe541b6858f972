//! The text output of a check, from the document of a real one: wide and narrow, in English and in
//! Korean.

use super::{judged, table};
use crate::terminal::screen::{Screen, widest};
use crate::terminal::verdicts::VerdictDetail;
use fathom_analysis::promise::{
    IntervalShare, JudgedDirections, PromiseEvidence, PromiseOutcome, PromiseVerdict,
};
use fathom_analysis::{
    CacheVerdict, Cap, CapConfidence, CapFinding, CapKind, ClientSign, ClientVerdict, Evidence,
    KnownLimit,
};
use fathom_campaign::DocumentSummary;
use fathom_campaign::check::{CheckDocument, Doubt, Standing};
use fathom_message::{Lang, Tell};

const WIDE: Screen =
    Screen { width: 80, colour: false, unicode: true, live: false, lang: Lang::En };

/// Limits by hand for latency, IOPS and bytes a second, of which IOPS are missed.
fn document() -> CheckDocument {
    let text = include_str!("../../../report/fixtures/hand.json");
    let mut document: CheckDocument = serde_json::from_str(text).unwrap();
    document.standing = Standing::Missed;
    let run = &mut document.runs[1];
    run.figures.as_mut().unwrap().total.iops = 1500.0;
    let finding = run.key.finding.as_mut().unwrap();
    (finding.standing, finding.reached) = (Standing::Missed, 0);
    document
}

fn shown(document: &CheckDocument, screen: &Screen) -> String {
    table::results(document, VerdictDetail::Telling, screen)
}

/// The lines that end in a bar, from where it begins.
fn bars(text: &str) -> Vec<&str> {
    const BLOCKS: [char; 8] = ['█', '▉', '▊', '▋', '▌', '▍', '▎', '▏'];
    let ends = |line: &&str| line.ends_with(['│', '▸']) && line.contains(BLOCKS);
    text.lines().filter(ends).map(|line| &line[line.find(BLOCKS).unwrap_or(0)..]).collect()
}

#[test]
fn each_run_has_a_bar_beside_its_promise_wherever_there_is_room() {
    let document = document();
    // Latency well within its limit, half of the IOPS, twenty times the bytes.
    for (width, longest) in [(40, 36), (80, 50), (96, 50), (120, 50)] {
        for lang in Lang::ALL {
            let screen = Screen { width, lang, ..WIDE };
            let text = shown(&document, &screen);
            let bars = bars(&text);
            assert_eq!(bars.len(), 3, "{width}: {text}");
            let length = bars[2].chars().count();
            assert!((8..=longest).contains(&length), "{width}: {text}");
            assert!(bars[0].ends_with('│') && bars[0].chars().count() == length, "{text}");
            let half = bars[1].chars().filter(|c| "█▌".contains(*c)).count();
            assert!(half == (length - 1).div_ceil(2) && bars[1].ends_with('│'), "{text}");
            assert_eq!(bars[2].matches('█').count() + 1, length, "{text}");
            assert!(bars[2].ends_with('▸'), "{text}");
            assert!(widest(&text) <= width, "{width}: {text}");
        }
    }
}

#[test]
fn the_brief_form_has_a_row_for_each_limit_and_no_bars() {
    let document = document();
    let text = table::results(&document, VerdictDetail::Brief, &WIDE);
    assert!(bars(&text).is_empty(), "{text}");
    for row in ["QD 32", "PASS", "FAIL"] {
        assert!(text.contains(row), "{text}");
    }
    assert!(text.lines().count() <= 12 && widest(&text) <= 80, "{text}");
    // All that is quiet is the rest: a PASS has its row, too.
    let bare = table::bare(&document, &WIDE);
    assert!(bare.contains(" FAIL\n") && bare.contains(" PASS\n"), "{bare}");
    assert_eq!(bare.lines().count(), 4, "{bare}");
    let coloured = table::bare(&document, &Screen { colour: true, ..WIDE });
    assert!(coloured.contains("\x1b[31mFAIL\x1b[0m"), "{coloured}");
}

/// A cause that all runs share is no cause to repeat it below each of them.
#[test]
fn why_runs_are_undecided_is_said_once() {
    let mut document = document();
    document.standing = Standing::CouldNotTell;
    for run in &mut document.runs {
        let direction = run.load.direction;
        let finding = run.key.finding.as_mut().unwrap();
        (finding.standing, finding.doubt) = (Standing::CouldNotTell, Some(Doubt::Cached));
        finding.cached.verdict = CacheVerdict::Suspected;
        (finding.cached.direction, finding.reached) = (direction, finding.seconds);
        finding.sentences = vec![finding.cached.tell().to_string()];
    }
    let answer = document.summary(Lang::En);
    assert!(answer.ends_with("left out. A cache may have served a part."), "{answer}");
    let text = table::results(&document, VerdictDetail::Brief, &WIDE);
    assert_eq!(text.matches("A cache may have served").count(), 1, "{text}");
    assert!(text.contains("UNDECIDED for all 3 limits: A cache"), "{text}");
    assert!(text.lines().count() <= 10 && !text.contains("QD 32: UNDECIDED"), "{text}");
    let warnings = table::warnings(&document, &document.runs);
    let cached = |warning: &&String| warning.starts_with("All 3 runs: A cache may have served");
    assert_eq!(warnings.iter().filter(cached).count(), 1, "{warnings:?}");
    document.runs[0].key.finding.as_mut().unwrap().cached.verdict = CacheVerdict::Memory;
    let answer = document.summary(Lang::En);
    assert!(answer.ends_with("Memory answered, not a disk."), "{answer}");
}

/// A promise whose first limit has three times the rate, but only in 28 of 30 seconds; other I/O
/// the device meanwhile, or nobody did.
fn short_of_time(others: bool) -> CheckDocument {
    let text = include_str!("../../../report/fixtures/check.json");
    let mut document: CheckDocument = serde_json::from_str(text).unwrap();
    for (at, run) in document.runs.iter_mut().enumerate() {
        let load = run.key.load.clone();
        let mut finding = run.key.finding.take().unwrap();
        (finding.client.verdict, finding.client.signs) = (ClientVerdict::Roomy, Vec::new());
        finding.cached.direction = load.direction;
        if at == 0 {
            let threshold_iops = load.promised.rate.unwrap().iops * 0.9;
            let (intervals, reached, interval_s, share_of_time) = (30, 28, 1.0, 0.99);
            let evidence = PromiseEvidence::Intervals(IntervalShare {
                intervals,
                interval_s,
                reached,
                threshold_iops,
                share_of_time,
            });
            let (way, outcome) = (JudgedDirections::Read, PromiseOutcome::Missed);
            finding.judgement.verdicts.push(PromiseVerdict { way, outcome, evidence });
            if others {
                finding.cached.verdict = CacheVerdict::Foreign { times: 0.3 };
            }
        }
        run.key.finding = Some(finding.concluded(&load, false));
    }
    document.standing = document.stands();
    document
}

/// The lines of a text as one.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_row_that_fails_beside_a_figure_that_looks_good_says_why() {
    let document = short_of_time(false);
    assert_eq!(document.standing, Standing::Missed);
    let why = "93.3 % of the seconds reached the promise; 99 % are promised.";
    let title = document.runs[0].load.title();
    let brief = table::results(&document, VerdictDetail::Brief, &WIDE);
    for text in [brief, table::bare(&document, &WIDE)] {
        assert!(unwrapped(&text).contains(&format!("! {title}: {why}")), "{text}");
        assert!(widest(&text) <= 80, "{text}");
    }
    let korean = Screen { lang: Lang::Ko, ..WIDE };
    let text = table::results(&document, VerdictDetail::Brief, &korean);
    assert!(text.contains("보장 기준은 99 %입니다") && !text.contains("seconds"), "{text}");
    let cases = judged::cases_of(&document, &document.runs[0]);
    assert!(cases[0].sentence.starts_with("measured "), "{cases:?}");
    assert!(cases[0].sentence.ends_with(&format!(". {why}")), "{cases:?}");
}

#[test]
fn seconds_beside_others_are_undecided_and_say_so_once() {
    let document = short_of_time(true);
    assert_eq!(document.standing, Standing::CouldNotTell);
    let answer = document.summary(Lang::En);
    assert!(answer.ends_with("Other I/O ran on the device meanwhile."), "{answer}");
    let text = table::results(&document, VerdictDetail::Brief, &WIDE);
    assert!(unwrapped(&text).contains("99 % are promised. Other I/O ran on the device"), "{text}");
    assert_eq!(text.matches("ther I/O ran on the device").count(), 1, "{text}");
}

#[test]
fn at_most_three_reasons_stand_below_the_table_and_alike_ones_together() {
    let mut document = document();
    let mut runs = document.runs.clone();
    runs.extend(document.runs.iter().cloned());
    document.runs = runs;
    document.planned = document.runs.len();
    let doubts = [Doubt::Cached, Doubt::CutShort, Doubt::Client, Doubt::Cached, Doubt::NotAsked];
    for (run, doubt) in document.runs.iter_mut().zip(doubts.into_iter().cycle()) {
        let direction = run.load.direction;
        let finding = run.key.finding.as_mut().unwrap();
        (finding.standing, finding.doubt) = (Standing::CouldNotTell, Some(doubt));
        finding.cached.direction = direction;
        finding.cached.verdict = CacheVerdict::Suspected;
        (finding.client.verdict, finding.client.signs) =
            (ClientVerdict::Tight, vec![ClientSign::Others { busy: 0.9 }]);
    }
    let text = table::bare(&document, &Screen { width: 200, ..WIDE });
    let reasons: Vec<&str> = text.lines().filter(|line| line.starts_with("  ! ")).collect();
    assert_eq!(reasons.len(), 3, "{text}");
    assert!(reasons[0].starts_with("  ! UNDECIDED for 3 of 6 limits, such as 4 KiB"), "{text}");
    assert!(reasons[0].contains("A cache may have served part of the"), "{text}");
}

/// A pipeline shows one case; warnings on others say nothing of it.
#[test]
fn a_case_has_the_cap_that_held_it_and_only_its_own_warnings() {
    let mut document = document();
    let value = 3000.0;
    let known = KnownLimit {
        unit: CapKind::Iops.unit(),
        per_second: value,
        reached: value,
        others: 0.0,
        group: "/limited".to_owned(),
        both_ways: true,
    };
    document.runs[1].key.finding.as_mut().unwrap().cap = Some(CapFinding::Capped(Cap {
        kind: CapKind::Iops,
        value,
        or: None,
        evidence: vec![Evidence::Known(known)],
        confidence: CapConfidence::High,
    }));
    let finding = document.runs[0].key.finding.as_mut().unwrap();
    (finding.standing, finding.doubt) = (Standing::CouldNotTell, Some(Doubt::Cached));
    finding.cached.verdict = CacheVerdict::Suspected;
    let of = |at: usize| judged::cases_of(&document, &document.runs[at]).remove(0);
    let missed = of(1);
    assert!(missed.sentence.contains(". Capped at 3,000 IOPS"), "{missed:?}");
    assert!(missed.sentence.contains("control group /limited"), "{missed:?}");
    let cached = |warnings: Option<Vec<String>>| {
        warnings.unwrap().iter().any(|text| text.contains("A cache may have"))
    };
    assert!(cached(of(0).warnings) && !cached(missed.warnings));
}

/// Nothing is promised where the user states the limits.
#[test]
fn limits_by_hand_are_called_limits() {
    let mut document = document();
    // What an earlier version called them stays in its documents.
    for run in &mut document.runs {
        run.key.finding.as_mut().unwrap().sentences.clear();
    }
    for width in [40, 80, 120] {
        let screen = Screen { width, ..WIDE };
        let english = shown(&document, &screen) + &table::bare(&document, &screen);
        assert!(english.contains("limit ") && !english.contains("promise"), "{english}");
        let korean = shown(&document, &Screen { lang: Lang::Ko, ..screen });
        assert!(korean.contains("기준") && !korean.contains("보장"), "{korean}");
    }
}

#[test]
fn without_room_there_are_no_bars_and_plain_letters_stay_plain() {
    let document = document();
    let narrow = shown(&document, &Screen { width: 11, ..WIDE });
    assert!(bars(&narrow).is_empty() && !narrow.contains("Bars:"), "{narrow}");
    let plain = shown(&document, &Screen { unicode: false, ..WIDE });
    assert!(plain.is_ascii() && plain.contains("##>\n") && plain.contains("#  "), "{plain}");
}

#[test]
fn a_mean_has_no_bar_beside_the_limit_of_a_percentile() {
    let mut document = document();
    document.runs.truncate(1);
    document.planned = 1;
    document.runs[0].key.finding.as_mut().unwrap().judgement.verdicts.clear();
    let text = shown(&document, &WIDE);
    assert!(bars(&text).is_empty() && !text.contains("Bars:"), "{text}");
}

#[test]
fn verdicts_and_the_answer_are_told_in_the_readers_language() {
    let document = document();
    let wide = Screen { width: 120, ..WIDE };
    let english = shown(&document, &wide);
    for words in [" PASS  █", " FAIL  █", "QD 32: FAIL\n"] {
        assert!(english.contains(words), "{words:?}: {english}");
    }
    assert!(!english.contains("QD 32: PASS\n"), "a row says enough of it: {english}");
    let answer = "FAIL: 1 of 3 limits missed; 3 that write were left out.";
    assert!(document.summary(Lang::En).ends_with(answer), "{}", document.summary(Lang::En));
    assert!(!english.contains(answer), "it is said once, in the first sentence: {english}");
    let korean = Lang::Ko.within(|| shown(&document, &Screen { lang: Lang::Ko, ..wide }));
    for words in [" FAIL(미달)  █", "큐 깊이 32: FAIL(미달)\n"] {
        assert!(korean.contains(words), "{words:?}: {korean}");
    }
    assert!(!korean.contains("limits by hand"), "{korean}");
    // Bars begin in one column, whatever the words before them take.
    let rows = korean.lines().filter_map(|line| line.split_once('█'));
    let begins: Vec<usize> = rows.map(|(before, _)| widest(before)).collect();
    assert!(begins.len() == 3 && begins.iter().all(|at| *at == begins[0]), "{korean}");
    let narrow = shown(&document, &Screen { width: 60, ..WIDE });
    assert!(narrow.contains("  4 KiB random read, QD 32: FAIL\n"), "{narrow}");
}

#[test]
fn what_was_not_checked_is_part_of_the_answer() {
    let mut document = document();
    document.standing = Standing::Kept;
    document.left_out = vec![document.runs[0].load.clone()];
    let text = document.summary(Lang::En);
    let answer = "PASS: 3 of 3 limits kept; one that writes was left out.";
    assert!(text.ends_with(answer), "{text}");
    (document.standing, document.planned) = (Standing::CouldNotTell, 5);
    document.left_out.clear();
    let text = document.summary(Lang::En);
    let answer = "UNDECIDED: 2 of 5 limits could not be judged.";
    assert!(text.ends_with(answer), "{text}");
}
