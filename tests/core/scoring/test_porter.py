"""Stems: the paper's examples, and nltk's stemmer on words made of all suffixes."""

from __future__ import annotations

import random

import pytest

from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.porter import stem

porter = lazy_module("nltk.stem.porter")
pytestmark = pytest.mark.needs("scipy.stats")  # which nltk loads

SUFFIXES = (
    "", "s", "ed", "ing", "ies", "ied", "eed", "y", "yed", "ational", "tional", "enci", "anci", "izer", "abli", "bli",
    "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness", "fulness", "ousness", "aliti",
    "iviti", "biliti", "fulli", "logi", "icate", "ative", "alize", "iciti", "ical", "ful", "ness", "al", "ance",
    "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "sion", "tion", "ou", "ism", "ate",
    "iti", "ous", "ive", "ize", "e", "ll", "lle", "sses", "ss", "at", "bl", "iz",
)  # fmt: skip


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("agreed", "agre"), ("plastered", "plaster"),
        ("motoring", "motor"), ("sing", "sing"), ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"),
        ("filing", "file"), ("happy", "happi"), ("relational", "relat"), ("vietnamization", "vietnam"),
        ("triplicate", "triplic"), ("electrical", "electr"), ("adoption", "adopt"), ("effective", "effect"),
        ("probate", "probat"), ("rate", "rate"), ("cease", "ceas"), ("controll", "control"), ("roll", "roll"),
    ],
)  # fmt: skip
def test_the_papers_examples(word, wanted):
    assert stem(word) == wanted


def test_nltk_gives_the_same():
    rng = random.Random(7)
    theirs = porter.PorterStemmer()
    beginnings = ["".join(rng.choices("aeiouybcdlstzwxr09", k=rng.randint(0, 6))) for _ in range(150)]
    words = [begin + suffix + rng.choice(SUFFIXES) for begin in beginnings for suffix in SUFFIXES]
    words += ["skies", "dying", "news", "innings", "howe", "succeed", "by", "spy", "enjoy", "dies", "died", "geologi"]
    assert {word: (stem(word), theirs.stem(word)) for word in words if stem(word) != theirs.stem(word)} == {}
