"""Formats of other packages: the documented example opens, and a broken one breaks nothing."""

from __future__ import annotations

import contextlib
import csv
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stepscope.core import limits
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.errors import SourceError
from stepscope.core.sources import plugin_process, registry
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.registry import broken_plugins, format_named, formats, open_source

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "tap_log"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Put a module with its entry point where Python finds installed packages."""
    site = tmp_path / "site"
    forget = (registry.formats.cache_clear, registry._plugins.cache_clear, plugin_process.close_idle)

    def put(name: str, code: str, entry: str) -> None:
        facts = site / f"{name}-0.1.dist-info"
        facts.mkdir(parents=True)
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n", "utf-8")
        (facts / "entry_points.txt").write_text(f"[stepscope.sources]\n{entry}\n", "utf-8")
        (site / f"{name}.py").write_text(code, "utf-8")
        monkeypatch.syspath_prepend(str(site))
        for clear in forget:
            clear()

    yield put
    for clear in forget:
        clear()


def test_the_documented_example_opens(install: Callable[..., None], tmp_path: Path, write_picture: Callable) -> None:
    install("tap_log", (EXAMPLE / "tap_log.py").read_text("utf-8"), "tap_log = tap_log:FORMAT")
    folder = tmp_path / "logs" / "first"
    write_picture(folder / "0.png", 30, 70)
    (folder / "taps.csv").write_text("buy milk, please\n0.png,12.5,60\n1.png,a,b\n", "utf-8")
    assert "tap_log" in [known.name for known in formats()] and broken_plugins() == ()
    source = open_source(tmp_path / "logs")
    episode = source.read("first")
    assert (source.format, episode.goal, len(episode.steps)) == ("tap_log", "buy milk, please", 2)
    assert episode.steps[0].action == Tap(Point(12.5, 60.0, Size(30, 70)))
    assert [problem.field for problem in episode.problems] == ["screenshot", "action"]


def test_the_documented_example_refuses_what_it_cannot_read(install: Callable[..., None], tmp_path: Path) -> None:
    limit = csv.field_size_limit(131_072)  # other readers raise it for the whole process
    try:
        _refuses(install, tmp_path)
    finally:
        csv.field_size_limit(limit)


def _refuses(install: Callable[..., None], tmp_path: Path) -> None:
    install("tap_log", (EXAMPLE / "tap_log.py").read_text("utf-8"), "tap_log = tap_log:FORMAT")
    for name, text in (("long", f'goal\n"{"a" * 200_000}",1,2\n'), ("none", ""), ("good", "goal\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "taps.csv").write_text(text, "utf-8")
    rows = list(open_source(tmp_path).scan())
    assert [row.id for row in rows if isinstance(row, EpisodeSummary)] == ["good"]
    assert [row.episode for row in rows[1:] if isinstance(row, Problem)] == ["long", "none"]


def test_its_entry_point_is_that_of_its_package() -> None:
    text = (EXAMPLE / "pyproject.toml").read_text("utf-8")
    assert f'[project.entry-points."{registry.GROUP}"]\ntap_log = "tap_log:FORMAT"' in text


def test_a_broken_one_is_named_and_the_others_work(install: Callable[..., None]) -> None:
    install("bad_format", "raise RuntimeError('no licence')", "bad = bad_format:FORMAT")
    install("own_name", "from stepscope.core.sources.rico import FORMAT", "rico = own_name:FORMAT")
    assert {"rico", "motif"} <= {known.name for known in formats()}
    first, second = broken_plugins()
    assert "'bad'" in first and "no licence" in first
    assert "'rico' is a name of our own" in second


FAULTY = """
from dataclasses import replace
from stepscope.core.sources.rico import FORMAT
def boom(*_):
    raise KeyError("boom")
