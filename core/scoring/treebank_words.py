"""Words of English text, as METEOR counts them: those of nltk's `NLTKWordTokenizer`, whose package takes a second to
import.

Source: the rules of the Penn Treebank, in the order in which nltk applies them (code). What stands apart from a word
gets spaces around it, and the text is split at spaces at last. A combining mark beside an apostrophe may be seen
otherwise, for nltk has another engine for its expressions.
"""

from __future__ import annotations

import re

_SPACE = r"[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
"""Unicode's white space, without the four control characters that Python counts as well."""
_ALONE = r" \g<0> "

_OPENING = (
    (r"[«“‘„]|`+", _ALONE),
    (r'^"', "``"),
    (r"``", _ALONE),
    (r"([ (\[{<])(?:\"|'')", r"\1 `` "),
    (r"(?i)(?<!\w)'(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", "' "),
)
_MARKS = (
    (rf"([^.])\.([\])}}>\"'»”’ ]*+){_SPACE}*$", r"\1 . \2 "),
    (r"([:,])(\D)", r" \1 \2"),
    (r"[:,]$", _ALONE),
    (r"\.{2,}", _ALONE),
    (r"[;@#$%&\u2012-\u2015]", _ALONE),
    (rf"([^.])\.([\])}}>\"']*){_SPACE}*$", r"\1 .\2 "),
    (r"[?!]", _ALONE),
    (r"([^'])' ", r"\1 ' "),
    (r"[*\]\[(){}<>]", _ALONE),
    (r"--", _ALONE),
)
_CLOSING = (
    (r"[»”’]", _ALONE),
    (r"''|\"", " '' "),
    (rf"{_SPACE}+", " "),
    (r"([^' ])('[sSmMdD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
)
_JOINED = (
    *((rf"(?i)\b({first})({second})\b", r" \1 \2 ") for first, second in (
        ("can", "not"), ("d", "'ye"), ("gim", "me"), ("gon", "na"), ("got", "ta"), ("lem", "me"), ("more", "'n"),
    )),
    (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "),
    (r"(?i) ('t)(is|was)\b", r" \1 \2 "),
)  # fmt: skip
"""Two words written as one."""

_BEFORE, _AFTER = (
    tuple((re.compile(pattern), put) for pattern, put in rules) for rules in (_OPENING + _MARKS, _CLOSING + _JOINED)
)


def words_of(text: str) -> list[str]:
    """The words and marks of a sentence, in their order."""
    for pattern, put in _BEFORE:
        text = pattern.sub(put, text)
    text = f" {text} "
    for pattern, put in _AFTER:
        text = pattern.sub(put, text)
    return text.split()
