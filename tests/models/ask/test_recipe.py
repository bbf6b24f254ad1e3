"""The ask model: what it sees, when and what it asks, and that the person's reply never tells it when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.action import Tap, Target, Type, Wait
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.prediction import ASKS, ASKS_NOT, AskAnswer, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.evaluation.tasks import Item
from stepscope.core.scoring.ask_steps import DueAsk
from stepscope.models.ask import actor
from stepscope.models.ask.constant import QUESTION
from stepscope.models.ask.features import NUMBERS, SAID, choices, goal_features
from stepscope.models.ask.question_kinds import KINDS, kind_of
from stepscope.models.ask.questions import asked_about, question_of, template, templates_of
from stepscope.models.ask.recipe import EARLY, RECIPE
from stepscope.models.automation.recipe import RECIPE as TOWER
from stepscope.models.automation.tower_elements import seen_elements
from stepscope.models.learned.card import ModelCard
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Hyper
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from stepscope.models.training.save import save, shapes_of
from tests.models.automation.two_tower_data import FEATURES, SIZE, request, row, screen
from tests.models.automation.two_tower_data import example_of as tower_example_of

pytestmark = pytest.mark.needs("torch", "onnxscript")

REPLY = ("Which note?", "Plum cake.")


@pytest.fixture(autouse=True)
def no_actor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Models are looked for in empty folders; the actor may be put into the first."""
    monkeypatch.setattr("stepscope.models.learned.model_folders.own_folder", lambda: tmp_path / "own")
    monkeypatch.setattr("stepscope.models.learned.model_folders.shipped_folder", lambda: tmp_path / "shipped")
    actor._loaded.cache_clear()
    yield tmp_path / "own"
    actor._loaded.cache_clear()


def notes(*titles: str) -> Observation:
    return screen(*(row(place, title, resource_id=f"x/note_{place}") for place, title in enumerate(titles)))


def example_of(asked: Any) -> Any:
    draft = RECIPE.prepare(asked, FEATURES)
    return RECIPE.example(draft, vectors_of(FEATURES, [draft]))


def network() -> Any:
    import torch

    torch.manual_seed(1)
    return RECIPE.network({})


def answers_to(*requests: Any, line: float = 0.0) -> list[AskAnswer]:
    module = network()
    drafts = [RECIPE.prepare(one, FEATURES) for one in requests]
    vectors = vectors_of(FEATURES, drafts)
    examples = [RECIPE.example(draft, vectors) for draft in drafts]
    config = {"temperature": 1.0, "threshold": line, "questions": {kind: ["Which {} do you mean?"] for kind in KINDS}}
    found = RECIPE.answers(drafts, examples, vectors, lambda some: outputs_of(RECIPE, module, some), config)
    return [one.answer for one in found if isinstance(one.answer, AskAnswer)]


def test_shapes_padding_and_mask() -> None:
    examples = [
        example_of(request(notes("aa", "bb", "cc"), None, "lock a note")),
        example_of(request(Observation(SIZE))),
    ]
    goal, told, state, match, words, names, numbers, mask = RECIPE.collate(examples)
    assert goal.shape == (2, 384) and told.shape == (2, SAID) and match.shape == (2, 6) and len(state) == 2
    assert words.shape == names.shape == (2, 3, 384) and numbers.shape == (2, 3, NUMBERS)
    assert mask.tolist() == [[1, 1, 1], [0, 0, 0]]


def test_lists_are_elements_whose_ids_differ_in_a_number_and_whose_words_differ() -> None:
    def found(*rows: tuple[str, str]) -> dict[str, int]:
        seen = screen(*(row(place, words, resource_id=f"x/{name}") for place, (words, name) in enumerate(rows)))
        return {stem: len(group) for stem, group in choices(seen_elements(seen)).items()}

    assert found(("Plum", "note_1"), ("Lake", "note_2"), ("More", "menu"), ("Talk", "note_3"), ("All", "tab_1")) == {
        "note": 3
    }
    assert found(*((letter, f"key_{letter}_{place}") for place, letter in enumerate("qwerty"))) == {}
    assert found(*((letter, f"key_{place}") for place, letter in enumerate("qwerty"))) == {}
    assert found(*(("Remove", f"remove_{place}") for place in range(4))) == {}


def test_what_the_goal_leaves_open_is_told() -> None:
    seen = notes("Plum cake", "Lake house", "Talk")
    names_one, names_none = (example_of(request(seen, None, goal)) for goal in ("Lock Plum cake", "Lock a note"))
    assert names_one["numbers"][:, -6:-2].tolist() == [[1, 1, 0, 0]] * 3
    assert names_none["numbers"][:, -6:-2].tolist() == [[1, 0, 1, 0]] * 3
    field = example_of(request(screen(row(0, "", editable=True), row(1, "x", editable=True))))
    assert field["numbers"][:, -3].tolist() == [1, 0]


