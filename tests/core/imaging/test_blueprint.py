"""A UI tree drawn in a screenshot's place: boxes where they are, words inside them, nothing that takes for ever."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.imaging import blueprint
from stepscope.core.imaging.blueprint import CLICKABLE_EDGE, FIELD_EDGE, IMAGE_EDGE, PAGE, PAPER_EDGE, draw_tree
from stepscope.core.imaging.palette import rgb
from stepscope.core.imaging.panels import Area, fill, frame
from stepscope.core.imaging.parts import Pixels

PHONE = Size(412, 800)


def tree(*boxes: tuple[float, float, float, float], size: Size = PHONE, **given: object) -> UITree:
    return UITree(
        tuple(UIElement(n, Box(*box, size), **given) for n, box in enumerate(boxes)),  # type: ignore[arg-type]
        TreeOrigin.VIEW_HIERARCHY,
        size,
    )


def colour(pixels: Pixels, x: int, y: int) -> tuple[int, ...]:
    return tuple(pixels[y, x].tolist())


def close(pixels: Pixels, x: int, y: int, wanted: str) -> bool:
    return max(abs(a - b) for a, b in zip(colour(pixels, x, y), rgb(wanted), strict=True)) <= 40


def dark(pixels: Pixels, left: int, top: int, right: int, bottom: int) -> int:
    """How many pixels of a part are as dark as letters."""
    return int((pixels[top:bottom, left:right].max(axis=2) < 130).sum())


def test_a_box_has_its_edges_where_the_element_has_them() -> None:
    pixels = draw_tree(tree((40, 100, 141, 160), clickable=True), PHONE)
    edge = rgb(CLICKABLE_EDGE)
    assert colour(pixels, 90, 100) == colour(pixels, 90, 159) == edge
    assert colour(pixels, 40, 130) == colour(pixels, 140, 130) == edge
    assert colour(pixels, 90, 99) == colour(pixels, 90, 160) == colour(pixels, 39, 130) == rgb(PAGE)
    assert colour(pixels, 141, 130) == rgb(PAGE)
    assert colour(pixels, 40, 100) != edge  # the corner is round


@pytest.mark.parametrize(
    ("given", "edge"),
    [
        ({"clickable": True}, CLICKABLE_EDGE),
        ({"editable": True}, FIELD_EDGE),
        ({"class_name": "android.widget.ImageView"}, IMAGE_EDGE),
        ({"text": "Hello"}, PAPER_EDGE),
    ],
)
def test_kinds_of_elements_look_different(given: dict[str, object], edge: str) -> None:
    assert colour(draw_tree(tree((40, 100, 140, 160), **given), PHONE), 90, 100) == rgb(edge)


def test_words_stand_inside_their_box() -> None:
    pixels = draw_tree(tree((40, 100, 240, 130), text="Add to cart"), PHONE)
    assert dark(pixels, 41, 101, 239, 129) > 60
    everything = dark(pixels, 0, 0, 412, 800)
    assert everything == dark(pixels, 41, 101, 239, 129)


@pytest.mark.parametrize("text", ["much too long for so small a box " * 20, "WWWWWWWWWWWWWWWWWWWWWWWW", "漢字" * 40])
def test_long_words_do_not_leave_their_box(text: str) -> None:
    pixels = draw_tree(tree((40, 100, 120, 130), text=text), PHONE)
    outside = pixels.copy()
    outside[100:130, 40:120] = rgb(PAGE)
    assert (outside == rgb(PAGE)).all()
    assert dark(pixels, 40, 100, 120, 130) > 20


def test_long_text_is_broken_into_lines() -> None:
    pixels = draw_tree(tree((10, 100, 200, 220), text="several words that need more than one line here"), PHONE)
    rows = (pixels[100:220, 12:198].max(axis=2) < 130).any(axis=1)
    assert int((np.diff(rows.astype(int)) == 1).sum()) >= 2


def test_a_password_is_never_drawn() -> None:
    typed = draw_tree(tree((40, 100, 240, 130), text="hunter2", password=True), PHONE)
    other = draw_tree(tree((40, 100, 240, 130), text="x", password=True), PHONE)
    assert np.array_equal(typed, other)


def test_small_boxes_lie_on_large_ones_whatever_their_order() -> None:
    size = PHONE
    small = UIElement(0, Box(100, 100, 200, 140, size), clickable=True)
    large = UIElement(1, Box(20, 20, 400, 700, size), text="")
    pixels = draw_tree(UITree((small, large), TreeOrigin.DETECTOR, size), size)
    assert colour(pixels, 150, 100) == rgb(CLICKABLE_EDGE)


def test_words_too_small_to_read_are_bars() -> None:
    pixels = draw_tree(tree((40, 100, 240, 130), text="Add to cart"), PHONE, Size(60, 120))
    assert pixels.shape == (117, 60, 3)
    assert dark(pixels, 0, 0, 60, 117) == 0
    assert (pixels != draw_tree(tree((40, 100, 240, 130)), PHONE, Size(60, 120))).any()


def test_places_are_scaled_from_the_trees_own_size() -> None:
    half = tree((20, 50, 70, 80), size=Size(206, 400), clickable=True)
    assert colour(draw_tree(half, PHONE), 90, 100) == rgb(CLICKABLE_EDGE)


def test_what_cannot_be_seen_is_not_drawn() -> None:
    size = PHONE
    elements = (
        UIElement(0, Box(10, 10, 60, 60, size), visible=False, clickable=True, text="hidden"),
        UIElement(1, Box(0, 0, 0, 0, size), text="nowhere"),
        UIElement(2, Box(500, 10, 600, 60, size), text="beside"),
        UIElement(3, Box(0, 0, 412, 800, size)),
    )
    assert (draw_tree(UITree(elements, TreeOrigin.DUMP, size), size) == rgb(PAGE)).all()


def test_a_container_leaves_the_words_to_what_is_inside() -> None:
    size = PHONE
    button = UIElement(0, Box(10, 10, 300, 90, size), clickable=True, content_description="Buy now for 3 €")
    words = UIElement(1, Box(20, 60, 120, 85, size), parent=0, depth=1, text="Buy now")
    pixels = draw_tree(UITree((button, words), TreeOrigin.DUMP, size), size)
    assert dark(pixels, 125, 12, 298, 88) == 0
    assert dark(pixels, 20, 60, 120, 85) > 20


def test_boxes_upon_boxes_end_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grounds beyond the bound are left out, and elements beyond the limit."""
    laid: list[Area] = []
    monkeypatch.setattr(blueprint, "fill", lambda _pixels, area, *_rest: laid.append(area))
    many = tree(*[(20.0, 20.0, 400.0, 700.0)] * 12_000, clickable=True, class_name="x")
    draw_tree(many, PHONE)
    assert 60 < len(laid) < 90
    assert len(blueprint._BlueprintPage(many, PHONE, PHONE)._items()) == blueprint.MAX_ELEMENTS


