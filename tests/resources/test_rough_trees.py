"""Each roughness on a tree of a few elements, and what must hold for any episode."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.action import PressKey, Swipe, Tap, Target, Type, action_point, action_target
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.sources.registry import open_source
from stepscope.models.automation.tower_elements import place_in, seen_elements
from stepscope.resources.sample.generator import check
from stepscope.resources.sample.generator.choose import INFEASIBLE, SHARES, drawn
from stepscope.resources.sample.generator.plan import AppGoals
from stepscope.resources.sample.generator.rough_trees import changes
from stepscope.resources.sample.generator.rough_trees.episode_trees import RoughTrees, drawn_trees
from stepscope.resources.sample.generator.rough_trees.nodes import KeyedChance, nodes_of, tree_of
from stepscope.resources.sample.generator.rough_trees.toolkits import (
    COMPOSE,
    FLUTTER,
    MATERIAL,
    REACT_NATIVE,
    TOOLKITS,
    VIEWS,
    WEB_VIEW,
)

SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample" / "episodes"
SIZE = Size(100, 200)
APP, IDS = "com.tea", "com.tea:id/"
FRAME, VIEW, TEXT = "android.widget.FrameLayout", "android.view.View", "android.widget.TextView"


def box(left: float, top: float, right: float, bottom: float) -> Box:
    return Box(left, top, right, bottom, SIZE)


def element(index, parent, depth, place, name="", kind="TextView", package=APP, **more):
    named = f"{package}:id/{name}" if name else ""
    kind = f"android.view.{kind}" if kind == "ViewGroup" else f"android.widget.{kind}"
    return UIElement(index, box(*place), parent, depth, resource_id=named, class_name=kind, package=package, **more)


def shop() -> UITree:
    """The phone's clock, a list of two rows, a button with a picture, a button with words, a field, the pager's dot."""
    return UITree(
        (
            element(0, -1, 0, (0, 0, 100, 200), kind="FrameLayout"),
            element(1, 0, 1, (0, 0, 20, 10), "clock", package="com.android.systemui", text="9:41"),
            element(2, 0, 1, (0, 20, 100, 100), "teas", "RecyclerView", scrollable=True),
            element(3, 2, 2, (0, 20, 100, 50), "tea_1", "ViewGroup", clickable=True, content_description="Mint tea 3"),
            element(4, 3, 3, (5, 22, 60, 48), "name", text="Mint"),
            element(5, 3, 3, (70, 22, 95, 48), "price", text="3"),
            element(6, 2, 2, (0, 50, 100, 80), "tea_2", "ViewGroup", clickable=True, content_description="Sage tea 4"),
            element(7, 6, 3, (5, 52, 60, 78), "name", text="Sage"),
            element(8, 6, 3, (70, 52, 95, 78), "price", text="4"),
            element(9, 0, 1, (80, 110, 100, 130), "add", "ImageButton", clickable=True, content_description="Add"),
            element(10, 0, 1, (0, 110, 50, 130), "pay", "Button", clickable=True, text="Pay"),
            element(11, 0, 1, (0, 140, 100, 160), "find", "EditText", clickable=True, editable=True, focused=True),
            element(12, 0, 1, (40, 180, 60, 190), "note", text="Open"),
        ),
        TreeOrigin.DOM,
        SIZE,
        "com.tea/Shop",
    )


class FixedChance:
    """Shares by purpose and key; all others are so high that nothing comes of them."""

    def __init__(self, shares):
        self.shares = shares

    def share(self, purpose, key):
        return self.shares.get((purpose, key), 0.999)

    def hits(self, purpose, key, share):
        return self.share(purpose, key) < share


def changed(change, shares=(), kit=VIEWS, tree=None):
    """What the change makes of the shop, as (depth, box, text, description, id, class, touchable) by element."""
    tree = tree or shop()
    roots = nodes_of(tree)
    nodes = [node for node in roots[0].walk() if node is not roots[0] and node.element.package == APP]
    change(roots[0], nodes, kit, FixedChance(dict(shares)))
    return list(tree_of(roots, tree)[0])


def differences(after):
    """The elements that the shop does not have."""
    before = {replace(one, index=0, parent=0, depth=0) for one in shop()}
    return [one for one in after if replace(one, index=0, parent=0, depth=0) not in before]


def words(_root, nodes, kit, chance):
    changes.change_words(nodes, kit, chance)


def flags(_root, nodes, kit, chance):
    changes.move_flags(nodes, kit, chance)


def wrapped(_root, nodes, kit, chance):
    changes.wrap(nodes, kit, chance)


def kept(_root, nodes, _kit, chance):
    changes.keep_what_left(nodes, chance)


def renamed(_root, nodes, kit, chance):
    changes.rename(nodes, kit, chance)


def misplaced(root, _nodes, _kit, chance, spared=None):
    changes.misplace(root, chance, spared)


# --- descriptions -----------------------------------------------------------------------------------------------------


def test_an_icon_button_says_nothing():
    after = changed(words, {("mute", "add"): 0.34}.items())
    assert [(one.short_id, one.content_description) for one in differences(after)] == [("add", "")]
    assert differences(changed(words, {("mute", "add"): 0.36}.items())) == []


def test_a_text_is_its_description_too():
    after = changed(words, {("doubled", "note"): 0.1}.items())
    assert [(one.text, one.content_description) for one in differences(after)] == [("Open", "Open")]


@pytest.mark.parametrize(
    ("share", "kit", "said"),
    [
        (0.1, VIEWS, ["", ""]),
        (0.5, VIEWS, ["Mint", "Sage"]),
        (0.9, VIEWS, ["Mint tea 3", "Sage tea 4"]),
        (0.1, REACT_NATIVE, ["Mint, 3", "Sage, 4"]),
        (0.1, FLUTTER, ["Mint\n3", "Sage\n4"]),
    ],
)
def test_rows_say_nothing_or_repeat_their_parts_all_alike(share, kit, said):
    after = changed(words, {("row words", "tea_#"): share}.items(), kit)
    assert [one.content_description for one in after if one.short_id.startswith("tea_")] == said


def test_a_row_does_not_say_what_a_button_in_it_is_for():
    tree = shop()
    button = replace(tree.elements[5], clickable=True)
    tree = replace(tree, elements=(*tree.elements[:5], button, *tree.elements[6:]))
    assert changed(words, kit=FLUTTER, tree=tree)[3].content_description == "Mint"


def test_a_merged_row_has_swallowed_its_parts():
    after = changed(lambda _root, nodes, kit, _chance: changes.merge_rows(nodes, kit), kit=FLUTTER)
    assert [one.short_id for one in after] == ["", "clock", "teas", "tea_1", "tea_2", "add", "pay", "find", "note"]
    assert [one.parent for one in after] == [-1, 0, 0, 2, 2, 0, 0, 0, 0]
    assert len(changed(lambda _root, nodes, kit, _chance: changes.merge_rows(nodes, kit))) == 13


# --- flags and containers ---------------------------------------------------------------------------------------------


def test_no_flag_tells_that_a_button_can_be_touched():
    (bare,) = differences(changed(flags, {("flags", "pay"): 0.29}.items()))
    assert (bare.short_id, bare.clickable, bare.text) == ("pay", False, "Pay")


def test_the_flag_is_on_a_container_around_the_words():
    outer, inner = differences(changed(flags, {("flags", "pay"): 0.31}.items()))
    assert (outer.class_name, outer.short_id, outer.clickable, outer.text) == (FRAME, "pay", True, "")
    assert outer.box == box(0, 110, 50, 130)
    assert (inner.class_name, inner.resource_id, inner.clickable, inner.text) == (TEXT, "", False, "Pay")
    assert inner.box == box(5, 112, 45, 128), "a tenth smaller on each side"
    assert (inner.parent, inner.depth) == (outer.index, outer.depth + 1)


def test_the_container_is_no_larger_and_repeats_the_words():
    shares = {("flags", "pay"): 0.31, ("snug", "pay"): 0.4, ("repeated", "pay"): 0.3}
    outer, inner = differences(changed(flags, shares.items()))
    assert outer.box == inner.box == box(0, 110, 50, 130)
    assert (outer.content_description, inner.text) == ("Pay", "Pay")


def test_a_row_lies_in_a_container_that_has_its_flag_and_its_parts_stay():
    after = changed(flags, {("flags", "tea_#"): 0.29}.items())
    rows = [one for one in after if one.short_id.startswith("tea_")]
    assert [(one.class_name, one.clickable, one.content_description) for one in rows] == [(FRAME, True, "")] * 2
    inner = after[rows[0].index + 1]
    assert (inner.clickable, inner.content_description, inner.resource_id) == (False, "Mint tea 3", "")
    assert [after[index].text for index in (rows[0].index + 2, rows[0].index + 3)] == ["Mint", "3"]


def test_a_field_keeps_its_flags():
    assert differences(changed(flags, {("flags", "find"): 0.0}.items())) == []


def test_a_container_of_the_same_bounds_lies_around_an_element():
    after = changed(
        lambda _root, nodes, kit, chance: changes.wrap(nodes, kit, chance), {("wrapped", "add"): 0.1}.items()
    )
    (wrapper,) = differences(after)
    assert (wrapper.box, wrapper.class_name, wrapper.clickable) == (box(80, 110, 100, 130), FRAME, False)
    assert (after[wrapper.index + 1].short_id, after[wrapper.index + 1].parent) == ("add", wrapper.index)


# --- places -----------------------------------------------------------------------------------------------------------


def with_third_row() -> UITree:
    row = element(9, 2, 2, (0, 80, 100, 100), "tea_3", "ViewGroup", clickable=True)
    before, after = shop().elements[:9], shop().elements[9:]
    return replace(shop(), elements=(*before, row, *(replace(one, index=one.index + 1) for one in after)))


@pytest.mark.parametrize(
    ("share", "places"),
    [
        (0.1, [(0, -61, 100, -31), (0, -31, 100, -1)]),
        (0.3, [(0, 200, 100, 230), (0, 230, 100, 260)]),
        (0.5, [(0, 0, 0, 0), (0, 0, 0, 0)]),
        (0.7, []),
    ],
)
def test_a_list_keeps_rows_that_left_the_screen(share, places):
    after = changed(kept, {("kept", "teas"): share}.items(), tree=with_third_row())
    rows = [one for one in after if one.short_id.startswith("tea_")]
    there = [box(0, 20, 100, 50), box(0, 50, 100, 80), box(0, 80, 100, 100)]
    left = [box(*place) for place in places]
    assert [one.box for one in rows] == ([*left, *there] if share == 0.1 else [*there, *left])
    assert len(after) == 14 + 3 * len(places), "rows with their parts"
    assert all(after[one.parent].short_id == "teas" for one in rows)


def test_a_pager_keeps_the_page_beside():
    tree = shop()
    pager = replace(tree.elements[2], resource_id=f"{IDS}pager", scrollable=False)
    tree = replace(tree, elements=(*tree.elements[:2], pager, *tree.elements[3:]))
    after = changed(kept, {("kept", "pager"): 0.1}.items(), tree=tree)
    beside = [one for one in after if one.box.left >= SIZE.width]
    assert [(one.short_id, one.box.left) for one in beside] == [
        ("tea_1", 100), ("name", 105), ("price", 170), ("tea_2", 100), ("name", 105), ("price", 170),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("share", "place"), [(0.2, (40, 180, 40, 180)), (0.5, (0, 0, 100, 200)), (0.9, (40, 190, 60, 200))]
)
def test_a_text_that_nothing_is_done_on_has_wrong_bounds(share, place):
    shares = {("wrong", "note"): 0.05, ("how wrong", "note"): share}
    (wrong,) = differences(changed(misplaced, shares.items()))
    assert (wrong.short_id, wrong.box) == ("note", box(*place))


def test_what_is_touched_never_has_bounds_that_are_far_off():
    shares = {("wrong", name): 0.0 for name in ("note", "add", "pay", "find", "tea_#", "name", "price", "teas")}

    def spared(root, nodes, kit, chance):
        misplaced(root, nodes, kit, chance, spared=12)

    assert differences(changed(spared, shares.items())) == []


def test_bounds_are_a_little_off():
    shares = {("loose", "pay"): 0.2, ("how loose", "pay"): 0.0}
    (loose,) = differences(changed(misplaced, shares.items()))
    assert loose.box == box(-1, 109, 49, 129), "0.8 % of 100 pixels is 1"


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kit", "classes"),
    [
        (VIEWS, ["android.widget.ImageButton", "android.widget.Button", "android.widget.EditText", TEXT]),
        (
            MATERIAL,
            [
                "androidx.appcompat.widget.AppCompatImageButton",
                "com.google.android.material.button.MaterialButton",
                "com.google.android.material.textfield.TextInputEditText",
                "com.google.android.material.textview.MaterialTextView",
            ],
        ),
        (COMPOSE, [VIEW, VIEW, "android.widget.EditText", TEXT]),
        (FLUTTER, ["android.widget.Button", "android.widget.Button", "android.widget.EditText", VIEW]),
        (REACT_NATIVE, ["android.view.ViewGroup", "android.view.ViewGroup", "android.widget.EditText", TEXT]),
        (WEB_VIEW, ["android.widget.Button", "android.widget.Button", "android.widget.EditText", TEXT]),
    ],
)
def test_classes_are_those_of_the_toolkit(kit, classes):
    assert [one.class_name for one in changed(renamed, kit=kit)[9:]] == classes


@pytest.mark.parametrize(("kit", "pay"), [(VIEWS, ("Pay", "")), (FLUTTER, ("", "Pay")), (WEB_VIEW, ("Pay", ""))])
def test_words_stand_where_the_toolkit_puts_them(kit, pay):
    after = changed(renamed, kit=kit)
    assert (after[10].text, after[10].content_description) == pay
    add = ("Add", "") if kit is WEB_VIEW else ("", "Add")
    assert (after[9].text, after[9].content_description) == add
    assert (after[1].text, after[1].class_name) == ("9:41", TEXT), "the phone's bar is no part of the app"


def test_ids_are_kept_say_nothing_or_are_missing():
    shares = {("ids", "add"): 0.59, ("ids", "pay"): 0.61, ("number", "pay"): 0.5, ("ids", "note"): 0.76}
    after = changed(renamed, shares.items())
    assert [after[index].resource_id for index in (9, 10, 12)] == [f"{IDS}add", f"{IDS}view_55", ""]


def test_the_page_lies_in_the_toolkits_containers():
    after = changed(lambda root, _nodes, kit, _chance: changes.frame(root, kit), kit=FLUTTER)
    assert [(one.depth, one.class_name) for one in after[2:7]] == [
        (1, "android.widget.LinearLayout"),
        (2, FRAME),
        (3, "io.flutter.embedding.android.FlutterView"),
        (4, VIEW),
        (5, VIEW),
    ]
    assert after[3].resource_id == "android:id/content" and all(one.box == box(0, 0, 100, 200) for one in after[2:7])
    assert (after[1].short_id, after[7].short_id, after[7].depth) == ("clock", "teas", 6)
    assert (after[-1].short_id, after[-1].box.area, after[-1].parent) == ("navigationBarBackground", 0, 0)


# --- the recorded step ------------------------------------------------------------------------------------------------

ROW = Target(box(0, 50, 100, 80), "Sage tea 4", f"{IDS}tea_2")


def step(action, tree=None) -> Step:
    tree = tree or shop()
    return Step(0, Observation(SIZE, tree=tree), action, "Choose sage")


def made(kit, action, smallest, monkeypatch, **shares):
    """The step's action in trees where only the changes named happen."""
    fixed = FixedChance({tuple(name.split("__")): share for name, share in shares.items()})
    monkeypatch.setattr(
        "stepscope.resources.sample.generator.rough_trees.episode_trees.KeyedChance", lambda _seed: fixed
    )
    return RoughTrees(kit, "1", smallest).made(step(action))


