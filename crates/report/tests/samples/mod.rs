//! Reports that hold one of everything, or too much of it, for the tests of writers.

#![allow(dead_code, reason = "each test takes what it needs")]

use fathom_analysis::Tone;
use fathom_message::Lang;
use fathom_report::model::*;

/// Texts that would do harm where they are not escaped.
pub const HOSTILE: [&str; 3] =
    ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "{{7*7}}${7*7}"];

fn at(x: f64, y: f64) -> ChartPoint {
    ChartPoint { x, y, ..ChartPoint::default() }
}

fn between(x: f64, y: f64, share: f64) -> ChartPoint {
    ChartPoint { low: Some(y * (1.0 - share)), high: Some(y * (1.0 + share)), ..at(x, y) }
}

fn cell(x: f64, y: f64, value: f64) -> ChartPoint {
    ChartPoint { value: Some(value), ..at(x, y) }
}

fn axis(name: &str, unit: ChartUnit, scale: Scale) -> ChartAxis {
    ChartAxis::new(name, unit, scale)
}

fn names(names: &[&str]) -> Scale {
    Scale::Names(names.iter().map(|name| (*name).to_owned()).collect())
}

fn series(name: &str, shape: Shape, points: Vec<ChartPoint>) -> ChartSeries {
    ChartSeries { name: name.into(), shape, axis: 0, group: None, points }
}

fn chart(
    id: &str,
    title: &str,
    x: ChartAxis,
    y: Vec<ChartAxis>,
    series: Vec<ChartSeries>,
) -> Chart {
    Chart {
        id: id.into(),
        title: title.into(),
        says: format!("{title}."),
        note: "4 KiB, QD 32, O_DIRECT, io_uring".into(),
        x,
        y,
        series,
        bands: Vec::new(),
        marks: Vec::new(),
        stated: String::new(),
        pair: None,
    }
}

const DEPTHS: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

fn iops() -> ChartAxis {
    axis("IOPS", ChartUnit::Iops, Scale::Linear)
}

fn latency(scale: Scale) -> ChartAxis {
    axis("Latency", ChartUnit::Ns, scale)
}

fn bars() -> Chart {
    let x = axis("Volume", ChartUnit::Plain, names(&["HDD", "SSD", "NAS premium"]));
    let of = |values: [f64; 3], name| {
        let points = values.iter().enumerate().map(|(i, y)| between(i as f64, *y, 0.06)).collect();
        series(name, Shape::Bar, points)
    };
    let all = vec![
        of([3002.0, 12_480.0, 8120.0], "Random read"),
        of([1480.0, 9950.0, 6020.0], "Random write"),
    ];
    let mut chart = chart("compare", "Random 4 KiB I/O of three volumes", x, vec![iops()], all);
    chart.says =
        "The SSD makes 4.2 times the random reads of the HDD, and 1.5 times those of the NAS."
            .into();
    chart
}

/// Bars so close that their numbers have hardly room, some of uncertain height.
fn beside() -> Chart {
    let x = axis("Test", ChartUnit::Plain, names(&["QD 1", "QD 4", "QD 16", "QD 32"]));
    let of = |name, share: f64| {
        let heights = [12_619.0, 41_596.0, 75_428.0, 77_770.0].map(|y| y * share);
        let mut points: Vec<ChartPoint> =
            heights.iter().enumerate().map(|(i, y)| between(i as f64, *y, 0.18)).collect();
        points[0].tone = Some(Tone::Warning);
        points[1] = ChartPoint { low: None, high: None, tone: Some(Tone::Warning), ..points[1] };
        series(name, Shape::Bar, points)
    };
    let all = vec![of("First", 1.0), of("Second", 0.97), of("Third", 1.03)];
    chart("beside", "Three volumes with a different queue depth", x, vec![iops()], all)
}

fn knee() -> Chart {
    let rate = |depth: f64| 12_500.0 * depth / (depth + 6.0);
    let mut reached =
        series("IOPS", Shape::Line, DEPTHS.map(|d| between(d, rate(d), 0.04)).to_vec());
    reached.group = Some(0);
    let waits = DEPTHS.map(|d| at(d, d / rate(d) * 1e9)).to_vec();
    let mut p50 = series("p50", Shape::Dashed, waits.clone());
    let mut p99 = series("p99", Shape::Dashed, waits.iter().map(|p| at(p.x, p.y * 2.4)).collect());
    (p50.axis, p99.axis, p50.group, p99.group) = (1, 1, Some(1), Some(2));
    let x = axis("I/O depth", ChartUnit::Plain, Scale::Log2);
    let y = vec![iops(), latency(Scale::Linear)];
    let mut chart = chart("depth", "IOPS and latency against depth", x, y, vec![reached, p50, p99]);
    chart.marks = vec![Mark { name: "knee: depth 16".into(), at: 16.0, upright: true, axis: 0 }];
    chart
}

