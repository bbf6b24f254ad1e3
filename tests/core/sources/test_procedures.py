"""Procedures are shown as episodes, and any episode whose steps have words is a procedure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    Hover,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import (
    Drawing,
    Episode,
    EpisodeSummary,
    Observation,
    Picture,
    Platform,
    Problem,
    Step,
    summarise,
)
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.errors import UsageError
from stepscope.core.sources.procedures import (
    PAGE,
    EpisodeProcedureSource,
    episode_of,
    procedure_of,
    read_procedure,
    row_of,
)
from stepscope.core.sources.source import ProcedureSource

SIZE = Size(300, 500)
FIRST, SECOND = Picture(Path("a.png"), Size(30, 50)), Picture(Path("b.png"), Size(70, 20))
AT = Point(10, 20, SIZE)


def procedure(*steps: ProcedureStep) -> Procedure:
    problem = Problem("the picture is broken", "p", 1, "screenshot", "b.png")
    return Procedure("p", "wikihow", "Make tea", steps, category="Drinks", splits=("test",), problems=(problem,))


def episode(*steps: tuple[Action | None, str | None], picture: Picture | None = None) -> Episode:
    return Episode(
        "e",
        "recording",
        Platform.ANDROID,
        "turn the alarm off",
        tuple(Step(index, Observation(SIZE, picture), *step) for index, step in enumerate(steps)),
        app="com.clock",
        splits=("train",),
    )


class Recordings:
    """A source of two episodes that counts how often one is read."""

    format = "recording"
    path = Path("somewhere")

    def __init__(self) -> None:
        self.reads = 0

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        yield summarise(episode((None, "open it"), (None, "close it")), "place")
        yield Problem("a broken one")

    def read(self, episode_id: str, place: str = "") -> Episode:
        self.reads += 1
        return episode((None, "open it"), (None, "close it"), picture=FIRST)


class Recipes(Recordings):
    """A source that holds procedures of its own."""

    def read_procedure(self, procedure_id: str, place: str = "") -> Procedure:
        if procedure_id != "p":
            raise UsageError("none of that id")
        return procedure(ProcedureStep("1", "Boil"), ProcedureStep("2", "Pour"))


def test_a_procedure_is_shown_as_steps_in_words_on_their_first_pictures() -> None:
    shown = episode_of(
        procedure(ProcedureStep("1", "Boil water.", (FIRST, SECOND)), ProcedureStep("2", "", title="Pour it"))
    )
    assert (shown.id, shown.format, shown.platform, shown.goal) == ("p", "wikihow", Platform.TEXT, "Make tea")
    assert (shown.app, shown.splits, len(shown.problems)) == ("Drinks", ("test",), 1)
    assert [step.instruction for step in shown.steps] == ["Boil water.", "Pour it"]
    assert [step.observation for step in shown.steps] == [Observation(Size(30, 50), FIRST), Observation(PAGE)]
    assert [step.action for step in shown.steps] == [None, None]


def test_the_row_of_a_procedure_is_the_one_of_what_is_shown() -> None:
    made = procedure(ProcedureStep("1", "Boil", (FIRST, SECOND)), ProcedureStep("2", "Pour"), ProcedureStep("3", "Sip"))
    assert row_of(made, "12 8") == summarise(episode_of(made), "12 8", "procedure")
    assert (row_of(made).steps, row_of(made).screens, row_of(made, checked=False).checked) == (3, 1, False)


def test_an_episode_becomes_a_procedure_by_its_instructions() -> None:
    made = procedure_of(episode((Tap(AT), "tap the bell"), (None, "  "), (Tap(AT), "tap off "), picture=FIRST))
    assert (made.id, made.format, made.goal, made.category) == ("e", "recording", "turn the alarm off", "com.clock")
    assert [(step.id, step.text) for step in made.steps] == [("0", "tap the bell"), ("2", "tap off")]
    assert all(step.pictures == (FIRST,) for step in made.steps) and made.orders == () and made.ordered


def test_what_the_screen_draws_for_want_of_a_picture_is_the_steps_picture() -> None:
    tree = UITree((UIElement(0, Box(5, 6, 90, 40, SIZE)),), TreeOrigin.DOM, SIZE)
    steps = tuple(Step(index, Observation(SIZE, None, tree), None, f"do {index}") for index in range(2))
    made = procedure_of(Episode("e", "miniwob", Platform.WEB, "go", steps))
    assert [len(step.pictures) for step in made.steps] == [1, 1]
    assert made.steps[0].pictures[0].size == SIZE and isinstance(made.steps[0].pictures[0].part, Drawing)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Tap(AT, Target(None, "Save", "a:id/save_button")), "Tap “Save”"),
        (Tap(AT, Target(None, "", "a:id/save_button")), "Tap “save button”"),
        (Tap(AT), "Tap"),
        (LongPress(AT), "Long press"),
        (DoubleTap(None, Target(None, "Map")), "Double tap “Map”"),
        (Hover(None, Target(None, "Menu")), "Point at “Menu”"),
        (Drag(AT, Point(40, 20, SIZE)), "Drag"),
        (Swipe(AT, Point(10, 90, SIZE)), "Swipe down"),
        (Scroll(Direction.UP, None, Target(None, "List")), "Scroll up on “List”"),
        (Type("tea", None, Target(None, "", "q")), "Type “tea” into “q”"),
        (Type("tea"), "Type “tea”"),
        (Select("Oolong", None, Target(None, "Kind")), "Select “Oolong” in “Kind”"),
        (OpenApp("Maps"), "Open Maps"),
        (PressKey("back"), "Press back"),
        (AskUser("Which?"), "Ask “Which?”"),
        (Say("Green"), "Say “Green”"),
        (Wait(), "Wait"),
    ],
)
def test_a_step_without_instruction_is_told_by_its_action_never_by_its_place(action: Action, words: str) -> None:
    made = procedure_of(episode((None, "begin"), (action, None)))
    assert made.steps[1].text == words


def test_the_end_of_the_task_is_no_step_to_be_ordered() -> None:
    made = procedure_of(episode((Tap(AT), "one"), (Wait(), None), (Finish(), None), (None, None)))
    assert [step.text for step in made.steps] == ["one", "Wait"]


@pytest.mark.parametrize(
    ("steps", "said"), [([], "none of its steps has"), ([(Wait(), None), (Finish(), None)], "1 of its steps has")]
)
def test_fewer_than_two_steps_in_words_are_no_procedure(steps: list[tuple[Action, None]], said: str) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        procedure_of(episode(*steps))
    assert raised.value.hint


def test_a_source_of_episodes_opens_as_one_of_procedures_without_reading_any() -> None:
    inner = Recordings()
    source = EpisodeProcedureSource(inner)
    assert isinstance(source, ProcedureSource) and (source.format, source.path) == ("recording", Path("somewhere"))
    row, problem = source.scan()
    assert isinstance(row, EpisodeSummary) and (row.kind, row.id, row.steps, row.place) == (
        "procedure",
        "e",
        2,
        "place",
    )
    assert problem == Problem("a broken one") and inner.reads == 0
    assert [step.text for step in source.read_procedure("e").steps] == ["open it", "close it"]
    assert source.read("e").platform is Platform.TEXT and inner.reads == 2


def test_a_sources_own_procedures_come_before_its_episodes() -> None:
    assert read_procedure(Recipes(), "p").goal == "Make tea"
    assert EpisodeProcedureSource(Recipes()).read_procedure("p").goal == "Make tea"
    assert read_procedure(Recipes(), "e").goal == "turn the alarm off"
    assert read_procedure(Recordings(), "e").goal == "turn the alarm off"


def test_an_episode_that_is_no_procedure_says_so_through_the_wrapper_too() -> None:
    source = Recordings()
    source.read = lambda episode_id, place="": episode((Wait(), None))  # type: ignore[method-assign]
    for opened in (source, EpisodeProcedureSource(source), EpisodeProcedureSource(EpisodeProcedureSource(source))):
        with pytest.raises(UsageError, match="1 of its steps"):
            read_procedure(opened, "e")