@pytest.mark.parametrize(
    ("kit", "at", "smallest", "target"),
    [
        (VIEWS, (20, 65), False, Target(box(0, 50, 100, 80), "Sage tea 4", None)),
        (VIEWS, (20, 65), True, Target(box(5, 52, 60, 78), "Sage", None)),
        (VIEWS, (65, 65), True, Target(box(0, 50, 100, 80), "Sage tea 4", None)),
        (FLUTTER, (20, 65), True, Target(box(0, 50, 100, 80), "Sage\n4", None)),
    ],
)
def test_the_target_is_what_a_recorder_would_note(kit, at, smallest, target, monkeypatch):
    tap = Tap(Point(*at, SIZE), ROW)
    after = made(kit, tap, smallest, monkeypatch)
    assert after.action == replace(tap, target=target)
    assert after.observation.tree is not None and after.instruction == "Choose sage"


def test_the_target_of_a_split_button_is_the_flagged_part_or_the_words(monkeypatch):
    pay = Tap(Point(25, 120, SIZE), Target(box(0, 110, 50, 130), "Pay", f"{IDS}pay"))
    outer = made(VIEWS, pay, False, monkeypatch, flags__pay=0.31, ids__pay=0.1).action.target
    inner = made(VIEWS, pay, True, monkeypatch, flags__pay=0.31, ids__pay=0.1).action.target
    assert outer == Target(box(0, 110, 50, 130), "pay", f"{IDS}pay")
    assert inner == Target(box(5, 112, 45, 128), "Pay", None)


