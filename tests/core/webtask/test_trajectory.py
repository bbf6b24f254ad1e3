"""Actions on a page as steps of an episode, in a real browser."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stepscope.core.domain.action import Finish, Scroll, Select, Tap, Type, action_point, action_target
from stepscope.core.domain.geometry import Box, Direction, Size
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.probe import probe_bytes
from stepscope.core.webtask.actions import (
    CaptureScreen,
    Click,
    GetHtml,
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
    ScrollBy,
    ScrollTo,
    TypeText,
    WaitTillLoaded,
)
from stepscope.core.webtask.page import ExecutedCall
from stepscope.core.webtask.trajectory import trajectory
from tests.core.webtask.fake import FakePage, field

PAGE = """<!DOCTYPE html><title>Rate</title><style>body { margin: 0 } * { font: 16px sans-serif }
.at { position: absolute; left: 40px; width: 300px; height: 30px; margin: 0; box-sizing: border-box }</style>
<form style="height: 2000px">
<input class=at style="top: 100px" name=why aria-label="Why">
<input class=at style="top: 200px; width: 30px" type=radio name=good value=1 aria-label=yes>
<input class=at style="top: 240px; width: 30px" type=radio name=good value=0 aria-label=no>
<input class=at style="top: 300px; width: 30px" type=checkbox name=box value=a aria-label=A checked>
<input class=at style="top: 340px; width: 30px" type=checkbox name=box value=b aria-label=B>
<select class=at style="top: 400px" name=kind><option value=x>X<option value=y>Y</select>
<input class=at style="top: 500px" type=range name=much min=0 max=10>
<input type=hidden name=seen>
<textarea class=at style="top: 1800px" name=far></textarea>
</form>"""
WIDTH, HEIGHT = 1265, 2000
"""The width of the screen without its scroll bar, and the form's height."""


def logged(*actions: PageAction) -> list[ExecutedCall]:
    return [ExecutedCall(action, float(place), 0.5) for place, action in enumerate(actions)]


def box(left: float, top: float, width: float, height: float) -> tuple[float, ...]:
    return left, top, left + width, top + height


def edges(one: Box | None) -> tuple[float, ...] | None:
    return None if one is None else (one.left, one.top, one.right, one.bottom)


def test_every_kind_of_call_by_hand(opened) -> None:
    log = logged(
        WaitTillLoaded(),
        ModifyText("why", "because"),
        ModifyRadio("good", "1.0"),
        ModifyCheckbox("box", ("b",)),
        ModifySelect("kind", "y"),
        ModifyRange("much", 7),
        ModifyText("seen", "ok"),
        GetHtml(),
        ScrollTo("far"),
        ScrollTo("far"),
        ModifyText("far", "away"),
    )
    log.insert(3, ExecutedCall(ModifyRadio("good", "7"), 2.5, 0.1, ok=False, said="no such option"))
    page = opened(PAGE)
    steps = list(trajectory(page, log))
    told = [(one.step.index, type(one.step.action), one.step.instruction) for one in steps]
    assert told == [
        (0, Type, "Why"), (1, Tap, "good"), (2, Tap, "box"), (3, Tap, "box"), (4, Select, "kind"), (5, Type, "much"),
        (6, Type, "seen"), (7, Scroll, "far"), (8, Type, "far"), (9, Finish, None),
    ]  # fmt: skip
    actions = [one.step.action for one in steps]
    assert [getattr(one, "text", None) for one in actions] == [
        "because", None, None, None, "y", "7", "ok", None, "away", None
    ]  # fmt: skip
    targets = [action_target(one) for one in actions[:-1]]
    assert [target.id for target in targets] == [
        "why", "good", "box", "box", "kind", "much", "seen", "far", "far"
    ]  # fmt: skip
    assert [edges(target.box) for target in targets] == [
        box(40, 100, 300, 30), box(40, 200, 30, 30), box(40, 300, 30, 30), box(40, 340, 30, 30), box(40, 400, 300, 30),
        box(40, 500, 300, 30), None, box(40, 1800, 300, 30), box(40, 1800, 300, 30),
    ]  # fmt: skip
    assert [target.text for target in targets[1:4]] == ["yes", "A", "B"]
    point = action_point(actions[1])
    assert point is not None and (point.x, point.y) == (55, 215)
    assert actions[7].direction is Direction.DOWN
    assert [one.step.observation.time for one in steps] == [1, 2, 3, 3, 4, 5, 6, 8, 10, 10.5]
    assert {(one.step.observation.size.width, one.step.observation.size.height) for one in steps} == {(WIDTH, HEIGHT)}
    assert all(probe_bytes(one.picture, "page").size == one.step.observation.size for one in steps)
    assert {one.step.observation.activity for one in steps} == {"Rate"} and not any(one.problem for one in steps)
    assert steps[2].picture == steps[3].picture != steps[4].picture, "one call is one change"
    assert page.look(("far",)).values == {"far": "away"}
    before = steps[1].step.observation.tree
    assert before is not None and before.size == steps[1].step.observation.size
    radio = next(one for one in before if one.resource_id == "good")
    assert radio.class_name == "input:radio" and radio.checkable and not radio.checked and radio.clickable
    after = steps[2].step.observation.tree
    assert after is not None and next(one for one in after if one.resource_id == "good").checked


