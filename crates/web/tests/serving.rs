//! The page as a browser and as an attacker meet it: a real server on a port of its own, spoken to
//! in bare HTTP, since clients tidy up what must be refused.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod server;

use fathom_message::Lang;
use fathom_store::live::{LivePoint, LiveWriter};
use fathom_store::{HistoryFigure, HistoryOutcome, HistoryRun, Sharing, Store};
use fathom_web::ConnectionLimits;
use server::{Answer, Events, Server};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const HOSTILE: &str = "<img src=x onerror=alert(1)>";

fn run(n: u64) -> HistoryRun {
    let iops = Some(7090.0);
    HistoryRun {
        kind: ["measure", "sweep"][n as usize % 2].into(),
        started_ms: 1_785_542_400_000 + n * 60_000,
        host: format!("worker-{}", n % 5),
        command: vec!["fathom".into(), "measure".into()],
        title: format!("reads of volume {n}"),
        targets: vec![format!("/mnt/volume{n}")],
        tags: vec![format!("series-{}", n % 3)],
        headline: vec![HistoryFigure {
            label: "random read".into(),
            iops,
            ..HistoryFigure::default()
        }],
        outcome: if n.is_multiple_of(4) { HistoryOutcome::Failed } else { HistoryOutcome::Ran },
        ..HistoryRun::default()
    }
}

/// The names of runs that a list shows, in its order.
fn listed(answer: &Answer) -> Vec<&str> {
    answer.body.split("name=\"run\" value=\"").skip(1).map(|rest| &rest[..12]).collect()
}

#[test]
fn who_calls_us_by_another_name_or_from_elsewhere_is_refused() {
    let server = Server::start();
    server.store().record(&run(0), "{}").unwrap();
    assert_eq!(server.get("/").status, 200);
    for host in ["evil.example", "127.0.0.1.evil.example:7979", ""] {
        let answer = server.ask(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n"));
        assert_eq!(answer.status, 421, "{host}");
        assert!(!answer.body.contains("volume0"), "{host}");
    }
    let own = server.address();
    for origin in ["http://evil.example", "null", ""] {
        for path in ["/", "/live.json", "/live/000000000000/feed"] {
            let head = format!("GET {path} HTTP/1.1\r\nHost: {own}\r\nOrigin: {origin}\r\n");
            assert_eq!(server.ask(&head).status, 403, "{origin} {path}");
        }
    }
    let answer = server.ask(&format!("GET / HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\n"));
    assert_eq!(answer.status, 200);
    for verb in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
        let answer = server.ask(&format!("{verb} / HTTP/1.1\r\nHost: {own}\r\n"));
        assert_eq!(answer.status, 405, "{verb}");
    }
}

#[test]
fn a_list_says_what_runs_found_with_names_of_figures_and_outcomes() {
    let server = Server::start();
    let document = r#"{"kind": "fathom-measure", "summary": "/mnt/ssd: 87 us reads."}"#;
    let missed = HistoryRun { outcome: HistoryOutcome::PromiseMissed, ..run(1) };
    server.store().record(&missed, document).unwrap();
    server.store().record(&run(2), "{}").unwrap();
    let list = server.get("/?lang=en").body;
    assert!(list.contains("<strong>&#x2f;mnt&#x2f;ssd: 87 us reads.</strong>"), "{list}");
    assert!(list.contains("reads of volume 2") && !list.contains("reads of volume 1</strong>"));
    assert!(list.contains("<b>7,090 IOPS</b> random read"), "{list}");
    assert!(list.contains("<li class=\"tone bad\">FAIL</li>"), "{list}");
    assert!(server.get("/?lang=ko").body.contains("<li class=\"tone bad\">FAIL(미달)</li>"));
    let korean = server.get("/?lang=ko").body;
    assert!(korean.contains("볼륨의 읽기") && korean.contains("IOPS</b> 랜덤 읽기"), "{korean}");
    assert!(list.contains("reads of volume") && !list.contains("볼륨의 읽기"), "{list}");
}

