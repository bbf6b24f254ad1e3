"""The JSON form of actions: what is written is read back, and what is wrong is named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import (
    ACTION_TYPES,
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    FinishStatus,
    Hover,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.domain.wire import action_from_json, action_to_json

SIZE = Size(1080, 2400)
coordinates = st.floats(-5000, 5000, allow_nan=False)
points = st.builds(Point, coordinates, coordinates, st.just(SIZE))
boxes = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h, SIZE), coordinates, coordinates, st.floats(0, 900), st.floats(0, 900)
)
targets = st.none() | st.builds(Target, boxes, st.text(), st.none() | st.text())
named = st.builds(Target, st.none(), st.text(), st.text())
"""an element of which nobody knows where it is"""
directions = st.sampled_from(Direction)
actions = st.one_of(
    *(st.builds(kind, points, targets) for kind in (Tap, LongPress, DoubleTap, Hover)),
    *(st.builds(kind, st.none(), named) for kind in (Tap, LongPress, DoubleTap, Hover)),
    *(st.builds(kind, points, points, targets) for kind in (Swipe, Drag)),
    *(st.builds(kind, st.text(), st.none() | points, targets) for kind in (Type, Select)),
    st.builds(Scroll, directions, st.none() | points, targets),
    *(st.builds(kind, st.text()) for kind in (PressKey, OpenApp, AskUser, Say)),
    st.just(Wait()),
    st.builds(Finish, st.sampled_from(FinishStatus)),
)


@given(actions)
def test_every_action_comes_back_through_json(action: Action) -> None:
    form = json.loads(json.dumps(action_to_json(action)))
    assert set(form) >= {"kind", "point", "to", "text", "direction", "key", "target"}
    assert action_from_json(form, SIZE) == action


def test_all_fifteen_kinds_are_there() -> None:
    kinds = "tap long_press double_tap swipe scroll drag type select hover press_key open_app wait ask say finish"
    assert list(ACTION_TYPES) == kinds.split()


def test_a_tap_without_a_point_means_the_middle_of_its_target() -> None:
    form = {"kind": "tap", "target": {"box": [100, 200, 300, 600], "text": "OK", "id": None}}
    assert action_from_json(form, SIZE) == Tap(Point(200, 400, SIZE), Target(Box(100, 200, 300, 600, SIZE), "OK"))


def test_a_swipe_by_direction_goes_a_third_of_the_screen() -> None:
    swipe = action_from_json({"kind": "swipe", "point": [540, 1200], "direction": "up"}, SIZE)
    assert swipe == Swipe(Point(540, 1200, SIZE), Point(540, 400, SIZE))
    assert action_to_json(swipe)["direction"] == "up"


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ([], "action must be an object"),
        ({}, "action.kind"),
        ({"kind": "click"}, "action.kind"),
        ({"kind": "tap"}, "action.point"),
        ({"kind": "tap", "point": [1]}, "action.point"),
        ({"kind": "tap", "point": [1, True]}, "action.point"),
        ({"kind": "tap", "point": [1, float("nan")]}, "action.point"),
        ({"kind": "tap", "point": [1, 10**400]}, "action.point"),
        ({"kind": "tap", "point": "12"}, "action.point"),
        ({"kind": "tap", "target": {"box": [5, 5, 1, 9]}}, "right 1 < left 5"),
        ({"kind": "tap", "target": []}, "action.target"),
        ({"kind": "drag", "point": [1, 2]}, "action.to"),
        ({"kind": "swipe", "point": [1, 2]}, "action.to"),
        ({"kind": "scroll", "direction": "sideways"}, "action.direction"),
        ({"kind": "type", "text": 5}, "action.text"),
        ({"kind": "press_key"}, "action.key"),
        ({"kind": "finish", "status": "won"}, "action.status"),
    ],
)
def test_what_is_wrong_is_named(form: object, field: str) -> None:
    with pytest.raises(ValueError, match=field.replace(".", r"\.")):
        action_from_json(form, SIZE)


def test_a_target_says_at_least_what_it_is_called() -> None:
    with pytest.raises(ValueError, match="neither a box nor a text or id"):
        action_from_json({"kind": "tap", "target": {"box": None, "text": ""}}, SIZE)
    with pytest.raises(ValueError, match="point is missing"):
        action_from_json({"kind": "tap", "target": None}, SIZE)
