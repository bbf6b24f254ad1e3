"""A recording on the disk while it is made: every step is saved at once, so that whatever ends the program leaves all
but the current one; and what a program that ended left behind.

Writing happens in one thread of the recording's own, never in the caller's. A disk that is full ends the recording with
one message; what was saved stays.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from stepscope.app.services.live.recordings import RecordingLock, new_folder, put_away
from stepscope.app.services.version import VERSION
from stepscope.core.device.mirror import MirrorPhase, MirrorState
from stepscope.core.device.recorded import RecordingSink, RecordingStatus, Survey
from stepscope.core.device.recorder import Recorder
from stepscope.core.device.session import PerformedAction, ScreenSnapshot
from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Episode, Picture, Step
from stepscope.core.errors import UserError
from stepscope.core.sources.recording_writer import RecordingWriter

T = TypeVar("T")


class RecordingSession:
    """One recording that is made now, in a new folder; methods may be called from any thread and return at once.

    `on_change` is called with the new state in the thread that changed it, `on_saved` with the number of steps that are
    safe in the writing thread, `on_trouble` once, there too, when nothing more can be written. `folder` is the
    recording's own (None: a new one of the user's, named after goal and time). Raises UserError where the folder cannot
    be made.
    """

    def __init__(
        self,
        goal: str,
        *,
        app: str | None = None,
        device: Mapping[str, str] | None = None,
        annotator: str = "",
        folder: Path | None = None,
        on_change: Callable[[RecordingStatus], object] = lambda recorded: None,
        on_saved: Callable[[int], object] = lambda steps: None,
        on_trouble: Callable[[UserError], object] = lambda error: None,
        durable: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder = new_folder(goal) if folder is None else folder
        self._writer = RecordingWriter(self.folder, durable=durable)
        self._hold = RecordingLock(self.folder)
        self._writing = ThreadPoolExecutor(1, "recording")
        self._on_change, self._on_saved, self._on_trouble = on_change, on_saved, on_trouble
        self._facts: dict[str, object] = {"app_version": VERSION, "annotator": annotator, "begun": _now()}
        self._lock = threading.RLock()
        self._ended = False
        self._saves = 0
        self._trouble: UserError | None = None
        self._saved = 0
        self._recorder = Recorder(goal, _WriterSink(self._writer, self._submit), app=app, device=device, clock=clock)
        self._change(lambda: None)

    @property
    def recorded(self) -> RecordingStatus:
        """The recording as it is now."""
        with self._lock:
            return self._recorder.recorded

    @property
    def seconds(self) -> float:
        """How long it has been recording, without pauses."""
        return self._recorder.seconds

    @property
    def trouble(self) -> UserError | None:
        """Why nothing more is written, None as long as all is well."""
        return self._trouble

    def steps_with_pictures(self) -> tuple[Step, ...]:
        """The steps so far, each with its picture where that is written."""
        return tuple(self._pictured(step) for step in self.recorded.steps)

    def _pictured(self, step: Step) -> Step:
        path, seen = self.picture_of(step.index), step.observation
        return step if path is None else replace(step, observation=replace(seen, screenshot=Picture(path, seen.size)))

    def picture_of(self, index: int) -> Path | None:
        """Where the picture of step `index` lies, None where it has none or is not written yet."""
        return self._writer.picture_of(index)

    # What is recorded -------------------------------------------------------------------------------------------------

    def add(
        self, seen: ScreenSnapshot, action: Action, *, at: float | None = None, instruction: str | None = None
    ) -> bool:
        """Add a step as `Recorder.add` does; False too when nothing can be written any more."""
        return self._change(lambda: self._recorder.add(seen, action, at=at, instruction=instruction))

    def record(self, acted: PerformedAction) -> bool:
        """What a session did, where it looked at the screen before."""
        return acted.before is not None and self.add(acted.before, acted.action, at=acted.at)

    def ask(self, seen: ScreenSnapshot, question: str, kind: str = "") -> bool:
        return self._change(lambda: self._recorder.ask(seen, question, kind))

    def answer(self, text: str) -> bool:
        return self._change(lambda: self._recorder.answer(text))

    def say(self, seen: ScreenSnapshot, text: str) -> bool:
        return self._change(lambda: self._recorder.say(seen, text))

    def note(self, text: str, number: int | None = None) -> bool:
        return self._change(lambda: self._recorder.note(text, number))

    def undo(self) -> bool:
        return self._change(self._recorder.undo)

    def redo(self) -> bool:
        return self._change(self._recorder.redo)

    def pause(self) -> None:
        self._change(self._recorder.pause)

    def resume(self) -> None:
        self._change(self._recorder.resume)

    def begin_login(self) -> None:
        self._change(self._recorder.begin_login)

    def end_login(self) -> None:
        self._change(self._recorder.end_login)

    def lost(self) -> None:
        """The device has gone; said again it changes nothing."""
        self._change(self._recorder.lost)

    def mirror_state(self, state: MirrorState) -> None:
        """The connection is lost or back."""
        if state.phase is MirrorPhase.LOST:
            self.lost()
        elif state.phase is MirrorPhase.LIVE and self.recorded.away:
            self._change(self._recorder.found)

    def rename_goal(self, goal: str) -> None:
        """The goal in other words."""

        def renamed() -> None:
            self._recorder.goal = goal

        self._change(renamed)

    # The end ----------------------------------------------------------------------------------------------------------

    def stop(self, seen: ScreenSnapshot | None) -> None:
        """Take no more steps; `seen` is the screen after the last action. The survey is still to come."""
        self._change(lambda: self._recorder.stop(seen))

    def finish(self, survey: Survey | None) -> Future[Path]:
        """Write the final words; the future gives the folder, or raises what kept them from being written. Without a
        survey the recording has no feasibility label."""
        with self._lock:
            self._ended = True
            self._recorder.stop(None)
            if survey is not None:
                self._recorder.answer_survey(survey)
            self._facts["finished"] = True
            self._save()
            done = self._writing.submit(self._end)
            self._writing.shutdown(wait=False)
            recorded = self._recorder.recorded
        self._on_change(recorded)
        return done

    def close(self) -> None:
        """Leave it as it is, to be found and finished later; waits for what is being written."""
        with self._lock:
            self._ended = True
        self._writing.shutdown(wait=True)
        self._hold.release()

    def discard(self) -> None:
        """Remove the recording and its folder; waits for what is being written."""
        self.close()
        put_away(self.folder)

    # Writing ----------------------------------------------------------------------------------------------------------

    def _change(self, change: Callable[[], T]) -> T | bool:
        """Make a change and have it saved."""
        with self._lock:
            if self._trouble is not None or self._ended:
                return False
            value = change()
            self._save()
            recorded = self._recorder.recorded
        self._on_change(recorded)
        return value

    def _save(self) -> None:
        """Have the words saved; those of an older state are not waited for when newer ones are there."""
        self._saves += 1
        ticket, episode = self._saves, self._recorder.episode(self.folder.name)
        meta = {**self._facts, **self._recorder.meta()}

        def save() -> None:
            if ticket == self._saves:
                self._write_words(episode, meta)

        self._submit(save)

    def _write_words(self, episode: Episode, meta: Mapping[str, Any]) -> None:
        self._writer.meta.update(meta)
        self._writer.save(episode)
        self._saved = len(episode.steps)
        self._on_saved(self._saved)

    def _submit(self, work: Callable[[], object]) -> None:
        self._writing.submit(self._guarded, work)

    def _guarded(self, work: Callable[[], object]) -> None:
        """Do the work in the writing thread; after the first failure nothing more is written."""
        if self._trouble is not None:
            return
        try:
            work()
        except UserError as error:
            self._trouble = self._ending(error)
            self._on_trouble(self._trouble)

    def _ending(self, error: UserError) -> UserError:
        if not self.folder.is_dir():
            kept = "Its folder is gone, with everything that was in it."
        else:
            kept = f"Everything up to step {self._saved} is kept." if self._saved else "Nothing is kept."
        return UserError(f"the recording ended: {error.message}", place=error.place, hint=kept)

    def _end(self) -> Path:
        if self._trouble is None:
            self._writer.tidy()
        self._hold.release()
        if self._trouble is not None:
            raise self._trouble
        return self.folder


class _WriterSink(RecordingSink):
    """Steps on their way to the writer."""

    def __init__(self, writer: RecordingWriter, submit: Callable[[Callable[[], object]], None]) -> None:
        self._writer, self._submit = writer, submit

    def keep(self, step: Step, picture: Callable[[], bytes | None] | None) -> None:
        self._submit(lambda: self._writer.add(step, picture() if picture is not None else None))

    def amend(self, step: Step) -> None:
        self._submit(lambda: self._writer.amend(step))

    def drop(self) -> None:
        self._submit(self._writer.drop)

    def restore(self) -> None:
        self._submit(self._writer.restore)


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")
