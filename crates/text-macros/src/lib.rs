//! The macros of `fathom-text`: they keep a literal as the key of its translations and pass its
//! quantities beside it, where `format!` would join both.
//!
//! Decided here: tokens are read by hand. `syn` would cost more build time than these lines.
#![forbid(unsafe_code)]

use proc_macro::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};

/// The trait by which a quantity is displayed.
const SHOWN: &str = "#[allow(unused_imports)] use ::fathom_text::Shown as _;";
/// Those by which it is displayed in an error.
const SHOWN_IN_ERROR: &str = "#[allow(unused_imports)] \
    use ::fathom_text::{ShownInError as _, ShownWord as _};";

/// Where a text stands.
#[derive(Clone, Copy)]
enum Place {
    Code,
    Error,
}

/// As `format!`, but gives a `fathom_text::Text`, which has the text in each language.
#[proc_macro]
pub fn text(arguments: TokenStream) -> TokenStream {
    let Some(phrase) = phrase(arguments, Place::Code) else {
        return tokens("compile_error!(\"text! takes a literal, and its quantities\")");
    };
    let mut call = tokens(SHOWN);
    call.extend(tokens("::fathom_text::Text::from"));
    call.extend([group(Delimiter::Parenthesis, phrase)]);
    group(Delimiter::Brace, call).into()
}

/// Texts in `#[error("…")]`, which thiserror displays, in the language for which they are
/// displayed. Stands above `#[derive(thiserror::Error)]`.
#[proc_macro_attribute]
pub fn translated(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut translated = tokens(SHOWN_IN_ERROR);
    translated.extend(with_phrases(item));
    translated
}

fn with_phrases(item: TokenStream) -> TokenStream {
    item.into_iter().map(|tree| with_errors(tree).unwrap_or_else(|same| same)).collect()
}

/// A part of the item, with each `error(…)` in it that has a text.
fn with_errors(tree: TokenTree) -> Result<TokenTree, TokenTree> {
    let TokenTree::Group(outer) = &tree else { return Err(tree) };
    let changed = match outer.delimiter() {
        Delimiter::Brace => with_phrases(outer.stream()),
        Delimiter::Bracket => error_attribute(outer.stream()).ok_or(tree.clone())?,
        _ => return Err(tree),
    };
    Ok(group(outer.delimiter(), changed))
}

/// `error("…", …)` as `error("{}", Phrase)`.
fn error_attribute(attribute: TokenStream) -> Option<TokenStream> {
    let mut trees = attribute.into_iter();
    let name = trees.next().filter(|name| name.to_string() == "error")?;
    let Some(TokenTree::Group(arguments)) = trees.next() else { return None };
    let mut shown = tokens("\"{}\",");
    shown.extend(phrase(arguments.stream(), Place::Error)?);
    Some(TokenStream::from_iter([name, group(Delimiter::Parenthesis, shown)]))
}

/// `Phrase::new("…", &[quantity("name", &value), …])`. What stands before a number that no
/// argument has is a field of the error.
fn phrase(arguments: TokenStream, place: Place) -> Option<TokenStream> {
    let mut arguments = split(arguments).into_iter();
    let literal = match arguments.next()?.into_iter().next()? {
        TokenTree::Literal(literal) if literal.to_string().contains('"') => literal,
        _ => return None,
    };
    let (named, numbered): (Vec<_>, Vec<_>) =
        arguments.map(named_argument).partition(|(name, _)| name.is_some());
    let mut quantities = TokenStream::new();
    let mut done: Vec<String> = Vec::new();
    for (name, form) in placeholders(&literal) {
        if done.contains(&name) {
            continue;
        }
        let own = |(own, _): &&(Option<String>, _)| own.as_ref() == Some(&name);
        let nth = name.parse::<usize>().ok();
        let value = named.iter().find(own).or_else(|| numbered.get(nth?));
        let value = match (value, nth) {
            (Some((_, value)), _) => value.clone(),
            (None, Some(nth)) => tokens(&format!(".{nth}")),
            // Where the literal stands, the name has its meaning.
            (None, None) => TokenTree::Ident(Ident::new(&name, literal.span())).into(),
        };
        quantities.extend(quantity(&name, &form, value, place));
        done.push(name);
    }
    let mut values = TokenStream::from(TokenTree::Literal(literal));
    values.extend(tokens(", &"));
    values.extend([group(Delimiter::Bracket, quantities)]);
    let mut call = tokens("::fathom_text::Phrase::new");
    call.extend([group(Delimiter::Parenthesis, values)]);
    Some(call)
}

/// `quantity("name", &value),`, the value formatted where the placeholder has a form, as `{x:?}`.
fn quantity(name: &str, form: &str, value: TokenStream, place: Place) -> TokenStream {
    let mut inner = tokens(&format!("{name:?}, &"));
    match form {
        "" => {
            let mut borrowed = tokens("&");
            borrowed.extend([group(Delimiter::Parenthesis, value)]);
            inner.extend([group(Delimiter::Parenthesis, borrowed)]);
            inner.extend(tokens(match place {
                Place::Code => ".shown()",
                Place::Error => ".shown_in_error()",
            }));
        }
        form => {
            let mut formatted = tokens(&format!("\"{{:{form}}}\","));
            formatted.extend(value);
            inner.extend(tokens("::core::format_args!"));
            inner.extend([group(Delimiter::Parenthesis, formatted)]);
        }
    }
    let mut call = tokens("::fathom_text::quantity");
    call.extend([group(Delimiter::Parenthesis, inner)]);
    call.extend(tokens(","));
    call
}

/// The names and forms in a literal, in their order; `{}` has the next number.
fn placeholders(literal: &Literal) -> Vec<(String, String)> {
    let source = literal.to_string().replace("{{", "");
    let mut next = 0..;
    let parts = source.split('{').skip(1).filter_map(|part| part.split(['}', '|']).next());
    let named = parts.map(|part| {
        let (name, form) = part.split_once(':').unwrap_or((part, ""));
        let name = match name.trim() {
            "" => next.next().unwrap_or(0usize).to_string(),
            name => name.to_owned(),
        };
        (name, form.to_owned())
    });
    named.collect()
}

/// `name = value` as both, any other argument as its value.
fn named_argument(argument: TokenStream) -> (Option<String>, TokenStream) {
    let trees: Vec<TokenTree> = argument.clone().into_iter().collect();
    match trees.as_slice() {
        [TokenTree::Ident(name), TokenTree::Punct(sign), value @ ..]
            if sign.as_char() == '=' && sign.spacing() == proc_macro::Spacing::Alone =>
        {
            (Some(name.to_string()), value.iter().cloned().collect())
        }
        _ => (None, argument),
    }
}

/// The arguments between commas.
fn split(arguments: TokenStream) -> Vec<TokenStream> {
    let mut found = vec![TokenStream::new()];
    for tree in arguments {
        match &tree {
            TokenTree::Punct(sign) if sign.as_char() == ',' => found.push(TokenStream::new()),
            _ => found.iter_mut().last().into_iter().for_each(|last| last.extend([tree.clone()])),
        }
    }
    found.retain(|argument| !argument.is_empty());
    found
}

fn group(delimiter: Delimiter, stream: TokenStream) -> TokenTree {
    TokenTree::Group(Group::new(delimiter, stream))
}

/// Tokens of our own. Code that does not parse would be an error of this file.
fn tokens(code: &str) -> TokenStream {
    code.parse().unwrap_or_default()
}
