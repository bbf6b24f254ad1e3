"""Talks in lines: answers find their questions, nonsense finds nobody, and every end is told in words."""

from __future__ import annotations

import os
import queue
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from stepscope.core import limits
from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.process.conversation import Line, LineConversation, Speaker

PATIENCE = 30.0
HEAD = """
import json, signal, subprocess, sys
def tell(**what): print(json.dumps(what), flush=True)
def orders():
    for line in sys.stdin:
        yield json.loads(line)
"""
ECHO = """
tell(ready=True)
for order in orders():
    if order["do"] == "echo":
        tell(id=order["id"], value=order["what"])
    elif order["do"] == "refuse":
        tell(id=order["id"], error="no")
"""


class LostError(UserError):
    """The other side is gone."""


class RefusalError(UserError):
    """The other side refuses an order."""


SPEAKER = Speaker(
    "The echo", "The cave", "Echoes need a cave", "echo", LostError, lambda line: RefusalError(line["error"])
)


class Talk(LineConversation):
    """A conversation with a child that runs this code."""

    def __init__(self, code: str) -> None:
        self.news: queue.SimpleQueue[Line] = queue.SimpleQueue()
        super().__init__(SPEAKER, self.news.put)
        self.code = code

    def begin(self, seconds: float = PATIENCE) -> Line:
        return self.start([sys.executable, "-c", HEAD + self.code], (), seconds)

    def next(self, key: str) -> Line:
        """The next line that has this key."""
        while key not in (line := self.news.get(timeout=PATIENCE)):
            pass
        return line


@pytest.fixture
def talks() -> Iterator[Callable[[str], Talk]]:
    made: list[Talk] = []

    def talk(code: str) -> Talk:
        made.append(Talk(code))
        return made[-1]

    yield talk
    for one in made:
        one.kill("The test is over.")
        assert one.pid is None and one.over


Talks = Callable[[str], Talk]


def test_answers_find_their_questions(talks: Talks) -> None:
    talk = talks(ECHO)
    assert not talk.begun and talk.pid is None
    assert talk.begin() == {"ready": True}
    assert talk.begun and talk.pid is not None
    threads = [threading.Thread(target=lambda: talk.ask("echo", PATIENCE, what="there")) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert talk.ask("echo", PATIENCE, what="hällo 漢") == "hällo 漢"
    for thread in threads:
        thread.join(PATIENCE)
    with pytest.raises(RefusalError, match="no"):
        talk.ask("refuse", PATIENCE)


def test_a_program_that_is_not_there_is_no_talk() -> None:
    talk = LineConversation(SPEAKER, lambda line: None)
    with pytest.raises(FileNotFoundError):
        talk.start(["/nowhere/to/be/found"], (), PATIENCE)
    talk.kill("It was not there.")
    with pytest.raises(LostError, match="It was not there"):
        talk.ask("echo", PATIENCE)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("sys.exit('the roof came down')", r"The cave has ended \(exit status 1\): the roof came down$"),
        ("sys.exit(3)", r"The cave has ended \(exit status 3\)\.$"),
        ("print('a warning', file=sys.stderr)", r"The cave has ended \(exit status 0\)\.$"),
    ],
)
def test_one_that_ends_before_it_is_ready_leaves_its_last_words(talks: Talks, code: str, words: str) -> None:
    talk = talks(code)
    with pytest.raises(LostError, match=words):
        talk.begin()
    assert talk.next("ended")["ended"] == talk.why


def test_one_that_lacks_something_says_so(talks: Talks) -> None:
    with pytest.raises(UnavailableError, match="Echoes need a cave that is not installed: no stone"):
        talks("tell(unavailable='no stone')").begin()
    with pytest.raises(UnavailableError) as caught:
        talks("tell(unavailable='libnss3.so: no such file')").begin()
    assert "system library" in caught.value.hint


def test_one_that_is_never_ready_is_given_up(talks: Talks) -> None:
    talk = talks("sys.stdin.read()")
    with pytest.raises(TimeoutError):
        talk.begin(0.01)
    talk.kill("It has not begun.")
    with pytest.raises(LostError, match="It has not begun"):
        talk.ask("echo", PATIENCE)


def test_a_question_that_was_given_up_is_answered_to_nobody(talks: Talks) -> None:
    late = "first = next(work)\nsecond = next(work)\ntell(id=first['id'], value='late')\n"
    talk = talks(f"tell(ready=True)\nwork = orders()\n{late}tell(id=second['id'], value='in time')\nsys.stdin.read()")
    talk.begin()
    with pytest.raises(TimeoutError):
        talk.ask("first", 0.01)
    assert talk.ask("second", PATIENCE) == "in time"
    assert talk.pid is not None, "who gives up a question says what becomes of the child"


def test_what_is_no_answer_is_passed_over(talks: Talks) -> None:
    nonsense = (
        "print('no JSON'); print('[1, 2]'); print('7'); print('[' * 100000); print('\"id\"')\n"
        "sys.stdout.flush(); sys.stdout.buffer.write(b'\\xff\\xfe\\n')\n"
        "tell(id=4711, value='to whom?'); tell(ready='again'); tell(id=order['id'])\n"
    )
    talk = talks(
        "tell(ready=True)\norder = next(orders())\n" + nonsense + "tell(id=order['id'], value=1); sys.stdin.read()"
    )
    talk.begin()
    assert talk.ask("anything", PATIENCE) == 1


