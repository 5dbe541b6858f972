//! Texts that a trial by a Korean speaker found mixed or left in English.

use crate::phrasebook::{label_in, translated};
use fathom_message::Lang;

fn assert_korean(texts: &[(&str, &str)]) {
    for (english, korean) in texts {
        assert_eq!(translated(Lang::Ko, english), *korean, "{english}");
    }
}

#[test]
fn a_gate_counts_in_korean_order() {
    assert_korean(&[
        ("assertions: FAIL (2 of 16 figures)", "조건: FAIL(미달), 16개 중 2개"),
        (
            "assertions: UNDECIDED (1 of 2 figures could be judged; it takes 10,000,000 I/Os)",
            "조건: UNDECIDED(판정 불가), 2개 중 1개만 판정할 수 있음: I/O가 10,000,000건 필요합니다",
        ),
        (
            "0 of 6 tests judged; 2 volumes, 6 tests in 5 rounds",
            "테스트 6개 중 0개 판정; 볼륨 2개, 테스트 6개, 5라운드",
        ),
    ]);
}

#[test]
fn refused_values_and_files_that_stay_are_korean() {
    assert_korean(&[
        (
            "error: invalid value 'foo' for '--kind <KIND>'",
            "오류: '--kind <KIND>'의 값 'foo'가 올바르지 않습니다",
        ),
        ("tip: a similar value exists: 'zsh'", "도움말: 비슷한 값이 있습니다: 'zsh'"),
        (
            "error: invalid value '' for '<DIR|FILE|DEVICE>...': it is empty; name a folder, a \
             file or a device",
            "오류: '<DIR|FILE|DEVICE>...'의 값 ''이 올바르지 않습니다: 비어 있습니다. 폴더, 파일 또는 \
             장치를 지정하십시오",
        ),
        ("1 file randrd.0.0", "파일 randrd.0.0"),
        ("2 files in /mnt/data: a.0.0, b.0.0", "/mnt/data에 2개: a.0.0, b.0.0"),
        ("6 files a, b, c, d and 2 more", "파일 6개: a, b, c, d 외 2개"),
        (
            "PASS: the limit kept; one that writes was left out",
            "PASS(충족): 기준 1개 모두. 쓰기 실행 1회는 제외했습니다",
        ),
    ]);
}

#[test]
fn a_title_within_a_line_takes_nothing_from_what_stands_before_it() {
    assert_korean(&[
        (
            "12/60 round 1, vol-b, 256 KiB sequential write, QD 32: 713 MB/s, mean 11.4 ms",
            "12/60 라운드 1, vol-b, 256 KiB 순차 쓰기, 큐 깊이 32: 713 MB/s, 평균 11.4 ms",
        ),
        (
            "15/60 round 2, vol-b, 4 KiB random write, QD 1: 2,983 IOPS, mean 330 us",
            "15/60 라운드 2, vol-b, 4 KiB 랜덤 쓰기, 큐 깊이 1: 2,983 IOPS, 평균 330 us",
        ),
    ]);
}

#[test]
fn sentences_that_begin_with_use_are_no_lists_of_values() {
    let advice = "use more rounds (--repeat 5), longer ones (--time)";
    assert_korean(&[
        (advice, advice),
        ("use one of psync, io_uring", "사용할 수 있는 값: psync, io_uring"),
    ]);
}

#[test]
fn lists_are_filled_in_item_by_item() {
    assert_korean(&[
        (
            "/dev/vda is in use, so it is not written to: mounted at /; mounted at /run/netns. \
             Release it first, or leave out --destroy-data-on to only read it",
            "/dev/vda는 사용 중이므로 쓰지 않습니다: /와 /run/netns에 마운트되어 있음. 먼저 사용을 \
             해제하거나, 읽기만 하려면 --destroy-data-on을 빼십시오",
        ),
        (
            "mounted at /a; mounted at /b; mounted at /c; mounted at /d",
            "/a에 마운트되어 있음; /b에 마운트되어 있음; /c에 마운트되어 있음; /d에 마운트되어 있음",
        ),
        (
            "3 intervals, 3 s; in all 12 reads (49.2 kB), 53 writes (45.4 MB), 42 discards \
             (20.4 MB), 6 flushes.",
            "구간 3개, 3 s. 합계: 읽기 12건(49.2 kB), 쓰기 53건(45.4 MB), 트림 42건(20.4 MB), \
             플러시 6건.",
        ),
        (
            "3 intervals, 3 s; in all 12 reads (49.2 kB), 53 writes (45.4 MB), 42 discards \
             (20.4 MB).",
            "구간 3개, 3 s. 합계: 읽기 12건(49.2 kB), 쓰기 53건(45.4 MB), 트림 42건(20.4 MB).",
        ),
        ("on an export, without a mount", "마운트 없이 익스포트에서"),
    ]);
}

