//! Documents of every command keep to the schema that `docs/documents.schema.json` publishes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
struct KindSchema {
    part: Value,
    published: Value,
}

fn schema_of(kind: &str) -> KindSchema {
    let published = published();
    let names = |part: &&Value| part["properties"]["kind"]["const"] == kind;
    let mut parts = published["$defs"].as_object().unwrap().values();
    let part = parts.find(names).unwrap_or_else(|| panic!("no schema of {kind}")).clone();
    KindSchema { part, published }
}

/// What of a document breaks its schema, and where.
fn broken(schema: &KindSchema, document: &Value) -> Vec<String> {
    schema.errors(&schema.part, document, "")
}

impl KindSchema {
    fn errors(&self, schema: &Value, value: &Value, place: &str) -> Vec<String> {
        let keywords = schema.as_object().into_iter().flatten();
        keywords
            .flat_map(|(keyword, wanted)| match keyword.as_str() {
                "$ref" => {
                    let name = wanted.as_str().unwrap().trim_start_matches("#/$defs/");
                    let part = &self.published["$defs"][name];
                    assert!(part.is_object(), "{wanted} leads nowhere");
                    self.errors(part, value, place)
                }
                "properties" => self.fields_errors(wanted, value, place),
                "additionalProperties" => {
                    let known = &schema["properties"];
                    let others = value.as_object().into_iter().flatten();
                    let others = others.filter(|(name, _)| known.get(name).is_none());
                    let errors = others.map(|(name, other)| match wanted {
                        Value::Bool(false) => vec![format!("{place}/{name} is unknown")],
                        _ => self.errors(wanted, other, &format!("{place}/{name}")),
                    });
                    errors.flatten().collect()
                }
                "items" | "prefixItems" => {
                    let elements = value.as_array().into_iter().flatten().enumerate();
                    let errors = elements.map(|(at, element)| {
                        let of = wanted.get(at).unwrap_or(wanted);
                        self.errors(of, element, &format!("{place}/{at}"))
                    });
                    errors.flatten().collect()
                }
                "anyOf" | "oneOf" => {
                    let choices = wanted.as_array().unwrap().iter();
                    let fits = choices.filter(|of| self.errors(of, value, place).is_empty());
                    let count = fits.count();
                    let holds = count == 1 || (keyword == "anyOf" && count > 1);
                    error_unless(holds, format!("{place}: {count} of {keyword} fit {value}"))
                }
                _ => error_unless(
                    holds(keyword, wanted, value),
                    format!("{place}: {keyword} {wanted}"),
                ),
            })
            .collect()
    }

    fn fields_errors(&self, fields: &Value, value: &Value, place: &str) -> Vec<String> {
        let fields = fields.as_object().into_iter().flatten();
        let errors = fields.filter_map(|(name, schema)| {
            Some(self.errors(schema, value.get(name)?, &format!("{place}/{name}")))
        });
        errors.flatten().collect()
    }
}

/// Whether a value keeps to a keyword that looks at nothing within it.
fn holds(keyword: &str, wanted: &Value, value: &Value) -> bool {
    let length = value.as_array().map(|list| list.len() as u64);
    match keyword {
        "type" => match wanted {
            Value::Array(types) => types.iter().any(|one| is_of_type(one, value)),
            one => is_of_type(one, value),
        },
        "const" => value == wanted,
        "enum" => wanted.as_array().is_some_and(|all| all.contains(value)),
        "required" => {
            let lacks =
                |name: &Value| value.is_object() && value.get(name.as_str().unwrap()).is_none();
            !wanted.as_array().unwrap().iter().any(lacks)
        }
        "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().unwrap()),
        "minItems" => length.is_none_or(|length| length >= wanted.as_u64().unwrap()),
        "maxItems" => length.is_none_or(|length| length <= wanted.as_u64().unwrap()),
        "description" | "title" | "format" => true,
        other => panic!("an unknown keyword: {other}"),
    }
}

fn is_of_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("an unknown type: {other}"),
    }
}

fn error_unless(holds: bool, error: String) -> Vec<String> {
    if holds { Vec::new() } else { vec![error] }
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
