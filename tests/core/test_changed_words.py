"""What the one who comes second is told: who said what in the place of what, and when."""

from datetime import UTC, datetime

import pytest

from stepscope.core.domain.annotation import Annotation, AnnotationKind, label_value
from stepscope.core.domain.changed_words import changed_words
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.error_cause import CauseLabel, ErrorCause
from stepscope.core.domain.human_order import HumanOrder
from stepscope.core.domain.judgement import WrittenText

NOON = datetime(2026, 5, 1, 12, 30).astimezone()
TIME = "on 2026-05-01 at 12:30."
CAUSES = list(ErrorCause)


def said(kind, value="", author="anna"):
    return Annotation("data", "e", 3, kind, value, author, NOON.astimezone(UTC))


NO = label_value(Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR))


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        (said("note", "x"), said("note", "y\nz", "bob"), f"bob changed the note “x” to the note “y z” {TIME}"),
        (None, said("star"), f"anna said “star” {TIME}"),
        (None, said("note", "n" * 99, ""), f"Somebody without a name said the note “{'n' * 80}…” {TIME}"),
        (said("tag", "a"), None, "the tag “a” was taken away."),
        (None, None, "It was taken away."),
        (None, said("label", NO), f"anna said the label “infeasible” (unclear) {TIME}"),
        (
            CauseLabel(CAUSES[0], "bob", NOON),
            CauseLabel(CAUSES[1], "anna", NOON),
            f"anna changed “{CAUSES[0]}” to “{CAUSES[1]}” {TIME}",
        ),
        (None, WrittenText("data", "e", None, "eve", "Buy it", NOON, 1.0), f"eve said “Buy it” {TIME}"),
        (
            None,
            HumanOrder("data", "p", "eve", True, (("2", "1"),), NOON),
            f"eve said the order “2, 1” {TIME}",
        ),
    ],
)
def test_a_change_in_words(before, now, words):
    before, now = (
        Annotation(one.source, one.episode, one.step, AnnotationKind(one.kind), one.value, one.author, one.made)
        if isinstance(one, Annotation)
        else one
        for one in (before, now)
    )
    assert changed_words(before, now) == words
