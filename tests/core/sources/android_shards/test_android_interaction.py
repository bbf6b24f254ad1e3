"""AndroidInteraction: messages become asks, "infeasible" becomes feasibility, the rest is AndroidControl's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import PressKey
from stepscope.core.domain.episode import Ask, Episode, EpisodeSummary, Feasibility, FeasibilityLabel, Problem
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import ASKS as DUE
from stepscope.core.domain.prediction import ASKS_NOT, Task
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.sources.android_control import FORMAT as CONTROL
from stepscope.core.sources.android_interaction import FORMAT, open_android_interaction
from stepscope.core.sources.ask_records import FORMAT as ASKS
from stepscope.core.sources.ask_records import ask_lines, ask_record_of, asking_episodes, open_asks
from stepscope.core.sources.look import FolderScan

Write = Callable[..., Any]
Rows = Callable[..., tuple[list[EpisodeSummary], list[Problem]]]


@pytest.fixture
def features(forest: Write, png: Write) -> Callable[..., dict[str, Any]]:
    """Three screens of 36 × 80 without the features of their sizes; the second step needs an answer."""
    tree = forest({"window_type": 1, "nodes": [{"bounds": (0, 0, 36, 80), "package_name": "com.shop"}]})

    def make(**changes: Any) -> dict[str, Any]:
        return {
            "episode_id": 12,
            "goal": "Order a pizza",
            "screenshots": [png(36, 80)] * 3,
            "accessibility_trees": [tree] * 3,
            "actions": ['{"action_type":"navigate_back"}', '{"action_type":"click","x":3,"y":70}'],
            "step_instructions": ["Go back", "Tap on size"],
            "messages_to_user": ["", "Which size should the pizza have?"],
            "interaction_types": ["", "more information needed"],
            "neccesity_scores": [-1, 5],
            **changes,
        }

    return make


@pytest.fixture
def write(tmp_path: Path, shard: Write, example: Write) -> Callable[..., Path]:
    def make(*records: dict[str, Any]) -> Path:
        made = [example({name: value for name, value in record.items() if value is not None}) for record in records]
        path: Path = shard(tmp_path / "data" / "android_interaction", *made)
        return path

    return make


def one(path: Path) -> Episode:
    (row,) = (row for row in open_android_interaction(path).scan() if isinstance(row, EpisodeSummary))
    return open_android_interaction(path).read(row.id, row.place)


def test_its_messages_are_asks_of_an_evaluation(write: Write, features: Write) -> None:
    """At the step with a message a question is due; the data has no answers, so nothing can be told an actor."""
    source = open_android_interaction(write(features()))
    found = [*task_kind(Task.ASK).items(source, "12", Setting())]
    assert [item.reference for item in found][:2] == [ASKS_NOT, DUE]
    assert found[1].material.question == "Which size should the pizza have?" and found[1].request.reply is None


def test_an_episode_in_full(write: Write, features: Write) -> None:
    episode = one(write(features()))
    assert (episode.id, episode.format, episode.goal, episode.app) == (
        "12",
        "android_interaction",
        "Order a pizza",
        "com.shop",
    )
    assert episode.asks == (Ask(1, "Which size should the pizza have?", "", "more information needed"),)
    assert (episode.feasibility, episode.problems) == (Feasibility(), ())
    assert [step.observation.size for step in episode.steps] == [Size(36, 80)] * 3
    assert episode.steps[0].action == PressKey("back") and episode.steps[0].instruction == "Go back"


def test_infeasible_is_a_label_and_its_message_an_ask(write: Write, features: Write, rows: Rows) -> None:
    path = write(features(messages_to_user=["", "There is no such shop."], interaction_types=["", "infeasible"]))
    episode = one(path)
    assert episode.feasibility == Feasibility(FeasibilityLabel.INFEASIBLE)
    assert episode.asks == (Ask(1, "There is no such shop.", "", "infeasible"),)
    ((row,), _) = rows(open_android_interaction(path))
    assert (row.feasibility, row.asks) == (episode.feasibility, 1)


def test_lists_as_long_as_the_screens_are_read_too(write: Write, features: Write) -> None:
    record = features(messages_to_user=["", "Which?", "Done?"], interaction_types=["", "", "confirmation needed"])
    episode = one(write(record))
    assert episode.asks == (Ask(1, "Which?", "", ""), Ask(2, "Done?", "", "confirmation needed"))
    assert episode.problems == ()


def test_lists_of_another_length_are_told(write: Write, features: Write) -> None:
    episode = one(write(features(messages_to_user=["a", "b", "c", "d", "e"], interaction_types=None)))
    assert [ask.question for ask in episode.asks] == ["a", "b", "c"]
    assert [(problem.field, problem.message) for problem in episode.problems] == [
        ("messages_to_user", "5 messages_to_user for 3 steps"),
        ("interaction_types", "0 interaction_types for 3 steps"),
    ]


def test_messages_become_ask_records_that_read_back_equal(
    write: Write, features: Write, rows: Rows, tmp_path: Path
) -> None:
    """Two messages of three screens by hand: the agent knows the whole task, and the answers are not recorded."""
    asking = features(
        messages_to_user=["Shall I go back?", "Which size should the pizza have?"],
        interaction_types=["confirmation needed", "more information needed"],
    )
    impossible = features(
        episode_id=13,
        goal="Order a car",
        messages_to_user=["", "They sell no cars."],
        interaction_types=["", "infeasible"],
    )
    silent = features(episode_id=14, messages_to_user=["", ""], interaction_types=["", ""])
    source = open_android_interaction(write(asking, silent, impossible))
    records = [ask_record_of(source.read(row.id, row.place)) for row in rows(source)[0] if row.asks]
    assert records == [
        {
            "episode_id": "12",
            "original_task": "Order a pizza",
            "ambiguous_task": "Order a pizza",
            "asks": [
                {"step": 0, "question": "Shall I go back?", "answer": "", "kind": "confirmation needed"},
                {
                    "step": 1,
                    "question": "Which size should the pizza have?",
                    "answer": "",
                    "kind": "more information needed",
                },
            ],
        },
        {
            "episode_id": "13",
            "original_task": "Order a car",
            "ambiguous_task": "Order a car",
            "asks": [{"step": 1, "question": "They sell no cars.", "answer": "", "kind": "infeasible"}],
        },
    ]
    written = [found for row in rows(source)[0] for found in asking_episodes(source, [(row.id, row.place)])]
    (tmp_path / "asks.jsonl").write_text("".join(ask_lines(e for e in written if isinstance(e, Episode))), "utf-8")
    assert ASKS.sniff(FolderScan(tmp_path / "asks.jsonl"))
    back = open_asks(tmp_path / "asks.jsonl")
    assert [ask_record_of(back.read(row.id, row.place)) for row in rows(back)[0]] == records


def test_the_format_is_told_from_android_control(write: Write, features: Write) -> None:
    look = FolderScan(write(features()).parent)
    assert FORMAT.sniff(look) and not CONTROL.sniff(look)


@given(
    st.dictionaries(
        st.sampled_from(["messages_to_user", "interaction_types", "neccesity_scores", "screenshots", "actions"]),
        st.none()
        | st.lists(st.text(max_size=3) | st.just("infeasible"), max_size=5)
        | st.lists(st.integers(-9, 9), max_size=5)
        | st.lists(st.floats(width=32), min_size=1, max_size=3),
    )
)
def test_any_features_are_an_episode_or_a_problem(write: Write, features: Write, changes: dict[str, Any]) -> None:
    path = write({**features(), **changes}, features(episode_id=1))
    for row in open_android_interaction(path).scan():
        if isinstance(row, EpisodeSummary):
            episode = open_android_interaction(path).read(row.id, row.place)
            assert (len(episode.asks), len(episode.steps)) == (row.asks, row.steps)
