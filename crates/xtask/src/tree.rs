//! The checked files: those of the repository, without built or fetched ones.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders without our files.
const SKIPPED: &[&str] = &["target", "node_modules", "corpus", "artifacts"];

/// The files by kind, as paths from the root, sorted.
pub struct Tree {
    /// The repository's root.
    pub root: PathBuf,
    /// Rust sources.
    pub rust: Vec<PathBuf>,
    /// Markdown pages.
    pub markdown: Vec<PathBuf>,
}

impl Tree {
    /// Walks the repository.
    pub fn read(root: &Path) -> Result<Self> {
        let mut tree = Tree { root: root.to_owned(), rust: Vec::new(), markdown: Vec::new() };
        tree.walk(Path::new(""))?;
        tree.rust.sort();
        tree.markdown.sort();
        Ok(tree)
    }

    fn walk(&mut self, folder: &Path) -> Result<()> {
        let here = self.root.join(folder);
        for entry in fs::read_dir(&here).with_context(|| here.display().to_string())? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            if entry.file_type()?.is_dir() {
                if !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                    self.walk(&path)?;
                }
            } else if name.ends_with(".rs") {
                self.rust.push(path);
            } else if name.ends_with(".md") {
                self.markdown.push(path);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_or_hidden_is_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["a.rs", "x/b.rs", "x/c.md", "target/d.rs", ".git/e.md", "x/f.txt"] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let tree = Tree::read(folder.path()).unwrap();
        assert_eq!(tree.rust, [Path::new("a.rs"), Path::new("x/b.rs")]);
        assert_eq!(tree.markdown, [Path::new("x/c.md")]);
    }
}
