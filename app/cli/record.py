"""`stepscope record`: a demonstration recorded from a device without a window.

What a person does on the phone itself cannot be seen from here: actions are given on stdin, a line each, and each line
is answered with one.
"""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.failures import failure_line
from stepscope.app.cli.output import number_of, one_line, print_json, say, tell
from stepscope.app.cli.statuses import DONE, INTERRUPTED, SOME_FAILED
from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.cli import record_words
    from stepscope.app.services.live.recording import RecordingSession
    from stepscope.core.device import recorded as recorder_values
    from stepscope.core.device.device import Device
    from stepscope.core.device.mirror import MirrorState
    from stepscope.core.device.recorded import Survey
    from stepscope.core.device.session import LiveSession
else:
    record_words = lazy_module("stepscope.app.cli.record_words")
    recorder_values = lazy_module("stepscope.core.device.recorded")

HELP = (
    'also: look; undo; redo; note TEXT; goal TEXT; ask "QUESTION"; answer TEXT; say TEXT; pause; resume; login; '
    'login end; done; infeasible impossible|unclear|premature ["QUESTION" …]; discard'
)
_QUOTED = re.compile(r"\"([^\"]*)\"|(\S+)")
_SECONDS = 60.0
"""The longest that one action may take."""


def record(
    serial: Annotated[str, typer.Argument(metavar="SERIAL", help="The device, as 'stepscope devices' lists it.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The recording's folder; new, or empty.")],
    goal: Annotated[str, typer.Option("--goal", metavar="TEXT", help="What is to be reached.")] = "",
    app: Annotated[str | None, typer.Option("--app", metavar="PACKAGE", help="The app it is about.")] = None,
    annotator: Annotated[str, typer.Option("--annotator", metavar="NAME", help="Who demonstrates.")] = "",
    json: JsonFlag = False,
) -> int:
    """Gives 0, 1 when actions could not be done, 130 when interrupted. Raises UserError for a device that cannot be
    opened and a folder that is not empty."""
    from stepscope.app.services.live.devices import open_device
    from stepscope.app.services.live.recording import RecordingSession

    check_new(out)
    device = open_device(serial)
    recording: RecordingSession | None = None
    try:
        facts = device.facts()
        recording = RecordingSession(goal, app=app, device=facts, annotator=annotator, folder=out, on_trouble=_trouble)
        return _RecordingPrompt(device, recording, json).run()
    finally:
        device.close()
        if recording is not None:
            recording.close()


def check_new(folder: Path) -> None:
    """Raise UsageError where a recording cannot be begun."""
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError("the folder is not empty.", place=folder, hint="Name a new one.")
    if folder.exists() and not folder.is_dir():
        raise UsageError("this is a file.", place=folder, hint="Name a new folder.")


def _trouble(error: UserError) -> None:
    tell(f"stepscope: {one_line(failure_line(error))}")


