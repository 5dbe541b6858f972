//! The text output of promises, on wide and narrow screens, and refusals.

use super::*;
use crate::terminal::screen::columns;
use clap::Parser;
use fathom_message::Lang;
use serde_json::{Value, json};

const WIDE: Screen =
    Screen { width: 100, colour: false, unicode: true, live: false, lang: Lang::En };

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: PromisesArgs,
}

fn ask_on(screen: &Screen, line: &str) -> Result<String, String> {
    let words = std::iter::once("promises").chain(line.split_whitespace());
    answer(&Line::try_parse_from(words).unwrap().args, screen).map_err(|why| why.to_string())
}

fn ask(line: &str) -> String {
    ask_on(&WIDE, line).unwrap()
}

fn refuse(line: &str) -> String {
    ask_on(&WIDE, line).unwrap_err()
}

/// The words of the line that begins with `start`.
fn words<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.trim_start().starts_with(start));
    line.unwrap_or_else(|| panic!("no line {start}: {text}")).split_whitespace().collect()
}

#[test]
fn one_volume_is_shown_with_every_number_and_its_source() {
    let text = ask("aws.gp2 --volume-size 100GiB");
    assert!(text.starts_with("aws.gp2: Amazon EBS gp2\n"), "{text}");
    assert!(text.contains("Promised for 100 GiB (107 GB)"), "{text}");
    assert_eq!(words(&text, "reads and writes"), ["reads", "and", "writes", "300", "134", "128"]);
    assert_eq!(words(&text, "burst, ")[4..], ["3,000", "134", "128"]);
    for part in [
        "90 % of that is promised for 99 % of the time.",
        "A full bucket lasts 33 min 20 s, and an empty one fills in 5 h 0 min.",
        "  ! A full bucket lasts 33 min: a shorter run misses the baseline.\n",
        "  - The instance has limits of its own",
        "  [A1] EC2 User Guide",
        "Numbers: as of 2023, read in the",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(words(&text, "1 MiB"), ["1", "MiB", "75", "78.6", "IOPS"]);
    assert!(!text.contains("Example"), "numbers were asked for and given");
}

#[test]
fn a_purchase_that_depends_on_the_size_is_not_left_out_in_silence() {
    let text = ask("aws.gp3");
    assert!(!text.contains("largest to buy  "), "{text}");
    let needed = "What is the largest to buy depends on the size: give --volume-size.";
    assert!(text.contains(needed), "{text}");
    let text = ask("aws.gp3 --volume-size 500GB");
    assert_eq!(words(&text, "largest to buy")[3..], ["80,000", "2,097", "2,000"]);
    assert!(!text.contains(needed), "{text}");
}

#[test]
fn a_size_is_echoed_in_the_base_in_which_it_was_typed() {
    for (typed, echoed) in [("500GB", "500 GB (466 GiB)"), ("500GiB", "500 GiB (537 GB)")] {
        let text = ask(&format!("aws.gp3 --volume-size {typed}"));
        assert!(text.contains(&format!("Promised for {echoed}\n")), "{text}");
    }
}

#[test]
fn without_a_size_the_rules_and_an_example_stand_in() {
    let text = ask("aws.gp2");
    assert!(text.contains("  IOPS: 3 x GiB, 100 to 16,000\n"), "{text}");
    assert!(text.contains("give --volume-size, such as 500GiB."), "{text}");
    assert!(text.ends_with("Example\n  fathom promises aws.gp2 --volume-size 500GiB\n"), "{text}");
    let sold = ask("aws.gp3 --volume-size 500GiB");
    assert_eq!(words(&sold, "largest to buy")[3..], ["80,000", "2,097", "2,000"]);
    let anf = ask("azure.anf");
    assert!(anf.contains("  --variant premium: Premium; MiB/s: 64 x TiB\n"), "{anf}");
}

#[test]
fn every_row_can_be_shown_and_its_example_works() {
    let catalogue = Catalogue::builtin().unwrap();
    for row in catalogue.volumes() {
        let text = ask(&row.id);
        for source in &row.sources {
            assert!(text.contains(&format!("[{}]", source.id)), "{}: {text}", row.id);
        }
        let example = text.lines().last().unwrap().trim();
        let flags = example.strip_prefix("fathom promises ").unwrap_or_else(|| panic!("{text}"));
        let shown = ask(flags);
        assert!(
            shown.contains("\nPromised")
                || shown.contains("target")
                || shown.contains("Nothing")
                || shown.contains("Measured"),
            "{shown}"
        );
        assert!(!shown.contains("For numbers"), "{shown}");
    }
}

#[test]
fn measured_points_do_not_pass_for_promises() {
    let text = ask("naver.nas --volume-size 3000GB");
    assert!(text.contains("Measured by others, not promised for 3 TB"), "{text}");
    assert_eq!(words(&text, "3 TB, reads"), ["3", "TB,", "reads", "4,010", "-", "-"]);
    assert!(text.contains("  ! The provider promises nothing here.\n"), "{text}");
    assert!(!text.contains("What that comes to"), "{text}");
}

#[test]
fn words_filter_the_list_and_a_single_find_is_shown() {
    let list = ask("azure premium");
    assert!(words(&list, "azure.premium_v2").contains(&"2026-08-11"), "{list}");
    assert!(!list.contains("azure.ultra") && !list.contains("Sources"), "{list}");
    assert!(ask("gp2").contains("Sources"));
    let all = ask("");
    for row in Catalogue::builtin().unwrap().volumes() {
        assert!(all.lines().any(|line| line.trim_start().starts_with(&row.id)), "{}", row.id);
    }
}

#[test]
fn the_list_has_one_line_a_volume_in_eighty_columns() {
    let catalogue = Catalogue::builtin().unwrap();
    let begins = |line: &str, row: &VolumeRow| line.starts_with(&format!("{} ", row.id));
    for lang in [Lang::Ko, Lang::En] {
        let text = ask_on(&Screen { width: 80, lang, ..WIDE }, "").unwrap();
        for row in catalogue.volumes() {
            let lines: Vec<&str> = text.lines().filter(|line| begins(line, row)).collect();
            assert_eq!(lines.len(), 1, "{}: {text}", row.id);
            assert!(
                lines[0].contains(&crate::language::in_language(lang, &row.as_of))
                    && columns(lines[0]) <= 80,
                "{text}"
            );
        }
    }
    let text = ask_on(&Screen { width: 80, ..WIDE }, "").unwrap();
    assert_eq!(words(&text, "aws.gp2")[1], "100-16,000", "{text}");
    // The knob raises its ends.
    let ultra = words(&text, "oci.ultra_high");
    assert!(!ultra.contains(&"0") && ultra.contains(&"to"), "{text}");
}

#[test]
fn nothing_is_wider_than_the_screen() {
    for width in [40, 60, 76, 80, 120] {
        let screen = Screen { width, ..WIDE };
        for line in ["", "aws.gp3 --volume-size 500GB", "naver.nas", "oci.ultra_high"] {
            let text = ask_on(&screen, line).unwrap();
            let tables = text.lines().filter(|line| !line.contains("fathom promises"));
            // The tables of numbers have a least width of their own.
            let wide = tables.filter(|line| line.chars().count() > width.max(47));
            assert_eq!(wide.collect::<Vec<_>>(), [""; 0], "{width}: {line}");
        }
    }
}

#[test]
fn refusals_say_what_to_do() {
    assert_eq!(
        refuse("aws.gp4 --volume-size 5GiB"),
        "the catalogue has no 'aws.gp4'; did you mean aws.gp2 or aws.gp3? (`fathom promises` \
         lists all volumes)"
    );
    assert!(refuse("--volume-size 5GiB").contains("such as aws.gp3"));
    assert!(refuse("azure premium --volume-size 5GiB").contains("azure.premium_ssd"));
    assert!(refuse("aws.io1 --volume-size 100GiB").contains("give --iops"));
    assert!(refuse("aws.gp2 --volume-size 100GiB --mbps 100").contains("leave out --mbps"));
    assert!(refuse("--promises /no/such.toml").contains("cannot read /no/such.toml"));
    let parse = |line: &str| Line::try_parse_from(line.split(' ')).err().map(|e| e.to_string());
    assert!(parse("p aws.gp3 --volume-size 5XB").unwrap().contains("500GiB"));
    assert!(parse("p aws.gp3 --iops none").unwrap().contains("such as 6000"));
    assert!(parse("p oci.ultra_high --knob vpu").unwrap().contains("vpu=60"));
    assert!(parse("p aws.gp3 --iops 6,000 --mbps 250MiB/s --knob a=1").is_none());
}

#[test]
fn the_documents_hold_rows_promises_and_what_is_needed() {
    let document = |line: &str| -> Value { serde_json::from_str(&ask(line)).unwrap() };
    let all = document("--json");
    assert_eq!((&all["kind"], &all["schema"]), (&json!("fathom-promises"), &json!(1)));
    assert!(all["volumes"].as_array().unwrap().len() > 50);
    let one = document("aws.gp3 --volume-size 500GiB --iops 6000 --json");
    assert_eq!(one["kind"], "fathom-promise");
    assert_eq!(one["promise"]["read"]["iops"], 6000.0);
    assert_eq!(one["config"]["size"], "500 GiB");
    assert_eq!(one["at_block_sizes"][4]["read"]["iops"], 125.0);
    assert_eq!(one["at_block_sizes"][4]["read"]["bound"], "throughput");
    assert_eq!(one["needed"], Value::Null);
    let needy = document("aws.gp2 --json");
    assert_eq!(needy["promise"], Value::Null);
    assert!(needy["needed"].as_str().unwrap().contains("--volume-size"));
}

/// Three lower-case words or more in a row, which no name, unit or option has.
fn is_english(line: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_matches([',', '.', ';', ':', '(', ')']);
        word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase())
    };
    let words: Vec<bool> = line.split_whitespace().map(is_word).collect();
    words.windows(3).any(|three| three.iter().all(|word| *word))
}

#[test]
fn korean_rows_have_no_english_but_names_and_titles_of_sources() {
    let screen = Screen { width: 1000, lang: Lang::Ko, ..WIDE };
    for row in Catalogue::builtin().unwrap().volumes() {
        let ask = |line: &str| Lang::Ko.within(|| ask_on(&screen, line)).unwrap();
        let rules = ask(&row.id);
        let flags = rules.lines().last().unwrap().trim().trim_start_matches("fathom promises ");
        for text in [&rules, &ask(flags)] {
            let own = text.lines().skip(1).filter(|line| !line.starts_with("  ["));
            let english: Vec<&str> = own.filter(|line| is_english(line)).collect();
            assert!(english.is_empty(), "{}: {english:#?}", row.id);
            assert!(text.contains("\n출처\n"), "{text}");
        }
    }
}
