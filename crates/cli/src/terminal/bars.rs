//! Bars in tables and progress: they begin at zero, so that twice as long is twice as much, and are
//! omitted if they would be too short.

use crate::terminal::screen::{Screen, wrapped};
use fathom_message::Message;

/// Minimum columns of a bar; with fewer there is no bar.
const SHORTEST: usize = 8;
/// Columns of a bar at most: beyond, the eye gains nothing.
const LONGEST: usize = 50;

/// Columns for bars on a screen whose other text takes `taken` columns; 0 if a bar would be too
/// short.
pub fn room(screen: &Screen, taken: usize) -> usize {
    match screen.width.saturating_sub(taken) {
        left if left < SHORTEST => 0,
        left => left.min(LONGEST),
    }
}

/// A bar of `share` (0 to 1) of `columns`. A share above zero shows at least the smallest part.
pub fn bar(share: f64, columns: usize, unicode: bool) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if !unicode {
        let whole = (share * columns as f64).round() as usize;
        return "#".repeat(whole.max(usize::from(share > 0.0)));
    }
    let eighths = (share * columns as f64 * 8.0).round() as usize;
    let eighths = eighths.max(usize::from(share > 0.0));
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

/// The legend of gauges, from the catalogue's message `id`, with their marks.
pub fn legend(id: &'static str, screen: &Screen) -> String {
    let (mark, beyond) = marks(screen.unicode);
    let told = Message::new(id).with("mark", mark).with("beyond", beyond).text(screen.lang);
    wrapped(&told, screen.width, "", "  ")
}

/// The sign at a gauge's full mark, and the sign for a value beyond it.
fn marks(unicode: bool) -> (&'static str, &'static str) {
    if unicode { ("│", "▸") } else { ("|", ">") }
}

/// A bar beside its limit, which is at the last of `columns`: a share of 1 ends there, and a larger
/// one is cut off with a sign.
pub fn gauge(share: f64, columns: usize, unicode: bool) -> String {
    let (full, beyond) = marks(unicode);
    let length = columns.saturating_sub(1);
    let bar = bar(share.clamp(0.0, 1.0), length, unicode);
    format!("{bar:<length$}{}", if share > 1.0 { beyond } else { full })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_they_mean() {
        assert_eq!(bar(1.0, 4, true), "████");
        assert_eq!(bar(0.5, 4, true), "██");
        assert_eq!(bar(0.28125, 4, true), "█▏");
        assert_eq!(bar(0.0001, 4, true), "▏");
        assert_eq!(bar(0.0, 4, true), "");
        assert_eq!(bar(0.5, 4, false), "##");
        assert_eq!(bar(0.001, 4, false), "#");
    }

    #[test]
    fn a_gauge_ends_at_its_mark_and_what_lies_beyond_is_cut_off() {
        assert_eq!(gauge(0.5, 9, true), "████    │");
        assert_eq!(gauge(1.0, 9, true), "████████│");
        assert_eq!(gauge(1.01, 9, true), "████████▸");
        assert_eq!(gauge(700.0, 9, false), "########>");
        assert_eq!(gauge(0.0, 9, false), "        |");
        assert_eq!(gauge(f64::NAN, 9, true), "        │");
    }

    #[test]
    fn a_bar_that_would_tell_nothing_is_none() {
        let screen = Screen {
            width: 80,
            colour: false,
            unicode: true,
            live: false,
            lang: fathom_message::Lang::En,
        };
        assert_eq!([79, 73, 72, 50, 0].map(|taken| room(&screen, taken)), [0, 0, 8, 30, 50]);
    }
}
