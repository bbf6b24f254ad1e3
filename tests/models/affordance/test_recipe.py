"""`element-affordance`: what it sees of a screen, what it leaves out, what it learns from, and its answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.app.services.training import TrainingRequest, checked_recipe
from stepscope.core.domain.affordance import KINDS, Affordance, asked_elements
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import AffordanceAnswer, PredictionStatus, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import ScreenRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.core.imaging.draw import encode_png
from stepscope.core.scoring.affordance_match import AllowedActions
from stepscope.models.affordance.features import FACTS, GEOMETRY, SIDE, lying_in, small_pictures
from stepscope.models.affordance.recipe import RECIPE
from stepscope.models.features.vectors import Features
from stepscope.models.learned.card import ModelCard, info_of
from stepscope.models.learned.encoder_choice import Config
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Hyper
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit
from stepscope.models.training.save import save, shapes_of
from tests.models.plain_encoders import Letters

pytestmark = pytest.mark.needs("torch", "onnxscript")

SIZE = Size(200, 400)
TAP, LONG, TYPE, SCROLL, CHECK = KINDS
CONFIG: Config = {"sizes": {"text": 384, "view": 8}}


class Shades:
    """The mean colour of a picture, 8 numbers."""

    fingerprint = "shades"
    computed_by = "tests"
    size = 8
    sequence = False

    def prepared(self, pixels: Any) -> Any:
        return pixels[:1, :1]

    def embed(self, pictures: Any) -> Any:
        return np.stack([np.resize(one.mean(axis=(0, 1)) / 255, 8) for one in pictures]).astype(np.float32)


FEATURES = Features([Letters()], [Shades()])


def row(place: int, text: str = "", **more: Any) -> UIElement:
    box = more.pop("box", Box(10, 40 * place, 190, 40 * place + 40, SIZE))
    return UIElement(place, box, text=text, class_name=more.pop("class_name", "a.View"), **more)


def asked(*rows: UIElement, picture: Picture | None = None) -> ScreenRequest:
    tree = UITree(rows, TreeOrigin.DUMP, SIZE)
    seen = Observation(SIZE, picture, tree)
    return ScreenRequest("e", 1, Platform.ANDROID, seen, asked_elements(tree)[0])


def example_of(request: ScreenRequest, features: Features = FEATURES) -> Any:
    draft = RECIPE.prepare(request, features)
    return RECIPE.example(draft, vectors_of(features, [draft]))


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    """Black above, white below the middle."""
    pixels = np.zeros((400, 200, 3), np.uint8)
    pixels[200:] = 255
    file = tmp_path / "screen.png"
    file.write_bytes(encode_png(pixels))
    return Picture(file, SIZE)


def test_shapes_and_padding(picture: Picture) -> None:
    examples = [example_of(asked(row(0, "Next"), row(1), row(2), picture=picture)), example_of(asked(row(0)))]
    screen, words, names, geometry, facts, around, pictures, seen, mask = RECIPE.collate(examples)
    assert screen.shape == (2, 8) and words.shape == names.shape == (2, 3, 384)
    assert geometry.shape == (2, 3, GEOMETRY) and facts.shape == (2, 3, FACTS) and around.shape == (2, 3)
    assert pictures.shape == (2, 3, SIDE, SIDE, 3) and pictures.max() <= 1.0
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]] and seen.tolist() == [[1, 1, 1], [0, 0, 0]]
    assert not words[0, 1].any() and words[0, 0].any()


def test_each_box_lies_in_the_smallest_around_it() -> None:
    whole, half, same, inside, apart = (
        Box(0, 0, 200, 400, SIZE), Box(0, 0, 200, 200, SIZE), Box(0, 0, 200, 200, SIZE), Box(5, 5, 20, 20, SIZE),
        Box(190, 150, 200, 300, SIZE),
    )  # fmt: skip
    assert lying_in([whole, half, same, inside, apart]) == [-1, 0, 1, 2, 0]
    assert lying_in([inside, whole]) == [1, -1] and lying_in([]) == []


def test_a_small_picture_shows_the_element_and_its_edge(picture: Picture) -> None:
    black, white, border, nowhere = small_pictures(
        picture,
        [Box(10, 10, 60, 60, SIZE), Box(10, 300, 60, 350, SIZE), Box(0, 190, 200, 210, SIZE), Box(0, 0, 0, 0, SIZE)],
    )
    assert (black.max(), white.min(), nowhere.max()) == (0, 255, 0)
    assert border[0].max() == 0 and border[-1].min() == 255


def test_without_encoders_of_pictures_none_is_read() -> None:
    gone = Picture(Path("/nowhere/screen.png"), SIZE)
    found = example_of(asked(row(0, "Next"), picture=gone), Features([Letters()]))
    assert not found["pictures"].any() and not found["seen"].any()


def test_what_is_left_out_has_no_part_in_the_answer(picture: Picture) -> None:
    import torch

    shown = example_of(asked(row(0, "Next", class_name="a.Button"), row(1, "x"), picture=picture))
    other_words = example_of(asked(row(0, "Delete", class_name="a.Switch"), row(1, "y"), picture=picture))
    other_picture = {**shown, "pictures": 255 - shown["pictures"], "screen": 1 - shown["screen"]}

    def logits(example: Any, without: list[str]) -> Any:
        torch.manual_seed(0)
        module = RECIPE.network({**CONFIG, "without": without}).eval()
        with torch.no_grad():
            return module(*(torch.from_numpy(one) for one in RECIPE.collate([example]))).numpy()

    for without, same, other in (
        (["tree"], other_words, other_picture), (["pictures"], other_picture, other_words),
    ):  # fmt: skip
        assert np.array_equal(logits(shown, without), logits(same, without))
        assert not np.allclose(logits(shown, without), logits(other, without))
    assert not np.allclose(logits(shown, []), logits(other_words, []))


def test_nothing_of_one_screen_reaches_another_in_its_batch() -> None:
    import torch

    small, large = example_of(asked(row(0, "Next"))), example_of(asked(*(row(n, "x") for n in range(9))))
    torch.manual_seed(0)
    module = RECIPE.network(CONFIG).eval()
    with torch.no_grad():
        alone, beside = (
            module(*(torch.from_numpy(one) for one in RECIPE.collate(batch))) for batch in ([small], [small, large])
        )
    assert torch.allclose(alone[0, 0], beside[0, 0], atol=1e-5)


def item(request: ScreenRequest, *allowed: tuple[Affordance, ...], told: tuple[Affordance, ...] = KINDS) -> Item:
    known = AllowedActions(dict(zip(request.elements, allowed, strict=True)), told)
    return Item(ItemKey("e", 1), request, "", known)


def data() -> MemoryExamples:
    """What lies in a list can be tapped where it says "go", and the list scrolls."""
    found = MemoryExamples()
    for number in range(24):
        rows = [row(0, box=Box(0, 0, 200, 390, SIZE), class_name="a.ListView")]
        words = ["go" if (number + n) % 3 == 0 else "zzz" for n in range(1, 6)]
        rows += [row(n, word) for n, word in enumerate(words, 1)]
        request = asked(*rows)
        one = item(request, (SCROLL,), *((TAP,) if word == "go" else () for word in words))
        target = RECIPE.target(one)
        assert target is not None
        found.examples.append(example_of(request))
        found.targets.append(target)
    return found


def test_it_learns_what_words_and_classes_tell() -> None:
    learned = data()
    config = {**CONFIG, **RECIPE.config(learned.examples, learned.targets)}
    *_, done = fit(RECIPE, config, Hyper(epochs=20, batch=8, rate=5e-3, patience=20), 0, learned, learned)
    assert done.measure == 1.0  # type: ignore[union-attr]


def test_targets_and_measure_by_hand() -> None:
    two = asked(row(0), row(1))
    target = RECIPE.target(item(two, (TAP, CHECK), (), told=(TAP, SCROLL)))
    assert target is not None
    assert target["allowed"].tolist() == [[1, 0, 0, 0, 1], [0] * 5] and target["told"].tolist() == [[1, 0, 0, 1, 0]]
    allowed, told = RECIPE.collate_targets([target, target], {})
    assert allowed.shape == told.shape == (2, 2, 5) and told[0].tolist() == [[1, 0, 0, 1, 0]] * 2
    # tap is right on the first and too many on the second: F1 2/3; scroll does not occur, check is not told
    logits = np.array([[3, 3, 3, 3, -3], [3, -3, -3, -3, -3], [9] * 5], np.float32)
    assert RECIPE.measure([(logits,)], [target], {}) == pytest.approx(2 / 3)
    assert RECIPE.target(Item(ItemKey("e", 1), two, "", AllowedActions({}, why="no tree"))) is None
    nothing = {"allowed": np.zeros((2, 5), np.float32), "told": np.ones((1, 5), np.float32)}
    assert RECIPE.measure([(logits,)], [nothing], {}) == 0.0
    with pytest.raises(UsageError, match="No element of the training split allows anything"):
        RECIPE.config([], [nothing])


def test_answers_name_the_elements_that_were_asked_about() -> None:
    request = asked(row(0), row(1, visible=False), row(2, "Next"))
    draft = RECIPE.prepare(request, FEATURES)
    bare = replace(draft, request=ScreenRequest("f", 0, Platform.ANDROID, Observation(SIZE), ()))
    logits = np.array([[0, -9, -9, 2, -9], [-9, 9, -9, -9, -9], [9] * 5], np.float32)
    said, nothing = RECIPE.answers([draft, bare], [{}, {}], vectors_of(FEATURES, []), lambda _: [(logits,)] * 2, {})
    assert isinstance(said.answer, AffordanceAnswer) and (said.episode, said.step) == ("e", 1)
    assert {one.element: one.kinds for one in said.answer.elements} == {0: (TAP, SCROLL), 2: (LONG,)}
    assert said.answer.elements[0].scores[3] == pytest.approx(0.8808)  # 1 / (1 + e^-2)
    assert nothing.answer is None and nothing.status is PredictionStatus.EMPTY


def test_the_exported_network_agrees_with_torch(tmp_path: Path) -> None:
    import torch

    examples = [example_of(asked(row(0, "a"), row(1, "b"), row(2)))]
    torch.manual_seed(0)
    state = RECIPE.network(CONFIG).state_dict()
    config = {**CONFIG, "shapes": shapes_of(examples)}
    card = ModelCard("mine", Task.AFFORDANCE, "element-affordance", "1", config, "none", "")
    assert save(RECIPE, "mine", state, tmp_path, card).card.weights  # compared with torch as it is written


def test_a_model_says_what_it_does_without() -> None:
    def inputs(*without: str) -> tuple[str, ...]:
        card = ModelCard("m", Task.AFFORDANCE, "element-affordance", "1", {"without": list(without)}, "none", "0" * 64)
        return info_of(card, RECIPE.info).inputs

    assert inputs() == ("screens", "tree", "text")
    assert inputs("pictures") == ("tree", "text") and inputs("tree") == ("screens", "tree")


@pytest.mark.parametrize(
    ("task", "without", "words"),
    [
        (Task.AFFORDANCE, "words", "element-affordance has no part 'words' to do without"),
        (Task.AFFORDANCE, "tree, pictures", "nothing to look at"),
        (Task.GOAL, "tree", "goal-retrieval has no part 'tree' to do without"),
    ],
)
def test_what_cannot_be_left_out_is_refused(task: Task, without: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked_recipe(TrainingRequest(task, hyper=Hyper(without=without)))
    assert words in caught.value.message
