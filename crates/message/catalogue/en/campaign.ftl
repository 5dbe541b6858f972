### What is said of runs, comparisons, checks and searches.

## One line over several runs

short-steady = steady
short-known = known to ± { $half-width }
short-known-or-better = known to ± { $half-width } or better
short-not-cached = page cache bypassed
short-client-ceiling = client at { $share } of its ceiling
short-client-ceiling-most = client at { $share } of its ceiling at most
short-client-threads = client threads { $busy } busy
short-client-threads-most = client threads at most { $busy } busy
ceiling-of-one-core = One core of this host can drive about { $iops } IOPS of { $block } through { $engine } at queue depth { $depth } before a disk does anything.
short-all = All: { $words }
told-alike = { $sentence } { $more ->
    [one] (One more is alike.)
   *[other] ({ $more } more are alike.)
}
told-runs-alike = { $sentence } { $more ->
    [one] (One more run is alike.)
   *[other] ({ $more } more runs are alike.)
}
told-verdicts = Verdicts
told-verdicts-on = Verdicts on { $name }
told-cut-short = { $name }: stopped early; its figures cover less time.
told-all-cut-short = Stopped early; the figures cover less time.
told-no-ios = No I/O completed.
told-best = best
told-not-stable = not stable
told-same-disk = Same disk: differences are noise.
told-one-at-a-time = One { $work } at a time takes { $ms } ms: 1000 / { $ms } = { $iops } IOPS, and { $iops } x { $block } = { $kib } KiB/s = { $mb } MB/s.

## Remarks

remark-memory = { $what } is memory: these are not the figures of a disk.
remark-page-cache = Direct I/O is not possible here ({ $why }), so the page cache takes part: reads may come from memory, and writes may end there.
remark-other-engine = { $engine } is used, because the first choice is not available: { $why }.
remark-one-at-a-time = { $engine } does one I/O at a time whatever the queue depth: read every figure as queue depth 1.
remark-same-place = This is the same file system or device as { $other }: expect no difference.
remark-holes = Of the file's { $size }, only { $allocated } are on the volume; the holes are read from memory.
remark-size-capped = Only { $size } are measured in, because { $available } are free; a small range may fit into a cache.
remark-only-read-file = Only read, so that its data is safe. To measure writes as well, which DESTROYS the data: --destroy-data-on { $path }
remark-only-read-device = Only read, so that its data is safe. Parts that were never written may be answered without the disk. To measure writes as well, which DESTROYS the data: --destroy-data-on { $path }
remark-destroys = The data on it is DESTROYED, as --destroy-data-on asks for.
remark-destroys-known = The data ({ $data }) on it is DESTROYED, as --destroy-data-on asks for.
remark-idle-queue = { $idle } of the time no I/O was in flight: preparing the next took longer than such a fast volume allows.
remark-queue-not-full = Only { $in-flight } of { $depth } I/Os were in flight on average: preparing and submitting them took longer than the volume did.
remark-pause = The process was stopped for { $time } (SIGSTOP, ^Z): figures count that time. Measure again.
remark-missing-clients = Measured without { $hosts }: do not compare it with figures of all clients.
remark-short-transfers = MB/s lie { $off } from IOPS x block size: some I/Os moved less than a block.

## Limits

