### 결과의 첫 문장.

summary-about = { $target }: { $claim }.
summary-sentence = { $claim }.
summary-failed = 실패: { $why }
summary-undecided = UNDECIDED(판정 불가): { $why }
summary-nothing = 측정된 것이 없습니다
summary-run = { $jobs }: { $figures }
summary-run-turns = 작업 그룹 { $count }개 중 가장 빠름: { $jobs }, { $figures }
summary-run-jobs = 작업 { $jobs }개
summary-run-rate = { $way } { $rate }
summary-missing-clients = 일부 또는 전체 수치에 빠진 호스트: { $hosts }.
summary-run-stopped = 도중에 중단되었습니다.
summary-run-stopped-by = { $signal } 신호를 받아 도중에 중단되었습니다.
summary-run-failed-ios = I/O { $count }건이 실패했습니다.
summary-asserted = PASS(충족): { $of ->
    [one] 조건({ $which })
   *[other] 조건 { $of }개 모두
}
summary-served = { $claim }. { $served }
summary-served-memory = { $ways }에는 디스크가 아니라 메모리가 응답했습니다
summary-served-cache = { $ways }에는 캐시가 응답했습니다
summary-served-cache-some = 일부 { $ways }에는 캐시가 응답했습니다
summary-served-cache-perhaps = { $ways }에는 캐시가 응답했을 수 있습니다
summary-assertions-missed = FAIL(미달): { $of ->
    [one] 조건({ $which })
   *[other] 조건 { $of }개 중 { $count }개 미달({ $which })
}
summary-assertions-untold = UNDECIDED(판정 불가): { $of ->
    [one] 조건({ $which })
   *[other] 조건 { $of }개 중 { $count }개 판정 불가({ $which })
}
summary-stopped-before = { $unit ->
    [run] 실행 { $planned }회 중 { $number }번째 시작 전에 중단되었습니다.
   *[test] 테스트 { $planned }개 중 { $number }번째 시작 전에 중단되었습니다.
}
summary-stopped-during = { $unit ->
    [run] 실행 { $planned }회 중 { $number }번째 도중에 중단되었습니다.
   *[test] 테스트 { $planned }개 중 { $number }번째 도중에 중단되었습니다.
}
summary-stopped-after = { $unit ->
    [run] 실행 { $planned }회 중 { $number }번째까지 마친 뒤 중단되었습니다.
   *[test] 테스트 { $planned }개 중 { $number }번째까지 마친 뒤 중단되었습니다.
}
summary-tests-failed = 테스트 { $of }개 중 { $count }개가 실패했습니다.
summary-some = 테스트 { $of }개 중 { $count }개는 { $claim }.
summary-some-cases = 조합 { $of }개 중 { $count }개는 { $claim }.

## 볼륨의 성능

summary-latency-reads = 읽기 지연 시간 중앙값 { $latency }
summary-latency-writes = 쓰기 지연 시간 중앙값 { $latency }
summary-mean-reads = 읽기 평균 지연 시간 { $latency }
summary-mean-writes = 쓰기 평균 지연 시간 { $latency }
summary-iops-reads = { $block } 읽기 { $rate }
summary-iops-writes = { $block } 쓰기 { $rate }
summary-sequential = 순차 읽기 { $rate }
summary-sequential-writes = 순차 쓰기 { $rate }
summary-random = 랜덤 읽기 { $rate }
summary-random-writes = 랜덤 쓰기 { $rate }
summary-ahead = 앞선 볼륨: { $volumes }
summary-ahead-in = { $target }, { $goals }
summary-ahead-latency = 지연 시간(평균 { $figure })
summary-ahead-iops = IOPS({ $figure })
summary-ahead-throughput = 처리량({ $figure })
summary-ahead-by-chance = { $needed }회 미만의 측정이므로 우연일 수 있습니다(--repeat { $needed }).

## 볼륨의 수치가 아닌 경우

