//! `fathom promises` as it is run: a published case, the user's own file, exit codes.

use serde_json::Value;

use crate::sandbox::{Outcome, Sandbox, subject};

fn promises(sandbox: &Sandbox, line: &str) -> Outcome {
    let program = subject().display().to_string();
    let fixed = ["-u", "COLUMNS", program.as_str(), "promises"];
    let args: Vec<&str> = fixed.into_iter().chain(line.split_whitespace()).collect();
    let outcome = sandbox.start_program("/usr/bin/env", &args).finish();
    outcome.assert_no_panic();
    outcome
}

fn text(outcome: &Outcome) -> &str {
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    assert_eq!(outcome.stderr, "");
    &outcome.stdout
}

#[test]
fn the_ssd_of_the_published_comparison_is_promised_twenty_thousand() {
    let sandbox = Sandbox::new();
    let outcome = promises(&sandbox, "naver.block_ssd --volume-size 500GB");
    let shown = text(&outcome);
    assert!(shown.contains("Promised for 500 GB"), "{shown}");
    let line = shown.lines().find(|line| line.contains("reads and writes")).unwrap();
    assert!(line.contains(" 20,000 "), "{line}");
    assert!(shown.contains("(2022-12)"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

#[test]
fn the_list_has_a_line_for_each_provider() {
    let sandbox = Sandbox::new();
    let outcome = promises(&sandbox, "");
    let shown = text(&outcome);
    for id in [
        "aws.gp3",
        "google.pd_ssd",
        "azure.ultra",
        "naver.nas",
        "oci.balanced",
        "ibm.vpc_sdp",
        "alibaba.essd_pl1",
        "tencent.enhanced_ssd",
        "digitalocean.volume",
        "akamai.block",
        "ionos.nfs",
    ] {
        assert!(shown.lines().any(|line| line.trim_start().starts_with(id)), "{id}: {shown}");
    }
}

#[test]
fn a_file_of_ones_own_stands_over_the_catalogue() {
    let sandbox = Sandbox::new();
    let own = "schema = 1\n[[volume]]\nid = \"own.san\"\nname = \"The SAN\"\nkind = \"block\"\n\
        scope = \"pool\"\nas_of = \"2026-01\"\nconfidence = \"H\"\n\
        sources = [{ id = \"us\", title = \"Contract\", as_of = \"2026-01\" }]\n\
        [volume.limits]\niops = { constant = 12000 }\n";
    sandbox.write("own.toml", own);
    let outcome = promises(&sandbox, "own.san --json --promises own.toml");
    let document: Value = serde_json::from_str(text(&outcome)).unwrap();
    assert_eq!(document["promise"]["write"]["iops"], 12_000.0);
    assert_eq!(document["promise"]["sources"][0]["title"], "Contract");

    sandbox.write("own.toml", own.replace("constant", "konstant"));
    let wrong = promises(&sandbox, "own.san --promises own.toml");
    assert_eq!(wrong.code, Some(1), "{}", wrong.describe("exit code"));
    assert!(wrong.stderr.contains("own.toml, line 11, field 'iops'"), "{}", wrong.stderr);
}

#[test]
fn the_example_of_the_help_is_a_file_that_is_read() {
    let sandbox = Sandbox::new();
    let help = promises(&sandbox, "--help");
    let help = text(&help);
    let from = help.find("  schema = 1").expect("the file of the help");
    let to = help.find("Exit codes").expect("what comes after it");
    sandbox.write("own.toml", &help[from..to]);
    let outcome = promises(&sandbox, "aws.gp3 --volume-size 1000GiB --promises own.toml");
    let shown = text(&outcome);
    let line = shown.lines().find(|line| line.contains("reads and writes")).unwrap();
    assert!(line.contains(" 9,000 "), "{shown}");
}

#[test]
fn exit_codes_tell_a_wrong_name_from_a_wrong_line() {
    let sandbox = Sandbox::new();
    let unknown = promises(&sandbox, "aws.gp33");
    assert_eq!((unknown.code, unknown.stdout.as_str()), (Some(2), ""));
    assert!(unknown.stderr.contains("did you mean aws.gp3"), "{}", unknown.stderr);
    let missing = promises(&sandbox, "aws.io2 --volume-size 100GiB");
    assert_eq!(missing.code, Some(1));
    assert!(missing.stderr.contains("give --iops"), "{}", missing.stderr);
    let usage = promises(&sandbox, "aws.gp3 --volume-size huge");
    assert_eq!(usage.code, Some(2));
    assert!(usage.stderr.contains("500GiB"), "{}", usage.stderr);
}
