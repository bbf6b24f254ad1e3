from __future__ import annotations

import pytest

from stepscope.core.domain.element_search import FLAGS, ElementFilter, ElementSearch
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.geometry import Box, Size

BOX = Box(0, 0, 10, 10, Size(100, 100))
LOGIN = UIElement(0, BOX, text="Log in", resource_id="app:id/go", class_name="android.widget.Button", clickable=True)
SECRET = UIElement(1, BOX, resource_id="app:id/pin", class_name="android.widget.EditText", editable=True, password=True)
PICTURE = UIElement(2, BOX, content_description="A red “Log”", class_name="android.widget.ImageView", enabled=False)
ALL = (LOGIN, SECRET, PICTURE)


def found(text: str) -> list[int]:
    search = ElementSearch.read(text)
    return [element.index for element in ALL if search.matches(element)]


@pytest.mark.parametrize(
    ("text", "indices"),
    [
        ("", [0, 1, 2]),
        ("log", [0, 2]),
        ("LOG IN", [0]),  # words without a field are one phrase
        ("in log", []),
        ("widget", [0, 1, 2]),
        ("id:pin", [1]),
        ("class:edit", [1]),
        ("text:red", [2]),
        ('text:"log in"', [0]),
        ("is:clickable", [0]),
        ("is:password", [1]),
        ("IS:Disabled", [2]),
        ("-is:clickable", [1, 2]),
        ("-button", [1, 2]),
        ("log is:enabled", [0]),
        ("class:widget -id:go -is:password", [2]),
    ],
)
def test_what_a_search_finds(text: str, indices: list[int]) -> None:
    assert found(text) == indices


def test_a_wrong_flag_names_the_nearest_and_finds_nothing() -> None:
    search = ElementSearch.read("is:clickabel")
    assert search.mistake == "No flag “clickabel”. Did you mean is:clickable?"
    assert not search.finds_all and found("is:clickabel") == []
    assert all(name in ElementSearch.read("is:qqq").mistake for name in FLAGS)
    assert "is:password" in ElementSearch.read("is:").mistake


def test_only_an_empty_search_finds_all() -> None:
    assert ElementSearch.read("  ").finds_all
    assert not ElementSearch.read("-").finds_all


def test_which_elements_are_listed() -> None:
    assert [[e.index for e in ALL if shown.lets_through(e)] for shown in ElementFilter] == [[0, 1, 2], [0], [0, 2]]
