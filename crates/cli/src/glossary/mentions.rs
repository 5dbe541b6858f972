//! Where a word is mentioned that is neither a command nor a term: terms, commands, and the
//! programs that `measure --for` knows.

use crate::language::in_language;
use clap::{Arg, Command};
use fathom_analysis::requirements;
use fathom_message::Lang;
use fathom_message::glossary::{self, GlossaryTerm, terms, text};
use std::cmp::Reverse;

/// Most answers that are shown.
const MOST: usize = 5;

/// How much a place is about the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MentionRank {
    /// Its text has the word.
    Text,
    /// It is a command with a flag of that name.
    Flag,
    /// It is a command that says in its first line that it is about it.
    Subject,
    /// A part of its name is the word.
    Name,
    /// Its name begins with the word, as of `지연 시간` with `지연`.
    NameStart,
    /// It is a program of that name.
    Program,
}

/// A place that mentions a word.
#[derive(Debug)]
pub struct Mention {
    rank: MentionRank,
    count: usize,
    /// What to type.
    pub command: String,
    /// What is found there.
    pub about: String,
}

/// The places that mention `word`, the best first.
pub fn of(word: &str, commands: &Command, lang: Lang) -> Vec<Mention> {
    let mut all = programs(word);
    all.extend(of_terms(word, lang));
    all.extend(usual(word, lang));
    let visible = commands.get_subcommands().filter(|command| !command.is_hide_set());
    all.extend(visible.filter_map(|command| of_command(word, command, lang)));
    all.sort_by_key(|mention| Reverse((mention.rank, mention.count)));
    all.truncate(MOST);
    all
}

fn programs(word: &str) -> Vec<Mention> {
    // A catalogue that cannot be read is reported by the command that needs it.
    let rows = requirements().unwrap_or_default();
    let known = rows.into_iter().filter(|row| row.id == word || count(&row.title, word) > 0);
    let mention = |id: &str, about| Mention {
        rank: MentionRank::Program,
        count: 1,
        command: format!("fathom measure --for {id} DIR"),
        about,
    };
    known.map(|row| mention(&row.id, row.title)).collect()
}

/// How much a term is about a word that is `in_names` times in its names.
fn rank_of(term: &GlossaryTerm<'_>, word: &str, in_names: usize) -> MentionRank {
    let begins = |name: &&str| name.to_lowercase().starts_with(&word.to_lowercase());
    match in_names {
        0 => MentionRank::Text,
        _ if !word.is_ascii() && term.names.iter().any(begins) => MentionRank::NameStart,
        _ => MentionRank::Name,
    }
}

/// Both glossaries have the same terms in the same order, and the Korean one has the English names
/// too; either may mention the word.
fn of_terms(word: &str, lang: Lang) -> Vec<Mention> {
    let both = terms(text(Lang::En)).zip(terms(text(Lang::Ko)));
    let mention = |(english, korean): (GlossaryTerm<'_>, GlossaryTerm<'_>)| {
        let in_names = korean.names.iter().map(|name| count(name, word)).sum::<usize>();
        let in_text = count(english.meaning, word) + count(korean.meaning, word);
        let shown = if lang == Lang::Ko { &korean } else { &english };
        let own = shown.names.iter().find(|name| !name.is_ascii());
        let name = own.or(shown.names.first())?;
        let rank = rank_of(&korean, word, in_names);
        let count = match rank {
            // Of several that begin so, the one that the glossary itself uses most.
            MentionRank::NameStart => count(text(Lang::Ko), own.unwrap_or(name)),
            _ => in_names + in_text,
        };
        (in_names + in_text > 0).then(|| Mention {
            rank,
            count,
            command: format!("fathom help {name}"),
            about: shown.meaning.replace('`', ""),
        })
    };
    both.filter_map(mention).collect()
}

/// The sections on what is usual.
fn usual(word: &str, lang: Lang) -> Option<Mention> {
    let sections = glossary::usual(text(lang));
    let texts = sections.iter().flat_map(|of| of.rows.iter().flatten().chain(&of.intro));
    let count: usize = texts.map(|text| count(text, word)).sum();
    let title = sections.first()?.title;
    let rows = sections.iter().flat_map(|of| &of.rows).map(|row| row.join(", "));
    let intros = sections.iter().flat_map(|of| sentences(&of.intro.join(" ")));
    let place = rows.chain(intros).find(|text| self::count(text, word) > 0)?;
    Some(Mention {
        rank: MentionRank::Subject,
        count,
        command: match lang {
            Lang::En => "fathom help usual".to_owned(),
            Lang::Ko => format!("fathom help {title}"),
        },
        about: format!("{title}: {}", place.replace('`', "")),
    })
}

/// The sentences of a text, without the line ends within them.
fn sentences(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ends = |word: &&str| word.ends_with(['.', '?', ':']);
    words.split_inclusive(ends).map(|sentence| sentence.join(" ")).collect()
}