#[test]
fn errors_are_korean_to_their_ends() {
    assert_korean(&[
        (
            "fathom: the catalogue has no 'aws.gp'; did you mean aws.gp3 or aws.gp2?",
            "fathom: 'aws.gp'는 목록에 없습니다. aws.gp3 또는 aws.gp2를 뜻하셨습니까?",
        ),
        (
            "the catalogue has no 'aws.gp'; did you mean aws.gp2, aws.gp3 or aws.gp3@2020? \
             (`fathom promises` lists all volumes)",
            "'aws.gp'는 목록에 없습니다. aws.gp2, aws.gp3 또는 aws.gp3@2020을 뜻하셨습니까? \
             (전체 볼륨 목록: `fathom promises`)",
        ),
        (
            "fathom: /mnt has test files of runs that did not remove them: 2, 1.07 GB, the oldest 3 \
             days old; `fathom clean /mnt` removes them",
            "fathom: /mnt에 이전 실행이 지우지 못한 테스트 파일이 있습니다: 2개, 1.07 GB, 가장 오래된 \
             것은 3일 전. `fathom clean /mnt`로 지웁니다",
        ),
        ("2 is not in 3..=1000", "2는 3~1000 범위에 없습니다"),
        (
            "'500XB' is no size of a volume: unknown unit. Write it as 500GB, 500GiB or 2TiB; 500 \
             alone is in the provider's own unit.",
            "'500XB'는 볼륨의 크기가 아닙니다: 알 수 없는 단위. 500GB, 500GiB, 2TiB처럼 쓰십시오. \
             500처럼 숫자만 쓰면 제공사의 단위를 따릅니다.",
        ),
        (
            "fathom: stopped during test 3 of 8; test files are removed",
            "fathom: 테스트 8개 중 3번째 도중에 중단했습니다. 테스트 파일은 지웠습니다",
        ),
        (
            "no I/O completed in time: the volume may be stuck, or --time too short",
            "제시간에 완료된 I/O가 없습니다. 볼륨이 멈추었거나 --time이 너무 짧습니다",
        ),
        (
            "fathom: /dev/vda: asking the device for its size: Permission denied (os error 13); run \
             as a user who may, or choose another target",
            "fathom: /dev/vda: 장치의 크기를 확인하지 못했습니다: 권한이 없습니다(os error 13). 권한이 \
             있는 사용자로 실행하거나 다른 대상을 지정하십시오",
        ),
    ]);
}

#[test]
fn titles_and_cells_are_korean() {
    assert_korean(&[
        (
            "4 KiB random read, QD 1: mean latency (less is better)",
            "4 KiB 랜덤 읽기, 큐 깊이 1: 평균 지연 시간(짧을수록 좋음)",
        ),
        ("4 KiB random read, QD 32, 2 jobs", "4 KiB 랜덤 읽기, 큐 깊이 32, 작업 2개"),
        (
            "4 KiB random read, QD 32, 2 jobs: 3,000 IOPS promised",
            "4 KiB 랜덤 읽기, 큐 깊이 32, 작업 2개: 3,000 IOPS 보장",
        ),
        (
            "256 KiB sequential write, QD 8, 2 jobs: 100 MB/s promised",
            "256 KiB 순차 쓰기, 큐 깊이 8, 작업 2개: 100 MB/s 보장",
        ),
        (
            "Random read, 4 KiB, O_DIRECT; varies: queue depth 1, 2",
            "랜덤 읽기, 4 KiB, O_DIRECT; 변화: 큐 깊이 1, 2",
        ),
        ("mean latency", "평균 지연 시간"),
        ("1kzb against 1kyx", "1kyx 대비 1kzb"),
        ("2 volumes, 6 tests in 3 rounds", "볼륨 2개, 테스트 6개, 3라운드"),
        ("p99 under 5 ms", "p99 5 ms 미만"),
        ("latency, IOPS, throughput", "지연 시간, IOPS, 처리량"),
        ("unstable", "불안정"),
        ("0 seconds old", "0초 전"),
        ("1 hour old", "1시간 전"),
        ("(5 more columns in a wider window)", "(창을 넓히면 열 5개를 더 표시합니다)"),
    ]);
    assert_eq!(label_in(Lang::Ko, " (not stable)"), " (불안정)");
}

