//! One Rust file for the checks: its list of tokens, its functions, and its test lines.
//!
//! Two views are needed. The tree of `syn` has functions and attributes, but leaves the inside of a
//! macro call as raw tokens; so words are searched in the list of all tokens, where
//! `format!("{}", env::var(..))` hides nothing, and strings and comments are no words.

use anyhow::{Context, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Component, Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A token: its text and its line. Literals have an empty text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceToken {
    /// An identifier, a punctuation mark, a bracket; empty for a literal.
    pub text: String,
    /// The line, from 1.
    pub line: usize,
}

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// From the signature to the closing brace.
    pub lines: RangeInclusive<usize>,
}

impl Function {
    /// How many lines it has.
    pub fn length(&self) -> usize {
        self.lines.end() + 1 - self.lines.start()
    }
}

/// A module that is declared, with or without a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// The line of the declaration.
    pub line: usize,
    /// Whether it is in a separate file and only for tests.
    pub is_test_file: bool,
}

/// A path to an item, in a `use` or in the middle of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemPath {
    /// Its parts: `crate`, `plan`, `Plan`.
    pub parts: Vec<String>,
    /// The name that it has in this file: the last part, or the name after `as`.
    pub alias: String,
    /// The line, from 1.
    pub line: usize,
    /// Whether it is a `pub use`, which re-exports the item.
    pub handed_on: bool,
}

/// A parsed Rust file.
pub struct SourceFile {
    /// Its path from the repository's root.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Its tokens.
    pub tokens: Vec<SourceToken>,
    /// Its functions, those of traits and blocks included.
    pub functions: Vec<Function>,
    /// The modules it declares.
    pub modules: Vec<Module>,
    /// The paths that it uses.
    pub paths: Vec<ItemPath>,
    /// Inner attributes such as `forbid(unsafe_code)`, without spaces.
    pub inner_attributes: Vec<String>,
    /// Whether all of it is test code.
    pub all_tests: bool,
    test_lines: Vec<RangeInclusive<usize>>,
}

impl SourceFile {
    /// Parses a file's text; the error names the place.
    pub fn parse(path: &Path, text: String) -> Result<Self> {
        let file = syn::parse_file(&text).with_context(|| format!("{}", path.display()))?;
        let stream: TokenStream =
            text.parse().map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
        let mut tokens = Vec::new();
        flatten(stream, &mut tokens);
        let mut parts = Parts::default();
        parts.visit_file(&file);
        parts.paths.extend(paths_in_code(&tokens));
        let inner = file.attrs.iter().filter_map(|attribute| {
            let list = attribute.meta.require_list().ok()?;
            let name = list.path.get_ident()?;
            Some(format!("{name}({})", list.tokens.to_string().replace(' ', "")))
        });
        Ok(SourceFile {
            path: path.to_owned(),
            tokens,
            functions: parts.functions,
            modules: parts.modules,
            paths: parts.paths,
            inner_attributes: inner.collect(),
            all_tests: is_test_path(path),
            test_lines: parts.test_lines,
            text,
        })
    }

    /// The crate's folder name under `crates/`, if it is in one.
    pub fn room(&self) -> Option<&str> {
        let mut parts = self.path.components();
        match (parts.next()?, parts.next()?) {
            (Component::Normal(crates), Component::Normal(room)) if crates == "crates" => {
                room.to_str()
            }
            _ => None,
        }
    }

    /// Whether the line belongs to a test.
    pub fn is_test(&self, line: usize) -> bool {
        self.all_tests || self.test_lines.iter().any(|lines| lines.contains(&line))
    }

    /// Lines at which the words follow one another in the list of tokens.
    pub fn find(&self, words: &[&str]) -> Vec<usize> {
        let same =
            |tokens: &&[SourceToken]| tokens.iter().zip(words).all(|(t, word)| t.text == *word);
        self.tokens.windows(words.len()).filter(same).map(|tokens| tokens[0].line).collect()
    }

