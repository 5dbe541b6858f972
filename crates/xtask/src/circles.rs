//! Circles of modules and of files: what uses each other, directly or indirectly, can only be
//! understood, moved and tested together.
//!
//! Decided here:
//! - A file uses another if a path of its product code (`use`, or inside code) leads to an item of
//!   that file. A re-export is followed to the file that declares the item, so that a file such as
//!   `lib.rs` or `mod.rs` that only re-exports names closes no circle.
//! - A module is a folder or a file at the top of a crate, with all below it: what a reader holds
//!   in his head. The file that declares them (`lib.rs`) is none. Modules are counted and not
//!   circles, because one circle can hold a whole crate.
//! - Declaring a module (`mod x;`) and re-exporting its names (`pub use x::…`) is not a use.

use crate::finding::TidyFinding;
use crate::source::SourceFile;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most files that a finding names.
const NAMED: usize = 6;

/// Every circle of two files or more, one finding each.
pub fn of_files(sources: &[SourceFile]) -> Vec<TidyFinding> {
    by_crate(sources).values().flat_map(|files| circles_of_files(files)).collect()
}

/// Every module that stands in a circle of modules, one finding each.
pub fn of_modules(sources: &[SourceFile]) -> Vec<TidyFinding> {
    by_crate(sources).values().flat_map(|files| modules_in_circles(files)).collect()
}

/// The product files of each crate.
fn by_crate(sources: &[SourceFile]) -> BTreeMap<&str, Vec<&SourceFile>> {
    let mut by_crate: BTreeMap<&str, Vec<&SourceFile>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.all_tests) {
        if let Some(name) = source.room() {
            by_crate.entry(name).or_default().push(source);
        }
    }
    by_crate
}

fn modules_in_circles(files: &[&SourceFile]) -> Vec<TidyFinding> {
    let crate_files = CrateFiles::new(files);
    let name_of = |file: usize| crate_files.modules[file].first().map_or("", String::as_str);
    let names: BTreeSet<&str> = (0..files.len()).map(name_of).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let number_of = |file: usize| names.iter().position(|name| *name == name_of(file));
    let mut uses = vec![BTreeSet::new(); names.len()];
    // The file of a use, for each pair of modules.
    let mut shown: BTreeMap<(usize, usize), &Path> = BTreeMap::new();
    for file in 0..files.len() {
        for used in crate_files.used_by(file) {
            let (Some(from), Some(to)) = (number_of(file), number_of(used)) else { continue };
            let is_root = names[from].is_empty() || names[to].is_empty();
            if from != to && !is_root {
                uses[from].insert(to);
                shown.entry((from, to)).or_insert(&files[file].path);
            }
        }
    }
    let circles = strongly_connected(&uses).into_iter().filter(|circle| circle.len() > 1);
    let findings = circles.flat_map(|circle| {
        let finding = |from: usize| {
            let within = uses[from].iter().filter(|to| circle.contains(to));
            let path = within.clone().find_map(|to| shown.get(&(from, *to)));
            let used: Vec<&str> = within.map(|to| names[*to]).collect();
            let instead = format!(
                "`{}` is one of {} modules that use each other; it uses {}",
                names[from],
                circle.len(),
                used.join(", ")
            );
            path.map(|path| TidyFinding::new(path, 1, "circle of modules", instead))
        };
        circle.iter().filter_map(|from| finding(*from)).collect::<Vec<TidyFinding>>()
    });
    findings.collect()
}

fn circles_of_files(files: &[&SourceFile]) -> Vec<TidyFinding> {
    let crate_files = CrateFiles::new(files);
    let uses: Vec<BTreeSet<usize>> =
        (0..files.len()).map(|file| crate_files.used_by(file)).collect();
    let mut findings = Vec::new();
    for circle in strongly_connected(&uses).into_iter().filter(|circle| circle.len() > 1) {
        let mut paths: Vec<String> =
            circle.iter().map(|file| files[*file].path.display().to_string()).collect();
        paths.sort();
        let more = paths.len().saturating_sub(NAMED);
        let first = PathBuf::from(&paths[0]);
        paths.truncate(NAMED);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        let instead = format!(
            "{} files use each other: {}{rest}; move what they share to a file below both",
            circle.len(),
            paths.join(", ")
        );
        findings.push(TidyFinding::new(&first, 1, "circle", instead));
    }
    findings
}

