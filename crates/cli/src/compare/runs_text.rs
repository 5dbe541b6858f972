//! The text output of a comparison of runs: for each figure the value before and after, the change
//! with its confidence, and the judgement.

use crate::terminal::screen::{Screen, columns, from_left, to_right, warning, wrapped};
use crate::terminal::table::too_wide;
use fathom_analysis::{Difference, Lack};
use fathom_campaign::compare::{
    Contrast, ContrastVerdict, Contrasts, Known, RecordingSource, RunsDocument, Unjudged,
};
use fathom_campaign::test_title;
use fathom_message::{Lang, Message, Tell, list, words};
use fathom_report::change_words::{
    change, change_legend, error, is_not_stable, value, verdict, why_unjudged,
};

/// The text for all pairs.
pub fn text(document: &RunsDocument, quiet: bool, screen: &Screen) -> String {
    let mut text = String::new();
    if !quiet {
        text += &sources(document, screen);
    }
    for pair in &document.pairs {
        let gap = if text.is_empty() { "" } else { "\n" };
        let title = Message::new("change-against").with("after", &pair.after);
        let title = title.with("before", &pair.before).text(screen.lang);
        text += &format!("{gap}{}", wrapped(&title, screen.width, "", "  "));
        text += &one(pair, document.fail_if_worse_percent, screen);
    }
    if let Some(caps) = document.caps_sentence() {
        text += &wrapped(caps.text(screen.lang), screen.width, "  - ", "    ");
    }
    text += &legend(document, screen);
    if document.rests_on_rounds() {
        let caution = words(screen.lang, "change-rounds");
        text += &format!("\n{}", wrapped(&caution, screen.width, "", ""));
    }
    text
}

/// What was compared, with the ids of runs, and what was left out.
fn sources(document: &RunsDocument, screen: &Screen) -> String {
    let name = |source: &RecordingSource| match &source.id {
        Some(id) if *id != source.name => format!("{} = {id} ({})", source.name, source.kind),
        _ => format!("{} ({})", source.name, source.kind),
    };
    let names: Vec<String> = document.sources.iter().map(name).collect();
    let mut text = wrapped(names.join("; "), screen.width, "", "  ");
    for source in &document.sources {
        let note = |note: String| warning(format!("{}: {note}", source.name), screen);
        text += &source.told(screen.lang).into_iter().map(note).collect::<String>();
    }
    text
}

/// What the words mean that figures and changes without a useful interval have.
fn legend(document: &RunsDocument, screen: &Screen) -> String {
    let all = || document.pairs.iter().flat_map(|pair| &pair.contrasts);
    let uneven = |known: &Known| is_not_stable(known.half_width_percent());
    let is_unstable = |of: &Contrast| {
        of.comparison.as_ref().is_some_and(|comparison| comparison.difference.is_unstable())
    };
    let marks = [
        (all().any(|of| uneven(&of.before) || uneven(&of.after)), "change-figure-unstable"),
        (all().any(is_unstable), "change-unstable"),
    ];
    let marks = marks.into_iter().filter(|(stands, _)| *stands);
    let marks = marks.map(|(_, id)| words(screen.lang, id)).collect();
    // A gate and a lack say themselves what to do.
    let advises = document.gate.is_none() && all().filter_map(lack).next().is_none();
    let line = change_legend(marks, advises);
    line.map(|of| wrapped(of.text(screen.lang), screen.width, "  ", "    ")).unwrap_or_default()
}

fn one(pair: &Contrasts, allowed_percent: Option<f64>, screen: &Screen) -> String {
    let table = lines(pair, allowed_percent, screen);
    let mut text = match too_wide(&table, screen) {
        true => stacked(pair, allowed_percent, screen),
        false => table,
    };
    let notes = unjudged(pair).into_iter().chain(lacks(pair));
    let notes = notes.chain(pair.unlike_sentence());
    for reason in notes {
        text += &warning(reason.text(screen.lang), screen);
    }
    let only = [(&pair.before, &pair.only_before), (&pair.after, &pair.only_after)];
    for (name, names) in only.into_iter().filter(|(_, names)| !names.is_empty()) {
        let line = Message::new("change-only-in").with("side", name);
        let line = line.part("names", list::semicolons(names.iter().map(|name| test_title(name))));
        text += &warning(line.text(screen.lang), screen);
    }
    text
}

/// Why figures are shown and not judged, each reason once.
fn unjudged(pair: &Contrasts) -> Vec<Message> {
    let mut reasons: Vec<Unjudged> = Vec::new();
    for reason in pair.contrasts.iter().filter_map(|contrast| contrast.unjudged) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons.into_iter().map(why_unjudged).collect()
}

