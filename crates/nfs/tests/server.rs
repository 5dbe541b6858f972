//! Exports and I/Os against a server in this process: what is written is there, counts are the
//! server's own, and whatever it does wrong is lived with or told.
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]

use fathom_nfs::proto::{NfsProcedure, WriteStability, kind};
use fathom_nfs::test_server::{Misbehaviour, TestServer};
use fathom_nfs::{
    NfsCaller, NfsError, NfsExport, NfsIo, NfsIoFile, NfsRequest, NfsStatus, RpcRefusal,
    SlotBuffers,
};
use fathom_vocab::{NfsUrl, Op};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A test that hangs fails.
const LONG: Duration = Duration::from_secs(300);

struct Buffers(Vec<Vec<u8>>);

impl SlotBuffers for Buffers {
    fn slot(&mut self, slot: u32) -> &mut [u8] {
        &mut self.0[slot as usize]
    }
}

/// A job's end: I/Os on one file.
struct Job {
    io: NfsIo,
    buffers: Buffers,
    done: Vec<(u32, i32)>,
}

const CALLER: NfsCaller = NfsCaller { uid: 0, gid: 0 };

fn mount(server: &TestServer, arguments: &str) -> Result<NfsExport, NfsError> {
    NfsExport::mount(&NfsUrl::parse(&server.url(arguments)).expect("a URL"), CALLER)
}

fn job(server: &TestServer, arguments: &str, depth: u32, stability: WriteStability) -> Job {
    let export = Arc::new(mount(server, arguments).expect("mounts"));
    let handle = export.create("f").expect("makes").handle;
    let file = NfsIoFile { handle, stability };
    let io = NfsIo::connect(export, vec![file], depth).expect("connects");
    Job { io, buffers: Buffers(vec![vec![0; 8192]; depth as usize]), done: Vec::new() }
}

impl Job {
    fn queue(&mut self, op: Op, slot: u32, offset: u64, len: u32) {
        let request = NfsRequest { op, file: 0, offset, len, at: 0, slot };
        self.io.queue(request, &mut self.buffers);
        self.io.advance(&mut self.buffers).expect("sends");
    }

    /// Waits until `count` are over.
    fn wait(&mut self, count: usize) -> Vec<(u32, i32)> {
        let began = Instant::now();
        while self.done.len() < count {
            assert!(began.elapsed() < LONG, "hangs: {:?}", self.io.trouble());
            let (io, buffers) = (&mut self.io, &mut self.buffers);
            io.reap((1, u32::MAX), None, buffers, &mut self.done).expect("waits");
        }
        std::mem::take(&mut self.done)
    }

    fn one(&mut self, op: Op, offset: u64, len: u32) -> i32 {
        self.queue(op, 0, offset, len);
        self.wait(1)[0].1
    }

    /// Writes `count` blocks of 4 KiB, each of its own number, with all slots.
    fn write_blocks(&mut self, count: u64) {
        let depth = self.buffers.0.len() as u64;
        let mut free: Vec<u32> = (0..depth as u32).collect();
        let mut next = 0;
        while next < count || free.len() < depth as usize {
            while next < count
                && let Some(slot) = free.pop()
            {
                self.buffers.slot(slot)[..4096].fill(next as u8 + 1);
                self.queue(Op::Write, slot, next * 4096, 4096);
                next += 1;
            }
            for (slot, result) in self.wait(1) {
                assert_eq!(result, 4096);
                free.push(slot);
            }
        }
    }
}

fn blocks_are_right(data: &[u8]) {
    for (at, block) in data.chunks(4096).enumerate() {
        assert!(block.iter().all(|byte| *byte == at as u8 + 1), "block {at}");
    }
}

