//! Blocks that are stamped, changed and checked: each kind of fault is told by its name.

use super::*;
use fathom_job::VerifyPattern;
use proptest::prelude::*;

const OFFSET: u64 = 12_288;
const SALT: u64 = 99;

fn rules(method: VerifyMethod) -> Verify {
    let pattern = match method {
        VerifyMethod::Pattern | VerifyMethod::PatternHeader => {
            VerifyPattern { bytes: b"ab........c".to_vec(), offsets_at: vec![2] }
        }
        _ => VerifyPattern::default(),
    };
    Verify { method: Some(method), pattern, ..Verify::default() }
}

fn verifier(rules: &Verify) -> Verifier {
    Verifier::new(rules, 3, SALT, false).unwrap()
}

/// Random bytes, stamped as the write after `before` others.
fn block(rules: &Verify, len: usize, before: u64) -> Vec<u8> {
    let mut verifier = verifier(rules);
    let mut block: Vec<u8> = (0..len as u64).map(|at| mix64(at) as u8).collect();
    (0..=before).for_each(|_| verifier.stamp(&mut block, OFFSET, 5_000_000_007));
    assert_eq!(verifier.written(), before + 1);
    block
}

fn expecting(number: u64) -> Option<ExpectedWrite> {
    Some(ExpectedWrite { number, since: number })
}

fn fault(rules: &Verify, block: &[u8], expected: Option<ExpectedWrite>) -> Option<FaultKind> {
    verifier(rules).check(&mut block.to_vec(), OFFSET, expected).err().map(|fault| fault.kind)
}

fn all() -> impl Strategy<Value = VerifyMethod> {
    prop::sample::select(VerifyMethod::ALL.map(|(_, method)| method).to_vec())
}

proptest! {
    #[test]
    fn sound_blocks_are_sound_and_any_flipped_bit_is_found(
        method in all(),
        interval in prop::sample::select(vec![0u32, 512, 1000]),
        offset in prop::sample::select(vec![0u32, 200]),
        bit in 0usize..4096 * 8,
    ) {
        let rules = Verify { interval, offset, ..rules(method) };
        let mut block = block(&rules, 4096, 4);
        prop_assert_eq!(fault(&rules, &block, expecting(4)), None);
        prop_assert_eq!(fault(&rules, &block, None), None);
        block[bit / 8] ^= 1 << (bit % 8);
        let found = fault(&rules, &block, expecting(4));
        // fio's meta has no sum, and its sha512 none but the last bytes.
        let sees_all = !matches!(
            method,
            VerifyMethod::Null | VerifyMethod::Meta | VerifyMethod::Sha512
        );
        prop_assert!(found.is_some() || !sees_all, "{:?}", method);
    }
}

#[test]
fn faults_are_told_apart() {
    let rules = Verify { interval: 1024, ..rules(VerifyMethod::Crc32c) };
    let sound = block(&rules, 4096, 7);
    let of = |block: &[u8]| fault(&rules, block, expecting(7));
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut block = sound.clone();
        change(&mut block);
        of(&block)
    };
    assert_eq!(of(&sound), None);
    assert_eq!(of(&[0; 4096]), Some(FaultKind::NoHeader(0)));
    assert_eq!(with(&|block| block[1024 + 20] ^= 1), Some(FaultKind::Header));
    assert_eq!(with(&|block| block[3000] ^= 1), Some(FaultKind::Data(None)));
    let moved = with(&|block| block.copy_within(0..1024, 2048));
    assert_eq!(moved, Some(FaultKind::Misplaced(OFFSET)));
    assert_eq!(of(&block(&rules, 4096, 6)), Some(FaultKind::Stale(6, 7, true)));
    let torn = with(&|block| block[2048..].copy_from_slice(&self::block(&rules, 4096, 6)[2048..]));
    assert_eq!(torn, Some(FaultKind::Torn));
    let mut earlier = Verifier::new(&rules, 3, SALT + 1, false).unwrap();
    let mut old = vec![0; 4096];
    (0..8).for_each(|_| earlier.stamp(&mut old, OFFSET, 0));
    assert_eq!(of(&old), Some(FaultKind::Stale(7, 7, false)), "of an earlier run");
    let lax = Verify { header_seed: false, ..rules.clone() };
    assert_eq!(fault(&lax, &old, expecting(7)), None);
    let md5 = Verify { method: Some(VerifyMethod::Md5), ..rules.clone() };
    assert_eq!(fault(&md5, &sound, None), Some(FaultKind::Method(5)));
    let whole = Verify { interval: 0, ..rules.clone() };
    assert_eq!(fault(&whole, &sound, None), Some(FaultKind::Length(1024)));
}

#[test]
fn one_of_several_writes_in_flight_may_be_the_last() {
    let rules = rules(VerifyMethod::Crc32c);
    let of = |number: u64| {
        let expected = ExpectedWrite { number: 9, since: 7 };
        fault(&rules, &block(&rules, 4096, number), Some(expected))
    };
    assert_eq!((of(9), of(8), of(7)), (None, None, None));
    assert_eq!(of(6), Some(FaultKind::Stale(6, 9, true)));
}

#[test]
fn blocks_of_other_jobs_are_sound_where_files_are_shared() {
    let rules = rules(VerifyMethod::Crc32c);
    let block = block(&rules, 4096, 2);
    let other = |is_shared| Verifier::new(&rules, 4, SALT, is_shared).unwrap();
    let check = |is_shared| other(is_shared).check(&mut block.clone(), OFFSET, expecting(2));
    assert!(check(true).is_ok());
    assert_eq!(check(false).unwrap_err().kind, FaultKind::Stale(2, 2, false));
}

#[test]
fn a_pattern_is_written_from_the_beginning_of_the_block() {
    let rules = rules(VerifyMethod::PatternHeader);
    let block = block(&rules, 512, 0);
    let mut pattern = b"ab".to_vec();
    pattern.extend(OFFSET.to_le_bytes());
    pattern.push(b'c');
    let whole: Vec<u8> = pattern.into_iter().cycle().take(512).collect();
    assert_eq!(block[40..], whole[40..]);
    assert_eq!(Header::read(&block).unwrap().seed, 0);
    let mut wrong = block.clone();
    wrong[77] ^= 4;
    assert_eq!(fault(&rules, &wrong, None), Some(FaultKind::Data(Some(77))));
}

#[test]
fn messages_name_the_place() {
    let rules = rules(VerifyMethod::Crc32c);
    let message = |block: &[u8]| {
        let fault = verifier(&rules).check(&mut block.to_vec(), OFFSET, expecting(1)).unwrap_err();
        fault.message("/mnt/f")
    };
    assert_eq!(
        message(&block(&rules, 1024, 0)),
        "verify: stale block at file /mnt/f offset 12288, length 1024: it holds write 0 of the \
         job, write 1 was lost"
    );
    let mut wrong = block(&rules, 1024, 1);
    wrong[1000] = !wrong[1000];
    assert_eq!(
        message(&wrong),
        "crc32c: verify failed at file /mnt/f offset 12288, length 1024: the data are not those \
         written (torn or corrupted)"
    );
}
