"""Talks in pickles end with what was asked, with the child, or with the first nonsense."""

from __future__ import annotations

import pickle
import queue
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from stepscope.core.process import children, pickled
from stepscope.core.process.pickled import AnswerReader, TalkEnded

PATIENCE = 30.0
HEAD = (
    "import pickle, sys\n"
    "def tell(what): sys.stdout.buffer.write(pickle.dumps(what)); sys.stdout.flush()\n"
    "def asked(): return pickle.load(sys.stdin.buffer)\n"
)

Listens = Callable[..., AnswerReader]


@pytest.fixture
def listens() -> Iterator[Listens]:
    """A child that runs this code, with its reader."""
    launched = []

    def listen(code: str, message: object = None, **how: Any) -> AnswerReader:
        child = children.launch([sys.executable, "-c", HEAD + code])
        reader = AnswerReader(child, "answers", **how)
        launched.append((child, reader))
        reader.start()
        pickled.send(child, message)
        return reader

    yield listen
    for child, reader in launched:
        children.end(child, reader, PATIENCE)


def rest(reader: AnswerReader) -> list[Any]:
    """All that came, once nothing more can come."""
    reader.join(PATIENCE)
    assert not reader.is_alive()
    found = []
    while True:
        try:
            found.append(reader.answers.get_nowait())
        except queue.Empty:
            return found


def test_answers_come_up_to_the_last(listens: Listens) -> None:
    assert rest(listens("tell(asked()); tell(2); tell(None); tell('too late')", "one")) == ["one", 2, None]


def test_an_error_is_the_last_answer(listens: Listens) -> None:
    *_, error = rest(listens("tell(1); tell(ValueError('no')); tell(2)"))
    assert isinstance(error, ValueError) and str(error) == "no"


def test_a_child_that_dies_ends_the_talk_without_a_reproach(listens: Listens) -> None:
    first, ended = rest(listens("tell(1); sys.exit(3)"))
    assert first == 1 and isinstance(ended, TalkEnded) and not ended.nonsense


@pytest.mark.parametrize(
    "code",
    [
        "sys.stdout.write('no pickle at all' * 100)",
        "sys.stdout.buffer.write(b'cnowhere\\nat_all\\n.')",
        "sys.stdout.buffer.write(pickle.dumps([1, 2, 3])[:-3] + b'\\xff' * 10)",
    ],
    ids=["no pickle", "no such module", "torn"],
)
def test_what_makes_no_sense_ends_the_talk_in_words(listens: Listens, code: str) -> None:
    (ended,) = rest(listens(f"{code}; sys.stdout.flush(); sys.stdin.read()"))
    assert isinstance(ended, TalkEnded) and ended.nonsense


def test_a_huge_answer_comes_whole(listens: Listens) -> None:
    answer, end = rest(listens("tell(b'x' * (64 << 20)); tell(None)"))
    assert len(answer) == 64 << 20 and end is None


def test_who_reads_may_take_only_what_it_knows(listens: Listens) -> None:
    class Plain(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            raise pickle.UnpicklingError(f"{module}.{name} is not for here")

    reader = listens(
        "tell(None); tell([1]); tell(ValueError())", last=lambda _: False, load=lambda stream: Plain(stream).load()
    )
    first, second, ended = rest(reader)
    assert (first, second) == (None, [1])
    assert isinstance(ended, TalkEnded) and ended.nonsense == "builtins.ValueError is not for here"


def test_a_dead_child_is_told_without_a_word() -> None:
    child = children.launch([sys.executable, "-c", ""])
    child.wait(PATIENCE)
    pickled.send(child, b"x" * (1 << 20))
    children.end(child)
    pickled.send(child, "after its pipes were closed")
