//! Words that are banned from the code: `unsafe` outside the engine, printing and the environment
//! outside the binary, conditions on the system outside the designated places, and leftovers of
//! unfinished work.

use crate::finding::TidyFinding;
use crate::source::{SourceFile, SourceToken};

/// The only crate with `unsafe` code.
const UNSAFE_ROOM: &str = "engine";

/// Where code may depend on the system: crates with a folder for each system, and one module of the
/// binary.
const SYSTEM_PLACES: &[&str] = &["crates/engine/", "crates/host/", "crates/cli/src/system/"];

/// Development tools run on Linux only.
const LINUX_TOOLS: &[&str] = &["bench", "xtask"];

/// Words of a `cfg` that depend on the system.
const SYSTEM_WORDS: &[&str] = &["windows", "unix", "target_os", "target_family", "target_env"];

/// Crates that print and read the environment.
const TALKING_ROOMS: &[&str] = &["cli", "bench", "skip", "xtask"];

/// A banned sequence of tokens, with advice.
struct Ban {
    rule: &'static str,
    words: &'static [&'static str],
    instead: &'static str,
}

const RETURN_IT: &str = "return it; only the binary prints";
const PASS_IT: &str = "take it as a parameter; only the binary reads the environment";
const FINISH_IT: &str = "finish it, or refuse by name with an error";
const SAY_WHY: &str = "return the error, or `expect(\"why it cannot fail\")`";

const PRINTS: &[Ban] = &[
    Ban { rule: "printing", words: &["println", "!"], instead: RETURN_IT },
    Ban { rule: "printing", words: &["eprintln", "!"], instead: RETURN_IT },
    Ban { rule: "printing", words: &["print", "!"], instead: RETURN_IT },
    Ban { rule: "printing", words: &["eprint", "!"], instead: RETURN_IT },
    Ban { rule: "environment", words: &["env", ":", ":", "var"], instead: PASS_IT },
    Ban { rule: "environment", words: &["env", ":", ":", "var_os"], instead: PASS_IT },
    Ban { rule: "environment", words: &["env", ":", ":", "vars"], instead: PASS_IT },
    Ban { rule: "environment", words: &["env", ":", ":", "vars_os"], instead: PASS_IT },
    Ban { rule: "environment", words: &["env", ":", ":", "set_var"], instead: PASS_IT },
    Ban { rule: "environment", words: &["env", ":", ":", "remove_var"], instead: PASS_IT },
    // An import would bring the functions in under their bare names.
    Ban { rule: "environment", words: &["env", ":", ":", "{"], instead: PASS_IT },
    Ban { rule: "environment", words: &["env", ":", ":", "*"], instead: PASS_IT },
];

const LEFT_BEHIND: &[Ban] = &[
    Ban { rule: "unfinished", words: &["dbg", "!"], instead: "take it out" },
    Ban { rule: "unfinished", words: &["todo", "!"], instead: FINISH_IT },
    Ban { rule: "unfinished", words: &["unimplemented", "!"], instead: FINISH_IT },
    Ban { rule: "unwrap", words: &[".", "unwrap", "(", ")"], instead: SAY_WHY },
    Ban { rule: "unwrap", words: &[".", "unwrap_err", "(", ")"], instead: SAY_WHY },
];

const READ_TEXT: &str = "read text with `serde_json::from_str`, and documents with \
                         `AnyDocument::read`: each other source compiles all that reads their \
                         types once more";

/// Sources of JSON other than text.
const OTHER_SOURCES: &[Ban] = &[
    Ban { rule: "json", words: &["serde_json", ":", ":", "from_slice"], instead: READ_TEXT },
    Ban { rule: "json", words: &["serde_json", ":", ":", "from_reader"], instead: READ_TEXT },
    Ban { rule: "json", words: &["serde_json", ":", ":", "from_value"], instead: READ_TEXT },
    Ban { rule: "json", words: &["serde_path_to_error"], instead: READ_TEXT },
];

/// All findings of this group in one file.
pub fn check(source: &SourceFile) -> Vec<TidyFinding> {
    let room = source.room().unwrap_or_default();
    let mut findings = Vec::new();
    for ban in LEFT_BEHIND {
        findings.extend(banned(source, ban));
    }
    if !TALKING_ROOMS.contains(&room) {
        for ban in PRINTS {
            findings.extend(banned(source, ban));
        }
    }
    if !LINUX_TOOLS.contains(&room) {
        for ban in OTHER_SOURCES {
            findings.extend(banned(source, ban));
        }
    }
    if source.room().is_some() && room != UNSAFE_ROOM {
        findings.extend(unsafe_code(source));
    }
    if !SYSTEM_PLACES.iter().any(|place| source.path.starts_with(place)) {
        findings.extend(system_questions(source));
        if !LINUX_TOOLS.contains(&room) {
            findings.extend(system_modules(source));
        }
    }
    findings.extend(marks(source));
    findings
}

