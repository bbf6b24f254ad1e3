"""Only the first episodes of each app, or pages of each web task, are evaluated when that is asked for."""

from __future__ import annotations

from stepscope.app.services.evaluation import _first_of_each


def test_the_first_of_each_app_stay_in_their_order() -> None:
    apps = {"a1": "A", "b1": "B", "a2": "A", "a3": "A", "b2": "B"}

    assert _first_of_each(["a1", "b1", "x1", "a2", "a3", "b2", "x2", "x3"], apps, 2) == [
        "a1", "b1", "x1", "a2", "b2", "x2",
    ]  # fmt: skip


def test_an_app_with_fewer_has_all_its_episodes() -> None:
    assert _first_of_each(["a1", "b1"], {"a1": "A", "b1": "B"}, 20) == ["a1", "b1"]
