"""Settings in the names of models."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.model_name import split_name, with_settings


@pytest.mark.parametrize(
    ("name", "plain", "settings"),
    [
        ("page:lab/gpt-x", "page:lab/gpt-x", {}),
        ("page:lab/gpt-x?demos=3&html=relevant", "page:lab/gpt-x", {"demos": "3", "html": "relevant"}),
        ("page:lab/a?b?demos=1", "page:lab/a?b", {"demos": "1"}),
        ("m?", "m", {}),
        ("m?demos&demos=2&&html=", "m", {"demos": "2", "html": ""}),
    ],
)
def test_a_name_and_its_settings(name: str, plain: str, settings: dict[str, str]) -> None:
    assert split_name(name) == (plain, settings)


def test_settings_take_the_place_of_others() -> None:
    assert with_settings("page:lab/m?demos=1", {"html": "relevant", "demos": 3}) == "page:lab/m?html=relevant&demos=3"
    assert with_settings("page:lab/m?demos=1", {}) == "page:lab/m"


@given(st.text().filter(lambda text: "?" not in text), st.dictionaries(st.text(min_size=1), st.text(), min_size=1))
def test_what_was_put_in_comes_out(name: str, settings: dict[str, str]) -> None:
    assert split_name(with_settings(name, settings)) == (name, settings)


@given(st.text())
def test_any_name_can_be_split(name: str) -> None:
    bare, settings = split_name(name)
    assert name.startswith(bare)
    assert settings == {} or "?" in name