#[test]
fn no_path_leads_outside() {
    let server = Server::start();
    fs::write(server.folder().join("secret"), "root:x:0:0").unwrap();
    for path in [
        "/../../etc/passwd",
        "/assets/../../../../etc/passwd",
        "/assets/..%2f..%2f..%2fetc%2fpasswd",
        "/assets/%2e%2e/secret",
        "/assets/%2fetc%2fpasswd",
        "/live/..%2f..%2fsecret",
        "/live/..%2fsecret/feed",
        "/run/..%2f..%2fetc%2fpasswd",
        "/run/x/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/%00",
        "/assets/page.css%00.js",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
        assert!(!answer.body.contains("root:"), "{path}");
    }
}

#[test]
fn every_answer_tells_the_browser_what_it_may_not_do() {
    let server = Server::start();
    server.store().record(&run(0), "{}").unwrap();
    for path in ["/", "/run/zzzz", "/assets/web.css", "/live.json", "/compare", "/nowhere"] {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
        assert!(policy.contains("script-src 'self';"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
    }
}

#[test]
fn whoever_others_can_reach_needs_a_token() {
    const TOKEN: &str = "0123456789abcdef";
    Server::refuses_to_be_open();
    let server = Server::open(TOKEN);
    server.store().record(&run(0), "{}").unwrap();
    for path in ["/", "/live.json", "/assets/web.css", "/?token=0123456789abcdeF", "/nowhere"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 401, "{path}");
        assert!(!answer.body.contains("volume0") && answer.header("set-cookie").is_none());
    }
    let login = server.get(&format!("/?kind=measure&token={TOKEN}"));
    assert_eq!((login.status, login.header("location")), (303, Some("/?kind=measure")));
    let cookie = login.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(TOKEN), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    let host = server.address();
    for header in [format!("Cookie: {cookie}"), format!("Authorization: Bearer {TOKEN}")] {
        let answer = server.ask(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n{header}\r\n"));
        assert_eq!(answer.status, 200, "{header}");
        assert!(answer.body.contains("volume0"), "{header}");
    }
}

#[test]
fn a_hostile_run_is_inert_and_a_broken_document_says_so() {
    let server = Server::start();
    let label = format!("\"{HOSTILE}");
    let evil = HistoryRun {
        title: HOSTILE.into(),
        kind: HOSTILE.into(),
        host: HOSTILE.into(),
        targets: vec![HOSTILE.into()],
        tags: vec![label.clone(), "javascript:alert(1)".into()],
        headline: vec![HistoryFigure { label, iops: Some(1.0), ..HistoryFigure::default() }],
        ..run(0)
    };
    let deep = "[".repeat(100_000);
    let huge = r#"{"kind":"fathom-measure","title":"<img src=x>","volumes":[{"iops":1e999}]}"#;
    for document in ["", "not json", HOSTILE, &deep, huge, "{}", "null", "[1,2"] {
        let id = server.store().record(&evil, document).unwrap();
        for path in [format!("/run/{id}"), format!("/run/{id}/report.md")] {
            let answer = server.get(&path);
            assert!((200..500).contains(&answer.status), "{path}: {}", answer.body);
            assert!(!answer.body.contains("<img src=x"), "{path}");
        }
        let answer = server.get(&format!("/run/{id}/document.json"));
        assert_eq!((answer.status, answer.body.as_str()), (200, document));
        assert!(answer.header("content-disposition").unwrap().starts_with("attachment"));
    }
    let id = server.ids()[0].clone();
    let mut feed = LiveWriter::begin(&server.history(), &id, &evil).unwrap();
    feed.push(&LivePoint { phase: HOSTILE.into(), ..LivePoint::default() }).unwrap();
    let live = format!("/live/{id}");
    let asked = ["/", "/?text=%3Cimg%20src=x%20onerror=alert(1)%3E", "/?kind=%22%3E%3Cimg%20src=x"];
    for path in asked.into_iter().chain([live.as_str()]) {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}");
        let inert = !answer.body.contains("<img") && !answer.body.contains("href=\"javascript");
        assert!(inert, "{path}: {}", answer.body);
    }
}

#[test]
fn the_list_is_filtered_and_paged() {
    let server = Server::start();
    server.import((0..250).map(run));
    let names = server.ids();
    let ids: Vec<&str> = names.iter().map(|id| id.as_str()).collect();
    assert_eq!(listed(&server.get("/")), ids[..100]);
    assert_eq!(listed(&server.get("/?offset=200")), ids[200..]);
    for (query, found) in [
        ("text=volume24+sweep", 5),
        ("kind=sweep&host=worker-3", 25),
        ("tag=series-2", 83),
        ("host=worker-3", 50),
        ("outcome=failed", 63),
        ("since=2100-01-01", 0),
        ("since=2001-01-01&kind=sweep", 100),
        ("kind=nothing", 0),
        ("text=%27%20OR%201=1--", 0),
    ] {
        assert_eq!(listed(&server.get(&format!("/?{query}"))).len(), found, "{query}");
    }
    let short = server.get(&format!("/run/{}", &ids[7][..11]));
    assert!(short.status == 404 || short.header("location").is_some());
    for count in [0, 1, 13] {
        let query: Vec<String> = ids[..count].iter().map(|id| format!("run={id}")).collect();
        assert_eq!(server.get(&format!("/compare?{}", query.join("&"))).status, 400, "{count}");
    }
    assert_eq!(server.get(&format!("/compare?run={0}&run={0}", ids[0])).status, 400);
    assert_eq!(server.get(&format!("/compare?run={}&run=zzzzz", ids[0])).status, 404);
}

#[test]
fn a_comparison_can_be_had_as_data() {
    let server = Server::start();
    let way = r#"{ "total_ios": 9, "iops": 9.0, "bw_bytes": 9.0 }"#;
    let job = format!(r#"{{ "jobname": "t", "read": {way} }}"#);
    let document = format!(r#"{{ "fio version": "fio-3.33", "jobs": [{job}] }}"#);
    for n in 0..2 {
        server.store().record(&run(n), &document).unwrap();
    }
    let list = server.get("/");
    let query = listed(&list).iter().map(|id| format!("run={id}")).collect::<Vec<_>>().join("&");
    let page = server.get(&format!("/compare?{query}"));
    assert!(page.body.contains("compare&#x2f;report.json?"), "{}", page.status);
    let data = server.get(&format!("/compare/report.json?{query}"));
    assert_eq!(data.header("content-type"), Some("application/json; charset=utf-8"));
    assert!(data.body.contains("\"answers\": ["), "{}", data.body);
}

#[test]
fn a_reader_is_answered_in_his_language() {
    let server = Server::start();
    let host = server.address();
    let korean = fathom_message::words(Lang::Ko, "web-history");
    for (path, header, is_korean) in [
        ("/", "Accept-Language: ko-KR,ko;q=0.9", true),
        ("/", "Accept-Language: de", false),
        ("/?lang=ko", "Accept-Language: en", true),
        ("/", "Cookie: fathom-lang=ko", true),
        ("/nowhere", "Cookie: fathom-lang=ko", true),
    ] {
        let answer = server.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{header}\r\n"));
        let lang = if is_korean { "<html lang=\"ko\"" } else { "<html lang=\"en\"" };
        assert!(answer.body.contains(lang), "{path} {header}");
        assert!(path != "/" || answer.body.contains(&korean) == is_korean);
    }
}

#[test]
fn a_history_that_cannot_be_read_is_a_page_that_says_so() {
    let server = Server::start();
    let none = server.get("/");
    assert_eq!(none.status, 200);
    assert!(none.body.contains("history.sqlite3"), "{}", none.body);
    assert_eq!(server.get("/run/1kyx9").status, 404);
    assert!(!server.history().exists(), "looking makes nothing");
    fs::write(server.history(), "something else entirely, and long enough").unwrap();
    let answer = server.get("/");
    assert_eq!(answer.status, 503);
    assert!(answer.body.contains("is no history"), "{}", answer.body);
    fs::remove_file(server.history()).unwrap();
    drop(Store::open(&server.history(), Sharing::OneHost).unwrap());
    assert_eq!(server.get("/").status, 200, "mended while it serves");
}

#[test]
fn ten_thousand_runs_are_listed() {
    let server = Server::start();
    server.import((0..10_000).map(run));
    for path in ["/", "/?offset=9900", "/?text=volume77", "/?outcome=failed&tag=series-1"] {
        let begun = Instant::now();
        let answer = server.get(path);
        println!("10,000 runs, {path}: {} ms", begun.elapsed().as_millis());
        assert_eq!(listed(&answer).len(), 100, "{path}");
    }
}

fn point(n: u64) -> LivePoint {
    LivePoint { at_ms: n * 1000, phase: format!("phase {n}"), iops: n, ..LivePoint::default() }
}

/// Takes events until there are so many points in all; gives the IOPS of each.
fn take(events: &mut Events, known: &mut Vec<u64>, count: usize) {
    while known.len() < count {
        let (name, data) = events.next().expect("more of them");
        assert_eq!(name, "points");
        known.extend(data.as_array().unwrap().iter().map(|point| point["iops"].as_u64().unwrap()));
    }
}

#[test]
fn a_live_run_is_told_from_its_beginning_to_its_end() {
    let server = Server::start();
    let id = server.store().record(&run(1), "{}").unwrap();
    let mut feed = LiveWriter::begin(&server.history(), &id, &run(1)).unwrap();
    (0..3).for_each(|n| feed.push(&point(n)).unwrap());
    let running = server.get("/live.json");
    assert!(running.body.contains(id.as_str()), "{}", running.body);
    assert!(server.get("/").body.contains(&format!("/live/{id}")));
    let path = format!("/live/{id}/feed");
    let (mut early, mut seen) = (server.events(&path), Vec::new());
    let (name, header) = early.next().unwrap();
    assert_eq!((name.as_str(), &header["title"]), ("head", &"reads of volume 1".into()));
    take(&mut early, &mut seen, 3);
    feed.push(&point(3)).unwrap();
    take(&mut early, &mut seen, 4);
    let (mut late, mut all) = (server.events(&path), Vec::new());
    assert_eq!(late.next().unwrap().0, "head");
    take(&mut late, &mut all, 4);
    assert_eq!((seen, all), (vec![0, 1, 2, 3], vec![0, 1, 2, 3]));
    drop(feed);
    for mut viewer in [early, late, server.events(&path)] {
        // Who comes last may still be told all that was.
        let last = std::iter::from_fn(|| viewer.next()).last().unwrap();
        assert_eq!(last, ("end".to_owned(), id.as_str().into()));
    }
    assert_eq!(server.get(&format!("/live/{id}")).header("location"), Some(&*format!("/run/{id}")));
}

#[test]
fn two_hundred_look_at_one_run_and_are_let_go_when_the_server_ends() {
    let mut server = Server::start();
    let id = server.store().record(&run(1), "{}").unwrap();
    let mut feed = LiveWriter::begin(&server.history(), &id, &run(1)).unwrap();
    feed.push(&point(0)).unwrap();
    let mut viewers: Vec<(Events, Vec<u64>)> =
        (0..200).map(|_| (server.events(&format!("/live/{id}/feed")), Vec::new())).collect();
    viewers.iter_mut().for_each(|(events, _)| assert_eq!(events.next().unwrap().0, "head"));
    feed.push(&point(1)).unwrap();
    for (events, seen) in &mut viewers {
        take(events, seen, 2);
        assert_eq!(*seen, [0, 1]);
    }
    assert_eq!(server.get("/").status, 200, "others are answered meanwhile");
    let begun = Instant::now();
    server.end().unwrap();
    println!("ended with 200 viewers after {:?}", begun.elapsed());
    assert!(begun.elapsed() < Duration::from_secs(60));
    viewers.iter_mut().for_each(|(events, _)| assert_eq!(events.next(), None));
}

/// Waits until the server has closed the connection, which is reading its end or a reset.
fn wait_for_end(stream: &mut TcpStream) {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => {}
        Err(why) => assert_eq!(why.kind(), std::io::ErrorKind::ConnectionReset, "{why}"),
    }
}

#[test]
fn a_head_that_never_ends_is_closed_and_a_live_view_is_not() {
    let server = Server::within(ConnectionLimits {
        head: Duration::from_millis(50),
        ..ConnectionLimits::default()
    });
    let id = server.store().record(&run(1), "{}").unwrap();
    let mut feed = LiveWriter::begin(&server.history(), &id, &run(1)).unwrap();
    feed.push(&point(0)).unwrap();
    // From before the others, and with nothing to send meanwhile.
    let (mut viewer, mut seen) = (server.events(&format!("/live/{id}/feed")), Vec::new());
    assert_eq!(viewer.next().unwrap().0, "head");
    take(&mut viewer, &mut seen, 1);
    let mut silent = server.connect();
    wait_for_end(&mut silent);
    let mut slow = server.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").unwrap();
    wait_for_end(&mut slow);
    let mut kept = server.connect();
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address());
    kept.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    kept.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200"),
        "answered, and closed once no other came: {answer}"
    );
    feed.push(&point(1)).unwrap();
    take(&mut viewer, &mut seen, 2);
    assert_eq!(seen, [0, 1]);
}

