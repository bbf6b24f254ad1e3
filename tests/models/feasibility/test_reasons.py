"""Why a goal is infeasible, and what to ask: templates of questions, and a network with a class for each reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.prediction import FeasibilityAnswer
from stepscope.core.domain.run import ItemKey
from stepscope.core.evaluation.tasks import Item
from stepscope.models.feasibility.calibration import probability
from stepscope.models.feasibility.constant import TemplateQuestion
from stepscope.models.feasibility.follow_up import (
    QuestionTemplate,
    filled,
    kept,
    names_in,
    nearest_question,
    template_of,
)
from stepscope.models.feasibility.reasons_recipe import CLASSES, RECIPE
from stepscope.models.learned.predictor import vectors_of
from tests.models.feasibility.test_recipe import FEATURES, observation, request

NO, YES = FeasibilityLabel.INFEASIBLE, FeasibilityLabel.FEASIBLE


def test_a_question_becomes_a_template_and_is_filled_for_another_goal() -> None:
    goal = "Take all that is saved under Camping and put it in the basket"
    assert names_in(goal) == ["Camping"]
    template = template_of("Nothing is saved in Camping yet. Do you mean another list?", goal, "org.example.shop")
    assert template == "Nothing is saved in {name} yet. Do you mean another list?"
    assert filled(template, "Buy what is under Garden Tools", "x") == (
        "Nothing is saved in Garden Tools yet. Do you mean another list?"
    )
    assert filled(template, "buy all of it", "x") is None, "nothing fills the slot"
    assert template_of("Notes does not offer this. Is there another way?", "Sort my notes", "a.b.notes") == (
        "{app} does not offer this. Is there another way?"
    )
    assert filled("{app} does not offer this.", "Sort it", "org.example.shop") == "Shop does not offer this."
    assert template_of("Which one?", "Open it", "") == "Which one?"


def test_the_most_similar_goal_of_the_same_reason_is_found() -> None:
    known = [
        QuestionTemplate("Which list?", "put milk on a list", "unclear"),
        QuestionTemplate("There is no {name} yet. Shall I make it?", "put milk on the list Groceries", "premature"),
        QuestionTemplate("Which mail?", "answer the mail", "unclear"),
    ]
    assert nearest_question("answer that mail please", "a.mail", "unclear", known) == "Which mail?"
    assert nearest_question("put eggs on the list Party", "a.notes", "premature", known) == (
        "There is no Party yet. Shall I make it?"
    )
    own = nearest_question("book a flight", "a.b.mail", "impossible", known)
    assert own == "I find no way to do this in Mail: book a flight. What should I do instead?"
    assert len(kept([known[0]] * 9)) == 3 and len(kept(known * 500)) <= 400


def test_the_template_baseline() -> None:
    answer = TemplateQuestion().predict(request("Play a song!")).answer
    assert isinstance(answer, FeasibilityAnswer)
    assert (answer.label, answer.score, answer.reason) == (NO, 1.0, InfeasibilityReason.IMPOSSIBLE)
    assert answer.question == "I find no way to do this: Play a song! What should I do instead?"


def item(goal: str, told: Feasibility, name: str) -> Item:
    return Item(ItemKey(name, -1), request(goal, observation(goal), name=name), "", told)


def test_targets_weights_and_questions_of_the_training_data() -> None:
    reasons = (None, None, None, InfeasibilityReason.IMPOSSIBLE, InfeasibilityReason.PREMATURE)
    items = [
        item("Open Tea", Feasibility(NO if reason else YES, reason, ("Where is Tea?",) if reason else ()), str(place))
        for place, reason in enumerate(reasons)
    ]
    targets = [target for one in items if (target := RECIPE.target(one)) is not None]
    assert [int(target["label"]) for target in targets] == [0, 0, 0, 1, 3]
    assert RECIPE.target(item("x", Feasibility(), "u")) is None
    assert RECIPE.target(item("x", Feasibility(NO), "u")) is None, "nobody says why"
    drafts = [RECIPE.prepare(one.request, FEATURES) for one in items]
    vectors = vectors_of(FEATURES, drafts)
    config = RECIPE.config([RECIPE.example(draft, vectors) for draft in drafts], targets)
    assert config["class_weights"] == [1.0, 3.0, 0.0, 3.0]
    assert config["questions"] == [
        ["Where is {name}?", "Open Tea", "impossible"], ["Where is {name}?", "Open Tea", "premature"],
    ]  # fmt: skip


def test_what_is_answered_from_the_classes_logits() -> None:
    requests = [request("Open Tea", observation("a"), name="no"), request("Open Tea", observation("a"), name="yes")]
    drafts = [RECIPE.prepare(one, FEATURES) for one in requests]
    vectors = vectors_of(FEATURES, drafts)
    examples = [RECIPE.example(draft, vectors) for draft in drafts]
    config = {"temperature": 1.0, "threshold": 0.5, "questions": [["Where is {name}?", "Open Milk", "unclear"]]}

    def run(some: Sequence[Any]) -> list[Any]:
        return [(np.array([0.0, 0.5, 2.0, 1.0], np.float32),) for _ in some]

    found = RECIPE.answers(drafts[:1], examples[:1], vectors, run, config)[0].answer
    assert isinstance(found, FeasibilityAnswer)
    expected = probability(np.log(np.exp(0.5) + np.exp(2.0) + np.exp(1.0)))
    assert found.score == pytest.approx(expected) and found.label is NO
    assert (found.reason, found.question) == (InfeasibilityReason.UNCLEAR, "Where is Tea?")
    feasible = RECIPE.answers(
        drafts[1:], examples[1:], vectors, lambda some: [(np.array([9.0, 0, 0, 0], np.float32),) for _ in some], config
    )[0].answer
    assert isinstance(feasible, FeasibilityAnswer)
    assert (feasible.label, feasible.reason, feasible.question) == (YES, None, "")


@pytest.mark.needs("torch")
def test_the_network_learns_classes() -> None:
    import torch

    torch.manual_seed(0)
    config = {"cover_mean": [0.0] * 45, "cover_spread": [1.0] * 45, "class_weights": [1.0] * CLASSES}
    goals = ("aaaa", "bbbb", "cccc", "dddd")
    drafts = [RECIPE.prepare(request(goal, observation(goal)), FEATURES) for goal in goals]
    vectors = vectors_of(FEATURES, drafts)
    inputs = [torch.from_numpy(part) for part in RECIPE.collate([RECIPE.example(one, vectors) for one in drafts])]
    (labels,) = (torch.from_numpy(np.arange(4)),)
    network = RECIPE.network(config).eval()  # without dropout
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    for _ in range(60):
        optimizer.zero_grad()
        loss = RECIPE.loss([network(*inputs)], [labels], config)
        loss.backward()
        optimizer.step()
    logits = network(*inputs)
    assert logits.shape == (4, CLASSES) and logits.argmax(dim=1).tolist() == [0, 1, 2, 3]
    outputs = [(row,) for row in logits.detach().numpy()]
    targets = [{"label": np.array(place)} for place in range(4)]
    assert RECIPE.measure(outputs, targets, config) == 1.0
    assert 0 < RECIPE.finish(outputs, targets, config)["threshold"] < 1