summary-memory = 디스크가 아니라 메모리가 응답했습니다
summary-memory-too = 디스크가 아니라 메모리가 응답했습니다.
summary-cache = 디스크가 아니라 캐시가 응답했습니다
summary-part-of-cache = 일부 I/O에 캐시가 응답했을 수 있습니다
summary-part-of-cache-too = 일부 I/O에 캐시가 응답했을 수 있습니다.
summary-unwritten = 읽은 영역의 대부분이 기록된 적이 없습니다. 먼저 데이터를 채우십시오
summary-client = 볼륨이 아니라 이 호스트의 수치입니다
summary-cpu-quota = 측정하는 동안 이 호스트의 CPU 시간이 부족했습니다({ $sign }). CPU 제한을 높이거나 없앤 뒤 다시 측정하십시오.
summary-host-busy = 측정하는 동안 호스트에 다른 부하가 있었습니다({ $sign }). 부하가 없을 때 다시 측정하십시오.
summary-other-use-too = 측정 중에 장치에서 다른 I/O가 실행되었습니다.
summary-cautions = 주의: { $signs }.
summary-caution-other-io = 장치에 다른 I/O 있음
summary-caution-means = 평균 불확실
summary-caution-latency = 평균 지연 시간 불확실
summary-caution-iops = IOPS 불확실
summary-caution-throughput = 처리량 불확실
summary-caution-quota = 이 호스트의 CPU 제한
summary-caution-host = 호스트에 다른 부하 있음
summary-other-use = 측정 중에 장치에서 다른 I/O가 실행되었습니다. 다시 측정하십시오

## 성능 제한

summary-capped = { $confidence ->
    [medium] { $levels } 제한(추정)
    [low] { $levels } 제한(불확실)
   *[high] { $levels } 제한
}
summary-reads-capped = { $confidence ->
    [medium] 읽기 { $levels } 제한(추정)
    [low] 읽기 { $levels } 제한(불확실)
   *[high] 읽기 { $levels } 제한
}
summary-writes-capped = { $confidence ->
    [medium] 쓰기 { $levels } 제한(추정)
    [low] 쓰기 { $levels } 제한(불확실)
   *[high] 쓰기 { $levels } 제한
}
summary-capped-too = { $confidence ->
    [medium] 읽기·쓰기 { $levels } 제한(추정)
    [low] 읽기·쓰기 { $levels } 제한(불확실)
   *[high] 읽기·쓰기 { $levels } 제한
}
summary-reads-capped-too = { $confidence ->
    [medium] 읽기 { $levels } 제한(추정)
    [low] 읽기 { $levels } 제한(불확실)
   *[high] 읽기 { $levels } 제한
}
summary-writes-capped-too = { $confidence ->
    [medium] 쓰기 { $levels } 제한(추정)
    [low] 쓰기 { $levels } 제한(불확실)
   *[high] 쓰기 { $levels } 제한
}
summary-cap-shared = { $level }(그중 { $rate }는 다른 I/O가 사용)
summary-cap-after-burst = { $rate } 버스트 후 { $level }
summary-below-cap = 제한에 걸리지 않은 읽기의 중앙값은 { $latency }입니다.
summary-as-sold = { $outcome }: { $capped }, 보장 성능({ $whose })과 일치
summary-below-sold = { $outcome }: { $capped }, 보장 성능({ $whose })보다 낮음
summary-below-sold-here = { $outcome }: 컨트롤 그룹 { $group } 설정으로 { $capped }, 보장 성능({ $whose })보다 낮음
summary-caps = { $capped } 확인.
summary-above = --promise가 잘못되었거나 캐시가 응답한 것입니다.

## 일반적인 수치

usual-latency = 4 KiB 랜덤 읽기의 중앙값은 { $latency }입니다. { $judged }
usual-latency-help = 4 KiB 랜덤 읽기의 중앙값은 { $latency }입니다. { $judged } (`fathom help latency`).
usual-few-wait = 4 KiB 랜덤 읽기의 절반은 { $latency } 안에 끝나지만 평균은 { $mean }입니다. 일부가 최대 { $longest }까지 기다립니다.
writes-ahead = { $test }: 같은 읽기의 { $times }배입니다. 쓰기 캐시가 쓰기를 받았을 수 있습니다. 더 긴 측정(--time 90s)이 지속되는 성능을 보여 줍니다.
usual-flush = 플러시의 중앙값은 { $latency }입니다. { $judged } (`fathom help flush`).
usual-for = { $kinds }에서 일반적인 수치입니다
usual-between = 일반적인 { $slower }보다 빠르고 { $faster }보다 느립니다
usual-faster = 일반적인 { $kind }보다 빠릅니다
usual-slower = 일반적인 { $kind }보다 느립니다
usual-memory = 메모리나 캐시
usual-protected = 전원 손실 보호 기능이 있는 NVMe SSD
usual-unprotected = 전원 손실 보호 기능이 없는 NVMe SSD
usual-nvme = NVMe SSD
usual-sata = SATA SSD
usual-cloud = 클라우드의 네트워크 볼륨
usual-hard-disk = 하드 디스크

