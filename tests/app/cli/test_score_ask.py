"""`stepscope score ask`: what measured the questions is named, what is missing is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import stepscope.app.services.scoring
from stepscope.core.errors import UnavailableError
from stepscope.core.scoring import ask_content

RECORD = {
    "id": "e",
    "ask_step": 1,
    "first": [
        {"step": 0, "ask": False, "correct": True, "question": None},
        {"step": 1, "ask": True, "correct": False, "question": "Which size would you like?"},
    ],
    "second": None,
    "reference_question": "Which size should it be?",
}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "asks.jsonl"
    path.write_text(json.dumps(RECORD) + "\n")
    return path


def test_questions_are_measured_with_what_is_here(cli, records):
    try:
        stepscope.app.services.scoring.sentence_encoder()
        ask_content.Meteor.load()
    except UnavailableError as error:
        pytest.skip(str(error))
    ended = cli("score", "ask", records, "--json")
    assert (ended.status, ended.err) == (0, "")
    assert 0.6 < ended.json["metrics"]["cos_sim"] < 0.9
    assert ended.json["metrics"]["meteor"] == pytest.approx((1 - 0.5 * 8 / 27) * 0.5)
    assert "all-MiniLM-L6-v2" in ended.json["measured_by"]["cos_sim"]
    assert "WordNet" in ended.json["measured_by"]["meteor"]
    in_words = cli("score", "ask", records).out
    assert "cos_sim by sentence-transformers/all-MiniLM-L6-v2" in in_words


def test_what_is_missing_is_told_beside_the_result(cli, records, monkeypatch):
    def missing():
        raise UnavailableError("it is not here.", hint="Install it.")

    monkeypatch.setattr(stepscope.app.services.scoring, "sentence_encoder", missing)
    monkeypatch.setattr(ask_content.Meteor, "load", staticmethod(missing))
    ended = cli("score", "ask", records, "--json")
    assert (ended.status, ended.err) == (0, "")
    assert ended.json["metrics"]["ssr"] == 1
    assert ended.json["metrics"]["cos_sim"] is ended.json["metrics"]["meteor"] is None
    assert ended.json["notes"] == [
        "cos_sim is null: it is not here. Install it.",
        "meteor is null: it is not here. Install it.",
    ]
    assert "stepscope: cos_sim is null: it is not here. Install it." in cli("score", "ask", records).err


def test_a_named_model_that_cannot_be_loaded_ends_the_scoring(cli, records, tmp_path, monkeypatch):
    monkeypatch.setenv(stepscope.app.services.scoring.SENTENCE_MODEL_VARIABLE, str(tmp_path))
    ended = cli("score", "ask", records, "--json")
    assert ended.status == 2
    assert "is no sentence model with ONNX weights" in ended.err
    assert "Traceback" not in ended.err
