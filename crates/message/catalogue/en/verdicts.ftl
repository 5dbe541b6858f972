### What findings say. Some are whole sentences; those without a full stop are made to stand
### inside another.

## Lists

list-clauses-pair = { $list } and { $next }
list-clauses-more = { $list }; { $next }
list-clauses-last = { $list }; and { $next }
list-figures = { $list }; { $next }
list-names-more = { $list }, { $next }
list-names-last = { $list } and { $next }
list-choices-last = { $list } or { $next }
list-all-of = { $list } and { $next }
list-sentences = { $list } { $next }

## Quantities that are more than digits and a unit

share-under = under { $share }
amount-ios = { $count } I/Os
count-runs = { $count ->
    [one] 1 run
   *[other] { $count } runs
}
count-intervals = { $count ->
    [one] 1 interval
   *[other] { $count } intervals
}
count-rounds = { $count ->
    [one] 1 round
   *[other] { $count } rounds
}

## The knee of a curve

knee-noun-depth = queue depth
knee-noun-jobs = the number of jobs
knee-noun-clients = the number of clients
knee-at-depth = QD { $load }
knee-at-jobs = { $load ->
    [one] 1 job
   *[other] { $load } jobs
}
knee-at-clients = { $load ->
    [one] { $load } client
   *[other] { $load } clients
}
knee-found = from { $place } on IOPS stay at { $level } while latency doubles with { $noun }: { $here } at { $at }, { $there } at { $last }
knee-falling = IOPS reach { $level } at { $place } and fall beyond, to { $iops } at { $last }: more load makes it slower
knee-growing = IOPS still grow at { $place } ({ $iops }): the knee, if there is one, lies beyond
knee-not-in-flight = raising { $noun } did not reach the volume: from { $place } to { $end } the I/Os in flight (IOPS x latency) went from { $before } to { $after }
knee-too-few = { $points } points are too few to see where IOPS stop growing

## Caps

cap-kind-iops = an IOPS cap
cap-kind-bandwidth = a bandwidth cap
cap-held-low = The rate is perhaps held at { $rate } by { $kind }. { $signs }
cap-held-medium = The rate is probably held at { $rate } by { $kind }. { $signs }
cap-held-high = The rate is held at { $rate } by { $kind }. { $signs }
cap-set = The control group { $group } holds the rate at { $rate }.
cap-set-shared = The control group { $group } holds the rate at { $rate }, of which other I/O took { $others }.
cap-only-flat = { $flat } That alone shows no cap: a steady device looks the same. Other depths or block sizes would tell.
cap-paced = The job's own pace of { $rate } was reached, so no cap shows.
cap-other-use = Whether something holds the rate cannot be told: other I/O ran on the device as well. Measure again while no other I/O runs.
cap-cpu-quota = Whether something holds the rate cannot be told: a CPU limit of this host stopped the jobs. Measure again with a higher CPU limit, or none.
cap-off-device = Whether the volume holds the rate cannot be told: not all I/O reached the device.
cap-none-seen = No sign of a cap: nothing holds the rate to one value.
cap-not-enough = Not enough to tell a cap: it takes ten intervals, or several depths or sizes.
cap-sign-flat = In { $intervals } intervals the rate stays near { $rate } and varies by { $variation }.
cap-sign-regular = Without a cap, latencies such as these would make it vary by { $expected }.
cap-sign-round = { $rate } is a round number, as limits often are.
cap-sign-promised = { $rate } is the promised rate.
cap-sign-by-hand = { $rate } is the limit given by hand.
cap-sign-depths = From QD { $from } to { $to }, latency grows from { $before } to { $after }, and IOPS change by { $spread } at most.
cap-sign-sizes = From blocks of { $from } to { $to }, the rate changes by { $spread } at most.
cap-sign-humps = { $share } of I/Os take about { $high }, the others about { $low }.
cap-sign-saw-tooth = A quarter of each { $period } does { $share } of the work.
cap-sign-burst = A burst of { $rate } ended at this rate.
cap-kind-either = a cap of { $iops } or of { $bytes } (another block size would tell which)
cap-thinks = The job's own pauses (thinktime) take { $share } of the time, so no cap shows.
cap-unclear = Whether something holds the rate can't be told: many intervals are near { $rate } and others are not.
cap-sign-known = The control group { $group } is limited to { $rate }.
cap-sign-runs = { $runs ->
    [one] { $runs } of { $of } tests reaches this rate: { $what } of { $from }.
   *[other] { $runs } of { $of } tests reach this rate: { $what } of { $from }.
}
cap-sign-runs-sizes = { $runs ->
    [one] { $runs } of { $of } tests reaches this rate: { $what } of { $from } to { $to }.
   *[other] { $runs } of { $of } tests reach this rate: { $what } of { $from } to { $to }.
}
cap-runs-reads = reads
cap-runs-writes = writes
cap-sign-wait = An I/O takes { $latency }, but only { $service } of it in the device, which is busy { $busy } of the time: the I/O waits in this host.