## 수치 아래의 참고

told-more-notes = 참고 { $more }건이 더 있습니다. `fathom report`나 --verbose로 모두 볼 수 있습니다.

## 비교

summary-level = 테스트 { $of }개 모두 { $bound }를 넘는 차이 없음
summary-level-in-part = 테스트 { $of }개 중 { $same }개에서 { $bound }를 넘는 차이 없음, { $untold }개는 판정 불가
summary-faster = 테스트 { $of }개 중 { $count }개에서 { $best }이(가) 빠름, 최대 { $most }
summary-faster-and-slower = { $best }: 테스트 { $of }개 중 { $faster }개에서 빠르고 { $slower }개에서 느림
summary-fastest = { $name }: 테스트 { $of }개 중 { $count }개에서 가장 빠름
summary-fastest-too = { $name }: { $count }개
summary-fastest-in = { $best }: { $test }에서 가장 빠름
summary-even = { $names }: 차이 확인되지 않음
summary-even-open = { $names }: 판정 불가
summary-even-with = { $others }과(와) 테스트 { $count }개에서 차이 없음
summary-even-with-one = 테스트 { $count }개에서 다른 볼륨과 차이 없음
summary-slower-in = 테스트 { $count }개에서는 더 느림
summary-open = 테스트 { $count }개는 판정 불가
summary-slower = { $name }이(가) 테스트 { $of }개 중 { $count }개에서 느림
summary-slower-too = { $name }이(가) { $count }개에서 느림
summary-none-fastest = 테스트 { $of }개에서 가장 빠른 볼륨이 확인되지 않음
summary-none-fastest-slower = 가장 빠른 볼륨은 확인되지 않음, { $slower }
summary-none-judged-led = 테스트 { $of }개 모두 판정 불가. { $count }개에서는 모든 라운드에서 { $best }이(가) 앞섬
summary-none-judged = 테스트 { $of }개 모두 판정 불가
summary-nothing-compared = 비교할 수 있는 것이 없습니다
summary-runs-changed = 비교 대상({ $other })보다 수치 { $of }개 중 { $worse }개가 나빠지고 { $better }개가 좋아짐
summary-runs-same = 비교 대상({ $other })과 수치 { $of }개 중 { $same }개에서 { $bound } 넘는 차이 없음
summary-runs-untold = 수치 { $of }개 모두 판정 불가{ $most }
summary-runs-looks-faster = 수치 { $of }개 중 { $count }개에서 빨라 보임, 최대 { $most }(단일 실행, 판정하지 않음)
summary-runs-looks-slower = 수치 { $of }개 중 { $count }개에서 느려 보임, 최대 { $most }(단일 실행, 판정하지 않음)
summary-runs-most = {", "}평균이 확실한 것 중 가장 큰 변화는 { $change }({ $figure })
summary-gate-pass = PASS(충족): 수치 { $of }개 중 { $allowed } % 넘게 나빠진 것으로 확인된 것 없음
summary-gate-fail = FAIL(미달): 수치 { $of }개 중 { $failed }개가 { $allowed } % 넘게 나빠짐({ $worst })
summary-gate-worst = { $figure } { $change }
summary-gate-undecided = { $judged ->
    [0] UNDECIDED(판정 불가): 수치 { $of }개 모두 판정할 수 없음{ $why }
   *[other] UNDECIDED(판정 불가): 수치 { $of }개 중 { $judged }개만 판정할 수 있음{ $why }
}
gate-line-pass = 판정: PASS(충족)
gate-line-fail = 판정: FAIL(미달), 수치 { $of }개 중 { $failed }개
gate-line-undecided = { $judged ->
    [0] 판정: UNDECIDED(판정 불가), 수치 { $of }개 모두 판정할 수 없음{ $why }
   *[other] 판정: UNDECIDED(판정 불가), 수치 { $of }개 중 { $judged }개만 판정할 수 있음{ $why }
}
gate-line-few-runs = 판정: UNDECIDED(판정 불가), 비교 기준의 실행이 부족함
gate-why = {": "}{ $why }
gate-why-others = {". "}{ $why }
gate-unmeasured = { $name }: 두 볼륨 모두에서 끝까지 측정하지 못했습니다
gate-advised = { $why }. { $advice }
gate-one-run = 한쪽이 실행 한 번뿐입니다
gate-use-rounds = `measure --repeat 3` 또는 --baseline을 쓰십시오
gate-few = 한쪽에 라운드나 실행이 { $n }회가 아니라 { $needed }회 필요합니다
gate-use-more-rounds = `measure --repeat { $needed }` 또는 --baseline을 쓰십시오
gate-gone = { $name }은(는) { $before }에만 있음
gate-unstable = { $name }의 { $figure }이(가) 불안정합니다
gate-lack = { $name }의 { $figure }: { $lack }
gate-uncertain = 한 실행에서 { $name }의 { $figure }이(가) 불확실합니다
gate-uncertain-advice = 부하가 없는 호스트에서, 또는 더 오래 측정하십시오
gate-perhaps-worse = { $name }의 { $figure }이(가) { $far } %까지 나빠졌을 가능성이 있습니다
gate-more-rounds = 지금까지 본 편차로는 한쪽에 라운드 약 { $count }회면 판정할 수 있습니다(`measure --repeat { $count }`)
gate-more-runs = 지금까지 본 편차로는 비교 기준에 실행이 약 { $count }회 있으면 판정할 수 있습니다
gate-uneven-rounds = 한쪽에 라운드를 { $count }회 해도 판정할 수 없으니, 부하가 없는 호스트에서 라운드를 더 길게(`measure --time`) 측정하십시오
gate-uneven-runs = 비교 기준에 실행이 { $count }회 있어도 판정할 수 없으니, 부하가 없는 호스트에서 더 길게 측정하십시오
gate-more-repeats = 지금까지 본 편차로는 라운드 약 { $count }회면 판정할 수 있습니다(`--repeat { $count }`)
gate-uneven-repeats = 라운드를 { $count }회 해도 판정할 수 없으니, 부하가 없는 호스트에서 라운드를 더 길게(`--time`) 측정하십시오
contrast-title = { $name }: { $figure }
judged-iops = IOPS
judged-bytes = MB/s
judged-latency = 평균 지연 시간