FORMAT = replace(FORMAT, name="faulty", {field}=boom)
"""


@pytest.mark.parametrize("field", ["sniff", "open"])
def test_one_that_raises_while_it_works_is_named_and_the_others_open(
    install: Callable[..., None], tmp_path: Path, write_json: Callable, field: str
) -> None:
    install("faulty", FAULTY.format(field=field), "faulty = faulty:FORMAT")
    write_json(tmp_path / "data" / "app" / "trace_0" / "gestures.json", {"1": []})
    (tmp_path / "data" / "app" / "trace_0" / "view_hierarchies").mkdir()
    if field == "sniff":
        assert open_source(tmp_path / "data").format == "rico"
    else:
        with pytest.raises(SourceError, match=r"the reader of faulty failed: KeyError\('boom'\)"):
            open_source(tmp_path / "data", "faulty")


def test_a_faulty_reader_is_an_error_of_its_source(install: Callable[..., None], tmp_path: Path) -> None:
    code = (EXAMPLE / "tap_log.py").read_text("utf-8").replace("findings = Findings(", "findings = [][7](")
    install("tap_log", code, "tap_log = tap_log:FORMAT")
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "taps.csv").write_text("goal\n", "utf-8")
    source = open_source(tmp_path)
    with pytest.raises(SourceError, match="the reader of tap_log failed: IndexError"):
        list(source.scan())
    with pytest.raises(SourceError, match="tell whoever wrote it"):
        source.read("log")


BASE = (
    "from dataclasses import replace\nfrom stepscope.core.sources.rico import FORMAT\n"
    "FORMAT = replace(FORMAT, {changes})\n"
)


# What plug-ins may do, each with a part of the sentence that tells it.
AT_LOADING = {
    "raises at import": ("raise RuntimeError('no licence')", "no licence"),
    "leaves": ("raise SystemExit(3)", "SystemExit(3)"),
    "is interrupted": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "raises a base": ("raise BaseException('base')", "BaseException('base')"),
    "a generator's exit": ("raise GeneratorExit", "GeneratorExit"),
    "goes round": ("def f(): f()\nf()", "RecursionError"),
    "takes all memory": ("x = bytearray(1 << 45)", "more memory than is allowed"),
    "is no Python": ("def def", "SyntaxError"),
    "needs another": ("import a_library_nobody_has", "a_library_nobody_has"),
    "ends the process": ("import os\nos._exit(0)", "it left the process"),
    "kills the process": ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "it left the process"),
    "closes all files": ("import os\nos.closerange(0, 64)", "it left the process"),
    "has no format": ("FORMAT = 7", "is no Format"),
    "has nothing": ("", "AttributeError"),
    "an error without words": ("class E(Exception):\n def __repr__(self): raise SystemExit\nraise E", "failed: E"),
    "name of markup": (BASE.format(changes="name='<img src=x>'"), "cannot be a format's name"),
    "name of control characters": (BASE.format(changes=r"name='a\x1b[2Jb'"), "x1b[2Jb"),
    "name is a number": (BASE.format(changes="name=7"), "cannot be a format's name"),
    "name is empty": (BASE.format(changes="name=''"), "cannot be a format's name"),
    "name of a path": (BASE.format(changes="name='../../rico'"), "cannot be a format's name"),
    "title of lines": (BASE.format(changes=r"title='a\nb'"), "is no line of text"),
    "title without end": (BASE.format(changes="title='a' * 10**6"), "is no line of text"),
    "platform is a text": (BASE.format(changes="platform='android'"), "platform"),
    "kind is unknown": (BASE.format(changes="kind='films'"), "kind 'films'"),
    "sniff is none": (BASE.format(changes="sniff=None"), "have to be functions"),
    "name of ours": (BASE.format(changes="name='rico'"), "'rico' is a name of our own"),
    "name of predictions": (BASE.format(changes="name='predictions'"), "is a name of our own"),
}
AT_WORK = {
    "sniff raises": ("sniff=lambda look: 1 / 0", "sniff"),
    "sniff leaves": ("sniff=lambda look: exit()", "sniff"),
    "sniff ends the process": ("sniff=lambda look: __import__('os')._exit(0)", "sniff"),
    "sniff gives no truth": ("sniff=lambda look: __import__('numpy').zeros(3)", "sniff"),
    "open leaves": ("open=lambda path: exit()", "failed: SystemExit"),
    "open ends the process": ("open=lambda path: __import__('os')._exit(1)", "it left the process"),
    "open gives nothing": ("open=lambda path: None", "AttributeError"),
    "scan raises": ("open=lambda path: Mine(path, scan=lambda: 1 / 0)", "ZeroDivisionError"),
    "scan leaves in the middle": ("open=lambda path: Mine(path, scan=leaving)", "failed: SystemExit"),
    "scan ends the process": ("open=lambda path: Mine(path, scan=dying)", "it left the process"),
    "scan gives texts": ("open=lambda path: Mine(path, scan=lambda: ['a'])", "scan gives str, not EpisodeSummary"),
    "scan gives what is its own": ("open=lambda path: Mine(path, scan=own)", "is no value that sources have"),
    "scan gives what cannot be sent": ("open=lambda path: Mine(path, scan=unsendable)", "pickle"),
    "scan is a number": ("open=lambda path: Mine(path, scan=lambda: 7)", "not iterable"),
    "read gives another thing": ("open=lambda path: Mine(path, scan=lambda: ())", "read gives int, not Episode"),
}
MISDEEDS = """
import os, sys, time, signal, locale
from dataclasses import replace
from stepscope.core.domain.episode import Problem
from stepscope.core.sources.rico import FORMAT
class Mine:
    def __init__(self, path, format="{name}", scan=None):
        self.path, self.format, self.scan = path, format, scan or tuple
    def read(self, id, place=""):
        return 7
