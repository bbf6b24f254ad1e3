"""Reasons against reasons, missed infeasible goals in groups, and items with a question: of ten items, by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.episode import (
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Platform,
)
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import Evidence, FeasibilityAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.breakdown import (
    ItemSelection,
    mask_of,
    missed_by,
    question_items,
    reason_confusion,
    sorted_questions,
)
from stepscope.core.evaluation.breakdown.feasibility_answers import MOST_TEXTS, evidence_of
from stepscope.core.evaluation.breakdown.reasons import agrees
from stepscope.core.store.columns import load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import outcomes, runs, sources
from stepscope.core.store.worker import WorkerClaim

YES, NO = FeasibilityLabel.FEASIBLE, FeasibilityLabel.INFEASIBLE
IMPOSSIBLE, UNCLEAR, PREMATURE = InfeasibilityReason
BOX = Box(1, 2, 3, 4, Size(10, 20))
SPEC = RunSpec(Task.FEASIBILITY, "a model that is gone", "data/goals", "recording", "feasibility")
BLUE, LAST = Evidence(1, 0.3, "Blue\n lamp", BOX), Evidence(3, 0.1)


def said(label, reason=None, question="", *evidence):
    return FeasibilityAnswer(label, 0.5, (), evidence, reason, question)


ITEMS = {
    "a": (Feasibility(NO, IMPOSSIBLE, ("Which colour?",)), "Shop", said(NO, IMPOSSIBLE, "Which colour?", BLUE)),
    "b": (Feasibility(NO, IMPOSSIBLE), "Shop", said(YES, None, "", BLUE, LAST)),
    "c": (Feasibility(NO, UNCLEAR), "Mail", said(YES, None, "", LAST)),
    "d": (Feasibility(NO, UNCLEAR, ("Which mail?", "To whom?")), "Mail", said(NO, PREMATURE, "Tomorrow or later")),
    "e": (Feasibility(NO, PREMATURE), "Mail", None),
    "f": (Feasibility(NO), "Shop", said(NO, IMPOSSIBLE)),
    "g": (Feasibility(YES), "Shop", said(NO, UNCLEAR, "What now?")),
    "h": (Feasibility(YES), "Mail", said(YES)),
    "i": (Feasibility(None), "Mail", said(YES)),
    "j": (Feasibility(NO, PREMATURE, ("Is it set?",)), "Clock", said(NO)),
}


METEORS = {"a": 0.9, "d": 0.1}
"""How like the questions are to the annotators', as if they had been compared."""


def score_of(name, reference, answer):
    if reference.label is None:
        return Score.unscored("No label")
    if answer is None:
        return Score.scored(0.0, "Nothing usable", malformed=True)
    parts = {"meteor": METEORS[name]} if name in METEORS else {}
    return Score.scored(float(answer.label is reference.label), "", **parts)


def store(database, items):
    """A run over episodes of four steps; returns its columns."""
    found = []
    for name, (reference, _app, answer) in items.items():
        status = PredictionStatus.OK if answer is not None else PredictionStatus.MALFORMED
        prediction = Prediction(name, None, answer, status)
        label = reference.label.value if reference.label else ""
        found.append(Outcome(ItemKey(name, -1), prediction, score_of(name, reference, answer), label))
    index = [
        EpisodeSummary(name, f"Goal {name}", app, Platform.ANDROID, 4, 4, (), reference)
        for name, (reference, app, _answer) in items.items()
    ]
    with database.unit_of_work() as db:
        sources.replace_index(db, SPEC.source, SPEC.format, "f", index)
        run = runs.add(db, SPEC, list(items), WorkerClaim.here(), total=len(items))
        scoring = outcomes.scoring(db, run, SPEC.protocol, "1", (), own=True)
        outcomes.add_many(db, run, scoring, found)
    return load_columns(database, run)


@pytest.fixture(scope="module")
def columns():
    with Database.open("sqlite://") as database:
        found = store(database, ITEMS)
        found.said, found.part("meteor"), found.part("cos_sim")  # read while the store is there
        yield found


@pytest.fixture
def memory():
    with Database.open("sqlite://") as database:
        yield database


def names(columns, places):
    return "".join(columns.episodes[columns.episode[place]] for place in places)


def selected(columns, selection):
    return names(columns, np.flatnonzero(mask_of(columns, selection)))


def test_what_the_stored_answers_say(database):
    """In every kind of store."""
    columns = store(database, ITEMS)
    assert columns.said.reason.tolist() == [0, -1, -1, 2, -1, 0, 1, -1, -1, -1]
    assert columns.said.asks.tolist() == [name in "adg" for name in ITEMS]
    assert columns.said.step.tolist() == [1, 1, 3, -1, -1, -1, -1, -1, -1, -1]
    assert (columns.said.pieces, columns.said.piece.tolist()[:4]) == (("Blue lamp",), [0, 0, -1, -1])
    assert columns.said.annotated.tolist() == [name in "adj" for name in ITEMS]


def test_reasons_against_reasons(columns):
    found = reason_confusion(columns)
    assert found.references == ("feasible", "impossible", "unclear", "premature", "no reason")
    assert found.predictions == ("feasible", "impossible", "unclear", "premature", "no reason", "no answer")
    assert [[cell.count for cell in row] for row in found.cells] == [
        [1, 0, 1, 0, 0, 0],
        [1, 1, 0, 0, 0, 0],
        [1, 0, 0, 1, 0, 0],
        [0, 0, 0, 0, 1, 1],
        [0, 1, 0, 0, 0, 0],
    ]
    assert (found.rows, found.right, found.total) == ((2, 2, 2, 2, 1), (1, 1, 0, 1, 1), 9)
    mixed_up = found.cells[2][3]
    assert (mixed_up.share, mixed_up.row_share) == (1 / 9, 1 / 2)
    assert mixed_up.selection.words() == ("reference: infeasible", "reason: unclear", "predicted: premature")
    assert selected(columns, mixed_up.selection) == "d"
    assert selected(columns, found.cells[3][5].selection) == "e", "no usable answer is a class of its own here"
    assert mixed_up.selection.filter_text() is None, "the filter has no words for predicted reasons"


