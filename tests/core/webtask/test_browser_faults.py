"""Pages that hang, ask, crash or are monstrous cost themselves, and nobody else."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from stepscope.core.errors import UnavailableError
from stepscope.core.webtask.actions import (
    CaptureScreen,
    Click,
    GetHtml,
    ModifyCheckbox,
    ModifyText,
    ScrollBy,
    WaitTillLoaded,
)
from stepscope.core.webtask.browser import Browser
from stepscope.core.webtask.events import DialogShown, PageEvent, PageProcessEnded
from stepscope.core.webtask.page import PageError, PageFault, PageGone, PageSource
from tests.core.webtask.conftest import Opens, until

FIELD = '<!doctype html><input name="f" value="here">'


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page is taken to hang after 2 s."""
    monkeypatch.setattr("stepscope.core.webtask.browser.ANSWER_SECONDS", 2.0)


def processes(group: int) -> dict[int, int]:
    """What runs in this process group: the parents of the processes."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(words[2]) == group and words[0] != "Z":
            found[int(stat.parent.name)] = int(words[1])
    return found


def test_a_script_without_end_at_load_is_killed_and_the_next_page_opens(shared_browser: Browser, opened: Opens) -> None:
    opened(FIELD)
    pid = shared_browser.pid
    assert pid is not None
    begun = time.monotonic()
    with pytest.raises(PageGone, match=r"did not answer for 1 s and was ended: a script of it runs without end\."):
        opened(f"{FIELD}<script>for (;;) {{}}</script>", patience=1.0)
    assert time.monotonic() - begun < 3
    assert shared_browser.pid is None
    assert opened(FIELD).look().values == {"f": "here"}
    if Path("/proc").is_dir():
        until(lambda: not processes(pid))  # killed they are; the system takes a moment to clear them away


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("by_hand", [True, False])
def test_a_script_without_end_behind_a_box_is_killed(shared_browser: Browser, opened: Opens, by_hand: bool) -> None:
    page = opened('<body style="margin:0"><input type="checkbox" name="f" value="1" onclick="for (;;) {}">')
    action = Click(10, 10) if by_hand else ModifyCheckbox("f", ("1",))
    with pytest.raises(PageGone, match="did not answer for 2 s"):
        page.do(action)
    assert [(one.action, one.ok) for one in page.log] == [(action, False)]
    with pytest.raises(PageGone):
        page.look()
    assert shared_browser.pid is None


def test_questions_are_answered_at_once_and_listed(opened: Opens) -> None:
    page = opened(
        """<script>alert('one'); document.title = `${confirm('two')} ${prompt('three', 'four')} ${prompt('five')}`;
        print(); onbeforeunload = () => 'stay'; document.documentElement.requestFullscreen().catch(() => {});
        </script>"""
    )
    assert page.look().title == "true four"
    assert page.dialogs == ("one", "two", "three", "five")
    assert opened(FIELD).look().values == {"f": "here"}  # nobody is asked to stay


def test_a_question_of_many_words_is_cut(opened: Opens) -> None:
    page = opened("<script>alert('x'.repeat(100000))</script>")
    assert page.dialogs == ("x" * 2000 + "…",)


def test_questions_without_end_are_a_script_without_end(opened: Opens) -> None:
    with pytest.raises(PageGone):
        opened("<script>for (;;) alert('again')</script>", patience=1.5)
    assert opened(FIELD).look().values == {"f": "here"}


def test_popups_are_refused_and_listed(opened: Opens) -> None:
    page = opened(
        """<script>const made = [open('http://far.example/one'), open('about:blank')];
        setInterval(() => { document.title = made.map((one) => !one || one.closed).join(); }, 10)</script>"""
    )
    until(lambda: page.look().title == "true,true")
    assert [(one.url, one.kind) for one in page.blocked] == [
        ("http://far.example/one", "popup"),
        ("about:blank", "popup"),
    ]


def test_a_page_of_five_megabytes_opens(opened: Opens) -> None:
    """Some 8,000 paragraphs with a field each hundred; letters of three bytes."""
    rows = "".join(
        f"<p>{'漢' * 200} {index}" + (f'<input name="f{index}">' if index % 100 == 0 else "") for index in range(8300)
    )
    html = f"<!doctype html><meta charset='utf-8'>{rows}"
    assert len(html.encode()) > 5_000_000
    page = opened(html)
    page.do(ModifyText("f8200", "far down"))
    look = page.look()
    assert len(look.fields) == 83
    assert look.values["f8200"] == "far down"
    assert len(page.do(GetHtml()).text) > 1_600_000


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<",
        FIELD + "<div><table><tr><p></span></b><select><input name='f'",
        '<html><body><form><form><input name="f" value="here"></table></div></html></body><p>after',
        "<input name=f value=here><!-- never closed <input name=g>",
        "<input name=f value=here><script>throw Error('x')</script><script>no code at all(",
        "\x00\ufeff<input name=f value=here>\ud800",
        "<frameset><frame src='about:blank'></frameset>",
        "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><input name=f value=here></svg>",
        "<plaintext><input name=f>",
    ],
)
def test_broken_html_is_a_page_as_browsers_read_it(opened: Opens, html: str) -> None:
    page = opened(html)
    page.do(WaitTillLoaded())
    assert page.look().values.get("f", "here") in ("here", "")
    page.do(GetHtml())
    assert page.do(CaptureScreen()).png.startswith(b"\x89PNG")


def test_a_field_that_never_comes_is_waited_for_so_long(opened: Opens) -> None:
    page = opened("<script>setTimeout(() => { document.body.innerHTML = '<input name=f>'; }, 100)</script><p>words")
    page.do(WaitTillLoaded("f"))
    with pytest.raises(PageError, match=r"The page has no field “g” after 0\.1 s\."):
        page.do(WaitTillLoaded("g", 0.1))


def test_nobody_waits_longer_than_a_page_may_take(opened: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepscope.core.webtask.browser.LONGEST_WAIT_SECONDS", 0.1)
    page = opened(FIELD)
    for seconds in (1e9, float("inf"), 60):
        with pytest.raises(PageError, match=r"no field “g” after 0\.1 s\."):
            page.do(WaitTillLoaded("g", seconds))


@pytest.mark.parametrize(
    "far", [1e20, -1e7, float("inf"), float("nan"), 10**400], ids=["1e20", "-1e7", "inf", "nan", "1e400"]
)
def test_what_is_beyond_any_page_is_refused_in_words(opened: Opens, far: float) -> None:
    page = opened(FIELD)
    for action in (ScrollBy(0, far), ScrollBy(far), Click(far, 5), Click(5, far)):
        with pytest.raises(PageError, match=r"takes no number beyond 1,000,000\."):
            page.do(action)
    assert page.look().values == {"f": "here"}


def test_our_own_fault_is_not_told_as_the_pages(shared_browser: Browser, opened: Opens) -> None:
    page = opened(FIELD)
    with pytest.raises(PageFault, match="do_juggle"):
        shared_browser._process.ask("juggle", 5.0)
    assert page.look().values == {"f": "here"}


def test_half_a_surrogate_in_a_page_is_read(opened: Opens) -> None:
    page = opened(FIELD + "<p>x</p><script>document.querySelector('p').firstChild.data = '\\ud800'</script>")
    assert page.do(GetHtml()).said == "0.2 KB"


def test_a_page_that_crashes_is_told_and_another_opens() -> None:
    """Its renderer is killed as the system would for want of memory."""
    if not Path("/proc").is_dir():
        pytest.skip("renderers are found in /proc")
    heard: list[PageEvent] = []
    browser = Browser(heard=heard.append)
    try:
        page = browser.open(PageSource("test", FIELD, ()))
        assert browser.pid is not None
        for pid, parent in processes(browser.pid).items():
            if browser.pid not in (pid, parent):  # what is left are the renderers, children of the browser's children
                os.kill(pid, 9)
        with pytest.raises(PageGone, match="The page crashed"):
            page.look()
        until(lambda: PageProcessEnded("The page crashed.") in heard)
        assert browser.open(PageSource("test", FIELD, ())).look().values == {"f": "here"}
    finally:
        browser.close()


def test_closing_ends_whoever_waits_at_once_and_for_good() -> None:
    browser = Browser()
    browser.start()
    pid = browser.pid
    page = browser.open(PageSource("test", FIELD, ()))
    raised: list[BaseException] = []

    def wait() -> None:
        try:
            page.do(WaitTillLoaded("never", 60))
        except PageGone as error:
            raised.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    begun = time.monotonic()
    browser.close()
    thread.join(5)
    assert time.monotonic() - begun < 3
    assert [str(error) for error in raised] == ["The browser was closed."]
    assert browser.pid is None
    assert pid is not None
    if Path("/proc").is_dir():
        until(lambda: not processes(pid))  # killed they are; the system takes a moment to clear them away
    with pytest.raises(PageGone, match="closed"):
        browser.open(PageSource("test", FIELD, ()))
    browser.close()


def test_two_browsers_work_beside_each_other_and_end_alone(shared_browser: Browser, opened: Opens) -> None:
    heard: list[PageEvent] = []
    other = Browser(heard=heard.append)
    try:
        mine, its = opened(FIELD), other.open(PageSource("test", f"{FIELD}<script>alert('hello')</script>", ()))
        assert other.pid != shared_browser.pid
        mine.do(ModifyText("f", "mine"))
        its.do(ModifyText("f", "its"))
        assert (mine.look().values, its.look().values) == ({"f": "mine"}, {"f": "its"})
        assert DialogShown("hello") in heard
    finally:
        other.close()
    assert mine.look().values == {"f": "mine"}


def test_a_page_is_over_when_another_one_is_opened(opened: Opens) -> None:
    first = opened(FIELD)
    opened(FIELD)
    with pytest.raises(PageGone, match="Another page was opened"):
        first.look()


def test_a_page_that_hangs_unnoticed_does_not_take_the_next_with_it(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stepscope.core.webtask.browser.PING_SECONDS", 1.0)
    began = f"http://far.example/{time.monotonic_ns()}"
    page = opened(
        f"{FIELD}<script>setTimeout(() => {{ new Image().src = '{began}'; setTimeout(hang); }}, 500);"
        "function hang() { for (;;) {} }</script>"  # once the page is loaded: one that hangs before is noticed
    )
    until(lambda: page.blocked)  # told without the page's help
    assert opened(FIELD).look().values == {"f": "here"}


def test_what_an_earlier_page_still_does_is_not_told_of_the_next(opened: Opens) -> None:
    opened(
        """<script>setInterval(() => { fetch('http://far.example/').catch(() => {}); alert('hello'); }, 1);
        onpagehide = onunload = () => { navigator.sendBeacon('http://far.example/bye'); alert('bye'); }</script>"""
    )
    page = opened(FIELD)
    page.do(WaitTillLoaded("f"))
    assert (page.blocked, page.dialogs) == ((), ())


def test_without_a_browser_engine_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("raise ImportError('libnss3.so: cannot open shared object file')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(UnavailableError, match=r"libnss3\.so.*on Debian libnss3"):
        Browser().start()


def test_a_browser_ends_with_the_process_that_started_it() -> None:
    if not Path("/proc").is_dir():
        pytest.skip("processes are found in /proc")
    code = "from stepscope.core.webtask.browser import Browser\nb = Browser(); b.start(); "
    code += "print(b.pid, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        group = int(parent.stdout.readline())
        assert processes(group)
        parent.kill()
    until(lambda: processes(group) == {})
