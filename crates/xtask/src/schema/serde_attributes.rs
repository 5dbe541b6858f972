//! What serde's attributes and the comments of a type, a variant or a field say.

use anyhow::Result;
use std::collections::BTreeMap;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Token};

/// The attributes of serde by name, with their value if they have one.
#[derive(Default)]
pub struct SerdeAttributes(BTreeMap<String, Option<String>>);

impl SerdeAttributes {
    /// Reads them.
    ///
    /// # Errors
    /// If one has a form that serde's do not have.
    pub fn of(attributes: &[Attribute]) -> Result<SerdeAttributes> {
        let mut all = BTreeMap::new();
        for attribute in attributes.iter().filter(|one| one.path().is_ident("serde")) {
            attribute.parse_nested_meta(|meta| {
                let name = meta.path.require_ident()?.to_string();
                let value = match meta.input.peek(Token![=]) {
                    true => Some(meta.value()?.parse::<LitStr>()?.value()),
                    false => None,
                };
                all.insert(name, value);
                Ok(())
            })?;
        }
        Ok(SerdeAttributes(all))
    }

    /// Whether there is one of that name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The value of the one of that name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_deref()
    }

    /// The name in JSON of a variant.
    pub fn variant_name(&self, of_enum: &SerdeAttributes, name: &str) -> String {
        match (self.value("rename"), of_enum.value("rename_all")) {
            (Some(own), _) => own.to_owned(),
            (None, Some("snake_case")) => snake_case(name),
            (None, Some("lowercase")) => name.to_lowercase(),
            _ => name.to_owned(),
        }
    }
}

fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

/// The doc comment; empty without one.
pub fn description(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<String>>().join("\n").trim().to_owned()
}
