//! The text output of a check, from the document of a real one: wide and narrow, in English and in
//! Korean.

use super::table;
use crate::terminal::screen::{Screen, widest};
use crate::terminal::verdicts::VerdictDetail;
use fathom_analysis::CacheVerdict;
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
    let failed = table::failed(&document, &WIDE);
    assert!(failed.contains(" FAIL\n") && !failed.contains("PASS"), "{failed}");
    assert_eq!(failed.lines().count(), 2, "{failed}");
    let coloured = table::failed(&document, &Screen { colour: true, ..WIDE });
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
    assert!(text.contains("All 3 tests: A cache"), "{text}");
    assert!(text.lines().count() <= 10 && !text.contains("QD 32: UNDECIDED"), "{text}");
    let warnings = table::warnings(&document);
    let cached = |warning: &&String| warning.starts_with("All 3 tests: A cache may have served");
    assert_eq!(warnings.iter().filter(cached).count(), 1, "{warnings:?}");
    document.runs[0].key.finding.as_mut().unwrap().cached.verdict = CacheVerdict::Memory;
    let answer = document.summary(Lang::En);
    assert!(answer.ends_with("Memory answered, not a disk."), "{answer}");
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
        let english = shown(&document, &screen) + &table::failed(&document, &screen);
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
    let korean = shown(&document, &Screen { lang: Lang::Ko, ..wide });
    for words in [" 미달  █", "QD 32: 미달\n"] {
        assert!(korean.contains(words), "{words:?}: {korean}");
    }
    assert!(!korean.contains("PASS") && !korean.contains("limits by hand"), "{korean}");
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
