"""Ambiguous tasks of real kinds of data: the sample's recordings, and a web page as Mind2Web has it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from stepscope.core.domain.action import Select, Tap, Target, Type
from stepscope.core.domain.ambiguous_task import AmbiguousTask, TaskSlot
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, FeasibilityLabel, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.sources.recording import open_recording
from stepscope.models.ask.making.maker import EpisodeDrafts
from stepscope.models.ask.making.rules import RuleTaskMaker
from stepscope.models.ask.making.task_checks import failed_checks, lost_words

SAMPLE = Path(__file__).parents[4] / "resources" / "sample" / "episodes"
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def tasks(episode: Episode, made: EpisodeDrafts) -> list[AmbiguousTask]:
    return [
        AmbiguousTask(
            TaskSlot("", episode.id, "rules", draft.removed),
            episode.goal,
            draft.goal,
            draft.pieces,
            made.readings,
            NOON,
        )
        for draft in made.drafts
    ]


def test_the_samples_tasks_are_as_many_as_the_docs_say_and_stand_all_checks() -> None:
    source, enough, usable = open_recording(SAMPLE), {1: 0, 2: 0}, 0
    for name in sorted(path.name for path in SAMPLE.iterdir() if path.is_dir()):
        episode = source.read(name)
        if episode.asks or episode.feasibility.label is FeasibilityLabel.INFEASIBLE:
            continue
        usable += 1
        for task in tasks(episode, RuleTaskMaker().make(episode, (1, 2))):
            enough[task.slot.removed] += task.is_enough
            assert failed_checks(task, {step.index for step in episode.steps}) == () == lost_words(task), task
    assert (usable, enough) == (36, {1: 29, 2: 7}), "docs/models/ambiguous-tasks.md"


def test_a_web_pages_fields_and_options_are_read() -> None:
    size = Size(1280, 2400)
    city, grade = Box(100, 200, 500, 240, size), Box(100, 300, 500, 340, size)
    elements = (
        UIElement(0, Box(0, 0, 1280, 2400, size), class_name="html"),
        UIElement(1, city, 0, 1, content_description="City", class_name="input", editable=True),
        UIElement(2, grade, 0, 1, content_description="Guest rating", class_name="select"),
        UIElement(3, Box(100, 400, 500, 440, size), 0, 1, text="Find a room", class_name="button"),
    )
    seen = Observation(size, tree=UITree(elements, TreeOrigin.DOM, size))
    actions = Type("Brest", city.centre, Target(city)), Select("Very good", grade.centre, Target(grade)), Tap(
        elements[3].box.centre, Target(elements[3].box, "[button] Find a room")
    )  # fmt: skip
    steps = tuple(Step(index, seen, action) for index, action in enumerate(actions))
    goal = "Find a hotel in Brest with a very good guest rating"
    episode = Episode("w", "mind2web", Platform.WEB, goal, steps)
    made = RuleTaskMaker().make(episode, (1, 2, 3))
    one, two, three = tasks(episode, made)
    assert not three.is_enough and two.goal == "Find a hotel with a guest rating"
    assert [(ask.step, ask.question, ask.answer, ask.kind) for ask in two.asks] == [
        (0, "Which place should I enter for “City”?", "Brest.", "place"),
        (1, "Which option would you like for “Guest rating”?", "Very good.", "option"),
    ]
    assert made.readings[0].instruction == "[input] City -> TYPE: Brest"
    assert failed_checks(two) == () and one.is_enough
