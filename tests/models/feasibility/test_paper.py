"""MoTIF's classifier: what it reads of a screen, how steps come together, what its command is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.errors import UnavailableError, UsageError
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.models.encoders import added, registry
from stepscope.models.encoders.added import AddedEncoder
from stepscope.models.feasibility.classifier_name import parse_classifier
from stepscope.models.feasibility.paper_features import PaperInputs, encoder_names, resolved
from stepscope.models.feasibility.paper_recipe import RECIPE, PaperRecipe
from stepscope.models.features.vectors import Features
from stepscope.models.learned.encoder_choice import ClassifierChoice
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Example
from tests.models.plain_encoders import Letters

SIZE = Size(270, 600)


class First(Letters):
    """Three numbers: which letter a text begins with, of a, b and all others; of length 1."""

    fingerprint = "first letters"
    size = 3

    def embed(self, texts: Sequence[str]) -> Any:
        return np.eye(3, dtype=np.float32)[["ab".find(text[0]) % 3 for text in texts]]


class Trees:
    """How many elements a tree has, twice."""

    fingerprint = "trees"
    computed_by = "tests"
    size = 2

    def embed(self, observations: Sequence[Observation]) -> Any:
        return [np.full(2, len(one.tree.elements), np.float32) for one in observations if one.tree is not None]


def screen(*elements: tuple[str, str, str]) -> Observation:
    """Elements with text, id and class."""
    nodes = tuple(
        UIElement(
            at, Box(0, 20 * at, 100, 20 * at + 20, SIZE), text=text, resource_id=f"app:id/{name}", class_name=kind
        )
        for at, (text, name, kind) in enumerate(elements)
    )
    return Observation(SIZE, tree=UITree(nodes, TreeOrigin.VIEW_HIERARCHY, SIZE))


def request(*screens: Observation, goal: str = "add it", instructions: tuple[str, ...] = ()) -> EpisodeRequest:
    actions = tuple(None for _ in screens)
    return EpisodeRequest("e", goal, Platform.ANDROID, screens, actions, instructions=instructions)


def made(name: str, language: str = "goal") -> tuple[PaperRecipe, PaperInputs]:
    """The recipe with a first-letter encoder in the place of every one of texts."""
    recipe = replace(RECIPE, classifier=parse_classifier(name), language=language)
    references = {term.reference: term for term in recipe.classifier.terms}
    texts = {one: Features([First()]) for one, term in references.items() if "tree" not in term.parts}
    trees = {one: Trees() for one, term in references.items() if "tree" in term.parts}
    return recipe, PaperInputs(recipe.classifier, texts, {}, trees)


def example(name: str, one: EpisodeRequest, language: str = "goal") -> Example:
    recipe, inputs = made(name, language)
    draft = recipe.prepare(one, inputs)
    return recipe.example(draft, vectors_of(inputs, [draft]))


SCREEN = screen(("Apple Banana", "box_all", "android.widget.Button"), ("b", "", "android.view.View"))


def test_texts_ids_and_classes_are_each_a_mean_by_hand() -> None:
    """Texts a.., b.. and b; ids box and all; classes button and view: by their first letters."""
    found = example("minilm(et,id,cls,command)+cat", request(SCREEN))
    assert found["command"] == pytest.approx([1, 0, 0])
    assert found["states"][0] == pytest.approx([1 / 3, 2 / 3, 0, 1 / 2, 1 / 2, 0, 0, 1 / 2, 1 / 2])


def test_the_parts_stand_in_the_order_of_the_name_and_a_screen_without_a_tree_is_zeros() -> None:
    found = example("s2v(tree)+minilm(id,command)+cat", request(SCREEN, Observation(SIZE)))
    assert found["states"].tolist() == [pytest.approx([2, 2, 1 / 2, 1 / 2, 0]), [0, 0, 0, 0, 0]]


def test_the_command_is_the_goal_the_instructions_or_both_a_half_each() -> None:
    """Goal a…; instructions b…, b…, another and one that is empty."""
    one = request(*[SCREEN] * 4, goal="all", instructions=("back", "b", "tap", ""))
    name = "minilm(et,command)+avg"
    assert example(name, one)["command"] == pytest.approx([1, 0, 0])
    assert example(name, one, "instruction")["command"] == pytest.approx([0, 2 / 3, 1 / 3])
    assert example(name, one, "both")["command"] == pytest.approx([1 / 2, 1 / 3, 1 / 6])
    assert not example(name, request(SCREEN), "instruction")["command"].any()


def test_steps_are_padded_to_twenty_and_weighted_by_how_they_come_together() -> None:
    examples = [
        {"command": np.ones(1, np.float32), "states": np.arange(1, count + 1, dtype=np.float32)[:, None]}
        for count in (2, 0, 30)
    ]
    examples[1]["states"] = np.zeros((0, 1), np.float32)
    of = {name: replace(RECIPE, classifier=parse_classifier(f"x(et)+{name}")) for name in ("avg", "cat", "lstm")}
    assert len(of["cat"].collate(examples)) == 2
    _, states, mean = of["avg"].collate(examples)
    assert states.shape == (3, 20, 1) and states[0, :, 0].tolist() == [1, 2, *[0] * 18]
    assert (states * mean[..., None]).sum(1)[:, 0] == pytest.approx([1.5, 0, 10.5])
    assert of["lstm"].collate(examples)[2].argmax(1).tolist() == [1, 0, 19]


def test_f1_of_the_decisions_by_hand() -> None:
    """Said infeasible: the first and third; so are the first and second. One of two and two: F1 a half."""
    outputs = [(np.array([0.0, x]),) for x in (1.0, -1.0, 2.0, -2.0)]
    targets = [{"label": np.array(label)} for label in (1, 1, 0, 0)]
    assert RECIPE.measure(outputs, targets, {}) == pytest.approx(0.5)
    assert RECIPE.measure(outputs[1:2], targets[2:3], {}) == 0


def test_families_stand_for_what_was_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = tmp_path / "weights.pt"
    weights.write_bytes(b"1")
    ours = [
        AddedEncoder("my-clip", "clip", str(weights), "0" * 64, 1),
        AddedEncoder("r", "resnet-152", str(weights), "0" * 64, 1),
    ]
    with pytest.raises(
        UnavailableError, match=r"No encoder of .* is here, which clip\(screen\) needs.*weights add PATH"
    ):
        resolved(parse_classifier("clip(screen)+cat"))
    monkeypatch.setattr(added, "load", lambda file=None: tuple(ours))
    monkeypatch.setattr(added, "_absence", lambda one: "")
    found = resolved(parse_classifier("clip(screen,et)+avg"))
    assert str(found) == "my-clip(screen,et,command)+avg" and resolved(found) == found
    bare = resolved(parse_classifier("resnet+lstm"))
    assert str(bare) == "r:ten-crop(screen)+minilm(command)+lstm"
    names = encoder_names(bare)
    assert (names.texts, names.views) == (registry.TEXTS, "r:ten-crop")
    for name, words in (("my-clip+cat", "reads several things"), ("r(et)+cat", "r cannot read et"),
                        ("my-clap(et)+cat", "Did you mean my-clip")):  # fmt: skip
        with pytest.raises(UsageError, match=words):
            resolved(parse_classifier(name))


def test_a_language_that_there_is_not_is_told() -> None:
    with pytest.raises(UsageError, match=r"The command cannot be 'goals'\. Did you mean goal"):
        RECIPE.chosen(ClassifierChoice(language="goals"))
    assert not RECIPE.info.step_instructions
    assert RECIPE.chosen(ClassifierChoice(language="both")).info.step_instructions


@pytest.mark.needs("torch")
@pytest.mark.parametrize("aggregation", ["avg", "cat", "lstm"])
def test_padding_and_the_company_of_others_change_no_answer(aggregation: str) -> None:
    import torch

    from stepscope.models.training.loop import outputs_of

    recipe = replace(RECIPE, classifier=parse_classifier(f"x(et,command)+{aggregation}"))
    torch.manual_seed(0)
    module = recipe.network({"sizes": {"text": 3, "view": 4}})
    layers = [one.out_features for one in module.modules() if isinstance(one, torch.nn.Linear)]
    assert layers == [512, 256, 2]
    drawn = np.random.default_rng(0)
    several = [
        {"command": drawn.normal(size=3).astype(np.float32), "states": drawn.normal(size=(n, 4)).astype(np.float32)}
        for n in (1, 5, 20)
    ]
    (alone,), (_, together, _) = outputs_of(recipe, module, several[1:2]), outputs_of(recipe, module, several)
    assert together[0] == pytest.approx(alone[0], abs=1e-6)


@pytest.mark.needs("torch")
@pytest.mark.parametrize("aggregation", ["avg", "cat", "lstm"])
def test_it_learns_a_word_of_the_screens_in_every_aggregation(aggregation: str) -> None:
    import torch

    from stepscope.models.feasibility.paper_network import PaperClassifier

    recipe, inputs = made(f"minilm(et)+minilm(command)+{aggregation}")
    seen = [("a", "x"), ("b", "x"), ("a", "a"), ("b", "b"), ("a",), ("b",)]
    drafts = [recipe.prepare(request(*(screen((text, "i", "c")) for text in texts)), inputs) for texts in seen]
    vectors = vectors_of(inputs, drafts)
    examples = [recipe.example(draft, vectors) for draft in drafts]
    targets = [{"label": np.array(int(texts[0] == "b"))} for texts in seen]
    torch.manual_seed(0)
    network = PaperClassifier(len(examples[0]["command"]), examples[0]["states"].shape[1], aggregation)
    given = [torch.from_numpy(part) for part in recipe.collate(examples)]
    (labels,) = (torch.from_numpy(part) for part in recipe.collate_targets(targets, {}))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1, momentum=0.9)
    for _ in range(120):
        optimizer.zero_grad()
        recipe.loss([network(*given)], [labels], {}).backward()
        optimizer.step()
    outputs = [(row,) for row in network(*given).detach().numpy()]
    assert recipe.measure(outputs, targets, {}) == 1.0
