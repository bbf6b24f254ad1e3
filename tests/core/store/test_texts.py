"""Many texts searched at once, against Python's own way with each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.filter import Number, Pattern, Text
from stepscope.core.store.texts import EncodedTexts, Texts

TEXTS = ("Settings", "", "sign in", "Sign in", "Straße", "settings and more", "12345", "İstanbul", "a", "a")


def meant(operator, *values, texts=TEXTS):
    return [place for place, hit in enumerate(Texts(texts).compared(operator, values)) if hit]


@pytest.mark.parametrize(
    ("operator", "value", "places"),
    [
        (":", Text("settings"), [0, 5]),
        ("=", Text("SETTINGS"), [0]),
        (":", Text("n"), [0, 2, 3, 5, 7]),
        ("=", Text("sign IN"), [2, 3]),
        ("=", Text("a"), [8, 9]),
        (":", Text("STRASSE"), [4]),
        ("=", Text("strasse"), [4]),
        (":", Number(234.0), [6]),
        (":", Pattern(r"^\d{5}$"), [6]),
        ("=", Pattern("^s"), [0, 2, 3, 4, 5]),
        (":", Pattern("^$"), [1]),
        (":", Text("in S"), []),
    ],
)
def test_what_is_meant(operator, value, places):
    assert meant(operator, value) == places


def test_any_of_several_values_is_enough():
    assert meant(":", Text("sett"), Pattern("5$"), Text("nothing")) == [0, 5, 6]


def test_no_texts_at_all():
    assert meant(":", Text("a"), texts=()) == []
    assert [list(found) for found in Texts(()).having("a")] == [[], []]


def test_what_begins_so_and_what_has_it():
    begins, has = Texts(TEXTS).having("S")
    assert [TEXTS[place] for place in np.flatnonzero(begins)] == [
        "Settings",
        "sign in",
        "Sign in",
        "Straße",
        "settings and more",
    ]
    assert [TEXTS[place] for place in np.flatnonzero(has & ~begins)] == ["İstanbul"]
    assert all(Texts(TEXTS).having("")[0])


def test_few_different_texts_of_many_things():
    coded = EncodedTexts.of(["b", "a", "b", ""])
    assert (list(coded.code), coded.names.texts, list(coded.counts())) == ([0, 1, 0, 2], ("b", "a", ""), [2, 1, 1])
    assert list(coded.compared("=", [Text("B")])) == [True, False, True, False]


some_text = st.text(st.sampled_from("aAbßsSİ ı\ud800é"), max_size=6)


@given(texts=st.lists(some_text, max_size=12), wanted=some_text.filter(bool), whole=st.booleans())
def test_as_python_says_of_each(texts, wanted, whole):
    folded = wanted.casefold()
    expected = [text.casefold() == folded if whole else folded in text.casefold() for text in texts]
    assert list(Texts(texts).compared("=" if whole else ":", [Text(wanted)])) == expected
