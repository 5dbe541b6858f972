//! The first sentence of a result on a terminal: one for each volume, each on its own lines.

use super::screen::{Screen, wrapped};
use super::style::Style;
use fathom_campaign::DocumentSummary;

/// The sentences, each on its own lines.
pub fn sentences(document: &impl DocumentSummary, screen: &Screen) -> String {
    let all = document.sentences().into_iter();
    let lines = |text: &str| coloured(wrapped(text, screen.width, "", "  "), screen);
    all.map(|one| lines(&one.text(screen.lang))).collect()
}

/// Words that begin an answer, with their colours.
const ANSWERS: [(&str, Style); 7] = [
    ("PASS(충족)", Style::Green),
    ("FAIL(미달)", Style::Red),
    ("UNDECIDED(판정 불가)", Style::Yellow),
    ("PASS", Style::Green),
    ("FAIL", Style::Red),
    ("FAILED", Style::Red),
    ("UNDECIDED", Style::Yellow),
];

/// A sentence with its answer in colour. An answer stands at the beginning or after the target's
/// name, so that a name is not taken for one.
fn coloured(text: String, screen: &Screen) -> String {
    let found = ANSWERS.iter().find_map(|(word, style)| {
        let (at, _) = text.match_indices(word).find(|(at, _)| {
            let (before, after) = (text[..*at].trim_end(), &text[at + word.len()..]);
            (before.is_empty() || before.ends_with(':')) && after.starts_with([':', ',', '.'])
        })?;
        Some((at, *word, *style))
    });
    match found.filter(|_| screen.colour) {
        Some((at, word, style)) => {
            let (before, after) = (&text[..at], &text[at + word.len()..]);
            format!("{before}{}{after}", style.painted(word, screen.colour))
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;

    #[test]
    fn an_answer_is_coloured_in_terminals_and_a_name_is_not() {
        let colour = Screen { width: 80, colour: true, unicode: true, live: false, lang: Lang::En };
        let plain = Screen { colour: false, ..colour };
        let text = |screen: &Screen, text: &str| coloured(text.to_owned(), screen);
        let passed = "/mnt/FAIL: PASS: aws.gp3, 6 of 6 limits kept.";
        assert_eq!(
            text(&colour, passed),
            "/mnt/FAIL: \x1b[32mPASS\x1b[0m: aws.gp3, 6 of 6 limits kept."
        );
        assert_eq!(text(&plain, passed), passed);
        assert_eq!(text(&colour, "FAIL: limits by hand"), "\x1b[31mFAIL\x1b[0m: limits by hand");
        assert_eq!(text(&colour, "FAIL(미달): 기준"), "\x1b[31mFAIL(미달)\x1b[0m: 기준");
        assert_eq!(text(&colour, "/FAIL: 60 us reads."), "/FAIL: 60 us reads.");
    }
}