## The client

client-bound = This host was measured, not the volume: { $why }.
client-tight = This host may have slowed it down: { $why }.
client-faster = The volume may be faster.
client-roomy = The client had room: { $why }.
client-not-enough = Nothing is known that would tell whether the client was the limit.
client-network = The network's round trip of { $rtt } is { $share } of the latency.
client-sign-thread = the busiest thread ran { $busy } of the time
client-sign-machine = the machine's processors were { $busy } busy
client-sign-others = other programs used { $busy } of its CPUs
client-sign-throttled = a CPU quota stopped it for { $time }, { $share } of the run
client-sign-quota = its control group { $group } gives it { $cpus } of { $of } CPUs ({ $file }) and stopped it for { $share } of the run
client-sign-stolen = the hypervisor gave { $busy } of the processors' time to others
client-sign-ceiling = it could have driven { $times } times as many I/Os
client-sign-ceiling-of = it did { $share } of what { $cores ->
    [one] one core of this host
   *[other] { $cores } cores of this host
} can drive, about { $ceiling } small I/Os a second
client-more-cpu = Measure again with a higher CPU limit, or none.
client-more-jobs = Measure again with more jobs: this host has more cores for them.

## Saw-teeth

saw-tooth = The rate is a saw-tooth of { $period }: a quarter of each period does { $share } of its work and the rest waits, as where a limit hands out its tokens by the clock.
saw-tooth-none = No saw-tooth: the rate follows no clock.
saw-tooth-not-enough = Not enough to tell a saw-tooth: it takes eight seconds in intervals of 100 ms.

## Comparisons

change-factor = { $times }x
change-faster = { $times }x faster
change-slower = { $times }x slower
change-range = { $low } to { $high }
change-between = between { $low } and { $high }
change-or-more = { $low } or more
change-with-interval = { $change } ({ $range })
compare-shown = { $b } against { $a }: { $change } ({ $sure } it is { $range }, from { $evidence })
compare-not-shown = no difference between { $a } and { $b } ({ $evidence } would show one above { $smallest })
compare-unstable = { $a } and { $b } are too unstable to compare; use more rounds or longer ones
compare-not-enough = { $a } and { $b } cannot be compared: { $lack }
sure-alone = 95 % sure
sure-single = 99 % sure
sure-together = 99 % sure of all { $all }
compare-evidence-each = { $evidence } each
compare-evidence-against = { $a } against { $b }
compare-evidence-nothing = nothing
lack-estimate = of { $side }, { $why }
lack-near-zero = the figures of { $side } vary too much to be judged, or are 0
lack-runs-vary = the { $runs } of { $side } vary too much to be judged
lack-advised = { $lack }; { $advice }
lack-longer = measure it longer
lack-more-runs = measure more of them
lack-one-disk = both are one disk, so differences are noise
lack-rounds = it takes { $needed } rounds or more, not { $rounds }

## Rankings

ranking-none = no best can be named: the mean of no side is known
ranking-higher = { $best } is highest
ranking-lower = { $best } is lowest
ranking-close = { $best }, but within the noise of { $names }
ranking-unknown = { $best } by its mean, but cannot be compared with { $names }
ranking-behind = { $best }; { $behind }
ranking-sure = { $ranking } (95 % sure of the whole list)
ranking-sure-together = { $ranking } (99 % sure of { $all ->
    [one] the whole list
    [2] both lists
   *[other] all { $all } lists
})
ranking-behind-one = { $name } ({ $change })

## Humps

humps-two = Two groups of latencies: { $low-share } of I/Os take about { $low }, { $high-share } about { $high }, { $cause }. Read p50 and p99, not the mean.
humps-cause-narrow = as behind a throttle that lets I/Os through by time slices
humps-cause-wide = as with a cache and its misses, or a queue that something holds up
humps-one = Latency has one hump: no I/Os stand apart from the rest.
humps-not-enough = There are too few I/Os or percentiles to tell the shape of latency.

## Connections

