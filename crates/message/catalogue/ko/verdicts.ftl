### What findings say, in Korean. Sentences end in 합니다; what stands as evidence after "근거" is
### a phrase. A particle after a quantity or a name is written as both, 이(가), and the last sound
### chooses.

## Lists

list-clauses-pair = { $list }; { $next }
list-clauses-more = { $list }; { $next }
list-clauses-last = { $list }; { $next }
list-names-more = { $list }, { $next }
list-names-last = { $list }, { $next }
list-choices-last = { $list } 또는 { $next }
list-all-of = { $list } 및 { $next }
list-figures = { $list }, { $next }
list-sentences = { $list } { $next }

## Quantities that are more than digits and a unit

share-under = { $share } 미만
amount-ios = I/O { $count }건
count-runs = 실행 { $count }회
count-intervals = 구간 { $count }개
count-rounds = { $count }라운드

## The knee of a curve

knee-noun-depth = 큐 깊이
knee-noun-jobs = 작업 수
knee-noun-clients = 클라이언트 수
knee-at-depth = 큐 깊이 { $load }
knee-at-jobs = 작업 { $load }개
knee-at-clients = 클라이언트 { $load }개
knee-found = { $place }부터 IOPS는 { $level } 수준에 머무르고 { $noun }에 비례하여 지연 시간만 늘어납니다({ $at }일 때 { $here }, { $last }일 때 { $there })
knee-falling = IOPS는 { $place }에서 { $level }까지 오른 뒤 감소합니다({ $last }일 때 { $iops }). 부하를 더 주면 오히려 느려집니다
knee-growing = { $place }에서도 IOPS가 계속 증가하고 있습니다({ $iops }). 포화점은 확인되지 않았습니다
knee-not-in-flight = { $noun }의 증가가 볼륨까지 전달되지 않았습니다. { $place }에서 { $end }까지 늘리는 동안 처리 중인 I/O 수(IOPS x 지연 시간)의 변화: { $before } → { $after }
knee-too-few = 측정점이 { $points }개뿐이어서 IOPS 증가가 멈추는 지점을 알 수 없습니다

## Caps

