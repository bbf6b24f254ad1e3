"""Shared by all tests: no display is needed, and nothing is left behind."""

from __future__ import annotations

import base64
import ctypes
import gc
import importlib.util
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # there is a worker for each core: torch need not take them all
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

import stepscope.widgets  # noqa: F401 - from here on PySide reads no source of what is imported

FUZZ_VARIABLE = "STEPSCOPE_FUZZ"
"""Set to a number, every test on generated input runs on so many, in place of the profile's own number."""

EXAMPLES = {"ci": 25, "nightly": 300}
"""How many examples a test on generated input takes, by hypothesis profile; `ci` unless another is asked for, by
`--hypothesis-profile nightly` or by `make fuzz`."""

_IN_OPEN = 0x20
_PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)
"""A PNG of one pixel."""

FOREIGN = tuple(
    Path(__file__).parent / name
    for name in (
        "core/archives", "core/device", "core/domain", "core/evaluation", "core/imaging", "core/sources",
        "core/webtask", "core/test_json_bounds.py", "core/test_plain_text.py", "core/test_spreadsheet.py",
        "core/test_own_files.py", "app/cli", "app/services/live", "app/services/webtask", "models/chat",
        "models/webtask", "widgets/common",
    )
)  # fmt: skip
"""Tests on generated input here are about what strangers write, and marked `fuzz`."""

_TESTS = Path(__file__).parent
TIERS = {
    "e2e": ("e2e",),
    "window": ("app/gui", "widgets"),
    "browser": (
        "core/webtask/test_browser*", "core/webtask/test_predictor_browser.py", "core/webtask/test_real_pages.py",
        "core/webtask/test_trajectory.py", "models/test_webtask_pages.py", "app/cli/test_webtask.py",
        "app/cli/test_reproduce.py",
    ),
    "device": ("core/device", "app/live", "app/services/live"),
}  # fmt: skip
"""Which tests are marked as which tier, by their place; what lies elsewhere is `unit`."""


HEAVY = {"torch": "torch", "scipy.stats": "statistics"}
"""Libraries that take seconds to load: the tests that need one run in one worker, the only one that loads it."""


@cache
def is_installed(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def add_needs(item: pytest.Item) -> None:
    """Leave a test out where a library that it is marked to need is not installed."""
    for library in (name for mark in item.iter_markers("needs") for name in mark.args):
        if not is_installed(library):
            item.add_marker(pytest.mark.skip(f"{library} is not installed"))
        if library in HEAVY and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(HEAVY[library]))


@cache
def tier_of(path: Path) -> str:
    """The tier of the tests of a file."""
    inside = path.relative_to(_TESTS) if path.is_relative_to(_TESTS) else path
    ways = [str(way) for way in (inside, *inside.parents)]
    return next((tier for tier, at in TIERS.items() if any(fnmatch(way, one) for one in at for way in ways)), "unit")


@cache
def is_foreign(path: Path) -> bool:
    """Whether the tests of a file are about what strangers write."""
    return any(place in (path, *path.parents) for place in FOREIGN)


for _profile, _examples in EXAMPLES.items():
    settings.register_profile(
        _profile,
        max_examples=int(os.environ.get(FUZZ_VARIABLE, _examples)),
        deadline=None,  # how long an example takes is up to what else the machine does
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.large_base_example,
            HealthCheck.function_scoped_fixture,  # examples write over the same files of `tmp_path` on purpose
        ],
        print_blob=_profile == "nightly",
    )
settings.load_profile("nightly" if FUZZ_VARIABLE in os.environ else "ci")
# A test says how many examples it takes only where one is expensive, and then as a part of the profile's number:
# `@settings(max_examples=settings().max_examples // 5)`; `ci` divides by 25 at most.


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        item.add_marker(tier_of(item.path))
        add_needs(item)
        if is_foreign(item.path) and is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.fuzz)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many tests were left out for which reason: what was not tried is told."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    )
    if reasons:
        terminalreporter.section("left out")
        for reason, count in reasons.most_common():
            terminalreporter.write_line(f"{count:6,} tests: {reason}")


