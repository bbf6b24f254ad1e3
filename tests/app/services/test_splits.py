"""Partitions as splits that are asked for: dealt out, named by the data, evaluated on and trained on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.app.services import evaluation, splits, training
from stepscope.app.services.evaluation import EvaluationRequest
from stepscope.app.services.library import whole_index
from stepscope.app.services.training import TrainingRequest, TrainingSource
from stepscope.app.services.training_splits import SplitNames, further_split, set_validation_aside, splits_of
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel
from stepscope.core.domain.filter import EVERYTHING
from stepscope.core.domain.partitions import PARTITIONS
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.sources.source import Source
from stepscope.core.store.engine import Database
from tests.app.app_grid import APPS, TASKS, grid, shown, written

ALL, CURRENT, APP, BOTH = PARTITIONS
Opened = Callable[..., tuple[Source, int]]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(store_url(tmp_path / "store.db")) as database:
        yield database


@pytest.fixture
def opened(database: Database, tmp_path: Path) -> Opened:
    """Episodes as an indexed data set."""

    def open_(episodes: list[Episode], name: str = "data") -> tuple[Source, int]:
        found = whole_index(database, written(tmp_path / name, episodes), CancelToken())
        assert found is not None
        return found.source, found.source_id

    return open_


def in_split(database: Database, source_id: int, name: str) -> set[str]:
    with database.reading() as db:
        return splits.in_split(db, source_id, name)


def test_a_partition_is_dealt_out_and_its_name_alone_is_its_test(database: Database, opened: Opened) -> None:
    """The parts are worked out in tests/core/domain/test_partitions.py."""
    _, data = opened(grid())
    assert (
        in_split(database, data, APP) == in_split(database, data, f"{APP}/test") == {"d-share", "d-log-out", "d-rate"}
    )
    assert in_split(database, data, CURRENT.upper()) == {"a-log-out"}
    train = in_split(database, data, f"{BOTH}/train")
    assert train == in_split(database, data, f"{ALL}/train") and len(train) == 8
    assert not in_split(database, data, f"{BOTH}/validation") and not in_split(database, data, "test")
    with database.reading() as db:
        assert splits.split_names(db, data) == tuple(
            f"{one}/{part}" for one in PARTITIONS for part in ("test", "train")
        )


def test_apps_that_the_data_holds_out_are_those_of_the_partitions(database: Database, opened: Opened) -> None:
    _, data = opened(
        [shown(app, task, splits=["app_unseen" if app == "b" else "train"]) for app in APPS for task in TASKS]
    )
    assert in_split(database, data, "app_unseen") == in_split(database, data, APP) | in_split(database, data, BOTH)
    assert {one[0] for one in in_split(database, data, APP)} == {"b"}


def test_partitions_that_the_data_names_are_its_own(database: Database, opened: Opened) -> None:
    _, data = opened(
        [shown("a", "rate", splits=[f"{APP}/train"]), shown("b", "rate", splits=[f"{APP}/test"]), shown("c", "rate")]
    )
    assert in_split(database, data, APP) == {"b-rate"} and in_split(database, data, f"{APP}/train") == {"a-rate"}
    assert not in_split(database, data, BOTH), "none of the four is dealt out beside them"
    with database.reading() as db:
        assert splits.split_names(db, data) == (f"{APP}/test", f"{APP}/train")
        error = splits.no_split(db, data, "tset")
    assert "no split 'tset'" in error.message and error.hint == f"It has: {APP}/test, {APP}/train."


def test_the_partition_for_feasibility_holds_out_whole_apps(database: Database, opened: Opened) -> None:
    """It is offered where episodes have labels, dealt out where the data does not name it, beside the other four."""
    labelled = [replace(one, feasibility=Feasibility(FeasibilityLabel.FEASIBLE)) for one in grid()]
    _, data = opened(labelled)
    test, train = (in_split(database, data, f"feasibility/{part}") for part in ("test", "train"))
    assert in_split(database, data, "Feasibility") == test and not in_split(database, data, "feasibility/validation")
    assert {one[0] for one in test} == {"d"}, "the app that the other partitions hold out"
    assert test | train == {one.id for one in labelled} and not test & train
    with database.reading() as db:
        assert splits.split_names(db, data)[-2:] == ("feasibility/test", "feasibility/train")
    _, named = opened([replace(one, splits=("feasibility/train",)) for one in labelled], "named")
    assert not in_split(database, named, "feasibility/test") and in_split(database, named, APP), "the others are dealt"


def test_a_run_is_on_the_partition_and_is_told_so(database: Database, opened: Opened) -> None:
    source, data = opened(grid())
    request = EvaluationRequest(protocol="motif", model="text-match", split=APP)
    run = evaluation.start(database, source, data, request).run
    updates = list(run.updates())
    assert updates[-1].progress.done == 3
    with database.reading() as db:
        from stepscope.core.store.repositories import runs

        assert runs.get(db, run.run_id).spec.split == f"{APP}/test"


@pytest.mark.parametrize("split", [CURRENT, APP])
def test_a_partition_that_is_empty_is_told(database: Database, opened: Opened, split: str) -> None:
    """No task is shared by two apps."""
    _, data = opened([shown(app, f"{app} {n}", f"{app}{n}") for app in APPS for n in range(3)])
    request = EvaluationRequest(protocol="motif", model="text-match", split=split)
    with pytest.raises(UsageError, match=f"The partition {split} of this data is empty") as caught:
        evaluation.selection(database, data, request)
    assert "splits.md" in caught.value.hint


def test_data_of_one_app_offers_no_partition(database: Database, opened: Opened) -> None:
    _, data = opened([shown("a", task) for task in TASKS])
    with database.reading() as db:
        assert splits.split_names(db, data) == ()
    assert not in_split(database, data, APP) and not in_split(database, data, BOTH)


def test_training_learns_from_what_is_left(database: Database, opened: Opened) -> None:
    source, data = opened(grid())
    names = SplitNames(APP, "", APP)
    found = splits_of(database, source, data, names, EVERYTHING)
    assert set(found.train) == in_split(database, data, f"{APP}/train") and not found.validation and not found.dealt
    assert set(found.held_out) == in_split(database, data, f"{APP}/test")
    before = set(found.train)
    set_validation_aside(database, data, found)
    assert len(found.validation) == 2 and {*found.train, *found.validation} == before


def test_nothing_is_chosen_by_what_is_held_out(database: Database, opened: Opened) -> None:
    """The data's own validation split has episodes of each part; only those of the training part are chosen by."""
    own = {"a-rate", "b-rate", "a-search", "d-rate"}
    source, data = opened([replace(one, splits=("validation",) if one.id in own else ("train",)) for one in grid()])
    found = splits_of(database, source, data, SplitNames(BOTH, "validation", BOTH), EVERYTHING)
    assert set(found.validation) == {"a-rate", "b-rate"} and not own & set(found.train) and len(found.train) == 6
    assert set(found.held_out) == {"d-search"}


def test_further_data_leaves_out_what_is_to_be_unseen(database: Database, opened: Opened) -> None:
    source, data = opened(grid())
    _, more = opened(
        [shown("d", "zoom", "new-app"), shown("z", "search", "new-task"), shown("z", "zoom", "other")], "more"
    )
    found = splits_of(database, source, data, SplitNames(BOTH, "", ""), EVERYTHING)
    further = further_split(database, more, [(data, found)], EVERYTHING)
    assert further.train == ["other"] and further.left_out == 2


def test_further_data_with_nothing_left_is_told(database: Database, opened: Opened) -> None:
    source, data = opened(grid())
    other, more = opened([shown("d", "zoom", "new-app")], "more")
    sources = [TrainingSource(source, data), TrainingSource(other, more, further=True)]
    request = TrainingRequest(Task.AUTOMATION, "seq2act", train=BOTH, further_alone=True)
    with pytest.raises(UsageError, match="There is no episode for training") as caught:
        list(training.train(database, sources, request))
    assert "more" in str(caught.value)
