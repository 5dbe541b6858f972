### What is said of runs, comparisons, checks and searches, in Korean.

## One line over several runs

short-steady = 성능 안정
short-known = 오차 ± { $half-width }
short-known-or-better = 오차 ± { $half-width } 이내
short-not-cached = 페이지 캐시 우회
short-client-ceiling = 이 호스트는 최대 속도의 { $share }만 사용
short-client-ceiling-most = 이 호스트는 최대 속도의 { $share } 이하만 사용
short-client-threads = 클라이언트 스레드 사용률 { $busy }
short-client-threads-most = 클라이언트 스레드 사용률 최대 { $busy }
ceiling-of-one-core = 이 호스트의 코어 1개는 디스크를 거치지 않을 때 { $engine } 엔진과 큐 깊이 { $depth }에서 { $block } I/O를 초당 약 { $iops }건까지 처리할 수 있습니다.
short-all = 전체: { $words }
told-alike = { $sentence } (같은 판정 { $more }건 더 있음)
told-runs-alike = { $sentence } (같은 실행 { $more }회 더 있음)
told-verdicts = 판정
told-verdicts-on = 판정: { $name }
told-cut-short = { $name }: 예정보다 일찍 중단되어 더 짧은 시간의 수치입니다.
told-all-cut-short = 예정보다 일찍 중단되어 더 짧은 시간의 수치입니다.
told-no-ios = 완료된 I/O가 없습니다.
told-not-stable = 불안정
told-same-disk = 같은 디스크입니다. 차이는 노이즈입니다.
told-best = 가장 빠름
told-one-at-a-time = { $work } I/O를 한 번에 하나씩 처리하면 { $ms } ms가 걸립니다. 1000 / { $ms } = { $iops } IOPS이고, { $iops } x { $block } = { $kib } KiB/s = { $mb } MB/s입니다.

## Remarks

remark-memory = 메모리 기반 대상({ $what })이므로 디스크의 수치가 아닙니다.
remark-page-cache = 다이렉트 I/O를 사용할 수 없어({ $why }) 페이지 캐시가 관여합니다. 읽기가 메모리에서 처리되거나 쓰기가 메모리에서 끝날 수 있습니다.
remark-other-engine = 우선 선택한 엔진을 사용할 수 없어 다른 엔진({ $engine })을 사용합니다. 사유: { $why }.
remark-one-at-a-time = 이 엔진({ $engine })은 큐 깊이와 관계없이 I/O를 한 번에 하나씩 처리하므로 모든 수치를 큐 깊이 1의 결과로 보십시오.
remark-same-place = { $other }과(와) 같은 파일 시스템 또는 장치에 있으므로 차이가 나지 않습니다.
remark-holes = 파일 크기 { $size } 중 볼륨에 실제로 할당된 크기는 { $allocated }뿐이며, 빈 영역은 메모리에서 읽힙니다.
remark-size-capped = 여유 공간이 { $available }이므로 { $size } 범위에서만 측정합니다. 범위가 작으면 캐시에 모두 들어갈 수 있습니다.
remark-only-read-file = 데이터를 보호하기 위해 읽기만 측정합니다. 쓰기도 측정하려면 다음 옵션을 사용하십시오(데이터가 모두 삭제됩니다): --destroy-data-on { $path }
remark-only-read-device = 데이터를 보호하기 위해 읽기만 측정합니다. 한 번도 기록되지 않은 영역은 디스크에 접근하지 않고 응답할 수 있습니다. 쓰기도 측정하려면 다음 옵션을 사용하십시오(데이터가 모두 삭제됩니다): --destroy-data-on { $path }
remark-destroys = --destroy-data-on 옵션에 따라 대상의 데이터가 모두 삭제됩니다.
remark-destroys-known = --destroy-data-on 옵션에 따라 대상의 데이터({ $data })가 모두 삭제됩니다.
remark-idle-queue = 처리 중인 I/O가 하나도 없던 시간의 비율은 { $idle }입니다. 볼륨이 매우 빨라 다음 I/O를 준비하는 시간이 더 걸렸습니다.
remark-queue-not-full = 처리 중인 I/O는 평균 { $in-flight }개로 요청한 큐 깊이 { $depth }보다 적습니다. 볼륨의 처리보다 I/O를 준비하고 제출하는 데 시간이 더 걸렸습니다.
remark-pause = 프로세스가 { $time } 동안 멈춰 있었습니다(SIGSTOP, ^Z). 수치에 그 시간이 포함되어 있으니 다시 측정하십시오.
remark-missing-clients = { $hosts } 없이 측정했습니다. 모든 클라이언트의 수치와 비교하지 마십시오.
remark-short-transfers = MB/s 수치와 IOPS x 블록 크기의 차이는 { $off }입니다. 일부 I/O가 블록보다 적은 양을 전송했습니다.

