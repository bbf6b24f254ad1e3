"""`sentence-match` on hand-made screens, with a made-up sentence model and with the real one, in batches and alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from stepscope.core.domain.action import Action, Finish, LongPress, PressKey, Tap, Type
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from stepscope.core.errors import OutOfMemory, UnavailableError
from stepscope.core.evaluation.predictor import StepRequest, is_batching
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer, step_metrics
from stepscope.core.scoring.rule import ScoredItem
from stepscope.core.sources.source import Source
from stepscope.models.automation.sentence_match import MOST_WORDS, NO_WORDS, SentenceMatch, element_words
from stepscope.models.encoders import sentences
from stepscope.models.encoders.sentence_files import FILES, WORDS, find
from stepscope.models.registry import load

Ask = Callable[..., StepRequest]
MEANINGS = {"wi-fi": 0.0, "wireless": 20.0, "sound": 90.0, "quiet": 80.0, "name": 180.0}


class Angles:
    """Words are directions in the plane, told in degrees; a text without a known word points to 270."""

    name = "angles"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        known = [next((MEANINGS[word] for word in text.lower().split() if word in MEANINGS), 270.0) for text in texts]
        angles = np.radians(known)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32).reshape(-1, 2)


def button(top: int, **fields: Any) -> dict[str, Any]:
    return {"box": (0, top, 1000, top + 100), "clickable": True, **fields}


def action_of(prediction: Prediction) -> Action:
    assert isinstance(prediction.answer, ActionAnswer)
    return prediction.answer.action


def point_of(prediction: Prediction) -> tuple[float, float]:
    action = action_of(prediction)
    assert isinstance(action, (Tap, Type, LongPress)) and action.point is not None
    return action.point.x, action.point.y


@pytest.fixture
def made_up() -> SentenceMatch:
    return SentenceMatch(encoder=Angles())


@pytest.fixture(scope="module")
def real() -> SentenceMatch:
    try:
        found = load("sentence-match", device="cpu")
    except UnavailableError as error:
        pytest.skip(str(error))
    assert isinstance(found, SentenceMatch)
    return found


def test_the_element_that_means_most_nearly_the_place(made_up: SentenceMatch, request_for: Ask) -> None:
    request = request_for(
        button(0, text="Sound"), button(100, text="Wi-Fi"), button(200, text="Name"), goal="Tap the wireless switch"
    )
    found = made_up.predict(request)
    assert (found.episode, found.step, point_of(found)) == ("e", 0, (500, 150))
    assert found.confidence == pytest.approx(np.cos(np.radians(20)))
    assert isinstance(found.answer, ActionAnswer)
    scores = [candidate.score for candidate in found.answer.candidates]
    assert scores == pytest.approx([np.cos(np.radians(angle)) for angle in (20, 70, 160)])
    assert "'Wi-Fi' is like 'wireless switch' by 0.94" in found.raw


def test_a_cosine_below_0_is_no_confidence(made_up: SentenceMatch, request_for: Ask) -> None:
    found = made_up.predict(request_for(button(0, text="Name"), goal="Tap Wi-Fi"))
    assert (point_of(found), found.confidence) == ((500, 50), 0.0)


def test_only_clickable_elements_are_tapped_where_there_are_any(made_up: SentenceMatch, request_for: Ask) -> None:
    label = {"box": (0, 0, 1000, 50), "text": "Wi-Fi"}
    assert point_of(made_up.predict(request_for(dict(label), button(100, text="Quiet"), goal="Tap Wi-Fi"))) == (
        500,
        150,
    )
    assert point_of(made_up.predict(request_for(dict(label), goal="Tap Wi-Fi"))) == (500, 25)


def test_equal_ones_go_to_the_smaller_then_to_the_earlier(made_up: SentenceMatch, request_for: Ask) -> None:
    small = button(900, text="Wi-Fi", box=(0, 900, 10, 910))
    found = made_up.predict(request_for(button(0, text="Wi-Fi"), small, dict(small), goal="Tap Wi-Fi"))
    assert point_of(found) == (5, 905)


@pytest.mark.parametrize(
    ("sentence", "action"),
    [("Go back", PressKey("back")), ("The task is done", Finish()), ("Press home", PressKey("home"))],
)
def test_verbs_without_a_place_need_no_sentence_model(
    sentence: str, action: Action, made_up: SentenceMatch, request_for: Ask
) -> None:
    assert action_of(made_up.predict(request_for(goal=sentence))) == action


def test_verb_and_text_are_those_of_the_grammar(made_up: SentenceMatch, request_for: Ask) -> None:
    field = button(300, text="Your name", editable=True)
    typed = made_up.predict(request_for(button(0, text="name"), field, instruction="Type Nora in the name field"))
    assert point_of(typed) == (500, 350)
    action = action_of(typed)
    assert isinstance(action, Type) and action.text == "Nora"
    held = made_up.predict(request_for(button(0, text="Sound"), button(100, text="Wi-Fi"), goal="Long press Wi-Fi"))
    assert isinstance(action_of(held), LongPress) and point_of(held) == (500, 150)
    assert action_of(made_up.predict(request_for(goal="Type Nora"))) == Type("Nora")


def test_screens_without_elements_or_words_are_malformed(made_up: SentenceMatch, request_for: Ask) -> None:
    assert made_up.predict(request_for(goal="Tap Wi-Fi")).status is PredictionStatus.MALFORMED
    wordless = made_up.predict(request_for(button(0), goal="Tap Wi-Fi"))
    assert (wordless.status, wordless.why) == (PredictionStatus.MALFORMED, NO_WORDS)


def test_a_row_is_described_by_what_lies_in_it(request_for: Ask) -> None:
    seen = request_for(
        button(0, resource_id="a:id/wifi_row"),
        {"box": (0, 0, 500, 50), "parent": 0, "depth": 1},
        {"box": (0, 0, 500, 50), "parent": 1, "depth": 2, "text": "Wi-Fi"},
        {"box": (500, 0, 900, 50), "parent": 0, "depth": 1, "content_description": "Greenhouse"},
        {"box": (500, 0, 900, 50), "parent": 0, "depth": 1, "text": "hidden", "visible": False},
        button(200, resource_id="a:id/sleep_timer"),
        button(300, text="word " * 100),
        button(400),
    ).observation
    assert seen.tree is not None
    words = [element_words(seen.tree.elements[place], seen) for place in (0, 1, 5, 6, 7)]
    assert words == ["Wi-Fi Greenhouse", "Wi-Fi", "sleep timer", " ".join(["word"] * MOST_WORDS), ""]


def test_a_batch_embeds_each_text_once_and_answers_as_one_by_one(request_for: Ask) -> None:
    encoder = Angles()
    predictor = SentenceMatch(encoder=encoder)
    requests = [
        request_for(button(0, text="Sound"), button(100, text="Wi-Fi"), goal="Tap Wi-Fi", step=0),
        request_for(goal="Go back", step=1),
        request_for(button(0, text="Sound"), button(100, text="Name"), goal="Tap quiet", step=2),
        request_for(goal="Tap quiet", step=3),
    ]
    assert is_batching(predictor) and predictor.batch_size > 1
    found = predictor.predict_batch([predictor.prepare(request) for request in requests])
    assert encoder.calls == [["Wi-Fi", "Sound", "quiet", "Name"]]
    assert list(found) == [predictor.predict(request) for request in requests]
    assert [one.step for one in found] == [0, 1, 2, 3]


def test_what_it_is_and_when_it_ends(request_for: Ask) -> None:
    predictor = SentenceMatch(encoder=Angles())
    assert predictor.fingerprint == "sentence-match 1; angles"
    assert (predictor.info.weights, predictor.info.stand_in) == ("present", False)
    predictor.warm_up()
    predictor.close()
    with pytest.raises(RuntimeError, match="closed"):
        predictor.predict(request_for(button(0, text="Sound"), goal="Tap Wi-Fi"))


class Narrow(Angles):
    """Takes few texts at a time, as a device with little memory."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if len(texts) > 60:
            raise OutOfMemory("too many texts")
        return super().embed(texts)


