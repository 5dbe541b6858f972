//! A server with a history of its own, and HTTP by hand.

use fathom_message::Lang;
use fathom_store::{EXPORT_SCHEMA, Filter, HistoryRun, Id, Sharing, Store};
use fathom_web::{ConnectionLimits, ServeError, ServeSettings, Stop, serve};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

/// Longer than any answer takes; reached only by a hang.
const HANG: Duration = Duration::from_secs(300);

/// A running server.
pub struct Server {
    folder: TempDir,
    address: SocketAddr,
    stop: Stop,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

/// What was answered.
pub struct Answer {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: String,
}

impl Server {
    /// On the loopback.
    pub fn start() -> Server {
        Server::on("127.0.0.1:0", None, ConnectionLimits::default())
    }

    /// On all addresses.
    pub fn open(token: &str) -> Server {
        Server::on("0.0.0.0:0", Some(token), ConnectionLimits::default())
    }

    /// On the loopback, with limits of its own.
    pub fn within(limits: ConnectionLimits) -> Server {
        Server::on("127.0.0.1:0", None, limits)
    }

    fn on(address: &str, token: Option<&str>, limits: ConnectionLimits) -> Server {
        let folder = TempDir::new().unwrap();
        let listener = TcpListener::bind(address).unwrap();
        let port = listener.local_addr().unwrap().port();
        let settings = ServeSettings { limits, ..settings(folder.path(), token) };
        let stop = Stop::default();
        let ending = stop.clone();
        let thread = Some(std::thread::spawn(move || serve(listener, settings, &ending)));
        Server { folder, address: ([127, 0, 0, 1], port).into(), stop, thread }
    }

    /// That others can reach us without a token is refused by the server itself.
    pub fn refuses_to_be_open() {
        let folder = TempDir::new().unwrap();
        let listener = TcpListener::bind("0.0.0.0:0").unwrap();
        let served = serve(listener, settings(folder.path(), None), &Stop::default());
        assert!(matches!(served, Err(ServeError::Open)), "{served:?}");
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn history(&self) -> PathBuf {
        self.folder.path().join("history.sqlite3")
    }

    pub fn store(&self) -> Store {
        Store::open(&self.history(), Sharing::OneHost).unwrap()
    }

    /// Puts runs into the history all at once, each with an empty document.
    pub fn import(&self, runs: impl Iterator<Item = HistoryRun>) {
        let mut text = format!("{{\"kind\":\"fathom-history\",\"schema\":{EXPORT_SCHEMA}}}\n");
        for (n, run) in runs.enumerate() {
            // Names in the order of time.
            let id: String = format!("1kyx9xp{n:05}");
            text += &serde_json::json!({ "id": id, "run": run, "document": {} }).to_string();
            text.push('\n');
        }
        let imported = self.store().import(&mut text.as_bytes()).unwrap();
        assert_eq!(imported.renamed + imported.already_here, 0);
    }

    /// Names of all runs, newest first.
    pub fn ids(&self) -> Vec<Id> {
        let entries = self.store().list(&Filter::default()).unwrap();
        entries.into_iter().map(|entry| entry.id).collect()
    }

    /// Asks for `path` as a browser does.
    pub fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", self.address))
    }

    /// Sends a head that lacks only its end, and takes the whole answer.
    pub fn ask(&self, head: &str) -> Answer {
        let mut stream = self.connect();
        write!(stream, "{head}Connection: close\r\n\r\n").unwrap();
        let mut text = Vec::new();
        stream.read_to_end(&mut text).unwrap();
        Answer::parse(&String::from_utf8_lossy(&text))
    }

    /// Begins to take events; the head of the answer is read.
    pub fn events(&self, path: &str) -> Events {
        let mut stream = self.connect();
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", self.address).unwrap();
        let mut lines = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert!(lines.read_line(&mut line).unwrap() > 0, "an answer");
        }
        Events(lines)
    }

    /// A connection that has sent nothing yet.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        stream
    }

    /// Ends it, and says what it ended with.
    pub fn end(&mut self) -> Result<(), ServeError> {
        self.stop.stop();
        self.thread.take().map_or(Ok(()), |thread| thread.join().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let ended = self.end();
        assert!(std::thread::panicking() || ended.is_ok(), "{ended:?}");
    }
}

/// Titles of these tests in the language of a reader.
fn told(lang: Lang, title: &str) -> String {
    match lang {
        Lang::Ko => {
            title.replace("reads of volume", "볼륨의 읽기").replace("random read", "랜덤 읽기")
        }
        Lang::En => title.to_owned(),
    }
}

fn settings(folder: &Path, token: Option<&str>) -> ServeSettings {
    ServeSettings {
        history: folder.join("history.sqlite3"),
        token: token.map(|token| token.parse().unwrap()),
        names: vec!["worker-7".to_owned()],
        lang: None,
        told,
        limits: ConnectionLimits::default(),
    }
}

impl Answer {
    fn parse(text: &str) -> Answer {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap();
        let header = |line: &str| {
            line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        };
        Answer { status, headers: lines.filter_map(header).collect(), body: body.to_owned() }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Events as they come.
pub struct Events(BufReader<TcpStream>);

impl Events {
    /// The next one: its name and its data; `None` at the end.
    pub fn next(&mut self) -> Option<(String, serde_json::Value)> {
        let (mut name, mut data) = (String::new(), String::new());
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("event", text)) => name = text.to_owned(),
                Some(("data", text)) => data = text.to_owned(),
                _ if name.is_empty() => {}
                _ => return Some((name, serde_json::from_str(&data).unwrap())),
            }
        }
    }
}
