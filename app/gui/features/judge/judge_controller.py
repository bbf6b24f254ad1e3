"""Judging: who judges which two texts, and which pairs they have before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.judge import presenter
from stepscope.app.gui.features.judge.judge_reader import JudgingQuestion, JudgingRead, Origins, read_pairs
from stepscope.app.gui.features.judge.judge_session import JUDGE, WRITE, JudgeItem, JudgeSession, in_order
from stepscope.app.gui.features.judge.judging_edits import StoredJudgingChange
from stepscope.app.gui.features.judge.pair_controller import NAME, PairController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import EpisodeList, JudgeViews, RunCatalog, ShowForm
from stepscope.app.gui.shell.undo import Edit, UndoHistory
from stepscope.app.services.annotations import user_name
from stepscope.app.services.provenance import data_of
from stepscope.core.domain.judgement import (
    LONGEST_JUDGE,
    REFERENCE,
    JudgeId,
    OriginKind,
    TextOrigin,
)
from stepscope.core.domain.prediction import Task
from stepscope.widgets import format as formats
from stepscope.widgets.judge.judge_values import OriginChoice, PairListHead, PairRow

if TYPE_CHECKING:
    from stepscope.core.domain.run import Run

NOBODY = "me"
TEXT_TASKS = (Task.GOAL, Task.ASK)


class JudgeController(QObject):
    """`changed`: other texts are judged, or in another way; `said`: something was said, or is read anew."""

    changed = Signal()
    said = Signal()

    def __init__(
        self,
        context: Context,
        views: JudgeViews,
        pair: PairController,
        runs: RunCatalog,
        library: EpisodeList,
        history: UndoHistory,
        show_form: ShowForm,
    ) -> None:
        super().__init__(context)
        self._context, self._pair, self._runs, self._library = context, pair, runs, library
        self._history, self._show_form = history, show_form
        self._panel, self._centre = views.pairs, views.judge
        self.read: JudgingRead | None = None
        self._wanted: tuple[str, str] = ("", "")
        self._only_given = True
        self._only_differing = False
        self._request = 0
        context.events.signal_while_shown(NAME, context.selection.source_changed, self.reload)
        pair.said.connect(self._show_list)
        pair.said.connect(self.said)
        pair.outdated.connect(self.reload)
        self._panel.judge_named.connect(self.name_judge)
        context.annotator_leaves.connect(pair.leave_drafts)
        context.annotator_changed.connect(self.reload)
        self._panel.origins_chosen.connect(self._choose_origins)
        self._panel.mode_chosen.connect(self.set_mode)
        self._panel.only_given_chosen.connect(self._set_only_given)
        self._panel.only_differing_chosen.connect(self._set_only_differing)
        for view in (self._panel, self._centre):
            view.evaluate_wanted.connect(lambda: self._show_form(Task.GOAL))

    @property
    def session(self) -> JudgeSession:
        """What the person has before them."""
        return self._pair.session

    @property
    def origins(self) -> Origins | None:
        """The two texts that are judged."""
        return self.read.origins if self.read is not None else None

    # What is judged --------------------------------------------------------------------------------------------------

    @property
    def source(self) -> str:
        """What the store calls the data, "" where none is open."""
        selected = self._context.selection.source
        return data_of(selected.key) if selected is not None else ""

    @property
    def person(self) -> str:
        return self._context.preferences.annotator or user_name() or NOBODY

    def state(self) -> Mapping[str, Any]:
        """For the session, in plain JSON values."""
        return {"texts": list(self._wanted), "mode": self.session.mode, "only_given": self._only_given}

    def restore(self, saved: Mapping[str, Any]) -> None:
        texts = saved.get("texts")
        if isinstance(texts, list) and len(texts) == 2 and all(isinstance(one, str) for one in texts):
            self._wanted = (texts[0], texts[1])
        self.session.mode = WRITE if saved.get("mode") == WRITE else JUDGE
        self._only_given = saved.get("only_given") is not False
        if self._pair.is_in_front:
            self.reload()

    def enter(self) -> None:
        self._centre.focus_screen()
        self.reload()

    def text_runs(self) -> list[Run]:
        """Runs on this data whose answers are texts, the latest first."""
        return [
            run
            for run in self._runs.runs()
            if run.spec.task in TEXT_TASKS and data_of(run.spec.source) == self.source and not run.labels.archived
        ]

    def name_of(self, origin: TextOrigin) -> str:
        """What a text is called where that gives nothing away."""
        if origin.kind is OriginKind.REFERENCE:
            return "the reference"
        return f"text of {origin.name}" if origin.kind is OriginKind.PERSON else self._runs.name_of(origin.name)

    def reload(self) -> None:
        """Read what there is to judge, and what was said of it."""
        if not self._pair.is_in_front:
            return
        self._pair.leave_drafts()
        selected = self._context.selection.source
        self._request += 1
        request = self._request
        if selected is None:
            self._show_nothing("Nothing is open", "Open data, then judge what a run says of it.")
            return
        asked = JudgingQuestion(
            selected.id, selected.source, self.source, self._wanted, tuple(run.id for run in self.text_runs()),
            self.person, self.session.mode, self._library.ids,
        )  # fmt: skip

        def arrived(read: JudgingRead) -> None:
            if request != self._request or not self._pair.is_in_front:
                return  # the person has moved on
            if self._history.is_writing:
                self.reload()  # what was read may not have what was said meanwhile
            else:
                self._take(read, asked)

        self._context.query("pairs to judge", lambda database: read_pairs(database, asked), arrived)

    def _take(self, read: JudgingRead, asked: JudgingQuestion) -> None:
        """What was read is shown, at the item that was shown before, else where the person left off."""
        before, old = self.session.item, self.session
        known = self.origins == read.origins and (old.person, old.mode) == (asked.person, asked.mode)
        self.read = read
        if read.origins is not None:
            self._wanted = (read.origins[0].code, read.origins[1].code)  # a later run does not take their place
        session = JudgeSession(
            asked.person,
            asked.mode,
            read.listed.task if read.listed else Task.GOAL,
            list(read.items),
            {one.slot: one for one in read.judgements},
            {one.slot: one for one in read.written},
        )
        session.only_given = bool(self._given_to_me()) and self._only_given and session.mode == JUDGE
        if session.only_given:
            session.items = in_order(session.items, read.assignments, session.person)
        if self._only_differing and session.mode == JUDGE:
            there = [item for item in session.items if session.differs(item)]
            session.only_differing = bool(there)
            session.items = there or session.items
        episode = self._context.selection.episode
        at = session.place_of(before) if known and before is not None else -1
        if at < 0:
            at = session.resume_at(asked.source, episode.id if episode else "")
        self._show_choices()
        if not session.items:
            self._show_why_none(read)
        self._pair.take(session, asked.source, at)
        self._show_list()
        self.said.emit()

    def _given_to_me(self) -> int:
        person = self.person
        return sum(one.annotator == person for one in self.read.assignments) if self.read else 0

    def _show_why_none(self, read: JudgingRead) -> None:
        if read.trouble:
            self._show_nothing("These texts cannot be judged", read.trouble)
        elif self.origins is None and self.session.mode == JUDGE:
            detail = "Two texts are judged: what a run says of a trajectory, and the reference or another run."
            self._panel.show_none("runs", "No run of goal identification yet.", detail)
            self._centre.show_empty("No run of goal identification yet.", detail, can_evaluate=True)
        else:
            self._show_nothing("No pair to judge", "No episode has both texts: choose others.")

    def _show_nothing(self, title: str, detail: str) -> None:
        self._panel.show_none("nothing", title, detail)
        self._centre.show_empty(title, detail)
        self._pair.take(JudgeSession(self.person, self.session.mode), self.source, -1)

    # Who, which texts ------------------------------------------------------------------------------------------------

    def name_judge(self, name: str) -> None:
        """Let somebody else judge from now on."""
        wanted = " ".join(name.split())[:LONGEST_JUDGE]
        if wanted and wanted != self.person:
            self._context.prefer(annotator=wanted)
        else:
            self._show_list()

    def _choose_origins(self, first: str, second: str) -> None:
        self._wanted = (first, second)
        self.changed.emit()
        self.reload()

    def set_mode(self, mode: str) -> None:
        """Judge two texts, or write one."""
        self._pair.leave_drafts()
        self.session.mode = mode
        self.changed.emit()
        self.reload()

    def toggle_mode(self) -> None:
        self.set_mode(JUDGE if self.session.mode == WRITE else WRITE)

    def _set_only_given(self, only: bool) -> None:
        self._only_given = only
        self.changed.emit()
        self.reload()

    def _set_only_differing(self, only: bool) -> None:
        self._only_differing = only
        self.reload()

    def _show_choices(self) -> None:
        read = self.read
        if read is None:
            return
        choices = [OriginChoice(REFERENCE.code, "Reference")]
        choices += [OriginChoice(TextOrigin(OriginKind.PERSON, name).code, f"Text of {name}") for name in read.authors]
        for run in self.text_runs():
            letter = self._context.selection.letter_of(run.id)
            words = f"{letter} {self._runs.name_of(run.id)}" if letter else self._runs.name_of(run.id)
            choices.append(OriginChoice(TextOrigin(OriginKind.RUN, run.id).code, words))
        first, second = self.origins or (REFERENCE, REFERENCE)
        self._panel.set_origins(choices if self.origins else (), first.code, second.code)

    def _show_list(self) -> None:
        read, session = self.read, self.session
        if read is None:
            return
        people = tuple(judge.name for judge in read.judges if not judge.by_model)
        mine = [one for one in session.judgements.values() if one.judge == JudgeId(session.person)]
        without = read.listed.without if read.listed and session.mode == JUDGE else 0
        note = f"{formats.counted(without, 'item')} without both texts left out" if without else ""
        pace = presenter.pace_words(mine) if session.mode == JUDGE else ""
        self._panel.set_head(
            PairListHead(
                session.person,
                people,
                session.done_count(self.source),
                len(session.items),
                pace,
                session.mode == WRITE,
                self._given_to_me(),
                self._only_given,
                note,
                sum(map(session.differs, session.items)) if session.mode == JUDGE else 0,
                session.only_differing,
            )
        )
        if session.items:
            self._panel.set_rows([self._row(number, item) for number, item in enumerate(session.items)])
            self._panel.choose(session.at)

    def _row(self, number: int, item: JudgeItem) -> PairRow:
        if item.pair is None:
            written = self.session.text(self.source, item) is not None
            return presenter.writing_row(number, item.app, item.steps, written)
        return presenter.row_of(number, item.app, item.steps, self.session.said(item))

    def end(self) -> None:
        """The window is closing: what is being written is kept."""
        self._pair.leave_drafts()

    def make_lines(self, before: Sequence[Any], after: Sequence[Any], words: str, *, over: bool = False) -> None:
        """Change what others say too, such as who judges what; everything is read anew then."""
        change = StoredJudgingChange(tuple(before), tuple(after), words, over=over)
        self._history.make(Edit(words, change.do, change.undo, lambda _done: None, lambda _written: self.reload()))
