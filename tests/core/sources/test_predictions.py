"""Prediction files: every form is read, every bad line is reported by number, the rest is kept."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import AskUser, Finish, FinishStatus, Tap, Type
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    Candidate,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
)
from stepscope.core.errors import SourceError
from stepscope.core.sources.predictions import LineProblem, PredictionFile, read_predictions

SIZE = Size(100, 200)
TAP = {"kind": "tap", "point": [10, 20]}


def size_of(episode: str, step: int) -> Size | None:
    """Episodes e and 13118642174915973036 with three steps each."""
    return SIZE if episode in ("e", "13118642174915973036") and 0 <= step < 3 else None


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "predictions.jsonl"


def read(path: Path, *lines: Any) -> PredictionFile:
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines))
    return read_predictions(path, size_of)


def test_every_form(path: Path) -> None:
    found = read(
        path,
        {"run": {"model": "m-1", "note": "first try"}},
        {
            "episode": "e", "step": 1, "action": TAP, "confidence": 0.5, "raw": "Click (10, 20)", "latency_ms": 12.5,
            "candidates": [{"action": {"kind": "type", "text": "x"}, "score": -3}],
        },
        {"episode": "e", "feasibility": "infeasible", "score": 0.83},
        {"episode": "e", "goal": "open it"},
        {"episode": "procedure-7", "order": ["b", "a", 3]},
        {"episode": "e", "step": 1, "ask": "which one?"},
        {"episode": "e", "step": 2, "ask": None},
        {"task": "Goal feasibility", "instance": 4, "fields": {"a": "x", "b": 2, "c": ["p", "q"], "d": None}},
        {"task": "Goal feasibility", "instance": 5, "fields": {"a": "x"}, "missing": ["b"]},
        {"episode": "e", "step": 0, "action": {"kind": "finish", "status": "impossible"}},
    )  # fmt: skip
    assert (found.model, found.note, found.problems) == ("m-1", "first try", ())
    assert found.predictions == (
        Prediction(
            "e",
            1,
            ActionAnswer(Tap(Point(10, 20, SIZE)), (Candidate(Type("x"), -3.0),)),
            confidence=0.5,
            latency_ms=12.5,
            raw="Click (10, 20)",
        ),
        Prediction("e", None, FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 0.83)),
        Prediction("e", None, GoalAnswer("open it")),
        Prediction("procedure-7", None, OrderAnswer(("b", "a", "3"))),
        Prediction("e", 1, AskAnswer("which one?")),
        Prediction("e", 2, AskAnswer(None)),
        Prediction("Goal feasibility/4", None, FieldsAnswer((("a", "x"), ("b", "2"), ("c", "p|q"), ("d", "")))),
        Prediction("Goal feasibility/5", None, FieldsAnswer((("a", "x"),), ("b",))),
        Prediction("e", 0, ActionAnswer(Finish(FinishStatus.IMPOSSIBLE))),
    )


@pytest.mark.parametrize(
    "form",
    [{"step": 0, "action": None}, {"feasibility": None}, {"goal": None}, {"order": None}],
)
def test_null_is_a_malformed_answer_with_its_raw_output(path: Path, form: dict[str, Any]) -> None:
    (prediction,) = read(path, {"episode": "e", "raw": "I cannot", **form}).predictions
    assert (prediction.status, prediction.answer, prediction.raw) == (PredictionStatus.MALFORMED, None, "I cannot")
    assert prediction.why


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "broken JSON at column 2"),
        (b'{"episode": "e", "step": 0, "action": {"kind": "tap", "point": [NaN, 1]}}', "NaN is not JSON"),
        (b'{"episode": "e", "step": 0, "action": {"kind": "tap", "point": [1e999, 1]}}', "list of 2 numbers"),
        (b'{"episode": "e", "goal": "x", "confidence": Infinity}', "Infinity is not JSON"),
        (b'{"episode": "\xff", "goal": "x"}', "not UTF-8 text (byte 14"),
        (b'{"x": ' * 3000, "nested too deeply"),
        ([1], "must be a JSON object"),
        ({"episode": "e"}, "no answer"),
        ({"episode": "e", "step": 0, "action": TAP, "ask": "x"}, "several answers (action and ask)"),
        ({"step": 0, "action": TAP}, "episode is missing"),
        ({"episode": "", "goal": "x"}, "episode must be text"),
        ({"episode": "e", "action": TAP}, "step must be a whole number"),
        ({"episode": "e", "step": True, "action": TAP}, "step must be a whole number"),
        ({"episode": "e", "step": "1", "action": TAP}, "step must be a whole number"),
        ({"episode": "e", "step": -1, "action": TAP}, "step must be a whole number"),
        ({"episode": "e", "step": 3, "action": TAP}, "no step 3 in an episode 'e'"),
        ({"episode": "f", "step": 1, "action": TAP}, "no episode 'f'"),
        ({"episode": "f", "feasibility": "feasible"}, "no episode 'f'"),
        ({"episode": "e", "step": 0, "action": {"kind": "dance"}}, "'dance' is not one of"),
        ({"episode": "e", "step": 0, "action": {"kind": "tap", "point": [10**400, 1]}}, "beyond all bounds"),
        ({"episode": "e", "step": 0, "action": TAP, "candidates": [{"action": TAP}]}, "candidates[0].score"),
        ({"episode": "e", "step": 0, "action": TAP, "candidates": [{"score": 1}]}, "candidates[0]: action"),
        ({"episode": "e", "step": 0, "action": TAP, "confidence": 1.5}, "confidence must be a number from 0 to 1"),
        ({"episode": "e", "step": 0, "action": TAP, "latency_ms": -1}, "latency_ms"),
        ({"episode": "e", "feasibility": "maybe"}, "must be feasible or infeasible"),
        ({"episode": "e", "feasibility": "feasible", "score": "high"}, "score must be a number"),
        ({"episode": "e", "goal": 5}, "goal must be text"),
        ({"episode": "e", "order": "abc"}, "order must be a list"),
        ({"episode": "e", "step": 0, "ask": 5}, "ask must be text"),
        ({"task": "t", "fields": {}}, "instance is missing"),
        ({"task": "t", "instance": 1, "fields": {"a": {}}}, "fields.a must be"),
        ({"task": "t", "instance": 1, "fields": {}, "missing": "a"}, "missing must be a list of names of fields"),
        ({"run": {"model": "late"}}, "first line only"),
    ],
)
def test_a_line_that_cannot_be_read_is_reported_and_the_rest_kept(path: Path, line: Any, message: str) -> None:
    good = {"episode": "e", "step": 2, "action": TAP}
    found = read(path, {"run": {"model": "m"}}, b"", line, good)
    assert [prediction.step for prediction in found.predictions] == [2]
    (problem,) = found.problems
    assert problem.line == 3 and message in problem.message


def test_the_second_answer_to_the_same_question_is_kept_out(path: Path) -> None:
    first = {"episode": "e", "step": 0, "action": TAP}
    found = read(path, first, {**first, "action": None}, {"episode": "e", "step": 0, "ask": None})
    assert [type(prediction.answer) for prediction in found.predictions] == [ActionAnswer, AskAnswer]
    assert found.problems == (LineProblem(2, "line 1 answers the same already (action of e, step 0)"),)


def test_ids_written_as_numbers_are_their_digits(path: Path) -> None:
    found = read(path, {"episode": 13118642174915973036, "goal": "x"})
    assert found.predictions[0].episode == "13118642174915973036"


def test_byte_order_mark_windows_ends_and_structured_raw(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf{"run": {"model": "m"}}\r\n\r\n{"episode": "e", "goal": "g", "raw": {"a": 1}}\r\n')
    found = read_predictions(path, size_of)
    assert (found.model, found.predictions[0].raw, found.problems) == ("m", '{"a": 1}', ())


def test_an_empty_file_holds_nothing(path: Path) -> None:
    path.touch()
    assert read_predictions(path, size_of) == PredictionFile("", "", (), ())


def test_a_missing_file_is_a_source_error(path: Path) -> None:
    for wrong, words in ((path, "no such file"), (path.parent, "this is a folder")):
        with pytest.raises(SourceError, match=words):
            read_predictions(wrong, size_of)


def test_a_huge_line_is_read(path: Path) -> None:
    found = read(path, {"episode": "e", "goal": "g", "raw": "x" * 3_000_000})
    assert len(found.predictions[0].raw) == 3_000_000


def test_many_lines_are_quick(path: Path) -> None:
    """100,000 lines take seconds, not minutes: here 20,000 against the time of parsing their JSON alone."""
    lines = [
        json.dumps({"episode": str(index // 10), "step": index % 10, "action": TAP, "raw": "Click"})
        for index in range(20_000)
    ]
    path.write_text("\n".join(lines))
    start = time.perf_counter()
    for line in lines:
        json.loads(line)
    parsing = time.perf_counter() - start
    start = time.perf_counter()
    found = read_predictions(path, lambda episode, step: SIZE)
    assert time.perf_counter() - start < 30 * parsing + 0.2
    assert len(found.predictions) == 20_000 and found.problems == ()


@given(data=st.binary(max_size=300))
def test_no_bytes_raise(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "random.jsonl"
    path.write_bytes(data)
    found = read_predictions(path, size_of)
    assert len(found.problems) + len(found.predictions) <= data.count(b"\n") + 1


keys = st.sampled_from(
    [
        "episode",
        "step",
        "action",
        "goal",
        "order",
        "ask",
        "fields",
        "feasibility",
        "score",
        "raw",
        "task",
        "kind",
        "run",
    ]
)
forms = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["e", "tap", "feasible"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=12,
)


@given(form=st.dictionaries(keys, forms, max_size=6))
def test_any_object_is_a_prediction_a_heading_or_a_problem(tmp_path: Path, form: dict[str, Any]) -> None:
    path = tmp_path / "object.jsonl"
    path.write_text(json.dumps(form))
    found = read_predictions(path, size_of)
    assert len(found.problems) + len(found.predictions) == (0 if isinstance(form.get("run"), dict) else 1)


def test_what_an_asking_agent_does_is_read(tmp_path: Path) -> None:
    tap = {"kind": "tap", "point": [1, 2]}
    lines = [
        {"episode": "e", "step": 0, "ask": "Which?", "score": 0.5, "does": tap, "does_after": {"action": tap}},
        {"episode": "e", "step": 1, "ask": None, "does_whole": {"kind": "ask", "text": "More?"}},
        {"episode": "e", "step": 2, "ask": None, "does": {"kind": "jump"}},
        {"episode": "e", "step": 3, "ask": None, "does": 5},
        {"episode": "e", "step": 4, "ask": None, "score": 2},
    ]
    file = tmp_path / "p.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    size = Size(10, 20)
    found = read_predictions(file, lambda episode, step: size)
    place = Tap(Point(1, 2, size))
    assert [one.answer for one in found.predictions] == [
        AskAnswer("Which?", 0.5, place, place),
        AskAnswer(None, whole=AskUser("More?")),
    ]
    assert [one.line for one in found.problems] == [3, 4, 5]
    assert found.problems[0].message.startswith("does: action.kind 'jump'")