cap-kind-iops = IOPS 제한
cap-kind-bandwidth = 처리량 제한
cap-held-low = { $kind } 때문에 속도가 { $rate }에 묶여 있을 수 있습니다. { $signs }
cap-held-medium = { $kind } 때문에 속도가 { $rate }에 묶여 있는 것으로 보입니다. { $signs }
cap-held-high = { $kind } 때문에 속도가 { $rate }에 묶여 있습니다. { $signs }
cap-only-flat = { $flat } 하지만 이것만으로는 제한이 있다고 할 수 없습니다. 안정적인 장치도 이런 모습을 보입니다. 다른 큐 깊이나 블록 크기로 측정하면 알 수 있습니다.
cap-paced = 작업에 지정된 속도({ $rate })에 도달했으므로 제한 여부가 드러나지 않습니다.
cap-other-use = 측정 중에 장치에서 다른 I/O가 실행되어 제한 여부를 판정할 수 없습니다. 다른 I/O가 없을 때 다시 측정하십시오.
cap-cpu-quota = 이 호스트의 CPU 제한 때문에 작업이 멈춘 시간이 있어 제한 여부를 판정할 수 없습니다. CPU 제한을 높이거나 없앤 뒤 다시 측정하십시오.
cap-off-device = 장치에 도달하지 않은 I/O가 있어 볼륨에 제한이 있는지 판정할 수 없습니다.
cap-none-seen = 제한의 징후가 없습니다. 성능을 한 값에 묶어 두는 요인이 보이지 않습니다.
cap-not-enough = 제한 여부를 판정하기에 데이터가 부족합니다. 구간 10개 이상이거나 여러 큐 깊이 또는 블록 크기로 측정한 값이 필요합니다.
cap-sign-flat = 구간 { $intervals }개에서 속도가 { $rate } 부근을 유지했고, 변동 폭은 { $variation }입니다.
cap-sign-regular = 제한이 없었다면 이런 지연 시간에서는 속도가 { $expected } 정도 변했을 것입니다.
cap-sign-round = { $rate }는 제한값으로 흔히 쓰이는 어림수입니다.
cap-sign-promised = { $rate }는 보장 성능입니다.
cap-sign-by-hand = { $rate }는 직접 지정한 한도입니다.
cap-sign-depths = 큐 깊이를 { $from }에서 { $to }까지 늘리면 지연 시간은 { $before }에서 { $after }까지 늘지만 IOPS는 { $spread } 이내로만 변합니다.
cap-sign-sizes = 블록 크기를 { $from }에서 { $to }까지 바꿔도 속도는 { $spread } 이내로만 변합니다.
cap-sign-humps = I/O의 { $share }는 약 { $high }, 나머지는 약 { $low }가 걸립니다.
cap-sign-saw-tooth = { $period } 주기의 4분의 1 동안 작업의 { $share }를 처리합니다.
cap-sign-burst = { $rate } 버스트가 이 속도로 내려가며 끝났습니다.
cap-kind-either = { $iops } 또는 { $bytes } 제한(어느 쪽인지는 다른 블록 크기로 측정하면 알 수 있음)
cap-thinks = 작업에 지정된 대기 시간(thinktime)이 전체의 { $share }를 차지하므로 제한 여부가 드러나지 않습니다.
cap-unclear = 제한 여부를 단정할 수 없습니다. { $rate } 부근인 구간이 많지만 그렇지 않은 구간도 있습니다.
cap-set = 컨트롤 그룹 { $group }의 제한 때문에 속도가 { $rate }에 묶여 있습니다.
cap-set-shared = 컨트롤 그룹 { $group }의 제한 때문에 속도가 { $rate }에 묶여 있으며, 그중 { $others }는 다른 I/O가 사용했습니다.
cap-sign-known = 컨트롤 그룹 { $group }에 { $rate } 제한이 설정되어 있습니다.
cap-sign-runs = 테스트 { $of }개 중 { $runs }개가 이 속도에 도달했습니다({ $from } { $what }).
cap-sign-runs-sizes = 테스트 { $of }개 중 { $runs }개가 이 속도에 도달했습니다({ $from }~{ $to } { $what }).
cap-runs-reads = 읽기
cap-runs-writes = 쓰기
cap-sign-wait = I/O 하나에 { $latency }가 걸리지만 장치 안에서는 { $service }만 걸리고, 장치 사용률은 { $busy }입니다. I/O는 이 호스트에서 기다립니다.

## The client

client-bound = 볼륨이 아니라 이 호스트의 한계를 측정한 결과입니다. 근거: { $why }.
client-tight = 이 호스트 때문에 느려졌을 수 있습니다: { $why }.
client-faster = 볼륨은 더 빠를 수 있습니다.
client-roomy = 이 호스트에 여유가 있었습니다. 근거: { $why }.
client-not-enough = 클라이언트가 한계였는지 판정할 정보가 없습니다.
client-network = 지연 시간 중 네트워크 왕복 시간({ $rtt })의 비중은 { $share }입니다.
client-sign-thread = 가장 바쁜 스레드의 CPU 사용률 { $busy }
client-sign-machine = 호스트 CPU 사용률 { $busy }
client-sign-others = 다른 프로그램의 CPU 사용률 { $busy }
client-sign-throttled = CPU 할당량 제한으로 { $time } 동안 정지(실행 시간의 { $share })
client-sign-quota = 컨트롤 그룹 { $group }의 제한({ $file })으로 CPU { $of }개 중 { $cpus }개만 할당되어 실행 시간의 { $share } 동안 정지
client-sign-stolen = 하이퍼바이저가 CPU 시간의 { $busy }를 다른 게스트에 할당
client-sign-ceiling = 측정된 I/O의 { $times }배까지 발행 가능
client-sign-ceiling-of = 이 호스트의 코어 { $cores }개로 낼 수 있는 최대 속도(작은 I/O 기준 초당 약 { $ceiling }건)의 { $share } 사용
client-more-cpu = CPU 제한을 높이거나 없앤 뒤 다시 측정하십시오.
client-more-jobs = 이 호스트에 남은 코어가 있으므로 작업 수를 늘려 다시 측정하십시오.

## Saw-teeth