@pytest.mark.parametrize(
    ("meant", "told", "right"),
    [
        ("unclear", "unclear", True),
        ("unclear", "premature", False),
        ("unclear", "no reason", True),
        ("no reason", "unclear", True),
        ("no reason", "no reason", True),
        ("feasible", "no reason", False),
        ("no reason", "feasible", False),
        ("unclear", "no answer", False),
    ],
)
def test_a_reason_that_one_side_does_not_give_is_no_mistake(meant, told, right):
    assert agrees(meant, told) is right


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        (
            "reason",
            [("impossible", 1, 2, "b"), ("premature", 1, 2, "e"), ("unclear", 1, 2, "c"), ("unknown", 0, 1, "")],
        ),
        ("app", [("Clock", 0, 1, ""), ("Mail", 2, 3, "ce"), ("Shop", 1, 3, "b")]),
        ("evidence", [("none", 1, 4, "e"), ("whole last screen", 1, 1, "c"), ("“Blue lamp”", 1, 2, "b")]),
    ],
)
def test_infeasible_goals_that_were_called_feasible_in_groups(columns, by, groups):
    found = missed_by(columns, by).groups
    assert [(one.name, one.count, one.n, selected(columns, one.selection)) for one in found] == groups


def test_screens_of_evidence_are_told_apart_by_their_place(memory):
    shown = {
        name: (Feasibility(NO), "Shop", said(YES, None, "", Evidence(step, 0.2))) for step, name in enumerate("abcd")
    }
    columns = store(memory, shown)
    codes, words = evidence_of(columns)
    assert [words[code] for code in codes] == [
        "whole first screen", "whole screen between", "whole screen between", "whole last screen",
    ]  # fmt: skip


def test_only_so_many_texts_are_groups_of_their_own(memory):
    """The one that two answers name stands first, the last two share a group."""
    many = {
        f"e{n:02}": (Feasibility(NO), "Shop", said(YES, None, "", Evidence(0, 0.2, f"Text {max(n, 1)}", BOX)))
        for n in range(MOST_TEXTS + 3)
    }
    columns = store(memory, many)
    groups = missed_by(columns, "evidence").groups
    assert len(groups) == MOST_TEXTS + 1
    assert (groups[0].name, groups[0].n) == ("“Text 1”", 2)
    assert (groups[-1].name, groups[-1].n, selected(columns, groups[-1].selection)) == ("other texts", 2, "e31e32")


@given(st.lists(st.booleans(), min_size=10, max_size=10))
def test_every_cell_and_bar_selects_the_items_that_it_counts(columns, kept):
    mask = np.array(kept)
    found = reason_confusion(columns, mask)
    cells = [cell for row in found.cells for cell in row]
    assert [cell.count for cell in cells] == [np.count_nonzero(mask_of(columns, one.selection, mask)) for one in cells]
    assert found.total == np.count_nonzero(mask & np.array([name != "i" for name in ITEMS]))
    for by in ("reason", "app", "evidence"):
        groups = missed_by(columns, by, mask).groups
        assert [g.count for g in groups] == [np.count_nonzero(mask_of(columns, g.selection, mask)) for g in groups]
        assert [g.n for g in groups] == [np.count_nonzero(mask_of(columns, g.all, mask)) for g in groups]


def test_questions_of_either_side_in_every_order(columns):
    places = question_items(columns)
    assert names(columns, places) == "adgj"
    assert names(columns, question_items(columns, np.array([name != "d" for name in ITEMS]))) == "agj"

    def ordered(by, *, descending):
        return names(columns, sorted_questions(columns, places, by, descending=descending))

    assert ordered("app", descending=False) == "jdag"
    assert (ordered("reason", descending=False), ordered("reason", descending=True)) == ("ajdg", "djag")
    assert (ordered("meteor", descending=False), ordered("meteor", descending=True)) == ("dagj", "adgj")
    assert ordered("cos_sim", descending=False) == "adgj", "nothing to sort by"


def test_a_run_of_a_model_that_gives_labels_only(memory):
    columns = store(memory, {"a": (Feasibility(NO), "Shop", said(YES)), "b": (Feasibility(NO), "Shop", said(NO))})
    found = reason_confusion(columns)
    assert found.predictions[-1] == "no reason" and not columns.said.gives_reasons
    assert [cell.count for cell in found.cells[-1]] == [1, 0, 0, 0, 1]
    assert missed_by(columns, "evidence").groups == (), "nothing is told, so there is nothing to group by"
    assert [(one.name, one.count) for one in missed_by(columns, "app").groups] == [("Shop", 1)]
    assert not len(question_items(columns))


def test_a_run_with_nothing_infeasible_and_one_with_nothing_at_all(memory):
    columns = store(memory, {"a": (Feasibility(YES), "Shop", said(YES))})
    assert [sum(cell.count for cell in row) for row in reason_confusion(columns).cells] == [1, 0, 0, 0]
    assert missed_by(columns, "reason").groups == ()
    empty = store(memory, {})
    assert reason_confusion(empty).total == 0 and not len(question_items(empty))


def test_a_selection_by_a_class_that_never_occurs_is_empty(columns):
    assert selected(columns, ItemSelection.of(("said", "made up"))) == ""
    assert selected(columns, ItemSelection.of(("evidence", "“Red lamp”"))) == ""
