//! Names of charts, each once.

use super::number;
use crate::model::{Chart, ChartAxis, ChartUnit, Scale};

fn chart(id: &str) -> Chart {
    Chart {
        id: id.to_owned(),
        title: String::new(),
        says: String::new(),
        note: String::new(),
        x: ChartAxis::new("", ChartUnit::Seconds, Scale::Linear),
        y: Vec::new(),
        series: Vec::new(),
        bands: Vec::new(),
        marks: Vec::new(),
        stated: String::new(),
        pair: None,
    }
}

fn numbered(ids: &[&str]) -> Vec<String> {
    let mut charts: Vec<Chart> = ids.iter().map(|id| chart(id)).collect();
    number(&mut charts);
    charts.into_iter().map(|chart| chart.id).collect()
}

#[test]
fn the_first_of_a_name_keeps_it_and_taken_numbers_are_skipped() {
    assert_eq!(numbered(&["a", "b", "a", "a", "b"]), ["a", "b", "a-2", "a-3", "b-2"]);
    assert_eq!(numbered(&["a-2", "a", "a", "a"]), ["a-2", "a", "a-3", "a-4"]);
    assert_eq!(numbered(&["a", "a", "a-2", "a"]), ["a", "a-2", "a-2-2", "a-3"]);
    assert_eq!(numbered(&[]), [""; 0]);
}
