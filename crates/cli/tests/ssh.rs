//! Measuring over ssh: a real sshd of the test's own, on an address of this machine.

use crate::devices::{need, root, tool};
use crate::namespace::Network;
use crate::sandbox::{HANG, Sandbox, left_in, subject};
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SSHD: &str = "/usr/sbin/sshd";

/// An sshd, and a client that knows it as `box`. It also knows `stranger`, with a key that sshd
/// does not take, `impostor`, whose host key is another one than is known, and `nobody`, a port on
/// which nothing listens.
struct Sshd {
    process: Child,
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

fn key(path: &Path) -> Result<(), String> {
    let path = path.display().to_string();
    tool("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-f", &path]).map(drop)
}

impl Sshd {
    /// Of a host with Fathom.
    fn start(sandbox: &Sandbox) -> Result<Sshd, String> {
        let sshd = Sshd::bare(sandbox)?;
        symlink(subject(), sandbox.root().join("bin/fathom")).unwrap();
        Ok(sshd)
    }

    /// Of a host without.
    fn bare(sandbox: &Sandbox) -> Result<Sshd, String> {
        Sshd::at(sandbox, Ipv4Addr::LOCALHOST, None)
    }

    /// At an address, which is in a network namespace where one is named.
    fn at(sandbox: &Sandbox, address: Ipv4Addr, netns: Option<&str>) -> Result<Sshd, String> {
        root()?;
        if !Path::new(SSHD).exists() {
            return Err("needs sshd (openssh-server)".to_owned());
        }
        let top = sandbox.root();
        for name in ["host_key", "key", "other_key"] {
            key(&top.join(name))?;
        }
        // Where sshd parts with its privileges; Debian makes it when its service starts.
        fs::create_dir_all("/run/sshd").map_err(|e| format!("/run/sshd: {e}"))?;
        fs::create_dir(top.join("host-tmp")).unwrap();
        let port = free_port();
        let (shown, bin) = (top.display(), top.join("bin"));
        let config = format!(
            "ListenAddress {address}\nPort {port}\nHostKey {shown}/host_key\nPidFile none\n\
             AuthorizedKeysFile {shown}/key.pub\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n\
             PasswordAuthentication no\nKbdInteractiveAuthentication no\n\
             SetEnv PATH={}:/usr/bin:/bin TMPDIR={shown}/host-tmp FATHOM_HOME={}\n",
            bin.display(),
            sandbox.home().display()
        );
        fs::write(top.join("sshd_config"), config).unwrap();
        client_config(sandbox, address, port);
        let mut sshd = match netns {
            None => Command::new(SSHD),
            Some(name) => {
                let mut command = Command::new("ip");
                command.args(["netns", "exec", name, SSHD]);
                command
            }
        };
        sshd.args(["-D", "-e", "-f"]).arg(top.join("sshd_config"));
        sshd.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = sshd.spawn().map_err(|e| format!("{SSHD}: {e}"))?;
        let sshd = Sshd { process };
        let begun = Instant::now();
        while TcpStream::connect((address, port)).is_err() {
            if begun.elapsed() > HANG {
                return Err("sshd does not listen".to_owned());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(sshd)
    }
}

/// What ssh knows of hosts; a script in the sandbox gives it this in place of the user's own.
fn client_config(sandbox: &Sandbox, address: Ipv4Addr, port: u16) {
    let top = sandbox.root().display();
    let trusting = format!(
        "HostName {address}\nUser root\nIdentitiesOnly yes\nLogLevel ERROR\nIdentityAgent none\n"
    );
    let common = format!("{trusting}StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\n");
    // A host that has another key than the one that is known of it.
    let other = fs::read_to_string(sandbox.root().join("other_key.pub")).unwrap();
    fs::write(sandbox.root().join("known"), format!("[{address}]:{port} {other}")).unwrap();
    let dead = free_port();
    let config = format!(
        "Host box\nPort {port}\nIdentityFile {top}/key\n{common}\
         Host stranger\nPort {port}\nIdentityFile {top}/other_key\n{common}\
         Host impostor\nPort {port}\nIdentityFile {top}/key\nStrictHostKeyChecking yes\n\
         UserKnownHostsFile {top}/known\n{trusting}\
         Host nobody\nPort {dead}\nIdentityFile {top}/key\n{common}"
    );
    fs::write(sandbox.root().join("ssh_config"), config).unwrap();
    let script = format!("#!/bin/sh\nexec /usr/bin/ssh -F {top}/ssh_config \"$@\"\n");
    let path = sandbox.root().join("bin/ssh");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_folder_behind_ssh_is_measured_and_left_as_it_was() {
    let sandbox = Sandbox::new();
    let Some(_sshd) = need(Sshd::start(&sandbox)) else { return };
    let work = sandbox.work();
    let line = format!("measure {} --on box --size 16m --time 800ms --json -q", work.display());
    let outcome = sandbox.fathom(&line);
    outcome.assert_success();
    assert_eq!(outcome.json()["phases"].as_array().unwrap().len(), 8);
    assert_eq!(left_in(&work), Vec::<String>::new());
    let list = sandbox.fathom("history list --json").json();
    assert_eq!(list["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn hosts_that_ssh_does_not_reach_are_named_with_what_to_do() {
    let sandbox = Sandbox::new();
    let Some(_sshd) = need(Sshd::start(&sandbox)) else { return };
    let work = sandbox.work().display().to_string();
    let said = |host: &str, more: &[&str]| {
        let args = [&["measure", &work, "--on", host], more].concat();
        let outcome = sandbox.start_program(subject(), &args).finish();
        outcome.assert_ended(1);
        assert!(outcome.stderr.starts_with(&format!("fathom: {host}: no agent there: ")));
        outcome.stderr
    };
    let key = said("stranger", &[]);
    assert!(key.contains("Permission denied") && key.contains("BatchMode=yes"), "{key}");
    let impostor = said("impostor", &[]);
    assert!(impostor.contains("Host key verification failed"), "{impostor}");
    let dead = said("nobody", &[]);
    assert!(dead.contains("Connection refused"), "{dead}");
    let missing = said("box", &["--agent", "/no/such/fathom"]);
    assert!(
        missing.contains("install Fathom there") && missing.contains("--agent PATH"),
        "{missing}"
    );
}

#[test]
fn a_host_behind_ssh_without_fathom_has_a_copy_for_the_time() {
    let sandbox = Sandbox::new();
    let Some(_sshd) = need(Sshd::bare(&sandbox)) else { return };
    let work = sandbox.work();
    let line =
        format!("measure {} --on box --size 16m --time 400ms --read-only -q", work.display());
    let outcome = sandbox.fathom(&line);
    outcome.assert_success();
    assert_eq!(outcome.stderr, "", "nothing is to be told");
    assert_eq!(left_in(&work), Vec::<String>::new());
    assert_eq!(left_in(&sandbox.root().join("host-tmp")), Vec::<String>::new());
}

#[test]
fn a_link_that_goes_down_is_named_and_the_host_cleans_up_by_itself() {
    let sandbox = Sandbox::new();
    let Some(network) = need(Network::start()) else { return };
    let sshd = Sshd::at(&sandbox, network.far, Some(&network.name));
    let Some(_sshd) = need(sshd) else { return };
    let work = sandbox.work();
    let line = format!("measure {} --on box --size 16m --time 24s", work.display());
    let mut running = sandbox.start_fathom(&line);
    running.wait_for_stderr(|text| text.contains("1/8 "));
    network.cut();
    let outcome = running.finish();
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("fathom: box: lost while "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("nothing was heard of it for 4"), "{}", outcome.stderr);
    // Nobody tells the agent: it hears nothing, and goes.
    let begun = Instant::now();
    let is_left = || {
        let copies = left_in(&sandbox.root().join("host-tmp"));
        !left_in(&work).is_empty() || !copies.is_empty()
    };
    while is_left() {
        assert!(begun.elapsed() < HANG, "files are left on the host");
        std::thread::sleep(Duration::from_millis(20));
    }
}
