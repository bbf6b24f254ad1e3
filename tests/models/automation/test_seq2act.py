"""Seq2Act: what it reads of an instruction and a screen, which spans it is told, what it makes of a small set."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import Action, OpenApp, PressKey, Tap, Target, Type
from stepscope.core.domain.attention import AttentionPointer
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus
from stepscope.core.evaluation.attention import streams_of
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.core.lazy import lazy_module
from stepscope.models.automation import seq2act_commands
from stepscope.models.automation.seq2act_answers import answer
from stepscope.models.automation.seq2act_commands import MadeCommand
from stepscope.models.automation.seq2act_features import FACTS, class_of
from stepscope.models.automation.seq2act_recipe import RECIPE
from stepscope.models.automation.seq2act_text import (
    BUCKETS,
    GOAL,
    INSTRUCTION,
    LENGTH,
    LONGEST,
    PIECES,
    SPANS,
    pieces_of,
    place_span,
    read_text,
    span_of,
    words_in,
)
from stepscope.models.automation.tower_elements import seen_elements
from stepscope.models.automation.tower_features import KINDS
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.recipe import Hyper
from stepscope.models.runtimes.module_state import take_state
from stepscope.models.seeded_random import drawn_for
from stepscope.models.training.examples import MemoryExamples
from tests.models.automation.two_tower_data import item, request, row, screen

loop = lazy_module("stepscope.models.training.loop")
torch = lazy_module("torch")

NOTHING = Features(())
NO_VECTORS = Vectors({}, {})


def spans_at(begin: int, end: int) -> int:
    return SPANS.index((begin, end))


def example_of(asked: StepRequest) -> Any:
    return RECIPE.example(RECIPE.prepare(asked, NOTHING), NO_VECTORS)


def target_of(one: Item) -> Any:
    found = RECIPE.target(one)
    assert found is not None
    return {name: int(value) for name, value in found.items()}


def test_spans_are_the_flag_and_all_short_stretches_of_words() -> None:
    """By hand: 31 places for words; spans of 1 word 31, of 2 words 30, … of 10 words 22; and the flag."""
    assert len(SPANS) == 1 + sum(range(22, 32)) and SPANS[0] == (0, 1) and len(set(SPANS)) == len(SPANS)
    assert all(0 < begin < end <= LENGTH and end - begin <= LONGEST for begin, end in SPANS[1:])


def test_words_are_read_in_lower_case_behind_the_flag() -> None:
    read = read_text("Type 18:00 into Title", INSTRUCTION)
    assert read.words == (INSTRUCTION, "type", "18", "00", "into", "title")
    assert [read.text[begin:end] for begin, end in read.ends[1:]] == ["Type", "18", "00", "into", "Title"]


def test_typed_words_are_told_where_the_instruction_has_them() -> None:
    read = read_text("Write Bike repair into the line Title", INSTRUCTION)
    assert span_of(read, "Bike repair") == spans_at(2, 4)
    assert span_of(read, "bike") == spans_at(2, 3)
    assert span_of(read, "badges") == span_of(read, "") == -1
    assert span_of(read_text("type type", INSTRUCTION), "type") == spans_at(2, 3)


def test_the_place_is_the_longest_stretch_of_words_that_the_element_has() -> None:
    read = read_text("Tap the alarm sound of the clock", INSTRUCTION)
    assert place_span(read, "Alarm sound") == spans_at(3, 5)
    assert place_span(read, "alarm") == spans_at(3, 4)
    assert place_span(read, "the clocks") == spans_at(7, 8), "without the stop word; a plural is the same word"
    assert place_span(read, "the") == place_span(read, "") == -1


def test_text_is_copied_as_it_stands() -> None:
    read = read_text('Write "Is it raining there?" to Mira.', INSTRUCTION)
    assert words_in(read, spans_at(2, 6)) == "Is it raining there?"
    assert words_in(read, spans_at(7, 8)) == "Mira"
    assert words_in(read, 0) == words_in(read, spans_at(8, 10)) == ""


@given(st.text(max_size=60), st.sampled_from((INSTRUCTION, GOAL)))
def test_any_text_is_read(text: str, flag: str) -> None:
    read = read_text(text, flag)
    assert len(read.words) == len(read.ends) <= LENGTH
    for word in read.words:
        codes = pieces_of(word)
        assert len(codes) == PIECES and all(0 <= code <= BUCKETS for code in codes) and codes[0] > 0
    for place in range(len(SPANS)):
        begin, _ = SPANS[place]
        copied = words_in(read, place)
        assert copied in text
        if copied and begin:
            assert span_of(read, copied) in (place, *range(place, len(SPANS)))


def test_an_element_is_its_words_class_edges_and_flags() -> None:
    """By hand: a screen of 270 × 600 with rows of 200 × 40, the second one from 40 to 80."""
    seen = screen("Alpha", row(1, "Beta row", class_name="android.widget.EditText", editable=True, clickable=False))
    found = example_of(request(seen, "Tap beta"))
    assert found["text"][:4].tolist() == [1, 2, 3, 0]
    assert found["pieces"].shape == (8, PIECES), "flag, tap, beta; alpha, row; button, edit, text of the classes"
    assert found["words"].shape == (2, 10) and found["words"][1, 0] == 3, "beta is the same word on both sides"
    assert found["common"][:, 0].tolist()[:3] == [0, 0, 1]
    assert found["kind"].tolist() == [[1], [4]]
    assert found["bins"].tolist() == [[0, 0, 17, 1], [0, 1, 17, 3]], "200 / 270 · 24 = 17.8, 40 / 600 · 24 = 1.6"
    assert found["facts"].shape == (2, FACTS)
    assert found["facts"][1, :6].tolist() == pytest.approx([0, 40 / 600, 200 / 270, 80 / 600, 200 / 270, 40 / 600])
    assert found["facts"][:, 6:14].tolist() == [[1, 0, 0, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0, 0, 1]]


def test_classes_are_those_of_the_released_features() -> None:
    names = ("android.widget.Button", "x.EditText", "ICON", "TEXT_INPUT", "android.view.View", "")
    assert [class_of(row(0, class_name=name)) for name in names] == [1, 4, 6, 4, 0, 0]


def test_without_an_instruction_the_goal_is_read() -> None:
    draft = RECIPE.prepare(request(screen("Wifi"), None, "open settings and tap Wifi"), NOTHING)
    assert draft.rest.read.words == (GOAL, "open", "settings")
    later = RECIPE.prepare(request(screen("Wifi"), None, "open settings and tap Wifi", Tap(None)), NOTHING)
    assert later.rest.read.words == (GOAL, "tap", "wifi")


def on(seen: Any, place: int, kind: Any = Tap, *text: str) -> Action:
    element = seen.tree.elements[place]
    return kind(*text, element.box.centre, Target(element.box, element.text))


def test_what_is_learned_of_a_step() -> None:
    seen = screen("Alpha", row(1, "Title", editable=True))
    assert target_of(item(request(seen, "Tap Alpha"), on(seen, 0))) == {
        "kind": KINDS.index("tap"), "element": 0, "place": spans_at(2, 3), "typed": 0,
    }  # fmt: skip
    typed = target_of(item(request(seen, "Write Bike repair into Title"), on(seen, 1, Type, "Bike repair")))
    assert typed == {
        "kind": KINDS.index("type"), "element": 1, "place": spans_at(5, 6), "typed": spans_at(2, 4),
    }  # fmt: skip
    untold = target_of(item(request(seen, "Look for it"), on(seen, 1, Type, "g")))
    assert (untold["place"], untold["typed"]) == (-100, -100)
    back = target_of(item(request(seen, "Go back"), PressKey("back")))
    assert (back["element"], back["place"], back["typed"]) == (-100, 0, 0)
    opened = target_of(item(request(seen, "Open Clock"), OpenApp("Clock")))
    assert opened["typed"] == spans_at(2, 3)
    nowhere = target_of(item(request(seen, "Tap it"), Tap(replace(on(seen, 0).point, y=599))))
    assert nowhere["element"] == -101


def four() -> tuple[Any, Any]:
    """A heading, two pictures in a row below it, a button at the bottom."""
    size = row(0).box.size

    def box(left: int, top: int, right: int, bottom: int) -> Any:
        return replace(row(0).box, left=left, top=top, right=right, bottom=bottom, size=size)

    seen = screen(
        replace(row(0, "Forecast"), box=box(0, 0, 270, 40)),
        replace(row(1, class_name="ImageView"), box=box(0, 50, 60, 110)),
        replace(row(2, class_name="ImageView"), box=box(100, 50, 160, 110)),
        replace(row(3, "Save"), box=box(0, 560, 270, 600)),
    )
    return seen, seen_elements(seen)


def made(way: Any, count: int = 60) -> dict[str, int]:
    _, elements = four()
    found = [way(elements, drawn_for("test", 0, str(number))) for number in range(count)]
    return {one.sentence: one.place for one in found if isinstance(one, MadeCommand)}


def test_commands_that_are_made_up_mean_the_right_element() -> None:
    """By hand, on the screen above."""
    numbers = made(seq2act_commands.by_number)
    meant = {place for sentence, place in numbers.items() if "second" in sentence and "button" not in sentence}
    pictures = {one: place for one, place in numbers.items() if one.split()[-1] in ("image", "icon", "logo")}
    assert meant and {place for one, place in pictures.items() if "first" in one} <= {1}
    assert {place for one, place in pictures.items() if "last" in one or "second" in one} == {2}
    corners = made(seq2act_commands.by_corner)
    assert {place for one, place in corners.items() if "bottom" in one and "button" in one} == {3}
    names = made(seq2act_commands.by_name)
    assert all(("forecast" in one) == (place == 0) and ("save" in one) == (place == 3) for one, place in names.items())
    beside = made(seq2act_commands.by_neighbour)
    assert all(place in (1, 2) for one, place in beside.items() if "below" in one and "forecast" in one)
    assert beside


def test_commands_are_the_same_each_time_and_can_be_learned_from() -> None:
    seen, _ = four()
    one = item(request(seen, "Save it"), on(seen, 3))
    first, again = RECIPE.invented(one), RECIPE.invented(one)
    assert [each.request.instruction for each in first] == [each.request.instruction for each in again]
    assert 0 < len(first) <= seq2act_commands.COPIES
    assert all(target_of(each)["element"] >= 0 for each in first)
    assert RECIPE.invented(item(request(screen(), "Wait"), PressKey("back"))) == []


def numbers(asked: StepRequest, kind: str, element: int, typed: int) -> Prediction:
    draft = RECIPE.prepare(asked, NOTHING)
    count = max(2, len(draft.rest.elements))
    kinds, elements = np.zeros(len(KINDS)), np.zeros(count)
    kinds[KINDS.index(kind)], elements[element] = 9, 9
    spans = np.zeros((3, len(SPANS)))
    spans[0, spans_at(1, 2)] = spans[2, typed] = 20
    shared = np.zeros((LENGTH, count))
    shared[2, element] = 0.75
    return answer(draft, kinds, elements, spans, shared)


def action_of(found: Prediction) -> Action:
    assert isinstance(found.answer, ActionAnswer)
    return found.answer.action


def test_the_answer_copies_the_words_of_the_input() -> None:
    seen = screen("Alpha", row(1, "Title", editable=True))
    found = numbers(request(seen, "Write Bike repair into Title"), "type", 1, spans_at(2, 4))
    assert action_of(found) == Type("Bike repair", *_place(seen, 1))
    told = json.loads(found.raw)
    assert told["kind"] == "type" and told["spans"]["input"] == {"words": "bike repair", "letters": [6, 17], "p": 1.0}
    assert told["spans"]["type"]["words"] == "write"
    assert told["elements"][0]["element"] == 1 and told["elements"][0]["like"] == {"bike": 0.75}
    box, size = seen.tree.elements[1].box, seen.size
    assert told["elements"][0]["box"] == pytest.approx(
        [box.left / size.width, box.top / size.height, box.right / size.width, box.bottom / size.height], abs=1e-4
    )
    (stream,) = streams_of(found.raw, "Add a note", "Write Bike repair into Title")
    assert stream.title == "grounding, instruction"
    assert [stream.text[one.start : one.end] for one in stream.words] == ["Bike"]
    assert stream.elements[0].name == "title" and stream.light(AttentionPointer(word=0)).elements == {0: 0.75}
    quoted = numbers(request(seen, "Write it", 'search for "ham"'), "type", 1, 0)
    assert action_of(quoted) == Type("ham", *_place(seen, 1))


def _place(seen: Any, place: int) -> tuple[Any, Any]:
    element = seen.tree.elements[place]
    return element.box.centre, Target(element.box, element.label, None)


def test_answers_without_elements() -> None:
    bare = replace(screen(), tree=None)
    assert numbers(request(bare, "Tap"), "tap", 0, 0).status is PredictionStatus.MALFORMED
    assert action_of(numbers(request(bare, "Write ham"), "type", 0, spans_at(2, 3))) == Type("ham")
    assert action_of(numbers(request(bare, "Go back"), "press_key back", 0, 0)) == PressKey("back")


def small_set() -> list[tuple[StepRequest, Action]]:
    words = ("Alpha", "Beta", "Gamma", "Delta")
    seen = screen(*words, row(4, "Title", editable=True), row(5, "City", editable=True))
    pairs = [(request(seen, f"Tap {word}"), on(seen, place)) for place, word in enumerate(words)]
    pairs += [
        (request(seen, f"Write {text} into {field}"), on(seen, place, Type, text))
        for text in ("Bike repair", "ham")
        for place, field in ((4, "Title"), (5, "City"))
    ]
    return [*pairs, (request(seen, "Go back"), PressKey("back"))]


def trained(seed: int) -> tuple[Any, MemoryExamples]:
    data = MemoryExamples()
    for asked, action in small_set():
        data.examples.append(example_of(asked))
        target = RECIPE.target(item(asked, action))
        assert target is not None
        data.targets.append(target)
    hyper = Hyper(epochs=30, batch=16, rate=5e-3, weight_decay=0.0, patience=30)
    *_, done = loop.fit(RECIPE, {}, hyper, seed, data, data)
    return done, data


@pytest.mark.needs("torch")
def test_a_small_set_is_learned_and_the_same_seed_gives_the_same_numbers() -> None:
    done, data = trained(0)
    again, _ = trained(0)
    assert [one.train_loss for one in done.history] == [one.train_loss for one in again.history]
    module = RECIPE.network({})
    take_state(module, done.state)
    outputs = loop.outputs_of(RECIPE, module, data.examples)
    for (asked, action), found in zip(small_set(), outputs, strict=True):
        given_ = action_of(answer(RECIPE.prepare(asked, NOTHING), *found))
        assert given_.kind == action.kind
        assert getattr(given_, "text", None) == getattr(action, "text", None)
        assert getattr(given_, "point", None) == getattr(action, "point", None)


@pytest.mark.needs("torch")
def test_what_the_network_gives_does_not_hang_on_what_stands_beside_in_the_batch() -> None:
    one, longer = (example_of(request(screen(*(["Alpha", "Beta"] * count)), "Tap Beta")) for count in (1, 4))
    torch.manual_seed(0)
    module = RECIPE.network({})
    alone = loop.outputs_of(RECIPE, module, [one])[0]
    beside = loop.outputs_of(RECIPE, module, [one, longer])[0]
    assert np.abs(alone[0] - beside[0]).max() < 1e-4 and np.abs(alone[1] - beside[1][:2]).max() < 1e-4
    assert np.abs(alone[2] - beside[2]).max() < 1e-3
    assert sum(each.numel() for each in module.parameters()) * 4 < 3_000_000


def test_the_measure_wants_kind_element_and_typed_words() -> None:
    """By hand: of four steps one has the wrong element and one the wrong text."""
    kinds = np.zeros((4, len(KINDS)))
    kinds[:, KINDS.index("type")] = 1
    elements = np.array([[1.0, 0], [0, 1], [1, 0], [1, 0]])
    spans = np.zeros((4, 3, len(SPANS)))
    spans[:, 2, 5] = 1
    outputs = [(kinds[at], elements[at], spans[at], np.zeros(0)) for at in range(4)]
    base = {"kind": KINDS.index("type"), "place": -100}
    wanted = [{**base, "element": 0, "typed": typed} for typed in (5, 5, 6, -100)]
    targets = [{name: np.array(value) for name, value in one.items()} for one in wanted]
    assert RECIPE.measure(outputs, targets, {}) == 0.5
