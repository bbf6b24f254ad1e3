"""Try the agent's question here: a model is asked about the step that is shown, puts its question, is answered by the
person or by the data, and is asked again; both answers are drawn over the screen and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import ReplayViews
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.lazy import lazy_module
from stepscope.widgets.inspector.late_page import LatePage

if TYPE_CHECKING:
    from stepscope.app.gui.features.replay import trial_words
    from stepscope.app.gui.shell.futures import FutureCallbacks
    from stepscope.app.services import question_trials
    from stepscope.app.services.live.predicting import LiveModel
    from stepscope.app.services.question_trials import QuestionTrial
    from stepscope.core.domain.prediction import Prediction
    from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
    from stepscope.core.imaging.overlay import RunMarks
    from stepscope.widgets.inspector.question_trial_page import QuestionTrialPage
    from stepscope.widgets.live.conversation import PendingQuestion, Turn
else:
    trial_words = lazy_module("stepscope.app.gui.features.replay.trial_words")
    question_trials = lazy_module("stepscope.app.services.question_trials")

MOST_QUESTIONS = 2
"""Questions that are answered at one step: the second asks after an answer that was not enough (ours)."""
FIRST, SECOND = "Asks the agent…", "Asks the agent once more, with the answer…"


@dataclass
class _TrialInHand:
    """A trial that goes on: what was said so far, the request as it was put last, and the question that waits."""

    episode: Episode
    model: LiveModel
    title: str
    request: StepRequest
    trial: QuestionTrial
    turns: list[Turn]
    asked: int = 0
    asking: PendingQuestion | None = None


class QuestionTrialController(QObject):
    """`changed()`: other marks are to be drawn on the step that is shown. `page` is made when its tab is first looked
    at; from then on what was tried before is shown too."""

    changed = Signal()

    def __init__(self, context: Context, views: ReplayViews) -> None:
        super().__init__(context)
        self._context, self._inspector, self._tab = context, views.inspector, LatePage()
        self.page: QuestionTrialPage | None = None
        self._infos: dict[str, ModelInfo] = {}
        self._kept: dict[int, QuestionTrial] = {}
        self._hand: _TrialInHand | None = None
        self._answers: FutureCallbacks | None = None
        self._inspector.addTab(self._tab, "Ask")
        self._tab.opened.connect(self._open)
        context.selection.episode_changed.connect(self._episode_changed)
        context.selection.step_changed.connect(self._show)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"question.try": self.show_page}

    def show_page(self) -> None:
        """Bring the page to the front; where an agent is chosen there, try its question."""
        self._context.workspaces.show_dock("inspector")
        self._inspector.setCurrentWidget(self._tab)
        self._open()
        self.try_here()

    def end(self) -> None:
        self._drop()
        if self._answers is not None:
            self._answers.silence()

    # The page --------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        if self.page is not None:
            return
        from stepscope.app.gui.shell.futures import FutureCallbacks
        from stepscope.widgets.inspector.question_trial_page import QuestionTrialPage

        self._answers = FutureCallbacks(self._failed, self)
        self.page = QuestionTrialPage()
        self._tab.fill(self.page)
        self.page.try_requested.connect(self.try_here)
        self.page.talk.answered.connect(lambda words, _offer: self.answer(words, trial_words.PERSON))
        self.page.talk.data_answer_requested.connect(self._answer_from_data)
        self._context.start("list agents that ask", lambda _token: question_trials.asking_models(), self._list)
        self._episode_changed()

    def _list(self, infos: tuple[ModelInfo, ...]) -> None:
        self._infos = {one.name: one for one in infos}
        rows = []
        for one in infos:
            here = one.weights != "absent"
            rows.append((one.name, one.title, one.description if here else one.weights_from, here))
        if self.page is not None:
            self.page.set_models(rows)
        self._show()

    # Trying ----------------------------------------------------------------------------------------------------------

    def try_here(self) -> None:
        """Ask the chosen agent about the step that is shown."""
        selection, page = self._context.selection, self.page
        source, episode, place = selection.source, selection.episode, selection.step_index
        name = page.model() if page is not None else ""
        if page is None or source is None or episode is None or selection.step is None or not name:
            return
        self._drop()
        reader = source.source
        page.set_busy(True)
        page.set_words(FIRST)
        self._context.start(
            "open agent",
            lambda _token: question_trials.open_model(reader, name),
            lambda model: self._begin(model, episode, place, str(reader.path)),
            failed=self._not_opened,
        )

    def _not_opened(self, error: Exception) -> None:
        """Where it needs a person's word that the recordings may be sent, ask for it and try again."""
        from stepscope.app.gui.shell.recordings_question import ask_to_send
        from stepscope.models.chat.consents import ConsentNeededError

        if isinstance(error, ConsentNeededError):
            self._rest("")
            ask_to_send(self._context, (error,), self.try_here)
        else:
            self._failed(error)

    def _begin(self, model: LiveModel, episode: Episode, place: int, data: str) -> None:
        if self._context.selection.episode is not episode:
            model.close()
            self._rest("")
            return
        request = question_trials.request_at(episode, place, model.info)
        trial = question_trials.QuestionTrial(data, episode.id, request.step, model.info.name)
        turns = [trial_words.goal_turn(episode.goal)]
        self._hand = _TrialInHand(episode, model, model.info.title, request, trial, turns)
        self._put(self._hand, replied=False)

    def _put(self, hand: _TrialInHand, *, replied: bool) -> None:
        assert self._answers is not None
        self._answers.when(
            hand.model.ask(hand.request), lambda prediction: self._said(hand, prediction, replied=replied)
        )
        self._show()

    def _said(self, hand: _TrialInHand, prediction: Prediction, *, replied: bool) -> None:
        """The agent's answer about the step, without an answer in its context or with one."""
        if hand is not self._hand:
            return
        said, step = question_trials.stream_answer(prediction, replied=replied), hand.trial.step
        if said.question and hand.asked < MOST_QUESTIONS:
            hand.asked += 1
            hand.trial = replace(hand.trial, question=said.question)
            hand.turns.append(trial_words.ask_turn(said.question, hand.title, step, self._letters(), waiting=True))
            hand.asking = trial_words.asking_of(said, question_trials.reference_ask(hand.episode, step), step)
            self._rest("")
            self._show()
            self.changed.emit()
            return
        if said.question:
            words = f"It asks again: “{said.question}” {MOST_QUESTIONS} questions about one step are the limit."
            hand.turns.append(trial_words.news_turn(words, step))
        else:
            hand.turns.append(trial_words.said_turn(said, self._step(hand), self._letters(), replied=replied))
            trial = hand.trial
            hand.trial = replace(trial, second=said.action) if replied else replace(trial, first=said.action)
        self._end(hand)

    def answer(self, words: str, by: str) -> None:
        """Ask again at the same step with this answer, of "person" or "data"."""
        hand = self._hand
        if hand is None or hand.asking is None or not words.strip():
            return
        hand.trial = replace(hand.trial, answer=words, by=by)
        hand.turns = [*trial_words.closed(hand.turns), trial_words.say_turn(words, by, hand.trial.step)]
        hand.request = question_trials.answered(hand.request, hand.trial.question, words)
        hand.asking = None
        if self.page is not None:
            self.page.set_busy(True)
            self.page.set_words(SECOND)
        self._put(hand, replied=True)

    def _answer_from_data(self) -> None:
        if self._hand is not None and self._hand.asking is not None:
            self.answer(self._hand.asking.from_data, trial_words.DATA)

    def _end(self, hand: _TrialInHand) -> None:
        """Keep what came of it."""
        trial = hand.trial
        hand.model.close()
        self._kept[trial.step] = trial
        self._rest("")
        self._show()
        if self.page is not None:  # as it was told, with what the workbench said of it
            self.page.show_trial(hand.turns, None, trial_words.recorded_rows(hand.episode, trial.step))
        self._hand = None
        self.changed.emit()
        self._context.start("keep question", lambda _token: question_trials.keep(trial), lane="writer")

    def _failed(self, error: Exception) -> None:
        self._drop()
        words = str(error)
        self._rest(words[:1].upper() + words[1:])
        self._show()

    def _rest(self, words: str) -> None:
        if self.page is not None:
            self.page.set_busy(False)
            self.page.set_words(words)

    def _drop(self) -> None:
        """Leave a trial that goes on; nothing more is heard of it."""
        hand, self._hand = self._hand, None
        if hand is not None:
            hand.model.close()
            self._rest("")

    # Showing ---------------------------------------------------------------------------------------------------------

    def _episode_changed(self) -> None:
        """Leave what belongs to the episode before, and read what was tried in this one."""
        self._drop()
        self._kept = {}
        source, episode = self._context.selection.source, self._context.selection.episode
        self._show()
        if self.page is None or source is None or episode is None:
            return
        data = str(source.source.path)

        def arrived(found: dict[int, QuestionTrial]) -> None:
            if self._context.selection.episode is episode:
                self._kept = found | self._kept
                self._show()
                self.changed.emit()

        self._context.start("questions tried", lambda _token: question_trials.kept_trials(data, episode), arrived)

    def _show(self) -> None:
        """Tell what was tried at the step that is shown, or goes on there."""
        step, page = self._context.selection.step, self.page
        if page is None:
            return
        hand = self._hand
        if hand is not None:
            page.show_trial(hand.turns, hand.asking)
            return
        trial = self._kept.get(step.index) if step is not None else None
        episode = self._context.selection.episode
        if trial is None or episode is None:
            page.show_trial((), None)
            return
        info = self._infos.get(trial.model)
        title = info.title if info is not None else trial.model
        turns = trial_words.trial_turns(trial, episode, title, self._letters())
        page.show_trial(turns, None, trial_words.recorded_rows(episode, trial.step))

    def marks_of(self, step: Step) -> tuple[RunMarks, ...]:
        """What the two streams did at this step, in letters that no shown run has."""
        trial = self._hand.trial if self._hand is not None else self._kept.get(step.index)
        if trial is None or trial.step != step.index:
            return ()
        return trial_words.marks_of(trial, self._letters())

    def _step(self, hand: _TrialInHand) -> Step:
        return trial_words.step_of(hand.episode, hand.trial.step)

    def _letters(self) -> trial_words.TrialLetters:
        return trial_words.free_letters(self._context.selection.runs.values())
