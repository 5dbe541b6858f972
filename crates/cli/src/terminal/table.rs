//! The table of every command: columns without lines between them, two blanks apart.
//!
//! Decided here:
//!
//! - Unprintable characters in a cell are escaped when the cell is made.
//! - Widths are those of a terminal: a Korean letter takes two columns, a style none.
//! - Columns shrink in the order that the caller sets. A table that still does not fit should be
//!   printed as a list; [`TextTable::fits`] tells the caller.
//! - A bar takes the remaining width, within its own limits, and is omitted if there is too little.

use super::bars;
use super::screen::{Screen, columns};
use super::style::Style;
use crate::language::{lang, word};
use fathom_vocab::printable;
use std::fmt::Display;

/// Blanks between two columns.
const GAP: usize = 2;

/// Returns text for the given number of columns.
type Fit = Box<dyn Fn(usize) -> String>;

/// The cell of one column and row.
pub struct TextCell {
    text: String,
    /// The text where its column is narrower than that.
    fit: Option<Fit>,
    to_right: bool,
    style: Option<Style>,
}

impl TextCell {
    /// Emphasised, if colours are on.
    pub fn bold(self) -> TextCell {
        TextCell { style: Some(Style::Bold), ..self }
    }

    /// Emphasised as `style` says where there are colours.
    pub fn styled(self, style: Style) -> TextCell {
        TextCell { style: Some(style), ..self }
    }

    /// Shortened by `fit` if its column shrinks.
    pub fn fitted(self, fit: impl Fn(usize) -> String + 'static) -> TextCell {
        TextCell { fit: Some(Box::new(fit)), ..self }
    }

    fn in_columns(&self, width: usize) -> String {
        match &self.fit {
            Some(fit) if columns(&self.text) > width => fit(width),
            _ => self.text.clone(),
        }
    }
}

/// A cell with unprintable characters escaped. Every cell of a table is made here.
pub fn cell(text: impl Display) -> TextCell {
    let text = printable::line(&lang().show(text)).into_owned();
    TextCell { text, fit: None, to_right: false, style: None }
}

/// A right-aligned cell.
pub fn right(text: impl Display) -> TextCell {
    TextCell { to_right: true, ..cell(text) }
}

/// A bar, drawn in as many columns as are left.
pub fn bar(draw: impl Fn(usize) -> String + 'static) -> TextCell {
    TextCell { fit: Some(Box::new(draw)), ..cell("") }
}