saw-tooth = 성능이 { $period } 주기의 톱니 모양을 보입니다. 각 주기의 4분의 1 동안 작업의 { $share } 정도를 처리하고 나머지 시간에는 대기하며, 이는 일정한 시각마다 토큰을 지급하는 제한에서 나타나는 형태입니다.
saw-tooth-none = 톱니 모양이 없습니다. 성능이 일정한 주기를 따르지 않습니다.
saw-tooth-not-enough = 톱니 모양 여부를 판정하기에 데이터가 부족합니다. 100 ms 구간으로 8 s 이상이 필요합니다.

## Comparisons

change-factor = { $times }배
change-faster = { $times }배 빠름
change-slower = { $times }배 느림
change-range = { $low }~{ $high }
change-between = { $low }~{ $high }
change-or-more = { $low } 이상
change-with-interval = { $change }({ $range })
compare-shown = { $a } 대비 { $b }: { $change }({ $sure } 구간 { $range }, { $evidence } 기준)
compare-not-shown = { $a }과(와) { $b } 사이에 차이 없음({ $evidence } 기준으로 { $smallest }를 넘는 차이가 확인 가능)
compare-unstable = { $a }과(와) { $b }의 값이 불안정하여 비교할 수 없습니다. 라운드를 늘리거나 더 길게 측정하십시오
compare-not-enough = { $a }과(와) { $b }을(를) 비교할 수 없습니다. { $lack }
sure-alone = 신뢰도 95 %
sure-single = 신뢰도 99 %
sure-together = { $all }개 항목 전체 신뢰도 99 %
compare-evidence-each = 각각 { $evidence }
compare-evidence-against = { $a } 대 { $b }
compare-evidence-nothing = 데이터 없음
lack-estimate = { $side }: { $why }
lack-near-zero = { $side }: 값이 0이거나 편차가 너무 커서 판정할 수 없습니다
lack-runs-vary = { $side }: { $runs }의 편차가 너무 커서 판정할 수 없습니다
lack-advised = { $lack }. { $advice }
lack-longer = 더 오래 측정하십시오
lack-more-runs = 더 많이 실행해 측정하십시오
lack-one-disk = 같은 디스크이므로 차이는 노이즈입니다
lack-rounds = 라운드 { $needed }회 이상이 필요하지만 { $rounds }회뿐입니다

## Rankings

ranking-none = 평균을 알 수 있는 대상이 없어 순위를 정할 수 없습니다
ranking-higher = { $best }의 성능이 가장 높습니다
ranking-lower = { $best }의 소요 시간이 가장 짧습니다
ranking-close = { $best }. 다만 오차 범위 안에 있는 대상: { $names }
ranking-unknown = { $best }(평균 기준). 변동이 크거나 회차가 부족해 비교할 수 없는 대상: { $names }
ranking-behind = { $best }. 그에 비해 { $behind }
ranking-sure = { $ranking } (순위 전체의 신뢰도 95 %)
ranking-sure-together = { $ranking } (순위 { $all }개 전체의 신뢰도 99 %)
ranking-behind-one = { $name }({ $change })

## Humps

humps-two = 지연 시간이 두 구간에 몰려 있습니다. I/O의 { $low-share }은(는) 약 { $low }, { $high-share }은(는) 약 { $high }입니다. { $cause } 나타나는 형태이므로 평균 대신 p50과 p99를 보십시오.
humps-cause-narrow = I/O를 시간 단위로 나누어 통과시키는 제한이 있을 때
humps-cause-wide = 캐시 적중과 실패가 섞이거나 큐가 막힐 때
humps-one = 지연 시간이 한 구간에 모여 있으며 따로 떨어진 I/O가 없습니다.
humps-not-enough = I/O나 백분위수가 너무 적어 지연 시간의 분포를 알 수 없습니다.

## Connections

connections-limit = 연결 { $few }개가 한계입니다. { $few }개로는 { $first } MB/s, { $many }개로는 { $other } MB/s입니다. { $end }
connections-enough = { $at }개부터는 연결을 늘려도 빨라지지 않습니다.
connections-growing = 더 늘리면 더 빨라질 수 있습니다.
connections-no-gain = 연결을 늘려도 빨라지지 않습니다. { $few }개로 { $first } MB/s, { $many }개로 { $other } MB/s입니다. 여기서는 nconnect가 도움이 되지 않습니다.