#[test]
fn outcomes_of_assertions_are_korean_to_their_reasons() {
    assert_korean(&[
        (
            "UNDECIDED p99.9999<60s: measured 24.2 ms, but it takes 10,000,000 I/Os",
            "UNDECIDED(판정 불가) p99.9999<60s: 측정값 24.2 ms. I/O가 10,000,000건 필요합니다",
        ),
        (
            "UNDECIDED write.p99<60s: no such I/O was measured",
            "UNDECIDED(판정 불가) write.p99<60s: 해당하는 I/O를 측정하지 않았습니다",
        ),
        ("PASS logs: p99<60s: measured 1 ms", "PASS(충족) logs: p99<60s: 측정값 1 ms"),
        (
            "assertions: UNDECIDED (0 of 1 figures could be judged: it takes 10,000,000 I/Os)",
            "조건: UNDECIDED(판정 불가), 1개 모두 판정할 수 없음: I/O가 10,000,000건 필요합니다",
        ),
    ]);
}

#[test]
fn the_plan_of_a_run_is_korean() {
    assert_korean(&[
        ("logs: randwrite, 4 KiB, psync, QD 1", "logs: randwrite, 4 KiB, psync, 큐 깊이 1"),
        (
            "logs: 3 jobs of randwrite, 4 KiB, psync, QD 1, direct",
            "logs: 작업 3개, randwrite, 4 KiB, psync, 큐 깊이 1, 다이렉트",
        ),
        (
            "/mnt/new and 1 more, 4 MiB to work on; 2 MiB would be laid out first",
            "/mnt/new 외 1개, 작업 범위 4 MiB. 먼저 2 MiB를 채웁니다",
        ),
        (
            "2 MiB to lay files out, then as much as it takes in 2 s (at 1 GB/s, 2 GB).",
            "파일 준비에 2 MiB, 그 뒤로 2 s 동안 쓸 수 있는 만큼(1 GB/s라면 2 GB).",
        ),
        (
            "not known: some jobs take what the device takes, and the time to write 1 MiB.",
            "알 수 없음(장치에 따라 달라지는 작업이 있고, 1 MiB 쓰기 시간 별도).",
        ),
        ("1 s, and the time to write 4 MiB.", "1 s(4 MiB 쓰기 시간 별도)."),
    ]);
}

#[test]
fn faults_of_jobs_are_korean_and_said_once() {
    assert_korean(&[
        (
            "fathom: rw=randred: no such value. Did you mean randread? Valid values: read, write.",
            "fathom: rw=randred: 없는 값입니다. randread를 뜻하셨습니까? 사용할 수 있는 값: read, \
             write.",
        ),
        (
            "fathom: iodepth: min value out of range: 0 (1 min). iodepth takes whole number, 1 or \
             more.",
            "fathom: iodepth: 값 0은 범위를 벗어났습니다(최소 1). iodepth의 값은 1 이상의 정수입니다.",
        ),
        (
            "fathom: runtime=abc: a number is expected. runtime takes time, in seconds if no unit \
             is given.",
            "fathom: runtime=abc: 숫자를 지정하십시오. runtime의 값은 시간이며, 단위가 없으면 초입니다.",
        ),
        (
            "fathom: engine foo not loadable: there is no such engine. Fathom has psync, null.",
            "fathom: foo 엔진을 사용할 수 없습니다. 없는 엔진입니다. Fathom의 엔진: psync, null.",
        ),
        (
            "fathom: option <x y> outside of [] job section (a.fio:1). Begin with a section: \
             [global] or [name].",
            "fathom: 옵션 <x y>가 [] 섹션 밖에 있습니다(a.fio:1). [global]이나 [이름] 섹션으로 \
             시작하십시오.",
        ),
        (
            "x: FAILED: job x: /mnt/f: bs=1000 is not a multiple of 512 bytes, which direct=1 \
             needs here (as the kernel reports for this file); use bs=512 or 1024, or direct=0.",
            "x: 실패: 작업 x: /mnt/f: bs=1000은 direct=1에 필요한 512바이트의 배수가 아닙니다(이 \
             파일에 대한 커널의 정보). bs=512 또는 1024 또는 direct=0을 쓰십시오.",
        ),
    ]);
}

