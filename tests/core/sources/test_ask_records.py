"""Ask records: every episode with asks becomes one, and what is written reads back equal."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import AskUser
from stepscope.core.domain.episode import Ask, Episode, EpisodeSummary, Observation, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.ask_records import FORMAT, ask_lines, ask_record_of, episode_of_record, open_asks
from stepscope.core.sources.look import FolderScan

MOON: dict[str, Any] = {
    "episode_id": "7",
    "original_task": "Track the moon phase of March 4 on the moon app",
    "ambiguous_task": "Track the moon phase of a specific date on the moon app",
    "asks": [{"step": 3, "question": "Which date?", "answer": "March 4.", "kind": ""}],
}
CAR: dict[str, Any] = {
    "episode_id": "8",
    "original_task": "Rent a van to April 8",
    "ambiguous_task": "Rent a van to April 8",
    "asks": [
        {"step": 0, "question": "Really?", "answer": "", "kind": "confirmation needed"},
        {"step": 5, "question": "", "answer": "", "kind": "infeasible"},
    ],
}


def test_the_record_of_an_episode() -> None:
    step = Step(0, Observation(Size(3, 4)), AskUser("Which date?"))
    episode = Episode("7", "navi_plus", Platform.WEB, MOON["ambiguous_task"], (step,), app="moon",
                      asks=(Ask(3, "Which date?", "March 4."),), original_goal=MOON["original_task"])  # fmt: skip
    assert ask_record_of(episode) == MOON
    assert list(ask_record_of(episode)) == ["episode_id", "original_task", "ambiguous_task", "asks"]


def test_an_episode_that_leaves_nothing_out_has_its_goal_twice() -> None:
    episode = episode_of_record(CAR)
    assert (episode.goal, episode.original_goal) == ("Rent a van to April 8", None)
    assert ask_record_of(episode) == CAR


@pytest.mark.parametrize("name", ["asks.jsonl", "asks.json", "list.json"])
def test_a_file_of_records_opens(tmp_path: Path, rows: Any, name: str) -> None:
    lines = "\n".join(map(json.dumps, (MOON, CAR)))
    (tmp_path / name).write_text(json.dumps([MOON, CAR], indent=2) if name == "list.json" else lines)
    assert FORMAT.sniff(FolderScan(tmp_path)) and FORMAT.sniff(FolderScan(tmp_path / name))
    episodes, problems = rows(open_asks(tmp_path))
    assert problems == []
    assert [(row.id, row.goal, row.asks, row.steps, row.checked) for row in episodes] == [
        ("7", MOON["ambiguous_task"], 1, 0, True),
        ("8", "Rent a van to April 8", 2, 0, True),
    ]
    for row in episodes:
        assert open_asks(tmp_path).read(row.id, row.place) == open_asks(tmp_path).read(row.id)
    moon = open_asks(tmp_path / name).read("7")
    assert (moon.original_goal, moon.steps, moon.problems) == (MOON["original_task"], (), ())
    assert moon.asks == (Ask(3, "Which date?", "March 4.", ""),)
    with pytest.raises(UsageError):
        open_asks(tmp_path).read("9")


def test_lines_written_are_lines_read(tmp_path: Path, rows: Any) -> None:
    episodes = [episode_of_record(MOON), episode_of_record(CAR)]
    (tmp_path / "out.jsonl").write_text("".join(ask_lines(episodes)), encoding="utf-8")
    source = open_asks(tmp_path)
    assert [source.read(row.id, row.place) for row in rows(source)[0]] == episodes


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"episode_id": None}, "episode_id", "must be text"),
        ({"episode_id": 4.5}, "episode_id", "must be text"),
        ({"original_task": 5}, "original_task", "must be text"),
        ({"asks": "none"}, "asks", "asks must be a list"),
    ],
)
def test_a_record_without_what_it_needs_is_a_problem(
    tmp_path: Path, rows: Any, changes: dict[str, Any], field: str, words: str
) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(CAR) + "\n" + json.dumps({**MOON, **changes}))
    episodes, problems = rows(open_asks(tmp_path))
    assert [row.id for row in episodes] == ["8"]
    assert [(problem.field, problem.file) for problem in problems] == [(field, "a.jsonl")]
    assert problems[0].message.startswith("record 2: ") and words in problems[0].message


def test_a_missing_key_is_told_with_the_keys_that_are_there() -> None:
    with pytest.raises(SourceError, match="ambiguous_task is missing; the record has episode_id, original_task, asks"):
        episode_of_record({key: value for key, value in MOON.items() if key != "ambiguous_task"})


@pytest.mark.parametrize(
    "ask",
    [None, 5, {}, {**CAR["asks"][0], "step": -1}, {**CAR["asks"][0], "step": True}, {**CAR["asks"][0], "step": 10**40},
     {**CAR["asks"][0], "step": float("nan")}, {"step": 1, "question": "?", "answer": None}],
)  # fmt: skip
def test_an_ask_that_is_not_understood_costs_itself_only(ask: object) -> None:
    episode = episode_of_record({**CAR, "asks": [ask, CAR["asks"][0]]})
    assert [found.question for found in episode.asks] == ["Really?"]
    assert [(problem.field, problem.message[:17]) for problem in episode.problems] == [("asks", "ask 0 is left out")]


def test_ids_may_be_numbers_and_may_come_twice(tmp_path: Path, rows: Any) -> None:
    (tmp_path / "a.jsonl").write_text(2 * (json.dumps({**MOON, "episode_id": 12345678901234567890}) + "\n"))
    episodes, _ = rows(open_asks(tmp_path))
    assert [row.id for row in episodes] == ["12345678901234567890", "12345678901234567890~2"]
    assert open_asks(tmp_path).read("12345678901234567890~2").id == "12345678901234567890~2"


def test_other_records_are_left_alone(tmp_path: Path, write_json: Any) -> None:
    write_json(tmp_path / "a.json", [{**MOON, "steps": []}])
    write_json(tmp_path / "b.json", {"episode_id": "1", "asks": []})
    assert not FORMAT.sniff(FolderScan(tmp_path))


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
ASKS = st.builds(Ask, st.integers(0, 1_000_000), TEXT, TEXT, TEXT)
EPISODES = st.builds(
    Episode, TEXT, st.just("asks"), st.just(Platform.TEXT), TEXT, st.just(()),
    asks=st.lists(ASKS, max_size=3).map(tuple), original_goal=st.none() | TEXT,
)  # fmt: skip


@given(EPISODES)
def test_what_is_written_reads_back_equal(episode: Episode) -> None:
    record = json.loads(next(ask_lines([episode])))
    back = episode_of_record(record)
    assert ask_record_of(back) == record == ask_record_of(episode)
    assert (back.id, back.goal, back.asks, back.problems) == (episode.id, episode.goal, episode.asks, ())


PARTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
MUTATED = st.dictionaries(st.sampled_from(list(MOON)), PARTS, max_size=2).map(lambda part: {**MOON, **part})


@given(st.lists(MUTATED | PARTS, max_size=3), st.binary(max_size=20), st.booleans())
@example([{**MOON, "episode_id": "\ud800"}], b"", True)
def test_any_file_is_rows_or_problems(tmp_path: Path, records: list[Any], junk: bytes, as_list: bool) -> None:
    path = tmp_path / "fuzz.json"
    text = json.dumps(records) if as_list else "\n".join(map(json.dumps, records))
    path.write_bytes(text.encode() + junk)
    source = open_asks(path)
    FORMAT.sniff(FolderScan(path))
    for row in source.scan():
        if isinstance(row, EpisodeSummary):
            with contextlib.suppress(SourceError):
                assert source.read(row.id, row.place).id == row.id
