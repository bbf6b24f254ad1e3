"""The tokens ET, ID and CLS of a screen, with the limits of MoTIF's released code."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.features.element_tokens import ElementTokens, element_tokens, name_words

BOX = (0, 0, 10, 10)
SIZE = Size(100, 100)


def test_every_kind_is_read_from_its_own_field(request_for: Callable[..., StepRequest]) -> None:
    seen = request_for(
        {"box": BOX, "class_name": "android.widget.FrameLayout"},
        {"box": BOX, "text": "Sign in, or call 112!", "content_description": "Unread", "class_name": "a.b.TextView"},
        {"box": BOX, "resource_id": "com.my_app.x:id/btn_search-Bar.icon", "class_name": "android.widget.ImageButton"},
        {"box": BOX, "text": "sign OUT", "visible": False, "resource_id": "toolbarMenu2"},
    ).observation
    assert element_tokens(seen) == ElementTokens(
        texts=("sign", "in", "or", "call", "112", "out"),
        ids=("btn", "search", "bar", "icon", "toolbar", "menu2"),
        classes=("frame", "layout", "text", "view", "image", "button"),
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("searchBar", ["search", "Bar"]),
        ("URLBar", ["URL", "Bar"]),
        ("parseURLNow", ["parse", "URL", "Now"]),
        ("LinearLayout2D", ["Linear", "Layout2D"]),
        ("a__b--c..d//e", ["a", "b", "c", "d", "e"]),
        ("größeÄndern", ["größeÄndern"]),  # a hump is seen where the capital is one of ASCII
        ("", []),
        ("___", []),
    ],
)
def test_names_fall_into_words(name: str, words: list[str]) -> None:
    assert name_words(name) == words


def test_no_more_than_the_released_code_takes(request_for: Callable[..., StepRequest]) -> None:
    words = [f"word{number}" for number in range(200)]
    elements = [
        {"box": BOX, "text": f"{one} same", "resource_id": f"a/{one}", "class_name": f"a.{one}"} for one in words
    ]
    found = element_tokens(request_for(*elements).observation)
    assert found.texts == ("word0", "same", *words[1:99])
    assert found.ids == found.classes == tuple(words[:50])


def test_long_tokens_are_cut_and_nothing_is_there_without_a_tree() -> None:
    long = UIElement(0, Box(*BOX, SIZE), text="x" * 60 + " " + "x" * 50)
    tree = UITree((long,), TreeOrigin.VIEW_HIERARCHY, SIZE)
    assert element_tokens(Observation(SIZE, tree=tree)).texts == ("x" * 50,)
    assert element_tokens(Observation(SIZE)) == ElementTokens()


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_tokens_are_never_empty_nor_twice(text: str, name: str, kind: str) -> None:
    element = UIElement(0, Box(*BOX, SIZE), text=text, resource_id=name, class_name=kind)
    found = element_tokens(Observation(SIZE, tree=UITree((element,), TreeOrigin.DUMP, SIZE)))
    for tokens in (found.texts, found.ids, found.classes):
        assert all(0 < len(one) <= 50 and not one.isspace() for one in tokens)
        assert len(set(tokens)) == len(tokens)
