//! Writing and reading are inverse, and hostile bytes cause no panic.

use super::*;
use proptest::prelude::*;
use std::fmt::Debug;

fn handle() -> impl Strategy<Value = NfsHandle> {
    prop::collection::vec(any::<u8>(), 0..=64).prop_map(NfsHandle)
}

fn attributes() -> impl Strategy<Value = NfsAttributes> {
    any::<([u32; 5], [u64; 4], [[u8; 8]; 4])>().prop_map(|(words, longs, times)| NfsAttributes {
        kind: words[0],
        mode: words[1],
        links: words[2],
        uid: words[3],
        gid: words[4],
        size: longs[0],
        used: longs[1],
        device: times[0],
        fsid: longs[2],
        fileid: longs[3],
        accessed: times[1],
        modified: times[2],
        changed: times[3],
    })
}

fn change() -> impl Strategy<Value = NfsChange> {
    let before = any::<Option<(u64, [u8; 8], [u8; 8])>>().prop_map(|before| {
        before.map(|(size, modified, changed)| NfsSizeAndTimes { size, modified, changed })
    });
    (before, prop::option::of(attributes())).prop_map(|(before, after)| NfsChange { before, after })
}

fn name_call() -> impl Strategy<Value = NameCall> {
    (handle(), ".{0,40}").prop_map(|(folder, name)| NameCall { folder, name })
}

fn settings() -> impl Strategy<Value = NfsSettings> {
    any::<(Option<u32>, Option<u64>)>().prop_map(|(mode, size)| NfsSettings { mode, size })
}

#[track_caller]
fn same<T: Xdr + PartialEq + Debug>(value: &T) {
    let mut writer = XdrWriter::default();
    value.write(&mut writer);
    let bytes = writer.into_bytes();
    let mut reader = XdrReader::new(&bytes);
    assert_eq!(T::read(&mut reader).as_ref(), Ok(value));
    assert!(reader.rest().is_empty());
    // However it is cut, it is an error and no panic.
    for cut in 0..bytes.len() {
        assert!(T::read(&mut XdrReader::new(&bytes[..cut])).is_err(), "cut at {cut}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn names_and_attributes_are_read_as_written(
        name in name_call(), of in prop::option::of(attributes()), change in change(),
        file in handle(), settings in settings(), guard: Option<u64>, guarded: bool,
    ) {
        same(&name);
        same(&change);
        same(&LookupReply { file: file.clone(), attributes: of, folder: None });
        same(&AccessReply { attributes: of, granted: 13 });
        same(&CreateCall { place: name.clone(), guarded, settings });
        same(&MkDirCall { place: name, settings });
        same(&SetAttrCall { file: file.clone(), settings, guard });
        same(&CreateReply { file: Some(file), attributes: of, folder: change });
    }

    #[test]
    fn data_is_read_as_written(
        file in handle(), offset: u64, data: Vec<u8>, eof: bool,
        of in prop::option::of(attributes()), change in change(), verifier: [u8; 8],
        stability in prop_oneof![
            Just(WriteStability::Unstable), Just(WriteStability::DataSync),
            Just(WriteStability::FileSync)],
    ) {
        let call = WriteCall { file: &file.0, offset, stability, data: &data };
        let mut writer = XdrWriter::default();
        call.write(&mut writer);
        prop_assert_eq!(WriteCall::read(&mut XdrReader::new(writer.bytes())), Ok(call));
        let reply = ReadReply { attributes: of, eof, data: &data };
        let mut writer = XdrWriter::default();
        reply.write(&mut writer);
        prop_assert_eq!(ReadReply::read(&mut XdrReader::new(writer.bytes())), Ok(reply));
        same(&WriteReply { change, count: data.len() as u32, committed: stability, verifier });
        same(&CommitReply { change, verifier });
        same(&RangeCall { file, offset, count: data.len() as u32 });
    }

    #[test]
    fn folders_and_volumes_are_read_as_written(
        names in prop::collection::vec((any::<u64>(), ".{0,9}", handle()), 0..5),
        of in prop::option::of(attributes()), words: [u32; 8], longs: [u64; 7], eof: bool,
    ) {
        let entry = |(fileid, name, file)| NfsEntry {
            fileid, name, cookie: fileid, attributes: of, file: Some(file),
        };
        let entries = names.into_iter().map(entry).collect();
        same(&ReadDirPlusReply { folder: of, verifier: [7; 8], entries, eof });
        same(&FsInfoReply {
            attributes: of, read_max: words[0], write_max: words[1], file_max: longs[0],
            ..FsInfoReply::default()
        });
        same(&FsStatReply { attributes: of, total: longs[1], ..FsStatReply::default() });
        same(&PathConfReply { attributes: of, name_max: words[2], ..PathConfReply::default() });
    }

    #[test]
    fn hostile_bytes_are_no_panic(bytes: Vec<u8>) {
        read_all(&bytes);
    }
}

/// Reads the bytes as everything that a server may answer.
fn read_all(bytes: &[u8]) {
    let reader = || XdrReader::new(bytes);
    let _ = read_result::<LookupReply>(&mut reader());
    let _ = read_result::<CreateReply>(&mut reader());
    let _ = read_result::<FsInfoReply>(&mut reader());
    let _ = read_result::<ReadDirPlusReply>(&mut reader());
    let _ = read_result::<WriteReply>(&mut reader());
    let _ = read_result::<CommitReply>(&mut reader());
    let _ = ReadReply::read(&mut reader());
    let _ = WriteCall::read(&mut reader());
}

#[test]
fn procedures_have_their_numbers() {
    for procedure in NfsProcedure::ALL {
        assert_eq!(NfsProcedure::numbered(procedure as u32), Some(procedure));
        assert!(!procedure.name().is_empty());
    }
    assert_eq!(NfsProcedure::numbered(5), None, "READLINK is not needed");
}
