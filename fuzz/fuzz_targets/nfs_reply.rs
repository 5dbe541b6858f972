//! Any bytes as what an NFS server sends: no panic, bounded memory, and no reply to a call that
//! was not made.
#![no_main]

use fathom_nfs::proto::{
    CommitReply, CreateReply, FsInfoReply, LookupReply, ReadDirPlusReply, ReadReply, WriteReply,
    read_result,
};
use fathom_nfs::{CallHead, RpcCredential, RpcProgram, WireConnection};
use libfuzzer_sys::fuzz_target;
use std::time::Instant;

fuzz_target!(|bytes: &[u8]| {
    let mut wire = WireConnection::new(0);
    let credential = RpcCredential::default();
    let program = RpcProgram::NFS;
    for tag in 0..4 {
        let head = CallHead { program, procedure: 6, credential: &credential, tag };
        wire.call(head, Instant::now(), |to| to.u32(tag));
    }
    wire.input().push(bytes);
    let mut replies = 0;
    while let Ok(Some(reply)) = wire.next_reply() {
        replies += 1;
        assert!(reply.tag < 4);
        let Ok(result) = reply.outcome else { continue };
        let _ = read_result::<LookupReply>(&mut result.clone());
        let _ = read_result::<CreateReply>(&mut result.clone());
        let _ = read_result::<FsInfoReply>(&mut result.clone());
        let _ = read_result::<ReadDirPlusReply>(&mut result.clone());
        let _ = read_result::<WriteReply>(&mut result.clone());
        let _ = read_result::<CommitReply>(&mut result.clone());
        let _ = ReadReply::read(&mut result.clone());
    }
    assert!(replies <= 4);
    assert!(wire.input().missing() <= fathom_nfs::RECORD_MAX);
});
