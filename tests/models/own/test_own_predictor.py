"""Predictors over ONNX files: their answers are those of the file's numbers, worked out by hand."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from stepscope.core.domain.action import Finish, FinishStatus, LongPress, PressKey, Tap, Type
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.models.own.own_models import find_own, info_of
from stepscope.models.own.predictor import load
from stepscope.models.runtimes.weight_digest import digest_of_files
from tests.models.own.forms import episode, observation, screen, step, text

LETTERS = {"[UNK]": 0} | {str(digit): digit for digit in range(10)}


@pytest.fixture
def constant(onnx_file):
    """A network that gives these numbers for every picture, whatever is on it."""

    def made(**outputs: Any):
        nodes = [("ReduceMean", ["image"], ["m"], {"axes": [1, 2, 3], "keepdims": 0})]
        nodes += [("Reshape", ["m", "column"], ["c"], {}), ("Sub", ["c", "c"], ["zeros"], {})]
        nodes += [("Add", ["zeros", f"k {name}"], [name], {}) for name in outputs]
        tensors = {f"k {name}": np.array([row], np.float32) for name, row in outputs.items()}
        return onnx_file(nodes, [("image", ["n", 3, 8, 8])], [(name, ["n", len(row)]) for name, row in outputs.items()],
                         {"column": np.array([-1, 1]), **tensors})  # fmt: skip

    return made


def answer(model: Any, request: Any) -> Prediction:
    predictor = load(model, device="cpu")
    try:
        return predictor.predict(request)
    finally:
        predictor.close()


def test_feasibility_from_a_probability(brightness, own_model, picture):
    brightness()
    white, black = episode(observation(picture())), episode(observation(picture((0, 0, 0))))
    predictor = load(own_model(), device="cpu")
    found = predictor.predict_batch([predictor.prepare(white), predictor.prepare(black), predictor.prepare(white)])
    assert [one.answer.score for one in found] == pytest.approx([1, 0, 1])
    assert [one.answer.label for one in found] == [FeasibilityLabel.INFEASIBLE, FeasibilityLabel.FEASIBLE,
                                                   FeasibilityLabel.INFEASIBLE]  # fmt: skip
    assert found[0].raw == "p 1"
    predictor.close()


def test_the_threshold_and_the_contrary(brightness, own_model, picture):
    brightness()
    grey = episode(observation(picture((51, 51, 51))))  # 51 / 255 = 0.2
    assert answer(own_model(answer={"threshold": 0.19}), grey).answer.label is FeasibilityLabel.INFEASIBLE
    assert answer(own_model(answer={"threshold": 0.21}), grey).answer.label is FeasibilityLabel.FEASIBLE
    contrary = [{"name": "p", "means": "infeasible", "reading": "probability", "inverse": True}]
    assert answer(own_model(outputs=contrary), grey).answer.score == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("reading", "numbers", "expected"),
    [
        ("logit", [math.log(3)], 0.75),
        ("logit", [-1000.0], 0.0),
        ("logits", [0.0, math.log(4)], 0.8),
        ("probabilities", [0.7, 0.3], 0.3),
    ],
)
def test_chances(constant, own_model, picture, reading: str, numbers: list[float], expected: float):
    constant(p=numbers)
    output = {"name": "p", "means": "infeasible", "reading": reading}
    if len(numbers) > 1:
        output |= {"labels": ["yes", "no"], "positive": "no"}
    found = answer(own_model(outputs=[output]), episode(observation(picture())))
    assert found.answer.score == pytest.approx(expected)


@pytest.mark.parametrize(
    ("numbers", "why"),
    [([float("nan")], "NaN"), ([float("inf")], "NaN or infinite"), ([1.5], "not within 0 and 1")],
)
def test_numbers_that_mean_nothing_are_malformed(constant, own_model, picture, numbers: list[float], why: str):
    constant(p=numbers)
    found = answer(own_model(), episode(observation(picture())))
    assert found.status is PredictionStatus.MALFORMED
    assert why in found.why


def test_a_shape_that_the_reading_does_not_fit(constant, own_model, picture):
    constant(p=[0.1, 0.9, 0.3])
    with pytest.raises(UserError, match=r"the output p has the shape \[3\] a row, and probability wants one number"):
        answer(own_model(), episode(observation(picture())))


def test_a_question_is_put_from_the_threshold_on(constant, own_model, picture):
    constant(p=[0.0])
    ask = {"task": "ask", "answer": {"question": "Which one?", "threshold": 0.5},
           "outputs": [{"name": "p", "means": "due", "reading": "logit"}]}  # fmt: skip
    found = answer(own_model(**ask), step(observation(picture())))
    assert (found.answer.question, found.answer.score) == ("Which one?", 0.5)
    ask["answer"]["threshold"] = 0.51
    assert answer(own_model(**ask), step(observation(picture()))).answer.question is None


# Actions ------------------------------------------------------------------------------------------------------------


def automation(*outputs: dict[str, Any], **image: Any) -> dict[str, Any]:
    return {"task": "automation", "inputs": [screen(**image)], "outputs": list(outputs)}


@pytest.mark.parametrize(
    ("reading", "numbers", "expected"),
    [("unit", [0.25, 0.5], (25, 100)), ("pixels", [2, 4], (25, 100)), ("thousandths", [250, 500], (25, 100))],
)
def test_a_place_on_the_picture_is_one_on_the_screen(constant, own_model, picture, reading, numbers, expected):
    constant(at=numbers)
    seen = observation(picture(), (0, 90, 50, 110), (60, 0, 70, 10))
    found = answer(own_model(**automation({"name": "at", "means": "point", "reading": reading})), step(seen))
    action = found.answer.action
    assert isinstance(action, Tap)
    assert (action.point.x, action.point.y) == pytest.approx(expected)
    assert action.target.text == "e0"


def test_a_place_within_bars(constant, own_model, picture):
    constant(at=[0.5, 0.25])  # 4, 2 of 8 × 8, in which the screen is 4 × 8 from x = 2 on: 25 pixels each
    model = own_model(**automation({"name": "at", "means": "point", "reading": "unit"}, fit="letterbox"))
    point = answer(model, step(observation(picture()))).answer.action.point
    assert (point.x, point.y) == pytest.approx((50, 50))


@pytest.mark.parametrize(("boxes", "numbers"), [("corners", [2, 2, 4, 6]), ("centre and size", [3, 4, 2, 4])])
def test_of_a_box_the_middle_is_tapped(constant, own_model, picture, boxes, numbers):
    constant(at=numbers)
    output = {"name": "at", "means": "box", "reading": "pixels", "boxes": boxes}
    point = answer(own_model(**automation(output)), step(observation(picture()))).answer.action.point
    assert (point.x, point.y) == pytest.approx((37.5, 100))


@pytest.mark.parametrize(
    ("numbers", "action"),
    [([9, 0, 0, 0, 0], PressKey("back")), ([0, 9, 0, 0, 0], Finish(FinishStatus.IMPOSSIBLE))],
)
def test_a_kind_without_a_place(constant, own_model, picture, numbers, action):
    constant(kind=numbers, at=[0.5, 0.5])
    kinds = {"name": "kind", "means": "kind", "reading": "logits",
             "labels": ["press_key back", "finish impossible", "tap", "type", "long_press"]}  # fmt: skip
    model = own_model(**automation(kinds, {"name": "at", "means": "point", "reading": "unit"}))
    found = answer(model, step(observation(picture())))
    assert found.answer.action == action
    assert found.confidence == pytest.approx(math.exp(9) / (math.exp(9) + 4))


def test_a_kind_with_a_place_and_text(constant, own_model, picture):
    constant(kind=[0, 1, 0], at=[0.5, 0.5])
    kinds = {"name": "kind", "means": "kind", "reading": "probabilities", "labels": ["tap", "type", "long_press"]}
    model = own_model(**automation(kinds, {"name": "at", "means": "point", "reading": "unit"}))
    action = answer(model, step(observation(picture()), instruction='Type "red lamp"')).answer.action
    assert isinstance(action, Type)
    assert (action.text, action.point.x) == ("red lamp", 50)
    constant(kind=[0, 0, 1], at=[0.5, 0.5])
    assert isinstance(answer(model, step(observation(picture()))).answer.action, LongPress)
    alone = own_model(**automation(kinds))
    assert "no place" in answer(alone, step(observation(picture()))).why


def test_an_element_among_the_candidates(onnx_file, own_model):
    # the score of an element is the top of its box, so the lowest one wins; the rest of the rows is zeros
    onnx_file([("Gather", ["boxes", "one"], ["s"], {"axis": 2})], [("boxes", ["n", 3, 4])], [("s", ["n", 3])],
              {"one": np.array(1)})  # fmt: skip
    inputs = [{"name": "boxes", "holds": "elements", "count": 3}]
    outputs = [{"name": "s", "means": "element", "reading": "scores"}]
    seen = observation(None, (0, 20, 100, 40), (0, 100, 100, 140), (0, 60, 100, 80))
    found = answer(own_model(task="automation", inputs=inputs, outputs=outputs), step(seen)).answer
    assert (found.action.point.x, found.action.point.y, found.action.target.text) == (50, 120, "e1")
    assert [one.score for one in found.candidates] == pytest.approx([0.5, 0.3, 0.1])


# Orders -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def digits(tmp_path):
    """A tokenizer whose only words are digits, each its own number."""
    form = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
            "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None, "decoder": None,
            "model": {"type": "WordLevel", "vocab": LETTERS, "unk_token": "[UNK]"}}  # fmt: skip
    (tmp_path / "tokenizer.json").write_text(json.dumps(form), encoding="utf-8")


STEPS = tuple(ProcedureStep(str(place), words) for place, words in enumerate(("3", "1", "4", "2"), start=1))


@pytest.mark.parametrize(
    ("reading", "order"), [("smallest first", ("2", "4", "1", "3")), ("largest first", ("3", "1", "4", "2"))]
)
def test_an_order_by_scores(onnx_file, own_model, digits, reading: str, order: tuple[str, ...]):
    import onnx

    cast = ("Cast", ["ids"], ["f"], {"to": onnx.TensorProto.FLOAT})
    onnx_file([cast, ("ReduceSum", ["f", "axis"], ["s"], {})], [("ids", ["n", "t"], onnx.TensorProto.INT64)],
              [("s", ["n", 1])], {"axis": np.array([1])})  # fmt: skip
    model = own_model(task="ordering", inputs=[text(text="step")],
                      outputs=[{"name": "s", "means": "place", "reading": reading}], compute={"batch": 3})  # fmt: skip
    assert answer(model, OrderRequest("p", "", STEPS)).answer.order == order


def test_an_order_by_pairs(onnx_file, own_model, digits):
    import onnx

    kind = onnx.TensorProto.INT64
    nodes = [("Cast", ["a"], ["fa"], {"to": 1}), ("Cast", ["b"], ["fb"], {"to": 1}), ("Sub", ["fb", "fa"], ["s"], {})]
    onnx_file(nodes, [("a", ["n", 1], kind), ("b", ["n", 1], kind)], [("s", ["n", 1])])
    inputs = [text("a", text="step", length=1), text("b", text="other step", length=1)]
    outputs = [{"name": "s", "means": "before", "reading": "logit"}]
    found = answer(own_model(task="ordering", inputs=inputs, outputs=outputs), OrderRequest("p", "", STEPS)).answer
    assert found.order == ("2", "4", "1", "3")
    assert found.before[0][1] == pytest.approx(1 / (1 + math.exp(-1)))  # 1 before 2: sigmoid of 2 - 1
    assert found.before[1][0] == pytest.approx(1 - found.before[0][1])


# The file -----------------------------------------------------------------------------------------------------------


def test_a_file_that_was_changed_is_refused(brightness, own_model):
    file = brightness()
    digest = digest_of_files((file,))
    load(own_model(sha256=digest), device="cpu").close()
    file.write_bytes(file.read_bytes() + b"\x9a\x06\x00")
    with pytest.raises(UserError, match="is not the file that was added"):
        load(own_model(sha256=digest), device="cpu")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"inputs": [screen("picture")]}, "has the inputs image, and its manifest names picture"),
        ({"outputs": [{"name": "q", "means": "infeasible", "reading": "logit"}]}, "has the outputs p, and no q"),
        ({"inputs": [screen(width=9)]}, "cannot answer"),
        ({"inputs": [screen(layout="nhwc")]}, "cannot answer"),
        ({"inputs": [screen(dtype="float16")]}, "cannot answer"),
    ],
)
def test_a_manifest_of_another_network(brightness, own_model, picture, changes: Any, words: str):
    brightness()
    with pytest.raises(UserError, match=words) as raised:
        answer(own_model(**changes), episode(observation(picture())))
    assert "net.onnx" in str(raised.value)


def test_what_a_model_says_of_itself(brightness, own_model):
    info = info_of(own_model(licence="MIT"))
    assert (info.weights, info.runtime, info.inputs, info.stand_in) == ("absent", "onnx", ("screens",), False)
    brightness()
    assert info_of(own_model()).weights == "present"
    predictor = load(own_model(), device="cpu")
    assert [one.name for one in predictor.weight_files] == ["net.onnx"]
    other = load(own_model(inputs=[screen(scale=1.0)]), device="cpu")
    assert predictor.fingerprint != other.fingerprint
    for one in (predictor, other):
        one.close()


def test_no_such_model():
    assert find_own("never-added") is None
    assert find_own("../x") is None
