//! A field of a job that no other crate reads is an option that does nothing, whatever its status
//! says. The sources are searched for each field's name; that finds a field that nobody reads.

use std::fs;
use std::path::Path;

/// All sources of a folder as one text.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()) {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|end| end == "rs") => {
                    text += &fs::read_to_string(path).unwrap();
                }
                _ => {}
            }
        }
    }
    text
}

/// Names of the public fields in a source.
fn fields(source: &str) -> Vec<&str> {
    source
        .lines()
        .filter_map(|line| line.strip_prefix("    pub ")?.split_once(':'))
        .map(|(name, _)| name)
        .filter(|name| !name.contains([' ', '(']))
        .collect()
}

/// Fields that this crate itself makes use of, and what for.
const OWN: [&str; 4] = [
    // Printing jobs.
    "inherited",
    // `ErrorPolicy::goes_on`.
    "ignore",
    // `Target::stem`.
    "section",
    // `JobSpec::reads_back`.
    "do_verify",
];

#[test]
fn every_field_of_a_job_is_read_by_what_runs_it() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let spec = fs::read_to_string(crates.join("job/src/spec.rs")).unwrap();
    let names = fields(&spec);
    assert!(names.len() > 100, "{} fields", names.len());
    let readers: String = ["run", "workload", "cli", "output", "fleet"]
        .iter()
        .map(|of| sources(&crates.join(of).join("src")))
        .collect();
    let is_read = |name: &str| {
        readers.match_indices(&format!(".{name}")).any(|(at, found)| {
            let after = readers[at + found.len()..].chars().next();
            !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
    };
    let idle: Vec<&str> =
        names.into_iter().filter(|name| !is_read(name) && !OWN.contains(name)).collect();
    assert!(idle.is_empty(), "read by no crate that runs jobs: {idle:?}");
}
