//! The pages of `fathom serve` in a real browser, over runs that the binary made; `browser/serve.js`
//! drives it.
//!
//! It finds what it needs in `scene.json`: `origin` of the server; `few`, two measurements with the
//! labels `first volume` and `second volume`; `hostile`, two runs whose name and label are `text`;
//! `live` and `killed`, runs that go on, with the number of the process (`killed` is hostile, too);
//! `many`, another server, over `manyRuns` runs.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fathom_store::live::LiveReader;
use fathom_store::{EXPORT_SCHEMA, Filter, HistoryFigure, HistoryRun, Sharing, Store};
use serde_json::{Value, json};

use crate::devices::need;
use crate::driver::{self, Folder};
use crate::sandbox::{HANG, Running, Sandbox, subject};
use crate::serve::Served;

const HOSTILE: &str = "<img src=x onerror=alert(1)>";
const MANY: u64 = 10_000;
/// Ended by the browser; this long only where that fails. Paced, so that it leaves the machine free.
const LIVE: [&str; 5] =
    ["--ioengine=null", "--size=1g", "--time_based", "--runtime=600", "--rate_iops=5000"];

fn history(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join("history.sqlite3")
}

/// Names of all runs, newest first.
fn ids(sandbox: &Sandbox) -> Vec<String> {
    let store = Store::open(&history(sandbox), Sharing::OneHost).unwrap();
    let entries = store.list(&Filter::default()).unwrap();
    entries.into_iter().map(|entry| entry.id.to_string()).collect()
}

/// Makes a run, and gives its name.
fn made(sandbox: &Sandbox, args: &[&str]) -> String {
    let outcome = sandbox.start_program(subject(), args).finish();
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    ids(sandbox).remove(0)
}

/// Starts a run that goes on, and gives it with its name and process once others can see it.
fn live(sandbox: &Sandbox, name: &str, tag: &str) -> (Running, Value) {
    let reader = LiveReader::new(&history(sandbox));
    let seen = || reader.runs().unwrap().into_iter().flatten().map(|run| run.header);
    let known = seen().count();
    let (name, mut args) = (format!("--name={name}"), vec!["run", "--tag", tag, "--verdicts"]);
    args.push(&name);
    args.extend(LIVE);
    let running = sandbox.start_program(subject(), &args);
    let began = Instant::now();
    while seen().count() == known {
        assert!(began.elapsed() < HANG, "no feed comes");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The newest is the first.
    let header = seen().next().expect("a feed");
    (running, json!({ "id": header.id, "pid": header.process.pid }))
}

/// A history of so many runs, all at once.
fn fill(history: &Path, count: u64) {
    let mut text = format!("{{\"kind\":\"fathom-history\",\"schema\":{EXPORT_SCHEMA}}}\n");
    for n in 0..count {
        let run = HistoryRun {
            kind: ["measure", "sweep"][n as usize % 2].into(),
            started_ms: 1_785_542_400_000 + n * 60_000,
            host: format!("worker-{}", n % 20),
            title: format!("random reads of volume {n}"),
            targets: vec![format!("/mnt/volume{n}")],
            tags: vec![format!("series-{}", n % 50)],
            headline: vec![HistoryFigure { iops: Some(7090.0), ..HistoryFigure::default() }],
            ..HistoryRun::default()
        };
        let line = json!({ "id": format!("1kyx9xp{n:05}"), "run": run, "document": {} });
        writeln!(text, "{line}").unwrap();
    }
    fs::create_dir_all(history.parent().unwrap()).unwrap();
    let mut store = Store::open(history, Sharing::OneHost).unwrap();
    store.import(&mut text.as_bytes()).unwrap();
}

#[test]
fn the_pages_do_in_a_browser_what_they_should() {
    if need(driver::browser()).is_none() {
        return;
    }
    let (sandbox, large, folder) = (Sandbox::new(), Sandbox::new(), Folder::new());
    let data = sandbox.write("data", vec![7; 16 << 20]).display().to_string();
    let measured = |tag| {
        made(&sandbox, &["measure", &data, "--bs", "4k", "--time", "4s", "--tag", tag, "--quiet"])
    };
    let few = ["first volume", "second volume"].map(measured);
    let name = format!("--name={HOSTILE}");
    let short = ["run", "--quiet", "--tag", HOSTILE, &name, "--ioengine=null", "--size=64m"];
    let hostile = [(); 2].map(|()| made(&sandbox, &short));
    fill(&history(&large), MANY);
    let (_moving, moving) = live(&sandbox, "a run that goes on", "live");
    let (_killed, killed) = live(&sandbox, HOSTILE, HOSTILE);
    let listen = ["--listen", "127.0.0.1:0"];
    let (server, another) = (Served::start(&sandbox, &listen), Served::start(&large, &listen));
    let origin = |served: &Served| served.address.trim_end_matches('/').to_owned();
    let scene = json!({
        "origin": origin(&server), "few": few, "hostile": hostile, "text": HOSTILE,
        "live": moving, "killed": killed, "many": origin(&another), "manyRuns": MANY,
    });
    fs::write(folder.path.join("scene.json"), scene.to_string()).unwrap();
    driver::drive(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/serve.js"), &folder);
}
