# Charts of sweeps, checks, and searches for a limit.

charts-axis-iops = IOPS
charts-axis-mbps = Throughput (MB/s)
charts-axis-latency = Latency
charts-axis-depth = Queue depth
charts-axis-jobs = Jobs
charts-axis-block = Block size
charts-axis-mix = Share of writes
charts-axis-percentile = Percentile
charts-axis-time = Time
charts-efficiency = Efficiency
charts-mean-latency = Mean latency
charts-p50 = p50
charts-p99 = p99
charts-p999 = p99.9
charts-max = Maximum
charts-rounds = Rounds
charts-spread = Spread of rounds
charts-failure = Failure
charts-reason = Reason
charts-cases = Cases
charts-total = Total
charts-reads = Reads
charts-writes = Writes

charts-label-depth = QD { $depth }
charts-label-jobs = { $jobs ->
    [one] { $jobs } job
   *[other] { $jobs } jobs
}
charts-label-cached = cached
charts-label-uncached = not cached

charts-fact-volume = Volume
charts-fact-file-system = File system
charts-fact-size = Measured in
charts-fact-host = Host
charts-fact-kernel = Kernel
charts-fact-cpu = Processor
charts-fact-began = Began
charts-fact-fathom = Fathom
charts-fact-runs = Runs

charts-sweep-of = Sweep of { $volume }
charts-rates-title = { $rate } by { $axis }
charts-hockey-title = Latency against { $rate }
charts-scale-title = How jobs add up
charts-scale-clients-title = How clients add up
charts-mix-title = { $rate } by mix of reads and writes
charts-map-title = { $value } by { $columns } and { $rows }
charts-tails-title = Latency percentiles
charts-time-title = IOPS over time

charts-mark-knee = knee: { $load }
charts-mark-cap = held at { $rate }

charts-ends = From { $from } to { $to }: { $first } to { $last }.
charts-most = Peak { $rate } at { $where }.
charts-most-case = Peak { $rate } at { $where }, mean latency { $mean }, p99 { $p99 }.
charts-hockey-says = At the most, { $rate } at { $where }, p50 is { $p50 } and p99 is { $p99 }.
charts-scale-clients-says = From { $from } to { $to } the rate is { $times } times as high: each client keeps { $share } of its share.
charts-scale-says = From { $from } to { $to } the rate is { $times } times as high: each job keeps { $share } of its share.
charts-mix-ends = Pure reads give { $reads }, pure writes { $writes }; the least of both together is { $least } at { $mix }.
charts-mix-least = The least of both together is { $least } at { $mix }.
charts-blocks-says = Peak { $iops } at { $small }, peak { $bytes } at { $large }.
charts-map-says = The highest is { $value }, at { $where }.
charts-tails-says = { $case }: half of the I/Os take up to { $p50 }, one in a hundred longer than { $p99 }.
charts-time-says = { $case } swings most: between { $low } and { $high }.
charts-over-connections = { $work }, { $connections } connections
charts-held = Something holds it at { $rate }.

charts-no-run = No case could be run: { $why }
charts-failed = { $count ->
    [one] One run failed; the table says why.
   *[other] { $count } runs failed; the table says why.
}
charts-not-finished = Not finished: { $done } of { $all } runs are done.
charts-left-out = { $count ->
    [one] One chart of the same kind was left out; the table has its figures.
   *[other] { $count } charts of the same kinds were left out; the table has their figures.
}
charts-about-cases = { $more ->
    [0] { $first }
    [one] { $first } and one more
   *[other] { $first } and { $more } more
}

charts-axis-capacity = Capacity
charts-axis-asked = Rate asked for
charts-axis-response = Response time, { $figure }
charts-axis-step = Step

charts-check-of = Check of { $volume } against { $promise }
charts-fact-promise = Promise
charts-fact-limits = Limits
charts-run-kept = { $run }: PASS, { $measured }; { $limit }.
charts-run-missed = { $run }: FAIL, { $measured }; { $limit }.
charts-run-untold = { $run }: UNDECIDED, { $measured }; { $limit }.
charts-run-why = { $says } { $why }
charts-limited-latency = Latency that was limited
charts-run = Run
charts-runs = Runs
charts-standing = Verdict
charts-kept = PASS
charts-missed = FAIL
charts-promised = promised
charts-limit-by-hand = limit
charts-bullet-title = { $what }: measured and { $limit }
charts-bullet-says = { $kept } of { $all } limits: PASS.
charts-bullet-says-least = { $kept } of { $all } limits: PASS. A dotted line is the least that passes.
charts-run-over-time = { $run } over time
charts-reached = { $reached } of { $seconds } seconds ({ $share }) reached { $enough } of the limit.
charts-mark-promised = promised { $rate }
charts-mark-limit = limit { $rate }
charts-capacity-title = Promised IOPS by capacity
charts-capacity-says = At { $size } { $promised } are promised; { $measured } were measured.

charts-limit-of = Limit of { $volume }: { $load }
charts-fact-target = Target
charts-limit-ceiling = That is all that the volume gives, not where it becomes slow.
charts-response-title = Response time ({ $figure }) against rate
charts-response-says = { $kept } steps keep { $target }, { $missed } do not.
charts-bracket-title = How the search came to it
charts-bracket-says = { $steps ->
    [one] After one step the range is as shown at the right end.
   *[other] After { $steps } steps the range is as shown at the right end.
}
charts-highest-kept = highest PASS
charts-lowest-missed = lowest FAIL
charts-limit-tails = Latency percentiles with one I/O at a time, at the limit, and as fast as it goes.
charts-step-deep = as fast as it goes
charts-step-alone = one at a time
charts-steps = Steps

