//! `fathom serve` as it is started, spoken to and ended: where it listens and what it prints, whom
//! it lets in, its exit codes. What its pages do in a browser is in `pages`.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;

use crate::sandbox::{HANG, Outcome, Running, Sandbox, subject, without_breaks};

/// A started server and the address it said.
pub struct Served {
    running: Running,
    /// As printed: `http://127.0.0.1:7979/`.
    pub address: String,
}

impl Served {
    pub fn start(sandbox: &Sandbox, args: &[&str]) -> Served {
        let args: Vec<&str> = ["serve"].iter().chain(args).copied().collect();
        Served::started(sandbox.start_program(subject(), &args))
    }

    /// The same by a shell, with `before` in front of the program.
    fn after(sandbox: &Sandbox, before: &str, args: &str) -> Served {
        let script = format!("{before} {} serve {args}", subject().display());
        Served::started(sandbox.start_program("/bin/sh", &["-ec", &script]))
    }

    fn started(mut running: Running) -> Served {
        running.wait_for_stdout(|text| text.ends_with('\n'));
        let address = running.stdout().trim().to_owned();
        Served { running, address }
    }

    pub fn port(&self) -> u16 {
        let (authority, _) = self.address[7..].split_once('/').expect("an address ends so");
        authority.rsplit_once(':').expect("a port is named").1.parse().expect("a port")
    }

    /// The answer to a GET, head and body, whatever `host` the request names.
    fn get(&self, host: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut text = Vec::new();
        stream.read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    }

    fn status(&self, host: &str, path: &str) -> u16 {
        let answer = self.get(host, path);
        answer.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status")
    }

    fn end(self, signal: Signal) -> Outcome {
        self.running.signal(signal);
        let outcome = self.running.finish();
        outcome.assert_no_panic();
        outcome
    }
}

#[test]
fn it_says_where_it_is_and_ends_with_0_on_either_signal() {
    let sandbox = Sandbox::new();
    for signal in [Signal::INT, Signal::TERM] {
        let served = Served::start(&sandbox, &["--listen", "127.0.0.1:0"]);
        assert_eq!(served.address, format!("http://127.0.0.1:{}/", served.port()));
        let host = format!("127.0.0.1:{}", served.port());
        assert_eq!(served.status(&host, "/"), 200);
        let outcome = served.end(signal);
        assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
        assert_eq!(outcome.stdout.lines().count(), 1, "{}", outcome.stdout);
    }
    assert!(!sandbox.home().exists(), "looking makes nothing");
}

#[test]
fn connections_that_never_ask_do_not_keep_it_from_ending() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &["--listen", "127.0.0.1:0"]);
    // Connections that never ask, as browsers keep them.
    let idle: Vec<TcpStream> =
        (0..8).map(|_| TcpStream::connect(("127.0.0.1", served.port())).unwrap()).collect();
    let outcome = served.end(Signal::INT);
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    drop(idle);
}

#[test]
fn on_the_loopback_only_its_own_names_are_answered_and_no_path_leads_outside() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &["--listen", "127.0.0.1:0", "--name", "here.example"]);
    let own = format!("127.0.0.1:{}", served.port());
    for host in ["evil.example", "127.0.0.1.evil.example", "x.here.example", ""] {
        assert_eq!(served.status(host, "/"), 421, "{host}");
    }
    for host in [own.as_str(), "localhost", "here.example:80", "HERE.example."] {
        assert_eq!(served.status(host, "/"), 200, "{host}");
    }
    for path in ["/../../etc/passwd", "/assets/..%2f..%2fetc%2fpasswd", "//etc/passwd"] {
        let answer = served.get(&own, path);
        assert!(answer.starts_with("HTTP/1.1 404") && !answer.contains("root:"), "{answer}");
    }
}

#[test]
fn where_others_can_reach_it_a_token_is_asked_for_and_no_address_is_unspecified() {
    let sandbox = Sandbox::new();
    let named = ["--listen", "0.0.0.0:0", "--name", "disks.example", "--name", "other.example"];
    let served = Served::start(&sandbox, &named);
    let own = format!("disks.example:{}", served.port());
    let expected = format!("http://{own}/?token=");
    let token = served.address.strip_prefix(&expected).expect("an address to go to").to_owned();
    assert!(token.len() >= 16, "{token}");
    assert_eq!(served.status(&own, "/"), 401);
    assert_eq!(served.status(&own, "/?token=0123456789abcdef"), 401);
    assert_eq!(served.status(&own, &format!("/?token={token}")), 303);
    assert_eq!(served.status("evil.example", &format!("/?token={token}")), 421);
    assert_eq!(served.status("other.example", &format!("/?token={token}")), 303);
    let outcome = served.end(Signal::INT);
    assert!(outcome.stderr.contains("not encrypted"), "{}", outcome.stderr);
}

