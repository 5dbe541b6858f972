//! The types of the crates that have a part in documents, by name.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::{BinOp, Expr, ExprLit, Fields, Generics, Item, Lit, Type, Variant};

/// The crates whose types documents hold.
const CRATES: [&str; 8] =
    ["vocab", "stats", "host", "store", "analysis", "document", "doctor", "cli"];

/// The types and constants of these crates.
#[derive(Default)]
pub struct TypeIndex {
    types: BTreeMap<String, Vec<TypeSource>>,
    constants: BTreeMap<String, Vec<(PathBuf, Expr)>>,
}

/// A type as its source has it.
pub struct TypeSource {
    /// Its file, with the crate as the second folder.
    pub file: PathBuf,
    /// Its attributes.
    pub attributes: Vec<syn::Attribute>,
    /// Its parameters.
    pub generics: Generics,
    /// Its content.
    pub content: TypeContent,
}

/// What a type consists of.
pub enum TypeContent {
    /// The fields of a struct.
    Struct(Fields),
    /// The variants of an enum.
    Enum(Vec<Variant>),
    /// Another type.
    Alias(Box<Type>),
}

impl TypeIndex {
    /// Reads all of them.
    ///
    /// # Errors
    /// If a file cannot be read or parsed.
    pub fn read(root: &Path) -> Result<TypeIndex> {
        let mut index = TypeIndex::default();
        for name in CRATES {
            index.add_folder(root, &Path::new("crates").join(name).join("src"))?;
        }
        Ok(index)
    }

    fn add_folder(&mut self, root: &Path, folder: &Path) -> Result<()> {
        let entries = std::fs::read_dir(root.join(folder)).context(folder.display().to_string())?;
        let mut names =
            entries.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<Vec<_>>>()?;
        names.sort();
        for name in names {
            let path = folder.join(name);
            if root.join(&path).is_dir() {
                self.add_folder(root, &path)?;
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = std::fs::read_to_string(root.join(&path))?;
                self.add(&path, &text).with_context(|| path.display().to_string())?;
            }
        }
        Ok(())
    }

    /// Adds the items of a file.
    ///
    /// # Errors
    /// If it is not Rust.
    pub fn add(&mut self, file: &Path, text: &str) -> Result<()> {
        for item in syn::parse_file(text)?.items {
            let (name, attributes, generics, content) = match item {
                Item::Struct(of) => {
                    (of.ident, of.attrs, of.generics, TypeContent::Struct(of.fields))
                }
                Item::Enum(of) => {
                    let variants = of.variants.into_iter().collect();
                    (of.ident, of.attrs, of.generics, TypeContent::Enum(variants))
                }
                Item::Type(of) => (of.ident, of.attrs, of.generics, TypeContent::Alias(of.ty)),
                Item::Const(of) => {
                    let constants = self.constants.entry(of.ident.to_string()).or_default();
                    constants.push((file.to_owned(), *of.expr));
                    continue;
                }
                _ => continue,
            };
            let source = TypeSource { file: file.to_owned(), attributes, generics, content };
            self.types.entry(name.to_string()).or_default().push(source);
        }
        Ok(())
    }

    /// The type that a name in a file means.
    pub fn find(&self, name: &str, from: &Path) -> Option<&TypeSource> {
        nearest(self.types.get(name)?, |source| &source.file, from)
    }

    /// The value of a constant that a file names, or of a number that stands there.
    ///
    /// # Errors
    /// If it is no whole number.
    pub fn number(&self, value: &Expr, from: &Path) -> Result<u64> {
        match value {
            Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => Ok(number.base10_parse()?),
            Expr::Path(path) => {
                let name = path.path.require_ident()?.to_string();
                let all = self.constants.get(&name).map(Vec::as_slice).unwrap_or_default();
                let found = nearest(all, |constant| &constant.0, from);
                let (file, value) = found.with_context(|| format!("which constant {name}?"))?;
                self.number(value, file)
            }
            Expr::MethodCall(call) if call.method == "len" => self.number(&call.receiver, from),
            Expr::Array(array) => Ok(array.elems.len() as u64),
            Expr::Reference(of) => self.number(&of.expr, from),
            Expr::Binary(sum) if matches!(sum.op, BinOp::Add(_)) => {
                Ok(self.number(&sum.left, from)? + self.number(&sum.right, from)?)
            }
            _ => bail!("neither a number nor the name of one"),
        }
    }
}

/// The one that a file means: of this file, of its folders, of its crate, or the only one.
fn nearest<'a, T>(all: &'a [T], file: impl Fn(&T) -> &Path, from: &Path) -> Option<&'a T> {
    let folders = from.ancestors().filter(|folder| folder.components().count() >= 2);
    let near = folders.filter_map(|folder| {
        let mut within = all.iter().filter(|one| file(one).starts_with(folder));
        within.next().filter(|_| within.next().is_none())
    });
    near.chain(all.first().filter(|_| all.len() == 1)).next()
}
