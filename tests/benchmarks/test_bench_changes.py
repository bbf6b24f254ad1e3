"""What changed between two steps: the picture in 30 ms, and the UI tree beside it."""

from __future__ import annotations

import random

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.tree_diff import tree_diff
from stepscope.core.imaging.diff import changed_regions

PHONE = Size(1080, 2400)


def test_a_picture_of_a_phone(benchmark: BenchmarkFixture) -> None:
    before = np.random.default_rng(0).integers(0, 255, (2400, 1080, 3), np.uint8)
    after = before.copy()
    after[300:900, 100:600] += 100
    found = benchmark(changed_regions, before, after)
    assert found == (Box(96, 288, 608, 912, PHONE),)


def test_a_tree_of_a_thousand_elements(benchmark: BenchmarkFixture) -> None:
    """A list scrolled by one row of ten elements."""
    seeded_random = random.Random(0)
    rows = [[(f"word {seeded_random.randrange(10**6)}", f"id/{column}") for column in range(10)] for _ in range(101)]

    def screen(first: int) -> UITree:
        elements = tuple(
            UIElement(row * 10 + column, Box(column * 100, row * 24, column * 100 + 90, row * 24 + 20, PHONE),
                      text=text, resource_id=identity)
            for row, cells in enumerate(rows[first : first + 100])
            for column, (text, identity) in enumerate(cells)
        )  # fmt: skip
        return UITree(elements, TreeOrigin.DUMP, PHONE)

    before, after = screen(0), screen(1)
    found = benchmark(tree_diff, before, after)
    assert found.moved == 990 and len(found.changes) == 10
