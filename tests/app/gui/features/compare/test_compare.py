"""The compare workspace in the whole window, with two prediction files whose verdicts were worked out by hand.

Under `aitw`, `guesses` (A) is right on lamp 0, 1, 2 and wrong on lamp 3 (home is not back), chair 0 (nothing usable)
and chair 1 (far off): 3 of 6. `others` (B) taps the same place on lamp 0, types the very text, scrolls sideways on
lamp 2, presses back, and taps exactly on chair 0 and 1: 5 of 6. So both have lamp 0 and 1, only A has lamp 2, only B
has lamp 3, chair 0 and 1, and nothing is wrong in both. McNemar, exact: 1 against 3 of 4, p = 2 (1 + 4) / 16 = 0.625.

Under `aitw-exact` the typed text counts: A loses lamp 1, the only step that flips.
"""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPushButton

from stepscope.app.cli.main import run
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.prediction import Task
from stepscope.core.scoring.named_rules import rule_by_id
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import run_list
from stepscope.widgets.common import ShownVerdict
from tests.app.gui.conftest import GUESSES

OTHERS = [
    {"run": {"model": "others"}},
    {"episode": "lamp", "step": 0, "action": {"kind": "tap", "point": [54, 135]}},
    {"episode": "lamp", "step": 1, "action": {"kind": "type", "text": "lamp"}},
    {"episode": "lamp", "step": 2, "action": {"kind": "scroll", "direction": "right"}},
    {"episode": "lamp", "step": 3, "action": {"kind": "press_key", "key": "back"}},
    {"episode": "chair", "step": 0, "action": {"kind": "tap", "point": [20, 40]}},
    {"episode": "chair", "step": 1, "action": {"kind": "tap", "point": [90, 200]}},
]


@pytest.fixture(scope="session")
def two_runs(tmp_path_factory: pytest.TempPathFactory, shop: Path) -> tuple[Path, tuple[str, str]]:
    """A store in which both files were scored under `aitw`, and the ids of the runs."""
    folder = tmp_path_factory.mktemp("two runs")
    url = store_url(folder / "two.db")
    for name, lines in (("guesses", GUESSES), ("others", OTHERS)):
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert run(["evaluate", "automation", str(shop), "--predictions", str(path), "--protocol", "aitw",
                    "--store", url]) == 0  # fmt: skip
    database = Database.open(url)
    with database.reading() as db:
        by_model = {counts.run.spec.model: counts.run.id for counts in run_list(db)}
    database.close()
    return folder / "two.db", (by_model["elsewhere"], by_model["others"])


@pytest.fixture
def comparing(open_window, shop, store, two_runs):
    """Both runs shown, in the compare workspace, at lamp 0."""
    scored, runs = two_runs
    shutil.copy(scored, store)
    person = open_window(shop)
    person.runs = runs
    person.selection.set_runs(runs)
    person.bench.viewer.open_episode("lamp")
    person.press("Ctrl+3")
    person.settle()
    return person


def panel(person):
    return person.window.compared


def cells(person) -> list[str]:
    tiles = panel(person).cells
    return [tiles.words(row, column).split(" (")[0] for row in (0, 1) for column in (0, 1)]


def rows(person) -> list[tuple[str, int, str]]:
    """Episode, step, and the verdicts of the runs by letter."""
    person.settle()
    model = panel(person).model
    person.until(lambda: all(model.value(place) for place in range(model.rowCount())), "the rows")
    found = [model.value(place) for place in range(model.rowCount())]
    return [(row.key.episode, row.key.step, " ".join(verdict.value for _run, verdict in row.verdicts)) for row in found]


def take_cell(person, row: int, column: int) -> None:
    tiles = panel(person).cells
    person.click(tiles, tiles.tile(row, column).center().toPoint())
    person.settle()


def panes(person) -> list[tuple[str, str, str]]:
    """Verdict, action and reason of each screen that is shown."""
    shown = [pane for pane in person.window.compare.panes if pane.isVisible()]
    return [
        (pane.verdict.text() if pane.verdict.isVisible() else "", pane.action.text(), pane.why.text()) for pane in shown
    ]


