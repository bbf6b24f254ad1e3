"""What works on the items of a run on a machine of the cluster: it holds the model, and reads, predicts and scores
share after share. It never sees the store: what the index says comes along with a share, outcomes go back."""

from __future__ import annotations

import gc
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stepscope.app.services import evaluation
from stepscope.app.services.cluster.messages import ClusterOrder, ClusterShare, DataNotHere, ShareResult, WorkerReady
from stepscope.app.services.cluster.shipping import ShippedData, unpack
from stepscope.app.services.evaluation import RunParts
from stepscope.app.services.made_with import this_machine, weights_digest
from stepscope.app.services.verified_index_source import IndexExcerpt, VerifiedIndexSource
from stepscope.app.services.version import VERSION
from stepscope.core import limits
from stepscope.core.errors import UserError
from stepscope.core.evaluation.runner import evaluate, words_of
from stepscope.core.plain_text import calm_logs
from stepscope.core.regular_files import is_there
from stepscope.core.scoring.options import parse_options
from stepscope.core.sources.registry import open_known
from stepscope.core.store.fingerprint import fingerprint


class ShareWorker:
    """Works on one run. Nothing is raised: errors are answers, in a class that the other side has."""

    def __init__(self, order: ClusterOrder) -> None:
        self._order = order
        self._parts: RunParts | None = None
        self._known_before = 0

    def begin(self, data: ShippedData | None = None, get: Callable[[Any], bytes] | None = None) -> object:
        """Load all that is needed: `WorkerReady`, `DataNotHere` or a UserError. `data` is what was sent, which `get`
        fetches."""
        return _told(lambda: self._begin(data, get))

    def work(self, share: ClusterShare) -> object:
        """Do a share: `ShareResult` or a UserError."""
        return _told(lambda: self._work(share))

    def _begin(self, data: ShippedData | None, get: Callable[[Any], bytes] | None) -> WorkerReady | DataNotHere:
        calm_logs()
        order, name = self._order, f"{socket.gethostname()}, process {os.getpid()}"
        if order.version != VERSION:
            raise UserError(
                f"Stepscope is {VERSION} on {socket.gethostname()} and {order.version} where the run was begun.",
                hint="Install the same version on every machine.",
            )
        limits.choose(order.limits)
        if data is not None and get is not None:
            path, files = unpack(data, get), ""
        else:
            path, files = Path(order.spec.source), order.files
            if order.way == "shipped" or not is_there(path) or (files and fingerprint(path) != files):
                return DataNotHere(name)
        source = open_known(path, order.spec.format)
        self._parts = evaluation.parts_of(order.spec, VerifiedIndexSource(source, IndexExcerpt({}, files)))
        self._known_before = getattr(self._parts.predictor, "remembered", 0)
        gc.freeze()
        return WorkerReady(name, this_machine(), weights_digest(order.spec.model, self._parts.predictor))

    def _work(self, share: ClusterShare) -> ShareResult:
        parts = self._parts
        assert parts is not None
        source = parts.source
        if share.index is not None and isinstance(source, VerifiedIndexSource):
            source.index = IndexExcerpt(share.index.rows, source.index.fingerprint())
        begun, spec = time.monotonic(), parts.spec
        options = parse_options(parts.scorer.info, dict(spec.options))
        found = evaluate(
            source, share.rows.units, parts.predictor, parts.scorer, options,
            seed=spec.seed, done=share.rows.done, answered=lambda unit: share.answered.get(unit, {}),
        )  # fmt: skip
        outcomes = tuple(found)
        known = getattr(parts.predictor, "remembered", 0)
        fresh, self._known_before = known - self._known_before, known
        return ShareResult(outcomes, time.monotonic() - begun, fresh)


def _told(do: Callable[[], object]) -> object:
    try:
        return do()
    except UserError as error:
        return UserError(error.message, place=error.place, record=error.record, hint=error.hint)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - what a model's loader raises may be anything
        return UserError(words_of(error))
