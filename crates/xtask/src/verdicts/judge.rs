//! Whether the program's answer to a situation is right, wrong, or an honest "cannot tell".

use super::situations::{LimitCounts, Situation, SituationTruth};
use serde_json::Value;

/// How far a cap's value may be off.
const NEAR: f64 = 0.05;

/// How an answer compares with the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerQuality {
    /// The answer is true.
    Right,
    /// The answer is that it cannot tell.
    CannotTell,
    /// The answer is false.
    Wrong,
}

/// The answer of one run, and its quality.
pub struct JudgedAnswer {
    /// How it compares.
    pub outcome: AnswerQuality,
    /// The answer, in a few words.
    pub answer: String,
}

/// Judges the document of a run.
pub fn judge(situation: &Situation, document: &Value) -> JudgedAnswer {
    let verdicts: Vec<&Value> = document["groups"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|group| group["verdicts"].as_array().into_iter().flatten())
        .collect();
    let finding = |question: &str| finding(&verdicts, question);
    let (cap, burst, cached) = (finding("capped"), finding("burst"), finding("cached"));
    let client = finding("client");
    let outcome = match situation.truth {
        SituationTruth::Cap(counted, value) => of_cap(cap, burst, counted, value),
        SituationTruth::SharedCap(value, others) => of_shared_cap(cap, burst, value, others),
        SituationTruth::Quota => of_quota(client).max(of_no_cap(cap, burst)),
        SituationTruth::Burst(from, to) => of_burst(burst, from, to),
        SituationTruth::Free | SituationTruth::Paced | SituationTruth::Thinks => {
            of_no_cap(cap, burst)
        }
        SituationTruth::Cached => {
            of_data(cached, &["cached", "suspected"]).max(of_no_cap(cap, burst))
        }
        SituationTruth::Unwritten => of_data(cached, &["unwritten"]).max(of_no_cap(cap, burst)),
        SituationTruth::Memory => of_data(cached, &["memory"]),
        SituationTruth::Foreign => of_foreign(&verdicts),
    };
    let answer = answer(situation.truth, &verdicts);
    JudgedAnswer { outcome, answer }
}

/// The finding that answers a question; null if there is none.
fn finding<'v>(verdicts: &[&'v Value], question: &str) -> &'v Value {
    verdicts.iter().find(|v| v["question"] == question).map_or(&Value::Null, |v| &v["finding"])
}

