"""Sizes of pictures as models see them, against transformers' own function and against sums by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UsageError
from stepscope.models.agents.adapter import adapter_named

# What `smart_resize` of transformers 5.23 gives, width × height.
LIBRARY = {
    "qwen2.5-vl": [(1092, 2408), (1932, 1092), (3836, 2156)],
    "ui-tars-1.5": [(1092, 2408), (1932, 1092), (3836, 2156)],
    "qwen3-vl": [(1088, 2400), (1920, 1088), (3840, 2176)],
    "showui": [(672, 1512), (1344, 756), (1344, 756)],
}
SCREENS = [Size(1080, 2400), Size(1920, 1080), Size(3840, 2160)]


@pytest.mark.parametrize("name", LIBRARY)
def test_by_a_factor(name: str) -> None:
    found = [adapter_named(name).sent(screen) for screen in SCREENS]
    assert [(one.width, one.height) for one in found] == LIBRARY[name]


def test_other_rules() -> None:
    assert adapter_named("os-genesis").sent(SCREENS[0]) == Size(672, 1512)  # at most 1024 × 1024
    assert adapter_named("agentcpm-gui").sent(SCREENS[0]) == Size(504, 1120)
    assert adapter_named("agentcpm-gui").sent(Size(300, 500)) == Size(300, 500)
    assert adapter_named("claude-computer").sent(SCREENS[0]) == Size(705, 1568)  # 26 × 56 = 1,456 tiles
    square = adapter_named("claude-computer").sent(Size(3000, 3000))
    assert square == Size(1092, 1092)  # 39 × 39 = 1,521 tiles; 40 × 40 would be 1,600
    assert adapter_named("openai-computer").sent(SCREENS[0]) == SCREENS[0]


def test_tiny_pictures_grow_and_strips_are_refused() -> None:
    assert adapter_named("qwen2.5-vl").sent(Size(1, 1)) == Size(56, 56)
    with pytest.raises(UsageError, match="more than 200 times as long as wide"):
        adapter_named("qwen2.5-vl").sent(Size(1, 201))


@given(st.integers(20, 6000), st.integers(20, 6000))
def test_the_factor_and_the_bounds_hold(width: int, height: int) -> None:
    if max(width, height) > 200 * min(width, height):
        return
    found = adapter_named("qwen2.5-vl").sent(Size(width, height))
    assert found.width % 28 == found.height % 28 == 0
    assert found.width * found.height <= 12845056
