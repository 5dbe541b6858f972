//! What writers make of a report of every kind: SVG that parses, numbers alike in both languages,
//! pages that hold every figure and let no text through.

#![allow(clippy::unwrap_used)]

mod samples;

use fathom_message::Lang;
use fathom_report::model::{ChartAxis, ChartUnit, Report, Scale};
use fathom_report::{assets, html, show, svg};
use rquickjs::{Context, Function, Runtime};

#[derive(serde::Deserialize)]
struct Vector(String, Option<f64>, String);

fn vectors() -> Vec<Vector> {
    serde_json::from_str(include_str!("vectors.json")).unwrap()
}

fn shown(kind: &str, number: f64) -> String {
    if kind == "percentile" {
        let axis = ChartAxis::new(String::new(), ChartUnit::Percent, Scale::Nines);
        return show::place(&axis, number);
    }
    show::value(serde_json::from_value(kind.into()).unwrap(), number)
}

#[test]
fn numbers_are_shown_alike_by_rust() {
    for Vector(kind, number, text) in vectors() {
        assert_eq!(shown(&kind, number.unwrap_or(f64::NAN)), text, "{kind} {number:?}");
    }
}

/// Calls `fathom.numbers` as a browser would.
fn in_script(check: impl FnOnce(&dyn Fn(&str, Option<f64>) -> String)) {
    let context = Context::full(&Runtime::new().unwrap()).unwrap();
    context.with(|ctx| {
        ctx.eval::<(), _>(assets::NUMBERS).unwrap();
        let call: Function<'_> = ctx
            .eval(
                "(kind, number) => kind === 'percentile' ? fathom.numbers.percentile(number) \
                 : fathom.numbers.value(kind, number)",
            )
            .unwrap();
        check(&|kind, number| call.call((kind, number)).unwrap());
    });
}

#[test]
fn numbers_are_shown_alike_by_scripts() {
    in_script(|script| {
        for Vector(kind, number, text) in vectors() {
            assert_eq!(script(&kind, number), text, "{kind} {number:?}");
        }
    });
}

/// Beyond the vectors: many numbers of every size, halves among them.
#[test]
fn rust_and_scripts_agree_on_many_numbers() {
    let kinds =
        ["plain", "iops", "bytes_per_s", "ns", "seconds", "block_bytes", "volume_bytes", "percent"];
    in_script(|script| {
        for kind in kinds {
            // Up to what u64 holds of microseconds or bytes.
            let steps = if kind == "seconds" { 300 } else { 530 };
            for at in 0..steps {
                let number = 1.093f64.powi(at - 60);
                let halves = (number * 16.0).round() / 16.0;
                for number in [number, halves, -halves] {
                    assert_eq!(script(kind, Some(number)), shown(kind, number), "{kind} {number}");
                }
            }
        }
    });
}

#[test]
fn every_chart_is_a_valid_svg_with_its_title() {
    let report = samples::every_kind(Lang::En);
    let drawn = svg(&report).unwrap();
    assert_eq!(drawn.len(), report.charts.len());
    for ((name, text), chart) in drawn.iter().zip(&report.charts) {
        let document = roxmltree::Document::parse(text).unwrap();
        assert_eq!(document.root_element().tag_name().name(), "svg", "{name}");
        let texts: String = document.descendants().filter_map(|node| node.text()).collect();
        assert!(texts.contains(&chart.title), "{name}: {texts}");
        let names = chart.series.len() > 1;
        assert!(
            !names || texts.contains(&chart.series[0].name),
            "{name} lacks its legend: {texts}"
        );
        let shapes = document.descendants().filter(|node| node.has_tag_name("path")).count();
        let nothing = ["empty", "zeros"].contains(&chart.id.as_str());
        assert!(shapes > 5 || nothing, "{name} has {shapes} shapes");
    }
}

#[test]
fn texts_that_would_do_harm_stay_texts_in_svg() {
    let mut report = samples::hostile();
    report.charts[0].title = "a\u{0}b\u{1b}[31m]]>\u{ffff}".into();
    for (name, text) in svg(&report).unwrap() {
        let document = roxmltree::Document::parse(&text).unwrap();
        for node in document.descendants().filter(roxmltree::Node::is_element) {
            let tag = node.tag_name().name();
            assert!(!["script", "img", "foreignObject", "a"].contains(&tag), "{name}: {tag}");
            assert!(node.attributes().all(|at| !at.name().starts_with("on")), "{name}");
        }
    }
}

#[test]
fn a_page_holds_every_figure_and_no_text_as_markup() {
    let page = html(&samples::every_kind(Lang::En)).unwrap();
    for text in ["12,480", "p99.99", "4 KiB", "2026-08-", "fathom measure &#x2f;mnt&#x2f;ssd"] {
        assert!(page.contains(text), "{text}");
    }
    let page = html(&samples::hostile()).unwrap();
    for text in samples::HOSTILE.iter().take(2) {
        assert!(!page.contains(text), "{text}");
    }
    assert!(!page.contains("49$"), "a template in a text was run");
}

#[test]
fn an_empty_report_is_a_page_too() {
    for lang in Lang::ALL {
        let page = html(&Report { lang, ..Report::default() }).unwrap();
        assert!(page.contains(&format!("<html lang=\"{}\">", lang.tag())));
    }
    assert!(svg(&Report::default()).unwrap().is_empty());
}
