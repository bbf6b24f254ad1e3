"""References by kind, place, order and neighbours: the grammar by hand, and the numbers on screens one can follow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box, Size
from stepscope.models.automation.referring import reference
from stepscope.models.automation.relations import RELATIONS, relation_features
from stepscope.models.learned.recipe import Array

SIZE = Size(1000, 2000)


@pytest.mark.parametrize(
    ("said", "side", "anchor", "own", "ordinal", "start", "sides", "kinds"),
    [
        ("click on more", "", (), ("more",), 0, "", set(), set()),
        ("click the button beside english", "beside", ("english",), (), 0, "", set(), {"button"}),
        ("Tap the bell icon which is right to the text Club Tijuana",
         "right", ("club", "tijuana"), ("bell",), 0, "", set(), {"picture"}),
        ("select the second image below forecast", "below", ("forecast",), (), 2, "", set(), {"picture"}),
        ("select the 2nd icon from right corner", "", (), (), 2, "right", set(), {"picture"}),
        ("click on the last checkbox", "", (), (), -1, "", set(), {"switch"}),
        ("click on menu icon at top right corner of the page",
         "", (), ("menu",), 0, "", {"top", "right"}, {"picture"}),
        ("go to bottom left corner image", "", (), (), 0, "", {"bottom", "left"}, {"picture"}),
        ("click on logo which is in the middle of the page", "", (), (), 0, "", {"middle"}, {"picture"}),
        ("click on the text before password", "before", ("password",), (), 0, "", set(), {"words"}),
        ("select the text field on the right next to confirm password",
         "beside", ("confirm", "password"), (), 0, "", {"right"}, {"words", "field"}),
        ("turn right", "", (), ("turn",), 0, "", {"right"}, set()),
        ("", "", (), (), 0, "", set(), set()),
    ],
)  # fmt: skip
def test_what_is_said(
    said: str,
    side: str,
    anchor: tuple[str, ...],
    own: tuple[str, ...],
    ordinal: int,
    start: str,
    sides: set[str],
    kinds: set[str],
) -> None:
    found = reference(said)
    assert (found.side, found.anchor, found.own, found.ordinal, found.start) == (side, anchor, own, ordinal, start)
    assert (found.sides, found.kinds) == (sides, kinds)


@given(st.text(max_size=60))
def test_any_text_is_taken_apart(said: str) -> None:
    found = reference(said)
    assert bool(found.side) == bool(found.anchor) and -1 <= found.ordinal <= 10


def button(place: int, left: float, top: float, text: str = "", name: str = "ImageButton") -> UIElement:
    """100 by 100 pixels."""
    return UIElement(place, Box(left, top, left + 100, top + 100, SIZE), text=text, class_name=f"android.widget.{name}")


def numbers(said: str, *elements: UIElement) -> Array:
    seen = Observation(SIZE, tree=UITree(elements, TreeOrigin.DOM, SIZE))
    return relation_features([one.box for one in elements], elements, seen, said)


ENGLISH = button(0, 400, 500, "English", "TextView")
AROUND = (ENGLISH, button(1, 550, 500), button(2, 250, 500), button(3, 400, 350), button(4, 400, 650))


@pytest.mark.parametrize(
    ("word", "place"), [("right of", 1), ("left to", 2), ("above", 3), ("below", 4), ("before", 2), ("after", 1)]
)
def test_the_element_on_the_said_side_of_its_neighbour_stands_out(word: str, place: int) -> None:
    found = numbers(f"click the icon {word} english", *AROUND)
    assert found[:, 0].argmax() == place and found[place, 1] == 0 and found[place, 2] == 0
    assert found[0, 0] == 0 and (np.delete(found[:, 1], place) < -0.1).all()
    assert found[:, 8].argmax() == 0 and found[0, 9] == 1  # the neighbour itself
    assert found[:, 11:].tolist() == [[1, 0, 0, 1]] * 5


def test_what_is_nearer_and_in_line_counts_more_by_hand() -> None:
    near, far, aside = button(1, 600, 500), button(2, 800, 500), button(3, 600, 680)
    found = numbers("tap the button right of english", ENGLISH, near, far, aside)
    # 0.1 away; 0.3 away; 0.1 away, 0.08 below the stretch of the neighbour and 0.18 between the middles. Its
    # likeness is 1 in text: coverage 1 and no other words.
    assert found[1:, 0] == pytest.approx(np.exp([-0.1 / 0.3, -0.3 / 0.3, -0.1 / 0.3 - 0.08 / 0.08 - 0.18 / 0.32]), 1e-5)


def test_the_side_of_the_screen_that_is_said() -> None:
    corners = [button(place, *where) for place, where in enumerate(((0, 0), (900, 0), (0, 1900), (900, 1900)))]
    for said, place in (("top right corner", 1), ("bottom left", 2), ("lower right", 3)):
        found = numbers(f"click the icon at the {said} of the screen", *corners)
        assert found[:, 4].argmax() == place and found[place, 5] == 0
    # The middle of the first is 0.05 of the width from the left and 0.025 of the height from the top.
    assert numbers("icon at the top left", *corners)[0, 4] == pytest.approx(np.exp(-0.075 / 0.3), 1e-5)


def test_counting() -> None:
    row = [button(place, 10 + 200 * place, 100) for place in range(4)]
    title = button(4, 10, 0, "Weather", "TextView")
    for said, place in (("second", 1), ("2nd", 1), ("last", 3), ("third", 2)):
        found = numbers(f"select the {said} image", *row, title)
        assert found[:, 6].tolist() == [float(one == place) for one in range(5)]
        assert found[:, 10].argmax() == place
    assert numbers("the first icon from the right", *row, title)[:, 6].tolist() == [0, 0, 0, 1, 0]
    assert not numbers("the ninth icon", *row, title)[:, 6].any()


def test_counting_goes_by_the_neighbours_side() -> None:
    above, below = button(1, 400, 300), button(2, 400, 620)
    found = numbers("the first icon below english", ENGLISH, above, below, button(3, 400, 760))
    assert found[:, 6].tolist() == [0, 0, 1, 0]


def test_kinds_by_class_and_flags() -> None:
    field = UIElement(2, Box(0, 300, 100, 400, SIZE), class_name="q", editable=True)
    found = numbers(
        "click the text field", button(0, 0, 0, name="ImageView"), button(1, 0, 150, "Go", "TextView"), field
    )
    assert found[:, 3].tolist() == [0, 1, 1]
    assert numbers("click on it", button(0, 0, 0))[:, 3].tolist() == [1]


def test_without_words_or_elements_there_are_only_zeros() -> None:
    assert not numbers("", *AROUND).any()
    assert numbers("click the icon below english").shape == (0, RELATIONS)


@given(st.text(alphabet="abcdefghijklmnop rstuvwxyz129", max_size=40))
def test_numbers_stay_within_bounds(said: str) -> None:
    found = numbers(f"the second icon right of {said} at the top", *AROUND)
    assert found.shape == (5, RELATIONS) and np.isfinite(found).all() and (np.abs(found) <= 1).all()