def test_hands_are_told_where_they_were(opened) -> None:
    log = logged(ScrollBy(0, 300), Click(55, 100), TypeText("x"), Click(600, 20))
    steps = list(trajectory(opened(PAGE.replace("top: 400px", "top: 390px").replace("1800px", "380px")), log))
    kinds = [type(one.step.action) for one in steps]
    assert kinds == [Scroll, Tap, Type, Tap, Finish]
    scroll, tap, typed, nothing = (one.step.action for one in steps[:-1])
    assert scroll.direction is Direction.DOWN
    assert (tap.point.x, tap.point.y, tap.target.id) == (55, 400, "far")
    assert (typed.text, typed.target.id) == ("x", "far")
    assert (nothing.point.x, nothing.point.y) == (600, 320) and nothing.target.id is None


def test_what_cannot_be_done_again_is_told(opened) -> None:
    log = logged(ModifyText("gone", "x"), ModifyText("why", "y"))
    steps = list(trajectory(opened(PAGE), log, finished=False))
    assert steps[0].problem.startswith("modify_text could not be done again: ") and not steps[1].problem
    assert steps[-1].step.action is None
    (nothing,) = trajectory(opened(PAGE), ())
    assert nothing.step.action == Finish()


def test_a_page_that_is_larger_than_its_picture_is_cut() -> None:
    class Large(FakePage):
        def do(self, action, *, raw=""):
            png = encode_png(np.zeros((500, 400, 3), np.uint8)) if isinstance(action, CaptureScreen) else b""
            return replace(super().do(action, raw=raw), png=png)

    page = Size(400, 900)
    fields = (field("a", box=Box(10, 480, 100, 520, page)), field("b", box=Box(10, 800, 100, 820, page)))
    steps = list(trajectory(Large(*fields, size=page), logged(ModifyText("a", "x"), ModifyText("b", "y"))))
    shown = Size(400, 500)
    assert [one.step.observation.size for one in steps] == [shown] * 3
    targets = [action_target(one.step.action) for one in steps[:2]]
    assert [one.box for one in targets if one] == [Box(10, 480, 100, 500, shown), Box(10, 500, 100, 500, shown)]


@pytest.mark.parametrize("part", ["page", "viewport"])
def test_pictures_alone_are_no_steps(opened, part) -> None:
    (only,) = trajectory(opened(PAGE), logged(CaptureScreen(part)))
    assert only.step.action == Finish() and only.step.index == 0