connections-uneven = 연결 속도가 고르지 않습니다. 포트 { $port }에서 맺은 연결은 호출당 { $time }, 나머지는 { $others } 걸리고, 연결 { $connections }개의 호출 중 { $share }를 처리했습니다. 그 경로나 그 연결을 맡은 서버 스레드가 느립니다.
connections-lost = 연결이 끊겨 { $times }번 다시 맺었고, 호출 { $calls }개를 다시 보냈습니다.

## Network mounts

mount-repeated = 네트워크나 서버가 요청을 제때 처리하지 못했습니다. 호출 { $calls }개 중 { $repeats }개를 다시 보냈고, 시간 초과가 { $timeouts }번, 다시 맺은 연결이 { $reconnects }개입니다. 수치에는 그 시간도 들어 있습니다.
mount-waits = 호출이 전송되기 전에 이 호스트에서 { $wait } 기다렸습니다. 호출 시간의 { $share }이고, 평균 { $backlog }개가 슬롯을 기다렸습니다. { $advice }
mount-waits-one = 마운트의 연결이 하나뿐이며 그것이 한계일 수 있습니다. nconnect=4로 마운트하거나 `fathom sweep nfs://… --nconnect 1..8`로 확인하십시오.
mount-waits-many = 연결 { $connections }개가 모두 찼습니다. 연결이나 슬롯을 늘리면 빨라질 수 있습니다.
mount-saved-reads = 읽기 { $ios }개에 READ 호출은 { $calls }개였습니다. 나머지는 클라이언트의 캐시나 미리 읽기가 처리했습니다. O_DIRECT로, 또는 메모리보다 큰 데이터로 측정하십시오.
mount-saved-writes = 쓰기 { $ios }개에 WRITE 호출은 { $calls }개였습니다. 나머지는 클라이언트의 캐시가 병합하거나 보류했습니다. O_DIRECT나 fsync로 측정하십시오.
mount-split-reads = 읽기 하나에 READ 호출이 { $times }개 들었습니다. rsize가 블록보다 작습니다.
mount-split-writes = 쓰기 하나에 WRITE 호출이 { $times }개 들었습니다. wsize가 블록보다 작습니다.
mount-others-read = 다른 프로그램도 이 마운트를 사용했습니다. 호출 하나에 들어가는 읽기 { $ios }개에 READ 호출이 { $calls }개였습니다.
mount-others-write = 다른 프로그램도 이 마운트를 사용했습니다. 호출 하나에 들어가는 쓰기 { $ios }개에 WRITE 호출이 { $calls }개였습니다.
mount-uneven = 마운트의 연결 { $connections }개가 고르지 않습니다. 한 연결은 균등하게 나눈 양의 { $share }만 보냈습니다.
mount-beyond-reads = 지연 시간은 네트워크와 서버에서 발생합니다. READ 호출의 왕복이 { $rtt }이고, 지연 시간의 { $share }입니다.
mount-beyond-writes = 지연 시간은 네트워크와 서버에서 발생합니다. WRITE 호출의 왕복이 { $rtt }이고, 지연 시간의 { $share }입니다.
mount-commits = COMMIT { $commits }개는 평균 { $time } 걸렸습니다.

## Caches