def test_batches_that_are_too_large_are_halved(sample: tuple[Source, tuple[str, ...]]) -> None:
    source, units = sample
    scorer = run_scorer("aitw")
    options = parse_options(scorer.info, {})
    wide, narrow = (
        [outcome.prediction for outcome in evaluate(source, units[:4], SentenceMatch(encoder=one), scorer, options)]
        for one in (Angles(), Narrow())
    )
    assert wide == narrow and len(wide) > 15


def test_the_real_model_knows_words_that_are_not_the_same(real: SentenceMatch, request_for: Ask) -> None:
    screen = [button(100 * n, text=text) for n, text in enumerate(("Sounds", "Wi-Fi", "Photos", "Shopping cart"))]
    for sentence, place in (("Open the basket", 350), ("Tap pictures", 250), ("Tap wireless network", 150)):
        assert point_of(real.predict(request_for(*map(dict, screen), goal=sentence))) == (500, place)
    assert "sha256 8199be6f" in real.fingerprint


def test_the_real_model_answers_the_same_in_any_batch(real: SentenceMatch, request_for: Ask) -> None:
    texts = ("Sounds", "Wi-Fi", "A very long row that tells all about the network and its password", "OK")
    requests = [
        request_for(*(button(100 * n, text=text) for n, text in enumerate(texts[: 2 + step])), goal=goal, step=step)
        for step, goal in enumerate(("Tap wireless", "Confirm", "Tap the noise"))
    ]
    together = real.predict_batch([real.prepare(request) for request in requests])
    for one, request in zip(together, requests, strict=True):
        alone = real.predict(request)
        assert action_of(one) == action_of(alone)
        assert one.confidence == pytest.approx(alone.confidence, abs=1e-5)


def test_the_real_model_on_the_sample(real: SentenceMatch, sample: tuple[Source, tuple[str, ...]]) -> None:
    """Instructions of the sample name their elements: far above the floors."""
    source, units = sample
    scorer = run_scorer("aitw")
    options = parse_options(scorer.info, {})
    items = [
        ScoredItem(outcome.key.episode, outcome.key.step, outcome.score)
        for outcome in evaluate(source, units[11:19], real, scorer, options)
    ]
    found = step_metrics(scorer, items, options)
    assert (found.errors, found.malformed) == (0, 0)
    accuracy = found.as_dict()["step_accuracy"]
    assert accuracy is not None and accuracy > 0.6


def test_what_is_looked_up_is_what_is_loaded(real: SentenceMatch) -> None:
    assert find() == WORDS
    assert f"pip install {FILES}." in sentences._INSTALL
