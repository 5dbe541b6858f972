//! The sentence of a run: the same in every form, first on the terminal, and short enough after it
//! that one volume takes twenty lines and three take forty.

use std::fs;

use crate::live::Terminal;
use crate::sandbox::{Sandbox, without_breaks};

fn content(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.work().join(name)).unwrap()
}

/// A text as Markdown and HTML write it, without their escapes.
fn plain(text: &str) -> String {
    let text = text.replace("&#x2f;", "/").replace("&#47;", "/").replace("&amp;", "&");
    without_breaks(&text.replace('\\', ""))
}

#[test]
fn every_form_of_a_run_begins_with_the_same_sentence() {
    for line in [
        "measure . --size 8m --time 1s",
        "sweep . --size 8m --time-per-run 100ms --ramp 0 --iodepth 1,2",
        "check . --size 8m --time-per-run 2s --iops 1 --read-only",
        "limit . --size 8m --time-per-run 200ms --p99 10s --max-steps 5",
        "compare . other --size 8m --time 600ms --repeat 3 --rw randread",
    ] {
        let sandbox = Sandbox::new();
        fs::create_dir(sandbox.work().join("other")).unwrap();
        let forms = "--json=r.json --markdown=r.md --report page.html --quiet --tag this";
        let outcome = sandbox.fathom(&format!("{line} {forms}"));
        let document: serde_json::Value =
            serde_json::from_str(&content(&sandbox, "r.json")).unwrap();
        let sentence = document["summary"].as_str().unwrap_or_default();
        // A folder is named from the root, never as it was typed.
        let folder = sandbox.work().display().to_string();
        assert!(
            sentence.contains(&format!("{folder}: ")) || line.starts_with("compare"),
            "{sentence}"
        );
        assert!(sentence.ends_with('.') && !sentence.contains(". :"), "{line}: {sentence}");
        assert!(
            without_breaks(&outcome.stdout).starts_with(sentence),
            "{line}: {sentence}\n{}",
            outcome.stdout
        );
        let page = plain(&content(&sandbox, "r.md"));
        assert!(page.contains(&format!("**{sentence}**")), "{line}: {sentence}\n{page}");
        let report = plain(&content(&sandbox, "page.html"));
        assert!(report.contains(sentence), "{line}: {sentence}");
        // By its label: `latest` is a run with figures, and a busy disk may give none in 100 ms.
        let shown = sandbox.fathom("history show this");
        assert!(
            without_breaks(&shown.assert_ended(0).stdout).contains(sentence),
            "{}",
            shown.stdout
        );
        let korean = sandbox.fathom("--lang ko history show this").stdout;
        assert!(korean.chars().any(|c| ('가'..='힣').contains(&c)), "{line}: {korean}");
    }
}

/// What a run prints on a terminal of 80 columns: before it measures, and after.
fn on_a_terminal(sandbox: &Sandbox, line: &str) -> Option<(String, String)> {
    let script = format!("stty cols 80 rows 24; exec \"$FATHOM\" {line}");
    let mut terminal = Terminal::open(sandbox, &script, &[("NO_COLOR", "1")])?;
    let seen = terminal.read_until(None).replace('\r', "");
    let (plan, rest) = seen.split_once('\x1b').expect("a view is drawn");
    let (_, said) = rest.rsplit_once("\x1b[J").expect("and taken away");
    Some((plan.to_owned(), said.to_owned()))
}

/// Lines of a plan, but for what is said of single volumes beneath them and breaks of long paths.
fn plan_lines(plan: &str) -> usize {
    let (plan, _) = plan.split_once("\nWrites ").expect("the last line of a plan");
    1 + plan.lines().filter(|line| !line.starts_with("  ")).count()
}

#[test]
fn a_volume_ends_within_twenty_lines_and_begins_with_its_sentence() {
    let sandbox = Sandbox::new();
    let line = "measure . --size 16m --time 1s";
    let Some((plan, said)) = on_a_terminal(&sandbox, line) else { return };
    assert!(plan.contains("Writes 16 MiB once") && plan_lines(&plan) <= 6, "{plan}");
    assert!(said.starts_with(&format!("{}: ", sandbox.work().display())), "{said}");
    let lines: Vec<&str> = said.trim_end().lines().collect();
    assert!(lines.len() <= 20, "{} lines:\n{said}", lines.len());
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{said}");
    assert!(
        lines.last().unwrap().starts_with("Kept in the history: fathom history show "),
        "{said}"
    );
    assert!(said.contains("64 KiB seq. write") && said.contains("p99.9"), "{said}");
    assert!(lines.iter().filter(|line| line.starts_with("  ! ")).count() <= 3, "{said}");
    for hidden in ["hang together", "One core of this host", "mounted with"] {
        assert!(!said.contains(hidden) && !plan.contains(hidden), "{hidden:?}: {plan}{said}");
    }
}

#[test]
fn a_sweep_and_a_limit_fit_a_terminal_of_24_lines_with_their_plan() {
    for line in [
        "sweep . --iodepth 1..64 --time-per-run 100ms --ramp 0",
        "limit . --p99 1ms --time-per-run 200ms --max-steps 12",
    ] {
        let sandbox = Sandbox::new();
        let Some((plan, said)) = on_a_terminal(&sandbox, &format!("{line} --size 16m")) else {
            return;
        };
        let named = format!("{}: ", sandbox.work().display());
        assert!(said.starts_with(&named), "{said}");
        let lines: Vec<&str> = said.trim_end().lines().collect();
        let plan_lines = plan_lines(&plan);
        assert!(plan_lines <= 6 && plan_lines + lines.len() <= 23, "{plan}{said}");
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{said}");
        assert!(lines.iter().filter(|line| line.starts_with("  ! ")).count() <= 3, "{said}");
        let last = lines.last().unwrap();
        assert!(last.starts_with("Kept in the history: fathom history show "), "{said}");
        let hidden = ["from QD", "Best:", "Wait, service", "Bars:", "not cached"];
        assert!(hidden.iter().all(|hidden| !said.contains(hidden)), "{said}");
        let korean = format!("--lang ko {line} --size 16m");
        let Some((_, said)) = on_a_terminal(&sandbox, &korean) else { return };
        for english in ["offered", "QD", "more step"] {
            assert!(!said.contains(english), "{english}: {said}");
        }
    }
}

#[test]
fn three_volumes_end_within_forty_lines_in_measure_and_compare() {
    let sandbox = Sandbox::new();
    for name in ["hdd", "ssd", "nas"] {
        fs::create_dir(sandbox.work().join(name)).unwrap();
    }
    for line in ["measure hdd ssd nas --time 1s", "compare hdd ssd nas --time 2s --repeat 3"] {
        let Some((plan, said)) = on_a_terminal(&sandbox, &format!("{line} --size 8m")) else {
            return;
        };
        assert!(line.starts_with("compare") || plan_lines(&plan) <= 6, "{plan}");
        assert!(said.starts_with("Same disk: differences are noise."), "{said}");
        let lines: Vec<&str> = said.trim_end().lines().collect();
        assert!(lines.len() <= 40, "{} lines:\n{said}", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{said}");
        assert!(lines.last().unwrap().starts_with("Kept in the history: "), "{said}");
        assert!(said.contains("256 KiB seq. write, QD 32"), "{said}");
        // One sentence for all; a claim that all share, such as memory, stands once beside it.
        let own = format!("{}/", sandbox.work().display());
        assert!(line.starts_with("compare") || said.matches(&own).count() <= 1, "{said}");
    }
}