/// Why nothing is known of changes, each reason once with the number of its figures.
fn lacks(pair: &Contrasts) -> Vec<Message> {
    let mut lacks: Vec<(&Lack, usize)> = Vec::new();
    for contrast in &pair.contrasts {
        let Some(lack) = lack(contrast) else { continue };
        match lacks.iter_mut().find(|(known, _)| *known == lack) {
            Some((_, count)) => *count += 1,
            None => lacks.push((lack, 1)),
        }
    }
    let told = |(lack, count): (&Lack, usize)| {
        let told = Message::new("change-not-judged-of").with("count", count);
        told.with("of", pair.contrasts.len()).part("lack", lack.tell())
    };
    lacks.into_iter().map(told).collect()
}

/// Why nothing is known of a change; none if its interval or no comparison is there.
fn lack(contrast: &Contrast) -> Option<&Lack> {
    match &contrast.comparison.as_ref()?.difference {
        Difference::NotEnough { lack } => Some(lack),
        _ => None,
    }
}

/// `3,000 IOPS ± 1.2 %`.
fn figure(contrast: &Contrast, known: &Known, unicode: bool, lang: Lang) -> String {
    let error = error(known.half_width_percent(), unicode, lang);
    format!("{}{error}", value(contrast.judged, known.mean))
}

/// What is compared, in the language of the reader.
fn judged(contrast: &Contrast, lang: Lang) -> String {
    contrast.judged.title().text(lang)
}

/// The interval of a change and its judgement: `+4.1 % to +5.9 % (95 % sure): better`.
fn judgement(contrast: &Contrast, allowed_percent: Option<f64>) -> Message {
    let verdict = verdict(contrast, allowed_percent);
    match (contrast.range(), &contrast.comparison) {
        (Some(range), Some(comparison)) => Message::new("change-judged")
            .part("range", range)
            .part("sure", comparison.sure())
            .part("verdict", verdict),
        _ => verdict,
    }
}

/// A contrast in a line, of a gate that allows so many percent if there is one.
pub fn in_short(
    contrast: &Contrast,
    allowed_percent: Option<f64>,
    unicode: bool,
    lang: Lang,
) -> String {
    let change = bare_change(contrast, unicode, lang);
    match contrast.unjudged {
        Some(_) => change,
        None => format!("{change}, {}", judgement(contrast, allowed_percent).text(lang)),
    }
}

/// The same without its judgement.
fn bare_change(contrast: &Contrast, unicode: bool, lang: Lang) -> String {
    format!(
        "{}: {} {} -> {}: {}",
        test_title(&contrast.name).text(lang),
        judged(contrast, lang),
        figure(contrast, &contrast.before, unicode, lang),
        figure(contrast, &contrast.after, unicode, lang),
        change(contrast).text(lang),
    )
}

fn lines(pair: &Contrasts, allowed_percent: Option<f64>, screen: &Screen) -> String {
    let widest = |of: &dyn Fn(&Contrast) -> String| {
        pair.contrasts.iter().map(|one| columns(&of(one))).max().unwrap_or(0)
    };
    let name = widest(&|one| judged(one, screen.lang));
    let before = widest(&|one| figure(one, &one.before, screen.unicode, screen.lang));
    let after = widest(&|one| figure(one, &one.after, screen.unicode, screen.lang));
    let changes = widest(&|one| change(one).text(screen.lang));
    let mut text = String::new();
    let mut last = None;
    for contrast in &pair.contrasts {
        if last.replace(&contrast.name) != Some(&contrast.name) {
            text += &format!("  {}\n", test_title(&contrast.name).text(screen.lang));
        }
        let line = format!(
            "    {}  {} -> {}  {}",
            from_left(&judged(contrast, screen.lang), name),
            to_right(&figure(contrast, &contrast.before, screen.unicode, screen.lang), before),
            to_right(&figure(contrast, &contrast.after, screen.unicode, screen.lang), after),
            to_right(&change(contrast).text(screen.lang), changes)
        );
        text += &format!("{}\n", coloured(contrast, &line, screen));
        if contrast.unjudged.is_none() && lack(contrast).is_none() {
            let judgement = judgement(contrast, allowed_percent).text(screen.lang);
            text += &wrapped(&judgement, screen.width, "      ", "        ");
        }
    }
    text
}

/// The same, if a line does not fit.
fn stacked(pair: &Contrasts, allowed_percent: Option<f64>, screen: &Screen) -> String {
    // Why figures are not judged stands once below them.
    let short = |of: &Contrast| match lack(of) {
        Some(_) => bare_change(of, screen.unicode, screen.lang),
        None => in_short(of, allowed_percent, screen.unicode, screen.lang),
    };
    pair.contrasts
        .iter()
        .map(short)
        .map(|line| wrapped(&line, screen.width, "  ", "    "))
        .collect()
}

fn coloured(contrast: &Contrast, line: &str, screen: &Screen) -> String {
    match (screen.colour, contrast.verdict) {
        (true, ContrastVerdict::Better) => format!("\x1b[32m{line}\x1b[0m"),
        (true, ContrastVerdict::Worse) => format!("\x1b[31m{line}\x1b[0m"),
        _ => line.to_owned(),
    }
}
