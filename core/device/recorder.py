"""The record of one demonstration, step by step: pure state, no files.

Each action is kept with the screen and the UI tree *before* it. What leaves is frozen; what is to be stored goes to a
`keep` sink. After MoTIF's collection framework (section 3.1): logging in is left out, and a survey at the end says
whether the goal could be reached, why not, and what one would ask. Times are seconds since the start, without pauses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from stepscope.core.device.password_fields import BULLETS, PasswordFields, RedactedStep
from stepscope.core.device.recorded import (
    NO_LAST_SCREEN,
    Entry,
    EntryKind,
    RecordingSink,
    RecordingStatus,
    Survey,
    SurveyOutcome,
    app_of,
    finishes,
    following,
    problems,
)
from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import Action, AskUser, Finish, FinishStatus, Say, Type, action_rescaled
from stepscope.core.domain.episode import Ask, Episode, Feasibility, Observation, Platform, Problem, Step

RECORDER_VERSION = 1
"""Rises when the same demonstration would be recorded differently."""

_LEFT_OUT = "an action was left out: a password field had the focus, and the screen had no UI tree"


@dataclass
class _RecordingState:
    """All that changes; places in `entries` of steps that were undone wait in `undone`."""

    entries: list[Entry] = field(default_factory=list)
    undone: list[tuple[int, Entry]] = field(default_factory=list)
    numbers: int = 0
    paused_at: float | None = None
    paused_seconds: float = 0.0
    skipped: int = 0
    ended: bool = False
    survey: Survey | None = None


class Recorder:
    """One recording. Not thread-safe: one caller at a time. `clock` counts seconds as the times in `ScreenSnapshot`
    do."""

    def __init__(
        self,
        goal: str,
        sink: RecordingSink,
        *,
        app: str | None = None,
        device: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.goal, self.app, self.device = goal, app, dict(device or {})
        self._sink, self._clock = sink, clock
        self._start = clock()
        self._password_fields = PasswordFields()
        self._state = _RecordingState()

    @property
    def recorded(self) -> RecordingStatus:
        state, last = self._state, self._last_step()
        return RecordingStatus(
            self.goal,
            tuple(state.entries),
            paused=state.paused_at is not None,
            login=self._open(EntryKind.LOGIN) is not None,
            away=self._open(EntryKind.GAP) is not None,
            asking=last.ask.question if last is not None and last.ask is not None and not last.ask.answer else "",
            can_undo=last is not None and not state.ended,
            can_redo=bool(state.undone) and not state.ended,
            survey=state.survey,
        )

    @property
    def seconds(self) -> float:
        """How long it has been recording, without pauses."""
        return self._since(self._clock())

    # Steps ------------------------------------------------------------------------------------------------------------

    def add(
        self, seen: ScreenSnapshot, action: Action, *, at: float | None = None, instruction: str | None = None
    ) -> bool:
        """`action` was done on the screen that `seen` shows, at the time `at` (now). Whether it became a step: not in a
        pause, during a login, after the end, nor as a further letter of a password."""
        state = self._state
        if state.ended:
            return False
        if state.paused_at is not None:
            state.skipped += 1
            return False
        place = self._open(EntryKind.LOGIN)
        if place is not None:
            login = state.entries[place]
            state.entries[place] = replace(login, actions=login.actions + 1)
            return False
        kept = self._password_fields.keep(seen, action_rescaled(action, seen.size))
        when = self._since(self._clock() if at is None else at)
        if kept is None:
            self._append(Entry(self._number(), EntryKind.PAUSE, when, seconds=0.0, actions=1, remark=_LEFT_OUT))
            return False
        if kept.secret and _same_typing(self._last_step(), kept.action):
            return False
        self._add(kept, when, instruction)
        return True

    def ask(self, seen: ScreenSnapshot, question: str, kind: str = "") -> bool:
        """A question to the person, due on the screen that `seen` shows; `kind` as in `Ask`. True when recorded."""
        if not self.add(seen, AskUser(question)):
            return False
        entry = self._state.entries[-1]
        index = entry.step.index if entry.step is not None else 0
        self._state.entries[-1] = replace(entry, ask=Ask(index, question, "", kind))
        return True

    def answer(self, text: str) -> bool:
        """The person's answer to the last question that has none; False where none waits."""
        for place in reversed(range(len(self._state.entries))):
            entry = self._state.entries[place]
            if entry.ask is not None and not entry.ask.answer:
                self._state.entries[place] = replace(entry, ask=replace(entry.ask, answer=text))
                return True
        return False

    def say(self, seen: ScreenSnapshot, text: str) -> bool:
        """Words to the other side that answer no question."""
        return self.add(seen, Say(text))

    def note(self, text: str, number: int | None = None) -> bool:
        """A person's note on the step of that `number`, None for the last one; empty text takes it away. False where
        there is no such step."""
        places = [place for place, entry in enumerate(self._state.entries) if entry.number == number]
        place = self._last_place() if number is None else next(iter(places), None)
        if place is None or self._state.entries[place].step is None:
            return False
        self._state.entries[place] = replace(self._state.entries[place], note=text)
        return True

    def undo(self) -> bool:
        """Take the last step back out of the recording; what it did on the device stays done."""
        place = self._last_place()
        if place is None or self._state.ended:
            return False
        self._state.undone.append((place, self._state.entries.pop(place)))
        self._sink.drop()
        return True

    def redo(self) -> bool:
        if not self._state.undone or self._state.ended:
            return False
        place, entry = self._state.undone.pop()
        self._state.entries.insert(place, entry)
        self._sink.restore()
        return True

    # Pauses -----------------------------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Record nothing until `resume`; the time does not count."""
        if self._state.paused_at is None:
            self._state.paused_at, self._state.skipped = self._clock(), 0

    def resume(self) -> None:
        state = self._state
        if state.paused_at is None:
            return
        seconds = self._clock() - state.paused_at
        when = self._since(state.paused_at)
        state.paused_at = None
        state.paused_seconds += seconds
        if state.skipped:
            things = "1 action was" if state.skipped == 1 else f"{state.skipped} actions were"
            remark = f"{things} done while the recording was paused"
            self._append(Entry(self._number(), EntryKind.PAUSE, when, None, "", None, seconds, state.skipped, remark))

    def begin_login(self) -> None:
        """Steps are left out until `end_login`: logging in is no part of the goal."""
        if self._open(EntryKind.LOGIN) is None and not self._state.ended:
            self._append(Entry(self._number(), EntryKind.LOGIN, self.seconds))

    def end_login(self) -> None:
        self._close(EntryKind.LOGIN)

    def lost(self) -> None:
        """The device has gone."""
        if self._open(EntryKind.GAP) is None and not self._state.ended:
            self._append(Entry(self._number(), EntryKind.GAP, self.seconds))

    def found(self) -> None:
        """The device is back; the time between is marked."""
        self._close(EntryKind.GAP)

    # The end ----------------------------------------------------------------------------------------------------------

    def stop(self, seen: ScreenSnapshot | None) -> None:
        """Take no more steps. `seen` is the screen after the last action, None where it cannot be had."""
        if self._state.ended:
            return
        self.resume()
        self.end_login()
        last = self._last_step()
        if seen is not None and not finishes(last):
            kept = self._password_fields.keep(seen, None)
            if kept is not None:
                self._add(kept, self.seconds, None)
        self._state.ended = True

    def answer_survey(self, survey: Survey) -> None:
        """What the person says of the demonstration; the last screen gets the fitting `finish`. May be said again."""
        self._state.survey = survey
        place = self._last_place()
        entry = self._state.entries[place] if place is not None else None
        if place is None or entry is None or entry.step is None or not self._state.ended:
            return
        if entry.step.action is None or finishes(entry):
            status = FinishStatus.COMPLETE if survey.outcome is SurveyOutcome.DONE else FinishStatus.IMPOSSIBLE
            step = replace(entry.step, action=Finish(status))
            self._state.entries[place] = replace(entry, step=step)
            self._sink.amend(step)

    def episode(self, id: str) -> Episode:
        """The recording as an episode; its steps name no pictures."""
        recorded = self.recorded
        survey, last = recorded.survey, self._last_step()
        found = problems(recorded.entries, id)
        if self._state.ended and last is not None and last.step is not None and last.step.action is not None:
            found += [] if finishes(last) else [Problem(NO_LAST_SCREEN, id, last.step.index, "steps")]
        return Episode(
            id=id,
            format="recording",
            platform=Platform.ANDROID,
            goal=self.goal,
            steps=recorded.steps,
            app=self.app or app_of(recorded.steps),
            feasibility=survey.feasibility if survey is not None else Feasibility(),
            asks=tuple(entry.ask for entry in recorded.entries if entry.ask is not None),
            problems=tuple(found),
        )

    def meta(self) -> dict[str, Any]:
        """What a recording notes beside the episode: device, pauses, logins left out, notes, the survey's why."""
        state = self._state
        paused = state.paused_seconds + (self._clock() - state.paused_at if state.paused_at is not None else 0.0)
        logins = [entry for entry in state.entries if entry.kind is EntryKind.LOGIN]
        notes = [entry for entry in state.entries if entry.note and entry.step is not None]
        survey = state.survey
        return {
            "recorder_version": RECORDER_VERSION,
            "device": self.device,
            "paused_seconds": round(paused, 3),
            "logins": [
                {"step": following(state.entries, one), "actions": one.actions, "seconds": one.seconds}
                for one in logins
            ],
            "notes": [{"step": one.step.index, "text": one.note} for one in notes if one.step is not None],
            "survey": {"outcome": survey.outcome.value, "why": survey.why} if survey is not None else None,
        }

    # Inside -----------------------------------------------------------------------------------------------------------

    def _add(self, kept: RedactedStep, when: float, instruction: str | None) -> None:
        seen = kept.seen
        index = sum(entry.step is not None for entry in self._state.entries)
        observation = Observation(seen.size, None, seen.tree, round(when, 3), seen.activity)
        step = Step(index, observation, kept.action, instruction)
        self._append(Entry(self._number(), EntryKind.STEP, when, step, remark=_remark(kept)))
        self._state.undone.clear()
        self._sink.keep(step, kept.picture)

    def _append(self, entry: Entry) -> None:
        self._state.entries.append(entry)

    def _number(self) -> int:
        self._state.numbers += 1
        return self._state.numbers

    def _since(self, moment: float) -> float:
        paused_at = self._state.paused_at
        until = moment if paused_at is None else min(moment, paused_at)
        return max(until - self._start - self._state.paused_seconds, 0.0)

    def _open(self, kind: EntryKind) -> int | None:
        """Place of the entry of that kind that is not over."""
        found = (place for place, one in enumerate(self._state.entries) if one.kind is kind and one.seconds is None)
        return next(found, None)

    def _close(self, kind: EntryKind) -> None:
        place = self._open(kind)
        if place is not None:
            entry = self._state.entries[place]
            self._state.entries[place] = replace(entry, seconds=round(self.seconds - entry.at, 3))

    def _last_place(self) -> int | None:
        entries = self._state.entries
        return next((place for place in reversed(range(len(entries))) if entries[place].step is not None), None)

    def _last_step(self) -> Entry | None:
        place = self._last_place()
        return self._state.entries[place] if place is not None else None


def _same_typing(last: Entry | None, action: Action | None) -> bool:
    """Whether a password's further letters go into the field that the last step typed into."""
    before = last.step.action if last is not None and last.step is not None else None
    if not isinstance(before, Type) or not isinstance(action, Type) or before.text != BULLETS:
        return False
    one, other = before.target, action.target
    if one is None or other is None:
        return one is other
    return one.box == other.box if one.id is None else one.id == other.id


def _remark(kept: RedactedStep) -> str:
    """What is not as it should be with a step's screen."""
    if kept.picture is None:
        return "the picture was left out: it might have shown a password"
    if kept.seen.tree is None:
        return f"no UI tree: {kept.seen.tree_problem}" if kept.seen.tree_problem else "no UI tree"
    return "" if kept.seen.matched else "the screen did not rest: picture and UI tree may differ"
