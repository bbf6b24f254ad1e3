"""Evaluate ▸ Reproduce a Paper's Table: the page, a table that is run on what is open, its files, stopping."""

from __future__ import annotations

import csv
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog

from stepscope.app.gui.features.evaluate.further_data_dialog import FurtherDataDialog
from stepscope.app.gui.features.evaluate.paper_tables_controller import NONE, PaperTablesController
from stepscope.app.services.goal_judging import ask_judge
from stepscope.app.services.reproduction import tables
from stepscope.app.services.reproduction.tables import SHIPPED
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel
from stepscope.core.domain.judgement import REFERENCE, OriginKind, TextOrigin
from stepscope.models.automation.seq2act_recipe import Seq2ActRecipe
from stepscope.models.chat import servers
from stepscope.models.chat.servers import ChatServer
from stepscope.models.goal.judges.named import judge_named
from stepscope.models.learned.card import read_card
from stepscope.models.learned.model_folders import own_folder
from stepscope.widgets.reports import ReportPage
from tests.app.app_grid import grid, shown, written

TRAINING_SECONDS = 240.0
"""A process for trainings loads torch first, on a machine that others use too."""

TABLE = """
name = "steps"
title = "Steps"
paper = "A paper"
place = "table 2"
section = "5"
task = "goal"
protocol = "goal_text"
notes = []

[[columns]]
id = "right"
title = "Right"
metric = "token_f1"
format = "recording"

[[rows]]
id = "words"
label = "A sentence filled in"
run = { kind = "model", model = "template" }

[[rows]]
id = "asked"
label = "A model behind a server"
run = { kind = "served", prefix = "served:" }
"""


@pytest.fixture(autouse=True)
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One table, which the recordings of these tests fit."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    (folder / "steps.toml").write_text(TABLE)
    monkeypatch.setattr(tables, "SHIPPED", folder)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the person lets the files go."""
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(chosen))
    return chosen


def opened(person) -> tuple[PaperTablesController, ReportPage]:
    person.choose("evaluate.reproduce")
    controller: PaperTablesController = person.bench._evaluate.paper_tables
    person.until(lambda: controller.page is not None and controller.page.tables, "the tables")
    person.settle()
    assert controller.page is not None and controller.page.isVisible()
    return controller, controller.page


def rows(page: ReportPage) -> dict[str, tuple[str, ...]]:
    return {row.key: row.cells for row in page.shown()}


def run(person, page: ReportPage, row: str = "words") -> None:
    page.choose(f"steps\n{row}")
    person.click(page.open_button)
    person.settle()


def test_from_the_menu_to_the_stored_run_and_the_files(person, shop: Path, folder: Path) -> None:
    person.open(shop)
    controller, page = opened(person)
    assert rows(page)["steps\nwords"][1:] == ("–", "–", "–", "–", "Not run yet.")
    run(person, page)
    (stored,) = person.bench.results.run_ids
    assert person.bench.results.run_of(stored).spec.model == "template"
    ours = rows(page)["steps\nwords"][2]
    assert ours != "–" and rows(page)["steps\nwords"][-1] == ""
    assert {file.name for file in folder.iterdir()} == {"steps.html", "steps.md", "steps.tex"}
    assert f"| A sentence filled in | – | {ours} |" in (folder / "steps.md").read_text()
    assert person.told[0] == "Wrote steps.html: 1 of 2 cells are complete."
    run(person, page)
    assert list(person.bench.results.run_ids) == [stored], "it is found again"
    page.window().close()
    assert controller.page is None


def test_a_row_behind_a_server_is_asked_for_its_model(
    person, shop: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person.open(shop)
    _controller, page = opened(person)
    assert rows(page)["steps\nasked"][-1] == "A server is missing: served:SERVER/MODEL would run it."
    run(person, page, "asked")
    assert person.told[0].startswith("This row is run by a model behind a server") and not list(folder.iterdir())
    servers.add(ChatServer("lab", "http://127.0.0.1:1/v1", "gpt-x"))
    asked: list[tuple[str, list[str]]] = []

    def choose(_parent, _title, words, choices, *_more):
        asked.append((words, choices))
        return "served:lab/gpt-x", True

    monkeypatch.setattr(QInputDialog, "getItem", choose)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    run(person, page, "asked")
    assert asked == [("Model for A model behind a server:", [NONE, "served:lab/gpt-x"])]
    page.refresh_wanted.emit()
    person.settle()
    assert not list(folder.iterdir()) and not person.bench.results.run_ids, "no folder was chosen"
    assert rows(page)["steps\nasked"][-1] == "Not run yet."
    monkeypatch.setattr(QInputDialog, "getItem", lambda *_: (NONE, True))
    run(person, page, "asked")
    page.refresh_wanted.emit()
    person.settle()
    assert "is to be chosen" in rows(page)["steps\nasked"][-1]
    page.window().close()


def test_cancelled_it_keeps_what_was_done_and_goes_on(person, shop: Path, folder: Path) -> None:
    person.open(shop)
    _controller, page = opened(person)
    page.choose("steps\nwords")
    person.click(page.open_button)
    (task,) = [task for task in person.bench.context.tasks.tasks if task.name == "Reproducing steps"]
    person.click(page.open_button)
    assert "is at work already" in person.told[0]
    task.cancel()
    person.settle()
    page.choose("steps\nwords")
    person.click(page.open_button)
    person.settle()
    assert rows(page)["steps\nwords"][-1] == "" and len(person.bench.results.run_ids) == 1
    page.window().close()


def test_data_that_is_not_open_is_told_without_words_of_the_command_line(person, shop: Path) -> None:
    file = tables.SHIPPED / "steps.toml"
    file.write_text(TABLE.replace('format = "recording"', 'format = "motif"'))
    person.open(shop)
    _controller, page = opened(person)
    assert rows(page)["steps\nwords"][-1] == "Data in the format motif is missing."
    page.window().close()


def test_the_page_is_saved_as_csv(person, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    person.open(shop)
    _controller, page = opened(person)
    file = tmp_path / "tables.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    page.save_wanted.emit()
    person.settle()
    found = list(csv.reader(file.read_text().splitlines()))
    assert found[0] == ["", "Steps: Right"] and found[2][1] == "A sentence filled in"
    page.window().close()


JUDGED = """
name = "judged"
title = "Judged goals"
paper = "A paper"
place = "table 2"
section = "5"
task = "goal"
protocol = "goal_text"

