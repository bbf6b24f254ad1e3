"""Stars, checks, notes, tags, labels and defects by key and mouse, in the whole window; all of it undone and redone."""

from __future__ import annotations

from core.domain.annotation import AnnotationKind
from core.store.repositories import annotations


def said(person, episode: str = "lamp") -> list[tuple]:
    """What the store has about an episode: step, kind, value."""
    person.settle()
    source = person.selection.source.key
    with person.bench.context.database.reading() as db:
        return [(one.step, one.kind.value, one.value) for one in annotations.of_episode(db, source, episode)]


def test_a_star_is_put_and_taken_by_key_and_undone(person) -> None:
    person.press("Right")
    person.press("S")
    assert said(person) == [(1, "star", "")]
    person.press("S")
    assert said(person) == []
    person.press("Ctrl+Z")
    assert said(person) == [(1, "star", "")]
    person.press("Ctrl+Z")
    assert said(person) == []
    person.press("Ctrl+Shift+Z")
    assert said(person) == [(1, "star", "")]
