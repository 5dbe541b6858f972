//! Values of the registry; a missing one is `None`.

use winsafe::{HKEY, RegistryValue, co};

/// A text of the part of the registry that belongs to the machine.
pub(crate) fn text(key: &str, name: &str) -> Option<String> {
    let value = HKEY::LOCAL_MACHINE.RegGetValue(Some(key), Some(name), co::RRF::RT_ANY).ok()?;
    match value {
        RegistryValue::Sz(text) | RegistryValue::ExpandSz(text) => {
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        }
        _ => None,
    }
}