/// `cfg(windows)` and similar conditions, tests included: a test should depend on the code's stated
/// abilities.
fn system_questions(source: &SourceFile) -> Vec<TidyFinding> {
    let instead = "ask in crates/engine, crates/host or crates/cli/src/system, and give an answer \
                   that is the same everywhere";
    let asks = |at: &usize| {
        let rest = &source.tokens[*at + 1..];
        matches!(source.tokens[*at].text.as_str(), "cfg" | "cfg_attr")
            && in_brackets(rest).iter().any(|word| SYSTEM_WORDS.contains(&word.text.as_str()))
    };
    let found = (0..source.tokens.len()).filter(asks);
    found
        .map(|at| TidyFinding::new(&source.path, source.tokens[at].line, "system", instead))
        .collect()
}

/// The tokens up to the bracket that closes the one that `tokens` begin with, a `!` left out.
fn in_brackets(tokens: &[SourceToken]) -> &[SourceToken] {
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            "!" if at == 0 => continue,
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return &tokens[..at];
        }
    }
    tokens
}

/// Modules of the standard library that one system has.
fn system_modules(source: &SourceFile) -> Vec<TidyFinding> {
    let instead = "one system has it: take what is needed from crates/host or crates/engine";
    let modules = ["unix", "windows", "linux", "fd"].into_iter();
    let lines = modules.flat_map(|module| source.find(&["os", ":", ":", module]));
    let lines = lines.filter(|line| !source.is_test(*line));
    lines.map(|line| TidyFinding::new(&source.path, line, "system", instead)).collect()
}

fn banned(source: &SourceFile, ban: &Ban) -> Vec<TidyFinding> {
    let lines = source.find(ban.words).into_iter().filter(|line| !source.is_test(*line));
    let words = ban.words.concat();
    lines
        .map(|line| {
            TidyFinding::new(&source.path, line, ban.rule, format!("`{words}`: {}", ban.instead))
        })
        .collect()
}

/// `unsafe` anywhere, tests included, and the attribute at the crate's root that forbids it.
fn unsafe_code(source: &SourceFile) -> Vec<TidyFinding> {
    let instead = "`unsafe` lives in crates/engine only; give it a safe door there";
    let lines = source.find(&["unsafe"]);
    let mut findings: Vec<TidyFinding> = lines
        .into_iter()
        .map(|line| TidyFinding::new(&source.path, line, "unsafe", instead))
        .collect();
    let is_root = ["src/lib.rs", "src/main.rs"].iter().any(|root| source.path.ends_with(root));
    let forbids = source.inner_attributes.iter().any(|inner| inner == "forbid(unsafe_code)");
    if is_root && !forbids {
        let instead = "add `#![forbid(unsafe_code)]` under the head of the crate's root";
        findings.push(TidyFinding::new(&source.path, 1, "unsafe", instead));
    }
    findings
}

