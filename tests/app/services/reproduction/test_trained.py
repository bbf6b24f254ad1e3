"""Rows that are trained: what they need, that each seed is trained once, what the column leaves out."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.services.library import whole_index
from stepscope.app.services.reproduction.planning import TableChoices, TableData, plan_table
from stepscope.app.services.reproduction.results import table_result
from stepscope.app.services.reproduction.running import TableRunFailed, TableTrained, trained_here, work_on_table
from stepscope.app.services.reproduction.tables import PaperTable, find_table, read_table
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.engine import Database
from stepscope.models.encoders import registry
from stepscope.models.feasibility.paper_recipe import PaperRecipe
from stepscope.models.learned.model_folders import own_folder
from stepscope.models.learned.recipe import Hyper
from tests.models.plain_encoders import Letters

loop = lazy_module("stepscope.models.training.loop")

SIZE = Size(100, 200)
WEIGHTS = "weights.safetensors"
TABLE = """
name = "few"
title = "Few"
paper = "A paper"
place = "table 3"
section = "4"
task = "feasibility"
protocol = "feasibility"
seeds = 2

[[columns]]
id = "avg"
title = "Avg"
metric = "f1"
format = "recording"
split = "test"
train = "train"
aggregation = "avg"
agreement = "all"

[[rows]]
id = "words"
label = "Words"
run = { kind = "trained", recipe = "motif-feasibility", classifier = "minilm(et)" }