## Limits

limit-subject-read = { $block } 순차 읽기
limit-subject-randread = { $block } 랜덤 읽기
limit-subject-write = { $block } 순차 쓰기
limit-subject-randwrite = { $block } 랜덤 쓰기
limit-keeps = { $subject }: { $rate } IOPS까지 { $target } 조건을 충족합니다
limit-ceiling = { $subject }: 볼륨의 최대 속도({ $rate } IOPS)에서도 { $target } 조건을 충족합니다
limit-as-far = UNDECIDED(판정 불가): { $subject }은(는) { $steps }단계를 거쳐 { $rate } IOPS까지만 { $target } 조건의 충족을 확인했습니다
limit-cannot-tell = UNDECIDED(판정 불가): { $subject }에서 { $steps }단계로는 { $target } 조건을 충족하는 속도를 찾지 못했습니다
limit-late-always = UNDECIDED(판정 불가): { $subject }, { $late } IOPS에서 이 호스트의 처리가 늦었습니다. 부하가 없는 호스트에서 측정하십시오
limit-late-above = UNDECIDED(판정 불가): { $subject }은(는) 적어도 { $rate } IOPS까지는 { $target } 조건을 충족합니다. { $late } IOPS에서는 이 호스트의 처리가 늦었습니다
limit-unclear-few = UNDECIDED(판정 불가): { $subject }, { $rate } IOPS에서 I/O { $ios }건으로는 { $measure } 값을 판정할 수 없습니다. { $needed }건이 필요하니 --time-per-run { $seconds }s로 측정하십시오
limit-unclear-busy = UNDECIDED(판정 불가): { $subject }, { $rate } IOPS에서 { $target } 조건을 충족하지 못했지만 호스트에 다른 부하가 있었습니다({ $sign }). 부하가 없는 호스트에서 측정하십시오
limit-unclear-low = UNDECIDED(판정 불가): { $subject }, { $told } 다만 I/O를 한 번에 하나씩 처리하면 { $alone } IOPS에서 충족했습니다
limit-unclear-rate = { $rate } IOPS에서만 { $target } 조건을 충족했습니다.
limit-unclear-none = { $target } 조건을 충족한 속도가 없습니다.
limit-unclear-some = 모든 실행에서 { $target } 조건을 충족한 속도가 없습니다({ $rate } IOPS는 { $runs }회 중 { $kept }회 충족).
limit-repeatability = { $low } IOPS는 { $low-runs }회 중 { $kept }회 충족, { $high } IOPS는 { $high-runs }회 중 { $missed }회 미달
limit-repeatability-ceiling = { $low } IOPS는 { $low-runs }회 중 { $kept }회 충족
limit-bunches = I/O를 한 번에 하나씩 처리하면 { $alone } IOPS에서도 조건을 충족했습니다. 무작위로 도착하는 I/O는 앞선 I/O를 기다리기 때문입니다(--arrivals even을 쓰면 이 대기가 없어집니다).
limit-needed = 단계를 늘리거나(--max-steps) 더 길게(--time-per-run) 측정하십시오.
limit-longer = 단계를 더 길게(--time-per-run) 측정하십시오.
limit-quiet-host = 부하가 없는 호스트에서 측정하십시오. 볼륨의 실제 성능은 더 높을 수 있습니다.
limit-beyond = { $told }({ $high } IOPS에서는 미달: { $why })
limit-never-rate = { $told }. { $high } IOPS에서는 { $why }
limit-never = FAIL(미달): { $subject }에서 { $target } 조건을 충족하는 속도가 없습니다
limit-never-though = { $told }. 다만 I/O를 한 번에 하나씩 처리하면 충족합니다
limit-never-alone = { $told }. I/O를 한 번에 하나씩만 처리해도 이미 { $missed }입니다
limit-missed = { $measure } { $latency }
limit-overload = 과부하({ $behind } % 미달)
limit-halted = { $subject }: { $why }. { $known }
limit-halted-failed = 측정에 실패했습니다({ $why })
limit-halted-stopped = 측정이 중단되었습니다
limit-halted-kept = 그때까지 { $rate } IOPS에서 { $target } 조건을 충족했습니다
limit-halted-none = 그때까지 { $target } 조건을 충족한 속도가 없습니다({ $high } IOPS에서는 미달: { $why })
limit-halted-nothing = 그때까지 확인된 것이 없습니다
limit-finding-keeps = PASS(충족)
limit-finding-too-slow = FAIL(미달)
limit-finding-overload = 과부하
limit-finding-late = 호스트 지연
limit-finding-too-few = I/O 부족
limit-step-ceiling = 최대 속도
limit-step-floor = 최소 지연
limit-step-stopped = 중단
limit-step-failed = 실패
limit-step-busy = FAIL(미달), 다른 부하
limit-bars = 막대: 목표({ $mark }) 대비 응답 시간이며, { $beyond } 표시는 목표를 넘은 것입니다.
limit-bars-nearest = 막대: 목표({ $mark }) 대비 응답 시간이며(가장 근접한 조건 기준), { $beyond } 표시는 목표를 넘은 것입니다.
limit-criterion = { $measure } { $time } 미만
limit-mean = 평균
limit-odd = 일부 실행에서는 더 높은 속도({ $rates } IOPS)도 목표를 충족했습니다. 기준이 되는 값은 실패가 한 번도 없던 최고 속도입니다.
limit-late = { $rate } IOPS에서 큐에 여유가 있는데도 I/O가 대기했습니다. 이 호스트의 처리가 늦은 것이므로(CPU 사용률 확인 필요) 볼륨의 실제 성능은 더 높을 수 있습니다.
limit-busy = { $rate } IOPS를 측정할 때 호스트에 다른 부하가 있었으므로({ $sign }) 볼륨의 실제 성능은 더 높을 수 있습니다.
limit-few-ios = { $rate } IOPS의 { $measure } 값은 I/O { $ios }건에서 구한 것으로, 그 값을 넘는 I/O가 거의 없습니다. { $needed }건이 필요합니다(--time-per-run { $seconds }s).
limit-short-steps = 이 목표에는 { $time } 길이의 단계가 짧습니다. 밀린 I/O가 계속 늘어나도 목표 이내로 보일 수 있으므로 --time-per-run { $needed }s 이상을 지정하십시오.

