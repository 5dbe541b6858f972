### What is said of promised limits, in Korean. A provider's promise is 보장 성능 wherever it is
### held against a figure, in the terminal, in reports and on pages.

## Verdicts

promise-reads = 읽기
promise-writes = 쓰기
promise-both = 읽기 및 쓰기
promise-mean = { $mean }입니다.
promise-mean-within = { $mean }입니다. { $enough } 이상이면 충족합니다.
promise-mean-missed = { $mean }입니다. 충족 기준은 { $enough }입니다.
promise-mean-not-reached = { $mean }입니다. 다만 처리 중인 I/O가 약 { $outstanding }개일 때 지연 시간이 { $latency }에 불과했으므로 큐 깊이를 늘리면 성능이 더 나올 수 있습니다.
promise-mean-exceeded = { $mean }입니다. 캐시, 병합, 버스트 또는 다른 볼륨 유형 때문인지 확인하십시오.
promise-share-percent = { $percent }
promise-share-times = { $times }배
promise-mean-of = { $way }: 블록 크기 { $block }에서 평균 { $rate }, 기준 { $limit }의 { $share }
promise-mean-of-burst = { $way }: 블록 크기 { $block }에서 평균 { $rate }, 버스트 보장 성능 { $limit }의 { $share }
promise-mean-of-client = { $way }: 블록 크기 { $block }에서 평균 { $rate }, 클라이언트당 한도 { $limit }의 { $share }
promise-mean-of-vm = { $way }: 블록 크기 { $block }에서 평균 { $rate }, VM 한도 { $limit }의 { $share }
promise-intervals = { $intervals }입니다.
promise-intervals-not-judged = { $intervals }입니다. 이 길이의 실행으로는 충족 여부를 판정할 수 없습니다.
promise-intervals-not-reached = { $intervals }입니다. 다만 부하가 그 이상을 요구하지 않았습니다.
promise-intervals-of = { $way }: { $interval } 구간 { $all }개 중 { $threshold } IOPS에 도달한 구간은 { $reached }개({ $share }), 보장 성능은 전체 시간의 { $promised }
promise-intervals-short = { $intervals }의 { $share }에서만 보장 성능에 도달했습니다. 보장 기준은 { $promised }입니다.
promise-seconds = 1초 구간
promise-stretches = { $interval } 구간
promise-latency-kept = { $way }: 지연 시간 { $latency }({ $figure }), 기준은 { $limit }입니다.
promise-latency-missed = { $way }: 지연 시간 { $latency }({ $figure }), 기준은 { $limit }입니다.
promise-figure-mean = 평균
promise-beside = { $way }: 평균 { $iops } IOPS입니다. 명시된 보장 성능은 없으며, 이전에 다른 사용자가 { $size } 볼륨에서 측정한 값은 { $others } IOPS입니다.
promise-unknown = { $way }: { $why }.
promise-unknown-no-promise = 명시된 보장 성능이 없습니다
promise-unknown-not-measured = 측정하지 않았습니다
promise-unknown-still-bursting = 실행 시간({ $seen }) 내내 버스트가 이어졌습니다
promise-unknown-still-bursting-needed = 실행 시간({ $seen }) 내내 버스트가 이어졌습니다. 기준 성능을 확인하는 데 필요한 실행 시간은 { $needed } 이상입니다
promise-unknown-no-burst = 버스트가 관찰되지 않았습니다. 크레딧을 이미 소진했을 수 있습니다
promise-unknown-other-load = 지연 시간 보장은 한 번에 하나씩 처리하는 { $block } 이하의 I/O를 기준으로 하며, 이 조건으로는 측정하지 않았습니다

## Caveats

caveat-no-promise = 제공사가 명시한 보장 성능이 없습니다.
caveat-target = 제공사가 보장이 아니라 목표로 제시한 값입니다.
caveat-undated = 보장 성능을 명시한 문서에 날짜가 없습니다.
caveat-instance = 인스턴스에도 자체 한도가 있으며 더 낮은 경우가 많습니다. 여기서는 그 값을 알 수 없습니다.
caveat-merged = 작은 순차 I/O는 집계 전에 병합될 수 있으므로 랜덤 I/O로 측정하십시오.
caveat-confidence = 수치의 출처: { $meaning }.
caveat-superseded = 이 한도는 { $to }까지만 유효했으며 이후 새 한도가 적용되고 있습니다.
caveat-shared = 한도의 적용 범위: { $scope }.
caveat-other-unit = { $given } 크기는 { $counted }에 해당합니다. 판매 단위는 { $unit }이므로 { $meant } 크기를 의도했을 수 있습니다.
caveat-rounded-up = { $from } 크기에는 그다음 판매 단위인 { $to }의 보장 성능이 적용됩니다.
caveat-included-iops = --iops 옵션이 없으면 이 볼륨에 기본 제공되는 { $iops } IOPS를 적용합니다.
caveat-included-rate = --mbps 옵션이 없으면 이 볼륨에 기본 제공되는 { $rate } 값을 적용합니다.
caveat-burst-hides = 버스트 크레딧이 가득 차 있으면 { $lasts } 동안 지속되므로, 그보다 짧은 실행으로는 기준 성능을 볼 수 없습니다.
caveat-burst-endless = 버스트가 발생할 수 있고 지속 시간은 알려져 있지 않으므로, 실행 중에 기준 성능을 보지 못할 수 있습니다.
caveat-client-limit = 클라이언트 하나의 최대 성능은 { $rate }입니다.
caveat-stated-at = IOPS 보장은 블록 크기 { $block } 기준이며, 더 큰 블록에서는 낮아질 수 있습니다.

