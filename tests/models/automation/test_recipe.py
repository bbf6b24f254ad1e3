"""The two-tower model: what it sees of a step, what it learns from, how logits become an action."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.action import (
    AskUser,
    Finish,
    FinishStatus,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Direction, Point
from stepscope.core.domain.prediction import ActionAnswer, PredictionStatus
from stepscope.models.automation.recipe import RECIPE
from stepscope.models.automation.tower_answers import answer, softmax, typed_text
from stepscope.models.automation.tower_elements import (
    FACTS,
    GOAL_NEAR,
    NEAR,
    names_of,
    place_in,
    seen_elements,
    stem_of,
)
from stepscope.models.automation.tower_features import CROPS, KINDS, STATE, TOLD, kind_of, quoted_text
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Hyper
from stepscope.models.training.loop import fit, outputs_of
from tests.models.automation.two_tower_data import FEATURES, SIZE, data_of, example_of, item, request, row, screen

pytestmark = pytest.mark.needs("torch", "onnxscript")

TAP, TYPE = (KINDS.index(kind) for kind in ("tap", "type"))


def logits(kind: int, *elements: float) -> tuple[Any, Any]:
    kinds = np.zeros(len(KINDS), np.float32)
    kinds[kind] = 5
    return kinds, np.array(elements, np.float32)


def test_shapes_padding_and_mask() -> None:
    examples = [example_of(request(screen("a", "b", "c"), "tap b", "do b")), example_of(request(screen("a")))]
    *whole, crops, words, names, crop, near, goal_near, facts, mask = RECIPE.collate(examples)
    assert [one.shape for one in whole] == [(2, 384)] * 3 + [(2, TOLD), (2, STATE)]
    assert words.shape == names.shape == (2, 3, 384) and crops.shape == (2, CROPS, 1280)
    assert crop.tolist() == [[0, 0, 0]] * 2
    assert near.shape == (2, 3, NEAR) and goal_near.shape == (2, 3, GOAL_NEAR) and facts.shape == (2, 3, FACTS)
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]
    assert not words[1, 1:].any() and all(one.dtype == np.float32 for one in (*whole, words, facts, mask))


def test_class_and_id_in_words() -> None:
    element = row(0, class_name="android.widget.ImageButton", resource_id="a.b:id/add_alarm")
    assert names_of(element) == "image button, add alarm"
    assert names_of(row(0, class_name="", resource_id="")) == ""
    stems = [stem_of(row(0, resource_id=f"x/{name}")) for name in ("note_3", "note_12_delete", "menu")]
    assert stems == ["note", "note", "menu"]


def test_words_of_an_id_are_no_words_of_its_own() -> None:
    bare, named = seen_elements(screen(row(0, resource_id="x/add_alarm"), row(1, "Add alarm", resource_id="x/add")))
    assert (bare.words, named.words) == ("", "add alarm")


def test_the_element_that_is_named_stands_out_by_numbers() -> None:
    example = example_of(request(screen("Rename", "Delete", "Add"), 'Tap "Delete"', "Delete the note"))
    near, goal_near = example["near"], example["goal_near"]
    assert near[1, 2] == pytest.approx(1.0, abs=1e-3)  # the place is its words
    assert near[:, 4].argmax() == 1 and near[1, 4] == 0
    assert near[:, 7].tolist() == [0, 1, 0] and near[:, 8].tolist() == [0, 1, 0] and near[:, 9].tolist() == [0, 1, 0]
    assert goal_near[:, 3].tolist() == [0, 1, 0] and goal_near[:, 5].tolist() == [0, 1, 0]


def test_what_was_touched_before_is_told() -> None:
    seen = screen(row(0, "One", resource_id="x/1"), row(1, "Two", resource_id="x/2"))
    first = Tap(Point(100, 20, SIZE), Target(None, "One", "x/1"))
    facts = example_of(request(seen, None, "go", first))["facts"]
    assert facts[:, 18].tolist() == [1, 0] and facts[:, 19].tolist() == [1, 0]
    assert facts[0, 20] == 0 and facts[1, 20] == pytest.approx(40 / 600)


def test_asking_in_the_history_is_not_told() -> None:
    told = example_of(request(screen("a"), None, "go", Wait(), AskUser("Which?"), Say("This.")))
    alone = example_of(request(screen("a"), None, "go", Wait()))
    assert np.array_equal(told["state"], alone["state"])


def test_the_reply_is_read_with_the_goal() -> None:
    seen = screen("Milk", "Bread")
    without = example_of(request(seen, None, "Buy something"))
    replied = example_of(request(seen, None, "Buy something", reply=("What?", "Bread, please.")))
    assert without["goal_near"][:, 3].tolist() == [0, 0] and replied["goal_near"][:, 3].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (Tap(None), "tap"),
        (Swipe(Point(0, 500, SIZE), Point(0, 100, SIZE)), "swipe up"),
        (Scroll(Direction.DOWN), "scroll down"),
        (PressKey("back"), "press_key back"),
        (Finish(FinishStatus.IMPOSSIBLE), "finish impossible"),
        (OpenApp("Clock"), "open_app"),
    ],
)
def test_kinds(action: Any, kind: str) -> None:
    assert kind_of(action) == kind and kind in KINDS
    target = RECIPE.target(item(request(screen("a")), action))
    assert target is not None and KINDS[int(target["kind"])] == kind


@pytest.mark.parametrize("action", [None, AskUser("Which?"), Say("Yes"), PressKey("volume_up")])
def test_what_is_no_action_on_the_phone_teaches_nothing(action: Any) -> None:
    assert RECIPE.target(item(request(screen("a")), action)) is None


def test_the_target_is_the_smallest_element_under_the_finger() -> None:
    seen = screen("a", "b", row(2, "c", editable=True, focused=True))
    elements = seen_elements(seen)
    assert place_in(elements, Tap(Point(10, 50, SIZE)), seen) == 1
    assert place_in(elements, Tap(None, Target(elements[0].box)), seen) == 0
    assert place_in(elements, Type("x"), seen) == 2  # where the cursor is
    assert place_in(elements, Tap(Point(10, 500, SIZE)), seen) == -1
    assert place_in(elements, Wait(), seen) == -1


def answered(asked: Any, kinds: Any, elements: Any) -> Any:
    return answer(RECIPE.prepare(asked, FEATURES), kinds, elements)


def test_a_tap_goes_to_the_likeliest_element_with_four_others_behind() -> None:
    seen = screen(*"abcdefg")
    found = answered(request(seen, "tap"), *logits(TAP, 0, 0, 3, 1, 2, -1, -2, 9))  # the last is padding
    assert isinstance(found.answer, ActionAnswer) and isinstance(found.answer.action, Tap)
    assert found.answer.action.point == Point(100, 100, SIZE)
    chances = softmax(np.array([0, 0, 3, 1, 2, -1, -2]))
    assert [one.score for one in found.answer.candidates] == pytest.approx(sorted(chances, reverse=True)[:5])
    assert found.confidence == pytest.approx(chances[2] * np.exp(5) / (np.exp(5) + len(KINDS) - 1))


def test_text_goes_into_a_field_and_comes_from_the_words() -> None:
    seen = screen("a", row(1, "b", editable=True))
    found = answered(request(seen, 'Type "Oat milk" into the field'), *logits(TYPE, 9, 0))
    assert found.action == Type("Oat milk", Point(100, 60, SIZE), found.action.target)
    nowhere = answered(request(Observation(SIZE), "Enter oat milk"), *logits(TYPE, 0))
    assert nowhere.action == Type("oat milk")


@pytest.mark.parametrize(
    ("kind", "action"),
    [
        ("press_key back", PressKey("back")),
        ("scroll left", Scroll(Direction.LEFT)),
        ("wait", Wait()),
        ("finish impossible", Finish(FinishStatus.IMPOSSIBLE)),
        ("open_app", OpenApp("clock")),
    ],
)
def test_kinds_without_a_place(kind: str, action: Any) -> None:
    found = answered(request(Observation(SIZE), "Open the clock app"), *logits(KINDS.index(kind), 0))
    assert found.action == action
    assert all(not isinstance(one.action, Tap | LongPress | Type) for one in found.answer.candidates)


def test_a_swipe_goes_the_way_of_the_finger() -> None:
    found = answered(request(screen("a")), *logits(KINDS.index("swipe up"), 0))
    assert isinstance(found.action, Swipe) and found.action.direction is Direction.UP


def test_a_tap_without_elements_is_malformed() -> None:
    found = answered(request(Observation(SIZE), "tap it"), *logits(TAP, 0))
    assert found.status is PredictionStatus.MALFORMED and found.why


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (request(screen(), "Type Eggs in the title"), "Eggs"),
        (request(screen(), 'Give it the name "Lake house"'), "Lake house"),
        (request(screen(), None, 'Call it "Plum cake"'), "Plum cake"),
        (request(screen(), "Write the name down", "Name it", reply=("How?", "Eggs, please.")), "the name down"),
        (request(screen(), None, "Name it", reply=("How?", "Eggs, please.")), "Eggs"),
        (request(screen(), None, "Name it"), ""),
    ],
)
def test_typed_text(asked: Any, text: str) -> None:
    assert typed_text(asked) == text


def test_quoted() -> None:
    assert quoted_text("say “hello there” now") == "hello there" and quoted_text("it's Bob's") == ""


def network(seed: int = 1) -> Any:
    import torch

    torch.manual_seed(seed)
    return RECIPE.network({})


def answers_to(*requests: Any) -> list[Any]:
    module = network()
    drafts = [RECIPE.prepare(one, FEATURES) for one in requests]
    vectors = vectors_of(FEATURES, drafts)
    examples = [RECIPE.example(draft, vectors) for draft in drafts]
    return RECIPE.answers(drafts, examples, vectors, lambda some: outputs_of(RECIPE, module, some), {})


@pytest.mark.parametrize(
    "asked",
    [
        request(Observation(SIZE)),
        request(screen()),
        request(screen(""), "", ""),
        request(screen(*(f"row {n}" for n in range(300))), "tap row 299", "word " * 500),
        request(screen("a"), None, "go", *[Wait()] * 300),
    ],
)
def test_bad_inputs_are_answered_all_the_same(asked: Any) -> None:
    (found,) = answers_to(asked)
    assert found.status in (PredictionStatus.OK, PredictionStatus.MALFORMED)
    for name, array in example_of(asked).items():
        assert np.isfinite(array).all(), name


def test_the_company_of_others_and_the_names_of_things_change_no_answer() -> None:
    one = request(screen("Save", "Discard"), "Tap Save", "Save it", Wait())
    others = [request(screen(*(f"t{n}" for n in range(count))), f"tap t{count}") for count in (9, 1, 30)]
    (alone,) = answers_to(one)
    together = answers_to(*others, replace(one, episode="other", step=7))[-1]
    assert together.action == alone.action
    assert together.confidence == pytest.approx(alone.confidence, abs=1e-6)


def test_a_few_epochs_find_the_named_element_on_other_words() -> None:
    def pairs(words: str) -> list[Any]:
        found = []
        for place, word in enumerate(words.split()):
            names = [word, *(other for other in words.split() if other != word)][:4]
            names = [*names[place % 4 :], *names[: place % 4]]
            tapped = Tap(Point(50, 40 * names.index(word) + 20, SIZE))
            found.append((request(screen(*names), f"Tap {word}", "go on"), tapped))
            found.append((request(screen(*names), "Go back", "go on"), PressKey("back")))
        return found

    train = data_of(pairs("rose fig plum lime mint sage corn bean kale leek beet peas rice oats dill thyme"))
    other = data_of(pairs("hat coat boot scarf glove shirt sock belt"))
    *_, done = fit(RECIPE, {}, Hyper(epochs=15, batch=16, rate=3e-3, patience=15), 0, train, other)
    assert done.measure > 0.85  # type: ignore[union-attr]


def test_the_exported_network_agrees_with_torch(tmp_path: Path) -> None:
    import torch

    from stepscope.core.domain.prediction import Task
    from stepscope.models.learned.card import ModelCard
    from stepscope.models.runtimes.onnx_runtime import OnnxRuntime
    from stepscope.models.training.save import save, shapes_of

    module = network()
    examples = [example_of(request(screen("a", "b", "c"), "tap b", "do b"))]
    card = ModelCard("two-tower", Task.AUTOMATION, "two-tower", "1", {"shapes": shapes_of(examples)}, "none", "")
    trained = save(RECIPE, "two-tower", module.state_dict(), tmp_path, card)
    requests = (request(Observation(SIZE)), request(screen(*"abcdefghij")))
    inputs = RECIPE.collate([*examples, *(example_of(one) for one in requests)])
    module.eval()
    with torch.inference_mode():
        wanted = module(*(torch.from_numpy(one) for one in inputs))
    for one, other in zip(wanted, OnnxRuntime(trained.onnx, device="cpu").run(*inputs), strict=True):
        assert np.abs(one.numpy() - other).max() < 1e-4


def test_the_weights_stay_small() -> None:
    assert sum(one.numel() for one in network().parameters()) * 4 < 5_000_000
