"""Stems of English words, equal to those of nltk's stemmer, whose package takes seconds to import.

Source: Porter 1980, "An algorithm for suffix stripping", whose five steps these are. (code) What nltk's `PorterStemmer`
does otherwise in its usual mode is done here too, and marked.

A word is seen as a row of consonants and vowels; y is a vowel behind a consonant. How often a vowel is followed by a
consonant is the paper's measure m, which decides whether what is left of a word can stand alone.
"""

from __future__ import annotations

from collections.abc import Mapping

_VOWELS = frozenset("aeiou")
_IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news", "innings": "inning",
    "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning", "canning": "canning",
    "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
"""(code) Words that the rules would get wrong."""

_DERIVED = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
    "fulli": "ful",
}  # fmt: skip
"""Step 2. (code) `bli` stands for the paper's `abli`; `fulli` is not in the paper."""
_DERIVED_ONCE_MORE = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
"""Step 3."""
_ENDINGS = dict.fromkeys(
    ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
     "ous", "ive", "ize"), "",
)  # fmt: skip
"""Step 4."""


def stem(word: str) -> str:
    """The stem of a word in small letters."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _without_y(_without_tense(_without_plural(word)))
    word = _with_suffix_replaced(_with_derivation_replaced(word), _DERIVED_ONCE_MORE, above=0)
    word = _with_suffix_replaced(word, _ENDINGS, above=1)
    return _without_double_l(_without_e(word))


def _shape(word: str) -> str:
    """A letter for each of the word's: c for a consonant, v for a vowel."""
    shape = ""
    for letter in word:
        vowel = letter in _VOWELS or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Whether the word ends as "hop" does: consonant, vowel, consonant, which is not w, x or y. (code) So does "on"."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")


def _without_plural(word: str) -> str:
    """Step 1a. (code) "dies" becomes "die", where the paper has "di"."""
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_tense(word: str) -> str:
    """Step 1b. (code) "died" becomes "die" and "spied" "spi"."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and "v" in _shape(word.removesuffix(suffix)):
            return _mended(word.removesuffix(suffix))
    return word


def _mended(word: str) -> str:
    """What a verb was before -ed or -ing was put to it."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if word[-1:] == word[-2:-1] and _shape(word).endswith("c"):
        return word if word[-1] in "lsz" else word[:-1]
    return word + "e" if _measure(word) == 1 and _ends_short(word) else word


def _without_y(word: str) -> str:
    """Step 1c. (code) Only behind a consonant that is not all there is: "happi" and "spi", but "enjoy" and "by"."""
    behind = word[:-1]
    return behind + "i" if word.endswith("y") and len(behind) > 1 and _shape(behind).endswith("c") else word


def _with_derivation_replaced(word: str) -> str:
    """Step 2. (code) What `alli` leaves goes through it again; `logi` becomes `log`, behind "geo" too."""
    if word.endswith("alli") and _measure(word[:-4]):
        return _with_derivation_replaced(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) else word
    return _with_suffix_replaced(word, _DERIVED, above=0)


def _with_suffix_replaced(word: str, suffixes: Mapping[str, str], *, above: int) -> str:
    """The word with its longest suffix of these replaced, where what is before it has a measure above this."""
    for length in range(min(7, len(word)), 1, -1):
        suffix = word[-length:]
        if suffix in suffixes:
            before = word[:-length]
            stands = _measure(before) > above and (suffix != "ion" or before[-1] in "st")
            return before + suffixes[suffix] if stands else word
    return word


def _without_e(word: str) -> str:
    """Step 5a."""
    before = word[:-1]
    if not word.endswith("e"):
        return word
    measure = _measure(before)
    return before if measure > 1 or (measure == 1 and not _ends_short(before)) else word


def _without_double_l(word: str) -> str:
    """Step 5b."""
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
