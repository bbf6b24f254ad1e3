"""Web pages: pages a minute with two processes, from an action to the readable DOM, and pictures.

The pages are those of TurkingBench where it is here, one of each task in turn, else a page with 30 fields and jQuery.
A page a minute is: opened, looked at, all its fields filled in, read back.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.webtask import FieldType
from stepscope.core.sources.turkingbench import TurkingBench, open_turkingbench
from stepscope.core.webtask.actions import (
    CaptureScreen,
    GetHtml,
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
)
from stepscope.core.webtask.browser import Browser, OpenPage
from stepscope.core.webtask.page import PageError, PageField, PageSource
from stepscope.core.webtask.pool import PagePool
from stepscope.core.webtask.rendering import render
from tests.benchmarks.bare_pages import with_all_inside
from tests.benchmarks.figures import Tell

PROCESSES = 2
PAGES = 72
ROUNDS = 40
ROWS = "".join(
    f"<p>Question {row}<label><input type=radio name=r{row} value=1>yes</label><input name=t{row}>"
    f"<select name=s{row}><option value=''>choose</option><option>a</option></select>"
    for row in range(10)
)
MADE = f"<!doctype html><script src='https://code.jquery.com/jquery-3.3.1.min.js'></script><form>{ROWS}</form>"


@pytest.fixture(scope="module")
def sources(real_data_or_none: Path | None) -> list[PageSource]:
    if real_data_or_none is None:
        return [PageSource("made", MADE, ())]
    bench = open_turkingbench(real_data_or_none / "turkingbench")
    assert isinstance(bench, TurkingBench)
    first: dict[str, EpisodeSummary] = {}
    for one in bench.scan():
        assert isinstance(one, EpisodeSummary)
        first.setdefault(one.app, one)
    return [render(bench.read_task(task), bench.read_instance(row.id, row.place).inputs) for task, row in first.items()]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    browser = Browser()
    browser.start()
    yield browser
    browser.close()


def action_for(field: PageField) -> PageAction | None:
    """One that fills the field in."""
    values = [one.value for one in field.options if one.value]
    if field.disabled or (field.options and not values):
        return None
    if field.type is FieldType.RADIO:
        return ModifyRadio(field.name, values[-1])
    if field.type is FieldType.CHECKBOX:
        return ModifyCheckbox(field.name, tuple(values[:1]))
    if field.type is FieldType.SELECT:
        return ModifySelect(field.name, values[-1])
    if field.type is FieldType.RANGE:
        return ModifyRange(field.name, 3)
    return ModifyText(field.name, "3")


def filled(page: OpenPage) -> int:
    """How many fields; what is chosen in one may disable another."""
    for action in [action for field in page.look().fields if (action := action_for(field)) is not None]:
        with suppress(PageError):
            page.do(action)
    page.look()
    return sum(one.ok for one in page.log)


def told(figure: Tell, what: str, seconds: list[float], budget: float | None = None) -> None:
    """`budget`: of the median, in milliseconds."""
    deciles = statistics.quantiles(seconds, n=20)
    print(f"\n{what}: p50 {statistics.median(seconds) * 1000:.0f} ms, p95 {deciles[-1] * 1000:.0f} ms", end="")
    figure(f"web: {what}", statistics.median(seconds) * 1000, "ms", budget=budget)


def timed(times: int, work: Callable[[int], object]) -> list[float]:
    seconds = []
    for number in range(times):
        begun = time.perf_counter()
        work(number)
        seconds.append(time.perf_counter() - begun)
    return seconds


def test_pages_a_minute_with_two_processes(sources: list[PageSource], figure: Tell) -> None:
    pool = PagePool(PROCESSES)
    try:
        pool.start()
        jobs = [sources[number % len(sources)] for number in range(PAGES)]
        begun = time.perf_counter()
        fields = pool.each(lambda browser, source: filled(browser.open(source)), jobs)  # type: ignore[arg-type]
        seconds = time.perf_counter() - begun
    finally:
        pool.close()
    assert not [one for one in fields if isinstance(one, Exception)]
    figure("web: pages a minute with two processes", PAGES / seconds * 60, "a minute", more=True)
    total = sum(one for one in fields if isinstance(one, int))
    print(f"\n{PAGES / seconds * 60:.0f} pages a minute with {PROCESSES} processes, {total} fields filled in")


def bare_milliseconds(sources: list[PageSource], folder: Path) -> tuple[float, float]:
    """What the engine alone takes to open all but the last of them, and the last."""
    files = [folder / f"page{number}.html" for number in range(len(sources))]
    for file, source in zip(files, sources, strict=True):
        file.write_text(with_all_inside(source.html), "utf-8")
    command = [sys.executable, "-m", "tests.benchmarks.bare_pages"]
    own = os.environ | {"QT_QPA_PLATFORM": "offscreen", "QTWEBENGINE_DISABLE_SANDBOX": "1"}

    def told_by(some: list[Path]) -> float:
        done = subprocess.run([*command, *some], check=True, env=own, capture_output=True, text=True)
        return float(done.stdout.splitlines()[-1])

    return told_by(files[:-1]), told_by(files[-1:])


def test_from_start_to_page_to_action(
    sources: list[PageSource], browser: Browser, figure: Tell, tmp_path: Path
) -> None:
    def start(_number: int) -> None:
        other = Browser()
        other.start()
        other.close()

    told(figure, "a process started", timed(5, start))
    told(figure, "a page opened", timed(ROUNDS, lambda number: browser.open(sources[number % len(sources)])), 60)
    bare = bare_milliseconds([*sources, PageSource("empty", "<p>Nothing", ())], tmp_path)
    figure("web: a page opened by the bare engine", bare[0], "ms")
    figure("web: an empty page opened by the bare engine", bare[1], "ms")
    page = browser.open(PageSource("made", MADE, ()))
    told(figure, "all 30 fields read", timed(ROUNDS, lambda _number: page.look()))

    def act(number: int) -> None:
        page.do(ModifyText("t5", str(number)))
        assert f'value="{number}"' in page.do(GetHtml()).text

    told(figure, "from an action to the DOM that has it", timed(ROUNDS, act))


def test_pictures(sources: list[PageSource], browser: Browser, figure: Tell) -> None:
    pages, pixels = [], []
    for source in sources:
        page = browser.open(source)
        pages += timed(2, lambda _number, page=page: page.do(CaptureScreen("page")))  # type: ignore[misc]
        pixels.append(page.look().size.height)
    print(f"\npages of {min(pixels)} to {max(pixels)} pixels of height", end="")
    told(figure, "pictures of whole pages", pages, 150)
    page = browser.open(sources[0])
    assert page.do(CaptureScreen()).png.startswith(b"\x89PNG")
    told(figure, "pictures of the screen", timed(ROUNDS, lambda _number: page.do(CaptureScreen())))
    print()