def test_words_that_the_goal_does_not_have_were_given_by_the_person() -> None:
    def numbers(*history: Any) -> Any:
        draft = RECIPE.prepare(request(notes("Talk"), None, "Lock a note", *history), FEATURES)
        return goal_features("Lock a note", draft.rest.sought, np.zeros(0, np.float32))

    named, given = Tap(None, Target(None, "Lock note")), Type("Plum cake")
    assert numbers()[11:14].tolist() == [0, 0, 0]
    assert numbers(named)[11:14].tolist() == [0, 0, 0]
    assert numbers(named, given)[11:14] == pytest.approx([1, 1, 1 / 3])
    assert numbers(given, named)[11:14] == pytest.approx([0, 1, 1 / 3])
    assert numbers()[1] == pytest.approx(1 / 3) and numbers()[2] == 1  # "a" of three words


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which note do you mean?", "which"),
        ("There are several. Which one is it?", "which"),
        ("How many minutes?", "how much"),
        ("What time shall it ring?", "how much"),
        ("On which day?", "when"),
        ("When is it due?", "when"),
        ("Who should get it?", "who"),
        ("Whose birthday is it?", "who"),
        ("How should I call it?", "how"),
        ("What should it say?", "what"),
        ("Shall I go on?", "other"),
        ("", "other"),
    ],
)
def test_kinds_of_questions(question: str, kind: str) -> None:
    assert KINDS[kind_of(question)] == kind


def test_questions_become_templates_and_are_filled_with_the_screens_words() -> None:
    seen, other = seen_elements(notes("aa", "bb", "cc")), seen_elements(screen(row(0, "Oslo", resource_id="x/city_4")))
    assert template("Which note do you mean?", seen) == "Which {} do you mean?"
    assert template("Which of your notes?", seen) == "Which of your {}s?"
    assert template("Which note do you mean?", other) == "Which note do you mean?"
    made = templates_of(
        [template("Which note do you mean?", seen)] * 2 + ["Which one?", template("Who is it?", other), ""]
    )
    assert made == {"which": ["Which {} do you mean?", "Which one?"], "who": ["Who is it?"]}
    cities = seen_elements(
        screen(*(row(n, name, resource_id=f"x/city_{n}") for n, name in enumerate(("Oslo", "Rome", "Bonn"))))
    )
    which, who, what = (KINDS.index(kind) for kind in ("which", "who", "what"))
    assert question_of(which, cities, "add a city", made) == "Which city do you mean?"
    assert question_of(which, (), "add a city", made) == "Which one?"
    assert question_of(who, cities, "", made) == "Who is it?"
    assert question_of(what, cities, "", made) == QUESTION


def test_what_is_asked_about() -> None:
    field = row(3, "", resource_id="x/title_field", editable=True)
    cursor = row(4, "", resource_id="x/amount_field", editable=True, focused=True)
    listed = [row(n, name, resource_id=f"x/note_{n}") for n, name in enumerate(("Plum", "Lake", "Talk"))]
    seen = seen_elements(screen(*listed, field, cursor))
    assert asked_about(seen, "lock one of them") == "note"
    assert asked_about(seen, "lock plum") == "amount"
    assert asked_about((), "lock plum") == ""


def test_templates_are_bounded() -> None:
    made = templates_of(f"Which {'x' * number}?" for number in range(1000))
    assert sum(map(len, made.values())) == 300


def test_the_reply_changes_neither_score_nor_question() -> None:
    asked = request(notes("Plum cake", "Lake house", "Talk"), None, "Lock a note")
    (without,), (replied,) = answers_to(asked), answers_to(replace(asked, reply=REPLY))
    assert without.question == replied.question == "Which note do you mean?"
    assert without.score == replied.score
    told, other = example_of(asked), example_of(replace(asked, reply=REPLY))
    assert all(np.array_equal(told[name], other[name]) for name in told)


def test_nothing_but_the_goal_as_told_is_looked_at() -> None:
    asked = request(notes("Talk"), None, "Lock a note")
    more = replace(asked, instruction="Ask the person", episode="other", step=9, reference=Wait())
    assert answers_to(asked)[0] == answers_to(more)[0]


def test_below_the_line_nothing_is_asked() -> None:
    (answer,) = answers_to(request(notes("Talk")), line=1.1)
    assert answer.question is None and answer.score is not None and answer.action is None


def put_actor(folder: Path) -> None:
    import torch

    torch.manual_seed(2)
    examples = [tower_example_of(request(screen("a", "b"), "tap b", "do b"))]
    config = {"shapes": shapes_of(examples)}
    card = ModelCard("two-tower", Task.AUTOMATION, "two-tower", TOWER.version, config, FEATURES.fingerprint, "")
    save(TOWER, "two-tower", TOWER.network({}).state_dict(), folder / "two-tower", card, onnx=False)