def test_two_runs_are_counted_as_the_command_line_does(comparing, store, capsys) -> None:
    a, b = comparing.runs
    table = panel(comparing).runs
    assert cells(comparing) == [
        "both right: 2 of 6 steps", "only A right: 1 of 6 steps", "only B right: 3 of 6 steps",
        "both wrong: 0 of 6 steps",
    ]  # fmt: skip
    assert panel(comparing).test.text() == "McNemar p 0.625"
    capsys.readouterr()
    assert run(["runs", "compare", b, a, "--store", store_url(store), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    metric = told["metrics"]["step_accuracy"]
    base, other = table._runs
    assert (base.score, base.difference) == (metric["b"], None) and base.score == pytest.approx(3 / 6)
    assert (other.score, other.difference) == (metric["a"], metric["difference"])
    assert other.interval == tuple(metric["ci"]) and other.p == metric["p"] == pytest.approx(0.625)
    assert table.words(1, 0).startswith("B others: 0.833, +0.333 to A")


def test_scores_of_other_data_than_the_sample_may_be_findings(comparing) -> None:
    assert not panel(comparing).badge.isVisible() and not comparing.window.rules.badge.isVisible()


def test_scores_of_the_sample_are_called_no_finding(open_window) -> None:
    person = open_window()
    person.until(lambda: len(person.selection.runs) == 2 and person.selection.episode, "the sample's two runs")
    person.settle()
    person.press("Ctrl+3")
    person.settle()
    assert panel(person).cells.isVisible()
    for badge in (panel(person).badge, person.window.rules.badge):
        assert badge.isVisible() and badge.text() == "sample, not a finding"


def test_a_cell_lists_its_steps_in_the_filters_words(comparing) -> None:
    filter_line = panel(comparing).filter
    assert (filter_line.words(), filter_line.count()) == ("differs:A,B", "4 steps")
    assert rows(comparing) == [
        ("lamp", 2, "hit miss"), ("lamp", 3, "miss hit"), ("chair", 0, "malformed hit"), ("chair", 1, "miss hit"),
    ]  # fmt: skip
    take_cell(comparing, 0, 1)
    assert (filter_line.words(), filter_line.count()) == ("right:A wrong:B", "1 step")
    assert rows(comparing) == [("lamp", 2, "hit miss")]
    take_cell(comparing, 1, 0)
    assert filter_line.words() == "wrong:A right:B" and len(rows(comparing)) == 3
    take_cell(comparing, 1, 0)
    assert filter_line.words() == "differs:A,B", "the same cell again takes the filter back"
    comparing.click(filter_line.use)
    comparing.settle()
    assert comparing.window.workspace == "replay"
    assert comparing.bench.library.filter_text == "differs:A,B"
    assert comparing.goals == ["Buy a lamp", "Order a chair"]


def test_keys_walk_the_differences_on_all_screens(comparing) -> None:
    assert panes(comparing)[0][:2] == ("✓ hit", "tap 54, 135") and panes(comparing)[1][0] == "✓ hit"
    comparing.press("N")
    comparing.arrive("lamp", 2)
    assert [pane[0] for pane in panes(comparing)] == ["✓ hit", "✕ miss"]
    assert panel(comparing).list.currentIndex().row() == 0, "its row is current"
    first, second = (pane.view.content for pane in comparing.window.compare.panes)
    assert {mark.layer for mark in first.marks if hasattr(mark, "layer")} >= {Layer.REFERENCE, Layer.RUN_A}
    assert Layer.RUN_B not in {mark.layer for mark in first.marks if hasattr(mark, "layer")}
    assert Layer.RUN_A not in {mark.layer for mark in second.marks if hasattr(mark, "layer")}
    assert first.picture is second.picture is not None
    comparing.press("N")
    comparing.arrive("lamp", 3)
    comparing.press("J")
    comparing.arrive("lamp", 4)
    assert panes(comparing) == [("", "", "Nothing stored for this step.")] * 2
    comparing.press("N")
    comparing.arrive("chair", 0)
    assert panes(comparing)[0][:2] == ("⚠ malformed", "nothing usable (malformed)")
    comparing.press("N")
    comparing.arrive("chair", 1)
    comparing.press("N")
    comparing.settle()
    assert comparing.told[0] == "No difference after this one." and comparing.place == ("chair", 1)
    comparing.press("P")
    comparing.arrive("chair", 0)
    comparing.press("P")
    comparing.arrive("lamp", 3)


def test_a_row_opens_its_step_and_a_screen_opens_replay(comparing) -> None:
    rows(comparing)
    panel(comparing).list.setFocus()
    panel(comparing).choose(0)
    comparing.press("Down")
    comparing.arrive("lamp", 3)
    comparing.press("Down")
    comparing.arrive("chair", 0)
    assert comparing.window.workspace == "compare"
    comparing.click(comparing.window.compare.panes[1].replay)
    assert comparing.window.workspace == "replay" and comparing.place == ("chair", 0)


def test_linked_screens_zoom_together(comparing) -> None:
    centre = comparing.window.compare
    first, second = (pane.view for pane in centre.panes)
    comparing.press("+")
    assert not first.viewport.fit and not second.viewport.fit
    assert second.viewport.zoom / second.viewport.fit_scale == pytest.approx(
        first.viewport.zoom / first.viewport.fit_scale
    )
    comparing.click(centre.linked)
    comparing.press("F")
    assert [first.viewport.fit, second.viewport.fit] == [True, False], "each for itself"
    comparing.click(centre.linked)
    assert second.viewport.fit, "linked again they agree"


def test_all_runs_on_one_screen(comparing) -> None:
    centre = comparing.window.compare
    comparing.press("N")
    comparing.arrive("lamp", 2)
    comparing.click(centre.overlaid)
    comparing.settle()
    assert centre.overlay.isVisible() and not any(pane.view.isVisible() for pane in centre.panes)
    layers = {mark.layer for mark in centre.overlay.content.marks if hasattr(mark, "layer")}
    assert {Layer.REFERENCE, Layer.RUN_A, Layer.RUN_B} <= layers
    assert [pane[0] for pane in panes(comparing)] == ["✓ hit", "✕ miss"], "what they do is still told"


def test_lanes_say_what_everyone_does(comparing) -> None:
    lanes, note = comparing.window.aligned.lanes, comparing.window.aligned.note()
    comparing.until(lambda: len(lanes._lanes) == 2, "the lanes")
    assert note == "filled: right, crossed: wrong"
    assert [step.words for step in lanes._steps] == [
        "Tap Search", "Type lamp", "Swipe up", "Back key", "No action",
    ]  # fmt: skip
    first, second = lanes._lanes
    assert [cell.words if cell else None for cell in first.cells] == [
        "Tap LinearLayout", "Type chair", "Scroll down", "Home key", None,
    ]  # fmt: skip
    assert second.cells[2].verdict is ShownVerdict.MISS and first.cells[2].verdict is ShownVerdict.HIT
    comparing.click(lanes.viewport(), lanes.place_of(3, 1).center())
    comparing.arrive("lamp", 3)


def test_rules_tell_scores_flips_and_order(comparing, tmp_path, pick) -> None:
    rules = comparing.window.rules
    assert rules.rescore.isVisible(), "only aitw was put to the runs so far"
    comparing.click(rules.rescore)
    comparing.until(lambda: not comparing.bench.rescoring.is_running, "the scores")
    comparing.settle()
    by_id = {rule.id: rule for rule in rules.tiles.rules()}
    assert by_id["aitw"].scores == pytest.approx((3 / 6, 5 / 6))
    assert by_id["aitw-exact"].scores == pytest.approx((2 / 6, 5 / 6)) and by_id["aitw-exact"].flips == 1
    assert by_id["aitw"].here == (ShownVerdict.HIT, ShownVerdict.HIT)
    assert by_id["motif-point"].here == (ShownVerdict.MISS, ShownVerdict.MISS), "5 pixels below the button"
    assert not rules.rescore.isVisible()
    place = list(by_id).index("aitw-exact")
    comparing.click(rules.tiles, rules.tiles.tile(place, 1).center().toPoint())
    comparing.settle()
    assert rules.flips_header.detail() == "1, aitw to aitw-exact"
    row = rules.model.value(0)
    comparing.until(lambda: rules.model.value(0), "the row")
    row = rules.model.value(0)
    assert (row.run, row.key.episode, row.key.step) == (0, "lamp", 1)
    assert (row.before, row.after) == (ShownVerdict.HIT, ShownVerdict.MISS)
    pick(tmp_path / "flips.csv")
    comparing.click(rules.export_flips)
    comparing.settle()
    (line,) = table_in(tmp_path / "flips.csv")
    assert (line["model"], line["episode"], line["step"]) == ("elsewhere", "lamp", "1")
    assert (line["rule"], line["verdict"], line["other_rule"], line["other_verdict"]) == (
        "aitw", "hit", "aitw-exact", "miss",
    )  # fmt: skip
    pick(tmp_path / "rules.csv")
    comparing.click(rules.export_table)
    comparing.settle()
    table = table_in(tmp_path / "rules.csv")
    (exact,) = [line for line in table if line["rule"] == "aitw-exact" and line["model"] == "elsewhere"]
    assert float(exact["score"]) == pytest.approx(2 / 6) and exact["flips"] == "1"
    comparing.click(rules.tiles, rules.tiles.tile(place, 0).center().toPoint())
    comparing.settle()
    assert comparing.selection.rule.id == "aitw-exact"
    assert cells(comparing)[0] == "both right: 1 of 6 steps", "two by two is under the current rule"
    assert panel(comparing).runs._runs[0].score == pytest.approx(2 / 6)
    assert "leads" in rules.sentence.text()


def test_a_rule_that_was_not_put_to_the_runs_says_so(comparing) -> None:
    rules = comparing.window.rules
    by_id = {rule.id: rule for rule in rules.tiles.rules()}
    assert by_id["aitz"].scores == (None, None) and by_id["aitz"].why == "Not scored under it yet."
    assert by_id["aitz"].flips is None
    comparing.selection.set_rule(rule_by_id("aitz"))
    comparing.settle()
    note = panel(comparing).note.text()
    assert note.startswith("Under AitW, radius 0.14 or box × 2.4: ") and "not all scored under the current rule" in note
    assert panel(comparing).rescore.isVisible()
    assert cells(comparing)[0] == "both right: 2 of 6 steps", "numbers under their own rule meanwhile"


def test_runs_under_different_rules_are_scored_by_the_button_that_says_so(comparing) -> None:
    """`motif-object` is the own rule of the third and fourth run; neither has scores under that of the base."""
    others = [comparing.evaluate("random", "motif", seed=seed) for seed in (1, 2)]
    comparing.selection.set_runs((comparing.runs[0], *others))
    comparing.press("Ctrl+3")
    comparing.settle()
    rule = rule_by_id("aitw").title
    assert panel(comparing).words() == f"These runs cannot be compared C and D: not scored under {rule} yet."
    assert panel(comparing).note.text() == "" and not panel(comparing).rescore.isVisible()
    comparing.click(panel(comparing)._apart.findChild(QPushButton))
    comparing.until(lambda: panel(comparing).title.isVisible(), "the pair")
    comparing.settle()
    assert panel(comparing).title.text() == "Same steps, A and C"


def test_runs_of_another_task_are_grey_behind_the_others_and_gone_with_their_task(comparing) -> None:
    more = [comparing.evaluate("random", "aitw", seed=seed) for seed in (1, 2, 3)]
    comparing.choose("evaluate.feasibility")
    before = set(comparing.bench.results.run_ids)
    form = comparing.window.evaluate
    model = form.findChild(QComboBox, "model")
    comparing.until(lambda: model.findData("never-feasible") >= 0, "the models")
    model.setCurrentIndex(model.findData("never-feasible"))
    form.run()
    elsewhere = comparing.done(before)
    comparing.selection.set_runs((elsewhere, *comparing.runs, *more))
    comparing.press("Ctrl+3")
    comparing.settle()
    comparing.bench.compare.set_base(comparing.runs[0])
    comparing.settle()
    assert [one.is_apart for one in panel(comparing).runs._runs] == [False] * 5 + [True]
    assert panel(comparing).runs._runs[-1].key == elsewhere
    centre = comparing.window.compare
    assert centre._thumbs.isVisible()
    comparing.bench._library.scope.set_task(Task.FEASIBILITY)
    comparing.settle()
    assert centre.words() == "Pick a second run" and not centre._thumbs.isVisible()
    comparing.bench._library.scope.set_task(Task.AUTOMATION)
    comparing.settle()
    assert centre._thumbs.isVisible()


def table_in(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_without_a_second_run_the_workspace_asks_for_one(person, guesses) -> None:
    person.press("Ctrl+3")
    person.settle()
    assert panel(person).words() == "No runs yet"
    run = person.score(guesses)
    person.selection.set_runs((run,))
    person.press("Ctrl+3")
    person.settle()
    assert panel(person).words() == "Pick a second run" == person.window.compare.words()
    assert not panel(person).add.isEnabled(), "there is no other run to add"


def test_runs_of_other_data_say_why_they_stand_apart(comparing, own_shop, guesses) -> None:
    comparing.open(own_shop)
    elsewhere = comparing.score(guesses)
    comparing.selection.keep_runs({})  # letters as if none had been given
    comparing.selection.set_runs((comparing.runs[0], elsewhere))
    comparing.press("Ctrl+3")
    comparing.settle()
    assert panel(comparing).words() == "These runs cannot be compared B: about other data."
    assert panel(comparing).note.text() == "", "each reason is said once"
    assert not panel(comparing)._apart.findChild(QPushButton).isVisible()
    further = panel(comparing)._menus.further
    assert [(entry.words, entry.why) for entry in further] == [("others · aitw", "")]
    comparing.selection.set_runs((*comparing.runs, elsewhere))
    comparing.settle()
    assert panel(comparing).note.text() == "B is left out: about other data."
    assert cells(comparing)[0] == "both right: 2 of 6 steps"
    comparing.press("N")
    comparing.settle()
    assert str(comparing.selection.source.source.path) != str(own_shop), "the step is in the data of the base"


def test_base_and_pair_can_be_chosen_and_come_back_with_the_session(comparing) -> None:
    third = comparing.evaluate("noisy-copy", "aitw")
    a, b = comparing.runs
    comparing.selection.set_runs((a, b, third))
    comparing.press("Ctrl+3")
    comparing.settle()
    menu = panel(comparing).more_menu()
    (bases, pairs) = [action.menu() for action in menu.actions() if action.menu()]
    assert [action.text() for action in pairs.actions()] == ["A and B", "A and C", "B and C"]
    bases.actions()[1].trigger()
    comparing.settle()
    table = panel(comparing).runs._runs
    assert [run.run for run in table] == [1, 0, 2] and table[0].difference is None
    assert table[1].difference == pytest.approx(-2 / 6), "A less B"
    pairs.actions()[2].trigger()
    comparing.settle()
    assert panel(comparing).title.text() == "Same steps, B and C"
    assert [label.text() for label in panel(comparing).names] == ["others", "noisy-copy"]
    menu.deleteLater()
    state = comparing.bench.session.state()
    assert state["compare"] == {"base": b, "pair": [b, third], "cell": "differs"}
    comparing.bench.compare.restore({"base": a, "pair": [a, b], "cell": "only_b"})
    comparing.settle()
    assert panel(comparing).filter.words() == "wrong:A right:B"
    assert panel(comparing).runs._runs[0].run == 0


def test_a_double_click_zooms_all_linked_screens(comparing) -> None:
    first, second = (pane.view for pane in comparing.window.compare.panes)
    place = QPointF(first.width() / 2, first.height() / 2)
    QTest.mouseDClick(first, Qt.MouseButton.LeftButton, pos=place.toPoint())
    assert not first.viewport.fit and not second.viewport.fit
    assert (second.viewport.x, second.viewport.y) == pytest.approx((first.viewport.x, first.viewport.y))
