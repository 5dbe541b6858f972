### The first sentence of a result.

summary-about = { $target }: { $claim }.
summary-sentence = { $claim }.
summary-failed = FAILED: { $why }
summary-undecided = UNDECIDED: { $why }
summary-nothing = nothing was measured
summary-run = { $jobs }: { $figures }
summary-run-turns = fastest of { $count } groups of jobs: { $jobs }, { $figures }
summary-run-jobs = { $jobs } jobs
summary-run-rate = { $rate } { $way }
summary-missing-clients = Missing in some or all figures: { $hosts }.
summary-run-stopped = Stopped before its end.
summary-run-stopped-by = Stopped by { $signal } before its end.
summary-run-failed-ios = { $count ->
    [one] 1 I/O failed.
   *[other] { $count } I/Os failed.
}
summary-asserted = PASS: { $of ->
    [one] the assertion holds ({ $which })
   *[other] all { $of } assertions hold
}
summary-served = { $claim }; { $served }
summary-served-memory = memory served { $ways }, not a disk
summary-served-cache = a cache served { $ways }
summary-served-cache-some = a cache served some { $ways }
summary-served-cache-perhaps = a cache may have served { $ways }
summary-assertions-missed = FAIL: { $of ->
    [one] the assertion is missed ({ $which })
   *[other] { $count } of { $of } assertions missed ({ $which })
}
summary-assertions-untold = UNDECIDED: { $of ->
    [one] the assertion could not be judged ({ $which })
   *[other] { $count } of { $of } assertions could not be judged ({ $which })
}
summary-stopped-before = Stopped before { $unit } { $number } of { $planned }.
summary-stopped-during = Stopped during { $unit } { $number } of { $planned }.
summary-stopped-after = Stopped after { $unit } { $number } of { $planned }.
summary-tests-failed = { $count } of { $of } tests FAILED.
summary-some = { $count } of { $of } tests: { $claim }.
summary-some-cases = { $count } of { $of } cases: { $claim }.

## What a volume gives

summary-latency-reads = median { $latency } reads
summary-latency-writes = median { $latency } writes
summary-mean-reads = mean { $latency } reads
summary-mean-writes = mean { $latency } writes
summary-iops-reads = { $rate } ({ $block } reads)
summary-iops-writes = { $rate } ({ $block } writes)
summary-sequential = { $rate } seq. reads
summary-sequential-writes = { $rate } seq. writes
summary-random = { $rate } of random reads
summary-random-writes = { $rate } of random writes
summary-ahead = Ahead: { $volumes }
summary-ahead-in = { $target } in { $goals }
summary-ahead-latency = latency ({ $figure } mean)
summary-ahead-iops = IOPS ({ $figure })
summary-ahead-throughput = throughput ({ $figure })
summary-ahead-by-chance = Fewer than { $needed } rounds: it may be chance (--repeat { $needed }).

## What the figures are instead

summary-memory = these are figures of memory, not of a disk
summary-memory-too = Memory answered, not a disk.
summary-cache = these are figures of a cache, not of the disk
summary-part-of-cache = these may be figures of a cache in part
summary-part-of-cache-too = A cache may have served a part.
summary-unwritten = most reads found nothing written; fill it first
summary-client = these are figures of this host, not of the volume
summary-cpu-quota = This host had too little CPU time: { $sign }; measure again with a higher CPU limit, or none.
summary-host-busy = The host was busy: { $sign }; measure again on a quiet host.
summary-other-use-too = Other I/O ran on the device meanwhile.
summary-cautions = Caution: { $signs }.
summary-caution-other-io = other I/O on the device
summary-caution-means = uncertain means
summary-caution-latency = uncertain mean latency
summary-caution-iops = uncertain IOPS
summary-caution-throughput = uncertain throughput
summary-caution-quota = a CPU limit of this host
summary-caution-host = a busy host
summary-other-use = other I/O ran on the device meanwhile; measure again

## Caps