fn hockey_stick() -> Chart {
    let line = |name: &str, most: f64, shape| {
        let points = (1..12).map(|i| {
            let share = f64::from(i) / 11.2;
            between(most * share, 180_000.0 / (1.0 - share), 0.1)
        });
        series(name, shape, points.collect())
    };
    let x = axis("Achieved IOPS", ChartUnit::Iops, Scale::Linear);
    let all = vec![line("SSD", 12_500.0, Shape::Line), line("NAS", 8200.0, Shape::Line)];
    let mut chart = chart(
        "latency-rate",
        "p99 latency against achieved IOPS",
        x,
        vec![latency(Scale::Log10)],
        all,
    );
    chart.marks = vec![Mark { name: "objective 1 ms".into(), at: 1e6, upright: false, axis: 0 }];
    chart
}

fn percentiles() -> Chart {
    let places = [50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99, 99.999, 100.0];
    let line = |name: &str, first: f64| {
        let points = places.iter().enumerate().map(|(i, p)| at(*p, first * 1.55f64.powi(i as i32)));
        series(name, Shape::Line, points.collect())
    };
    let x = axis("Percentile", ChartUnit::Percent, Scale::Nines);
    let all = vec![line("Reads", 95_000.0), line("Writes", 140_000.0)];
    chart("percentiles", "Latency percentiles", x, vec![latency(Scale::Log10)], all)
}

fn timeline() -> Chart {
    let wave = |i: u32, size: f64| 3000.0 + size * (f64::from(i * 37 % 101) / 101.0 - 0.5);
    let burst = |i: u32| if i < 40 { 9000.0 } else { 0.0 };
    let points = (0..300).map(|i| at(f64::from(i), wave(i, 250.0) + burst(i)));
    let used = (0..300).map(|i| at(f64::from(i), 78.0 + f64::from(i * 53 % 17)));
    let mut used = series("Device busy", Shape::Dashed, used.collect());
    used.axis = 1;
    let y = vec![iops(), axis("Utilisation", ChartUnit::Percent, Scale::Linear)];
    let x = axis("Time", ChartUnit::Seconds, Scale::Linear);
    let all = vec![series("Random read", Shape::Line, points.collect()), used];
    let mut chart = chart("time", "IOPS over time", x, y, all);
    chart.bands = vec![
        Band { name: "ramp".into(), from: 0.0, to: 30.0 },
        Band { name: "steady".into(), from: 120.0, to: 300.0 },
    ];
    chart.marks =
        vec![Mark { name: "promised 3,000 IOPS".into(), at: 3000.0, upright: false, axis: 0 }];
    chart
}

fn mix() -> Chart {
    let shares = (0..=10).map(|i| f64::from(i) * 10.0);
    let part = |name: &str, of: fn(f64) -> f64| {
        let mut stacked =
            series(name, Shape::Stacked, shares.clone().map(|s| at(s, of(s))).collect());
        stacked.group = (name == "Write").then_some(1).or(Some(0));
        stacked
    };
    let all = vec![part("Read", |s| 90.0 * s), part("Write", |s| 45.0 * (100.0 - s))];
    chart(
        "mix",
        "Reads and writes by share of reads",
        axis("Reads", ChartUnit::Percent, Scale::Linear),
        vec![iops()],
        all,
    )
}

fn growth() -> Chart {
    let sizes = [10e9, 100e9, 500e9, 1e12, 2e12];
    let promise = sizes.map(|s| at(s, (4000.0 + 40.0 * s / 1e9).min(20_000.0))).to_vec();
    let measured = vec![between(100e9, 7850.0, 0.03), between(500e9, 19_400.0, 0.05)];
    let x = axis("Capacity", ChartUnit::VolumeBytes, Scale::Log10);
    let all =
        vec![series("Promised", Shape::Step, promise), series("Measured", Shape::Dots, measured)];
    chart("capacity", "IOPS promised and measured by capacity", x, vec![iops()], all)
}