## Parts

scope-volume = 볼륨 하나
scope-vm = VM 하나에 연결된 같은 종류의 모든 볼륨
scope-pool = 풀 하나(풀에 속한 모든 볼륨이 공유)
scope-file-system = 파일 시스템 하나(모든 클라이언트가 공유)
scope-host = 인스턴스의 호스트
meaning-low = 제공사의 문서로 확인되지 않음
meaning-medium = 일부만 확인했거나 이전 사본에서 읽었거나 추산함
meaning-high = 제공사의 문서에서 확인함
bound-iops = IOPS
bound-throughput = 처리량
bound-client = 클라이언트 하나
bound-vm = VM

## Rows

row-heading = { $kind }. 한도의 적용 범위: { $scope }. 수치: { $date }, { $meaning }({ $letter }).
row-block = 블록 볼륨
row-block-of = 블록 볼륨, { $sizes }
row-file = 파일 서비스
row-file-of = 파일 서비스, { $sizes }
row-sizes-between = { $min }~{ $max } { $unit }
row-sizes-from = { $min } { $unit } 이상
row-sizes-to = { $max } { $unit } 이하
row-as-of = { $date } 기준
row-undated = 날짜 없음
row-source = [{ $id }] { $title } ({ $date })
row-iops = IOPS: { $rule }
row-throughput = 처리량: { $rule }
row-for-numbers = 수치를 보려면: { $needed }.
row-variant = --variant { $id }: { $words }
row-promised = 보장 성능
row-target = 목표로 제시된 성능
row-nothing = 명시된 보장 성능 없음
row-measured = 보장이 아니라 다른 사람의 측정값
row-for-size = { $title }, { $size }
row-together = 한도는 읽기와 쓰기를 합한 값입니다.
row-left-out = { $row } 값은 크기에 따라 다릅니다. --volume-size를 지정하십시오.
row-consistency = 전체 시간의 { $time } % 동안 한도의 { $limit } %가 보장됩니다.
row-latency = 지연 시간: { $latency }.
row-latency-at = 지연 시간: { $latency }, { $block } 기준.
row-unit = { $unit } 이하인 I/O는 하나로, 더 큰 I/O는 여러 개로 계산됩니다.
row-bucket = 버스트 크레딧이 가득 차 있으면 { $lasts } 동안 지속됩니다.
row-bucket-fills = 버스트 크레딧이 가득 차 있으면 { $lasts } 동안 지속되며, 모두 소진한 뒤 다시 채우는 데 { $fills } 걸립니다.
row-queue = 제공사는 I/O 하나의 시간을 { $latency }(으)로 계산합니다. { $iops } IOPS를 얻으려면 큐 깊이를 { $queue }(으)로 유지하십시오.
row-level-both = 읽기와 쓰기
row-level-reads = 읽기
row-level-writes = 쓰기
row-level-burst = 버스트, { $way }
row-level-smallest = 구매 가능한 최소
row-level-largest = 구매 가능한 최대
row-level-measured = { $size }, { $way }
row-block-size = { $block } { $way }

## Rules

rule-of = { $unit }: { $rule }
rule-read = 읽기 { $rule }
rule-write = 쓰기 { $rule }
rule-by-variant = 종류별
rule-measured-only = 측정값만 있음
rule-not-promised = 보장되지 않음
rule-plus = { $a }; 추가로 { $b }
rule-and = { $a }; { $b }
rule-least = [{ $rules }] 중 작은 값
rule-greatest = [{ $rules }] 중 큰 값
rule-times-knob = { $knob } x ({ $rule })
rule-by-size = 크기별 { $first }~{ $last }
rule-for-bought-iops = { $before }{ $per } x 구매한 IOPS
rule-between = { $terms }({ $min }~{ $max })
rule-at-least = { $terms }(최소 { $min })
rule-at-most = { $terms }(최대 { $max })
rule-bought-as = 구매 가능한 값 { $choices }
rule-bought-up-to = 구매 한도 { $most }
rule-default-or-up-to = 기본 { $default }; 구매 한도 { $most }
rule-default-or-bought = 기본 { $default } 또는 구매한 만큼
rule-as-bought = 구매한 만큼
range-to = ~{ $most }
range-by-size = 크기별
range-from = { $least }~

## The heading of a check

check-promise = { $volume }의 보장 성능: { $name }
check-size-of-device = { $size }, --volume-size 옵션이 없으므로 { $node }의 크기
check-size-said = { $size }, --volume-size로 지정한 값
check-size-not-needed = 지정하지 않음, 이 보장 성능은 크기와 무관
check-numbers = { $date }, { $meaning }({ $letter })
