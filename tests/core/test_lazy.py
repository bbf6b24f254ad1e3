"""Modules that are imported when they are first used."""

from __future__ import annotations

import inspect
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

from stepscope.core.lazy import lazy_module


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module that nobody has imported yet."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "a_library_of_the_test.py").write_text("class Trouble(Exception):\n    pass\n\n\nVALUE = 3\n")
    monkeypatch.delitem(sys.modules, "a_library_of_the_test", raising=False)
    return "a_library_of_the_test"


def test_it_is_imported_when_it_is_used(library: str) -> None:
    lazy = lazy_module(library)
    assert library not in sys.modules and library in repr(lazy)
    assert lazy.VALUE == 3
    assert library in sys.modules


def test_looking_at_it_is_not_using_it(library: str) -> None:
    lazy = lazy_module(library)
    assert inspect.unwrap(lazy) is lazy
    with pytest.raises(TypeError):
        issubclass(lazy, int)
    assert library not in sys.modules


def test_what_it_gives_is_the_module_s_own(library: str) -> None:
    lazy = lazy_module(library)
    with pytest.raises(lazy.Trouble):
        raise sys.modules[library].Trouble
    assert isinstance(lazy.Trouble(), sys.modules[library].Trouble)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = lazy.nothing


def test_a_library_that_is_not_there_is_missed_where_it_is_used() -> None:
    lazy = lazy_module("a_library_that_nobody_has")
    with pytest.raises(ModuleNotFoundError, match="a_library_that_nobody_has"):
        _ = lazy.VALUE


def test_what_stands_in_for_it_is_used(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = lazy_module(library)
    assert lazy.VALUE == 3
    other = ModuleType(library)
    other.VALUE = 4  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, library, other)
    assert lazy.VALUE == 4
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ModuleNotFoundError):
        _ = lazy.VALUE


def test_a_second_thread_waits_until_the_import_has_ended(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first thread is held inside the import; whoever comes meanwhile gets no half of the module."""
    started, released = threading.Event(), threading.Event()
    hold = ModuleType("what_holds_the_import")
    hold.started, hold.released = started, released  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, hold.__name__, hold)
    source = "import what_holds_the_import as hold\nhold.started.set()\nhold.released.wait(10)\nVALUE = 3\n"
    (tmp_path / f"{library}.py").write_text(source)
    lazy = lazy_module(library)
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(lazy.VALUE)) for _ in range(2)]
    threads[0].start()
    assert started.wait(10)
    threads[1].start()
    released.set()
    for thread in threads:
        thread.join(10)
    assert found == [3, 3]
