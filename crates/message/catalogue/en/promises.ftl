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
promise-mean-of = { $way } averaged { $rate } in blocks of { $block }, { $share } the { $limit } promised
promise-mean-of-burst = { $way } averaged { $rate } in blocks of { $block }, { $share } the { $limit } promised for a burst
promise-mean-of-client = { $way } averaged { $rate } in blocks of { $block }, { $share } the { $limit } that one client gets
promise-mean-of-vm = { $way } averaged { $rate } in blocks of { $block }, { $share } the { $limit } that the VM allows
promise-intervals = { $intervals }.
promise-intervals-not-judged = { $intervals }, which a run of this length can neither show nor disprove.
promise-intervals-not-reached = { $intervals }, but the load did not ask for more.
promise-intervals-of = { $way } reached { $threshold } IOPS in { $reached } of { $all } intervals of { $interval } ({ $share }); { $promised } of the time are promised
promise-latency-kept = { $way } took { $latency } ({ $figure }); { $limit } or less were promised.
promise-latency-missed = { $way } took { $latency } ({ $figure }); { $limit } were promised.
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
bound-throughput = bytes a second
bound-client = one client
bound-vm = VM
