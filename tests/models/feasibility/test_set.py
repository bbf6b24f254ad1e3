"""`feasibility-set`: what it sees of steps and elements, that it sees no later step, and what it tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.action import Action, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason, Observation
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.domain.prediction import FeasibilityAnswer, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.core.lazy import lazy_module
from stepscope.models.feasibility import set_features
from stepscope.models.feasibility.features import COVER, LENGTHS, MATCH, PICTURES, ScreenFeatures, cover
from stepscope.models.feasibility.set_features import (
    ACTION,
    ELEMENT,
    MOST,
    STEP,
    collate,
    kept_of_element,
    kept_of_step,
)
from stepscope.models.feasibility.set_recipe import RECIPE, SetRecipe
from stepscope.models.features.vectors import Features
from stepscope.models.learned.card import ModelCard
from stepscope.models.learned.head import in_onnx, in_torch
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Example, left_out
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from stepscope.models.training.save import save, shapes_of
from stepscope.models.training.state import TrainingCheckpoint
from tests.models.feasibility.test_recipe import FEATURES, SIZE, observation, plan, request
from tests.models.plain_encoders import PlainTexts

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch")

CONFIG: dict[str, Any] = {
    "mean": [0.0] * STEP, "spread": [1.0] * STEP, "positive_weight": 1.0, "reason_weights": [1.0, 1.0, 1.0],
    "temperature": 1.0, "threshold": 0.5,
}  # fmt: skip
NO, YES = FeasibilityLabel.INFEASIBLE, FeasibilityLabel.FEASIBLE


def tap(text: str, place: int = 0) -> Tap:
    """A tap on the element at that place of an `observation`, which has these words."""
    box = Box(0, 20 * place, 100, 20 * place + 20, SIZE)
    return Tap(Point(50, 20 * place + 10, SIZE), Target(box, text))


def done(
    goal: str | None, *steps: tuple[Observation, Action | None], app: str = "a", name: str = "e"
) -> EpisodeRequest:
    one = request(goal, *(seen for seen, _ in steps), name=name)
    return replace(one, actions=tuple(action for _, action in steps), app=app)


WAY = done(
    "buy milk",
    (observation("shop", "milk"), tap("shop")),
    (observation("no milk", "back", "bread"), tap("back", 1)),
    (observation("shop", "milk", "sorry"), Type("milk")),
    (observation("nothing found"), None),
)


class Meanings(PlainTexts):
    """A vector of length 1 for each text, drawn by its letters: unlike those of letters, each of its numbers says
    something, as those of an encoder do."""

    fingerprint = "meanings"

    def embed(self, texts: Sequence[str]) -> Any:
        rows = [np.random.default_rng(list(text.encode())).normal(size=self.size) for text in texts]
        return np.stack([row / np.linalg.norm(row) for row in rows]).astype(np.float32)


def examples_of(*requests: EpisodeRequest, features: Features = FEATURES) -> list[Example]:
    drafts = [RECIPE.prepare(one, features) for one in requests]
    vectors = vectors_of(features, drafts)
    return [RECIPE.example(draft, vectors) for draft in drafts]


def network(**config: Any) -> Any:
    torch.manual_seed(1)
    return RECIPE.network({**CONFIG, **config}).eval()


def logits_of(example: Example, *beside: Example, **config: Any) -> Any:
    """Logits of infeasible of the first (1 + steps,), where the others are asked about beside it."""
    return outputs_of(RECIPE, network(**config), [example, *beside])[0][0][: 1 + len(example["numbers"])]


def answers_to(*requests: EpisodeRequest, run: Any = None, **config: Any) -> list[FeasibilityAnswer]:
    drafts = [RECIPE.prepare(one, FEATURES) for one in requests]
    vectors = vectors_of(FEATURES, drafts)
    examples = [RECIPE.example(draft, vectors) for draft in drafts]
    module = network()
    asked = run or (lambda some: outputs_of(RECIPE, module, some))
    found = RECIPE.answers(drafts, examples, vectors, asked, {**CONFIG, **config})
    assert all(isinstance(one.answer, FeasibilityAnswer) for one in found)
    return [one.answer for one in found]  # type: ignore[misc]


# What it sees ---------------------------------------------------------------------------------------------------------


def test_the_numbers_of_a_step_are_those_of_the_way_so_far_the_screen_and_its_action() -> None:
    (example,) = examples_of(WAY)
    assert example["numbers"].shape == (4, STEP) and example["facts"].shape == (9, ELEMENT)
    assert example["elements"][:, 0].tolist() == [0, 0, 1, 1, 1, 2, 2, 2, 3]
    draft = RECIPE.prepare(WAY, FEATURES)
    vectors = vectors_of(FEATURES, [draft])
    screens = [one.screen for one in set_features.screens_of(draft, vectors)]
    for step in range(4):
        assert np.array_equal(example["numbers"][step, :COVER], cover(example["goal"], screens[: step + 1]))
    kinds = example["numbers"][:, COVER + MATCH :]
    assert kinds.shape == (4, ACTION) and [int(row[:-2].argmax()) for row in kinds] == [0, 0, 2, ACTION - 3]
    assert kinds[2, -1] == pytest.approx(vectors.text("milk") @ vectors.text("buy milk")), "what was typed"
    touched = example["facts"][:, -1]
    assert touched.tolist() == [1, 0, 0, 1, 0, 0, 0, 0, 0]


def test_a_later_action_is_no_part_of_an_earlier_step() -> None:
    other = done("buy milk", *zip(WAY.observations[:3], (tap("shop"), tap("no milk"), None), strict=True))
    first, second = examples_of(WAY, other)
    steps = first["elements"][:, 0]
    assert np.array_equal(first["facts"][steps < 1], second["facts"][second["elements"][:, 0] < 1])
    assert np.array_equal(first["numbers"][0], second["numbers"][0])
    assert not np.array_equal(first["numbers"][1], second["numbers"][1])


def test_of_a_long_way_the_first_twenty_screens_and_the_last_are_looked_at_and_that_is_told() -> None:
    long = request("go", *(observation(f"screen {number}") for number in range(200)))
    draft = RECIPE.prepare(long, FEATURES)
    vectors = vectors_of(FEATURES, [draft])
    assert draft.rest.seen.steps == (*range(20), 199)
    example = RECIPE.example(draft, vectors)
    assert len(example["numbers"]) == 21 == int(target_of(long, Feasibility(YES))["steps"])
    module = network()
    (found,) = RECIPE.answers([draft], [example], vectors, lambda some: outputs_of(RECIPE, module, some), CONFIG)
    assert isinstance(found.answer, FeasibilityAnswer) and len(found.answer.curve) == 21
    assert found.raw.startswith("P(infeasible) 0.") and "looked at the first 20 of 200 steps and the last" in found.raw


def test_of_a_crowded_screen_so_many_elements_are_looked_at() -> None:
    boxes = (Box(0, 6 * place, 100, 6 * place + 6, SIZE) for place in range(99))
    elements = tuple(UIElement(place, box, text=f"text {place}", clickable=True) for place, box in enumerate(boxes))
    (example,) = examples_of(request("go", Observation(SIZE, tree=UITree(elements, TreeOrigin.DOM, SIZE))))
    assert len(example["elements"]) == MOST


@pytest.mark.parametrize(
    "bad",
    [request("go"), request(None, observation("a")), request("", observation()), request("go", Observation(SIZE))],
)
def test_what_lacks_screens_trees_or_a_goal_is_answered_all_the_same(bad: EpisodeRequest) -> None:
    (answer,) = answers_to(bad)
    assert answer.score is not None and 0 < answer.score < 1
    assert len(answer.curve) == len(bad.observations) and answer.evidence == ()


def test_a_plan_in_words_is_a_way_of_screens_with_one_text_each() -> None:
    (example,) = examples_of(plan("Go to the Shop", "Buy Milk", ""))
    assert example["elements"][:, 0].tolist() == [0, 1] and not example["facts"].any()
    (answer,) = answers_to(plan("go to the shop", "buy milk"))
    assert len(answer.curve) == 2 and answer.curve[0] != answer.curve[1]


def test_what_is_left_out_of_the_numbers() -> None:
    """Which of the numbers about the way tell of pictures, and which of lengths: found by changing them."""
    drawn = np.random.default_rng(0)
    goal, text = (drawn.normal(size=384).astype(np.float32) for _ in range(2))
    views = [drawn.normal(size=1280).astype(np.float32) for _ in range(4)]

    def way(seen: Sequence[Any], like: float) -> Any:
        match, likeness = np.full(MATCH, like, np.float32), np.full(3, like, np.float32)
        return cover(goal, [ScreenFeatures(like * text, view, match, likeness) for view in seen])

    plain = way(views[:2], 0.9)
    changed = np.flatnonzero(plain != way(views[2:], 0.9))
    assert changed.tolist() == list(PICTURES)
    same = np.flatnonzero((way(views[:2], 0.0) == plain) & (plain != 0))
    assert set(LENGTHS) <= set(same.tolist()) and plain[list(LENGTHS)].tolist() == pytest.approx([2 / 20, 3 / 20])
    kept = kept_of_step(("elements",))
    assert np.flatnonzero(kept[: COVER + MATCH]).tolist() == [*PICTURES, *LENGTHS]
    assert kept[COVER + MATCH :].sum() == ACTION - 1, "not how like the goal the touched element is"
    assert np.flatnonzero(kept_of_step(("pictures",)) == 0).tolist() == list(PICTURES)
    assert kept_of_step(("actions",)).sum() == COVER + MATCH and kept_of_step(()).sum() == STEP


def test_what_tells_of_actions_in_an_elements_numbers() -> None:
    quiet = done("buy milk", *((seen, None) for seen in WAY.observations))
    first, second = examples_of(WAY, quiet)
    kept = kept_of_element(("actions",))
    assert not np.array_equal(first["facts"], second["facts"])
    assert np.array_equal(first["facts"] * kept, second["facts"] * kept) and kept.sum() == ELEMENT - 5


# The network ----------------------------------------------------------------------------------------------------------


def test_no_step_is_changed_by_a_later_one() -> None:
    other = done(
        "buy milk", *zip(WAY.observations[:2], WAY.actions[:2], strict=True),
        (observation("quite", "another", "screen"), tap("quite")), (observation(), None),
    )  # fmt: skip
    one, two = (logits_of(example) for example in examples_of(WAY, other))
    assert one[:3] == pytest.approx(two[:3], abs=1e-6)
    assert abs(one[3] - two[3]) > 1e-3 and abs(one[4] - two[4]) > 1e-3


def test_the_company_of_others_changes_nothing() -> None:
    others = [request(f"goal {n}", *(observation(*"abcdefgh"[: n + m]) for m in range(n))) for n in range(7)]
    example, *beside = examples_of(WAY, *others)
    assert logits_of(example) == pytest.approx(logits_of(example, *beside), abs=1e-6)


def test_the_order_of_a_screens_elements_does_not_matter() -> None:
    (example,) = examples_of(WAY)
    order = np.array([1, 0, 4, 2, 3, 7, 5, 6, 8])
    mixed = {**example, "elements": example["elements"][order], "facts": example["facts"][order]}
    moved = {**example, "elements": example["elements"].copy()}
    moved["elements"][1, 0] = 1  # to another screen
    moved["elements"] = moved["elements"][order]
    module = network()
    screens = [
        module.screens(*map(torch.from_numpy, collate([one])[:6])).detach().numpy()[0] for one in (example, mixed)
    ]
    assert screens[0] == pytest.approx(screens[1], abs=1e-5)
    assert logits_of(example) == pytest.approx(logits_of(mixed), abs=1e-5)
    assert not np.allclose(logits_of(example), logits_of(moved), atol=1e-3)


def test_lengths_of_different_axes_are_never_equal() -> None:
    for requests in ([WAY], [request("go")], [request("go", observation("a", "b"))], [WAY, plan("a", "b", "c")]):
        _, texts, words, _, _, _, views, _ = collate(examples_of(*requests))
        assert len({texts.shape[1], words.shape[1], words.shape[2]}) == 3 and views.shape[1] == words.shape[1]


def drawn_example(seed: int, steps: int = 3) -> Example:
    drawn = np.random.default_rng(seed)
    (example,) = examples_of(replace(WAY, observations=WAY.observations[:steps], actions=WAY.actions[:steps]))
    return {**example, "views": drawn.normal(scale=0.1, size=(steps, 1280)).astype(np.float16)}


def test_what_it_does_without_changes_nothing() -> None:
    one = drawn_example(0)
    seen = {**one, "views": drawn_example(1)["views"]}
    assert not np.allclose(logits_of(one), logits_of(seen), atol=1e-4)
    assert np.array_equal(logits_of(one, without=["pictures"]), logits_of(seen, without=["pictures"]))
    bare = {**one, "elements": one["elements"][:0], "facts": one["facts"][:0]}
    assert not np.allclose(logits_of(one), logits_of(bare), atol=1e-4)
    assert np.array_equal(logits_of(one, without=["elements"]), logits_of(bare, without=["elements"]))


def test_the_gradient_reaches_every_part() -> None:
    module = network().train()
    examples = [drawn_example(0), drawn_example(1)]
    for one in examples:
        one["elements"][:, 2] = 1  # named as the first text
    targets = [target_of(WAY, Feasibility(NO, InfeasibilityReason.UNCLEAR)), target_of(WAY, Feasibility(YES))]
    targets = [{**one, "steps": np.array(3)} for one in targets]
    outputs = module(*map(torch.from_numpy, RECIPE.collate(examples)))
    RECIPE.loss(outputs, [*map(torch.from_numpy, RECIPE.collate_targets(targets, CONFIG))], CONFIG).backward()
    without = [name for name, one in module.named_parameters() if one.grad is None or not one.grad.abs().sum() > 0]
    assert without == []


def test_training_and_use_compute_the_same() -> None:
    """In training only screens that have elements are computed."""
    module = network()
    for one in module.modules():
        if isinstance(one, torch.nn.Dropout):
            one.p = 0.0
    for requests in ([WAY, request("go"), request("go", Observation(SIZE), observation("a"))], [request("go")]):
        inputs = [torch.from_numpy(one) for one in RECIPE.collate(examples_of(*requests))]
        assert torch.allclose(module.train()(*inputs)[0], module.eval()(*inputs)[0], atol=1e-6)


def test_it_learns_in_half_precision() -> None:
    module = network().train()
    inputs = [torch.from_numpy(one) for one in RECIPE.collate([drawn_example(0), drawn_example(1)])]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, reasons = module(*inputs)
        targets = [torch.tensor([1.0, 0.0]), torch.tensor([0, -100]), torch.tensor([3, 3])]
        RECIPE.loss([logits, reasons], targets, CONFIG).backward()
    assert all(torch.isfinite(one.grad).all() for one in module.parameters())


# What is learned ------------------------------------------------------------------------------------------------------


def target_of(asked: EpisodeRequest, told: Feasibility) -> Example:
    found = RECIPE.target(Item(ItemKey("e", -1), asked, told.label.value if told.label else "", told))
    assert found is not None
    return found


def test_the_target_has_label_reason_and_steps() -> None:
    why = target_of(WAY, Feasibility(NO, InfeasibilityReason.PREMATURE, ("Which shop?",)))
    assert [float(why[name]) for name in ("label", "reason", "steps")] == [1.0, 2.0, 4.0]
    assert (str(why["question"]), str(why["goal"])) == ("Which shop?", "buy milk")
    assert int(target_of(WAY, Feasibility(NO))["reason"]) == -100, (
        "nobody says why, and it is learned from all the same"
    )
    assert float(target_of(WAY, Feasibility(YES))["label"]) == 0.0
    assert RECIPE.target(Item(ItemKey("e", -1), WAY, "", Feasibility())) is None


def test_the_loss_is_half_of_the_end_and_half_of_the_steps_before() -> None:
    """By hand: cross entropy at logits 0, 2, −1 (padded by 9) of an infeasible goal of two steps whose reason is the
    second; reasons' logits are 0, so that each costs log 3."""
    logits, reasons = torch.tensor([[0.0, 2.0, -1.0, 9.0]]), torch.zeros(1, 4, 3)
    targets = [torch.tensor([1.0]), torch.tensor([1]), torch.tensor([2])]
    cost = [np.log1p(np.exp(-one)) for one in (0.0, 2.0, -1.0)]
    found = float(RECIPE.loss([logits, reasons], targets, {**CONFIG, "positive_weight": 3.0}))
    assert found == pytest.approx(3 * (0.5 * cost[2] + 0.25 * (cost[0] + cost[1])) + 0.3 * np.log(3))
    alone = float(RECIPE.loss([logits, reasons], targets, {**CONFIG, "without": ["prefixes"]}))
    assert alone == pytest.approx(cost[2] + 0.3 * np.log(3))
    untold = [targets[0], torch.tensor([-100]), torch.tensor([0])]
    assert float(RECIPE.loss([logits, reasons], untold, CONFIG)) == pytest.approx(cost[0]), "no screen, no reason"