def test_news_are_told_before_answers_and_the_end_once(talks: Talks) -> None:
    talk = talks("tell(ready=True)\ntell(frame=1)\norder = next(orders())\ntell(id=order['id'], value=2, frame=2)")
    talk.begin()
    assert talk.ask("look", PATIENCE) == 2
    told = [talk.news.get(timeout=PATIENCE) for _ in range(4)]
    assert [line.get("frame") for line in told] == [None, 1, 2, None] and "ended" in told[3]
    talk.kill("Too late.")
    assert talk.why.startswith("The cave has ended") and talk.news.empty()


def test_who_waits_learns_of_the_death(talks: Talks) -> None:
    talk = talks("tell(ready=True)\nnext(orders())\nsys.exit('the roof came down')")
    talk.begin()
    with pytest.raises(LostError, match="the roof came down"):
        talk.ask("anything", PATIENCE)
    with pytest.raises(LostError, match="the roof came down"):
        talk.tell(do="anything")


def test_killing_ends_who_waits_with_the_reason_that_was_first(talks: Talks) -> None:
    talk = talks("tell(ready=True)\nfor order in orders():\n    tell(heard=order['do'])")
    talk.begin()
    errors: queue.SimpleQueue[UserError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            talk.ask("wait", PATIENCE)
        except LostError as error:
            errors.put(error)

    waiting = threading.Thread(target=ask)
    waiting.start()
    talk.next("heard")
    talk.kill("Enough.")
    talk.kill("Another reason.")
    assert errors.get(timeout=PATIENCE).message == "Enough."
    waiting.join(PATIENCE)


def test_killed_before_it_began_it_never_begins(talks: Talks) -> None:
    talk = talks(ECHO)
    talk.kill("Not wanted.")
    assert talk.next("ended") == {"ended": "Not wanted."}
    with pytest.raises(LostError, match="Not wanted"):
        talk.begin()
    assert talk.pid is None


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="looks at processes as Linux shows them")
def test_one_that_ignores_sigterm_is_killed_with_all_that_it_started(talks: Talks) -> None:
    talk = talks(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "below = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
        "tell(ready=below.pid)\nsignal.pause()"
    )
    descriptors = [os.pidfd_open(pid) for pid in (talk.begin()["ready"], talk.pid or 0)]
    os.kill(talk.pid or 0, signal.SIGTERM)
    talk.kill("Enough.")
    for descriptor in descriptors:
        assert select.select([descriptor], [], [], PATIENCE)[0], "it lives on"
        os.close(descriptor)


def test_a_huge_answer_comes_whole_and_one_beyond_the_bound_ends_the_talk(talks: Talks) -> None:
    limits.choose({"page-answer-bytes": 1 << 20})
    try:
        talk = talks("tell(ready=True)\nfor order in orders():\n    tell(id=order['id'], value='x' * order['size'])")
        talk.begin()
        assert len(talk.ask("much", PATIENCE, size=1_000_000)) == 1_000_000
        with pytest.raises(
            LostError, match=r"The echo told more than 1 MB at once and was ended\. .*page-answer-bytes"
        ):
            talk.ask("much", PATIENCE, size=3_000_000)
        assert talk.pid is None
    finally:
        limits.choose({})


@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is known on Linux")
def test_one_that_takes_too_much_memory_is_killed_in_words(talks: Talks) -> None:
    limits.choose({"page-memory": 60 << 20})
    try:
        talk = talks("tell(ready=True)\nnext(orders())\nmuch = b'x' * (300 << 20)\nsys.stdin.read()")
        talk.begin()
        words = r"The echo took more than 60 MB of memory \(.*\) and was ended\. .*page-memory"
        with pytest.raises(LostError, match=words):
            talk.ask("grow", PATIENCE)
    finally:
        limits.choose({})


def test_a_kill_while_the_reader_is_being_started_waits_for_it(talks: Talks, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that is closed while its browser starts."""
    talk, starting = talks("tell(ready=True)\nsys.stdin.read()"), threading.Event()
    start, ended = threading.Thread.start, threading.Event()

    def slowly(thread: threading.Thread) -> None:
        if thread.name == SPEAKER.thread:
            starting.set()
            ended.wait(0.3)  # the other thread is at its kill by then, or waits for this one
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", slowly)
    raised: list[BaseException] = []

    def begin() -> None:
        try:
            talk.begin()
        except LostError as error:
            raised.append(error)

    beginning = threading.Thread(target=begin, name="beginning")
    beginning.start()
    assert starting.wait(PATIENCE)
    talk.kill("It was closed.")
    ended.set()
    beginning.join(PATIENCE)
    assert talk.pid is None and not any(one.name == SPEAKER.thread for one in threading.enumerate())
    assert [str(one) for one in raised] in (["It was closed."], [])