    /// The possible files of the modules that this file declares.
    fn module_paths(&self, name: &str) -> [PathBuf; 2] {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let stem = self.path.file_stem().unwrap_or_default();
        let is_top = ["lib", "main", "mod"].iter().any(|top| stem == *top);
        let base = if is_top { folder.to_owned() } else { folder.join(stem) };
        [base.join(format!("{name}.rs")), base.join(name).join("mod.rs")]
    }
}

/// Marks the files that are modules for tests only (`#[cfg(test)] mod x;`), and the modules that
/// they declare.
pub fn spread_tests(sources: &mut [SourceFile]) {
    loop {
        let declared: BTreeSet<PathBuf> = sources
            .iter()
            .flat_map(|source| {
                let for_tests =
                    source.modules.iter().filter(|m| m.is_test_file || source.all_tests);
                for_tests.flat_map(|module| source.module_paths(&module.name))
            })
            .collect();
        let mut any = false;
        for source in sources.iter_mut().filter(|source| !source.all_tests) {
            source.all_tests = declared.contains(&source.path);
            any |= source.all_tests;
        }
        if !any {
            return;
        }
    }
}

/// Folders whose code is not in the product.
fn is_test_path(path: &Path) -> bool {
    let folders = ["tests", "benches", "examples", "fuzz"];
    path.parent().is_some_and(|parent| {
        parent.components().any(|part| folders.iter().any(|name| part.as_os_str() == *name))
    })
}

fn flatten(stream: TokenStream, row: &mut Vec<SourceToken>) {
    let push = |row: &mut Vec<SourceToken>, text: String, span: proc_macro2::Span| {
        row.push(SourceToken { text, line: span.start().line });
    };
    for token in stream {
        let span = token.span();
        match token {
            TokenTree::Ident(name) => push(row, name.to_string(), span),
            TokenTree::Punct(mark) => push(row, mark.to_string(), span),
            TokenTree::Literal(_) => push(row, String::new(), span),
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                push(row, open.to_owned(), group.span_open());
                flatten(group.stream(), row);
                push(row, close.to_owned(), group.span_close());
            }
        }
    }
}

/// The parts of a file's tree.
#[derive(Default)]
struct Parts {
    functions: Vec<Function>,
    modules: Vec<Module>,
    paths: Vec<ItemPath>,
    test_lines: Vec<RangeInclusive<usize>>,
}

/// Paths that begin with `crate`, `self` or `super`, at any position: the list of tokens has those
/// inside of macros too. Those of a plain `use` occur twice.
fn paths_in_code(tokens: &[SourceToken]) -> Vec<ItemPath> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let is_name = |at: usize| text(at).starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut found = Vec::new();
    let mut in_use = false;
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            "use" => in_use = true,
            ";" => in_use = false,
            _ => {}
        }
        let begins = ["crate", "self", "super"].contains(&token.text.as_str());
        // The tail of a longer path follows two colons; a type follows one (`field: crate::Name`).
        let is_tail = at > 1 && text(at - 1) == ":" && text(at - 2) == ":";
        if in_use || !begins || is_tail {
            continue;
        }
        let mut parts = vec![token.text.clone()];
        let mut end = at + 1;
        while text(end) == ":" && text(end + 1) == ":" && is_name(end + 2) {
            parts.push(text(end + 2).to_owned());
            end += 3;
        }
        if parts.len() > 1 {
            let alias = parts.last().cloned().unwrap_or_default();
            found.push(ItemPath { parts, alias, line: token.line, handed_on: false });
        }
    }
    found
}

impl Parts {
    /// Every path of a `use` and its groups.
    fn use_tree(&mut self, tree: &syn::UseTree, before: &[String], handed_on: bool) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        let line = tree.span().start().line;
        let mut path = |parts: Vec<String>, alias: String| {
            self.paths.push(ItemPath { parts, alias, line, handed_on });
        };
        match tree {
            syn::UseTree::Path(inner) => self.use_tree(&inner.tree, &with(&inner.ident), handed_on),
            syn::UseTree::Name(name) => path(with(&name.ident), name.ident.to_string()),
            syn::UseTree::Rename(name) => path(with(&name.ident), name.rename.to_string()),
            syn::UseTree::Glob(_) => path(before.to_vec(), "*".to_owned()),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.use_tree(item, before, handed_on));
            }
        }
    }

    fn note(&mut self, attributes: &[syn::Attribute], item: &impl Spanned) {
        if attributes.iter().any(is_for_tests) {
            self.test_lines.push(lines_of(item));
        }
    }

    fn function(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let lines = *lines_of(signature).start()..=*lines_of(body).end();
        self.functions.push(Function { name: signature.ident.to_string(), lines });
    }
}