/// The heads of columns: the first on the left, the others over figures.
pub fn heading(words: &[&'static str]) -> Vec<TextCell> {
    let head = |(at, head): (usize, &&'static str)| match at {
        0 => cell(word(head)),
        _ => right(word(head)),
    };
    words.iter().enumerate().map(head).collect()
}

/// A line of a table.
enum Line {
    Row(Vec<TextCell>, Option<Style>),
    /// Text between rows, over all columns.
    Text(String),
}

/// Rows under their heading.
#[derive(Default)]
pub struct TextTable {
    indent: usize,
    lines: Vec<Line>,
    /// Columns that shrink, in this order, with the minimum width at each step. A column below
    /// readable width is dropped, and so is one whose cells cannot be shortened.
    giving_way: Vec<(usize, usize)>,
    bar: Option<usize>,
    /// Minimum widths from other tables, so that both align down the page.
    least: Vec<usize>,
    longest_bar: Option<usize>,
    /// Whether the first row is one as the others.
    is_without_headings: bool,
}

/// A column that would shrink below this width is dropped.
const READABLE: usize = 8;

impl TextTable {
    /// An empty table, indented by one space.
    pub fn new() -> TextTable {
        TextTable { indent: 1, ..TextTable::default() }
    }

    /// An empty table, indented by this many spaces.
    pub fn indented(indent: usize) -> TextTable {
        TextTable { indent, ..TextTable::default() }
    }

    /// An empty table, indented by one space, whose first row is one as the others.
    pub fn without_headings() -> TextTable {
        TextTable { is_without_headings: true, ..TextTable::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<TextCell>) {
        self.lines.push(Line::Row(cells, None));
    }

    /// Adds a row that is emphasised as a whole if `style` is given.
    pub fn styled_row(&mut self, cells: Vec<TextCell>, style: Option<Style>) {
        self.lines.push(Line::Row(cells, style));
    }

    /// Adds text between rows, as it is; each of its lines is ended.
    pub fn text_between(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Text(text.into()));
    }

    /// Lets columns shrink in this order, each down to this width; 0 drops it.
    pub fn give_way(&mut self, order: &[(usize, usize)]) {
        self.giving_way = order.to_vec();
    }

    /// Marks a column as one of bars.
    pub fn bars_in(&mut self, column: usize) {
        self.bar = Some(column);
    }

    /// Whether every line fits, once columns have shrunk.
    pub fn fits(&self, screen: &Screen) -> bool {
        self.total(&self.widths(screen)) <= screen.width
    }

    /// Columns of a bar; 0 if there is none.
    pub fn bar_columns(&self, screen: &Screen) -> usize {
        self.bar.map_or(0, |at| self.widths(screen).get(at).copied().unwrap_or(0))
    }

    /// The table; lines are no wider than the screen if it [fits](TextTable::fits).
    pub fn text(&self, screen: &Screen) -> String {
        let widths = self.widths(screen);
        let line = |line: &Line| match line {
            Line::Text(text) => text.clone(),
            Line::Row(cells, style) => self.drawn(cells, *style, &widths, screen),
        };
        self.lines.iter().map(line).collect()
    }

    fn rows(&self) -> impl Iterator<Item = &Vec<TextCell>> {
        self.lines.iter().filter_map(|line| match line {
            Line::Row(cells, _) => Some(cells),
            Line::Text(_) => None,
        })
    }

    /// How wide each column is; 0 if it is left out.
    fn widths(&self, screen: &Screen) -> Vec<usize> {
        let mut widths = self.natural();
        for (column, least) in &self.giving_way {
            let over = self.total(&widths).saturating_sub(screen.width);
            let Some(width) = widths.get_mut(*column) else { continue };
            let left = width.saturating_sub(over).max(*least.min(width));
            let is_readable = left >= READABLE && self.can_be_shortened(*column, left);
            *width = if left < *width && !is_readable { 0 } else { left };
        }
        if let Some(at) = self.bar.filter(|at| *at < widths.len()) {
            let words = std::mem::take(&mut widths[at]);
            let room = bars::room(screen, self.total(&widths) + GAP);
            let room = room.min(self.longest_bar.unwrap_or(room));
            // The heading over bars has the same width as they.
            widths[at] = if room < words { 0 } else { room };
        }
        widths
    }

    /// Whether every cell of the column has a text for this width.
    fn can_be_shortened(&self, column: usize, width: usize) -> bool {
        let mut cells = self.rows().filter_map(|cells| cells.get(column));
        cells.all(|cell| columns(&cell.text) <= width || cell.fit.is_some())
    }

    /// Widths of cells and headings.
    fn natural(&self) -> Vec<usize> {
        let mut widths = self.least.clone();
        for cells in self.rows() {
            widths.resize(widths.len().max(cells.len()), 0);
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = (*width).max(columns(&cell.text));
            }
        }
        let headings = usize::from(!self.is_without_headings);
        // A column with only a heading is dropped if it may be.
        for (at, _) in &self.giving_way {
            let mut below = self.rows().skip(headings).filter_map(|cells| cells.get(*at));
            if below.all(|cell| cell.text.is_empty())
                && let Some(width) = widths.get_mut(*at)
            {
                *width = 0;
            }
        }
        widths
    }

    fn total(&self, widths: &[usize]) -> usize {
        let shown: Vec<usize> = widths.iter().copied().filter(|width| *width > 0).collect();
        self.indent + shown.iter().sum::<usize>() + GAP * shown.len().saturating_sub(1)
    }

    fn drawn(
        &self,
        cells: &[TextCell],
        style: Option<Style>,
        widths: &[usize],
        screen: &Screen,
    ) -> String {
        let mut line = " ".repeat(self.indent);
        let shown = cells.iter().zip(widths).enumerate().filter(|(_, (_, width))| **width > 0);
        for (place, (at, (cell, width))) in shown.enumerate() {
            line += if place == 0 { "" } else { "  " };
            let text = match &cell.fit {
                Some(draw) if self.bar == Some(at) => draw(*width),
                _ => cell.in_columns(*width),
            };
            let blanks = " ".repeat(width.saturating_sub(columns(&text)));
            let text = emphasised(&text, cell.style, screen);
            line += &if cell.to_right { blanks + &text } else { text + &blanks };
        }
        emphasised(line.trim_end(), style, screen) + "\n"
    }
}

/// Whether a line of text that is no table does not fit.
pub fn too_wide(text: &str, screen: &Screen) -> bool {
    // Escapes take no columns; if there are any, the terminal's width was measured.
    let escapes = |line: &str| line.matches('\x1b').count() * 4;
    text.lines().any(|line| columns(line).saturating_sub(escapes(line)) > screen.width)
}

/// Gives columns of the same headings one width, and all bars one length.
pub fn align(tables: &mut [TextTable], screen: &Screen) {
    let heads = |table: &TextTable| -> Vec<String> {
        let first = table.rows().next();
        first.map(|cells| cells.iter().map(|cell| cell.text.clone()).collect()).unwrap_or_default()
    };
    let all: Vec<_> = tables.iter().map(|table| (heads(table), table.natural())).collect();
    for table in tables.iter_mut() {
        let own = heads(table);
        let mut least: Vec<usize> = Vec::new();
        for (_, widths) in all.iter().filter(|(heads, _)| *heads == own) {
            least.resize(least.len().max(widths.len()), 0);
            least.iter_mut().zip(widths).for_each(|(most, width)| *most = (*most).max(*width));
        }
        table.least = least;
    }
    let bar = tables.iter().map(|table| table.bar_columns(screen)).min();
    tables.iter_mut().for_each(|table| table.longest_bar = bar);
}

