//! Words that may not stand in the code: `unsafe` outside the engine, printing and the
//! environment outside the binary, and what is left behind by unfinished work.

use crate::finding::TidyFinding;
use crate::source::SourceFile;

/// The only room that may hold `unsafe`.
const UNSAFE_ROOM: &str = "engine";

/// Rooms that talk to a person and read the environment.
const TALKING_ROOMS: &[&str] = &["cli", "bench", "xtask"];

/// A row of tokens that is banned, and what to do instead.
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
    if source.room().is_some() && room != UNSAFE_ROOM {
        findings.extend(unsafe_code(source));
    }
    findings.extend(marks(source));
    findings
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
    // Put together, so that this file does not find itself.
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
    fn every_other_root_forbids_unsafe() {
        assert_eq!(rules("crates/run/src/lib.rs", "//! Head.\n"), ["unsafe"]);
        assert_eq!(rules("crates/run/src/lib.rs", "#![forbid(unsafe_code)]\n"), [""; 0]);
        assert_eq!(rules("crates/run/src/lib.rs", "#![deny(unsafe_code)]\n"), ["unsafe"]);
        assert_eq!(rules("crates/engine/src/lib.rs", "//! Head.\n"), [""; 0]);
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
