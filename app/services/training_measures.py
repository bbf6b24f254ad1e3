"""How good trained models are on episodes that they never saw, by the engine of every evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stepscope.app.services.evaluation import EvaluationRequest, start
from stepscope.app.services.library import check_still_there, whole_index
from stepscope.core.errors import UserError
from stepscope.core.evaluation.comparison import compare_runs
from stepscope.core.evaluation.summaries import run_metrics
from stepscope.core.progress import CancelToken, Progress
from stepscope.core.scoring.paired_tests import over_seeds
from stepscope.core.settings import store_url
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.models.learned.model_folders import TrainedModel
from stepscope.models.learned.recipe import Recipe

DRAWS = 1000
PUT_BACK = "Put the data back and train again; what was learned by then is kept."


@dataclass(slots=True)
class HeldOutEvaluation:
    """Runs of each seed's model and of each baseline over the held-out episodes; `file` is the store to keep them in.

    `by_seed` are the metrics of each seed's model, in order, once `run` is through.
    """

    recipe: Recipe
    source: Source
    units: Sequence[str]
    file: Path
    device: str = "auto"
    by_seed: list[dict[str, float | None]] = field(default_factory=list)
    _runs: dict[str, str] = field(default_factory=dict)
    _seeds: list[str] = field(default_factory=list)

    def run(self, made: Sequence[TrainedModel], token: CancelToken) -> Iterator[tuple[str, Progress | None]]:
        """Work through all of them; yields what is being done. Ends early when the token is cancelled."""
        self.file.unlink(missing_ok=True)
        database = Database.open(store_url(self.file))
        try:
            yield "Reading the held-out split", None
            source, source_id = self._indexed(database, token)
            names = [str(trained.folder) for trained in made]
            for name in (*names, *self.recipe.baselines):
                words = f"seed {made[names.index(name)].card.seeds[0]['seed']}" if name in names else name
                for progress in self._evaluated(database, source, source_id, name, token):
                    yield f"Measuring {words}", progress
                if token.cancelled:
                    return
                check_still_there(self.source.path, PUT_BACK)
            self._seeds = names
            self.by_seed = [run_metrics(database, self._runs[name])[1].as_dict() for name in names]
        finally:
            database.close()

    def summary(self, best: int) -> dict[str, Any]:
        """Of the model of seed number `best`: metrics with 95 % intervals by draws of whole episodes, and its
        differences to the baselines; and the protocol's metric over all seeds."""
        database = Database.open(store_url(self.file))
        try:
            own = self._runs[self._seeds[best]]
            _, metrics = run_metrics(database, own, bootstrap=DRAWS)
            against = {name: self._difference(database, own, self._runs[name]) for name in self.recipe.baselines}
        finally:
            database.close()
        spread = over_seeds([values.get(self.recipe.metric) for values in self.by_seed])
        return {
            "protocol": self.recipe.protocol,
            "metric": self.recipe.metric,
            "n": metrics.n,
            "metrics": metrics.as_dict(),
            "ci": {name: list(interval) for name, interval in metrics.intervals},
            "over_seeds": {"mean": spread.mean, "deviation": spread.deviation, "n": spread.n},
            "against": against,
        }

    def _indexed(self, database: Database, token: CancelToken) -> tuple[Source, int]:
        indexed = whole_index(database, self.source.path, token, self.source.format)
        if indexed is None:
            raise UserError("cannot be read again to measure on it.", place=self.source.path)
        with database.reading() as db:
            gone = set(self.units) - set(queries.matching(db, indexed.source_id))
        if gone and not token.cancelled:
            message = f"{len(gone)} of {len(self.units)} held-out episodes are not there any more."
            raise UserError(message, place=self.source.path, record=min(gone), hint=PUT_BACK)
        return indexed.source, indexed.source_id

    def _evaluated(
        self, database: Database, source: Source, source_id: int, model: str, token: CancelToken
    ) -> Iterator[Progress]:
        request = EvaluationRequest(
            protocol=self.recipe.protocol,
            model=model,
            task=self.recipe.info.task,
            episodes=tuple(self.units),
            device=self.device,
        )
        run = start(database, source, source_id, request, token).run
        self._runs[model] = run.run_id
        for update in run.updates():
            yield update.progress

    def _difference(self, database: Database, own: str, other: str) -> dict[str, Any]:
        """The protocol's metric: this model minus the other."""
        found = {one.metric: one for one in compare_runs(database, own, other, draws=DRAWS).differences}
        one = found[self.recipe.metric]
        interval = None if one.ci is None else list(one.ci)
        return {"model": one.a, "baseline": one.b, "difference": one.difference, "ci": interval, "p": one.p}