/// The files of one crate and how its module paths lead to them.
struct CrateFiles<'a> {
    files: &'a [&'a SourceFile],
    /// Each file's own module path, from the crate's root: empty for `lib.rs`.
    modules: Vec<Vec<String>>,
    /// The file of a module path.
    file_of: BTreeMap<Vec<String>, usize>,
}

impl<'a> CrateFiles<'a> {
    fn new(files: &'a [&'a SourceFile]) -> Self {
        let modules: Vec<Vec<String>> = files.iter().map(|file| module_of(&file.path)).collect();
        let file_of = modules.iter().cloned().enumerate().map(|(at, path)| (path, at)).collect();
        CrateFiles { files, modules, file_of }
    }

    /// The files that the product code of `file` uses, itself left out.
    fn used_by(&self, file: usize) -> BTreeSet<usize> {
        let source = self.files[file];
        let paths = source.paths.iter().filter(|path| !path.handed_on);
        let paths = paths.filter(|path| !source.is_test(path.line));
        let targets = paths.filter_map(|path| self.target(file, &path.parts, 0));
        targets.filter(|target| *target != file).collect()
    }

    /// The file that declares the item at the end of a path; none for another crate's.
    fn target(&self, from: usize, parts: &[String], hops: usize) -> Option<usize> {
        let mut module = self.modules[from].clone();
        let mut rest = parts;
        match rest.first()?.as_str() {
            "crate" => (module, rest) = (Vec::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    module.pop();
                    rest = &rest[1..];
                }
            }
            // A child of this module, or another crate.
            child => {
                let mut inside = module.clone();
                inside.push(child.to_owned());
                self.file_of.get(&inside)?;
            }
        }
        while let Some(part) = rest.first() {
            let mut inside = module.clone();
            inside.push(part.clone());
            if !self.file_of.contains_key(&inside) {
                break;
            }
            (module, rest) = (inside, &rest[1..]);
        }
        let file = *self.file_of.get(&module)?;
        let name = rest.first();
        // Eight hops of re-exports are more than any name takes.
        let onward = name.filter(|_| hops < 8).and_then(|name| self.handed_on(file, name, hops));
        Some(onward.unwrap_or(file))
    }

    /// The declaration of the item that `file` re-exports as `name`.
    fn handed_on(&self, file: usize, name: &str, hops: usize) -> Option<usize> {
        let exports = self.files[file].paths.iter().filter(|path| path.handed_on);
        let path = exports.into_iter().find(|path| path.alias == name)?;
        self.target(file, &path.parts, hops + 1)
    }
}

/// `crates/x/src/a/b.rs` is `a::b`; `lib.rs`, `main.rs` and `mod.rs` are their folder.
fn module_of(path: &Path) -> Vec<String> {
    let inside: PathBuf = path.components().skip(3).collect();
    let mut parts: Vec<String> = inside
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if parts.last().is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str())) {
        parts.pop();
    }
    parts
}

/// Tarjan's algorithm: the sets of nodes that reach each other.
fn strongly_connected(edges: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let mut walk = Walk { edges, ..Walk::default() };
    walk.nodes.resize(edges.len(), Node::default());
    for node in 0..edges.len() {
        if walk.nodes[node].number == 0 {
            walk.visit(node);
        }
    }
    walk.components
}

#[derive(Clone, Default)]
struct Node {
    /// In the order of visits, from 1; 0 if it was not visited yet.
    number: usize,
    /// The lowest number that it reaches.
    lowest: usize,
    on_stack: bool,
}

#[derive(Default)]
struct Walk<'a> {
    edges: &'a [BTreeSet<usize>],
    nodes: Vec<Node>,
    stack: Vec<usize>,
    visited: usize,
    components: Vec<Vec<usize>>,
}

