"""What people say about steps and episodes, as changes of the store that can be taken back exactly.

Another window may have changed the same thing meanwhile: nothing that somebody else said is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stepscope.app.gui.shell.undo import OutdatedError
from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets.annotate.annotation_notes import CHECKED, DEFECT, NOTE, STAR

if TYPE_CHECKING:
    from stepscope.core.domain import changed_words
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import annotations as annotation_rows
else:
    changed_words = lazy_module("stepscope.core.domain.changed_words")
    annotation_rows = lazy_module("stepscope.core.store.repositories.annotations")

Annotations = tuple[Annotation, ...]

SIGNS = {
    AnnotationKind.DEFECT: DEFECT, AnnotationKind.STAR: STAR, AnnotationKind.NOTE: NOTE,
    AnnotationKind.CHECKED: CHECKED,
}  # fmt: skip
"""The sign of each kind in lists and timelines."""


@dataclass(frozen=True, slots=True)
class AnnotationTarget:
    """The thing that an annotation is about: an episode (`step` None) or a step (its index) of the data that the
    store's index knows as `source`."""

    source: str
    episode: str
    step: int | None = None

    @classmethod
    def of(cls, annotation: Annotation) -> AnnotationTarget:
        return cls(annotation.source, annotation.episode, annotation.step)


def at(
    found: Iterable[Annotation], spot: AnnotationTarget, kind: AnnotationKind | None = None, value: str | None = None
) -> Annotations:
    """What was said at this place, of this kind, with this value."""
    return tuple(
        said
        for said in found
        if AnnotationTarget.of(said) == spot and kind in (None, said.kind) and value in (None, said.value)
    )


def changed(found: Iterable[Annotation], before: Iterable[Annotation], after: Sequence[Annotation]) -> Annotations:
    """`found` once `before` was dropped and `after` put."""
    slots = {said.slot for said in (*before, *after)}
    return (*(said for said in found if said.slot not in slots), *after)


class StoredAnnotationChange:
    """A change as the store has it. `before` is what the person saw there. All methods are called in the writer lane;
    each is one transaction, and raises OutdatedError, changing nothing, rather than drop what somebody else said."""

    def __init__(self, before: Annotations, after: Annotations, words: str) -> None:
        self._before, self._after, self._words = before, after, words
        self._was_done = False
        self._theirs: Annotations = ()
        """the note of somebody else that stands above this one"""

    def do(self, database: Database) -> None:
        """The first time, what was said meanwhile is reckoned with; after an undo the place must be as it was left."""
        with database.unit_of_work() as db:
            gone = annotation_rows.replace(db, self._before, self._after)
            after = self._after
            if self._was_done:
                self._expect(gone, self._before)
            elif (after := self._beside(gone, self._before, after)) != self._after:
                annotation_rows.replace(db, self._after, after)
        self._before, self._after, self._was_done = gone, after, True

    def undo(self, database: Database) -> None:
        if not self._was_done:
            return  # it could not be written, and so there is nothing to take back
        with database.unit_of_work() as db:
            self._expect(annotation_rows.replace(db, self._after, self._before), self._after)

    def go_on(self, database: Database, after: Annotations) -> None:
        """Say something else instead, as a part of the same change."""
        after = self._with_theirs(after)
        with database.unit_of_work() as db:
            gone = annotation_rows.replace(db, self._after, after)
            kept = self._beside(gone, self._after, after)
            if kept != after:
                annotation_rows.replace(db, after, kept)
        self._after = kept

    def _with_theirs(self, after: Annotations) -> Annotations:
        """The person goes on typing without having seen what stands above."""
        if not self._theirs:
            return after
        text = self._theirs[0].value
        return tuple(said if said.value.startswith(text) else _below(text, said) for said in after) or self._theirs

    def _expect(self, gone: Annotations, left: Annotations) -> None:
        if _marks(gone) != _marks(left):
            who = _who_changed(left, gone)
            raise OutdatedError(f"Somebody else has changed this since: {self._words}. {who} It stays as it is.")

    def _beside(self, gone: Annotations, known: Annotations, after: Annotations) -> Annotations:
        """`after`, reckoning with what was said unseen: marks and tags of others stay theirs, a note is put below."""
        unseen = {said.slot: said for said in gone if _mark(said) not in _marks(known)}
        if not unseen:
            return after
        put = {said.slot: said for said in after}
        for slot, theirs in unseen.items():
            mine = put.get(slot)
            if theirs.kind is AnnotationKind.NOTE and mine is not None:
                put[slot], self._theirs = _below(theirs.value, mine), (theirs,)
            elif theirs.kind in (AnnotationKind.NOTE, AnnotationKind.LABEL):
                who = changed_words.changed_words(next((said for said in known if said.slot == slot), None), theirs)
                raise OutdatedError(
                    f"Somebody else has changed this meanwhile: {self._words}. {who} Theirs is shown now."
                )
            elif mine is not None:
                put[slot] = theirs
        return tuple(put.values())


def _who_changed(left: Annotations, found: Annotations) -> str:
    """The first difference between what was left at some places and what is found there."""
    mine, theirs = ({said.slot: said for said in some} for some in (left, found))
    slot = next(slot for slot in (*theirs, *mine) if _marks_at(mine, slot) != _marks_at(theirs, slot))
    return changed_words.changed_words(mine.get(slot), theirs.get(slot))


def _marks_at(said: dict[Any, Annotation], slot: object) -> set[tuple[object, ...]]:
    return _marks([said[slot]] if slot in said else [])


def _below(text: str, note: Annotation) -> Annotation:
    return replace(note, value=f"{text}\n\n{note.value}")


def _mark(said: Annotation) -> tuple[object, ...]:
    """What tells one statement from another in the same slot; the store may spell its value another way."""
    return said.slot, said.made


def _marks(found: Iterable[Annotation]) -> set[tuple[object, ...]]:
    return {_mark(said) for said in found}