connections-limit = { $few ->
    [one] One connection is the limit: it gives { $first } MB/s, { $many } together give { $other } MB/s. { $end }
   *[other] { $few } connections are the limit: they give { $first } MB/s, { $many } together give { $other } MB/s. { $end }
}
connections-enough = From { $at } on more of them give no more.
connections-growing = More may give more.
connections-no-gain = { $few ->
    [one] More connections give no more: one gives { $first } MB/s, { $many } together give { $other } MB/s; nconnect does not help here.
   *[other] More connections give no more: { $few } give { $first } MB/s, { $many } together give { $other } MB/s; nconnect does not help here.
}

connections-uneven = Connections are uneven: the one from port { $port } takes { $time } a call, the others { $others }; it did { $share } of the calls of { $connections } connections. Its path is slower, or the server thread that it has.
connections-lost = { $times ->
    [one] A connection was lost and made anew; { $calls } calls were sent again.
   *[other] Connections were lost and made anew { $times } times; { $calls } calls were sent again.
}

## Network mounts

mount-repeated = The network or the server did not keep up: of { $calls } calls { $repeats } were sent again, { $timeouts } major timeouts, { $reconnects } connections made anew; the figures hold that too.
mount-waits = Calls waited { $wait } in this machine before they were sent, { $share } of their time, with { $backlog } waiting for a slot on average: { $advice }
mount-waits-one = the mount has one connection, which may be the limit; a mount with nconnect=4, or `fathom sweep nfs://… --nconnect 1..8`, proves it.
mount-waits-many = its { $connections } connections are full; more of them or more slots may give more.
mount-saved-reads = { $ios } reads made { $calls } READ calls: the client's cache or readahead answered the rest. Measure with O_DIRECT, or on more data than memory.
mount-saved-writes = { $ios } writes made { $calls } WRITE calls: the client's cache joined or held the rest. Measure with O_DIRECT or fsync.
mount-split-reads = Each read took { $times } READ calls: rsize is smaller than the block.
mount-split-writes = Each write took { $times } WRITE calls: wsize is smaller than the block.
mount-others-read = Others used the mount too: { $calls } READ calls for { $ios } reads that fit into one each.
mount-others-write = Others used the mount too: { $calls } WRITE calls for { $ios } writes that fit into one each.
mount-uneven = The mount's { $connections } connections are uneven: one sent { $share } of an equal share.
mount-beyond-reads = The latency is the network's and the server's: a READ call takes { $rtt } on the way, { $share } of it.
mount-beyond-writes = The latency is the network's and the server's: a WRITE call takes { $rtt } on the way, { $share } of it.
mount-commits = { $commits ->
    [one] 1 COMMIT took { $time }.
   *[other] { $commits } COMMITs took { $time } each on average.
}

## Caches

way-reads = reads
way-writes = writes
way-trims = trims
way-ios = I/Os
cached-memory = These { $what } are memory's and no storage's: { $why }.
cached-cached = { $share } of the { $what } came to a cache before the device: { $why }.
cached-unwritten = { $share } of the { $what } found nothing written and cost no I/O: { $why }. Fill the file first.
cached-suspected = A cache may have served part of the { $what }: { $why }.
cached-saw-more = Other I/O ran on the device beside the { $what } of the test: { $why }. Another program, read-ahead, a journal or parity added it.
cached-not-cached = No cache of this machine took part in the { $what }: { $why }. One inside the storage would not show.
cached-nothing-known = Nothing is known that would tell whether the { $what } were cached.
cached-not-enough = Not enough to tell whether the { $what } were cached: { $why }.
cached-sign-device = the device saw { $share } of the test's bytes
cached-sign-device-more = the device saw { $times } times the test's bytes
cached-sign-nfs = the NFS client saw { $share } of the test's bytes
cached-sign-nfs-more = the NFS client saw { $times } times the test's bytes
cached-sign-memory = { $filesystem } is memory
cached-sign-page-cache = it went through the page cache
cached-sign-direct-ignored = { $filesystem } took direct I/O and buffered all the same
cached-sign-direct-verified = direct I/O was verified
cached-sign-fits-memory = the working set is { $share } of memory
cached-sign-unwritten = { $share } was never written
cached-sign-compressible = { $share } of the content compresses away
cached-sign-repeated = a run before it used the same offsets (randrepeat)
cached-sign-round-trip = { $share } of I/Os were faster than the network's round trip of { $time }
cached-sign-medium = { $share } of I/Os were faster than the medium's access of { $time }
cached-sign-merged = { $count ->
    [one] 1 I/O was merged
   *[other] { $ios } I/Os were merged
}
cached-foreign = Other I/O ran on the device during the { $what }: { $other }.{ $own } The figures are of both. Other programs make such I/O, and so does a file system (journal, initialisation of ext4). Measure again while no other I/O runs.
cached-foreign-own = {" "}Beside it, { $why }.
cached-the-device = the device
cached-sign-beneath = the device is a file in this machine's page cache (losetup --direct-io=on goes around it)
cached-sign-other-reads = { $per } the device did { $ios } other reads
cached-sign-other-reads-bytes = { $per } the device did { $ios } other reads, with { $bytes }
cached-sign-other-writes = { $per } the device did { $ios } other writes
cached-sign-other-writes-bytes = { $per } the device did { $ios } other writes, with { $bytes }
cached-per-hundred = for each 100 I/Os of the test
cached-per-one = for each I/O of the test
cached-of-bytes = { $share } of the test's bytes
cached-of-bytes-times = { $times } times the test's bytes
cached-the-filesystem = the file system

