"""How long the browser engine itself takes to open pages: a bare view, a new page for each file, no wall and no words
between processes. The scripts and styles that the bundled library answers stand in the file, so that nothing is asked
for. Prints the median milliseconds from asking to the first frame after loading.

`python -m tests.benchmarks.bare_pages FILE...`
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from stepscope.resources.webtask.local.library import answer

ROUNDS = 3
FRAME = "window.drawn = 0; requestAnimationFrame(() => { window.drawn = 1 })"


def with_all_inside(html: str) -> str:
    """The page with the text of its scripts and styles in it; what the library does not have is left out."""

    def text(address: str, kind: str) -> str:
        file = answer("https:" + address if address.startswith("//") else address)
        return file.read_text("utf-8") if file is not None and file.suffix == kind else ""

    def script(found: re.Match[str]) -> str:
        return "<script>" + text(found[1], ".js").replace("</script", "<\\/script") + "</script>"

    def style(found: re.Match[str]) -> str:
        address = re.search(r"href=[\"']([^\"']+)", found[0])
        return f"<style>{text(address[1], '.css')}</style>" if address else ""

    html = re.sub(r"<script[^>]*src=[\"']([^\"']+)[\"'][^>]*>\s*</script>", script, html, flags=re.IGNORECASE)
    return re.sub(r"<link[^>]*>", style, html, flags=re.IGNORECASE)


def main(files: list[str]) -> None:
    from PySide6.QtCore import QEventLoop, QTimer, QUrl
    from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
    from PySide6.QtWebEngineWidgets import QWebEngineView
    from PySide6.QtWidgets import QApplication

    application, profile = QApplication([]), QWebEngineProfile()
    view = QWebEngineView()
    view.resize(1280, 800)
    view.show()

    def until(begin: Callable[[Callable[[], object]], object]) -> None:
        loop = QEventLoop()
        begin(loop.quit)
        loop.exec()

    def opened(file: str) -> float:
        began, page = time.perf_counter(), QWebEnginePage(profile, view)
        view.setPage(page)

        def load(then: Callable[[], object]) -> None:
            page.loadFinished.connect(lambda _whole: then())
            page.load(QUrl.fromLocalFile(file))

        def frame(then: Callable[[], object]) -> None:
            def look(drawn: object = None) -> None:
                if drawn:
                    then()
                else:
                    QTimer.singleShot(1, lambda: page.runJavaScript("window.drawn", 0, look))

            page.runJavaScript(FRAME, 0, lambda _nothing: look())

        until(load)
        until(frame)
        return 1000 * (time.perf_counter() - began)

    opened(files[0])
    times = [opened(file) for _ in range(ROUNDS) for file in files]
    print(median(times), flush=True)
    del application
    os._exit(0)  # what the engine takes to end is no part of it


if __name__ == "__main__":
    main([str(Path(file).resolve()) for file in sys.argv[1:]])
