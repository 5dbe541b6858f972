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
promise-mean-of = { $way }: 블록 크기 { $block }에서 평균 { $rate }, 보장 성능 { $limit }의 { $share }
promise-mean-of-burst = { $way }: 블록 크기 { $block }에서 평균 { $rate }, 버스트 보장 성능 { $limit }의 { $share }
promise-mean-of-client = { $way }: 블록 크기 { $block }에서 평균 { $rate }, 클라이언트당 한도 { $limit }의 { $share }
promise-mean-of-vm = { $way }: 블록 크기 { $block }에서 평균 { $rate }, VM 한도 { $limit }의 { $share }
promise-intervals = { $intervals }입니다.
promise-intervals-not-judged = { $intervals }입니다. 이 길이의 실행으로는 충족 여부를 판정할 수 없습니다.
promise-intervals-not-reached = { $intervals }입니다. 다만 부하가 그 이상을 요구하지 않았습니다.
promise-intervals-of = { $way }: { $interval } 구간 { $all }개 중 { $threshold } IOPS에 도달한 구간은 { $reached }개({ $share }), 보장 성능은 전체 시간의 { $promised }
promise-latency-kept = { $way }: 지연 시간 { $latency }({ $figure }), 보장 성능은 { $limit } 이하입니다.
promise-latency-missed = { $way }: 지연 시간 { $latency }({ $figure }), 보장 성능은 { $limit }입니다.
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
