"""`as-given` and `random-order`: orders found without looking at the steps. Source: ours."""

from __future__ import annotations

from stepscope.core.domain.prediction import OrderAnswer, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, OrderRequest
from stepscope.models.catalog import AS_GIVEN, RANDOM_ORDER
from stepscope.models.seeded_random import drawn_for


class ShownOrderPredictor:
    """The steps as they are shown. Since an evaluation shuffles them, that is an order by chance. Pure."""

    info: ModelInfo = AS_GIVEN

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: OrderRequest) -> Prediction:
        order = tuple(step.id for step in request.steps)
        return Prediction(request.procedure, None, OrderAnswer(order), raw=" ".join(order))


class RandomOrder:
    """Pure: the order depends on seed, procedure and number of steps only, not on the order of the run."""

    info: ModelInfo = RANDOM_ORDER

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        self._seed = seed

    def predict(self, request: OrderRequest) -> Prediction:
        order = [step.id for step in request.steps]
        drawn_for(self.info.name, self._seed, request.procedure).shuffle(order)
        return Prediction(request.procedure, None, OrderAnswer(tuple(order)), raw=" ".join(order))
