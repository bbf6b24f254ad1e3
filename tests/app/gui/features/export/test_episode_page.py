"""The page of an episode in a browser: arrows walk it, and what is hostile in it does not run."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile

from stepscope.app.gui.walk import wait_for
from tests.app.episodes import HOSTILE, view
from tests.app.services.export.test_episode_page import page_of


class Quiet(QWebEnginePage):
    """Keeps what the page complains about."""

    def __init__(self, profile: QWebEngineProfile) -> None:
        super().__init__(profile)
        self.complaints: list[str] = []

    def javaScriptConsoleMessage(self, _level: object, message: str, _line: int, _source: str) -> None:
        self.complaints.append(message)


def load_triton_first() -> None:
    """A browser in this process loads Mesa's LLVM. torch brings triton with the first optimizer, and triton's own LLVM
    ends the process when it comes second."""
    if find_spec("triton") is not None:
        import_module("triton")


@pytest.fixture
def browser(qapp, tmp_path):
    """Load a page and ask it: `browser(html)` gives a function from JavaScript to its value."""
    load_triton_first()
    profile = QWebEngineProfile()
    page = Quiet(profile)

    def ask(script: str):
        answers: list[object] = []
        page.runJavaScript(script, 0, answers.append)
        wait_for(lambda: bool(answers), "the page's answer", 30)
        return answers[0]

    def load(text: str):
        path, ended = tmp_path / "page.html", []
        path.write_text(text, "utf-8")
        page.loadFinished.connect(ended.append)
        page.load(QUrl.fromLocalFile(str(path)))
        wait_for(lambda: bool(ended), "the page", 30)
        assert ended == [True]
        assert page.complaints == []
        return ask

    yield load
    page.deleteLater()
    profile.deleteLater()


def key(name: str) -> str:
    return f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{name}', bubbles: true}})); {CURRENT}"


CURRENT = "[...document.querySelectorAll('.current')].map((step) => step.id).join()"


@pytest.mark.qt_log_level_fail("CRITICAL")  # without a graphics card the browser warns of its many tries
def test_keys_walk_the_page_and_nothing_hostile_runs(browser, tmp_path) -> None:
    ask = browser(page_of(view(tmp_path, goal=HOSTILE, raw=HOSTILE)))
    assert ask("document.title") == HOSTILE
    assert ask(CURRENT) == "" and ask(key("ArrowRight")) == "step-1"
    assert [ask(key(name)) for name in ("j", "ArrowRight", "ArrowRight")] == ["step-2", "step-3", "step-3"]
    assert [ask(key(name)) for name in ("k", "ArrowLeft", "ArrowLeft")] == ["step-2", "step-1", "step-1"]
    assert [ask(key(name)) for name in ("End", "Home", "x")] == ["step-3", "step-1", "step-1"]
    assert ask("document.activeElement.id + location.hash") == "step-1#step-1"
    assert ask("document.querySelector('nav [aria-current]').textContent") == "1"
    inject = "const s = document.createElement('script'); s.textContent = 'document.title = \"taken\"'; "
    assert ask(inject + "document.body.append(s); document.title") == HOSTILE, "the policy lets no other script run"