def test_what_is_chosen_by() -> None:
    """By hand: at the end both infeasible goals are first (1); after a quarter, a half and three quarters of four steps
    (one, two, three) they are first and second (1), first and third (5/6), and all are equal (2/3)."""
    rows = ([0, 3, 1, 0, 5], [0, 2, 3, 0, 4], [0, 1, 2, 0, 0])
    outputs = [(np.array(row, np.float32), np.zeros((5, 3), np.float32)) for row in rows]
    targets = [{"label": np.array(one), "steps": np.array(4)} for one in (1.0, 1.0, 0.0)]
    early = (1 + (1 + 2 / 3) / 2 + 2 / 3) / 3
    assert RECIPE.measure(outputs, targets, CONFIG) == pytest.approx(0.5 + 0.5 * early)
    assert RECIPE.measure(outputs, targets, {"without": ["prefixes"]}) == 1.0


def test_weights_and_questions_of_the_training_data() -> None:
    told = [
        Feasibility(YES),
        Feasibility(YES),
        Feasibility(NO),
        Feasibility(NO, InfeasibilityReason.UNCLEAR, ("Which?",)),
    ]
    config = RECIPE.config(examples_of(WAY, WAY, WAY, WAY), [target_of(WAY, one) for one in told])
    assert config["positive_weight"] == 1.0 and config["reason_weights"] == [0.0, 1.0, 0.0]
    assert config["questions"] == [["Which?", "buy milk", "unclear"]]
    assert len(config["mean"]) == STEP and min(config["spread"]) > 0
    with pytest.raises(UsageError, match="All 4 items of the training split are feasible"):
        RECIPE.config(examples_of(WAY), [target_of(WAY, Feasibility(YES))] * 4)
    nothing = [target_of(request("go"), one) for one in (Feasibility(YES), Feasibility(NO))]
    assert RECIPE.config(examples_of(request("go")), nothing)["mean"] == [0.0] * STEP, "no screen in all the data"