limit-subject-read = { $block } sequential read
limit-subject-randread = { $block } random read
limit-subject-write = { $block } sequential write
limit-subject-randwrite = { $block } random write
limit-keeps = { $subject }: { $rate } IOPS keep { $target }
limit-ceiling = { $subject }: { $rate } IOPS, all that the volume gives, keep { $target }
limit-as-far = { $subject }: UNDECIDED: { $rate } IOPS keep { $target } after { $steps } steps
limit-cannot-tell = { $subject }: UNDECIDED: { $steps } steps could not find a rate with { $target }
limit-late-always = { $subject }: UNDECIDED: this host was late at { $late } IOPS; use a quiet host
limit-late-above = { $subject }: UNDECIDED: { $rate } IOPS or more keep { $target }; this host was late at { $late } IOPS
limit-unclear-few = { $subject }: UNDECIDED: { $measure } of { $ios } I/Os at { $rate } IOPS decides nothing, it takes { $needed }; use --time-per-run { $seconds }s
limit-unclear-busy = { $subject }: UNDECIDED: { $rate } IOPS missed { $target }, but the host was busy: { $sign }; use a quiet host
limit-unclear-low = { $subject }: UNDECIDED: { $told }, but { $alone } one at a time do
limit-unclear-rate = only { $rate } IOPS keep { $target }
limit-unclear-none = no rate keeps { $target }
limit-unclear-some = no rate keeps { $target } in all its runs ({ $rate } IOPS in { $kept } of { $runs })
limit-repeatability = { $low } IOPS kept it in { $kept } of { $low-runs } runs, { $high } IOPS missed it in { $missed } of { $high-runs }
limit-repeatability-ceiling = { $low } IOPS kept it in { $kept } of { $low-runs } runs
limit-bunches = One I/O at a time kept it at { $alone } IOPS: I/Os that are due at random wait for each other (--arrivals even leaves that out).
limit-needed = Use more steps (--max-steps) or longer ones (--time-per-run).
limit-longer = Use longer steps (--time-per-run).
limit-quiet-host = Use a quiet host: the volume may give more.
limit-beyond = { $told } ({ $high } do not: { $why })
limit-never-rate = { $told }; { $high } IOPS: { $why }
limit-never = { $subject }: FAIL: no rate keeps { $target }
limit-never-though = { $told }, although I/Os one at a time do
limit-never-alone = { $told }; one I/O at a time already takes { $missed }
limit-missed = { $measure } { $latency }
limit-overload = overload, { $behind } % behind
limit-halted = { $subject }: { $why }; { $known }
limit-halted-failed = failed: { $why }
limit-halted-stopped = stopped
limit-halted-kept = by then { $rate } IOPS kept { $target }
limit-halted-none = by then no rate had kept { $target } ({ $high } IOPS did not: { $why })
limit-halted-nothing = nothing was known by then
limit-finding-keeps = PASS
limit-finding-too-slow = FAIL
limit-finding-overload = overload
limit-finding-late = machine late
limit-finding-too-few = too few I/Os
limit-step-ceiling = ceiling
limit-step-floor = floor
limit-step-stopped = stopped
limit-step-failed = failed
limit-step-busy = FAIL, host busy
limit-bars = Bars: response beside what it must stay under ({ $mark }); { $beyond } lies beyond.
limit-bars-nearest = Bars: response beside what it must stay under ({ $mark }), by the criterion that it comes nearest to; { $beyond } lies beyond.
limit-criterion = { $measure } under { $time }
limit-mean = mean
limit-odd = Higher rates kept the target in single runs ({ $rates } IOPS); what counts is the rate up to which none failed.
limit-late = At { $rate } IOPS I/Os waited although there was room for them: it is this machine that was late (busy CPUs?), and the volume may do better.
limit-busy = At { $rate } IOPS the host was busy ({ $sign }): the volume may do better.
limit-few-ios = At { $rate } IOPS { $measure } rests on { $ios } I/Os, of which hardly any lie beyond it; it takes { $needed } (--time-per-run { $seconds }s).
limit-short-steps = Steps of { $time } are short for this target: a backlog may grow all the while and still be within it. Give --time-per-run { $needed }s or more.

## Checks

group-all-jobs = all jobs
assertion-not-measured = no such I/O was measured
assertion-no-latency = the jobs measure no latency
assertion-too-few = it takes { $needed } I/Os
assertion-too-few-of = there were only { $ios } I/Os; it takes { $needed }
assertion-quota = a CPU limit of this host stopped the jobs
assertion-busy = the host was busy with other programs
assertion-stopped = the run was stopped
check-by-hand = limits by hand
check-kept = PASS: { $whose }, { $limits ->
    [one] one limit kept
   *[other] { $limits } of { $limits } limits kept
}
check-kept-above = PASS, but not a { $what }: { $times }x the promise
check-kept-above-an = PASS, but not an { $what }: { $times }x the promise
check-kept-within = PASS: { $measured } of { $promised }, { $enough } is enough ({ $whose })
check-kept-within-by-hand = PASS: { $measured } of { $promised }, { $enough } is enough
check-less-is-promised = { $limits ->
    [one] The limit is kept
   *[other] All { $limits } limits are kept
}: { $whose } promises { $limit } of a rate in { $time } of the time
check-less-is-measured = { $limits ->
    [one] The limit is kept
   *[other] All { $limits } limits are kept
}: a mean of { $enough } is enough, as measuring has an error
check-less-is-tolerated = { $limits ->
    [one] The limit is kept
   *[other] All { $limits } limits are kept
}; with --tolerance 0 a rate below its limit fails
check-missed = FAIL: { $whose }, { $missed } of { $limits } limits missed
check-untold = UNDECIDED: { $whose }, { $untold } of { $limits } limits could not be judged
check-kept-by-hand = PASS: { $limits ->
    [one] the limit kept
   *[other] { $limits } of { $limits } limits kept
}
check-missed-by-hand = FAIL: { $missed } of { $limits } limits missed
check-untold-by-hand = UNDECIDED: { $untold } of { $limits } limits could not be judged
check-row = { $load }: { $figure }
check-only-burst = { $told }; of what bursts, only the burst was checked
check-left-out = { $told }; { $left ->
    [one] one that writes was left out
   *[other] { $left } that write were left out
}
check-standing-kept = PASS
check-standing-untold = UNDECIDED
check-standing-missed = FAIL
check-promised = promised
check-limit = limit
check-bars = Bars: measured beside promised ({ $mark }); { $beyond } lies beyond.
check-bars-by-hand = Bars: measured beside the limit ({ $mark }); { $beyond } lies beyond.
check-bars-latency = Bars: measured beside promised ({ $mark }); { $beyond } lies beyond. Of latency, less is better.
check-bars-latency-by-hand = Bars: measured beside the limit ({ $mark }); { $beyond } lies beyond. Of latency, less is better.
check-other-size = --volume-size says { $said }, but { $node } has { $size }: what is promised of one size says nothing of another.
check-unstable = The limit lies within the error of the mean (± { $half } %): measure { $factor } times as long.
check-unstable-far = The limit lies within the error of the mean (± { $half } %): measure on a quiet host.
check-after-burst = The mean reached the limit, but what lasts is { $level }: measure longer.
check-cut-short = Stopped before its time: too little to judge by.
check-other-use = { $line } Other I/O ran on the device meanwhile: measure again while none runs.
check-not-asked = Each I/O took only { $latency }: with more I/Os in flight the volume may give more.
check-reason = { $row }: { $why }
check-reason-some = { $outcome } for { $count } of { $limits } limits, such as { $row }: { $why }
check-reason-all = { $outcome } for all { $limits } limits: { $why }
check-quiet-host = Not judged: measure again on a quiet host.
check-capped = Capped at { $seen } { $unit }.
check-capped-promised = Capped at { $seen } { $unit }; the check asks for { $promised }.
check-burst = { $volume } may give { $burst } for { $time } before its baseline shows: --time-per-run { $minutes }m to see it, or this checks the burst only.
check-burst-baseline = { $volume } may give { $burst } for { $time } before its baseline of { $baseline } shows: --time-per-run { $minutes }m to see it, or this checks the burst only.
check-burst-endless = { $volume } may give { $burst } for a time that is not stated before its baseline shows: this may check the burst only.
check-burst-endless-baseline = { $volume } may give { $burst } for a time that is not stated before its baseline of { $baseline } shows: this may check the burst only.

