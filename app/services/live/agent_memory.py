"""What an agent remembers of its run: what was done, asked and answered, what it proposed first, whether it moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from typing import Protocol

from stepscope.app.services.live.agent_events import QUESTIONS_PER_STEP
from stepscope.app.services.live.agent_screens import signature
from stepscope.app.services.live.agent_words import NO_ANSWERS
from stepscope.app.services.live.predicting import step_request
from stepscope.core.device.recorded import RecordingStatus
from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import Action, AskUser
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.model_name import is_asked
from stepscope.core.domain.prediction import ActionAnswer, Candidate, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest


class AgentRunRecorder(Protocol):
    """The recording that runs beside an agent, as the agent needs it."""

    @property
    def recorded(self) -> RecordingStatus: ...

    def ask(self, seen: ScreenSnapshot, question: str, kind: str = "") -> bool:
        """A question was put: a step of its own. False where it is not recorded."""
        ...

    def answer(self, text: str) -> bool:
        """The person's answer to it."""
        ...

    def say(self, seen: ScreenSnapshot, text: str) -> bool:
        """The agent said something: a step of its own."""
        ...


class Memory:
    """One thread at a time. `predictions` and `questions` are, by step, the first answers of the model and of the one
    that says when to ask, on the screen on which the step was done; `steps` counts what was done."""

    def __init__(self, goal: str, episode: str, app: str | None) -> None:
        self.goal, self.episode, self.app = goal, episode, app
        self.predictions: dict[int, Prediction] = {}
        self.questions: dict[int, Prediction] = {}
        self.history: tuple[Action, ...] = ()
        self.reply: tuple[str, str] | None = None
        """the question of this step with its answer"""
        self.rejected: list[Action] = []
        self.questions_put = 0
        """questions of the agent's own"""
        self.told_to_go_on = False
        """nobody answered its last question: another one here would be one too many"""
        self._put_here = 0
        self._none_left = False
        self.steps = self.index = 0
        """actions that were done; these and questions"""
        self._pending = ""
        self._replies: list[tuple[str, str]] = []
        self._answer: Prediction | None = None
        self._question: Prediction | None = None
        self._mark: Hashable = None
        self._still = 0
        self._doing: tuple[Hashable, Action] | None = None
        self._repeats: Counter[tuple[Hashable, Action]] = Counter()

    def request(self, model: ModelInfo, seen: Observation, step: int) -> StepRequest:
        """What the model is asked. What a person answered is in `reply` at that step; a model with weights or behind a
        server has it under the goal from then on; one by rules, which reads a sentence by a grammar, has it as that
        step's instruction."""
        by_rules, asked = model.runtime == "none", is_asked(model.name)
        replies, reply = self._replies, self.reply
        if not asked:  # that there is no answer is nothing to one that reads no words: it might type them
            replies = [one for one in replies if one[1] not in NO_ANSWERS]
            reply = None if reply is not None and reply[1] in NO_ANSWERS else reply
        elif reply is not None:  # it is told this step's reply in words of its own
            replies = replies[:-1]
        lines = [] if by_rules else [f"Question: {question} Answer: {answer}" for question, answer in replies]
        return step_request(
            seen,
            episode=self.episode,
            step=step,
            goal="\n".join((self.goal, *lines)),
            app=self.app or seen.activity.partition("/")[0] or None,
            history=self.history,
            instruction=reply[1] if reply is not None and by_rules else None,
            reply=reply,
        )

    def answered(self, question: str, answer: str) -> None:
        """A person answered: what the model says from here on counts."""
        self.reply, self._pending, self._answer = (question, answer), "", None
        self._replies.append(self.reply)

    def waits_with(self, question: str) -> bool:
        """Whether it is the question that was put and has no answer yet."""
        return question == self._pending

    def too_many(self, limit: int) -> str:
        """Why the agent may not put another question of its own now, "" where it may."""
        if self.questions_put >= limit:
            self._none_left = True
            return f"{limit} {'question was' if limit == 1 else 'questions were'} put, which is the limit of a task."
        if self._put_here >= QUESTIONS_PER_STEP:
            return f"{QUESTIONS_PER_STEP} questions about one step are the limit."
        return ""

    def count_question(self) -> None:
        """A question of the agent's own is put."""
        self.questions_put += 1
        self._put_here += 1

    def asks(self, step: int, question: str, prediction: Prediction, offers: tuple[Candidate, ...]) -> bool:
        """The question is put as step `step`; False where it is the one that waits already. That the agent asked is
        its answer to this step; `prediction`, what the model said, counts for the one behind it."""
        if self.waits_with(question):
            return False
        self._pending = question
        asking = replace(prediction, step=step, answer=ActionAnswer(AskUser(question), offers))
        self.predictions[step] = asking
        if self._question is not None:
            self.questions[step] = replace(self._question, step=step)
            self._question = None
        self.index += 1
        return True

    def proposed(self, prediction: Prediction) -> None:
        """The model's answer on this screen; only the first one counts as its answer to the step."""
        self._answer = self._answer or prediction

    def asked(self, prediction: Prediction) -> None:
        """Likewise of the one that says when to ask."""
        self._question = self._question or prediction

    def new_screen(self) -> None:
        """The step will be done on another screen than was looked at: the answers on that one do not count."""
        self._answer = self._question = None

    def begin(self, step: int, action: Action, seen: ScreenSnapshot | None) -> None:
        """The action is on its way; `seen` is None where a person chose it freely."""
        for kept, answer in ((self.predictions, self._answer), (self.questions, self._question)):
            kept.pop(step, None)  # of a step that was taken back
            if answer is not None:
                kept[step] = replace(answer, step=step)
        self._mark = signature(seen) if seen is not None else None
        self._doing = (self._mark, action) if seen is not None else None

    def undone(self, step: int) -> None:
        """The action was not done after all."""
        self.predictions.pop(step, None)
        self.questions.pop(step, None)
        self._mark = self._doing = None

    def done(self, action: Action) -> None:
        """Forget what was asked and rejected at the step: an action was done."""
        if self._doing is not None:
            self._repeats[self._doing] += 1
        self.history += (action,)
        self.steps += 1
        self.index += 1
        self.reply, self._pending = None, ""
        self._put_here, self.told_to_go_on = 0, self.told_to_go_on and self._none_left
        self.rejected.clear()
        self.new_screen()

    def still(self, seen: ScreenSnapshot) -> int:
        """How many actions in a row have changed nothing, up to this look."""
        if self._mark is not None:
            self._still = self._still + 1 if signature(seen) == self._mark else 0
        self._mark = None
        return self._still

    def repeats(self, action: Action, seen: ScreenSnapshot) -> int:
        """How often the action was done on this same screen."""
        return self._repeats[signature(seen), action]

    def forgive(self) -> None:
        """A person has it go on: what stood still before does not count."""
        self._still, self._mark = 0, None
        self._repeats.clear()
