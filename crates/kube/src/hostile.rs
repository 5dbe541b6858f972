//! A scripted API server, kubeconfigs, plugins and commands in pods that give nothing, garbage,
//! another type, or bytes without end: every call ends with an error, and reads no more than its
//! limit. How much was read is how much the test's server could send.

use crate::{
    Cluster, ClusterAccess, KubeError, PodOrder, PodProgram, RunId, StartOptions, StartWatcher,
};
use fathom_vocab::Architecture;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

/// The head of an answer whose body ends with the connection.
const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
/// More than the buffers of a connection have beside what is read.
const SLACK: usize = 32 << 20;

/// A folder with a kubeconfig.
struct Folder(TempDir);

impl Folder {
    /// A kubeconfig with these lines for its cluster and for its user.
    fn new(cluster: &str, user: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write(
            "config",
            format!(
                "current-context: c\ncontexts: [{{name: c, context: {{cluster: k, user: u}}}}]\n\
                 clusters: [{{name: k, cluster: {{{cluster}}}}}]\n\
                 users: [{{name: u, user: {{{user}}}}}]\n"
            ),
        );
        folder
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    fn cluster(&self) -> Result<Cluster, KubeError> {
        let kubeconfig = Some(self.0.path().join("config"));
        Cluster::connect(&ClusterAccess { kubeconfig, ..ClusterAccess::default() })
    }

    fn refusal(&self) -> String {
        self.cluster().map(|_| "nothing").unwrap_err().to_string()
    }
}

/// An API server that answers every request by a script, which gets the head of the request.
fn server(script: impl Fn(&mut TcpStream, &str) -> io::Result<()> + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = Arc::new(script);
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let script = script.clone();
            thread::spawn(move || {
                let head = request(&mut stream)?;
                script(&mut stream, &head)
            });
        }
    });
    port
}

/// Reads a request with its body, so that the connection is not reset; gives its head.
fn request(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.extend(byte);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length = length.and_then(|length| length.parse().ok()).unwrap_or_default();
    io::copy(&mut stream.take(length), &mut io::sink())?;
    Ok(head)
}

fn cluster_at(port: u16) -> (Folder, Cluster) {
    let folder = Folder::new(&format!("server: 'http://127.0.0.1:{port}'"), "token: t");
    let cluster = folder.cluster().unwrap();
    (folder, cluster)
}

/// A cluster whose server gives this body to every request.
fn answering(body: impl Into<String>) -> (Folder, Cluster) {
    let body = body.into();
    cluster_at(server(move |stream, _| stream.write_all(format!("{HEAD}{body}").as_bytes())))
}

/// A cluster whose server sends bytes without end after a beginning, and the count of them.
fn endless(begin: &'static str) -> ((Folder, Cluster), Arc<AtomicUsize>) {
    let sent = Arc::new(AtomicUsize::new(0));
    let count = sent.clone();
    let port = server(move |stream, _| {
        stream.write_all(begin.as_bytes())?;
        flood(stream, &[b'a'; 1 << 16], &count)
    });
    (cluster_at(port), sent)
}

fn flood(stream: &mut TcpStream, chunk: &[u8], sent: &AtomicUsize) -> io::Result<()> {
    loop {
        stream.write_all(chunk)?;
        sent.fetch_add(chunk.len(), Ordering::SeqCst);
    }
}

fn run() -> RunId {
    RunId::of(1)
}