fn heat() -> Chart {
    let sizes: Vec<f64> = (0..6).map(|i| f64::from(4096 << (2 * i))).collect();
    let cells = sizes.iter().flat_map(|size| {
        DEPTHS.map(|depth| cell(depth, *size, (size * depth * 3000.0).min(900e6 - depth * 1e5)))
    });
    let y = vec![
        axis("Block size", ChartUnit::BlockBytes, Scale::Log2),
        axis("Bandwidth", ChartUnit::BytesPerS, Scale::Log10),
    ];
    let x = axis("I/O depth", ChartUnit::Plain, Scale::Log2);
    chart(
        "heat",
        "Bandwidth by block size and depth",
        x,
        y,
        vec![series("Bandwidth", Shape::Heat, cells.collect())],
    )
}

fn latency_heat() -> Chart {
    let cells = (0..60u32).flat_map(|second| {
        (0..14u32).filter_map(move |step| {
            let middle = 4 + (second * 7 % 3) as i32 + i32::from(second > 40) * 3;
            let count = 20_000.0 / 4f64.powi((step as i32 - middle).abs());
            (count > 1.0).then(|| {
                cell(f64::from(second), 50_000.0 * 1.6f64.powi(step as i32), count.round())
            })
        })
    });
    let y = vec![latency(Scale::Log10), axis("I/Os", ChartUnit::Plain, Scale::Log10)];
    let x = axis("Time", ChartUnit::Seconds, Scale::Linear);
    chart(
        "latency-heat",
        "Latency over time",
        x,
        y,
        vec![series("Reads", Shape::Heat, cells.collect())],
    )
}

fn bullet() -> Chart {
    let x = axis("Volume", ChartUnit::Plain, names(&["SSD 100 GB", "SSD 500 GB", "HDD 100 GB"]));
    let point = |i, y, promise: f64| ChartPoint {
        low: Some(promise * 0.9),
        high: Some(promise),
        ..at(i, y)
    };
    let points =
        vec![point(0.0, 7850.0, 8000.0), point(1.0, 19_400.0, 20_000.0), point(2.0, 300.0, 600.0)];
    let series = vec![series("Measured", Shape::Bullet, points)];
    let chart = chart("promise", "Promised and measured", x, vec![iops()], series);
    Chart { stated: "promised".into(), ..chart }
}

fn histogram() -> Chart {
    let points = (0..48).map(|i| {
        let off = (f64::from(i) - 17.0) / 6.0;
        at(60_000.0 * 1.12f64.powi(i), (9000.0 * (-off * off / 2.0).exp()).round())
    });
    let y = vec![axis("I/Os", ChartUnit::Plain, Scale::Linear)];
    chart(
        "histogram",
        "How latencies are spread",
        latency(Scale::Log10),
        y,
        vec![series("Reads", Shape::Bar, points.collect())],
    )
}

fn history() -> Chart {
    let points = (0..12).map(|i| {
        between(
            1_786_000_000_000.0 + f64::from(i) * 86_400_000.0,
            12_000.0 + f64::from(i * 31 % 7) * 60.0,
            0.01,
        )
    });
    let x = axis("Date", ChartUnit::UnixMs, Scale::Linear);
    chart(
        "history",
        "Random reads over days",
        x,
        vec![iops()],
        vec![series("ssd", Shape::Line, points.collect())],
    )
}

fn long_names() -> Chart {
    let volumes = [
        "Premium NAS, nconnect=8, cached",
        "Premium NAS, nconnect=8, direct",
        "Premium NAS, one connection, cached",
        "Premium NAS, one connection, direct",
        "Local SSD",
    ];
    let points =
        (0..volumes.len()).map(|i| between(i as f64, 1.1e9 / (1.0 + i as f64), 0.05)).collect();
    let x = axis("Mount", ChartUnit::Plain, names(&volumes));
    let y = vec![axis("Bandwidth", ChartUnit::BytesPerS, Scale::Linear)];
    chart(
        "mounts",
        "Sequential reads by mount",
        x,
        y,
        vec![series("Sequential read", Shape::Bar, points)],
    )
}

fn pair(id: &str, title: &str, factor: f64) -> Chart {
    let line = |name: &str, group, shape, factor: f64| {
        let points = DEPTHS.map(|d| at(d, factor * 90e6 * d / (d + 5.0))).to_vec();
        ChartSeries { group: Some(group), ..series(name, shape, points) }
    };
    let all = vec![
        line("NAS read", 0, Shape::Line, factor),
        line("NAS write", 0, Shape::Dashed, factor * 0.6),
        line("SSD read", 1, Shape::Line, factor * 1.4),
        line("SSD write", 1, Shape::Dashed, factor * 0.9),
    ];
    let y = vec![axis("Bandwidth", ChartUnit::BytesPerS, Scale::Linear)];
    let mut chart = chart(id, title, axis("Jobs", ChartUnit::Plain, Scale::Log2), y, all);
    chart.pair = Some("cached".into());
    chart
}

