//! Links between the pages of the repository must lead to existing files.
//!
//! Network addresses are not checked: such a check would fail for external reasons.

use crate::finding::TidyFinding;
use anyhow::{Context, Result};
use pulldown_cmark::{Event, LinkType, Parser, Tag};
use std::fs;
use std::path::Path;

/// The links of one page that lead nowhere.
pub fn check(root: &Path, file: &Path) -> Result<Vec<TidyFinding>> {
    let text = fs::read_to_string(root.join(file)).with_context(|| file.display().to_string())?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut findings = Vec::new();
    for (target, line) in targets(&text) {
        let path = target.split(['#', '?']).next().unwrap_or_default().replace("%20", " ");
        let found = match path.strip_prefix('/') {
            Some(from_root) => root.join(from_root).exists(),
            None => root.join(folder).join(&path).exists(),
        };
        if !path.is_empty() && !found {
            let instead = format!("`{target}` is not there; point at a file of the repository");
            findings.push(TidyFinding::new(file, line, "link", instead));
        }
    }
    Ok(findings)
}

/// Targets inside the repository, with their lines.
fn targets(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        if let Event::Start(
            Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. },
        ) = event
            && link_type != LinkType::Email
            && !dest_url.contains("://")
            && !dest_url.starts_with("mailto:")
        {
            found.push((dest_url.into_string(), text[..range.start].matches('\n').count() + 1));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_files_and_code_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("docs")).unwrap();
        fs::write(folder.path().join("a b.md"), "").unwrap();
        let page = "[up](../a%20b.md#x) [root](/a%20b.md) [net](https://x.y/z) [here](#a)\n\n\
                    `[code](no.md)` <a@b.c>\n\n    [block](no.md)\n\n[ref]\n\n[ref]: gone.md\n\
                    ![picture](no.png)\n";
        fs::write(folder.path().join("docs/page.md"), page).unwrap();
        let findings = check(folder.path(), Path::new("docs/page.md")).unwrap();
        let lines: Vec<(usize, bool)> =
            findings.iter().map(|f| (f.line, f.instead.contains("not there"))).collect();
        assert_eq!(lines, [(7, true), (10, true)]);
    }
}