[[columns]]
id = "people"
title = "Match (people)"
metric = "match"
judged = "people"

[[columns]]
id = "judge"
title = "Match (judge)"
metric = "match"
judged = "judge"

[[rows]]
id = "words"
label = "A sentence filled in"
run = { kind = "model", model = "template" }
"""


def test_judged_cells_say_what_to_do_and_show_what_a_judge_said(person, shop: Path, folder: Path) -> None:
    """The table is run in the window, its judge asked elsewhere: its number stands there after a look."""
    (tables.SHIPPED / "steps.toml").rename(tables.SHIPPED / "judged.toml").write_text(JUDGED)
    person.open(shop)
    _controller, page = opened(person)

    def words() -> list[tuple[str, ...]]:
        page.refresh_wanted.emit()
        person.settle()
        return [row.cells for row in page.shown()]

    page.choose("judged\nwords")
    person.click(page.open_button)
    person.settle()
    (stored,) = person.bench.results.run_ids
    by_people, by_judge = words()
    assert by_people[-1] == f"Nobody has judged run {stored} yet. Choose it in Judge."
    assert by_judge[-1] == f"Run {stored} was not judged by a judge yet. Ask it in Judge."
    assert "judged by a judge" in (folder / "judged.md").read_text()
    data = person.selection.source
    origins = (REFERENCE, TextOrigin(OriginKind.RUN, stored))
    asked = ask_judge(person.bench.context.database, data.id, data.source, data.key, origins, judge_named("rules"))
    pairs = list(asked)[-1].total
    by_people, by_judge = words()
    assert by_people[2] == "–" and by_judge[2] != "–"
    assert f"{pairs} of {pairs} pairs judged, by rules." in by_judge[-1]
    page.window().close()


@pytest.mark.parametrize("name", ["goal-table1", "goal-table2", "goal-table3"])
def test_the_papers_own_judged_tables_are_shown(person, shop: Path, folder: Path, name: str) -> None:
    """The recordings stand in for AitZ; nothing of the command line is told in the window."""
    shutil.copy(SHIPPED / f"{name}.toml", tables.SHIPPED)
    (tables.SHIPPED / "steps.toml").unlink()
    person.open(shop)
    _controller, page = opened(person)
    told = [row.cells[-1] for row in page.shown()]
    assert told and all(told) and not any("--" in words or "stepscope " in words.lower() for words in told[2:])
    if name == "goal-table1":
        assert "Nobody has written goals for this data yet. Write some in Judge (W)." in told
        page.choose("goal-table1\nh-g")
        person.click(page.open_button)
        person.settle()
        assert (folder / "goal-table1.html").is_file()
    page.window().close()


FEATURES = """
name = "parts"
title = "Features"
paper = "A paper"
place = "table 3"
section = "4"
task = "feasibility"
protocol = "feasibility"

[[columns]]
id = "cat"
title = "F1, Cat"
metric = "f1"
split = "feasibility/test"
train = "feasibility/train"
aggregation = "cat"