fn odd() -> Vec<Chart> {
    let x = || axis("I/O depth", ChartUnit::Plain, Scale::Log2);
    let one = series("One", Shape::Line, vec![between(8.0, 5000.0, 0.1)]);
    let none = series("None", Shape::Line, Vec::new());
    let zeros = series("Zeros", Shape::Line, vec![at(0.0, 0.0), at(4.0, 0.0), at(8.0, f64::NAN)]);
    vec![
        chart("single", "A single point", x(), vec![iops()], vec![one, none.clone()]),
        chart("empty", "Nothing", x(), vec![iops()], vec![none]),
        chart("zeros", "Zeros on logarithms", x(), vec![latency(Scale::Log10)], vec![zeros]),
    ]
}

/// Every kind of chart, table and text.
pub fn every_kind(lang: Lang) -> Report {
    let mut charts =
        vec![bars(), knee(), hockey_stick(), percentiles(), timeline(), mix(), growth(), heat()];
    charts.extend([latency_heat(), bullet(), histogram(), history(), long_names(), beside()]);
    charts.extend([pair("cached", "Cached", 6.0), pair("direct", "Not cached", 1.0)]);
    charts.extend(odd());
    let mut report = Report { lang, charts, ..words() };
    if lang == Lang::Ko {
        in_korean(&mut report);
    }
    report
}

fn words() -> Report {
    let said = |tone, about: &str, sentence: &str| Statement {
        outcome: None,
        tone,
        about: about.into(),
        sentence: sentence.into(),
    };
    Report {
        title: "4 KiB random reads on three volumes".into(),
        facts: [("Host", "db-1, 8 CPUs"), ("Kernel", "6.18"), ("File system", "ext4 on /dev/vda"), ("Measured", "2026-08-21 14:03")]
            .map(|(name, value)| Fact { name: name.into(), value: value.into() })
            .to_vec(),
        answers: vec![
            "The SSD is 4.2 times as fast as the HDD: 12,480 against 3,002 random reads a second.".into(),
            "It stops growing at QD 16; beyond that only latency grows.".into(),
        ],
        verdicts: vec![
            said(Tone::Bad, "HDD", "The volume still spent its burst: 9,000 IOPS fell to 3,000 after 40 s."),
            said(Tone::Warning, "NAS", "The page cache answered 12 % of the reads."),
            said(Tone::Good, "SSD", "Steady from 120 s on: the last three minutes differ by under 1.2 %."),
            said(Tone::Note, "", "Latency at QD 16 is 96 % waiting in the queue."),
        ],
        origin: "db-1, 2026-08-21 14:03 UTC".into(),
        tiles: tiles(),
        tables: vec![table()],
        repeat: vec![Repeat {
            what: "Random reads on the SSD".into(),
            command: "fathom measure /mnt/ssd --rw randread --bs 4k --depth 32 --time 300 --name 'four kilobyte random reads'".into(),
        }],
        ..Report::default()
    }
}

fn tiles() -> Vec<Tile> {
    let tile = |name: &str, unit, value, detail: &str| Tile {
        name: name.into(),
        value: TableCell::Number(value),
        unit,
        detail: detail.into(),
        outcome: None,
    };
    let kept = Tile {
        value: TableCell::Text("3 / 4".into()),
        outcome: Some(fathom_analysis::RowOutcome::Fail),
        ..tile("Limits kept", ChartUnit::Plain, 0.0, "FAIL")
    };
    vec![
        tile("Most reads", ChartUnit::Iops, 12_480.0, "SSD, 4 KiB random read, QD 32"),
        tile("Throughput", ChartUnit::BytesPerS, 2.19e9, "SSD, 256 KiB sequential read, QD 32"),
        tile("Median latency", ChartUnit::Ns, 61_700.0, "SSD, 4 KiB random read, QD 1"),
        kept,
    ]
}

fn table() -> Table {
    let column = |key: &str, name: &str, unit| Column { key: key.into(), name: name.into(), unit };
    let columns = vec![
        column("volume", "Volume", None),
        column("iops", "IOPS", Some(ChartUnit::Iops)),
        column("bw", "Bandwidth", Some(ChartUnit::BytesPerS)),
        column("p99_ns", "p99", Some(ChartUnit::Ns)),
        column("bs", "Block size", Some(ChartUnit::BlockBytes)),
        column("busy", "Busy", Some(ChartUnit::Percent)),
        column("at", "When", Some(ChartUnit::UnixMs)),
    ];
    let row = |name: &str, iops: f64, p99: TableCell| {
        let number = TableCell::Number;
        vec![
            TableCell::Text(name.into()),
            number(iops),
            number(iops * 4096.0),
            p99,
            number(4096.0),
            number(97.3),
            number(1.787e12),
        ]
    };
    let rows = vec![
        row("HDD", 3002.0, TableCell::Number(21_300_000.0)),
        row("SSD", 12_480.0, TableCell::Number(2_560_000.0)),
        row("NAS premium", 8120.0, TableCell::Nothing),
    ];
    Table { id: "all".into(), title: "Every figure".into(), columns, rows }
}

