"""Many texts searched at once, against Python's own way with each."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.filter import Number, Pattern, Text
from stepscope.core.store.texts import _SAME_IN_RE2, EncodedTexts, Texts, members, with_words

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


@given(texts=st.lists(some_text, max_size=12), wanted=some_text.filter(bool), most=st.sampled_from([1, 3, 50]))
def test_words_and_places_of_many_texts(texts, wanted, most):
    """What many texts are searched by, on few: their words, ends of neighbours, and each text up to the first place."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stepscope.core.store.texts._MANY_BYTES", 5)
        patch.setattr("stepscope.core.store.texts._FEW", most)
        patch.setattr("stepscope.core.store.texts._MOST_ENDS", most)
        kept = Texts.of_columns(with_words(Texts(texts).columns()))
        expected = [wanted.casefold() in text.casefold() for text in texts]
        assert (list(kept.texts), len(kept)) == (texts, len(texts))
        assert list(kept.compared(":", [Text(wanted)])) == expected


def test_members_of_groups_that_are_wanted():
    first, things = np.array([0, 2, 2, 5, 6]), np.array([7, 1, 0, 1, 3, 7])
    wanted = np.array([True, False, False, True])
    for most in (0, 10):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("stepscope.core.store.texts._MOST_ENDS", most)
            assert np.flatnonzero(members(first, things, wanted, 9)).tolist() == [1, 7]
            assert np.flatnonzero(members(first, things, ~wanted, 9)).tolist() == [0, 1, 3]


pieces = st.sampled_from(
    [*"aS5 -.|()^$*+?", "(?:", "[a-z]", "[^5s]", "[S-]", r"\d", r"\W", r"\s", r"\b", "{2}", "{1,}", "{,2}", "é"]
)


@given(
    texts=st.lists(st.text(st.sampled_from("aSs5 -.ſé\n\x1f"), max_size=6), min_size=1, max_size=12),
    source=st.lists(pieces, min_size=1, max_size=6).map("".join),
)
def test_expressions_find_in_many_texts_what_they_find_in_each(texts, source):
    try:
        expected = [Pattern(source).found_in(text) for text in texts]
    except re.error:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stepscope.core.store.texts._MANY_TEXTS", 0)
        assert list(Texts(texts).compared(":", [Pattern(source)])) == expected


@pytest.mark.parametrize(
    ("source", "same"),
    [(r"\d{5}", True), ("^(?:main|zip) street$", True), (r"[A-Z]+\b", True), (r"(a)\1", False), ("a{,3}", False),
     ("a++", False), ("[[:alpha:]]", False), ("(?=a)", False), ("(?x)a b", False), (r"\Z", False), ("é", False)],
)  # fmt: skip
def test_what_means_the_same_elsewhere(source, same):
    assert (_SAME_IN_RE2.fullmatch(source) is not None) == same


def test_an_expression_that_repeats_too_often_is_searched_all_the_same(monkeypatch):
    monkeypatch.setattr("stepscope.core.store.texts._MANY_TEXTS", 0)
    assert meant(":", Pattern("((a{999}){9}|s)"), texts=("sas", "a")) == [0]