fn of_command(word: &str, command: &Command, lang: Lang) -> Option<Mention> {
    let text = |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string);
    let about = text(command.get_about()).unwrap_or_default();
    let mut flags = command.get_arguments().filter_map(|arg| arg.get_long());
    let has_flag = flags.any(|flag| flag == word);
    let texts = [command.get_long_about(), command.get_after_long_help()].into_iter();
    let of_args = command.get_arguments().flat_map(|arg| [arg.get_help(), arg.get_long_help()]);
    let texts = texts.chain(of_args).filter_map(text).map(|text| count(&text, word));
    let in_texts: usize = texts.sum();
    let own = count(&about, word);
    let rank = match () {
        () if own > 0 => MentionRank::Subject,
        () if has_flag => MentionRank::Flag,
        () if in_texts > 0 => MentionRank::Text,
        () => return None,
    };
    let about = match rank {
        MentionRank::Subject => in_language(lang, &about),
        _ => place_in(word, command, lang).unwrap_or_else(|| in_language(lang, &about)),
    };
    let command = format!("fathom {} --help", command.get_name());
    Some(Mention { rank, count: own + in_texts, command, about })
}

/// Where a command's help has the word: the flag of that name, a flag whose help mentions it, or in
/// English a sentence; none otherwise.
fn place_in(word: &str, command: &Command, lang: Lang) -> Option<String> {
    let visible = || command.get_arguments().filter(|arg| !arg.is_hide_set());
    let named = visible().find(|arg| arg.get_long() == Some(word));
    let mentions = |arg: &&Arg| arg.get_help().is_some_and(|of| count(&of.to_string(), word) > 0);
    if let Some(arg) = named.or_else(|| visible().find(mentions)) {
        let help = arg.get_help()?.to_string();
        let help = in_language(lang, &help);
        let flag = arg.get_long().map(|long| format!("--{long}: ")).unwrap_or_default();
        return Some(format!("{flag}{help}"));
    }
    // A sentence of a long text has no translation of its own.
    if lang != Lang::En {
        return None;
    }
    let of_args = visible().map(Arg::get_long_help);
    let texts =
        [command.get_long_about(), command.get_after_long_help()].into_iter().chain(of_args);
    let texts = texts.flatten().map(ToString::to_string);
    texts.flat_map(|text| sentences(&text)).find(|sentence| count(sentence, word) > 0)
}

/// How often `text` has `word`: a whole word or its plural; Korean words have particles, so that
/// they are found within others.
fn count(text: &str, word: &str) -> usize {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    if word.is_empty() {
        return 0;
    }
    if !word.is_ascii() {
        return text.matches(word.as_str()).count();
    }
    let is_word = |letters: &str, at: usize| {
        let before = text[..at].chars().next_back();
        let after = &text[at + letters.len()..];
        let after = after.strip_prefix('s').unwrap_or(after).chars().next();
        let ends = |letter: Option<char>| letter.is_none_or(|c| !c.is_ascii_alphanumeric());
        ends(before) && ends(after)
    };
    text.match_indices(word.as_str()).filter(|(at, letters)| is_word(letters, *at)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(word: &str, lang: Lang) -> Vec<String> {
        let all = of(word, &crate::command_line(), lang);
        all.into_iter().map(|mention| mention.command).collect()
    }

    #[test]
    fn a_word_leads_to_what_is_about_it_first() {
        for lang in Lang::ALL {
            assert_eq!(found("postgres", lang)[0], "fathom measure --for postgres DIR");
            assert_eq!(found("PostgreSQL", lang)[0], "fathom measure --for postgres DIR");
            assert!(found("xyzzy", lang).is_empty() && found("", lang).is_empty());
        }
        assert_eq!(found("disk", Lang::En)[0], "fathom help same disk");
        assert_eq!(found("디스크", Lang::Ko)[0], "fathom help 같은 디스크");
        assert_eq!(found("큐", Lang::Ko)[0], "fathom help 큐 깊이");
        assert_eq!(found("큐", Lang::En)[0], "fathom help queue depth");
        assert_eq!(found("지연", Lang::Ko)[0], "fathom help 지연 시간");
        assert_eq!(found("disk", Lang::En).len(), MOST);
        assert_eq!(found("ahead", Lang::En)[0], "fathom measure --for etcd DIR");
        assert!(found("kubernetes", Lang::En)[0].contains("fathom kube --help"));
    }

    #[test]
    fn a_place_is_shown_by_what_it_says_of_the_word() {
        for word in ["junit", "etcd", "disk", "rotational", "jobs", "sure"] {
            for mention in of(word, &crate::command_line(), Lang::En) {
                let shown = format!("{} {}", mention.command, mention.about);
                assert!(super::count(&shown, word) > 0, "{word}: {shown}");
            }
        }
    }

    #[test]
    fn only_whole_words_count() {
        let count = |text| super::count(text, "disk");
        assert_eq!([count("Disk and disks"), count("diskplorer"), count("/disk1")], [2, 0, 0]);
        assert_eq!(super::count("디스크가 느리면", "디스크"), 1);
    }
}