fn in_korean(report: &mut Report) {
    report.title = "세 볼륨의 4 KiB 임의 읽기".into();
    report.answers =
        vec!["SSD가 HDD보다 4.2배 빠릅니다: 초당 임의 읽기 12,480회 대 3,002회.".into()];
    report.verdicts[0].sentence =
        "볼륨이 아직 버스트를 쓰고 있었습니다: 40초 뒤 9,000 IOPS가 3,000으로 떨어졌습니다.".into();
    report.verdicts[2].sentence =
        "120초부터 안정적입니다: 마지막 3분의 차이가 1.2 % 미만입니다.".into();
    let chart = &mut report.charts[0];
    chart.title = "세 볼륨의 4 KiB 임의 입출력".into();
    chart.says = "SSD의 임의 읽기는 HDD의 4.2배, NAS의 1.5배입니다.".into();
    chart.x.name = "볼륨".into();
    chart.series[0].name = "임의 읽기".into();
    chart.series[1].name = "임의 쓰기".into();
}

/// Every text of every kind would do harm.
pub fn hostile() -> Report {
    let mut turn = 0;
    let mut next = || {
        turn += 1;
        HOSTILE[turn % HOSTILE.len()].to_owned()
    };
    let mut report = every_kind(Lang::En);
    report.title = next();
    report.answers.iter_mut().for_each(|answer| *answer = next());
    report.origin = next();
    report.tiles.iter_mut().for_each(|tile| (tile.name, tile.detail) = (next(), next()));
    report.facts.iter_mut().for_each(|fact| (fact.name, fact.value) = (next(), next()));
    report.verdicts.iter_mut().for_each(|said| (said.about, said.sentence) = (next(), next()));
    report.repeat.iter_mut().for_each(|again| (again.what, again.command) = (next(), next()));
    report.charts.iter_mut().for_each(|chart| harm(chart, &mut next));
    for table in &mut report.tables {
        (table.id, table.title) = (next(), next());
        table.columns.iter_mut().for_each(|column| (column.key, column.name) = (next(), next()));
        table.rows.iter_mut().for_each(|row| row[0] = TableCell::Text(next()));
    }
    report
}

fn harm(chart: &mut Chart, next: &mut impl FnMut() -> String) {
    (chart.id, chart.title, chart.says, chart.note) = (next(), next(), next(), next());
    for axis in std::iter::once(&mut chart.x).chain(&mut chart.y) {
        axis.name = next();
        if let Scale::Names(names) = &mut axis.scale {
            names.iter_mut().for_each(|name| *name = next());
        }
    }
    chart.series.iter_mut().for_each(|series| series.name = next());
    chart.bands.iter_mut().for_each(|band| band.name = next());
    chart.marks.iter_mut().for_each(|mark| mark.name = next());
}

/// As many charts as a sweep of 500 cases has, each with three series of a minute.
pub fn sweep() -> Report {
    let line = |name: &str, first: u32, size: f64| {
        let points = (0..60u32).map(|i| {
            at(f64::from(i), size * (1.0 + f64::from((i * 37 + first * 11) % 101) / 997.0))
        });
        series(name, Shape::Line, points.collect())
    };
    let case = |i: u32| {
        let mut p50 = line("p50", i, 812_345.6);
        let mut p99 = line("p99", i, 2_412_345.6);
        (p50.axis, p99.axis) = (1, 1);
        let x = axis("Time", ChartUnit::Seconds, Scale::Linear);
        let y = vec![iops(), latency(Scale::Linear)];
        let all = vec![line("IOPS", i, 34_567.8), p50, p99];
        chart(
            &format!("case-{i}"),
            &format!("Case {i}: random read, 4 KiB, QD {}", 1 << (i % 9)),
            x,
            y,
            all,
        )
    };
    let mut report = Report { charts: (0..500).map(case).collect(), ..words() };
    let rows = (0..500).flat_map(|_| report.tables[0].rows.clone()).take(500).collect();
    report.tables[0].rows = rows;
    report
}