summary-capped = { $confidence ->
    [medium] probably capped at { $levels }
    [low] perhaps capped at { $levels }
   *[high] capped at { $levels }
}
summary-reads-capped = { $confidence ->
    [medium] reads probably capped at { $levels }
    [low] reads perhaps capped at { $levels }
   *[high] reads capped at { $levels }
}
summary-writes-capped = { $confidence ->
    [medium] writes probably capped at { $levels }
    [low] writes perhaps capped at { $levels }
   *[high] writes capped at { $levels }
}
summary-capped-too = { $confidence ->
    [medium] all probably at { $levels }
    [low] all perhaps at { $levels }
   *[high] all at { $levels }
}
summary-reads-capped-too = { $confidence ->
    [medium] reads probably at { $levels }
    [low] reads perhaps at { $levels }
   *[high] reads at { $levels }
}
summary-writes-capped-too = { $confidence ->
    [medium] writes probably at { $levels }
    [low] writes perhaps at { $levels }
   *[high] writes at { $levels }
}
summary-cap-shared = { $level } (other I/O took { $rate } of it)
summary-cap-after-burst = { $level } after a burst of { $rate }
summary-below-cap = Median read below the cap: { $latency }.
summary-as-sold = { $outcome }: { $capped }, as sold ({ $whose })
summary-below-sold = { $outcome }: { $capped }, less than is sold ({ $whose })
summary-below-sold-here = { $outcome }: { $capped } by control group { $group }, below { $whose }
summary-caps = Seen: { $capped }.
summary-above = Wrong --promise, or a cache answered.

## What is usual

usual-latency = The median 4 KiB random read takes { $latency }: { $judged }.
usual-latency-help = The median 4 KiB random read takes { $latency }: { $judged } (`fathom help latency`).
usual-few-wait = Half of the 4 KiB random reads take { $latency } at most, but the mean is { $mean }: a few of them wait up to { $longest }.
writes-ahead = { $test }: { $times } times the rate of the same reads. A write cache may have taken the writes; a longer run (--time 90s) shows what lasts.
usual-flush = The median flush takes { $latency }: { $judged } (`fathom help flush`).
usual-for = usual for { $kinds }
usual-between = faster than { $slower } usually is, slower than { $faster }
usual-faster = faster than { $kind } usually is
usual-slower = slower than { $kind } usually is
usual-memory = memory or a cache
usual-protected = an NVMe SSD with power-loss protection
usual-unprotected = an NVMe SSD without power-loss protection
usual-nvme = an NVMe SSD
usual-sata = a SATA SSD
usual-cloud = a network volume of a cloud
usual-hard-disk = a hard disk

## Notes below the figures

told-more-notes = { $more ->
    [one] One more note stands
   *[other] { $more } more notes stand
} in `fathom report`; --verbose shows all.

## Comparisons

