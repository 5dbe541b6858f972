//! Titles of Fathom's own tests as messages. Documents contain them in English, and a reader of
//! another language gets the same words as in the rest of a sentence.

use fathom_message::{Message, list};

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

/// A title such as `4 KiB random read, QD 32, 4 jobs` as a message; a name of a user's own job as
/// it is.
pub fn test_title(text: &str) -> Message {
    known(text).unwrap_or_else(|| Message::verbatim(text))
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
    let jobs = count(" jobs").map(|jobs| Message::new("charts-label-jobs").count("jobs", jobs));
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
            ("my random read, QD x, read", "my 랜덤 읽기, 큐 깊이 x, read"),
            ("nightly, read", "nightly, read"),
            ("a job, QD 4", "a job, QD 4"),
        ] {
            assert_eq!(test_title(english).text(Lang::En), english);
            assert_eq!(test_title(english).text(Lang::Ko), korean);
        }
    }
}