/// A call by its name.
type NamedCall = (&'static str, fn(&Cluster) -> Result<(), KubeError>);

/// Every call that reads one object, and then those that read a list.
fn calls() -> [NamedCall; 9] {
    [
        ("object", |c| c.object("/api/v1/nodes/n").map(drop)),
        ("class", |c| c.class("c").map(drop)),
        ("config text", |c| c.config_text("m", None).map(drop)),
        ("claim size", |c| c.claim_size("c").map(drop)),
        ("resize", |c| c.patch("claim", "/api/v1/x", &serde_json::json!({})).map(drop)),
        ("survey", |c| c.survey().map(drop)),
        ("runs", |c| c.runs().map(drop)),
        ("snapshot class", |c| c.snapshot_class("p", None).map(drop)),
        ("removal", |c| c.remove(&run(), Duration::ZERO, &mut |_| {}).map(drop)),
    ]
}

/// How many of them read an object.
const OBJECTS: usize = 5;

#[test]
fn an_answer_of_another_type_is_an_error_of_every_call() {
    let deep = "[".repeat(5000);
    for body in ["", "5", "true", "null", "\"text\"", "[]", "[1]", "{", "<html>", "\0", &deep] {
        let (_folder, cluster) = answering(body);
        for (name, call) in calls() {
            let why = call(&cluster).expect_err(name).to_string();
            assert!(why.contains("is unusable: ") && why.contains("--context"), "{name}: {why}");
        }
        assert!(cluster.fate("p", "n").contains("is unusable"), "{body}");
    }
    for list in ["{}", r#"{"items": 5}"#, r#"{"items": {"a": 1}}"#, r#"{"kind": "Status"}"#] {
        let (_folder, cluster) = answering(list);
        for (name, call) in &calls()[OBJECTS..] {
            let why = call(&cluster).expect_err(name).to_string();
            assert!(why.contains("it holds no list"), "{name}: {why}");
        }
    }
}

#[test]
fn members_of_another_type_are_as_good_as_missing() {
    for items in ["null", "[]", "[5, null, \"x\", [], {\"metadata\": 5, \"status\": [1]}]"] {
        let (_folder, cluster) = answering(format!("{{\"items\": {items}}}"));
        assert!(cluster.runs().unwrap().is_empty(), "{items}");
        cluster.survey().unwrap();
        let _ = cluster.remove(&run(), Duration::ZERO, &mut |_| {});
    }
}

#[test]
fn nothing_is_removed_that_bears_no_label_of_ours_or_a_name_that_leads_elsewhere() {
    let deleted = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = deleted.clone();
    let labels = |run: &str| {
        format!(
            "\"labels\": {{\"app.kubernetes.io/managed-by\": \"fathom\", \
             \"fathom-bench.github.io/run\": \"{run}\"}}"
        )
    };
    let own = labels(&run().to_string());
    let object =
        |name: &str, labels: &str| format!("{{\"metadata\": {{\"name\": \"{name}\", {labels}}}}}");
    let items = [
        object("ours", &own),
        object("foreign", "\"labels\": {}"),
        object("of-another-run", &labels("0badc0de")),
        object("../../../api/v1/namespaces/kube-system", &own),
        object("a?b", &own),
        object("..", &own),
    ];
    let body = format!("{{\"items\": [{}]}}", items.join(", "));
    let port = server(move |stream, head| {
        if head.starts_with("DELETE ") {
            let path = head.split(' ').nth(1).unwrap_or_default();
            seen.lock().unwrap().push(path.rsplit('/').next().unwrap_or_default().to_owned());
        }
        stream.write_all(format!("{HEAD}{body}").as_bytes())
    });
    let (_folder, cluster) = cluster_at(port);
    let _ = cluster.remove(&run(), Duration::ZERO, &mut |_| {});
    let mut deleted = deleted.lock().unwrap().clone();
    deleted.dedup();
    assert_eq!(deleted, ["ours"]);
    let runs = cluster.runs().unwrap();
    let names = |at: usize| runs[at].objects.iter().all(|name| !name.contains(['/', '?']));
    assert!(runs.len() == 2 && names(0) && names(1), "{runs:?}");
}

/// A run of one pod on nodes with this label.
fn order(label: (&str, &str)) -> StartOptions {
    let pods = PodOrder {
        run: run(),
        volumes: Vec::new(),
        own_claims: Vec::new(),
        mode: crate::VolumeMode::default(),
        pods: 1,
        spares_others: false,
        image: "busybox".to_owned(),
        node_selector: [(label.0.to_owned(), label.1.to_owned())].into(),
        run_as: None,
        has_foreign_claims: false,
        architectures: vec!["amd64".to_owned()],
        deadline_s: 60,
        idle_s: 60,
        patch: None,
    };
    StartOptions { pods, claims: Vec::new(), limit: Duration::from_secs(60) }
}

#[test]
fn labels_that_no_node_has_are_refused_at_once() {
    let (_folder, cluster) = answering("{\"items\": []}");
    let why = cluster.check(&order(("disk", "zzz"))).unwrap_err().to_string();
    assert!(why.contains("no node has disk=zzz"), "{why}");
    let (_folder, cluster) = answering("{\"items\": [{\"metadata\": {\"name\": \"n1\"}}]}");
    cluster.check(&order(("disk", "nvme"))).unwrap();
}

/// Notes whether anything was made.
struct Made(bool);

impl StartWatcher for Made {
    fn notice(&mut self, _: &fathom_text::Text) {}

    fn stopping(&self) -> bool {
        false
    }

    fn made(&mut self) {
        self.0 = true;
    }
}

#[test]
fn where_the_job_is_refused_nothing_was_made() {
    let start = |(code, body): (u32, String)| {
        let head = format!("HTTP/1.1 {code} no\r\ncontent-length: {}\r\n\r\n", body.len());
        let port = server(move |stream, _| stream.write_all(format!("{head}{body}").as_bytes()));
        let (_folder, cluster) = cluster_at(port);
        let mut made = Made(false);
        let why = cluster.start(&order(("a", "b")), &mut made).unwrap_err().to_string();
        (why, made.0)
    };
    let status = |code: u32, message: &str| {
        let status = serde_json::json!({"code": code, "message": message, "status": "Failure"});
        (code, status.to_string())
    };
    let (why, made) = start(status(403, "jobs.batch is forbidden"));
    assert!(why.contains("refuses job fathom-") && !made, "{why}");
    let (why, made) = start(status(404, "namespaces 'nope' not found"));
    assert!(why.contains("the cluster has no namespace default; name another") && !made, "{why}");
    // Whether a server that breaks off made it is not known.
    let (_, made) = start(status(503, "try again"));
    assert!(made);
}

#[test]
fn a_name_that_leads_elsewhere_enters_no_path() {
    let (_folder, cluster) = answering("{}");
    for name in ["..", "a/../b", "", "a b", "a%2fb"] {
        let why = cluster.object(&format!("/api/v1/nodes/{name}")).map(drop);
        assert!(!matches!(why, Err(KubeError::Connection { .. })), "{name:?}: {why:?}");
        assert_eq!(cluster.object(&format!("/api/v1/nodes/{name}")).unwrap_or(None), None);
    }
    assert!(cluster.object("/api/v1/nodes/n-1.example:x").unwrap().is_some());
}

#[test]
fn a_connection_that_ends_at_once_is_told() {
    let (_folder, cluster) = cluster_at(server(|_, _| Ok(())));
    for (name, call) in calls() {
        let why = call(&cluster).expect_err(name).to_string();
        assert!(why.contains("does not answer"), "{name}: {why}");
    }
}

#[test]
fn a_server_that_takes_requests_and_answers_nothing_is_given_up() {
    let port = server(|stream, _| io::copy(stream, &mut io::sink()).map(drop));
    let begun = Instant::now();
    thread::scope(|scope| {
        for (name, call) in calls() {
            scope.spawn(move || {
                let (_folder, cluster) = cluster_at(port);
                let why = call(&cluster).expect_err(name).to_string();
                assert!(why.contains("does not answer"), "{name}: {why}");
            });
        }
    });
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn an_object_without_end_is_read_up_to_its_limit() {
    let begins = [
        "HTTP/1.1 200 OK\r\n\r\n{\"a\": \"",
        "HTTP/1.1 500 no\r\n\r\n",
        "HTTP/1.1 403 no\r\n\r\n{\"message\": \"",
    ];
    for begin in begins {
        let ((_folder, cluster), sent) = endless(begin);
        let why = cluster.object("/api/v1/nodes/n").unwrap_err().to_string();
        assert!(why.contains("it has more than 8 MiB"), "{why}");
        let sent = sent.load(Ordering::SeqCst);
        assert!(sent < (8 << 20) + SLACK, "{begin}: {sent}");
    }
}

#[test]
fn a_list_may_have_more_than_an_object() {
    let filling = "x".repeat(9 << 20);
    let (_folder, cluster) = answering(format!("{{\"x\": \"{filling}\", \"items\": []}}"));
    assert_eq!(cluster.runs().unwrap(), []);
    assert!(cluster.object("/x").unwrap_err().to_string().contains("more than 8 MiB"));
}

#[test]
fn a_refusal_is_shown_in_part() {
    let long = "x".repeat(1 << 20);
    let body = format!("{{\"message\": \"{long}\", \"code\": 403, \"status\": \"Failure\"}}");
    let answer = format!("HTTP/1.1 403 no\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let port = server(move |stream, _| stream.write_all(answer.as_bytes()));
    let (_folder, cluster) = cluster_at(port);
    let why = cluster.object("/x").unwrap_err();
    assert!(matches!(&why, KubeError::Forbidden { why, .. } if why.len() == 2000), "{why:.100}");
}

/// A frame of a server.
fn frame(opcode: u8, content: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x80 | opcode];
    match content.len() {
        length @ ..126 => frame.push(length as u8),
        length @ ..0x1_0000 => {
            frame.push(126);
            frame.extend((length as u16).to_be_bytes());
        }
        length => {
            frame.push(127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    frame.extend(content);
    frame
}

/// A cluster with a command whose connection a script has.
fn commanding(
    script: impl Fn(&mut TcpStream) -> io::Result<()> + Send + Sync + 'static,
) -> (Folder, Cluster) {
    cluster_at(server(move |stream, head| {
        let key = head.lines().find_map(|line| line.strip_prefix("sec-websocket-key: "));
        let accepted = derive_accept_key(key.unwrap_or_default().as_bytes());
        let answer = format!(
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
             sec-websocket-protocol: v5.channel.k8s.io\r\nsec-websocket-accept: {accepted}\r\n\r\n"
        );
        stream.write_all(answer.as_bytes())?;
        script(stream)?;
        // What is not read resets the connection, and the answer is lost.
        io::copy(stream, &mut io::sink()).map(drop)
    }))
}

const STDOUT: u8 = 1;
const STDERR: u8 = 2;
const STATUS: u8 = 3;
const BINARY: u8 = 2;
const PING: u8 = 9;

fn message(channel: u8, content: &[u8]) -> Vec<u8> {
    frame(BINARY, &[&[channel], content].concat())
}

fn success() -> Vec<u8> {
    message(STATUS, br#"{"status": "Success"}"#)
}

#[test]
fn an_output_of_a_command_without_end_is_read_up_to_its_limit() {
    for channel in [STDOUT, STDERR] {
        let sent = Arc::new(AtomicUsize::new(0));
        let count = sent.clone();
        let (_folder, cluster) =
            commanding(move |stream| flood(stream, &message(channel, &[b'y'; 4096]), &count));
        let program = PodProgram::of_binary(vec![1], &Architecture::own()).unwrap();
        let why = cluster.install("p", &program).unwrap_err().to_string();
        assert!(why.contains("in pod p: it wrote more than 64 KiB; name another image"), "{why}");
        let why = cluster.read_data("p", "/f", 1 << 20).unwrap_err().to_string();
        assert!(why.contains("it wrote more than 1024 KiB"), "{why}");
        drop(cluster);
        assert!(sent.load(Ordering::SeqCst) < 2 * SLACK);
    }
}

/// A cluster whose pods answer every command with this.
fn printing(output: &'static str) -> (Folder, Cluster) {
    commanding(move |stream| {
        stream.write_all(&message(STDOUT, output.as_bytes()))?;
        stream.write_all(&success())
    })
}

#[test]
fn a_pod_says_its_architecture_and_whether_its_image_has_this_fathom() {
    let (_folder, cluster) = printing("aarch64\n");
    assert_eq!(cluster.architecture("p").unwrap(), Architecture::named("arm64"));
    let image = |output: &'static str| {
        let (_folder, cluster) = printing(output);
        cluster.image_program("p", "0.1.0 (abc)").unwrap()
    };
    let found = image("/usr/bin/fathom\nfathom 0.1.0 (abc)\n").unwrap();
    assert_eq!((found.words.as_str(), found.files.len()), ("/usr/bin/fathom", 0));
    assert_eq!(image("/usr/bin/fathom\nfathom 0.1.0 (def)\n"), None);
    assert_eq!(image("/usr/games/fathom\n"), None);
    assert_eq!(image(""), None);
}

#[test]
fn as_much_as_was_asked_for_is_read() {
    let (_folder, cluster) = commanding(|stream| {
        for _ in 0..32 {
            stream.write_all(&message(STDOUT, &[7; 32 << 10]))?;
        }
        stream.write_all(&success())
    });
    assert_eq!(cluster.read_data("p", "/f", 1 << 20).unwrap(), vec![7; 1 << 20]);
}

#[test]
fn a_message_of_a_command_without_end_is_refused() {
    let (_folder, cluster) = commanding(|stream| {
        let length = (1_u64 << 40).to_be_bytes();
        stream.write_all(&[&[0x80 | BINARY, 127][..], &length].concat())?;
        flood(stream, &[0; 1 << 16], &AtomicUsize::new(0))
    });
    let why = cluster.read_data("p", "/f", 1).unwrap_err().to_string();
    assert!(why.contains("too long"), "{why}");
}

#[test]
fn a_status_of_another_type_is_an_error() {
    for status in ["5", "[]", "{}", "garbage", r#"{"status": 5}"#, r#"{"details": {"causes": 5}}"#]
    {
        let (_folder, cluster) =
            commanding(move |stream| stream.write_all(&message(STATUS, status.as_bytes())));
        cluster.read_data("p", "/f", 1).unwrap_err();
    }
}

#[test]
fn pings_of_a_server_that_takes_no_pongs_are_answered_in_part() {
    const PINGS: usize = 400_000;
    const LAST: &[u8] = &[b'z'; 125];
    let taken = Arc::new(AtomicUsize::new(0));
    let count = taken.clone();
    let (_folder, cluster) = commanding(move |stream| {
        let ping = frame(PING, &[b'a'; 125]);
        for _ in 0..PINGS {
            stream.write_all(&ping)?;
        }
        stream.write_all(&frame(PING, LAST))?;
        // The pongs, the last of which comes in any case, masked by a key.
        let mut pong = [0; 6 + LAST.len()];
        while pong[6] ^ pong[2] != LAST[0] {
            stream.read_exact(&mut pong[..2])?;
            let length = usize::from(pong[1] & 0x7f);
            stream.read_exact(&mut pong[2..6 + length])?;
            count.fetch_add(6 + length, Ordering::SeqCst);
        }
        stream.write_all(&success())
    });
    assert_eq!(cluster.bridge("p", &[], Silence, (Vec::new(), Vec::new())).unwrap(), 0);
    let taken = taken.load(Ordering::SeqCst);
    assert!(taken < PINGS * LAST.len() / 2, "{taken} of {}", PINGS * LAST.len());
}

/// An input that gives nothing, and does not end.
struct Silence;

impl Read for Silence {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        loop {
            thread::park();
        }
    }
}

#[test]
fn a_bridge_carries_both_directions_until_the_command_ends() {
    let (_folder, cluster) = commanding(|stream| {
        // Three bytes and the end of the input, each in a masked frame.
        let mut frames = [0; (6 + 1 + 3) + (6 + 2)];
        stream.read_exact(&mut frames)?;
        let (input, end) = frames.split_at(10);
        let unmasked = |frame: &[u8]| -> Vec<u8> {
            frame[6..]
                .iter()
                .zip(frame[2..6].iter().cycle())
                .map(|(byte, key)| byte ^ key)
                .collect()
        };
        stream.write_all(&message(STDOUT, &unmasked(input)[1..]))?;
        stream.write_all(&message(STDERR, &unmasked(end)))?;
        stream.write_all(&success())
    });
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let code = cluster.bridge("p", &[], &b"abc"[..], (&mut stdout, &mut stderr)).unwrap();
    assert_eq!((code, &stdout[..], &stderr[..]), (0, &b"abc"[..], &[255, 0][..]));
}

#[test]
fn a_server_that_is_no_address_is_an_error_with_advice() {
    for (server, shown) in [
        ("127.0.0.1:6443", "127.0.0.1:6443"),
        ("host", "host"),
        ("/path", "/path"),
        ("ftp://host", "ftp://host/"),
    ] {
        let why = Folder::new(&format!("server: '{server}'"), "").refusal();
        let advice =
            format!("the server {shown} is no address of an API server; write one as https");
        assert!(why.contains(&advice), "{server}: {why}");
    }
    assert!(Folder::new("server: ''", "").refusal().contains("no way to a cluster"));
}

const SERVER: &str = "server: 'http://127.0.0.1:1'";

#[test]
fn a_token_that_no_header_can_carry_is_an_error_with_advice() {
    for user in [
        r#"token: "a\nb""#,
        r#"auth-provider: {name: oidc, config: {id-token: "a\nb"}}"#,
        r#"exec: {apiVersion: v1, command: echo, args: ['{"status": {"token": "a\nb"}}']}"#,
        "tokenFile: token",
    ] {
        let folder = Folder::new(SERVER, user);
        folder.write("token", "a\nb\n");
        let why = folder.refusal();
        assert!(why.contains("has a line break or a control character; log in again"), "{why}");
    }
    let folder = Folder::new(SERVER, "auth-provider: {name: gcp, config: {cmd-path: yes}}");
    assert!(folder.refusal().contains("log in by a plugin, such as kubelogin"));
}

#[test]
fn files_without_end_are_read_up_to_their_limit() {
    let zero = "/dev/zero has more than 4 MiB";
    let identity = ["client-certificate: /dev/zero", "client-key: /dev/zero"];
    for (cluster, user) in [
        (format!("{SERVER}, certificate-authority: /dev/zero"), ""),
        (SERVER.to_owned(), "tokenFile: /dev/zero"),
        (SERVER.to_owned(), identity[0]),
        (SERVER.to_owned(), identity[1]),
    ] {
        let why = Folder::new(&cluster, user).refusal();
        assert!(why.contains(zero), "{user}: {why}");
    }
    let kubeconfig = Some(PathBuf::from("/dev/zero"));
    let access = ClusterAccess { kubeconfig, ..ClusterAccess::default() };
    let why = Cluster::connect(&access).map(drop).unwrap_err().to_string();
    assert!(why.contains(zero), "{why}");
}

#[test]
fn a_kubeconfig_is_text_in_any_of_its_encodings() {
    let folder = Folder::new(SERVER, "");
    let text = fs::read_to_string(folder.0.path().join("config")).unwrap();
    let units = || text.encode_utf16();
    let mut wide =
        [&[0xff, 0xfe][..], &units().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()].concat();
    folder.write("config", &wide);
    folder.cluster().unwrap();
    wide.push(b'a');
    folder.write("config", &wide);
    assert!(folder.refusal().contains("config is no text; name another file"));
    let wide =
        [&[0xfe, 0xff][..], &units().flat_map(u16::to_be_bytes).collect::<Vec<u8>>()].concat();
    folder.write("config", wide);
    folder.cluster().unwrap();
    folder.write("config", format!("\u{feff}{text}"));
    folder.cluster().unwrap();
    folder.write("config", [b'a', 0x80]);
    assert!(folder.refusal().contains("is no text"));
    folder.write("config", "[5]");
    assert!(folder.refusal().contains("no way to a cluster"));
}

#[test]
fn a_plugin_that_gives_no_credentials_is_named() {
    for (plugin, why) in [
        ("command: yes", "the plugin yes gave no credentials: it wrote more than 1024 KiB"),
        ("command: 'false'", "the plugin false gave no credentials: it ended with exit status: 1"),
        ("command: echo", "it wrote neither a token nor a certificate"),
        ("command: echo, args: ['5']", "it wrote neither a token nor a certificate"),
        ("command: echo, args: ['[']", "the plugin echo gave no credentials: "),
        ("command: /nonexistent/p", "cannot start the plugin /nonexistent/p: No such file"),
        ("command: /nonexistent/p, installHint: get it", "; get it; name a file by"),
        (
            r#"command: echo, args: ['{"status": {"token": "t", "expirationTimestamp": "x"}}']"#,
            "the plugin echo gave no credentials: ",
        ),
    ] {
        let said = Folder::new(SERVER, &format!("exec: {{apiVersion: v1, {plugin}}}")).refusal();
        assert!(said.contains(why), "{plugin}: {said}");
    }
}

/// The tokens that a server sees in two requests of a user.
fn tokens(user: &str, files: &[(&str, &str)]) -> Vec<String> {
    let (sender, seen) = std::sync::mpsc::channel();
    let port = server(move |stream, head| {
        let token = head.lines().find_map(|line| line.strip_prefix("authorization: "));
        let _ = sender.send(token.unwrap_or_default().to_owned());
        stream.write_all(format!("{HEAD}{{}}").as_bytes())
    });
    let folder = Folder::new(&format!("server: 'http://127.0.0.1:{port}'"), user);
    files.iter().for_each(|(name, content)| drop(folder.write(name, content)));
    let cluster = folder.cluster().unwrap();
    (0..2).for_each(|_| drop(cluster.object("/x").unwrap()));
    seen.try_iter().collect()
}

#[test]
fn a_token_comes_from_the_kubeconfig_a_file_or_a_plugin() {
    assert_eq!(tokens("token: t", &[]), ["Bearer t", "Bearer t"]);
    assert_eq!(tokens("", &[]), ["", ""]);
    assert_eq!(tokens("username: u, password: p", &[]), ["Basic dTpw", "Basic dTpw"]);
    let file = [("token", " t \n")];
    assert_eq!(tokens("tokenFile: token", &file), ["Bearer t", "Bearer t"]);
    // A plugin that counts its runs beside itself, and shows what it was given.
    let script = |until: &str| {
        format!(
            "#!/bin/sh\ncd \"${{0%/*}}\"; echo >>runs\n\
             case $KUBERNETES_EXEC_INFO in *'\"server\":\"http://127'*) is=in;; esac\n\
             echo \"status: {{token: t$(($(wc -l <runs)))-$V-$1-$is{until}}}\"\n"
        )
    };
    let user = "exec: {apiVersion: v1, command: sh, args: [PLUGIN, a], env: [{name: V, value: v}], \
                provideClusterInfo: true}";
    let of = |until: &str| {
        let folder = tempfile::tempdir().unwrap();
        let plugin = folder.path().join("plugin");
        fs::write(&plugin, script(until)).unwrap();
        tokens(&user.replace("PLUGIN", &plugin.display().to_string()), &[])
    };
    let lasting = ["Bearer t1-v-a-in", "Bearer t1-v-a-in"];
    assert_eq!(of(""), lasting);
    assert_eq!(of(", expirationTimestamp: '2999-01-01T00:00:00Z'"), lasting);
    let ended = of(", expirationTimestamp: '2020-01-01T00:00:00Z'");
    assert_eq!(ended, ["Bearer t2-v-a-in", "Bearer t3-v-a-in"]);
}

#[test]
fn files_that_a_kubeconfig_names_are_beside_it() {
    let folder = Folder::new(&format!("{SERVER}, certificate-authority: ca"), "tokenFile: token");
    assert!(folder.refusal().contains(&folder.0.path().join("ca").display().to_string()));
    folder.write("ca", "");
    assert!(folder.refusal().contains(&folder.0.path().join("token").display().to_string()));
    folder.write("token", "t");
    folder.cluster().unwrap();
}
