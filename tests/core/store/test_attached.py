"""Pictures that predictors attach: kept with the run, read apart, gone with it."""

from __future__ import annotations

import numpy as np
import pytest
from sqlalchemy import func, select

from stepscope.core.domain.action import Tap
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import ActionAnswer, AttachedPicture, Prediction, Task
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.bundle import read_bundle, write_bundle
from stepscope.core.evaluation.export import prediction_line, prediction_steps
from stepscope.core.imaging.draw import encode_png
from stepscope.core.progress import CancelToken
from stepscope.core.sources.predictions import read_predictions
from stepscope.core.store import transfer
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import items
from stepscope.core.store.repositories import attachments, outcomes, runs
from stepscope.core.store.repositories.attachments import AttachedName
from stepscope.core.store.tables import PredictionPictureRow
from stepscope.core.store.worker import WorkerClaim

SIZE = Size(100, 200)
PNG = encode_png(np.arange(24, dtype=np.uint8).reshape(4, 2, 3))
MAP = AttachedPicture("occlusion", PNG)
PART = AttachedPicture("saliency", PNG, Box(10, 20, 30.5, 60, SIZE), 2)


def outcome(step: int, *pictures: AttachedPicture) -> Outcome:
    prediction = Prediction("lamp", step, ActionAnswer(Tap(Point(5, 6, SIZE))), pictures=pictures)
    return Outcome(ItemKey("lamp", step), prediction, Score.scored(1, "right"), "tap")


@pytest.fixture
def run(database: Database) -> str:
    """Steps 0 (two pictures), 1 (none), 2 (one)."""
    spec = RunSpec(Task.AUTOMATION, "noisy-copy", "/data/shop", "recording", "aitw")
    with database.unit_of_work() as db:
        run_id = runs.add(db, spec, ["lamp"], WorkerClaim.here(), total=3)
        rule = outcomes.scoring(db, run_id, "aitw", "1", (), own=True)
        outcomes.add_many(db, run_id, rule, [outcome(0, MAP, PART), outcome(1), outcome(2, PART)])
    return run_id


def test_they_come_back_as_they_were(database: Database, run: str) -> None:
    with database.reading() as db:
        assert attachments.of_item(db, run, ItemKey("lamp", 0)) == (MAP, PART)
        assert attachments.of_item(db, run, ItemKey("lamp", 1)) == ()
        assert attachments.of_item(db, run, ItemKey("chair", 0)) == ()
        assert attachments.names(db, run, "lamp") == {
            0: (AttachedName("occlusion", None), AttachedName("saliency", 2)),
            2: (AttachedName("saliency", 2),),
        }
        assert set(attachments.predictions_with(db, run)) == {ItemKey("lamp", 0), ItemKey("lamp", 2)}


def test_predictions_are_read_without_them(database: Database, run: str) -> None:
    with database.reading() as db:
        assert all(row.prediction.pictures == () for row in items(db, run, limit=None).rows)


def test_they_go_with_the_run(database: Database, run: str) -> None:
    with database.unit_of_work() as db:
        runs.remove(db, run)
    with database.reading() as db:
        assert db.scalar(select(func.count()).select_from(PredictionPictureRow)) == 0


def test_a_bundle_brings_them_along(database: Database, run: str, tmp_path) -> None:
    path = tmp_path / "run.bundle"
    with path.open("wb") as stream:
        assert len(list(write_bundle(database, run, stream))) == 3
    with Database.open("sqlite://") as other:
        (*_, last) = read_bundle(other, path)
        assert last.result == "imported"
        with other.reading() as db:
            assert attachments.of_item(db, run, ItemKey("lamp", 0)) == (MAP, PART)
            assert attachments.of_item(db, run, ItemKey("lamp", 2)) == (PART,)
        (*_, again) = read_bundle(other, path)
        assert again.result == "there already"


def test_predictions_as_lines_bring_them_along(database: Database, run: str, tmp_path) -> None:
    path = tmp_path / "run.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for _ in prediction_steps(database, run, stream, CancelToken()):
            pass
    found = read_predictions(path, lambda _episode, _step: SIZE)
    assert [one.pictures for one in found.predictions] == [(MAP, PART), (), (PART,)]
    assert "pictures" not in prediction_line(outcome(1).prediction)


REFUSED = (
    ({"data": "?"}, "base64|padding"),
    ({"data": "R0lGODlh"}, "cannot be read"),
    ({"name": ""}, "needs a name"),
    ({"name": 7}, "has no|not what|attribute"),
    ({"step": "2"}, "not what they should be"),
    ({"step": -1}, "about step -1"),
    ({"box": "[0,0,101,10,100,200]"}, "not on the screen"),
    ({"box": "[0,0,1]"}, "unpack"),
    ({"box": "no"}, "Expecting value"),
)


def test_a_bundles_item_with_another_kind_of_picture_is_refused(database: Database, run: str) -> None:
    with database.reading() as db:
        form = next(transfer.item_forms(db, run))
    transfer.check_item(form, 1)
    for change, words in REFUSED:
        spoilt = {**form, "pictures": [{**form["pictures"][0], **change}]}
        with pytest.raises((ValueError, TypeError, KeyError, AttributeError), match=words):
            transfer.check_item(spoilt, 1)
    with pytest.raises(ValueError, match="not what they should be"):
        transfer.check_item({**form, "pictures": form["pictures"] * 5}, 1)
