"""Makes the runs that come with the sample: evaluates two rules on it and writes each run's bundle.

`make-sample-runs.py` writes `resources/sample/runs`, `--check` evaluates anew and compares every answer and every
verdict with what is there; it leaves 1 where they differ.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import update

from stepscope.app.services import evaluation
from stepscope.app.services.library import IndexProgress, whole_index
from stepscope.app.services.provenance import SAMPLE
from stepscope.app.services.sample_runs import MODELS, REMARK
from stepscope.core.domain.run import Outcome, RunState
from stepscope.core.evaluation.bundle import bundle_outcomes, write_bundle
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from stepscope.core.store.tables import RunRow

PROTOCOL = "aitw"
FOLDER = SAMPLE.with_name("runs")
PLACE = "sample"
"""Stands for the place of the data: whoever takes the runs in says where it lies there."""


def main(arguments: Sequence[str]) -> int:
    """Returns the exit status: 0 done, 1 the check found differences."""
    with tempfile.TemporaryDirectory() as place:
        made = make(Path(place))
        if "--check" not in arguments:
            FOLDER.mkdir(exist_ok=True)
            for path in made:
                (FOLDER / path.name).write_bytes(path.read_bytes())
                print(f"{path.name}: {path.stat().st_size / 1024:.0f} KB")
            return 0
        differing = [line for path in made for line in differences(FOLDER / path.name, path)]
    print(*(differing or ["no difference"]), sep="\n")
    return 1 if differing else 0


def make(folder: Path) -> list[Path]:
    """Evaluate every model on the sample and leave a bundle of each run in the folder; the first one last, since lists
    have the latest run first."""
    token = CancelToken()
    with Database.open(store_url(folder / "runs.db")) as database:
        index = whole_index(database, SAMPLE, token)
        assert index is not None
        for model in reversed(MODELS):
            _evaluate(database, index, model, folder, token)
    return [folder / f"{model}.bundle" for model in MODELS]


def _evaluate(database: Database, index: IndexProgress, model: str, folder: Path, token: CancelToken) -> None:
    request = evaluation.EvaluationRequest(protocol=PROTOCOL, model=model)
    run = evaluation.start(database, index.source, index.source_id, request, token).run
    for _ in run.updates():
        pass
    with database.unit_of_work() as db:
        assert runs.get(db, run.run_id).state is RunState.DONE
        runs.set_note(db, run.run_id, REMARK)
        db.execute(update(RunRow).where(RunRow.id == run.run_id).values(source=PLACE))
    with (folder / f"{model}.bundle").open("wb") as stream:
        for _ in write_bundle(database, run.run_id, stream, token=token):
            pass


def differences(there: Path, made: Path) -> list[str]:
    """Items whose answer or verdict is not the same in both, in words; how long an answer took does not count."""
    before, now = (_by_key(path) for path in (there, made))
    keys = sorted(before.keys() | now.keys())
    return [f"{made.stem}: {key[0]}, step {key[1]} differs" for key in keys if before.get(key) != now.get(key)]


def _by_key(path: Path) -> dict[tuple[str, int], tuple[object, ...]]:
    return {(one.key.episode, one.key.step): _compared(one) for one in bundle_outcomes(path)}


def _compared(one: Outcome) -> tuple[object, ...]:
    said = one.prediction
    return said.status, said.answer, said.confidence, said.raw, said.why, one.score, one.reference


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