#[test]
fn counts_and_bytes_are_the_servers_at_every_depth_and_number_of_connections() {
    for (depth, connections) in [(1, 1), (4, 2), (32, 1), (32, 8)] {
        let server = TestServer::start().expect("starts");
        let arguments = format!("&nconnect={connections}");
        let mut job = job(&server, &arguments, depth, WriteStability::Unstable);
        job.write_blocks(200);
        assert_eq!(job.one(Op::Fsync, 0, 0), 0);
        for block in 0..200 {
            assert_eq!(job.one(Op::Read, block * 4096, 4096), 4096);
            assert!(job.buffers.slot(0)[..4096].iter().all(|byte| *byte == block as u8 + 1));
        }
        let state = server.state();
        let count = |procedure| state.count(procedure);
        assert_eq!((count(NfsProcedure::Write), count(NfsProcedure::Read)), (200, 200));
        assert_eq!((count(NfsProcedure::Commit), state.stabilities), (1, [200, 0, 0]));
        assert_eq!((state.written_bytes, state.read_bytes), (200 * 4096, 200 * 4096));
        // One more mounted and one more is the export's own.
        assert_eq!(state.connections, connections + 2);
        blocks_are_right(state.store.data("f").unwrap());
        let used = job.io.connections();
        assert_eq!(used.iter().map(|one| one.ops).sum::<u64>(), 400);
        assert_eq!(used.iter().map(|one| one.bytes).sum::<u64>(), 400 * 4096);
        assert!(used.iter().all(|one| one.ops > 0), "each has its turn: {used:?}");
    }
}

#[test]
fn a_port_that_was_asked_for_is_free_again_for_the_next_run() {
    let server = TestServer::start().expect("starts");
    let port = {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("binds");
        taken.local_addr().expect("an address").port()
    };
    for _ in 0..3 {
        let mut job = job(&server, &format!("&sourceport={port}"), 1, WriteStability::FileSync);
        assert_eq!(job.one(Op::Write, 0, 4096), 4096);
        assert_eq!(job.io.connections()[0].source_port, port);
    }
}

#[test]
fn long_ones_are_split_and_the_end_of_a_file_is_an_end() {
    let server = TestServer::start().expect("starts");
    server.misbehave(|how| how.transfer_max = 1000);
    let mut job = job(&server, "", 1, WriteStability::FileSync);
    job.buffers.slot(0)[..4097].fill(9);
    assert_eq!(job.one(Op::Write, 0, 4097), 4097);
    job.buffers.slot(0).fill(0);
    assert_eq!(job.one(Op::Read, 0, 8192), 4097, "the file's end");
    assert!(job.buffers.slot(0)[..4097].iter().all(|byte| *byte == 9));
    assert_eq!(job.one(Op::Read, 5000, 512), 0);
    let state = server.state();
    assert_eq!((state.count(NfsProcedure::Write), state.stabilities), (5, [0, 0, 5]));
}

#[test]
fn what_a_server_does_is_lived_with() {
    let server = TestServer::start().expect("starts");
    let mut job = job(&server, "&nconnect=2", 8, WriteStability::Unstable);
    server.misbehave(|how| {
        (how.jukebox, how.short, how.hang_ups, how.fragment) = (2, 5, 2, 100);
        (how.repeats, how.reversed, how.no_attributes) = (true, true, true);
    });
    job.write_blocks(64);
    assert_eq!(job.one(Op::Fsync, 0, 0), 0);
    assert_eq!(job.one(Op::Read, 4096, 8192), 8192);
    blocks_are_right(server.state().store.data("f").unwrap());
    let events = job.io.events().clone();
    assert_eq!((events.jukebox, events.short, events.lost_writes), (2, 5, 0));
    let used = job.io.connections();
    assert_eq!(used.iter().map(|one| one.reconnects).sum::<u64>(), 2);
    assert!(used.iter().map(|one| one.strays).sum::<u64>() > 0, "{used:?}");
}

#[test]
fn writes_that_the_server_lost_are_sent_again_before_a_flush_is_over() {
    let server = TestServer::start().expect("starts");
    let mut job = job(&server, "", 4, WriteStability::Unstable);
    job.write_blocks(10);
    server.state().store.forget_unstable();
    assert!(job.io.is_uncommitted(0));
    assert!(server.state().store.data("f").unwrap().iter().all(|byte| *byte == 0));
    // What is sent again is the content of a slot. It is lost once more on the way.
    (0..4).for_each(|slot| job.buffers.slot(slot).fill(0xee));
    server.misbehave(|how| how.forgets_after = 13);
    assert_eq!(job.one(Op::Fsync, 0, 0), 0);
    let events = job.io.events().clone();
    assert!(events.lost_writes > 0 && events.verifier_changes >= 1, "{events:?}");
    assert!(events.commits >= 2 && !job.io.is_uncommitted(0), "{events:?}");
    let data = server.state().store.data("f").unwrap().to_vec();
    assert_eq!(data.len(), 40960);
    assert!(data.iter().all(|byte| *byte != 0), "nothing is left lost");
}