class Own(Problem):
    pass
def leaving():
    yield Problem("first")
    sys.exit()
def dying():
    yield Problem("first")
    os._exit(0)
def own():
    yield Own("own")
def unsendable():
    yield Problem(lambda: 1)
FORMAT = replace(FORMAT, name="{name}", {changes})
"""


def test_whatever_a_plug_in_does_when_it_is_loaded_is_a_sentence(
    install: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, (code, _) in enumerate(AT_LOADING.values()):
        install(f"bad{number}", code, f"bad{number} = bad{number}:FORMAT")
    names = {known.name for known in formats()}
    said = {sentence.split("'")[1]: sentence for sentence in broken_plugins()}
    assert {"rico", "motif"} <= names and len(names) == len(formats()) == len(registry._OWN)
    for number, (what, (_, words)) in enumerate(AT_LOADING.items()):
        assert words in said[f"bad{number}"], what


def test_whatever_a_plug_in_does_at_work_is_told_and_our_formats_go_on(
    install: Callable[..., None], tmp_path: Path, write_json: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    for number, (changes, _) in enumerate(AT_WORK.values()):
        code = MISDEEDS.format(name=f"bad{number}", changes=changes)
        install(f"bad{number}", code, f"bad{number} = bad{number}:FORMAT")
    write_json(tmp_path / "data" / "app" / "trace_0" / "gestures.json", {"1": []})
    (tmp_path / "data" / "app" / "trace_0" / "view_hierarchies").mkdir()
    for number, (deed, (_, words)) in enumerate(AT_WORK.items()):
        with contextlib.ExitStack() as stack:
            if words == "sniff":
                assert not format_named(f"bad{number}").sniff(FolderScan(tmp_path / "data")), deed
                assert f"the format bad{number} cannot look at" in caplog.text, deed
                continue
            caught = stack.enter_context(pytest.raises(SourceError))
            source = open_source(tmp_path / "data", f"bad{number}")
            rows = list(source.scan())
            assert rows == [], deed
            source.read("a")
        assert words in caught.value.message, deed
    assert open_source(tmp_path / "data", "rico").format == "rico"


HANGS = ["load", "sniff", "scan"] + (["open", "read"] if os.environ.get("STEPSCOPE_SOAK") else [])


@pytest.mark.parametrize("where", HANGS)
def test_a_plug_in_that_never_comes_back_is_ended(
    install: Callable[..., None], tmp_path: Path, write_json: Callable, where: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Three of the five places; with STEPSCOPE_SOAK=1 all."""
    endless = "while True:\n    pass\n"
    does = {
        "load": endless,
        "sniff": "def f(look):\n    while True: pass\nFORMAT = replace(FORMAT, sniff=f)\n",
        "open": "def f(path):\n    while True: pass\nFORMAT = replace(FORMAT, open=f)\n",
        "scan": "def f():\n    yield Problem('first')\n    while True: pass\n"
        "FORMAT = replace(FORMAT, open=lambda path: Mine(path, scan=f))\n",
        "read": "def f(self, id, place=''):\n    while True: pass\nMine.read = f\n"
        "FORMAT = replace(FORMAT, open=lambda path: Mine(path))\n",
    }
    install("bad", MISDEEDS.format(name="bad", changes="title='Bad'") + does[where], "bad = bad:FORMAT")
    write_json(tmp_path / "data" / "app" / "trace_0" / "gestures.json", {"1": []})
    (tmp_path / "data" / "app" / "trace_0" / "view_hierarchies").mkdir()
    limits.choose({"plugin-seconds": 2})
    try:
        if where == "load":
            assert "gave no answer in 2 s" in broken_plugins()[0]
        elif where == "sniff":
            assert open_source(tmp_path / "data").format == open_source(tmp_path / "data").format == "rico"
            assert caplog.text.count("gave no answer in 2 s") == 1
        else:
            with pytest.raises(SourceError, match="the reader of bad gave no answer in 2 s") as caught:
                source = open_source(tmp_path / "data", "bad")
                if where == "scan":
                    list(source.scan())
                source.read("a")
            assert "--limit-plugin-seconds" in caught.value.hint
    finally:
        limits.choose({})