way-reads = 읽기
way-writes = 쓰기
way-trims = 트림
way-ios = I/O
cached-memory = { $what }에는 스토리지가 아니라 메모리가 응답했습니다. 근거: { $why }.
cached-cached = { $what } 중 { $share }에는 장치에 이르기 전에 캐시가 응답했습니다. 근거: { $why }.
cached-unwritten = { $what } 중 기록된 적이 없는 영역이어서 I/O가 발생하지 않은 비율은 { $share }입니다. 근거: { $why }. 먼저 파일을 채우십시오.
cached-suspected = 일부 { $what }에 캐시가 응답했을 수 있습니다. 근거: { $why }.
cached-saw-more = 테스트가 요청한 { $what } 외에 다른 I/O가 장치에서 실행되었습니다. 근거: { $why }. 다른 프로그램, 미리 읽기, 저널 또는 패리티의 I/O일 수 있습니다.
cached-not-cached = { $what }에 이 호스트의 캐시가 관여하지 않았습니다. 근거: { $why }. 스토리지 내부의 캐시는 드러나지 않습니다.
cached-nothing-known = { $what }에 캐시가 관여했는지 판정할 정보가 없습니다.
cached-not-enough = { $what }에 캐시가 관여했는지 판정하기에 데이터가 부족합니다. 확인된 사항: { $why }.
cached-sign-device = 테스트가 요청한 바이트 중 장치에 도달한 비율 { $share }
cached-sign-device-more = 장치에서 집계된 바이트는 테스트가 요청한 바이트의 { $times }배
cached-sign-nfs = 테스트가 요청한 바이트 중 NFS 클라이언트를 거친 비율 { $share }
cached-sign-nfs-more = NFS 클라이언트에서 집계된 바이트는 테스트가 요청한 바이트의 { $times }배
cached-sign-memory = 메모리 파일 시스템 사용({ $filesystem })
cached-sign-page-cache = 페이지 캐시 경유
cached-sign-direct-ignored = 파일 시스템이 다이렉트 I/O를 받아들이고도 버퍼링({ $filesystem })
cached-sign-direct-verified = 다이렉트 I/O 동작 확인
cached-sign-fits-memory = 작업 집합의 크기는 메모리의 { $share }
cached-sign-unwritten = 한 번도 기록되지 않은 비율 { $share }
cached-sign-compressible = 압축으로 사라지는 내용의 비율 { $share }
cached-sign-repeated = 이전 실행과 같은 오프셋 사용(randrepeat)
cached-sign-round-trip = 네트워크 왕복 시간({ $time })보다 빠른 I/O의 비율 { $share }
cached-sign-medium = 매체 접근 시간({ $time })보다 빠른 I/O의 비율 { $share }
cached-sign-merged = { $count ->
    [one] 병합된 I/O 1건
   *[other] 병합된 I/O { $ios }건
}
cached-foreign = { $what } 중에 장치에서 다른 I/O가 실행되었습니다: { $other }.{ $own } 측정값에는 그 영향이 들어 있습니다. 다른 프로그램의 I/O이거나 파일 시스템 자체의 I/O(저널, ext4 초기화)입니다. 다른 I/O가 없을 때 다시 측정하십시오.
cached-foreign-own = {" "}그 밖에 확인된 것: { $why }.
cached-the-device = 장치
cached-sign-beneath = 이 호스트의 페이지 캐시를 거치는 파일이 장치로 쓰이고 있음(다이렉트 I/O를 쓰지 않는 루프 장치)
cached-sign-other-reads = { $per } 장치에서 다른 읽기 { $ios }건 실행
cached-sign-other-reads-bytes = { $per } 장치에서 다른 읽기 { $ios }건 실행(바이트로는 { $bytes })
cached-sign-other-writes = { $per } 장치에서 다른 쓰기 { $ios }건 실행
cached-sign-other-writes-bytes = { $per } 장치에서 다른 쓰기 { $ios }건 실행(바이트로는 { $bytes })
cached-per-hundred = 테스트의 I/O 100건마다
cached-per-one = 테스트의 I/O 1건마다
cached-of-bytes = 테스트의 { $share }
cached-of-bytes-times = 테스트의 { $times }배
cached-the-filesystem = 종류 미상

## Planned rates

open-loop-overload = 과부하: 계획한 { $planned } 중 { $done }만 처리했습니다({ $share }). 측정을 계속할수록 응답 시간이 늘어납니다.
open-loop-overload-left = 과부하: 계획한 { $planned } 중 { $done }만 처리했습니다({ $share }). 측정을 계속할수록 응답 시간이 늘어나며, 종료 시점에 대기 중인 I/O가 { $left }건 남았습니다.
open-loop-waited = { $rate }에서 사용자가 겪는 응답 시간은 평균 { $mean }, p99 { $p99 }입니다. I/O를 제출하기도 전에 대기하는 시간의 비중은 평균의 { $share }이고, 처리 시간만 보면 평균 { $service-mean }, p99 { $service-p99 }입니다.
open-loop-kept-up = { $rate }에서 사용자가 겪는 응답 시간은 평균 { $mean }, p99 { $p99 }입니다. 거의 모두 처리 시간이며 계획한 속도를 유지했습니다.
open-loop-not-enough = 계획한 속도나 응답 시간을 알 수 없어 판정할 것이 없습니다.

## Bursts