/// Marks of unfinished work in comments.
fn marks(source: &SourceFile) -> Vec<TidyFinding> {
    // Concatenated, so that this file does not find itself.
    let mark = concat!("FIX", "ME");
    let is_marked = |line: &str| {
        line.split_once("//").is_some_and(|(before, comment)| {
            // A quote before it that is not closed means that the slashes are in a string.
            before.matches('"').count() % 2 == 0 && comment.contains(mark)
        })
    };
    let lines = source.text.lines().enumerate().filter(|(_, line)| is_marked(line));
    lines
        .map(|(at, _)| {
            TidyFinding::new(&source.path, at + 1, "unfinished", "do it now, or file an issue")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The rules broken by `text` as the file `path`.
    fn rules(path: &str, text: &str) -> Vec<&'static str> {
        let source = SourceFile::parse(Path::new(path), text.to_owned()).unwrap();
        check(&source).into_iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn printing_and_the_environment_belong_to_the_binary() {
        let bad = "fn f() { println!(\"{}\", std::env::var(\"X\").is_ok()); }";
        assert_eq!(rules("crates/run/src/a.rs", bad), ["printing", "environment"]);
        assert_eq!(rules("crates/cli/src/a.rs", bad), [""; 0]);
        assert_eq!(rules("crates/run/tests/a.rs", bad), [""; 0]);
        assert_eq!(rules("crates/run/src/a.rs", "use std::env::{self, var};"), ["environment"]);
        let good = "/// println!\nfn f() -> String { format!(\"println! env::var\") }";
        assert_eq!(rules("crates/run/src/a.rs", good), [""; 0]);
        assert_eq!(
            rules("crates/run/src/a.rs", "const A: &str = std::env::consts::ARCH;"),
            [""; 0]
        );
    }

    #[test]
    fn unsafe_belongs_to_the_engine() {
        let bad = "fn f() { unsafe { g() } }";
        assert_eq!(rules("crates/run/src/a.rs", bad), ["unsafe"]);
        assert_eq!(rules("crates/run/src/a.rs", "unsafe impl Send for A {}"), ["unsafe"]);
        assert_eq!(rules("crates/run/src/a.rs", "m! { unsafe { 1 } }"), ["unsafe"]);
        assert_eq!(rules("crates/engine/src/a.rs", bad), [""; 0]);
        assert_eq!(rules("crates/run/src/a.rs", "// unsafe\nconst A: &str = \"unsafe\";"), [""; 0]);
    }

    #[test]
    fn systems_are_asked_for_in_their_places_only() {
        let bad = "#[cfg(windows)]\nfn f() {}\n#[cfg(not(any(unix, test)))]\nfn g() {}\n\
                   fn h() -> bool { cfg!(target_os = \"linux\") }";
        for path in ["crates/run/src/a.rs", "crates/run/tests/a.rs", "crates/cli/src/home.rs"] {
            assert_eq!(rules(path, bad), ["system"; 3], "{path}");
        }
        for path in ["crates/engine/src/lib.rs", "crates/host/tests/a.rs"] {
            assert!(!rules(path, bad).contains(&"system"), "{path}");
        }
        assert_eq!(rules("crates/cli/src/system/mod.rs", bad), [""; 0]);
        let other = "#[cfg(test)]\nmod unix {}\n#[cfg(feature = \"windows\")]\nfn windows() {}";
        assert_eq!(rules("crates/run/src/a.rs", other), [""; 0]);
        let module = "use std::os::unix::fs::MetadataExt;";
        assert_eq!(rules("crates/run/src/a.rs", module), ["system"]);
        assert_eq!(rules("crates/run/tests/a.rs", module), [""; 0]);
        assert_eq!(rules("crates/bench/src/a.rs", module), [""; 0]);
    }

    #[test]
    fn every_other_root_forbids_unsafe() {
        assert_eq!(rules("crates/run/src/lib.rs", "//! Head.\n"), ["unsafe"]);
        assert_eq!(rules("crates/run/src/lib.rs", "#![forbid(unsafe_code)]\n"), [""; 0]);
        assert_eq!(rules("crates/run/src/lib.rs", "#![deny(unsafe_code)]\n"), ["unsafe"]);
        assert_eq!(rules("crates/engine/src/lib.rs", "//! Head.\n"), [""; 0]);
    }

    #[test]
    fn json_is_read_from_text() {
        let bad = "fn f() { serde_json::from_slice::<A>(b); serde_path_to_error::deserialize(d); }";
        assert_eq!(rules("crates/fleet/src/a.rs", bad), ["json"; 2]);
        assert_eq!(rules("crates/fleet/tests/a.rs", bad), [""; 0]);
        assert_eq!(rules("crates/xtask/src/a.rs", bad), [""; 0]);
        let good = "fn f() { serde_json::from_str::<A>(text); }";
        assert_eq!(rules("crates/fleet/src/a.rs", good), [""; 0]);
    }

    #[test]
    fn unwrap_is_for_tests() {
        let bad = "fn f() { a.unwrap(); }";
        assert_eq!(rules("crates/cli/src/a.rs", bad), ["unwrap"]);
        assert_eq!(rules("crates/cli/src/a.rs", &format!("#[test]\n{bad}")), [""; 0]);
        let good = "fn f() { a.unwrap_or(1); a.expect(\"why\"); /* .unwrap() */ }";
        assert_eq!(rules("crates/cli/src/a.rs", good), [""; 0]);
    }

    #[test]
    fn nothing_unfinished_stays() {
        assert_eq!(rules("crates/cli/src/a.rs", "fn f() { todo!() }"), ["unfinished"]);
        assert_eq!(rules("crates/cli/src/a.rs", "fn f() { dbg!(1); }"), ["unfinished"]);
        let comment = format!("fn f() {{}} // {}: later\n", concat!("FIX", "ME"));
        assert_eq!(rules("crates/cli/src/a.rs", &comment), ["unfinished"]);
        let string = format!("const A: &str = \"a // {}\";\n", concat!("FIX", "ME"));
        assert_eq!(rules("crates/cli/src/a.rs", &string), [""; 0]);
    }
}
