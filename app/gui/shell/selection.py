"""What the window looks at: one source, episode, step, up to eight runs on it and one matching rule, shared by all
views.

Everything here is set on the GUI thread; whoever shows something of it listens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.shell.run_letters import LETTERS, LetterBook, LetterPassed, RunLetters
from stepscope.app.services.provenance import PROCEDURES, data_of
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.prediction import Task
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.named_rules import MatchingRule
from stepscope.core.sources.source import Source, WebTaskSource


@dataclass(frozen=True, slots=True)
class OpenSource:
    """A source that is open: its row in the store, the reader, and what a person calls it.

    `skipped` records could not be read at all, `problems` counts everything that could not be read. `as_procedures`:
    its episodes are shown as procedures.
    """

    id: int
    source: Source
    title: str
    episodes: int
    skipped: int
    problems: int
    as_procedures: bool = False

    @property
    def key(self) -> str:
        """What a session calls it: its path, and that its episodes are shown as procedures."""
        return f"{self.source.path}{PROCEDURES if self.as_procedures else ''}"

    @property
    def has_web_tasks(self) -> bool:
        """Whether the data are pages to be filled in."""
        return isinstance(getattr(self.source, "inner", self.source), WebTaskSource)


@dataclass(frozen=True, slots=True)
class NavigationPlace:
    """The user's place, for going back and forward and for links. `source` is the open source's key."""

    source: str
    episode: str
    step: int


class Selection(QObject):
    """Signals fire after the change, only on a change. Runs are shown, and have their letters, on the data that they
    are about: where a method takes `data`, what a run calls its data, "" stands for the current source."""

    source_changed = Signal()
    episode_changed = Signal()
    step_changed = Signal()
    runs_changed = Signal()
    """other runs are shown on the current source, or others have their letters"""
    letters_changed = Signal()
    """the same on any data"""
    letters_wanting = Signal()
    """a run was to be shown beside eight others"""
    letter_passed = Signal(str, LetterPassed)
    """on this data a letter names another run than before"""
    rule_changed = Signal()

    def __init__(self, rule: MatchingRule, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.source: OpenSource | None = None
        self.episode: Episode | None = None
        self.step_index: int = 0
        self.runs: RunLetters = {}
        """the runs that are shown on the current source, of the task that is looked at"""
        self.task: Task | None = None
        """the task whose runs are looked at, None for all"""
        self._tasks: Mapping[str, Task] = {}
        self.rule = rule
        self._books: dict[str, LetterBook] = {}

    @property
    def step(self) -> Step | None:
        if self.episode is None or not self.episode.steps:
            return None
        return self.episode.steps[self.step_index]

    @property
    def place(self) -> NavigationPlace | None:
        if self.source is None or self.episode is None:
            return None
        return NavigationPlace(self.source.key, self.episode.id, self.step_index)

    def letter_of(self, run: str) -> str:
        """The run's letter A..H, "" when it is not shown."""
        return LETTERS[self.runs[run]] if run in self.runs else ""

    def runs_on(self, data: str) -> RunLetters:
        """The runs that are shown on any data, be it open or not."""
        book = self._books.get(data_of(data))
        return book.shown if book is not None else {}

    def shown_on(self, data: str) -> RunLetters:
        """Those of `runs_on` that are runs of the task that is looked at."""
        task, tasks, runs = self.task, self._tasks, self.runs_on(data)
        if task is None:
            return runs
        return {run: number for run, number in runs.items() if tasks.get(run, task) is task}

    def set_task(self, task: Task | None) -> None:
        """Look at the runs of one task only, or of all."""
        if task is not self.task:
            self.task = task
            self._letters_moved()

    def know_tasks(self, tasks: Mapping[str, Task]) -> None:
        """Tell which run is of which task."""
        if tasks != self._tasks:
            self._tasks = dict(tasks)
            self._letters_moved()

    def source_at(self, path: str) -> Source | None:
        """The data that are looked at, where they are those at this path."""
        opened = self.source
        return opened.source if opened is not None and str(opened.source.path) == path else None

    def set_source(self, source: OpenSource | None) -> None:
        self.source = source
        self.episode, self.step_index = None, 0
        runs, self.runs = self.runs, self.shown_on(self._data(""))
        self.source_changed.emit()
        self.episode_changed.emit()
        if self.runs != runs:
            self.runs_changed.emit()

    def set_episode(self, episode: Episode, step: int = 0) -> None:
        """Show an episode that has been read, at the place `step` in its steps."""
        self.episode = episode
        self.step_index = min(max(step, 0), max(len(episode.steps) - 1, 0))
        self.episode_changed.emit()
        self.step_changed.emit()

    def set_step(self, index: int) -> None:
        if self.episode is None or not self.episode.steps:
            return
        index = min(max(index, 0), len(self.episode.steps) - 1)
        if index != self.step_index:
            self.step_index = index
            self.step_changed.emit()

    # Runs ------------------------------------------------------------------------------------------------------------

    def show_run(self, run: str, data: str = "") -> None:
        """Show a run; one without a letter gets the first that is free."""
        book = self._book(data)
        given = book.given
        if book.show(run):
            self._letters_moved()
            self._tell_passed(data, given)
        else:
            self.letters_wanting.emit()

    def hide_run(self, run: str, data: str = "") -> None:
        self._book(data).hide(run)
        self._letters_moved()

    def toggle_run(self, run: str, data: str = "") -> None:
        """Show a run, or show it no more."""
        if run in self._book(data).shown:
            self.hide_run(run, data)
        else:
            self.show_run(run, data)

    def set_runs(self, runs: Sequence[str], data: str = "", wishes: RunLetters | None = None) -> None:
        """Show just these; `wishes` are letters for those that have none yet, where they are free."""
        book = self._book(data)
        given = book.given
        book.show_only(runs, wishes or {})
        self._letters_moved()
        self._tell_passed(data, given)

    def give_back(self, data: str, passed: LetterPassed) -> None:
        """Let a letter name again what it named before `letter_passed` told so: the other run is shown no more."""
        self._book(data).give_back(passed)
        self._letters_moved()

    def hand_on(self, before: str, now: str, data: str = "") -> None:
        """Let a run have the letter of another, in whose place it stands."""
        self._book(data).hand_on(before, now)
        self._letters_moved()

    def keep_runs(self, known: Mapping[str, object]) -> None:
        """Forget the runs that are not among these: they are deleted."""
        for book in self._books.values():
            book.keep(known)
        self._letters_moved()

    def move_letters(self, old: str, new: str) -> None:
        """Runs are about the same data at another path: there they have the letters that they had."""
        book = self._books.pop(data_of(old), None)
        if book is not None:
            self._books[data_of(new)] = book
            self._letters_moved()

    def letters_state(self) -> dict[str, Any]:
        """All letters by data, in plain JSON values."""
        return {data: state for data, book in self._books.items() if (state := book.state())["given"]}

    def restore_letters(self, state: Mapping[str, Any]) -> None:
        """Bring back what `letters_state` told."""
        for data, saved in state.items():
            if isinstance(saved, Mapping):
                self._books[data] = LetterBook.from_state(saved)
        self._letters_moved()

    def _data(self, data: str) -> str:
        return data_of(data or (self.source.key if self.source else ""))

    def _book(self, data: str) -> LetterBook:
        return self._books.setdefault(self._data(data), LetterBook())

    def _tell_passed(self, data: str, given: RunLetters) -> None:
        for passed in self._book(data).passed_since(given):
            self.letter_passed.emit(self._data(data), passed)

    def _letters_moved(self) -> None:
        """Letters may be others than they were."""
        runs, self.runs = self.runs, self.shown_on(self._data(""))
        self.letters_changed.emit()
        if self.runs != runs:
            self.runs_changed.emit()

    # Rule ------------------------------------------------------------------------------------------------------------

    def set_rule(self, rule: MatchingRule) -> None:
        if rule != self.rule:
            self.rule = rule
            self.rule_changed.emit()
