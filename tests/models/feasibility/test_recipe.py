"""The feasibility model: what it sees, how it is calibrated, what it tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import FeasibilityLabel, Observation, Platform
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import FeasibilityAnswer
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.feasibility.calibration import average_precision, operating_point, probability, temperature
from stepscope.models.feasibility.features import COVER, phrases_of, screen_numbers
from stepscope.models.feasibility.recipe import PLACES, RECIPE
from stepscope.models.features.vectors import Features
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import cuts
from stepscope.models.training.loop import outputs_of
from tests.models.plain_encoders import Letters

sklearn_metrics = lazy_module("sklearn.metrics")
pytestmark = pytest.mark.needs("scipy.stats")

SIZE = Size(270, 600)
CONFIG = {"cover_mean": [0.0] * COVER, "cover_spread": [1.0] * COVER}


FEATURES = Features([Letters()])


def observation(*texts: str) -> Observation:
    elements = tuple(
        UIElement(place, Box(0, 20 * place, 100, 20 * place + 20, SIZE), text=text, clickable=True)
        for place, text in enumerate(texts)
    )
    return Observation(SIZE, tree=UITree(elements, TreeOrigin.DOM, SIZE))


def request(goal: str | None, *screens: Observation, name: str = "e") -> EpisodeRequest:
    return EpisodeRequest(name, goal, Platform.ANDROID, screens, tuple(None for _ in screens))


def network_run(examples: Sequence[Any]) -> Any:
    import torch

    torch.manual_seed(1)
    module = RECIPE.network(CONFIG)
    return outputs_of(RECIPE, module, examples)


def answer_to(*requests: EpisodeRequest) -> list[FeasibilityAnswer]:
    drafts = [RECIPE.prepare(one, FEATURES) for one in requests]
    vectors = vectors_of(FEATURES, drafts)
    examples = [RECIPE.example(draft, vectors) for draft in drafts]
    found = RECIPE.answers(drafts, examples, vectors, network_run, {"temperature": 1.0, "threshold": 0.5})
    answers = [one.answer for one in found]
    assert all(isinstance(one, FeasibilityAnswer) for one in answers)
    return answers  # type: ignore[return-value]


def test_phrases_are_words_that_mean_something_and_their_pairs() -> None:
    assert phrases_of("set an alarm for 6:45") == ("set", "alarm", "6:45", "set alarm", "alarm 6:45")
    assert phrases_of("") == ()


def test_a_screen_that_has_the_goals_words_covers_them() -> None:
    draft = RECIPE.prepare(request("add alarm", observation("add alarm", "xyz")), FEATURES)
    match, likeness = screen_numbers(draft.rest, draft.rest.texts[0], vectors_of(FEATURES, [draft]))
    assert match[0] == pytest.approx(1.0)
    assert likeness == pytest.approx([1.0, 1.0, 1.0])  # add, alarm, add alarm stand there literally


def test_long_episodes_are_cut_to_twenty_screens_and_the_last() -> None:
    screens = [observation(f"screen {number}") for number in range(300)]
    draft = RECIPE.prepare(request("go", *screens), FEATURES)
    assert draft.rest.steps == (*range(20), 299)
    example = RECIPE.example(draft, vectors_of(FEATURES, [draft]))
    _, texts, views, match, cover = RECIPE.collate([example])
    assert texts.shape == (1, PLACES, 384) and views.shape == (1, PLACES, 1280)
    assert match.shape == (1, PLACES, 6) and cover.shape == (1, COVER)
    assert np.array_equal(texts[0, -1], example["texts"][-1])


@pytest.mark.parametrize(
    "bad",
    [request("go"), request(None, observation("a")), request("", observation()), request("go", Observation(SIZE))],
)
def test_what_lacks_screens_trees_or_a_goal_is_answered_all_the_same(bad: EpisodeRequest) -> None:
    (answer,) = answer_to(bad)
    assert answer.score is not None and 0 <= answer.score <= 1
    assert len(answer.curve) == len(bad.observations)


def test_the_company_of_others_changes_no_answer() -> None:
    one = request("add alarm", observation("add alarm"), observation("saved"))
    others = [request(f"goal {n}", *(observation(f"text {n}") for _ in range(n))) for n in range(1, 5)]
    (alone,) = answer_to(one)
    together = answer_to(*others, one)[-1]
    assert together.score == pytest.approx(alone.score, abs=1e-6)
    assert together.curve == pytest.approx(alone.curve, abs=1e-6)
    assert alone.curve[-1] == alone.score


def plan(*steps: str, goal: str = "buy milk") -> EpisodeRequest:
    seen = tuple(Observation(SIZE) for _ in steps)
    return EpisodeRequest("e", goal, Platform.TEXT, seen, tuple(None for _ in steps), words=steps)


def test_of_a_plan_in_words_each_step_is_a_state() -> None:
    draft = RECIPE.prepare(plan("Go to the Shop", "Buy Milk"), FEATURES)
    assert draft.rest.texts == (("go to the shop",), ("buy milk",)) and draft.views == (None, None)
    vectors = vectors_of(FEATURES, [draft])
    example = RECIPE.example(draft, vectors)
    assert np.array_equal(example["texts"][1], vectors.text("buy milk"))
    assert example["match"][1][0] == pytest.approx(1.0) and not example["views"].any()


def test_a_plan_in_words_is_answered_step_by_step() -> None:
    one, other, bare = answer_to(plan("go to the shop", "buy milk"), plan("sleep", "wake up"), plan("", ""))
    assert one.score != other.score and len(one.curve) == 2 and one.curve[-1] == one.score
    assert bare.score is not None and 0 < bare.score < 1
    assert all(found.box is None and found.step in (0, 1) for found in one.evidence)


def test_evidence_names_elements_and_where_they_are() -> None:
    (answer,) = answer_to(request("buy milk", observation("no milk left", "back"), observation("sorry", "empty")))
    for one in answer.evidence:
        assert one.step in (0, 1) and one.weight > 0
        assert (one.box is None) == (one.text == "")
    assert [one.weight for one in answer.evidence] == sorted((one.weight for one in answer.evidence), reverse=True)


def test_probabilities_by_hand() -> None:
    assert probability(0.0) == 0.5
    assert probability(2.0, 2.0) == pytest.approx(1 / (1 + np.exp(-1)))
    assert probability(-800.0) == 0.0


def test_temperature_cools_what_is_too_sure() -> None:
    seeded_random = np.random.default_rng(0)
    true = seeded_random.normal(size=4000)
    labels = seeded_random.random(4000) < 1 / (1 + np.exp(-true))
    assert temperature(3 * true, labels) == pytest.approx(3.0, rel=0.15)


def test_the_line_is_where_f1_is_best() -> None:
    scores, labels = np.array([0.9, 0.8, 0.4, 0.3]), np.array([True, True, False, True])
    # one above: F1 2/4; two: 4/5; three: 4/6; four: 6/7
    assert operating_point(scores, labels) == pytest.approx(0.15)
    assert operating_point(scores, np.array([True, True, False, False])) == pytest.approx(0.6)
    assert operating_point(scores, np.zeros(4, bool)) == 0.5


def test_average_precision_is_scikit_learns() -> None:
    seeded_random = np.random.default_rng(0)
    for _ in range(20):
        scores, labels = seeded_random.integers(0, 9, 50) / 8.0, seeded_random.random(50) < 0.3
        if labels.any():
            assert average_precision(scores, labels) == pytest.approx(
                sklearn_metrics.average_precision_score(labels, scores)
            )


def test_the_target_is_the_label() -> None:
    from stepscope.core.domain.run import ItemKey
    from stepscope.core.evaluation.tasks import Item

    def target(word: str) -> Any:
        return RECIPE.target(Item(ItemKey("e", -1), request("go"), word, None))

    assert target(FeasibilityLabel.INFEASIBLE.value)["label"] == 1
    assert target(FeasibilityLabel.FEASIBLE.value)["label"] == 0
    assert target("") is None


def test_the_weights_stay_small() -> None:
    assert sum(one.numel() for one in RECIPE.network(CONFIG).parameters()) * 4 < 5_000_000


@pytest.mark.parametrize(
    ("steps", "copies", "ends"),
    [(8, 3, [2, 4, 6]), (5, 3, [2, 3, 4]), (2, 3, [1]), (1, 3, []), (0, 3, []), (4, 1, [2]), (4, 0, [])],
)
def test_copies_are_cut_after_even_shares(steps: int, copies: int, ends: list[int]) -> None:
    """By hand: a quarter of five steps is two of them; of two steps one copy is left."""
    assert cuts(steps, copies) == ends


def test_a_shortened_copy_is_what_was_seen_on_the_way() -> None:
    screens = [observation("add alarm", f"screen {number}") for number in range(4)]
    draft = RECIPE.prepare(request("add alarm", *screens), FEATURES)
    vectors = vectors_of(FEATURES, [draft])
    copies = RECIPE.shortened(draft, vectors, 3)
    for end, copy in zip((1, 2, 3), copies, strict=True):
        alone = RECIPE.prepare(request("add alarm", *screens[:end]), FEATURES)
        wanted = RECIPE.example(alone, vectors_of(FEATURES, [alone]))
        assert copy.keys() == wanted.keys()
        assert all(np.array_equal(copy[name], wanted[name]) for name in wanted)
