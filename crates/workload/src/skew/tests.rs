//! Each distribution against its formula.
//!
//! Bounds: over N draws the count of a block of probability p has a standard deviation of
//! sqrt(N p (1 - p)); 6.5 of them are exceeded with probability 8e-11 a block, so a false alarm
//! over the few hundred counts below is rarer than 1e-7 for a new seed. Seeds are fixed.

use super::*;

const DRAWS: usize = 400_000;

fn counts(kind: Distribution, slots: u64) -> Vec<f64> {
    let (mut skew, mut rng) = (Skew::new(&kind, 4096, false, 11), Rng::from_seed(12));
    let mut counts = vec![0.0; slots as usize];
    for _ in 0..DRAWS {
        counts[skew.draw(&mut rng, slots) as usize] += 1.0;
    }
    counts
}

fn assert_near(count: f64, p: f64, what: &str) {
    let n = DRAWS as f64;
    let bound = 6.5 * (n * p * (1.0 - p)).sqrt() + 1.0;
    assert!((count - n * p).abs() <= bound, "{what}: {count}, expected {} ± {bound}", n * p);
}

fn ranked(mut counts: Vec<f64>) -> Vec<f64> {
    counts.sort_by(|a, b| b.total_cmp(a));
    counts
}

#[test]
fn zipf_follows_its_law() {
    for theta in [0.4, 0.99, 1.0, 1.2, 2.5] {
        let slots = 300u64;
        let mut rng = Rng::from_seed(9);
        let zipf = Zipf::new(slots, theta);
        let mut counts = vec![0.0; slots as usize];
        for _ in 0..DRAWS {
            counts[zipf.rank(&mut rng) as usize] += 1.0;
        }
        let sum: f64 = (1..=slots).map(|k| (k as f64).powf(-theta)).sum();
        for (rank, count) in counts.iter().enumerate() {
            let p = ((rank + 1) as f64).powf(-theta) / sum;
            assert_near(*count, p, &format!("theta {theta}, rank {rank}"));
        }
    }
}

#[test]
fn hot_ranks_are_scattered_but_not_merged() {
    let even_tail = counts(Distribution::Zipf { theta: 0.5, center: None }, 1000);
    assert!(even_tail.iter().all(|&count| count > 0.0), "each block keeps its own rank");
    let hot = counts(Distribution::Zipf { theta: 1.2, center: Some(0.25) }, 1000);
    let hottest = (0..1000).max_by(|&a, &b| hot[a].total_cmp(&hot[b]));
    assert_eq!(hottest, Some(250));
    let second = (0..1000).filter(|&at| at != 250).max_by(|&a, &b| hot[a].total_cmp(&hot[b]));
    assert!(second.is_some_and(|at| at.abs_diff(250) > 1), "{second:?}");
}

#[test]
fn pareto_gives_one_minus_h_to_a_share_of_h() {
    for h in [0.1, 0.2, 0.4] {
        let counts = ranked(counts(Distribution::Pareto { h, center: None }, 1000));
        let hot: f64 = counts[..(h * 1000.0) as usize].iter().sum();
        assert_near(hot, 1.0 - h, &format!("h {h}"));
        let first = 1000f64.powf((1.0 - h).ln() / -h.ln());
        assert_near(counts[0], first, "the hottest block");
    }
}

#[test]
fn normal_has_its_mean_and_deviation() {
    let n = DRAWS as f64;
    for (center, mean) in [(None, 5000.0), (Some(0.25), 2500.0)] {
        let counts = counts(Distribution::Normal { deviation: 4.0, center }, 10_000);
        let at = |place: usize| place as f64 + 0.5;
        let got: f64 = counts.iter().enumerate().map(|(k, c)| at(k) * c).sum::<f64>() / n;
        let square = counts.iter().enumerate().map(|(k, c)| (at(k) - got).powi(2) * c);
        let deviation = (square.sum::<f64>() / n).sqrt();
        // Standard errors: 400 / sqrt(N) = 0.63 of the mean, 400 / sqrt(2 N) of the deviation.
        assert!((got - mean).abs() < 4.2, "mean {got}");
        assert!((deviation - 400.0).abs() < 3.0, "deviation {deviation}");
    }
    let edge = counts(Distribution::Normal { deviation: 20.0, center: Some(0.0) }, 1000);
    assert!(edge[0] > edge[300] && edge[300] > edge[600]);
}

#[test]
fn zones_get_their_shares() {
    let zones = vec![(60, 10), (30, 20), (8, 30), (2, 40)];
    let percent = counts(Distribution::Zoned(zones), 1000);
    let sum = |range: std::ops::Range<usize>| percent[range].iter().sum::<f64>();
    for (range, share) in [(0..100, 0.6), (100..300, 0.3), (300..600, 0.08), (600..1000, 0.02)] {
        assert_near(sum(range.clone()), share, &format!("{range:?}"));
    }
    let zones = vec![(60, 100 * 4096), (20, 200 * 4096), (20, 1 << 40)];
    let bytes = counts(Distribution::ZonedAbs(zones), 1000);
    assert_near(bytes[..100].iter().sum(), 0.6, "first 100 blocks");
    assert_near(bytes[300..].iter().sum(), 0.2, "the zone cut off by the end");
    let beyond = counts(Distribution::ZonedAbs(vec![(50, 1 << 30), (50, 1 << 30)]), 1000);
    assert_near(beyond[..500].iter().sum(), 0.5, "a zone beyond the end has no share");
}

#[test]
fn huge_and_tiny_ranges() {
    let kinds = [
        Distribution::Zipf { theta: 0.9, center: Some(1.0) },
        Distribution::Zipf { theta: 1.1, center: None },
        Distribution::Pareto { h: 0.2, center: Some(0.5) },
        Distribution::Normal { deviation: 100.0, center: Some(1.0) },
        Distribution::Zoned(vec![(50, 1), (50, 99)]),
    ];
    for kind in &kinds {
        for slots in [1, 2, 3, 7, 1 << 38, (1 << 50) + 1] {
            let (mut skew, mut rng) = (Skew::new(kind, 512, false, 1), Rng::from_seed(2));
            assert!((0..200).all(|_| skew.draw(&mut rng, slots) < slots), "{kind:?} {slots}");
        }
    }
}
