//! `fathom kube`: a cluster's storage as a table, and its problems.

use crate::cli_error::CliError;
use crate::language::word;
use crate::output::show;
use crate::terminal::screen::{Screen, say, warning, wrapped};
use crate::terminal::table::{TextCell, TextTable, cell};
use fathom_kube::{ClassSurvey, Cluster, ClusterAccess, ClusterSurvey};
use fathom_vocab::printable;
use serde::Serialize;

/// The survey as programs read it.
#[derive(Serialize)]
struct SurveyDocument<'a> {
    kind: &'static str,
    schema: u32,
    fathom_version: &'static str,
    #[serde(flatten)]
    survey: &'a ClusterSurvey,
}

/// Examines the cluster's storage and prints it.
///
/// # Errors
/// If the cluster does not answer.
pub fn survey(access: &ClusterAccess, json: bool, screen: &Screen) -> Result<u8, CliError> {
    let survey = Cluster::connect(access)?.survey()?;
    let document = SurveyDocument {
        kind: "fathom-kube",
        schema: 1,
        fathom_version: env!("FATHOM_VERSION"),
        survey: &survey,
    };
    match json {
        true => say(&(show::json(&document)? + "\n")),
        false => say(&text(&survey, screen)),
    }
    Ok(0)
}

fn text(survey: &ClusterSurvey, screen: &Screen) -> String {
    let mut text = format!("Kubernetes {}\n", printable::line(&survey.version));
    if !survey.classes.is_empty() {
        let mut table = TextTable::new();
        let words = ["class", "provisioner", "bound", "reclaim", "expands", "snapshots"];
        table.row(words.into_iter().map(word).map(cell).collect());
        survey.classes.iter().for_each(|class| table.row(row(class)));
        text += &table.text(screen);
    }
    let drivers = match survey.drivers.as_slice() {
        [] => localized!("none"),
        drivers => drivers.join(", "),
    };
    text +=
        &wrapped(localized!("CSI drivers: {}", printable::line(&drivers)), screen.width, "", "  ");
    for finding in &survey.findings {
        let sentence = format!("{}: {}", finding.about, finding.sentence);
        text += &warning(printable::line(&sentence), screen);
    }
    for (class, promise) in
        survey.classes.iter().filter_map(|class| Some((&class.name, class.promise.as_ref()?)))
    {
        let (class, promise) = (printable::line(class), printable::line(promise));
        let line = localized!("{class} is probably {promise}: `fathom kube check -s {class}`.");
        text += &format!("{line}\n");
    }
    if let Some(class) = survey.classes.first() {
        let name = printable::line(&class.name);
        let line = localized!("Measure one by `fathom kube measure -s {name}`.");
        text += &format!("{line}\n");
    }
    text
}

fn row(class: &ClassSurvey) -> Vec<TextCell> {
    let name = printable::line(&class.name);
    let binding = match class.binding.as_str() {
        "Immediate" => word("at once"),
        "WaitForFirstConsumer" => word("with a pod"),
        other => other,
    };
    let snapshots = match class.snapshot_classes.as_slice() {
        [] => "-".to_owned(),
        classes => classes.join(", "),
    };
    vec![
        cell(if class.is_default { localized!("{name} (default)") } else { name.into_owned() }),
        cell(printable::line(&class.provisioner)),
        cell(printable::line(binding)),
        cell(printable::line(&class.reclaim)),
        cell(word(if class.expands { "yes" } else { "no" })),
        cell(printable::line(&snapshots)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_kube::SurveyFinding;

    #[test]
    fn classes_stand_in_a_table_and_findings_below() {
        let class = ClassSurvey {
            name: "local-path".to_owned(),
            is_default: true,
            provisioner: "rancher.io/local-path".to_owned(),
            is_csi: false,
            binding: "WaitForFirstConsumer".to_owned(),
            reclaim: "Delete".to_owned(),
            expands: false,
            snapshot_classes: Vec::new(),
            promise: Some("aws.gp3".to_owned()),
        };
        let finding =
            SurveyFinding { about: "nas".to_owned(), sentence: "is unsound; mend it".to_owned() };
        let survey = ClusterSurvey {
            version: "v1.33.1".to_owned(),
            classes: vec![class],
            drivers: Vec::new(),
            findings: vec![finding],
        };
        let screen = Screen { width: 100, colour: false, ..Screen::detect() };
        let said = text(&survey, &screen);
        assert!(said.contains("local-path (default)  rancher.io/local-path  with a pod"), "{said}");
        assert!(said.contains("\n  ! nas: is unsound; mend it\n"), "{said}");
        assert!(
            said.contains("\nlocal-path is probably aws.gp3: `fathom kube check -s "),
            "{said}"
        );
        assert!(said.ends_with("`fathom kube measure -s local-path`.\n"), "{said}");
    }
}