def test_an_actor_acts_in_both_streams(no_actor: Path) -> None:
    put_actor(no_actor)
    asked = request(notes("Plum cake", "Lake house"), None, "Lock a note")
    first, second = answers_to(asked, replace(asked, reply=REPLY))
    assert first.action is not None and first.after is None
    assert second.action == first.action and second.after is not None


def test_an_actor_over_other_encoders_is_left_alone(no_actor: Path) -> None:
    put_actor(no_actor)
    card = no_actor / "two-tower" / "card.json"
    card.write_text(card.read_text().replace(FEATURES.fingerprint, "others"))
    assert answers_to(request(notes("Plum cake")))[0].action is None
    card.write_text("{")
    actor._loaded.cache_clear()
    assert answers_to(request(notes("Plum cake")))[0].action is None


@pytest.mark.parametrize(
    "asked",
    [
        request(Observation(SIZE)),
        request(screen(), None, "go"),
        request(screen("", ""), "", ""),
        request(notes(*(f"n {n}" for n in range(300))), None, "word " * 500),
        request(notes("a"), None, "go", *[Wait()] * 300),
    ],
)
def test_bad_inputs_are_answered_all_the_same(asked: Any) -> None:
    (answer,) = answers_to(asked)
    assert answer.question and answer.score is not None and 0 <= answer.score <= 1


def test_the_company_of_others_changes_no_answer() -> None:
    one = request(notes("Plum cake", "Lake house", "Talk"), None, "Lock a note", Wait())
    others = [request(notes(*(f"t{n}" for n in range(count))), None, f"open t{count}") for count in (9, 1, 30)]
    (alone,), together = answers_to(one), answers_to(*others, one)[-1]
    assert together.question == alone.question and together.score == pytest.approx(alone.score, abs=1e-6)


def item(due: int | None, goal: str, *titles: str, question: str = "Which note?") -> Item:
    word = ASKS if due == 0 else ASKS_NOT
    return Item(ItemKey("e", 0), request(notes(*titles), None, goal), word, DueAsk(0, due, question))


def test_targets() -> None:
    now, later, never = (RECIPE.target(item(due, "go", "a")) for due in (0, 3, None))
    assert now and later and never
    assert [float(one["due"]) for one in (now, later, never)] == [1, 0, 0]
    assert [float(one["weight"]) for one in (now, later, never)] == pytest.approx([1, EARLY, 1])
    assert [int(one["kind"]) for one in (now, later, never)] == [KINDS.index("which"), -100, -100]


def test_steps_before_the_due_one_have_no_part_in_measure_and_line() -> None:
    targets = [RECIPE.target(item(due, "go", "a")) for due in (0, 3, None, None)]
    outputs = [(np.float32(logit), np.zeros(len(KINDS), np.float32)) for logit in (2.0, 9.0, -1.0, -2.0)]
    assert RECIPE.measure(outputs, targets, {}) == 1  # type: ignore[arg-type]
    found = RECIPE.finish(outputs, targets, {})  # type: ignore[arg-type]
    assert 1 / (1 + np.exp(1 / found["temperature"])) < found["threshold"] < 1 / (1 + np.exp(-2 / found["temperature"]))


def data_of(items: list[Item]) -> MemoryExamples:
    data = MemoryExamples()
    for one in items:
        data.examples.append(example_of(one.request))
        target = RECIPE.target(one)
        assert target is not None
        data.targets.append(target)
    return data


def test_a_few_epochs_tell_named_from_unnamed() -> None:
    words = [
        "rose",
        "fig",
        "plum",
        "lime",
        "mint",
        "sage",
        "corn",
        "bean",
        "kale",
        "leek",
        "beet",
        "peas",
        "rice",
        "oats",
        "dill",
        "thyme",
    ]

    def items(some: list[str]) -> list[Item]:
        found = []
        for place in range(len(some)):
            titles = [*some[place:], *some[:place]][:4]
            found.append(item(None, f"Lock {titles[place % 4]}", *titles))
            found.append(item(0, "Lock one of my notes", *titles))
        return found

    train, other = data_of(items(words[:12])), data_of(items(words[12:]))
    config = RECIPE.config(train.examples, train.targets)
    assert config["positive_weight"] == 1 and config["questions"] == {"which": ["Which {}?"]}
    *_, done = fit(RECIPE, config, Hyper(epochs=12, batch=8, rate=3e-3, patience=12), 0, train, other)
    assert done.measure > 0.9  # type: ignore[union-attr]


def test_the_exported_network_agrees_with_torch(tmp_path: Path) -> None:
    examples = [example_of(request(notes("aa", "bb", "cc"), None, "lock a note"))]
    card = ModelCard("ask-timing", Task.ASK, "ask-timing", "1", {"shapes": shapes_of(examples)}, "none", "")
    module = network()
    trained = save(RECIPE, "ask-timing", module.state_dict(), tmp_path / "made", card)  # compared to 1e-4
    assert trained.onnx.is_file()
    assert trained.weights.stat().st_size < 5_000_000