def test_typing_and_swiping_stay_on_their_element(monkeypatch):
    field = Target(box(0, 140, 100, 160), "find", f"{IDS}find")
    typed = made(FLUTTER, Type("oolong", None, field), True, monkeypatch)
    assert typed.action.target == Target(field.box, "", None)
    assert [one.class_name for one in typed.observation.tree if one.focused] == ["android.widget.EditText"]
    teas = Target(box(0, 20, 100, 100), "teas", f"{IDS}teas")
    swipe = Swipe(Point(20, 65, SIZE), Point(20, 30, SIZE), teas)
    assert made(VIEWS, swipe, True, monkeypatch, ids__teas=0.1).action == swipe


def test_a_step_without_a_target_keeps_its_action_and_one_without_a_tree_stays(monkeypatch):
    assert made(VIEWS, PressKey("back"), True, monkeypatch).action == PressKey("back")
    bare = Step(0, Observation(SIZE), PressKey("back"), "Go back")
    assert RoughTrees(VIEWS, "1", True).made(bare) is bare


def test_the_check_tells_a_target_that_is_not_under_the_finger():
    assert check.lost_target(step(Tap(Point(20, 65, SIZE), ROW)), "1") == ""
    beside = Tap(Point(20, 90, SIZE), ROW)
    assert check.lost_target(step(beside), "1") == "step 0: in views trees the target is not under the finger"


