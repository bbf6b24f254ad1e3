"""The baseline that reads the goal alone."""

from __future__ import annotations

from typing import Any

import pytest

from stepscope.core.domain.prediction import ASKS_NOT, AskAnswer
from stepscope.core.domain.run import ItemKey
from stepscope.core.evaluation.tasks import Item
from stepscope.core.scoring.ask_steps import DueAsk
from stepscope.models.ask.constant import QUESTION
from stepscope.models.ask.goal_words_recipe import RECIPE
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Hyper
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from tests.models.automation.two_tower_data import FEATURES, request, screen

pytestmark = pytest.mark.needs("torch")


def item(goal: str, due: int | None, step: int = 0) -> Item:
    return Item(ItemKey("e", step), request(screen("a"), None, goal), ASKS_NOT, DueAsk(step, due, "Which?"))


def data_of(items: list[Item]) -> MemoryExamples:
    data = MemoryExamples()
    for one in items:
        draft = RECIPE.prepare(one.request, FEATURES)  # type: ignore[arg-type]
        target = RECIPE.target(one)
        assert target is not None
        data.examples.append(RECIPE.example(draft, vectors_of(FEATURES, [draft])))
        data.targets.append(target)
    return data


def test_vague_goals_are_told_from_whole_ones_and_asked_about_at_the_first_step() -> None:
    words = ["rose", "fig", "plum", "lime", "mint", "sage", "corn", "bean", "kale", "leek", "beet", "peas"]

    def items(some: list[str]) -> list[Item]:
        return [item(f"Please open {word.title()} at 6:45", None) for word in some] + [
            item(f"Open one of the {word}s at another time", 3) for word in some
        ]

    train, other = data_of(items(words[:8])), data_of(items(words[8:]))
    config = RECIPE.config(train.examples, train.targets)
    *_, done = fit(RECIPE, config, Hyper(epochs=10, batch=4, rate=3e-2, patience=10), 0, train, other)
    assert done.measure == 1  # type: ignore[union-attr]
    network = RECIPE.network(config)
    network.load_state_dict(done.state)  # type: ignore[union-attr]
    outputs = outputs_of(RECIPE, network, other.examples)
    config = RECIPE.finish(outputs, other.targets, config)
    asked: list[Any] = [one.request for one in items(words[8:])]
    drafts = [RECIPE.prepare(one, FEATURES) for one in asked]
    vectors = vectors_of(FEATURES, drafts)

    def run(examples: Any) -> Any:
        return outputs_of(RECIPE, network, examples)

    answers = [one.answer for one in RECIPE.answers(drafts, other.examples, vectors, run, config)]
    assert [one.question for one in answers if isinstance(one, AskAnswer)] == [None] * 4 + [QUESTION] * 4


def test_it_learns_from_first_steps() -> None:
    assert RECIPE.target(item("go", 3, step=1)) is None
    assert [float(found["due"]) for due in (None, 3) if (found := RECIPE.target(item("go", due)))] == [0, 1]