[[rows]]
id = "clip"
label = "CLIP"
run = { kind = "trained", recipe = "motif-feasibility", classifier = "clip(et)" }
"""


@pytest.fixture
def table(tmp_path: Path) -> PaperTable:
    file = tmp_path / "few.toml"
    file.write_text(TABLE)
    return read_table(file)


@pytest.fixture
def data(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TableData]:
    """Eight to learn from and four to test on: of these two are of one task in one app, labelled differently."""
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(registry, "load_texts", lambda reference, device="auto": (Letters(),))
    monkeypatch.setattr(PaperRecipe, "hyper", replace(PaperRecipe.hyper, epochs=2))
    for number in range(12):
        label = FeasibilityLabel.INFEASIBLE if number % 2 else FeasibilityLabel.FEASIBLE
        goal = "the same" if number > 9 else f"goal {number}"
        step = Step(0, Observation(SIZE), Tap(Point(1, 1, SIZE)))
        split = "train" if number < 8 else "test"
        episode = Episode(f"{number:02}", "recording", Platform.ANDROID, goal, (step,), app="a",
                          feasibility=Feasibility(label), splits=(split,))  # fmt: skip
        write_recording(episode, tmp_path / "data" / f"{number:02}")
    found = whole_index(database, tmp_path / "data", CancelToken())
    assert found is not None
    yield TableData(tmp_path / "data", found.source, found.source_id)


def test_a_row_without_its_encoder_says_what_is_missing(database: Database, table: PaperTable, data: TableData) -> None:
    plan = plan_table(database, table, [data])
    words, clip = plan.cells
    assert "which clip(et) needs. Add its weights: stepscope weights add PATH" in clip.missing and not clip.runs
    assert not words.missing and [run.request.seed for run in words.runs] == [0, 1]
    assert words.runs[0].episodes == ("08", "09"), "on the others annotators do not agree"
    other = plan_table(database, table, [data], TableChoices({"clip": "minilm(et,id)"}, seeds=(5,)))
    assert other.models["clip"] == "minilm(et,id,command)"
    assert other.cells[0].runs[0].request.model != other.cells[1].runs[0].request.model


def test_encoders_that_the_classifier_names_already(tmp_path: Path) -> None:
    file = tmp_path / "few.toml"
    file.write_text(TABLE.replace('classifier = "minilm(et)"', 'classifier = "minilm(et)", texts = "minilm"'))
    with pytest.raises(UserError, match="row words: texts and views have no meaning"):
        read_table(file)


@pytest.mark.needs("torch")
def test_every_seed_is_trained_once_and_has_a_model_of_its_own(
    database: Database, table: PaperTable, data: TableData
) -> None:
    plan = plan_table(database, table, [data], TableChoices(device="cpu"))
    events = list(work_on_table(database, plan))
    assert any(isinstance(event, TableTrained) for event in events)
    assert not [event for event in events if isinstance(event, TableRunFailed)]
    words, _clip = table_result(database, plan).cells
    assert not words.missing and words.ours is not None and (words.ours.n, words.n) == (2, 4)
    names = sorted(folder.name for folder in own_folder().iterdir())
    assert names == [run.request.model for run in plan.cells[0].runs]
    again = plan_table(database, table, [data], TableChoices(seeds=(0, 1), device="cpu"))
    assert not any(isinstance(event, TableTrained) for event in work_on_table(database, again))
    assert Hyper.epochs != PaperRecipe.hyper.epochs


@pytest.mark.needs("torch")
@pytest.mark.parametrize("steps", [1, 6])
def test_stopped_inside_a_training_it_goes_on_there(
    database: Database, table: PaperTable, data: TableData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """Two seeds of two epochs of four batches (eight items by two): stopped in the first epoch of the first seed, or
    in the second. The same numbers come out as of a training that was not stopped, and no batch is learned twice."""
    monkeypatch.setattr(PaperRecipe, "hyper", replace(PaperRecipe.hyper, epochs=2, batch=2))
    learned: list[int] = []
    stop: list[CancelToken] = []
    learn = loop._Fitting._learned

    def counting(fitting: object, batch: object) -> float:
        learned.append(fitting.seed)  # type: ignore[attr-defined]
        if stop and len(learned) == steps:
            stop[0].cancel()
        return learn(fitting, batch)

    monkeypatch.setattr(loop._Fitting, "_learned", counting)
    plan = plan_table(database, table, [data], TableChoices(device="cpu"))
    stop.append(CancelToken())
    list(work_on_table(database, plan, stop[0]))
    assert len(learned) == steps and table_result(database, plan).cells[0].missing == (
        "2 of 2 seeds: Its training was stopped: run the table again to go on."
    )
    stop.clear()
    assert not [event for event in work_on_table(database, plan) if isinstance(event, TableRunFailed)]
    assert learned == [0] * 8 + [1] * 8
    ours = table_result(database, plan).cells[0].ours
    weights = {
        run.request.model: (own_folder() / run.request.model / WEIGHTS).read_bytes() for run in plan.cells[0].runs
    }
    shutil.rmtree(own_folder())
    list(work_on_table(database, plan))
    assert learned == [0] * 8 + [1] * 8, "its runs are there"
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "another home"))
    training = plan.cells[0].runs[0].training
    assert training is not None
    list(trained_here(database, training, CancelToken()))
    assert weights == {name: (own_folder() / name / WEIGHTS).read_bytes() for name in weights}
    assert ours is not None and ours.n == 2


@pytest.mark.needs("torch")
def test_a_seed_that_is_asked_for_besides_takes_nothing_from_the_others(
    database: Database, table: PaperTable, data: TableData, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in the second seed, and begun again with the second and a third: the second goes on."""
    learned: list[int] = []
    learn, token = loop._Fitting._learned, CancelToken()

    def counting(fitting: object, batch: object) -> float:
        learned.append(fitting.seed)  # type: ignore[attr-defined]
        if len(learned) == 3:
            token.cancel()
        return learn(fitting, batch)

    monkeypatch.setattr(loop._Fitting, "_learned", counting)
    list(work_on_table(database, plan_table(database, table, [data], TableChoices(device="cpu")), token))
    assert learned == [0, 0, 1], "one batch an epoch"
    list(work_on_table(database, plan_table(database, table, [data], TableChoices(seeds=(1, 2), device="cpu"))))
    assert learned == [0, 0, 1, 1, 2, 2]


def test_motifs_table_has_its_published_numbers() -> None:
    """Table 3 of the paper."""
    table = find_table("motif-table3")
    found = {row.id: [table.published(row, column) for column in table.columns] for row in table.rows}
    values = {name: [one.value for one in row if one is not None] for name, row in found.items()}
    assert values["clip"] == [0.448, 0.611, 0.409] and values["icons"] == [0.004, 0.4, 0.152]
    assert values["random"] == [0.201] * 3 and all(len(row) == 3 for row in values.values())


def test_a_classifier_that_makes_no_sense_is_told_with_its_row(tmp_path: Path) -> None:
    file = tmp_path / "few.toml"
    file.write_text(TABLE.replace("minilm(et)", "minilm(text)"))
    with pytest.raises(UserError, match="row words, column avg: minilm cannot read 'text'"):
        read_table(file)