# --- any episode ------------------------------------------------------------------------------------------------------


@cache
def recorded() -> tuple[tuple[Step, ...], ...]:
    """The steps of ten shipped episodes."""
    source = open_source(SAMPLE)
    return tuple(source.read(item.id).steps for item in list(source.scan())[::5])


drawn_kinds = st.builds(
    RoughTrees, st.sampled_from(TOOLKITS), st.integers(0, 2**64 - 1).map(lambda seed: f"{seed:x}"), st.booleans()
)


@settings(max_examples=40, deadline=None)
@given(kind=drawn_kinds, data=st.data())
def test_the_recorded_action_stays_right_in_any_trees(kind, data):
    before = data.draw(st.sampled_from([one for steps in recorded() for one in steps if one.observation.tree]))
    after = kind.made(before)
    assert after == kind.made(before)
    assert action_point(after.action) == action_point(before.action)
    assert replace(after, observation=before.observation, action=before.action) == before
    assert tree_is_whole(after.observation.tree)
    clean, rough = action_target(before.action), action_target(after.action)
    if clean is None:
        assert rough is None
        return
    few, old, new = changes.SLACK * clean.box.size.width + 1, clean.box, rough.box
    assert old.left - few <= new.left <= new.right <= old.right + few
    assert old.top - few <= new.top <= new.bottom <= old.bottom + few
    if isinstance(before.action, Tap):
        assert new.contains(before.action.point)
    named = [one for one in after.observation.tree if one.box == new and one.label == rough.text]
    assert any((one.resource_id or None) == rough.id for one in named)