impl<'a> Visit<'a> for Parts {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.note(&item.attrs, item);
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.note(&item.attrs, item);
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        self.note(&item.attrs, item);
        self.modules.push(Module {
            name: item.ident.to_string(),
            line: item.ident.span().start().line,
            is_test_file: item.content.is_none() && item.attrs.iter().any(is_for_tests),
        });
        visit::visit_item_mod(self, item);
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        self.note(&item.attrs, item);
        visit::visit_item_impl(self, item);
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.note(&item.attrs, item);
        let handed_on = !matches!(item.vis, syn::Visibility::Inherited);
        self.use_tree(&item.tree, &[], handed_on);
    }
}

/// `#[test]` and `#[cfg(test)]`; `cfg(not(test))` is product code.
fn is_for_tests(attribute: &syn::Attribute) -> bool {
    let meta = &attribute.meta;
    match meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) if list.path.is_ident("cfg") => {
            let condition = list.tokens.to_string();
            condition == "test"
                || condition.starts_with("all (test ,")
                || condition.starts_with("all(test,")
        }
        _ => false,
    }
}

fn lines_of(item: &impl Spanned) -> RangeInclusive<usize> {
    let span = item.span();
    span.start().line..=span.end().line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(path: &str, text: &str) -> SourceFile {
        SourceFile::parse(Path::new(path), text.to_owned()).unwrap()
    }

    #[test]
    fn words_are_found_in_macros_and_not_in_strings_or_comments() {
        let text = "// dbg!(1)\nfn f() {\n    format!(\"dbg!(2)\");\n    vec![dbg!(3)];\n}\n";
        assert_eq!(parse("a.rs", text).find(&["dbg", "!"]), [4]);
    }

    #[test]
    fn functions_run_from_signature_to_brace() {
        let text =
            "/// Doc.\n#[inline]\nfn f(\n    a: u8,\n) {\n}\ntrait T { fn g(); fn h() {} }\n";
        let functions = parse("a.rs", text).functions;
        let seen: Vec<_> = functions.iter().map(|f| (f.name.as_str(), f.length())).collect();
        assert_eq!(seen, [("f", 4), ("h", 1)]);
    }

    #[test]
    fn tests_are_known_by_attribute_and_by_folder() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n#[test]\nfn c() {}\n\
                    #[cfg(not(test))]\nfn d() {}\n";
        let source = parse("crates/x/src/a.rs", text);
        let tests: Vec<usize> = (1..=9).filter(|line| source.is_test(*line)).collect();
        assert_eq!(tests, [2, 3, 4, 5, 6, 7]);
        assert!(parse("crates/x/tests/a.rs", "").is_test(1));
        assert_eq!(source.room(), Some("x"));
        assert_eq!(parse("fuzz/a.rs", "").room(), None);
    }

    #[test]
    fn a_test_module_in_its_own_file_is_a_test() {
        let mut sources = [
            parse("crates/x/src/lib.rs", "mod a;"),
            parse("crates/x/src/a.rs", "#[cfg(test)]\nmod checks;"),
            parse("crates/x/src/a/checks.rs", "mod deeper;"),
            parse("crates/x/src/a/checks/deeper.rs", ""),
        ];
        spread_tests(&mut sources);
        assert_eq!(sources.map(|source| source.all_tests), [false, false, true, true]);
    }

    #[test]
    fn a_broken_file_is_named() {
        let broken = SourceFile::parse(Path::new("x.rs"), "fn (".to_owned());
        assert!(format!("{:#}", broken.err().unwrap()).contains("x.rs"));
    }
}
