"""Regions of a screen out of its UI tree: which elements, and what stands in each number."""

from __future__ import annotations

import numpy as np
import pytest

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.models.encoders.screen2vec_inputs import CLASSES
from stepscope.models.features.screen_regions import BOX, MOST_REGIONS, SIZE, tree_regions

SCREEN = Size(120, 240)
KINDS = len(CLASSES)


def element(index: int, box: tuple[float, float, float, float], parent: int = -1, **more: object) -> UIElement:
    return UIElement(index, Box(*box, SCREEN), parent, **more)  # type: ignore[arg-type]


def test_the_numbers_of_a_region_by_hand() -> None:
    button = element(0, (60, 120, 120, 168), text="Save", class_name="android.widget.Button", clickable=True)
    (row,) = tree_regions(UITree((button,), TreeOrigin.DETECTOR, SCREEN)).astype(float)
    assert len(row) == SIZE == KINDS + 6 + BOX + 12 + 6
    assert [*CLASSES][int(row[:KINDS].argmax())] == "button" and row[:KINDS].sum() == 1
    assert row[KINDS : KINDS + 6].tolist() == [1, 0, 0, 0, 0, 1]  # clickable, and it has words
    assert row[KINDS + 6 : KINDS + 12] == pytest.approx([0.5, 0.5, 1, 0.7, 0.5, 0.2], abs=1e-3)
    rows, columns = row[KINDS + 12 : KINDS + 24], row[KINDS + 24 :]
    assert int(rows.argmax()) == 7 and rows.sum() == 1  # its middle lies at 144 of 240: 7.2 of 12
    assert int(columns.argmax()) == 4 and columns.sum() == 1  # at 90 of 120: 4.5 of 6


def test_words_are_no_numbers() -> None:
    def of(text: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float16]]:
        return tree_regions(UITree((element(0, (0, 0, 10, 10), text=text),), TreeOrigin.OCR, SCREEN))

    assert np.array_equal(of("Send"), of("Delete")) and not np.array_equal(of("Send"), of(""))


def test_leaves_and_what_has_words_are_regions_and_nothing_that_is_not_on_the_screen() -> None:
    elements = (
        element(0, (0, 0, 120, 240)),
        element(1, (0, 0, 120, 40), 0, text="Inbox"),
        element(2, (0, 0, 40, 40), 1),
        element(3, (40, 0, 80, 40), 1, visible=False),
        element(4, (0, 300, 40, 340), 0),
        element(5, (0, 50, 40, 50), 0),
    )
    found = tree_regions(UITree(elements, TreeOrigin.DOM, SCREEN))
    assert found[:, KINDS + 8].tolist() == pytest.approx([1, 1 / 3], abs=1e-3)  # their right edges: 120 and 40


def test_of_many_so_many_spread_evenly() -> None:
    elements = tuple(element(place, (0, place, 10, place + 1)) for place in range(200))
    found = tree_regions(UITree(elements, TreeOrigin.DOM, SCREEN))
    tops = found[:, KINDS + 7].astype(float) * 240
    assert len(found) == MOST_REGIONS and tops[0] == 0 and round(tops[-1]) == 199
    assert np.diff(tops).min() > 4.9 and np.diff(tops).max() < 6.5
    assert tree_regions(UITree((), TreeOrigin.DOM, SCREEN)).shape == (0, SIZE)