#[test]
fn less_durability_than_was_asked_is_an_error() {
    let server = TestServer::start().expect("starts");
    let mut job = job(&server, "", 1, WriteStability::FileSync);
    server.misbehave(|how| how.committed = Some(WriteStability::Unstable));
    assert_eq!(job.one(Op::Write, 0, 512), -5);
    assert!(job.io.trouble().unwrap().contains("less durability"), "{:?}", job.io.trouble());
}

#[test]
fn statuses_are_the_systems_errors() {
    let server = TestServer::start().expect("starts");
    let mut job = job(&server, "", 1, WriteStability::Unstable);
    for (status, number) in
        [(NfsStatus::NOSPC, -28), (NfsStatus::ROFS, -30), (NfsStatus::STALE, -116)]
    {
        server.misbehave(|how| how.status = Some((NfsProcedure::Write, status)));
        assert_eq!(job.one(Op::Write, 0, 512), number);
        assert!(job.io.trouble().unwrap().contains(&status.to_string()));
    }
    assert_eq!(job.one(Op::Trim, 0, 512), -95);
}

#[test]
fn those_that_are_over_first_are_given_first_however_few_are_taken() {
    let server = TestServer::start().expect("starts");
    let mut job = job(&server, "", 3, WriteStability::Unstable);
    // There is no such call in version 3: these are over at once.
    (0..3).for_each(|slot| job.queue(Op::Trim, slot, 0, 512));
    for slot in [0, 1, 2, 0, 1, 2, 0] {
        let (io, buffers) = (&mut job.io, &mut job.buffers);
        io.reap((1, 1), None, buffers, &mut job.done).expect("takes");
        assert_eq!(job.done.drain(..).collect::<Vec<_>>(), [(slot, -95)]);
        job.queue(Op::Trim, slot, 0, 512);
    }
}

#[test]
fn a_server_that_is_gone_comes_back_or_is_given_up() {
    let server = TestServer::start().expect("starts");
    let mut job = job(&server, "", 2, WriteStability::Unstable);
    server.misbehave(|how| how.silent = true);
    job.queue(Op::Read, 0, 0, 512);
    job.queue(Op::Write, 1, 0, 512);
    // It comes back though nothing came.
    let (io, buffers) = (&mut job.io, &mut job.buffers);
    io.reap((1, 2), None, buffers, &mut job.done).expect("waits");
    assert!(job.done.is_empty() && job.io.in_flight() == 2);
    server.misbehave(|how| how.silent = false);
    server.hang_up();
    let mut over = job.wait(2);
    over.sort_unstable();
    // Whether the write was done before the read is the server's affair.
    assert_eq!((over[0].0, over[1]), (0, (1, 512)), "sent again over a new connection");
    server.misbehave(|how| how.silent = true);
    job.queue(Op::Read, 0, 0, 512);
    job.io.give_up();
    assert_eq!(job.wait(1), [(0, -110)]);
    assert!(job.io.trouble().unwrap().contains("does not answer"));
}

#[test]
fn a_call_fails_after_its_time_where_the_url_says_so() {
    let server = TestServer::start().expect("starts");
    let mut job = job(&server, "&timeo=1", 1, WriteStability::Unstable);
    server.misbehave(|how| how.silent = true);
    assert_eq!(job.one(Op::Read, 0, 512), -110);
}

#[test]
fn a_server_that_ends_no_io_is_given_up_by_the_name_of_the_call() {
    let says = |how: fn(&mut Misbehaviour), op, words: &str| {
        let server = TestServer::start().expect("starts");
        let export = mount(&server, "").expect("mounts");
        let handle = export.create("f").expect("makes").handle;
        let export = Arc::new(export.with_call_time(Duration::from_millis(50)));
        let file = NfsIoFile { handle, stability: WriteStability::Unstable };
        let io = NfsIo::connect(export, vec![file], 1).expect("connects");
        let mut job = Job { io, buffers: Buffers(vec![vec![0; 512]]), done: Vec::new() };
        server.misbehave(how);
        assert_eq!(job.one(op, 0, 512), -110);
        let trouble = job.io.trouble().expect("a reason");
        assert!(trouble.contains("127.0.0.1:") && trouble.contains(words), "{trouble}");
    };
    says(|how| how.silent = true, Op::Read, "has not answered READ for 0 s; look at the server");
    says(|how| how.silent = true, Op::Write, "has not answered WRITE for 0 s");
    // A cache may be large.
    says(|how| how.silent = true, Op::Fsync, "has not answered COMMIT for 1 s");
    says(|how| how.hang_ups = u32::MAX, Op::Read, "has not answered READ");
    says(|how| how.jukebox = u32::MAX, Op::Write, "WRITE: NFS3ERR_JUKEBOX");
}

