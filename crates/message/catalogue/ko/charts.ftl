# 스윕, 보장 성능 확인, 한계 탐색의 차트.

charts-axis-iops = IOPS
charts-axis-mbps = 처리량(MB/s)
charts-axis-latency = 지연 시간
charts-axis-depth = 큐 깊이
charts-axis-jobs = 작업 수
charts-axis-block = 블록 크기
charts-axis-mix = 쓰기 비율
charts-axis-percentile = 백분위수
charts-axis-time = 시간
charts-efficiency = 효율
charts-mean-latency = 평균 지연 시간
charts-p50 = p50
charts-p99 = p99
charts-p999 = p99.9
charts-max = 최댓값
charts-rounds = 라운드
charts-spread = 라운드 간 편차
charts-failure = 실패 원인
charts-reason = 판정 이유
charts-cases = 전체 측정값
charts-total = 합계
charts-reads = 읽기
charts-writes = 쓰기

charts-label-depth = 큐 깊이 { $depth }
charts-label-jobs = 작업 { $jobs }개
charts-label-cached = 캐시 사용
charts-label-uncached = 캐시 미사용

charts-fact-volume = 볼륨
charts-fact-file-system = 파일 시스템
charts-fact-size = 측정 범위
charts-fact-host = 호스트
charts-fact-kernel = 커널
charts-fact-cpu = 프로세서
charts-fact-began = 시작 시각
charts-fact-fathom = Fathom
charts-fact-runs = 실행 횟수

charts-sweep-of = { $volume } 스윕
charts-rates-title = { $axis }별 { $rate }
charts-hockey-title = { $rate } 대비 지연 시간
charts-scale-title = 작업 수에 따른 확장
charts-scale-clients-title = 클라이언트 수에 따른 확장
charts-mix-title = 읽기/쓰기 비율별 { $rate }
charts-map-title = { $columns } × { $rows }: { $value }
charts-tails-title = 지연 시간 백분위수
charts-time-title = 시간에 따른 IOPS

charts-mark-knee = 포화점: { $load }
charts-mark-cap = 상한 { $rate }

charts-ends = { $from }에서 { $to }까지 늘리면 { $first }에서 { $last }(으)로 바뀝니다.
charts-most = 최대 { $rate }({ $where })입니다.
charts-most-case = 최대 { $rate }({ $where })입니다. 평균 지연 시간 { $mean }, p99 { $p99 }.
charts-hockey-says = 최대 { $rate }({ $where })에서 p50 { $p50 }, p99 { $p99 }입니다.
charts-scale-clients-says = { $from }에서 { $to }까지 늘리면 { $times }배가 됩니다. 클라이언트당 효율은 { $share }입니다.
charts-scale-says = { $from }에서 { $to }까지 늘리면 { $times }배가 됩니다. 작업당 효율은 { $share }입니다.
charts-mix-ends = 읽기만 하면 { $reads }, 쓰기만 하면 { $writes }입니다. 합계가 가장 낮은 지점은 { $mix }, { $least }입니다.
charts-mix-least = 합계가 가장 낮은 지점은 { $mix }, { $least }입니다.
charts-blocks-says = IOPS 최댓값은 { $small }에서 { $iops }, 처리량 최댓값은 { $large }에서 { $bytes }입니다.
charts-map-says = 가장 높은 값은 { $where } 조건의 { $value }입니다.
charts-tails-says = { $case }: I/O의 절반은 { $p50 } 안에 끝나고, 100개 중 1개는 { $p99 }보다 오래 걸립니다.
charts-time-says = 변동이 가장 큰 경우는 { $case }: { $low }에서 { $high } 사이에서 움직입니다.
charts-over-connections = { $work }, 연결 { $connections }개
charts-held = 성능이 { $rate } 수준으로 제한되고 있습니다.

charts-no-run = 실행할 수 있는 조합이 없습니다: { $why }
charts-failed = 실행 { $count }회가 실패했습니다. 원인은 표에 있습니다.
charts-not-finished = 아직 끝나지 않았습니다. 전체 { $all }회 중 { $done }회 완료했습니다.
charts-left-out = 같은 종류의 차트 { $count }개는 생략했습니다. 수치는 표에 있습니다.
charts-about-cases = { $more ->
    [0] { $first }
   *[other] { $first } 외 { $more }개
}

charts-axis-capacity = 용량
charts-axis-asked = 요청한 속도
charts-axis-response = 응답 시간({ $figure })
charts-axis-step = 단계

charts-check-of = { $volume } 성능 확인: { $promise }
charts-fact-promise = 보장 성능
charts-fact-limits = 기준
charts-run-kept = { $run }: PASS(충족). 측정값 { $measured }, { $limit }.
charts-run-missed = { $run }: FAIL(미달). 측정값 { $measured }, { $limit }.
charts-run-untold = { $run }: UNDECIDED(판정 불가). 측정값 { $measured }, { $limit }.
charts-run-why = { $says } { $why }
charts-limited-latency = 기준을 적용한 지연 시간
charts-run = 실행
charts-runs = 실행별 결과
charts-standing = 판정
charts-kept = PASS(충족)
charts-missed = FAIL(미달)
charts-promised = 보장 성능
charts-limit-by-hand = 기준
charts-bullet-title = { $what }: 측정값과 { $limit }
charts-bullet-says = 기준 { $all }개 중 { $kept }개를 충족했습니다.
charts-bullet-says-least = 기준 { $all }개 중 { $kept }개를 충족했습니다. 점선은 충족에 필요한 최솟값입니다.
charts-run-over-time = { $run }: 시간에 따른 변화
charts-reached = { $seconds } s 중 { $reached } s({ $share }) 동안 기준의 { $enough } 이상이었습니다.
charts-mark-promised = 보장 성능 { $rate }
charts-mark-limit = 기준 { $rate }
charts-capacity-title = 용량별 보장 IOPS
charts-capacity-says = { $size } 기준 보장 성능은 { $promised }, 측정값은 { $measured }입니다.

charts-limit-of = { $volume } 한계: { $load }
charts-fact-target = 목표
charts-limit-ceiling = 느려지기 시작하는 지점이 아니라 볼륨이 낼 수 있는 최대치입니다.
charts-response-title = 속도에 따른 응답 시간({ $figure })
charts-response-says = 목표({ $target })를 충족한 단계 { $kept }개, 미달한 단계 { $missed }개입니다.
charts-bracket-title = 한계를 찾은 과정
charts-bracket-says = { $steps }단계를 거쳐 오른쪽 끝의 범위까지 좁혔습니다.
charts-highest-kept = 목표를 충족한 최고 속도
charts-lowest-missed = 목표에 미달한 최저 속도
charts-limit-tails = 큐 깊이 1, 한계 속도, 최대 속도에서의 지연 시간 백분위수입니다.
charts-step-deep = 최대 속도
charts-step-alone = 큐 깊이 1
charts-steps = 단계별 결과