#[test]
fn a_count_of_jobs_is_no_part_of_a_depth() {
    assert_korean(&[
        (
            "2/2 4 KiB random read, QD 512, 2 jobs: PASS",
            "2/2 4 KiB 랜덤 읽기, 큐 깊이 512, 작업 2개: PASS(충족)",
        ),
        (
            "4 KiB random read, QD 512, 2 jobs: limit 3,000 IOPS",
            "4 KiB 랜덤 읽기, 큐 깊이 512, 작업 2개: 기준 3,000 IOPS",
        ),
        ("4 KiB random read, QD 1: limit 1.00 us", "4 KiB 랜덤 읽기, 큐 깊이 1: 기준 1.00 us"),
        ("limit 3,000 IOPS, measured 2,500 IOPS", "기준 3,000 IOPS, 측정 2,500 IOPS"),
    ]);
}

#[test]
fn the_history_speaks_korean() {
    assert_korean(&[
        (
            "No such run is kept in /h/history.sqlite3.",
            "/h/history.sqlite3에 그런 실행이 없습니다.",
        ),
        ("19 runs exported to runs.jsonl", "실행 19개를 runs.jsonl로 내보냈습니다"),
        ("0 runs imported, 19 here already", "실행 0개를 가져왔습니다. 19개는 이미 있습니다"),
        ("IOPS of reads", "읽기 IOPS"),
    ]);
}

#[test]
fn the_answer_of_a_check_is_korean_in_the_history() {
    assert_korean(&[
        (
            "PASS, but not a block_ssd: 3.6x the promise",
            "PASS(충족), 다만 보장 성능의 3.6배이므로 block_ssd 볼륨이 아님",
        ),
        ("FAIL: 1 of 6 limits missed", "FAIL(미달): 기준 6개 중 1개 미달"),
        ("FAIL: aws.gp3, 1 of 6 limits missed", "FAIL(미달): aws.gp3, 기준 6개 중 1개 미달"),
        ("PASS: aws.gp3, one limit kept", "PASS(충족): aws.gp3, 기준 1개 모두"),
        (
            "UNDECIDED: 1 of 3 limits could not be judged; 3 that write were left out",
            "UNDECIDED(판정 불가): 기준 3개 중 1개 판정 불가. 쓰기 실행 3회는 제외했습니다",
        ),
        ("PASS, randread 4k 71.6k IOPS", "PASS(충족), randread 4k 71.6k IOPS"),
    ]);
}

#[test]
fn words_of_the_user_stay_as_they_are() {
    assert_korean(&[
        (
            "error: invalid value 'write 300/s' for '--beside <LOADS>': 'write 300/s' is no load; \
             give it as 'write 300/s 4k' or 'read 50/s 4k'",
            "오류: '--beside <LOADS>'의 값 'write 300/s'가 올바르지 않습니다: 'write 300/s'는 부하가 \
             아닙니다. 'write 300/s 4k' 또는 'read 50/s 4k'처럼 쓰십시오",
        ),
        (
            "fathom: 30 IOPS cannot be bought for aws.gp3 as described, only 3,000 to 80,000 IOPS: \
             give another --iops. No --volume-size was given, so that of /dev/vda was taken: 275 GB",
            "fathom: 30 IOPS는 aws.gp3에서 이 조건으로 구매할 수 없고 3,000~80,000 IOPS만 가능합니다. \
             --iops를 다르게 지정하십시오. --volume-size가 없어 /dev/vda의 크기 275 GB를 썼습니다",
        ),
        (
            "round 1 of 5 is over: 12 of 60 runs, 36 s left",
            "라운드 1/5 완료: 실행 12/60회, 36 s 남음",
        ),
    ]);
}

#[test]
fn names_of_jobs_that_are_words_of_ours_stay() {
    for (english, korean) in [
        ("writes: 1,020,000 IOPS, p99 20 us.", "writes: 1,020,000 IOPS, p99 20 us."),
        (
            "#1 of 2 jobs: latency: 62 %, 5,419 IOPS, 7 s left",
            "작업 2개 중 1번째: latency: 62 %, 5,419 IOPS, 7 s 남음",
        ),
        (
            "2 of 2 jobs running: time, files: 7 s left",
            "작업 2개 중 2개 실행 중: time, files: 7 s 남음",
        ),
    ] {
        assert_eq!(translated(Lang::Ko, english), korean);
    }
}
