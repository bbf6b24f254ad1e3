"""The sequencing paper's tables: rows with settings of their own, on files as the release has them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.library import whole_index
from stepscope.app.services.reproduction.documents import as_markdown
from stepscope.app.services.reproduction.planning import TableChoices, TableData, plan_table
from stepscope.app.services.reproduction.results import table_result
from stepscope.app.services.reproduction.running import TableRunFailed, TableTrained, work_on_table
from stepscope.app.services.reproduction.tables import PaperRow, TrainedRun, find_table, read_table
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.core.store.engine import Database
from stepscope.models.encoders import added
from stepscope.models.learned.card import read_card
from stepscope.models.learned.model_folders import own_folder
from stepscope.models.learned.recipe import Hyper
from tests.models.ordering.conftest import step_words  # noqa: F401 - a fixture


def release(folder: Path) -> Path:
    """Eight sections to learn from and four golden ones, without pictures."""
    folder.mkdir()
    for name, first, count in (("wikihow-train.json", 0, 8), ("wikihow-acl22_human-test.json", 8, 4)):
        lines = []
        for number in range(first, first + count):
            steps = [{"step_headline": "", "step_text": {"text": f"step {one + number % 3}", "bullet_points": []},
                      "step_assets": {}}
                     for one in range(5)]  # fmt: skip
            lines.append({"url": f"u{number}", "title": f"How to count {number}", "sections": [{"steps": steps}]})
        (folder / name).write_text("".join(f"{json.dumps(one)}\n" for one in lines), "utf-8")
    return folder


def quick(row: PaperRow) -> PaperRow:
    """The row with a checkpoint that is watched, and an epoch of each kind."""
    assert isinstance(row.run, TrainedRun)
    settings = dict(row.run.settings) | {"epochs": "1", "workers": "0", "layers": "1"}
    settings |= {"pretrain": "1"} if "pretrain" in settings else {}
    return replace(row, run=replace(row.run, texts="step-words", settings=tuple(settings.items())))


@pytest.mark.needs("torch", "transformers")
def test_rows_with_and_without_pretraining_are_two_trainings(
    database: Database,
    step_words: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    added.add(step_words, "step-words")
    found = whole_index(database, release(tmp_path / "wikihow"), CancelToken())
    assert found is not None
    data = TableData(tmp_path / "wikihow", found.source, found.source_id)
    whole = find_table("sequencing-table2")
    rows = {row.id: row for row in whole.rows}
    table = replace(whole, rows=(quick(rows["text"]), quick(rows["text-pretrained"])))
    plan = plan_table(database, table, [data], TableChoices(device="cpu"))
    assert {cell.missing for cell in plan.cells if cell.column.format == "recipeqa"} == {
        "Data in the format recipeqa with a split human/test is missing. Name it with --data PATH."
    }
    events = list(work_on_table(database, plan))
    assert not [event for event in events if isinstance(event, TableRunFailed)]
    assert any(isinstance(event, TableTrained) for event in events)
    cards = [read_card(folder) for folder in own_folder().iterdir()]
    assert sorted((card.training["pretrain"], card.training["objectives"]) for card in cards) == [(0, ""), (1, "mlm")]
    result = table_result(database, plan)
    cells: dict[str, Any] = {cell.column.id: cell for cell in result.cells if cell.row.id == "text-pretrained"}
    assert cells["wikihow-tau"].ours is not None and -1 <= cells["wikihow-tau"].ours.mean <= 1
    assert cells["wikihow-tau"].n == 4 and cells["recipeqa-tau"].ours is None
    written = as_markdown(result)
    assert "caption and none of its cells" in written and "more than 5 points" in written


@pytest.mark.parametrize("name", ["sequencing-table2", "sequencing-table3"])
def test_settings_of_rows_are_those_of_a_training(name: str) -> None:
    table = find_table(name)
    by_id = {row.id: row.run.hyper(Hyper()) for row in table.rows if isinstance(row.run, TrainedRun)}
    assert {one.pretrain for one in by_id.values()} == {0, 5}
    if name == "sequencing-table2":
        assert (by_id["text"].epochs, by_id["text"].without) == (5, "pictures")
        assert (by_id["both"].epochs, by_id["both"].without) == (10, "")
        assert by_id["image-pretrained"].objectives == "isp,pisp,smrm"


def test_a_setting_that_there_is_not_is_told(tmp_path: Path) -> None:
    text = (Path(__file__).parents[4] / "resources/reproduce/sequencing-table2.toml").read_text("utf-8")
    wrongs = {"pretrane = 5": "no setting 'pretrane'", 'pretrain = "many"': "pretrain of a training cannot"}
    for wrong, why in wrongs.items():
        file = tmp_path / "mine.toml"
        file.write_text(text.replace("pretrain = 5", wrong), "utf-8")
        with pytest.raises(UserError, match=why):
            read_table(file)
