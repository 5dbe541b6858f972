### What is said of promised limits, and of figures held against them.

## Verdicts

promise-reads = Reads
promise-writes = Writes
promise-both = Reads and writes
promise-mean = { $mean }.
promise-mean-within = { $mean }; { $enough } of it is enough.
promise-mean-missed = { $mean }; { $enough } would be enough.
promise-mean-not-reached = { $mean }, but each took only { $latency } with about { $outstanding } outstanding: with more the volume may give more.
promise-mean-exceeded = { $mean }; ask whether a cache, merging, a burst or another kind of volume explains it.
promise-share-percent = { $percent } of
promise-share-times = { $times } times
promise-mean-of = { $way } averaged { $rate } in blocks of { $block }, { $share } the limit of { $limit }
promise-mean-of-burst = { $way } averaged { $rate } in blocks of { $block }, { $share } the { $limit } promised for a burst
promise-mean-of-client = { $way } averaged { $rate } in blocks of { $block }, { $share } the { $limit } that one client gets
promise-mean-of-vm = { $way } averaged { $rate } in blocks of { $block }, { $share } the { $limit } that the VM allows
promise-intervals = { $intervals }.
promise-intervals-not-judged = { $intervals }, which a run of this length can neither show nor disprove.
promise-intervals-not-reached = { $intervals }, but the load did not ask for more.
promise-intervals-of = { $way } reached { $threshold } IOPS in { $reached } of { $all } intervals of { $interval } ({ $share }); { $promised } of the time are promised
promise-intervals-short = { $share } of the { $intervals } reached the promise; { $promised } are promised.
promise-seconds = seconds
promise-stretches = intervals of { $interval }
promise-latency-kept = { $way } took { $latency } ({ $figure }); the limit is { $limit }.
promise-latency-missed = { $way } took { $latency } ({ $figure }); the limit is { $limit }.
promise-figure-mean = mean
promise-beside = { $way } averaged { $iops } IOPS; nothing is promised, and { $others } were measured on { $size } before.
promise-unknown = { $way }: { $why }.
promise-unknown-no-promise = nothing is promised of them
promise-unknown-not-measured = not measured
promise-unknown-still-bursting = the burst lasted through the { $seen } of the run
promise-unknown-still-bursting-needed = the burst lasted through the { $seen } of the run; the baseline shows in runs of { $needed } or more
promise-unknown-no-burst = no burst was seen; its credits may have been spent before
promise-unknown-other-load = latency is promised for one I/O at a time of up to { $block }, which was not measured here

## Caveats

caveat-no-promise = The provider promises nothing here.
caveat-target = The provider calls this a target, not a guarantee.
caveat-undated = The text that states them carries no date.
caveat-instance = The instance has limits of its own, often lower; they are not known here.
caveat-merged = Small sequential I/Os may be merged before they are counted: measure random ones.
caveat-confidence = The numbers were { $meaning }.
caveat-superseded = These limits held until { $to }; newer ones are in force.
caveat-shared = The limits are of { $scope }.
caveat-other-unit = { $given } are { $counted }; it is sold by the { $unit }, so { $meant } may be meant.
caveat-rounded-up = { $from } count as { $to }, the next size that is sold.
caveat-included-iops = Without --iops, the { $iops } IOPS of such a volume count.
caveat-included-rate = Without --mbps, the { $rate } of such a volume count.
caveat-burst-hides = A full bucket lasts { $lasts }: a shorter run misses the baseline.
caveat-burst-endless = It may burst, and for how long is not known: a run may miss the baseline.
caveat-client-limit = A single client gets at most { $rate }.
caveat-stated-at = The IOPS are stated for blocks of { $block }; larger ones may give fewer.

## Parts

scope-volume = one volume
scope-vm = all volumes of this kind on one VM together
scope-pool = a pool; all volumes in it share them
scope-file-system = one file system; all clients share them
scope-host = the instance's host
meaning-low = not confirmed by the provider's own text
meaning-medium = read in part, in an older copy, or derived
meaning-high = read in the provider's own text
bound-iops = IOPS
bound-throughput = throughput
bound-client = one client
bound-vm = VM

## Rows

row-heading = { $kind }; limits are of { $scope }. Numbers: { $date }, { $meaning } ({ $letter }).
row-block = Block volume
row-block-of = Block volume of { $sizes }
row-file = File service
row-file-of = File service of { $sizes }
row-sizes-between = { $min } to { $max } { $unit }
row-sizes-from = at least { $min } { $unit }
row-sizes-to = at most { $max } { $unit }
row-as-of = as of { $date }
row-undated = undated
row-source = [{ $id }] { $title } ({ $date })
row-iops = IOPS: { $rule }
row-throughput = throughput: { $rule }
row-for-numbers = For numbers: { $needed }.
row-variant = --variant { $id }: { $words }
row-promised = Promised
row-target = Stated as a target
row-nothing = Nothing is promised
row-measured = Measured by others, not promised
row-for-size = { $title } for { $size }
row-together = The limits hold for reads and writes together.
row-left-out = What is the { $row } depends on the size: give --volume-size.
row-consistency = { $limit } % of that is promised for { $time } % of the time.
row-latency = Latency: { $latency }.
row-latency-at = Latency: { $latency }, for { $block }.
row-unit = An I/O of up to { $unit } counts as one, a larger one as several.
row-bucket = A full bucket lasts { $lasts }.
row-bucket-fills = A full bucket lasts { $lasts }, and an empty one fills in { $fills }.
row-queue = The provider reckons with { $latency } for an I/O: keep { $queue } outstanding for { $iops } IOPS.
row-level-both = reads and writes
row-level-reads = reads
row-level-writes = writes
row-level-burst = burst, { $way }
row-level-smallest = smallest to buy
row-level-largest = largest to buy
row-level-measured = { $size }, { $way }
row-block-size = { $block } { $way }

## Rules

rule-of = { $unit }: { $rule }
rule-read = read { $rule }
rule-write = write { $rule }
rule-by-variant = by variant
rule-measured-only = measured only
rule-not-promised = not promised
rule-plus = { $a }; plus { $b }
rule-and = { $a } and { $b }
rule-least = the least of { $rules }
rule-greatest = the greater of { $rules }
rule-times-knob = { $knob } x ({ $rule })
rule-by-size = { $first } to { $last } by size
rule-for-bought-iops = { $before }{ $per } x bought IOPS
rule-between = { $terms }, { $min } to { $max }
rule-at-least = { $terms }, at least { $min }
rule-at-most = { $terms }, at most { $max }
rule-bought-as = bought as { $choices }
rule-bought-up-to = bought up to { $most }
rule-default-or-up-to = { $default }; or bought up to { $most }
rule-default-or-bought = { $default } or as bought
rule-as-bought = as bought
range-to = to { $most }
range-by-size = by size
range-from = from { $least }

## The heading of a check

check-promise = Promise of { $volume }: { $name }
check-size-of-device = { $size }: the size of { $node }, since --volume-size does not say
check-size-said = { $size }, as --volume-size says
check-size-not-needed = not given, and this promise does not depend on it
check-numbers = { $date }; { $meaning } ({ $letter })
