"""Calls are logged with result and time, and a page is put back by doing them again."""

from __future__ import annotations

from contextlib import closing

import pytest

from stepscope.core.webtask.actions import (
    CaptureScreen,
    Click,
    GetHtml,
    ModifyRadio,
    ModifyText,
    PageAction,
    TypeText,
    WaitTillLoaded,
)
from stepscope.core.webtask.browser import Browser
from stepscope.core.webtask.events import PageProcessEnded
from stepscope.core.webtask.page import PageError, PageSource
from tests.core.webtask.conftest import Opens

HTML = """<!doctype html><body style="margin:0"><input name="f" style="width:200px;height:40px">
<input type="radio" name="r" value="1"><script>document.title = Math.random()</script><p>far</p><p>away</p>"""


def test_a_page_that_is_opened_has_had_its_first_frame(opened: Opens) -> None:
    """What scripts do in the frame after loading, and when they hear of sizes, is there without a wait."""
    for _ in range(10):
        page = opened(
            '<!doctype html><input name="frame"><input name="size"><script>const [frame, size] = '
            "document.querySelectorAll('input'); onload = () => requestAnimationFrame(() => { frame.value = 'one'; });"
            "new ResizeObserver(() => { size.value = 'known'; }).observe(size);</script>"
        )
        assert page.look().values == {"frame": "one", "size": "known"}


def test_calls_are_logged_with_result_and_time(opened: Opens) -> None:
    page = opened(HTML)
    page.do(ModifyText("f", "abc"), raw="modify_text('f', 'abc')")
    with pytest.raises(PageError):
        page.do(ModifyRadio("r", "2"))
    page.do(WaitTillLoaded("r"))
    page.do(GetHtml())
    first, second, third, fourth = page.log
    assert (first.action, first.ok, first.said) == (ModifyText("f", "abc"), True, "3 characters")
    assert first.raw == "modify_text('f', 'abc')"
    assert (second.ok, second.said) == (False, "Field “r” has no option “2”. It has “1”.")
    assert (third.said, fourth.said) == ("loaded", "0.3 KB")
    assert 0 <= first.at < first.at + first.took <= second.at < third.at
    assert all(0 < one.took < 5 for one in page.log)


def test_an_action_is_undone_by_doing_those_before_it_again(opened: Opens) -> None:
    page = opened(HTML)
    title = page.look().title
    actions: list[PageAction] = [
        ModifyText("f", "abc"), CaptureScreen(), Click(190, 20), GetHtml(), TypeText("d"), ModifyRadio("r", "1"),
    ]  # fmt: skip
    for action in actions:
        page.do(action)
    assert page.look().values == {"f": "abcd", "r": "1"}
    page.undo()
    assert page.look().values == {"f": "abcd", "r": ""}
    assert page.look().title != title  # loaded anew
    assert [one.action for one in page.log] == [ModifyText("f", "abc"), Click(190, 20), TypeText("d")]
    page.undo()
    assert page.look().values == {"f": "abc", "r": ""}
    page.replay(1)
    page.undo()
    page.undo()  # nothing is left to be undone
    assert (page.look().values, page.log) == ({"f": "", "r": ""}, ())
    page.do(ModifyText("f", "x"))
    page.reload()
    assert (page.look().values, page.log) == ({"f": "", "r": ""}, ())


def test_the_relevant_part_is_around_the_field(opened: Opens) -> None:
    page = opened("<!doctype html>" + "".join(f"<p>line {n}</p>\n<input name=f{n}>\n" for n in range(50)))
    text = page.do(GetHtml("f25", 2)).text
    assert 'name="f25"' in text
    assert "line 26" in text
    assert "line 40" not in text


def test_a_worn_process_is_replaced_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine keeps memory of every page: after some pages another process opens the next."""
    monkeypatch.setattr("stepscope.core.webtask.browser.MOST_PAGES", 2)
    heard: list[object] = []
    with closing(Browser(heard=heard.append)) as browser:
        processes = []
        for number in range(3):
            page = browser.open(PageSource("test", f"<input name=f value={number}>", ()))
            processes.append(browser.pid)
            assert page.look().values == {"f": str(number)}
        assert processes[0] == processes[1] != processes[2]
        assert not any(isinstance(event, PageProcessEnded) for event in heard)
    assert isinstance(heard[-1], PageProcessEnded)