burst = { $rate } 수준의 버스트가 { $drain } 동안 이어지다가 실행 시작 { $step } 후에 끝났습니다. 지속되는 성능은 { $sustained }입니다. 이를 초과하여 처리한 양({ $bucket })이 버스트 크레딧의 크기입니다.
burst-none-seen = { $time } 안에 끝난 버스트가 없습니다. 이 성능이 크레딧 덕분이라면 크레딧은 그보다 오래 지속됩니다.
burst-too-short = 버스트와 시작 구간을 구분하기에 { $time } 길이의 실행은 너무 짧습니다. 필요한 시간: { $needed }.
short-runs = 테스트당 측정 시간({ $run })이 짧아 다음 항목은 판정할 수 없습니다: { $questions }. 판정하려면 --time { $total } 옵션을 사용하십시오.
short-question-burst = 버스트
short-question-steady = 성능 안정 여부
short-question-cap = 개별 테스트의 제한
burst-busy-machine = 측정하는 동안 다른 프로그램이 CPU를 차지했으므로 버스트 여부를 판정할 수 없습니다.
burst-other-use = 측정 중에 장치에서 다른 I/O가 실행되어 버스트 여부를 판정할 수 없습니다.
burst-cpu-quota = 이 호스트의 CPU 제한 때문에 작업이 멈춘 시간이 있어 버스트 여부를 판정할 수 없습니다.
burst-off-device = 장치에 도달하지 않은 I/O가 있어 볼륨의 버스트 여부를 판정할 수 없습니다.
burst-not-enough = 버스트를 판정하기에 구간 { $intervals }개는 부족합니다. { $needed }개가 필요합니다.

## Steady state

steady-attained = { $at } 후 성능이 안정되었습니다. { $held }
steady-left = { $at } 후 성능이 안정되었으나 다시 벗어났습니다. 종료 시점 기준으로 { $held }. 이때의 평균은 안정된 구간 평균의 { $share }입니다
steady-not-attained = 성능이 안정되지 않았습니다. 종료 시점 기준으로 { $held }
steady-nothing-done = 성능이 안정되지 않았습니다. 종료 시점에는 처리된 I/O가 없습니다
steady-not-enough = 성능 안정 여부를 판정할 수 없습니다. 라운드 { $needed }개가 필요하지만 { $rounds }개뿐입니다
steady-held = { $round } 라운드 { $rounds }개의 범위는 평균의 { $range }(허용 { $range-allowed }), 추세 변화는 { $slope }(허용 { $slope-allowed })입니다

## Means and their spread

spread-known = 평균 속도의 오차는 ± { $half-width }입니다(신뢰도 95 %, { $evidence } 기준)
spread-known-worth = 평균 속도의 오차는 ± { $half-width }입니다(신뢰도 95 %, { $evidence } 기준, 독립 표본으로는 { $worth }개에 해당)
spread-not-stable = 불안정: 평균의 오차가 ± 50 %를 넘습니다(신뢰도 95 %, { $evidence } 기준). 측정 시간을 { $factor }배로 늘리십시오
spread-far-from-stable = 불안정: 평균의 오차가 ± 50 %를 넘습니다(신뢰도 95 %, { $evidence } 기준). 더 길게 측정해도 거의 나아지지 않으니 부하가 없는 호스트에서 측정하십시오
spread-near-zero = 평균을 0과 구분할 수 없습니다(신뢰도 95 %, { $evidence } 기준)
spread-near-zero-worth = 평균을 0과 구분할 수 없습니다(신뢰도 95 %, { $evidence } 기준, 독립 표본으로는 { $worth }개에 해당)
spread-of-rounds = 명령 한 번의 { $rounds }
spread-of-one-run = 한 실행의 { $intervals }
spread-few-runs = 평균의 오차를 알 수 없습니다. 실행 { $needed }회 이상이 필요하지만 { $n }회뿐입니다
spread-few-rounds = 다음 실행이 얼마나 다를지 알 수 없습니다. { $needed }라운드 이상이 필요하지만 { $n }라운드뿐입니다
spread-few-intervals = 평균의 오차를 알 수 없습니다. 구간 { $needed }개 이상이 필요하지만 { $n }개뿐입니다
spread-too-slow = 측정 중에 성능이 계속 변하여 오차를 알 수 없습니다. 측정 시간을 { $factor }배로 늘려 다시 측정하십시오
