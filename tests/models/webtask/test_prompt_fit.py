"""What has room: worked out with a token for each character."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stepscope.models.webtask.solver import fitted
from stepscope.models.webtask.tokens import estimated

PAGE = "\n".join(f"<p>{n}</p>" for n in range(10, 20)) + "\n<input name=a>"  # 10 lines of 9, 9 breaks more, 1 + 14


def test_all_has_room_then_the_last_demonstrations_go_then_the_page_is_cut() -> None:
    assert len(PAGE) == 114
    for room, shown in ((200, 2), (199, 1), (154, 1), (153, 0), (114, 0)):
        found = fitted(room, [40, 46], PAGE, len, ["a"])
        assert (found.demos, found.html, found.cut) == (shown, PAGE, 0), room
    less = fitted(90, [40, 46], PAGE, len, ["a"])
    assert less.demos == 0 and "<input name=a>" in less.html and "<p>10</p>" in less.html
    assert len(less.html) <= 90 and less.cut == 114 - len(less.html)


def test_no_room_at_all_leaves_nothing() -> None:
    for room in (0, -50):
        found = fitted(room, [1], PAGE, len, ["a"])
        assert found.demos == 0 and found.html == ""


@given(st.text(max_size=200), st.integers(-10, 80), st.lists(st.integers(0, 50), max_size=7))
def test_it_always_fits(html: str, room: int, demos: list[int]) -> None:
    found = fitted(room, demos, html, estimated, ["a"])
    assert estimated(found.html) + sum(demos[: found.demos]) <= max(room, 0) or not found.html


def test_four_characters_are_a_token_rounded_up() -> None:
    assert [estimated("x" * count) for count in (0, 1, 4, 5)] == [0, 1, 1, 2]