#[test]
fn connections_that_only_wait_make_room_and_live_views_stay() {
    let server = Server::within(ConnectionLimits {
        connections: 8,
        per_peer: 6,
        ..ConnectionLimits::default()
    });
    let id = server.store().record(&run(1), "{}").unwrap();
    let mut feed = LiveWriter::begin(&server.history(), &id, &run(1)).unwrap();
    feed.push(&point(0)).unwrap();
    let path = format!("/live/{id}/feed");
    let (mut viewer, mut seen) = (server.events(&path), Vec::new());
    assert_eq!(viewer.next().unwrap().0, "head");
    take(&mut viewer, &mut seen, 1);
    let mut idle: Vec<TcpStream> = (0..40).map(|_| server.connect()).collect();
    assert_eq!(server.get("/").status, 200, "whoever asks is answered");
    idle[..34].iter_mut().for_each(wait_for_end);
    feed.push(&point(1)).unwrap();
    take(&mut viewer, &mut seen, 2);
    // All places of the peer are taken by requests: one more is not taken in.
    let viewers: Vec<Events> = (1..6).map(|_| server.events(&path)).collect();
    wait_for_end(&mut server.connect());
    drop(viewers);
}

#[test]
fn who_takes_nothing_of_the_answer_is_closed() {
    let server = Server::within(ConnectionLimits {
        write: Duration::from_millis(50),
        ..ConnectionLimits::default()
    });
    server.import((0..200).map(run));
    let mut deaf = server.connect();
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address());
    // Requests until the server reads no more of them: it is closed, where nothing is read.
    deaf.set_write_timeout(Some(Duration::from_secs(60))).unwrap();
    let why = loop {
        if let Err(why) = deaf.write_all(head.as_bytes()) {
            break why;
        }
    };
    let closed = [std::io::ErrorKind::ConnectionReset, std::io::ErrorKind::BrokenPipe];
    assert!(closed.contains(&why.kind()), "{why}");
}

#[test]
fn a_head_is_bounded() {
    let server = Server::start();
    let begin = format!("GET / HTTP/1.1\r\nHost: {}\r\n", server.address());
    let many = "X-Many: x\r\n".repeat(100);
    assert_eq!(server.ask(&format!("{begin}{many}")).status, 431);
    // What was not read of a long one may reset the connection before the answer is read.
    let mut long = server.connect();
    let line = format!("{begin}X-Long: {}\r\nConnection: close\r\n\r\n", "x".repeat(40_000));
    let sent = long.write_all(line.as_bytes());
    let mut answer = Vec::new();
    let read = long.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let refused = answer.is_empty() || answer.starts_with("HTTP/1.1 431");
    assert!(refused, "{sent:?} {read:?} {answer}");
    assert_eq!(server.get("/").status, 200);
}
