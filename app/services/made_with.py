"""What a run is made with besides its settings: the machine that works on it, and the weights of its model."""

from __future__ import annotations

import logging
import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.model_name import LOCAL, PAGES, TASK_MARK, split_name
from stepscope.core.errors import UserError
from stepscope.core.process.memory import machine_bytes
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from stepscope.models.learned.model_folders import find_trained
from stepscope.models.runtimes.devices import available
from stepscope.models.runtimes.weight_digest import digest_of_files, weight_files

log = logging.getLogger("stepscope")

_LIBRARIES = (
    "stepscope", "numpy", "opencv-python-headless", "onnxruntime", "onnxruntime-gpu", "torch", "transformers",
    "tokenizers", "openai", "xllamacpp",
)  # fmt: skip
"""What answers are computed with."""


@cache
def this_machine() -> MachineFacts:
    """What is known of this machine without asking anything that takes long."""
    *gpus, processor = available()
    return MachineFacts(
        processor=processor.name,
        cores=os.cpu_count() or 0,
        memory=machine_bytes(),
        gpus=tuple(one.name for one in gpus),
        system=platform.platform(terse=True),
        python=platform.python_version(),
        libraries=tuple((name, found) for name in _LIBRARIES if (found := _installed(name))),
    )


def weights_digest(model: str, predictor: object = None) -> str:
    """The SHA-256 over the files that a model is loaded from, "" for one without files here. A predictor that a package
    brings may name them as `weight_files`. What cannot be read costs the digest, never the run."""
    try:
        return digest_of_files(_files(model, predictor))
    except (OSError, UserError) as error:
        log.warning("the weights of %s have no digest: %s", model, error)
        return ""


def note_made_with(database: Database, run_id: str, model: str, predictor: Any) -> None:
    """Keep in the run what this process works on it with."""
    weights = weights_digest(model, predictor)
    with database.unit_of_work() as db:
        runs.set_made_with(db, run_id, this_machine(), weights)


def _files(model: str, predictor: object) -> tuple[Path, ...]:
    named = getattr(predictor, "weight_files", ())
    if named:
        return tuple(Path(one) for one in named)
    plain = split_name(model)[0]
    if plain == "sentence-match":
        from stepscope.models.encoders.sentences import packaged

        files = packaged()
        return files.tokenizer, files.weights
    if model.startswith(LOCAL):
        from stepscope.models.checkpoints.facts import facts_of
        from stepscope.models.checkpoints.snapshots import find

        return facts_of(find(plain.removeprefix(LOCAL).partition(TASK_MARK)[0])).files
    if model.startswith(PAGES):
        from stepscope.models.webtask.page_model import model_files

        return model_files(model)
    trained = find_trained(plain)
    return () if trained is None else weight_files(trained.folder)


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
