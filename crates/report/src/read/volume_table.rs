//! What compared volumes gave, side by side: a row for each test, a column for each volume.

use crate::change_words::{NO_CHANGE, change_from_first, error, lead_mark, marked_lead, value};
use crate::model::{Column, Table, TableCell};
use fathom_document::compare::{CompareDocument, PhaseFinding, VolumeStanding};
use fathom_message::{Lang, words};

/// The table of volumes with these names; none where nothing can be compared.
pub(super) fn volume_table(
    document: &CompareDocument,
    names: Vec<String>,
    title: impl Fn(&PhaseFinding) -> String,
    lang: Lang,
) -> Option<Table> {
    let volumes = names.into_iter().map(|name| Column { key: name.clone(), name, unit: None });
    let tests = [
        Column::new(lang, "name", "report-column-name", None),
        Column::new(lang, "figure", "report-column-figure", None),
    ];
    let rows = document.findings.iter().map(|finding| row(document, finding, title(finding), lang));
    (!document.findings.is_empty()).then(|| Table {
        id: "volumes".to_owned(),
        title: words(lang, "report-table-volumes"),
        columns: tests.into_iter().chain(volumes).collect(),
        rows: rows.collect(),
    })
}

fn row(
    document: &CompareDocument,
    finding: &PhaseFinding,
    title: String,
    lang: Lang,
) -> Vec<TableCell> {
    let of_volume = |at: usize| {
        let standing = finding.standings.iter().find(|standing| standing.volume == at);
        standing.map_or(TableCell::Nothing, |of| TableCell::Text(cell(document, finding, of, lang)))
    };
    let test = [title, finding.judged.title().text(lang)];
    let volumes = document.heads().map(of_volume);
    test.into_iter().map(TableCell::Text).chain(volumes).collect()
}

/// `4.38 ms ± 2.5 %, 4.1x slower (3.7 to 4.4)`; of three or more volumes how it stands to the best.
fn cell(
    document: &CompareDocument,
    finding: &PhaseFinding,
    standing: &VolumeStanding,
    lang: Lang,
) -> String {
    let is_one_disk = document.is_one_disk();
    let half = standing.side.estimate.as_ref().ok().and_then(|known| known.half_width_percent());
    let change = change_from_first(finding, standing, is_one_disk).text(lang);
    let is_ranked = document.sides().len() > 2 && !is_one_disk;
    let lead = marked_lead(finding, standing).filter(|_| is_ranked);
    let parts = [
        value(finding.judged, standing.figure()) + &error(half, true, lang),
        if change == NO_CHANGE { String::new() } else { change },
        lead.map(|lead| lead_mark(lead).text(lang)).unwrap_or_default(),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}