class _RecordingPrompt:
    """Lines in, actions on the device, lines out."""

    def __init__(self, device: Device, recording: RecordingSession, json: bool) -> None:
        from stepscope.core.device.session import LiveSession

        self._recording, self._json = recording, json
        self._session: LiveSession = LiveSession(device, on_state=self._connection)
        self._session.watch_screen = True
        self._device = device
        self._failed = 0
        self._survey: Survey | None = None
        self._ended = self._discarded = False
        self._returns = 0
        """how often the mirror told that the device is there"""
        self._words: dict[str, Callable[[str], str]] = {
            "look": self._look,
            "undo": lambda rest: "taken back; the device stays as it is" if recording.undo() else "nothing to undo",
            "redo": lambda rest: "there again" if recording.redo() else "nothing to redo",
            "note": lambda rest: "noted" if recording.note(rest) else "no step to note anything on",
            "goal": self._goal,
            "ask": self._ask,
            "answer": lambda rest: "answered" if recording.answer(_text(rest)) else "no question waits",
            "say": self._say,
            "pause": lambda rest: self._told(recording.pause, "paused"),
            "resume": lambda rest: self._told(recording.resume, "recording"),
            "login": self._login,
            "done": self._done,
            "infeasible": self._infeasible,
            "discard": self._discard,
            "help": lambda rest: _help(),
        }

    def run(self) -> int:
        self._session.start()
        try:
            with _interruptible():
                tell(f"stepscope: recording; {_help()}")
                for line in _lines():
                    if line and not self._taken(line):
                        break
                self._end()
        except KeyboardInterrupt:
            self._recording.stop(None)
            self._recording.close()
            steps = number_of(len(self._recording.recorded.steps), "steps")
            tell(
                f"stepscope: interrupted with {steps} in {self._recording.folder}. "
                "'stepscope recordings finish' says how it went."
            )
            return INTERRUPTED
        finally:
            self._session.close()
        if self._recording.trouble is not None:
            return SOME_FAILED
        return self._report()

    def _taken(self, line: str) -> bool:
        """Do what a line says and answer it; False when it was the last."""
        word, _, rest = line.partition(" ")
        try:
            work = self._words.get(word)
            self._answer(work(rest.strip()) if work is not None else self._act(line))
        except UserError as error:
            self._failed += 1
            self._answer(f"not done: {one_line(failure_line(error))}")
        return not self._ended and self._recording.trouble is None

    def _act(self, line: str) -> str:
        from stepscope.app.cli.episode import action_words
        from stepscope.core.device.device import DeviceLost
        from stepscope.core.domain.wire import action_to_json

        returns = self._returns
        try:
            seen = self._session.look().result(_SECONDS)
            acted = self._session.act(record_words.action_of(line, seen)).result(_SECONDS)
        except DeviceLost as error:
            if returns == self._returns:  # the mirror, which marks the gap too, may notice later than the next line
                self._recording.lost()
            raise UserError(f"the device is away: {error.message}", hint="Say it again when it is back.") from error
        if not self._recording.record(acted):
            return "done, not recorded"
        step = self._recording.recorded.steps[-1]
        assert step.action is not None
        return f"{step.index}: {action_words(action_to_json(step.action))}"

    def _look(self, rest: str) -> str:
        seen = self._session.look(fresh=True).result(_SECONDS)
        where = f"{seen.activity or 'screen'}, {seen.size}"
        if seen.tree is None:
            return f"{where}, {seen.tree_problem or 'no UI tree'}"
        names = dict.fromkeys(one.label for one in seen.tree if one.visible and one.label)
        return f"{where}, {number_of(len(seen.tree), 'elements')}: {', '.join(names)}"

    def _goal(self, rest: str) -> str:
        self._recording.rename_goal(_text(rest))
        return f"goal: {_text(rest)}"

    def _ask(self, rest: str) -> str:
        if not rest:
            raise UsageError("the question is missing.", hint='Say: ask "Which one?"')
        return "asked" if self._recording.ask(self._session.look().result(_SECONDS), _text(rest)) else "not recorded"

    def _say(self, rest: str) -> str:
        return "said" if self._recording.say(self._session.look().result(_SECONDS), _text(rest)) else "not recorded"

    def _login(self, rest: str) -> str:
        if rest == "end":
            return self._told(self._recording.end_login, "recording")
        return self._told(self._recording.begin_login, "steps are left out until 'login end'")

    def _done(self, rest: str) -> str:
        self._survey = recorder_values.Survey(recorder_values.SurveyOutcome.DONE, "", _several(rest))
        self._ended = True
        return "done"

    def _infeasible(self, rest: str) -> str:
        self._survey = recorder_values.Survey(reason_of(rest), "", _several(rest.partition(" ")[2]))
        self._ended = True
        return f"infeasible, {self._survey.outcome.value}"

    def _discard(self, rest: str) -> str:
        self._ended = self._discarded = True
        return "discarded"

    def _told(self, work: Callable[[], object], words: str) -> str:
        work()
        return words

    def _end(self) -> None:
        """The last screen and the final words."""
        if self._discarded:
            self._recording.discard()
            return
        try:
            seen = self._session.look().result(_SECONDS)
        except UserError:
            seen = None
        self._recording.stop(seen)
        with suppress(UserError):  # told already
            self._recording.finish(self._survey).result(_SECONDS)

    def _report(self) -> int:
        recorded = self._recording.recorded
        actions = sum(step.action is not None and step.action.kind != "finish" for step in recorded.steps)
        folder = "" if self._discarded else str(self._recording.folder)
        form: dict[str, Any] = {
            "path": folder or None,
            "goal": recorded.goal,
            "actions": actions,
            "failed": self._failed,
            "outcome": self._survey.outcome.value if self._survey is not None else None,
        }
        if self._json:
            print_json(form)
        elif folder:
            say(f"{folder}: {number_of(actions, 'actions')}")
        if self._failed:
            tell(f"stepscope: {number_of(self._failed, 'lines')} could not be done; each says why")
        return SOME_FAILED if self._failed else DONE

    def _connection(self, state: MirrorState) -> None:
        from stepscope.core.device.mirror import MirrorPhase

        self._returns += state.phase is MirrorPhase.LIVE
        self._recording.mirror_state(state)

    def _answer(self, text: str) -> None:
        """One line; beside a JSON document it goes to stderr."""
        if self._json:
            tell(one_line(text))
        else:
            say(one_line(text))
            sys.stdout.flush()


def reason_of(rest: str) -> Any:
    """The outcome that the first word names. Raises UsageError for another."""
    word = rest.partition(" ")[0]
    if word not in ("impossible", "unclear", "premature"):
        raise UsageError(
            "why is missing: impossible, unclear or premature.", hint='Say: infeasible unclear "Which one?"'
        )
    return recorder_values.SurveyOutcome(word)


def _help() -> str:
    return f"actions: {record_words.HELP}; {HELP}"


def _text(rest: str) -> str:
    return rest[1:-1] if len(rest) >= 2 and rest[0] == rest[-1] == '"' else rest


def _several(rest: str) -> tuple[str, ...]:
    """Questions in quotes; without quotes all of it is one."""
    if not rest.strip():
        return ()
    if '"' not in rest:
        return (rest.strip(),)
    return tuple(quoted or bare for quoted, bare in _QUOTED.findall(rest))


def _lines() -> Iterator[str]:
    """Lines of stdin without their ends, until it ends."""
    while line := sys.stdin.readline():
        yield line.strip()


@contextmanager
def _interruptible() -> Iterator[None]:
    """SIGINT and SIGTERM raise KeyboardInterrupt, though the shell may have had the first ignored: what waits for a
    line must end at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signal: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