## Checks

group-all-jobs = 모든 작업
assertion-not-measured = 해당하는 I/O를 측정하지 않았습니다
assertion-no-latency = 작업이 지연 시간을 측정하지 않습니다
assertion-too-few = I/O가 { $needed }건 필요합니다
assertion-too-few-of = I/O가 { $ios }건뿐이며 { $needed }건이 필요합니다
assertion-quota = 이 호스트의 CPU 제한 때문에 작업이 멈춘 시간이 있습니다
assertion-busy = 다른 프로그램이 호스트의 CPU를 많이 사용했습니다
assertion-stopped = 실행이 중단되었습니다
check-by-hand = 직접 지정한 기준
check-kept = PASS(충족): { $whose }, 기준 { $limits }개 모두
check-kept-above = PASS(충족): 다만 보장 성능의 { $times }배이므로 { $what } 볼륨이 아닙니다
check-kept-above-an = PASS(충족): 다만 보장 성능의 { $times }배이므로 { $what } 볼륨이 아닙니다
check-kept-within = PASS(충족): { $promised } 중 { $measured }, { $enough } 이상이면 충족({ $whose })
check-kept-within-by-hand = PASS(충족): { $promised } 중 { $measured }, { $enough } 이상이면 충족
check-less-is-promised = 기준 { $limits }개 모두 충족했습니다. { $whose }의 보장은 전체 시간의 { $time } 동안 속도의 { $limit }입니다
check-less-is-measured = 기준 { $limits }개 모두 충족했습니다. 측정에는 오차가 있으므로 평균이 { $enough } 이상이면 충족합니다
check-less-is-tolerated = 기준 { $limits }개 모두 충족했습니다. --tolerance 0으로 지정하면 한계를 모두 요구합니다
check-missed = FAIL(미달): { $whose }, 기준 { $limits }개 중 { $missed }개 미달
check-untold = UNDECIDED(판정 불가): { $whose }, 기준 { $limits }개 중 { $untold }개 판정 불가
check-kept-by-hand = PASS(충족): 기준 { $limits }개 모두
check-missed-by-hand = FAIL(미달): 기준 { $limits }개 중 { $missed }개 미달
check-untold-by-hand = UNDECIDED(판정 불가): 기준 { $limits }개 중 { $untold }개 판정 불가
check-row = { $load }: { $figure }
check-only-burst = { $told }. 버스트가 있는 항목은 버스트만 확인했습니다
check-left-out = { $told }. 쓰기 실행 { $left }회는 제외했습니다
check-standing-kept = PASS(충족)
check-standing-untold = UNDECIDED(판정 불가)
check-standing-missed = FAIL(미달)
check-promised = 보장
check-limit = 기준
check-bars = 막대: 보장 성능({ $mark }) 대비 측정값이며, { $beyond } 표시는 보장 성능을 넘은 것입니다.
check-bars-by-hand = 막대: 기준({ $mark }) 대비 측정값이며, { $beyond } 표시는 기준을 넘은 것입니다.
check-bars-latency = 막대: 보장 성능({ $mark }) 대비 측정값이며, { $beyond } 표시는 보장 성능을 넘은 것입니다. 지연 시간은 짧을수록 좋습니다.
check-bars-latency-by-hand = 막대: 기준({ $mark }) 대비 측정값이며, { $beyond } 표시는 기준을 넘은 것입니다. 지연 시간은 짧을수록 좋습니다.
check-other-size = --volume-size는 { $said }이지만 { $node }의 크기는 { $size }입니다. 크기가 다르면 보장 성능도 다릅니다.
check-unstable = 기준이 평균의 오차(± { $half } %) 안에 있습니다. { $factor }배 길게 측정하십시오.
check-unstable-far = 기준이 평균의 오차(± { $half } %) 안에 있습니다. 부하가 없는 호스트에서 측정하십시오.
check-after-burst = 평균은 기준에 도달했지만 지속되는 성능은 { $level }입니다. 더 오래 측정하십시오.
check-cut-short = 예정보다 일찍 중단되어 판정하기에 데이터가 부족합니다.
check-other-use = { $line } 측정 중에 장치에서 다른 I/O가 실행되었습니다. 다른 I/O가 없을 때 다시 측정하십시오.
check-not-asked = I/O의 지연 시간이 { $latency }에 불과했으므로 큐 깊이를 늘리면 성능이 더 나올 수 있습니다.
check-reason = { $row }: { $why }
check-reason-some = { $outcome }: 기준 { $limits }개 중 { $count }개(예: { $row }). { $why }
check-reason-all = { $outcome }: 기준 { $limits }개 모두. { $why }
check-quiet-host = 판정하지 않았습니다. 호스트에 다른 부하가 없을 때 다시 측정하십시오.
check-capped = { $seen } { $unit } 수준에서 제한되고 있습니다.
check-capped-promised = { $seen } { $unit } 수준에서 제한되고 있습니다. 기준은 { $promised } { $unit }입니다.
check-burst = { $volume }: 기준 성능이 드러나기 전에 { $burst } 버스트가 { $time } 동안 이어질 수 있습니다. 기준 성능을 보려면 --time-per-run { $minutes }m 옵션을 지정하십시오. 지정하지 않으면 버스트만 확인합니다.
check-burst-baseline = { $volume }: 기준 성능({ $baseline })이 드러나기 전에 { $burst } 버스트가 { $time } 동안 이어질 수 있습니다. 기준 성능을 보려면 --time-per-run { $minutes }m 옵션을 지정하십시오. 지정하지 않으면 버스트만 확인합니다.
check-burst-endless = { $volume }: 기준 성능이 드러나기 전에 { $burst } 버스트가 이어질 수 있으며 지속 시간은 명시되어 있지 않습니다. 버스트만 확인하게 될 수 있습니다.
check-burst-endless-baseline = { $volume }: 기준 성능({ $baseline })이 드러나기 전에 { $burst } 버스트가 이어질 수 있으며 지속 시간은 명시되어 있지 않습니다. 버스트만 확인하게 될 수 있습니다.