#[test]
fn a_port_that_is_taken_is_said_where_it_was_named_and_passed_over_where_not() {
    let sandbox = Sandbox::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = sandbox.start_program(subject(), &["serve", "--listen", &address]).finish();
    assert_eq!(refused.code, Some(1), "{}", refused.describe("exit code"));
    refused.assert_refused(&[&address, "in use", "--listen"]);
    let first = Served::start(&sandbox, &[]);
    let second = Served::start(&sandbox, &[]);
    assert!(second.port() > first.port(), "{} {}", first.address, second.address);
}

#[test]
fn what_is_no_address_token_or_name_is_refused_as_usage() {
    let sandbox = Sandbox::new();
    for (args, word) in [
        (["--listen", "here"], "127.0.0.1"),
        (["--token", "short"], "16"),
        (["--name", "http://here/"], "disks.example.com"),
        (["--name", "here:80"], "disks.example.com"),
    ] {
        let outcome = sandbox.start_program(subject(), &["serve", args[0], args[1]]).finish();
        assert_eq!(outcome.code, Some(2), "{}", outcome.describe("exit code"));
        outcome.assert_refused(&[args[0], word]);
    }
}

#[test]
fn connections_that_never_ask_keep_nobody_from_being_answered() {
    let sandbox = Sandbox::new();
    // Far fewer files than connections; with 24, the limit of the process is reached as well.
    for files in [128, 24] {
        let before = format!("ulimit -n {files}; exec");
        let served = Served::after(&sandbox, &before, "--listen 127.0.0.1:0");
        let idle: Vec<TcpStream> =
            (0..300).map(|_| TcpStream::connect(("127.0.0.1", served.port())).unwrap()).collect();
        let own = format!("127.0.0.1:{}", served.port());
        assert_eq!(served.status(&own, "/assets/web.css"), 200, "{files} files");
        drop(idle);
        assert_eq!(served.status(&own, "/"), 200, "{files} files, and the others are gone");
        assert_eq!(served.end(Signal::INT).code, Some(0));
    }
}

#[test]
fn a_token_comes_from_a_file_of_ones_own_or_from_the_environment() {
    const TOKEN: &str = "0123456789abcdef-own";
    let sandbox = Sandbox::new();
    let file = sandbox.write("token", format!("{TOKEN}\n"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let by_file = format!("--listen 127.0.0.1:0 --token-file {}", file.display());
    let variable = format!("exec env FATHOM_TOKEN={TOKEN}");
    let other = "exec env FATHOM_TOKEN=fedcba9876543210";
    for (before, args) in [
        ("exec", by_file.as_str()),
        (variable.as_str(), "--listen 127.0.0.1:0"),
        // What was typed goes before what stands in the environment.
        (other, by_file.as_str()),
    ] {
        let served = Served::after(&sandbox, before, args);
        let own = format!("127.0.0.1:{}", served.port());
        assert_eq!(served.status(&own, "/"), 401, "{before} {args}");
        assert_eq!(served.status(&own, &format!("/?token={TOKEN}")), 303, "{before} {args}");
        served.end(Signal::INT);
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let path = file.display().to_string();
    let refused = sandbox.start_program(subject(), &["serve", "--token-file", &path]).finish();
    refused.assert_refused_in_a_sentence("chmod 600");
    let script = format!("FATHOM_TOKEN=short exec {} serve", subject().display());
    sandbox.shell(&script).assert_refused_in_a_sentence("FATHOM_TOKEN");
}

#[test]
fn help_says_who_can_read_a_token_that_is_typed() {
    let help = Sandbox::new().fathom("serve --help").assert_ended(0).stdout.clone();
    let text = without_breaks(&help);
    for words in ["Other users of this machine can read it", "--token-file", "FATHOM_TOKEN"] {
        assert!(text.contains(words), "{words}: {help}");
    }
}
