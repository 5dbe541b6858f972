//! Documents of every command keep to the schema that `docs/documents.schema.json` publishes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use jsonschema::{Validator, validator_for};
use serde_json::{Value, json};

use crate::released;
use crate::sandbox::{Sandbox, subject};

/// Commands that measure for a moment, each with the kind of its document.
const COMMANDS: [(&str, &str); 8] = [
    ("measure dir --size 8m --time 1600ms --bs 4k --repeat 2", "fathom-measure"),
    ("measure --for etcd dir --size 8m --time 900ms", "fathom-durable"),
    ("sweep dir --size 8m --time-per-run 100ms --ramp 0 --iodepth 1,2", "fathom-sweep"),
    ("compare dir other --size 8m --time 600ms --repeat 3 --rw randread", "fathom-compare"),
    ("compare dir.json dir.json", "fathom-compare-runs"),
    ("check dir --size 8m --time-per-run 2s --iops 1 --read-only", "fathom-check"),
    ("limit dir --size 8m --time-per-run 200ms --p99 10s --max-steps 5", "fathom-limit"),
    ("run --name=t --filename=dir/t --size=1m --rw=randread --assert iops>0", "fathom-run"),
];

/// Commands that measure nothing and print a document as well.
const OTHERS: [(&str, &str); 10] = [
    ("measure dir --dry-run --json", "fathom-plan"),
    ("measure nowhere --json || true", "fathom-failure"),
    ("limit nowhere --p99 1ms --json || true", "fathom-failure"),
    ("sweep dir --iodepth 1,2 --dry-run --json", "fathom-plan"),
    ("run --name=t --filename=dir/t --size=1m --rw=randread --dry-run --json", "fathom-plan"),
    ("doctor dir --json", "fathom-doctor"),
    ("doctor --quick --json --on a,b --agent FATHOM --via 'env HOST={}'", "fathom-doctor-hosts"),
    ("history --json", "fathom-history-list"),
    ("promises --json", "fathom-promises"),
    ("promises aws.gp3 --volume-size 500GiB --iops 6000 --json", "fathom-promise"),
];

/// The schema of all kinds.
fn published() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/documents.schema.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// What it says of one kind.
fn schema_of(kind: &str) -> Validator {
    let published = published();
    let names = |part: &Value| part["properties"]["kind"]["const"] == kind;
    let parts = published["$defs"].as_object().unwrap();
    let name = parts.iter().find(|(_, part)| names(part)).map(|(name, _)| name);
    let reference = format!("#/$defs/{}", name.unwrap_or_else(|| panic!("no schema of {kind}")));
    validator_for(&json!({"$ref": reference, "$defs": published["$defs"]})).unwrap()
}

/// What of a document breaks its schema, and where.
fn broken(schema: &Validator, document: &Value) -> Vec<String> {
    let errors = schema.iter_errors(document);
    errors.map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn documents_of_every_command_keep_to_the_published_schema_of_their_kind() {
    let sandbox = Sandbox::new();
    for name in ["dir", "other"] {
        fs::create_dir(sandbox.work().join(name)).unwrap();
    }
    let first = "measure dir --size 8m --time 800ms --bs 4k --no-record --quiet --json=dir.json";
    sandbox.fathom(first).assert_ended(0);
    for (line, kind) in COMMANDS {
        let outcome = sandbox.fathom(&format!("{line} --no-record --quiet --json"));
        let mut document = outcome.json();
        assert_eq!(document["kind"], kind, "{}", outcome.describe("kind"));
        let schema = schema_of(kind);
        assert_eq!(broken(&schema, &document), [""; 0], "{line}");
        // The schema can be broken.
        document["fathom_version"] = json!(7);
        assert_eq!(broken(&schema, &document).len(), 1, "{line}");
    }
}

#[test]
fn documents_of_commands_that_measure_nothing_keep_to_it_too() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.work().join("dir")).unwrap();
    sandbox.fathom("run --name=t --filename=dir/t --size=1m --rw=randread -q").assert_ended(0);
    let ours = subject().display().to_string();
    for (line, kind) in OTHERS {
        let line = line.replace("FATHOM", &ours);
        let outcome = sandbox.shell(&format!("'{ours}' {line}"));
        let mut document = outcome.json();
        assert_eq!(document["kind"], kind, "{}", outcome.describe("kind"));
        let schema = schema_of(kind);
        assert_eq!(broken(&schema, &document), [""; 0], "{line}");
        // The schema can be broken.
        document["schema"] = json!("1");
        assert_ne!(broken(&schema, &document), [""; 0], "{line}");
    }
}

#[test]
fn no_kind_of_the_schema_is_without_a_command_that_is_held_to_it() {
    let held: BTreeSet<&str> = COMMANDS.iter().chain(&OTHERS).map(|(_, kind)| *kind).collect();
    assert_eq!(published()["oneOf"].as_array().unwrap().len(), held.len());
}

#[test]
fn documents_of_the_release_before_keep_to_the_same_schema() {
    let sandbox = released::sandbox();
    for (kind, id) in released::runs(&sandbox) {
        let shown = sandbox.fathom(&format!("history show {id} --json"));
        let document: Value = serde_json::from_str(&shown.assert_success().stdout).unwrap();
        let schema = schema_of(&format!("fathom-{kind}"));
        assert_eq!(broken(&schema, &document), [""; 0], "{kind}");
    }
}