## Planned rates

open-loop-overload = Overload: { $done } of the planned { $planned } were done ({ $share }), so response times grow for as long as one measures.
open-loop-overload-left = Overload: { $done } of the planned { $planned } were done ({ $share }), so response times grow for as long as one measures; { $left } I/Os were left waiting.
open-loop-waited = At { $rate } users wait { $mean } on average and { $p99 } at p99, { $share } of the mean before the I/O is even submitted; service alone is { $service-mean } and { $service-p99 }.
open-loop-kept-up = At { $rate } users wait { $mean } on average and { $p99 } at p99, nearly all of it service: the planned rate was kept.
open-loop-not-enough = No planned rate or no response time is known, so there is nothing to judge.

## Bursts

burst = A burst of { $rate } for { $drain } ended { $step } into the run; what lasts is { $sustained }. It let through { $bucket } above that rate, which is what the bucket held.
burst-none-seen = No burst ended within { $time }: if credit carries this rate, it lasts longer than that.
burst-too-short = { $time } are not enough to tell a burst from a start: it takes { $needed }.
short-runs = Too short to tell { $questions }: each test ran for { $run }. Use --time { $total } to find out.
short-question-burst = bursts
short-question-steady = whether it is steady
short-question-cap = caps of a single test
burst-busy-machine = Whether the run began with a burst cannot be told: other programs kept the processors busy.
burst-other-use = Whether the run began with a burst cannot be told: other I/O ran on the device as well.
burst-cpu-quota = Whether the run began with a burst cannot be told: a CPU limit of this host stopped the jobs.
burst-off-device = Whether the run began with a burst of the volume cannot be told: not all I/O reached the device.
burst-not-enough = { $intervals } intervals are not enough to tell a burst: it takes { $needed }.

## Steady state

steady-attained = steady state was reached after { $at }: { $held }
steady-left = steady state was reached after { $at } and left again: at the end, { $held }, and their mean is { $share } of that of the steady rounds
steady-not-attained = steady state was not reached: at the end, { $held }
steady-nothing-done = steady state was not reached: nothing was done at the end
steady-not-enough = whether the run is steady cannot be told: it takes { $needed } rounds, not { $rounds }
steady-held = { $rounds } rounds of { $round } range over { $range } of their mean ({ $range-allowed } allowed) and drift by { $slope } ({ $slope-allowed } allowed)

## Means and their spread

spread-known = the mean rate is known to ± { $half-width } (95 % sure, from { $evidence })
spread-known-worth = the mean rate is known to ± { $half-width } (95 % sure, from { $evidence }, worth { $worth } independent ones)
spread-not-stable = unstable: the error margin is wider than ± 50 % (95 % sure, from { $evidence }); measure { $factor } times as long
spread-far-from-stable = unstable: the error margin is wider than ± 50 % (95 % sure, from { $evidence }); measure on a quiet host: longer runs would hardly help
spread-near-zero = the mean cannot be told apart from 0 (95 % sure, from { $evidence })
spread-near-zero-worth = the mean cannot be told apart from 0 (95 % sure, from { $evidence }, worth { $worth } independent ones)
spread-of-rounds = { $rounds } of one command
spread-of-one-run = { $intervals } of one run
spread-few-runs = no error margin can be given: it takes { $needed } runs or more, not { $n }
spread-few-rounds = no error margin can be given: it takes { $needed } rounds or more, not { $n }
spread-few-intervals = no error margin can be given: it takes { $needed } intervals or more, not { $n }
spread-too-slow = the rate drifted during the test, so no error margin can be given; measure { $factor } times as long
