//! What a user named stays, and what is nested speaks the same language.

use super::*;
use std::path::PathBuf;

#[translated]
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("cannot {action} {path}: {}", .source)]
    File { action: &'static str, path: PathBuf, source: Box<Refusal> },
    #[error("{} is there already; name another file, or remove it first", .0.display())]
    There(PathBuf),
    #[error("{name:?} is {}", advice())]
    Word { name: String },
}

fn advice() -> &'static str {
    "latency"
}

#[test]
fn words_of_ours_are_translated_and_those_of_the_user_are_not() {
    let name = || "latency".to_owned();
    let word = Refusal::Word { name: name() };
    assert_eq!(Lang::En.show(&word), "\"latency\" is latency");
    assert_eq!(Lang::Ko.show(&word), "\"latency\" is 지연 시간");
    let there = Refusal::There(PathBuf::from("latency"));
    assert_eq!(
        Lang::Ko.show(&there),
        "latency가 이미 있습니다. 다른 파일을 지정하거나 먼저 지우십시오"
    );
    let nested =
        Refusal::File { action: "make", path: PathBuf::from(name()), source: there.into() };
    assert!(Lang::Ko.show(&nested).contains("이미 있습니다"), "{}", Lang::Ko.show(&nested));
    assert!(nested.to_string().contains("cannot make latency: latency is there already"));
}

#[test]
fn a_text_has_its_quantities_and_braces() {
    let (of, jobs) = ("job {x}", 2);
    let text = text!("{{{of}}} has {jobs:>3} of {}, {1}", jobs + 1, jobs + 2);
    assert_eq!(text.to_string(), "{job {x}} has   2 of 3, 4");
    let runs = |count: u32| text!("{count|0=no {0}|1=1 run|{count} {0}}", "runs").to_string();
    assert_eq!([0, 1, 12].map(runs), ["no runs", "1 run", "12 runs"]);
    assert_eq!(text!("latency").text(Lang::Ko), "지연 시간");
    assert_eq!(Text::from_english("latency").text(Lang::Ko), "지연 시간");
    assert_eq!(text!("\n, round {}\n", 2).text(Lang::Ko), "\n, 라운드 2\n");
}
