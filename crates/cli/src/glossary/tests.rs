//! What `fathom help TERM` finds, and that no language lacks a term.

use super::*;

fn screen(lang: Lang) -> Screen {
    Screen { width: 80, colour: false, unicode: true, live: false, lang }
}

fn told(typed: &str) -> String {
    explained(typed, &screen(Lang::En)).unwrap_or_else(|| panic!("{typed} is no term"))
}

#[test]
fn a_term_is_found_by_each_of_its_names() {
    for (typed, begins) in [
        ("iops", "IOPS: I/Os a second"),
        ("QD", "queue depth, QD: I/Os in flight"),
        ("queue-depth", "queue depth, QD: "),
        ("큐깊이", "queue depth, QD: "),
        ("큐 깊이", "queue depth, QD: "),
        ("iodepth", "queue depth, QD: "),
        ("p99", "percentile, "),
        ("P99.99", "percentile, "),
        ("percentiles", "percentile, "),
        ("p50", "median, p50: "),
        ("clat", "completion latency: "),
        ("direct", "direct I/O: "),
        ("FSYNC", "fsync, fdatasync, O_DSYNC: "),
        ("o_dsync", "fsync, fdatasync, O_DSYNC: "),
        ("verdict", "verdict: a judgement"),
        ("nfs", "NFS export, nfs: a folder that an NFS server shares"),
        ("지연 시간", "latency: the time from submitting"),
        ("seq", "random, sequential, rand, seq: "),
        ("I/O", "I/O: one request"),
        ("Host busy", "disturbed, busy host, host busy: "),
        ("io_uring", "io_uring: the engine"),
        ("loop device", "loop device: a file"),
        ("mq-deadline", "mq-deadline: a scheduler"),
        ("steady state", "steady, steady state: "),
        ("ext4", "file system, ext4, XFS: "),
        ("GiB", "KiB, MiB, GiB: "),
    ] {
        assert!(told(typed).starts_with(begins), "{typed}: {}", told(typed));
    }
    let both = explained_by_word("seq. write", &screen(Lang::En)).unwrap();
    assert!(both.starts_with("random, sequential, rand, seq: ") && both.contains("\ndirection"));
    assert_eq!(explained_by_word("seq", &screen(Lang::En)), None);
    for typed in ["", "p", "p0", "p100", "s", "latncy"] {
        assert!(explained(typed, &screen(Lang::En)).is_none(), "{typed}");
    }
}

#[test]
fn a_word_that_is_mentioned_is_answered_with_the_places() {
    let answer = |lang: Lang| {
        let answer = lang.within(|| mentioned("postgres", &crate::command_line(), &screen(lang)));
        answer.unwrap()
    };
    let english = answer(Lang::En);
    assert!(english.starts_with("'postgres' is neither a command nor a term. It is"), "{english}");
    assert!(english.contains("\n  fathom measure --for postgres DIR: PostgreSQL's"), "{english}");
    assert!(answer(Lang::Ko).starts_with("'postgres'는 명령이나 용어가 아닙니다"));
    assert_eq!(mentioned("latncy", &crate::command_line(), &screen(Lang::En)), None);
}

#[test]
fn latency_and_iops_show_what_is_usual() {
    for typed in ["latency", "iops", "usual"] {
        let text = told(typed);
        assert!(text.contains("Is a disk slow?"), "{text}");
        assert!(text.contains("\n  hard disk "), "{text}");
        assert!(!text.contains('|'), "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }
    assert!(!told("clat").contains("hard disk"));
    let flush = told("flush");
    assert!(flush.contains("hard disk") && !flush.contains("IOPS at QD 1"), "{flush}");
    assert!(told("latency").contains("IOPS at QD 1") && told("usual").contains("a flush"));
    let korean = explained("latency", &screen(Lang::Ko)).unwrap();
    assert!(korean.starts_with("지연 시간(latency): I/O 한 건을"), "{korean}");
    assert!(korean.contains("하드 디스크") && korean.contains("5~15 ms"), "{korean}");
}

#[test]
fn every_term_has_its_korean_and_no_name_means_two_terms() {
    let first_names = |text| -> Vec<String> {
        let rows = sections(text).into_iter().filter(GlossarySection::is_of_terms);
        rows.flat_map(|of| of.rows).map(|row| row[0].to_owned()).collect()
    };
    assert_eq!(first_names(text(Lang::Ko)), first_names(text(Lang::En)));
    for section in sections(text(Lang::Ko)).iter().filter(|of| of.is_of_terms()) {
        for row in &section.rows {
            let korean = |cell: &&str| cell.contains(|c| ('가'..='힣').contains(&c));
            assert!(row.len() == 3 && row[2..].iter().all(korean), "{row:?}");
        }
    }
    let usual = |text| sections(text).pop().map(|of| (of.head.len(), of.rows.len()));
    assert_eq!(usual(text(Lang::Ko)), usual(text(Lang::En)));
    for text in [text(Lang::En), text(Lang::Ko)] {
        let mut names: Vec<&str> = terms(text).flat_map(|term| term.names).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}

#[test]
fn all_terms_are_listed_by_section() {
    let text = told("terms");
    assert!(text.starts_with("The I/O:\n  block size; queue depth, QD; random, "), "{text}");
    assert!(text.contains("undecided") && text.lines().count() < 30, "{text}");
    let korean = explained("terms", &screen(Lang::Ko)).unwrap();
    assert!(
        korean.starts_with("I/O:\n  블록 크기(block size); 큐 깊이(queue depth, QD); "),
        "{korean}"
    );
}

#[test]
fn only_help_on_no_command_asks_for_a_term() {
    let asked = |line: &str| {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        asked_term(&words, &crate::command_line())
    };
    assert_eq!(asked("fathom help queue depth").as_deref(), Some("queue depth"));
    assert_eq!(asked("fathom --lang ko help p99 --lang=en").as_deref(), Some("p99"));
    for line in [
        "fathom help",
        "fathom help measure",
        "fathom help help",
        "fathom help -x",
        "fathom measure help",
        "fathom help history shwo",
        "fathom",
        "fathom p99",
    ] {
        assert_eq!(asked(line), None, "{line}");
    }
}