REASON_WORDS = {None: "kkkk", InfeasibilityReason.IMPOSSIBLE: "qqqq", InfeasibilityReason.PREMATURE: "wwww"}


def learned_from(count: int = 8) -> MemoryExamples:
    """Ways of three screens of which the first alone tells, by one of its texts, whether the goal is feasible and why
    not; each of an app of its own, of which there is this demonstration alone."""
    found = MemoryExamples()
    for number in range(count):
        reason = (None, InfeasibilityReason.IMPOSSIBLE, None, InfeasibilityReason.PREMATURE)[number % 4]
        word, rest = REASON_WORDS[reason], "abcdef"[number // 4]
        way = done(
            f"do {rest * 3}", (observation(word, rest * 2), tap(word)), (observation("xx", rest), tap("xx")),
            (observation("yy", "zz"), None), app=f"app {number}", name=str(number),
        )  # fmt: skip
        found.examples += examples_of(way, features=Features([Meanings()]))
        found.targets.append(target_of(way, Feasibility(YES if reason is None else NO, reason)))
    return found


class LastEpoch(SetRecipe):
    """The best of several epochs that rank alike would be the first."""

    keeps_last = True


def trained(data: MemoryExamples, seed: int = 0, epochs: int = 120) -> tuple[dict[str, Any], TrainingCheckpoint]:
    config = dict(RECIPE.config(data.examples, data.targets))
    hyper = replace(RECIPE.hyper, epochs=epochs, batch=8, rate=5e-3, patience=epochs)
    *_, last = fit(LastEpoch(), config, hyper, seed, data, data)
    assert isinstance(last, TrainingCheckpoint)
    return config, last


def test_what_the_first_screen_tells_is_known_after_it_and_why() -> None:
    data = learned_from()
    config, best = trained(data)
    module = RECIPE.network(config)
    module.load_state_dict(best.state)
    outputs = outputs_of(RECIPE, module, data.examples)
    for (logits, reasons), target in zip(outputs, data.targets, strict=True):
        assert all((logit > 0) == bool(target["label"]) for logit in logits[1:4]), "after every step"
        if target["reason"] >= 0:
            assert reasons[1:4].argmax(1).tolist() == [int(target["reason"])] * 3
    assert RECIPE.measure(outputs, data.targets, config) == 1.0
    finished = RECIPE.finish(outputs, data.targets, config)
    assert 0 < finished["threshold"] < 1 and finished["temperature"] > 0


def test_the_same_seed_gives_the_same_numbers() -> None:
    data = learned_from()
    one, two, other = (trained(data, seed, epochs=2)[1] for seed in (0, 0, 1))
    assert [epoch.train_loss for epoch in one.history] == [epoch.train_loss for epoch in two.history]
    assert all(torch.equal(one.state[name], two.state[name]) for name in one.state)
    assert one.history[0].train_loss != other.history[0].train_loss


# What it tells --------------------------------------------------------------------------------------------------------


def test_the_curve_is_what_would_be_said_of_the_way_cut_short() -> None:
    cut = [replace(WAY, observations=WAY.observations[:end], actions=WAY.actions[:end]) for end in range(1, 5)]
    whole, *shorter = answers_to(WAY, *cut)
    assert whole.curve == pytest.approx([one.score for one in shorter], abs=1e-6)
    assert whole.score == whole.curve[-1] and len(set(whole.curve)) == 4


def test_the_reason_is_the_likeliest_at_the_end() -> None:
    def run(some: Sequence[Example]) -> list[Any]:
        found = []
        for one in some:
            steps = 1 + len(one["numbers"])
            reasons = np.zeros((steps + 2, 3), np.float32)
            reasons[:, 0], reasons[steps - 1, 2] = 1, 5
            found.append((np.arange(-3, steps - 1, dtype=np.float32), reasons))
        return found

    (answer,) = answers_to(WAY, run=run)
    assert (answer.label, answer.reason) == (NO, InfeasibilityReason.PREMATURE)
    assert answer.score == pytest.approx(1 / (1 + np.exp(-1)))
    assert answer.question.startswith("I find no way to do this in A: buy milk.")
    (untold,) = answers_to(WAY, run=run, reason_weights=[0.0, 0.0, 0.0])
    assert (untold.label, untold.reason, untold.question) == (NO, None, ""), "the training data told of no reason"
    (short,) = answers_to(replace(WAY, observations=WAY.observations[:1], actions=WAY.actions[:1]), run=run)
    assert (short.label, short.reason, short.question) == (YES, None, "")


def test_evidence_is_what_the_probability_falls_by_without_it() -> None:
    """By hand: the logit is how many elements say "milk" or "no milk", one and two for each."""
    weight = {"milk": 1.0, "no milk": 2.0}

    def run(some: Sequence[Example]) -> list[Any]:
        return [(np.full(9, total(one), np.float32), np.zeros((9, 3), np.float32)) for one in some]

    def total(one: Example) -> float:
        said = one["texts"].astype(np.float32)
        words = [said[place - 1] for place in one["elements"][:, 1]]
        vectors = {text: FEATURES.vectors([text]).text(text) for text in weight}
        return sum(
            weight[text] for word in words for text, vector in vectors.items() if np.allclose(word, vector, atol=2e-3)
        )

    (answer,) = answers_to(WAY, run=run)
    whole = 1 / (1 + np.exp(-4))
    said = {(one.step, one.text): one.weight for one in answer.evidence}
    less_two, less_one = whole - 1 / (1 + np.exp(-2)), whole - 1 / (1 + np.exp(-3))
    assert said == {
        (1, ""): pytest.approx(less_two, abs=1e-6), (1, "no milk"): pytest.approx(less_two, abs=1e-6),
        (0, ""): pytest.approx(less_one, abs=1e-6), (0, "milk"): pytest.approx(less_one, abs=1e-6),
        (2, ""): pytest.approx(less_one, abs=1e-6),
    }  # fmt: skip
    assert answer.evidence[0].weight >= answer.evidence[-1].weight
    (box,) = (one.box for one in answer.evidence if one.text == "no milk")
    assert box == Box(0, 0, 100, 20, SIZE)


# What it can do without -----------------------------------------------------------------------------------------------


def test_parts_are_named_with_commas() -> None:
    assert left_out(RECIPE, "") == () and left_out(RECIPE, " pictures, prefixes,pictures") == ("pictures", "prefixes")
    with pytest.raises(UsageError, match="feasibility-set has no part 'picture' to do without") as told:
        left_out(RECIPE, "picture")
    assert told.value.hint == "Did you mean pictures? It can do without elements, pictures, actions, prefixes."
    from stepscope.models.feasibility.recipe import RECIPE as PLAIN

    with pytest.raises(UsageError, match="feasibility-mlp has no part 'pictures'"):
        left_out(PLAIN, "pictures")


# In ONNX --------------------------------------------------------------------------------------------------------------


@pytest.mark.chain
@pytest.mark.needs("torch", "onnxscript")
def test_it_is_exported_for_any_number_of_steps_elements_and_texts(tmp_path: Path) -> None:
    config = {**CONFIG, "shapes": shapes_of(examples_of(WAY))}
    card = ModelCard("set", Task.FEASIBILITY, "feasibility-set", "1", config, "none", "")
    saved = save(RECIPE, "set", RECIPE.network(config).state_dict(), tmp_path, card)
    first, second = in_torch(saved, RECIPE, "cpu"), in_onnx(saved, RECIPE, "cpu")
    long = request("go", *(observation(*(f"text {step} {n}" for n in range(step))) for step in range(21)))
    for some in ([WAY], [request("go")], [request("go", Observation(SIZE)), WAY], [plan("a", "b"), WAY, long]):
        inputs = RECIPE.collate(examples_of(*some))
        for one, other in zip(first.run(*inputs), second.run(*inputs), strict=True):
            assert one == pytest.approx(other, abs=1e-4)
