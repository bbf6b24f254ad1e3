"""Saying something about steps and episodes: keys, the Notes page, the buttons of the title row, undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Signal

from stepscope.app.gui.shell.annotation_edits import SIGNS, Annotations, AnnotationTarget, at
from stepscope.app.gui.shell.annotations import AnnotationBook
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.events import AnnotationsChanged
from stepscope.app.gui.shell.ports import ReplayViews
from stepscope.app.gui.shell.undo import UndoHistory
from stepscope.core.domain.annotation import Annotation, AnnotationKind, Defect, checked_value, label_of
from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.lazy import lazy_module
from stepscope.widgets.annotate.annotation_notes import DEFECT, NOTE, STAR, Choices, LabelNotes, PlaceNotes, Statement
from stepscope.widgets.annotate.title_marks import TitleMarks
from stepscope.widgets.annotate.view import NotesPage

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import annotations as annotation_rows
    from stepscope.widgets.annotate.place_section import PlaceSection
else:
    annotation_rows = lazy_module("stepscope.core.store.repositories.annotations")

Kind = AnnotationKind
LONGEST_GOAL = 40


class AnnotatingController(QObject):
    """`book` makes the changes, for other controllers as well; `spots_of` says by workspace what the keys are about:
    the step that is shown, or whatever is chosen there; `several` are the steps that are chosen together in
    Replay. What people said is told as `AnnotationsChanged`."""

    replay_wanted = Signal(object)
    """a Spot of another workspace that is to be shown"""

    def __init__(
        self,
        context: Context,
        views: ReplayViews,
        history: UndoHistory,
        stop_playback: Callable[[], object],
        spots_of: Mapping[str, Callable[[], Iterable[AnnotationTarget]]],
        several: Callable[[], Iterable[AnnotationTarget]],
        note_several: Callable[[], bool],
    ) -> None:
        super().__init__(context)
        self._several, self._note_several = several, note_several
        self._context, self._views, self._stop_playback = context, views, stop_playback
        self.history = history
        self.book = AnnotationBook(context, self.history, self._name_of)
        self._spots_of = {"replay": lambda: [*self._several()] or self._shown_spots(), **spots_of}
        self._states: dict[str, object] = {}
        self._step: AnnotationTarget | None = None
        self._episode: AnnotationTarget | None = None
        """what the page shows"""
        choices = Choices(tuple(Defect), tuple(InfeasibilityReason))
        self.page, self.marks = NotesPage(choices), TitleMarks()
        views.inspector.addTab(self.page, "Notes")
        views.centre.add_to_title(self.marks)
        self._on_page = False
        self._rest = Debouncer(self, self._show)
        self._connect()

    def _connect(self) -> None:
        selection, page, book = self._context.selection, self.page, self.book
        selection.episode_changed.connect(self._episode_changed)
        selection.step_changed.connect(self._step_changed)
        book.shown.connect(self._show)
        book.changed.connect(self._changed_here)
        selection.source_changed.connect(self._look_round)
        page.finished.connect(lambda: self._views.centre.view.setFocus())
        self._views.inspector.currentChanged.connect(lambda _place: self._tab_changed())
        page.note_left.connect(book.end_typing)
        page.made.connect(self._connect_sections)
        self.marks.pressed.connect(self._mark_pressed)

    def _connect_sections(self) -> None:
        page = self.page
        page.label.labelled.connect(self._labelled)
        for section, spot in ((page.step, lambda: self._step), (page.episode, lambda: self._episode)):
            self._connect_section(section, spot)

    def _tab_changed(self) -> None:
        """Who leaves the page for another tab goes on with the step: Qt gives the keys to a field there."""
        shown, focus = self._views.inspector.currentWidget(), self._context.dialog_parent.focusWidget()
        if self._on_page and focus is not None and shown.isAncestorOf(focus):
            self._views.centre.view.setFocus()
        self._on_page = shown is self.page

    def _connect_section(self, section: PlaceSection, spot: Callable[[], AnnotationTarget | None]) -> None:
        book = self.book

        def ask(change: Callable[..., object], *values: object) -> None:
            place = spot()
            if place is not None:
                change(place, *values)

        section.star_toggled.connect(partial(ask, book.toggle_star))
        section.checked_toggled.connect(partial(ask, book.toggle_checked))
        section.note_edited.connect(partial(ask, partial(book.set_note, typing=True)))
        section.tag_added.connect(partial(ask, self._add_tag))
        section.tag_removed.connect(partial(ask, book.remove_tag))
        section.defect_toggled.connect(lambda reason: ask(self._toggle_defect, Defect(reason)))

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            **self.history.handlers(),
            "mark.star": self._star,
            "mark.checked": lambda: self._with_spots(self.book.toggle_checked),
            "mark.defect": self.defect,
            "mark.note": self.go_to_note,
            "mark.label": self.go_to_label,
            "episode.star": lambda: self._with_spots(self.book.toggle_star, whole=True),
            "episode.checked": lambda: self._with_spots(self.book.toggle_checked, whole=True),
            "episode.defect": lambda: self.defect(whole=True),
            "episode.note": lambda: self.go_to_note(whole=True),
        }

    def bind(self, bar: CommandBar) -> None:
        self.history.bind(bar)
        self._context.dialog_parent.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Read the annotations again when the window comes to the front: another window may have written some."""
        if event.type() == QEvent.Type.WindowActivate:
            self._look_round()
        return False

    def _look_round(self, *, own: bool = False) -> None:
        """Tell when the store says something else about the open data than when it was last looked at; `own`: it does
        so by a change of this window, which has been told."""
        source = self._context.selection.source
        if source is None:
            return

        def ask(database: Database) -> object:
            with database.reading() as db:
                return annotation_rows.state(db, source.key)

        def answer(state: object) -> None:
            before = self._states.get(source.key, state)
            self._states[source.key] = state
            if state != before and not own:
                self.book.reload()
                self._context.events.publish(AnnotationsChanged(source.key, frozenset()))

        self._context.query("look at annotations", ask, answer)

    def _changed_here(self, source: str, spots: frozenset[AnnotationTarget]) -> None:
        self._look_round(own=True)
        self._context.events.publish(AnnotationsChanged(source, spots))

    def keep(self) -> None:
        """Write what was typed and not written yet."""
        self.page.keep()

    # Commands --------------------------------------------------------------------------------------------------------

    def spots(self, *, whole: bool = False) -> list[AnnotationTarget]:
        """What the keys are about in this workspace; `whole`: the episodes of these steps."""
        chosen = self._spots_of.get(self._context.workspaces.workspace, list)()
        return list(dict.fromkeys(AnnotationTarget(spot.source, spot.episode) if whole else spot for spot in chosen))

    def _with_spots(self, change: Callable[[list[AnnotationTarget]], object], *, whole: bool = False) -> None:
        spots = self.spots(whole=whole)
        if spots:
            change(spots)
        else:
            self._context.messages.done("Nothing is chosen here that could be marked.")

    def _mark_pressed(self, icon: str) -> None:
        {DEFECT: self.defect, STAR: self._star, NOTE: self.go_to_note}[icon]()
        self._show()  # the button stays down only where there is a mark

    def _star(self) -> None:
        self._with_spots(self.book.toggle_star)

    def defect(self, *, whole: bool = False) -> None:
        """Ask for the reason in a small menu; where there is a defect, take it away."""
        self._with_spots(self._ask_defect, whole=whole)

    def _ask_defect(self, spots: list[AnnotationTarget]) -> None:
        def known(found: Annotations) -> None:
            if all(at(found, spot, Kind.DEFECT) for spot in spots):
                self.book.clear_defect(spots)
            else:
                self._pop_up(spots)

        self.book.with_known(spots, known)

    def _pop_up(self, spots: list[AnnotationTarget]) -> None:
        from stepscope.widgets.annotate.defect_menu import DefectMenu

        menu = DefectMenu(tuple(Defect), self._context.dialog_parent)
        menu.chosen.connect(lambda reason: self.book.set_defect(spots, Defect(reason)))
        menu.aboutToHide.connect(menu.deleteLater)
        button, window = self.marks.buttons[DEFECT], self._context.dialog_parent
        corner = QPoint(window.width() // 2 - menu.sizeHint().width() // 2, window.height() // 3)
        place = button.mapToGlobal(QPoint(0, button.height())) if button.isVisible() else window.mapToGlobal(corner)
        menu.popup(place)
        menu.light_first()

    def go_to_note(self, *, whole: bool = False) -> None:
        """Put the cursor into the note of the step, or of the whole episode. What is chosen in another workspace is
        opened in Replay first, where the note stands; several that are chosen together get their note there."""
        if not whole and self._note_several():
            return
        spots = self.spots()
        if self._context.workspaces.workspace != "replay" and spots:
            self.replay_wanted.emit(spots[0])
        self._show_page()
        self.page.go_to_note(episode=whole or self._context.selection.step is None)

    def go_to_label(self) -> None:
        self._show_page()
        self.page.go_to_label()

    def _show_page(self) -> None:
        """The page belongs to the step that Replay shows."""
        workspaces = self._context.workspaces
        self._stop_playback()
        if workspaces.workspace != "replay":
            workspaces.set_workspace("replay")
        workspaces.show_dock("inspector")
        self._views.inspector.setCurrentWidget(self.page)
        self._show()
        self._ask_tags()

    def _toggle_defect(self, spot: AnnotationTarget, reason: Defect) -> None:
        held = at(self.book.here, spot, Kind.DEFECT, reason.value)
        (self.book.clear_defect if held else self.book.set_defect)(spot, reason)

    def _add_tag(self, spot: AnnotationTarget, tag: str) -> None:
        try:
            checked_value(Kind.TAG, tag)
        except ValueError as error:
            self._context.messages.warning(f"{error}.", title="Not added.")
            return
        self.book.add_tag(spot, tag)

    def _labelled(self, label: str, reason: str, questions: list[str]) -> None:
        if self._episode is None:
            return
        if not label:
            self.book.set_label(self._episode, None)
            return
        why = InfeasibilityReason(reason) if reason else None
        self.book.set_label(self._episode, Feasibility(FeasibilityLabel(label), why, tuple(questions)))

    # Showing ---------------------------------------------------------------------------------------------------------

    def _episode_changed(self) -> None:
        """Keep what was being written, which belongs to the step that was left, and follow the selection."""
        self.page.keep()
        selection = self._context.selection
        source, episode = selection.source, selection.episode
        self._context.conditions.set("episode", episode is not None)
        self._step = self._episode = None
        self.book.follow(source.key if source else None, episode.id if episode else None)
        self._ask_tags()

    def _step_changed(self) -> None:
        self.page.keep()
        self.book.end_typing()
        self._rest.ask()

    def _shown_spots(self) -> list[AnnotationTarget]:
        """The step that is shown; the episode where it has none."""
        selection = self._context.selection
        if selection.source is None or selection.episode is None:
            return []
        step = selection.step
        return [AnnotationTarget(selection.source.key, selection.episode.id, step.index if step else None)]

    def _show(self) -> None:
        selection, found = self._context.selection, self.book.here
        spots = self._shown_spots()
        self._episode = AnnotationTarget(spots[0].source, spots[0].episode) if spots else None
        self._step = spots[0] if spots and spots[0].step is not None else None
        number = selection.step_index + 1
        step = _notes(found, self._step, f"Step {number}") if self._step else None
        whole = _notes(found, self._episode, "Whole episode") if self._episode else None
        data = selection.episode.feasibility if selection.episode else Feasibility()
        self.page.show_notes(step, whole, _label(found, self._episode, data))
        self.marks.show_notes(step or whole)
        self._show_in_timeline()

    def _show_in_timeline(self) -> None:
        """Small signs at the steps about which something was said."""
        episode, kinds = self._context.selection.episode, dict[int, set[Kind]]()
        for said in self.book.here:
            place = episode.position_of(said.step) if episode is not None and said.step is not None else -1
            if place >= 0:
                kinds.setdefault(place, set()).add(said.kind)
        signs = {place: [sign for kind, sign in SIGNS.items() if kind in here] for place, here in kinds.items()}
        self._views.timeline.set_signs(signs)

    def _ask_tags(self) -> None:
        """Tags that this data has are offered for others of its steps."""
        source = self._context.selection.source
        if source is None:
            return

        def ask(database: Database) -> list[str]:
            with database.reading() as db:
                return sorted(
                    {said.value for said in annotation_rows.of_source(db, source.key, Kind.TAG)}, key=str.casefold
                )

        self._context.query("tags", ask, self.page.set_known_tags)

    def _name_of(self, spot: AnnotationTarget) -> str:
        """A place in words; episodes that are not shown go by their id."""
        episode = self._context.selection.episode
        shown = episode is not None and episode.id == spot.episode
        name = " ".join((episode.goal if shown and episode else spot.episode).split()) or spot.episode
        name = name if len(name) <= LONGEST_GOAL else f"{name[: LONGEST_GOAL - 1].rstrip()}…"
        if spot.step is None:
            return name
        place = episode.position_of(spot.step) if shown and episode else -1
        return f"step {(place if place >= 0 else spot.step) + 1} of {name}"


def _notes(found: Annotations, spot: AnnotationTarget, title: str) -> PlaceNotes:
    def of(kind: Kind) -> tuple[Statement, ...]:
        return tuple(Statement(said.value, _by(said)) for said in at(found, spot, kind))

    def one(kind: Kind) -> Statement | None:
        return next(iter(of(kind)), None)

    return PlaceNotes(title, one(Kind.STAR), one(Kind.CHECKED), of(Kind.DEFECT), one(Kind.NOTE), of(Kind.TAG))


def _label(found: Annotations, spot: AnnotationTarget | None, data: Feasibility) -> LabelNotes:
    says = f"The data says: {data.label or 'nothing'}{f' ({data.reason})' if data.reason else ''}"
    given = next(iter(at(found, spot, Kind.LABEL)), None) if spot else None
    if given is None:
        return LabelNotes(data=says)
    label = label_of(given.value)
    return LabelNotes(str(label.label or ""), str(label.reason or ""), label.follow_up, _by(given), says)


def _by(said: Annotation) -> str:
    """Author and time of an annotation, in the time of this machine."""
    made = said.made.astimezone()
    return f"{said.author or 'somebody'}, {made.day} {made:%b %Y, %H:%M}"