[[rows]]
id = "clip"
label = "CLIP (ET, ID)"
run = { kind = "trained", recipe = "motif-feasibility", classifier = "clip(et,id)" }
"""


def test_a_row_whose_encoders_are_not_here_is_asked_for_other_features(
    person, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tables.SHIPPED / "steps.toml").unlink()
    (tables.SHIPPED / "parts.toml").write_text(FEATURES)
    label = Feasibility(FeasibilityLabel.INFEASIBLE)
    person.open(written(tmp_path / "labelled", [replace(one, feasibility=label) for one in grid()]))
    controller, page = opened(person)

    def missing() -> str:
        return rows(page)["parts\nclip"][-1]

    assert missing().startswith("No encoder of CLIP")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    asked: list[tuple[str, list[str], bool]] = []
    answer = ["nonsense"]

    def choose(_parent, _title, words, choices, place, editable):
        asked.append((choices[place], choices, editable))
        return answer[0], True

    monkeypatch.setattr(QInputDialog, "getItem", choose)

    def choose_row() -> None:
        page.choose("parts\nclip")
        person.click(page.open_button)
        person.settle()
        page.refresh_wanted.emit()
        person.settle()

    choose_row()
    views = "minilm(et,id)+mobilenet-v2(screen)"
    assert asked == [("minilm(et,id)", [NONE, "minilm(et,id)", views, "mobilenet-v2(screen)"], True)]
    assert person.told[0].startswith("'nonsense' names no features") and missing().startswith("No encoder of CLIP")
    answer[0] = "minilm(smell)"
    choose_row()
    assert "cannot read 'smell'" in person.told[0] and missing().startswith("No encoder of CLIP")
    answer[0] = " minilm(et,id) "
    choose_row()
    assert missing() == "Not run yet." and not person.bench.results.run_ids, "no folder was chosen"
    answer[0] = NONE
    choose_row()
    assert asked[-1][0] == "minilm(et,id)" and missing().startswith("No encoder of CLIP")
    assert controller.page is page


TRAINED = """
name = "parts"
title = "Parts"
paper = "A paper"
place = "table 4"
section = "5"
task = "automation"
protocol = "motif"

[[columns]]
id = "seen"
title = "App seen"
metric = "both_partial"
split = "app_seen_task_unseen_all/test"
train = "app_seen_task_unseen_all/train"

[[columns]]
id = "unseen"
title = "App unseen"
metric = "both_partial"
split = "app_unseen_task_unseen/test"
train = "app_unseen_task_unseen/train"

[[rows]]
id = "joint"
label = "Seq2Act"
options = { grounding = "object" }
run = { kind = "trained", recipe = "seq2act", learns_from = "both" }
"""


@pytest.mark.needs("torch")
@pytest.mark.timeout(300)  # three processes that load torch, beside whatever else runs
def test_a_row_is_trained_in_the_process_for_trainings_on_further_data_too(
    open_window, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the menu to the stored runs: one training, and a run for each column."""
    monkeypatch.setattr(Seq2ActRecipe, "hyper", replace(Seq2ActRecipe.hyper, epochs=1, workers=0))
    (tables.SHIPPED / "steps.toml").unlink()
    (tables.SHIPPED / "parts.toml").write_text(TRAINED)
    more = written(tmp_path / "more", [shown("z", "zoom", f"made-{n}") for n in range(3)])
    person = open_window(more, worker=True)
    person.patience = TRAINING_SECONDS
    person.open(written(tmp_path / "grid", grid()))
    assert person.selection.source.source.path.name == "grid", "what is looked at is measured on"
    _controller, page = opened(person)
    page.choose("parts\njoint")
    person.click(page.open_button)
    (dialog,) = page.findChildren(FurtherDataDialog)
    assert dialog.isVisible() and not dialog.ticked()
    (offered,) = (dialog.data.item(at) for at in range(dialog.data.count()))
    assert offered.text() == "more"
    offered.setCheckState(Qt.CheckState.Checked)
    person.click(dialog.go_on)
    person.settle()
    assert person.told[0] == "Wrote parts.html: 2 of 2 cells are complete."
    (trained,) = own_folder().iterdir()
    assert {one["source"] for one in read_card(trained).data["sources"]} == {"grid", "more"}
    ran = [person.bench.results.run_of(one).spec for one in person.bench.results.run_ids]
    assert {(one.model, one.split) for one in ran} == {
        (trained.name, "app_seen_task_unseen_all/test"), (trained.name, "app_unseen_task_unseen/test"),
    }  # fmt: skip
    assert [row.cells[-1] for row in page.shown()] == ["Learned from more too."] * 2
    assert all(row.cells[2] != "–" for row in page.shown())
    page.window().close()