def _beside(name: str) -> Any:
    """The module of that name beside this file, loaded."""
    spec = importlib.util.spec_from_file_location(f"tests_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def pytest_collection_finish() -> None:
    if loaded := sorted(HEAVY.keys() & sys.modules.keys()):
        raise pytest.UsageError(
            f"a test module imports {', '.join(loaded)} where it is collected: every worker loads it"
        )
    if "sqlalchemy" in sys.modules:
        _beside("statements").share_statements()
    keep_what_is_imported()


def keep_what_is_imported() -> None:
    """What is imported by now stays to the end: the garbage collector need not look through a gigabyte of it again and
    again, which takes longer than most tests."""
    global _kept
    gc.collect()
    gc.freeze()
    _kept = len(sys.modules)


_kept = 0
"""How many modules were there when they were last left to stay."""

_LIBRARY = 100
"""So many new modules are a library that a test has loaded, such as torch."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    if len(sys.modules) >= _kept + _LIBRARY:
        keep_what_is_imported()


def _real_data() -> Path | None:
    """Where the real samples are. Only the next three fixtures ask: a test that takes none has no way to them."""
    named = os.environ.get("STEPSCOPE_REAL_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None


_NOT_HERE = "the real samples are not here (STEPSCOPE_REAL_DATA or ../shared/data)"


@pytest.fixture(scope="session", params=["with real samples", "without real samples"])
def real_data_if_here(request: pytest.FixtureRequest) -> Path | None:
    """The folder of real research samples, and then None: tests that ask for it hold in both cases."""
    if request.param == "without real samples":
        return None
    return _real_data() or pytest.skip(_NOT_HERE)


@pytest.fixture(scope="session")
def real_data_or_none() -> Path | None:
    """The folder of real research samples, or None: for what takes too long to be tried both ways."""
    return _real_data()


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real research samples; tests that need it skip where it is absent."""
    return _real_data() or pytest.skip(_NOT_HERE)


class NumberedFolders:
    """Folders of one session's tests, numbered as pytest's own `mktemp` numbers them. That one looks through all names
    beside the new folder for the highest number, which takes longer with every test; this one counts."""

    def __init__(self, base: Path) -> None:
        self._base = base
        self._next: Counter[str] = Counter()

    def make(self, prefix: str) -> Path:
        while True:
            folder = self._base / f"{prefix}{self._next[prefix]}"
            self._next[prefix] += 1
            try:
                folder.mkdir(mode=0o700)
            except FileExistsError:  # a fixture has asked pytest itself for a folder of that name
                continue
            return folder


@pytest.fixture(scope="session")
def numbered_folders(tmp_path_factory: pytest.TempPathFactory) -> NumberedFolders:
    return NumberedFolders(tmp_path_factory.getbasetemp())


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, numbered_folders: NumberedFolders) -> Path:
    """A new folder for each test under the name that pytest's own fixture gives it, kept as that keeps it."""
    return numbered_folders.make(re.sub(r"\W", "_", request.node.name)[:30])


@pytest.fixture(autouse=True)
def own_home(numbered_folders: NumberedFolders, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, store and caches of a test lie in a folder of its own; nothing asks, or starts, the person's adb."""
    home = numbered_folders.make("home")
    monkeypatch.setenv("STEPSCOPE_HOME", str(home))
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")  # where nobody can listen
    monkeypatch.setenv("STEPSCOPE_ADB", "no-adb-in-tests")
    return home


@pytest.fixture(scope="session")
def postgresql_servers() -> Callable[..., AbstractContextManager[Any]]:
    """Starts a PostgreSQL server (`tests/postgresql.py`) for tests that stop theirs, or need other settings; they skip
    where there can be none."""
    module = _beside("postgresql")
    reason = module.missing()
    if reason:
        pytest.skip(reason)
    return module.server  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def postgresql(postgresql_servers: Callable[..., AbstractContextManager[Any]]) -> Iterator[Any]:
    """A PostgreSQL server of this process; tests that need it skip where there can be none."""
    with postgresql_servers() as running:
        yield running


class Lure:
    """A picture beside the data, named as a file that HTML would show; `opened` tells whether anybody opened it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_bytes(_PICTURE)
        self.html = f'<img src="{path.as_uri()}"><b>bold</b> &amp; &hid'
        self._system = ctypes.CDLL(None, use_errno=True)
        self._watch = self._system.inotify_init1(os.O_NONBLOCK)
        assert self._watch >= 0 and self._system.inotify_add_watch(self._watch, os.fsencode(path), _IN_OPEN) >= 0

    def opened(self) -> bool:
        try:
            return bool(os.read(self._watch, 65536))
        except BlockingIOError:
            return False

    def close(self) -> None:
        os.close(self._watch)


@pytest.fixture
def lure(tmp_path: Path) -> Iterator[Lure]:
    """A file that must never be opened, and HTML that would open it."""
    if sys.platform != "linux":
        pytest.skip("that a file is opened is told by Linux's inotify")
    made = Lure(tmp_path / "lure.png")
    yield made
    assert not made.opened(), "the file that the data's words name was opened"
    made.close()
