//! All rows: those of Fathom, and a user's own that override them.

use super::document::{self, CatalogueError};
use super::volume::VolumeRow;
use std::collections::HashMap;

/// Fathom's files, one a provider.
const BUILTIN: [(&str, &str); 10] = [
    ("aws.toml", include_str!("../../promises/aws.toml")),
    ("google.toml", include_str!("../../promises/google.toml")),
    ("azure.toml", include_str!("../../promises/azure.toml")),
    ("naver.toml", include_str!("../../promises/naver.toml")),
    ("oci.toml", include_str!("../../promises/oci.toml")),
    ("ibm.toml", include_str!("../../promises/ibm.toml")),
    ("alibaba.toml", include_str!("../../promises/alibaba.toml")),
    ("tencent.toml", include_str!("../../promises/tencent.toml")),
    ("digitalocean.toml", include_str!("../../promises/digitalocean.toml")),
    ("others.toml", include_str!("../../promises/others.toml")),
];

/// The promises of providers for their volumes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalogue {
    volumes: Vec<VolumeRow>,
}

/// No row has that name.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the catalogue has no '{asked}'{}", meant(suggestions))]
pub struct UnknownVolume {
    /// The requested name.
    pub asked: String,
    /// Similar ids, the nearest first.
    pub suggestions: Vec<String>,
}

fn meant(suggestions: &[String]) -> String {
    match suggestions {
        [] => String::new(),
        some => format!("; did you mean {}?", super::wording::listed(some)),
    }
}

/// How many names are suggested.
const SUGGESTIONS: usize = 4;

impl Catalogue {
    /// Fathom's rows.
    pub fn builtin() -> Result<Catalogue, CatalogueError> {
        let mut catalogue = Catalogue::default();
        for (file, text) in BUILTIN {
            let rows = document::read(text, &catalogue.volumes);
            catalogue.put(rows.map_err(|error| error.in_file(file))?);
        }
        Ok(catalogue)
    }

    /// These rows, overridden by those of `toml`: a row with the same id is replaced as a whole,
    /// others are added. Examples in the text must be reproduced.
    pub fn with_overrides(&self, toml: &str) -> Result<Catalogue, CatalogueError> {
        let mut catalogue = self.clone();
        catalogue.put(document::read(toml, &self.volumes)?);
        Ok(catalogue)
    }

    fn put(&mut self, rows: Vec<VolumeRow>) {
        let at: HashMap<String, usize> =
            self.volumes.iter().enumerate().map(|(at, row)| (row.id.clone(), at)).collect();
        for row in rows {
            match at.get(&row.id) {
                Some(at) => self.volumes[*at] = row,
                None => self.volumes.push(row),
            }
        }
    }

    /// All rows, provider by provider.
    pub fn volumes(&self) -> &[VolumeRow] {
        &self.volumes
    }

    /// The row of that id, in any case of letters and with `-` for `_`.
    pub fn find(&self, id: &str) -> Result<&VolumeRow, UnknownVolume> {
        let asked = plain(id);
        self.volumes
            .iter()
            .find(|row| plain(&row.id) == asked)
            .ok_or_else(|| UnknownVolume { asked: id.to_owned(), suggestions: self.near(&asked) })
    }

    /// The rows whose id, name or provider contain every one of `words`.
    pub fn search(&self, words: &[&str]) -> Vec<&VolumeRow> {
        let found = |row: &&VolumeRow| {
            let text = plain(&format!("{} {} {}", row.id, row.name, row.provider));
            words.iter().all(|word| text.contains(&plain(word)))
        };
        self.volumes.iter().filter(found).collect()
    }

    /// Ids like `asked`: those that contain it, otherwise those at a small edit distance.
    fn near(&self, asked: &str) -> Vec<String> {
        let changes = |row: &&VolumeRow| {
            let (id, short) = (plain(&row.id), plain(row.short_id()));
            distance(&id, asked).min(distance(&short, asked))
        };
        let mut near: Vec<&VolumeRow> =
            self.volumes.iter().filter(|row| plain(&row.id).contains(asked)).collect();
        if near.is_empty() {
            let few = 1 + asked.chars().count() / 5;
            near = self.volumes.iter().filter(|row| changes(row) <= few).collect();
        }
        near.sort_by_key(|row| (changes(row), row.id.len()));
        near.into_iter().take(SUGGESTIONS).map(|row| row.id.clone()).collect()
    }
}

impl VolumeRow {
    /// Its id without the provider.
    fn short_id(&self) -> &str {
        self.id.split_once('.').map_or(&self.id, |(_, short)| short)
    }
}

/// As names are compared.
fn plain(text: &str) -> String {
    text.trim().to_lowercase().replace('-', "_")
}

/// How many letters must be added, taken away or changed to make one text of the other
/// (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests;