def tree_is_whole(tree: UITree) -> bool:
    """Depths follow from parents; one root."""
    return all(one.depth == (tree.elements[one.parent].depth + 1 if one.parent >= 0 else 0) for one in tree) and [
        one.index for one in tree if one.parent < 0
    ] == [0]


def test_targets_that_a_model_could_find_it_still_finds_and_half_of_them_have_no_flag():
    found = unflagged = touched = 0
    for number, steps in enumerate(recorded() * 3):
        kind = drawn_trees(random.Random(number))
        for before in steps:
            if place_in(seen_elements(before.observation), before.action, before.observation) < 0:
                continue
            after = kind.made(before)
            seen = seen_elements(after.observation)
            place = place_in(seen, after.action, after.observation)
            touched += 1
            found += place >= 0
            unflagged += place >= 0 and not (seen[place].element.clickable or seen[place].element.editable)
    assert touched > 60
    assert found >= 0.95 * touched
    assert 0.35 <= unflagged / touched <= 0.6


def test_an_element_is_treated_alike_on_every_screen():
    tree = shop()
    later = replace(tree, elements=(*tree.elements[:12], replace(tree.elements[12], text="Closed")))
    for number in range(40):
        kind = drawn_trees(random.Random(number))
        first, second = (kind.made(step(PressKey("back"), one)).observation.tree for one in (tree, later))
        assert [replace(one, text="", content_description="") for one in first] == [
            replace(one, text="", content_description="") for one in second
        ]