## Curves

curve-knee = { $knee }.
curve-knee-of = { $curve }: { $knee }.
curve-connections-of = { $curve }: { $told }
curve-best = 최대: { $rate }({ $place })
curve-mark-knee = 포화점
curve-round-cap = 제한으로 보입니다. { $rate }은(는) 설정값으로 흔히 쓰이는 값입니다.

## Changes

change-better = 더 좋음
change-worse = 더 나쁨
change-not-shown = 차이 없음({ $smallest }를 넘는 차이는 확인 가능)
change-regressed = fathom: 성능 저하: { $what }
change-worse-uncertain = 더 나쁨. 다만 실행의 평균이 불확실하여 UNDECIDED(판정 불가)
change-unstable = 불안정
change-unstable-bounded = 불안정하지만 나빠져도 최대 { $worse }
change-gated = { $verdict }: { $outcome }
change-not-judged = 판정하지 않음: { $lack }
change-not-judged-of = 수치 { $of }개 중 { $count }개는 판정하지 않음: { $lack }
change-figure-unstable = 불안정
change-one-disk = 같은 디스크
change-none = 확인 안 됨({ $range })
change-interval-legend = (…): 변화가 있는 범위(모든 테스트를 합쳐 신뢰도 99 %).
change-none-legend = 확인 안 됨(…): 차이가 확인되지 않음. 차이가 있다면 이 범위 안에 있음.
change-of-rounds = ?({ $range })
change-of-rounds-legend = ?(…): 모든 라운드가 이 범위 안에 있음. 신뢰도 99 %로 확인하려면 --repeat 또는 --time 값을 늘리십시오.
lead-alone = 1위
lead-shared = 공동 1위
lead-open = 1위?
lead-shared-legend = 공동 1위: 1위와의 차이가 확인되지 않음.
lead-open-legend = 1위?: 어느 볼륨이 1위인지 판정할 수 없음.
change-legend = { $marks }: 라운드가 적거나 편차가 큼. --repeat 또는 --time 값을 늘리십시오.
change-legend-bare = { $marks }: 라운드가 적거나 편차가 큼.
change-unjudged-one = 한쪽이 실행 한 번뿐이므로 값만 표시하고 판정하지 않음(`measure --repeat 3` 또는 --baseline 사용)
change-unjudged-few = 한쪽이 { $n }회뿐이므로 값만 표시하고 판정하지 않음({ $needed }회 필요)
change-judged = { $range }({ $sure }): { $verdict }
change-rounds = 명령 한 번의 라운드들은 그때의 디스크 상태를 공유하며, 차이는 라운드 사이의 편차를 기준으로 판정합니다. 두 명령 사이에 생긴 변화(다른 부하, 사용량, 크레딧 소진)도 차이로 나타나며, 평소의 편차를 알려면 기준 실행(--baseline)이 여러 번 있어야 합니다.
change-against = { $before } 대비 { $after }
change-only-in = { $side }에만 있음: { $names }
change-unlike = 두 실행은 { $what }이(가) 다릅니다.
change-unlike-volume = 볼륨({ $before } / { $after })
change-unlike-folder = 폴더({ $before } / { $after }: 같은 파일 시스템이므로 차이는 노이즈입니다)
change-unlike-command = 명령({ $before } / { $after })
change-unlike-size = 측정 범위({ $before } / { $after })
change-unlike-time = 실행 시간({ $before } / { $after })
change-unlike-load = 이름이 같은 작업의 부하({ $names })
side-capped-here = { $capped }(컨트롤 그룹 { $group })
cap-set-here = 제한은 이 시스템의 컨트롤 그룹 { $group }에서 설정한 것입니다.
side-capped = { $sides }: { $capped }
change-nothing = 두 볼륨에서 모두 측정한 항목이 없어 비교할 수 없습니다.

## What stands in a comparison

recording-baseline = 기준 실행은 { $count }회입니다: { $names }
recording-error = { $name }: 오류 { $error }(으)로 끝났습니다
recording-cut-short = { $name }: 중간에 끝난 실행은 제외했습니다
recording-failed = { $name }: 실패한 실행은 제외했습니다({ $why })