def test_what_a_plug_in_does_to_its_process_is_not_done_to_ours(
    install: Callable[..., None], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = (EXAMPLE / "tap_log.py").read_text("utf-8")
    deeds = (
        "import os, sys, signal\nprint('hello')\nos.write(1, b'raw')\nos.chdir('/')\nos.environ['A_DEED'] = '1'\n"
        "signal.signal(signal.SIGINT, signal.SIG_DFL)\nsys.stdin.close()\nsys.stdout.close()\nsys.path.clear()\n"
    )
    start = code.index("from __future__ import annotations\n") + len("from __future__ import annotations\n")
    install("tap_log", code[:start] + deeds + code[start:], "tap_log = tap_log:FORMAT")
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "taps.csv").write_text("goal\n", "utf-8")
    handler, here = signal.getsignal(signal.SIGINT), Path.cwd()
    source = open_source(tmp_path)
    assert [row.id for row in source.scan() if isinstance(row, EpisodeSummary)] == ["log"]
    assert source.read("log").goal == "goal"
    assert (signal.getsignal(signal.SIGINT), Path.cwd(), os.environ.get("A_DEED")) == (handler, here, None)
    assert capfd.readouterr().out == "" and "tap_log" not in sys.modules


def test_of_two_plug_ins_of_one_name_the_second_is_told(install: Callable[..., None]) -> None:
    for name in ("one", "two"):
        install(name, BASE.format(changes="name='same'"), f"{name} = {name}:FORMAT")
    assert [known.name for known in formats()].count("same") == 1
    (sentence,) = broken_plugins()
    assert "is left out: 'same' is the name of" in sentence


def test_facts_of_a_package_that_are_broken_break_nothing(install: Callable[..., None], tmp_path: Path) -> None:
    install("bad", "", "bad = = bad\n[[[\n= x")
    facts = tmp_path / "site" / "worse-1.dist-info"
    facts.mkdir()
    (facts / "entry_points.txt").write_bytes(b"[stepscope.sources]\nx = \xff\xfe\0:F\n")
    registry.formats.cache_clear()
    registry._plugins.cache_clear()
    assert {"rico", "motif"} <= {known.name for known in formats()}