summary-level = No difference above { $bound } in any of { $of } tests
summary-level-in-part = No difference above { $bound } in { $same } of { $of } tests; { $untold } not judged
summary-faster = { $best } is faster in { $count } of { $of } tests, up to { $most }
summary-faster-and-slower = { $best } is faster in { $faster } of { $of } tests, slower in { $slower }
summary-fastest = { $name } is fastest in { $count } of { $of } tests
summary-fastest-too = { $name } in { $count }
summary-fastest-in = { $best } is fastest in { $test }
summary-even = { $names }: no difference shown
summary-even-open = { $names }: not judged
summary-even-with = { $count ->
    [one] no difference from { $others } in 1 test
   *[other] no difference from { $others } in { $count } tests
}
summary-even-with-one = { $count ->
    [one] no difference from another in 1 test
   *[other] no difference from another in { $count } tests
}
summary-slower-in = { $count ->
    [one] slower in 1 test
   *[other] slower in { $count } tests
}
summary-open = { $count ->
    [one] 1 test is not judged
   *[other] { $count } tests are not judged
}
summary-slower = { $name } is slower in { $count } of { $of } tests
summary-slower-too = { $name } in { $count }
summary-none-fastest = No volume is shown to be fastest in any of { $of } tests
summary-none-fastest-slower = No fastest is shown; { $slower }
summary-none-judged-led = 0 of { $of } tests could be judged; { $best } led every round of { $count }
summary-none-judged = 0 of { $of } tests could be judged
summary-nothing-compared = nothing could be compared
summary-runs-changed = beside { $other }, { $worse } of { $of } figures are worse, { $better } better
summary-runs-same = no difference above { $bound } from { $other } in { $same } of { $of } figures
summary-runs-untold = 0 of { $of } figures could be judged{ $most }
summary-runs-looks-faster = looks faster in { $count } of { $of } figures, up to { $most } (single runs, unjudged)
summary-runs-looks-slower = looks slower in { $count } of { $of } figures, up to { $most } (single runs, unjudged)
summary-runs-most = {"; "}the greatest change of means that are well known is { $change } ({ $figure })
summary-gate-pass = { $of ->
    [one] PASS: 1 figure, not shown to be worse by more than { $allowed } %
   *[other] PASS: of { $of } figures none is shown to be worse by more than { $allowed } %
}
summary-gate-fail = { $failed ->
    [one] FAIL: 1 of { $of } figures is worse by more than { $allowed } % ({ $worst })
   *[other] FAIL: { $failed } of { $of } figures are worse by more than { $allowed } % ({ $worst })
}
summary-gate-worst = { $figure } { $change }
summary-gate-undecided = UNDECIDED: { $judged } of { $of } figures could be judged{ $why }
gate-line-pass = gate: PASS
gate-line-fail = gate: FAIL ({ $failed } of { $of } figures)
gate-line-undecided = gate: UNDECIDED ({ $judged } of { $of } figures could be judged{ $why })
gate-line-few-runs = gate: UNDECIDED (the baseline has too few runs)
gate-why = {": "}{ $why }
gate-why-others = {"; "}{ $why }
gate-unmeasured = { $name } was not measured to its end on both volumes
gate-advised = { $why }; { $advice }
gate-one-run = one run a side
gate-use-rounds = use `measure --repeat 3` or --baseline
gate-few = it takes { $needed } rounds or runs a side, not { $n }
gate-use-more-rounds = use `measure --repeat { $needed }` or --baseline
gate-gone = { $name } is in { $before } only
gate-unstable = { $name }, { $figure } is unstable
gate-lack = { $name }, { $figure }: { $lack }
gate-uncertain = { $name }, { $figure } is uncertain in one run
gate-uncertain-advice = measure on a quiet host, or for longer
gate-perhaps-worse = { $name }, { $figure } may be up to { $far } % worse
gate-more-rounds = by the scatter seen, about { $count } rounds a side would decide (`measure --repeat { $count }`)
gate-more-runs = by the scatter seen, about { $count } runs in the baseline would decide
gate-uneven-rounds = { $count } rounds a side would not decide: measure on a quiet host, in longer rounds (`measure --time`)
gate-uneven-runs = { $count } runs in the baseline would not decide: measure on a quiet host, in longer runs
gate-more-repeats = by the scatter seen, about { $count } rounds would decide (`--repeat { $count }`)
gate-uneven-repeats = { $count } rounds would not decide: measure on a quiet host, in longer rounds (`--time`)
contrast-title = { $name }: { $figure }
judged-iops = IOPS
judged-bytes = MB/s
judged-latency = mean latency

## Other questions

summary-knee = { $rate } from { $place } on; more only waits longer
summary-falling = Peak { $rate } at { $place }; { $last-rate } at { $last }: more load makes it slower
summary-growing = { $rate } with { $place }, and still growing
summary-most = { $rate } at most, with { $place }
summary-flush-limited = { $program } flushes take { $latency } at p{ $percent }, { $limit } ms allowed: { $outcome }
summary-flush = { $program } flushes take { $latency } at p{ $percent }; no limit is published
summary-flush-rate = A client that waits for each reaches { $rate } a second.
summary-flush-too-fast = A cache may have answered them.

# What a sweep measures.

sweep-subject = { $work }; { $varies }
sweep-varies = varies: { $axes }
sweep-setting = { $axis }={ $value }
sweep-settings = { $list } { $next }
sweep-option-iodepth = iodepth
sweep-option-bs = bs
sweep-option-numjobs = numjobs
sweep-option-rw = rw
sweep-option-engine = ioengine
sweep-option-mix = rwmix
sweep-option-cache = cache
sweep-option-clients = clients
sweep-option-nconnect = nconnect
sweep-axis = { $name } { $values }
sweep-read = Sequential read
sweep-write = Sequential write
sweep-randread = Random read
sweep-randwrite = Random write
sweep-rw = Sequential read and write
sweep-randrw = Random read and write
sweep-depth = depth { $depth }
sweep-jobs = { $jobs } jobs
sweep-through-cache = through the page cache
sweep-axis-iodepth = queue depth
sweep-axis-bs = block size
sweep-axis-numjobs = jobs
sweep-axis-rw = pattern
sweep-axis-engine = engine
sweep-axis-mix = reads:writes
sweep-axis-cache = cache
sweep-axis-clients = hosts
sweep-axis-nconnect = connections
