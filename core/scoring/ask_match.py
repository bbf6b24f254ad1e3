"""The rule of `ask`: success of steps and timing of questions in one episode, with or without the second stream.

Source: Navi-plus, section 2.3 (Dual-Stream Trajectory Evaluation), algorithm 1 and appendix F (paper). What the text
leaves open is settled as docs/protocols/ask.md says (ours). Knows neither files nor texts' likeness.
"""

from __future__ import annotations

from typing import NamedTuple

from stepscope.core.scoring.fields import Identity


class AskStep(NamedTuple):
    """A step of a stream with what was done there. `correct` is the record's word on the operational action."""

    step: int
    ask: bool
    correct: bool
    question: str | None = None


class AskEpisode(NamedTuple):
    """`ask_step` is the annotated ASK step j, None when nothing is missing. `first` has every step from its first to
    its last; `second` some steps, rising. `reference_steps`: how many steps the episode has, where that is known."""

    line: int
    id: Identity
    ask_step: int | None
    first: tuple[AskStep, ...] | None
    second: tuple[AskStep, ...] | None
    reference_question: str | None = None
    reference_steps: int | None = None

    @property
    def start(self) -> int:
        """Number of the first step."""
        return self.first[0].step if self.first else 0

    @property
    def last(self) -> int:
        """Number of the last step that the first stream reached; one less than `start` when it reached none."""
        return self.first[-1].step if self.first else self.start - 1

    @property
    def end(self) -> int:
        """One more than the number of the last step that is known to belong to the episode."""
        known = self.start + (self.reference_steps or 0)
        return max(self.last + 1, known, 0 if self.ask_step is None else self.ask_step + 1)


class AskVerdict(NamedTuple):
    """Counts of one episode: right steps of all, of those before and of those after the ASK step; timing. `counted` is
    the step whose ask is the true positive, None without one."""

    right: int
    steps: int
    right_before: int
    before: int
    right_after: int
    after: int
    tp: int
    fp: int
    fn: int
    tn: int
    early: int
    counted: int | None


def judge_episode(episode: AskEpisode, *, dual: bool, credit: bool) -> AskVerdict | None:
    """The episode's verdict; None when it is unscored, since no step is known. `credit` matters only with `dual`."""
    if episode.end == episode.start:
        return None
    due = episode.ask_step
    first = episode.first or ()
    asks = [step.step for step in first if step.ask]
    early = [step for step in asks if due is not None and step < due] if dual else []
    right = _right_steps(episode, early, asked_when_due=due in asks)
    before = sum(step < due for step in right) if due is not None else 0
    after = sum(step > due for step in right) if due is not None else 0
    reached = due is not None and episode.start <= due <= episode.last
    # An ask that came too early is booked on j: where j was not reached there is nothing to book it on.
    counted = early[0] if credit and early and reached else due if due in asks else None
    fp = len(asks) - len(early) - (due in asks)
    return AskVerdict(
        right=len(right),
        steps=episode.end - episode.start,
        right_before=before,
        before=due - episode.start if due is not None else 0,
        right_after=after,
        after=episode.end - due - 1 if due is not None else 0,
        tp=int(counted is not None),
        fp=fp,
        fn=int(reached and counted is None),
        tn=len(first) - reached - fp,
        early=len(early),
        counted=counted,
    )


def _right_steps(episode: AskEpisode, early: list[int], *, asked_when_due: bool) -> list[int]:
    """Numbers of the right steps. Steps that the first stream did not reach are wrong, whatever the second did."""
    due, replaced = episode.ask_step, dict[int, bool]()
    if early and due is not None:
        # The second stream runs from the first ask that came too early up to the annotated step.
        replaced = {step.step: step.correct for step in episode.second or () if early[0] <= step.step <= due}
    if due is not None:
        replaced[due] = asked_when_due or bool(early)
    return [step.step for step in episode.first or () if replaced.get(step.step, step.correct)]
