"""The pair that is shown: its texts on their sides, what the person answers, and where they go on. Every answer is
written at once and can be undone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.judge import presenter
from stepscope.app.gui.features.judge.goal_error_controller import GoalErrorController
from stepscope.app.gui.features.judge.judge_session import WRITE, JudgeItem, JudgeSession
from stepscope.app.gui.features.judge.judging_edits import StoredJudgingChange
from stepscope.app.gui.features.judge.requirement_controller import RequirementController
from stepscope.app.gui.features.judge.trajectory_controller import TrajectoryController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.ports import JudgeViews
from stepscope.app.gui.shell.undo import Edit, UndoHistory
from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import JudgeId, Judgement, PairAnswers, WrittenText
from stepscope.core.domain.prediction import Task
from stepscope.core.scoring.goal_errors import is_mismatch
from stepscope.core.scoring.judged_pairs import as_shown
from stepscope.widgets import format as formats

NAME = "judge"
PAIR_SHOWN = "judge_pair"
"""The condition that holds while something is there to be judged or written about."""


class PairController(QObject):
    """`session` is what the person has before them, of the data that the store calls `source`. `said`: something was
    said, or is taken back; `outdated`: the store has something else than is shown."""

    said = Signal()
    outdated = Signal()

    def __init__(
        self,
        context: Context,
        views: JudgeViews,
        viewer: EpisodeViewer,
        history: UndoHistory,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(context)
        self._context, self._viewer, self._history, self._clock = context, viewer, history, clock
        self._panel, self._side, self._centre = views.pairs, views.judged, views.judge
        self.trajectory = TrajectoryController(context, self._centre.trajectory, viewer, NAME)
        self.requirements = RequirementController(context, views, self.trajectory)
        self.errors = GoalErrorController(context, views, self._put_error)
        self.session, self.source = JudgeSession(), ""
        self._question = 0
        self._draft: str | None = None
        self._since, self._carried = clock(), 0.0
        self._connect()

    def _connect(self) -> None:
        context, answers, writing = self._context, self._side.answers, self._side.writing
        context.events.signal_while_shown(NAME, context.selection.episode_changed, self._episode_changed)
        context.workspaces.workspace_changed.connect(lambda _name: self._come_or_go())
        self._panel.pair_chosen.connect(self.show_item)
        self._centre.back_clicked.connect(self.go_back)
        self._centre.reject_clicked.connect(self.reject)
        answers.answered.connect(self._answer)
        answers.question_chosen.connect(self.choose_question)
        answers.remark_edited.connect(self._edit_draft)
        answers.remark_left.connect(self._leave_remark)
        answers.rejected.connect(self._reject_for)
        answers.reject_left.connect(self._leave_reason)
        answers.taken_back.connect(self.reject)
        writing.edited.connect(self._edit_draft)
        for page in (answers, writing):
            page.skip_wanted.connect(self.skip)
            page.next_wanted.connect(self.go_on)

    @property
    def is_in_front(self) -> bool:
        return self._context.workspaces.workspace == NAME

    def take(self, session: JudgeSession, source: str, at: int) -> None:
        """Another session, at one of its items, or at none where it has none. Who stays at an item is not disturbed."""
        before = self.session
        stays = (
            before.item is not None
            and session.place_of(before.item) == at
            and ((before.person, before.mode) == (session.person, session.mode))
        )
        self.session, self.source = session, source
        if session.items:
            self._show_at(at, stays=stays)
        else:
            self._side.show_nothing()
            self.trajectory.show(None)
            self._context.conditions.set(PAIR_SHOWN, False)
            self.errors.show(None, None)

    # The pair that is shown ------------------------------------------------------------------------------------------

    def show_item(self, at: int) -> None:
        """Show an item, and its episode in all workspaces."""
        if 0 <= at < len(self.session.items):
            self._show_at(at, stays=at == self.session.at)

    def _show_at(self, at: int, *, stays: bool) -> None:
        if not stays:
            self.leave_drafts()
            self._since, self._carried = self._clock(), 0.0
            self._side.answers.ask_for_reason(False)
        self.session.at = at
        item = self.session.items[at]
        said = self.session.said(item)
        answers = as_shown(said.answers, self.session.seed(item)) if said else PairAnswers()
        if not stays:
            self._question = next((number for number, answer in enumerate(answers) if answer is None), 0)
        self._panel.choose(at)
        self._context.conditions.set(PAIR_SHOWN, True)
        self._show_pair()
        self._centre.show_page(self._centre.page.value())
        if item.step >= 0:
            self._viewer.open_step(item.episode, item.step)
        elif self._viewer.heading_for != item.episode:
            self._viewer.open_episode(item.episode)
        self._show_trajectory()

    def _show_pair(self) -> None:
        session, item = self.session, self.session.item
        if item is None:
            return
        what = "Episode" if item.pair is None else "Pair"
        where = f"{formats.app_name(item.app)} · " if item.app else ""
        count = formats.count(len(session.items))
        detail = f"{where}{formats.counted(item.steps, 'step')}"
        title = f"{what} {session.at + 1} of {count}{' of yours' if session.only_given else ''}"
        self._centre.show_title(title, detail, can_reject=item.pair is not None)
        if item.pair is None:
            written = session.text(self.source, item)
            self._side.show_writing(written.text if written else "")
            self.errors.show(None, None)
            return
        said, stored = session.said(item), session.stored(item)
        note = "A text has changed since you judged this pair." if stored is not None and said is None else ""
        models = session.by_models(item) if said is not None and said.done else []
        self._side.show_pair(
            presenter.pair_shown(item.pair, session.task, said, session.seed(item), self._question, models, note)
        )
        self._show_reasons()

    def _show_reasons(self) -> None:
        """What models required, and what is wrong, once the person has finished the pair: judging is blind."""
        session, item, episode = self.session, self.session.item, self._context.selection.episode
        said = session.said(item)
        here = episode if episode is not None and item is not None and episode.id == item.episode else None
        self.errors.show(here, said if session.task is Task.GOAL else None)
        if item is None or said is None or not said.done:
            self.requirements.show(None, (), 0)
        else:
            self.requirements.show(here, session.by_models(item), session.seed(item))

    def _show_trajectory(self) -> None:
        episode, item = self._context.selection.episode, self.session.item
        self.trajectory.show(episode if episode is not None and item and episode.id == item.episode else None)
        self._show_reasons()

    def _episode_changed(self) -> None:
        """The person went to another episode by other ways: its pair is shown, where there is one."""
        episode, item = self._context.selection.episode, self.session.item
        if episode is None or item is None:
            return
        if episode.id != item.episode and (place := self.session.of_episode(episode.id)) >= 0:
            self.show_item(place)
        else:
            self._show_trajectory()

    def _come_or_go(self) -> None:
        """Time runs while the workspace is in front."""
        if self.is_in_front:
            self._since = self._clock()
        elif self.session.item is not None:
            self.leave_drafts()
            self._carried, self._since = self._carried + self._clock() - self._since, self._clock()

    # Answering -------------------------------------------------------------------------------------------------------

    def choose_question(self, number: int) -> None:
        if self.session.item is not None and self.session.item.pair is not None:
            self._question = number
            self._show_pair()

    def answer(self, yes: bool) -> None:
        """Answer the question that is chosen; the next open one is chosen then."""
        item = self.session.item
        if item is not None and item.pair is not None:
            self._answer(self._question, yes)

    def _answer(self, number: int, yes: bool | None) -> None:
        item = self.session.item
        said = self._begun()
        if item is None or said is None or said.rejected:
            return
        shown = list(as_shown(said.answers, said.seed))
        shown[number] = yes
        answers = as_shown(PairAnswers(*shown), said.seed)
        rest = [place for place in (*range(number + 1, 4), *range(number)) if shown[place] is None]
        self._question = number if yes is None or not rest else rest[0]
        after = replace(said, answers=answers)
        after = after if is_mismatch(after) else replace(after, error=None)  # what matches has nothing wrong
        self._put(after, f"answer to question {number + 1} of pair {self.session.at + 1}")

    def reject(self) -> None:
        """Ask why the pair is bad data; of one that is rejected already, take it back."""
        item = self.session.item
        if item is None or item.pair is None:
            return
        said = self.session.said(item)
        if said is not None and said.rejected:
            self._put(
                replace(self._touched(said), rejected=""), f"take back the rejection of pair {self.session.at + 1}"
            )
        elif self._side.answers.is_asking_for_reason:
            self._leave_reason()
        else:
            self._side.answers.ask_for_reason(True)
            self._side.see_reason()

    def _reject_for(self, reason: str) -> None:
        said = self._begun()
        self._leave_reason()
        if said is not None:
            self._put(replace(said, rejected=reason), f"rejection of pair {self.session.at + 1}")

    def _leave_reason(self) -> None:
        self._side.answers.ask_for_reason(False)
        self._centre.focus_screen()

    def _begun(self) -> Judgement | None:
        """The judgement of the shown pair, a new one where there is none, with the time spent until now."""
        item = self.session.item
        if item is None or item.pair is None:
            return None
        self.leave_drafts()
        said = self.session.said(item)
        if said is None:
            who, seed = JudgeId(self.session.person), self.session.seed(item)
            said = Judgement(item.pair, who, PairAnswers(), datetime.now(UTC), seed=seed)
        return self._touched(said)

    def _touched(self, said: Judgement) -> Judgement:
        return replace(said, made=datetime.now(UTC), seconds=said.seconds + self._spent())

    def _spent(self) -> float:
        now = self._clock()
        spent, self._carried, self._since = self._carried + now - self._since, 0.0, now
        return spent

    def _put_error(self, error: GoalErrorClass | None) -> None:
        said = self._begun()
        if said is not None:
            self._put(replace(said, error=error), f"what is wrong in pair {self.session.at + 1}")

    # Drafts ----------------------------------------------------------------------------------------------------------

    def _edit_draft(self, text: str) -> None:
        self._draft = text
        if self.session.mode == WRITE:
            self._side.writing.on.setEnabled(bool(text.strip()))

    def _leave_remark(self) -> None:
        self.leave_drafts()
        self._centre.focus_screen()

    def leave_drafts(self) -> None:
        """Keep what is being written: a remark, or a goal."""
        draft, self._draft, item = self._draft, None, self.session.item
        if draft is None or item is None:
            return
        if item.pair is None:
            self._write(item, draft.strip())
            return
        said = self._begun()
        if said is not None and draft.strip() != said.remark:
            self._put(replace(said, remark=draft.strip()), f"remark on pair {self.session.at + 1}")

    def _write(self, item: JudgeItem, text: str) -> None:
        before = self.session.text(self.source, item)
        if text == (before.text if before else ""):
            return
        seconds = (before.seconds if before else 0.0) + self._spent()
        after = WrittenText(self.source, item.episode, item.step, self.session.person, text, datetime.now(UTC), seconds)
        self._make(before, after if text else None, f"goal of episode {self.session.at + 1}", item)

    # Going on --------------------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """To the next open item; what is not finished has to be finished, or skipped."""
        item = self.session.item
        if item is None:
            return
        self.leave_drafts()
        if not self.session.is_done(self.source, item):
            if item.pair is None:
                self._side.writing.text.setFocus()
                return
            said = self.session.said(item)
            shown = as_shown(said.answers, said.seed) if said else PairAnswers()
            self._question = next(number for number, answer in enumerate(shown) if answer is None)
            self._show_pair()
            self._context.messages.info(f"Question {self._question + 1} is open: answer it, or skip the pair (S).")
            return
        self._move_on()

    def skip(self) -> None:
        """To the next open item; what is open here stays open."""
        if self.session.item is not None:
            self.leave_drafts()
            self._move_on()

    def _move_on(self) -> None:
        session = self.session
        place = session.next_open(self.source, session.at)
        if place < 0:
            self._context.messages.done(f"All {formats.counted(len(session.items), 'item')} are done.")
            place = (session.at + 1) % len(session.items)
        self.show_item(place)
        self._go_to_text()

    def go_back(self) -> None:
        """To the item before in the list."""
        if self.session.at > 0:
            self.show_item(self.session.at - 1)
            self._go_to_text()

    def _go_to_text(self) -> None:
        """Keys answer questions; where one writes they go into the text."""
        if self.session.mode == WRITE:
            self._side.writing.text.setFocus()
        else:
            self._centre.focus_screen()

    # Changes ---------------------------------------------------------------------------------------------------------

    def _put(self, said: Judgement, words: str) -> None:
        item = self.session.item
        assert item is not None
        self._make(self.session.stored(item), said if said.says_something else None, words, item)

    def _make(
        self,
        before: Judgement | WrittenText | None,
        after: Judgement | WrittenText | None,
        words: str,
        item: JudgeItem,
    ) -> None:
        """Show a change and write it. `before` is what the person saw."""
        lines = tuple(one for one in (before,) if one is not None), tuple(one for one in (after,) if one is not None)
        change = StoredJudgingChange(*lines, words)
        person, line = self.session.person, after or before
        slot = line.slot if line is not None else None

        def show(done: bool) -> None:
            self._set_line(slot, after if done else before)
            if person == self.session.person and self.is_in_front:
                place = self.session.items.index(item) if item in self.session.items else -1
                if place >= 0 and place != self.session.at:
                    self.show_item(place)
            self._show_pair()
            self.said.emit()

        self._history.make(
            Edit(
                words,
                change.do,
                change.undo,
                show,
                lambda written: None if written else self.outdated.emit(),
                lambda: self.is_in_front and person == self.session.person,
            )
        )

    def _set_line(self, slot: object, line: Judgement | WrittenText | None) -> None:
        for lines in (self.session.judgements, self.session.written):
            lines.pop(slot, None)  # type: ignore[call-overload]
        if isinstance(line, Judgement):
            self.session.judgements[line.slot] = line
        elif line is not None:
            self.session.written[line.slot] = line
