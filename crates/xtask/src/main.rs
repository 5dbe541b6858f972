//! Checks of the house that the compiler cannot make; `cargo xtask tidy` runs them, and CI with it.
//!
//! Code is read with `syn`, so that a banned word in a string or a comment is none. Every finding
//! names a place and says what to do instead: a rule that only forbids teaches nothing. The rules
//! are told in CONTRIBUTING.md; each file here holds one group of them.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod edges;
mod finding;
mod links;
mod ratchet;
mod shape;
mod source;
mod tree;
mod truth;
mod words;

use anyhow::{Context, Result, bail};
use ratchet::Record;
use source::Source;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tree::Tree;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["tidy"] => tidy(&house()),
        ["ratchet"] => lower(&house()),
        ["truth", settings @ ..] => truth::run(&house(), settings),
        _ => {
            eprintln!("usage: cargo xtask tidy      check the house rules");
            eprintln!("       cargo xtask ratchet   lower the record of long functions");
            eprintln!("       cargo xtask {}", truth::USAGE);
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The repository's root: two folders above this crate.
fn house() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_owned()
}

/// Runs every check; `false` if anything was found.
fn tidy(root: &Path) -> Result<bool> {
    let tree = Tree::read(root)?;
    let sources = parse_all(&tree)?;
    let mut findings = edges::check_workspace(root)?;
    for source in &sources {
        findings.extend(words::check(source));
        findings.extend(shape::check(source));
    }
    for file in &tree.markdown {
        findings.extend(links::check(root, file)?);
    }
    let record = Record::read(root)?;
    let long = ratchet::long_functions(&sources);
    findings.extend(ratchet::check(record, &long));
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    if long.len() < record.long_functions {
        println!(
            "note: {} functions over {} lines, the record is {}: `cargo xtask ratchet`",
            long.len(),
            ratchet::LONG,
            record.long_functions
        );
    }
    let files = sources.len() + tree.markdown.len();
    println!("tidy: {} findings in {files} files", findings.len());
    Ok(findings.is_empty())
}

/// Lowers the record to what there is; refuses to raise it.
fn lower(root: &Path) -> Result<bool> {
    let long = ratchet::long_functions(&parse_all(&Tree::read(root)?)?);
    let record = Record::read(root)?;
    if long.len() > record.long_functions {
        bail!(
            "{} functions are over {} lines and the record is {}: it only goes down",
            long.len(),
            ratchet::LONG,
            record.long_functions
        );
    }
    Record { long_functions: long.len() }.write(root)?;
    println!("record: {} functions over {} lines", long.len(), ratchet::LONG);
    Ok(true)
}

/// Every Rust file, parsed, with its place among tests and code settled.
fn parse_all(tree: &Tree) -> Result<Vec<Source>> {
    let mut sources = Vec::with_capacity(tree.rust.len());
    for path in &tree.rust {
        let text = std::fs::read_to_string(tree.root.join(path))
            .with_context(|| path.display().to_string())?;
        sources.push(Source::parse(path, text)?);
    }
    source::spread_tests(&mut sources);
    Ok(sources)
}
