"""Icons out of screens: which elements are icons, what kind their words tell, and what is cut out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation, Picture
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.errors import SourceError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.progress import CancelToken
from stepscope.core.sources.source import Source
from stepscope.models.encoders.icon_samples import ICON_WORDS, icon_kind, icon_samples, icons_of, is_icon

SIZE = Size(1000, 2000)


@pytest.mark.parametrize(
    ("description", "resource_id", "kind"),
    [
        ("Search", "", "search"),
        ("Navigate up", "", "back"),
        ("Thumbs up", "", None),
        ("", "com.app:id/btn_moreOptions", "more"),
        ("", "a:id/ic_share", "share"),
        ("Delete", "a:id/share", "delete"),  # the description says what a person is told
        ("Clear search", "", None),  # of two kinds
        ("Background", "a:id/backpack", None),
        ("", "", None),
    ],
)
def test_words_tell_one_kind_or_none(description: str, resource_id: str, kind: str | None) -> None:
    element = UIElement(0, Box(0, 0, 9, 9, SIZE), content_description=description, resource_id=resource_id)
    assert icon_kind(element) == kind


def test_every_word_of_the_table_tells_its_own_kind() -> None:
    for kind, told in ICON_WORDS.items():
        for words in told:
            element = UIElement(0, Box(0, 0, 9, 9, SIZE), content_description=words.title())
            assert icon_kind(element) == kind


@pytest.mark.parametrize(
    ("edges", "fields", "is_one"),
    [
        ((0, 0, 100, 100), {}, True),
        ((0, 0, 100, 76), {}, True),
        ((0, 0, 100, 75), {}, False),  # not over three quarters
        ((0, 0, 316, 316), {}, True),
        ((0, 0, 317, 316), {}, False),  # 100,172 of 2,000,000: a twentieth is 100,000
        ((0, 0, 100, 100), {"clickable": False}, False),
        ((0, 0, 100, 100), {"visible": False}, False),
        ((5, 5, 5, 5), {}, False),
    ],
)
def test_icons_are_small_clickable_and_nearly_square(
    edges: tuple[int, int, int, int], fields: dict[str, bool], is_one: bool
) -> None:
    element = UIElement(0, Box(*edges, SIZE), **{"clickable": True, **fields})  # type: ignore[arg-type]
    assert is_icon(element, Observation(SIZE)) is is_one


@pytest.fixture
def screen(request_for: Callable[..., StepRequest], tmp_path: Path) -> Observation:
    """A screenshot of half the tree's size, red where the search icon is."""
    pixels = np.zeros((1000, 500, 3), np.uint8)
    pixels[50:100, 25:75] = (0, 0, 255)
    cv2.imwrite(str(tmp_path / "screen.png"), pixels)
    seen = request_for(
        {"box": (50, 100, 150, 200), "content_description": "Search", "clickable": True},
        {"box": (500, 100, 600, 200), "text": "no icon word", "clickable": True},
        {"box": (960, 100, 1060, 200), "resource_id": "a:id/menu", "clickable": True},  # a part of it lies outside
        {"box": (1200, 100, 1300, 200), "resource_id": "a:id/share", "clickable": True},
    ).observation
    return replace(seen, screenshot=Picture(tmp_path / "screen.png", Size(500, 1000)))


def test_icons_are_cut_out_where_they_are(screen: Observation) -> None:
    search, menu = icons_of(screen)
    assert (search.kind, menu.kind) == ("search", "menu")
    assert search.pixels.shape == (50, 50, 3)
    assert (search.pixels == (255, 0, 0)).all()
    assert menu.pixels.shape == (50, 20, 3)


def test_a_screen_without_picture_or_tree_has_none_and_a_broken_picture_is_told(
    screen: Observation, tmp_path: Path
) -> None:
    assert not list(icons_of(replace(screen, screenshot=None)))
    assert not list(icons_of(replace(screen, tree=None)))
    (tmp_path / "screen.png").write_bytes(b"\x89PNG\r\n")
    with pytest.raises(SourceError):
        list(icons_of(screen))


def test_the_sample_has_icons_each_once(sample: tuple[Source, tuple[str, ...]]) -> None:
    found = list(icon_samples(sample[0]))
    assert {one.kind for one in found} <= set(ICON_WORDS)
    assert len({one.kind for one in found}) >= 2
    assert len({(one.kind, one.pixels.shape, one.pixels.tobytes()) for one in found}) == len(found)
    token = CancelToken()
    token.cancel()
    assert not list(icon_samples(sample[0], token))
