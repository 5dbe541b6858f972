//! The feed as seen by its reader: complete, growing, thinned, left behind, and hostile.

use super::*;
use crate::run::HistoryRun;
use proptest::prelude::*;
use std::fs::{self, OpenOptions};
use std::io::Write;
use tempfile::TempDir;

struct Home {
    folder: TempDir,
    id: Id,
}

impl Home {
    fn new() -> Home {
        Home { folder: TempDir::new().unwrap(), id: Id::new(1_785_542_400_000) }
    }

    fn history(&self) -> PathBuf {
        self.folder.path().join("history.sqlite3")
    }

    fn file(&self) -> PathBuf {
        file_of(&folder_of(&self.history()), &self.id)
    }

    fn writer(&self) -> LiveWriter {
        let targets = vec!["/mnt/a".to_owned()];
        let run = HistoryRun { kind: "sweep".to_owned(), targets, ..HistoryRun::default() };
        LiveWriter::begin(&self.history(), &self.id, &run).unwrap()
    }

    fn reader(&self) -> LiveReader {
        LiveReader::new(&self.history())
    }

    fn follow(&self, offset: u64) -> Followed {
        self.reader().follow(&self.id, offset).unwrap().expect("there is a feed")
    }

    /// Adds to the file behind its writer's back.
    fn append(&self, bytes: &[u8]) {
        let mut file = OpenOptions::new().append(true).open(self.file()).unwrap();
        file.write_all(bytes).unwrap();
    }
}

fn at(at_ms: u64) -> LivePoint {
    LivePoint { at_ms, phase: "4 KiB random read".to_owned(), iops: 5, ..LivePoint::default() }
}

#[test]
fn a_run_is_there_while_it_is_written_and_gone_after() {
    let home = Home::new();
    assert!(home.reader().runs().unwrap().is_empty(), "there is not even a folder");
    let mut writer = home.writer();
    writer.push(&at(1)).unwrap();
    let runs = home.reader().runs().unwrap();
    let [Ok(run)] = runs.as_slice() else { panic!("{runs:?}") };
    assert_eq!((&run.header.id, run.state), (&home.id, FeedState::Alive));
    assert_eq!((run.header.kind.as_str(), run.header.targets.len()), ("sweep", 1));
    drop(writer);
    assert!(home.reader().runs().unwrap().is_empty());
    assert_eq!(home.reader().follow(&home.id, 0).unwrap(), None);
}

#[test]
fn a_line_without_its_end_is_waited_for() {
    let home = Home::new();
    let mut writer = home.writer();
    let empty = home.follow(0);
    assert_eq!((empty.points.len(), empty.anew), (0, true));
    writer.push(&at(1)).unwrap();
    let first = home.follow(empty.offset);
    assert_eq!((first.points.as_slice(), first.anew), (&[at(1)][..], false));
    let line = serde_json::to_string(&at(2)).unwrap();
    let (head, tail) = line.split_at(9);
    home.append(head.as_bytes());
    let waiting = home.follow(first.offset);
    assert_eq!((waiting.points.len(), waiting.offset), (0, first.offset));
    home.append(format!("{tail}\n").as_bytes());
    assert_eq!(home.follow(waiting.offset).points, [at(2)]);
}

#[test]
fn a_long_run_stays_small_and_tells_readers_to_begin_again() {
    let home = Home::new();
    drop(home.writer());
    let header = LiveHeader {
        schema: LIVE_SCHEMA,
        id: home.id.clone(),
        thinned: 0,
        process: RunProcess::own(),
        host: String::new(),
        kind: "run".to_owned(),
        title: "a day".to_owned(),
        targets: Vec::new(),
        started_ms: 0,
    };
    let most_bytes = 120_000;
    let mut writer = LiveWriter::of(home.file(), header, most_bytes).unwrap();
    let (mut offset, mut known, mut anew) = (0, Vec::new(), 0);
    for second in 0..20_000 {
        writer.push(&at(second * 1000)).unwrap();
        assert!(fs::metadata(home.file()).unwrap().len() <= most_bytes);
        if second % 100 == 0 {
            let followed = home.follow(offset);
            anew += u64::from(followed.anew);
            if followed.anew {
                known.clear();
            }
            known.extend(followed.points);
            offset = followed.offset;
        }
    }
    assert!(anew > 5, "{anew}");
    assert_eq!(known, home.follow(0).points[..known.len()], "nothing twice, nothing lost");
    let times: Vec<u64> = home.follow(0).points.iter().map(|point| point.at_ms).collect();
    assert!(times.is_sorted() && times[0] == 0, "{:?}", &times[..3]);
    let gaps = times.windows(2).map(|pair| pair[1] - pair[0]);
    assert!(gaps.max() < Some(1_000_000), "no hour is without points: {times:?}");
    assert!(times.ends_with(&[19_998_000, 19_999_000]), "the newest are whole");
}

