"""The runtime that a model is asked for: checked before anything runs, kept with the run, asked for again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import stepscope.models.registry
from stepscope.app.services.evaluation import EvaluationRequest, check_model, resume, start
from stepscope.app.services.library import open_indexed
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs


def test_a_run_keeps_its_runtime_and_is_resumed_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load, asked = stepscope.models.registry.load, []

    def remembering(name: str, *, runtime: str, **more: Any) -> Any:
        asked.append(runtime)
        return load(name, **more)

    monkeypatch.setattr("stepscope.models.registry.load", remembering)
    monkeypatch.setattr("stepscope.models.registry.check_runtime", lambda _name, _runtime: None)
    with Database.open(store_url(tmp_path / "s.db")) as database:
        *_, found = open_indexed(database, SAMPLE, CancelToken())
        token = CancelToken()
        request = EvaluationRequest(model="random", protocol="aitw", runtime="onnx", limit=2)
        run = start(database, found.source, found.source_id, request, token).run
        token.cancel()
        list(run.updates())
        list(resume(database, run.run_id).run.updates())
        with database.reading() as db:
            stored = runs.get(db, run.run_id)
    assert (stored.spec.runtime, stored.state.value, asked) == ("onnx", "done", ["onnx", "onnx"])


@pytest.mark.parametrize(("runtime", "words"), [("tensorrt", "no runtime 'tensorrt'"), ("torch", "does not run in")])
def test_a_runtime_that_the_model_does_not_have_is_refused(runtime: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        check_model(EvaluationRequest(model="random", runtime=runtime))
    assert caught.value.hint
