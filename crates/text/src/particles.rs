//! Korean particles by the last sound of the preceding text: a text contains `디스크이(가)`, and a
//! reader sees `디스크가`.
//!
//! Digits and Latin letters have the sound of their reading: `3 (삼)`, `GB (기가바이트)`, `fio (에프아이오)`.
//! Of quotes the inner text counts, of brackets behind a word the word.

/// How a particle is written in texts, after a consonant, and after a vowel.
const PARTICLES: [(&str, &str, &str); 6] = [
    ("을(를)", "을", "를"),
    ("이(가)", "이", "가"),
    ("은(는)", "은", "는"),
    ("과(와)", "과", "와"),
    ("(으)로", "으로", "로"),
    ("(이)", "이", ""),
];

/// How a word ends when it is read aloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastSound {
    Vowel,
    /// The consonant ㄹ, after which `로` is used as after a vowel.
    Rieul,
    Consonant,
}

/// `text` with each particle as its word wants it.
pub fn resolved(text: &str) -> String {
    let mut done = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, (mark, consonant, vowel))) = first(rest) {
        done.push_str(&rest[..at]);
        let sound = last_sound(&done);
        let open = sound == LastSound::Vowel || (*mark == "(으)로" && sound == LastSound::Rieul);
        done.push_str(if open { vowel } else { consonant });
        rest = &rest[at + mark.len()..];
    }
    done.push_str(rest);
    done
}

/// The first particle of a text.
fn first(text: &str) -> Option<(usize, &'static (&'static str, &'static str, &'static str))> {
    let found = PARTICLES.iter().filter_map(|of| Some((text.find(of.0)?, of)));
    found.min_by_key(|(at, _)| *at)
}

fn last_sound(text: &str) -> LastSound {
    let text = without_remark(text);
    let word = text.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '%');
    match word.chars().next_back() {
        Some(letter @ '가'..='힣') => match (letter as u32 - '가' as u32) % 28 {
            0 => LastSound::Vowel,
            8 => LastSound::Rieul,
            _ => LastSound::Consonant,
        },
        Some('0' | '3' | '6') => LastSound::Consonant,
        Some('1' | '7' | '8') => LastSound::Rieul,
        Some(letter) if letter.is_ascii_alphabetic() => of_latin(word),
        _ => LastSound::Vowel,
    }
}

/// A text without brackets at its end, if a word precedes them: `볼륨(a, b)` sounds as `볼륨`.
fn without_remark(text: &str) -> &str {
    let before = text.strip_suffix(')').and_then(|text| Some(text.rsplit_once('(')?.0));
    before.filter(|text| text.ends_with(char::is_alphanumeric)).unwrap_or(text)
}

/// Units by their names, abbreviations by their last letter, words by their usual transcription: a
/// final l, m or n is pronounced, also before a silent e, and so are k, p, t and b after a short
/// vowel.
fn of_latin(word: &str) -> LastSound {
    let word = &word[word.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len()..];
    // `MiB` is a mebibyte.
    let is_name = word.ends_with('B') || word.chars().all(|c| c.is_ascii_uppercase());
    let heard = word.strip_suffix('e').filter(|word| word.ends_with(['l', 'm', 'n']));
    // Without a vowel it is spelled: `kr` is "케이알".
    let spelled = !word.contains(|c: char| "aeiouyAEIOUY".contains(c));
    if spelled && word.ends_with(['r', 'R']) {
        return LastSound::Rieul;
    }
    match heard.unwrap_or(word).chars().next_back().unwrap_or('a').to_ascii_lowercase() {
        'm' | 'n' => LastSound::Consonant,
        'l' => LastSound::Rieul,
        'b' | 'k' | 'p' | 't' if !is_name && is_short(word) => LastSound::Consonant,
        _ => LastSound::Vowel,
    }
}

/// Whether a vowel precedes the last letter, and none precedes that: `disk` has none.
fn is_short(word: &str) -> bool {
    let mut letters = word.bytes().rev().map(|letter| letter.to_ascii_lowercase()).skip(1);
    let vowel = |letter: Option<u8>| letter.is_some_and(|letter| b"aeiou".contains(&letter));
    vowel(letters.next()) && !vowel(letters.next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_particle_follows_the_last_sound() {
        for (text, shown) in [
            ("볼륨을(를) 측정", "볼륨을 측정"),
            ("디스크을(를) 측정", "디스크를 측정"),
            ("볼륨이(가) 디스크이(가)", "볼륨이 디스크가"),
            ("'볼륨'은(는)", "'볼륨'은"),
            ("파일(으)로, 볼륨(으)로, 서울(으)로", "파일로, 볼륨으로, 서울로"),
            ("3,000이(가), 4이(가), 7(으)로, 6(으)로", "3,000이, 4가, 7로, 6으로"),
            ("/mnt/ssd과(와) /mnt/nas", "/mnt/ssd와 /mnt/nas"),
            ("vol/a이(가) vol/b보다", "vol/a가 vol/b보다"),
            ("libaio을(를), psync은(는), URL을(를)", "libaio를, psync는, URL을"),
            ("5 %이(가)", "5 %가"),
            ("16 MiB을(를), oracle은(는), file이(가)", "16 MiB를, oracle은, file이"),
            ("\"nix\"(이)라는, \"ssd\"(이)라는", "\"nix\"라는, \"ssd\"라는"),
            ("'kr'은(는), 'user'은(는)", "'kr'은, 'user'는"),
            ("볼륨(a / b)이(가), 디스크(서울)을(를)", "볼륨(a / b)이, 디스크(서울)를"),
            ("(볼륨)이(가)", "(볼륨)이"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(resolved(text), shown);
        }
    }
}
