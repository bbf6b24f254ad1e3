"""What people say, kept with its undo: the one way in which the window changes annotations, whoever asks for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.shell.annotation_edits import Annotations, AnnotationTarget, StoredAnnotationChange, at, changed
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.undo import Edit, UndoHistory
from stepscope.core.domain.annotation import Annotation, AnnotationKind, Defect, checked_value, label_value
from stepscope.core.domain.episode import Feasibility

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database

Kind = AnnotationKind
Spots = Iterable[AnnotationTarget]


class AnnotationBook(QObject):
    """Changes at one place or many, in any data that the store knows, open or not: each is one entry of the history.

    It knows the annotations of one episode (`here`), the one that is shown. `shown` fires when they are, or look, other
    ones; `changed(source, spots)` when the store has changed.
    """

    shown = Signal()
    changed = Signal(str, object)

    def __init__(self, context: Context, history: UndoHistory, name_of: Callable[[AnnotationTarget], str]) -> None:
        """`name_of` says in words what a place is ("step 3 of Buy a lamp")."""
        super().__init__(context)
        self._context, self._history, self._name_of = context, history, name_of
        self.here: Annotations = ()
        self._episode: tuple[str, str] | None = None
        self._is_known = False
        self._request = 0
        self._typing: tuple[Edit, StoredAnnotationChange, AnnotationTarget] | None = None
        self._asked: deque[tuple[Sequence[AnnotationTarget], Callable[[Annotations], object]]] = deque()

    @property
    def is_known(self) -> bool:
        """Whether `here` is what the store says, and not what it has yet to be asked for."""
        return self._is_known

    # The episode that is shown ---------------------------------------------------------------------------------------

    def follow(self, source: str | None, episode: str | None) -> None:
        """Know this episode from now on; None: none is shown."""
        self.end_typing()
        self._episode = (source, episode) if source is not None and episode is not None else None
        self.here, self._is_known = (), False
        self.shown.emit()
        self.reload()

    def reload(self) -> None:
        """Ask the store again, unless changes are still on their way to it."""
        if self._episode is None or self._history.is_writing:
            return
        self._request += 1
        request, (source, episode) = self._request, self._episode

        def ask(database: Database) -> Annotations:
            return _said(database, source, [episode])

        def answer(found: Annotations) -> None:
            if request == self._request and not self._history.is_writing:
                is_news = not self._is_known or found != self.here
                self.here, self._is_known = found, True
                if is_news:
                    self.shown.emit()

        self._context.query("read annotations", ask, answer, priority=1)

    # What can be said ------------------------------------------------------------------------------------------------

    def toggle_star(self, spots: AnnotationTarget | Spots) -> None:
        """Star all of these, or take the stars away where all have one."""
        self._toggle(spots, Kind.STAR, "star")

    def toggle_checked(self, spots: AnnotationTarget | Spots) -> None:
        """Mark all of these as checked, or none of them where all are."""
        self._toggle(spots, Kind.CHECKED, "checked")

    def set_defect(self, spots: AnnotationTarget | Spots, reason: Defect) -> None:
        """Say that these are defective for this reason, beside what others may have said."""
        self._put(spots, Kind.DEFECT, reason.value, f"defect ({reason})")

    def clear_defect(self, spots: AnnotationTarget | Spots, reason: Defect | None = None) -> None:
        """Take defects away: all, or those with this reason."""
        self._remove(spots, Kind.DEFECT, reason.value if reason else None, "removed defect")

    def add_tag(self, spots: AnnotationTarget | Spots, tag: str) -> None:
        """Raises ValueError for what is no tag."""
        self._put(spots, Kind.TAG, checked_value(Kind.TAG, tag), f"tag “{tag}”")

    def remove_tag(self, spots: AnnotationTarget | Spots, tag: str) -> None:
        self._remove(spots, Kind.TAG, tag, f"removed tag “{tag}”")

    def set_label(self, spot: AnnotationTarget, label: Feasibility | None) -> None:
        """Label an episode; None takes the label away."""
        if label is None:
            self._remove(spot, Kind.LABEL, None, "removed label")
        else:
            self._put(spot, Kind.LABEL, label_value(label), "label")

    def set_note(self, spot: AnnotationTarget, text: str, *, typing: bool = False) -> None:
        """Write a note in the place of the one that is there; nothing but spaces removes it. What is told while the
        person is `typing` at one place is one entry of the history until `end_typing`."""
        if typing and self._go_on_typing(spot, text):
            return

        def start(found: Annotations) -> None:
            before, after = at(found, spot, Kind.NOTE), self._notes(spot, text)
            if [said.value for said in before] == [said.value for said in after]:
                return
            words = f"{'note' if after else 'removed note'} on {self._name_of(spot)}"
            edit, written = self.change(words, before, after)
            self._typing = (edit, written, spot) if typing else None

        self.with_known([spot], start)

    def add_note(self, spots: Sequence[AnnotationTarget], text: str) -> None:
        """Write the same note at several places as one change, below what stands there."""

        def start(found: Annotations) -> None:
            before = tuple(said for spot in spots for said in at(found, spot, Kind.NOTE))
            known = {AnnotationTarget.of(said): said.value for said in before}
            after = tuple(
                note for spot in spots for note in self._notes(spot, "\n".join(filter(None, (known.get(spot), text))))
            )
            if text.strip():
                self.change(self._words("note", spots), before, after)

        self.with_known(spots, start)

    def end_typing(self) -> None:
        """The next note is a change of its own."""
        self._typing = None

    def change(self, words: str, before: Annotations, after: Annotations) -> tuple[Edit, StoredAnnotationChange]:
        """Put `after` in the place of `before`, at any places at once; `words` complete "Undo …"."""
        written = StoredAnnotationChange(before, after, words)
        spots = {AnnotationTarget.of(said) for said in (*before, *after)}
        edit = Edit(
            words,
            written.do,
            written.undo,
            lambda done: self._show(before, after) if done else self._show(after, before),
            lambda is_written: self._settled(spots, is_written),
            lambda: any((spot.source, spot.episode) == self._episode for spot in spots),
        )
        self._history.make(edit)
        return edit, written

    def with_known(self, spots: Sequence[AnnotationTarget], then: Callable[[Annotations], object]) -> None:
        """`then` with what was said there: at once for the shown episode, else when the store has answered, which it
        does after all changes that were asked for before."""
        self._asked.append((spots, then))
        if len(self._asked) == 1:
            self._answer_first()

    def _answer_first(self) -> None:
        spots, then = self._asked[0]

        def answer(found: Annotations) -> None:
            try:
                then(found)
            finally:
                go_on()

        def go_on() -> None:
            self._asked.popleft()
            if self._asked:
                self._answer_first()

        if self._is_known and all((spot.source, spot.episode) == self._episode for spot in spots):
            answer(self.here)
        else:
            self._ask_store(spots, answer, go_on)

    def _ask_store(
        self,
        spots: Sequence[AnnotationTarget],
        answer: Callable[[Annotations], object],
        otherwise: Callable[[], object],
    ) -> None:
        by_source: dict[str, list[str]] = {}
        for spot in spots:
            by_source.setdefault(spot.source, []).append(spot.episode)

        def ask(database: Database) -> Annotations:
            return tuple(said for source, ids in by_source.items() for said in _said(database, source, ids))

        def failed(error: Exception) -> None:
            otherwise()
            self._context.messages.failure(error)

        self._context.write("read annotations", ask, answer, failed=failed)

    # Inside ----------------------------------------------------------------------------------------------------------

    def _toggle(self, spots: AnnotationTarget | Spots, kind: Kind, name: str) -> None:
        chosen = _listed(spots)

        def start(found: Annotations) -> None:
            held = [said for spot in chosen for said in at(found, spot, kind)]
            bare = [spot for spot in chosen if not at(found, spot, kind)]
            if bare:
                self.change(self._words(name, bare), (), tuple(self._said(spot, kind) for spot in bare))
            elif held:
                self.change(self._words(f"removed {name}", chosen), tuple(held), ())

        self.with_known(chosen, start)

    def _put(self, spots: AnnotationTarget | Spots, kind: Kind, value: str, name: str) -> None:
        chosen = _listed(spots)

        def start(found: Annotations) -> None:
            bare = [spot for spot in chosen if not at(found, spot, kind, value)]
            kept = None if not kind.several else value
            before = tuple(said for spot in bare for said in at(found, spot, kind, kept))
            if bare:
                self.change(self._words(name, bare), before, tuple(self._said(spot, kind, value) for spot in bare))

        self.with_known(chosen, start)

    def _remove(self, spots: AnnotationTarget | Spots, kind: Kind, value: str | None, name: str) -> None:
        chosen = _listed(spots)

        def start(found: Annotations) -> None:
            held = tuple(said for spot in chosen for said in at(found, spot, kind, value))
            if held:
                self.change(self._words(name, list(dict.fromkeys(map(AnnotationTarget.of, held)))), held, ())

        self.with_known(chosen, start)

    def _go_on_typing(self, spot: AnnotationTarget, text: str) -> bool:
        if self._typing is None or self._typing[2] != spot or self._history.newest is not self._typing[0]:
            return False
        edit, written, _spot = self._typing
        after = self._notes(spot, text)
        self._show(at(self.here, spot, Kind.NOTE), after)
        self._history.go_on(edit, lambda database: written.go_on(database, after))
        return True

    def _show(self, before: Annotations, after: Annotations) -> None:
        """Show a change at once, while it is being written."""
        here = tuple(said for said in after if (said.source, said.episode) == self._episode)
        self.here = changed(self.here, before, here)
        self.shown.emit()

    def _settled(self, spots: set[AnnotationTarget], is_written: bool) -> None:
        self.reload()
        if is_written:
            for source in {spot.source for spot in spots}:
                self.changed.emit(source, frozenset(spot for spot in spots if spot.source == source))

    def _notes(self, spot: AnnotationTarget, text: str) -> Annotations:
        return (self._said(spot, Kind.NOTE, text.strip()),) if text.strip() else ()

    def _said(self, spot: AnnotationTarget, kind: Kind, value: str = "") -> Annotation:
        from stepscope.app.services.annotations import user_name

        author = self._context.preferences.annotator or user_name()
        return Annotation(spot.source, spot.episode, spot.step, kind, value, author, datetime.now(UTC))

    def _words(self, name: str, spots: Sequence[AnnotationTarget]) -> str:
        return f"{name} on {self._name_of(spots[0]) if len(spots) == 1 else f'{len(spots)} places'}"


def _listed(spots: AnnotationTarget | Spots) -> list[AnnotationTarget]:
    return [spots] if isinstance(spots, AnnotationTarget) else list(dict.fromkeys(spots))


def _said(database: Database, source: str, episodes: Sequence[str]) -> Annotations:
    from stepscope.core.store.repositories import annotations as rows

    with database.reading() as db:
        found = rows.of_episodes(db, source, list(dict.fromkeys(episodes)))
    return tuple(said for of_one in found.values() for said in of_one)