def test_a_panel_covers_its_area_and_nothing_else() -> None:
    pixels = np.zeros((50, 60, 3), np.uint8)
    fill(pixels, Area(10, 5, 50, 45), (200, 100, 50), 0.5, 8)
    assert colour(pixels, 30, 25) == (100, 50, 25)
    assert colour(pixels, 10, 5) == (0, 0, 0)
    assert colour(pixels, 30, 5) == colour(pixels, 10, 25) == colour(pixels, 49, 44 - 15) == (100, 50, 25)
    area = np.pi * 8 * 8 + 40 * 40 - 16 * 16  # the square without its corners, and a disc of them
    assert pixels[:, :, 0].sum() / 100 == pytest.approx(area, rel=0.01)
    frame(pixels, Area(0, 0, 60, 50), (255, 255, 255), 2, 0)
    assert (pixels[:2] == 255).all()
    assert (pixels[:, 58:] == 255).all()


ELEMENTS = st.lists(
    st.tuples(
        *[st.floats(-1e6, 1e6)] * 4,
        st.text(max_size=30),
        st.sampled_from(["", "android.widget.ImageView", "img"]),
        st.booleans(),
        st.booleans(),
        st.integers(0, 99),
    ),
    max_size=12,
)


@given(
    drawn=ELEMENTS,
    width=st.integers(1, 300),
    height=st.integers(1, 300),
    limit=st.none() | st.integers(1, 300),
    origin=st.sampled_from(TreeOrigin),
)
def test_any_tree_can_be_drawn(
    drawn: list[tuple[float, float, float, float, str, str, bool, bool, int]],
    width: int,
    height: int,
    limit: int | None,
    origin: TreeOrigin,
) -> None:
    size = Size(width, height)
    elements = []
    for n, (x, y, right, bottom, text, kind, clickable, editable, depth) in enumerate(drawn):
        box = Box(min(x, right), min(y, bottom), max(x, right), max(y, bottom), Size(500, 700))
        elements.append(
            UIElement(
                n, box, (n - 1) // 2 if n else -1, depth, text, class_name=kind, clickable=clickable, editable=editable
            )
        )
    tree_drawn = UITree(tuple(elements), origin, Size(500, 700))
    pixels = draw_tree(tree_drawn, size, None if limit is None else Size(limit, limit))
    assert pixels.dtype == np.uint8
    if limit is None:
        assert pixels.shape == (height, width, 3)
