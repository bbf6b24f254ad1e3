"""Children are launched, killed with all that they started, and leave their last words."""

from __future__ import annotations

import io
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence

import pytest

from stepscope.core.process import children
from stepscope.core.process.children import Child

PATIENCE = 30.0
STUBBORN = (
    "import signal, subprocess, sys\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "below = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
    "print(below.pid, flush=True)\n"
    "signal.pause()"
)
on_linux = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="looks at processes as Linux shows them")


class Launcher:
    """Launches code as a child and sees to its end."""

    def __init__(self) -> None:
        self.launched: list[Child] = []

    def __call__(self, code: str, *, errors: io.BufferedRandom | int | None = None, own_session: bool = False) -> Child:
        child = children.launch([sys.executable, "-c", code], errors=errors, own_session=own_session)
        self.launched.append(child)
        return child


@pytest.fixture
def launch() -> Iterator[Launcher]:
    launcher = Launcher()
    yield launcher
    for child in launcher.launched:
        children.end(child)


def said(child: Child) -> bytes:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def ended(descriptors: Sequence[int]) -> bool:
    """Whether the processes behind these descriptors end in time."""
    return all(select.select([descriptor], [], [], PATIENCE)[0] for descriptor in descriptors)


def test_a_program_that_is_not_there_cannot_be_launched() -> None:
    with pytest.raises(FileNotFoundError):
        children.launch(["/nowhere/to/be/found"])


def test_a_child_finds_this_program_and_what_lies_at_its_places(launch: Launcher) -> None:
    code = "import sys, stepscope.core.process; print('/some/where' in sys.path)"
    child = children.launch([sys.executable, "-c", code], places=["/some/where"])
    assert said(child) == b"True"
    children.end(child)


@on_linux
def test_what_ignores_sigterm_is_killed_with_all_that_it_started(launch: Launcher) -> None:
    child = launch(STUBBORN, own_session=True)
    descriptors = [os.pidfd_open(child.pid), os.pidfd_open(int(said(child)))]
    child.terminate()
    children.kill_group(child)
    assert child.wait(PATIENCE) == -signal.SIGKILL and ended(descriptors)
    children.kill_group(child)  # of one that is gone nothing comes
    for descriptor in descriptors:
        os.close(descriptor)


@on_linux
def test_what_a_child_leaves_behind_does_not_hold_up_its_end(launch: Launcher) -> None:
    """It keeps the pipe open, on which the reader waits."""
    child = launch(STUBBORN)
    left = int(said(child))
    assert child.stdout is not None
    reader = threading.Thread(target=child.stdout.read, daemon=True)
    reader.start()
    children.end(child, reader, 0.01)
    assert child.returncode == -signal.SIGKILL and reader.is_alive()
    assert child.stdin is not None and child.stdin.closed and not child.stdout.closed
    os.kill(left, signal.SIGKILL)
    reader.join(PATIENCE)
    assert not reader.is_alive()


def test_the_pipes_of_a_child_are_closed_at_its_end(launch: Launcher) -> None:
    child = launch("input()")
    children.end(child)
    assert child.returncode is not None
    assert child.stdin is not None and child.stdin.closed and child.stdout is not None and child.stdout.closed
    children.end(child)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise SystemExit('no browser here')", "no browser here"),
        ("import sys; print('the cause', file=sys.stderr); print('  ', file=sys.stderr)", "the cause"),
        ("import sys; print('x' * 5000, file=sys.stderr); print('  at last ', file=sys.stderr)", "at last"),
        ("import sys; sys.stderr.buffer.write(b'half \\xff a letter')", "half � a letter"),
        ("", ""),
    ],
)
def test_the_last_words_are_the_last_line_with_anything_in_it(launch: Launcher, code: str, words: str) -> None:
    with tempfile.TemporaryFile() as log:
        launch(code, errors=log.fileno()).wait(PATIENCE)
        assert children.last_line(log) == words


def test_a_process_keeps_its_streams_for_the_talk() -> None:
    code = (
        "from stepscope.core.process.own_streams import own_input, own_output\n"
        "asked, answers = own_input(), own_output()\n"
        "print('a print'); print('read:', repr(__import__('sys').stdin.read()))\n"
        "answers.write(asked.readline().upper())"
    )
    command, room = [sys.executable, "-c", code], children.environment()
    done = subprocess.run(command, input=b"a question\n", capture_output=True, env=room, check=True)
    assert done.stdout == b"A QUESTION\n"
    assert done.stderr.split(b"\n")[:2] == [b"a print", b"read: ''"]
