"""What is wrong with a goal that does not match: the rule proposes, the person confirms or takes another class."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import JudgeViews
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import Judgement, PairAnswers, TextPair, is_swapped
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.goal_errors import error_of, is_mismatch
from stepscope.widgets.judge.error_chips import ErrorShown

if TYPE_CHECKING:
    from stepscope.app.services import goal_error_proposals
else:
    goal_error_proposals = lazy_module("stepscope.app.services.goal_error_proposals")

MISMATCH_SHOWN = "judge_mismatch"
"""The condition that holds while a pair is shown that the person has finished, and that does not match."""
Question = tuple[TextPair, PairAnswers]


class GoalErrorController(QObject):
    """`put` writes the class, None for none, of the pair that is shown."""

    def __init__(self, context: Context, views: JudgeViews, put: Callable[[GoalErrorClass | None], None]) -> None:
        super().__init__(context)
        self._context, self._put = context, put
        self._chips = views.judged.answers.errors
        self._said: Judgement | None = None
        self._asked: Question | None = None
        self._proposed: GoalErrorClass | None = None
        self._chips.chosen.connect(self.choose)

    def show(self, episode: Episode | None, said: Judgement | None) -> None:
        """What the person said of the pair that is shown, None where it has no class: it is open, about questions, or
        none is shown. The proposal follows once `episode` is there."""
        self._said = said if said is not None and said.done and is_mismatch(said) else None
        question = (self._said.pair, self._said.answers) if self._said is not None and episode is not None else None
        if question != self._asked:
            self._asked, self._proposed = question, None
            if question is not None and episode is not None:
                self._ask(question, episode)
        self._context.conditions.set(MISMATCH_SHOWN, self._said is not None)
        self._tell()

    def choose(self, error: GoalErrorClass) -> None:
        """Take a class; the one that holds again is taken back."""
        if self._said is not None:
            self._put(None if error_of(self._said) is error else error)

    def take_proposal(self) -> None:
        """Take what the rule proposes."""
        if self._said is None:
            return
        if self._proposed is None:
            self._context.messages.info("The rule proposes nothing here: choose a class yourself (5 to 9).")
        elif error_of(self._said) is not self._proposed:
            self._put(self._proposed)

    def _ask(self, question: Question, episode: Episode) -> None:
        said = self._said
        assert said is not None

        def arrived(found: GoalErrorClass | None) -> None:
            if self._asked == question:
                self._proposed = found
                self._tell()

        self._context.start(
            "what is wrong with a goal", lambda _token: goal_error_proposals.proposed_for(said, episode), arrived
        )

    def _tell(self) -> None:
        said = self._said
        if said is None:
            self._chips.show_error(None)
        else:
            letter = "A" if is_swapped(said.seed) else "B"
            self._chips.show_error(ErrorShown(letter, error_of(said), self._proposed))
