//! The language, lists, and one sentence in place of several.

use super::*;

#[test]
fn the_reader_chooses_the_language_and_counts_agree() {
    assert_eq!(Lang::of_locale("ko_KR.UTF-8"), Lang::Ko);
    assert_eq!(Lang::of_locale("C.UTF-8"), Lang::En);
    assert_eq!(Lang::of_header("de;q=0.9, en;q=0.3, ko-KR;q=0.8"), Lang::Ko);
    assert_eq!(Lang::of_header("ko;q=0, en"), Lang::En);
    assert_eq!(Lang::of_header("\u{0};;q=,"), Lang::En);
    assert!("fr".parse::<Lang>().unwrap_err().to_string().contains("en (English)"));
    assert_eq!(words(Lang::En, "no-such-sentence"), "no-such-sentence");
    assert_eq!(Message::verbatim("{x}").text(Lang::Ko), "{x}");
}

#[test]
fn notes_are_found_by_their_english_and_unknown_ones_stay() {
    let note = "The data is lost when the instance stops.";
    assert_eq!(Message::from_english(note).text(Lang::En), note);
    assert_eq!(
        Message::from_english(note).text(Lang::Ko),
        "인스턴스를 중지하면 데이터가 사라집니다."
    );
    assert_eq!(Message::from_english("Our own note.\u{7}").text(Lang::Ko), "Our own note.\\x07");
}

#[test]
fn lists_read_as_a_sentence_in_each_language() {
    let of = |n: usize| ["a", "b", "c", "d"][..n].iter().map(|name| Message::verbatim(*name));
    let english = |n| [list::clauses(of(n)), list::names(of(n))].map(|list| list.to_string());
    assert_eq!(english(0), ["", ""]);
    assert_eq!(english(1), ["a", "a"]);
    assert_eq!(english(2), ["a and b", "a and b"]);
    assert_eq!(english(4), ["a; b; c; and d", "a, b, c and d"]);
    assert_eq!(list::choices(of(3)).to_string(), "a, b or c");
    assert_eq!(list::all_of(of(3)).to_string(), "a and b and c");
    assert_eq!(list::commas(of(3)).to_string(), "a, b, c");
    assert_eq!(list::semicolons(of(3)).to_string(), "a; b; c");
    assert_eq!(list::sentences(of(3)).to_string(), "a b c");
    assert_eq!(list::names(of(3)).text(Lang::Ko), "a, b, c");
    assert_eq!(list::choices(of(3)).text(Lang::Ko), "a, b 또는 c");
}

#[test]
fn messages_that_differ_in_numbers_alone_are_one_with_both_ends() {
    let told = |busy: &str, name: &str| {
        Message::new("report-pair").with("a", name).part("b", Message::verbatim(busy))
    };
    let spanning = |all: [Message; 2]| Message::spanning(&all.each_ref());
    let range = spanning([told("62 %", "a"), told("1,000 %", "a")]).unwrap();
    assert_eq!(range.text(Lang::En), "a / 62 to 1,000 %");
    assert_eq!(quantity_range(&["1,000 us", "62 us"]).unwrap().text(Lang::En), "62 to 1,000 us");
    // Other units and digits in names are no numbers of one kind.
    for texts in [["62 us", "1 ms"], ["4 KiB random read, QD 1", "8 KiB random read, QD 1"]] {
        assert_eq!(quantity_range(&texts), None);
    }
    assert_eq!(spanning([told("1 %", "a"), told("2 %", "b")]), None);
    assert_eq!(spanning([told("1 %", "a"), Message::new("report-range")]), None);
}