## Curves

curve-knee = { $knee }.
curve-knee-of = { $curve }: { $knee }.
curve-connections-of = { $curve }: { $told }
curve-best = Best: { $rate } with { $place }
curve-mark-knee = knee
curve-round-cap = Probably a cap: { $rate } is a round number.

## Changes

change-better = better
change-worse = WORSE
change-not-shown = no difference (one above { $smallest } would show)
change-regressed = fathom: regressed: { $what }
change-worse-uncertain = WORSE, but the mean of the run is too uncertain to fail it: UNDECIDED
change-unstable = unstable
change-unstable-bounded = unstable, and at most { $worse } worse
change-gated = { $verdict }: { $outcome }
change-not-judged = not judged: { $lack }
change-not-judged-of = { $count } of { $of } figures are not judged: { $lack }
change-figure-unstable = not stable
change-one-disk = same disk
change-none = not shown ({ $range })
change-interval-legend = (…): the change lies in this range, 99 % sure of all tests together.
change-none-legend = not shown (…): no difference is shown; if there is one, it lies in this range.
change-of-rounds = ? ({ $range })
change-of-rounds-legend = ? (…): every round lay in this range; to show it at 99 %, raise --repeat or --time.
lead-alone = best
lead-shared = = best
lead-open = best?
lead-shared-legend = = best: no difference from the best is shown.
lead-open-legend = best?: not judged which one is the best.
change-legend = { $marks }: too few rounds, or too far apart; raise --repeat or --time.
change-legend-bare = { $marks }: too few rounds, or too far apart.
change-unjudged-one = one run a side: shown, not judged; use `measure --repeat 3` or --baseline
change-unjudged-few = { $n } rounds or runs a side: shown, not judged; it takes { $needed }
change-judged = { $range } ({ $sure }): { $verdict }
change-rounds = Rounds of one command share the state that the disk was in: differences are held against how far rounds lie apart. A change that came between the two commands (other load, a fuller disk, spent credit) counts as a difference; a baseline of several runs (--baseline) shows what is usual.
change-against = { $after } against { $before }
change-only-in = only in { $side }: { $names }
change-unlike = These runs differ in { $what }.
change-unlike-volume = volume ({ $before } / { $after })
change-unlike-folder = folder ({ $before } / { $after }: the same file system, so that differences are noise)
change-unlike-command = command ({ $before } / { $after })
change-unlike-size = size of what was measured in ({ $before } / { $after })
change-unlike-time = time of a run ({ $before } / { $after })
change-unlike-load = load, although they have one name ({ $names })
side-capped-here = { $capped } by control group { $group }
cap-set-here = Control group { $group } of this host sets the cap.
side-capped = { $sides }: { $capped }
change-nothing = Nothing can be compared: no test was made on two volumes.

## Recordings

recording-baseline = the baseline is { $count ->
    [one] 1 run
   *[other] { $count } runs
}: { $names }
recording-error = { $name } ended with error { $error }
recording-cut-short = { $name }: a run that was cut short is left out
recording-failed = { $name }: a run that failed is left out ({ $why })