#[test]
fn a_process_that_is_gone_is_dead_and_one_elsewhere_is_silent_in_the_end() {
    let home = Home::new();
    let _writer = home.writer();
    let rewrite = |from: &str, to: &str| {
        let text = fs::read_to_string(home.file()).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(home.file(), text.replace(from, to)).unwrap();
    };
    let state = || home.reader().run(&home.id).unwrap().unwrap().state;
    let own = RunProcess::own();
    rewrite(&format!("\"started_ticks\":{}", own.started_ticks), "\"started_ticks\":1");
    assert_eq!(state(), FeedState::Dead);
    rewrite(&own.boot_id, "another");
    assert_eq!(state(), FeedState::Alive, "it was written a moment ago");
    let file = OpenOptions::new().append(true).open(home.file()).unwrap();
    file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(90)).unwrap();
    assert_eq!(state(), FeedState::Silent);
}

#[test]
fn what_dead_processes_left_long_ago_is_removed() {
    let home = Home::new();
    let other = Home { folder: TempDir::new().unwrap(), id: Id::new(5) };
    drop(home.writer());
    let dead = folder_of(&home.history()).join(format!("{}.jsonl", other.id));
    let writer = other.writer();
    let text = fs::read_to_string(other.file()).unwrap();
    let own = format!("\"started_ticks\":{}", RunProcess::own().started_ticks);
    drop(writer);
    fs::write(&dead, text.replace(&own, "\"started_ticks\":1")).unwrap();
    drop(home.writer());
    assert!(dead.exists(), "it is not old yet");
    let file = OpenOptions::new().append(true).open(&dead).unwrap();
    let days = std::time::Duration::from_secs(2 * 24 * 3600);
    file.set_modified(std::time::SystemTime::now() - days).unwrap();
    drop(file);
    drop(home.writer());
    assert!(!dead.exists());
}

#[test]
fn a_feed_that_is_none_is_an_error_that_names_the_line_and_hides_no_other() {
    let home = Home::new();
    let mut writer = home.writer();
    writer.push(&at(1)).unwrap();
    home.append(b"{\"at_ms\":-1}\n");
    let why = home.reader().follow(&home.id, 0).unwrap_err().to_string();
    assert!(why.contains("line 3") && why.contains(".jsonl"), "{why}");
    let folder = folder_of(&home.history());
    for (at, content) in
        [&b"\n"[..], b"[]\n", b"{}\n", b"\xff\xfe\n", b"{\"schema\":99}\n"].into_iter().enumerate()
    {
        fs::write(folder.join(format!("00000000000{at}.jsonl")), content).unwrap();
    }
    fs::write(folder.join("notes.txt"), "not ours").unwrap();
    fs::create_dir(folder.join("000000000009.jsonl")).unwrap();
    let runs = home.reader().runs().unwrap();
    assert_eq!(runs.iter().filter(|run| run.is_ok()).count(), 1);
    let faults: Vec<String> =
        runs.iter().filter_map(|run| Some(run.as_ref().err()?.to_string())).collect();
    assert_eq!(faults.len(), 6, "{faults:#?}");
    assert_eq!(faults.iter().filter(|fault| fault.contains("line 1")).count(), 4, "{faults:#?}");
}

fn points() -> impl Strategy<Value = LivePoint> {
    let number = || proptest::option::of(any::<u64>());
    let share = || proptest::option::of(any::<f64>());
    let first = (any::<u64>(), any::<String>(), any::<u64>(), number(), share());
    let rates = (any::<u64>(), any::<u64>(), any::<u64>());
    let rest = (number(), number(), number(), share(), number());
    (first, rates, rest).prop_map(|(first, rates, rest)| LivePoint {
        at_ms: first.0,
        phase: first.1,
        done: first.2,
        all: first.3,
        percent: first.4,
        iops: rates.0,
        read_bytes_per_s: rates.1,
        write_bytes_per_s: rates.2,
        p50_ns: rest.0,
        p99_ns: rest.1,
        max_ns: rest.2,
        util_percent: rest.3,
        left_s: rest.4,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read(mut written in proptest::collection::vec(points(), 0..6)) {
        let home = Home::new();
        let mut writer = home.writer();
        written.sort_by_key(|point| point.at_ms);
        let mut offset = home.follow(0).offset;
        for point in &written {
            writer.push(point).unwrap();
            let followed = home.follow(offset);
            prop_assert_eq!(&followed.points, &vec![point.settled()]);
            offset = followed.offset;
        }
        prop_assert_eq!(home.follow(0).points.len(), written.len());
    }

    #[test]
    fn any_bytes_are_survived(
        bytes in proptest::collection::vec(any::<u8>(), 0..300), offset: u64,
    ) {
        let home = Home::new();
        let _writer = home.writer();
        home.append(&bytes);
        let _ = home.reader().follow(&home.id, offset);
        fs::write(home.file(), &bytes).unwrap();
        let _ = home.reader().follow(&home.id, offset);
        let _ = home.reader().runs();
    }
}