impl Walk<'_> {
    fn visit(&mut self, node: usize) {
        self.visited += 1;
        self.nodes[node] = Node { number: self.visited, lowest: self.visited, on_stack: true };
        self.stack.push(node);
        for next in &self.edges[node] {
            if self.nodes[*next].number == 0 {
                self.visit(*next);
                self.nodes[node].lowest = self.nodes[node].lowest.min(self.nodes[*next].lowest);
            } else if self.nodes[*next].on_stack {
                self.nodes[node].lowest = self.nodes[node].lowest.min(self.nodes[*next].number);
            }
        }
        if self.nodes[node].lowest == self.nodes[node].number {
            let start = self.stack.iter().rposition(|at| *at == node).unwrap_or(0);
            let component = self.stack.split_off(start);
            component.iter().for_each(|at| self.nodes[*at].on_stack = false);
            self.components.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(files: &[(&str, &str)]) -> Vec<SourceFile> {
        let parse = |(path, text): &(&str, &str)| {
            SourceFile::parse(&Path::new("crates/x/src").join(path), (*text).to_owned()).unwrap()
        };
        files.iter().map(parse).collect()
    }

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        of_files(&parsed(files)).into_iter().map(|finding| finding.instead).collect()
    }

    #[test]
    fn modules_that_use_each_other_are_found_where_no_file_does() {
        let files = [
            ("lib.rs", "mod a; mod b; use b::low::Low; pub struct Root;"),
            ("a/mod.rs", "pub mod high; pub mod low;"),
            ("a/high.rs", "use crate::b::low::Low; use crate::Root; pub struct High;"),
            ("a/low.rs", "pub struct Low;"),
            ("b/mod.rs", "pub mod high; pub mod low;"),
            ("b/high.rs", "pub struct High { low: crate::a::low::Low }"),
            ("b/low.rs", "pub struct Low;"),
        ];
        assert_eq!(circles(&files), Vec::<String>::new());
        let found = of_modules(&parsed(&files));
        let expected = "`a` is one of 2 modules that use each other; it uses b";
        assert_eq!(found.len(), 2);
        assert!(found.iter().any(|one| one.instead == expected), "{found:?}");
    }

    #[test]
    fn files_that_use_each_other_are_a_circle() {
        let found = circles(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "pub struct B; fn f() { crate::c::g() }"),
            ("c.rs", "use super::a::A; pub fn g() {}"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("3 files use each other: crates/x/src/a.rs"), "{found:?}");
    }

    #[test]
    fn a_path_as_the_type_of_a_field_closes_a_circle() {
        let found = circles(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "pub struct A { field: crate::b::B }"),
            ("b.rs", "pub struct B; fn f(a: super::a::A) {}"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn a_face_that_hands_names_on_is_none() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::{A, One as Other};"),
            ("a.rs", "pub struct A; pub struct One;"),
            ("b.rs", "use crate::{A, Other};"),
        ];
        assert_eq!(circles(&files), [""; 0]);
        // A name followed through the re-export closes the circle of the files that declare and use
        // it.
        let files = [files[0], ("a.rs", "use crate::b::B; pub struct A;"), files[2]];
        assert_eq!(circles(&files).len(), 1);
    }

    #[test]
    fn parent_and_child_that_use_each_other_are_one() {
        let child = ("a/deep.rs", "use super::A; pub struct Deep;");
        let parent = ("a.rs", "mod deep; use deep::Deep; pub struct A;");
        assert_eq!(circles(&[("lib.rs", "mod a;"), parent, child]).len(), 1);
        let parent = ("a.rs", "mod deep; pub use deep::Deep; pub struct A;");
        assert_eq!(circles(&[("lib.rs", "mod a;"), parent, child]), [""; 0]);
    }

    #[test]
    fn tests_close_no_circle() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "pub struct A;\n#[cfg(test)]\nmod tests { use crate::b::B; }"),
            ("b.rs", "use crate::a::A; pub struct B;"),
        ];
        assert_eq!(circles(&files), [""; 0]);
    }
}
