"""People fill in pages: nothing that was typed is lost, everybody gets what they have not done, all can be undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services.webtask import annotations
from stepscope.app.services.webtask.annotations import InstanceOrder, PersonProgress
from stepscope.core.domain.web_answer import AnswerState, WebAnswer
from stepscope.core.errors import UsageError
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database

MakeAnswer = Callable[..., WebAnswer]
SOURCE, TASK = "data/tasks", "Rate 1"
IDS = [f"{TASK}/{number}" for number in range(12)]
LATER = datetime(2024, 5, 2, tzinfo=UTC)


def test_a_draft_is_there_when_the_program_was_killed(tmp_path: Path) -> None:
    """Every draft is committed by itself: a second connection sees it while the first is still open."""
    url = store_url(tmp_path / "s.db")
    with Database.open(url) as typing:
        for text in ("n", "ni", "nice"):
            draft = annotations.draft_of(SOURCE, TASK, IDS[0], " ann ", {"why": text, "good": ""}, 3.5, "log")
            annotations.save_draft(typing, draft)
        with Database.open(url) as other:
            found = annotations.answer_of(other, SOURCE, IDS[0], "ann")
    assert found is not None and found.state is AnswerState.DRAFT
    assert (found.fields, found.seconds, found.log) == ({"why": "nice"}, 3.5, "log")


def test_submitting_and_taking_back(database: Database, answer: MakeAnswer) -> None:
    draft = answer(0, submitted=None, why="nice")
    annotations.save_draft(database, draft)
    done = annotations.submit(database, draft, LATER)
    assert done.before == (draft,) and done.after == (replace(draft, changed=LATER, submitted=LATER),)
    with pytest.raises(UsageError, match="submitted already"):
        annotations.save_draft(database, draft)
    back = annotations.take_back(database, SOURCE, IDS[0], "ann")
    assert annotations.listed(database, SOURCE) == [replace(draft, changed=LATER)]
    annotations.make(database, back.undone())
    assert annotations.listed(database, SOURCE, drafts=False) == list(done.after)
    annotations.make(database, done.undone())
    assert annotations.listed(database, SOURCE) == [draft]
    with pytest.raises(UsageError, match="submitted nothing"):
        annotations.take_back(database, SOURCE, IDS[0], "ann")


def test_deleting_can_be_undone(database: Database, answer: MakeAnswer) -> None:
    every = [answer(10, "bob"), answer(9), answer(9, "bob", None)]
    for one in every:
        annotations.make(database, annotations.AnswerChange(after=(one,)))
    gone = annotations.delete(database, every[:2])
    assert annotations.listed(database, SOURCE) == [every[2]]
    annotations.make(database, gone.undone())
    listed = annotations.listed(database, SOURCE)
    assert [(one.instance, one.annotator) for one in listed] == [(IDS[9], "ann"), (IDS[9], "bob"), (IDS[10], "bob")]
    assert annotations.annotators(database) == annotations.annotators(database, SOURCE) == ["ann", "bob"]
    assert annotations.listed(database, SOURCE, annotator="ann") == [every[1]]
    assert annotations.tasks_of(every) == [TASK]
    assert annotations.submitted_by_instance(every) == {IDS[10]: {"bob": {}}, IDS[9]: {"ann": {}}}


def test_the_next_instance_is_the_first_behind_that_was_not_submitted(database: Database, answer: MakeAnswer) -> None:
    for one in (answer(0), answer(2), answer(3, submitted=None), answer(1, "bob")):
        annotations.make(database, annotations.AnswerChange(after=(one,)))

    def following(after: str | None = None, who: str = "ann", **order: int) -> str | None:
        return annotations.next_instance(database, SOURCE, TASK, IDS[:5], who, InstanceOrder(**order), after=after)

    assert [following(), following(IDS[1]), following(IDS[3]), following(IDS[4])] == [IDS[1], IDS[3], IDS[4], IDS[1]]
    assert following(enough=1) == IDS[3], "bob has submitted the one before"
    assert following(who="zoe", enough=1) == IDS[3], "drafts do not count"
    assert following("not there") == IDS[1]
    assert annotations.next_instance(database, SOURCE, TASK, [IDS[0], IDS[2]], "ann") is None
    assert annotations.next_instance(database, SOURCE, TASK, [], "ann") is None


def test_a_shuffled_order_is_the_same_for_everybody_and_visits_all(database: Database) -> None:
    seen: list[str] = []
    while (found := annotations.next_instance(database, SOURCE, TASK, IDS, "ann", InstanceOrder(seed=7))) is not None:
        annotations.submit(database, annotations.draft_of(SOURCE, TASK, found, "ann", {}, 1.0))
        seen.append(found)
    assert seen == annotations.ordered(IDS, 7) and sorted(seen) == sorted(IDS) and seen != IDS
    assert annotations.ordered(IDS, 8) != seen
    assert annotations.next_instance(database, SOURCE, TASK, IDS, "bob", InstanceOrder(seed=7)) == seen[0]


@given(st.lists(st.text(max_size=3), unique=True, min_size=2, max_size=8), st.integers(), st.text(max_size=3))
def test_an_instance_that_is_added_moves_no_other(ids: list[str], seed: int, new: str) -> None:
    before = annotations.ordered(ids, seed)
    after = annotations.ordered([*ids, new], seed)
    assert [one for one in after if one in ids and one != new] == [one for one in before if one != new]


def test_progress_of_everybody(database: Database, answer: MakeAnswer) -> None:
    for one in (answer(0, seconds=10.0), answer(1, seconds=20.0), answer(2, submitted=None), answer(0, "bob", None)):
        annotations.make(database, annotations.AnswerChange(after=(one,)))
    found = annotations.progress(database, SOURCE, {TASK: 12})
    assert found == [PersonProgress(TASK, "ann", 2, 1, 30.0, 12), PersonProgress(TASK, "bob", 0, 1, 0.0, 12)]
    assert [one.each for one in found] == [15.0, None]


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\0b", "\u202e"])
def test_a_person_needs_a_name(name: str) -> None:
    with pytest.raises(UsageError, match="no name"):
        annotations.checked_name(name)


def test_white_space_in_a_name_is_evened_out(tmp_path: Path) -> None:
    assert annotations.checked_name("  Ann\t Bee ") == "Ann Bee"
    assert annotations.known_as(tmp_path / "x" / "..") == str(tmp_path)