fn emphasised(text: &str, style: Option<Style>, screen: &Screen) -> String {
    style.map_or_else(|| text.to_owned(), |style| style.painted(text, screen.colour))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;

    fn screen(width: usize) -> Screen {
        Screen { width, colour: false, unicode: true, live: false, lang: Lang::En }
    }

    fn table() -> TextTable {
        let mut table = TextTable::new();
        table.row(heading(&["", "IOPS", "mean"]));
        table.row(vec![cell("random"), right("20,000"), right("50 us").bold()]);
        table.row(vec![cell("순차"), right("1"), right("-")]);
        table
    }

    #[test]
    fn columns_are_two_blanks_apart_and_as_wide_as_their_widest_cell() {
        let text = table().text(&screen(80));
        assert_eq!(
            text,
            "           IOPS   mean\n random  20,000  50 us\n 순차         1      -\n"
        );
        assert!(table().fits(&screen(22)) && !table().fits(&screen(21)));
    }

    #[test]
    fn styles_take_no_columns_and_are_left_out_without_colours() {
        let coloured = Screen { colour: true, ..screen(80) };
        assert!(table().text(&coloured).contains("20,000  \x1b[1m50 us\x1b[0m\n"));
        let mut green = TextTable::indented(0);
        green.styled_row(vec![cell("a"), cell("")], Some(Style::Green));
        assert_eq!(green.text(&coloured), "\x1b[32ma\x1b[0m\n");
        assert_eq!(green.text(&screen(80)), "a\n");
    }

    #[test]
    fn a_bar_takes_what_is_left_and_goes_where_that_is_too_little() {
        let mut bars_of_two = TextTable::new();
        bars_of_two.bars_in(1);
        for share in [1.0, 0.5] {
            let draw = bar(move |columns| bars::bar(share, columns, true));
            bars_of_two.row(vec![cell("a volume"), draw, right("1x")]);
        }
        let text = bars_of_two.text(&screen(33));
        let whole = "█".repeat(18);
        let half = format!("{}{}", "█".repeat(9), " ".repeat(9));
        assert_eq!(text, format!(" a volume  {whole}  1x\n a volume  {half}  1x\n"));
        assert_eq!(bars_of_two.text(&screen(20)), " a volume  1x\n a volume  1x\n");
        assert_eq!(bars_of_two.bar_columns(&screen(200)), 50);
    }

    #[test]
    fn a_column_of_cells_that_cannot_be_shortened_goes_whole() {
        let mut table = TextTable::indented(0);
        for title in ["read x 32", "write x 4"] {
            table.row(vec![cell(title), right("1.04 x"), right("mean 28.3 ms")]);
        }
        table.give_way(&[(2, 0)]);
        assert!(table.text(&screen(31)).starts_with("read x 32  1.04 x  mean 28.3 ms\n"));
        for width in [30, 27, 20] {
            let text = table.text(&screen(width));
            assert_eq!(text, "read x 32  1.04 x\nwrite x 4  1.04 x\n", "{width}");
            assert!(table.fits(&screen(width)));
        }
    }

    #[test]
    fn columns_give_way_in_their_order_and_go_where_nothing_can_be_read() {
        let mut table = TextTable::indented(0);
        let cut = |text: &'static str| cell(text).fitted(move |width| text[..width].to_owned());
        table.row(["", "", ""].map(cell).into());
        table.row(vec![cell("id"), cut("a long title"), cut("many labels here")]);
        table.give_way(&[(1, 8), (2, 10), (1, 0)]);
        let lines = |width: usize| table.text(&screen(width)).trim_start().to_owned();
        assert_eq!(lines(34), "id  a long title  many labels here\n");
        assert_eq!(lines(32), "id  a long tit  many labels here\n");
        assert_eq!(lines(28), "id  a long t  many labels he\n");
        assert_eq!(lines(20), "id  many label\n");
        assert!(!table.fits(&screen(10)));
    }

    #[test]
    fn tables_of_one_kind_share_their_widths_and_bars() {
        let one = |name: &str, figure: &str| {
            let mut table = TextTable::indented(0);
            table.bars_in(2);
            table.row(vec![cell("name"), right("IOPS"), cell("")]);
            let draw = bar(|columns| "#".repeat(columns));
            table.row(vec![cell(name), right(figure), draw]);
            table
        };
        let mut tables = [one("a", "1"), one("a longer name", "20,000")];
        align(&mut tables, &screen(40));
        let texts = tables.map(|table| table.text(&screen(40)));
        let line = |at: usize| texts[at].lines().nth(1).map(columns);
        assert_eq!((line(0), line(1)), (Some(40), Some(40)), "{texts:?}");
        assert!(texts[0].starts_with("name             IOPS\n"), "{texts:?}");
    }

    #[test]
    fn what_is_unprintable_is_escaped() {
        let mut table = TextTable::indented(0);
        table.row(vec![cell("a\x1b[2J\n"), right("\u{9b}")]);
        assert_eq!(table.text(&screen(80)), "a\\x1b[2J\\n  \\u{9b}\n");
    }
}
