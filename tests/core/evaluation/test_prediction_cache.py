"""Answers by content: what has a part in the key, what is kept, and that trouble with the file costs no run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import ActionAnswer, AttachedPicture, Prediction, PredictionStatus, Task
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.evaluation.prediction_cache import CachedPredictor, PredictionCache, request_key
from stepscope.core.evaluation.predictor import EpisodeRequest, ModelInfo, OrderRequest, StepRequest

SIZE = Size(4, 6)
ANSWER = ActionAnswer(Tap(Point(1, 2, SIZE)))


def step(name: str = "a", number: int = 0, **changes: Any) -> StepRequest:
    return replace(StepRequest(name, number, "Buy milk", Platform.ANDROID, Observation(SIZE)), **changes)


def picture(path: Path, shade: int) -> Picture:
    cv2.imwrite(str(path), np.full((6, 4, 3), shade, np.uint8))
    return Picture(path, SIZE)


class Counting:
    """Answers every request with the same tap, and counts what it is asked."""

    info = ModelInfo("counting", "Counting", Task.AUTOMATION, "", "", batches=True)
    batch_size, fingerprint = 4, "weights 1"

    def __init__(self, status: PredictionStatus = PredictionStatus.OK) -> None:
        self.asked: list[str] = []
        self.status = status

    def predict(self, request: StepRequest) -> Prediction:
        return self.predict_batch([request])[0]

    def prepare(self, request: StepRequest) -> StepRequest:
        return request

    def predict_batch(self, prepared):
        self.asked += [request.episode for request in prepared]
        answer = ANSWER if self.status is PredictionStatus.OK else None
        return [Prediction(one.episode, one.step, answer, self.status, 0.5, 2.0, "raw \udc80", "") for one in prepared]

    def warm_up(self) -> None: ...

    def close(self) -> None: ...


def test_the_same_content_is_asked_once(tmp_path: Path) -> None:
    cache = PredictionCache(tmp_path / "p.db")
    inner = Counting()
    model = CachedPredictor(inner, cache)
    first = model.predict_batch([model.prepare(step("a", 1)), model.prepare(step("b", 2, goal="Buy tea"))])
    again = model.predict_batch([model.prepare(step("c", 3, goal="Buy tea")), model.prepare(step("d", goal="New"))])
    assert inner.asked == ["a", "b", "d"]
    assert (again[0].episode, again[0].step) == ("c", 3)
    assert replace(again[0], episode="b", step=2) == first[1]
    assert model.remembered == 1
    assert CachedPredictor(Counting(), PredictionCache(tmp_path / "p.db")).predict(step("z", 9)).answer == ANSWER


def test_what_decides_the_key(tmp_path: Path) -> None:
    one, same, other = picture(tmp_path / "1.png", 9), picture(tmp_path / "2.png", 9), picture(tmp_path / "3.png", 10)
    seen = step(observation=Observation(SIZE, one))
    key = request_key("w", seen)
    assert request_key("w", step("elsewhere", 7, observation=Observation(SIZE, same, time=3.0))) == key
    changed = [
        request_key("v", seen),
        request_key("w", step(observation=Observation(SIZE, other))),
        request_key("w", step()),
        request_key("w", replace(seen, goal="Buy tea")),
        request_key("w", replace(seen, instruction="Tap it")),
        request_key("w", replace(seen, history=(Tap(Point(1, 1, SIZE)),))),
    ]
    assert len({key, *changed}) == len(changed) + 1
    whole = EpisodeRequest("a", "Buy milk", Platform.ANDROID, (Observation(SIZE, one),), (None,))
    assert request_key("w", whole) == request_key("w", replace(whole, episode="b"))
    assert request_key("w", whole) != request_key("w", replace(whole, observations=(Observation(SIZE, other),)))
    order = OrderRequest("p", "Tea", (ProcedureStep("1", "boil", (one,)), ProcedureStep("2", "pour")))
    swapped = replace(order, steps=order.steps[::-1])
    repainted = replace(order, steps=(ProcedureStep("1", "boil", (other,)), order.steps[1]))
    assert len({request_key("w", each) for each in (order, swapped, repainted)}) == 3


def test_words_are_part_of_the_key_where_there_are_any() -> None:
    whole = EpisodeRequest("a", "Buy milk", Platform.ANDROID, (Observation(SIZE),), (None,))
    assert request_key("w", whole).hex() == "765b7c601acf01886b5b225ee2f1825b", "as before there were words"
    spoken = [request_key("w", replace(whole, words=(words,))) for words in ("Go", "Stay")]
    assert len({request_key("w", whole), *spoken}) == 3


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    inner = Counting(PredictionStatus.REFUSED)
    model = CachedPredictor(inner, PredictionCache(tmp_path / "p.db"))
    model.predict(step())
    model.predict(step())
    assert inner.asked == ["a", "a"]


def test_an_answer_with_pictures_is_not_kept(tmp_path: Path) -> None:
    class Picturing(Counting):
        def predict_batch(self, prepared):
            shown = (AttachedPicture("map", b"a file"),)
            return [replace(answer, pictures=shown) for answer in super().predict_batch(prepared)]

    inner = Picturing()
    model = CachedPredictor(inner, PredictionCache(tmp_path / "p.db"))
    assert all(model.predict(step()).pictures for _ in range(2))
    assert inner.asked == ["a", "a"]


def test_the_oldest_go_first(tmp_path: Path) -> None:
    cache = PredictionCache(tmp_path / "p.db", largest=3)
    keys = [bytes([number]) for number in range(5)]
    for key in keys:
        cache.put([(key, Prediction("a", 0, ANSWER))])
    assert [cache.get(key) is not None for key in keys] == [False, False, True, True, True]
    assert len(cache) == 3
    cache.clear()
    assert len(cache) == 0


@pytest.mark.parametrize("data", [b"this is no database at all, whatever its name says" * 30, b""])
def test_a_file_that_is_no_database_is_made_anew(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "p.db").write_bytes(data)
    cache = PredictionCache(tmp_path / "p.db")
    cache.put([(b"k", Prediction("a", 0, ANSWER))])
    assert cache.get(b"k") is not None


def test_without_a_file_the_model_is_asked(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    cache = PredictionCache(tmp_path / "taken" / "p.db")
    inner = Counting()
    model = CachedPredictor(inner, cache)
    assert [model.predict(step()).answer for _ in range(2)] == [ANSWER, ANSWER]
    assert inner.asked == ["a", "a"]
    assert "answers of models are not kept" in caplog.text


def test_what_the_model_holds_is_given_back_through_the_cache(tmp_path: Path) -> None:
    class Holding(Counting):
        rests = 0

        def release(self) -> None:
            self.rests += 1

    cache, inner = PredictionCache(tmp_path / "p.db"), Holding()
    CachedPredictor(inner, cache).release()
    CachedPredictor(Counting(), cache).release()
    assert inner.rests == 1
    cache.close()
