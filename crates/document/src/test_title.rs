//! Titles of Fathom's own tests as messages. Documents contain them in English, and a reader of
//! another language gets the same words as in the rest of a sentence.

use crate::sweep::{is_axis, setting_title};
use fathom_message::{Message, list};
use fathom_vocab::Direction;

/// The words of a test's pattern, with their names in the catalogue. Of two that end alike, the
/// longer one comes first.
const PATTERNS: [(&str, &str); 6] = [
    (" sequential read and write", "report-sequential-both"),
    (" random read and write", "report-random-both"),
    (" sequential read", "report-sequential-read"),
    (" sequential write", "report-sequential-write"),
    (" random read", "report-random-read"),
    (" random write", "report-random-write"),
];

/// A direction as a word: `read`.
pub fn direction_name(direction: Direction) -> Message {
    Message::new(match direction {
        Direction::Read => "report-read",
        Direction::Write => "report-write",
        Direction::Trim => "report-trim",
    })
}

/// A title such as `4 KiB random read, QD 32, 4 jobs` as a message, and so one of a case of a sweep
/// (`iodepth=4`) or of a step of a search (`max, QD 256`), also with a direction behind it; a name
/// of a user's own job as it is.
pub fn test_title(text: &str) -> Message {
    directed(text)
        .or_else(|| known(text))
        .or_else(|| of_run(text))
        .unwrap_or_else(|| Message::verbatim(text))
}

/// The settings of a case, or the load of a step.
fn of_run(text: &str) -> Option<Message> {
    if let Some((a, b)) = text.split_once(" / ") {
        let pair = Message::new("report-pair").part("a", of_run(a)?);
        return Some(pair.part("b", of_run(b).or_else(|| directed(b))?));
    }
    if let Some(depth) = text.strip_prefix("max, QD ") {
        return Some(Message::new("report-step-max").with("depth", depth));
    }
    let setting = |part: &str| {
        let (axis, value) = part.split_once('=')?;
        is_axis(axis).then(|| setting_title(axis, value))
    };
    let settings: Option<Vec<Message>> = text.split(", ").map(setting).collect();
    settings.map(list::commas)
}

/// One of these with its direction; a rate, which is the same in all languages, too.
fn directed(text: &str) -> Option<Message> {
    let (name, end) = text.rsplit_once(", ")?;
    let direction = Direction::ALL.into_iter().find(|direction| direction.name() == end)?;
    let rate = || name.ends_with(" IOPS").then(|| Message::verbatim(name));
    let name = known(name).or_else(|| of_run(name)).or_else(rate)?;
    Some(list::commas([name, direction_name(direction)]))
}

fn known(text: &str) -> Option<Message> {
    let (work, load) = text.split_once(", QD ")?;
    let (block, pattern) = PATTERNS
        .iter()
        .find_map(|(words, id)| Some((work.strip_suffix(words)?, Message::new(id))))?;
    let mut load = load.split(", ");
    let depth = load.next()?;
    let title = Message::new("report-job-label").with("block", block);
    let title = title.part("pattern", pattern).with("depth", depth);
    Some(load.fold(title, with_load))
}

/// A title with `4 jobs`, `4 connections`, or other words.
fn with_load(title: Message, words: &str) -> Message {
    let count = |noun: &str| words.strip_suffix(noun)?.parse::<u64>().ok();
    if let Some(connections) = count(" connections") {
        let over = Message::new("charts-over-connections").part("work", title);
        return over.with("connections", connections);
    }
    let jobs = count(" jobs").map(|jobs| Message::new("charts-label-jobs").with("jobs", jobs));
    list::commas([title, jobs.unwrap_or_else(|| Message::verbatim(words))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;

    #[test]
    fn titles_of_our_tests_are_in_the_language_of_the_reader() {
        for (english, korean) in [
            ("4 KiB random read, QD 1", "4 KiB 랜덤 읽기, 큐 깊이 1"),
            ("64 KiB sequential write, QD 16, 4 jobs", "64 KiB 순차 쓰기, 큐 깊이 16, 작업 4개"),
            ("1 MiB sequential read, QD 8, 2 connections", "1 MiB 순차 읽기, 큐 깊이 8, 연결 2개"),
            ("4 KiB random read and write, QD 1", "4 KiB 랜덤 읽기와 쓰기, 큐 깊이 1"),
            ("my random read, QD x, read", "my 랜덤 읽기, 큐 깊이 x, 읽기"),
            ("nightly, read", "nightly, read"),
            ("4 KiB random read, QD 1, read", "4 KiB 랜덤 읽기, 큐 깊이 1, 읽기"),
            ("max, QD 256", "최대, 큐 깊이 256"),
            ("max, QD 1 / iodepth=1, read", "최대, 큐 깊이 1 / 큐 깊이 1, 읽기"),
            ("rw=randread, iodepth=4", "패턴 randread, 큐 깊이 4"),
            ("39,500 IOPS, read", "39,500 IOPS, 읽기"),
            ("a=b, read", "a=b, read"),
            ("my / job, write", "my / job, write"),
            ("a job, QD 4", "a job, QD 4"),
        ] {
            assert_eq!(test_title(english).text(Lang::En), english);
            assert_eq!(test_title(english).text(Lang::Ko), korean);
        }
    }
}