def test_chances_by_key_are_even_and_independent_of_each_other():
    chance = KeyedChance("7")
    assert chance.share("ids", "add") == KeyedChance("7").share("ids", "add")
    shares = [chance.share("ids", str(key)) for key in range(2000)]
    assert all(170 <= sum(part / 10 <= one < (part + 1) / 10 for one in shares) <= 230 for part in range(10))
    both = sum(chance.hits("ids", str(key), 0.5) and chance.hits("mute", str(key), 0.5) for key in range(2000))
    assert 440 <= both <= 560


# --- which episodes ---------------------------------------------------------------------------------------------------


def app(name: str, held_out: bool = False) -> AppGoals:
    return AppGoals(name, name.title(), name, held_out, (), lambda _v, _c: (), lambda _v, _c: ())


APPS = (app("clock"), app("shop"), app("player"), app("notes", True), app("tasks", True))


def test_half_of_each_split_is_rough_and_that_tells_nothing_of_the_means():
    draws = [drawn(1, number, 0, APPS) for number in range(3000)]
    splits = Counter(draw.split for draw in draws)
    rough = Counter(draw.split for draw in draws if draw.rough)
    assert all(0.45 <= rough[split] / count <= 0.55 for split, count in splits.items())
    for means in SHARES:
        of_kind = [draw for draw in draws if draw.means is means]
        assert 0.42 <= sum(draw.rough for draw in of_kind) / len(of_kind) <= 0.58
    kinds = [(draw.means in INFEASIBLE, drawn_trees(draw.chance("trees")).kit.name) for draw in draws if draw.rough]
    infeasible = sum(one for one, _name in kinds) / len(kinds)
    for kit in TOOLKITS:
        of_kit = [one for one, name in kinds if name == kit.name]
        assert 200 <= len(of_kit) <= 300 and abs(sum(of_kit) / len(of_kit) - infeasible) < 0.1
    assert [drawn(1, number, 3, APPS).rough for number in range(50)] == [draw.rough for draw in draws[:50]]


@pytest.mark.chain
@pytest.mark.e2e
@pytest.mark.timeout(300)
def test_a_build_of_both_kinds_is_the_same_whoever_works_on_it_and_is_counted(tmp_path: Path) -> None:
    from stepscope.core.progress import CancelToken
    from stepscope.resources.sample.generator.build import Build, BuildSpec
    from stepscope.resources.sample.generator.rough_trees.kinds import TreeKinds

    pytest.importorskip("PySide6")
    contents, counts = [], {}
    for kinds, workers in (("mixed", 1), ("mixed", 2), ("clean", 1), ("rough", 1)):
        order = BuildSpec(4, 3, Size(270, 600), ("clock", "notes"), "test", TreeKinds(kinds))
        building = Build(order, tmp_path / f"{kinds} {workers}")
        assert len(list(building.run(workers, CancelToken()))) == 4
        counts[kinds] = Counter(building.finish()["trees"])
        files = [file for file in building.into.rglob("*") if file.is_file()]
        contents.append({str(file.relative_to(building.into)): file.read_bytes() for file in files})
    mixed, again, clean, rough = contents
    assert mixed == again
    assert counts["mixed"]["clean"] == 2 and counts["mixed"].total() == 4
    assert counts["clean"] == {"clean": 4} and counts["rough"].total() == 4 and "clean" not in counts["rough"]
    assert {name for name in clean if name.endswith(".jpg")} == {name for name in rough if name.endswith(".jpg")}
    assert all(clean[name] == rough[name] for name in clean if name.endswith(".jpg")), "pictures are untouched"
    for name in (one for one in clean if one.endswith("episode.json")):
        plain, like_real = json.loads(clean[name]), json.loads(rough[name])
        assert plain["goal"] == like_real["goal"] and len(plain["steps"]) == len(like_real["steps"])
        assert mixed[name] == (clean if json.loads(mixed[name])["meta"]["trees"] == "clean" else rough)[name]