## 그 밖의 질문

summary-knee = { $place }부터 { $rate }, 그 이상은 대기만 길어짐
summary-falling = { $place }에서 최대 { $rate }, { $last }에서는 { $last-rate }: 부하를 늘리면 느려짐
summary-growing = { $rate }({ $place }), 부하를 늘리면 더 오를 수 있음
summary-most = 최대 { $rate }({ $place })
summary-flush-limited = { $program } 플러시 p{ $percent } { $latency }, 허용 { $limit } ms: { $outcome }
summary-flush = { $program } 플러시 p{ $percent } { $latency }, 공개된 한도 없음
summary-flush-rate = 플러시가 끝날 때마다 다음 쓰기를 하는 클라이언트는 초당 { $rate }회까지 쓸 수 있습니다.
summary-flush-too-fast = 캐시가 응답했을 수 있습니다.

# What a sweep measures.

sweep-subject = { $work }; { $varies }
sweep-varies = 변화: { $axes }
sweep-setting = { $axis } { $value }
sweep-settings = { $list }, { $next }
sweep-option-iodepth = 큐 깊이
sweep-option-bs = 블록 크기
sweep-option-numjobs = 작업 수
sweep-option-rw = 패턴
sweep-option-engine = 엔진
sweep-option-mix = 읽기:쓰기
sweep-option-cache = 캐시
sweep-option-clients = 호스트
sweep-option-nconnect = 연결 수
sweep-axis = { $name } { $values }
sweep-read = 순차 읽기
sweep-write = 순차 쓰기
sweep-randread = 랜덤 읽기
sweep-randwrite = 랜덤 쓰기
sweep-rw = 순차 읽기·쓰기
sweep-randrw = 랜덤 읽기·쓰기
sweep-depth = 큐 깊이 { $depth }
sweep-jobs = 작업 { $jobs }개
sweep-through-cache = 페이지 캐시 사용
sweep-axis-iodepth = 큐 깊이
sweep-axis-bs = 블록 크기
sweep-axis-numjobs = 작업 수
sweep-axis-rw = 패턴
sweep-axis-engine = 엔진
sweep-axis-mix = 읽기:쓰기
sweep-axis-cache = 캐시
sweep-axis-clients = 호스트
sweep-axis-nconnect = 연결 수