#[test]
fn a_lost_connection_is_an_error_where_it_may_not_be_made_anew() {
    let mut server = TestServer::start().expect("starts");
    let mut job = job(&server, "&autoreconnect=0", 1, WriteStability::Unstable);
    server.misbehave(|how| how.silent = true);
    job.queue(Op::Read, 0, 0, 512);
    server.stop();
    let began = Instant::now();
    let error = loop {
        assert!(began.elapsed() < LONG);
        let (io, buffers) = (&mut job.io, &mut job.buffers);
        if let Err(error) = io.reap((1, 1), None, buffers, &mut job.done) {
            break error.to_string();
        }
    };
    assert!(error.contains("127.0.0.1:"), "{error}");
}

#[test]
fn names_are_looked_up_made_listed_and_removed() {
    let server = TestServer::start().expect("starts");
    server.state().store.put_kind("link", kind::LINK, Vec::new());
    let export = mount(&server, "").expect("mounts");
    assert_eq!(export.look("a/b/f").expect("looks"), None);
    export.make_folders_of("a/b/f").expect("makes folders");
    export.make_folders_of("a/b/f").expect("they are there");
    let made = export.create("a/b/f").expect("makes");
    export.set_size(&made.handle, 100, "f").expect("sets");
    let found = export.look("/a/./b/f").expect("looks").expect("is there");
    assert_eq!((found.handle, found.attributes.size), (made.handle, 100));
    (0..5).for_each(|at| drop(export.create(&format!("a/{at}")).expect("makes")));
    let names = |most| -> Vec<String> {
        let until = Instant::now() + Duration::from_secs(60);
        export.list("a", most, until).expect("lists").into_iter().map(|entry| entry.name).collect()
    };
    assert_eq!(names(99), ["0", "1", "2", "3", "4", "b"]);
    assert_eq!(names(3), ["0", "1", "2"]);
    export.remove("a/b/f").expect("removes");
    export.remove_folder("a/b").expect("removes");
    assert_eq!(export.look("a/b/f").expect("looks"), None);
    for name in ["", "..", "a/../../etc", "link/x", "a/0/x"] {
        let error = export.look(name).expect_err(name).to_string();
        assert!(error.contains("export") || error.contains("leads"), "{name}: {error}");
    }
    assert_eq!(export.path_limits().expect("asks").name_max, 255);
}

#[test]
fn a_folder_that_never_ends_does_not_hold_its_reader() {
    let server = TestServer::start().expect("starts");
    let export = mount(&server, "").expect("mounts");
    drop(export.create("one").expect("makes"));
    server.misbehave(|how| how.endless_folders = true);
    let error = export.list("", usize::MAX, Instant::now()).expect_err("ends").to_string();
    assert!(error.contains("took too long"), "{error}");
}

#[test]
fn what_keeps_an_export_from_being_mounted_is_one_line() {
    let mut server = TestServer::start().expect("starts");
    let told = |server: &TestServer, arguments: &str| {
        let error = mount(server, arguments).expect_err("fails").to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    server.misbehave(|how| how.unexported = true);
    let error = told(&server, "");
    assert!(error.contains("does not export /export") && error.contains("ACCES (13)"), "{error}");
    server.misbehave(|how| {
        (how.unexported, how.refusal) = (false, Some(RpcRefusal::Denied(5)));
    });
    assert!(told(&server, "").contains("below 1024"));
    server.misbehave(|how| {
        how.refusal = Some(RpcRefusal::ProgramMismatch { low: 4, high: 4 });
    });
    assert!(told(&server, "").contains("versions 4 to 4 of that program only"));
    server.misbehave(|how| *how = Default::default());
    let export = mount(&server, "&readonly").expect("mounts");
    assert!(export.create("f").expect_err("refuses").to_string().contains("readonly"));
    server.stop();
    assert!(told(&server, "").contains("nothing listens there"));
    let url = NfsUrl::parse("nfs://no.such.host.invalid/x").unwrap();
    assert!(NfsExport::mount(&url, CALLER).unwrap_err().to_string().contains("check the name"));
}
