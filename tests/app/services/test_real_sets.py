"""A trained model measured on real data beside the rules, by the engine of every evaluation."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from stepscope.app.services.leaderboard import below_rules_by_run
from stepscope.app.services.library import open_indexed
from stepscope.app.services.made_with import weights_digest
from stepscope.app.services.provenance import below_rules_of, below_rules_words
from stepscope.app.services.real_sets import RealSet, keep, measure, questions_digest
from stepscope.app.services.training import TrainingFinished
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunSpec, RunState
from stepscope.core.errors import UsageError, UserError
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.engine import Database
from stepscope.models.learned.card import read_card
from stepscope.models.learned.model_folders import TrainedModel, own_folder
from stepscope.models.learned.real_sets import RealResult, RuleOnSet
from tests.app.services.test_training import THREE, episode, events, opened, toy  # noqa: F401 - a fixture

pytestmark = pytest.mark.needs("torch", "onnxscript")


@pytest.fixture
def trained(tmp_path: Path) -> TrainedModel:
    *_, last = events(opened(tmp_path / "data", THREE), own_folder() / "toy")
    assert isinstance(last, TrainingFinished)
    return last.trained


def data(folder: Path, count: int = 16, split: str = "", **changes: Any) -> tuple[Database, RealSet]:
    """Goals of one to eight words, half of them longer than four, which are the infeasible ones."""
    for number in range(count):
        write_recording(replace(episode(number, split, "org.real"), **changes), folder / f"{number:03}")
    database = Database.open(store_url(folder.parent / "real.db"))
    *_, last = open_indexed(database, folder, CancelToken())
    return database, RealSet("Real", last.source, last.source_id)


def result_of(work: Generator[Any, None, RealResult | None]) -> RealResult | None:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def measured(trained: TrainedModel, made: tuple[Database, RealSet], **changes: Any) -> RealResult:
    found = result_of(measure(made[0], trained, replace(made[1], **changes), CancelToken()))
    assert found is not None
    return found


def test_model_and_rules_are_measured_on_the_same_items(tmp_path: Path, trained: TrainedModel) -> None:
    found = measured(trained, data(tmp_path / "real"))
    assert (found.set, found.format, found.split) == ("Real", "recording", "all")
    assert (found.items, found.episodes, found.protocol, found.metric) == (16, 16, "feasibility", "accuracy")
    rule = found.against["always-feasible"]
    assert rule.value == 0.5, "half of the goals are infeasible"
    assert found.value is not None and found.value >= 0.9 and rule.difference == found.value - 0.5
    assert found.ci is not None and found.ci[0] <= found.value <= found.ci[1]
    assert rule.ci is not None and rule.ci[0] > 0 and rule.p is not None and rule.p < 0.05


def test_what_was_measured_is_in_the_card_once(tmp_path: Path, trained: TrainedModel) -> None:
    found = measured(trained, data(tmp_path / "real"))
    once = keep(trained, replace(found, value=0.1))
    twice = keep(once, found)
    assert read_card(trained.folder).real == twice.card.real == (found,)
    assert keep(twice, replace(found, set="Other")).card.real == (found, replace(found, set="Other"))


def test_a_part_is_drawn_by_the_seed_and_says_of_how_many(tmp_path: Path, trained: TrainedModel) -> None:
    made = data(tmp_path / "real")
    found = measured(trained, made, limit=6, seed=3)
    assert (found.episodes, found.items, found.drawn_from, found.draw_seed) == (6, 6, 16, 3)
    assert measured(trained, made, limit=6, seed=3).sha256 == found.sha256
    assert measured(trained, made, limit=6, seed=4).sha256 != found.sha256


def test_the_hash_is_of_what_is_asked_and_of_the_right_answers(tmp_path: Path) -> None:
    made = [data(tmp_path / name / "real")[1].source for name in ("one", "two")]
    label = Feasibility(FeasibilityLabel.FEASIBLE)
    made.append(data(tmp_path / "three" / "real", feasibility=label)[1].source)
    units = [f"{number:03}" for number in range(16)]
    one, elsewhere, other = (questions_digest(source, units, Task.FEASIBILITY) for source in made)
    assert one == elsewhere, "wherever it lies"
    assert other != one and len(one) == 64


def test_one_episode_has_no_interval(tmp_path: Path, trained: TrainedModel) -> None:
    found = measured(trained, data(tmp_path / "real", 1))
    assert found.ci is None and found.against["always-feasible"].ci is None


def test_what_cannot_be_measured_says_why(tmp_path: Path, trained: TrainedModel) -> None:
    database, wanted = data(tmp_path / "real", split="test")
    with pytest.raises(UsageError, match="no split 'train'"):
        measured(trained, (database, wanted), split="train")
    assert measured(trained, (database, wanted), split="test").split == "test"
    unlabelled = data(tmp_path / "bare" / "real", feasibility=Feasibility())
    with pytest.raises(UserError, match="No item of it can be scored by feasibility"):
        measured(trained, unlabelled)


def test_cancelled_nothing_comes_of_it(tmp_path: Path, trained: TrainedModel) -> None:
    database, wanted = data(tmp_path / "real")
    token = CancelToken()
    work = measure(database, trained, wanted, token)
    next(work)
    token.cancel()
    assert result_of(work) is None


RUN = Run("a", RunSpec(Task.FEASIBILITY, "toy", "/data/real", "motif", "feasibility"), RunState.DONE, datetime.now(UTC))
LOST = RealResult(
    *("Real", "motif", "all", 500, 500, "ab", "feasibility", "accuracy", 0.3),
    against={"always-feasible": RuleOnSet(0.6, -0.3, (-0.4, -0.2), 0.001)},
)


def test_runs_of_a_model_below_the_rules_say_so(trained: TrainedModel) -> None:
    assert below_rules_of(RUN) == ""
    keep(trained, LOST)
    words = "Below always-feasible on Real: 0.300 against 0.600"
    assert below_rules_of(RUN) == words
    assert below_rules_of(replace(RUN, weights=weights_digest("toy"))) == words
    assert below_rules_of(replace(RUN, weights="of before it was trained again")) == ""
    assert below_rules_of(replace(RUN, spec=replace(RUN.spec, predictions="/x.jsonl"))) == ""
    assert below_rules_of(replace(RUN, spec=replace(RUN.spec, model="always-feasible"))) == ""


def test_runs_are_told_by_their_ids_each_by_its_own_weights(trained: TrainedModel) -> None:
    keep(trained, LOST)
    old = replace(RUN, id="b", weights="of before it was trained again")
    rule = replace(RUN, id="c", spec=replace(RUN.spec, model="always-feasible"))
    assert below_rules_by_run([RUN, old, rule]) == {"a": "Below always-feasible on Real: 0.300 against 0.600"}


def test_a_card_that_cannot_be_read_says_nothing_of_runs(trained: TrainedModel) -> None:
    (trained.folder / "card.json").write_text("{")
    assert below_rules_words("toy") == ""
    shutil.rmtree(trained.folder)
    assert below_rules_words("toy") == ""