/// What was found of such a truth, in a few words.
fn answer(truth: SituationTruth, verdicts: &[&Value]) -> String {
    let finding = |question: &str| finding(verdicts, question);
    let (cap, burst, cached) = (finding("capped"), finding("burst"), finding("cached"));
    match truth {
        SituationTruth::Cap(..)
        | SituationTruth::SharedCap(..)
        | SituationTruth::Free
        | SituationTruth::Paced
        | SituationTruth::Thinks => words(cap, burst),
        SituationTruth::Burst(..) => word(burst, "finding"),
        SituationTruth::Quota => {
            format!("{}, {}", word(finding("client"), "verdict"), words(cap, burst))
        }
        SituationTruth::Cached | SituationTruth::Unwritten => {
            format!("{}, {}", cache_word(cached), words(cap, burst))
        }
        SituationTruth::Memory => cache_word(cached),
        SituationTruth::Foreign => verdicts
            .iter()
            .filter(|v| v["question"] == "cached")
            .map(|v| cache_word(&v["finding"]))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

fn word(finding: &Value, key: &str) -> String {
    finding[key].as_str().unwrap_or("nothing").to_owned()
}

fn cache_word(finding: &Value) -> String {
    match &finding["verdict"] {
        Value::String(word) => word.clone(),
        other => word(other, "verdict"),
    }
}

fn words(cap: &Value, burst: &Value) -> String {
    let capped = match cap["finding"].as_str() {
        Some("capped") => {
            format!(
                "{} {:.0} ({})",
                cap["kind"].as_str().unwrap_or("?"),
                cap["value"].as_f64().unwrap_or(0.0),
                cap["confidence"].as_str().unwrap_or("?")
            ) + &cap["or"].as_f64().map(|or| format!(" or {or:.0}")).unwrap_or_default()
        }
        other => other.unwrap_or("nothing").to_owned(),
    };
    if burst["finding"] == "burst" { format!("{capped} after a burst") } else { capped }
}

fn near(found: &Value, value: f64) -> bool {
    found.as_f64().is_some_and(|found| (found / value - 1.0).abs() <= NEAR)
}

fn of_cap(cap: &Value, burst: &Value, counted: LimitCounts, value: f64) -> AnswerQuality {
    let kind = match counted {
        LimitCounts::Iops => "iops",
        LimitCounts::Bytes => "bandwidth",
    };
    match cap["finding"].as_str() {
        // A burst that did not occur is a false alarm.
        _ if burst["finding"] == "burst" => AnswerQuality::Wrong,
        // Either of two values, one of them true.
        Some("capped") if near(&cap["or"], value) => AnswerQuality::CannotTell,
        Some("capped") if cap["kind"] != kind || !near(&cap["value"], value) => {
            AnswerQuality::Wrong
        }
        Some("capped") if cap["or"].is_null() => AnswerQuality::Right,
        Some("capped") => AnswerQuality::CannotTell,
        Some("none_seen") => AnswerQuality::Wrong,
        _ => AnswerQuality::CannotTell,
    }
}

/// How far the part of others may be off: programs start and end at other times than the job.
const NEAR_PART: f64 = 0.15;

/// What the control group of a cap says of it.
fn set_limit(cap: &Value) -> &Value {
    let mut signs = cap["evidence"].as_array().into_iter().flatten();
    signs.find(|sign| sign["sign"] == "known").unwrap_or(&Value::Null)
}

fn of_shared_cap(cap: &Value, burst: &Value, value: f64, others: f64) -> AnswerQuality {
    let found = set_limit(cap)["others"].as_f64().unwrap_or(0.0);
    match of_cap(cap, burst, LimitCounts::Iops, value) {
        AnswerQuality::Right if (found / others - 1.0).abs() > NEAR_PART => AnswerQuality::Wrong,
        outcome => outcome,
    }
}

fn of_quota(client: &Value) -> AnswerQuality {
    let signs = client["signs"].as_array().into_iter().flatten();
    let names = |sign: &Value| sign["sign"] == "throttled" && sign["quota"]["cpus"].is_f64();
    match client["verdict"].as_str() {
        Some("bound") if signs.into_iter().any(names) => AnswerQuality::Right,
        Some("tight") => AnswerQuality::CannotTell,
        _ => AnswerQuality::Wrong,
    }
}

fn of_burst(burst: &Value, from: f64, to: f64) -> AnswerQuality {
    let level = from == 0.0 || near(&burst["burst_rate"], from);
    match burst["finding"].as_str() {
        Some("burst") if level && near(&burst["sustained_rate"], to) => AnswerQuality::Right,
        Some("burst" | "none_seen") => AnswerQuality::Wrong,
        _ => AnswerQuality::CannotTell,
    }
}

fn of_no_cap(cap: &Value, burst: &Value) -> AnswerQuality {
    let alarm = cap["finding"] == "capped" || burst["finding"] == "burst";
    if alarm { AnswerQuality::Wrong } else { AnswerQuality::Right }
}

fn of_data(cached: &Value, right: &[&str]) -> AnswerQuality {
    match cache_word(cached).as_str() {
        word if right.contains(&word) => AnswerQuality::Right,
        "not_enough" | "nothing" => AnswerQuality::CannotTell,
        _ => AnswerQuality::Wrong,
    }
}

fn of_foreign(verdicts: &[&Value]) -> AnswerQuality {
    let words: Vec<String> = verdicts
        .iter()
        .filter(|verdict| verdict["question"] == "cached")
        .map(|verdict| cache_word(&verdict["finding"]))
        .collect();
    let capped = verdicts.iter().any(|v| v["finding"]["finding"] == "capped");
    match words.iter().any(|word| word == "saw_more" || word == "foreign") {
        _ if capped => AnswerQuality::Wrong,
        true => AnswerQuality::Right,
        false if words.iter().all(|word| word == "not_enough") => AnswerQuality::CannotTell,
        false => AnswerQuality::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn outcome(truth: SituationTruth, verdicts: Value) -> AnswerQuality {
        let situation = Situation { truth, ..super::super::situations::all().remove(0) };
        judge(&situation, &json!({ "groups": [{ "verdicts": verdicts }] })).outcome
    }

    #[test]
    fn a_cap_is_right_by_kind_and_value() {
        let truth = SituationTruth::Cap(LimitCounts::Iops, 1000.0);
        let said = |kind: &str, value: f64| {
            let finding = json!({ "finding": "capped", "kind": kind, "value": value });
            outcome(truth, json!([{ "question": "capped", "finding": finding }]))
        };
        assert_eq!(said("iops", 1010.0), AnswerQuality::Right);
        assert_eq!(said("iops", 1100.0), AnswerQuality::Wrong);
        assert_eq!(said("bandwidth", 1000.0), AnswerQuality::Wrong);
        let either =
            json!({ "finding": "capped", "kind": "bandwidth", "value": 4_096_000, "or": 1000 });
        let either = json!([{ "question": "capped", "finding": either }]);
        assert_eq!(outcome(truth, either), AnswerQuality::CannotTell);
        assert_eq!(outcome(truth, json!([])), AnswerQuality::CannotTell);
    }

    #[test]
    fn a_shared_cap_is_right_by_value_and_the_part_of_others() {
        let truth = SituationTruth::SharedCap(3000.0, 1000.0);
        let said = |others: f64| {
            let evidence = json!([{ "sign": "known", "others": others }]);
            let finding = json!({
                "finding": "capped", "kind": "iops", "value": 3000, "evidence": evidence
            });
            outcome(truth, json!([{ "question": "capped", "finding": finding }]))
        };
        assert_eq!(said(1010.0), AnswerQuality::Right);
        assert_eq!(said(2000.0), AnswerQuality::Wrong);
        let none = json!([{ "question": "capped", "finding": { "finding": "none_seen" } }]);
        assert_eq!(outcome(truth, none), AnswerQuality::Wrong);
    }

    #[test]
    fn a_quota_is_right_by_its_name_and_without_a_cap() {
        let said = |verdict: &str, cap: &str| {
            let signs = json!([{ "sign": "throttled", "quota": { "cpus": 0.5 } }]);
            let finding = json!({ "verdict": verdict, "signs": signs });
            let client = json!({ "question": "client", "finding": finding });
            let cap = json!({ "question": "capped", "finding": { "finding": cap } });
            outcome(SituationTruth::Quota, json!([client, cap]))
        };
        assert_eq!(said("bound", "cpu_quota"), AnswerQuality::Right);
        assert_eq!(said("bound", "capped"), AnswerQuality::Wrong);
        assert_eq!(said("roomy", "none_seen"), AnswerQuality::Wrong);
    }

    #[test]
    fn an_alarm_without_a_cause_is_wrong() {
        let capped = json!([{ "question": "capped", "finding": { "finding": "capped" } }]);
        assert_eq!(outcome(SituationTruth::Free, capped.clone()), AnswerQuality::Wrong);
        assert_eq!(outcome(SituationTruth::Foreign, capped), AnswerQuality::Wrong);
        let burst = json!([{ "question": "burst", "finding": { "finding": "burst" } }]);
        assert_eq!(outcome(SituationTruth::Thinks, burst), AnswerQuality::Wrong);
        let unwritten = json!({ "verdict": "unwritten" });
        let unwritten = json!({ "question": "cached", "finding": { "verdict": unwritten } });
        let alone = json!([unwritten]);
        assert_eq!(outcome(SituationTruth::Unwritten, alone), AnswerQuality::Right);
        let capped = json!({ "question": "capped", "finding": { "finding": "capped" } });
        let capped = json!([unwritten, capped]);
        assert_eq!(outcome(SituationTruth::Unwritten, capped), AnswerQuality::Wrong);
    }
}
