"""`do-nothing` and `oracle`: the lower and the upper end of what can be scored on web tasks.

Source: the two baselines of TurkingBench (section 4, paper). The paper's do-nothing leaves pages as they load; here a
field counts as empty, for pages are not loaded (ours).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.domain.prediction import FieldsAnswer, Prediction, PredictionStatus
from core.domain.webtask import WebField
from core.evaluation.predictor import FieldsRequest, ModelInfo
from core.scoring.web_fields_match import score_field
from models.catalog import DO_NOTHING, ORACLE


class DoNothing:
    """Leaves every field empty, every box unticked. Pure."""

    info: ModelInfo = DO_NOTHING

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: FieldsRequest) -> Prediction:
        empty = tuple((field.name, "") for field in request.task.fields)
        return Prediction(request.instance, None, FieldsAnswer(empty), raw="nothing done")


class Oracle:
    """Fills each field with that worker's answer that scores best there; of equally good ones the first. Pure."""

    info: ModelInfo = ORACLE

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: FieldsRequest) -> Prediction:
        if not request.reference:
            why = "there are no workers' answers to copy"
            return Prediction(request.instance, None, None, PredictionStatus.MALFORMED, why=why)
        best = tuple((field.name, _best(field, request.reference)) for field in request.task.fields)
        return Prediction(request.instance, None, FieldsAnswer(best), raw="the workers' answers")


def _best(field: WebField, workers: Sequence[Mapping[str, str]]) -> str:
    answers = [worker.get(field.name, "") for worker in workers]
    best, highest = answers[0], float("-inf")
    for answer in dict.fromkeys(answers):
        value = score_field(field.type, answers, answer).value
        if value is None or value == 1:
            return answer
        if value > highest:
            best, highest = answer, value
    return best
