//! Project checks that the compiler cannot make; `cargo xtask tidy` runs them, and so does CI.
//!
//! Code is parsed with `syn`, so that a banned word in a string or a comment does not count. Every
//! finding has a position and advice. CONTRIBUTING.md describes the rules; each file here has one
//! group of them.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod circles;
mod edges;
mod finding;
mod links;
mod names;
mod ratchet;
mod schema;
mod shape;
mod size;
mod source;
mod texts;
mod tree;
mod truth;
mod verdicts;
mod words;

use anyhow::{Context, Result};
use ratchet::Record;
use source::SourceFile;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tree::Tree;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["tidy"] => tidy(&repository()),
        ["ratchet"] => lower(&repository()),
        ["schema"] => schema::write(&repository()),
        ["size"] => show_size(&repository()),
        ["truth", settings @ ..] => truth::run(&repository(), settings),
        ["verdicts", settings @ ..] => verdicts::run(&repository(), settings),
        ["man", folder] => man(&repository(), folder),
        ["same", settings @ ..] => verdicts::same::run(&repository(), settings),
        _ => {
            eprintln!("usage: cargo xtask tidy      check the house rules");
            eprintln!("       cargo xtask ratchet   lower the record of rules that are broken");
            eprintln!(
                "       cargo xtask schema    write docs/documents.schema.json from the types"
            );
            eprintln!("       cargo xtask size      count lines of code, of product and tests");
            eprintln!("       cargo xtask {}", truth::USAGE);
            eprintln!("       cargo xtask {}", verdicts::USAGE);
            eprintln!("       cargo xtask man FOLDER   write the pages of `man` into a folder");
            eprintln!("       cargo xtask {}", verdicts::same::USAGE);
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

/// The repository's root: two folders above this crate, as `cargo run` reports it. The path at
/// build time may be another clone that shares the target folder.
fn repository() -> PathBuf {
    let own = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let own = own.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    own.ancestors().nth(2).unwrap_or(&own).to_owned()
}

/// Writes the man pages, which the binary generates from its command line.
fn man(root: &Path, folder: &str) -> Result<bool> {
    let folder = std::path::absolute(folder)?;
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let mut cargo = Command::new("cargo");
    cargo
        .args(["run", "--quiet", "--package", "fathom", "--features", "kube", "--", "man-pages"])
        .arg(&folder);
    Ok(cargo.current_dir(root).status().context("cannot run cargo")?.success())
}

/// Runs every check; `false` if anything was found.
fn tidy(root: &Path) -> Result<bool> {
    let tree = Tree::read(root)?;
    let sources = parse_all(&tree)?;
    let mut findings = edges::check_workspace(root, &sources)?;
    for source in &sources {
        findings.extend(words::check(source));
        findings.extend(shape::check(source));
    }
    for file in &tree.markdown {
        findings.extend(links::check(root, file)?);
    }
    findings.extend(schema::check(root)?);
    let (beyond, mut notes) = ratchet::check(&Record::read(root)?, &sources);
    findings.extend(beyond);
    let (unused, untranslated) = texts::check(root, &sources)?;
    findings.extend(unused);
    notes.extend(untranslated);
    findings.sort();
    findings.iter().for_each(|finding| println!("{finding}"));
    notes.iter().for_each(|note| println!("note: {note}"));
    let files = sources.len() + tree.markdown.len();
    println!("tidy: {} findings in {files} files", findings.len());
    Ok(findings.is_empty())
}

/// Lowers the record to the present counts; refuses to raise it.
fn lower(root: &Path) -> Result<bool> {
    let lowered = ratchet::lower(root, &parse_all(&Tree::read(root)?)?)?;
    lowered.iter().for_each(|line| println!("{line}"));
    Ok(true)
}

/// Prints how many lines of code each crate has.
fn show_size(root: &Path) -> Result<bool> {
    print!("{}", size::table(&parse_all(&Tree::read(root)?)?));
    Ok(true)
}

/// Every Rust file, parsed, with its place among tests and code settled.
fn parse_all(tree: &Tree) -> Result<Vec<SourceFile>> {
    let mut sources = Vec::with_capacity(tree.rust.len());
    for path in &tree.rust {
        let text = std::fs::read_to_string(tree.root.join(path))
            .with_context(|| path.display().to_string())?;
        sources.push(SourceFile::parse(path, text)?);
    }
    source::spread_tests(&mut sources);
    Ok(sources)
}
