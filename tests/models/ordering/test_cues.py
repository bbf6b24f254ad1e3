"""What the wording of steps tells of their order, by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepscope.models.ordering.cues import CUES, THINGS, wording


def test_first_words_groups_and_length() -> None:
    begin, end = wording(["Choose a pan.", "Finally serve it once it is ready"]).cues
    assert begin.tolist() == [1, 0, *[0] * 15, np.float32(3 / 15)]
    # "finally" begins it; in the groups: finally, once, it, ready, serve.
    assert end.tolist() == [0, 1, *[0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0], np.float32(7 / 15)]


def test_a_thing_is_named_before_it_is_known() -> None:
    found = wording(["Grease a muffin tin.", "Fill the muffin tins with dough.", "Sing."])
    shared = (found.named + found.known).sum(0)
    assert shared[:2].tolist() == [2, 2] and not shared[2:].any()  # muffin and tin
    assert found.named[:, :2].tolist() == [[1, 1], [0, 0], [0, 0]]
    assert found.known[:, :2].tolist() == [[0, 0], [1, 1], [0, 0]]


def test_an_apostrophe_of_print_is_one() -> None:
    assert np.array_equal(wording(["Don\N{RIGHT SINGLE QUOTATION MARK}t go"]).cues, wording(["Don't go"]).cues)


@given(st.lists(st.text(max_size=30), max_size=6))
def test_any_texts(texts: list[str]) -> None:
    found = wording(texts)
    assert found.cues.shape == (len(texts), CUES) and found.named.shape == found.known.shape == (len(texts), THINGS)
    assert not (found.named * found.known).any()
