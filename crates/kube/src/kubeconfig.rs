//! A user's kubeconfig, and the files that it names.
//!
//! Decided here: they are read by us, up to a limit, and the client library gets their content: by
//! itself it reads a file to its end, and `/dev/zero` has none. Only files of the chosen context
//! are read.

use crate::access_error::AccessError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kube::config::{AuthInfo, Kubeconfig};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// Limit for a kubeconfig, and for a file that it names: a file of 1,000 clusters has 3 MiB.
const FILE_BYTES: u64 = 4 << 20;

/// All of these kubeconfigs as one, in which files that `context` or the current one uses are data.
///
/// # Errors
/// If a file cannot be read, is too large, or holds something else.
pub(crate) fn kubeconfig(
    paths: &[PathBuf],
    context: Option<&str>,
) -> Result<Kubeconfig, AccessError> {
    let mut all = Kubeconfig::default();
    for path in paths {
        let file = read(path)?;
        all = all.merge(file).map_err(AccessError::Kubeconfig)?;
    }
    inline(&mut all, context)?;
    Ok(all)
}

/// The text of a file.
///
/// # Errors
/// If it cannot be read, is too large, or is no text.
pub(crate) fn read_text(path: &Path) -> Result<String, AccessError> {
    let bytes = fathom_files::read(path, FILE_BYTES)?;
    decoded(&bytes).ok_or_else(|| AccessError::NoText(path.to_owned()))
}

fn read(path: &Path) -> Result<Kubeconfig, AccessError> {
    let text = read_text(path)?;
    let mut file = Kubeconfig::from_yaml(&text).map_err(AccessError::Kubeconfig)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for cluster in file.clusters.iter_mut().filter_map(|of| of.cluster.as_mut()) {
        root(&mut cluster.certificate_authority, folder);
    }
    for user in file.auth_infos.iter_mut().filter_map(|of| of.auth_info.as_mut()) {
        root(&mut user.client_certificate, folder);
        root(&mut user.client_key, folder);
        root(&mut user.token_file, folder);
        let plugin = user.exec.as_mut().map(|exec| &mut exec.command);
        // A name alone is looked for in PATH.
        if let Some(command) = plugin
            && command.as_ref().is_some_and(|command| command.contains(MAIN_SEPARATOR))
        {
            root(command, folder);
        }
    }
    Ok(file)
}

/// A path of a file in `folder`; an empty one names nothing.
fn root(path: &mut Option<String>, folder: &Path) {
    let named = path.take().filter(|path| !path.is_empty());
    *path = named.map(|path| folder.join(&path).to_str().map_or(path, str::to_owned));
}

/// Replaces paths of the files that a context uses by their content. A context that is missing is
/// the client library's error.
fn inline(all: &mut Kubeconfig, context: Option<&str>) -> Result<(), AccessError> {
    let named = context.or(all.current_context.as_deref());
    let chosen = all.contexts.iter().find(|of| Some(of.name.as_str()) == named);
    let Some(chosen) = chosen.and_then(|of| of.context.clone()) else { return Ok(()) };
    let cluster = all.clusters.iter_mut().find(|of| of.name == chosen.cluster);
    if let Some(cluster) = cluster.and_then(|of| of.cluster.as_mut()) {
        let data = &mut cluster.certificate_authority_data;
        inline_file(&mut cluster.certificate_authority, data)?;
    }
    let user = all.auth_infos.iter_mut().find(|of| Some(&of.name) == chosen.user.as_ref());
    match user.and_then(|of| of.auth_info.as_mut()) {
        Some(user) => inline_identity(user),
        None => Ok(()),
    }
}

fn inline_identity(user: &mut AuthInfo) -> Result<(), AccessError> {
    inline_file(&mut user.client_certificate, &mut user.client_certificate_data)?;
    let mut key = None;
    if user.client_key_data.is_none() {
        inline_file(&mut user.client_key, &mut key)?;
        user.client_key_data = key.map(Into::into);
    }
    Ok(())
}

/// Data go before a file.
fn inline_file(path: &mut Option<String>, data: &mut Option<String>) -> Result<(), AccessError> {
    match path.take() {
        Some(path) if data.is_none() => {
            *data = Some(encoded(&fathom_files::read(Path::new(&path), FILE_BYTES)?));
        }
        _ => {}
    }
    Ok(())
}

/// Bytes as a kubeconfig has them.
pub(crate) fn encoded(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The text of a file that may begin with a byte order mark.
fn decoded(bytes: &[u8]) -> Option<String> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let (units, rest) = bytes.as_chunks();
        let units: Vec<u16> = units.iter().map(|bytes| unit(*bytes)).collect();
        String::from_utf16(&units).ok().filter(|_| rest.is_empty())
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8(rest.to_vec()).ok(),
        _ => String::from_utf8(bytes.to_vec()).ok(),
    }
}
