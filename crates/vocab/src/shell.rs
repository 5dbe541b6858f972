//! Words of a command that a reader may paste into a shell: names are untrusted text.

use crate::printable::is_unprintable;
use std::path::Path;

/// An argument of a command line, quoted for a shell if necessary. Unprintable characters become
/// escapes between `$'` and `'`, which the shell decodes: the command stays one line with the same
/// effect.
pub fn quoted(value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,%@:=".contains(c);
    if value.contains(is_unprintable) {
        return format!("$'{}'", value.chars().map(in_escapes).collect::<String>());
    }
    match value.chars().all(plain) && !value.is_empty() {
        true => value.to_owned(),
        false => format!("'{}'", value.replace('\'', r"'\''")),
    }
}

/// A path as an argument, after `./` where it would be read as an option.
pub fn quoted_path(path: &Path) -> String {
    let word = path.to_string_lossy();
    if word.starts_with('-') { quoted(&format!("./{word}")) } else { quoted(&word) }
}

/// A character as it appears between `$'` and `'`.
fn in_escapes(letter: char) -> String {
    match letter {
        '\\' | '\'' => format!("\\{letter}"),
        // Always three octal digits: a digit after them is a separate character.
        letter if is_unprintable(letter) => {
            letter.to_string().bytes().map(|byte| format!("\\{byte:03o}")).collect()
        }
        letter => letter.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_and_no_option() {
        let path = |path: &str| quoted_path(Path::new(path));
        assert_eq!(path("/mnt/a; touch pwned"), "'/mnt/a; touch pwned'");
        assert_eq!((path("-rf"), path("/mnt/a")), ("./-rf".to_owned(), "/mnt/a".to_owned()));
    }

    #[test]
    fn what_is_unprintable_is_quoted_so_that_the_shell_takes_it_back() {
        let text = "it's\\a\x1b[2J1\n\u{202e}b\u{9b}";
        let word = quoted(text);
        assert!(!word.contains(is_unprintable), "{word:?}");
        let script = format!("printf %s {word}");
        let shell = std::process::Command::new("bash").args(["-c", &script]).output();
        // Windows may have no bash.
        if let Ok(output) = shell {
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
        }
    }
}
