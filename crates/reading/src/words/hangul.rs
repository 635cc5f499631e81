//! Hangul: the particles that cling to a noun, and the endings that melt into a stem.

/// Particles and the like, the longest first: `제목은` and `제목이라고` are the noun `제목`.
const PARTICLES: [&str; 39] = [
    "이라는",
    "이라고",
    "으로는",
    "에서는",
    "에게서",
    "한테서",
    "입니다",
    "이에요",
    "라는",
    "라고",
    "으로",
    "로는",
    "에서",
    "에게",
    "한테",
    "부터",
    "까지",
    "이랑",
    "이고",
    "이야",
    "예요",
    "에는",
    "이요",
    "랑",
    "엔",
    "에",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "의",
    "와",
    "과",
    "도",
    "로",
    "만",
    "요",
];

/// Syllables that a noun keeps before a particle.
const NOUN_SYLLABLES_MIN: usize = 2;

/// A word in Hangul without the particle that clings to it.
pub(super) fn noun(word: &str) -> &str {
    let is_noun = |noun: &&str| noun.chars().count() >= NOUN_SYLLABLES_MIN;
    PARTICLES.iter().find_map(|particle| word.strip_suffix(particle).filter(is_noun)).unwrap_or(word)
}

/// Whether a character is a syllable of Hangul.
pub(crate) fn is_syllable(character: char) -> bool {
    (0xAC00..=0xD7A3).contains(&u32::from(character))
}

/// A syllable without its final consonant, which is where endings melt into a stem: `보낸` is `보내`.
pub(super) fn without_final(character: char) -> char {
    if !is_syllable(character) {
        return character;
    }
    let code = u32::from(character);
    char::from_u32(code - (code - 0xAC00) % 28).unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_stands_without_its_particle() {
        assert_eq!(
            ["제목은", "제목이라고", "좌석으로", "크기는"].map(noun),
            ["제목", "제목", "좌석", "크기"]
        );
        assert_eq!(["회의", "가격", "우리"].map(noun), ["회의", "가격", "우리"]);
    }
}
